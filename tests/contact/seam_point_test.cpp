#include "stickslip/contact/points/seam_point.h"
#include "stickslip/geometry/solids/solid_surface.h"

#include "support/contact_laws.h"

#include <map>

namespace stickslip::seam_point_test {
namespace {

struct Case {
    std::string name;
    LevelSet bar; // along x
    double half_height, tube;
    double beside = 0; // [m] of its middle, along x
};

/// A circle that lies flat under a long bar, crossing it on both sides of its middle, or under the round end of a
/// solid that covers one side of it. The unknowns q: place and turn of the circle's body, then of the bar's.
struct Scene : ContactScene {
    Scene(const Case& on, double depth, double mu)
        : ContactScene(mu)
    {
        const auto& [name, bar, half_height, tube, beside] = on;
        const Rim rim{Vec3::Zero(), Vec3::UnitY(), 0.1, tube, true};
        rigids.push_back(
            {.name = "ring", .solid = Sphere{0.15}, .mass = 1, .inertia = Mat3::Identity(), .rims = {rim}});
        rigids.push_back({.name = "bar", .solid = bar, .mass = 1, .inertia = Mat3::Identity()});
        old.resize(2);
        old[0].x = Vec3(0.003, 0, 0.004);
        old[1].x = Vec3(beside, half_height + tube - depth, 0);
        law.automatic.assign(2, 1000);
    }
    /// q: from the start.
    void evaluate(ContactSet& contacts, const std::vector<Vec3>& q) const
    {
        ContactScene::evaluate(contacts, moved(at_rest(), 1, q));
    }
};

const std::vector<Case> cases = {{"ring under a box", Box{Vec3(0.6, 0.06, 0.06)}, 0.03, 0.03},
    {"ring under a rounded box", RoundedBox{Vec3(0.6, 0.06, 0.06), 0.01}, 0.03, 0.03},
    {"rim under a rounded box", RoundedBox{Vec3(0.6, 0.06, 0.06), 0.01}, 0.03, 0},
    {"ring under a cylinder", Cylinder{0.1, 0.06}, 0.03, 0.03, 0.08},
    {"ring under a cone", Cone{0.1, 0.06}, 0.03, 0.03, 0.08},
    {"ring under a polyhedron", ConvexPolyhedron::from_mesh(solid_surface(Box{Vec3(0.6, 0.06, 0.06)}, 1)), 0.03, 0.03},
    {"ring under triangles", build_grid_level_set(solid_surface(Box{Vec3(0.6, 0.06, 0.06)}, 1), {.spacing = 0.009}),
        0.03, 0.03}};

std::vector<Vec3> rest()
{
    return std::vector<Vec3>(4, Vec3::Zero());
}

TEST(SeamPoint, EndsOfTheStretchUnderABarAreFoundAndCarry)
{
    for (const Case& on : cases) {
        SCOPED_TRACE(on.name);
        const Scene s(on, 5e-4, 0.3);
        const Circle circle{s.old[0].x - s.old[1].x, Vec3::UnitY(), Vec3::UnitX(), 0.1, on.tube};
        const SeamPoints found = find_seam_points({&s.rigids[1].solid, on.tube > 0 ? -1 : 0}, circle);
        int full = 0;
        for (const SeamPoint& p : found) {
            if (p.slot >= 9) { // the planes across z, and round ends
                EXPECT_EQ(p.share, 1);
                if (on.beside > 0)
                    EXPECT_NEAR(std::hypot(p.E.x(), p.E.z()), 0.1, 1e-12);
                else if (p.slot < 13)
                    EXPECT_NEAR(std::abs(p.E.z()), std::holds_alternative<Box>(on.bar) ? 0.03 : 0.02, 1e-15);
                else
                    EXPECT_NEAR(std::abs(p.E.z()), 0.03, 2e-7);
                ++full;
            }
        }
        EXPECT_EQ(full, on.beside == 0 ? 4 : 2);
    }
}

// A ring over the cap of a capsule is even on the cap, and not on the side: no stretch of the side ends there.
TEST(SeamPoint, OfACapsuleDoNotCarryForItsCap)
{
    const LevelSet capsule = Capsule{0.09, 0.11};
    constexpr double radius = 0.056, tube = 0.024;
    const Vec3 axis = Vec3(0.5, 1, 0).normalized();
    const double way = std::sqrt((0.09 + tube) * (0.09 + tube) - radius * radius);
    const Circle circle{Vec3(0, 0.055, 0) + way * axis, axis, axis.unitOrthogonal(), radius, tube};
    const Circle over_seam{Vec3(0, 0.055, 0) + way * Vec3(1, 0.3, 0).normalized(), Vec3(1, 0.3, 0).normalized(),
        Vec3::UnitZ(), radius, tube};
    EXPECT_EQ(find_seam_points({&capsule, -1}, circle).count, 0);
    const SeamPoints found = find_seam_points({&capsule, -1}, over_seam);
    ASSERT_EQ(found.count, 2);
    for (const SeamPoint& p : found)
        EXPECT_EQ(p.share, 0);
    const ExtremePoints minima = find_extreme_points({&capsule, -1}, over_seam);
    ASSERT_EQ(minima.count, 1);
    EXPECT_LT(minima.points[0].E.y(), 0.055); // on the side
    EXPECT_LT(minima.points[0].phi, tube);
}

// As the bar rocks over the stretch, the place that is deepest leaps from one of its ends to the other; the force does
// not: halving the way of a small step nearly halves its largest change, which a jump would leave as it is.
TEST(SeamPoint, ForcesAreContinuousAsABarRocks)
{
    for (const Case& on : cases)
        for (const double mu : {0.0, 0.3}) {
            SCOPED_TRACE(on.name);
            const Scene s(on, 2e-3, mu);
            ContactSet contacts(s.bodies());
            s.begin(contacts);
            s.evaluate(contacts, rest());
            const auto kept = contacts.update_attachments();
            s.begin(contacts, kept);
            double largest[2] = {0, 0};
            for (const int halved : {0, 1}) {
                const int steps = halved ? 4000 : 2000;
                std::vector<Vec3> last;
                for (int i = 0; i <= steps; ++i) {
                    std::vector<Vec3> q = rest();
                    q[3].x() = 0.03 * (2.0 * i / steps - 1);
                    s.evaluate(contacts, q);
                    const std::vector<Vec3> f = forces_of(contacts, 4);
                    if (i > 0)
                        largest[halved] =
                            std::max(largest[halved], (f[2] - last[2]).norm() + 20 * (f[3] - last[3]).norm());
                    last = f;
                }
            }
            EXPECT_LT(largest[1], 0.7 * largest[0]) << "mu " << mu << ": " << largest[0];
        }
}

TEST(SeamPoint, DerivativesMatchDifferences)
{
    Random random(5);
    std::map<std::string, int> compared;
    for (const Case& on : cases)
        for (const double mu : {0.3, infinity})
            for (int trial = 0; trial < 200; ++trial) {
                const Scene s(on, 1e-3, mu);
                ContactSet contacts(s.bodies());
                s.begin(contacts);
                std::vector<Vec3> q = rest();
                q[3] = Vec3(random.uniform(-0.025, 0.025), random.uniform(-0.1, 0.1), random.uniform(-0.02, 0.02));
                q[2] = random.vector(2e-4);
                s.evaluate(contacts, q);
                if (trial % 2 == 0)
                    s.begin(contacts, contacts.update_attachments());
                for (Vec3& v : q)
                    v += random.vector(1e-4);
                SCOPED_TRACE(testing::Message() << on.name << " mu " << mu << " trial " << trial);
                expect_derivatives(
                    s, contacts, q, random.vectors(4),
                    {.step = 1e-7, .error = 1e-5, .relative = 1e-5}, // shares change by 100 a radian
                    [](const Contact& c) { return c.point < Rim::extreme_points && is_deep(c); },
                    [&](const Contact& c) { ++compared[on.name + (c.at.slot == 0 ? " minimum" : " seam")]; });
            }
    for (const Case& on : cases) {
        EXPECT_GT(compared[on.name + " minimum"], 100) << on.name;
        EXPECT_GT(compared[on.name + " seam"], 100) << on.name;
    }
}

} // namespace
} // namespace stickslip::seam_point_test
