#pragma once

#include "ball_places.h"

#include "support/boxes.h"
#include "support/contact_laws.h"

namespace stickslip {

constexpr double dt = 0.01, stiffness = 300;

/// A ball that touches a deformable block. The unknowns q: nodes, then place and turn of the ball.
struct BallOnBlock : ContactScene {
    BallOnBlock(const TetMesh& mesh, const std::vector<Vec3>& x, double mu, double damping = 0,
        EdgeRule rule = EdgeRule::smooth)
        : ContactScene(mu, damping)
    {
        x_old = x;
        add_deformable(soft, "block", mesh, make_material(ElasticModel::linear, 1000, 1e5, 0.3, 0));
        show_triangles(soft, 0, rule);
        finish(soft);
        rigids.push_back({.name = "ball", .solid = Sphere{ball_radius}, .mass = 1, .inertia = Mat3::Identity()});
        rigids.back().rounds = {{Vec3(0.01, -0.02, 0.005), ball_radius}};
        old.push_back({.R = Quat(rotation_exp(Vec3(0.3, -1, 2)))});
        law.automatic = {0, stiffness};
    }
    /// The ball's centre to `place`, at the start of the step.
    void put_ball(const Vec3& place) { old[0].x = place - old[0].R * rigids[0].rounds[0].centre; }

    TriangulatedSurface surface() const
    {
        TriangulatedSurface surface = *soft.bodies[0].surface;
        std::vector<Vec3> vertices;
        for (const int node : soft.surface_nodes)
            vertices.push_back(x_old[node]);
        surface.update(vertices);
        return surface;
    }
};

/// Of nodes and the ball.
inline void expect_balance(const ContactSet& contacts, const std::vector<Vec3>& q)
{
    std::vector<Vec3> f = forces_of(contacts, q.size());
    const Vec3 couple = f.back();
    f.pop_back();
    double size = 0;
    for (const Vec3& one : f)
        size += one.norm();
    EXPECT_LE(sum_of(f).norm(), 1e-14 * size);
    EXPECT_LE((torque_of(q, f) + couple).norm(), 1e-14 * size);
}

inline const TetMesh block = tetrahedralize(Box{Vec3(0.8, 0.4, 0.8)}, 0.2);
inline const TetMesh sheet = tetrahedralize(Box{Vec3(0.8, 0.02, 0.8)}, 0.1);

} // namespace stickslip
