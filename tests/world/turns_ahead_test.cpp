#include "stickslip/world/ahead/turns_ahead.h"

#include "laws/rigid_world.h"

namespace stickslip::turns_ahead_test {
namespace {

constexpr double dt = 0.01;

Obstacle fan(const ScriptedMotion& motion, const LevelSet& solid = Box{{1, 0.1, 0.1}})
{
    return {.name = "fan", .solid = solid, .start = {}, .motion = motion};
}

ScriptedMotion spin(const Vec3& w)
{
    return {.angular_velocity = w};
}

/// How far it turns in a step, of what is told.
double turn(RigidWorld& w)
{
    const State state = w.start(0.3);
    return TurnsAhead(w.world).too_far(state, dt).angle;
}

TEST(TurnsAhead, AreToldOfWhatMayMeetOthers)
{
    // the fan sweeps a disc of 0.05 m about y, of a radius of half a diagonal, 0.502
    struct Case {
        Vec3 ball;
        bool is_met;
    };
    for (const Case& c : {Case{{0.3, 0, 0.3}, true}, Case{{0.4, 0, 0.4}, true}, Case{{0, 0.12, 0.45}, false},
             Case{{3, 0, 0}, false}, Case{{0.52, 0, 0.52}, false}}) {
        SCOPED_TRACE(c.ball.transpose());
        for (const double w : {90.0, -150.0}) {
            RigidWorld scripted(dt, Vec3::Zero());
            scripted.world.obstacles.push_back(fan(spin(Vec3(0, w, 0))));
            scripted.ball(0.05, 700, c.ball);
            EXPECT_EQ(turn(scripted), c.is_met && std::abs(w) * dt > 1 ? std::abs(w) * dt : 0);
            RigidWorld held(dt, Vec3::Zero());
            held.box(Vec3(1, 0.1, 0.1), 700, Vec3::Zero(), Mat3::Identity(), Vec3::Zero(), Vec3(0, w, 0));
            held.world.rigids.back().fixed = {true, true, true, true, false, true};
            held.ball(0.05, 700, c.ball);
            EXPECT_EQ(turn(held), c.is_met && std::abs(w) * dt > 1 ? std::abs(w) * dt : 0);
        }
    }
}

TEST(TurnsAhead, OfABodyThatIsFreeSweepABall)
{
    for (const double height : {0.12, 0.6}) {
        RigidWorld w(dt, Vec3::Zero());
        w.box(Vec3(1, 0.1, 0.1), 700, Vec3::Zero(), Mat3::Identity(), Vec3::Zero(), Vec3(0, 150, 0));
        w.ball(0.05, 700, Vec3(0, height, 0.2));
        EXPECT_EQ(turn(w), height < 0.5 ? 1.5 : 0);
        RigidWorld above(dt, Vec3::Zero());
        above.plane(Vec3::UnitY());
        above.box(Vec3(1, 0.1, 0.1), 700, Vec3(0, height, 0), Mat3::Identity(), Vec3::Zero(), Vec3(0, 150, 0));
        EXPECT_EQ(turn(above), height < 0.5 ? 1.5 : 0);
    }
}

TEST(TurnsAhead, AreToldOfWhatComes)
{
    for (const double speed : {-20.0, 20.0}) {
        RigidWorld w(dt, Vec3::Zero());
        w.world.obstacles.push_back(fan(spin(Vec3(0, 150, 0))));
        w.ball(0.05, 700, Vec3(0.7, 0, 0), Vec3(speed, 0, 0));
        EXPECT_EQ(turn(w), speed < 0 ? 1.5 : 0);
    }
}

TEST(TurnsAhead, AreThoseThatATorqueMakes)
{
    RigidWorld w(dt, Vec3::Zero());
    w.box(Vec3(1, 0.1, 0.1), 700, Vec3::Zero());
    RigidBody& rotor = w.world.rigids[0];
    rotor.torque = Vec3(0, rotor.inertia(1, 1) * 1.5 / (dt * dt), 0);
    w.ball(0.05, 700, Vec3(0.3, 0, 0.3));
    EXPECT_NEAR(turn(w), 1.5, 1e-12);
    w.world.rigids[0].fixed[4] = true;
    EXPECT_EQ(turn(w), 0);
}

TEST(TurnsAhead, OfAPlaneMatterUnderWhatIsOnIt)
{
    for (const double height : {0.05, 0.2}) {
        RigidWorld w(dt, Vec3::Zero());
        w.world.obstacles.push_back(fan(spin(Vec3(0, 150, 0)), Plane{Vec3::UnitY()}));
        w.ball(0.05, 700, Vec3(5, height, 3));
        EXPECT_EQ(turn(w), height < 0.1 ? 1.5 : 0);
        w.world.obstacles.back().motion = spin(Vec3(150, 0, 0));
        EXPECT_EQ(turn(w), 1.5) << "it sweeps all there is";
    }
}

TEST(TurnsAhead, OfBallsThatAreFreeMatterWhereTheirSurfaceIsMet)
{
    RigidWorld w(dt);
    w.plane(Vec3::UnitY());
    w.ball(0.05, 700, Vec3(0, 0.05, 0), Vec3::Zero(), Vec3(0, 0, 1000));
    EXPECT_EQ(turn(w), 0);
    w.ball(0.05, 700, Vec3(0, 0.15, 0));
    EXPECT_EQ(turn(w), 0) << "the first of two is the one that rolls on the other's surface";
    w.rigid[1].w = Vec3(0, 0, 300);
    EXPECT_EQ(turn(w), 3);
}

TEST(TurnsAhead, OfScriptsAmongThemselvesDoNotMatter)
{
    RigidWorld w(dt);
    w.plane(Vec3::UnitY());
    w.world.obstacles.push_back(fan(spin(Vec3(0, 150, 0))));
    w.ball(0.05, 700, Vec3(0, 5, 0));
    EXPECT_EQ(turn(w), 0);
}

} // namespace
} // namespace stickslip::turns_ahead_test
