#include "stickslip/world/derivative_check.h"

#include "laws/rigid_world.h"
#include "stickslip/math/rotation.h"

#include <gtest/gtest.h>

namespace stickslip::derivative_check_test {
namespace {

constexpr double tolerance = 1e-6; // of check-derivatives

/// A steel disc of radius 0.1 m set down on its rim, leaning over by 0.5 rad. What is said of its contact.
DerivativeCheck disc_on_its_rim(double thickness, double away, unsigned seed)
{
    const double lean = 0.5, radius = 0.1;
    RigidWorld w(5e-4);
    w.plane(Vec3::UnitY());
    const double height = radius * std::sin(lean) + thickness / 2 * std::cos(lean);
    w.rimmed(Cylinder{radius, thickness}, 7800, Vec3(away, height, 0), rotation_exp(Vec3(0, 0, lean)), Vec3::Zero(),
        Vec3(12, 6.6, 0));
    const State state = w.start(1);
    for (const DerivativeCheck& check : check_derivatives(w.world, state, w.dt, seed))
        if (check.force == "contact")
            return check;
    return {};
}

TEST(DerivativeCheck, RoundOffIsNoWrongDerivative)
{
    for (const double thickness : {0.02, 0.002, 0.0002})
        for (const double away : {0.0, 3.0, 100.0})
            for (unsigned seed = 1; seed <= 5; ++seed) {
                const DerivativeCheck check = disc_on_its_rim(thickness, away, seed);
                EXPECT_LE(check.beyond, tolerance) << thickness << " m thick, " << away << " m away, seed " << seed;
                if (away == 0) {
                    EXPECT_LE(check.difference, 1e-3) << thickness << " m thick, seed " << seed;
                }
            }
}

} // namespace
} // namespace stickslip::derivative_check_test
