#include "stickslip/contact/points/extreme_point.h"

#include "stickslip/math/rotation.h"

#include "support/numeric.h"

#include <gtest/gtest.h>

namespace stickslip::extreme_point_test {
namespace {

struct Case {
    std::string name;
    DistanceField field;
};

const LevelSet plane = Plane{Vec3(1, 2, 0.5).normalized()}, box = Box{Vec3(0.5, 0.4, 0.6)}, sphere = Sphere{0.3},
               cylinder = Cylinder{0.25, 0.8}, torus = Torus{0.5, 0.2}, cone = Cone{0.5, 0.8};
const std::vector<Case> cases = {{"plane", {&plane, -1}}, {"face", {&box, 3}}, {"box", {&box, -1}},
    {"sphere", {&sphere, -1}}, {"side", {&cylinder, 0}}, {"end", {&cylinder, 2}}, {"torus", {&torus, -1}},
    {"cone", {&cone, 0}}};

Circle random_circle(Random& random)
{
    const Vec3 axis = random.unit();
    return {random.vector(0.7), axis, rotation_exp(random.uniform(0, 6) * axis) * axis.unitOrthogonal(),
        random.uniform(0.1, 0.6)};
}

constexpr int fine = 7200;
double angle_of(int i)
{
    return 2 * M_PI * (i + 0.37) / fine;
}

/// phi around the circle, finely.
std::vector<double> around(const DistanceField& field, const Circle& circle)
{
    std::vector<double> phi(fine);
    for (int i = 0; i < fine; ++i)
        phi[i] = field.distance(circle.centre + circle.radius * circle.direction(angle_of(i)));
    return phi;
}

double gap(double a, double b)
{
    return std::abs(std::remainder(a - b, 2 * M_PI));
}

TEST(ExtremePoints, AreTheLocalMinimaThatASearchFinds)
{
    Random random(3);
    int several = 0;
    for (const Case& c : cases)
        for (int trial = 0; trial < 100; ++trial) {
            const Circle circle = random_circle(random);
            const std::vector<double> phi = around(c.field, circle);
            const ExtremePoints found = find_extreme_points(c.field, circle);
            several += found.count > 1;
            for (const ExtremePoint& p : found) {
                EXPECT_LT((p.E - circle.centre - circle.radius * circle.direction(p.angle)).norm(), 1e-14);
                EXPECT_EQ(p.phi, c.field.distance(p.E));
                if (c.name != "box") { // inside one the nearest face changes at kinks
                    EXPECT_LT(std::abs(along_circle(c.field.at(p.E), circle, p.u).F), 1e-12)
                        << c.name; // the last bits of an angle
                }
                const double beside = 1e-3;
                for (const double a : {p.angle - beside, p.angle + beside}) {
                    EXPECT_GE(c.field.distance(circle.centre + circle.radius * circle.direction(a)) - p.phi, -1e-12)
                        << c.name << " q " << p.sharpness;
                }
            }
            for (int i = 0; i < fine; ++i) {
                if (!(phi[i] < phi[(i + 1) % fine] && phi[i] <= phi[(i + fine - 1) % fine]))
                    continue;
                const Vec3 u = circle.direction(angle_of(i));
                if (along_circle(c.field.at(circle.centre + circle.radius * u), circle, u).q < 0.06)
                    continue; // fades
                EXPECT_EQ(std::count_if(found.begin(), found.end(),
                              [&](const ExtremePoint& p) { return gap(p.angle, angle_of(i)) < 3e-3; }),
                    1)
                    << c.name << " trial " << trial << " angle " << angle_of(i);
            }
        }
    EXPECT_GT(several, 30) << "circles with more than one";
}

TEST(ExtremePoints, RunningDownAlongTheCircleEndsAtTheNextOne)
{
    Random random(4);
    int chosen = 0;
    for (const Case& c : cases)
        for (int trial = 0; trial < 60; ++trial) {
            const Circle circle = random_circle(random);
            const ExtremePoints found = find_extreme_points(c.field, circle);
            if (found.count < 2)
                continue;
            const std::vector<double> phi = around(c.field, circle);
            int i = static_cast<int>(random.uniform(0, fine));
            const int start = i;
            while (true) {
                const int up = (i + 1) % fine, down = (i + fine - 1) % fine;
                const int lower = phi[up] < phi[down] ? up : down;
                if (!(phi[lower] < phi[i]))
                    break;
                i = lower;
            }
            const int reached = run_down(found, c.field, circle, angle_of(start));
            if (found.points[reached].sharpness < 0.06)
                continue;
            EXPECT_LT(gap(found.points[reached].angle, angle_of(i)), 3e-3) << c.name << " trial " << trial;
            ++chosen;
        }
    EXPECT_GT(chosen, 30);
}

/// A pair of minima too close for the directions looked at first: F has one sign at all of them.
TEST(ExtremePoints, AMinimumBetweenTwoDirectionsIsFound)
{
    Random random(5);
    int narrow = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const Circle circle = random_circle(random);
        const DistanceField field{&torus, -1};
        const ExtremePoints found = find_extreme_points(field, circle);
        for (const ExtremePoint& p : found) {
            const double cell = 2 * M_PI / 24,
                         low = Circle::first_angle + cell * std::floor((p.angle - Circle::first_angle) / cell);
            const auto falls = [&](double a) {
                const Vec3 u = circle.direction(a);
                return along_circle(field.at(circle.centre + circle.radius * u), circle, u).F < 0;
            };
            narrow += falls(low) == falls(low + cell);
        }
    }
    EXPECT_GT(narrow, 3);
}

TEST(ExtremePoints, AnglesAndDirectionsAreInverse)
{
    Random random(6);
    for (int trial = 0; trial < 100; ++trial) {
        const Circle circle = random_circle(random);
        const double angle = Circle::first_angle + random.uniform(0, 2 * M_PI);
        EXPECT_NEAR(circle.angle(circle.direction(angle)), angle, 1e-14);
    }
}

} // namespace
} // namespace stickslip::extreme_point_test
