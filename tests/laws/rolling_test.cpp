#include "laws/rigid_world.h"

#include "stickslip/bodies/surface_samples.h"
#include "stickslip/math/rotation.h"

#include <gtest/gtest.h>

#include <functional>

namespace stickslip::laws::rolling_test {
namespace {

constexpr double g = 9.81;

/// From the axis y to the axis z.
const Mat3 lying = rotation_exp(Vec3(M_PI / 2, 0, 0));

struct Roller {
    const char* name;
    std::function<int(RigidWorld&, const Vec3& x, const Mat3& R, const Vec3& v)> add;
    double radius; // outer
    double share; // inertia / (m radius^2) about the axis
};
const double hoop = (0.08 * 0.08 + 0.75 * 0.02 * 0.02) / 0.01;
const std::vector<Roller> rollers = {{"cylinder",
                                         [](RigidWorld& w, const Vec3& x, const Mat3& R, const Vec3& v) {
                                             return w.rimmed(Cylinder{0.1, 0.3}, 500, x, R, v);
                                         },
                                         0.1, 0.5},
    {"disc",
        [](RigidWorld& w, const Vec3& x, const Mat3& R, const Vec3& v) {
            return w.rimmed(Cylinder{0.1, 0.05}, 500, x, R, v);
        },
        0.1, 0.5},
    {"torus",
        [](RigidWorld& w, const Vec3& x, const Mat3& R, const Vec3& v) {
            return w.rimmed(Torus{0.08, 0.02}, 500, x, R, v);
        },
        0.1, hoop}};

TEST(Rolling, ThrownAlongAPlaneEndsWithTheRightSpeedAndKeepsIt)
{
    constexpr double v0 = 2, mu = 0.3;
    for (const Roller& roller : rollers)
        for (const double dt : {1.0 / 60, 1.0 / 240}) {
            SCOPED_TRACE(testing::Message() << roller.name << ", dt " << dt);
            RigidWorld w(dt);
            w.plane(Vec3::UnitY());
            const Vec3 way = Vec3(1, 0, 0);
            roller.add(w, Vec3(0, roller.radius, 0), lying, v0 * way);
            State state = w.start(mu);
            TimeStepper stepper(w.world, w.options());
            double rolls = 0;
            run_to(stepper, state, 1, [&](const StepReport& r) {
                if (r.sliding > 0)
                    rolls = state.time;
            });
            const double end = v0 / (1 + roller.share);
            EXPECT_NEAR(rolls, (v0 - end) / (mu * g), 3 * dt);
            const Vec3 v = state.rigid[0].v, spin = state.rigid[0].w;
            EXPECT_LT((v - end * way).norm(), 1e-4 * v0);
            EXPECT_LT((spin - Vec3::UnitY().cross(v) / roller.radius).norm(), 1e-4 * spin.norm());
            const double x = state.rigid[0].x.x();
            run_to(stepper, state, 4);
            const double metres = state.rigid[0].x.x() - x;
            EXPECT_GT(metres, 3);
            EXPECT_LT((state.rigid[0].v - v).norm() / metres, 1e-4) << "speed lost a metre";
            EXPECT_LT(std::abs(state.rigid[0].x.z()), 1e-6);
        }
}

TEST(Rolling, DownASlopeAcceleratesByTheInertiaAboutTheAxis)
{
    const double angle = 0.3;
    const Vec3 normal(std::sin(angle), std::cos(angle), 0), downhill(std::cos(angle), -std::sin(angle), 0);
    for (const Roller& roller : rollers) {
        SCOPED_TRACE(roller.name);
        RigidWorld w(1.0 / 240);
        w.plane(normal);
        roller.add(w, roller.radius * normal, lying, Vec3::Zero());
        State state = w.start(0.5);
        TimeStepper stepper(w.world, w.options());
        run_to(stepper, state, 0.5);
        const Vec3 v = state.rigid[0].v;
        const double t = state.time;
        run_to(stepper, state, 1.5);
        const double exact = g * std::sin(angle) / (1 + roller.share);
        EXPECT_NEAR((state.rigid[0].v - v).dot(downhill) / (state.time - t), exact, 1e-4 * exact);
    }
}

TEST(Rolling, StandingOrLyingFlatNothingCreeps)
{
    for (const int which : {0, 1, 2}) {
        SCOPED_TRACE(rollers[which].name);
        const double half[] = {0.15, 0.025, 0.02};
        const double angle = 0.2;
        const Vec3 normal(std::sin(angle), std::cos(angle), 0);
        RigidWorld w(1.0 / 60);
        w.plane(normal);
        rollers[which].add(w, half[which] * normal, rotation_exp(Vec3(0, 0, -angle)), Vec3::Zero());
        State state = w.start(0.4);
        TimeStepper stepper(w.world, w.options());
        run_to(stepper, state, 2);
        const RigidState settled = state.rigid[0];
        run_to(stepper, state, 12);
        EXPECT_LT((state.rigid[0].x - settled.x).norm() / 10, 1e-12) << "creep in m/s";
        EXPECT_LT(state.rigid[0].R.angularDistance(settled.R), 1e-11);
        EXPECT_GT((state.rigid[0].R * Vec3::UnitY()).dot(normal), 1 - 1e-6) << "stands";
    }
}

/// What leans and rolls on a circle: with the axis at `lean` from upright, going round by W, spinning by s along the
/// axis in all, and the contact at -r e - b a from the centre (a: axis, e: steepest way up in the disc), balance asks
///     W sin (I_t W cos - I_a s) = m g (r cos - b sin) + m W V (r sin + b cos),    V = s r - W b sin
/// V the speed of the centre, which no slip gives.
TEST(Rolling, LeaningTheyGoRoundInACircleAsTheBalanceSays)
{
    constexpr double lean = 1.2, round = 1.5;
    const double sine = std::sin(lean), cosine = std::cos(lean);
    const Roller coin{"coin",
        [](RigidWorld& w, const Vec3& x, const Mat3& R, const Vec3& v) {
            return w.rimmed(Cylinder{0.1, 0.01}, 500, x, R, v);
        },
        0.1, 0.5};
    for (const Roller& roller : {coin, rollers[2]}) { // thicker discs fall over at this speed

        SCOPED_TRACE(roller.name);
        RigidWorld w(1.0 / 2000);
        w.plane(Vec3::UnitY());
        const int body = roller.add(w, Vec3::Zero(), Mat3::Identity(), Vec3::Zero());
        const Rim rim = w.world.rigids[body].rims.front(); // the lower one
        const double r = rim.radius + rim.tube * sine, b = -rim.centre.y() + rim.tube * cosine;
        const double m = w.world.rigids[body].mass, along = w.world.rigids[body].inertia(1, 1),
                     across = w.world.rigids[body].inertia(0, 0);
        const double spin = (round * sine * across * round * cosine - m * g * (r * cosine - b * sine)
                                + m * round * round * b * sine * (r * sine + b * cosine))
            / (round * sine * along + m * round * r * (r * sine + b * cosine));
        const Vec3 a(-sine, cosine, 0), e(cosine, sine, 0);
        RigidState& start = w.rigid[body];
        start.x = r * e + b * a;
        start.R = Quat::FromTwoVectors(Vec3::UnitY(), a);
        start.w = spin * a + round * sine * e;
        start.v = start.w.cross(start.x);
        State state = w.start(1);
        TimeStepper stepper(w.world, w.options());
        double turned = 0;
        Vec3 before = start.v;
        run_to(stepper, state, 2 * M_PI / round, [&](const StepReport&) {
            const Vec3 v = state.rigid[0].v;
            turned += std::atan2(before.z() * v.x() - before.x() * v.z(), before.x() * v.x() + before.z() * v.z());
            before = v;
        });
        EXPECT_NEAR(turned, 2 * M_PI, 0.01 * 2 * M_PI) << "spin " << spin;
        EXPECT_NEAR((state.rigid[0].R * Vec3::UnitY()).y(), cosine, 0.01);
        EXPECT_LT((state.rigid[0].x - start.x).norm(), 0.02 * 2 * M_PI * std::abs(spin * r - round * b * sine) / round)
            << "back where it began";
    }
}

TEST(Rolling, CylindersCarryOneThatLiesAcrossThem)
{
    RigidWorld w(1.0 / 60);
    w.plane(Vec3::UnitY());
    for (const double x : {0.0, 0.5})
        w.rimmed(Cylinder{0.1, 0.6}, 700, Vec3(x, 0.1, 0), lying);
    w.rimmed(Cylinder{0.05, 0.9}, 700, Vec3(0.25, 0.25, 0.03), rotation_exp(Vec3(0, 0.1, M_PI / 2)));
    State state = w.start(0.5);
    TimeStepper stepper(w.world, w.options());
    run_to(stepper, state, 4);
    // it meets them by circles 25 mm apart, which may miss the highest place by half of that
    EXPECT_NEAR(state.rigid[2].x.y(), 0.25, 0.0125 * 0.0125 / (2 * 0.1) + 1e-4);
    EXPECT_LT(state.rigid[2].v.norm(), 0.01) << "it may rock on them";
}

/// A cone on its side rolls about its apex: the line it touches along is at rest at every instant, so that with the
/// half angle a it turns by w = W cot a about that line while it goes round by W.
TEST(Rolling, AConeGoesRoundItsApexInTheRightTime)
{
    constexpr double R = 0.1, H = 0.3, round = 2.0; // rad/s
    const double half_angle = std::atan(R / H), exact = 2 * M_PI / round;
    double time_of_turn[2] = {0, 0};
    for (const int halved : {0, 1}) {
        RigidWorld w(halved ? 1.0 / 1000 : 1.0 / 500);
        w.plane(Vec3::UnitY());
        // apex at the origin, touching along +x: the axis, from apex to base, rises by the half angle
        const Vec3 axis(std::cos(half_angle), std::sin(half_angle), 0); // the cone's -y
        const Mat3 turned = Quat::FromTwoVectors(-Vec3::UnitY(), axis).toRotationMatrix();
        const Vec3 spin(-round / std::tan(half_angle), 0, 0);
        const Vec3 centre = 0.75 * H * axis;
        w.rimmed(Cone{R, H}, 500, centre, turned, spin.cross(centre), spin);
        State state = w.start(1);
        TimeStepper stepper(w.world, w.options());
        double angle = 0;
        Vec3 before = centre;
        run_to(stepper, state, 1.1 * exact, [&](const StepReport&) {
            const Vec3& x = state.rigid[0].x;
            const double step =
                std::atan2(before.z() * x.x() - before.x() * x.z(), before.x() * x.x() + before.z() * x.z());
            if (angle < 2 * M_PI && angle + step >= 2 * M_PI)
                time_of_turn[halved] = state.time - w.dt * (angle + step - 2 * M_PI) / step;
            angle += step;
            before = x;
        });
        EXPECT_LT((state.rigid[0].R * Vec3(0, 0.75 * H, 0) + state.rigid[0].x).norm(), 1e-6) << "the apex stays";
    }
    // what is missing is backward Euler's loss of energy, first order in dt
    EXPECT_NEAR(time_of_turn[0], exact, 0.02 * exact);
    EXPECT_NEAR((time_of_turn[0] - exact) / (time_of_turn[1] - exact), 2, 0.05);
    EXPECT_NEAR(2 * time_of_turn[1] - time_of_turn[0], exact, 3e-4 * exact);
}

/// A heavy top on a fixed tip goes round steadily by W while it leans by `tilt`, where
///     (I_across cos tilt) W^2 - (I_along s) W + m g l = 0,
/// moments about the tip, s the angular velocity along the axis in all.
TEST(SpinningTop, PrecessesSteadily)
{
    constexpr double R = 0.05, H = 0.06, spin = 300, tilt = 0.3, dt = 1.0 / 4000;
    RigidWorld w(dt);
    w.plane(Vec3::UnitY());
    const MassProperties unit = mass_properties(Primitive(Cone{R, H}));
    const double m = 500 * unit.volume, l = 0.75 * H, along = 500 * unit.inertia(1, 1);
    const double across = 500 * unit.inertia(0, 0) + m * l * l; // about the tip
    const double a = across * std::cos(tilt), b = along * spin, c = m * g * l;
    const double round = (b - std::sqrt(b * b - 4 * a * c)) / (2 * a); // the slower of the two
    const Vec3 axis(std::sin(tilt), std::cos(tilt), 0); // from the tip up
    const Vec3 w0 = round * Vec3::UnitY() + (spin - round * std::cos(tilt)) * axis;
    const Vec3 centre = l * axis;
    const Mat3 turned = Quat::FromTwoVectors(-Vec3::UnitY(), axis).toRotationMatrix(); // apex down
    w.rimmed(Cone{R, H}, 500, centre, turned, w0.cross(centre), w0);
    State state = w.start(infinity);
    TimeStepper stepper(w.world, w.options());
    double angle = 0;
    Vec3 before = centre;
    run_to(stepper, state, 0.5, [&](const StepReport&) {
        const Vec3 x = state.rigid[0].x;
        angle += std::atan2(before.z() * x.x() - before.x() * x.z(), before.x() * x.x() + before.z() * x.z());
        before = x;
    });
    EXPECT_NEAR(angle / state.time, round, 0.01 * round);
    EXPECT_NEAR(std::acos((state.rigid[0].R * -Vec3::UnitY()).y()), tilt, 0.02);
}

/// A ball on a damped spring that never pulls comes back with
///     exp(-b/w (pi - atan(2 b w/(w^2 - b^2)))),   b = c w0^2/2, w^2 = w0^2 - b^2
/// of its speed (the time of contact ends where the force would change its sign).
TEST(ContactDamping, TakesFromABounceWhatTheSpringAndDamperSay)
{
    constexpr double dt = 1e-5, v0 = 1;
    for (const double damping : {1e-3, 4e-3}) {
        RigidWorld w(dt, Vec3::Zero());
        w.plane(Vec3::UnitY());
        const int ball = w.ball(0.05, 1000, Vec3(0, 0.05, 0), Vec3(0, -v0, 0));
        State state = w.start(0.5);
        const double w0 = 200;
        w.world.contact.stiffness = w.world.rigids[ball].mass * w0 * w0;
        w.world.contact.damping = damping;
        TimeStepper stepper(w.world, w.options());
        run_to(stepper, state, 0.03,
            [&](const StepReport& r) { EXPECT_GT(r.balance.contact_loss, -1e-12) << "only takes energy"; });
        const double b = damping * w0 * w0 / 2, ringing = std::sqrt(w0 * w0 - b * b);
        const double exact =
            v0 * std::exp(-b / ringing * (M_PI - std::atan(2 * b * ringing / (ringing * ringing - b * b))));
        EXPECT_NEAR(state.rigid[0].v.y(), exact, 0.005 * v0) << "damping " << damping;
    }
}

TEST(ContactDamping, LeavesStickingAndSlidingAsTheyAre)
{
    for (const double share : {1.05, 0.95}) {
        const double angle = 0.3, mu = share * std::tan(angle);
        const Vec3 normal(std::sin(angle), std::cos(angle), 0), downhill(std::cos(angle), -std::sin(angle), 0);
        RigidWorld w(1.0 / 60);
        w.plane(normal);
        w.box(Vec3::Constant(0.2), 700, 0.1 * normal, rotation_exp(Vec3(0, 0, -angle)));
        State state = w.start(mu);
        w.world.contact.damping = 0.05;
        TimeStepper stepper(w.world, w.options());
        run_to(stepper, state, 1.5);
        const RigidState before = state.rigid[0];
        run_to(stepper, state, 2.5);
        if (share > 1) {
            EXPECT_LT((state.rigid[0].x - before.x).norm(), 1e-9);
        } else {
            const double exact = g * (std::sin(angle) - mu * std::cos(angle));
            EXPECT_NEAR((state.rigid[0].v - before.v).dot(downhill), exact, 1e-4 * exact);
        }
    }
}

TEST(ConvexBodies, AnOctahedronRestsOnAFaceWithoutCreep)
{
    const TriMesh mesh{
        .vertices = {Vec3::UnitX(), -Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ()},
        .triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
    TriMesh small = mesh;
    for (Vec3& x : small.vertices)
        x *= 0.1;
    const MassProperties unit = mass_properties(small);
    RigidBody body;
    body.solid = ConvexPolyhedron::from_mesh(small);
    body.mass = 700 * unit.volume;
    body.inertia = 700 * unit.inertia;
    body.samples = surface_samples(small, 0.03, Vec3::Zero()); // their faces cross, corners over edges
    const double angle = 0.2, low = 0.1 / std::sqrt(3);
    const Mat3 on_face = Quat::FromTwoVectors(Vec3(1, 1, 1), -Vec3::UnitY()).toRotationMatrix();
    RigidWorld w(1.0 / 60);
    w.plane(Vec3(std::sin(angle), std::cos(angle), 0));
    const Mat3 slope = rotation_exp(Vec3(0, 0, -angle));
    w.add(body, slope * Vec3(0, low, 0), slope * on_face, Vec3::Zero(), Vec3::Zero());
    // one more on it, face on face
    w.add(body, slope * Vec3(0, 3 * low, 0), slope * on_face, Vec3::Zero(), Vec3::Zero());
    State state = w.start(0.5);
    TimeStepper stepper(w.world, w.options());
    run_to(stepper, state, 3);
    const std::vector<RigidState> settled = state.rigid;
    run_to(stepper, state, 13);
    for (const int b : {0, 1}) {
        EXPECT_LT((state.rigid[b].x - settled[b].x).norm(), 1e-9) << b;
        EXPECT_LT((state.rigid[b].x - slope * Vec3(0, (2 * b + 1) * low, 0)).norm(), 2e-3) << b << " stands";
    }
}

} // namespace
} // namespace stickslip::laws::rolling_test
