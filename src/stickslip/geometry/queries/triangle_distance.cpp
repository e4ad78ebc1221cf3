#include "stickslip/geometry/queries/triangle_distance.h"

#include "stickslip/geometry/queries/point_triangle.h"

#include <utility>
#include <vector>

namespace stickslip {

namespace {

TrianglePoint closest(const TriMesh& mesh, int t, const Vec3& x)
{
    const Triangle& k = mesh.triangles[t];
    return closest_point_on_triangle(x, mesh.vertices[k[0]], mesh.vertices[k[1]], mesh.vertices[k[2]]);
}

} // namespace

TriangleDistance::TriangleDistance(TriMesh mesh)
    : mesh_(std::move(mesh))
{
    std::vector<Bounds> boxes(mesh_.triangles.size());
    for (std::size_t t = 0; t < boxes.size(); ++t)
        for (const int v : mesh_.triangles[t])
            boxes[t].add(mesh_.vertices[v]);
    tree_ = BoxTree(boxes);
}

int TriangleDistance::nearest(const Vec3& x) const
{
    return tree_.nearest(x, [&](int t) { return (closest(mesh_, t, x).point - x).squaredNorm(); }).item;
}

double TriangleDistance::distance(const Vec3& x) const
{
    return (closest(mesh_, nearest(x), x).point - x).norm();
}

TriangleDistance::Sample TriangleDistance::sample(const Vec3& x) const
{
    const int t = nearest(x);
    const TrianglePoint at = closest(mesh_, t, x);
    const Vec3 away = x - at.point;
    Sample found{.phi = away.norm(), .n = Vec3::Zero(), .hessian = Mat3::Zero()};
    if (found.phi == 0)
        return found;
    found.n = away / found.phi;
    if (at.feature == TriangleFeature::face)
        return found;
    found.hessian = (Mat3::Identity() - found.n * found.n.transpose()) / found.phi;
    if (at.feature == TriangleFeature::edge) {
        const Triangle& k = mesh_.triangles[t];
        const Vec3 e = (mesh_.vertices[k[(at.index + 1) % 3]] - mesh_.vertices[k[at.index]]).normalized();
        found.hessian -= e * e.transpose() / found.phi;
    }
    return found;
}

} // namespace stickslip
