#include "stickslip/contact/polyhedra/pair_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace stickslip::pair_features_test {
namespace {

constexpr double side = 0.2; // [m] of both cubes

const ConvexFeatures& cube()
{
    static const ConvexFeatures features = *convex_features(Box{Vec3::Constant(side)});
    return features;
}

/// A cube whose corner is at `corner` and whose edges lead from there along u, v and their cross product.
Frame cube_at_corner(const Vec3& corner, const Vec3& u, const Vec3& v)
{
    Mat3 R;
    R << u, v, u.cross(v);
    return {corner + 0.5 * side * R.rowwise().sum(), R};
}

PairMotion at_rest(const Frame& a, const Frame& b, double indentation)
{
    return {&cube(), &cube(), a, b, a, b, 0, 0, indentation};
}

/// The deepest crossing among the listed pairs of edges [m], both edges crossing between their ends; 0: none.
double deepest_crossing(const PairFeatures& features, const Frame& a, const Frame& b)
{
    double deepest = 0;
    for (const EdgePair& pair : features.edges()) {
        const EdgeCrossing at =
            crossing(edge_line(cube(), pair.edge_a, relative(b, a)), edge_line(cube(), pair.edge_b), pair.sigma);
        if (std::min(at.s, at.t) >= 0 && std::max(at.s, at.t) <= 1)
            deepest = std::max(deepest, at.d);
    }
    return deepest;
}

// The corner presses on the top of b by a quarter of a millimetre near its rim. The edge that leads up from it over the
// top crosses the line of the rim beyond the corner, 5 mm behind it. As the corner slides out over the rim and down,
// the edge goes through the rim.
TEST(PairFeatures, AnEdgeMeetsTheRimOverWhichItsVertexLeaves)
{
    const double slope = std::sqrt(0.5);
    const Mat3 lean = rotation_exp(Vec3(-0.2, 0, 0)); // only the corner touches
    const Vec3 inward = lean * Vec3(-slope, slope, 0), outward = lean * Vec3(0, 0, 1);
    const Frame b{Vec3::Zero(), Mat3::Identity()};
    const Frame old_a = cube_at_corner(Vec3(0.1 - 6.75e-3, 0.1 - 0.25e-3, 0), inward, outward);
    const Frame a{old_a.x + Vec3(0.04, -0.065, 0), old_a.R};
    const double depth = overlap(cube(), cube(), relative(b, a));
    ASSERT_GT(depth, 0.02);
    ASSERT_NEAR(overlap(cube(), cube(), relative(b, old_a)), 0.25e-3, 1e-9);

    PairFeatures features(at_rest(old_a, b, 0), {}, {});
    EXPECT_EQ(deepest_crossing(features, a, b), 0);
    EXPECT_TRUE(features.grow(a, b));
    EXPECT_NEAR(deepest_crossing(features, a, b), depth, 1e-9);
}

// An upright edge of b lies 15 mm behind the side of a, its upper end level with a's top. That corner cannot rest on
// the top, as b hangs down from it; so it does not take over what edge and rim hold.
TEST(PairFeatures, AnEdgeIsNotLeftToAVertexThatHangsDownFromTheLevelOfAFace)
{
    const Vec3 down = rotation_exp(Vec3(0.2, 0, 0)) * Vec3(0, -1, 0);
    const Vec3 across = down.cross(Vec3(1, 0, 0)), out = (Vec3(1, 0, 0) - across).normalized();
    const Frame a{Vec3::Zero(), Mat3::Identity()};
    const Frame b = cube_at_corner(Vec3(0.1 - 0.015, 0.1 + 1e-4, 0), down, out);
    const double depth = overlap(cube(), cube(), relative(b, a));
    ASSERT_NEAR(depth, 0.015, 1e-3);
    EXPECT_NEAR(deepest_crossing(PairFeatures(at_rest(a, b, 8e-3), {}, {}), a, b), depth, 1e-9);
}

const ConvexFeatures& card()
{
    static const ConvexFeatures features = *convex_features(Box{Vec3(0.06, 0.1, 0.001)});
    return features;
}

// The cube is above the card before and below it afterwards, where it touches by 10 um.
TEST(PairFeatures, MissWhatPassedThoughItTouchesAtTheEnd)
{
    constexpr double felt = 1e-5, beside = 0.5 * side + 0.5e-3;
    const Frame b{Vec3::Zero(), Mat3::Identity()}, above{Vec3(0, 0, beside + 1e-3), Mat3::Identity()},
        below{Vec3(0, 0, -beside + felt), Mat3::Identity()};
    const PairFeatures features({&cube(), &card(), above, b, below, b, 2 * beside, 0, 0}, {}, {});
    ASSERT_NEAR(overlap(cube(), card(), relative(below, b)), felt, 1e-9);
    EXPECT_GT(features.missed_depth(below, b, felt), 1e-3);
    const Frame still_above{Vec3(0, 0, beside - felt), Mat3::Identity()};
    EXPECT_EQ(features.missed_depth(still_above, b, felt), 0);
}

// A card stands on the cube and tips about its lower rim: the rim stays where it is, as it does on no straight way.
TEST(PairFeatures, MissNothingOfWhatTips)
{
    constexpr double angle = 0.5, felt = 1e-5;
    const Frame b{Vec3(0, -0.5 * side, 0), Mat3::Identity()};
    const Vec3 rim(0, -0.05, 0.5e-3);
    const Frame upright{-rim - Vec3(0, felt, 0), Mat3::Identity()};
    const Mat3 R = rotation_exp(Vec3(angle, 0, 0));
    const Frame tipped{upright.to_world(rim) - R * rim, R};
    const PairFeatures features({&card(), &cube(), upright, b, tipped, b, 0.1 * angle, 0, 0}, {}, {});
    ASSERT_NEAR(overlap(card(), cube(), relative(tipped, b)), felt, 1e-9);
    EXPECT_EQ(features.missed_depth(tipped, b, felt), 0);
    const Frame halfway{0.5 * (upright.x + tipped.x), rotation_exp(Vec3(0.5 * angle, 0, 0))};
    EXPECT_GT(overlap(card(), cube(), relative(halfway, b)), 1e-3) << "the test means nothing without";
}

// A card lies in a cube by 0.4 mm, anyhow turned. A face of the cube that a corner of the card is centimetres behind
// does not part them: a contact there would throw them apart.
TEST(PairFeatures, NoVertexMeetsAFaceThatItIsFarBehind)
{
    const ConvexFeatures card = *convex_features(Box{Vec3(0.19, 0.18, 0.016)});
    constexpr double overlapping = 0.4e-3;
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    const auto any = [&] { return Vec3(normal(random), normal(random), normal(random)); };
    int listed = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const Frame b{Vec3::Zero(), Mat3::Identity()};
        Frame a{Vec3::Zero(), rotation_exp(3 * any().normalized())};
        const Vec3 towards = any().normalized();
        double inside = 0, outside = 1;
        for (int i = 0; i < 50; ++i) {
            const double middle = 0.5 * (inside + outside);
            a.x = middle * towards;
            (overlap(cube(), card, relative(b, a)) > overlapping ? inside : outside) = middle;
        }
        PairMotion motion = at_rest(a, b, 0);
        motion.a = &card;
        const PairFeatures features(motion, {}, {});
        const auto check = [&](const auto& vertices, const ConvexFeatures& other) {
            for (const VertexOnFace& v : vertices) {
                EXPECT_GT(other.faces[v.face].distance(v.z_old), -1.5 * overlapping - 0.1 * card.thickness) << trial;
                ++listed;
            }
        };
        check(features.vertices_of_a(), cube());
        check(features.vertices_of_b(), card);
    }
    EXPECT_GT(listed, 1000);
}

} // namespace
} // namespace stickslip::pair_features_test
