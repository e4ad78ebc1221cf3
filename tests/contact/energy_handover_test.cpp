#include "stickslip/contact/energy_handover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace stickslip::energy_handover_test {
namespace {

constexpr double k = 2e6; // [N/m], so that k/2 m^2 is 1e6 J

/// Stores this [J].
Contact contact(int point, double energy, double lacking = 0, int surface = 1)
{
    Contact c{};
    c.point_body = 0;
    c.surface_body = surface;
    c.point = point;
    c.k = k;
    c.Z = Vec3(std::sqrt(2 * energy / k), 0, 0);
    c.at.Y = Vec3::Zero();
    c.at.lacking = 1e-6 * lacking;
    return c;
}

Attachment attachment(int point, double energy, int surface = 1)
{
    Attachment a{0, surface, point};
    a.energy = energy;
    return a;
}

double energy_of(const std::vector<Attachment>& attachments)
{
    double sum = 0;
    for (const Attachment& a : attachments)
        sum += a.energy;
    return sum;
}

/// All of two bodies are one place.
void touch(const Attachment& a, std::vector<std::int64_t>& touched)
{
    const auto [first, second] = std::minmax(a.point_body, a.surface_body);
    touched.push_back(10 * first + second);
}

TEST(EnergyHandover, GivesWhatOneLosesToWhoLacksIt)
{
    const std::vector<Contact> contacts = {contact(0, 7), contact(1, 1, 2), contact(2, 0, 4)};
    const std::vector<Attachment> before = {attachment(0, 10), attachment(1, 1), attachment(2, 0)};
    std::vector<Attachment> after = {attachment(0, 7), attachment(1, 1), attachment(2, 0)};
    hand_over_energy(contacts, before, touch, after); // 3 J for 2 J and 4 J
    EXPECT_NEAR(after[0].energy, 7, 1e-12);
    EXPECT_NEAR(after[1].energy, 1 + 1, 1e-12);
    EXPECT_NEAR(after[2].energy, 2, 1e-12);
    EXPECT_NEAR(energy_of(after), energy_of(before), 1e-12);
}

TEST(EnergyHandover, GivesNoMoreThanIsLacking)
{
    const std::vector<Contact> contacts = {contact(0, 1), contact(1, 0, 2)};
    std::vector<Attachment> after = {attachment(0, 1), attachment(1, 0)};
    hand_over_energy(contacts, std::vector{attachment(0, 10)}, touch, after);
    EXPECT_NEAR(after[1].energy, 2, 1e-12);
}

// What a spring did on the bodies it has not lost, and what the bodies did on it it can lose.
TEST(EnergyHandover, CountsTheWorkOfTheStep)
{
    for (const double work : {-3.0, -2.0, 0.0, 1.0}) {
        std::vector<Contact> contacts = {contact(0, 8), contact(1, 0, 20)};
        contacts[0].at.work = 1e-6 * work;
        std::vector<Attachment> after = {attachment(0, 8), attachment(1, 0)};
        hand_over_energy(contacts, std::vector{attachment(0, 10)}, touch, after);
        EXPECT_NEAR(after[1].energy, std::max(0.0, 2 + work), 1e-12);
    }
}

TEST(EnergyHandover, HasWhatEndsAndWhatPassesLeaveBehind)
{
    Contact passes = contact(2, 1, 5);
    passes.at.passes = true;
    const std::vector<Contact> contacts = {contact(1, 1, 20), passes};
    const std::vector<Attachment> before = {attachment(0, 4), attachment(1, 1), attachment(2, 2)};
    std::vector<Attachment> after = {attachment(1, 1)};
    hand_over_energy(contacts, before, touch, after);
    EXPECT_NEAR(after[0].energy, 1 + 4 + 2, 1e-12);
}

TEST(EnergyHandover, StaysBetweenTwoBodiesAndAmongThoseThatTakePart)
{
    const std::vector<Contact> contacts = {contact(0, 7, 0, 2), contact(1, 1, 2)};
    const std::vector<Attachment> before = {attachment(0, 10, 2), attachment(1, 1), attachment(8, 5)};
    std::vector<Attachment> after = {attachment(1, 1), attachment(0, 7, 2)};
    hand_over_energy(
        contacts, before,
        [](const Attachment& a, std::vector<std::int64_t>& touched) {
            if (a.point < 8)
                touch(a, touched);
        },
        after);
    EXPECT_EQ(after[0].energy, 1);
    EXPECT_EQ(after[1].energy, 7);
}

// Edges of one and points of the other: who is the point and who the surface differs.
TEST(EnergyHandover, IsOfTheTwoWhicheverHasThePoint)
{
    Contact turned = contact(5, 0, 2);
    std::swap(turned.point_body, turned.surface_body);
    const std::vector<Contact> contacts = {contact(0, 7), turned};
    std::vector<Attachment> after = {attachment(0, 7), attachment(5, 0)};
    std::swap(after[1].point_body, after[1].surface_body);
    hand_over_energy(contacts, std::vector{attachment(0, 10)}, touch, after);
    EXPECT_NEAR(after[1].energy, 2, 1e-12);
}

// Point i touches nodes i and i + 1.
TEST(EnergyHandover, GoesAsFarAsContactsTouchTheSame)
{
    const std::vector<Contact> contacts = {contact(0, 7), contact(1, 0), contact(2, 0, 4), contact(5, 0, 4)};
    std::vector<Attachment> after = {attachment(0, 7), attachment(1, 0), attachment(2, 0), attachment(5, 0)};
    hand_over_energy(
        contacts, std::vector{attachment(0, 10)},
        [](const Attachment& a, std::vector<std::int64_t>& touched) {
            touched = {a.point, a.point + 1};
        },
        after);
    EXPECT_NEAR(after[2].energy, 3, 1e-12);
    EXPECT_EQ(after[3].energy, 0);
}

} // namespace
} // namespace stickslip::energy_handover_test
