#include "stickslip/geometry/patches/smooth_patches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace stickslip {

namespace {

Vec3 area_vector(const Triangle& t, std::span<const Vec3> x)
{
    return 0.5 * (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]);
}

std::vector<std::array<int, 3>> neighbours(const std::vector<Triangle>& facets)
{
    std::map<Edge, std::vector<int>> sides; // 3 facet + side
    for (std::size_t f = 0; f < facets.size(); ++f)
        for (int k = 0; k < 3; ++k) {
            const auto [a, b] = std::minmax(facets[f][k], facets[f][(k + 1) % 3]);
            sides[{a, b}].push_back(static_cast<int>(3 * f) + k);
        }
    std::vector<std::array<int, 3>> neighbour(facets.size(), {-1, -1, -1});
    for (const auto& [edge, at] : sides)
        if (at.size() == 2) {
            neighbour[at[0] / 3][at[0] % 3] = at[1] / 3;
            neighbour[at[1] / 3][at[1] % 3] = at[0] / 3;
        }
    return neighbour;
}

} // namespace

SmoothPatches::SmoothPatches(const TriMesh& rest, double crease_angle)
    : facets(rest.triangles)
    , least_cosine_(std::cos(crease_angle))
    , neighbour_(neighbours(rest.triangles))
    , first_corner_(rest.vertices.size() + 1, 0)
{
    double sum = 0, heights = 0;
    for (const Triangle& t : facets) {
        const double twice = 2 * area_vector(t, rest.vertices).norm();
        auto& h = height.emplace_back();
        for (int k = 0; k < 3; ++k) {
            const double opposite = (rest.vertices[t[(k + 1) % 3]] - rest.vertices[t[(k + 2) % 3]]).norm();
            h[k] = twice / opposite;
            sum += opposite;
            ++first_corner_[t[k] + 1];
        }
        heights += *std::min_element(h.begin(), h.end());
    }
    const double count = std::max<double>(1, static_cast<double>(facets.size()));
    edge_length = std::min(sum / (3 * count), 2 * heights / count); // what is level or near is so across slivers
    for (std::size_t v = 1; v < first_corner_.size(); ++v)
        first_corner_[v] += first_corner_[v - 1];
    corners_.resize(3 * facets.size());
    std::vector<int> next(first_corner_.begin(), first_corner_.end() - 1);
    for (std::size_t f = 0; f < facets.size(); ++f)
        for (int k = 0; k < 3; ++k)
            corners_[next[facets[f][k]]++] = static_cast<int>(3 * f) + k;
    update(rest.vertices);
}

void SmoothPatches::cut(std::vector<std::array<bool, 3>> ends_flat, int first_centre)
{
    ends_flat_ = std::move(ends_flat);
    first_centre_ = first_centre;
    update(std::move(x));
}

void SmoothPatches::keep_normals(std::vector<Vec3> kept)
{
    kept_normals_ = std::move(kept);
    update(std::move(x));
}

void SmoothPatches::update(std::vector<Vec3> vertices, double depth)
{
    x = std::move(vertices);
    area_.clear();
    for (const Triangle& t : facets)
        area_.push_back(area_vector(t, x));
    join_facets();
    number_patches();
    join_patches();
    find_normals();
    if (depth > 0)
        smooth_normals(depth);
}

void SmoothPatches::join_facets()
{
    across = neighbour_;
    const auto is_crease = [&](int f, int side, int beyond) {
        const double cosine = area_[f].dot(area_[beyond]), one = area_[f].norm() * area_[beyond].norm();
        return ends_flat(f, side) || cosine < least_cosine_ * one;
    };
    for (std::size_t f = 0; f < facets.size(); ++f)
        for (int k = 0; k < 3; ++k)
            if (int& g = across[f][k]; g >= 0 && is_crease(static_cast<int>(f), k, g))
                g = -1;
}

void SmoothPatches::number_patches()
{
    patch.assign(facets.size(), -1);
    int patches = 0;
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

// Over the creases that end within one.
void SmoothPatches::join_patches()
{
    for (std::size_t f = 0; f < facets.size(); ++f)
        for (int k = 0; k < 3; ++k)
            if (const int g = neighbour_[f][k]; g >= 0 && patch[g] == patch[f])
                across[f][k] = g;
}

void SmoothPatches::find_normals()
{
    normal_of.resize(facets.size());
    normals.clear();
    for (std::size_t v = 0; v + 1 < first_corner_.size(); ++v) {
        const int begin = first_corner_[v], end = first_corner_[v + 1];
        for (int i = begin; i < end; ++i) {
            const int f = corners_[i] / 3, k = corners_[i] % 3;
            int& number = normal_of[f][k];
            number = -1;
            for (int before = begin; before < i && number < 0; ++before)
                if (patch[corners_[before] / 3] == patch[f])
                    number = normal_of[corners_[before] / 3][corners_[before] % 3];
            if (number < 0) {
                number = static_cast<int>(normals.size());
                normals.push_back(Vec3::Zero());
            }
            const Vec3 a = x[facets[f][(k + 1) % 3]] - x[v], b = x[facets[f][(k + 2) % 3]] - x[v];
            normals[number] += a.cross(b) / (a.squaredNorm() * b.squaredNorm());
        }
    }
    for (std::size_t f = facets.size(); f-- > 0;) // the first facet comes last
        for (int k = 0; k < 3; ++k)
            if (Vec3& sum = normals[normal_of[f][k]]; !(sum.squaredNorm() > 0))
                sum = area_[f];
    for (Vec3& n : normals)
        n.normalize();
    if (first_centre_ < static_cast<int>(x.size()))
        find_normals_of_centres();
    for (std::size_t n = 0; n < kept_normals_.size(); ++n)
        if (!kept_normals_[n].isZero(0))
            normals[n] = kept_normals_[n];
}

void SmoothPatches::find_normals_of_centres()
{
    std::vector<Vec3> sums(normals.size(), Vec3::Zero());
    for (std::size_t f = 0; f < facets.size(); ++f)
        if (const auto& [a, b, centre] = facets[f]; centre >= first_centre_)
            sums[normal_of[f][2]] += (x[b] - x[a]).norm() * (normals[normal_of[f][0]] + normals[normal_of[f][1]]);
    for (std::size_t n = 0; n < sums.size(); ++n)
        if (sums[n].squaredNorm() > 0)
            normals[n] = sums[n].normalized();
}

// Each such facet draws its normals towards their mean, which in the end all of them are.
void SmoothPatches::smooth_normals(double depth)
{
    constexpr int most_sweeps = 64;
    std::vector<Vec3> drawn;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        drawn.assign(normals.size(), Vec3::Zero());
        bool any = false;
        for (std::size_t f = 0; f < facets.size(); ++f) {
            const auto& [i, j, k] = normal_of[f];
            const bool is_free = is_before_focus(static_cast<int>(f), x, Vec3::UnitX(), depth)
                && is_before_focus(static_cast<int>(f), x, Vec3::UnitY(), depth)
                && is_before_focus(static_cast<int>(f), x, Vec3::UnitZ(), depth);
            if (is_free)
                continue;
            any = true;
            const Vec3 mean = (normals[i] + normals[j] + normals[k]).normalized();
            for (const int n : {i, j, k})
                drawn[n] += mean;
        }
        if (!any)
            return;
        for (std::size_t n = 0; n < normals.size(); ++n)
            if (!drawn[n].isZero(0))
                normals[n] = (normals[n] + drawn[n]).normalized();
    }
}

bool SmoothPatches::is_before_focus(int facet, std::span<const Vec3> at, const Vec3& w, double d) const
{
    constexpr double nothing = 1e-9; // [-] of the facet's area
    const auto& [i, j, k] = facets[facet];
    const auto& [p, q, r] = normal_of[facet];
    const Vec3 u = at[i] - at[k], v = at[j] - at[k], a = normals[p] - normals[r], b = normals[q] - normals[r];
    const Vec3 m = w[0] * normals[p] + w[1] * normals[q] + w[2] * normals[r];
    const double c0 = u.cross(v).dot(m), c1 = -(a.cross(v) + u.cross(b)).dot(m), c2 = a.cross(b).dot(m);
    const auto size = [&](double depth) { return c0 + depth * (c1 + depth * c2); };
    const double lowest = c2 > 0 ? std::clamp(-c1 / (2 * c2), std::min(0.0, d), std::max(0.0, d)) : d; // 0 on a ball
    return std::min(size(lowest), size(d)) > nothing * c0;
}

SmoothPatches::NearestRim SmoothPatches::nearest_rim(int facet, const Vec3& place) const
{
    NearestRim nearest;
    const auto look_at = [&](int f, int side) {
        if (across[f][side] >= 0)
            return;
        const Vec3 &a = x[facets[f][side]], along = x[facets[f][(side + 1) % 3]] - a;
        const double t = std::clamp(along.dot(place - a) / along.squaredNorm(), 0.0, 1.0);
        const Vec3 point = a + t * along;
        if (const double distance = (place - point).norm(); distance < nearest.distance)
            nearest = {distance, point};
    };
    for (const int v : facets[facet])
        for (int i = first_corner_[v]; i < first_corner_[v + 1]; ++i)
            if (const int f = corners_[i] / 3, k = corners_[i] % 3; patch[f] == patch[facet]) {
                look_at(f, k);
                look_at(f, (k + 2) % 3);
            }
    return nearest;
}

bool SmoothPatches::is_convex(int facet, int side) const
{
    const int g = neighbour_[facet][side];
    if (g < 0)
        return true;
    Vec3 beyond = Vec3::Zero();
    for (const int v : facets[g])
        beyond += x[v] - x[facets[facet][side]];
    return beyond.dot(area_[facet]) <= 0;
}

} // namespace stickslip
