#include "stickslip/geometry/self_intersection.h"

#include "stickslip/geometry/box_tree.h"
#include "stickslip/geometry/defect_list.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <string>

namespace stickslip {

namespace {

constexpr double touching = 1e-9; // of the size of two triangles: nearer than this is contact, not a cut

class Crossings {
public:
    explicit Crossings(const TriMesh& mesh)
        : mesh_(mesh)
    {
        for (const Triangle& t : mesh.triangles) {
            Bounds box;
            for (const int v : t)
                box.add(mesh.vertices[v]);
            boxes_.push_back(box);
        }
        tree_ = BoxTree(boxes_);
    }

    /// Triangles after t that cut it, ascending.
    std::vector<int> partners(int t) const
    {
        std::vector<int> found;
        tree_.visit_overlapping(boxes_[t], [&](int other) {
            if (other > t && boxes_[t].overlaps(boxes_[other]) && (pierces(t, other) || pierces(other, t)))
                found.push_back(other);
        });
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    /// Whether an edge of s goes through the inside of t. Edges that end in a vertex of t only touch it there.
    bool pierces(int s, int t) const
    {
        const Triangle &a = mesh_.triangles[s], &b = mesh_.triangles[t];
        const auto corner_of_b = [&](int v) { return std::find(b.begin(), b.end(), v) != b.end(); };
        const double size = std::max((boxes_[s].max - boxes_[s].min).norm(), (boxes_[t].max - boxes_[t].min).norm());
        for (int i = 0; i < 3; ++i) {
            const int p = a[i], q = a[(i + 1) % 3];
            if (!corner_of_b(p) && !corner_of_b(q) && goes_through(mesh_.vertices[p], mesh_.vertices[q], b, size))
                return true;
        }
        return false;
    }

    bool goes_through(const Vec3& p, const Vec3& q, const Triangle& t, double size) const
    {
        const Vec3 &a = mesh_.vertices[t[0]], &b = mesh_.vertices[t[1]], &c = mesh_.vertices[t[2]];
        const Vec3 n = (b - a).cross(c - a).normalized();
        const double above = n.dot(p - a), below = n.dot(q - a);
        if (std::min(above, below) > -touching * size || std::max(above, below) < touching * size)
            return false;
        const Vec3 x = p + above / (above - below) * (q - p);
        const auto inside = [&](const Vec3& from, const Vec3& to) { // farther than touching from this side
            return n.cross(to - from).dot(x - from) > touching * size * (to - from).norm();
        };
        return inside(a, b) && inside(b, c) && inside(c, a);
    }

    const TriMesh& mesh_;
    std::vector<Bounds> boxes_;
    BoxTree tree_;
};

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
    return defects.finish([](MeshDefectKind) { return std::string("triangles that cut through one another"); });
}

} // namespace stickslip
