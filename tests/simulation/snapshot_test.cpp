#include "sample_scenes.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <random>
#include <tuple>
#include <vector>

namespace stickslip::snapshot_test {
namespace {

std::string hash_at(Simulation& simulation, double time)
{
    EXPECT_EQ(simulation.run(time), RunStatus::done);
    return simulation.state_hash();
}

/// Scenes of both kinds, and when to leave and when to compare them [s]: while things move.
struct Case {
    std::string text;
    double leave, end;
};
const Case cases[] = {{block_on_floor(soft_cube), 0.08, 0.3}, {spheres_with_gates, 0.05, 0.15}};

TEST(Snapshot, GoesBackBitByBit)
{
    for (const Case& c : cases) {
        const Scene scene = scene_from_text(c.text);
        Simulation undisturbed(scene), simulation(scene);
        const std::string hash = hash_at(undisturbed, c.end);
        hash_at(simulation, c.leave);
        const Snapshot snapshot = simulation.snapshot();
        EXPECT_EQ(snapshot.time(), simulation.time());
        EXPECT_EQ(snapshot.state_hash(), simulation.state_hash());
        EXPECT_EQ(hash_at(simulation, c.end), hash);
        simulation.restore(snapshot);
        EXPECT_EQ(simulation.time(), snapshot.time());
        EXPECT_EQ(simulation.state_hash(), snapshot.state_hash());
        EXPECT_EQ(hash_at(simulation, c.end), hash);
    }
}

TEST(Snapshot, TakesSteeringBackToo)
{
    const Scene block = scene_from_text(block_on_floor(soft_cube)), spheres = scene_from_text(spheres_with_gates);
    Simulation first(block), second(spheres);
    const auto disturb = [](Simulation& simulation, const char* body) {
        simulation.set_load(body, Vec3(80, 0, 0), Vec3(0, 0, 1));
        simulation.set_velocity(body, Vec3(0, 1, 0));
        simulation.set_motion("floor", Vec3(0.3, 0, 0));
    };
    for (auto [simulation, c, body] : {std::tuple(&first, &cases[0], "block"), {&second, &cases[1], "brick"}}) {
        hash_at(*simulation, c->leave);
        const Snapshot plain = simulation->snapshot();
        disturb(*simulation, body);
        const Snapshot steered = simulation->snapshot();
        const std::string steered_hash = hash_at(*simulation, c->end);
        simulation->restore(plain);
        const std::string plain_hash = hash_at(*simulation, c->end);
        EXPECT_NE(plain_hash, steered_hash);
        Simulation undisturbed(c == &cases[0] ? block : spheres);
        EXPECT_EQ(plain_hash, hash_at(undisturbed, c->end));
        simulation->restore(steered);
        EXPECT_EQ(hash_at(*simulation, c->end), steered_hash);
        undisturbed.restore(Snapshot::from_bytes(steered.bytes()));
        EXPECT_EQ(hash_at(undisturbed, c->end), steered_hash);
    }
}

/// A body of every kind, each of a material of its own.
const std::string all_kinds = block_on_floor(soft_cube) + R"(
  - {name: points, kind: mpm, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.05, material: gum, position: [-0.4, 0.051, 0]}
  - {name: sweeper, kind: rigid, shape: {box: [0.1, 0.1, 0.1]}, material: oak, position: [0, 0.05, 0.5], motion: {velocity: [0.1, 0, 0]}}
)";
const std::string all_kinds_explicit = R"(
stickslip: 1
time: {step: auto, end: 0.2, frame: 0.02}
solver: {integration: explicit}
contact: {friction: 0.4}
materials:
  a: {density: 2500, kn: 1000, restitution: 0.5}
  b: {density: 2500, kn: 1000, restitution: 0.5}
  c: {density: 2500, kn: 1000, restitution: 0.5}
  d: {density: 2500, kn: 1000, restitution: 0.5}
  e: {density: 2500, kn: 1000, restitution: 0.5}
bodies:
  - {name: floor, kind: obstacle, material: a, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: grains, kind: spheres, material: b, radius: 0.01, position: [0, 0.03, 0], fill: {box: [0.1, 0.05, 0.1], count: 20}}
  - {name: pairs, kind: spheres, material: c, clump: {positions: [[-0.008, 0, 0], [0.008, 0, 0]], radius: 0.01},
     position: [0.2, 0.03, 0], fill: {box: [0.1, 0.05, 0.1], count: 6}}
  - {name: brick, kind: rigid, shape: {box: [0.04, 0.04, 0.04]}, material: d, position: [0, 0.08, 0]}
  - {name: sweeper, kind: rigid, shape: {box: [0.04, 0.04, 0.04]}, material: e, position: [0.2, 0.02, 0.06], motion: {velocity: [0, 0, -0.3]}}
)";

TEST(Snapshot, TakesEverySteeringOfEveryKindOfBodyBack)
{
    using Steering = std::function<void(Simulation&, const std::string& body)>;
    const Steering steerings[] = {
        [](Simulation& s, const std::string& body) { s.set_load(body, Vec3(3, 0, 1), Vec3::Zero()); },
        [](Simulation& s, const std::string& body) { s.set_velocity(body, Vec3(0.5, 0, 0)); },
        [](Simulation& s, const std::string& body) { s.set_motion(body, Vec3(0.3, 0, 0), Vec3(0, 0.1, 0)); },
        [](Simulation& s, const std::string& body) {
            s.set_friction(body, body == "floor" ? "sweeper" : "floor", 0.1);
        },
        [](Simulation& s, const std::string&) { s.set_friction(0.2); },
    };
    int steered = 0, refused = 0;
    for (const auto& [text, leave, end] : {Case{all_kinds, 0.04, 0.1}, {all_kinds_explicit, 0.02, 0.04}}) {
        const Scene scene = scene_from_text(text);
        const SimulationOptions options{.steered = true};
        Simulation start(scene, options);
        hash_at(start, leave);
        for (const BodyInfo& body : start.bodies())
            for (const Steering& steering : steerings) {
                Simulation simulation = start;
                try {
                    steering(simulation, body.name);
                } catch (const InputError&) {
                    ++refused;
                    continue;
                }
                ++steered;
                SCOPED_TRACE(body.name + ", steering " + std::to_string(&steering - steerings));
                const Snapshot moment = simulation.snapshot();
                Simulation copy = simulation, other(scene, options);
                const std::string hash = hash_at(simulation, end);
                simulation.restore(moment);
                EXPECT_EQ(hash_at(simulation, end), hash);
                EXPECT_EQ(hash_at(copy, end), hash);
                other.restore(Snapshot::from_bytes(moment.bytes()));
                EXPECT_EQ(hash_at(other, end), hash);
            }
    }
    EXPECT_EQ(steered, 27);
    EXPECT_EQ(refused, 23);
}

TEST(Snapshot, CopiesGoTheirOwnWays)
{
    for (const Case& c : cases) {
        const Scene scene = scene_from_text(c.text);
        Simulation simulation(scene);
        hash_at(simulation, c.leave);
        simulation.set_motion("floor", Vec3(0.2, 0, 0.1));
        Simulation copy = simulation;
        copy.set_motion("floor", Vec3(-0.2, 0, 0));
        Simulation twin = simulation;
        const std::string hash = hash_at(simulation, c.end);
        EXPECT_NE(hash_at(copy, c.end), hash);
        EXPECT_EQ(hash_at(twin, c.end), hash);
        copy = simulation;
        EXPECT_EQ(copy.state_hash(), hash);
    }
}

TEST(Snapshot, LeadsBackFromAFailure)
{
    Simulation simulation(scene_from_text(spheres_with_gates));
    hash_at(simulation, 0.03);
    const Snapshot good = simulation.snapshot();
    const std::string hash = hash_at(simulation, 0.05);
    simulation.restore(good);
    simulation.set_velocity("grains", Vec3(0, -1e4, 0)); // farther than they are thick in one step
    EXPECT_EQ(simulation.run(0.05), RunStatus::failed);
    EXPECT_NE(simulation.messages().back().find("gave up"), std::string::npos) << simulation.messages().back();
    EXPECT_EQ(simulation.step(), RunStatus::failed);
    simulation.restore(good);
    EXPECT_EQ(hash_at(simulation, 0.05), hash);
}

TEST(Snapshot, RefusesThoseOfOtherScenesAndDamagedBytes)
{
    Simulation simulation(scene_from_text(block_on_floor())), other(scene_from_text(block_on_floor(soft_cube)));
    EXPECT_EQ(error_text<InputError>([&] { simulation.restore(other.snapshot()); }),
        "expected a snapshot of this scene, found one of another, or of other meshes in its files");
    const std::string bytes = simulation.snapshot().bytes();
    EXPECT_EQ(Snapshot::from_bytes(bytes).bytes(), bytes);
    EXPECT_EQ(error_text<InputError>([] { Snapshot::from_bytes("something else"); }),
        "snapshot: expected the bytes of one, found others");
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        std::string damaged = bytes;
        damaged[random() % damaged.size()] ^= static_cast<char>(1 + random() % 255);
        EXPECT_NE(error_text<InputError>([&] { Snapshot::from_bytes(damaged); }), "nothing thrown");
        EXPECT_NE(error_text<InputError>([&] { Snapshot::from_bytes(bytes.substr(0, random() % bytes.size())); }),
            "nothing thrown");
    }
}

TEST(Snapshot, RefusesThoseOfAnotherMeshInTheSameFile)
{
    const TemporaryFolder folder;
    const auto simulation_of = [&](double width, const std::string& solver) {
        std::ofstream(folder.path() / "wedge.obj")
            << "v 0 0 0\nv " << width << " 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
        return Simulation(scene_from_text("stickslip: 1\ntime: {step: 1.0e-4, end: 1}\n" + solver
                + "materials: {oak: {density: 700, young: 1.0e7, poisson: 0.3}}\nbodies:\n"
                  "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
                  "  - {name: wedge, kind: rigid, material: oak, shape: {mesh: {file: wedge.obj}}, position: [0, 1, "
                  "0]}\n",
            {.folder = folder.path().string()}));
    };
    for (const char* solver : {"", "solver: {integration: explicit}\n"}) {
        const Snapshot snapshot = simulation_of(1, solver).snapshot();
        simulation_of(1, solver).restore(snapshot);
        Simulation other = simulation_of(2, solver);
        EXPECT_NE(error_text<InputError>([&] { other.restore(snapshot); }).find("other meshes"), std::string::npos);
    }
}

// A snapshot has no contacts: they are those of a step.
TEST(Snapshot, HasNoContactForces)
{
    Simulation simulation(scene_from_text(block_on_floor()));
    EXPECT_EQ(simulation.contact_force("block"), Vec3::Zero());
    hash_at(simulation, 0.1);
    EXPECT_GT(simulation.contact_force("block").y(), 1);
    Simulation copy = simulation;
    simulation.restore(simulation.snapshot());
    for (Simulation* s : {&simulation, &copy}) {
        EXPECT_NE(
            error_text<InputError>([&] { s->contact_force("block"); }).find("expected a step"), std::string::npos);
        hash_at(*s, 0.2);
        EXPECT_GT(s->contact_force("block").y(), 1);
    }
}

} // namespace
} // namespace stickslip::snapshot_test
