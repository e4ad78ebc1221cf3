#include "support/boxes.h"
#include "support/contact_laws.h"

#include <map>

namespace stickslip::polyhedra_test {
namespace {

constexpr double stiffness = 1e4;

/// Two boxes of unlike form at random attitude, which go into one another in a step: the second is a rigid body or a
/// scripted obstacle.
struct Pair : ContactScene {
    std::vector<Vec3> way; // displacement and turn of each body in the step

    Pair(Random& random, double mu, bool is_scripted, double damping, const Vec3& size = Vec3(0.3, 0.2, 0.1))
        : ContactScene(mu, damping)
    {
        add(size, Vec3::Zero(), Quat(random.rotation()));
        add(Vec3(0.15, 0.25, 0.2), Vec3::Zero(), Quat(random.rotation()));
        const Vec3 direction = random.unit();
        // apart by a little, so that the step closes the gap
        double reach = 0.5;
        for (double low = 0; reach - low > 1e-4;) {
            const double middle = 0.5 * (low + reach);
            (overlap_at(middle * direction) > -1e-3 ? low : reach) = middle;
        }
        old[1].x = reach * direction;
        old[0].v = random.uniform(0.3, 1) * direction + random.vector(0.1);
        old[0].w = random.vector(0.3);
        way = {dt * old[0].v, dt * old[0].w, random.vector(1e-4), random.vector(1e-4)};
        if (is_scripted) {
            obstacles.push_back(
                {.name = "scripted", .solid = rigids[1].solid, .start = {old[1].x, old[1].R.toRotationMatrix()}});
            obstacles[0].surface_velocity = Vec3(0.1, 0.2, -0.1);
            rigids.pop_back();
            old.pop_back();
            way.resize(2);
        }
        law.automatic = {stiffness, is_scripted ? 0 : stiffness};
    }

    void add(const Vec3& size, const Vec3& x, const Quat& R)
    {
        rigids.push_back({.name = "box", .solid = Box{size}, .mass = 1, .inertia = 0.01 * Mat3::Identity()});
        const ConvexFeatures features = *convex_features(Box{size});
        for (const Vec3& vertex : features.vertices)
            rigids.back().samples.push_back({vertex, 1});
        old.push_back({.x = x, .R = R});
    }
    double overlap_at(const Vec3& x) const
    {
        const Mat3 R = old[0].R.toRotationMatrix();
        return overlap(*convex_features(rigids[0].solid), *convex_features(rigids[1].solid),
            {R.transpose() * x, R.transpose() * old[1].R.toRotationMatrix()});
    }
    /// q: from the start.
    void evaluate(ContactSet& contacts, const std::vector<Vec3>& q) const
    {
        ContactScene::evaluate(contacts, moved(at_rest(), 1, q));
    }
};

TEST(Polyhedra, DerivativesOfVerticesAndEdgesMatchDifferences)
{
    Random random(1);
    std::map<std::tuple<bool, bool, bool, bool>, int> compared; // edges, scripted, sticks, kept
    for (const double mu : {0.0, 0.3, infinity})
        for (int trial = 0; trial < 400; ++trial) {
            const bool is_scripted = trial % 3 == 0;
            const Pair s(random, mu, is_scripted, trial % 4 == 0 ? 0.02 : 0);
            ContactSet contacts(s.bodies());
            s.begin(contacts);
            std::vector<Vec3> q = s.way;
            s.evaluate(contacts, q);
            contacts.grow();
            if (trial % 2 == 0) {
                s.evaluate(contacts, q);
                s.begin(contacts, contacts.update_attachments());
                contacts.grow();
                q = moved(q, 1e-4, random.vectors(q.size()));
            }
            SCOPED_TRACE(testing::Message() << "mu " << mu << " trial " << trial);
            expect_derivatives(
                s, contacts, q, random.vectors(q.size()),
                {.step = 1e-8, .error = 1e-4, .relative = 1e-4}, // a zone may be no wider than the contact is deep
                [](const Contact& c) { return c.at.depth >= 1e-5; },
                [&](const Contact& c) {
                    ++compared[{c.at.slot > 0, is_scripted, c.at.sticks, trial % 2 == 0}];
                });
        }
    for (const bool edges : {false, true})
        for (const bool scripted : {false, true})
            for (const bool sticks : {false, true})
                for (const bool kept : {false, true})
                    EXPECT_GT((compared[{edges, scripted, sticks, kept}]), 5) << edges << scripted << sticks << kept;
}

TEST(Polyhedra, ForcesAndTorquesBalanceObeyTheConeAndPush)
{
    Random random(2);
    int edges = 0, vertices = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Pair s(random, 0.3, false, 0);
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.way);
        const ContactBlocks& blocks = contacts.blocks();
        expect_cone(blocks.contacts(), 0.3);
        for (const Contact& c : blocks.contacts()) {
            ASSERT_EQ(c.loaded, 4);
            const int p = c.point_body, q = c.surface_body;
            const Vec3 x = s.old[p].x + s.way[2 * p], y = s.old[q].x + s.way[2 * q];
            const Vec3 force = blocks.load(c, 0) + blocks.load(c, 2);
            const Vec3 torque =
                x.cross(blocks.load(c, 0)) + blocks.load(c, 1) + y.cross(blocks.load(c, 2)) + blocks.load(c, 3);
            EXPECT_LT(force.norm(), 1e-14 * c.j.norm());
            EXPECT_LT(torque.norm(), 1e-13 * c.j.norm());
            ++(c.at.slot > 0 ? edges : vertices);
        }
    }
    EXPECT_GT(edges, 50);
    EXPECT_GT(vertices, 50);
}

// Every touch of two boxes is by a vertex on a face or by two edges: what goes 2 mm in is felt, as deep as it is.
TEST(Polyhedra, WhatOverlapsIsFelt)
{
    Random random(3);
    int by_edges = 0, checked = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const Pair s(random, 0.3, false, 0);
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.way);
        contacts.grow();
        s.evaluate(contacts, s.way);
        Pair moved = s;
        for (int b = 0; b < 2; ++b)
            moved.old[b].R = Quat(rotation_exp(s.way[2 * b + 1])) * moved.old[b].R;
        const double deep = moved.overlap_at(s.old[1].x + s.way[2] - s.old[0].x - s.way[0]);
        if (deep < 1e-4)
            continue;
        double felt = 0;
        contacts.for_each_contact([&](const Contact& c) { felt = std::max(felt, c.at.depth); });
        EXPECT_GT(felt, 0.5 * deep) << "trial " << trial;
        bool all_edges = true;
        contacts.for_each_contact([&](const Contact& c) { all_edges = all_edges && c.at.slot > 0; });
        by_edges += all_edges;
        ++checked;
    }
    EXPECT_GT(checked, 500);
    EXPECT_GT(by_edges, 200);
}

// A box met the side of another 1.4 mm deep near its rim, then went in over the rim: the side parts the two no more.
TEST(Polyhedra, VerticesLetGoOfFacesThatTheSolidIsFarBehind)
{
    Random random(1);
    Pair s(random, 0.3, false, 0, Vec3::Constant(0.2));
    s.old[0] = {.x = Vec3(0.1744, -0.0236, 0.05), .R = Quat::Identity(), .v = Vec3(-1, 0, 0)};
    s.old[1] = {.x = Vec3::Zero(), .R = Quat::Identity()}; // 0.15 m x 0.25 m x 0.2 m
    s.way = {Pair::dt * s.old[0].v, Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    const ConvexFeatures own = *convex_features(s.rigids[0].solid), other = *convex_features(s.rigids[1].solid);
    const auto number_of = [](const auto& all, const auto& is_it) {
        return static_cast<int>(std::find_if(all.begin(), all.end(), is_it) - all.begin());
    };
    const int vertex = number_of(own.vertices, [](const Vec3& v) { return v.maxCoeff() < 0; });
    const int side = number_of(other.faces, [](const ConvexFeatures::Face& f) { return f.n.y() < -0.5; });
    ContactSet contacts(s.bodies());
    s.begin(contacts,
        {{.point_body = 0, .surface_body = 1, .point = vertex, .to = OnSolid{side, {0.0744, -0.125, -0.05}}}});
    s.evaluate(contacts, s.way);
    int of_vertex = 0;
    contacts.for_each_contact([&](const Contact& c) {
        if (c.point_body != 0 || c.at.slot != 0 || c.point != vertex)
            return;
        ++of_vertex;
        EXPECT_GT(other.faces[std::get<OnSolid>(c.at.to).patch].n.x(), 0.9);
        EXPECT_NEAR(c.at.depth, 0.0106, 1e-12);
    });
    EXPECT_EQ(of_vertex, 1);
}

// Within a step the force is one continuous function of where the bodies are: whatever changes most between two of 200
// places along a line changes as little as one likes on the way.
TEST(Polyhedra, NoForceJumpsAlongALine)
{
    Random random(5);
    int checked = 0;
    for (int trial = 0; trial < 150; ++trial) {
        const Pair s(random, 0.4, trial % 3 == 0, 0, trial % 2 == 0 ? Vec3(0.3, 0.2, 0.01) : Vec3(0.3, 0.03, 0.03));
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        const std::vector<Vec3> d = moved(s.way, 0.002, random.vectors(s.way.size()));
        const auto force = [&](double t) {
            s.evaluate(contacts, moved(std::vector<Vec3>(d.size(), Vec3::Zero()), t, d));
            std::vector<Vec3> f(d.size(), Vec3::Zero());
            contacts.add_force(f);
            return f;
        };
        const auto change = [](const std::vector<Vec3>& f, const std::vector<Vec3>& g) {
            double most = 0;
            for (std::size_t i = 0; i < f.size(); ++i)
                most = std::max(most, (f[i] - g[i]).norm());
            return most;
        };
        constexpr int samples = 200;
        double low = 0, most = 0;
        std::vector<Vec3> last = force(0);
        for (int i = 1; i <= samples; ++i) {
            const std::vector<Vec3> f = force(2.0 * i / samples);
            if (change(f, last) > most) {
                most = change(f, last);
                low = 2.0 * (i - 1) / samples;
            }
            last = f;
        }
        if (most == 0)
            continue;
        double high = low + 2.0 / samples;
        while (high - low > 1e-12) {
            const double middle = 0.5 * (low + high);
            const std::vector<Vec3> f = force(middle);
            (change(f, force(low)) > change(f, force(high)) ? high : low) = middle;
        }
        EXPECT_LT(change(force(low), force(high)), 1e-6 * stiffness * 0.01) << "trial " << trial << " at " << low;
        ++checked;
    }
    EXPECT_GT(checked, 100);
}

} // namespace
} // namespace stickslip::polyhedra_test
