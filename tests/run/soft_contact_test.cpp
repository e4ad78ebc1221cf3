#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/world/time_step.h"

#include "support/boxes.h"

#include <functional>

namespace stickslip::soft_contact_test {
namespace {

constexpr double g = 9.81;

/// A scene of soft bodies, run to its end; visit: after each step.
struct SoftRun {
    BuildResult result;
    std::unique_ptr<TimeStepper> stepper;
    State state;
    int failed = 0;

    explicit SoftRun(const std::string& text, const std::function<void(const State&, const BackwardEuler&)>& visit = {})
    {
        const SceneResult read = read_scene_text("stickslip: 1\n" + text, "scene.yaml");
        EXPECT_EQ(format(read.faults), "");
        result = build_world(read.scene, ".");
        EXPECT_EQ(format(result.faults), "");
        stepper = std::make_unique<TimeStepper>(result.built.world, result.built.options);
        state = result.built.state;
        while (state.time < read.scene.time.end - 1e-9) {
            const StepReport report = stepper->step(state);
            EXPECT_TRUE(report.done);
            failed += static_cast<int>(report.failures.size());
            if (!report.done)
                break;
            if (visit)
                visit(state, stepper->system());
        }
    }

    const DeformableSet& set() const { return result.built.world.deformables; }
    /// Mean of the nodes of a body that at rest have this coordinate along y, about its middle [m].
    double height(int body, double y) const
    {
        double sum = 0;
        int count = 0;
        const Range& nodes = set().bodies[body].nodes;
        for (int i = nodes.begin; i < nodes.end; ++i)
            if (std::abs(set().rest[i].y() - y) < 1e-9) {
                sum += state.x[i].y();
                ++count;
            }
        EXPECT_GT(count, 0);
        return sum / count;
    }
    Vec3 mean(const std::vector<Vec3>& values, int body) const // by mass
    {
        Vec3 sum = Vec3::Zero();
        const Range& nodes = set().bodies[body].nodes;
        for (int i = nodes.begin; i < nodes.end; ++i)
            sum += set().mass[i] * values[i];
        return sum / set().bodies[body].mass;
    }
};

std::string soft_box(const std::string& name, const std::string& size, const std::string& resolution,
    const std::string& position, const std::string& more = "")
{
    return "  - {name: " + name + ", kind: deformable, material: gum, shape: {box: " + size
        + "}, resolution: " + resolution + ", position: " + position + more + "}\n";
}

const std::string floor_body = "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n";

// Held at their far ends, a millimetre into each other at the start.
TEST(SoftContact, OfMeshesThatDoNotMatchPressesEvenlyAsSpringsInSeries)
{
    const SoftRun run("gravity: [0, 0, 0]\ntime: {step: 0.1, end: 3}\ncontact: {friction: 0.3}\n"
                      "materials: {gum: {density: 1000, model: linear, young: 1.0e6, poisson: 0, damping: 0.05}}\n"
                      "bodies:\n"
        + soft_box(
            "below", "[1, 0.5, 1]", "0.25", "[0, 0.25, 0]", ", fix: [{box: {min: [-9, -9, -9], max: [9, 0.001, 9]}}]")
        + soft_box(
            "above", "[1, 0.5, 1]", "0.2", "[0, 0.749, 0]", ", fix: [{box: {min: [-9, 0.99, -9], max: [9, 9, 9]}}]"));
    const std::vector<double>& law = run.result.built.world.contact.automatic;
    const double kappa = std::max(law[0], law[1]); // [N/m^3]
    const double pressure = 1e-3 / (1 / 1e6 + 1 / kappa);
    double force = 0, least = infinity, most = 0, squares = 0;
    for (const Contact& c : run.stepper->system().contacts().blocks().contacts()) {
        force -= c.j.y();
        least = std::min(least, c.at.depth);
        most = std::max(most, c.at.depth);
        squares += c.k / kappa * std::pow(c.at.depth * kappa / pressure - 1, 2);
    }
    EXPECT_EQ(run.failed, 0);
    EXPECT_NEAR(force, pressure, 1e-3 * pressure); // on a square metre
    // single points differ by a tenth whatever the mesh; elements feel a mean of many
    EXPECT_GT(least, 0.9 * pressure / kappa);
    EXPECT_LT(most, 1.1 * pressure / kappa);
    EXPECT_LT(std::sqrt(squares), 0.06);
    EXPECT_NEAR(run.height(0, 0.25), 0.5 - pressure * 0.5 / 1e6, 1e-3 * pressure / 1e6);
}

// The lower cube bears both weights and its own stiffness, the place between them the upper's, the upper one its own.
TEST(SoftContact, TwoStackedCubesSinkAsSpringsInSeries)
{
    const SoftRun run("time: {step: 0.1, end: 4}\ncontact: {friction: 0}\n"
                      "materials: {gum: {density: 1000, model: linear, young: 1.0e6, poisson: 0, damping: 0.05}}\n"
                      "bodies:\n"
        + soft_box("below", "[0.5, 0.5, 0.5]", "0.125", "[0, 0.25, 0]",
            ", fix: [{box: {min: [-9, -9, -9], max: [9, 0.001, 9]}}]")
        + soft_box("above", "[0.5, 0.5, 0.5]", "0.1", "[0, 0.75, 0]"));
    const std::vector<double>& law = run.result.built.world.contact.automatic;
    const double weight = 1000 * 0.5 * g, own = weight * 0.5 / (2 * 1e6); // [Pa], [m] that a cube sinks by itself
    const double bent = weight * 0.5 / 1e6, gap = weight / std::max(law[0], law[1]); // [m]
    EXPECT_EQ(run.failed, 0);
    EXPECT_NEAR(run.height(0, 0.25) - 0.5, -(own + bent), 0.01 * (own + bent));
    // the mean of nodes is not that of the area: where pressures differ by 3 % (tests/long), it is off by as much
    EXPECT_NEAR(run.height(1, -0.25) - run.height(0, 0.25), -gap, 0.05 * gap);
    EXPECT_NEAR(run.height(1, 0.25) - 1, -(2 * own + bent + gap), 0.01 * (2 * own + bent + gap));
}

std::string slide(double mu)
{
    return "gravity: [0.9797, -9.761, 0]\ntime: {step: 0.01, end: 0.5}\ncontact: {friction: " + std::to_string(mu)
        + "}\nmaterials: {gum: {density: 1000, model: neo_hookean, young: 2.0e5, poisson: 0.3, damping: 0.01}}\n"
          "bodies:\n"
        + floor_body
        + soft_box("below", "[1.6, 0.1, 0.4]", "0.1", "[0.4, 0.05, 0]",
            ", fix: [{box: {min: [-9, -9, -9], max: [9, 0.001, 9]}}]")
        + soft_box("above", "[0.2, 0.2, 0.2]", "0.05", "[0, 0.2001, 0]");
}

TEST(SoftContact, BlockSlidesOnASoftBlockByCoulombsLaw)
{
    std::vector<std::vector<Vec3>> v;
    const SoftRun run(slide(0.05), [&](const State& state, const BackwardEuler&) { v.push_back(state.v); });
    const double a = (run.mean(v.back(), 1) - run.mean(v[19], 1)).x() / (0.01 * static_cast<double>(v.size() - 20));
    EXPECT_EQ(run.failed, 0);
    EXPECT_NEAR(a, 0.9797 - 0.05 * 9.761, 1e-3 * 0.05 * 9.761);
}

TEST(SoftContact, BlockSticksOnASoftBlockWithoutCreep)
{
    const SoftRun run(slide(0.12) + "  - {name: far, kind: obstacle, shape: {box: [1, 1, 1]}, position: [90, 0, 0]}\n");
    EXPECT_LT(run.mean(run.state.v, 1).norm(), 1e-4) << "it still settles";
    const Vec3 x = run.mean(run.state.x, 1);
    State later = run.state;
    for (int i = 0; i < 150; ++i)
        ASSERT_TRUE(run.stepper->step(later).done);
    double fastest = 0;
    for (const Vec3& v : later.v)
        fastest = std::max(fastest, v.norm());
    EXPECT_LT(fastest, 1e-7);
    EXPECT_LT((run.mean(later.x, 1) - x).norm(), 1e-5);
}

TEST(SoftContact, LinkedRingsHoldEachOther)
{
    const std::string ring =
        ", kind: deformable, material: gum, shape: {torus: {major: 0.2, minor: 0.06}}, resolution: 0.05, position: ";
    // it lifts off for a while from 0.5 s on
    const SoftRun run("time: {step: 0.01, end: 0.4}\ncontact: {friction: 0.3}\n"
                      "materials: {gum: {density: 1000, model: neo_hookean, young: 1.0e5, poisson: 0.3, damping: "
                      "0.01}}\nbodies:\n"
                      "  - {name: held"
        + ring
        + "[0, 1, 0], rotation: {axis: [0, 0, 1], degrees: 90}, fix: [{box: {min: [-9, 1.15, -9], max: [9, 9, 9]}}]}\n"
          "  - {name: hangs"
        + ring + "[0, 0.75, 0], rotation: {axis: [1, 0, 0], degrees: 90}, velocity: [0, -2, 0]}\n");
    EXPECT_EQ(run.failed, 0);
    EXPECT_GT(run.mean(run.state.x, 1).y(), 0.55) << "it fell through";
    EXPECT_GT(run.stepper->system().contacts().count(), 0u);
}

// The ring's balls leave one facet for the next, in the middle all around at once. From five places, since where
// forces jump solves fail by the last digits: eleven of them did while friction hung on the turn of the one facet.
TEST(SoftContact, ABallIsSqueezedThroughARingNarrowerThanIt)
{
    int failed = 0;
    for (const char* aside : {"0", "1.0e-6", "1.0e-5", "1.0e-4", "1.0e-3"}) { // [m]
        SCOPED_TRACE(aside);
        double narrowest = infinity; // [m] room left between the ball and the ring
        const SoftRun run(
            "time: {step: 0.01, end: 0.5}\ncontact: {friction: 0.2}\n"
            "materials: {gum: {density: 1000, model: neo_hookean, young: 3.0e4, poisson: 0.4, damping: "
            "0.02}}\nbodies:\n"
            "  - {name: ring, kind: obstacle, shape: {torus: {major: 0.12, minor: 0.03}}}\n"
            "  - {name: ball, kind: deformable, material: gum, shape: {sphere: 0.1}, resolution: 0.025, position: ["
                + std::string(aside) + ", 0.16, 0], velocity: [0, -2, 0]}\n",
            [&](const State& state, const BackwardEuler&) {
                double widest = 0;
                for (const Vec3& x : state.x)
                    if (std::abs(x.y()) < 0.01)
                        widest = std::max(widest, std::hypot(x.x(), x.z()));
                if (widest > 0.07)
                    narrowest = std::min(narrowest, 0.09 - widest);
            });
        failed += run.failed;
        EXPECT_LT(run.mean(run.state.x, 0).y(), -0.1) << "it is stuck";
        EXPECT_GT(narrowest, -0.005) << "the ring went into it";
    }
    EXPECT_EQ(failed, 0);
}

/// Two cubes in one body, the second over the first.
TEST(SoftContact, OfABodyWithItselfIsThatOfTwo)
{
    TetMesh two = cube_mesh(0.2, 3);
    const int count = static_cast<int>(two.nodes.size());
    const TetMesh upper = cube_mesh(0.2, 4);
    for (const Vec3& x : upper.nodes)
        two.nodes.push_back(x + Vec3(0, 0.2005, 0));
    for (Tetrahedron t : upper.tets) {
        for (int& v : t)
            v += count;
        two.tets.push_back(t);
    }
    World world;
    world.gravity = Vec3(0, -g, 0);
    add_deformable(world.deformables, "both", two, make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0.01));
    finish(world.deformables);
    world.obstacles = {{.name = "floor", .solid = Plane{Vec3::UnitY()}}};
    world.contact.automatic = {1e7, 0};
    world.contact.friction = 0.5;
    for (const bool meets : {true, false}) {
        world.contact.self = meets;
        std::vector<Vec3> x = world.deformables.rest;
        for (Vec3& p : x)
            p.y() += 0.1;
        State state = initial_state(world, x, std::vector<Vec3>(x.size(), Vec3::Zero()));
        TimeStepper stepper(world, {.step = 0.01, .newton = {.tolerance = 1e-7}});
        for (int i = 0; i < 100; ++i) {
            const StepReport report = stepper.step(state);
            ASSERT_TRUE(report.done);
            EXPECT_TRUE(report.failures.empty());
        }
        double lowest = infinity;
        for (std::size_t i = count; i < state.x.size(); ++i)
            lowest = std::min(lowest, state.x[i].y());
        double force = 0;
        for (const Contact& c : stepper.system().contacts().blocks().contacts())
            if (c.surface_body == 0)
                force -= c.j.y() * (c.j.y() < 0 ? 1 : -1);
        if (meets) {
            EXPECT_GT(lowest, 0.18);
            EXPECT_NEAR(force, 1000 * 0.008 * g, 0.5) << "both halves carry the weight of the upper cube";
        } else
            EXPECT_LT(lowest, 0.01) << "it fell through";
    }
}

TEST(SoftContact, HoldsWhatIsFastAndThin)
{
    for (const double speed : {1.0, 20.0, 60.0}) {
        const SoftRun run("gravity: [0, 0, 0]\ntime: {step: 0.01, end: 0.15}\ncontact: {friction: 0.3}\n"
                          "materials: {gum: {density: 1000, model: neo_hookean, young: 2.0e6, poisson: 0.3, damping: "
                          "0.001}}\nbodies:\n"
            + soft_box("sheet", "[0.6, 0.02, 0.6]", "0.06", "[0, 0, 0]",
                ", fix: [{box: {min: [-9, -9, -9], max: [-0.29, 9, 9]}}, {box: {min: [0.29, -9, -9], max: [9, 9, 9]}}]")
            + soft_box("shot", "[0.06, 0.06, 0.06]", "0.03", "[0.01, 0.1, 0.02]",
                ", velocity: [0, " + std::to_string(-speed) + ", 0]"));
        const Vec3 shot = run.mean(run.state.x, 1);
        double under = infinity; // of the sheet, near its middle
        for (int i = 0; i < run.set().bodies[0].nodes.end; ++i)
            if (run.set().rest[i].norm() < 0.1)
                under = std::min(under, run.state.x[i].y());
        EXPECT_GT(shot.y(), under) << "at " << speed << " m/s";
    }
}

TEST(SoftContact, HoldsASmallBoxBetweenNodesAndAConesTip)
{
    const std::string start = "time: {step: 0.005, end: 0.4}\ncontact: {friction: 0.5}\nmaterials: {oak: {density: "
                              "700}, gum: {density: 1000, young: 1.0e5, poisson: 0.3, damping: 0.01}}\nbodies:\n";
    const SoftRun box(start + floor_body + soft_box("slab", "[0.6, 0.2, 0.6]", "0.1", "[0, 0.1, 0]")
        + "  - {name: box, kind: rigid, material: oak, shape: {box: [0.06, 0.06, 0.06]}, position: [0.05, 0.24, "
          "0.045]}\n");
    EXPECT_EQ(box.failed, 0);
    EXPECT_NEAR(box.state.rigid[0].x.y(), 0.228, 2e-3);
    const SoftRun tip(start
        + "  - {name: spike, kind: obstacle, shape: {cone: {radius: 0.04, height: 0.08}}, position: [0.01, 0.04, "
          "0.01]}\n"
        + soft_box("slab", "[0.3, 0.1, 0.3]", "0.1", "[0, 0.14, 0]"));
    EXPECT_EQ(tip.failed, 0);
    EXPECT_GT(tip.mean(tip.state.x, 0).y(), 0.06) << "the tip went into it";
    // Four times as heavy, and held beside its middle: it bends about the tip and tilts, and is not pierced.
    double lowest = infinity;
    const SoftRun heavy("time: {step: 0.005, end: 0.25}" + start.substr(start.find('\n'))
            + "  - {name: spike, kind: obstacle, shape: {cone: {radius: 0.04, height: 0.08}}, position: [0.05, 0.04, "
              "0.045]}\n"
            + soft_box("slab", "[0.6, 0.1, 0.6]", "0.1", "[0, 0.14, 0]"),
        [&](const State& state, const BackwardEuler&) {
            double under = infinity; // the tip: the corners of the facet that it touches
            for (const Vec3& x : state.x)
                if (std::hypot(x.x() - 0.05, x.z() - 0.045) < 0.09)
                    under = std::min(under, x.y());
            lowest = std::min(lowest, under);
        });
    EXPECT_EQ(heavy.failed, 0);
    EXPECT_GT(lowest, 0.08 - 0.03) << "the tip went into it";
}

} // namespace
} // namespace stickslip::soft_contact_test
