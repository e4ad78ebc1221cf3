#include "stickslip/geometry/mesh/self_intersection.h"

#include "stickslip/geometry/mesh/defect_list.h"
#include "stickslip/geometry/queries/box_tree.h"
#include "stickslip/geometry/queries/triangle_overlap.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace stickslip {

namespace {

constexpr double touching = 1e-9; // of the size of two triangles: nearer than this is contact, not a cut

std::vector<Bounds> triangle_boxes(const TriMesh& mesh)
{
    std::vector<Bounds> boxes(mesh.triangles.size());
    for (std::size_t t = 0; t < boxes.size(); ++t)
        for (const int v : mesh.triangles[t])
            boxes[t].add(mesh.vertices[v]);
    return boxes;
}

class Crossings {
public:
    explicit Crossings(const TriMesh& mesh)
        : mesh_(mesh)
        , boxes_(triangle_boxes(mesh))
        , tree_(boxes_)
    {
    }

    /// Triangles after t that cut it, ascending.
    std::vector<int> partners(int t) const
    {
        std::vector<int> found;
        tree_.visit_overlapping(boxes_[t], [&](int other) {
            if (other > t && boxes_[t].overlaps(boxes_[other]) && cut(t, other))
                found.push_back(other);
        });
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    TriangleCorners corners(int t) const
    {
        const auto& [i, j, k] = mesh_.triangles[t];
        return {mesh_.vertices[i], mesh_.vertices[j], mesh_.vertices[k]};
    }

    bool cut(int s, int t) const
    {
        const double size = std::max((boxes_[s].max - boxes_[s].min).norm(), (boxes_[t].max - boxes_[t].min).norm());
        return triangle_overlap(corners(s), corners(t)) > touching * size;
    }

    const TriMesh& mesh_;
    std::vector<Bounds> boxes_;
    BoxTree tree_;
};

/// How often a surface encloses a point, by the facets that a ray from there along an axis meets.
class Enclosure {
public:
    explicit Enclosure(const TriMesh& mesh)
        : mesh_(mesh)
        , box_(bounds(mesh.vertices))
        , tree_(triangle_boxes(mesh))
    {
    }

    double size() const { return (box_.max - box_.min).norm(); } // [m]

    int times(const Vec3& x, int axis) const
    {
        Bounds ray{.min = x, .max = x};
        ray.max[axis] = box_.max[axis];
        int count = 0;
        tree_.visit_overlapping(ray, [&](int t) {
            const int turns = turns_around(x, axis, mesh_.triangles[t]);
            if (turns != 0 && depth(x, axis, mesh_.triangles[t]) > x[axis])
                count += turns;
        });
        return count;
    }

private:
    /// 1 where the ray leaves through the triangle, -1 where it enters, 0 where it passes by. Each edge is judged alike
    /// for both its triangles, so that a ray through an edge or a vertex is counted as one that passes a hair beside.
    int turns_around(const Vec3& x, int axis, const Triangle& t) const
    {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        int turns = 0;
        for (int i = 0; i < 3; ++i) {
            const auto [low, high] = std::minmax(t[i], t[(i + 1) % 3]);
            const Vec3 &a = mesh_.vertices[low], &b = mesh_.vertices[high];
            if ((a[v] > x[v]) == (b[v] > x[v]))
                continue;
            const double at = a[u] + (x[v] - a[v]) / (b[v] - a[v]) * (b[u] - a[u]);
            if (at > x[u])
                turns += (b[v] > a[v]) == (low == t[i]) ? 1 : -1;
        }
        return turns;
    }

    double depth(const Vec3& x, int axis, const Triangle& t) const
    {
        const Vec3 &a = mesh_.vertices[t[0]], &b = mesh_.vertices[t[1]], &c = mesh_.vertices[t[2]];
        const Vec3 n = (b - a).cross(c - a);
        Vec3 from_a = x - a;
        from_a[axis] = 0;
        const double depth = a[axis] - n.dot(from_a) / n[axis];
        return std::clamp(depth, std::min({a[axis], b[axis], c[axis]}), std::max({a[axis], b[axis], c[axis]}));
    }

    const TriMesh& mesh_;
    Bounds box_;
    BoxTree tree_;
};

/// How often space beside a facet is enclosed, on its outer and its inner side.
struct Sides {
    int outer = 0, inner = 1;
};

Sides sides_of(const TriMesh& mesh, const Enclosure& enclosure, int t)
{
    const auto& [i, j, k] = mesh.triangles[t];
    const Vec3 &a = mesh.vertices[i], &b = mesh.vertices[j], &c = mesh.vertices[k];
    const Vec3 area = (b - a).cross(c - a);
    const double longest = std::sqrt(std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
    const double off = touching * enclosure.size();
    if (area.norm() < 100 * off * longest)
        return {};
    const Vec3 n = area.normalized(), x = 0.2887 * a + 0.3311 * b + 0.3802 * c; // in no special place
    int axis = 0;
    n.cwiseAbs().maxCoeff(&axis);
    return {.outer = enclosure.times(x + off * n, axis), .inner = enclosure.times(x - off * n, axis)};
}

} // namespace

std::vector<MeshDefect> find_crossings(const TriMesh& mesh)
{
    const Crossings crossings(mesh);
    std::vector<std::vector<int>> partners(mesh.triangles.size());
    parallel_for(
        partners.size(), [&](std::size_t t) { partners[t] = crossings.partners(static_cast<int>(t)); }, 64);
    DefectList defects;
    for (int t = 0; t < static_cast<int>(partners.size()); ++t)
        for (const int other : partners[t])
            defects.add(MeshDefectKind::crossing, "triangle " + std::to_string(t) + " and " + std::to_string(other),
                {t, other});
    return defects.finish([](MeshDefectKind) { return std::string("intersecting triangles"); });
}

std::vector<MeshDefect> find_overlaps(const TriMesh& mesh)
{
    const Enclosure enclosure(mesh);
    std::vector<Sides> sides(mesh.triangles.size());
    parallel_for(
        sides.size(), [&](std::size_t t) { sides[t] = sides_of(mesh, enclosure, static_cast<int>(t)); }, 64);
    DefectList defects;
    for (int t = 0; t < static_cast<int>(sides.size()); ++t) {
        const std::string name = "triangle " + std::to_string(t);
        if (sides[t].inner > 1)
            defects.add(MeshDefectKind::enclosed_twice, name, {t});
        else if (sides[t].outer < 0)
            defects.add(MeshDefectKind::inside_out, name, {t});
    }
    return defects.finish([](MeshDefectKind kind) -> std::string {
        return kind == MeshDefectKind::enclosed_twice ? "triangles inside or on another part of the surface with the "
                                                        "same orientation, so that volume is enclosed twice"
                                                      : "triangles of a part that is inside out and is not a cavity";
    });
}

std::vector<MeshDefect> find_solid_defects(const TriMesh& mesh)
{
    std::vector<MeshDefect> defects = find_defects(mesh);
    if (defects.empty() && !(enclosed_volume(mesh) > 0)) {
        std::vector<int> all(mesh.triangles.size());
        std::iota(all.begin(), all.end(), 0);
        return {{.kind = MeshDefectKind::inside_out,
            .elements = all,
            .text = "the surface is inside out: expected triangles counter-clockwise seen from outside, found all "
                + std::to_string(all.size()) + " clockwise (from triangle 0)"}};
    }
    if (defects.empty())
        defects = find_crossings(mesh);
    if (defects.empty())
        defects = find_overlaps(mesh);
    return defects;
}

} // namespace stickslip
