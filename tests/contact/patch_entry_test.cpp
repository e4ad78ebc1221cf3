#include "stickslip/contact/meshes/patch_entry.h"

#include "stickslip/geometry/mesh/both_sides.h"
#include "stickslip/geometry/mesh/surface_shapes.h"

#include "support/numeric.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stickslip::patch_entry_test {
namespace {

PatchSurface at_rest(const TriMesh& mesh, double thickness)
{
    PatchSurface surface(SmoothPatches(mesh), thickness);
    surface.begin_step(mesh.vertices, mesh.vertices);
    return surface;
}

Vec3 normal_of(const TriMesh& mesh, int facet)
{
    const auto& [i, j, k] = mesh.triangles[facet];
    return (mesh.vertices[j] - mesh.vertices[i]).cross(mesh.vertices[k] - mesh.vertices[i]).normalized();
}

TEST(PatchEntry, IsWhereTheWayFirstGoesIn)
{
    const TriMesh ball = triangulate(Sphere{0.5}, 0.1);
    const PatchSurface surface = at_rest(ball, 0.3);
    Random random(3);
    std::vector<PatchEntry> entries;
    int inside = 0;
    for (int i = 0; i < 500; ++i) {
        const Vec3 from = 2 * random.unit(), to = random.vector(0.6), way = (to - from).normalized();
        find_entries(surface, {from, from + 3 * (to - from), -from.normalized()}, entries);
        const double b = way.dot(from), D = b * b - from.squaredNorm() + 0.25; // the ball itself
        if (D < 0.05)
            continue;
        ++inside;
        ASSERT_EQ(entries.size(), 1u);
        const Vec3 place = from + (-b - std::sqrt(D)) * way;
        EXPECT_GT(normal_of(ball, entries[0].facet).dot(place.normalized()), 0.97)
            << "on the near side, where it goes in";
        EXPECT_NEAR(entries[0].gap, 1.5, 0.02);
        EXPECT_EQ(entries[0].old_depth, 0);
    }
    EXPECT_GT(inside, 200);
}

// A run that goes on from a file builds its trees anew.
TEST(PatchEntry, DoesNotDependOnWhereTheSurfaceWasBefore)
{
    const TriMesh ball = triangulate(Sphere{0.5}, 0.1);
    Random random(4);
    std::vector<Vec3> elsewhere;
    for (std::size_t v = 0; v < ball.vertices.size(); ++v)
        elsewhere.push_back(random.vector(2));
    PatchSurface moved(SmoothPatches(ball), 0.3);
    moved.begin_step(elsewhere, elsewhere);
    moved.begin_step(ball.vertices, ball.vertices);
    const PatchSurface fresh = at_rest(ball, 0.3);
    std::vector<PatchEntry> there, here;
    int met = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3 from = random.uniform(0.4, 0.7) * random.unit();
        const PointWay way{from, from + random.vector(0.02), Vec3::Zero()};
        find_entries(moved, way, there);
        find_entries(fresh, way, here);
        met += !here.empty();
        ASSERT_EQ(there.size(), here.size());
        for (std::size_t k = 0; k < here.size(); ++k)
            EXPECT_EQ(there[k].facet, here[k].facet);
    }
    EXPECT_GT(met, 500);
    EXPECT_LT(met, 1900);
}

TEST(PatchEntry, OfAPatchThatIsCrossedTwiceIsTheFirst)
{
    const TriMesh ring = triangulate(Torus{0.4, 0.15}, 0.04); // about y
    const PatchSurface surface = at_rest(ring, 0.2);
    std::vector<PatchEntry> entries;
    for (const double side : {-1.0, 1.0}) { // through the tube on either side of the hole
        find_entries(surface, {{side, 0.02, 0.03}, {-side, 0.02, 0.03}, {-side, 0, 0}}, entries);
        ASSERT_EQ(entries.size(), 1u);
        EXPECT_NEAR(entries[0].gap, 0.45, 0.01);
        EXPECT_GT(side * ring.vertices[ring.triangles[entries[0].facet][0]].x(), 0.4);
    }
}

/// Whether one of the entries is on a facet with the outward normal n.
bool has_entry(const TriMesh& mesh, const std::vector<PatchEntry>& entries, const Vec3& n)
{
    return std::any_of(entries.begin(), entries.end(),
        [&](const PatchEntry& entry) { return normal_of(mesh, entry.facet).dot(n) > 0.99; });
}

// Behind the plane of the upper face, which goes on past its edge, but outside of the box: pushed out of that face, a
// point would be given energy that nothing has spent.
TEST(PatchEntry, BesideABoxIsNotByTheFaceThatEndsBeforeThePoint)
{
    const TriMesh box = triangulate(Box{Vec3(1, 1, 1)}, 0.25);
    const PatchSurface surface = at_rest(box, 0.3);
    std::vector<PatchEntry> entries;
    const double flush = 1e-3 * surface.patches().edge_length;
    for (const double below : {0.0, 1e-12, 1e-6, 1.01 * flush, 0.01, 0.05})
        for (const double beside : {1e-6, 0.005, 0.03}) {
            const Vec3 Z(0.5 + beside, 0.5 - below, 0.03), n(-0.3, -1, 0);
            find_entries(surface, {Z, Z + Vec3(0, -0.01, 0), n.normalized()}, entries);
            EXPECT_EQ(has_entry(box, entries, Vec3::UnitY()), below < flush) << below << " below, " << beside;
            // what is about to get over the face, or does so after it has been in front, is met by it
            find_entries(surface, {Z, Z + Vec3(-beside - 0.01, 0, 0), n.normalized()}, entries);
            EXPECT_TRUE(has_entry(box, entries, Vec3::UnitY())) << below << " below, " << beside;
            const Vec3 above(Z.x(), 0.501, Z.z());
            find_entries(surface, {above, Z, n.normalized()}, entries);
            EXPECT_TRUE(has_entry(box, entries, Vec3::UnitY())) << below << " below, " << beside;
        }
}

TEST(PatchEntry, OverTheEdgeOfABoxIsByTheFaceThatIsCrossed)
{
    const TriMesh box = triangulate(Box{Vec3(1, 1, 1)}, 0.25);
    const PatchSurface surface = at_rest(box, 0.3);
    std::vector<PatchEntry> entries;
    const Vec3 n = Vec3(-1, -1, 0).normalized();
    // past the upper face in front of the edge, in by the face beside it
    find_entries(surface, {{0.6, 0.55, 0.03}, {0.3, 0.3, 0.03}, n}, entries);
    ASSERT_FALSE(entries.empty());
    for (const PatchEntry& entry : entries)
        if (normal_of(box, entry.facet).x() > 0.9) {
            const auto& [i, j, k] = box.triangles[entry.facet];
            const double top = std::max({box.vertices[i].y(), box.vertices[j].y(), box.vertices[k].y()});
            EXPECT_GT(top, 0.467);
            return;
        }
    FAIL() << "the face beside the edge is not among them";
}

TEST(PatchEntry, IsNotThatOfWhatLooksTheSameWayOrIsBehind)
{
    const TriMesh box = triangulate(Box{Vec3(1, 0.1, 1)}, 0.25); // a plate, thinner than a quarter of its edges
    const PatchSurface surface = at_rest(box, 0.1);
    std::vector<PatchEntry> entries;
    const Vec3 above(0.1, 0.08, 0.1), below(0.1, -0.08, 0.1);
    find_entries(surface, {above, above, -Vec3::UnitY()}, entries);
    ASSERT_EQ(entries.size(), 1u) << "the near face alone";
    EXPECT_GT(normal_of(box, entries[0].facet).y(), 0.9);
    EXPECT_NEAR(entries[0].gap, 0.03, 1e-12);
    find_entries(surface, {above, above, Vec3::UnitY()}, entries);
    EXPECT_TRUE(entries.empty()) << "looks away";
    find_entries(surface, {above, below, Vec3::UnitY()}, entries);
    EXPECT_TRUE(entries.empty()) << "looks away, also where it goes through";
    find_entries(surface, {below, above, Vec3::UnitY()}, entries);
    ASSERT_EQ(entries.size(), 1u) << "through both faces: by the first";
    EXPECT_LT(normal_of(box, entries[0].facet).y(), -0.9);
}

// Of a table with a side at x = -0.5 and its top at y = 0.5.
TEST(PatchEntry, OfAPointThatIsFlushWithAFaceIsByThatFace)
{
    const TriMesh box = triangulate(Box{Vec3(1, 1, 1)}, 0.25);
    const PatchSurface surface = at_rest(box, 0.3);
    const double edge = surface.patches().edge_length;
    const Vec3 corner = Vec3(1, -1, 0).normalized();
    const auto is_by = [&](double old_depth, double depth, const Vec3& outward, double indentation,
                           double half_width = 0) {
        std::vector<PatchEntry> entries;
        PointWay way{{-0.506, 0.5 - old_depth, 0.1}, {-0.494, 0.5 - depth, 0.1}, Vec3::Zero()};
        way.outward = outward;
        way.indentation = indentation;
        way.half_width = half_width;
        find_entries(surface, way, entries);
        const auto is_met_at = [&](const Vec3& n) {
            return std::any_of(entries.begin(), entries.end(),
                [&](const PatchEntry& e) { return normal_of(box, e.facet).dot(n) > 0.9; });
        };
        return is_met_at(Vec3::UnitY()) && !is_met_at(-Vec3::UnitX());
    };
    const auto is_by_the_top = [&](double depth, const Vec3& outward, double indentation) {
        return is_by(depth, depth, outward, indentation);
    };
    const auto falls_onto_the_top = [&](double depth, double indentation) {
        const double above = 2e-3 * edge;
        return is_by(-above, above + 2 * depth, corner, indentation);
    };
    const auto of_width = [&](double depth, const Vec3& outward) { return is_by(depth, depth, outward, 0, 0.02); };
    EXPECT_TRUE(of_width(0.019, -Vec3::UnitY())) << "a material point";
    EXPECT_FALSE(of_width(0.021, -Vec3::UnitY()));
    EXPECT_FALSE(of_width(0.019, corner)) << "of an edge of its body";
    for (const double indentation : {0.0, 1e-9, 1e-3 * edge, 1.9e-3 * edge, 1.0}) {
        EXPECT_TRUE(is_by_the_top(0.9e-3 * edge, corner, indentation)) << indentation;
        EXPECT_EQ(is_by_the_top(1.5e-3 * edge, corner, indentation), indentation > 1.5e-3 * edge) << indentation;
        EXPECT_FALSE(is_by_the_top(3e-3 * edge, corner, indentation)) << indentation;
        EXPECT_FALSE(is_by_the_top(0.9e-3 * edge, Vec3::Zero(), indentation)) << "nothing is known of its surface";
        EXPECT_FALSE(is_by_the_top(0.9e-3 * edge, Vec3::UnitX(), indentation)) << "it looks at the side alone";
        // from above the top, by how deep it goes through the side
        EXPECT_TRUE(falls_onto_the_top(0.9e-3 * edge, indentation)) << indentation;
        EXPECT_EQ(falls_onto_the_top(1.5e-3 * edge, indentation), indentation > 1.5e-3 * edge) << indentation;
        EXPECT_EQ(falls_onto_the_top(3e-3 * edge, indentation), indentation == 1) << "it began level";
    }
}

// A sheet looks to both of its sides, and where it ends out over its rim.
TEST(PatchEntry, OfASheetIsByFacesThatItLooksAt)
{
    const TriMesh box = triangulate(Box{Vec3(1, 1, 1)}, 0.25);
    const PatchSurface surface = at_rest(box, 0.3);
    const double edge = surface.patches().edge_length, level = 0.9e-3 * edge, deep = 0.02 * edge;
    const auto faces = [&](double depth, const Vec3& from, const Vec3& to, const Vec3& rim) {
        std::vector<PatchEntry> entries;
        PointWay way{from + Vec3(0, 0.5 - depth, 0.1), to + Vec3(0, 0.5 - depth, 0.1), Vec3::Zero()};
        way.outward = Vec3::UnitY();
        way.two_sided = true;
        way.rim = rim;
        find_entries(surface, way, entries);
        Vec3 sum = Vec3::Zero();
        for (const PatchEntry& entry : entries)
            sum += normal_of(box, entry.facet);
        return sum;
    };
    const Vec3 none = Vec3::Zero(), top = Vec3::UnitY(), side = -Vec3::UnitX(), before(-0.506, 0, 0), in(-0.494, 0, 0);
    for (const Vec3& rim : {none, Vec3(side), Vec3(Vec3::UnitZ())}) {
        EXPECT_LT((faces(level, before, in, rim) - top).norm(), 1e-9) << "a fold, or a rim that looks elsewhere";
        EXPECT_LT((faces(deep, before, in, rim) - top).norm(), 1e-9) << "however deep";
        EXPECT_LT(faces(deep, before, before, rim).norm(), 1e-9) << "it stays beside the box";
    }
    EXPECT_LT((faces(level, before, in, -side) - top).norm(), 1e-9) << "the rim that leads slides in under the top";
    EXPECT_LT((faces(deep, before, in, -side) - side).norm(), 1e-9) << "deeper it meets the side";
}

TEST(PatchEntry, OfABodyInItselfIsFromItsFrontAlone)
{
    const TriMesh box = triangulate(Box{Vec3(1, 1, 1)}, 0.25);
    const PatchSurface surface = at_rest(box, 0.3);
    std::vector<PatchEntry> entries;
    const auto count = [&](double height, bool own) {
        PointWay way{{0.1, 0.5 + height, 0.1}, {0.1, 0.5 + height, 0.1}, -Vec3::UnitY()};
        if (own)
            way.own = {100, 101, 102}; // elsewhere
        find_entries(surface, way, entries);
        return entries.size();
    };
    const double edge = surface.patches().edge_length;
    EXPECT_EQ(count(0.01, true), 1u);
    EXPECT_EQ(count(-0.02, false), 1u) << "it has sunk in";
    EXPECT_EQ(count(-0.02, true), 0u) << "the inside of the body";
    EXPECT_EQ(count(-0.08, false), 0u) << "too deep to have come in";
    EXPECT_EQ(count(0.3 * edge, false), 0u) << "too far";
}

TEST(PatchEntry, OfASolidEndsAtConvexEdges)
{
    const TriMesh box = triangulate(Box{Vec3(1, 1, 1)}, 0.25);
    const PatchSurface surface = at_rest(box, 0.3);
    const Vec3 corner = -Vec3(1, 1, 0).normalized(); // of a body that stands on the edge at x = y = 0.5
    const auto faces = [&](const Vec3& from, const Vec3& to) {
        std::vector<PatchEntry> entries;
        PointWay way{from, to, corner};
        way.is_solid = true;
        find_entries(surface, way, entries);
        Vec3 sum = Vec3::Zero();
        for (const PatchEntry& entry : entries)
            sum += normal_of(box, entry.facet);
        return sum;
    };
    const Vec3 top = Vec3::UnitY(), side = Vec3::UnitX();
    const Vec3 on_top(0.45, 0.499, 0.03), above(0.45, 0.501, 0.03), beside(0.501, 0.502, 0.03);
    EXPECT_LT((faces(on_top, on_top) - top).norm(), 1e-9) << "behind the side, but not by its own depth";
    EXPECT_LT((faces(above, above) - top).norm(), 1e-9) << "behind the side, but outside";
    EXPECT_LT((faces(beside, {0.501, 0.49, 0.03}) - side).norm(), 1e-9) << "falls past the top";
    EXPECT_LT((faces({0.499, 0.499, 0.03}, {0.498, 0.498, 0.03}) - top - side).norm(), 1e-9) << "by either";
}

TEST(PatchEntry, DistanceFromASolidIsThatOfABox)
{
    const Vec3 half(0.5, 0.3, 0.4);
    const PatchSurface surface = at_rest(triangulate(Box{2 * half}, 0.2), 0.3);
    Random random(5);
    for (int i = 0; i < 500; ++i) {
        const Vec3 Z = random.vector(0.8), over = Z.cwiseAbs() - half;
        const double expected = over.maxCoeff() <= 0 ? over.maxCoeff() : over.cwiseMax(Vec3::Zero()).norm();
        const auto [distance, point] = surface.nearest(Z, random.uniform(0.001, 1));
        EXPECT_NEAR(distance, expected, 1e-9) << Z.transpose();
        EXPECT_NEAR((Z - point).norm(), std::abs(expected), 1e-9);
    }
}

/// Both sides of a ridge at x = 0 and z from -1 to 1 with slopes of `rise`; and beside it at x = 3, by itself and wound
/// the other way, a floor.
TriMesh ridge_and_floor(double rise)
{
    const TriMesh mesh{{{-1, -rise, -1}, {-1, -rise, 1}, {0, 0, -1}, {0, 0, 1}, {1, -rise, -1}, {1, -rise, 1},
                           {2, -2, -1}, {2, -2, 1}, {4, -2, -1}, {4, -2, 1}},
        {{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}, {6, 9, 7}, {6, 8, 9}}};
    return both_sides(TriangulatedSurface(mesh, EdgeRule::smooth).topology);
}

TEST(PatchEntry, ThroughARidgeAndOutAgainIsByTheSideThatWasCrossedFirst)
{
    const TriMesh mesh = ridge_and_floor(1);
    const PatchSurface surface = at_rest(mesh, 0);
    const SheetSides sides(surface.patches());
    std::vector<PatchEntry> entries;
    for (const double from : {-1.0, 1.0}) {
        PointWay way{Vec3(0.2 * from, -0.1, 0.1), Vec3(-0.2 * from, -0.1, 0.1), Vec3::Zero()};
        way.behind = 0.001;
        way.sheet = &sides;
        find_entries(surface, way, entries);
        ASSERT_FALSE(entries.empty());
        for (const PatchEntry& entry : entries)
            EXPECT_GT(normal_of(mesh, entry.facet).y(), 0.5) << "not from below";
    }
}

TEST(PatchEntry, FlushWithASheetIsBySideThatTheSurfaceOfThePointLooksAt)
{
    const TriMesh mesh = ridge_and_floor(0.5);
    const PatchSurface surface = at_rest(mesh, 0);
    const SheetSides sides(surface.patches());
    std::vector<PatchEntry> entries;
    for (const double looks : {-1.0, 1.0}) {
        PointWay way{Vec3(0.5, -0.2501, 0.1), Vec3(0.5, -0.24, 0.1), Vec3(0, looks, 0)}; // up through the slope
        way.behind = 0.001;
        way.turn = 1.5;
        way.sheet = &sides;
        find_entries(surface, way, entries);
        ASSERT_FALSE(entries.empty());
        for (const PatchEntry& entry : entries)
            EXPECT_GT(-looks * normal_of(mesh, entry.facet).y(), 0.5);
    }
}

TEST(SheetSides, AreThoseOfEachPiece)
{
    const TriMesh mesh = ridge_and_floor(1);
    const PatchSurface surface = at_rest(mesh, 0);
    const SheetSides sides(surface.patches());
    const int facets = static_cast<int>(mesh.triangles.size());
    ASSERT_EQ(facets, 12);
    for (int f = 0; f < facets; ++f)
        for (int g = 0; g < facets; ++g) {
            const bool same_piece = (f % 6 < 4) == (g % 6 < 4);
            EXPECT_EQ(sides.are_opposite(f, g), same_piece && normal_of(mesh, f).y() * normal_of(mesh, g).y() < 0);
        }
}

} // namespace
} // namespace stickslip::patch_entry_test
