#include "stickslip/geometry/mesh/edge_topology.h"

#include "stickslip/geometry/mesh/weld.h"
#include "stickslip/math/angle.h"
#include "stickslip/math/check.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace stickslip {

namespace {

/// Groups items by key < count: starts[key] .. starts[key + 1] in `items`, in the order given.
void group(const std::vector<std::pair<int, int>>& keyed, int count, std::vector<int>& starts, std::vector<int>& items)
{
    starts.assign(count + 1, 0);
    for (const auto& [key, item] : keyed)
        ++starts[key + 1];
    for (int i = 0; i < count; ++i)
        starts[i + 1] += starts[i];
    items.resize(keyed.size());
    std::vector<int> at(starts.begin(), starts.end() - 1);
    for (const auto& [key, item] : keyed)
        items[at[key]++] = item;
}

} // namespace

EdgeTopology::EdgeTopology(const TriMesh& mesh, const EdgeTopologyOptions& options)
    : patch_cosine(std::cos(options.patch_angle) - 1e-12) // flat within round-off is flat at any angle
{
    if (!(options.patch_angle >= 0 && options.patch_angle < std::numbers::pi / 2) || !(options.weld_tolerance < 0.1))
        throw InputError("patch angle must be in [0, pi/2) and the weld tolerance below 0.1 of the bounding box");
    const double size = mesh.vertices.empty() ? 0 : (bounds(mesh.vertices).max - bounds(mesh.vertices).min).norm();
    const double distance = options.weld_tolerance * size;
    WeldedFacets welding = weld(mesh, distance, options.encloses);
    seam = std::max(distance, 1e-12 * size);
    vertex = std::move(welding.vertex);
    facets = std::move(welding.facets);
    welded = welding.welded;
    defects = std::move(welding.defects);
    find_edges();
    find_fans();
    find_orientations();
    update(mesh.vertices);
    find_patches();
}

void EdgeTopology::find_edges()
{
    std::vector<std::pair<Edge, int>> sides;
    for (int f = 0; f < static_cast<int>(facets.size()); ++f) {
        for (int k = 0; k < 3 && !is_left_out(f); ++k) {
            const auto [low, high] = std::minmax(facets[f][k], facets[f][(k + 1) % 3]);
            sides.push_back({{low, high}, 3 * f + k});
        }
    }
    std::sort(sides.begin(), sides.end());
    facet_edges.assign(facets.size(), {-1, -1, -1});
    for (const auto& [ends, side] : sides) {
        if (edges.empty() || edges.back() != ends) {
            edges.push_back(ends);
            edge_starts_.push_back(static_cast<int>(edge_sides_.size()));
        }
        edge_sides_.push_back(side);
        facet_edges[side / 3][side % 3] = static_cast<int>(edges.size()) - 1;
    }
    edge_starts_.push_back(static_cast<int>(edge_sides_.size()));
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
        const std::size_t count = sides_of(e).size();
        edge_kind.push_back(count == 1 ? EdgeKind::boundary : count == 2 ? EdgeKind::internal : EdgeKind::non_manifold);
    }
}

void EdgeTopology::find_fans()
{
    const int count = static_cast<int>(vertex.size());
    std::vector<std::pair<int, int>> keyed;
    for (int corner = 0; corner < 3 * static_cast<int>(facets.size()); ++corner) {
        if (!is_left_out(corner / 3))
            keyed.emplace_back(facets[corner / 3][corner % 3], corner);
    }
    group(keyed, count, corner_starts_, corners_);
    keyed.clear();
    for (const auto& [a, b] : edges) {
        keyed.emplace_back(a, b);
        keyed.emplace_back(b, a);
    }
    group(keyed, count, neighbour_starts_, neighbours_);
    for (int v = 0; v < count; ++v)
        vertex_internal.push_back(is_closed_fan(v));
}

bool EdgeTopology::is_closed_fan(int v) const
{
    const std::span<const int> corners = corners_of(v);
    if (corners.empty())
        return false;
    std::size_t passed = 0;
    int corner = corners[0];
    int side = corner; // leave the facet by this one
    do {
        if (edge_kind[facet_edges[side / 3][side % 3]] != EdgeKind::internal)
            return false;
        ++passed;
        const int entry = across(side);
        const int f = entry / 3, k = entry % 3;
        corner = 3 * f + (facets[f][k] == v ? k : (k + 1) % 3);
        side = corner == entry ? 3 * f + (k + 2) % 3 : corner; // the other side at v
    } while (corner != corners[0]);
    return passed == corners.size();
}

int EdgeTopology::across(int side) const
{
    const std::span<const int> sides = sides_of(facet_edges[side / 3][side % 3]);
    STICKSLIP_ASSERT(sides.size() == 2);
    return sides[0] == side ? sides[1] : sides[0];
}

void EdgeTopology::find_orientations()
{
    orientation.assign(facets.size(), 0);
    std::vector<int> waiting;
    for (int first = 0; first < static_cast<int>(facets.size()); ++first) {
        if (is_left_out(first) || orientation[first] != 0)
            continue;
        orientation[first] = 1;
        waiting.push_back(first);
        while (!waiting.empty()) {
            const int f = waiting.back();
            waiting.pop_back();
            for (int k = 0; k < 3; ++k) {
                if (edge_kind[facet_edges[f][k]] != EdgeKind::internal)
                    continue;
                const int other = across(3 * f + k);
                if (orientation[other / 3] != 0)
                    continue;
                const bool same_way = facets[other / 3][other % 3] == facets[f][k];
                orientation[other / 3] = static_cast<std::int8_t>(same_way ? -orientation[f] : orientation[f]);
                waiting.push_back(other / 3);
            }
        }
    }
}

void EdgeTopology::find_patches()
{
    patch.assign(facets.size(), -1);
    std::vector<int> waiting;
    for (int first = 0; first < static_cast<int>(facets.size()); ++first) {
        if (is_left_out(first) || patch[first] >= 0)
            continue;
        patch[first] = patches++;
        waiting.push_back(first);
        while (!waiting.empty()) {
            const int f = waiting.back();
            waiting.pop_back();
            for (int side = 3 * f; side < 3 * f + 3; ++side) {
                if (!(folds[side].c >= patch_cosine)) // also nan: not internal
                    continue;
                const int other = across(side) / 3;
                if (patch[other] < 0) {
                    patch[other] = patch[f];
                    waiting.push_back(other);
                }
            }
        }
    }
}

void EdgeTopology::update(const std::vector<Vec3>& vertices)
{
    STICKSLIP_ASSERT(vertices.size() == vertex.size());
    positions.resize(vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v)
        positions[v] = vertices[vertex[v]];
    normals.assign(facets.size(), Vec3::Zero());
    outward.assign(3 * facets.size(), Vec3::Zero());
    for (int f = 0; f < static_cast<int>(facets.size()); ++f) {
        if (is_left_out(f))
            continue;
        const auto& [a, b, c] = facets[f];
        const Vec3 area = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
        const double size = area.norm();
        if (!(size > 0 && std::isfinite(size)))
            throw InputError("triangle " + std::to_string(f) + " of the surface has no area any more");
        normals[f] = area / size;
        for (int k = 0; k < 3; ++k) {
            const Vec3 along = positions[facets[f][(k + 1) % 3]] - positions[facets[f][k]];
            outward[3 * f + k] = along.cross(normals[f]).normalized();
        }
    }
    find_folds();
}

void EdgeTopology::find_folds()
{
    folds.assign(3 * facets.size(), Fold{});
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
        if (edge_kind[e] != EdgeKind::internal)
            continue;
        const std::span<const int> sides = sides_of(e);
        for (int i = 0; i < 2; ++i) {
            const Vec3 p2 = -outward[sides[1 - i]];
            folds[sides[i]] = {.c = p2.dot(outward[sides[i]]), .s = p2.dot(normals[sides[i] / 3])};
        }
    }
}

Vec3 EdgeTopology::edge_normal(int edge) const
{
    Vec3 sum = Vec3::Zero();
    for (int side : sides_of(edge))
        sum += orientation[side / 3] * normals[side / 3];
    return sum.stableNormalized();
}

Vec3 EdgeTopology::vertex_normal(int v) const
{
    Vec3 sum = Vec3::Zero();
    for (int corner : corners_of(v)) {
        const Triangle& facet = facets[corner / 3];
        const Vec3 a = positions[facet[(corner + 1) % 3]] - positions[v];
        const Vec3 b = positions[facet[(corner + 2) % 3]] - positions[v];
        sum += angle_between(a, b) * orientation[corner / 3] * normals[corner / 3];
    }
    return sum.stableNormalized();
}

} // namespace stickslip
