#include "stickslip/bodies/round_shapes.h"
#include "stickslip/contact/contact_set.h"

#include "support/numeric.h"

#include <gtest/gtest.h>

namespace stickslip::round_obstacle_test {
namespace {

constexpr double dt = 0.01;

/// Something round, a rigid body or an obstacle that moves as that would, and a rigid solid that it meets.
struct Scene {
    DeformableSet none;
    std::vector<RigidBody> rigids;
    std::vector<Obstacle> obstacles;
    std::vector<RigidState> old; // of the rigid bodies
    ContactLaw law;
    Vec3 way, turn; // of the round one in the step

    Scene(const Primitive& shape, bool obstacle, const LevelSet& solid, const RigidState& at, const Vec3& v,
        const Vec3& phi)
        : way(v)
        , turn(phi)
    {
        rigids.push_back({.name = "solid", .solid = solid, .mass = 1, .inertia = Mat3::Identity()});
        old.push_back({});
        const LevelSet surface = std::visit([](const auto& s) -> LevelSet { return s; }, shape);
        if (obstacle) {
            const Mat3 R = at.R.toRotationMatrix();
            ScriptedMotion motion;
            motion.velocity = v / dt;
            motion.angular_velocity = phi / dt;
            obstacles.push_back({.name = "round",
                .solid = surface,
                .start = {at.x, R},
                .motion = motion,
                .rounds = balls_of(shape),
                .rims = rims_of(shape)});
        } else {
            rigids.push_back({.name = "round",
                .solid = surface,
                .mass = 1,
                .inertia = Mat3::Identity(),
                .rounds = balls_of(shape),
                .rims = rims_of(shape)});
            old.push_back(at);
        }
        law.friction = 0.4;
        law.automatic = {1000, 0};
    }
    ContactBodies bodies() const { return {&none, &rigids, &obstacles, &law, RelaxationKind::planar}; }

    /// The solid displaced and turned by q.
    std::vector<RigidCandidate> candidate(const Vec3& x, const Vec3& theta) const
    {
        std::vector<RigidCandidate> rigid;
        rigid.push_back({x, theta, rotation_exp(theta), left_jacobian(theta)});
        if (obstacles.empty())
            rigid.push_back(
                {old[1].x + way, turn, rotation_exp(turn) * old[1].R.toRotationMatrix(), left_jacobian(turn)});
        return rigid;
    }
};

struct Case {
    std::string name;
    Primitive shape;
    LevelSet solid;
    Vec3 x; // of the round one, beside the solid at the origin
};
const std::vector<Case> cases = {{"torus on ball", Torus{0.1, 0.03}, Sphere{0.12}, Vec3(0.01, 0.108, 0)},
    {"leaning torus on box", Torus{0.1, 0.03}, Box{Vec3(0.5, 0.2, 0.5)}, Vec3(0, 0.175, 0)},
    {"ball on box", Sphere{0.1}, Box{Vec3(0.5, 0.2, 0.5)}, Vec3(0, 0.199, 0)},
    {"capsule on rounded box", Capsule{0.05, 0.1}, RoundedBox{Vec3(0.5, 0.2, 0.5), 0.02}, Vec3(0, 0.18, 0)},
    {"cylinder on box", Cylinder{0.1, 0.2}, Box{Vec3(0.5, 0.2, 0.5)}, Vec3(0, 0.235, 0)},
    {"cone on cylinder", Cone{0.1, 0.2}, Cylinder{0.3, 0.2}, Vec3(0, 0.18, 0)}};

RigidState leaning(const Case& on)
{
    RigidState at;
    at.x = on.x;
    if (on.name != "torus on ball")
        at.R = Quat(rotation_exp(Vec3(0.5, 0.2, 0)));
    return at;
}

// What an obstacle does to a rigid body is what a rigid body in its place would do: the same contacts, forces,
// derivatives by the solid's motion and stored energy.
TEST(RoundObstacle, ActsAsARigidBodyThatMovesAlike)
{
    const Vec3 way(2e-4, -1.5e-3, 1e-4), phi(2e-3, 3e-3, -1e-3);
    for (const Case& on : cases) {
        SCOPED_TRACE(on.name);
        const Scene scripted(on.shape, true, on.solid, leaning(on), way, phi),
            rigid(on.shape, false, on.solid, leaning(on), way, phi);
        ContactSet a(scripted.bodies()), b(rigid.bodies());
        a.begin_step(0, dt, {}, {}, scripted.old, {});
        b.begin_step(0, dt, {}, {}, rigid.old, {});
        const Vec3 x(1e-4, 2e-4, 0), theta(1e-3, 0, 2e-3);
        a.evaluate({}, scripted.candidate(x, theta));
        b.evaluate({}, rigid.candidate(x, theta));
        ASSERT_GT(a.count(), 0u);
        EXPECT_EQ(a.count(), b.count());
        std::vector<Vec3> f(2, Vec3::Zero()), g(4, Vec3::Zero());
        a.add_force(f);
        b.add_force(g);
        // the turn of an obstacle is known by its frames only, so to round-off
        const double size = f[0].norm();
        EXPECT_GT(size, 0);
        const std::vector<Vec3> du{Vec3(0.3, -1, 0.5), Vec3(0.7, 0.2, -0.4)};
        const std::vector<Vec3> of_solid{du[0], du[1], Vec3::Zero(), Vec3::Zero()};
        for (int i = 0; i < 2; ++i)
            EXPECT_LT((f[i] - g[i]).norm(), 1e-10 * size) << "block " << i;
        for (const bool transposed : {false, true}) {
            std::vector<Vec3> df(2, Vec3::Zero()), dg(4, Vec3::Zero());
            a.add_force_differential(du, df, transposed);
            b.add_force_differential(of_solid, dg, transposed);
            for (int i = 0; i < 2; ++i)
                EXPECT_LT((df[i] - dg[i]).norm(), 1e-9 * dg[0].norm()) << "block " << i;
        }
        EXPECT_NEAR(a.energy(), b.energy(), 1e-10 * b.energy());
    }
}

TEST(RoundObstacle, CarriesWhatTouchesItAsItsMaterialMoves)
{
    const Vec3 way(2e-4, -1.5e-3, 1e-4), phi(2e-3, 3e-3, -1e-3);
    for (const Case& on : cases) {
        SCOPED_TRACE(on.name);
        const Scene s(on.shape, true, on.solid, leaning(on), way, phi);
        ContactSet contacts(s.bodies());
        contacts.begin_step(0, dt, {}, {}, s.old, {});
        contacts.evaluate({}, s.candidate(Vec3::Zero(), Vec3::Zero()));
        const Frame to = frame_at(s.obstacles[0].motion, s.obstacles[0].start, dt);
        contacts.for_each_contact([&](const Contact& c) {
            if (c.point_body == 1) {
                EXPECT_LT((contacts.scripted_way(c) + way + phi.cross(c.Z - to.x)).norm(), 1e-15);
            }
        });
    }
}

// A ball or a circle of a belt stays where it is and leaves its attachment behind its material.
TEST(RoundObstacle, AsAConveyorCarriesByItsMaterial)
{
    const Vec3 way(2e-4, -1.5e-3, 1e-4), phi(2e-3, 3e-3, -1e-3), u(0.3, 0.1, -0.2);
    int checked = 0;
    for (const Case& on : cases) {
        SCOPED_TRACE(on.name);
        Scene s(on.shape, true, on.solid, leaning(on), way, phi);
        s.obstacles[0].surface_velocity = u;
        ContactSet contacts(s.bodies());
        const auto step = [&](const std::vector<Attachment>& kept) {
            contacts.begin_step(0, dt, {}, {}, s.old, kept);
            contacts.evaluate({}, s.candidate(Vec3::Zero(), Vec3::Zero()));
            return contacts.update_attachments();
        };
        step(step({})); // of kept contacts the belt has the whole step
        const Frame &from = s.obstacles[0].start, to = frame_at(s.obstacles[0].motion, from, dt);
        contacts.for_each_contact([&](const Contact& c) {
            if (c.point_body != 1)
                return;
            const Vec3 b = dt * (from.R * u), of_belt = b - c.at.n.dot(b) * c.at.n;
            const Vec3 of_frame = way + phi.cross(c.Z - to.x);
            EXPECT_LT((contacts.scripted_way(c) + of_frame + of_belt).norm(), 1e-15);
            ++checked;
        });
    }
    EXPECT_GT(checked, 5);
}

// Of two round bodies the one that keeps the other's distance smooth is the point side, whatever their order.
TEST(RoundObstacle, OfTwoRoundBodiesOneIsThePointSide)
{
    struct Pair {
        Primitive point, surface;
    };
    for (const auto& [point, surface] : {Pair{Torus{0.1, 0.03}, Sphere{0.1}}, Pair{Torus{0.1, 0.03}, Capsule{0.1, 0.2}},
             Pair{Torus{0.1, 0.03}, Torus{0.2, 0.03}}, Pair{Sphere{0.1}, Capsule{0.1, 0.2}}})
        for (const bool point_first : {false, true})
            for (const bool obstacle : {false, true}) {
                Scene s(point_first ? surface : point, obstacle, Sphere{1}, {}, Vec3::Zero(), Vec3::Zero());
                s.rigids[0].rounds = balls_of(point_first ? point : surface);
                s.rigids[0].rims = rims_of(point_first ? point : surface);
                const int p = point_first ? 0 : 1;
                EXPECT_TRUE(s.bodies().is_pair(p, 1 - p));
                EXPECT_FALSE(s.bodies().is_pair(1 - p, p));
            }
}

} // namespace
} // namespace stickslip::round_obstacle_test
