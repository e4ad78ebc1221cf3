#include "stickslip/geometry/solids/convex_polyhedron.h"

#include <Eigen/QR>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace stickslip {

namespace {

constexpr double flatness = 1e-6; // of the size

Vec3 doubled_area(const TriMesh& mesh, const Triangle& t)
{
    const Vec3& a = mesh.vertices[t[0]];
    return (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a);
}

// The one loop of edges that the triangles do not share among themselves; empty if there are more, or none.
std::vector<int> outline(const TriMesh& mesh, const std::vector<int>& triangles)
{
    std::set<Edge> edges;
    for (const int t : triangles)
        for (int i = 0; i < 3; ++i) {
            const Edge edge{mesh.triangles[t][i], mesh.triangles[t][(i + 1) % 3]};
            if (edges.erase({edge[1], edge[0]}) == 0)
                edges.insert(edge);
        }
    std::map<int, int> next;
    for (const Edge& e : edges)
        next[e[0]] = e[1];
    if (next.empty() || next.size() != edges.size())
        return {};
    std::vector<int> loop{next.begin()->first};
    while (loop.size() <= next.size()) {
        const auto on = next.find(loop.back());
        if (on == next.end())
            return {};
        if (on->second == loop.front())
            break;
        loop.push_back(on->second);
    }
    return loop.size() == next.size() ? loop : std::vector<int>{};
}

// Whether each side of a face is that of another: without its lid a box would have no end there.
bool encloses(const std::vector<ConvexPolyhedron::Face>& faces)
{
    std::set<Edge> sides;
    for (const ConvexPolyhedron::Face& f : faces)
        for (std::size_t i = 0; i < f.corners.size(); ++i)
            sides.insert({f.corners[i], f.corners[(i + 1) % f.corners.size()]});
    return std::all_of(sides.begin(), sides.end(), [&](const Edge& e) { return sides.contains({e[1], e[0]}); });
}

} // namespace

std::shared_ptr<const ConvexPolyhedron> ConvexPolyhedron::from_mesh(const TriMesh& mesh)
{
    auto solid = std::make_shared<ConvexPolyhedron>();
    solid->vertices_ = mesh.vertices;
    for (const Triangle& t : mesh.triangles)
        for (const int v : t)
            solid->bounds_.add(mesh.vertices[v]);
    const double tolerance = flatness * (solid->bounds_.max - solid->bounds_.min).norm();

    // large triangles first: their planes are the sure ones
    std::vector<int> order(mesh.triangles.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return doubled_area(mesh, mesh.triangles[a]).norm() > doubled_area(mesh, mesh.triangles[b]).norm();
    });
    std::vector<std::vector<int>> members;
    for (const int t : order) {
        const Triangle& triangle = mesh.triangles[t];
        const Vec3 area = doubled_area(mesh, triangle);
        const auto belongs = [&](const Face& f) {
            return f.normal.dot(area) > 0.5 * area.norm() && std::all_of(triangle.begin(), triangle.end(), [&](int v) {
                return std::abs(f.normal.dot(mesh.vertices[v]) - f.offset) <= tolerance;
            });
        };
        const auto face = std::find_if(solid->faces_.begin(), solid->faces_.end(), belongs);
        if (face != solid->faces_.end()) {
            members[face - solid->faces_.begin()].push_back(t);
            continue;
        }
        if (solid->faces_.size() == most_faces)
            return nullptr;
        const Vec3 normal = area.normalized();
        double farthest = -infinity; // of all the solid; beyond the triangle's own plane by the tolerance at most
        for (const Triangle& other : mesh.triangles)
            for (const int v : other)
                farthest = std::max(farthest, normal.dot(mesh.vertices[v]));
        if (!normal.allFinite() || farthest > normal.dot(mesh.vertices[triangle[0]]) + tolerance)
            return nullptr;
        solid->faces_.push_back({normal, farthest, {}});
        members.push_back({t});
    }
    for (std::size_t f = 0; f < solid->faces_.size(); ++f) {
        solid->faces_[f].corners = outline(mesh, members[f]);
        if (solid->faces_[f].corners.empty())
            return nullptr;
    }
    if (solid->faces_.size() < 4 || !encloses(solid->faces_))
        return nullptr;
    solid->find_edges();
    return solid;
}

void ConvexPolyhedron::find_edges()
{
    std::map<std::pair<int, int>, Vec3> normal; // of the face on the left of the way from one corner to the other
    const auto for_sides = [&](const auto& visit) {
        for (const Face& f : faces_)
            for (std::size_t i = 0; i < f.corners.size(); ++i)
                visit(f, f.corners[i], f.corners[(i + 1) % f.corners.size()]);
    };
    for_sides([&](const Face& f, int a, int b) { normal[{a, b}] = f.normal; });
    edges_.clear();
    for_sides([&](const Face& f, int i, int j) {
        const Vec3 &a = vertices_[i], &b = vertices_[j];
        const auto next = normal.find({j, i});
        edges_.push_back({a, b, f.normal, (b - a).cross(f.normal).normalized(),
            next == normal.end() ? 1 : fold_between(f.normal, next->second)});
    });
    number_lines(edges_);
}

std::shared_ptr<const ConvexPolyhedron> ConvexPolyhedron::grown(double by) const
{
    auto solid = std::make_shared<ConvexPolyhedron>(*this);
    std::vector<Mat3> planes(vertices_.size(), Mat3::Zero());
    std::vector<Vec3> out(vertices_.size(), Vec3::Zero());
    for (Face& f : solid->faces_) {
        f.offset += by;
        for (const int v : f.corners) {
            planes[v] += f.normal * f.normal.transpose();
            out[v] += by * f.normal;
        }
    }
    for (std::size_t v = 0; v < vertices_.size(); ++v)
        if (!planes[v].isZero(0)) // of a corner
            solid->bounds_.add(solid->vertices_[v] += planes[v].completeOrthogonalDecomposition().solve(out[v]));
    solid->bounds_.min -= Vec3::Constant(by); // those that meet in several points
    solid->bounds_.max += Vec3::Constant(by);
    solid->find_edges();
    return solid;
}

int ConvexPolyhedron::nearest_face(const Vec3& U) const
{
    int best = 0;
    double largest = -infinity;
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f)
        if (const double d = face_distance(f, U); d > largest) {
            largest = d;
            best = f;
        }
    return best;
}

ConvexPolyhedron::Nearest ConvexPolyhedron::nearest_point(const Vec3& U) const
{
    Nearest nearest{U, Mat3::Zero(), -1};
    double least = infinity;
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
        const Face& face = faces_[f];
        const double d = face_distance(f, U);
        if (!(d > 0) || d >= least)
            continue; // not seen from U, or all of the face farther
        const Vec3 projected = U - d * face.normal;
        bool within = true;
        for (std::size_t i = 0; i < face.corners.size(); ++i) {
            const Vec3 &a = vertices_[face.corners[i]], &b = vertices_[face.corners[(i + 1) % face.corners.size()]];
            const Vec3 e = b - a;
            if (face.normal.dot(e.cross(projected - a)) >= 0)
                continue;
            within = false;
            const double t = e.dot(U - a) / e.squaredNorm();
            const Vec3 P = t <= 0 ? a : t >= 1 ? b : Vec3(a + t * e);
            if (const double distance = (U - P).norm(); distance < least) {
                least = distance;
                const Mat3 across = Mat3::Identity() - e * e.transpose() / e.squaredNorm();
                nearest = {P, t <= 0 || t >= 1 ? Mat3(Mat3::Identity()) : across, -1};
            }
        }
        if (within)
            return {projected, Mat3::Zero(), f}; // the plane is below the solid everywhere: nothing is nearer
    }
    return nearest;
}

} // namespace stickslip
