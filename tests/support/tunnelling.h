#pragma once

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/geometry/solids/separating_axes.h"
#include "stickslip/math/rotation.h"
#include "stickslip/scene/text/wording.h"
#include "stickslip/simulation/scene_text.h"
#include "stickslip/simulation/simulation.h"
#include "stickslip/simulation/simulation_parts.h"
#include "stickslip/world/tunnelling_watch.h"

#include "support/numeric.h"
#include "support/temporary_folder.h"
#include "support/terrain.h"

#include <numbers>

/// Bodies thrown at what is thin, to see whether they get through it, and whether the run says so.
namespace stickslip {

/// What became of a body that was thrown at another.
struct Passage {
    bool through = false; // it was, or is, on the other side or across
    bool told = false; // both are named by a message, before or in the run
    RunStatus status = RunStatus::done;
    std::string scene, said;

    bool is_silent() const { return through && !told; }
};

/// Runs a scene of the bodies "shot" and "target"; `is_through`: of the states at both ends of a step.
template <typename IsThrough>
Passage throw_at(const std::string& scene, const std::string& folder, const IsThrough& is_through)
{
    Passage passage{.scene = scene};
    Simulation simulation(scene_from_text(scene, {.folder = folder}));
    const SimulationParts& parts = simulation.parts();
    State before = parts.implicit->state();
    while (simulation.time() < parts.scene.time.end - 1e-9) {
        passage.status = simulation.step();
        if (passage.status != RunStatus::done)
            break;
        const State& after = parts.implicit->state();
        passage.through = passage.through || is_through(parts.built.world, before, after);
        before = after;
    }
    const Say say = [&](const std::string& line) { simulation.parts().say(line); };
    simulation.parts().finish(say, say);
    for (const std::string& line : simulation.messages()) {
        passage.said += line + "\n";
        passage.told = passage.told
            || (line.find("\"shot\"") != std::string::npos && line.find("\"target\"") != std::string::npos);
    }
    passage.told = passage.told || passage.status == RunStatus::failed;
    return passage;
}

inline std::string numbers(const Vec3& x)
{
    return formatted("[%.17g, %.17g, %.17g]", x.x(), x.y(), x.z());
}

inline std::string quaternion(const Mat3& R)
{
    const Quat q(R);
    return formatted("{quaternion: [%.17g, %.17g, %.17g, %.17g]}", q.w(), q.x(), q.y(), q.z());
}

inline std::string thrown_scene(double step, int steps, double friction, const std::string& bodies)
{
    return formatted("stickslip: 1\ngravity: [0, 0, 0]\ntime: {step: %.17g, end: %.17g}\ncontact: {friction: %.17g}\n",
               step, steps * step, friction)
        + "materials:\n  oak: {density: 700}\n  gum: {density: 1000, young: 1.0e5, poisson: 0.3}\nbodies:\n" + bodies;
}

inline double log_uniform(Random& random, double low, double high)
{
    return std::exp(random.uniform(std::log(low), std::log(high)));
}

inline const char* one_of(Random& random, std::initializer_list<const char*> words)
{
    return *(words.begin() + static_cast<int>(random.uniform(0, static_cast<double>(words.size()))));
}

/// A ball of 1 cm at 1 to 1000 m/s, up to 60 degrees off the normal, against a wall of 1 mm.
inline Passage throw_ball(Random& random)
{
    const double speed = log_uniform(random, 1, 1000), tilt = random.uniform(0, std::numbers::pi / 3);
    const Vec3 way(std::cos(tilt), std::sin(tilt), 0);
    const double step = random.uniform(0, 1) < 0.5 ? 0.01 : 1.0 / 60, far = random.uniform(0.02, 0.02 + speed * step);
    const Vec3 hit(0, random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)), start = hit - far * way;
    // The wall stands, or is held by its mass alone.
    const std::string wall = one_of(random,
        {"kind: obstacle, shape: {box: [0.001, 40, 4]}", "kind: rigid, material: oak, shape: {box: [0.001, 40, 4]}"});
    const std::string scene = thrown_scene(step, 3 + static_cast<int>(far / (speed * step)), random.uniform(0, 1),
        "  - {name: target, " + wall
            + "}\n  - {name: shot, kind: rigid, material: oak, shape: {sphere: 0.005}, position: " + numbers(start)
            + ", velocity: " + numbers(speed * way) + "}\n");
    return throw_at(scene, ".", [](const World& world, const State&, const State& after) {
        const ContactBodies bodies = contact_bodies(world);
        Vec3 x[2] = {Vec3::Zero(), Vec3::Zero()}; // of the ball and the wall
        Mat3 R = Mat3::Identity();
        for (int b = 0; b < bodies.count(); ++b) {
            const Frame frame = frame_of_solid(bodies, b, after);
            const bool is_ball = std::holds_alternative<Sphere>(bodies.solid(b));
            x[is_ball ? 0 : 1] = frame.x;
            if (!is_ball)
                R = frame.R;
        }
        return (R.transpose() * (x[0] - x[1])).x() > 0;
    });
}

/// Cards thrown at each other: two thin boxes, at 0.3 to 300 m/s.
inline Passage throw_card(Random& random)
{
    const double speed = log_uniform(random, 0.3, 300), step = random.uniform(0, 1) < 0.5 ? 0.01 : 1.0 / 60;
    const double far = 0.07 + random.uniform(0, 1) * std::min(speed * step, 0.5);
    const std::string box = "kind: rigid, material: oak, shape: {box: [0.06, 0.1, 0.001]}, ";
    const auto card = [&](const char* name, double side) {
        return std::string("  - {name: ") + name + ", " + box + "rotation: " + quaternion(random.rotation())
            + ", position: " + numbers(Vec3(side * far, 0, 0) + random.vector(0.02))
            + ", velocity: " + numbers(Vec3(-0.5 * side * speed, 0, 0)) + "}\n";
    };
    const std::string shot = card("shot", -1), target = card("target", 1);
    const std::string scene =
        thrown_scene(step, 3 + static_cast<int>(4 * far / (speed * step)), random.uniform(0, 1), shot + target);
    // Half as deep in each other as they are thick, on the straight way of a step too.
    return throw_at(scene, ".", [](const World& world, const State& before, const State& after) {
        const ContactBodies bodies = contact_bodies(world);
        const ConvexFeatures features = *convex_features(world.rigids[0].solid);
        const auto frame = [&](int b, double share) {
            const Frame from = frame_of_solid(bodies, b, before), to = frame_of_solid(bodies, b, after);
            return Frame{from.x + share * (to.x - from.x),
                rotation_exp(share * rotation_vector(to.R * from.R.transpose())) * from.R};
        };
        for (double share = 0; share <= 1; share += 1.0 / 64)
            if (overlap(features, features, relative(frame(0, share), frame(1, share))) > 0.5 * features.thickness)
                return true;
        return false;
    });
}

/// A soft body with few nodes against a held sheet of triangles, at 0.3 to 100 m/s.
inline Passage throw_at_sheet(Random& random)
{
    const TemporaryFolder folder;
    const double height = random.uniform(0, 0.05), half = 0.4;
    TriMesh sheet = terrain(static_cast<int>(random.uniform(1, 12)), random,
        [&](double x, double z) { return height * std::sin(7 * x) * std::cos(5 * z); });
    for (Vec3& x : sheet.vertices)
        x = Vec3(half * x.x(), x.y(), half * x.z());
    write_file_atomically(folder.path() / "sheet.obj", obj_text(sheet));
    const double speed = log_uniform(random, 0.3, 100), step = random.uniform(0, 1) < 0.5 ? 0.01 : 1.0 / 60;
    const double side = random.uniform(0, 1) < 0.5 ? 1 : -1,
                 far = 0.16 + random.uniform(0, 1) * std::min(speed * step, 1.0);
    const char* shape = one_of(random, {"box: [0.1, 0.1, 0.1]", "sphere: 0.06", "box: [0.2, 0.02, 0.1]"});
    const std::string scene =
        thrown_scene(step, 3 + static_cast<int>((far + 0.2) / (speed * step)), random.uniform(0, 1),
            "  - {name: target, kind: obstacle, contact_geometry: mesh, shape: {mesh: {file: sheet.obj}}}\n"
                + formatted("  - {name: shot, kind: deformable, material: gum, resolution: %s, shape: {%s}, rotation: ",
                    one_of(random, {"0.03", "0.06", "0.1"}), shape)
                + quaternion(random.rotation())
                + ", position: " + numbers(Vec3(random.uniform(-0.1, 0.1), side * far, random.uniform(-0.1, 0.1)))
                + ", velocity: " + numbers(-side * speed * Vec3::UnitY()) + "}\n");
    return throw_at(scene, folder.path().string(), [&](const World&, const State&, const State& after) {
        return std::any_of(after.x.begin(), after.x.end(), [&](const Vec3& x) { // behind the sheet, seen through it
            return std::max(std::abs(x.x()), std::abs(x.z())) < 0.9 * half && side * x.y() < -height - 0.02;
        });
    });
}

/// A soft block against a soft slab, at 0.3 to 100 m/s.
inline Passage throw_at_slab(Random& random)
{
    const double speed = log_uniform(random, 0.3, 100), step = random.uniform(0, 1) < 0.5 ? 0.01 : 1.0 / 60;
    const double thick = one_of(random, {"a", "b"})[0] == 'a' ? 0.02 : 0.05;
    const double far = 0.12 + random.uniform(0, 1) * std::min(speed * step, 1.0);
    const std::string scene = thrown_scene(step, 3 + static_cast<int>((far + 0.2) / (speed * step)),
        random.uniform(0, 1),
        formatted(
            "  - {name: target, kind: deformable, material: gum, resolution: %s, shape: {box: [0.4, %g, 0.4]}, fix: "
            "[{box: {min: [-1, -1, -1], max: [-0.19, 1, 1]}}, {box: {min: [0.19, -1, -1], max: [1, 1, 1]}}]}\n",
            one_of(random, {"0.05", "0.1"}), thick)
            + formatted("  - {name: shot, kind: deformable, material: gum, resolution: %s, shape: {%s}, rotation: ",
                one_of(random, {"0.03", "0.06", "0.1"}),
                one_of(random, {"box: [0.1, 0.1, 0.1]", "sphere: 0.06", "box: [0.1, 0.02, 0.1]"}))
            + quaternion(random.rotation())
            + ", position: " + numbers(Vec3(random.uniform(-0.1, 0.1), far, random.uniform(-0.1, 0.1)))
            + ", velocity: " + numbers(-speed * Vec3::UnitY()) + "}\n");
    return throw_at(scene, ".", [](const World& world, const State&, const State& after) {
        const DeformableSet& set = world.deformables;
        // Its middle is below every node of the slab near it.
        Vec3 middle = Vec3::Zero();
        for (int i = set.bodies[1].nodes.begin; i < set.bodies[1].nodes.end; ++i)
            middle += after.x[i] / set.bodies[1].nodes.size();
        double low = infinity;
        for (int i = set.bodies[0].nodes.begin; i < set.bodies[0].nodes.end; ++i)
            if (std::hypot(after.x[i].x() - middle.x(), after.x[i].z() - middle.z()) < 0.12)
                low = std::min(low, after.x[i].y());
        return middle.y() < low && low < infinity;
    });
}

/// `count` throws of each kind; what is silent is a failure of the test. Returns how many got through.
struct Throws {
    int count = 0, through = 0, gave_up = 0, crashed = 0;
};
template <typename Throw>
Throws throw_many(const Throw& one, std::uint64_t seed, int count)
{
    Throws throws;
    for (int i = 0; i < count; ++i) {
        Random random(1000 * seed + static_cast<std::uint64_t>(i));
        const Passage passage = one(random);
        ++throws.count;
        throws.through += passage.through;
        throws.gave_up += passage.status != RunStatus::done;
        EXPECT_FALSE(passage.is_silent()) << "throw " << i << " got through:\n" << passage.scene << passage.said;
    }
    return throws;
}

} // namespace stickslip
