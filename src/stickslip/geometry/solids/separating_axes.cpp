#include "stickslip/geometry/solids/separating_axes.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <map>

namespace stickslip {

namespace {

constexpr double parallel = 1e-6; // [-] sine of the angle between edges that have no axis of their own

void add_edge(const Vec3& way, std::vector<Vec3>& edges)
{
    const Vec3 edge = way.normalized();
    const auto is_same = [&](const Vec3& known) { return known.cross(edge).squaredNorm() < parallel * parallel; };
    if (std::none_of(edges.begin(), edges.end(), is_same))
        edges.push_back(edge);
}

FlatFacedSolid flat_faced_box(const Box& box)
{
    FlatFacedSolid solid;
    for (int c = 0; c < 8; ++c)
        solid.corners.push_back(0.5 * box.size.cwiseProduct(Vec3(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1)));
    for (int axis = 0; axis < 3; ++axis) {
        solid.normals.push_back(Vec3::Unit(axis));
        solid.normals.push_back(-Vec3::Unit(axis));
        solid.edges.push_back(Vec3::Unit(axis));
    }
    return solid;
}

/// The corners are where the planes of their faces meet.
FlatFacedSolid flat_faced_polyhedron(const ConvexPolyhedron& polyhedron)
{
    struct Planes {
        Mat3 squares = Mat3::Zero();
        Vec3 offsets = Vec3::Zero(); // [m]
    };
    std::map<int, Planes> at; // each corner
    for (const ConvexPolyhedron::Face& face : polyhedron.faces())
        for (const int corner : face.corners) {
            at[corner].squares += face.normal * face.normal.transpose();
            at[corner].offsets += face.offset * face.normal;
        }
    std::map<int, Vec3> corners;
    FlatFacedSolid solid;
    for (const auto& [corner, planes] : at) {
        corners[corner] = planes.squares.ldlt().solve(planes.offsets);
        solid.corners.push_back(corners[corner]);
    }
    for (const ConvexPolyhedron::Face& face : polyhedron.faces()) {
        solid.normals.push_back(face.normal);
        for (std::size_t k = 0; k < face.corners.size(); ++k)
            add_edge(
                corners.at(face.corners[(k + 1) % face.corners.size()]) - corners.at(face.corners[k]), solid.edges);
    }
    return solid;
}

double farthest(const std::vector<Vec3>& corners, const Vec3& way)
{
    double most = -infinity;
    for (const Vec3& X : corners)
        most = std::max(most, way.dot(X));
    return most;
}

} // namespace

std::optional<FlatFacedSolid> flat_faced(const LevelSet& solid)
{
    if (const auto* box = std::get_if<Box>(&solid))
        return flat_faced_box(*box);
    if (const auto* polyhedron = std::get_if<std::shared_ptr<const ConvexPolyhedron>>(&solid))
        return flat_faced_polyhedron(**polyhedron);
    return std::nullopt;
}

AxisOverlap least_overlap(const FlatFacedSolid& first, const FlatFacedSolid& second, const Frame& second_in_first,
    double enough, SeparatingAxis axis)
{
    std::vector<Vec3> corners; // of the second
    for (const Vec3& X : second.corners)
        corners.push_back(second_in_first.to_world(X));
    const auto along = [&](const Vec3& n) { return farthest(first.corners, n) + farthest(corners, -n); };
    const auto depth = [&](const SeparatingAxis& a) {
        if (a.second < 0)
            return along(first.normals[a.first]);
        if (a.first < 0)
            return along(second_in_first.R * -second.normals[a.second]);
        const Vec3 n = first.edges[a.first].cross(second_in_first.R * second.edges[a.second]);
        const double sine = n.norm();
        return sine < parallel ? infinity : std::min(along(n / sine), along(-n / sine));
    };
    AxisOverlap least;
    const auto is_enough = [&](const SeparatingAxis& a) {
        if (const double d = depth(a); d < least.depth)
            least = {d, a};
        return least.depth <= enough;
    };
    const auto count = [](const std::vector<Vec3>& of) { return static_cast<int>(of.size()); };
    if ((axis.first >= 0 || axis.second >= 0) && is_enough(axis))
        return least;
    for (int a = 0; a < count(first.normals); ++a)
        if (is_enough({a, -1}))
            return least;
    for (int b = 0; b < count(second.normals); ++b)
        if (is_enough({-1, b}))
            return least;
    for (int a = 0; a < count(first.edges); ++a)
        for (int b = 0; b < count(second.edges); ++b)
            if (is_enough({a, b}))
                return least;
    return least;
}

} // namespace stickslip
