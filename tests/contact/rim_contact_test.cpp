#include "support/contact_laws.h"

#include <map>
#include <numbers>

namespace stickslip::rim_contact_test {
namespace {

/// A rim on a solid that is an obstacle, scripted or rigid. The unknowns q: place and turn of the rim's body, then of
/// the solid's.
struct Scene : ContactScene {
    Scene(const Rim& rim, const LevelSet& solid, bool rigid_solid, double mu, double damping = 0)
        : ContactScene(mu, damping)
    {
        rigids.push_back({.name = "rim", .solid = Sphere{0.15}, .mass = 1, .inertia = Mat3::Identity(), .rims = {rim}});
        old.push_back({});
        if (rigid_solid) {
            rigids.push_back({.name = "solid", .solid = solid, .mass = 1, .inertia = Mat3::Identity()});
            old.push_back({});
        } else {
            obstacles.push_back({.name = "solid", .solid = solid});
        }
        law.automatic.assign(2, 1000);
    }
};

/// A rim that touches a solid from a random side, tilted by `tilt` against the surface (0: flat), sunk in by `depth`.
void place(Scene& s, const LevelSet& solid, const Rim& rim, double tilt, double depth, Random& random)
{
    Vec3 P = std::holds_alternative<Plane>(solid) ? random.vector(0.2) : Vec3(0.3 * random.unit());
    if (const auto* box = std::get_if<Box>(&solid)) // over the middle of its upper face
        P = Vec3(random.uniform(-0.1, 0.1), box->size.y() / 2, random.uniform(-0.1, 0.1));
    const LevelSetSample at = sample(solid, P);
    const Vec3 n = at.n, W = P - at.phi * n;
    const Vec3 across = n.cross(random.unit()).normalized();
    const Vec3 axis = rotation_exp(tilt * across) * n;
    const Vec3 m = tilt > 0 ? Vec3((n - axis.dot(n) * axis).normalized()) : Vec3(axis.unitOrthogonal());
    const Mat3 R = rotation_exp(random.uniform(0, 6) * axis) * Quat::FromTwoVectors(rim.axis, axis).toRotationMatrix();
    s.old[0].R = Quat(R);
    s.old[0].x = W + (rim.tube - depth) * n + rim.radius * m - R * rim.centre;
}

struct Case {
    std::string name;
    LevelSet solid;
};
const std::vector<Case> cases = {{"plane", Plane{Vec3(1, 2, 0.5).normalized()}}, {"box", Box{Vec3(0.5, 0.4, 0.6)}},
    {"sphere", Sphere{0.3}}, {"cylinder", Cylinder{0.25, 0.8}}, {"torus", Torus{0.5, 0.2}}, {"cone", Cone{0.5, 0.8}}};

TEST(RimContact, DerivativesMatchDifferences)
{
    Random random(1);
    std::map<std::tuple<std::string, bool, bool, bool>, int> compared; // solid, rigid, tube, fixed points
    for (const Case& on : cases)
        for (const bool rigid : {false, true})
            for (const double tube : {0.0, 0.03})
                for (const double mu : {0.3, infinity})
                    for (int trial = 0; trial < 30; ++trial) {
                        const Rim rim{Vec3(0.01, 0.02, 0), Vec3(0.2, 1, 0.1).normalized(), 0.1, tube, true};
                        Scene s(rim, on.solid, rigid, mu, trial % 5 == 0 ? 0.02 : 0);
                        // tilts in the zone where the extreme point and the even ones share, and beyond it
                        const double tilt = trial % 3 == 0 ? random.uniform(0.006, 0.019) : random.uniform(0.05, 1.5);
                        place(s, on.solid, rim, tilt, 0.002, random);
                        std::vector<Vec3> q{s.old[0].x + random.vector(0.0005), random.vector(0.003)};
                        if (rigid)
                            q.insert(q.end(), {random.vector(0.0005), random.vector(0.001)});
                        ContactSet contacts(s.bodies());
                        s.begin(contacts);
                        s.evaluate(contacts, moved(q, 1, std::vector<Vec3>(q.size(), random.vector(0.0005))));
                        if (trial % 2 == 0)
                            s.begin(contacts, contacts.update_attachments());
                        SCOPED_TRACE(testing::Message() << on.name << " rigid " << rigid << " tube " << tube << " mu "
                                                        << mu << " tilt " << tilt << " kept " << (trial % 2 == 0));
                        expect_derivatives(s, contacts, q, random.vectors(q.size()), {.step = 1e-7, .error = 1e-5},
                            is_deep, [&](const Contact& c) {
                                ++compared[{on.name, rigid, tube > 0, c.point >= Rim::extreme_points}];
                            });
                    }
    for (const Case& on : cases)
        for (const bool rigid : {false, true})
            for (const bool tube : {false, true}) {
                EXPECT_GT((compared[{on.name, rigid, tube, false}]), 15)
                    << on.name << " rigid " << rigid << " tube " << tube;
            }
    EXPECT_GT((compared[{"plane", true, false, true}]), 20);
    EXPECT_GT((compared[{"box", true, true, true}]), 20);
}

/// A ring (major 0.1, tube 0.02) with upright axis hung over another that lies: the ring's circle dips into the
/// lying ring's tube on both sides, shifted by `shift` along the line between the two, leaning by `lean`.
struct TwoRings {
    static constexpr double major = 0.1, tube = 0.02;
    const Rim rim{Vec3::Zero(), Vec3::UnitY(), major, tube, true};
    const LevelSet solid = Torus{major, tube};

    /// The upper one lies on the lower one, its centre beside by `shift`, sunk in by `depth`.
    void place(Scene& s, double shift, double lean, double depth) const
    {
        s.old[0].R = Quat(rotation_exp(Vec3(lean, 0, 0)));
        s.old[0].x = Vec3(shift, 2 * tube - depth, 0);
    }
    /// The ring hangs in the other, its plane turned from upright (0) towards the other's by `tilt`, and about its own
    /// upright by `twist`. Upright they touch at one place; from some 41 degrees on at two.
    void link(Scene& s, double tilt, double twist, double depth) const
    {
        s.old[0].R = Quat(rotation_exp(Vec3(0, twist, 0)) * rotation_exp(Vec3(std::numbers::pi / 2 + tilt, 0, 0)));
        s.old[0].x = Vec3(2 * major - 2 * tube + depth, 0, 0);
    }
    /// Depths at all places where the upper ring's circle is deepest, less those at the places between them where it is
    /// least deep, all by looking at 20000 places.
    double depth_of_patches(const Scene& s) const
    {
        constexpr int places = 20000;
        std::vector<double> phi(places);
        for (int i = 0; i < places; ++i) {
            const double angle = 2 * std::numbers::pi * i / places;
            phi[i] = signed_distance(
                solid, s.old[0].x + s.old[0].R * Vec3(major * std::cos(angle), 0, major * std::sin(angle)));
        }
        double depth = 0;
        for (int i = 0; i < places; ++i) {
            const double before = phi[(i + places - 1) % places], after = phi[(i + 1) % places];
            if (phi[i] < tube && phi[i] < before && phi[i] <= after)
                depth += tube - phi[i];
            if (phi[i] < tube && phi[i] > before && phi[i] >= after)
                depth -= tube - phi[i];
        }
        return depth;
    }
};

// A ring that lies almost flat and rocks: its lowest place goes round by `arc`. Its material moves by at most the turn
// times the height of its centre.
TEST(RimContact, RockingIsNoSlipHoweverFarTheContactGoesRound)
{
    constexpr double tilt = 0.05, depth = 0.002;
    const Rim rim{Vec3::Zero(), Vec3::UnitY(), 0.1, 0.03, true};
    const auto axis = [&](double angle) {
        return Vec3(std::sin(tilt) * std::cos(angle), std::cos(tilt), std::sin(tilt) * std::sin(angle));
    };
    for (const double arc : {0.2, 1.0, 1.5, 1.6, 2.5, 3.1}) {
        Scene s(rim, Plane{Vec3::UnitY()}, false, infinity);
        s.old[0].R = Quat::FromTwoVectors(Vec3::UnitY(), axis(0));
        s.old[0].x = Vec3(0, rim.tube - depth + rim.radius * std::sin(tilt), 0);
        ContactSet contacts(s.bodies());
        s.begin_attached(contacts, {s.old[0].x, Vec3::Zero()});
        const Eigen::AngleAxisd turn(Quat::FromTwoVectors(axis(0), axis(arc)));
        s.evaluate(contacts, {s.old[0].x, turn.angle() * turn.axis()});
        ASSERT_EQ(contacts.count(), 1u) << arc;
        const Contact& c = contacts.blocks().contacts()[0];
        EXPECT_NEAR(c.at.depth, depth, 1e-9) << arc;
        EXPECT_LT((c.j - c.j.y() * Vec3::UnitY()).norm() / c.k, turn.angle() * s.old[0].x.y()) << arc;
    }
}

TEST(RimContact, ARingOnARingTouchesWhereverTheyCross)
{
    const TwoRings rings;
    for (const bool rigid : {false, true}) {
        Scene s(rings.rim, rings.solid, rigid, 0.3);
        rings.place(s, 0.08, 0, 0.001);
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.at_rest());
        // circles of one radius whose centres are 0.08 apart cross at x = 0.04
        const double half = std::sqrt(TwoRings::major * TwoRings::major - 0.04 * 0.04);
        std::vector<Vec3> places;
        contacts.for_each_contact([&](const Contact& c) {
            places.push_back(c.Z);
            EXPECT_NEAR(c.at.depth, 0.001, 1e-12);
            EXPECT_LT((c.at.n - Vec3::UnitY()).norm(), 1e-9);
        });
        ASSERT_EQ(places.size(), 2u);
        std::sort(places.begin(), places.end(), [](const Vec3& a, const Vec3& b) { return a.z() < b.z(); });
        EXPECT_LT((places[0] - Vec3(0.04, 0.019, -half)).norm(), 1e-9);
        EXPECT_LT((places[1] - Vec3(0.04, 0.019, half)).norm(), 1e-9);
    }
}

TEST(RimContact, DerivativesOfTwoPlacesMatchDifferencesAndTransposes)
{
    Random random(7);
    const TwoRings rings;
    int compared = 0;
    for (const double mu : {0.3, infinity})
        for (int trial = 0; trial < 120; ++trial) {
            Scene s(rings.rim, rings.solid, true, mu, trial % 5 == 0 ? 0.02 : 0);
            if (trial % 2 == 0)
                rings.place(s, random.uniform(0.03, 0.17), random.uniform(-0.03, 0.03), 0.002);
            else
                rings.link(s, random.uniform(0.75, 0.9), random.uniform(-0.003, 0.003), 0.002);
            std::vector<Vec3> q = moved(s.at_rest(), 1, random.vectors(4, 5e-4));
            ContactSet contacts(s.bodies());
            s.begin(contacts);
            s.evaluate(contacts, moved(q, 1, random.vectors(4, 5e-4)));
            if (trial % 4 < 2)
                s.begin(contacts, contacts.update_attachments());
            const std::vector<Vec3> d = random.vectors(4), w = random.vectors(4);
            const LoadsBeside beside(s, contacts, q, d, 1e-7);
            if (!beside.same_branches() || contacts.count() < 2)
                continue;
            SCOPED_TRACE(testing::Message() << "mu " << mu << " trial " << trial);
            for (const Contact& c : contacts.blocks().contacts())
                beside.expect_derivatives(c, 1e-5 * c.k);
            const std::vector<Vec3> f = forces_of(contacts, 4);
            // one body's load is the other's, turned round, with its lever arm
            EXPECT_LE((f[0] + f[2]).norm(), 1e-13 * f[0].norm());
            EXPECT_LE((f[1] + f[3] + q[0].cross(f[0]) + q[2].cross(f[2])).norm(), 1e-12 * f[0].norm());
            expect_products(contacts, d, w);
            ++compared;
        }
    EXPECT_GT(compared, 120);
}

TEST(RimContact, EachPlaceKeepsItsAttachment)
{
    const TwoRings rings;
    Scene s(rings.rim, rings.solid, true, infinity);
    rings.place(s, 0.08, 0, 0.003);
    ContactSet contacts(s.bodies());
    std::vector<Attachment> kept;
    // the upper ring moves by a little and turns about its axis: its material slips one way here, another there
    const Vec3 step(1e-4, 0, 0), spin(0, 2e-3, 0);
    constexpr int steps = 20;
    std::map<int, Vec3> slipped; // by point
    for (int n = 0; n < steps; ++n) {
        s.begin(contacts, kept);
        s.evaluate(contacts, {s.old[0].x + step, spin, Vec3::Zero(), Vec3::Zero()});
        contacts.for_each_contact([&](const Contact& c) {
            Vec3& way = slipped.try_emplace(c.point, Vec3::Zero()).first->second;
            way += step + spin.cross(c.Z - s.old[0].x - step);
        });
        kept = contacts.update_attachments();
        ASSERT_EQ(kept.size(), 2u) << n;
        s.old[0].x += step;
        s.old[0].R = Quat(rotation_exp(spin) * s.old[0].R.toRotationMatrix()).normalized();
    }
    ASSERT_EQ(slipped.size(), 2u) << "the same two points in all steps";
    for (const Attachment& a : kept) {
        const Vec3 way = slipped.at(a.point);
        EXPECT_LT((a.rolling_on_solid().xi - way).norm(), 0.01 * way.norm())
            << "what has slipped since the touch is all remembered";
        EXPECT_GT(way.norm(), 1e-3);
    }
}

/// As a ring hangs in another and turns over, its one place of contact parts into two. As long as it is in contact in
/// between as well, both carry together what one did: no force is lost, none is doubled.
TEST(RimContact, PlacesThatPartCarryWhatOneDid)
{
    const TwoRings rings;
    int together = 0, parted = 0;
    for (const double twist : {0.0, 0.002, -0.01})
        for (int i = 0; i <= 120; ++i) {
            Scene s(rings.rim, rings.solid, true, 0);
            rings.link(s, 0.6 + 0.0025 * i, twist, 0.001);
            ContactSet contacts(s.bodies());
            s.begin(contacts);
            s.evaluate(contacts, s.at_rest());
            double depth = 0;
            contacts.for_each_contact([&](const Contact& c) { depth += c.at.depth; });
            EXPECT_NEAR(depth, rings.depth_of_patches(s), 2e-8) << "turned by " << 0.6 + 0.0025 * i << " " << twist;
            ++(contacts.count() == 1 ? together : parted);
        }
    EXPECT_GT(together, 50);
    EXPECT_GT(parted, 50);
}

/// Where two minima merge or part the force changes no faster than it does anyway: halving the way of a small step
/// nearly halves the largest change, which a jump would leave as it is.
TEST(RimContact, ForcesAreContinuousWhereTwoPlacesBecomeOne)
{
    const TwoRings rings;
    for (const double mu : {0.0, 0.3}) {
        Scene s(rings.rim, rings.solid, true, mu);
        rings.place(s, 0.18, 0.02, 0.003);
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.at_rest());
        const auto kept = contacts.update_attachments();
        ASSERT_GE(kept.size(), 2u);
        s.begin(contacts, kept);
        double largest[2] = {0, 0};
        std::size_t most = 0, fewest = 100;
        for (const int halved : {0, 1}) {
            const int steps = halved ? 20000 : 10000;
            Vec3 last = Vec3::Zero();
            for (int i = 0; i <= steps; ++i) {
                const double t = static_cast<double>(i) / steps;
                std::vector<Vec3> q = s.at_rest();
                q[0].x() += 0.025 * t; // outwards, until only the outermost places meet
                q[1].z() -= 0.01 * t;
                s.evaluate(contacts, q);
                most = std::max(most, contacts.count());
                fewest = std::min(fewest, contacts.count());
                const std::vector<Vec3> f = forces_of(contacts, 4);
                if (i > 0)
                    largest[halved] = std::max(largest[halved], (f[0] - last).norm());
                last = f[0];
            }
        }
        EXPECT_EQ(most, 2u);
        EXPECT_LT(fewest, 2u);
        EXPECT_LT(largest[1], 0.7 * largest[0]) << "mu " << mu << ": " << largest[0];
    }
}

} // namespace
} // namespace stickslip::rim_contact_test
