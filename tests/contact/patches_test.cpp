#include "stickslip/contact/contact_set.h"
#include "stickslip/contact/relax/relax_plane.h"
#include "stickslip/geometry/mesh/surface_shapes.h"

#include "support/boxes.h"
#include "support/contact_laws.h"
#include "support/extruded.h"
#include "support/patch_points.h"

#include <cmath>
#include <numbers>
#include <set>

namespace stickslip::patches_test {
namespace {

enum class Pairing { balls, cubes, overhang, block_on_cube };

/// Two bodies of which at least the second is deformable, moved into each other a little, with random dents.
struct Scene : ShakenScene {
    Scene(Pairing pairing, unsigned seed, double mu, double damping = 0)
        : ShakenScene(seed, mu, damping)
    {
        const ElasticMaterial m = make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0);
        const bool round = pairing == Pairing::balls;
        const TetMesh mesh = round ? tetrahedralize(Sphere{0.1}, 0.05) : cube_mesh(0.2, 3);
        add_deformable(soft, "below", mesh, m);
        if (pairing != Pairing::block_on_cube)
            add_deformable(soft, "above", round ? tetrahedralize(Sphere{0.1}, 0.034) : cube_mesh(0.15, 3), m);
        finish(soft);
        const Mat3 tilt = rotation_exp(0.05 * random.unit());
        const double aside = pairing == Pairing::overhang ? random.uniform(0.08, 0.12) : 0;
        for (std::size_t i = 0; i < soft.rest.size(); ++i) {
            const bool above = soft.body_of_node[i] == 1;
            const double height = above ? (round ? 0.1965 : 0.1765) : 0;
            x_old.push_back((above ? tilt : Mat3::Identity()) * soft.rest[i] + Vec3(above ? aside : 0, height, 0)
                + random.vector(0.0015));
            v_old.push_back(Vec3(above ? 0.2 : 0, above ? -0.6 : 0, 0));
        }
        if (pairing == Pairing::block_on_cube) {
            RigidBody b{.name = "block", .solid = Box{Vec3::Constant(0.1)}, .mass = 1, .inertia = Mat3::Identity()};
            b.patch_points.samples = corner_samples(0.1);
            b.patch_points.area = 0.06;
            rigids.push_back(b);
            old.push_back({.x = Vec3(0, 0.152, 0), .R = Quat(tilt), .v = Vec3(0.2, -0.6, 0)});
        }
        law.quadrature = std::array{3, 6, 12}[seed % 3];
        law.automatic.assign(bodies().count(), 1e6);
        q = at_rest();
        for (std::size_t i = 0; i < soft.rest.size(); ++i)
            q[i] += dt * v_old[i] + random.vector(0.0005);
        for (std::size_t b = 0; b < old.size(); ++b) {
            q[nodes() + 2 * b] += dt * old[b].v;
            q[nodes() + 2 * b + 1] = random.vector(0.02);
        }
    }
};

bool is_on_patch(const Scene& s, const Contact& c)
{
    return s.bodies().is_deformable(c.surface_body);
}

TEST(Patches, DerivativesMatchDifferences)
{
    for (const Pairing pairing : {Pairing::balls, Pairing::cubes, Pairing::overhang, Pairing::block_on_cube}) {
        Branches compared;
        for (const double mu : {0.0, 0.1, 0.5, infinity})
            for (unsigned seed = 0; seed < 6; ++seed) {
                Scene s(pairing, seed, mu, seed % 2 == 0 ? 0 : 0.004);
                ContactSet contacts(s.bodies());
                s.begin_mixed(contacts, 0.001);
                SCOPED_TRACE(testing::Message() << "mu " << mu << " seed " << seed);
                expect_derivatives(
                    s, contacts, s.q, s.random.vectors(s.q.size()), {.step = 1e-8, .error = 1e-5},
                    [&](const Contact& c) { return is_on_patch(s, c); }, [&](const Contact& c) { compared.count(c); });
            }
        EXPECT_GT(compared.sticking, 10);
        EXPECT_GT(compared.sliding, 10);
        EXPECT_TRUE(pairing != Pairing::overhang || compared.fading > 10) << compared.fading;
    }
}

TEST(Patches, BalanceForceAndTorque)
{
    for (const Pairing pairing : {Pairing::balls, Pairing::cubes, Pairing::overhang, Pairing::block_on_cube})
        for (unsigned seed = 0; seed < 5; ++seed) {
            Scene s(pairing, seed, 0.3);
            ContactSet contacts(s.bodies());
            s.begin_mixed(contacts, 0.001);
            expect_balance(s.nodes(), s.q, s.forces(contacts, s.q));
        }
}

TEST(Patches, ForcesObeyTheConeAboutTheirNormal)
{
    for (unsigned seed = 0; seed < 5; ++seed) {
        constexpr double mu = 0.2;
        Scene s(Pairing::balls, seed, mu);
        ContactSet contacts(s.bodies());
        s.begin_mixed(contacts, 0.001);
        s.evaluate(contacts, s.q);
        EXPECT_GT(expect_cone(contacts.blocks().contacts(), mu), 0);
    }
}

TEST(Patches, TransposedProductMatchesThePlainOne)
{
    for (const Pairing pairing : {Pairing::balls, Pairing::cubes, Pairing::overhang, Pairing::block_on_cube})
        for (unsigned seed = 0; seed < 3; ++seed) {
            Scene s(pairing, seed, 0.3);
            ContactSet contacts(s.bodies());
            s.begin_mixed(contacts, 0.001);
            s.evaluate(contacts, s.q);
            EXPECT_GT(expect_products(contacts, s.q.size(), s.random), 0);
        }
}

TEST(Patches, ForceHasNoJumpAlongLines)
{
    for (const Pairing pairing : {Pairing::balls, Pairing::cubes, Pairing::overhang, Pairing::block_on_cube})
        for (unsigned seed = 0; seed < 5; ++seed)
            for (const double mu : {0.0, 0.3}) {
                Scene s(pairing, seed, mu);
                ContactSet contacts(s.bodies());
                s.begin_mixed(contacts, 0.001);
                std::vector<Vec3> d = s.random.vectors(s.q.size(), 0.001);
                const Vec3 drift = s.random.vector(0.03);
                for (std::size_t i = d.size() / 2; i < d.size(); ++i)
                    d[i] += drift; // so that points pass over facets and rims
                const auto force_at = [&](double t) { return s.forces(contacts, moved(s.q, t, d)); };
                EXPECT_LT(largest_jump(force_at), 1e-6) << "seed " << seed << " mu " << mu;
            }
}

TEST(Patches, OfAFlatMeshAnswerAsThePlane)
{
    TriMesh mesh;
    constexpr int n = 6;
    Random random(4);
    for (int i = 0; i <= n; ++i)
        for (int k = 0; k <= n; ++k)
            mesh.vertices.push_back(Vec3(i + random.uniform(-0.3, 0.3), 0, -k + random.uniform(-0.3, 0.3)));
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            const int a = i * (n + 1) + k, b = a + n + 1;
            mesh.triangles.push_back({a, b, b + 1});
            mesh.triangles.push_back({a, b + 1, a + 1});
        }
    const SmoothPatches patches(mesh);
    const PatchView surface{&patches, mesh.vertices, mesh.vertices};
    for (int i = 0; i < 300; ++i) {
        const Vec3 Z(random.uniform(1.5, 4.5), -random.uniform(0, 0.5), -random.uniform(1.5, 4.5));
        const int home = static_cast<int>(random.uniform(0, static_cast<double>(patches.facets.size())));
        const Vec3 w(0.2, 0.5, 0.3), X = surface.at(home, w), W(Z.x(), 0, Z.z());
        const double mu = i % 5 == 0 ? infinity : random.uniform(0, 1.5);
        const auto r = relax_on_patch(surface, //
            {.Z_old = Z,
                .Z = Z,
                .mu = mu,
                .start = home,
                .kept = OnFacet{home, w},
                .gap = 0,
                .spring = SpringStart::whole(0),
                .damping = 0});
        ASSERT_TRUE(r);
        const PlaneRelaxation plane = relax_plane(Z, X, W, Vec3::UnitY(), mu);
        EXPECT_LT((r->Y - plane.K).norm(), 1e-9);
        EXPECT_EQ(r->sticks, plane.sticks);
        EXPECT_LT((surface.at(r->at.facet, r->at.w) - plane.K).norm(), 1e-9) << "its place on the mesh";
        if (r->sticks) {
            EXPECT_EQ(r->at.facet, home);
            EXPECT_EQ(r->at.w, w);
        }
    }
}

/// What comes out again after it was deep without a force is held, but not pressed, while a sheet asks for it.
TEST(Patches, HoldAPointBehindASheetThatNothingPresses)
{
    const TriMesh floor{{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}}, {{0, 1, 2}}};
    const SmoothPatches patches(floor);
    const PatchView surface{&patches, floor.vertices, floor.vertices};
    PatchPoint point = point_at(Vec3(0.2, -0.01, 0.2), 0);
    point.Z_old = Vec3(0.2, -0.02, 0.2);
    point.mu = 0.5;
    point.kept = OnFacet{0, Vec3(0.5, 0.3, 0.2)};
    point.spring = spring_start(1, 0.02, 0, 1e6, 1);
    EXPECT_EQ(point.spring.felt, 0);
    EXPECT_FALSE(relax_on_patch(surface, point));
    point.stays_behind = true;
    const auto r = relax_on_patch(surface, point);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r->depth, 0.01, 1e-15);
    EXPECT_EQ(r->spring, Vec3::Zero().eval());
    EXPECT_TRUE(r->derivatives(surface, point).along({.point = 1}).dspring.isZero(0));
    Contact c{};
    c.k = 1e6;
    c.Z = point.Z;
    c.at.Y = point.Z + r->spring;
    c.at.damped.setZero();
    c.at.share = r->pressed.share();
    EXPECT_EQ(c.energy(), 0);
    point.Z.y() = -0.025; // deeper than it began
    const auto deeper = relax_on_patch(surface, point);
    ASSERT_TRUE(deeper);
    EXPECT_NEAR(deeper->pressed.elastic, 0.005, 1e-15);
}

/// Beyond a vertex of a rim a place has a foot on the facets to either side, and where they are not in one plane one
/// gives way to the other with a jump. The rim is narrow so that this is small: here the facets fold by 30 degrees.
TEST(Patches, JumpLittleBeyondAVertexOfARim)
{
    const double down = std::tan(15 * std::numbers::pi / 180);
    TriMesh bent;
    for (const double x : {-1.0, 0.0, 1.0})
        bent.vertices.push_back(Vec3(x, -down * std::abs(x), 0));
    for (const double x : {-0.5, 0.5})
        bent.vertices.push_back(Vec3(x, -down * std::abs(x), -0.9));
    bent.triangles = {{0, 1, 3}, {3, 1, 4}, {1, 2, 4}};
    SmoothPatches patches(bent);
    const PatchView surface{&patches, bent.vertices, bent.vertices};
    for (const double beyond : {0.1, 0.3, 0.5, 0.7, 0.9}) {
        const auto force_at = [&](double t) -> std::vector<Vec3> {
            PatchPoint point = point_at(Vec3(0.6 * t - 0.3, -0.2, beyond * surface.rim_width()), 0);
            point.slides_along = true;
            const auto r = relax_on_patch(surface, point);
            return {r ? r->spring : Vec3::Zero()};
        };
        EXPECT_LT(largest_jump(force_at), 0.02) << beyond; // of the largest force on the line
    }
}

/// The tip of a tooth that slides down its flank is not held by the face that it has passed.
TEST(Patches, EndWhereTheNextFaceOfASolidBegins)
{
    constexpr double depth = 0.02, length = 0.4;
    for (const double degrees : {26.0, 35.0, 45.0, 60.0, 75.0, 90.0}) {
        const double fold = degrees * std::numbers::pi / 180, c = std::cos(fold), s = std::sin(fold);
        const TriMesh ridge =
            extruded({{-length, -1}, {length * c, -1}, {length * c, -length * s}, {0, 0}, {-length, 0}}, 1);
        PatchSurface solid(SmoothPatches(ridge, 25 * std::numbers::pi / 180), 1);
        solid.begin_step(ridge.vertices, ridge.vertices);
        PatchView surface = solid.view_at_start();
        surface.solid = &solid;
        int top = 0;
        while (solid.patches().unit_normal(top).y() < 0.999)
            ++top;
        const auto at = [&](double beyond, double deep) { // beyond the edge
            return relax_on_patch(surface, point_at(Vec3(beyond, -deep, 0.07), top));
        };
        const double on_next = std::max(depth * c / s, degrees > 60 ? depth * (1 - c) / s : 0); // or in front of it
        ASSERT_LT(on_next * s, surface.rim_width());
        EXPECT_FALSE(at(on_next + 1e-9, depth)) << degrees;
        double last = 1;
        for (const double part : {-0.01, 0.3, 0.6, 0.9}) { // within the solid, of up to 60 degrees
            const auto inside = at(part * on_next, depth);
            ASSERT_TRUE(inside) << degrees;
            EXPECT_NEAR(inside->depth, depth, 1e-15);
            EXPECT_TRUE(part > 0 ? inside->share < last : inside->share == 1) << degrees;
            last = inside->share;
            const double h = 1e-8;
            const PatchPoint point = point_at(Vec3(part * on_next, -depth, 0.07), top);
            const Mat3 d = inside->derivatives(surface, point).along({.point = 1}).dspring;
            const Vec3 by_x = (at(part * on_next + h, depth)->spring - at(part * on_next - h, depth)->spring) / (2 * h),
                       by_y = (at(part * on_next, depth - h)->spring - at(part * on_next, depth + h)->spring) / (2 * h);
            EXPECT_LT((d.col(0) - by_x).norm(), 1e-6) << degrees << " " << part;
            EXPECT_LT((d.col(1) - by_y).norm(), 1e-6) << degrees << " " << part;
        }
    }
}

TEST(Patches, ABallIsMetFromItsNearSideAlone)
{
    const TriMesh ball = triangulate(Sphere{0.3}, 0.1);
    const SmoothPatches patches(ball);
    const PatchView surface{&patches, ball.vertices, ball.vertices};
    for (int f = 0; f < static_cast<int>(patches.facets.size()); f += 7) {
        const Vec3 up = surface.at(f, Vec3(0.2, 0.5, 0.3)).normalized();
        const auto near = relax_on_patch(surface, point_at(0.05 * up, f));
        ASSERT_TRUE(near);
        EXPECT_NEAR(near->depth, 0.25, 0.01);
        for (const double beyond : {0.35, 3.0})
            EXPECT_FALSE(relax_on_patch(surface, point_at(-beyond * up, f)).has_value()) << beyond;
    }
}

/// A point on the surface of a body is behind all facets that lie on its other side.
TEST(Patches, WhatWasBehindAFacetHasNotComeInThere)
{
    constexpr double R = 0.3, behind = 0.05;
    const TriMesh ball = triangulate(Sphere{R}, 0.1);
    const SmoothPatches patches(ball);
    const Vec3 way(0.7, -0.4, 0.2); // of the ball in the step
    std::vector<Vec3> moved = ball.vertices;
    for (Vec3& x : moved)
        x += way;
    const PatchView surface{&patches, moved, ball.vertices};
    for (int f = 0; f < static_cast<int>(patches.facets.size()); f += 7) {
        const Vec3 up = (surface.at(f, Vec3(0.2, 0.5, 0.3)) - way).normalized();
        const auto comes_from = [&](double r) {
            PatchPoint point = point_at(0.2 * up + way, f);
            point.Z_old = r * up;
            point.behind = behind;
            return relax_on_patch(surface, point).has_value();
        };
        EXPECT_TRUE(comes_from(1.2 * R));
        EXPECT_TRUE(comes_from(R - 0.5 * behind));
        EXPECT_FALSE(comes_from(R - 1.5 * behind));
        EXPECT_FALSE(comes_from(-R));
    }
}

/// From each facet around it, also where that has no foot to walk by.
TEST(Patches, AFootWithinTheSurfaceIsFound)
{
    Random random(7);
    TriMesh ball = triangulate(Sphere{0.3}, 0.15);
    for (Vec3& v : ball.vertices)
        v *= random.uniform(0.9, 1.1);
    SmoothPatches patches(ball);
    const double depth = 0.25 * patches.edge_length;
    patches.update(ball.vertices, depth);
    const PatchView surface{&patches, ball.vertices, ball.vertices};
    for (int f = 0; f < static_cast<int>(patches.facets.size()); ++f) {
        const Vec3 w(0.4, 0.35, 0.25);
        const Vec3 m = w[0] * surface.normal(f, 0) + w[1] * surface.normal(f, 1) + w[2] * surface.normal(f, 2);
        const Vec3 Z = surface.at(f, w) - 0.8 * depth * m;
        std::set<int> starts = {f};
        for (int ring = 0; ring < 2; ++ring)
            for (const int g : std::set<int>(starts))
                for (const int h : patches.across[g])
                    if (h >= 0)
                        starts.insert(h);
        for (const int start : starts) {
            const MeshFoot foot = find_foot(surface, Z, start);
            ASSERT_GE(foot.facet, 0) << "of facet " << f << " from " << start;
            const Vec3 back = surface.at(foot.facet, foot.w)
                - foot.d
                    * (foot.w[0] * surface.normal(foot.facet, 0) + foot.w[1] * surface.normal(foot.facet, 1)
                        + foot.w[2] * surface.normal(foot.facet, 2));
            EXPECT_LT((back - Z).norm(), 1e-9);
        }
    }
}

/// A wall of `sides` flat pieces around the y-axis, seen from within.
TriMesh inner_wall(int sides, double radius, double height)
{
    TriMesh wall;
    for (int i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides;
        for (const double y : {0.0, height})
            wall.vertices.push_back(Vec3(radius * std::cos(angle), y, radius * std::sin(angle)));
        const int a = 2 * i, b = 2 * ((i + 1) % sides);
        wall.triangles.push_back({a, b, b + 1});
        wall.triangles.push_back({a, b + 1, a + 1});
    }
    return wall;
}

/// From facets up to a quarter of a turn away; from none is it one that lies beyond other facets of the patch, or
/// beyond the axis, where normals meet.
TEST(Patches, NoFalseFootIsFoundOnAStronglyCurvedWall)
{
    constexpr int sides = 16;
    const TriMesh wall = inner_wall(sides, 0.08, 0.1);
    const SmoothPatches patches(wall);
    const PatchView surface{&patches, wall.vertices, wall.vertices};
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const double angle = random.uniform(0, 2 * std::numbers::pi), r = 0.08 + random.uniform(0.001, 0.06);
        const Vec3 Z(r * std::cos(angle), random.uniform(0.01, 0.09), r * std::sin(angle));
        for (int start = 0; start < 2 * sides; ++start) {
            const double turn =
                std::remainder(2 * std::numbers::pi * (start / 2 + 0.5) / sides - angle, 2 * std::numbers::pi);
            const MeshFoot foot = find_foot(surface, Z, start);
            EXPECT_TRUE(foot.facet >= 0 || std::abs(turn) > std::numbers::pi / 2)
                << "from " << start << " to " << angle;
            if (foot.facet < 0)
                continue;
            const double at = 2 * std::numbers::pi * (foot.facet / 2 + 0.5) / sides;
            EXPECT_LT(std::abs(std::remainder(at - angle, 2 * std::numbers::pi)), 2 * std::numbers::pi / sides)
                << "from " << start;
            EXPECT_GT(foot.d, 0);
        }
    }
}

} // namespace
} // namespace stickslip::patches_test
