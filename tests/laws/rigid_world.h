#pragma once

#include "stickslip/bodies/round_shapes.h"
#include "stickslip/bodies/surface_samples.h"
#include "stickslip/geometry/mesh/mass_properties.h"
#include "stickslip/geometry/queries/triangulated_surface.h"
#include "stickslip/geometry/solids/grid_level_set.h"
#include "stickslip/world/time_step.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip {

/// Rigid bodies on obstacles, put together without a scene file.
struct RigidWorld {
    World world;
    std::vector<RigidState> rigid;
    double dt;

    explicit RigidWorld(double step, const Vec3& gravity = Vec3(0, -9.81, 0))
        : dt(step)
    {
        world.gravity = gravity;
    }

    int plane(const Vec3& normal)
    {
        world.obstacles.push_back({.name = "plane",
            .solid = Plane{normal.normalized()},
            .start = {},
            .motion = {},
            .samples = {},
            .surface_velocity = Vec3::Zero()});
        return static_cast<int>(world.obstacles.size()) - 1;
    }

    /// Triangles that spheres meet.
    int triangles(const TriMesh& mesh, EdgeRule rule = EdgeRule::smooth)
    {
        plane(Vec3::UnitY());
        world.obstacles.back().solid = OpenSurface{bounds(mesh.vertices)};
        world.obstacles.back().triangles = std::make_shared<const TriangulatedSurface>(mesh, rule);
        return static_cast<int>(world.obstacles.size()) - 1;
    }

    /// Box of full edge lengths `size`, its eight corners as samples.
    int box(const Vec3& size, double density, const Vec3& x, const Mat3& R = Mat3::Identity(),
        const Vec3& v = Vec3::Zero(), const Vec3& w = Vec3::Zero())
    {
        RigidBody body;
        body.name = "box " + std::to_string(world.rigids.size());
        body.solid = Box{size};
        body.mass = density * size.prod();
        const Vec3 square = size.cwiseProduct(size);
        body.inertia = (body.mass / 12 * (Vec3::Constant(square.sum()) - square)).asDiagonal();
        for (int c = 0; c < 8; ++c) {
            const Vec3 corner(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1);
            body.samples.push_back({0.5 * size.cwiseProduct(corner), 1, corner.normalized()});
        }
        return add(body, x, R, v, w);
    }

    /// A closed mesh that is met by its triangles and offers points this far apart [m]; x is the place of its origin.
    int mesh(const TriMesh& surface, double density, double spacing, const Vec3& x, const Mat3& R = Mat3::Identity(),
        const Vec3& v = Vec3::Zero())
    {
        const MassProperties unit = mass_properties(surface);
        RigidBody body;
        body.name = "mesh " + std::to_string(world.rigids.size());
        body.solid = build_grid_level_set(surface, {.spacing = bounds(surface.vertices).max.maxCoeff() / 16});
        body.centre = unit.centre;
        body.mass = density * unit.volume;
        body.inertia = density * unit.inertia;
        body.samples = surface_samples(surface, spacing, unit.centre);
        body.triangles = std::make_shared<const TriangulatedSurface>(surface, EdgeRule::smooth);
        body.by_triangles = true;
        return add(body, x + R * unit.centre, R, v, Vec3::Zero());
    }

    /// The same, met by its sampled distance and its sharp edges.
    int sampled_mesh(const TriMesh& surface, double density, double spacing, const Vec3& x,
        const Mat3& R = Mat3::Identity(), const Vec3& v = Vec3::Zero())
    {
        const int index = mesh(surface, density, spacing, x, R, v);
        RigidBody& body = world.rigids.back();
        body.sharp = std::exchange(body.triangles, nullptr);
        body.by_triangles = false;
        return index;
    }

    int ball(double radius, double density, const Vec3& x, const Vec3& v = Vec3::Zero(), const Vec3& w = Vec3::Zero())
    {
        RigidBody body;
        body.name = "ball " + std::to_string(world.rigids.size());
        body.solid = Sphere{radius};
        body.mass = density * 4 / 3 * M_PI * radius * radius * radius;
        body.inertia = 0.4 * body.mass * radius * radius * Mat3::Identity();
        body.rounds.push_back({Vec3::Zero(), radius});
        return add(body, x, Mat3::Identity(), v, w);
    }

    /// What has rims: a cylinder, a cone, a torus. x is the place of its centre of mass. Its axis is y before R turns
    /// it.
    template <typename Shape>
    int rimmed(const Shape& shape, double density, const Vec3& x, const Mat3& R = Mat3::Identity(),
        const Vec3& v = Vec3::Zero(), const Vec3& w = Vec3::Zero())
    {
        const MassProperties unit = mass_properties(Primitive(shape));
        RigidBody body;
        body.name = "rimmed " + std::to_string(world.rigids.size());
        body.solid = shape;
        body.centre = unit.centre;
        body.mass = density * unit.volume;
        body.inertia = density * unit.inertia;
        body.rims = rims_of(Primitive(shape));
        for (Rim& rim : body.rims)
            rim.centre -= unit.centre;
        if (const auto rims = rim_polygons(Primitive(shape)))
            body.sharp = std::make_shared<const TriangulatedSurface>(*rims, EdgeRule::smooth);
        for (const SurfaceSample& corner : corners_of(Primitive(shape)))
            body.samples.push_back({corner.z - unit.centre, corner.weight, corner.n});
        return add(body, x, R, v, w);
    }

    int rounded(const RoundedBox& box, double density, const Vec3& x, const Mat3& R = Mat3::Identity())
    {
        const MassProperties unit = mass_properties(Primitive(box));
        RigidBody body;
        body.name = "rounded " + std::to_string(world.rigids.size());
        body.solid = box;
        body.mass = density * unit.volume;
        body.inertia = density * unit.inertia;
        const RoundedBoxPoints points = points_of(box, box.size.maxCoeff() / 3);
        body.rounds = points.balls;
        body.samples = points.samples;
        return add(body, x, R, Vec3::Zero(), Vec3::Zero());
    }

    /// The body added last stays where it is.
    void hold() { world.rigids.back().fixed.fill(true); }

    /// The body added last becomes an obstacle in its place, its points those of the body.
    void as_obstacle(const ScriptedMotion& motion = {})
    {
        const RigidBody body = world.rigids.back();
        const Frame start = solid_frame(body, rigid.back().x, rigid.back().R.toRotationMatrix());
        world.rigids.pop_back();
        rigid.pop_back();
        Obstacle o{.name = body.name, .solid = body.solid, .start = start, .motion = motion};
        o.samples = body.samples;
        o.rounds = body.rounds;
        o.rims = body.rims;
        o.triangles = body.triangles;
        o.by_triangles = body.by_triangles;
        o.sharp = body.sharp;
        for (SurfaceSample& s : o.samples)
            s.z += body.centre;
        for (RoundPoint& ball : o.rounds)
            ball.centre += body.centre;
        for (Rim& rim : o.rims)
            rim.centre += body.centre;
        world.obstacles.push_back(o);
    }

    /// A capsule, its axis along y before R turns it.
    int capsule(const Capsule& shape, double density, const Vec3& x, const Mat3& R = Mat3::Identity())
    {
        const MassProperties unit = mass_properties(Primitive(shape));
        RigidBody body;
        body.name = "capsule " + std::to_string(world.rigids.size());
        body.solid = shape;
        body.mass = density * unit.volume;
        body.inertia = density * unit.inertia;
        body.rounds = balls_of(shape);
        return add(body, x, R, Vec3::Zero(), Vec3::Zero());
    }

    int add(const RigidBody& body, const Vec3& x, const Mat3& R, const Vec3& v, const Vec3& w)
    {
        world.rigids.push_back(body);
        RigidState state;
        state.x = x;
        state.a = world.gravity;
        state.R = Quat(R).normalized();
        state.v = v;
        state.w = w;
        rigid.push_back(state);
        return static_cast<int>(rigid.size()) - 1;
    }

    /// To be called once all bodies are there.
    State start(double friction)
    {
        world.contact.friction = friction;
        world.contact.automatic.assign(world.rigids.size() + world.obstacles.size(), 0);
        for (std::size_t b = 0; b < world.rigids.size(); ++b)
            world.contact.automatic[b] = automatic_rigid_stiffness(world, static_cast<int>(b), dt);
        return initial_state(world, {}, {}, rigid);
    }

    StepOptions options() const
    {
        StepOptions o;
        o.step = dt;
        o.newton.tolerance = automatic_tolerance(world, dt);
        return o;
    }
};

/// Steps to time t [s], watch(report) after each; ends where the solver gives up.
template <typename Watch>
void run_to(TimeStepper& stepper, State& state, double t, const Watch& watch)
{
    while (state.time < t - 1e-9) {
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done) << "the solver gave up at t = " << state.time;
        watch(report);
    }
}
inline void run_to(TimeStepper& stepper, State& state, double t)
{
    run_to(stepper, state, t, [](const StepReport&) {});
}

} // namespace stickslip
