#include "stickslip/bodies/surface_samples.h"

#include "stickslip/math/angle.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace stickslip {

namespace {

// A vertex carries at least `least_vertex_weight`; every vertex of a surface with up to `few_vertices` carries 1: the
// eight of a box. The whole surface in between has as much as those eight.
constexpr double least_vertex_weight = 0.1, surface_weight = 8;
constexpr int few_vertices = 8;
constexpr double smooth = 0.94; // cosine of 20 degrees
constexpr double steep = 0.342; // sine of 20 degrees

/// Pieces no longer than spacing that a length is cut into; round-off makes no further piece.
int pieces(double length, double spacing)
{
    return std::max(1, static_cast<int>(std::ceil(length / spacing * (1 - 1e-9))));
}

class Sampler {
public:
    Sampler(const TriMesh& mesh, const SampleSpacing& spacing)
        : mesh_(mesh)
        , spacing_(spacing)
        , of_vertex_(mesh.vertices.size(), -1)
    {
    }

    void run()
    {
        find_smooth_edges();
        for (const Triangle& t : mesh_.triangles)
            for (const int v : t)
                of_vertex_[v] = 0;
        for (std::size_t v = 0; v < of_vertex_.size(); ++v)
            if (of_vertex_[v] == 0)
                of_vertex_[v] = add(mesh_.vertices[v]);
        vertex_count_ = static_cast<int>(points.size());
        for (const Triangle& t : mesh_.triangles)
            cover(t);
        for (const double a : areas)
            surface_ += a;
        sharpen_rims();
        find_peaks();
    }

    double weight(std::size_t i) const
    {
        const double share = surface_weight * areas[i] / surface_;
        if (static_cast<int>(i) >= vertex_count_)
            return share;
        return vertex_count_ <= few_vertices ? 1 : std::max(share, least_vertex_weight);
    }

    Vec3 normal(std::size_t i) const { return normals_[i].normalized(); }
    bool flat(std::size_t i) const { return !sharp_[i]; }
    bool is_between(std::size_t i) const { return static_cast<int>(i) >= vertex_count_; }
    Vec3 rim(std::size_t i) const { return mean_direction(rim_sums_[i]); }
    bool peak(std::size_t i) const { return static_cast<int>(i) < vertex_count_ && peak_[i]; }

    std::vector<Vec3> points; // [m] vertices, then those in between
    std::vector<double> areas; // [m^2]

private:
    struct OnEdge {
        int first, count; // samples between its ends
    };

    int add(const Vec3& x)
    {
        points.push_back(x);
        areas.push_back(0);
        normals_.push_back(Vec3::Zero());
        sharp_.push_back(false);
        return static_cast<int>(points.size()) - 1;
    }

    Vec3 normal_of(const Triangle& t) const
    {
        const Vec3& p = mesh_.vertices[t[0]];
        return (mesh_.vertices[t[1]] - p).cross(mesh_.vertices[t[2]] - p).normalized();
    }

    void find_smooth_edges()
    {
        std::map<Edge, Vec3> first; // normal of an edge's first triangle
        for (const Triangle& t : mesh_.triangles)
            for (int i = 0; i < 3; ++i) {
                const Edge e{std::min(t[i], t[(i + 1) % 3]), std::max(t[i], t[(i + 1) % 3])};
                const auto [at, fresh] = first.try_emplace(e, normal_of(t));
                if (fresh) {
                    rims_.emplace(e, outward_of(t, i));
                    continue;
                }
                rims_.erase(e);
                if (at->second.dot(normal_of(t)) >= smooth)
                    smooth_edges_.insert(e);
            }
    }

    /// Unit, in the triangle, perpendicular to its side i, away from it.
    Vec3 outward_of(const Triangle& t, int i) const
    {
        return (mesh_.vertices[t[(i + 1) % 3]] - mesh_.vertices[t[i]]).cross(normal_of(t)).normalized();
    }

    // An open surface is sharp where it ends.
    void sharpen_rims()
    {
        const auto sharpen = [&](int i, const Vec3& outward) {
            sharp_[i] = true;
            rim_sums_[i] += outward;
        };
        rim_sums_.assign(points.size(), Vec3::Zero());
        for (const auto& [e, outward] : rims_) {
            const OnEdge on = edge(e[0], e[1]);
            for (int i = on.first; i < on.first + on.count; ++i)
                sharpen(i, outward);
            for (const int v : e)
                sharpen(of_vertex_[v], outward);
        }
    }

    void find_peaks()
    {
        peak_.assign(vertex_count_, true);
        const auto leads_away = [&](int from, int to) {
            const Vec3 e = mesh_.vertices[to] - mesh_.vertices[from];
            return normal(of_vertex_[from]).dot(e) < -steep * e.norm();
        };
        for (const Triangle& t : mesh_.triangles)
            for (int i = 0; i < 3; ++i)
                for (const int other : {t[(i + 1) % 3], t[(i + 2) % 3]})
                    if (!leads_away(t[i], other))
                        peak_[of_vertex_[t[i]]] = false;
    }

    const OnEdge& edge(int a, int b)
    {
        const Edge e{std::min(a, b), std::max(a, b)};
        const auto [at, fresh] = edges_.try_emplace(e, OnEdge{});
        if (fresh) {
            const Vec3 &p = mesh_.vertices[at->first[0]], &q = mesh_.vertices[at->first[1]];
            const int n = pieces((q - p).norm(), smooth_edges_.count(e) ? spacing_.faces : spacing_.edges);
            at->second = {static_cast<int>(points.size()), n - 1};
            for (int i = 1; i < n; ++i)
                add(p + static_cast<double>(i) / n * (q - p));
        }
        return at->second;
    }

    /// Rows parallel to the longest side, so that a sliver gets no points across it. Returns the first and the number.
    OnEdge inside(const Triangle& t)
    {
        int longest = 0;
        const auto side = [&](int i) -> Vec3 { return mesh_.vertices[t[(i + 1) % 3]] - mesh_.vertices[t[i]]; };
        for (int i = 1; i < 3; ++i)
            if (side(i).norm() > side(longest).norm())
                longest = i;
        const Vec3 &a = mesh_.vertices[t[longest]], &b = mesh_.vertices[t[(longest + 1) % 3]],
                   &top = mesh_.vertices[t[(longest + 2) % 3]];
        const double length = (b - a).norm();
        const int first = static_cast<int>(points.size());
        const int rows = pieces((b - a).cross(top - a).norm() / length, spacing_.faces);
        for (int r = 1; r < rows; ++r) {
            const double up = static_cast<double>(r) / rows;
            const int n = pieces((1 - up) * length, spacing_.faces);
            for (int i = 1; i < n; ++i)
                add(a + up * (top - a) + (1 - up) * i / n * (b - a));
        }
        return {first, static_cast<int>(points.size()) - first};
    }

    /// Shares the triangle's area as a regular lattice would: a point inside owns a whole cell, one on a side half a
    /// cell, the three corners together half a cell.
    void cover(const Triangle& t)
    {
        const OnEdge sides[3] = {edge(t[0], t[1]), edge(t[1], t[2]), edge(t[2], t[0])};
        const OnEdge middle = inside(t);
        const double cells = 0.5 + 0.5 * (sides[0].count + sides[1].count + sides[2].count) + middle.count;
        const Vec3& p = mesh_.vertices[t[0]];
        const double area = 0.5 * (mesh_.vertices[t[1]] - p).cross(mesh_.vertices[t[2]] - p).norm();
        const Vec3 n = normal_of(t);
        const auto touch = [&](int i, double share, double angle) {
            areas[i] += share;
            sharp_[i] = sharp_[i] || normals_[i].dot(n) < smooth * normals_[i].norm();
            normals_[i] += angle * n;
        };
        const auto share = [&](const OnEdge& on, double cell) {
            for (int i = on.first; i < on.first + on.count; ++i)
                touch(i, cell * area / cells, std::numbers::pi);
        };
        for (const OnEdge& on : sides)
            share(on, 0.5);
        share(middle, 1);
        for (int i = 0; i < 3; ++i) {
            const Vec3& corner = mesh_.vertices[t[i]];
            const Vec3 a = mesh_.vertices[t[(i + 1) % 3]] - corner, b = mesh_.vertices[t[(i + 2) % 3]] - corner;
            touch(of_vertex_[t[i]], area / (6 * cells), angle_between(a, b));
        }
    }

    const TriMesh& mesh_;
    SampleSpacing spacing_;
    std::set<Edge> smooth_edges_;
    std::map<Edge, Vec3> rims_; // edges of one triangle: outward_of that
    std::vector<Vec3> rim_sums_; // [-] of the outward directions of the rims at a sample
    std::vector<int> of_vertex_; // sample; -1: unused
    int vertex_count_ = 0;
    double surface_ = 0; // [m^2]
    std::map<Edge, OnEdge> edges_;
    std::vector<Vec3> normals_; // [rad] sums of those of the triangles so far, by their angles
    std::vector<bool> sharp_;
    std::vector<bool> peak_; // of vertices
};

} // namespace

std::vector<SurfaceSample> surface_samples(const TriMesh& mesh, const SampleSpacing& spacing, const Vec3& centre)
{
    Sampler sampler(mesh, spacing);
    sampler.run();
    std::vector<SurfaceSample> samples;
    for (std::size_t i = 0; i < sampler.points.size(); ++i)
        samples.push_back({.z = sampler.points[i] - centre,
            .weight = sampler.weight(i),
            .n = sampler.normal(i),
            .flat = sampler.flat(i),
            .between = sampler.is_between(i),
            .peak = sampler.peak(i),
            .rim = sampler.rim(i)});
    return samples;
}

void weigh_for_cubes(std::vector<SurfaceSample>& samples, double area, double spacing, double cube)
{
    for (SurfaceSample& s : samples) {
        const double by_area = s.weight * area / (6 * cube * cube), by_length = s.flat ? 0 : 2 * spacing / cube;
        s.weight = std::max(s.weight, std::min(1.0, std::max(by_area, by_length)));
    }
}

} // namespace stickslip
