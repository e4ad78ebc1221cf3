// Solids that are not convex, met by their triangles.
#include "laws/incline_checks.h"
#include "laws/rigid_world.h"

#include "stickslip/geometry/solids/separating_axes.h"

#include "support/extruded.h"

namespace stickslip::rigid_mesh_test {
namespace {

using laws::Incline;
using laws::InclineRun;

/// What a run did on its way.
struct Course {
    RigidState end; // of the first body
    int failures = 0;
    double deepest = 0; // [m]
};

template <typename Watch>
Course run(const RigidWorld& w, double friction, double end, const Watch& watch)
{
    RigidWorld made = w;
    State state = made.start(friction);
    TimeStepper stepper(made.world, made.options());
    Course course;
    run_to(stepper, state, end, [&](const StepReport& report) {
        course.failures += static_cast<int>(report.failures.size());
        stepper.system().contacts().for_each_contact(
            [&](const Contact& c) { course.deepest = std::max(course.deepest, c.at.depth); });
        watch(state);
    });
    course.end = state.rigid[0];
    return course;
}

/// A block with a groove below, its upper side at y = 0.
TriMesh grooved_table(double half)
{
    const double a = 0.3 * half;
    TriMesh mesh = extruded(
        {{-half, -half}, {-a, -half}, {-a, -2 * a}, {a, -2 * a}, {a, -half}, {half, -half}, {half, 0}, {-half, 0}},
        2 * half);
    for (int i = 0; i < 3; ++i)
        mesh = refined(mesh);
    return mesh;
}

Incline on_table(Incline in)
{
    in.sheet = grooved_table(1.5);
    in.is_solid = true;
    return in;
}

TEST(RigidMesh, CarriesACubeAsThePlaneDoes)
{
    Incline in;
    in.cells = 3;
    in.turned = 0.3;
    in.exact_cone = true;
    InclineRun plane(in), mesh(on_table(in));
    plane.run_to(1);
    mesh.run_to(1);
    EXPECT_GT(plane.distance(), 0.05);
    EXPECT_LT((plane.place() - mesh.place()).norm(), 1e-8); // of 1e-7 m that the tolerance admits in 1 s
    EXPECT_LT((plane.velocity() - mesh.velocity()).norm(), 1e-8);
    EXPECT_LE(mesh.newton, 1.1 * plane.newton);
}

TEST(RigidMesh, LetsACubeSlideAsAPointMass)
{
    laws::expect_acceleration_of_a_point_mass(on_table({}));
}

TEST(RigidMesh, LetsACubeStopWhereItMustAndHoldsItThere)
{
    laws::expect_to_stop_and_stay(on_table({}));
}

TEST(RigidMesh, GearsTurnEachOtherByTheirTeeth)
{
    constexpr double module = 0.02, speed = 1.5; // [m], [rad/s]
    RigidWorld w(0.01, Vec3::Zero());
    const double apart = 0.5 * module * (12 + 18);
    w.mesh(extruded(gear_section(module, 12), 0.05), 7800, infinity, Vec3::Zero());
    w.as_obstacle({.angular_velocity = Vec3(0, 0, speed)});
    // a tooth in the gap at its left
    const double into_gap = std::numbers::pi / 18 * (1 + 18 % 2);
    w.mesh(extruded(gear_section(module, 18), 0.04), 7800, infinity, Vec3(apart, 0, 0),
        rotation_exp(Vec3(0, 0, std::numbers::pi + into_gap)));
    w.world.rigids.back().fixed = {true, true, true, true, true, false};
    const Mat3 first = w.rigid[0].R.toRotationMatrix();
    const double play = 0.04 * 2 * module / (0.5 * module * 18); // [rad] twice the backlash of both
    double turned = 0;
    Mat3 before = first;
    const Course course = run(w, 0.1, 6, [&](const State& s) {
        const Mat3 R = s.rigid[0].R.toRotationMatrix();
        turned += rotation_vector(R * before.transpose()).z();
        before = R;
        EXPECT_NEAR(turned, -speed * s.time * 12 / 18, play + 0.01) << "t " << s.time;
    });
    EXPECT_EQ(course.failures, 0);
    EXPECT_LT(course.deepest, 0.001);
}

/// A prism with its ridge along z at y = 0, which is not convex below.
TriMesh ridge()
{
    return extruded({{0, 0}, {-0.1, -0.1}, {-0.05, -0.15}, {0, -0.1}, {0.05, -0.15}, {0.1, -0.1}}, 0.6);
}

// A step takes it in through a side and out through the top, beyond the rim by more than half of what the side fades
// over. When it falls back onto the top, centimetres behind the side, the side does not push it.
TEST(RigidMesh, LetsGoACornerThatHasCutItsRim)
{
    RigidWorld w(0.01, Vec3(0, -90, 0));
    w.mesh(grooved_table(0.4), 1000, infinity, Vec3::Zero());
    w.as_obstacle();
    const Vec3 corner(0.406, -0.0058, 0.2);
    const Mat3 upright = Eigen::Quaterniond::FromTwoVectors(Vec3(1, 1, 1), Vec3::UnitY()).toRotationMatrix();
    w.box(Vec3::Constant(0.05), 1000, corner + 0.025 * std::sqrt(3.0) * Vec3::UnitY(), upright, Vec3(-1, 1.8, 0));
    w.world.rigids.back().fixed = {false, false, false, true, true, true};
    w.world.contact.stiffness = 1000;
    double along = 0, deepest = 0;
    int steps = 0;
    const Course course = run(w, 0, 0.04, [&](const State& s) {
        if (++steps == 1)
            along = s.rigid[0].v.x();
        EXPECT_NEAR(s.rigid[0].v.x(), along, 1e-9) << "t " << s.time;
        deepest = std::min(deepest, s.rigid[0].x.y() - 0.025 * std::sqrt(3.0));
    });
    EXPECT_EQ(course.failures, 0);
    EXPECT_GT(along, -1); // the side has felt it
    EXPECT_LT(along, -0.8);
    EXPECT_LT(deepest, -0.002); // and the top
}

using AddMesh = int (RigidWorld::*)(const TriMesh&, double, double, const Vec3&, const Mat3&, const Vec3&);

// Nothing else touches where one ridge lies across another.
void expect_ridge_to_rest_across_a_ridge(AddMesh mesh)
{
    for (const double friction : {0.0, 0.5}) {
        RigidWorld w(0.01);
        (w.*mesh)(ridge(), 1000, infinity, Vec3::Zero(), Mat3::Identity(), Vec3::Zero());
        w.as_obstacle();
        const Mat3 over = rotation_exp(Vec3(0, std::numbers::pi / 2, 0)) * rotation_exp(Vec3(0, 0, std::numbers::pi));
        (w.*mesh)(ridge(), 1000, infinity, Vec3(0.003, 0.002, 0.013), over, Vec3::Zero());
        w.world.rigids.back().fixed = {false, false, false, true, true, true};
        constexpr double k = 2e5; // [N/m]
        w.world.contact.stiffness = k;
        w.world.contact.damping = 0.02;
        const Course course = run(w, friction, 2, [](const State&) {});
        const double depth = w.world.rigids[0].mass * 9.81 / k;
        EXPECT_EQ(course.failures, 0);
        EXPECT_LT(course.end.v.norm(), 1e-9);
        const double height = course.end.x.y() - (over * w.world.rigids[0].centre).y();
        EXPECT_NEAR(height, -depth, 1e-9);
        EXPECT_LT(course.deepest, 0.003);
    }
}

TEST(RigidMesh, RidgeRestsAcrossARidgeOnTheSpringOfTheirCrossing)
{
    expect_ridge_to_rest_across_a_ridge(&RigidWorld::mesh);
}

TEST(RigidMesh, RidgeRestsAcrossARidgeAlsoWhereBothAreSampledDistances)
{
    expect_ridge_to_rest_across_a_ridge(&RigidWorld::sampled_mesh);
}

// Neither has a vertex near the other.
TEST(RigidMesh, AnEdgeOfABoxRestsAcrossARidgeThatIsASampledDistance)
{
    RigidWorld w(0.01);
    w.sampled_mesh(ridge(), 1000, infinity, Vec3::Zero());
    w.as_obstacle();
    constexpr double side = 0.1, k = 2e5; // [m], [N/m]
    const Mat3 on_edge = rotation_exp(Vec3(std::numbers::pi / 4, 0, 0));
    w.box(Vec3(0.5, side, side), 1000, Vec3(0.003, side / std::numbers::sqrt2 + 0.002, 0.013), on_edge);
    w.world.rigids.back().fixed = {false, false, false, true, true, true};
    w.world.contact.stiffness = k;
    w.world.contact.damping = 0.02;
    const Course course = run(w, 0.5, 2, [](const State&) {});
    EXPECT_EQ(course.failures, 0);
    EXPECT_LT(course.end.v.norm(), 1e-9);
    EXPECT_NEAR(course.end.x.y(), side / std::numbers::sqrt2 - w.world.rigids[0].mass * 9.81 / k, 1e-9);
}

/// A pyramid below a collar, its tip at the origin.
TriMesh spike()
{
    TriMesh mesh;
    for (const auto& [half, y] : {std::pair{0.1, 0.35}, {0.1, 0.25}, {0.04, 0.23}})
        for (const auto& [x, z] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
            mesh.vertices.push_back(Vec3(half * x, y, half * z));
    mesh.vertices.push_back(Vec3::Zero());
    mesh.triangles = {{0, 3, 2}, {0, 2, 1}};
    for (int k = 0; k < 4; ++k) {
        const int next = (k + 1) % 4;
        for (int ring = 0; ring < 8; ring += 4) {
            mesh.triangles.push_back({ring + k, ring + next, ring + next + 4});
            mesh.triangles.push_back({ring + k, ring + next + 4, ring + k + 4});
        }
        mesh.triangles.push_back({8 + k, 8 + next, 12});
    }
    return mesh;
}

TEST(RigidMesh, ASpikeGoesIntoANotchAndNoFarther)
{
    for (const double aside : {0.0, 0.03})
        for (const double speed : {0.0, 1.0}) {
            RigidWorld w(0.01);
            w.mesh(
                extruded({{-0.3, -0.2}, {0.3, -0.2}, {0.3, 0.1}, {0.1, 0.1}, {0, -0.1}, {-0.1, 0.1}, {-0.3, 0.1}}, 0.4),
                2000, 0.05, Vec3::Zero());
            w.as_obstacle();
            w.mesh(spike(), 2000, 0.05, Vec3(aside, 0.1, 0.01), Mat3::Identity(), Vec3(0, -speed, 0));
            const Vec3 centre = w.world.rigids[0].centre;
            const Course course = run(w, 0.5, 1, [&](const State& s) {
                const Vec3 tip = s.rigid[0].x - s.rigid[0].R * centre;
                EXPECT_GT(tip.y(), 2 * std::abs(tip.x()) - 0.1 - 0.01) << "t " << s.time << " from " << aside;
            });
            EXPECT_EQ(course.failures, 0) << aside << " " << speed;
        }
}

/// A ring of square section about y.
TriMesh square_ring(int sides, double radius, double thickness)
{
    TriMesh mesh;
    for (int i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides, r = 0.5 * thickness;
        for (const auto& [across, up] : {std::pair{-r, -r}, {r, -r}, {r, r}, {-r, r}})
            mesh.vertices.push_back(
                Vec3((radius + across) * std::cos(angle), up, -(radius + across) * std::sin(angle)));
    }
    for (int i = 0; i < sides; ++i)
        for (int k = 0; k < 4; ++k) {
            const int a = 4 * i + k, b = 4 * i + (k + 1) % 4, far = 4 * ((i + 1) % sides);
            mesh.triangles.push_back({a, far + k, far + (k + 1) % 4});
            mesh.triangles.push_back({a, far + (k + 1) % 4, b});
        }
    return mesh;
}

TEST(RigidMesh, ARingHangsInAnother)
{
    const TriMesh ring = square_ring(24, 0.1, 0.03);
    ASSERT_GT(mass_properties(ring).volume, 0);
    RigidWorld w(0.01);
    w.mesh(ring, 7800, 0.01, Vec3::Zero(), rotation_exp(Vec3(std::numbers::pi / 2, 0, 0)));
    w.as_obstacle();
    w.mesh(ring, 7800, 0.01, Vec3(0, -0.16, 0), rotation_exp(Vec3(0, 0, std::numbers::pi / 2)), Vec3(0.3, 0, 0.2));
    const Course course =
        run(w, 0.3, 3, [&](const State& s) { EXPECT_LT(s.rigid[0].x.norm(), 0.2) << "t " << s.time; });
    EXPECT_EQ(course.failures, 0);
    EXPECT_LT(course.deepest, 0.002);
    EXPECT_NEAR(course.end.x.y(), -0.17, 0.005);
}

constexpr double edge = 0.2; // [m]

/// A cube whose ends along z are dented, so that it is not convex.
TriMesh dented_cube()
{
    TriMesh mesh;
    for (int corner = 0; corner < 8; ++corner)
        mesh.vertices.push_back(0.5 * edge * Vec3(corner & 4 ? 1 : -1, corner & 2 ? 1 : -1, corner & 1 ? 1 : -1));
    mesh.vertices.push_back(Vec3(0, 0, -0.49 * edge));
    mesh.vertices.push_back(Vec3(0, 0, 0.49 * edge));
    mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1}, {2, 3, 7}, {2, 7, 6}, {0, 2, 8},
        {2, 6, 8}, {6, 4, 8}, {4, 0, 8}, {1, 5, 9}, {5, 7, 9}, {7, 3, 9}, {3, 1, 9}};
    return mesh;
}

/// How edges cross: at which share of their lengths from an end, at which angle, and by which one a facet of the first
/// is turned from the plane between them.
struct EdgeCrossing {
    double of_a, of_b, crossing, turned; // [-], [-], [rad], [rad]
};

/// The largest overlap [m] of two dented cubes that are thrown at each other, edge on edge.
double overlap_of_thrown(const EdgeCrossing& c, double speed)
{
    constexpr double half = 0.5 * edge, up = std::numbers::pi / 4;
    RigidWorld w(1.0 / 60, Vec3::Zero());
    const Mat3 Ra = rotation_exp(Vec3(0, 0, c.turned)),
               Rb = rotation_exp(Vec3(0, c.crossing, 0)) * rotation_exp(Vec3(0, 0, std::numbers::pi + up));
    const Vec3 apart(0, 1.1 * speed * w.dt, 0), v(0, 0.5 * speed, 0);
    w.mesh(dented_cube(), 700, infinity, -(Ra * Vec3(half, half, (c.of_a - 0.5) * edge)) - apart, Ra, v);
    w.mesh(dented_cube(), 700, infinity, -(Rb * Vec3(half, half, (c.of_b - 0.5) * edge)) + apart, Rb, -v);
    const ConvexFeatures cube = *convex_features(Box{Vec3::Constant(edge)});
    double deepest = 0;
    const Course course = run(w, 0.3, 20 * w.dt, [&](const State& s) {
        const auto frame = [&](int body) {
            return solid_frame(w.world.rigids[body], s.rigid[body].x, s.rigid[body].R.toRotationMatrix());
        };
        deepest = std::max(deepest, overlap(cube, cube, relative(frame(0), frame(1))));
    });
    EXPECT_EQ(course.failures, 0);
    return deepest;
}

TEST(RigidMesh, EdgesThatCrossNearAnEndOrFlushHold)
{
    constexpr double speed = 1; // [m/s]
    const double ideal = speed / 60 / 41; // of a vertex that hits a face
    const auto expect_held = [&](double of_a, double of_b, double turned) {
        for (const double crossing : {0.6, 1.3})
            EXPECT_LT(overlap_of_thrown({of_a, of_b, crossing, turned}, speed), 3 * ideal)
                << of_a << " and " << of_b << " of the edges, turned by " << turned << ", crossing at " << crossing;
    };
    for (const double share : {0.0, 1e-6, 1e-3, 1e-2, 0.1}) {
        expect_held(share, 0.4, std::numbers::pi / 4);
        expect_held(share, share, std::numbers::pi / 4);
    }
    for (const double degrees : {0, 2, 5, 10, 20})
        expect_held(0.3, 0.4, degrees * std::numbers::pi / 180);
}

} // namespace
} // namespace stickslip::rigid_mesh_test
