#include "stickslip/contact/surfaces/level_set_surface.h"

#include "stickslip/bodies/obstacle.h"
#include "stickslip/contact/relax/entry_point.h"
#include "stickslip/math/rotation.h"

#include "support/solids.h"

namespace stickslip::level_set_surface_test {
namespace {

constexpr double dt = 0.02, time = 0.7;
constexpr RelaxationKind kinds[] = {RelaxationKind::planar, RelaxationKind::exact_cone};

enum class Moves { no, straight, turning, belt, all };
constexpr Moves ways_to_move[] = {Moves::no, Moves::straight, Moves::turning, Moves::belt, Moves::all};

Obstacle obstacle_of(const LevelSet& solid, Moves moves, Random& random)
{
    Obstacle o{.name = "o", .solid = solid, .start = {random.vector(), random.rotation()}};
    if (moves == Moves::straight || moves == Moves::all)
        o.motion.velocity = random.vector(0.5);
    if (moves == Moves::turning || moves == Moves::all)
        o.motion.angular_velocity = random.vector(2);
    if (moves == Moves::belt || moves == Moves::all)
        o.surface_velocity = random.vector(0.5);
    return o;
}

LevelSetSurface surface_of(
    const Obstacle& o, const Frame& old_frame, const Frame& frame, double step, RelaxationKind kind)
{
    return {o.solid, {old_frame, frame, o.surface_velocity, step}, kind};
}

struct Scene {
    Obstacle obstacle;
    Vec3 Z_old, Z;
    std::optional<Attachment> kept;
    double mu;
    RelaxationKind kind;
    PointSurface point = {};

    Frame old_frame() const { return frame_at(obstacle.motion, obstacle.start, time); }
    Frame frame() const { return frame_at(obstacle.motion, obstacle.start, time + dt); }
    std::optional<PointContact> relax(const Vec3& z) const
    {
        const LevelSetSurface surface = surface_of(obstacle, old_frame(), frame(), dt, kind);
        return surface.relax(Z_old, z, point, kept ? &*kept : nullptr, mu);
    }
};

Scene scene_of(const LevelSet& solid, Moves moves, bool kept, double mu, RelaxationKind kind, Random& random)
{
    const SurfacePoint at = surface_point(solid, random);
    Scene s{.obstacle = obstacle_of(solid, moves, random), .mu = mu, .kind = kind};
    const double depth = random.uniform(0.01, 0.03);
    const Vec3 side = std::min((mu + 0.2) * depth, 0.06) * random.uniform(0.2, 1.8) * tangent(at.n, random);
    if (kept)
        s.kept = Attachment{0, 1, 0, 0, OnSolid{at.patch, project_to_surface(solid, at.patch, at.X + side).W}};
    s.Z_old = s.old_frame().to_world(at.X + 0.04 * at.n + 2 * side);
    s.Z = s.frame().to_world(at.X - depth * at.n);
    return s;
}

/// True when a difference with this step stays on one branch.
/// Where it is attached [m], in the solid's frame.
Vec3 X_of(const SurfaceContact& c)
{
    return std::get<OnSolid>(c.to).X;
}

bool one_branch(const Scene& s, double step)
{
    const auto here = s.relax(s.Z);
    for (int i = 0; i < 3; ++i)
        for (const double h : {-20 * step, -2 * step, 2 * step, 20 * step})
            if (const auto there = s.relax(s.Z + h * Vec3::Unit(i));
                !there || there->sticks != here->sticks || numbers(there->to).piece != numbers(here->to).piece)
                return false;
    return true;
}

TEST(LevelSetSurface, DerivativeMatchesDifferencesForKeptAndNewContacts)
{
    Random random(1);
    for (const auto& [name, solid] : solids())
        for (const Moves moves : ways_to_move)
            for (const RelaxationKind kind : kinds)
                for (const bool kept : {true, false}) {
                    int compared = 0, sliding = 0;
                    for (int trial = 0; trial < 12; ++trial) {
                        const Scene s = scene_of(solid, moves, kept, trial % 4 == 0 ? 0 : 0.4, kind, random);
                        const auto c = s.relax(s.Z);
                        ASSERT_TRUE(c) << name;
                        if (!one_branch(s, 2e-5))
                            continue;
                        ++compared;
                        sliding += !c->sticks;
                        const auto Y = [&](const Vec3& z) { return s.relax(z)->Y; };
                        EXPECT_CLOSE_ALL(c->dY_dZ, difference(Y, s.Z, 2e-5), 1e-6)
                            << name << " way of moving " << static_cast<int>(moves) << " kept " << kept;
                    }
                    EXPECT_GT(compared, 6) << name;
                    EXPECT_GT(sliding, 2) << name;
                }
}

TEST(LevelSetSurface, DerivativeMatchesDifferencesBeyondARim)
{
    Random random(2);
    const LevelSet box = Box{{1, 1, 1}};
    int compared = 0;
    for (const RelaxationKind kind : kinds)
        for (int trial = 0; trial < 80; ++trial) {
            Scene s{.obstacle = obstacle_of(box, Moves::turning, random), .mu = 0.4, .kind = kind};
            const double depth = random.uniform(4e-4, trial % 2 == 0 ? 1e-3 : 0.1);
            const double over = std::max(depth, 1e-3) * random.uniform(0.1, 0.9);
            const Vec3 U(0.5 + over, 0.5 - depth, 0.1);
            const double along = depth * random.uniform(0.1, 0.9), across = depth * random.uniform(-0.5, 0.5);
            s.kept = Attachment{0, 1, 0, 0, OnSolid{3, Vec3(U.x() - along, 0.5, 0.1 + across)}};
            s.Z_old = s.Z = s.frame().to_world(U);
            s.point = {.indentation = trial % 3 == 0 ? 0.7 * depth : 2 * depth};
            if (!one_branch(s, 1e-7))
                continue;
            ++compared;
            const auto Y = [&](const Vec3& z) { return s.relax(z)->Y; };
            EXPECT_NEAR_ALL(s.relax(s.Z)->dY_dZ, difference(Y, s.Z, 1e-7), 1e-6);
        }
    EXPECT_GT(compared, 140);
}

TEST(LevelSetSurface, ForceEndsContinuouslyBeyondARim)
{
    const Obstacle o{.name = "o", .solid = Box{{1, 1, 1}}};
    const LevelSetSurface surface = surface_of(o, {}, {}, dt, RelaxationKind::planar);
    const Attachment kept{0, 1, 0, 0, OnSolid{3, Vec3(0.5, 0.5, 0)}};
    for (const double mu : {0.0, 0.4, infinity})
        for (const double depth : {1e-4, 1e-3 * (1 - 1e-9), 1e-3 * (1 + 1e-9), 0.01, 0.3}) {
            const double width = std::max(depth, 1e-3);
            const auto spring = [&](double overshoot) {
                const Vec3 Z(0.5 + overshoot, 0.5 - depth, 0);
                const auto c = surface.relax(Z, Z, {}, &kept, mu);
                return c ? (c->Y - Z).norm() : 0.0;
            };
            // the attachment begins on the rim: it slides after its point once that is further than the cone reaches
            const double reach = mu * depth;
            for (const double share : {0.0, 1e-12, 1e-6, 0.25, 0.5, 0.75, 1 - 1e-6}) {
                const double out = share * width, slid = std::max(0.0, out - reach);
                EXPECT_NEAR(spring(out), (1 - slid / width) * std::hypot(depth, out - slid), 1e-14) << depth << share;
            }
            if (mu < infinity) {
                EXPECT_EQ(spring(reach + width * (1 + 1e-6)), 0);
            } else {
                EXPECT_NEAR(spring(1), std::hypot(depth, 1), 1e-14) << "what sticks stays on the face";
            }
        }
}

TEST(LevelSetSurface, ForceFallsBeyondARimNoFasterThanTheContactIsStiff)
{
    Random random(8);
    const Obstacle o{.name = "o", .solid = Box{{1, 1, 1}}};
    const LevelSetSurface surface = surface_of(o, {}, {}, dt, RelaxationKind::planar);
    for (int trial = 0; trial < 500; ++trial) {
        const double depth = std::pow(10, random.uniform(-5, -0.5)), width = std::max(depth, 1e-3);
        const Vec3 Z(0.5 + random.uniform(0.001, 0.999) * width, 0.5 - depth, random.uniform(-0.4, 0.4));
        const Attachment kept{0, 1, 0, 0, OnSolid{3, Vec3(0.5 - random.uniform(0, 2) * depth, 0.5, Z.z())}};
        const auto c = surface.relax(Z, Z, {}, &kept, 0.4);
        ASSERT_TRUE(c);
        EXPECT_LT((c->dY_dZ - Mat3::Identity()).norm(), 3);
    }
}

// Beside the solid a point is not carried by how deep it is under the plane of the face that it has left.
TEST(LevelSetSurface, WhatGoesDownBesideTheSolidIsLetGo)
{
    const Obstacle o{.name = "o", .solid = Box{{1, 1, 1}}};
    const LevelSetSurface surface = surface_of(o, {}, {}, dt, RelaxationKind::planar);
    const auto is_carried = [&](double began_beyond, double over, double depth) {
        const Attachment kept{0, 1, 0, 0, OnSolid{3, Vec3(0.5 + began_beyond, 0.5, 0)}};
        const Vec3 Z(0.5 + over, 0.5 - depth, 0);
        return surface.relax(Z, Z, {.indentation = 2e-3}, &kept, 0).has_value();
    };
    EXPECT_TRUE(is_carried(1e-6, 1.9e-3, 0.1)) << "as far as springs let it sink";
    EXPECT_FALSE(is_carried(1e-6, 2.1e-3, 0.1));
    EXPECT_FALSE(is_carried(0.09, 0.09, 0.1));
    EXPECT_TRUE(is_carried(-1e-6, 0.09, 0.1)) << "leaves in this step";
}

// As an old contact it would be pushed by the share of one that slid over the rim, at once.
TEST(LevelSetSurface, WhatCutsARimWithinAStepPasses)
{
    const Obstacle o{.name = "o", .solid = Box{{1, 1, 1}}};
    const LevelSetSurface surface = surface_of(o, {}, {}, dt, RelaxationKind::planar);
    const auto ends = [&](const Vec3& from, const Vec3& to, const Attachment* kept) {
        const auto c = surface.relax(from, to, {}, kept, 0.4);
        EXPECT_TRUE(c);
        return c && c->passes;
    };
    // in through the top, inside of its rim by a tenth of the way down, out through the side
    EXPECT_TRUE(ends({0.48, 0.51, 0}, {0.51, 0.41, 0}, nullptr));
    EXPECT_FALSE(ends({0.42, 0.51, 0}, {0.47, 0.41, 0}, nullptr)) << "inside";
    const Attachment kept{0, 1, 0, 0, OnSolid{3, Vec3(0.49, 0.5, 0)}};
    EXPECT_FALSE(ends({0.49, 0.47, 0}, {0.51, 0.45, 0}, &kept)) << "slides out";
}

TEST(LevelSetSurface, TurnsWithTheScene)
{
    Random random(3);
    for (const auto& [name, solid] : solids())
        for (const bool kept : {true, false})
            for (int trial = 0; trial < 10; ++trial) {
                const Scene a = scene_of(solid, Moves::all, kept, 0.4, RelaxationKind::exact_cone, random);
                const Mat3 Q = random.rotation();
                const Vec3 shift = random.vector();
                Scene b = a;
                b.obstacle.start = {Q * a.obstacle.start.x + shift, Q * a.obstacle.start.R};
                b.obstacle.motion.velocity = Q * a.obstacle.motion.velocity;
                b.obstacle.motion.angular_velocity = Q * a.obstacle.motion.angular_velocity;
                b.Z_old = Q * a.Z_old + shift;
                b.Z = Q * a.Z + shift;
                const auto ca = a.relax(a.Z), cb = b.relax(b.Z);
                ASSERT_TRUE(ca && cb);
                if (!one_branch(a, 1e-9))
                    continue;
                EXPECT_CLOSE_ALL(cb->Y, Q * ca->Y + shift, 1e-13) << name;
                EXPECT_CLOSE_ALL(X_of(*cb), X_of(*ca), 1e-13) << name;
                EXPECT_CLOSE_ALL(cb->n, Q * ca->n, 1e-13) << name;
                EXPECT_CLOSE_ALL(cb->slip, Q * ca->slip, 1e-13) << name;
                EXPECT_CLOSE_ALL(cb->belt, Q * ca->belt, 1e-13) << name;
                EXPECT_CLOSE_ALL(cb->dY_dZ, Q * ca->dY_dZ * Q.transpose(), 1e-10) << name;
                EXPECT_NEAR(cb->depth, ca->depth, 1e-14) << name;
            }
}

TEST(LevelSetSurface, SlipIsZeroWhenStickingAndTheWayOfTheAttachmentWhenSliding)
{
    Random random(4);
    for (const auto& [name, solid] : solids())
        for (int trial = 0; trial < 40; ++trial) {
            const Scene s = scene_of(solid, Moves::turning, true, 0.4, RelaxationKind::planar, random);
            const auto c = s.relax(s.Z);
            EXPECT_CLOSE_ALL(c->slip, s.frame().R * (X_of(*c) - s.kept->on_solid().X), 1e-15) << name;
            if (c->sticks) {
                EXPECT_EQ(c->slip, Vec3::Zero());
                EXPECT_TRUE(same_bits({X_of(*c)}, {s.kept->on_solid().X}));
            } else {
                EXPECT_GT(c->slip.norm(), 0);
                EXPECT_GE((c->Y - s.Z).dot(-c->slip), -1e-15) << "friction brakes";
            }
        }
}

TEST(LevelSetSurface, CarriesAKeptAttachmentWithItsFrameAndItsBelt)
{
    Random random(5);
    const LevelSet box = Box{{4, 4, 4}};
    const Vec3 belt(0.5, 0, -0.2);
    Scene s{.obstacle = obstacle_of(box, Moves::turning, random), .mu = infinity, .kind = RelaxationKind::planar};
    s.kept = Attachment{0, 1, 0, 0, OnSolid{3, Vec3(0.1, 2, 0.2)}};
    s.Z = s.Z_old = s.frame().to_world(Vec3(0.1, 1.9, 0.2));
    EXPECT_EQ(X_of(*s.relax(s.Z)), s.kept->on_solid().X);
    s.obstacle.motion = {};
    s.obstacle.surface_velocity = belt;
    s.Z = s.Z_old = s.frame().to_world(Vec3(0.1, 1.9, 0.2));
    EXPECT_CLOSE_ALL(s.relax(s.Z)->belt, dt * (s.frame().R * belt), 1e-15);
    EXPECT_CLOSE_ALL(X_of(*s.relax(s.Z)), s.kept->on_solid().X + dt * belt, 1e-15);
    EXPECT_EQ(s.relax(s.Z)->slip, Vec3::Zero());
}

TEST(LevelSetSurface, CarriesANewAttachmentWithItsBeltForTheRestOfTheStep)
{
    const Obstacle o{.name = "o", .solid = Plane{}, .surface_velocity = Vec3(2, 0, 0)};
    const LevelSetSurface surface = surface_of(o, {}, {}, dt, RelaxationKind::planar);
    const auto c =
        surface.relax(Vec3(0, 0.3, 0), Vec3(0, -0.1, 0), {}, nullptr, infinity); // enters after three quarters
    ASSERT_TRUE(c);
    EXPECT_CLOSE_ALL(X_of(*c), Vec3(0.25 * dt * 2, 0, 0), 1e-16);
    EXPECT_CLOSE_ALL(c->belt, Vec3(0.25 * dt * 2, 0, 0), 1e-16);
}

TEST(LevelSetSurface, FindsNothingOutsideAndReportsDepthAndNormal)
{
    Random random(6);
    for (const auto& [name, solid] : solids()) {
        const Obstacle o{.name = "o", .solid = solid};
        const LevelSetSurface surface = surface_of(o, {}, {}, dt, RelaxationKind::planar);
        for (int trial = 0; trial < 20; ++trial) {
            const SurfacePoint at = surface_point(solid, random);
            const Attachment kept{0, 1, 0, 0, OnSolid{at.patch, at.X}};
            EXPECT_FALSE(surface.relax(at.X + 0.1 * at.n, at.X + 1e-12 * at.n, {}, nullptr, 0.3)) << name;
            EXPECT_FALSE(surface.relax(at.X, at.X + 1e-12 * at.n, {}, &kept, 0.3)) << name;
            const auto c = surface.relax(at.X, at.X - 0.02 * at.n, {}, &kept, 0.3);
            ASSERT_TRUE(c) << name;
            EXPECT_NEAR(c->depth, 0.02, 1e-14) << name;
            EXPECT_CLOSE_ALL(c->n, at.n, 1e-13) << name;
        }
    }
}

TEST(LevelSetSurface, MayTouchIsTrueForEveryBoxThatHoldsAPointInside)
{
    Random random(7);
    for (const auto& [name, solid] : solids()) {
        const Obstacle o = obstacle_of(solid, Moves::turning, random);
        const Frame frame = frame_at(o.motion, o.start, time);
        const LevelSetSurface surface = surface_of(o, frame, frame, dt, RelaxationKind::planar);
        for (int trial = 0; trial < 300; ++trial) {
            const Vec3 a = random.vector(2);
            Bounds box;
            box.add(a);
            box.add(a + random.vector(0.3));
            for (int p = 0; p < 20; ++p) {
                const Vec3 share = 0.5 * (random.vector() + Vec3::Ones());
                const Vec3 point = box.min + share.cwiseProduct(box.max - box.min);
                if (signed_distance(solid, frame.to_local(point)) < 0) {
                    EXPECT_TRUE(surface.may_touch(box)) << name;
                }
            }
        }
    }
}

TEST(LevelSetSurface, MayTouchIsTrueForABoxThatLeansOnARimFromOutside)
{
    const Obstacle o{.name = "o", .solid = Box{{1, 1, 1}}};
    const LevelSetSurface surface = surface_of(o, {}, {}, dt, RelaxationKind::planar);
    const Attachment kept{0, 1, 0, 0, OnSolid{3, Vec3(0.5, 0.5, 0)}};
    for (const double overshoot : {0.0, 1e-15, 1e-12, 1e-6, 9e-4}) {
        const Vec3 Z(0.5 + overshoot, 0.499, 0); // one end of a beam that spans a gap
        ASSERT_TRUE(surface.relax(Z, Z, {}, &kept, 0.3));
        Bounds beam;
        beam.add(Z);
        beam.add(Z + Vec3(2, 0.1, 0.1));
        EXPECT_TRUE(surface.may_touch(beam)) << overshoot;
    }
}

/// A box or a cylinder with sizes from 0.03 to 1.
LevelSet solid_with_rims(Random& random)
{
    const auto size = [&] { return std::pow(10, random.uniform(-1.5, 0)); };
    if (random.uniform(0, 1) < 0.5)
        return Box{{size(), size(), size()}};
    return Cylinder{0.5 * size(), size()};
}

enum class Beyond { rim, opposite_end };

/// Checks may_touch for random points that came in and out again in the step and carry force outside the solid, alone
/// and with other points about.
void sweep_may_touch(Beyond where, Random& random)
{
    int carrying = 0, wrong = 0;
    for (int trial = 0; trial < 40'000; ++trial) {
        const Obstacle o = obstacle_of(solid_with_rims(random), Moves::turning, random);
        const Frame frame = frame_at(o.motion, o.start, time);
        const LevelSetSurface surface = surface_of(o, frame, frame, dt, RelaxationKind::planar);
        const Vec3 half = bounds(o.solid).max;
        const Vec3 U = (where == Beyond::rim ? 1.7 : 4) * random.vector().cwiseProduct(half);
        const int patch = static_cast<int>(random.uniform(0, patch_count(o.solid)));
        const double depth = -patch_distance(o.solid, patch, U);
        if (depth <= 0 || signed_distance(o.solid, U) <= 0)
            continue;
        const bool beside = std::holds_alternative<Cylinder>(o.solid) && patch == 0;
        const double thickness = beside ? infinity : 2 * std::abs(half.dot(sample_patch(o.solid, patch, U).n));
        if ((depth > thickness) != (where == Beyond::opposite_end))
            continue;
        const Vec3 Z = frame.to_world(U);
        // comes in by the patch, inside its rims; a pair that holds attachments is looked at wherever it is
        const Vec3 within = U.cwiseMax(-0.95 * half).cwiseMin(0.95 * half);
        const Projection above = project_to_surface(o.solid, patch, within);
        const Vec3 Z_old = frame.to_world(above.W + 1e-3 * above.n);
        const auto contact = surface.relax(Z_old, Z, {}, nullptr, 0.4);
        if (!contact || (contact->Y - Z).norm() < 1e-12)
            continue;
        ++carrying;
        Bounds alone;
        alone.add(Z);
        Bounds body = alone; // reaches away from the solid
        body.add(Z + (Z - frame.x).cwiseProduct(0.5 * (random.vector() + Vec3::Ones())));
        if ((!surface.may_touch(alone) || !surface.may_touch(body)) && ++wrong == 1)
            ADD_FAILURE() << "solid of half size " << half.transpose() << ", patch " << patch << ", U " << U.transpose()
                          << ", depth " << depth << ", spring " << (contact->Y - Z).norm();
    }
    EXPECT_EQ(wrong, 0) << "of " << carrying;
    EXPECT_TRUE(where == Beyond::opposite_end || carrying > 300) << carrying;
}

TEST(LevelSetSurface, MayTouchIsTrueWhereAContactBeyondARimStillCarriesForce)
{
    Random random(9);
    sweep_may_touch(Beyond::rim, random);
}

TEST(LevelSetSurface, MayTouchIsTrueWhereAContactThatWentThroughTheSolidStillCarriesForce)
{
    Random random(10);
    sweep_may_touch(Beyond::opposite_end, random);
}

} // namespace
} // namespace stickslip::level_set_surface_test
