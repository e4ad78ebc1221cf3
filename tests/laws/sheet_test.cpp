#include "laws/incline_checks.h"
#include "laws/rigid_world.h"

#include "support/terrain.h"

namespace stickslip::sheet_test {
namespace {

using laws::Incline;
using laws::InclineRun;

TriMesh flat_sheet(int cells, double half)
{
    Random random(5);
    TriMesh mesh = terrain(cells, random, [](double, double) { return 0.0; });
    for (Vec3& x : mesh.vertices)
        x *= half;
    return mesh;
}

Incline on_sheet(Incline in)
{
    in.sheet = flat_sheet(40, 1.5);
    return in;
}

TEST(Sheet, CarriesACubeAsThePlaneDoes)
{
    for (const bool exact_cone : {false, true}) {
        Incline in;
        in.cells = 3;
        in.turned = 0.3;
        in.exact_cone = exact_cone;
        InclineRun plane(in), sheet(on_sheet(in));
        plane.run_to(1);
        sheet.run_to(1);
        EXPECT_GT(plane.distance(), 0.05);
        EXPECT_LT((plane.place() - sheet.place()).norm(), 1e-8); // of 1e-7 m that the tolerance admits in 1 s
        EXPECT_LT((plane.velocity() - sheet.velocity()).norm(), 1e-8);
        EXPECT_LE(sheet.newton, 1.1 * plane.newton);
    }
}

TEST(Sheet, LetsACubeSlideAsAPointMass)
{
    laws::expect_acceleration_of_a_point_mass(on_sheet({}));
}

TEST(Sheet, LetsACubeStopWhereItMustAndHoldsItThere)
{
    laws::expect_to_stop_and_stay(on_sheet({}));
}

/// A sheet of this size about the origin.
Obstacle sheet_of(const TriMesh& mesh)
{
    return {.name = "sheet",
        .solid = OpenSurface{bounds(mesh.vertices)},
        .start = {},
        .motion = {},
        .samples = {},
        .rounds = {},
        .rims = {},
        .triangles = std::make_shared<const TriangulatedSurface>(mesh, EdgeRule::smooth)};
}

/// A soft cube of 0.1 m that moves over a sheet, or below it.
struct CubeAtSheet {
    World world;
    State state;
    std::unique_ptr<TimeStepper> stepper;

    CubeAtSheet(const Obstacle& sheet, const Vec3& place, const Vec3& speed, double friction, double dt,
        const Vec3& gravity = Vec3(0, -9.81, 0))
    {
        const TetMesh mesh = tetrahedralize(Box{Vec3::Constant(0.1)}, 0.05);
        add_deformable(world.deformables, "cube", mesh, make_material(ElasticModel::neo_hookean, 1000, 1e6, 0.4, 0));
        finish(world.deformables);
        world.gravity = gravity;
        world.obstacles = {sheet};
        std::vector<Vec3> x;
        for (const Vec3& X : mesh.nodes)
            x.push_back(X + place);
        world.contact.friction = friction;
        world.contact.automatic = {automatic_contact_stiffness(world, 0, x), 0};
        state = initial_state(world, x, std::vector<Vec3>(x.size(), speed));
        StepOptions options;
        options.step = dt;
        options.newton.tolerance = automatic_tolerance(world, dt);
        stepper = std::make_unique<TimeStepper>(world, options);
    }
    void run_to(double t)
    {
        while (state.time < t - 1e-9)
            ASSERT_TRUE(stepper->step(state).done);
    }
    Vec3 place() const { return body_pose(world, state, 0).x; }
    double lowest() const
    {
        double y = infinity;
        for (const Vec3& x : state.x)
            y = std::min(y, x.y());
        return y;
    }
};

TEST(Sheet, IsMetFromAboveAndFromBelow)
{
    for (const double side : {1.0, -1.0}) {
        CubeAtSheet run(sheet_of(flat_sheet(20, 0.5)), Vec3(0.01, side * 0.08, 0.02), Vec3(0, 0, 0), 0.3, 1.0 / 60,
            Vec3(0, -side * 9.81, 0));
        run.run_to(2);
        EXPECT_NEAR(side * run.place().y(), 0.05, 0.002);
    }
}

TEST(Sheet, HoldsWhatFallsOnItFastAtLongSteps)
{
    for (const double speed : {0.1, 1.0, 5.0, 20.0})
        for (const double along : {0.0, 5.0})
            for (const double gap : {0.001, 0.05, 0.31}) {
                CubeAtSheet run(
                    sheet_of(flat_sheet(80, 2)), Vec3(0, 0.05 + gap, 0), Vec3(along, -speed, 0), 0.3, 1.0 / 60);
                run.run_to(0.2);
                EXPECT_GT(run.place().y(), 0.03) << speed << " m/s, " << along << " m/s along, from " << gap << " m";
            }
}

TEST(Sheet, LetsGoOfWhatSlidesOverItsRim)
{
    CubeAtSheet run(sheet_of(flat_sheet(4, 0.3)), Vec3(0.1, 0.05, 0), Vec3(1.5, 0, 0), 0.1, 0.005);
    run.run_to(0.1);
    EXPECT_NEAR(run.place().y(), 0.05, 1e-3) << "still on it";
    run.run_to(0.6);
    const Vec3 place = run.place();
    EXPECT_GT(place.x(), 0.4);
    EXPECT_LT(run.lowest(), -0.2);
    const Vec3 v = body_pose(run.world, run.state, 0).v;
    run.run_to(0.65);
    EXPECT_NEAR(body_pose(run.world, run.state, 0).v.y() - v.y(), -9.81 * 0.05, 1e-6) << "falls freely";
}

TEST(Sheet, ThatMovesCarriesWhatLiesOnIt)
{
    Obstacle sheet = sheet_of(flat_sheet(20, 0.5));
    sheet.motion.velocity = Vec3(0.3, 0.2, 0);
    CubeAtSheet run(sheet, Vec3(0, 0.0505, 0), Vec3(0.3, 0.2, 0), 0.5, 0.01);
    run.run_to(0.3);
    const double y = run.place().y();
    run.run_to(1);
    EXPECT_NEAR(run.place().x(), 0.3, 1e-3);
    EXPECT_NEAR(run.place().y() - y, 0.2 * 0.7, 1e-4);
}

TEST(Sheet, ThatIsFoldedHoldsWhatSlidesOverTheRidge)
{
    Random random(1);
    for (const double slope : {0.1, 0.6, 1.2}) { // 11, 62 and 100 degrees between the sides
        TriMesh mesh = terrain(40, random, [&](double x, double) { return -slope * std::abs(x); });
        CubeAtSheet run(
            sheet_of(mesh), Vec3(-0.3, 0.07 - slope * 0.3 + 0.05 * slope, 0), Vec3(1.5, 1.5 * slope, 0), 0.1, 0.005);
        for (int i = 0; i < 160 && run.place().x() < 0.7; ++i) {
            ASSERT_TRUE(run.stepper->step(run.state).done);
            for (const Vec3& x : run.state.x)
                EXPECT_GT(x.y(), -slope * std::abs(x.x()) - 0.015) << "t " << run.state.time << " slope " << slope;
        }
    }
}

TEST(Sheet, HoldsABoxByItsCornersAsThePlaneDoes)
{
    const Mat3 tilt = rotation_exp(Vec3(0, 0, -0.2));
    const auto run = [&](bool on_sheet, double friction) {
        RigidWorld w(0.01);
        w.box(Vec3(0.1, 0.06, 0.08), 1000, tilt * Vec3(-0.3, 0.03, 0), tilt, tilt * Vec3(0.5, 0, 0));
        if (on_sheet)
            w.world.obstacles[w.triangles(flat_sheet(30, 1))].start.R = tilt;
        else
            w.plane(tilt * Vec3::UnitY());
        State state = w.start(friction);
        TimeStepper stepper(w.world, w.options());
        while (state.time < 0.7)
            EXPECT_TRUE(stepper.step(state).done);
        return state.rigid[0];
    };
    for (const double friction : {0.1, 0.3}) {
        const RigidState sheet = run(true, friction), plane = run(false, friction);
        EXPECT_LT((sheet.x - plane.x).norm(), 1e-9);
        EXPECT_LT((sheet.v - plane.v).norm(), 1e-8);
    }
}

} // namespace
} // namespace stickslip::sheet_test
