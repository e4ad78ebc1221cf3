// A ball in a triangulated dent of nearly its own radius feels the smooth dent.
#include "geometry/concave_meshes.h"
#include "geometry/searched_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

namespace stickslip::concave_surface_test {
namespace {

constexpr double pi = std::numbers::pi;

/// Greatest deviation of the force on a ball of radius 1 from overlap * n, in parts of the overlap, at random places
/// `gap + overlap` off the middle of a mesh around it.
double deviation(SearchedSurface& surface, double gap, double overlap, bool round_about_z)
{
    RandomPoints random(51);
    double most = 0;
    for (int trial = 0; trial < 60; ++trial) {
        Vec3 out = random.direction();
        if (round_about_z)
            out = Vec3(out.x(), out.y(), 0).normalized();
        const Vec3 place = (gap + overlap) * out + (round_about_z ? random.number(-0.1, 0.1) : 0) * Vec3::UnitZ();
        most = std::max(most, std::abs(surface.force(place, 1).norm() / overlap - 1));
    }
    return most;
}

/// Force on a ball in a smooth dent over that on a plane; `ratio` of the overlap to the gap, 0 gap: infinity.
double firmness_of_smooth(double ratio, bool round_about_z)
{
    const double overlap = 1, gap = overlap / ratio;
    std::vector<Touching> touching;
    const auto add = [&](const Vec3& n) {
        if (const double depth = (overlap + gap) * n.z() - gap; depth > 0)
            touching.push_back({n, depth});
    };
    const int count = round_about_z ? 2001 : 4000;
    for (int i = 0; i < count; ++i) {
        const double across = pi * (double(i) / (count - 1) - 0.5), along = 1 - double(i) / count;
        const double turn = pi * (3 - std::sqrt(5)) * i, r = std::sqrt(1 - along * along);
        add(round_about_z ? Vec3(std::sin(across), 0, std::cos(across))
                          : Vec3(r * std::cos(turn), r * std::sin(turn), along));
    }
    ContactShares().find(touching);
    double force = 0;
    for (const Touching& contact : touching)
        force += contact.push * contact.n.z();
    return force / overlap;
}

TEST(ConcaveSurface, ASmoothDentIsAPlaneUpToTwoThirdsOfItsGapAndFirmerBeyond)
{
    constexpr double infinite = std::numeric_limits<double>::infinity();
    for (const double ratio : {0.1, 0.5, 0.66}) {
        EXPECT_NEAR(firmness_of_smooth(ratio, true), 1, 1e-12);
        EXPECT_NEAR(firmness_of_smooth(ratio, false), 1, 1e-12);
    }
    for (const auto& [ratio, pipe, sphere] :
        {std::tuple(1, 1.071, 1.115), {2, 1.161, 1.285}, {4, 1.212, 1.389}, {infinite, 1.265, 1.501}}) {
        EXPECT_NEAR(firmness_of_smooth(ratio, true), pipe, 1e-3);
        EXPECT_NEAR(firmness_of_smooth(ratio, false), sphere, 2e-3);
    }
}

/// Of a dent of facets over a smooth one's: they are up to a sagitta nearer, and two that fold by phi push up to
/// 2 cos(phi/2)/(1 + g) together, phi^2/2 more than one, which is four sagittas.
double greatest_deviation(double gap, double overlap, double sagitta, bool round_about_z)
{
    const double ratio = (overlap + sagitta) / (gap - sagitta);
    return (1 + sagitta / overlap) * (firmness_of_smooth(ratio, round_about_z) + 4 * sagitta) - 1;
}

TEST(ConcaveSurface, APipeIsAsFirmAsASmoothOneWhateverTheGap)
{
    for (const double gap : {0.02, 0.1, 1.0}) {
        for (const double overlap : {0.005, 0.01, 0.05}) {
            SCOPED_TRACE(testing::Message() << "gap " << gap << ", overlap " << overlap);
            for (const int sides : {48, 96, 384}) {
                SearchedSurface pipe(pipe_mesh(1 + gap, sides, sides < 100 ? 0.4 : 0.2));
                const double sagitta = (1 + gap) * (1 - std::cos(pi / sides));
                const double most = deviation(pipe, gap, overlap, true);
                EXPECT_LT(most, greatest_deviation(gap, overlap, sagitta, true) * 1.02);
                if (gap >= 0.1) {
                    EXPECT_LT(most, sagitta / overlap * 1.02 + 4 * sagitta);
                }
            }
        }
    }
}

/// Greatest distance of a facet from the sphere that it stands for [m].
double sagitta_of(const TriMesh& mesh, double radius)
{
    double most = 0;
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3 &a = mesh.vertices[i], &b = mesh.vertices[j], &c = mesh.vertices[k];
        most = std::max(most, radius - std::abs((b - a).cross(c - a).normalized().dot(a)));
    }
    return most;
}

TEST(ConcaveSurface, AHollowSphereIsAsFirmAsASmoothOne)
{
    for (const auto& [gap, overlap] : {std::pair(0.02, 0.04), {0.1, 0.05}, {1.0, 0.2}}) {
        SCOPED_TRACE(testing::Message() << "gap " << gap << ", overlap " << overlap);
        for (const int level : {2, 3, 4}) {
            const TriMesh mesh = sphere_mesh(1 + gap, level);
            SearchedSurface sphere(mesh);
            const double sagitta = sagitta_of(mesh, 1 + gap);
            if (sagitta < gap) {
                EXPECT_LT(
                    deviation(sphere, gap, overlap, false), greatest_deviation(gap, overlap, sagitta, false) * 1.02);
            }
        }
    }
}

TEST(ConcaveSurface, AConeIsAsFirmAsASmoothOneBesideItsTip)
{
    RandomPoints random(52);
    for (const double slope : {0.3, 1.0, 3.0}) {
        SearchedSurface cone(cone_mesh(slope, 384, 4));
        const double steep = 1 / std::hypot(1, slope); // depth over height
        for (int trial = 0; trial < 30; ++trial) {
            const double overlap = random.number(0.01, 0.05), r = random.number(4, 8) * overlap;
            const double phi = random.number(0, 7);
            const Vec3 place(r * std::cos(phi), r * std::sin(phi), (1 - overlap) / steep + slope * r);
            const Vec3 n = steep * Vec3(-slope * std::cos(phi), -slope * std::sin(phi), 1);
            EXPECT_LT((cone.force(place, 1) - overlap * n).norm(), 0.04 * overlap);
        }
    }
}

/// The greatest jump of the force on a straight way: every stretch where it changes by more than a spring of 10/3 k
/// would let it is cut in halves until it does not, or is a jump.
double greatest_jump(SearchedSurface& surface, const Vec3& from, const Vec3& to, int steps)
{
    const auto force = [&](double t) { return surface.force(from + t * (to - from), 1); };
    const double length = (to - from).norm();
    double most = 0;
    Vec3 last = force(0);
    for (int i = 1; i <= steps; ++i) {
        double a = (i - 1.0) / steps, b = double(i) / steps;
        Vec3 at_a = last, at_b = force(b);
        last = at_b;
        while ((at_b - at_a).norm() > 3.5 * (b - a) * length && (b - a) * length > 1e-10) {
            const double middle = (a + b) / 2;
            const Vec3 there = force(middle);
            const bool first_half = (there - at_a).norm() > (at_b - there).norm();
            (first_half ? b : a) = middle;
            (first_half ? at_b : at_a) = there;
        }
        if ((b - a) * length <= 1e-10)
            most = std::max(most, (at_b - at_a).norm());
    }
    return most;
}

constexpr double none = 1e-8;

TEST(ConcaveSurface, ForceNeverJumpsWhereASmoothDentIsAPlane)
{
    for (const double gap : {0.02, 0.1, 1.0}) {
        for (const double ratio : {0.1, 0.3, 0.6}) {
            SCOPED_TRACE(testing::Message() << "gap " << gap << ", overlap " << ratio * gap);
            const double reach = (1 + ratio) * gap;
            for (const int sides : {24, 96}) {
                const double sagitta = (1 + gap) * (1 - std::cos(pi / sides));
                if (ratio * gap + sagitta > 0.66 * (gap - sagitta) || ratio * gap > 0.28)
                    continue;
                SearchedSurface pipe(pipe_mesh(1 + gap, sides, 0.4));
                EXPECT_LT(
                    greatest_jump(pipe, Vec3(reach, -0.3 * reach, 0.02), Vec3(reach, 0.3 * reach, 0.05), 1000), none);
            }
        }
    }
    SearchedSurface sphere(sphere_mesh(1.1, 3));
    for (const double reach : {0.11, 0.12, 0.14})
        EXPECT_LT(greatest_jump(sphere, reach * Vec3(0.9, -0.3, 0.1), reach * Vec3(0.8, 0.4, 0.3), 1000), none);
}

// What ends there is taken over by the neighbour across the fold, of that much another direction.
TEST(ConcaveSurface, ForceJumpsByLittleWhereAPushingContactEnds)
{
    const auto expect_little = [](SearchedSurface& surface, const Vec3& from, const Vec3& to, double overlap) {
        EXPECT_LT(greatest_jump(surface, from, to, 1000), 0.04 * overlap);
    };
    for (const double gap : {0.0, 0.02, 0.1}) {
        for (const double overlap : {0.01, 0.02, 0.05}) {
            SCOPED_TRACE(testing::Message() << "gap " << gap << ", overlap " << overlap);
            const double reach = gap + overlap;
            for (const int sides : {12, 24, 96}) {
                SearchedSurface pipe(pipe_mesh(1 + gap, sides, 0.4));
                expect_little(pipe, Vec3(reach, -0.3 * reach, 0.02), Vec3(reach, 0.3 * reach, 0.05), overlap);
            }
            for (const int level : {2, 3}) {
                SearchedSurface sphere(sphere_mesh(1 + gap, level));
                expect_little(sphere, reach * Vec3(0.9, -0.3, 0.1), reach * Vec3(0.8, 0.4, 0.3), overlap);
            }
        }
    }
    for (const double slope : {0.3, 1.0, 3.0})
        for (const int sides : {5, 24, 96}) {
            SearchedSurface cone(cone_mesh(slope, sides, 4));
            const double z = 0.98 * std::hypot(1, slope);
            expect_little(cone, Vec3(-0.03, 0.01, z), Vec3(0.03, 0.005, z), 0.02);
        }
}

TEST(ConcaveSurface, ForceIsTheGradientOfAnEnergy)
{
    RandomPoints random(53);
    constexpr double h = 1e-6;
    for (const double gap : {0.02, 0.3}) {
        SearchedSurface sphere(sphere_mesh(1 + gap, 2)), pipe(pipe_mesh(1 + gap, 30, 1.5)), cone(cone_mesh(1, 9, 4));
        for (int trial = 0; trial < 300; ++trial) {
            const Vec3 off = (gap + random.number(0, 0.05)) * random.direction();
            const auto compare = [&](SearchedSurface& surface, const Vec3& place, bool planar) {
                const Vec3 force = surface.force(place, 1);
                // of a normal that turns on a ridge, where it shares with another: of the order of d/R of the force
                const double turns = planar ? 0 : force.norm() * force.norm();
                for (int i = 0; i < 3; ++i) {
                    double up = 0, down = 0;
                    surface.force(place + h * Vec3::Unit(i), 1, &up);
                    surface.force(place - h * Vec3::Unit(i), 1, &down);
                    EXPECT_NEAR(force[i], (down - up) / (2 * h), 2 * h + turns);
                }
            };
            compare(sphere, off, false);
            compare(pipe, off, false);
            compare(cone, Vec3(0, 0, 0.98 * std::sqrt(2)) + 0.1 * off, true);
        }
    }
}

} // namespace
} // namespace stickslip::concave_surface_test
