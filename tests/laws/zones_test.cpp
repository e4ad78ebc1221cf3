#include "laws/soft_world.h"

#include "stickslip/geometry/mesh/tet_shapes.h"

#include "support/terrain.h"

namespace stickslip::laws::zones_test {
namespace {

constexpr double g = 9.81, R = 0.1, step = 1.0 / 120, end = 0.6;

/// The same ball on a floor of its own after the same time.
struct Rolled {
    RigidState ball;
    std::size_t most_contacts = 0;
};
Rolled roll(RigidWorld& w, State state)
{
    StepOptions options = w.options();
    options.newton.tolerance = 1e-11;
    TimeStepper stepper(w.world, options);
    Rolled result;
    while (state.time < end) {
        EXPECT_TRUE(stepper.step(state).done) << "the solver gave up at t = " << state.time;
        result.most_contacts = std::max(result.most_contacts, state.attachments.size());
    }
    result.ball = state.rigid[0];
    return result;
}

// Every facet within reach pushes, so the ball bobs by part of its depth near edges; but along the floor no force is
// left, and what slides until it rolls has 5/7 of its speed whatever pushes it.
void expect_as_on_plane(
    const Rolled& on_plane, const Rolled& by_zones, double depth, bool same_way, double accuracy = 1e-9)
{
    const RigidState &a = on_plane.ball, &b = by_zones.ball;
    const auto level = [](const Vec3& x) { return Vec3(x.x(), 0, x.z()); };
    EXPECT_GT(by_zones.most_contacts, 1u);
    EXPECT_LT((level(a.v) - level(b.v)).norm(), accuracy);
    EXPECT_LT((a.w - b.w).norm() * R, accuracy);
    if (same_way) {
        EXPECT_LT((level(a.x) - level(b.x)).norm(), accuracy);
    }
    EXPECT_NEAR(b.x.y(), a.x.y(), depth);
}

struct Throw {
    const char* name;
    double friction;
    Vec3 v, w;
    bool same_way; // sliding friction is as uneven as the push
};
const std::vector<Throw> throws = {{"slides", 0, Vec3(0.8, 0, 0.3), Vec3::Zero(), true},
    {"rolls", 0.5, Vec3(0.8, 0, 0.3), Vec3(3, 0, -8), true},
    {"slides until it rolls", 0.5, Vec3(0.8, 0, -0.2), Vec3::Zero(), false}};

TEST(BallByZones, OnAFlatFloorOfTrianglesRollsAsOnAPlane)
{
    Random random(1);
    for (const Throw& how : throws)
        for (const int cells : {9, 40}) { // edges of 2.2 and 0.5 R
            SCOPED_TRACE(testing::Message() << how.name << ", " << cells << " cells");
            constexpr double k = 1e5;
            RigidWorld on_plane(step), by_zones(step);
            on_plane.plane(Vec3::UnitY());
            by_zones.triangles(terrain(cells, random, [](double, double) { return 0.0; }), EdgeRule::zones);
            for (RigidWorld* w : {&on_plane, &by_zones}) {
                w->ball(R, 1000, Vec3(0, R, 0), how.v, how.w);
                w->world.contact.stiffness = k;
            }
            const double depth = on_plane.world.rigids[0].mass * g / k;
            expect_as_on_plane(roll(on_plane, on_plane.start(how.friction)),
                roll(by_zones, by_zones.start(how.friction)), depth, how.same_way);
        }
}

TEST(BallByZones, OnAHeldBlockRollsAsOnAPlane)
{
    for (const Throw& how : throws) {
        SCOPED_TRACE(how.name);
        constexpr double k = 1e5;
        RigidWorld on_plane(step);
        on_plane.plane(Vec3::UnitY());
        SoftWorld by_zones(step, tetrahedralize(Box{Vec3(2, 0.19, 2)}, 0.19), 1e6,
            {Vec3(0, -0.5 * 0.19, 0), Mat3::Identity()}, Vec3(0, -g, 0), EdgeRule::zones);
        by_zones.hold([](const Vec3&) { return true; });
        for (RigidWorld* w : {&on_plane, static_cast<RigidWorld*>(&by_zones)}) {
            w->ball(R, 1000, Vec3(0.01, R, -0.02), how.v, how.w);
            w->world.contact.stiffness = k;
        }
        const double depth = on_plane.world.rigids[0].mass * g / k;
        // on a side of a facet it rolls about the surface, a depth above its own point
        expect_as_on_plane(roll(on_plane, on_plane.start(how.friction)), roll(by_zones, by_zones.start(how.friction)),
            depth, how.same_way, how.friction == 0 ? 1e-9 : 0.2 * depth / R);
    }
}

TEST(BallByZones, ASheetThatBendsCarriesIt)
{
    // its dent has folds of both signs: normals depend on far nodes
    SoftWorld w(1.0 / 60, tetrahedralize(Box{Vec3(0.6, 0.04, 0.6)}, 0.06), 2e5, {}, Vec3(0, -g, 0), EdgeRule::zones);
    w.hold([](const Vec3& X) { return std::abs(X.x()) > 0.29 || std::abs(X.z()) > 0.29; });
    w.world.contact.damping = 0.01;
    w.world.contact.stiffness = 2000;
    w.ball(0.05, 1000, Vec3(0.013, 0.02 + 0.05, -0.021));
    State state = w.start(0.5);
    TimeStepper stepper(w.world, w.options());
    while (state.time < 2)
        ASSERT_TRUE(stepper.step(state).done) << state.time;
    Vec3 push = Vec3::Zero();
    stepper.system().contacts().for_each_contact([&](const Contact& c) { push -= c.j; });
    const double weight = w.world.rigids[0].mass * g;
    EXPECT_LT((push - Vec3(0, weight, 0)).norm(), 2e-2 * weight);
}

} // namespace
} // namespace stickslip::laws::zones_test
