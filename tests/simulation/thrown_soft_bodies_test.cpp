#include "stickslip/build/build_world.h"
#include "stickslip/simulation/scene_text.h"
#include "stickslip/world/time_step.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <string>
#include <vector>

/// Deformable bodies thrown at each other. A point that comes in deep, or over a rim, has a spring that nobody pressed.
namespace stickslip::thrown_soft_bodies_test {
namespace {

struct Throw {
    const char* name; // what contacts made in a step before
    const char *contact, *young, *one, *other;
};

const Throw throws[] = {
    {"0.27 J of 24 J", "0.00734", "1.26e5",
        "shape: {sphere: 0.0886}, resolution: 0.0443, rotation: {quaternion: [0.243336, -0.925208, -0.16652, "
        "-0.238849]}, angular_velocity: [-7.31, 2.99, -6.14]",
        "shape: {box: [0.176, 0.04401, 0.198]}, resolution: 0.01467, position: [0.2429, -0.01392, 0.06654], rotation: "
        "{quaternion: [0.428753, -0.093995, -0.555391, -0.706312]}, velocity: [-5.663, 0, 0], angular_velocity: "
        "[-3.54, -9.35, -0.136]"},
    {"0.069 J of 22 J", "0.364", "1.94e5",
        "shape: {box: [0.1461, 0.03651, 0.1643]}, resolution: 0.01217, rotation: {quaternion: [0.497219, 0.67611, "
        "0.352317, 0.414151]}, angular_velocity: [2.05, 9.26, -3.17]",
        "shape: {box: [0.1257, 0.1078, 0.1437]}, resolution: 0.03592, position: [0.241, 0.0441, 0.06172], rotation: "
        "{quaternion: [-0.798974, 0.196074, 0.546092, -0.158048]}, velocity: [-4.767, 0, 0], angular_velocity: "
        "[-3.52, 6.31, 6.91]"}};

TEST(ThrownSoftBodies, GetNoEnergyFromContacts)
{
    for (const Throw& t : throws) {
        SCOPED_TRACE(t.name);
        const std::string body = ", kind: deformable, material: rubber, ";
        const Scene scene = scene_from_text(std::string("stickslip: 1\ntime: {step: 0.01, end: 0.15}\n")
            + "gravity: [0, 0, 0]\ncontact: {friction: " + t.contact
            + "}\nmaterials: {rubber: {density: 1000, model: neo_hookean, young: " + t.young
            + ", poisson: 0.3}}\nbodies:\n  - {name: still" + body + t.one + "}\n  - {name: thrown" + body + t.other
            + "}\n");
        const BuildResult result = build_world(scene, ".");
        ASSERT_EQ(format(result.faults), "");
        TimeStepper stepper(result.built.world, result.built.options);
        State state = result.built.state;
        const double first = energies(result.built.world, state).total();
        for (int step = 0; step < 15; ++step) {
            const StepReport report = stepper.step(state);
            ASSERT_TRUE(report.done);
            EXPECT_GT(report.balance.contact_loss, -1e-4 * first) << "step " << step;
        }
        EXPECT_LT(energies(result.built.world, state).total(), 0.9 * first) << "they have not met";
    }
}

/// A plate of 0.2 m on four legs, each of its cells as six tetrahedra around its diagonal.
void write_table(std::ostream& msh)
{
    const std::vector<double> along = {-0.1, -0.06, 0, 0.06, 0.1}, up = {-0.08, -0.01, 0.05, 0.08};
    std::map<std::array<int, 3>, int> number; // from 1, of corners of cells as they come
    std::vector<std::array<int, 3>> nodes;
    std::vector<std::array<int, 4>> tets;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 3; ++k) {
                if (k != 2 && (i % 3 != 0 || j % 3 != 0))
                    continue;
                std::array<int, 3> order = {0, 1, 2};
                do {
                    std::array<int, 3> at = {i, j, k};
                    std::array<int, 4> tet;
                    for (int corner = 0; corner < 4; ++corner) {
                        const auto [node, is_new] = number.try_emplace(at, static_cast<int>(nodes.size()) + 1);
                        if (is_new)
                            nodes.push_back(at);
                        tet[corner] = node->second;
                        if (corner < 3)
                            ++at[order[corner]];
                    }
                    if ((order[1] + 3 - order[0]) % 3 == 2) // an odd permutation
                        std::swap(tet[2], tet[3]);
                    tets.push_back(tet);
                } while (std::next_permutation(order.begin(), order.end()));
            }
    msh << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" << nodes.size() << '\n';
    for (std::size_t n = 0; n < nodes.size(); ++n)
        msh << n + 1 << ' ' << along[nodes[n][0]] << ' ' << along[nodes[n][1]] << ' ' << up[nodes[n][2]] << '\n';
    msh << "$EndNodes\n$Elements\n" << tets.size() << '\n';
    for (std::size_t t = 0; t < tets.size(); ++t)
        msh << t + 1 << " 4 2 1 1 " << tets[t][0] << ' ' << tets[t][1] << ' ' << tets[t][2] << ' ' << tets[t][3]
            << '\n';
    msh << "$EndElements\n";
}

// Its leg is hit so fast that the solve finds a second root that had 72 J where there had been 42 J.
TEST(ThrownSoftBodies, DoNotEndAStepWithMoreEnergyThanThereWas)
{
    const TemporaryFolder folder;
    std::ofstream msh(folder.path() / "table.msh");
    write_table(msh);
    msh.close();
    const Scene scene = scene_from_text(
        "stickslip: 1\ntime: {step: 0.01, end: 0.05}\ngravity: [0, 0, 0]\ncontact: {friction: 0.685}\n"
        "materials: {rubber: {density: 1000, model: neo_hookean, young: 8.95e5, poisson: 0.3}}\nbodies:\n"
        "  - {name: still, kind: deformable, material: rubber, shape: {box: [0.2102, 0.05254, 0.2364]}, resolution: "
        "0.01751, rotation: {quaternion: [-0.701544, -0.0487982, 0.52937, 0.474576]}, angular_velocity: [-9.67, "
        "-2.54, -0.128]}\n"
        "  - {name: thrown, kind: deformable, material: rubber, shape: {mesh: {file: table.msh}}, position: [0.3503, "
        "-0.07708, 0.08602], rotation: {quaternion: [0.00815613, -0.377247, 0.700773, -0.605421]}, velocity: "
        "[-6.299, 0, 0], angular_velocity: [-0.841, 0.589, 9.95]}\n",
        {.folder = folder.path().string()});
    const BuildResult result = build_world(scene, folder.path());
    ASSERT_EQ(format(result.faults), "");
    TimeStepper stepper(result.built.world, result.built.options);
    State state = result.built.state;
    for (double before = energies(result.built.world, state).total(); state.time < 0.045;) {
        ASSERT_TRUE(stepper.step(state).done);
        const double now = energies(result.built.world, state).total();
        EXPECT_LT(now, before) << "at t = " << state.time;
        before = now;
    }
}

} // namespace
} // namespace stickslip::thrown_soft_bodies_test
