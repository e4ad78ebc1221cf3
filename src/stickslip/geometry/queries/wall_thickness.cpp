#include "stickslip/geometry/queries/wall_thickness.h"

#include "stickslip/geometry/queries/box_tree.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {

namespace {

constexpr double opposed_facets =
    -0.866; // [-] product of the normals of two sides of a wall: the cosine of 150 degrees
constexpr double least_share_of_surface = 1e-3; // [-] of the surface
constexpr double touching_facets = 1e-6; // [-] of the size: facets so near to one another enclose nothing

/// A mesh whose facets are seen from one another.
class FacetView {
public:
    explicit FacetView(const TriMesh& mesh)
        : mesh_(mesh)
        , normals_(mesh.triangles.size())
        , areas_(mesh.triangles.size())
    {
        std::vector<Bounds> boxes(mesh.triangles.size());
        for (std::size_t t = 0; t < boxes.size(); ++t) {
            for (const int v : mesh.triangles[t])
                boxes[t].add(mesh.vertices[v]);
            const auto& [a, b, c] = mesh.triangles[t];
            const Vec3 twice = (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]);
            areas_[t] = twice.norm() / 2;
            normals_[t] = areas_[t] > 0 ? Vec3(twice.normalized()) : Vec3(Vec3::Zero());
        }
        tree_ = BoxTree(boxes);
        least_ = touching_facets * (tree_.bounds().max - tree_.bounds().min).maxCoeff();
    }

    double area(std::size_t facet) const { return areas_[facet]; } // [m^2]

    /// How thick the wall or the slot beside a place of the facet is [m]; infinity: neither is thinner than `reach`.
    double thickness(int facet, const Vec3& at, double reach) const
    {
        return std::min(seen(facet, at, -reach), seen(facet, at, reach));
    }

private:
    /// Distance [m] along the normal, as far as `reach` (against it if negative), of the first facet there, if it looks
    /// the other way.
    double seen(int facet, const Vec3& at, double reach) const
    {
        const Vec3 way = reach * normals_[facet];
        const Vec3 end = at + way;
        double first = 1;
        int hit = -1;
        tree_.visit_overlapping({at.cwiseMin(end), at.cwiseMax(end)}, [&](int other) {
            const double share = meets(facet, other) ? infinity : crossing(other, at, way);
            if (share < first) {
                first = share;
                hit = other;
            }
        });
        return hit >= 0 && normals_[hit].dot(normals_[facet]) < opposed_facets ? first * std::abs(reach) : infinity;
    }

    /// Whether the two have a vertex in common.
    bool meets(int facet, int other) const
    {
        const Triangle &a = mesh_.triangles[facet], &b = mesh_.triangles[other];
        return std::any_of(a.begin(), a.end(), [&](int v) { return std::find(b.begin(), b.end(), v) != b.end(); });
    }

    /// Share of the way at which it crosses the facet; infinity: it does not, or the facet touches where it begins.
    double crossing(int facet, const Vec3& from, const Vec3& way) const
    {
        const Vec3& n = normals_[facet];
        const Vec3& a = mesh_.vertices[mesh_.triangles[facet][0]];
        const double slope = way.dot(n);
        const double share = slope == 0 ? infinity : (a - from).dot(n) / slope;
        if (!(share * way.norm() > least_ && share <= 1))
            return infinity;
        const Vec3 p = from + share * way;
        for (int i = 0; i < 3; ++i) {
            const Vec3& u = mesh_.vertices[mesh_.triangles[facet][i]];
            const Vec3& v = mesh_.vertices[mesh_.triangles[facet][(i + 1) % 3]];
            if ((v - u).cross(p - u).dot(n) < 0)
                return infinity;
        }
        return share;
    }

    const TriMesh& mesh_;
    std::vector<Vec3> normals_; // unit; zero without an area
    std::vector<double> areas_; // [m^2]
    BoxTree tree_;
    double least_; // [m]
};

/// Middles of n^2 equal parts of a triangle.
template <typename Visit>
void visit_parts(const Vec3& a, const Vec3& b, const Vec3& c, int n, const Visit& visit)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 2 * (n - i) - 1; ++j) {
            const double row = i + (j % 2 == 0 ? 1.0 : 2.0) / 3;
            const double column = j / 2 + (j % 2 == 0 ? 1.0 : 2.0) / 3;
            visit(Vec3(a + row / n * (b - a) + column / n * (c - a)));
        }
}

} // namespace

double least_thickness(const TriMesh& mesh, double reach)
{
    const FacetView view(mesh);
    struct Part {
        double thickness, area;
    };
    std::vector<std::vector<Part>> thin(mesh.triangles.size()); // by facet
    parallel_for(mesh.triangles.size(), [&](std::size_t t) {
        const Vec3 &a = mesh.vertices[mesh.triangles[t][0]], &b = mesh.vertices[mesh.triangles[t][1]],
                   &c = mesh.vertices[mesh.triangles[t][2]];
        const int n = std::max(1, static_cast<int>(std::ceil(std::sqrt(2 * view.area(t)) / reach)));
        visit_parts(a, b, c, n, [&](const Vec3& at) {
            const double thickness = view.thickness(static_cast<int>(t), at, reach);
            if (thickness < infinity)
                thin[t].push_back({thickness, view.area(t) / (n * n)});
        });
    });
    double area = 0;
    std::vector<Part> parts;
    for (std::size_t t = 0; t < thin.size(); ++t) {
        area += view.area(t);
        parts.insert(parts.end(), thin[t].begin(), thin[t].end());
    }
    std::sort(parts.begin(), parts.end(), [](const Part& p, const Part& q) { return p.thickness < q.thickness; });
    double thinner = 0;
    for (const Part& part : parts) {
        thinner += part.area;
        if (thinner > least_share_of_surface * area)
            return part.thickness;
    }
    return infinity;
}

} // namespace stickslip
