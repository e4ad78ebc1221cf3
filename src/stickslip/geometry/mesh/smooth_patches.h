#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/math/types.h"

#include <array>
#include <numbers>
#include <span>
#include <vector>

namespace stickslip {

/// A triangulated surface cut along its creases into smooth patches, each with a field of normals: made once from the
/// shape at rest, whatever its motion. Side k of a facet leads from its corner k to corner (k + 1) % 3. An edge of
/// more than two facets counts as a crease.
struct SmoothPatches {
    /// Pre: facets have an area. crease_angle [rad]: an edge whose facets turn by more at rest is a crease.
    explicit SmoothPatches(const TriMesh& rest, double crease_angle = 40 * std::numbers::pi / 180);

    std::vector<Triangle> facets; // by vertices of the mesh
    std::vector<std::array<int, 3>> across; // the facet beyond each side; -1: a crease or a rim
    std::vector<int> patch; // of each facet, from 0 in the order of their first facets
    std::vector<std::array<int, 3>> normal_of; // number of the normal at each corner: one for each vertex and patch
    std::vector<std::array<double, 3>> height; // [m] of each corner above the side opposite to it
    std::vector<double> area; // [m^2]
    int patches = 0, normals = 0;
    double edge_length = 0; // [m] mean

    /// Unit normals of the vertices, outward by the winding, with the vertices at x [m]: sums over the facets around of
    /// (a x b)/(|a|^2 |b|^2) with the edges a, b that leave the vertex, which is exact on a sphere (Max 1999). Where
    /// they cancel, of the first facet. Replaces `n`.
    void find_normals(std::span<const Vec3> x, std::vector<Vec3>& n) const;

private:
    void join_facets(const TriMesh& rest, double crease_angle);
    void number_patches();
    void number_normals(std::size_t vertices);
};

} // namespace stickslip
