#include "stickslip/geometry/solids/level_set.h"

#include "geometry/closed_meshes.h"

#include <gtest/gtest.h>

namespace stickslip::level_set_test {
namespace {

const std::vector<std::pair<std::string, LevelSet>>& solids()
{
    static const std::vector<std::pair<std::string, LevelSet>> all{{"plane", Plane{Vec3(1, 2, -2) / 3}},
        {"box", Box{{1, 0.6, 1.4}}}, {"rounded box", RoundedBox{{1, 0.6, 1.4}, 0.2}}, {"sphere", Sphere{0.7}},
        {"cylinder", Cylinder{0.5, 0.9}}, {"flat cylinder", Cylinder{0.8, 0.2}}, {"cone", Cone{0.7, 1.1}},
        {"flat cone", Cone{0.8, 0.4}}, {"octahedron", ConvexPolyhedron::from_mesh(sphere_mesh(0.8, 0))},
        {"polyhedron of 128 faces", ConvexPolyhedron::from_mesh(sphere_mesh(0.8, 2))}, {"capsule", Capsule{0.3, 0.8}},
        {"torus", Torus{0.6, 0.25}}};
    return all;
}

template <typename Function>
Vec3 gradient(const Function& f, const Vec3& x, double step)
{
    Vec3 g;
    for (int i = 0; i < 3; ++i)
        g[i] = (f(x + step * Vec3::Unit(i)) - f(x - step * Vec3::Unit(i))) / (2 * step);
    return g;
}

template <typename Function>
Mat3 jacobian(const Function& f, const Vec3& x, double step)
{
    Mat3 J;
    for (int i = 0; i < 3; ++i)
        J.col(i) = (f(x + step * Vec3::Unit(i)) - f(x - step * Vec3::Unit(i))) / (2 * step);
    return J;
}

bool same_piece(const LevelSet& solid, const Vec3& a, const Vec3& b)
{
    return nearest_patch(solid, a) == nearest_patch(solid, b);
}

/// Points where the Hessian jumps (capsule: the rings between tube and caps; box and cylinder: planes through the
/// rims).
bool near_jump(const LevelSet& solid, const Vec3& x, double step)
{
    if (const auto* s = std::get_if<Capsule>(&solid))
        return std::abs(std::abs(x.y()) - s->height / 2) < step;
    if (const auto* s = std::get_if<Box>(&solid))
        return ((x.cwiseAbs() - s->size / 2).cwiseAbs().array() < step).any();
    if (const auto* s = std::get_if<RoundedBox>(&solid))
        return ((x.cwiseAbs() - s->core() / 2).cwiseAbs().array() < step).any()
            || -s->radius - sample(solid, x).phi > -step;
    if (const auto* s = std::get_if<Cylinder>(&solid)) {
        return std::abs(std::abs(x.y()) - s->height / 2) < step
            || std::abs(std::hypot(x.x(), x.z()) - s->radius) < step;
    }
    if (patch_count(solid) == 1)
        return false;
    const Mat3 H = sample(solid, x).hessian; // others: where it does jump
    for (int i = 0; i < 3; ++i)
        for (const double side : {-step, step})
            if ((sample(solid, x + side * Vec3::Unit(i)).hessian - H).norm() > 0.01 * (1 + H.norm()))
                return true;
    return false;
}

bool inside_medial_axis_nearby(const LevelSet& solid, const Vec3& x, double step)
{
    for (int i = 0; i < 3; ++i) {
        for (const double side : {-step, step}) {
            if (!same_piece(solid, x, x + side * Vec3::Unit(i)))
                return true;
        }
    }
    return false;
}

void expect_derivatives(const LevelSetSample& s, const Vec3& n, const Mat3& hessian, const std::string& name)
{
    EXPECT_NEAR((s.n - n).norm(), 0, 1e-7) << name;
    EXPECT_NEAR((s.hessian - hessian).norm(), 0, 1e-7 * (1 + s.hessian.norm())) << name;
    EXPECT_NEAR((s.hessian - s.hessian.transpose()).norm(), 0, 1e-13 * (1 + s.hessian.norm())) << name;
    EXPECT_NEAR((s.hessian * s.n).norm(), 0, 1e-12 * (1 + s.hessian.norm())) << name;
    EXPECT_NEAR(s.n.norm(), 1, 1e-14) << name;
}

TEST(LevelSet, DerivativesOfEveryPatchMatchDifferences)
{
    const double step = 1e-5;
    for (const auto& [name, solid] : solids()) {
        RandomPoints random(1);
        for (int trial = 0; trial < 300; ++trial) {
            const Vec3 x = random.in_cube(1.2);
            if (near_jump(solid, x, step) || std::hypot(x.x(), x.z()) < 0.05)
                continue; // next to the axis the differences themselves are too coarse
            for (int patch = 0; patch < patch_count(solid); ++patch) {
                const auto s = sample_patch(solid, patch, x);
                if (s.hessian.norm() > 20)
                    continue; // the same next to a centre or ring
                EXPECT_EQ(s.phi, patch_distance(solid, patch, x)) << name;
                expect_derivatives(s, gradient([&](const Vec3& y) { return patch_distance(solid, patch, y); }, x, step),
                    jacobian([&](const Vec3& y) { return sample_patch(solid, patch, y).n; }, x, step), name);
            }
        }
    }
}

TEST(LevelSet, DerivativesOfTheWholeSolidMatchDifferences)
{
    const double step = 1e-5;
    for (const auto& [name, solid] : solids()) {
        RandomPoints random(2);
        for (int trial = 0; trial < 1000; ++trial) {
            const Vec3 x = random.in_cube(1.2);
            const auto s = sample(solid, x);
            EXPECT_NEAR(s.phi, signed_distance(solid, x), 1e-15) << name;
            if (near_jump(solid, x, 2 * step) || s.hessian.norm() > 20 || std::hypot(x.x(), x.z()) < 0.05
                || (s.phi < 0 && inside_medial_axis_nearby(solid, x, step)))
                continue;
            expect_derivatives(s, gradient([&](const Vec3& y) { return signed_distance(solid, y); }, x, step),
                jacobian([&](const Vec3& y) { return sample(solid, y).n; }, x, step), name);
        }
    }
}

TEST(LevelSet, NearestSurfacePointIsAtTheDistanceAndOnTheSurface)
{
    for (const auto& [name, solid] : solids()) {
        RandomPoints random(3);
        for (int trial = 0; trial < 1000; ++trial) {
            const Vec3 x = random.in_cube(1.5);
            const auto s = sample(solid, x);
            EXPECT_NEAR(signed_distance(solid, x - s.phi * s.n), 0, 1e-14) << name;
        }
    }
}

TEST(LevelSet, DistanceIsTheLeastOverTheSurface)
{
    // Surface points by projecting random points; none may be nearer than phi, and some almost as near.
    for (const auto& [name, solid] : solids()) {
        RandomPoints random(4);
        std::vector<Vec3> surface;
        for (int i = 0; i < 20000; ++i) {
            const Vec3 y = random.in_cube(1.3);
            const auto s = sample(solid, y);
            surface.push_back(y - s.phi * s.n);
        }
        for (int trial = 0; trial < 50; ++trial) {
            const Vec3 x = random.in_cube(1);
            double least = infinity;
            for (const Vec3& y : surface)
                least = std::min(least, (x - y).norm());
            EXPECT_LE(std::abs(signed_distance(solid, x)), least + 1e-14) << name;
            EXPECT_GT(std::abs(signed_distance(solid, x)), least - 0.05) << name;
        }
    }
}

TEST(LevelSet, DistanceChangesByNoMoreThanTheWay)
{
    for (const auto& [name, solid] : solids()) {
        RandomPoints random(5);
        for (int trial = 0; trial < 5000; ++trial) {
            const Vec3 x = random.in_cube(1.5);
            const Vec3 y = x + random.number(0, 1) * random.direction();
            const double change = std::abs(signed_distance(solid, x) - signed_distance(solid, y));
            EXPECT_LE(change, (x - y).norm() + 1e-14) << name;
        }
    }
}

TEST(LevelSet, InsideTheSolidIsTheLargestPatch)
{
    for (const auto& [name, solid] : solids()) {
        RandomPoints random(6);
        for (int trial = 0; trial < 2000; ++trial) {
            const Vec3 x = random.in_cube(1);
            double largest = -infinity;
            for (int patch = 0; patch < patch_count(solid); ++patch)
                largest = std::max(largest, patch_distance(solid, patch, x));
            EXPECT_EQ(patch_distance(solid, nearest_patch(solid, x), x), largest) << name;
            EXPECT_EQ(signed_distance(solid, x) <= 0, largest <= 0) << name;
            if (largest <= 0) {
                EXPECT_NEAR(signed_distance(solid, x), largest, 1e-15) << name;
            }
        }
    }
}

TEST(LevelSet, PointInsideProjectsIntoEachOfItsPatches)
{
    for (const auto& [name, solid] : solids()) {
        if (!std::holds_alternative<Box>(solid) && !std::holds_alternative<Cylinder>(solid))
            continue; // sharper or blunter rims: it may project beyond
        RandomPoints random(7);
        int inside = 0;
        for (int trial = 0; trial < 3000; ++trial) {
            const Vec3 x = random.in_cube(0.8);
            if (signed_distance(solid, x) > 0)
                continue;
            ++inside;
            for (int patch = 0; patch < patch_count(solid); ++patch) {
                const auto s = sample_patch(solid, patch, x);
                EXPECT_NEAR(signed_distance(solid, x - s.phi * s.n), 0, 1e-14) << name << " patch " << patch;
            }
        }
        EXPECT_GT(inside, 200) << name;
    }
}

TEST(LevelSet, PatchesComeInTheDocumentedOrder)
{
    const LevelSet box = Box{{2, 4, 6}};
    const Vec3 normals[] = {
        -Vec3::UnitX(), Vec3::UnitX(), -Vec3::UnitY(), Vec3::UnitY(), -Vec3::UnitZ(), Vec3::UnitZ()};
    ASSERT_EQ(patch_count(box), 6);
    for (int patch = 0; patch < 6; ++patch) {
        EXPECT_EQ(sample_patch(box, patch, Vec3::Zero()).n, normals[patch]);
        EXPECT_EQ(patch_distance(box, patch, Vec3::Zero()), -1 - patch / 2);
    }
    const LevelSet cylinder = Cylinder{1, 4};
    ASSERT_EQ(patch_count(cylinder), 3);
    EXPECT_EQ(sample_patch(cylinder, 0, {0.5, 0, 0}).n, Vec3::UnitX());
    EXPECT_EQ(sample_patch(cylinder, 1, {0.5, 0, 0}).n, -Vec3::UnitY());
    EXPECT_EQ(sample_patch(cylinder, 2, {0.5, 0, 0}).n, Vec3::UnitY());
}

void expect_usable(const LevelSet& solid, const Vec3& x, const std::string& name)
{
    std::vector<LevelSetSample> samples{sample(solid, x)};
    for (int patch = 0; patch < patch_count(solid); ++patch)
        samples.push_back(sample_patch(solid, patch, x));
    for (const auto& s : samples) {
        EXPECT_TRUE(std::isfinite(s.phi) && s.hessian.allFinite()) << name << " at " << x.transpose();
        EXPECT_NEAR(s.n.norm(), 1, 1e-12) << name << " at " << x.transpose();
    }
    const auto& s = samples[0];
    EXPECT_NEAR(signed_distance(solid, x - s.phi * s.n), 0, 1e-12) << name << " at " << x.transpose();
}

TEST(LevelSet, StaysFiniteAndUnitNextToEveryDegeneratePlace)
{
    // Centre, axes, ring, rims, corners, planes through them.
    const std::vector<Vec3> places{Vec3::Zero(), {0, 0.3, 0}, {0, 0.4, 0}, {0, 0.45, 0}, {0, 1, 0}, {0.6, 0, 0},
        {0.5, 0.45, 0}, {0.8, 0.1, 0}, {0.5, 0.3, 0.7}, {0.5, 0.3, 0}, {0.5, 0, 0}, {0.25, 0.3, 0.7}, {0, 0, 0.7}};
    RandomPoints random(8);
    for (const auto& [name, solid] : solids()) {
        for (const Vec3& place : places) {
            expect_usable(solid, place, name);
            for (const double distance : {1e-300, 1e-160, 1e-100, 1e-20, 1e-12, 1e-6, 1.0}) {
                for (int trial = 0; trial < 10; ++trial)
                    expect_usable(solid, place + distance * random.direction(), name);
                for (int axis = 0; axis < 3; ++axis)
                    expect_usable(solid, place - distance * Vec3::Unit(axis), name);
            }
        }
    }
}

TEST(LevelSet, IsRoundAboutRimsAndCorners)
{
    const LevelSet box = Box{{1, 1, 1}};
    const auto corner = sample(box, Vec3(0.5, 0.5, 0.5) + Vec3(1, 2, 2));
    EXPECT_NEAR(corner.phi, 3, 1e-15);
    EXPECT_NEAR(corner.hessian.trace(), 2.0 / 3, 1e-15);
    EXPECT_NEAR(sample(box, {0.5 + 3, 0.5 + 4, 0}).hessian.trace(), 1.0 / 5, 1e-15);
    EXPECT_EQ(sample(box, {0.9, 0, 0}).hessian, Mat3::Zero());
    const auto rim = sample(Cylinder{1, 2}, {1 + 3, 1 + 4, 0});
    EXPECT_NEAR(rim.phi, 5, 1e-15);
    EXPECT_NEAR(rim.hessian.trace(), 1.0 / 5 + 3.0 / 5 / 4, 1e-15);
}

TEST(LevelSet, BoundsTouchTheSurfaceAndHoldTheSolid)
{
    for (const auto& [name, solid] : solids()) {
        const Bounds box = bounds(solid);
        if (std::holds_alternative<Plane>(solid)) {
            EXPECT_EQ(box.max.minCoeff(), infinity);
            EXPECT_EQ(box.min.maxCoeff(), -infinity);
            continue;
        }
        RandomPoints random(9);
        Bounds reached;
        for (int trial = 0; trial < 20000; ++trial) {
            const Vec3 x = random.in_cube(1.2);
            const auto s = sample(solid, x);
            reached.add(x - s.phi * s.n);
        }
        EXPECT_TRUE((reached.min.array() >= box.min.array() - 1e-14).all()) << name;
        EXPECT_TRUE((reached.max.array() <= box.max.array() + 1e-14).all()) << name;
        EXPECT_NEAR((reached.max - box.max).norm() + (reached.min - box.min).norm(), 0, 0.01) << name;
    }
}

} // namespace
} // namespace stickslip::level_set_test
