#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/math/types.h"

#include <array>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

namespace stickslip {

/// A triangulated surface that moves, cut along its creases into smooth patches, each with a field of normals. A crease
/// that ends within a patch cuts nothing: facets on both sides of it have the same normals there. Side k of a facet
/// leads from its corner k to corner (k + 1) % 3. An edge of more than two facets is a crease.
class SmoothPatches {
public:
    /// Pre: facets have an area. crease_angle [rad]: an edge is a crease while its facets turn by more.
    explicit SmoothPatches(const TriMesh& rest, double crease_angle = 40 * std::numbers::pi / 180);

    /// Makes sides at which flat parts end creases as well, whatever they fold. Vertices from number first_centre on
    /// are the centres of fans, corner 2 of their facets.
    void cut(std::vector<std::array<bool, 3>> ends_flat, int first_centre = std::numeric_limits<int>::max());

    /// Normals that are not found from the facets, by their numbers; zero: found. Pre: the surface keeps its shape.
    void keep_normals(std::vector<Vec3> kept);

    /// Creases, patches and normals with the vertices there [m]. O(facets). Normals that lean together within `depth`
    /// [m] behind a facet are drawn apart until they do not: see is_before_focus.
    void update(std::vector<Vec3> vertices, double depth = 0);

    // Read only from outside.
    std::vector<Triangle> facets; // by vertices of the mesh
    std::vector<std::array<double, 3>> height; // [m] of each corner above the side opposite to it, at rest
    double edge_length = 0; // [m] mean, at rest; of slivers no more than twice the mean least height

    std::vector<std::array<int, 3>> across; // the facet beyond each side; -1: a crease or a rim
    std::vector<int> patch; // of each facet, from 0 in the order of their first facets
    std::vector<std::array<int, 3>> normal_of; // number of the normal at each corner: one for each vertex and patch

    /// Unit normals, outward by the winding: of a vertex in a patch the sum over its facets there of (a x b)/(|a|^2
    /// |b|^2) with the edges a, b that leave the vertex, which is exact on a sphere (Max 1999). Where they cancel, of
    /// the first facet. At the centre of a fan the mean along its outline, as the centre is of the outline's places: so
    /// a field that is linear over the fan stays so. Smoothed where they would meet too near behind the surface.
    std::vector<Vec3> normals;

    std::vector<Vec3> x; // [m] vertices that all this was found for

    /// Distance [m] of a place near a facet from the nearest rim or crease of its patch among those at its corners, and
    /// the nearest point there; infinite without one. By the vertices at x.
    struct NearestRim {
        double distance = infinity;
        Vec3 point;
    };
    NearestRim nearest_rim(int facet, const Vec3& place) const;

    /// Where normals lean together the offset of a facet shrinks with the depth to nothing, at its focus, and is turned
    /// over beyond: places there have another foot, on a far side of the body. True if all depths to d [m] behind the
    /// place w [-] of a facet, or in front of it where d < 0, lie before it:
    ///     det(u - d a, v - d b, m) > 0      u, v: two sides; a, b: by how much the normals N_i differ along them
    ///                                       m = sum w_i N_i
    bool is_before_focus(int facet, std::span<const Vec3> at, const Vec3& w, double d) const;

    /// The surface turns away behind the side, or ends there. By the vertices at x.
    bool is_convex(int facet, int side) const;

    /// Whether the side is a crease since a flat part ends there.
    bool ends_flat(int facet, int side) const { return !ends_flat_.empty() && ends_flat_[facet][side]; }

    Vec3 unit_normal(int facet) const { return area_[facet].normalized(); } // of the facet itself, at x

    /// The facet beyond a side, also where that is a crease; -1: a rim.
    int beyond(int facet, int side) const { return neighbour_[facet][side]; }

private:
    void join_facets();
    void number_patches();
    void join_patches();
    void find_normals();
    void find_normals_of_centres();
    void smooth_normals(double depth);

    double least_cosine_; // between facets that meet smoothly
    std::vector<std::array<int, 3>> neighbour_; // of each side, also beyond creases
    int first_centre_ = std::numeric_limits<int>::max();
    std::vector<std::array<bool, 3>> ends_flat_; // sides at which a flat part ends; empty: none does
    std::vector<Vec3> kept_normals_;
    std::vector<int> first_corner_, corners_; // of the vertices: 3 facet + corner, ascending
    std::vector<Vec3> area_; // [m^2] vectors of the facets
};

} // namespace stickslip
