#include "stickslip/geometry/queries/contact_shares.h"

#include "geometry/closed_meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace stickslip::contact_shares_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// g of docs/derivations.md#contacts-that-share.
double common_part(double cosine)
{
    return cosine * cosine * (1 + cosine) / 2;
}

Vec3 at_angle(double angle)
{
    return {std::sin(angle), 0, std::cos(angle)};
}

struct Pushed {
    std::vector<Touching> contacts;
    std::size_t pushing;

    explicit Pushed(std::vector<Touching> all)
        : contacts(std::move(all))
    {
        ContactShares shares;
        shares.find(contacts);
        pushing = shares.pushing().size();
    }
    Vec3 force() const
    {
        Vec3 sum = Vec3::Zero();
        for (const Touching& c : contacts)
            sum += c.push * c.n;
        return sum;
    }
    double energy() const
    {
        double sum = 0;
        for (const Touching& c : contacts)
            sum += c.push * c.depth / 2;
        return sum;
    }
};

TEST(ContactShares, OneAloneAndThoseAtRightAnglesOrOppositePushInFull)
{
    const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
    const std::vector<std::vector<Vec3>> sets = {{z}, {z, x}, {x, y, z}, {z, -z}, {x, -x, y, -y, z, -z}};
    for (const std::vector<Vec3>& normals : sets) {
        std::vector<Touching> contacts;
        for (const Vec3& n : normals)
            contacts.push_back({n, 0.01 + 0.001 * static_cast<double>(contacts.size())});
        for (const Touching& c : Pushed(contacts).contacts)
            EXPECT_NEAR(c.push, c.depth, 1e-16);
    }
    EXPECT_EQ(Pushed({}).pushing, 0u);
}

TEST(ContactShares, TwoFadeFromOneDirectionToTwo)
{
    double before = 0.5;
    for (int angle = 1; angle <= 90; ++angle) {
        const Pushed two({{at_angle(0), 1.0}, {at_angle(angle * degree), 1.0}});
        const double push = 1 / (1 + common_part(std::cos(angle * degree)));
        EXPECT_NEAR(two.contacts[0].push, push, 1e-11);
        EXPECT_NEAR(two.contacts[1].push, push, 1e-11);
        EXPECT_GT(push, before);
        before = push;
    }
    double least = 1;
    for (int angle = 91; angle < 180; ++angle) {
        const double push = Pushed({{at_angle(0), 1.0}, {at_angle(angle * degree), 1.0}}).contacts[1].push;
        EXPECT_LE(push, 1);
        least = std::min(least, push);
    }
    EXPECT_NEAR(least, 27.0 / 29, 1e-4); // at the cosine -2/3
}

TEST(ContactShares, TheShallowerOfTwoComesInWithoutAJump)
{
    for (const double angle : {0.1, 1.0, 15.0, 60.0, 89.0, 100.0, 120.0, 132.0, 179.0}) {
        const double g = common_part(std::cos(angle * degree));
        const auto push = [&](double depth) {
            return Pushed({{at_angle(0), 1.0}, {at_angle(angle * degree), depth}}).contacts[1].push;
        };
        EXPECT_EQ(push(g * (1 - 1e-6)), 0);
        EXPECT_GT(push(g * (1 + 1e-6)), 0);
        EXPECT_LT(push(g * (1 + 1e-6)), 1e-6 / (1 - g * g) * (1 + 1e-3));
    }
}

/// Planes around a ball; how deep it is in each where it is moved by x.
struct Planes {
    std::vector<Vec3> normals;
    std::vector<double> depths;

    Planes(RandomPoints& random, int count, double spread)
    {
        const Vec3 middle = random.direction();
        for (int i = 0; i < count; ++i) {
            normals.push_back((middle + spread * random.direction()).normalized());
            depths.push_back(random.number(0.2, 1));
        }
    }
    Pushed at(const Vec3& x) const
    {
        std::vector<Touching> contacts;
        for (std::size_t i = 0; i < normals.size(); ++i)
            if (const double depth = depths[i] - normals[i].dot(x); depth > 0)
                contacts.push_back({normals[i], depth});
        return Pushed(contacts);
    }
};

TEST(ContactShares, PushesAreOptimalInAnyOrder)
{
    RandomPoints random(41);
    for (int trial = 0; trial < 2000; ++trial) {
        const double spread = std::pow(10, random.number(-4, 1));
        const Pushed pushed = Planes(random, 2 + trial % 40, spread).at(Vec3::Zero());
        EXPECT_LE(pushed.pushing, 16u);
        for (const Touching& c : pushed.contacts) {
            double met = 0;
            for (const Touching& other : pushed.contacts)
                met += common_part(c.n.dot(other.n)) * other.push;
            EXPECT_GE(c.push, 0);
            EXPECT_GT(met, c.depth - 1e-9);
            if (c.push > 0) {
                EXPECT_NEAR(met, c.depth, 1e-9);
            }
        }
        std::vector<Touching> turned = pushed.contacts;
        std::rotate(turned.begin(), turned.begin() + 1, turned.end());
        EXPECT_NEAR((Pushed(turned).force() - pushed.force()).norm(), 0, 1e-8);
    }
}

// On both sides of every change of who pushes: what a central difference takes in.
TEST(ContactShares, ForceIsTheGradientOfTheEnergyAndNeverJumps)
{
    RandomPoints random(42);
    int changes = 0;
    for (int trial = 0; trial < 1000; ++trial) { // half of them from all round
        const Planes planes(random, 2 + trial % 20, trial % 2 ? 10 : std::pow(10, random.number(-2, 0.5)));
        const Vec3 way = random.direction();
        constexpr double h = 1e-5, stiffest = 10.0 / 3; // [-] of any k
        Pushed last = planes.at(-0.5 * way);
        for (int i = 1; i <= 100; ++i) {
            const Vec3 x = (0.01 * i - 0.5) * way;
            const Pushed now = planes.at(x);
            changes += now.pushing != last.pushing;
            EXPECT_LT((now.force() - last.force()).norm(), stiffest * 0.01 * (1 + 1e-6));
            const double slope = (planes.at(x + h * way).energy() - planes.at(x - h * way).energy()) / (2 * h);
            EXPECT_NEAR(-slope, now.force().dot(way), stiffest * h); // of a kink of the force
            last = now;
        }
    }
    EXPECT_GT(changes, 1500);
}

TEST(ContactShares, ABallSqueezedEvenlyIsTenThirdsAsFirm)
{
    RandomPoints random(44);
    std::vector<Vec3> normals;
    for (int i = 0; i < 500; ++i)
        normals.push_back(random.direction());
    const auto force = [&](const Vec3& x) {
        std::vector<Touching> contacts;
        for (const Vec3& n : normals)
            contacts.push_back({n, 1 - n.dot(x)});
        return Pushed(contacts).force();
    };
    const Vec3 way = random.direction();
    const double stiffness_scale = -force(0.01 * way).dot(way) / 0.01;
    EXPECT_LT(stiffness_scale, 10.0 / 3 * (1 + 1e-6));
    EXPECT_GT(stiffness_scale, 0.95 * 10.0 / 3);
}

// So alike that who pushes is a matter of round-off.
TEST(ContactShares, NearlyEqualOnesAreMetInFewRounds)
{
    RandomPoints random(45);
    for (int trial = 0; trial < 5000; ++trial) {
        const Vec3 middle = random.direction();
        const double spread = std::pow(10, random.number(-9, -2)), deeper = std::pow(10, random.number(-15, 0));
        std::vector<Touching> contacts;
        for (int i = 0; i < 2 + trial % 45; ++i)
            contacts.push_back({(middle + spread * random.direction()).normalized(), 1 - deeper * random.number(0, 1)});
        const std::size_t count = contacts.size();
        if (trial % 5 == 0)
            for (std::size_t i = 0; i < count / 2; ++i)
                contacts.push_back(Touching(contacts[i]));
        const Pushed pushed(contacts); // asserts that it ends
        for (const Touching& c : pushed.contacts) {
            double met = 0;
            for (const Touching& other : pushed.contacts)
                met += common_part(std::min(c.n.dot(other.n), 1.0)) * other.push;
            EXPECT_GT(met, c.depth - 1e-10);
        }
    }
}

TEST(ContactShares, ManyOfOneRingPushOnceWhicheverDo)
{
    for (const int count : {12, 100, 1000}) {
        for (const double slope : {0.01, 0.3, 1.0, 3.0}) {
            std::vector<Touching> ring;
            for (int i = 0; i < count; ++i) {
                const double phi = 2 * std::numbers::pi * i / count;
                ring.push_back({Vec3(slope * std::cos(phi), slope * std::sin(phi), 1).normalized(), 0.01});
            }
            const Vec3 force = Pushed(ring).force();
            EXPECT_NEAR(force.head<2>().norm(), 0, 1e-12);
            // lambda alike: sum lambda n_z with sum lambda times the mean of g = d
            const double z = 1 / std::hypot(1, slope), across = slope * z;
            const double square = z * z * z * z + std::pow(across, 4) / 2;
            const double cube = std::pow(z, 6) + 1.5 * z * z * std::pow(across, 4);
            const double mean = (square + cube) / 2;
            EXPECT_NEAR(force.z(), 0.01 * z / mean, 1e-12);
        }
    }
}

/// Places on a circle that is level in a funnel of `count` sides which rise by `slope`; each turned by up to `rough`.
std::vector<TouchingOnCircle> on_circle(int count, double slope, double rough, RandomPoints& random)
{
    std::vector<TouchingOnCircle> places;
    for (int i = 0; i < count; ++i) {
        const double phi = 2 * std::numbers::pi * i / count;
        const Vec3 u(std::cos(phi), std::sin(phi), 0), n = (Vec3::UnitZ() - slope * u).normalized();
        places.push_back(
            {{(n + rough * random.direction()).normalized(), 0.01 * (1 - rough * random.number(0, 1))}, u});
    }
    return places;
}

double common_part(const TouchingOnCircle& a, const TouchingOnCircle& b)
{
    return common_part(a.n.dot(b.n)) * common_part(a.u.dot(b.u));
}

TEST(ContactShares, AllPlacesOfALevelCirclePushAlike)
{
    RandomPoints random(46);
    for (const int count : {14, 16, 24, 100, 400})
        for (const double slope : {0.03, 0.36, 1.0, 3.0}) {
            std::vector<TouchingOnCircle> places = on_circle(count, slope, 0, random);
            CircleShares shares;
            shares.find(places);
            Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
            double mean = 0;
            for (const TouchingOnCircle& c : places) {
                force += c.push * c.n;
                torque += c.push * c.u.cross(c.n);
                mean += common_part(places[0], c) / count;
            }
            EXPECT_NEAR(force.z(), 0.01 / mean / std::hypot(1, slope), 1e-10);
            EXPECT_NEAR(force.head<2>().norm() + torque.norm(), 0, 1e-10);
        }
}

TEST(ContactShares, PushesOnACircleAreOptimalHoweverManyTheyAre)
{
    RandomPoints random(47);
    std::size_t most = 0;
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<TouchingOnCircle> places =
            on_circle(2 + trial % 60, random.number(0, 1), std::pow(10, random.number(-4, 0)), random);
        CircleShares shares;
        shares.find(places);
        most = std::max(most, shares.pushing().size());
        for (const TouchingOnCircle& c : places) {
            double met = 0;
            for (const TouchingOnCircle& other : places)
                met += common_part(c, other) * other.push;
            EXPECT_GE(c.push, 0);
            EXPECT_GT(met, c.depth - 1e-11);
            if (c.push > 0) {
                EXPECT_NEAR(met, c.depth, 1e-11);
            }
        }
    }
    EXPECT_GT(most, 16u);
}

TEST(ContactShares, SlopesMatchDifferencesOnBothSidesOfEveryChange)
{
    RandomPoints random(43);
    constexpr double h = 1e-7;
    int compared = 0, most = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const Planes planes(random, 2 + trial % 15, std::pow(10, random.number(-1, 1)));
        std::vector<Touching> here;
        for (std::size_t i = 0; i < planes.normals.size(); ++i)
            here.push_back({planes.normals[i], planes.depths[i]});
        if (trial % 3 == 0) { // just before or behind where the second comes in
            const double g = common_part(here[0].n.dot(here[1].n));
            here.resize(2);
            here[1].depth = std::max(g * here[0].depth, 0.0) + (trial % 2 ? 1e-5 : -1e-5);
            if (!(here[1].depth > 0))
                continue;
        }
        ContactShares shares;
        shares.find(here);
        const std::vector<int> pushing(shares.pushing().begin(), shares.pushing().end());
        const ShareSlopes slopes = shares.slopes(here);
        const auto share_with = [&](int a, int b, double depth, const Vec3& turn, bool& same) {
            std::vector<Touching> moved = here;
            moved[b].depth += depth;
            moved[b].n = (moved[b].n + turn.cross(moved[b].n)).normalized();
            ContactShares again;
            again.find(moved);
            same = same
                && std::is_permutation(pushing.begin(), pushing.end(), again.pushing().begin(), again.pushing().end());
            return moved[a].push / moved[a].depth;
        };
        for (std::size_t a = 0; a < pushing.size(); ++a)
            for (std::size_t b = 0; b < pushing.size(); ++b) {
                const Vec3 turn = random.direction(), dn = turn.cross(here[pushing[b]].n);
                bool same = true;
                const auto change = [&](double depth, const Vec3& by) {
                    return (share_with(pushing[a], pushing[b], depth, by, same)
                               - share_with(pushing[a], pushing[b], -depth, -by, same))
                        / (2 * h);
                };
                const double by_depth = change(h, Vec3::Zero()), by_turn = change(0, h * turn);
                if (!same)
                    continue;
                const int i = static_cast<int>(a), j = static_cast<int>(b);
                const double size = 1 + slopes.by_depth.topLeftCorner(pushing.size(), pushing.size()).norm();
                EXPECT_NEAR(by_depth, slopes.by_depth(i, j), 1e-5 * size * size);
                EXPECT_NEAR(by_turn, slopes.by_n[a][b].dot(dn), 1e-5 * size * size);
                ++compared;
            }
        most = std::max(most, static_cast<int>(pushing.size()));
    }
    EXPECT_GT(compared, 3000);
    EXPECT_GT(most, 4);
}

} // namespace
} // namespace stickslip::contact_shares_test
