#pragma once

#include "stickslip/bodies/motion.h"
#include "stickslip/dem/bodies/granular_body.h"
#include "stickslip/dem/pairs/pair_forces.h"
#include "stickslip/dem/spheres.h"
#include "stickslip/geometry/queries/contact_memory.h"
#include "stickslip/geometry/queries/triangulated_surface.h"
#include "stickslip/geometry/solids/level_set.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace stickslip {

/// Triangles as a wall, open or closed, in the wall's frame: spheres meet them from both sides.
using WallTriangles = std::shared_ptr<const TriangulatedSurface>;

/// A point or a ball of a wall's surface by which it enters the solids of others.
struct SurfacePoint {
    Vec3 z; // [m] wall's frame
    double radius = 0; // [m] of the ball
    double weight = 1; // [-] of the stiffness
};

/// A solid or a surface that spheres meet: of infinite mass, at rest or moved by a script; or that of a body. It
/// answers to a sphere as one of its own size would, of the wall's material, that is flat.
struct GranularWall {
    std::string name;
    std::variant<LevelSet, WallTriangles> shape;
    int material = 0;
    Frame start; // pose at t = 0
    ScriptedMotion motion;
    Vec3 surface_velocity = Vec3::Zero(); // [m/s] in the wall's frame: a conveyor, whose surface moves, not its shape
    int body = -1; // of GranularWorld::bodies: moves with it, in its solid's frame, and has no motion of its own
    std::vector<SurfacePoint> points; // what enters solids, where one of the two is a body's (point_contacts.h)
    std::optional<LevelSet> inside; // of triangles: the solid that points enter; unset: none does
    bool is_solid = false; // of triangles: they stand for `inside`, where no sphere may begin
    double size = infinity; // [m] radius of the ball as large as it: decides how stiff its points are

    /// The solid that points of other solids enter, or null.
    const LevelSet* solid() const
    {
        const LevelSet* own = std::get_if<LevelSet>(&shape);
        return own ? own : inside ? &*inside : nullptr;
    }
};

/// Spheres near one wall when the list was made.
struct NearWall {
    std::vector<int> sphere; // slots, rising
    std::vector<int> first_facet, facet; // of a mesh: those near each sphere (compressed rows); else empty

    /// Facets near the sphere of entry c.
    std::span<const int> facets(std::size_t c) const
    {
        return {facet.data() + first_facet[c], facet.data() + first_facet[c + 1]};
    }
};

/// Of the facets near each sphere, those that it can touch before it has moved by the slack; looked up anew when it
/// has. What is found to touch does not depend on it, so that it is no part of a state.
struct CloseFacets {
    double slack = 0; // [m]
    std::vector<Vec3> centre; // [m] wall's frame, of each sphere when its facets were looked up; nan: not yet
    std::vector<int> count; // of each sphere
    std::vector<int> facet; // in the rows of NearWall::facet, each filled from its beginning, rising
};
/// A contact with a mesh, in the wall's frame.
struct FacetContact {
    ContactName name = {Vec3::Zero(), -1, -1};
    Vec3 slip = Vec3::Zero(), turn = Vec3::Zero(); // [m], [rad] as in ContactHistory
    double overlap = 0; // [m] above the radius: the centre is behind the surface (mesh_side.h)
    double share = 1; // [-] of all forces and springs, beside other contacts of the sphere (contact_shares.h)
};

/// Spheres near one wall, with what their contacts keep: a level set has one contact a sphere, a mesh at most one for
/// each facet near the sphere.
struct WallContacts {
    NearWall near;
    ContactHistory history; // level set
    std::vector<Vec3> normal; // [-] level set: of the last step, from sphere to wall, world axes
    std::vector<int> held_count; // mesh: contacts of each sphere
    std::vector<FacetContact> held; // mesh: in the rows of near.facet, each filled from its beginning

    bool is_mesh() const { return !near.first_facet.empty(); }
    std::span<const FacetContact> held_by(std::size_t c) const
    {
        return std::span(held).subspan(near.first_facet[c], held_count[c]);
    }
    /// One more contact of a sphere, to be filled in; null without room, so that the contact is lost.
    FacetContact* hold_one_more(std::size_t c)
    {
        const int at = near.first_facet[c] + held_count[c];
        if (at == near.first_facet[c + 1])
            return nullptr;
        ++held_count[c];
        return &held[at];
    }
};

/// The wall in one step.
struct WallPose {
    Frame frame; // at the end of the step
    FrameVelocity middle, end; // at the middle and the end of the step
    Vec3 belt_middle = Vec3::Zero(), belt_end = Vec3::Zero(); // [m/s] of a conveyor's surface past its shape, then
    Mobility mobility; // of its body
    Vec3 centre = Vec3::Zero(); // [m] of mass of its body
};
WallPose wall_pose(const GranularWall& wall, double end_time, double dt);
/// motion: after a drift, with the accelerations of its start.
WallPose wall_pose(const RigidBody& body, const BodyMotion& motion, double dt);

/// Box around the shape in its own frame [m]; infinite for a plane.
Bounds bounds(const GranularWall& wall);

/// Half of what it is thick [m]: the radius of the largest ball within a shape, of triangles half of their mean
/// thickness. What is deeper is pushed out at the other side. Infinite for a plane and for what encloses nothing.
double half_thickness(const GranularWall& wall);

/// Distance from x to the farthest place of a box [m].
double farthest_from(const Vec3& x, const Bounds& box);

/// Sum on a wall in this step, and the power it gave to the spheres.
struct WallForce {
    Load load;
    double power = 0; // [W]
    ContactLosses losses;
    double deepest = 0; // [-] largest overlap over the sphere's radius; above 1 its centre is behind the surface
    int passed = 0; // spheres that went through: the centre more than a radius behind a mesh; into or across a solid

    WallForce& operator+=(const WallForce& other)
    {
        load += other.load;
        power += other.power;
        losses += other.losses;
        deepest = std::max(deepest, other.deepest);
        passed += other.passed;
        return *this;
    }
};

} // namespace stickslip
