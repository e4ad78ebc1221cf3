#include "ball_places.h"

#include "support/contact_laws.h"
#include "support/terrain.h"

#include <gtest/gtest.h>

#include <map>

namespace stickslip::ball_on_triangles_test {
namespace {

std::shared_ptr<const TriangulatedSurface> surface_of(const TriMesh& mesh, EdgeRule rule = EdgeRule::smooth)
{
    return std::make_shared<const TriangulatedSurface>(mesh, rule);
}

/// A ball that touches triangles of an obstacle or a rigid body. The unknowns q: place and turn of the ball, then of
/// the surface's body.
struct Scene : ContactScene {
    Scene(const TriMesh& mesh, bool rigid_surface, double mu, double damping = 0, EdgeRule rule = EdgeRule::smooth)
        : ContactScene(mu, damping)
    {
        rigids.push_back({.name = "ball", .solid = Sphere{ball_radius}, .mass = 1, .inertia = Mat3::Identity()});
        rigids.back().rounds = {{Vec3(0.01, -0.02, 0.005), ball_radius}};
        old.push_back({});
        const OpenSurface solid{bounds(mesh.vertices)};
        if (rigid_surface) {
            rigids.push_back({.name = "surface", .solid = solid, .centre = Vec3(0.1, -0.2, 0.05), .mass = 1});
            rigids.back().inertia = Mat3::Identity();
            rigids.back().triangles = surface_of(mesh, rule);
            old.push_back({.x = Vec3(0.1, -0.2, 0.05)});
        } else {
            obstacles.push_back({.name = "surface", .solid = solid, .start = {}, .motion = {}, .samples = {}});
            obstacles.back().surface_velocity = Vec3(0.1, 0, 0.2);
            obstacles.back().triangles = surface_of(mesh, rule);
        }
        law.automatic.assign(2, 300);
    }
    /// The ball's centre to `place`, at the start of the step.
    void put_ball(const Vec3& place) { old[0].x = place - rigids[0].rounds[0].centre; }
};

TEST(BallOnTriangles, DerivativesMatchDifferencesOnEveryFeature)
{
    Random random(3);
    std::map<std::tuple<TriangleFeature, bool, bool, bool>, int> compared; // feature, rigid, sticks, kept
    int by_zones = 0;
    for (const bool rigid : {false, true})
        for (const double mu : {0.05, 0.5, infinity})
            for (const TriangleFeature kind : {TriangleFeature::face, TriangleFeature::edge, TriangleFeature::vertex})
                for (int trial = 0; trial < 40; ++trial) {
                    const TriMesh mesh =
                        terrain(6, random, [&](double, double) { return random.uniform(-0.15, 0.15); });
                    const EdgeRule rule = rule_of(trial);
                    Scene s(mesh, rigid, mu, trial % 4 == 0 ? 0.02 : 0, rule);
                    const TriangulatedSurface surface(mesh, EdgeRule::smooth);
                    const int facet = static_cast<int>(random.uniform(20, 52));
                    s.put_ball(over_feature(surface, facet, kind, random.uniform(-0.002, 0.003), random));
                    ContactSet contacts(s.bodies());
                    s.begin(contacts);
                    std::vector<Vec3> q = s.at_rest();
                    if (trial % 2 == 0) {
                        s.evaluate(contacts, moved(q, 1, random.vectors(q.size(), 0.002)));
                        s.begin(contacts, contacts.update_attachments());
                    }
                    q = moved(q, 1, random.vectors(q.size(), 0.003));
                    SCOPED_TRACE(testing::Message() << "rigid " << rigid << " mu " << mu << " kind "
                                                    << static_cast<int>(kind) << " trial " << trial);
                    expect_derivatives(s, contacts, q, random.vectors(q.size()), {.step = 1e-7, .error = 5e-6}, is_deep,
                        [&](const Contact& c) {
                            ++compared[{kind, rigid, c.at.sticks, trial % 2 == 0}];
                            by_zones += rule == EdgeRule::zones;
                        });
                }
    for (const TriangleFeature kind : {TriangleFeature::face, TriangleFeature::edge, TriangleFeature::vertex})
        for (const bool rigid : {false, true})
            for (const bool sticks : {false, true})
                for (const bool kept : {false, true}) {
                    EXPECT_GT((compared[{kind, rigid, sticks, kept}]), 5)
                        << static_cast<int>(kind) << rigid << sticks << kept;
                }
    EXPECT_GT(by_zones, 300);
}

/// A trough along z, of two facets that fold by `fold` [rad].
TriMesh trough(double fold)
{
    const double c = std::cos(0.5 * fold), s = std::sin(0.5 * fold);
    return {.vertices = {Vec3(0, 0, -1), Vec3(0, 0, 1), Vec3(c, s, 0), Vec3(-c, s, 0)},
        .triangles = {{0, 1, 2}, {0, 3, 1}}};
}

TEST(BallOnTriangles, DerivativesOfSharesMatchDifferencesInADent)
{
    Random random(12);
    int shared = 0, kept_too = 0;
    for (const bool rigid : {false, true})
        for (const double mu : {0.05, 0.5, infinity})
            for (int trial = 0; trial < 60; ++trial) {
                const double fold = random.uniform(0.02, 1.5);
                Scene s(trough(fold), rigid, mu, trial % 4 == 0 ? 0.02 : 0);
                s.put_ball(Vec3(0, (ball_radius - 0.003) / std::cos(0.5 * fold), 0.02));
                ContactSet contacts(s.bodies());
                s.begin(contacts);
                std::vector<Vec3> q = s.at_rest();
                if (trial % 2 == 0) {
                    s.evaluate(contacts, moved(q, 1, random.vectors(q.size(), 0.0005)));
                    s.begin(contacts, contacts.update_attachments());
                }
                q = moved(q, 1, random.vectors(q.size(), 0.0005));
                const LoadsBeside beside(s, contacts, q, random.vectors(q.size()), 1e-7);
                if (!beside.same_branches())
                    continue;
                SCOPED_TRACE(testing::Message() << "rigid " << rigid << " mu " << mu << " trial " << trial);
                for (const Contact& c : contacts.blocks().contacts()) {
                    beside.expect_derivatives(c, 1e-5 * c.k, 1e-5);
                    shared += c.at.share < 1;
                    kept_too += c.at.share < 1 && trial % 2 == 0;
                }
            }
    EXPECT_GT(shared, 200);
    EXPECT_GT(kept_too, 80);
}

TEST(BallOnTriangles, NoForceJumpsWhereABallGoesThroughADent)
{
    for (const double fold : {0.05, 0.1, 0.3, 1.0, 1.5}) {
        SCOPED_TRACE(fold);
        Scene s(trough(fold), false, 0.3);
        const double height = (ball_radius - 0.002) / std::cos(0.5 * fold);
        s.put_ball(Vec3(0, height, 0.02)); // held by both sides
        ContactSet contacts(s.bodies());
        std::vector<Vec3> q = s.at_rest();
        s.begin_attached(contacts, q);
        constexpr int places = 5000; // 2 um each
        const double start = q[0].x();
        double largest = 0;
        std::size_t most = 0;
        Vec3 last = Vec3::Zero();
        for (int i = 0; i <= places; ++i) {
            q[0].x() = start + 0.01 * i / places - 0.005;
            const std::vector<Vec3> f = s.forces(contacts, q);
            if (i > 0)
                largest = std::max(largest, (f[0] - last).norm());
            last = f[0];
            most = std::max(most, contacts.count());
        }
        EXPECT_EQ(most, 2u);
        EXPECT_LT(largest, 300 * 5 * 0.01 / places); // no stiffer than 5 k, with friction
    }
}

TEST(BallOnTriangles, TransposedProductMatchesThePlainOneAndContactsBalance)
{
    Random random(4);
    std::size_t checked = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const TriMesh mesh = terrain(6, random, [&](double, double) { return random.uniform(-0.15, 0.15); });
        Scene s(mesh, true, 0.3, trial % 2 == 0 ? 0 : 0.02, rule_of(trial));
        const TriangulatedSurface surface(mesh, EdgeRule::smooth);
        s.put_ball(over_feature(surface, 20 + trial % 30, static_cast<TriangleFeature>(trial % 3), 0.001, random));
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        const std::vector<Vec3> q = moved(s.at_rest(), 1, random.vectors(4, 0.003));
        s.evaluate(contacts, q);
        expect_products(contacts, 4, random);
        const std::vector<Vec3> f = forces_of(contacts, 4);
        const double size = f[0].norm() + f[1].norm();
        EXPECT_LE((f[0] + f[2]).norm(), 1e-14 * size);
        EXPECT_LE((q[0].cross(f[0]) + f[1] + q[2].cross(f[2]) + f[3]).norm(), 1e-13 * size);
        checked += contacts.count();
    }
    EXPECT_GT(checked, 30u);
}

TEST(BallOnTriangles, WhatHasGoneThroughIsPushedBack)
{
    Random random(5);
    const TriMesh flat = terrain(4, random, [](double, double) { return 0.0; });
    Scene s(flat, false, 0.3);
    ContactSet contacts(s.bodies());
    for (const double side : {1.0, -1.0})
        for (const double depth : {0.5 * ball_radius, ball_radius, 1.5 * ball_radius, 4 * ball_radius}) {
            SCOPED_TRACE(testing::Message() << "side " << side << " depth " << depth);
            s.put_ball(Vec3(0.11, side * 1.1 * ball_radius, 0.07));
            s.begin(contacts);
            std::vector<Vec3> q = s.at_rest();
            q[0].y() -= side * (0.1 * ball_radius + depth);
            s.evaluate(contacts, q);
            ASSERT_EQ(contacts.count(), 1u);
            contacts.for_each_contact([&](const Contact& c) {
                EXPECT_NEAR(c.at.depth, depth, 1e-12);
                EXPECT_NEAR(-side * c.j.y(), c.k * depth, 1e-9 * c.k);
            });
            // and what ends there knows which side it belongs to
            s.old[0].x = q[0];
            s.begin(contacts, contacts.update_attachments());
            s.evaluate(contacts, s.at_rest());
            ASSERT_EQ(contacts.count(), 1u);
            contacts.for_each_contact([&](const Contact& c) { EXPECT_NEAR(c.at.depth, depth, 1e-12); });
        }
}

TEST(BallOnTriangles, OneThatFliesPastTheRimOfAnOpenMeshIsFree)
{
    Random random(6);
    Scene s(terrain(4, random, [](double, double) { return 0.0; }), false, 0.3);
    ContactSet contacts(s.bodies());
    s.put_ball(Vec3(1 + 1.01 * ball_radius, 0.5 * ball_radius, 0.1));
    s.begin(contacts);
    std::vector<Vec3> q = s.at_rest();
    q[0].y() -= ball_radius;
    s.evaluate(contacts, q);
    EXPECT_EQ(contacts.count(), 0u);
}

TEST(BallOnTriangles, BallsMeetThemOnceAndSamplesDoNot)
{
    Random random(7);
    Scene s(terrain(4, random, [](double, double) { return 0.0; }), true, 0.3);
    const ContactBodies bodies = s.bodies();
    EXPECT_TRUE(bodies.is_pair(0, 1));
    EXPECT_FALSE(bodies.is_pair(1, 0));
    s.rigids[0].samples = {{Vec3::Zero(), 1}};
    EXPECT_TRUE(bodies.is_pair(0, 1)) << "as a rounded box, which has balls as well";
    s.rigids[0].rounds.clear();
    EXPECT_FALSE(bodies.is_pair(0, 1)) << "an open surface has no inside that points could enter";
}

} // namespace
} // namespace stickslip::ball_on_triangles_test
