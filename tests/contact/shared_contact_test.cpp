#include "stickslip/contact/surfaces/shared_contact.h"

#include "stickslip/math/rotation.h"

#include "support/numeric.h"

#include <gtest/gtest.h>

#include <numbers>

namespace stickslip::shared_contact_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A fold along z through the origin, seen by a centre `rho` from it; phi [rad] from the first facet's normal towards
/// the second's.
struct Dent {
    Vec3 n, n_other;
    double d, d_other;

    Dent(double fold, double rho, double phi)
        : n(0, 1, 0)
        , n_other(std::sin(fold), std::cos(fold), 0)
    {
        const Vec3 U = rho * Vec3(std::sin(phi), std::cos(phi), 0);
        d = n.dot(U);
        d_other = n_other.dot(U);
    }
    SharedContact first() const { return share_beside(d, n, d_other, n_other); }
    SharedContact second() const { return share_beside(d_other, n_other, d, n); }
};

TEST(SharedContact, EndsAtTheFoldAndIsWholeWhereTheOtherEnds)
{
    for (const double fold : {0.01, 0.4, 2.0, 8.0, 13.0}) {
        SCOPED_TRACE(fold);
        const double a = fold * degree;
        EXPECT_NEAR(Dent(a, 0.3, 0).first().share, 0, 1e-12);
        EXPECT_NEAR(Dent(a, 0.3, 0).second().share, 1, 1e-12);
        EXPECT_EQ(Dent(a, 0.3, -0.01 * a).first().share, 0);
        EXPECT_EQ(Dent(a, 0.3, 1.01 * a).first().share, 1);
    }
}

TEST(SharedContact, SharesOfAShallowFoldAreOneTogether)
{
    for (const double fold : {1e-6, 0.01, 0.3, 1.0})
        for (const double part : {0.02, 0.3, 0.5, 0.77}) {
            const Dent dent(fold * degree, 0.1, part * fold * degree);
            EXPECT_NEAR(dent.first().share + dent.second().share, 1, fold < 0.1 ? 1e-3 : 0.03) << fold << " " << part;
        }
}

TEST(SharedContact, SteepFoldsMakeContactsOfTheirOwn)
{
    for (const double fold : {15.01, 40.0, 90.0, 170.0}) {
        EXPECT_EQ(Dent(fold * degree, 0.1, 0.1 * fold * degree).first().share, 1);
        EXPECT_EQ(handed_on(std::cos(fold * degree)), 0);
    }
    EXPECT_EQ(handed_on(1), 1);
}

TEST(SharedContact, OfTwoInOnePlaneTheNearerHasAll)
{
    const Vec3 n(0, 1, 0);
    EXPECT_EQ(share_beside(0.1, n, 0.11, n).share, 1);
    EXPECT_EQ(share_beside(0.11, n, 0.1, n).share, 0);
}

TEST(SharedContact, DerivativesMatchDifferences)
{
    Random random(5);
    int compared = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const double fold = random.uniform(0.3, 14.5) * degree;
        const Dent dent(fold, 0.1, random.uniform(0.05, 0.95) * fold);
        const SharedContact at = dent.first();
        if (at.share == 1)
            continue;
        // normals turn, so that they keep their length
        const double dd = random.uniform(-1, 1), dd_other = random.uniform(-1, 1);
        const Vec3 w = random.vector(10), w_other = random.vector(10);
        const auto moved = [&](double h) {
            return share_beside(dent.d + h * dd, rotation_exp(h * w) * dent.n, dent.d_other + h * dd_other,
                rotation_exp(h * w_other) * dent.n_other)
                .share;
        };
        const double h = 1e-6 * fold * fold;
        const double difference = (moved(h) - moved(-h)) / (2 * h);
        const double exact = at.by_d * dd + at.by_d_other * dd_other + at.by_n.dot(w.cross(dent.n))
            + at.by_n_other.dot(w_other.cross(dent.n_other));
        EXPECT_NEAR(difference, exact, 1e-5 * (std::abs(at.by_d) + std::abs(at.by_d_other) + 1 / fold)) << trial;
        ++compared;
    }
    EXPECT_GT(compared, 100);
}

} // namespace
} // namespace stickslip::shared_contact_test
