#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/points/seam_point.h"
#include "stickslip/geometry/queries/triangulated_surface.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace stickslip {

/// One of the places where a circle with a tube touches triangles.
struct RimPlace {
    MeshFeature feature; // that is nearest there
    int number; // of that facet, edge or vertex
    int facet; // one that holds it
    ExtremePoint at; // the point of the circle; its phi is negative behind the facet
    Vec3 n; // unit, from the surface to the circle
    bool is_alone = false; // holds a circle that has gone through the surface, wherever its foot is
    std::optional<SeamPoint> seam = {}; // where a stretch of the circle that is even over the facet ends
};

/// The normal of a contact of the circle in the direction u, less than a quarter of a turn away, that began the step
/// behind the surface; or null. kept: all attachments of the circle on it.
const Vec3* held_from_behind(const EdgeTopology& surface, const Circle& circle, const Circle& before,
    std::span<const Attachment> kept, const Vec3& u);

/// Finds where a circle with a tube touches triangles that keep their shape: the local minima of the distance between
/// the two, over the circle and over the surface. On a facet, beside an edge or a vertex each is that of a circle and a
/// plane, a line or a point, so that all are found from the list of features that are near; none jumps as it goes from
/// one feature to the next, and in an inner corner both walls have theirs
/// (docs/derivations.md#circles-on-triangles). Keeps its memory between calls.
class RimOnTriangles {
public:
    /// before: the circle at the start of the step. kept: all attachments of this circle on this surface. A solid
    /// (is_sheet false) is met from outside alone.
    void find(const TriangulatedSurface& surface, bool is_sheet, const Circle& circle, const Circle& before,
        std::span<const Attachment> kept);

    const std::vector<RimPlace>& places() const { return places_; }

    /// False only where the circle lies flat on no facet that is near, as to extreme_share.
    bool may_lie_flat() const { return may_lie_flat_; }

private:
    struct Query;
    void find_near(const Query& q);
    void add_faces(const Query& q);
    void add_seams(const Query& q, int facet, const Vec3& n);
    void add_edges(const Query& q);
    void add_vertices(const Query& q);
    void add_passed(const Query& q);
    void add_face(const Query& q, int facet, const Vec3& n);
    void add(const Query& q, const RimPlace& place);
    bool touches_from_behind(const Query& q, int facet, const Vec3& n, const Vec3& u, const Vec3& E);
    bool is_touched(const Query& q, const Vec3& x, const Vec3& u, const Vec3& E);
    bool is_place(const Query& q, TriangleFeature kind, int feature, const Vec3& u, const Vec3& E);

    std::vector<int> near_, features_, facets_;
    std::vector<SphereSurfaceContact> contacts_;
    std::vector<RimPlace> places_;
    bool may_lie_flat_ = false;
};

} // namespace stickslip
