#include "stickslip/geometry/queries/edge_smoothing.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/queries/sphere_surface_contacts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace stickslip::edge_smoothing_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A sphere of radius 1 that touches an edge of fold alpha from the direction phi above f1's plane, its centre 0.95
/// from the edge. In the plane across the edge: components along o1 and along n1.
struct Row {
    double alpha, phi; // [degree]
    int side;
    EdgeZone zone;
    std::array<double, 2> n, point; // four decimals
    double height; // of the centre over the plane through the edge with normal n'
};

constexpr EdgeZone flat = EdgeZone::flat, blue = EdgeZone::blue, red = EdgeZone::red, green = EdgeZone::green;

const std::vector<Row> rows = {
    {0, 80, +1, flat, {0, 1}, {0.1650, 0}, 0.9356},
    {0, -80, -1, flat, {0, -1}, {0.1650, 0}, 0.9356},
    {-30, 75, +1, blue, {0.2588, 0.9659}, {0, 0}, 0.9500},
    {-30, 60, +1, blue, {0.5000, 0.8660}, {0, 0}, 0.9500},
    {-30, 40, +1, red, {0.5000, 0.8660}, {0.2814, -0.1625}, 0.8927},
    {-30, -20, +1, red, {0.5000, 0.8660}, {0.8102, -0.4678}, 0.1650},
    {-30, -60, -1, green, {0, -1}, {0.4750, 0}, 0.8227},
    {30, 70, +1, green, {0, 1}, {0.3249, 0}, 0.8927},
    {30, 0, -1, red, {0.5000, -0.8660}, {0.7125, 0.4114}, 0.4750},
    {30, -40, -1, red, {0.5000, -0.8660}, {0.2814, 0.1625}, 0.8927},
    {30, -80, -1, blue, {0.1736, -0.9848}, {0, 0}, 0.9500},
    {-120, 0, +1, blue, {1, 0}, {0, 0}, 0.9500},
    {-120, -40, +1, red, {0.8660, -0.5000}, {-0.0825, -0.1429}, 0.9356},
    {-120, -70, +1, red, {0.8660, -0.5000}, {-0.3053, -0.5288}, 0.7277},
    {120, 60, -1, red, {0.8660, 0.5000}, {-0.2375, 0.4114}, 0.8227},
    {120, -60, -1, blue, {0.5000, -0.8660}, {0, 0}, 0.9500},
    {-5, 86, +1, blue, {0.0698, 0.9976}, {0, 0}, 0.9500},
    {-5, 80, +1, red, {0.0872, 0.9962}, {0.0825, -0.0072}, 0.9464},
    {5, 80, +1, green, {0, 1}, {0.1650, 0}, 0.9356},
    {5, -88, -1, blue, {0.0349, -0.9994}, {0, 0}, 0.9500},
    {180, 30, -1, blue, {0.8660, 0.5000}, {0, 0}, 0.9500},
};

Vec3 in_plane(double angle)
{
    return {std::cos(angle * degree), 0, std::sin(angle * degree)};
}

/// How the same two facets may be written down.
struct Writing {
    bool f1_flipped, f2_flipped, edge_reversed;
    int first_corner; // of both facets
};

/// f1 towards -x, f2 folded by alpha (degrees) towards z, on the edge along y through the origin.
EdgeTopology folded_pair(double alpha, const Writing& writing)
{
    TriMesh mesh{.vertices = {Vec3(0, -1, 0), Vec3(0, 2, 0), Vec3(-1, 0, 0), 3 * in_plane(alpha)},
        .triangles = {{0, 1, 2}, {1, 0, 3}}};
    if (writing.edge_reversed) {
        std::swap(mesh.vertices[0], mesh.vertices[1]);
        mesh.triangles = {{1, 0, 2}, {0, 1, 3}};
    }
    if (writing.f1_flipped)
        std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
    if (writing.f2_flipped)
        std::swap(mesh.triangles[1][0], mesh.triangles[1][1]);
    for (Triangle& t : mesh.triangles)
        std::rotate(t.begin(), t.begin() + writing.first_corner, t.end());
    return EdgeTopology(mesh);
}

std::vector<Writing> all_writings()
{
    std::vector<Writing> writings;
    for (int i = 0; i < 24; ++i)
        writings.push_back({(i & 1) != 0, (i & 2) != 0, (i & 4) != 0, i / 8});
    return writings;
}

int shared_side(const EdgeTopology& pair)
{
    int k = 0;
    while (pair.edge_kind[pair.facet_edges[0][k]] != EdgeKind::internal)
        ++k;
    return k;
}

/// `mirrored`: the row turned upside down in space, that is seen from the other side.
void expect_row(const Row& row, const Writing& writing, bool mirrored)
{
    const double up = mirrored ? -1 : 1;
    const EdgeTopology pair = folded_pair(up * row.alpha, writing);
    const int k = shared_side(pair);
    const Vec3& n1 = pair.normals[0];
    const Vec3 n = in_plane(up * row.phi);
    const SmoothedNormal smoothed = smooth_edge_normal(n, n1, pair.outward[k], pair.folds[k]);
    const Vec3 expected(row.n[0], 0, up * row.n[1]);
    if (row.phi != row.alpha + 90) { // on f2's normal itself blue and red are the same
        EXPECT_EQ(smoothed.zone, row.zone);
    }
    if (row.alpha != 180) { // folded back onto itself: no side
        EXPECT_EQ(smoothed.side * std::lround(n1.z()), up * row.side);
    }
    EXPECT_NEAR((smoothed.n - expected).norm(), 0, 8e-5); // four decimals, two components
    EXPECT_NEAR(smoothed.n.norm(), 1, 1e-14);
    EXPECT_NEAR(0.95 * n.dot(smoothed.n), row.height, 6e-5);

    // the same by way of a sphere before the surface
    std::vector<SphereSurfaceContact> contacts;
    find_sphere_surface_contacts(pair, std::array{0}, 0.95 * n, 1, EdgeRule::zones, contacts);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR((contacts[0].n - smoothed.n).norm(), 0, 1e-14);
    EXPECT_NEAR(contacts[0].point.dot(smoothed.n), 0, 1e-14); // on the plane through the edge
    EXPECT_NEAR((contacts[0].point - Vec3(row.point[0], 0, up * row.point[1])).norm(), 0, 8e-5);
    EXPECT_NEAR(contacts[0].overlap, 0.05, 1e-15);
}

TEST(EdgeSmoothing, GivesTheTableHoweverTheFacetsAreWritten)
{
    for (const Row& row : rows) {
        for (const Writing& writing : all_writings()) {
            for (const bool mirrored : {false, true}) {
                SCOPED_TRACE("fold " + std::to_string(row.alpha) + ", normal at " + std::to_string(row.phi)
                    + (mirrored ? ", mirrored" : "") + (writing.f1_flipped ? ", f1 flipped" : "")
                    + (writing.f2_flipped ? ", f2 flipped" : "") + (writing.edge_reversed ? ", reversed" : ""));
                expect_row(row, writing, mirrored);
            }
        }
    }
}

/// n' and the side for a fold and a normal in the axes o1 = x, n1 = z.
SmoothedNormal smoothed(double alpha, double phi, const Vec3* last = nullptr)
{
    const Fold fold{.c = std::cos(alpha * degree), .s = std::sin(alpha * degree)};
    return smooth_edge_normal(in_plane(phi), Vec3::UnitZ(), Vec3::UnitX(), fold, last);
}

TEST(EdgeSmoothing, IsContinuousExceptAcrossTheNeighboursPlane)
{
    for (double alpha = -179; alpha < 180; alpha += 0.5) {
        for (double phi = -90; phi < 90; phi += 0.25) {
            if (phi <= alpha && alpha <= phi + 0.25)
                continue; // the neighbour lies between
            const Vec3 turn = smoothed(alpha, phi + 0.25).n - smoothed(alpha, phi).n;
            EXPECT_LT(turn.norm(), 0.25 * degree + 1e-12) << alpha << " " << phi;
        }
    }
}

TEST(EdgeSmoothing, GivesTheNeighboursOrTheFacetsNormalOrOneBetween)
{
    for (double alpha = -179; alpha < 180; alpha += 0.5) {
        for (double phi = -90; phi <= 90; phi += 0.5) {
            const SmoothedNormal s = smoothed(alpha, phi);
            const Vec3 m1 = s.side * Vec3::UnitZ();
            const Vec3 m2 = s.side * Vec3(-std::sin(alpha * degree), 0, std::cos(alpha * degree));
            EXPECT_NEAR(s.n.norm(), 1, 1e-14);
            EXPECT_GE(s.n.dot(m1), m1.dot(m2) - 1e-12); // the range of the two normals
            EXPECT_GE(s.n.dot(m2), m1.dot(m2) - 1e-12);
        }
    }
}

TEST(EdgeSmoothing, MeetsTheFacetsNormalAtItsBorder)
{
    for (double alpha = -89; alpha <= 89; alpha += 1) {
        for (const double off : {0.0, 1e-12, 1e-6}) {
            EXPECT_NEAR((smoothed(alpha, 90 - off).n - Vec3::UnitZ()).norm(), 0, 1e-13 + off);
            EXPECT_NEAR((smoothed(alpha, off - 90).n + Vec3::UnitZ()).norm(), 0, 1e-13 + off);
        }
    }
}

TEST(EdgeSmoothing, NearlyFlatIsNearlyTheFacetsNormal)
{
    for (const double off : {0.0, 1e-12, 1e-9, 1e-6}) {
        for (const double alpha : {-off, off}) {
            for (double phi = -89.5; phi < 90; phi += 1)
                EXPECT_NEAR(
                    (smoothed(alpha, phi).n - (phi > 0 ? 1 : -1) * Vec3::UnitZ()).norm(), 0, off * degree + 1e-15);
        }
    }
}

TEST(EdgeSmoothing, NextToTheZonesBordersIsTheZone)
{
    for (const double off : {1e-9, 1e-6, 1e-3}) { // degrees: 1e-9 is 1.7e-11 rad, above the band without side
        EXPECT_EQ(smoothed(-30, 60 + off).zone, blue);
        EXPECT_EQ(smoothed(-30, 60 - off).zone, red);
        EXPECT_EQ(smoothed(-30, -30 + off).zone, red);
        EXPECT_EQ(smoothed(-30, -30 - off).zone, green);
        EXPECT_EQ(smoothed(30, 30 + off).zone, green);
        EXPECT_EQ(smoothed(30, 30 - off).zone, red);
        EXPECT_EQ(smoothed(30, -60 + off).zone, red);
        EXPECT_EQ(smoothed(30, -60 - off).zone, blue);
    }
}

TEST(EdgeSmoothing, InTheNeighboursPlaneTheLastStepDecides)
{
    for (const double alpha : {-30.0, -80.0, 30.0, 80.0, 1e-9}) {
        for (const double off : {0.0, 1e-12}) { // degrees
            const SmoothedNormal above = smoothed(alpha, alpha + 1e-3);
            const SmoothedNormal below = smoothed(alpha, alpha - 1e-3);
            EXPECT_EQ(smoothed(alpha, alpha + off, &above.n).side, above.side);
            EXPECT_EQ(smoothed(alpha, alpha + off, &below.n).side, below.side);
            EXPECT_EQ(smoothed(alpha, alpha + off).zone, red); // convex side
        }
    }
}

/// The three formulas of the page as printed, with n2 = c n1 - s o1 consistent with n1.
Vec3 as_printed(double alpha, double phi)
{
    const Vec3 n = in_plane(phi), n1 = Vec3::UnitZ();
    const Vec3 n2 = in_plane(alpha + 90);
    const double n_lim = n1.dot(n2), o_lim = std::sqrt(std::max(0.0, 1 - n_lim * n_lim));
    if (n_lim <= n.dot(n1))
        return n;
    return n.dot(n1) > -o_lim ? n2 : Vec3(-n1);
}

// docs/errata.md: what of the page holds and what does not.
TEST(EdgeSmoothing, PrintedFormulasHoldForConvexFoldsUpToARightAngleOnly)
{
    for (double alpha = -89.5; alpha < 0; alpha += 1) {
        for (double phi = -89.75; phi < 90; phi += 0.5)
            EXPECT_NEAR((as_printed(alpha, phi) - smoothed(alpha, phi).n).norm(), 0, 1e-12) << alpha << " " << phi;
    }
    for (double alpha = 0.5; alpha < 90; alpha += 1) { // concave from n1: wrong on both sides of the surface
        EXPECT_LT(as_printed(alpha, 0).dot(smoothed(alpha, 0).n), -1 + 1e-12); // into the surface
        EXPECT_GT((as_printed(alpha, -89.75) - smoothed(alpha, -89.75).n).norm(), 4e-3); // blue, printed green
        EXPECT_GT((as_printed(alpha, 89.75) - smoothed(alpha, 89.75).n).norm(), 4e-3); // green, printed blue
    }
    // convex beyond a right angle: green where no centre of the other side can be
    EXPECT_EQ(as_printed(-120, -70), Vec3(-Vec3::UnitZ()));
    EXPECT_NEAR((smoothed(-120, -70).n - in_plane(-30)).norm(), 0, 1e-15);
}

/// A fan round the origin over random directions, heights * roughness.
TriMesh fan(RandomPoints& random, int facets, double roughness)
{
    TriMesh mesh{.vertices = {Vec3::Zero()}, .triangles = {}};
    for (int i = 0; i < facets; ++i) {
        const double angle = 2 * std::numbers::pi * (i + random.number(-0.3, 0.3)) / facets;
        mesh.vertices.emplace_back(std::cos(angle), std::sin(angle), roughness * random.number(-1, 1));
        mesh.triangles.push_back({0, i + 1, (i + 1) % facets + 1});
    }
    return mesh;
}

TEST(EdgeSmoothing, FlatFanGivesItsPlaneFarBeyondItsRim)
{
    RandomPoints random(3);
    for (int trial = 0; trial < 200; ++trial) {
        const EdgeTopology surface(fan(random, 5 + trial % 4, 0));
        const Vec3 x = random.in_cube(5);
        const Vec3 foot(x.x(), x.y(), 0);
        EXPECT_NEAR((nearest_on_fan(surface, 0, x).point - foot).norm(), 0, 1e-14);
    }
}

TEST(EdgeSmoothing, FanPointIsTheNearestOfManySampled)
{
    RandomPoints random(4);
    for (int trial = 0; trial < 50; ++trial) {
        const EdgeTopology surface(fan(random, 3 + trial % 6, 1.0));
        const Vec3 x = random.in_cube(2);
        const double distance = (nearest_on_fan(surface, 0, x).point - x).norm();
        double sampled = x.norm();
        for (const auto& [o, i, j] : surface.facets) {
            for (double u = 0; u < 6; u += 0.05) {
                for (double v = 0; v < 6; v += 0.05)
                    sampled = std::min(sampled, (u * surface.positions[i] + v * surface.positions[j] - x).norm());
            }
        }
        EXPECT_LE(distance, sampled + 1e-14);
        EXPECT_GE(distance, sampled - 0.08); // lattice width
    }
}

} // namespace
} // namespace stickslip::edge_smoothing_test
