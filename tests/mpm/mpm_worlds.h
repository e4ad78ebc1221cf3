#pragma once

#include "stickslip/world/time_step.h"

#include <cmath>
#include <vector>

namespace stickslip {

/// A world of one body of material points in the box [low, high], `count` particles along each axis, that was not yet
/// told what it touches.
struct MpmWorld {
    World world;
    MpmState points;
    std::vector<RigidState> rigid;

    MpmWorld(const MpmMaterial& material, double grid, const Vec3& low, const Vec3& high, std::array<int, 3> count,
        const Mat3& turn = Mat3::Identity())
    {
        world.mpm.grid = grid;
        add(material, low, high, count, turn);
    }

    MpmWorld(const MpmMaterial& material, double grid, const std::vector<Vec3>& places, double volume)
    {
        world.mpm.grid = grid;
        add(material, places, volume);
    }

    void add(const MpmMaterial& material, const std::vector<Vec3>& places, double volume)
    {
        add_mpm_body(world.mpm, "points", material, places.size(), volume);
        add_particles(points, places, Vec3::Zero(), Vec3::Zero(), Vec3::Zero());
    }

    void add(const MpmMaterial& material, const Vec3& low, const Vec3& high, std::array<int, 3> count,
        const Mat3& turn = Mat3::Identity())
    {
        const Vec3 size = high - low;
        std::vector<Vec3> x;
        for (int k = 0; k < count[2]; ++k)
            for (int j = 0; j < count[1]; ++j)
                for (int i = 0; i < count[0]; ++i)
                    x.push_back(turn
                        * (low
                            + size.cwiseProduct(
                                Vec3((i + 0.5) / count[0], (j + 0.5) / count[1], (k + 0.5) / count[2]))));
        add(material, x, size.prod() / static_cast<double>(x.size()));
    }

    void add_box(const Vec3& size, const Vec3& x, double density)
    {
        RigidBody box;
        box.name = "box";
        box.solid = Box{size};
        box.mass = density * size.prod();
        const Vec3 squares = size.cwiseAbs2();
        box.inertia = box.mass / 12
            * Vec3(squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]).asDiagonal();
        world.rigids.push_back(box);
        RigidState state;
        state.x = x;
        state.a = world.gravity;
        rigid.push_back(state);
    }

    void add_plane(const Vec3& normal, const Vec3& at = Vec3::Zero())
    {
        Obstacle floor;
        floor.solid = Plane{normal.normalized()};
        floor.start.x = at;
        world.obstacles.push_back(floor);
    }

    /// A box that never moves, its upper face through `at`.
    void add_ground(const Vec3& size, const Vec3& normal, const Vec3& at = Vec3::Zero())
    {
        Obstacle ground;
        ground.solid = Box{size};
        ground.start.R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), normal).toRotationMatrix();
        ground.start.x = at - 0.5 * size.y() * normal.normalized();
        world.obstacles.push_back(ground);
    }

    /// Material points slide freely on the obstacle.
    void make_smooth(int obstacle)
    {
        const ContactBodies bodies = contact_bodies(world);
        for (int b = bodies.first_mpm(); b < bodies.total(); ++b)
            world.contact.rules[{bodies.first_obstacle() + obstacle, b}].friction = 0;
    }

    /// What is said of contact last.
    State state(double friction)
    {
        const ContactBodies bodies = contact_bodies(world);
        world.contact.friction = friction;
        world.contact.automatic.assign(bodies.total(), 0);
        for (std::size_t b = 0; b < world.mpm.bodies.size(); ++b)
            world.contact.automatic[bodies.first_mpm() + b] =
                automatic_mpm_stiffness(world, static_cast<int>(b), points.x);
        return initial_state(world, {}, {}, rigid, points);
    }
};

inline MpmMaterial elastic_points(double young, double poisson, double density)
{
    MpmMaterial m;
    m.model = MpmModel::neo_hookean;
    m.elastic = make_material(ElasticModel::neo_hookean, density, young, poisson, 0);
    return m;
}

inline MpmMaterial sand_points(double young, double degrees, double density = 1500)
{
    MpmMaterial m = elastic_points(young, 0.3, density);
    m.model = MpmModel::drucker_prager;
    set_cone(m, degrees * 3.14159265358979 / 180, 0);
    return m;
}

inline StepOptions step_options(const World& world, double dt, double tolerance = 0)
{
    StepOptions options;
    options.step = dt;
    options.newton.tolerance = tolerance > 0 ? tolerance : automatic_tolerance(world, dt);
    return options;
}

} // namespace stickslip
