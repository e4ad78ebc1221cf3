#include "ball_on_block.h"

#include <gtest/gtest.h>

#include <numbers>

namespace stickslip::zones_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A sheet folded along z by an angle (negative: convex seen from above), with a ball above the fold.
struct Folded {
    BallOnBlock scene;

    /// uneven: nodes are that far from where they would be, so that no other fold is none.
    Folded(double fold, double mu, double damping, double uneven, Random& random)
        : scene(sheet, shaken(nodes(fold), uneven, random), mu, damping, EdgeRule::zones)
    {
    }
    /// `depth` deep at the fold, seen from there at `angle` from upright.
    Vec3 place(double angle, double z, double depth) const
    {
        return Vec3(0, 0.01, z) + (ball_radius - depth) * Vec3(std::sin(angle), std::cos(angle), 0);
    }

private:
    static std::vector<Vec3> nodes(double fold)
    {
        std::vector<Vec3> x = sheet.nodes;
        for (Vec3& p : x)
            p.y() += std::tan(0.5 * fold) * std::abs(p.x());
        return x;
    }
};

// f1 and f2 of a convex fold change from blue to red where the ball is straight above the other; at a vertex the
// nearest of the fan goes from the fold onto a facet there. On a concave one both are green, and the fan's nearest
// facet changes in the middle, where it jumps.
TEST(Zones, DerivativesMatchDifferencesOnBothSidesOfEachBorder)
{
    Random random(11);
    std::array<int, 3> far{}; // by the number of far nodes
    int sticking = 0, slipping = 0, switched = 0;
    for (const double fold : {-70.0, -30.0, -5.0, -0.5, 0.5, 5.0, 30.0, 70.0})
        for (const bool at_vertex : {false, true})
            for (const double border : {-0.5, 0.0, 0.5})
                for (const double beside : {-0.05, -1e-3, 1e-3, 0.05})
                    for (int trial = 0; trial < 6; ++trial) {
                        SCOPED_TRACE(testing::Message() << "fold " << fold << " vertex " << at_vertex << " border "
                                                        << border << " beside " << beside << " trial " << trial);
                        Folded s(fold * degree, trial % 3 == 0 ? 0.05 : 0.8, trial % 2 == 0 ? 0 : 0.02, 1e-5, random);
                        const Vec3 place = s.place(border * fold * degree + beside,
                            at_vertex ? random.uniform(-0.01, 0.01) : random.uniform(0.03, 0.07), 0.003);
                        ContactSet contacts(s.scene.bodies());
                        s.scene.put_ball(place + random.vector(1e-3));
                        s.scene.begin(contacts);
                        if (trial > 2) { // with what it keeps from a step before
                            s.scene.evaluate(contacts, s.scene.at_rest());
                            s.scene.begin(contacts, contacts.update_attachments());
                        }
                        std::vector<Vec3> q = s.scene.at_rest();
                        q.back() = random.vector(0.01);
                        const Mat3 R = rotation_exp(q.back()) * s.scene.old[0].R.toRotationMatrix();
                        q[s.scene.x_old.size()] = place - R * s.scene.rigids[0].rounds[0].centre;
                        const std::vector<Vec3> d = random.vectors(q.size());
                        const LoadsBeside loads(s.scene, contacts, q, d, 1e-9); // a fold that turns over has a kink
                        EXPECT_GT(contacts.count(), 0u);
                        expect_balance(contacts, q);
                        for (const Contact& c : contacts.blocks().contacts()) {
                            if (!is_deep(c) || !loads.same_branch(c)) {
                                ++switched;
                                continue;
                            }
                            loads.expect_derivatives(c, 1e-5 * stiffness);
                            ++(c.at.sticks ? sticking : slipping);
                            if (c.derivatives >= 0)
                                ++far[c.count - c.loaded];
                        }
                    }
    for (const int count : far)
        EXPECT_GT(count, 100);
    EXPECT_GT(sticking, 300);
    EXPECT_GT(slipping, 300);
    EXPECT_LT(switched, 300);
}

TEST(Zones, NoForceJumpsWhereABallRollsOverAConvexFold)
{
    Random random(12);
    for (const double fold : {-70.0, -5.0, 0.0})
        for (const double z : {0.05, 0.0}) { // over an edge, over a vertex
            SCOPED_TRACE(testing::Message() << "fold " << fold << " z " << z);
            Folded s(fold * degree, 0, 0, 0, random);
            s.scene.put_ball(s.place(0, z, -0.01));
            ContactSet contacts(s.scene.bodies());
            s.scene.begin(contacts);
            std::vector<Vec3> q = s.scene.at_rest();
            const std::size_t ball = s.scene.x_old.size();
            Vec3 last = Vec3::Zero();
            double largest = 0, most = 0;
            constexpr int places = 800; // 2.6e-3 rad each
            for (int i = 0; i <= places; ++i) {
                const double angle = (2.0 * i / places - 1) * 60 * degree;
                q[ball] = s.scene.old[0].x + s.place(angle, z, 0.003) - s.place(0, z, -0.01);
                const std::vector<Vec3> f = s.scene.forces(contacts, q);
                if (i > 0)
                    largest = std::max(largest, (f[ball] - last).norm());
                last = f[ball];
                most = std::max(most, last.norm());
            }
            EXPECT_GT(most, 0.003 * stiffness * 0.99);
            EXPECT_LT(largest, 2e-2 * most); // less and less with finer places
        }
}

} // namespace
} // namespace stickslip::zones_test
