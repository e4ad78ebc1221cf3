#include "body_scenes.h"

#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/math/error.h"

#include <numeric>

namespace stickslip::periodic_bodies_test {
namespace {

constexpr double side = 1; // [m] of the periodic box
const PeriodicBox whole{Vec3::Zero(), Vec3::Constant(side)};

GranularMaterial lossless()
{
    return {.density = 1000, .young = 1e6, .friction = 0, .restitution = 1};
}
GranularMaterial rough()
{
    return {.density = 1000, .young = 1e6, .friction = 0.4, .restitution = 0.6, .rolling_friction = 0.05};
}

/// Two free boxes, a dumbbell and twelve spheres in a box without faces, all on their way.
struct Crowd {
    GranularWorld world;
    std::vector<Grain> grains;

    explicit Crowd(
        const GranularMaterial& material, const Vec3& shift = Vec3::Zero(), const Vec3& gravity = Vec3::Zero())
        : world(one_material(material, NormalLaw::hertz))
    {
        world.box = whole;
        world.gravity = gravity;
        world.ledger = true;
        Random random(5);
        const auto start = [&](const Vec3& x) {
            return RigidState{
                .x = x + shift, .R = Quat(random.rotation()), .v = random.vector(1), .w = random.vector(3)};
        };
        add_box(world, Vec3(0.3, 0.2, 0.25), 1000, start(Vec3(0.1, 0.2, 0.95)));
        add_box(world, Vec3(0.2, 0.2, 0.3), 1000, start(Vec3(0.6, 0.7, 0.45)));
        world.walls[1].inside = Box{Vec3(0.2, 0.2, 0.3)}; // spheres meet its triangles, points its inside
        world.walls[1].shape =
            std::make_shared<const TriangulatedSurface>(triangulate(Box{Vec3(0.2, 0.2, 0.3)}, 1), EdgeRule::smooth);
        add_dumbbell(world, 0.06, 0.08, 1000, start(Vec3(0.95, 0.5, 0.5)));
        for (int i = 0; i < 12; ++i) {
            const Vec3 x(0.15 + 0.22 * (i % 4), 0.45 + 0.55 * (i / 4 % 2), 0.2 + 0.5 * (i / 8));
            grains.push_back({.x = x + shift, .radius = 0.05, .v = random.vector(2), .w = random.vector(5)});
        }
    }
    SphereSystem system() const { return {world, grains}; }
};

Vec3 apart(const Vec3& a, const Vec3& b)
{
    return whole.nearest(a, b) - b;
}

/// How often something touches a body's solid.
long touches(const SphereSystem& system)
{
    long count = 0;
    for (const WallContacts& wall : system.state().walls) {
        count += std::accumulate(wall.held_count.begin(), wall.held_count.end(), 0);
        count += std::accumulate(wall.history.touching.begin(), wall.history.touching.end(), 0);
    }
    const std::vector<std::uint8_t>& points = system.state().points.history.touching;
    return std::accumulate(points.begin(), points.end(), count);
}

TEST(BodiesInAPeriodicBox, MoveAlikeWhereverItsFacesAre)
{
    for (const Vec3& gravity : {Vec3(0, 0, 0), Vec3(0.5, -1, 2)}) {
        SphereSystem reference = Crowd(rough(), Vec3::Zero(), gravity).system();
        Random random(9);
        std::vector<Vec3> shifts = {Vec3::Constant(0.5)};
        std::vector<SphereSystem> shifted;
        for (int i = 0; i < 3; ++i)
            shifts.push_back(random.vector(2));
        for (const Vec3& shift : shifts)
            shifted.push_back(Crowd(rough(), shift, gravity).system());
        long seen = 0;
        while (reference.state().time < 0.25) {
            reference.step(20);
            seen += touches(reference);
            for (std::size_t s = 0; s < shifts.size(); ++s)
                shifted[s].step(20);
        }
        EXPECT_GT(seen, 5) << "nothing touches a solid";
        for (std::size_t s = 0; s < shifts.size(); ++s) {
            for (std::size_t b = 0; b < 3; ++b) {
                const BodyMotion &one = reference.state().bodies[b], &other = shifted[s].state().bodies[b];
                EXPECT_LT(apart(other.x - shifts[s], one.x).norm(), 1e-9) << "body " << b;
                EXPECT_LT((other.v - one.v).norm(), 1e-7) << "body " << b;
                EXPECT_LT((other.w - one.w).norm(), 1e-6) << "body " << b;
            }
            for (int id = 0; id < 12; ++id) {
                EXPECT_LT(apart(place_of(shifted[s], id).x - shifts[s], place_of(reference, id).x).norm(), 1e-9) << id;
                EXPECT_LT((motion_of(shifted[s], id).v - motion_of(reference, id).v).norm(), 1e-7) << id;
            }
        }
    }
}

TEST(BodiesInAPeriodicBox, KeepMomentumAndEnergy)
{
    SphereSystem system = Crowd(lossless()).system();
    const Vec3 before = momenta(system).linear;
    const double energy = system.ledger().stored();
    double scale = 0;
    for (const MovingPart& part : system.moving_parts())
        scale += part.mass * part.v.norm();
    long seen = 0;
    Bounds places; // unwrapped
    while (system.state().time < 3) {
        system.step(50);
        seen += touches(system);
        places.add(system.state().bodies[0].x);
    }
    EXPECT_GT(seen, 20) << "nothing touches a solid";
    EXPECT_GT((places.max - places.min).maxCoeff(), side) << "it went around";
    EXPECT_LT((momenta(system).linear - before).norm(), 1e-11 * scale);
    EXPECT_NEAR(system.ledger().stored(), energy, 2e-3 * energy);

    SphereSystem lossy = Crowd(rough()).system();
    while (lossy.state().time < 2)
        lossy.step(50);
    EXPECT_LT((momenta(lossy).linear - before).norm(), 1e-11 * scale);
    EXPECT_LT(std::abs(lossy.ledger().imbalance()), 1e-2 * lossy.ledger().lost());
}

TEST(BodiesInAPeriodicBox, MeetASphereBeyondAFaceAsItsImage)
{
    const auto run = [](bool periodic) {
        GranularWorld world = one_material(rough(), NormalLaw::hertz);
        if (periodic)
            world.box = whole;
        world.dt = 2e-5;
        add_box(world, Vec3(0.2, 0.2, 0.2), 1000, {.x = Vec3(0.9, 0.5, 0.5), .v = Vec3(1, 0, 0)});
        SphereSystem system(
            world, {{.x = Vec3(periodic ? 0.06 : 1.06, 0.53, 0.48), .radius = 0.05, .v = Vec3(0, 0.3, 0)}});
        system.step(10000);
        return system.state();
    };
    const GranularState with = run(true), without = run(false);
    EXPECT_GT(without.spheres.motion[0].v[0], 0.5) << "they do not meet";
    EXPECT_CLOSE_ALL(with.bodies[0].x, without.bodies[0].x, 1e-12);
    EXPECT_CLOSE_ALL(with.bodies[0].w, without.bodies[0].w, 1e-9);
    EXPECT_CLOSE_ALL(with.spheres.motion[0].v, without.spheres.motion[0].v, 1e-10);
    EXPECT_LT(apart(with.spheres.place[0].x, without.spheres.place[0].x).norm(), 1e-12);
}

TEST(BodiesInAPeriodicBox, ThatTouchCrossAFaceBitByBit)
{
    const auto run = [](bool periodic) {
        GranularWorld world = one_material(rough(), NormalLaw::hertz);
        if (periodic)
            world.box = whole;
        world.dt = 2e-5;
        world.skin = 0.02;
        add_box(world, Vec3(0.2, 0.2, 0.2), 1000, {.x = Vec3(0.7, 0.5, 0.5), .v = Vec3(2, 0, 0)});
        add_box(world, Vec3(0.1, 0.2, 0.1), 1000, {.x = Vec3(0.88, 0.57, 0.46), .v = Vec3(1, 0, 0)});
        SphereSystem system(world, {});
        system.step(10000);
        return system.state();
    };
    const GranularState with = run(true), without = run(false);
    EXPECT_GT(without.bodies[1].x[0], 1.05) << "it does not cross";
    EXPECT_GT(without.bodies[1].w.norm(), 0.1) << "they do not meet";
    for (int b = 0; b < 2; ++b) {
        EXPECT_EQ(with.bodies[b].x, without.bodies[b].x);
        EXPECT_EQ(with.bodies[b].v, without.bodies[b].v);
        EXPECT_EQ(with.bodies[b].w, without.bodies[b].w);
        EXPECT_EQ(with.bodies[b].R.coeffs(), without.bodies[b].R.coeffs());
    }
}

TEST(BodiesInAPeriodicBox, MeetEachOtherByImages)
{
    const auto run = [](double second) {
        GranularWorld world = one_material(rough(), NormalLaw::hertz);
        world.box = whole;
        world.dt = 2e-5;
        add_box(world, Vec3(0.2, 0.2, 0.2), 1000, {.x = Vec3(0.85, 0.5, 0.5), .v = Vec3(1.987, 0, 0)});
        add_box(world, Vec3(0.1, 0.2, 0.1), 1000, {.x = Vec3(second, 0.57, 0.46), .v = Vec3(1, 0, 0)});
        SphereSystem system(world, {});
        system.step(10000);
        return system.state();
    };
    const GranularState beside = run(1.03), image = run(0.03), far = run(-2.97);
    EXPECT_GT(beside.bodies[1].w.norm(), 0.1) << "they do not meet";
    for (const GranularState& other : {image, far}) {
        EXPECT_LT(apart(other.bodies[1].x, beside.bodies[1].x).norm(), 1e-10); // places far away have longer round-off
        EXPECT_CLOSE_ALL(other.bodies[0].x, beside.bodies[0].x, 1e-10);
        EXPECT_CLOSE_ALL(other.bodies[1].w, beside.bodies[1].w, 1e-9);
    }
}

TEST(BodiesInAPeriodicBox, LieOnAFloorAcrossAFace)
{
    GranularWorld world = one_material(rough());
    world.box = {Vec3::Zero(), Vec3(side, side, infinity)};
    world.gravity = Vec3(0, 0, -9.81);
    world.walls = {flat_wall(Vec3::UnitZ())};
    GranularWall slab{.name = "slab", .shape = Box{Vec3(1, 1, 0.1)}};
    slab.start.x = Vec3(0.5, 0.5, 0.1); // as wide as the box: without a gap to its image
    world.walls.push_back(slab);
    add_box(world, Vec3(0.2, 0.2, 0.2), 1000, {.x = Vec3(0.97, 0.02, 0.2502), .v = Vec3(1, -0.6, 0)});
    SphereSystem system(world, {});
    system.step(static_cast<int>(1 / system.dt()));
    const BodyMotion& body = system.state().bodies[0];
    EXPECT_NEAR(body.x[2], 0.25, 2e-3);
    EXPECT_NEAR(body.rotation()(2, 2), 1, 1e-4);
    const double way = (1 + 0.36) / (2 * 0.4 * 9.81); // v^2/(2 mu g)
    EXPECT_NEAR((body.x - Vec3(0.97, 0.02, body.x[2])).norm(), way, 0.02 * way);
}

TEST(BodiesInAPeriodicBox, MustFitTwiceIntoIt)
{
    GranularWorld world = one_material(rough());
    world.box = whole;
    add_box(world, Vec3(0.8, 0.4, 0.4), 1000, {.x = Vec3(0.5, 0.5, 0.5)}); // its own image is 0.2 m away
    EXPECT_NO_THROW(SphereSystem(world, {}));
    const std::vector<Grain> small = {{.x = Vec3(0.1, 0.1, 0.1), .radius = 0.005}};
    EXPECT_NO_THROW(SphereSystem(world, small));
    const std::vector<Grain> grown = {{.x = Vec3(0.05, 0.05, 0.05), .radius = 0.08}}; // it would touch both at once
    EXPECT_THROW(SphereSystem(world, grown), InputError);
}

} // namespace
} // namespace stickslip::periodic_bodies_test
