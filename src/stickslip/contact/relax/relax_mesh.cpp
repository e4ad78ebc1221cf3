#include "stickslip/contact/relax/relax_mesh.h"

#include "stickslip/contact/relax/inside_mesh.h"
#include "stickslip/contact/relax/walk_cases.h"

#include <algorithm>
#include <optional>

namespace stickslip {

namespace {

/// The attachment on its way: on a facet, on one of its sides or at one of its corners.
struct Place {
    int facet;
    Vec3 w;
    TriangleFeature feature = TriangleFeature::face;
    int index = 0; // of the side or the corner
    int entered_by = -1, entered_at = -1; // side by which, or corner at which, it came into the facet
};

/// One walk. Each case returns the next place, or nothing when it has set the result.
class Walker {
public:
    Walker(const PlacedSurface& surface, const MeshWalk& walk, std::vector<WalkStep>& path)
        : surface_(surface)
        , topology_(surface.topology)
        , walk_(walk)
        , path_(path)
    {
    }

    MeshRelaxation run()
    {
        Place at{.facet = walk_.facet, .w = walk_.w};
        path_.clear();
        for (int visits = 0; visits < walk_.limit; ++visits) {
            const std::optional<Place> next = go_on(at);
            if (!next)
                return result_;
            at = *next;
        }
        stop(at, WalkEnd::limit);
        return result_;
    }

private:
    std::optional<Place> go_on(const Place& at)
    {
        if (at.feature == TriangleFeature::vertex)
            return from_vertex(at);
        if (!has_area(at.facet))
            return stop(at, WalkEnd::flat_facet);
        return at.feature == TriangleFeature::face ? in_triangle(at) : on_edge(at);
    }

    std::optional<Place> in_triangle(const Place& at)
    {
        const Triangle& corners = topology_.facets[at.facet];
        if (std::any_of(corners.begin(), corners.end(), [this](int v) { return is_own(v); }))
            return stop(at, WalkEnd::own_feature);
        const TriangleRelaxation relaxed = relax_in_triangle(
            surface_.corners(at.facet), at.w, at.entered_at, surface_.sign(at.facet), walk_.Z, walk_.mu);
        const Place reached{.facet = at.facet, .w = relaxed.w};
        if (relaxed.moves)
            record({.feature = TriangleFeature::face,
                .number = at.facet,
                .left_by = relaxed.left_by,
                .corners = corners,
                .Y = weighted(surface_.corners(at.facet), relaxed.w),
                .dY_dX = relaxed.dY_dX,
                .dY_dZ = relaxed.dY_dZ,
                .dY_dx = relaxed.dY_dx});
        if (relaxed.left_by < 0)
            return rest(reached, WalkEnd::triangle, relaxed.n, -relaxed.d);
        return leave(reached, relaxed.left_by, at.entered_by);
    }

    /// Goes on from a side of a facet.
    std::optional<Place> leave(const Place& at, int side, int entered_by)
    {
        for (int k = 0; k < 3; ++k)
            if (at.w[k] > 1 - at_corner)
                return Place{.facet = at.facet, .w = at.w, .feature = TriangleFeature::vertex, .index = k};
        if (side == entered_by)
            return Place{.facet = at.facet, .w = at.w, .feature = TriangleFeature::edge, .index = side};
        if (topology_.edge_kind[topology_.facet_edges[at.facet][side]] != EdgeKind::internal)
            return stop(at, WalkEnd::boundary);
        const int other = topology_.across(3 * at.facet + side), facet = other / 3, k = other % 3;
        const bool same_way = topology_.facets[facet][k] == topology_.facets[at.facet][side];
        Place next{.facet = facet, .w = Vec3::Zero(), .entered_by = k};
        next.w[same_way ? k : (k + 1) % 3] = at.w[side];
        next.w[same_way ? (k + 1) % 3 : k] = at.w[(side + 1) % 3];
        return next;
    }

    std::optional<Place> on_edge(const Place& at)
    {
        const int from = at.index, to = (from + 1) % 3, edge = topology_.facet_edges[at.facet][from];
        const int a = topology_.facets[at.facet][from], b = topology_.facets[at.facet][to];
        if (is_own(a) || is_own(b))
            return stop(at, WalkEnd::own_feature);
        if (topology_.edge_kind[edge] != EdgeKind::internal)
            return stop(at, WalkEnd::boundary);
        const Vec3 outward = outward_of_edge(surface_, edge);
        const EdgeRelaxation relaxed =
            relax_on_edge(surface_.x[a], surface_.x[b], at.w[to], walk_.Z, -outward, walk_.mu);
        if (relaxed.past >= 0)
            return Place{.facet = at.facet,
                .w = at.w,
                .feature = TriangleFeature::vertex,
                .index = relaxed.past == 0 ? from : to};
        Place reached = at;
        if (!relaxed.in_cone) {
            reached.w[from] = 1 - relaxed.q;
            reached.w[to] = relaxed.q;
            record({.feature = TriangleFeature::edge,
                .number = edge,
                .left_by = -1,
                .corners = {a, b, -1},
                .Y = weighted(surface_.corners(at.facet), reached.w),
                .dY_dX = Mat3::Zero(),
                .dY_dZ = relaxed.dY_dZ,
                .dY_dx = {relaxed.dY_dA, relaxed.dY_dB, Mat3::Zero()}});
        }
        const int side = inside_edge(surface_, edge, walk_.Z) ? 1 : -1;
        const Vec3 n = relaxed.rho > 0 ? Vec3(-side * relaxed.r) : outward;
        return rest(reached, WalkEnd::edge, n, side * relaxed.rho);
    }

    std::optional<Place> from_vertex(const Place& at)
    {
        const int vertex = topology_.facets[at.facet][at.index];
        if (is_own(vertex))
            return stop(at, WalkEnd::own_feature);
        Place here = at;
        here.w = Vec3::Unit(at.index);
        if (!path_.empty() || here.w != at.w || walk_.mu == 0) // without friction Y never depends on X
            record({.feature = TriangleFeature::vertex,
                .number = vertex,
                .left_by = -1,
                .corners = {vertex, -1, -1},
                .Y = surface_.x[vertex],
                .dY_dX = Mat3::Zero(),
                .dY_dZ = Mat3::Zero(),
                .dY_dx = {Mat3::Identity(), Mat3::Zero(), Mat3::Zero()}});
        const WayFromVertex way = way_from_vertex(surface_, vertex, walk_.Z);
        if (way.feature == TriangleFeature::vertex)
            return rest_at_vertex(here, vertex);
        const Triangle& corners = topology_.facets[way.facet];
        const int k = static_cast<int>(std::find(corners.begin(), corners.end(), vertex) - corners.begin());
        Place next{.facet = way.facet, .w = Vec3::Unit(k), .feature = way.feature, .index = way.index};
        if (way.feature == TriangleFeature::face)
            next.entered_at = k;
        return next;
    }

    std::optional<Place> rest_at_vertex(const Place& at, int vertex)
    {
        if (!topology_.vertex_internal[vertex])
            return stop(at, WalkEnd::boundary);
        const int side = inside_vertex(surface_, vertex, walk_.Z) ? 1 : -1;
        const Vec3 way = surface_.x[vertex] - walk_.Z;
        const double distance = way.norm();
        const Vec3 n = distance > 0 ? Vec3(side / distance * way) : outward_of_vertex(surface_, vertex);
        return rest(at, WalkEnd::vertex, n, side * distance);
    }

    /// The walk ends in the cone about n.
    std::optional<Place> rest(const Place& at, WalkEnd end, const Vec3& n, double depth)
    {
        set_result(at, depth < 0 ? WalkEnd::outside : path_.empty() ? WalkEnd::stuck : end, n, depth);
        return std::nullopt;
    }

    /// The walk ends for another reason: n and depth are those of the facet.
    std::optional<Place> stop(const Place& at, WalkEnd end)
    {
        const std::array<Vec3, 3> x = surface_.corners(at.facet);
        const Vec3 n = has_area(at.facet) ? plane_of(x, surface_.sign(at.facet)).n : Vec3(Vec3::Zero());
        set_result(at, end, n, n.dot(x[0] - walk_.Z));
        return std::nullopt;
    }

    void set_result(const Place& at, WalkEnd end, const Vec3& n, double depth)
    {
        const int number = at.feature == TriangleFeature::face ? at.facet
            : at.feature == TriangleFeature::edge              ? topology_.facet_edges[at.facet][at.index]
                                                               : topology_.facets[at.facet][at.index];
        const int facet = path_.empty() ? walk_.facet : at.facet;
        const Vec3& w = path_.empty() ? walk_.w : at.w;
        result_ = {.end = end,
            .facet = facet,
            .w = w,
            .Y = weighted(surface_.corners(facet), w),
            .feature = at.feature,
            .number = number,
            .n = n,
            .depth = depth};
    }

    void record(const WalkStep& step) { path_.push_back(step); }

    bool is_own(int vertex) const { return std::find(walk_.own.begin(), walk_.own.end(), vertex) != walk_.own.end(); }

    bool has_area(int facet) const
    {
        const std::array<Vec3, 3> x = surface_.corners(facet);
        return (x[1] - x[0]).cross(x[2] - x[0]).squaredNorm() > 0;
    }

    const PlacedSurface& surface_;
    const EdgeTopology& topology_;
    const MeshWalk& walk_;
    std::vector<WalkStep>& path_;
    MeshRelaxation result_{};
};

} // namespace

MeshRelaxation relax_mesh(const PlacedSurface& surface, const MeshWalk& walk, std::vector<WalkStep>& path)
{
    return Walker(surface, walk, path).run();
}

} // namespace stickslip
