#include "stickslip/geometry/mesh/smooth_patches.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stickslip {

namespace {

Vec3 area_vector(const Triangle& t, std::span<const Vec3> x)
{
    return 0.5 * (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]);
}

} // namespace

SmoothPatches::SmoothPatches(const TriMesh& rest, double crease_angle)
    : facets(rest.triangles)
{
    double sum = 0;
    for (const Triangle& t : facets) {
        const double twice = 2 * area_vector(t, rest.vertices).norm();
        area.push_back(twice / 2);
        auto& h = height.emplace_back();
        for (int k = 0; k < 3; ++k) {
            const double opposite = (rest.vertices[t[(k + 1) % 3]] - rest.vertices[t[(k + 2) % 3]]).norm();
            h[k] = twice / opposite;
            sum += opposite;
        }
    }
    edge_length = facets.empty() ? 0 : sum / (3 * static_cast<double>(facets.size()));
    join_facets(rest, crease_angle);
    number_patches();
    number_normals(rest.vertices.size());
}

void SmoothPatches::join_facets(const TriMesh& rest, double crease_angle)
{
    across.assign(facets.size(), {-1, -1, -1});
    std::map<Edge, std::vector<int>> sides; // 3 facet + side
    for (std::size_t f = 0; f < facets.size(); ++f)
        for (int k = 0; k < 3; ++k) {
            const auto [a, b] = std::minmax(facets[f][k], facets[f][(k + 1) % 3]);
            sides[{a, b}].push_back(static_cast<int>(3 * f) + k);
        }
    const double least = std::cos(crease_angle);
    for (const auto& [edge, at] : sides) {
        if (at.size() != 2)
            continue;
        const Vec3 n = area_vector(facets[at[0] / 3], rest.vertices), m = area_vector(facets[at[1] / 3], rest.vertices);
        if (n.dot(m) < least * n.norm() * m.norm())
            continue;
        across[at[0] / 3][at[0] % 3] = at[1] / 3;
        across[at[1] / 3][at[1] % 3] = at[0] / 3;
    }
}

void SmoothPatches::number_patches()
{
    patch.assign(facets.size(), -1);
    std::vector<int> left;
    for (std::size_t first = 0; first < facets.size(); ++first) {
        if (patch[first] >= 0)
            continue;
        left.push_back(static_cast<int>(first));
        patch[first] = patches;
        while (!left.empty()) {
            const int f = left.back();
            left.pop_back();
            for (const int g : across[f])
                if (g >= 0 && patch[g] < 0) {
                    patch[g] = patches;
                    left.push_back(g);
                }
        }
        ++patches;
    }
}

void SmoothPatches::number_normals(std::size_t vertices)
{
    std::vector<std::vector<std::pair<int, int>>> known(vertices); // patch and number of its normal, by vertex
    normal_of.resize(facets.size());
    for (std::size_t f = 0; f < facets.size(); ++f)
        for (int k = 0; k < 3; ++k) {
            auto& here = known[facets[f][k]];
            const auto it =
                std::find_if(here.begin(), here.end(), [&](const auto& entry) { return entry.first == patch[f]; });
            normal_of[f][k] = it != here.end() ? it->second : normals;
            if (it == here.end())
                here.emplace_back(patch[f], normals++);
        }
}

void SmoothPatches::find_normals(std::span<const Vec3> x, std::vector<Vec3>& n) const
{
    n.assign(normals, Vec3::Zero());
    for (std::size_t f = 0; f < facets.size(); ++f)
        for (int k = 0; k < 3; ++k) {
            const Vec3 &o = x[facets[f][k]], a = x[facets[f][(k + 1) % 3]] - o, b = x[facets[f][(k + 2) % 3]] - o;
            n[normal_of[f][k]] += a.cross(b) / (a.squaredNorm() * b.squaredNorm());
        }
    for (std::size_t f = facets.size(); f-- > 0;) // the first facet comes last
        for (int k = 0; k < 3; ++k)
            if (Vec3& sum = n[normal_of[f][k]]; !(sum.squaredNorm() > 0))
                sum = area_vector(facets[f], x);
    for (Vec3& sum : n)
        sum.normalize();
}

} // namespace stickslip
