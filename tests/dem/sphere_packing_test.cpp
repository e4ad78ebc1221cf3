#include "stickslip/dem/packing/sphere_packing.h"

#include "stickslip/math/error.h"
#include "support/numeric.h"

#include <tbb/global_control.h>

#include <numbers>

namespace stickslip::sphere_packing_test {
namespace {

constexpr double pi = std::numbers::pi;

/// Largest overlap of two, or reach out of the region, in radii.
double largest_fault(const LevelSet& region, const std::vector<double>& radii, const std::vector<Vec3>& x)
{
    double worst = -infinity;
    for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, (signed_distance(region, x[i]) + radii[i]) / radii[i]);
        for (std::size_t j = 0; j < i; ++j)
            worst = std::max(worst, (radii[i] + radii[j] - (x[i] - x[j]).norm()) / std::min(radii[i], radii[j]));
    }
    return worst;
}

std::vector<double> radii_for(double fraction, double volume, double low, double high)
{
    Random random(3);
    std::vector<double> radii;
    for (double sum = 0; sum < fraction * volume;) {
        radii.push_back(random.uniform(low, high));
        sum += 4 * pi / 3 * std::pow(radii.back(), 3);
    }
    return radii;
}

TEST(SpherePacking, FillsABoxDenselyWithoutOverlap)
{
    const LevelSet box = Box{Vec3(1, 1.5, 0.8)};
    const std::vector<double> radii = radii_for(0.55, 1.2, 0.05, 0.05);
    EXPECT_LE(largest_fault(box, radii, pack_spheres(box, radii, 1)), 0.0);
}

TEST(SpherePacking, FillsACylinderAndABallWithSpheresOfManySizes)
{
    const LevelSet cylinder = Cylinder{0.5, 1.5}, ball = Sphere{0.6};
    const std::vector<double> a = radii_for(0.55, pi * 0.25 * 1.5, 0.02, 0.08);
    EXPECT_LE(largest_fault(cylinder, a, pack_spheres(cylinder, a, 1)), 0.0);
    const std::vector<double> b = radii_for(0.5, 4 * pi / 3 * 0.216, 0.03, 0.06);
    EXPECT_LE(largest_fault(ball, b, pack_spheres(ball, b, 1)), 0.0);
}

TEST(SpherePacking, IsDecidedByTheSeedAlone)
{
    const LevelSet box = Box{Vec3(1, 1, 1)};
    const std::vector<double> radii = radii_for(0.5, 1, 0.04, 0.06);
    const std::vector<Vec3> first = pack_spheres(box, radii, 5), other = pack_spheres(box, radii, 6);
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    const std::vector<Vec3> again = pack_spheres(box, radii, 5);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), again.begin()));
    EXPECT_FALSE(std::equal(first.begin(), first.end(), other.begin()));
}

TEST(SpherePacking, SaysWhenTheSpheresAreTooManyOrTooLarge)
{
    const LevelSet box = Box{Vec3(1, 1, 1)};
    EXPECT_THROW(pack_spheres(box, std::vector<double>(9, 0.3), 1), InputError); // eight fit at most
    EXPECT_THROW(pack_spheres(box, {0.51}, 1), InputError);
    EXPECT_THROW(pack_spheres(Plane{}, {0.1}, 1), InputError);
}

} // namespace
} // namespace stickslip::sphere_packing_test
