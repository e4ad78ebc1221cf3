#include "ball_on_block.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <set>

namespace stickslip::soft_surface_test {
namespace {

using Scene = BallOnBlock;

/// On what of its facet a contact is.
TriangleFeature feature_of(std::span<const StencilBlock> stencil)
{
    const auto nodes = stencil.subspan(2, 3);
    const auto zeros =
        std::count_if(nodes.begin(), nodes.end(), [](const StencilBlock& s) { return std::abs(s.lever(0, 0)) < 1e-9; });
    return zeros == 0 ? TriangleFeature::face : zeros == 1 ? TriangleFeature::edge : TriangleFeature::vertex;
}

/// Whether other places of the ball take a part of its force.
bool is_shared(const Contact& c, const ContactBodies& bodies)
{
    return c.at.share < 1 || c.k < c.at.stiffness_scale * bodies.stiffness(c.point_body, c.surface_body, c.point);
}

TEST(SoftSurface, DerivativesMatchDifferencesOnEveryFeature)
{
    Random random(3);
    std::map<std::tuple<TriangleFeature, bool, bool>, int> compared; // feature, sticks, kept
    int handed_over = 0, switched = 0, shared = 0;
    std::array<int, 3> far{}; // by the number of far nodes
    for (const double mu : {0.05, 0.5, infinity})
        for (const TriangleFeature kind : {TriangleFeature::face, TriangleFeature::edge, TriangleFeature::vertex})
            for (int trial = 0; trial < 80; ++trial) {
                Scene s(block, shaken(block.nodes, 0.02, random), mu, trial % 4 == 0 ? 0.02 : 0, rule_of(trial));
                const TriangulatedSurface surface = s.surface();
                const int facet = trial % static_cast<int>(surface.topology.facets.size());
                s.put_ball(over_feature(surface, facet, kind, random.uniform(-0.002, 0.003), random));
                ContactSet contacts(s.bodies());
                s.begin(contacts);
                std::vector<Vec3> q = s.at_rest();
                std::vector<Attachment> kept;
                if (trial % 2 == 0) {
                    s.evaluate(contacts, moved(q, 1, random.vectors(q.size(), 0.002)));
                    kept = contacts.update_attachments();
                    if (trial % 4 == 2) // it rolls on to another facet
                        s.put_ball(over_feature(surface, facet, kind, 0.002, random));
                    s.begin(contacts, kept);
                    q = s.at_rest();
                }
                q = moved(q, 1, random.vectors(q.size(), 0.003));
                const std::vector<Vec3> d = random.vectors(q.size());
                const LoadsBeside beside(s, contacts, q, d, 1e-7);
                if (!beside.same_branches()) {
                    ++switched;
                    continue;
                }
                SCOPED_TRACE(
                    testing::Message() << "mu " << mu << " kind " << static_cast<int>(kind) << " trial " << trial);
                for (const Contact& c : contacts.blocks().contacts()) {
                    if (!is_deep(c))
                        continue;
                    // of the unshared stiffness, not of c.k: as a share goes to 0 its slope, and with it the error of
                    // the difference, does not shrink in proportion
                    beside.expect_derivatives(c, 5e-6 * stiffness);
                    ++compared[{feature_of(contacts.blocks().stencil(c)), c.at.sticks, !kept.empty()}];
                    shared += is_shared(c, s.bodies());
                    if (rule_of(trial) == EdgeRule::zones)
                        ++far[c.count - c.loaded];
                    handed_over += !kept.empty() && numbers(kept.front().to).piece != numbers(c.at.to).piece;
                }
            }
    for (const TriangleFeature kind : {TriangleFeature::face, TriangleFeature::edge, TriangleFeature::vertex})
        for (const bool sticks : {false, true})
            for (const bool kept : {false, true}) {
                EXPECT_GT((compared[{kind, sticks, kept}]), 5) << static_cast<int>(kind) << sticks << kept;
            }
    EXPECT_GT(handed_over, 20);
    EXPECT_GT(shared, 50);
    EXPECT_GT(far[0], 50);
    EXPECT_GT(far[1] + far[2], 20); // more of them in zones_test.cpp
    EXPECT_LT(switched, 400);
}

TEST(SoftSurface, TransposedProductMatchesThePlainOneAndContactsBalance)
{
    Random random(4);
    std::size_t checked = 0;
    for (int trial = 0; trial < 60; ++trial) {
        Scene s(block, shaken(block.nodes, 0.02, random), 0.3, trial % 2 == 0 ? 0 : 0.02, rule_of(trial));
        s.put_ball(over_feature(s.surface(), trial, static_cast<TriangleFeature>(trial % 3), 0.002, random));
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        std::vector<Vec3> q = s.at_rest();
        q = moved(q, 1, random.vectors(q.size(), 0.003));
        s.evaluate(contacts, q);
        expect_products(contacts, q.size(), random);
        expect_balance(contacts, q);
        checked += contacts.count();
    }
    EXPECT_GT(checked, 30u);
}

// What is fixed or scripted has no blocks: the nodes' share is that of a free ball that goes the same way.
TEST(SoftSurface, AScriptedBallLoadsTheNodesAsAFreeOneDoes)
{
    Random random(11);
    std::size_t checked = 0;
    for (int trial = 0; trial < 60; ++trial) {
        Scene s(block, shaken(block.nodes, 0.02, random), 0.3, trial % 2 == 0 ? 0 : 0.02, rule_of(trial));
        s.put_ball(over_feature(s.surface(), trial, static_cast<TriangleFeature>(trial % 3), 0.002, random));
        std::vector<Vec3> q = s.at_rest();
        q = moved(q, 1, random.vectors(q.size(), 0.003));
        Scene scripted = s;
        scripted.obstacles.push_back({.name = "ball",
            .solid =
                OpenSurface{{Vec3::Constant(-2 * ball_radius), Vec3::Constant(2 * ball_radius)}}}); // no node meets it
        Obstacle& ball = scripted.obstacles[0];
        ball.start = {s.old[0].x, s.old[0].R.toRotationMatrix()};
        ball.motion = {.velocity = (q[q.size() - 2] - s.old[0].x) / dt, .angular_velocity = q.back() / dt};
        ball.patch_points.balls = s.rigids[0].rounds;
        scripted.rigids.clear();
        scripted.old.clear();

        std::vector<Vec3> d = random.vectors(q.size());
        d[q.size() - 2] = d.back() = Vec3::Zero();
        std::vector<Vec3> f(q.size(), Vec3::Zero()), Hd = f, Htd = f, f2 = f, Hd2 = f, Htd2 = f;
        ContactSet free(s.bodies()), contacts(scripted.bodies());
        s.begin(free);
        scripted.begin(contacts);
        s.evaluate(free, q);
        free.add_force(f);
        free.add_force_differential(d, Hd, false);
        free.add_force_differential(d, Htd, true);
        contacts.evaluate(std::span(q).first(s.x_old.size()), {});
        contacts.add_force(f2);
        contacts.add_force_differential(d, Hd2, false);
        contacts.add_force_differential(d, Htd2, true);
        ASSERT_EQ(contacts.count(), free.count());
        for (std::size_t i = 0; i + 2 < q.size(); ++i) {
            EXPECT_LE((f2[i] - f[i]).norm(), 1e-9);
            EXPECT_LE((Hd2[i] - Hd[i]).norm(), 1e-9 * stiffness);
            EXPECT_LE((Htd2[i] - Htd[i]).norm(), 1e-9 * stiffness);
        }
        for (const Contact& c : contacts.blocks().contacts()) { // what the script does: the way of the ball at Z
            const Vec3 way = q[q.size() - 2] - s.old[0].x, arm = c.Z - q[q.size() - 2];
            EXPECT_LE((contacts.scripted_way(c) + way + q.back().cross(arm)).norm(), 1e-12);
        }
        checked += contacts.count();
    }
    EXPECT_GT(checked, 30u);
}

TEST(SoftSurface, ConvexNeighbourHoldsAndHasNoDirectionThatPushes)
{
    Random random(8);
    int checked = 0;
    for (int trial = 0; trial < 30; ++trial) {
        Scene s(block, shaken(block.nodes, 0.02, random), trial % 2 == 0 ? 0.05 : 0.6);
        s.put_ball(over_feature(s.surface(), trial, static_cast<TriangleFeature>(trial % 3), 0.002, random));
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        std::vector<Vec3> q = s.at_rest();
        s.evaluate(contacts, moved(q, 1, random.vectors(q.size(), 0.001)));
        for (const Contact& c : contacts.blocks().contacts()) {
            Eigen::MatrixXd C(3 * c.loaded, 3 * c.loaded);
            for (int a = 0; a < c.loaded; ++a)
                for (int b = 0; b < c.loaded; ++b)
                    C.block<3, 3>(3 * a, 3 * b) = contacts.blocks().convex_block(c, a, b);
            EXPECT_LT((C - C.transpose()).norm(), 1e-14 * C.norm());
            const Eigen::VectorXd ways = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(C).eigenvalues();
            EXPECT_LT(ways.maxCoeff(), 1e-12 * c.k);
            EXPECT_LT(ways.minCoeff(), -c.k);
            ++checked;
        }
    }
    EXPECT_GT(checked, 20);
}

bool shares(const ContactSet& contacts, const ContactBodies& bodies)
{
    const auto all = contacts.blocks().contacts();
    return std::any_of(all.begin(), all.end(), [&](const Contact& c) { return is_shared(c, bodies); });
}

/// Whether one comes in beside others, some of which there were: it may take over from them.
bool comes_beside(const ContactSet& contacts, const std::vector<Attachment>& kept)
{
    bool any = false;
    contacts.for_each_contact([&](const Contact& c) {
        any = any || std::none_of(kept.begin(), kept.end(), [&](const Attachment& a) {
            return numbers(a.to).piece == numbers(c.at.to).piece;
        });
    });
    return any && !kept.empty() && contacts.count() > 1;
}

TEST(SoftSurface, OneThatStandsStillIsThatOfARigidBodyFromOutside)
{
    Random random(5);
    int compared = 0, shared = 0;
    for (int trial = 0; trial < 150; ++trial) {
        const EdgeRule rule = rule_of(trial);
        Scene soft(
            block, shaken(block.nodes, 0.02, random), trial % 3 == 0 ? 0.05 : 0.6, trial % 4 == 0 ? 0.02 : 0, rule);
        soft.put_ball(over_feature(soft.surface(), trial % 96, static_cast<TriangleFeature>(trial % 3), 0.001, random));
        Scene rigid = soft;
        rigid.soft = {};
        rigid.x_old.clear();
        rigid.law.automatic = {stiffness, 0};
        rigid.obstacles.push_back({.name = "block", .solid = OpenSurface{}, .start = {}, .motion = {}, .samples = {}});
        TriMesh mesh;
        for (const int node : soft.soft.surface_nodes)
            mesh.vertices.push_back(soft.x_old[node]);
        mesh.triangles = soft.soft.bodies[0].surface->topology.facets;
        rigid.obstacles.back().solid = OpenSurface{bounds(mesh.vertices)};
        auto surface = std::make_shared<TriangulatedSurface>(mesh, rule, EdgeTopologyOptions{.weld_tolerance = -1});
        surface->topology.patch = soft.soft.bodies[0].surface->topology.patch; // of the block at rest, not as shaken
        rigid.obstacles.back().triangles = surface;
        ContactSet on_soft(soft.bodies()), on_rigid(rigid.bodies());
        std::vector<Attachment> kept_soft, kept_rigid;
        for (int step = 0; step < 3; ++step) {
            soft.begin(on_soft, kept_soft);
            rigid.begin(on_rigid, kept_rigid);
            const Vec3 way = random.vector(0.002); // without a turn: it would roll about the facets' sides
            std::vector<Vec3> q = soft.at_rest();
            q[soft.x_old.size()] += way;
            soft.evaluate(on_soft, q);
            rigid.evaluate(on_rigid, {rigid.old[0].x + way, Vec3::Zero()});
            const bool hands_on = comes_beside(on_soft, kept_soft);
            kept_soft = on_soft.update_attachments();
            kept_rigid = on_rigid.update_attachments();
            const auto a = loads_by_slot(on_soft), b = loads_by_slot(on_rigid);
            if (rule == EdgeRule::smooth
                && (shares(on_soft, soft.bodies()) || shares(on_rigid, rigid.bodies()) || hands_on
                    || b.size() < a.size())) { // each by a law of its own
                ++shared;
                break;
            }
            ASSERT_EQ(a.size(), b.size()) << "trial " << trial;
            for (const auto& [slot, loads] : a) {
                EXPECT_LT((loads.load[0] - b.at(slot).load[0]).norm(), 1e-9) << "trial " << trial << " step " << step;
                ++compared;
            }
            soft.old[0].x = rigid.old[0].x = soft.old[0].x + way;
        }
    }
    EXPECT_GT(compared, 200);
    EXPECT_LT(shared, 75);
}

/// Of the force on the ball.
struct ForceOnAWay {
    double largest_change = 0, most = 0; // [N] from one place to the next
};

// The ball goes straight by `way` [m], in so many places; look() is called at each.
template <typename Look>
ForceOnAWay force_on_a_way(Scene& s, ContactSet& contacts, const Vec3& way, int places, const Look& look)
{
    std::vector<Vec3> q = s.at_rest();
    const std::size_t ball = s.x_old.size();
    const Vec3 start = q[ball];
    Vec3 last = Vec3::Zero();
    ForceOnAWay force;
    for (int i = 0; i <= places; ++i) {
        q[ball] = start + static_cast<double>(i) / places * way;
        const std::vector<Vec3> f = s.forces(contacts, q);
        if (i > 0)
            force.largest_change = std::max(force.largest_change, (f[ball] - last).norm());
        last = f[ball];
        force.most = std::max(force.most, last.norm());
        look();
    }
    return force;
}

/// Nodes of the sheet, bent to a trough of one fold [degrees] along z.
std::vector<Vec3> trough(double fold)
{
    const double slope = std::tan(0.5 * fold * std::numbers::pi / 180);
    std::vector<Vec3> x = sheet.nodes;
    for (Vec3& p : x)
        p.y() += slope * std::abs(p.x());
    return x;
}

TEST(SoftSurface, NoForceJumpsWhereABallGoesThroughADent)
{
    // angles that merging would once have made a jump of
    for (const double fold : {0.2, 1.0, 4.0, 12.0}) {
        SCOPED_TRACE(fold);
        Scene s(sheet, trough(fold), 0.3);
        s.put_ball(Vec3(-0.004, 0.01 + ball_radius * 0.99, 0.03));
        ContactSet contacts(s.bodies());
        s.begin_attached(contacts, s.at_rest());
        std::set<int> facets;
        const ForceOnAWay force = force_on_a_way(s, contacts, 0.008 * Vec3::UnitX(), 20000, // 0.4 um each
            [&] { contacts.for_each_contact([&](const Contact& c) { facets.insert(numbers(c.at.to).piece); }); });
        EXPECT_GE(facets.size(), 2u) << "it goes over the fold";
        EXPECT_LT(force.largest_change, 5e-3 * force.most); // less and less with finer places
    }
}

TEST(SoftSurface, NoFrictionJumpsWhereAContactEndsBesideAnother)
{
    for (const double fold : {0.2, 1.0, 4.0, 12.0}) {
        SCOPED_TRACE(fold);
        Scene s(sheet, trough(fold), 2);
        s.put_ball(Vec3(0, 0.01 + ball_radius * 0.99, 0.03));
        ContactSet contacts(s.bodies());
        s.begin_attached(contacts, s.at_rest());
        const Vec3 along = 0.2 * 0.01 * ball_radius * Vec3::UnitZ(); // both feet are dragged along the fold
        std::vector<Vec3> q = s.at_rest();
        q[s.x_old.size()] += along;
        s.evaluate(contacts, q);
        ASSERT_EQ(contacts.count(), 2u);
        const std::vector<Attachment> kept = contacts.update_attachments();
        s.old[0].x += along;
        s.begin(contacts, kept);
        std::size_t fewest = 2;
        const ForceOnAWay force = force_on_a_way(
            s, contacts, 0.016 * Vec3::UnitX(), 40000, [&] { fewest = std::min(fewest, contacts.count()); });
        EXPECT_EQ(fewest, 1u) << "one of them ends";
        EXPECT_LT(force.largest_change, 5e-3 * force.most);
    }
}

TEST(SoftSurface, NoForceJumpsWhereSeveralPlacesOfADentTouchABall)
{
    // a sheet bent to a bowl, as something round presses it
    static const TetMesh fine = tetrahedralize(Box{Vec3(0.4, 0.02, 0.4)}, 0.05);
    const auto height = [](const Vec3& p) { return 1.2 * p.x() * p.x() + 0.5 * p.z() * p.z(); };
    Random random(9);
    std::size_t most_places = 0;
    for (int way = 0; way < 20; ++way) {
        SCOPED_TRACE(way);
        std::vector<Vec3> x = fine.nodes;
        for (Vec3& p : x)
            p.y() += height(p) + random.uniform(-2e-4, 2e-4);
        Scene s(fine, x, 0.3);
        const Vec3 along = rotation_exp(random.uniform(0, 6) * Vec3::UnitY()) * Vec3::UnitX();
        const Vec3 from(random.uniform(-0.05, 0.05), 0, random.uniform(-0.05, 0.05));
        s.put_ball(from + (height(from) + 0.01 + 0.99 * ball_radius) * Vec3::UnitY());
        ContactSet contacts(s.bodies());
        s.begin_attached(contacts, s.at_rest());
        const ForceOnAWay force = force_on_a_way(s, contacts, 0.01 * along, 10000, // 1 um each
            [&] { most_places = std::max(most_places, contacts.count()); });
        EXPECT_LT(force.largest_change, 0.02 * force.most);
    }
    EXPECT_GE(most_places, 3u);
}

TEST(SoftSurface, WhatRidesOnItDoesNotSlip)
{
    Random random(6);
    int compared = 0;
    for (int trial = 0; trial < 60; ++trial) {
        Scene s(block, shaken(block.nodes, 0.02, random), 0.3);
        s.put_ball(over_feature(s.surface(), trial, static_cast<TriangleFeature>(trial % 3), 0.001, random));
        ContactSet contacts(s.bodies());
        std::vector<Vec3> q = s.at_rest();
        s.begin_attached(contacts, moved(q, 1, random.vectors(q.size(), 0.0005)));
        // all goes round together, the ball with what it stands on: also fast
        const Vec3 turn = random.vector(trial % 2 == 0 ? 0.01 : 0.15), way = random.vector(1);
        const Mat3 Q = rotation_exp(turn);
        s.evaluate(contacts, q);
        const auto before = loads_by_slot(contacts);
        const std::vector<Attachment> unmoved = contacts.update_attachments();
        for (Vec3& x : q)
            x = Q * x + way;
        q.back() = turn;
        s.evaluate(contacts, q);
        const auto after = loads_by_slot(contacts);
        ASSERT_EQ(before.size(), after.size());
        // the facet's turn is taken from its sine, by a series that ends
        const double tolerance = turn.norm() < 0.02 ? 1e-13 : 1e-7;
        for (const auto& [slot, loads] : after) {
            if (loads.branch.second != before.at(slot).branch.second)
                continue; // on an edge or vertex round-off names the facet
            ++compared;
            for (int b = 0; b < 5; ++b)
                EXPECT_LT((loads.load[b] - Q * before.at(slot).load[b]).norm(), 300 * tolerance)
                    << "trial " << trial << " block " << b;
        }
        for (const Attachment& a : contacts.update_attachments())
            for (const Attachment& b : unmoved)
                if (a.slot == b.slot && a.rolling_on_facet().facet == b.rolling_on_facet().facet) {
                    EXPECT_LT((a.rolling_on_facet().xi - b.rolling_on_facet().xi).norm(), tolerance);
                }
    }
    EXPECT_GT(compared, 30);
}

TEST(SoftSurface, WhatHasGoneInOrThroughASheetIsPushedBack)
{
    Scene s(sheet, sheet.nodes, 0.3);
    ContactSet contacts(s.bodies());
    for (const double side : {1.0, -1.0})
        for (const double depth : {0.001, 0.05, ball_radius, 1.1 * ball_radius, 1.5 * ball_radius, 4 * ball_radius}) {
            SCOPED_TRACE(testing::Message() << "side " << side << " depth " << depth);
            s.put_ball(Vec3(0.11, side * (0.01 + 1.1 * ball_radius), 0.07));
            s.begin(contacts);
            std::vector<Vec3> q = s.at_rest();
            const std::size_t ball = s.x_old.size();
            q[ball].y() -= side * (0.1 * ball_radius + depth);
            s.evaluate(contacts, q);
            ASSERT_EQ(contacts.count(), 1u);
            contacts.for_each_contact([&](const Contact& c) {
                EXPECT_NEAR(c.at.depth, depth, 1e-12);
                EXPECT_NEAR(-side * c.j.y(), c.k * depth, 1e-9 * c.k);
            });
            // and what ends there knows which side it belongs to
            s.old[0].x = q[ball];
            s.begin(contacts, contacts.update_attachments());
            s.evaluate(contacts, s.at_rest());
            ASSERT_EQ(contacts.count(), 1u);
            contacts.for_each_contact([&](const Contact& c) { EXPECT_NEAR(c.at.depth, depth, 1e-12); });
        }
}

TEST(SoftSurface, OneThatFliesThroughAFarSheetIsPushedBack)
{
    TetMesh two = sheet;
    for (const Vec3& X : sheet.nodes)
        two.nodes.push_back(X + Vec3(0, 0.5, 0));
    for (Tetrahedron t : sheet.tets) {
        for (int& node : t)
            node += static_cast<int>(sheet.nodes.size());
        two.tets.push_back(t);
    }
    Scene s(two, two.nodes, 0.3);
    ContactSet contacts(s.bodies());
    for (const bool attached : {false, true}) {
        s.put_ball(Vec3(0.11, 0.01 + (attached ? 0.99 : 1.01) * ball_radius, 0.07));
        s.begin(contacts);
        s.evaluate(contacts, s.at_rest());
        ASSERT_EQ(contacts.count(), attached ? 1u : 0u);
        s.begin(contacts, contacts.update_attachments());
        std::vector<Vec3> q = s.at_rest();
        q[s.x_old.size()].y() += 0.45;
        s.evaluate(contacts, q);
        ASSERT_EQ(contacts.count(), 1u);
        contacts.for_each_contact([&](const Contact& c) {
            EXPECT_NEAR(c.at.n.y(), -1, 1e-12);
            EXPECT_NEAR(c.at.depth,
                q[s.x_old.size()].y() + (s.old[0].R * s.rigids[0].rounds[0].centre).y() + ball_radius - 0.49, 1e-12);
        });
    }
}

TEST(SoftSurface, OneThatFliesPastTheRimOfASheetIsFree)
{
    Scene s(sheet, sheet.nodes, 0.3);
    ContactSet contacts(s.bodies());
    s.put_ball(Vec3(0.4 + 1.01 * ball_radius, 0.5 * ball_radius, 0.1));
    s.begin(contacts);
    std::vector<Vec3> q = s.at_rest();
    q[s.x_old.size()].y() -= ball_radius;
    s.evaluate(contacts, q);
    EXPECT_EQ(contacts.count(), 0u);
}

TEST(SoftSurface, SpheresMeetItByItsTrianglesAlone)
{
    Scene s(sheet, sheet.nodes, 0.3);
    EXPECT_TRUE(s.bodies().is_pair(1, 0));
    EXPECT_FALSE(s.bodies().is_pair(0, 1));
    s.rigids[0].samples = {{Vec3::Zero(), 1}};
    EXPECT_FALSE(s.bodies().is_pair(1, 0)) << "what is no sphere is met by the nodes";
    EXPECT_TRUE(s.bodies().is_pair(0, 1));
}

} // namespace
} // namespace stickslip::soft_surface_test
