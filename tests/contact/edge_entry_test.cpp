// Which edges can meet in a step, what their pairs weigh, and what they feel of their depth.
#include "stickslip/contact/edges/edge_contact.h"
#include "stickslip/contact/edges/edge_entry.h"

#include "support/boxes.h"

namespace stickslip::edge_entry_test {
namespace {

// Two boxes, the upper one turned by an angle about its lower edge, into the lower one or off it.
TEST(EdgeEntry, BetweenSolidsCountWholeWhereTheyLieFlush)
{
    const ConvexFeatures box = *convex_features(Box{Vec3::Constant(0.2)});
    const auto weight = [&](double sine) {
        SurfaceEdges a(convex_creases(box), box.vertices, 0.2), b(convex_creases(box), box.vertices, 0.2);
        const Mat3 yaw = rotation_exp(Vec3(0, 0.5, 0));
        const Mat3 R = yaw * rotation_exp(Vec3(std::asin(sine), 0, 0));
        const Frame upper{R * Vec3(0, 0.1, 0.1) - yaw * Vec3(0, 0, 0.1) + Vec3(0, 0.1, 0), R};
        a.begin_step(upper, upper);
        b.begin_step({Vec3::Zero(), Mat3::Identity()}, {Vec3::Zero(), Mat3::Identity()});
        double most = 0;
        for (std::size_t i = 0; i < a.edges().size(); ++i)
            for (std::size_t j = 0; j < b.edges().size(); ++j) {
                const auto entry = edge_entry(a, b, static_cast<int>(i), static_cast<int>(j), 0);
                const auto is_at = [&](const SurfaceEdges& body, std::size_t e, double y) {
                    const auto& [p, q] = body.edges()[e].ends;
                    return std::abs(body.old()[p].y() - y) < 1e-9 && std::abs(body.old()[q].y() - y) < 1e-9;
                };
                if (entry && is_at(a, i, 0.1) && is_at(b, j, 0.1))
                    most = std::max(most, entry->weight);
            }
        return most;
    };
    EXPECT_NEAR(weight(0), 1, 1e-9);
    EXPECT_NEAR(std::max(weight(0.1), weight(-0.1)), 1, 1e-9);
    EXPECT_NEAR(std::min(weight(0.1), weight(-0.1)), 0.5, 1e-9);
    EXPECT_EQ(std::min(weight(0.25), weight(-0.25)), 0);
}

// The plane between them was expected to cut a facet, and does not where they have crossed.
TEST(EdgeEntry, CountAsTheyLieWhereTheyHaveCrossed)
{
    const ConvexFeatures box = *convex_features(Box{Vec3::Constant(0.2)});
    SurfaceEdges a(convex_creases(box), box.vertices, 0.2), b(convex_creases(box), box.vertices, 0.2);
    const auto upper = [](double sine, double height) {
        const Mat3 yaw = rotation_exp(Vec3(0, 0.5, 0)), R = yaw * rotation_exp(Vec3(std::asin(sine), 0, 0));
        return Frame{R * Vec3(0, 0.1, 0.1) - yaw * Vec3(0, 0, 0.1) + Vec3(0, 0.1 + height, 0), R};
    };
    int all_grown = 0;
    for (const double side : {-1, 1}) {
        a.begin_step(upper(0.19 * side, 0.001), upper(0.19 * side, -0.001));
        b.begin_step({Vec3::Zero(), Mat3::Identity()}, {Vec3::Zero(), Mat3::Identity()});
        std::vector<EdgeEntry> entries;
        find_edge_entries(a, b, {}, 0, 0.05, 0, entries);
        const std::vector<EdgeEntry> before = entries;
        a.predict(upper(0.01 * side, -0.001));
        const bool grows = grow_edge_entries(a, b, 0, entries);
        int grown = 0;
        for (const EdgeEntry& e : entries)
            for (const EdgeEntry& f : before)
                if (e.a == f.a && e.b == f.b && e.weight > f.weight) {
                    EXPECT_GT(e.weight, 0.9);
                    EXPECT_EQ(e.sigma, f.sigma);
                    grown += f.weight < 0.05;
                }
        EXPECT_TRUE(grows || grown == 0);
        all_grown += grown;
        EXPECT_FALSE(grow_edge_entries(a, b, 0, entries));
    }
    EXPECT_GT(all_grown, 0);
}

// A weight that has grown since adds nothing to what the spring holds.
TEST(EdgeEntry, StartAStepWithTheEnergyThatTheyHold)
{
    constexpr double k = 1e6, d = 2e-3, tau = 3e-4;
    const PlacedEdge a{.ends = {Vec3(0, -d, -0.1), Vec3(0, -d, 0.1)}, .body = {}, .goes_on = {}},
        b{.ends = {Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0)}, .body = {}, .goes_on = {}};
    const auto unfelt = [&](double weight, double energy) {
        Attachment kept{0, 1, 0, 0, OnEdges{0.5 + tau / 0.2, 0.5, 1}};
        kept.energy = energy;
        const EdgeEntry entry{0, 0, 1, weight, d, 0.5, 0.5, SpringStart::empty(d), 0.02, 0.005, &kept};
        return d - edge_spring_at_start(a, b, entry, k).felt;
    };
    const double whole = 0.5 * k * 0.3 * (d * d + tau * tau);
    EXPECT_NEAR(unfelt(0.3, whole), 0, 1e-12);
    EXPECT_EQ(unfelt(0.2, whole), 0); // less weight: the whole depth is felt
    for (const double weight : {0.4, 0.7, 1.0}) {
        const double felt = d - unfelt(weight, whole);
        EXPECT_GT(felt, 0);
        EXPECT_LT(felt, d);
        EXPECT_NEAR(0.5 * k * weight * felt * felt * (1 + tau * tau / (d * d)), whole, 1e-9 * whole);
    }
}

} // namespace
} // namespace stickslip::edge_entry_test
