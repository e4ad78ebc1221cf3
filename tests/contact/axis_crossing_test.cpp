// Round sides that lie across edges and across one another.
#include "stickslip/bodies/round_shapes.h"
#include "stickslip/contact/edges/axis_crossing.h"

#include "support/contact_laws.h"

#include <numbers>

namespace stickslip::axis_crossing_test {
namespace {

DistanceToSolid around(const LevelSet& solid)
{
    return [&solid](const Vec3& x) { return signed_distance(solid, x); };
}

constexpr double dt = 0.01;

LevelSet solid_of(const Primitive& shape)
{
    return std::visit([](const auto& s) -> LevelSet { return s; }, shape);
}

/// [m] of the endless side.
double side_distance(const RoundSide& side, const Vec3& P)
{
    const double rho = std::hypot(P.x(), P.z());
    return (rho - side.radius + (P.y() + 0.5 * side.height) * side.slope) / std::hypot(1, side.slope);
}

/// [-] along the tube, where the distance, which is convex, is least.
double nearest_to(const RoundSide& side, const Vec3& start, const Vec3& along)
{
    double low = 0, high = 1;
    for (int i = 0; i < 100; ++i) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (side_distance(side, start + a * along) < side_distance(side, start + b * along))
            high = b;
        else
            low = a;
    }
    return 0.5 * (low + high);
}

TEST(AxisCrossings, AreWhereATubeIsNearestToTheSide)
{
    Random random(7);
    const LevelSet rod = Capsule{0.02, 0.8};
    const Tube tube = tubes(rod).front();
    for (const Primitive& shape :
        {Primitive(Cylinder{0.1, 0.5}), Primitive(Capsule{0.1, 0.5}), Primitive(Cone{0.1, 0.6})}) {
        const RoundSide side = *round_side(solid_of(shape));
        int found = 0, deep = 0;
        while (found < 100) {
            const Frame pose{random.vector(0.2), random.rotation()};
            const auto at = axis_crossing(solid_of(shape), side, pose, pose, tube, around(rod));
            if (!at)
                continue;
            ++found;
            const Vec3 start = pose.to_local(tube.start), along = pose.R.transpose() * tube.along;
            const double depth = tube.radius - side_distance(side, start + nearest_to(side, start, along) * along);
            Frame from = pose; // away from the tube's line, so that the whole depth has come in the step
            const Vec3 off = pose.x - tube.start, t = tube.along.normalized();
            from.x += 3 * (off - off.dot(t) * t);
            const auto felt = relax_axis({.dt = dt}, side, tube, from, pose, nullptr, 0, 1000);
            EXPECT_EQ(felt.has_value(), depth > 0);
            if (felt) {
                ++deep;
                EXPECT_NEAR(felt->depth, depth, 1e-9);
            }
            EXPECT_GT(at->share, 0);
            EXPECT_LE(at->share, 1);
        }
        EXPECT_GT(deep, 10);
    }
}

// An edge that has come in through the base is deep behind the side, too.
TEST(AxisCrossings, EndWhereTheBaseIsNearer)
{
    const LevelSet cone = Cone{2, 0.5}, rod = Capsule{0.02, 0.8};
    const Tube tube = tubes(rod).front();
    const auto share = [&](double above_base) {
        const Frame pose{Vec3(1, 0, -0.02), rotation_exp(Vec3(std::numbers::pi / 2, 0, 0))}; // its axis along z
        const Frame moved{pose.x + Vec3(0, 0, 0.25 - above_base), pose.R};
        const auto at = axis_crossing(cone, *round_side(cone), moved, moved, tube, around(rod));
        return at ? at->share : 0;
    };
    for (const double inside : {1e-9, 1e-6, 1e-3, 0.1})
        EXPECT_EQ(share(inside), 0) << inside;
    EXPECT_EQ(share(0.24), 1); // near the side
}

TEST(AxisCrossings, EndWhereTheTubeRunsAlongTheSideAndAtItsEnds)
{
    const LevelSet log = Cylinder{0.1, 0.5}, rod = Capsule{0.02, 0.8};
    const Tube tube = tubes(rod).front();
    const auto share = [&](double angle, double along_side, double along_tube) {
        const Mat3 R = rotation_exp(Vec3(0, 0, angle)); // across: the axis lies along x
        const Vec3 foot = R * Vec3(0, along_side, 0);
        const Frame pose{Vec3(0, along_tube, 0.119) - foot, R};
        const auto at = axis_crossing(log, *round_side(log), pose, pose, tube, around(rod));
        return at ? at->share : 0;
    };
    const double across = std::numbers::pi / 2;
    EXPECT_EQ(share(across, 0.1, 0.2), 1);
    EXPECT_GT(share(0.021, 0, 0), 0);
    double before = 0;
    for (const double angle : {0.0, 1e-12, 1e-6, 0.02, 0.03, 0.05, 0.08, 0.1, 0.2}) {
        EXPECT_GE(share(angle, 0, 0), before);
        before = share(angle, 0, 0);
    }
    EXPECT_EQ(share(0.02, 0, 0), 0);
    EXPECT_EQ(before, 1);
    for (const double sign : {-1.0, 1.0}) {
        EXPECT_EQ(share(across, sign * 0.24951, 0), 0); // 1 mm deep: half of that way out beyond the end
        EXPECT_GT(share(across, sign * 0.2493, 0), 0);
        EXPECT_LT(share(across, sign * 0.2493, 0), 1);
        EXPECT_NEAR(share(across, sign * 0.249, 0), 1, 1e-9);
        EXPECT_EQ(share(across, 0, sign * 0.4), 0);
        EXPECT_GT(share(across, 0, sign * 0.395), 0);
        EXPECT_LT(share(across, 0, sign * 0.395), 1);
    }
}

// What a step carries through the axis is pushed back to the side that it came from.
TEST(AxisCrossings, GoOnThroughTheAxis)
{
    const LevelSet rod = Capsule{0.02, 0.8};
    const Tube tube = tubes(rod).front();
    for (const Primitive& shape :
        {Primitive(Cylinder{0.1, 0.5}), Primitive(Capsule{0.1, 0.5}), Primitive(Cone{0.1, 0.5})}) {
        const RoundSide side = *round_side(solid_of(shape));
        const double lean = std::atan(side.slope);
        const Mat3 R = rotation_exp(Vec3(0.2, 0, std::numbers::pi / 2)); // its axis along x, a little off
        const Frame old{Vec3(0, 0, 0.2), R};
        std::optional<PoseContact> before;
        constexpr double pace = 1e-3;
        for (double z = 0.04; z > -0.1; z -= pace) {
            const Frame now{Vec3(0, 0, z + 1e-12), R};
            const auto felt = relax_axis({.dt = dt}, side, tube, old, now, nullptr, 0, 1000);
            ASSERT_TRUE(felt);
            EXPECT_NE(axis_crossing(solid_of(shape), side, old, now, tube, around(rod)), std::nullopt) << z;
            if (before) {
                EXPECT_NEAR(felt->depth - before->depth, pace * std::abs(felt->n.z()), 1e-9) << z;
                EXPECT_LT((felt->n - before->n).norm(), 1e-9) << z;
            }
            before = felt;
        }
        EXPECT_NEAR(before->n.z(), std::cos(lean), 0.05); // out of the tube, below it
    }
}

// The normal does not turn over where the tube turns from one side of parallel to the other.
TEST(AxisCrossings, StayOnTheirSideWhereTheTubeTurnsThroughParallel)
{
    const LevelSet log = Cylinder{0.1, 0.5}, rod = Capsule{0.02, 0.8};
    const Tube tube = tubes(rod).front();
    for (const double from : {-0.06, 0.0, 0.06}) {
        const Frame old{Vec3(0, 0, 0.121), rotation_exp(Vec3(0, 0, from))};
        const Frame now{Vec3(0, 0, 0.119), rotation_exp(Vec3(0, 0, from < 0 ? 0.06 : -0.06))};
        const auto at = axis_crossing(log, *round_side(log), old, now, tube, around(rod));
        ASSERT_TRUE(at) << from;
        EXPECT_NEAR(at->depth, 1e-3, 1e-9) << from;
        const auto felt = relax_axis({.dt = dt}, *round_side(log), tube, old, now, nullptr, 0, 1000);
        ASSERT_TRUE(felt) << from;
        EXPECT_NEAR(felt->n.z(), 1, 1e-9) << from;
        EXPECT_NEAR(felt->depth, 1e-3, 1e-9) << from;
    }
}

std::vector<RoundPoint> balls_or_corners_of(const Primitive& shape)
{
    const auto* rounded = std::get_if<RoundedBox>(&shape);
    return rounded ? points_of(*rounded, 1).balls : balls_of(shape);
}

/// A log comes down on an edge of a beam, both rigid bodies.
struct LogOnBeam : ContactScene {
    std::vector<Vec3> q;

    LogOnBeam(
        const Primitive& shape, const Primitive& beam, Random& random, double mu, double damping, double gap = 1e-4)
        : ContactScene(mu, damping, RelaxationKind::exact_cone)
    {
        for (const Primitive& s : {beam, shape})
            rigids.push_back({.name = "body",
                .solid = solid_of(s),
                .mass = 1,
                .inertia = Mat3::Identity(),
                .rounds = balls_or_corners_of(s),
                .rims = rims_of(s)});
        const bool lies = std::holds_alternative<Cylinder>(beam);
        const double half = std::holds_alternative<Cone>(shape) ? 0.04932 : 0.1;
        const double tilt = std::numbers::pi / 2 + (std::holds_alternative<Cone>(shape) ? std::atan(0.1 / 0.6) : 0);
        old = {{.x = Vec3(0.0137, -0.1, 0), .R = Quat(rotation_exp(Vec3(0, 0, lies ? std::numbers::pi / 2 : 0)))},
            {.x = Vec3(0, half + gap, 0.015),
                .R = Quat(rotation_exp(0.01 * random.unit()) * rotation_exp(Vec3(tilt, 0, 0))),
                .v = Vec3(0.02, -0.1, 0.03)}};
        law.automatic = {1000, 1000};
        for (const RigidState& r : old) {
            q.push_back(r.x + dt * r.v + random.vector(1e-4));
            q.push_back(random.vector(1e-3));
        }
    }
};

int axis_contacts(const ContactSet& contacts, const ContactBodies& bodies)
{
    int count = 0;
    contacts.for_each_contact([&](const Contact& c) {
        count += bodies.kind(c.point_body, c.surface_body, c.point) == ContactKind::axis_on_solid;
    });
    return count;
}

TEST(AxisCrossings, HaveForcesThatBalanceAndDerivativesThatMatchDifferences)
{
    Random random(3);
    int felt = 0, kept_felt = 0;
    for (const Primitive& shape : {Primitive(Cylinder{0.1, 0.4}), Primitive(Capsule{0.1, 0.4}),
             Primitive(Cone{0.1, 0.6}), Primitive(RoundedBox{Vec3(0.2, 0.4, 0.2), 0.03})})
        for (const Primitive& beam : {Primitive(Box{Vec3(1, 0.2, 0.08)}), Primitive(Cylinder{0.1, 1})})
            for (const double mu : {0.0, 0.3, infinity})
                for (const auto& [kept, gap, way] : {std::tuple(false, 1e-4, 0.0), std::tuple(false, -5e-4, 0.0),
                         std::tuple(true, 1e-4, 0.0), std::tuple(true, 1e-4, 0.12)}) {
                    LogOnBeam s(shape, beam, random, mu, kept || gap < 0 ? 0.004 : 0, gap);
                    ContactSet contacts(s.bodies());
                    s.begin(contacts);
                    if (kept) {
                        s.forces(
                            contacts, moved(s.q, 1, {random.vector(1e-4), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}));
                        s.begin(contacts, contacts.update_attachments());
                    }
                    // the edge goes through the axis; not through the rounding, under which circles see other faces
                    s.q[2].y() -= (std::holds_alternative<RoundedBox>(shape) ? 0.2 : 1) * way;
                    const std::vector<Vec3> f = s.forces(contacts, s.q);
                    (kept ? kept_felt : felt) += axis_contacts(contacts, s.bodies());
                    expect_balance(0, s.q, f);
                    const std::vector<Vec3> d = random.vectors(4), e = random.vectors(4);
                    constexpr double h = 1e-7;
                    const std::vector<Vec3> plus = s.forces(contacts, moved(s.q, h, d)),
                                            minus = s.forces(contacts, moved(s.q, -h, d));
                    s.forces(contacts, s.q);
                    expect_products(contacts, d, e);
                    std::vector<Vec3> df(4, Vec3::Zero());
                    contacts.add_force_differential(d, df, false);
                    const std::vector<Vec3> difference = moved(plus, -1, minus);
                    for (int i = 0; i < 4; ++i)
                        EXPECT_LT((difference[i] / (2 * h) - df[i]).norm(), 1e-4 * norm_all(df))
                            << shape.index() << ' ' << beam.index() << " mu " << mu << " kept " << kept << " gap "
                            << gap << " row " << i;
                }
    EXPECT_GE(felt, 48);
    EXPECT_GE(kept_felt, 48);
}

TEST(AxisCrossings, HaveSpringsThatAreNoStifferForASharesGrowth)
{
    Random random(5);
    LogOnBeam s(Cylinder{0.1, 0.4}, Box{Vec3(1, 0.2, 0.08)}, random, 0.3, 0);
    s.old[1].x.y() = 0.1 - 2e-3; // it begins 2 mm deep, and nothing was felt before
    ContactSet contacts(s.bodies());
    s.begin(contacts);
    s.forces(contacts, {s.old[0].x, Vec3::Zero(), s.old[1].x, Vec3::Zero()});
    int found = 0;
    contacts.for_each_contact([&](const Contact& c) {
        if (s.bodies().kind(c.point_body, c.surface_body, c.point) != ContactKind::axis_on_solid)
            return;
        ++found;
        EXPECT_LT(c.energy(), 0.5 * 4 * 1000 * 1.01e-10); // what is flush: 1e-4 of the radius
    });
    EXPECT_GT(found, 0);
}

// What is deep, but holds little, is pushed by all that it comes nearer from there on: it would sink otherwise.
TEST(AxisCrossings, FeelAllThatComesNearer)
{
    Random random(5);
    LogOnBeam s(Cylinder{0.1, 0.4}, Box{Vec3(1, 0.2, 0.08)}, random, 0.3, 0);
    s.old[1].x.y() = 0.1 - 2e-3;
    ContactSet contacts(s.bodies());
    const auto deepest = [&] {
        double depth = 0;
        contacts.for_each_contact([&](const Contact& c) {
            if (s.bodies().kind(c.point_body, c.surface_body, c.point) == ContactKind::axis_on_solid)
                depth = std::max(depth, c.at.depth);
        });
        return depth;
    };
    std::vector<Vec3> q{s.old[0].x, Vec3::Zero(), s.old[1].x, Vec3::Zero()};
    s.begin(contacts);
    s.forces(contacts, q);
    const double held = deepest(), energy = contacts.energy();
    EXPECT_NEAR(held, 1e-5, 1e-8); // what is flush
    s.begin(contacts, contacts.update_attachments());
    s.forces(contacts, q);
    EXPECT_NEAR(contacts.energy(), energy, 1e-9 * energy);
    for (const double nearer : {1e-6, 1e-5, 1e-4, 1e-3}) {
        q[2].y() = s.old[1].x.y() - nearer;
        s.forces(contacts, q);
        EXPECT_NEAR(deepest(), held + nearer, 1e-3 * (held + nearer)) << nearer;
    }
}

// Of a log that lies on a face the places that touch, where its line of contact ends and where its circles are, stand
// for as much of the line as lies between them: all of them together are as stiff as the line is long, wherever its
// circles, 50 mm apart, and its ends lie by the edges of the face; and they press in its middle.
TEST(AxisCrossings, AddUpWithCirclesToTheLengthOfTheLine)
{
    Random random(5);
    constexpr double apart = 0.05, height = 0.3, depth = 1e-6;
    // total force over that of one place, and where it acts
    const auto pressed = [&](double width, double beside) {
        LogOnBeam s(Cylinder{0.1, height}, Box{Vec3(1, 0.2, width)}, random, 0, 0);
        s.old[0] = {.x = Vec3(0, -0.1, beside)};
        s.old[1] = {.x = Vec3(0, 0.1 + 1e-9, 0), .R = Quat(rotation_exp(Vec3(std::numbers::pi / 2, 0, 0)))};
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.forces(contacts, {s.old[0].x, Vec3::Zero(), s.old[1].x - depth * Vec3::UnitY(), Vec3::Zero()});
        double force = 0, moment = 0;
        contacts.for_each_contact([&](const Contact& c) {
            const double places = c.j.norm() / (depth * s.bodies().stiffness(c.point_body, c.surface_body, c.point));
            force += places;
            moment += places * c.Z.z();
        });
        return std::pair(force, moment / force);
    };
    for (const double width : {0.11, 0.151, 0.199, 0.19999, 0.2, 0.20001, 0.203, 0.227, 0.25, 0.29, 0.2999, 0.29999,
             0.3, 0.30001, 0.3001, 0.305, 0.4}) {
        const auto [force, middle] = pressed(width, 0);
        EXPECT_NEAR(force, 1 + std::min(width, height) / apart, 1e-2) << width;
        EXPECT_NEAR(middle, 0, 1e-9) << width;
    }
    for (const double beside : {-5e-3, -1e-3, -1e-4, -1e-5, 1e-6, 1e-5, 1e-4, 1e-3, 5e-3}) {
        const auto [force, middle] = pressed(0.2, beside);
        EXPECT_NEAR(force, 5, 1e-2) << beside;
        EXPECT_NEAR(middle, beside, 0.01 * std::abs(beside) + 1e-9) << beside;
        const auto [end_force, end_middle] = pressed(height, beside);
        EXPECT_NEAR(end_force, 1 + (height - std::abs(beside)) / apart, 1e-2) << beside;
        EXPECT_LT(std::abs(end_middle - 0.5 * beside), std::abs(beside)) << beside;
    }
}

} // namespace
} // namespace stickslip::axis_crossing_test
