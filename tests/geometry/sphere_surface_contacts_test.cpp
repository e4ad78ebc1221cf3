#include "stickslip/geometry/queries/contact_shares.h"
#include "stickslip/geometry/queries/sphere_surface_contacts.h"

#include "geometry/closed_meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

namespace stickslip::sphere_surface_contacts_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

std::vector<SphereSurfaceContact> contacts_of(const EdgeTopology& surface, const Vec3& centre,
    EdgeRule rule = EdgeRule::smooth, const Vec3* last = nullptr, double radius = 1)
{
    std::vector<int> all(surface.facets.size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<SphereSurfaceContact> contacts;
    find_sphere_surface_contacts(surface, all, centre, radius, rule, contacts, last);
    return contacts;
}

struct Expected {
    Vec3 n, point;
    double overlap;
};

/// Exactly these contacts, in any order, to round-off; and what holds for all contacts.
void expect_contacts(const EdgeTopology& surface, const Vec3& centre, const std::vector<Expected>& expected)
{
    const std::vector<SphereSurfaceContact> contacts = contacts_of(surface, centre);
    ASSERT_EQ(contacts.size(), expected.size());
    for (const Expected& e : expected) {
        const bool found = std::any_of(contacts.begin(), contacts.end(), [&](const SphereSurfaceContact& c) {
            return (c.n - e.n).norm() < 1e-14 && (c.point - e.point).norm() < 1e-14
                && std::abs(c.overlap - e.overlap) < 1e-14;
        });
        EXPECT_TRUE(found) << "normal " << e.n.transpose();
    }
    for (const SphereSurfaceContact& c : contacts) {
        const auto& [i, j, k] = surface.facets[c.facet];
        const Vec3 weighted = c.weights[0] * surface.positions[i] + c.weights[1] * surface.positions[j]
            + c.weights[2] * surface.positions[k];
        EXPECT_NEAR((weighted - c.point).norm(), 0, 1e-14);
        EXPECT_NEAR((c.point + (1 - c.overlap) * c.n - centre).norm(), 0, 1e-14);
        EXPECT_EQ(c.patch, surface.patch[c.facet]);
    }
}

/// Six triangles of side 1 round the origin, two edges along x.
TriMesh flat_fan()
{
    TriMesh mesh{.vertices = {Vec3::Zero()}, .triangles = {}};
    for (int i = 0; i < 6; ++i) {
        mesh.vertices.emplace_back(std::cos(60 * degree * i), std::sin(60 * degree * i), 0);
        mesh.triangles.push_back({0, i + 1, (i + 1) % 6 + 1});
    }
    return mesh;
}

/// Each triangle with vertices of its own.
TriMesh unwelded(const TriMesh& mesh)
{
    TriMesh soup;
    for (const Triangle& t : mesh.triangles) {
        const int first = static_cast<int>(soup.vertices.size());
        for (int v : t)
            soup.vertices.push_back(mesh.vertices[v]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    return soup;
}

/// The cube x, y, z in [-4, 0], every winding turned that `flip` has a bit for.
TriMesh cube_below(unsigned flip = 0)
{
    TriMesh mesh = cube_mesh(4);
    for (Vec3& x : mesh.vertices)
        x -= Vec3::Constant(2);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (flip >> t & 1)
            std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
    }
    return mesh;
}

TEST(SphereSurfaceContacts, FlatFanPushesOnceFromAboveAndBelow)
{
    const EdgeTopology fan(flat_fan());
    expect_contacts(fan, {0.10, 0.05, 0.90}, {{Vec3::UnitZ(), {0.10, 0.05, 0}, 0.10}});
    expect_contacts(fan, {0, 0, 0.90}, {{Vec3::UnitZ(), Vec3::Zero(), 0.10}});
    expect_contacts(fan, {0.5, 0, 0.90}, {{Vec3::UnitZ(), {0.5, 0, 0}, 0.10}});
    expect_contacts(fan, {0.10, 0.05, -0.90}, {{-Vec3::UnitZ(), {0.10, 0.05, 0}, 0.10}});
    EXPECT_EQ(contacts_of(fan, {0, 0, 0.90}, EdgeRule::raw).size(), 6u);
    EXPECT_EQ(contacts_of(fan, {0.10, 0.05, 0.90}, EdgeRule::zones).size(), 6u);
    for (const SphereSurfaceContact& c : contacts_of(fan, {0.10, 0.05, 0.90}, EdgeRule::zones))
        EXPECT_EQ(c.n, Vec3::UnitZ());
}

TEST(SphereSurfaceContacts, FlatFanPushesOnceNextToItsEdgesAndItsVertex)
{
    const EdgeTopology fan(flat_fan());
    for (const double off : {0.0, 1e-15, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3}) {
        for (int i = 0; i < 24; ++i) {
            const Vec3 way(std::cos(15 * degree * i), std::sin(15 * degree * i), 0);
            for (const Vec3& foot : {Vec3(off * way), Vec3(Vec3(0.5, 0, 0) + off * way)})
                expect_contacts(fan, foot + Vec3(0, 0, 0.9), {{Vec3::UnitZ(), foot, 0.10}});
        }
    }
}

TEST(SphereSurfaceContacts, BoundaryEdgePushesAsItIs)
{
    const EdgeTopology half({.vertices = {Vec3(0, -4, 0), Vec3(0, 4, 0), Vec3(-4, -4, 0), Vec3(-4, 4, 0)},
        .triangles = {{0, 1, 3}, {0, 3, 2}}});
    const Vec3 centre(0.30, 0, 0.80);
    expect_contacts(half, centre, {{centre.normalized(), Vec3::Zero(), 1 - std::sqrt(0.73)}});
}

TEST(SphereSurfaceContacts, CubePushesByItsNearestFeatureHoweverItIsWound)
{
    for (const unsigned flip : {0u, 0xfffu, 0x5a3u, 0x924u}) {
        const EdgeTopology cube(cube_below(flip));
        expect_contacts(cube, {0.4, 0.4, 0.4}, {{Vec3::Ones().normalized(), Vec3::Zero(), 1 - 0.4 * std::sqrt(3.0)}});
        expect_contacts(
            cube, {0.6, 0.3, -0.2}, {{Vec3(2, 1, 0).normalized(), Vec3(0, 0, -0.2), 1 - std::hypot(0.6, 0.3)}});
        expect_contacts(cube, {0.5, -0.4, -0.3}, {{Vec3::UnitX(), Vec3(0, -0.4, -0.3), 0.5}});
    }
}

TEST(SphereSurfaceContacts, GrooveOfTwoPatchesPushesTwice)
{
    const EdgeTopology groove({.vertices = {Vec3(0, -4, 0), Vec3(0, 4, 0), Vec3(4, 0, 0), Vec3(0, 0, 4)},
        .triangles = {{0, 2, 1}, {0, 1, 3}}});
    EXPECT_EQ(groove.patches, 2);
    expect_contacts(
        groove, {0.9, 0, 0.9}, {{Vec3::UnitZ(), Vec3(0.9, 0, 0), 0.1}, {Vec3::UnitX(), Vec3(0, 0, 0.9), 0.1}});
}

TEST(SphereSurfaceContacts, ShallowValleyOfOnePatchPushesOnce)
{
    const double c = std::cos(5 * degree), s = std::sin(5 * degree);
    const EdgeTopology valley({.vertices = {Vec3(0, -4, 0), Vec3(0, 4, 0), 4 * Vec3(c, 0, s), 4 * Vec3(-c, 0, s)},
        .triangles = {{0, 2, 1}, {0, 1, 3}}});
    EXPECT_EQ(valley.patches, 1);
    const Vec3 centre(0, 0, 0.95 / c); // 0.95 from both faces
    EXPECT_EQ(contacts_of(valley, centre, EdgeRule::raw).size(), 2u);
    expect_contacts(valley, centre,
        {{Vec3(s, 0, c), 0.95 * Vec3(-s, 0, -c) + centre, 0.05},
            {Vec3(-s, 0, c), 0.95 * Vec3(s, 0, -c) + centre, 0.05}});
    std::vector<Touching> contacts;
    for (const SphereSurfaceContact& contact : contacts_of(valley, centre))
        contacts.push_back({contact.n, contact.overlap});
    ContactShares().find(contacts);
    const Vec3 force = contacts[0].push * contacts[0].n + contacts[1].push * contacts[1].n;
    const double cosine = std::cos(10 * degree), twice = cosine * cosine * (1 + cosine) / 2;
    EXPECT_NEAR((force - Vec3(0, 0, 0.1 * c / (1 + twice))).norm(), 0, 1e-12);
    EXPECT_NEAR(force.z(), 0.05, 0.016 * 0.05);
}

TEST(SphereSurfaceContacts, BetweenTwoOfThreePagesOnlyTheirSectorPushes)
{
    TriMesh mesh{.vertices = {Vec3(0, -4, 0), Vec3(0, 4, 0)}, .triangles = {}};
    const auto page = [](double angle) { return Vec3(std::cos(angle * degree), 0, std::sin(angle * degree)); };
    const auto normal = [](double angle) { return Vec3(-std::sin(angle * degree), 0, std::cos(angle * degree)); };
    for (const double angle : {0.0, 40.0, 220.0}) {
        mesh.triangles.push_back({0, 1, static_cast<int>(mesh.vertices.size())});
        mesh.vertices.push_back(4 * page(angle));
    }
    const EdgeTopology book(mesh);
    // between 0 and 40 degrees, nearer to the first
    const Vec3 narrow = 2 * page(15);
    expect_contacts(book, narrow,
        {{normal(0), Vec3(narrow.x(), 0, 0), 1 - narrow.z()},
            {-normal(40), narrow + narrow.dot(-normal(40)) * normal(40), 1 - narrow.dot(-normal(40))}});
    // between 220 and 360 degrees: a face, then the other
    expect_contacts(book, 0.8 * page(300),
        {{-normal(0), 0.8 * Vec3(page(300).x(), 0, 0), 1 - 0.8 * std::sin(60 * degree)},
            {normal(220), 0.8 * std::cos(80 * degree) * page(220), 1 - 0.8 * std::sin(80 * degree)}});
    // between 40 and 220 degrees, half a turn: one plane
    const Vec3 wide = 0.8 * page(100);
    expect_contacts(book, wide, {{normal(40), wide - wide.dot(normal(40)) * normal(40), 1 - wide.dot(normal(40))}});
}

TEST(SphereSurfaceContacts, UnweldedFanIsAsGoodAsAWeldedOne)
{
    for (const double tolerance : {1e-6, 0.0, -1.0}) {
        const EdgeTopology fan(unwelded(flat_fan()), {.weld_tolerance = tolerance});
        EXPECT_EQ(fan.defects.empty(), tolerance >= 0);
        expect_contacts(fan, {0.10, 0.05, 0.90}, {{Vec3::UnitZ(), {0.10, 0.05, 0}, 0.10}});
        expect_contacts(fan, {0, 0, 0.90}, {{Vec3::UnitZ(), Vec3::Zero(), 0.10}});
    }
}

TEST(SphereSurfaceContacts, VertexInTheMiddleOfALongSideIsNoCorner)
{
    // One triangle below the x axis, two above: the vertex between those lies on the long side of the other.
    const EdgeTopology surface(
        {.vertices = {Vec3(-4, 0, 0), Vec3(4, 0, 0), Vec3(0, -4, 0), Vec3(0.5, 0, 0), Vec3(-4, 4, 0), Vec3(4, 4, 0)},
            .triangles = {{0, 2, 1}, {0, 3, 4}, {3, 5, 4}, {3, 1, 5}}});
    RandomPoints random(9);
    for (int trial = 0; trial < 500; ++trial) {
        const double x = random.number(-1, 1), y = random.number(-0.5, 0.5), z = random.number(0.3, 0.99);
        expect_contacts(surface, {x, y, z}, {{Vec3::UnitZ(), Vec3(x, y, 0), 1 - z}});
    }
}

TEST(SphereSurfaceContacts, CentreOnTheSurfaceTakesTheLastNormalOrTheMeanOne)
{
    const EdgeTopology cube(cube_below());
    const Vec3 up = Vec3(1, 1, 2).normalized(), down = -up;
    const auto normal = [&](const Vec3& centre, const Vec3* last) {
        const std::vector<SphereSurfaceContact> contacts = contacts_of(cube, centre, EdgeRule::smooth, last);
        EXPECT_EQ(contacts[0].overlap, 1);
        return contacts[0].n;
    };
    EXPECT_EQ(normal({-2, -1, 0}, nullptr), Vec3::UnitZ());
    EXPECT_EQ(normal({-2, -1, 0}, &down), Vec3(-Vec3::UnitZ()));
    EXPECT_NEAR((normal({0, -1, 0}, nullptr) - Vec3(1, 0, 1).normalized()).norm(), 0, 1e-15);
    EXPECT_EQ(normal({0, -1, 0}, &up), up);
    EXPECT_NEAR((normal({0, 0, 0}, nullptr) - Vec3::Ones().normalized()).norm(), 0, 1e-15);
    EXPECT_EQ(normal({0, 0, 0}, &up), up);
    for (const EdgeRule rule : {EdgeRule::zones, EdgeRule::raw, EdgeRule::smooth}) {
        for (const Vec3& centre : {Vec3(-2, -1, 0), Vec3(0, -1, 0), Vec3(0, 0, 0)}) {
            for (const SphereSurfaceContact& c : contacts_of(cube, centre, rule)) {
                EXPECT_NEAR(c.n.norm(), 1, 1e-14);
                EXPECT_TRUE(c.point.allFinite());
            }
        }
    }
}

TEST(SphereSurfaceContacts, TouchingOrApartIsNoContact)
{
    const EdgeTopology fan(flat_fan());
    for (const EdgeRule rule : {EdgeRule::zones, EdgeRule::raw, EdgeRule::smooth}) {
        EXPECT_TRUE(contacts_of(fan, {0.1, 0.05, 1}, rule).empty());
        EXPECT_TRUE(contacts_of(fan, {0.1, 0.05, -1.5}, rule).empty());
        EXPECT_TRUE(contacts_of(fan, {2.1, 0, 0}, rule).empty());
    }
}

TEST(SphereSurfaceContacts, StorageIsUsedAgain)
{
    const EdgeTopology fan(flat_fan());
    std::vector<int> all(6);
    std::iota(all.begin(), all.end(), 0);
    std::vector<SphereSurfaceContact> contacts;
    contacts.reserve(6);
    const SphereSurfaceContact* storage = contacts.data();
    for (const EdgeRule rule : {EdgeRule::raw, EdgeRule::zones, EdgeRule::smooth}) {
        find_sphere_surface_contacts(fan, all, {0, 0, 0.9}, 1, rule, contacts);
        EXPECT_FALSE(contacts.empty());
        EXPECT_EQ(contacts.data(), storage);
    }
}

} // namespace
} // namespace stickslip::sphere_surface_contacts_test
