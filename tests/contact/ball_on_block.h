#pragma once

#include "ball_places.h"

#include "stickslip/contact/contact_set.h"

#include "support/boxes.h"
#include "support/contact_steps.h"

#include <vector>

namespace stickslip {

constexpr double dt = 0.01, stiffness = 300;

/// A ball that touches a deformable block. The unknowns q: nodes, then place and turn of the ball.
struct BallOnBlock {
    DeformableSet soft;
    std::vector<RigidBody> rigids;
    std::vector<Obstacle> obstacles;
    std::vector<Vec3> x_old;
    std::vector<RigidState> old;
    ContactLaw law;

    BallOnBlock(const TetMesh& mesh, const std::vector<Vec3>& x, double mu, double damping = 0,
        EdgeRule rule = EdgeRule::smooth)
        : x_old(x)
    {
        add_deformable(soft, "block", mesh, make_material(ElasticModel::linear, 1000, 1e5, 0.3, 0));
        show_triangles(soft, 0, rule);
        finish(soft);
        rigids.push_back({.name = "ball", .solid = Sphere{ball_radius}, .mass = 1, .inertia = Mat3::Identity()});
        rigids.back().rounds = {{Vec3(0.01, -0.02, 0.005), ball_radius}};
        old.push_back({.R = Quat(rotation_exp(Vec3(0.3, -1, 2)))});
        law.friction = mu;
        law.damping = damping;
        law.automatic = {0, stiffness};
    }
    ContactBodies bodies() const { return {&soft, &rigids, &obstacles, &law, RelaxationKind::planar}; }

    void begin_step(ContactSet& contacts, const std::vector<Attachment>& kept = {}) const
    {
        contacts.begin_step(0, dt, x_old, std::vector<Vec3>(x_old.size(), Vec3::Zero()), old, kept);
    }
    void evaluate(ContactSet& contacts, const std::vector<Vec3>& q) const
    {
        evaluate_at(contacts, x_old.size(), old, q);
    }
    std::vector<Vec3> at_rest() const
    {
        std::vector<Vec3> q = x_old;
        q.push_back(old[0].x);
        q.push_back(Vec3::Zero());
        return q;
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

inline const TetMesh block = tetrahedralize(Box{Vec3(0.8, 0.4, 0.8)}, 0.2);
inline const TetMesh sheet = tetrahedralize(Box{Vec3(0.8, 0.02, 0.8)}, 0.1);

} // namespace stickslip
