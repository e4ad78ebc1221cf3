#pragma once

#include "stickslip/bodies/rigid_body.h"
#include "stickslip/contact/detect/contact_bodies.h"
#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/queries/box_tree.h"
#include "stickslip/geometry/queries/mesh_distance.h"
#include "stickslip/geometry/queries/tet_search.h"
#include "stickslip/geometry/queries/triangle_overlap.h"
#include "stickslip/geometry/solids/convex_features.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace stickslip {

/// Triangles in which one finds those near a place.
struct SearchedSurface {
    TriMesh mesh;
    std::vector<Bounds> boxes = {}; // of the triangles
    BoxTree tree = {};
    Bounds box = {}; // of all
    std::vector<int> used = {}; // vertices of triangles, ascending
    std::unique_ptr<const MeshDistance> distance = nullptr; // of a solid that is met by its triangles; else null
    double thickness = infinity; // [m] mean: twice the volume over the area; infinite of an open surface

    /// Sets boxes and tree to the present vertices.
    void place();
    TriangleCorners corners(int t) const
    {
        const auto& [i, j, k] = mesh.triangles[t];
        return {mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]};
    }
    /// After place(): triangles whose boxes overlap this one, ascending; and vertices of triangles, each given once.
    std::vector<int> triangles_near(const Bounds& place) const;
    std::vector<int> vertices_of(const std::vector<int>& triangles) const;
    double distance_to(const Vec3& x) const; // [m]
};

/// Surfaces of solids that are the same for several bodies: by what they share, kind and size.
using SharedSurfaces =
    std::map<std::tuple<const void*, std::size_t, double, double, double>, std::shared_ptr<const SearchedSurface>>;

/// The shape of a body where it is, for the question how deep others are in it. Solids keep their own frame.
class AuditedBody {
public:
    AuditedBody(const ContactBodies& bodies, int body);

    /// `nodes` [m]: of all deformable bodies; kept a reference to.
    void place(const Frame& frame, std::span<const Vec3> nodes);
    /// Makes all that follows but frame and box, of a body that is near another.
    void prepare(SharedSurfaces& shared);

    const Frame& frame() const { return frame_; } // of a deformable body: none
    const Bounds& box() const { return box_; } // [m] in the frame
    Bounds world_box() const;

    /// Triangles. Null of what is round all over or has no end.
    const SearchedSurface* surface() const { return surface_.get(); }
    std::span<const RoundPoint> balls() const { return balls_; } // [m] in the frame
    /// Well inside what encloses something: the way out of another body that shares its surface leads from there.
    const std::optional<RoundPoint>& inner_ball() const { return inner_ball_; } // [m] in the frame
    const ConvexFeatures* polyhedron() const { return polyhedron_.get(); } // null: it is none

    /// Penetration depth [m] of a ball of this radius [m] around a place in the frame: its way out of the body; not
    /// positive: it is clear.
    double depth(const Vec3& x, double radius) const;

    /// [m] The least width of what has flat faces, of others no more than twice the volume over the area: a plate's.
    /// Infinite of what encloses nothing.
    double thickness() const;

    /// Tolerated overlap [m], no sign that something gets through: a tenth of the thickness; of a deformable body,
    /// which touches by points of its triangles, a quarter of the thickness or of an element. Infinite of what encloses
    /// nothing.
    double slack() const;

private:
    std::shared_ptr<SearchedSurface> surface_of_solid() const;
    std::optional<RoundPoint> find_inner_ball();
    int innermost_tet() const;

    ContactBodies bodies_;
    int body_;
    Frame frame_;
    Bounds box_;
    std::span<const Vec3> nodes_;
    std::vector<RoundPoint> balls_;
    std::optional<RoundPoint> inner_ball_;
    int innermost_tet_ = -1; // of a deformable body, once it was near another
    std::unique_ptr<const ConvexFeatures> polyhedron_;
    std::shared_ptr<const SearchedSurface> surface_;
    std::shared_ptr<SearchedSurface> soft_; // of a deformable body
    std::optional<TetSearch> tets_;
    bool is_prepared_ = false; // here
};

} // namespace stickslip
