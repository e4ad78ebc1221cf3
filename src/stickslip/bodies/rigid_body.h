#pragma once

#include "stickslip/geometry/queries/triangulated_surface.h"
#include "stickslip/geometry/solids/level_set.h"
#include "stickslip/math/types.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace stickslip {

/// A point of a rigid surface that may enter other bodies.
struct SurfaceSample {
    Vec3 z; // [m] from the centre of mass, body axes
    double weight; // [-] of the contact stiffness (docs/derivations.md#contact-stiffness)
    Vec3 n = Vec3::Zero(); // unit outward normal, body axes; on edges and corners the mean of their faces, by angle
    bool flat = false; // no edge or corner
    bool between = false; // on an edge or a face, no vertex
    bool peak = false; // a vertex that may touch alone: all edges lead away from the plane across n, by 20 degrees
    bool two_sided = false; // of a sheet: met from either side, n is that of one of them
    Vec3 rim = Vec3::Zero(); // of an open surface where it ends: unit, in it, away from it; else zero
};

/// A ball fixed in a rigid body: what is round touches by it, never by vertices.
struct RoundPoint {
    Vec3 centre; // [m] from the centre of mass, body axes
    double radius; // [m]
    double weight = 4; // [-] of the contact stiffness: one alone is held as a box is by the corners of a face
    bool between = false; // on an edge or an axis, not at an end of it
};

/// The points by which a solid meets deformable bodies between their nodes.
struct PatchPoints {
    std::vector<SurfaceSample> samples; // those of a weight of 8 have the whole surface together
    double area = 0; // [m^2] of the surface
    std::vector<RoundPoint> balls = {}; // within what is round, by radius; used where it is thin
};

/// A circle fixed in a rigid body, with a tube about it: the sharp rim of a cylinder (tube 0), a torus. It touches by
/// its extreme points, which travel along it as the body rolls, never by vertices; lying flat it touches by points at
/// even angles (docs/derivations.md#extreme-points).
struct Rim {
    Vec3 centre; // [m] from the centre of mass, body axes
    Vec3 axis; // unit
    double radius, tube; // [m]
    bool lies_flat; // false: it never does, being between two others of the same body

    static constexpr int extreme_points = 8; // on one surface; on triangles each may have several contacts
    static constexpr int even_points = 24;
    static constexpr int point_count = extreme_points + even_points; // in this order
};

/// Constants of a rigid body. The body's axes are those of its solid; its origin is the centre of mass.
struct RigidBody {
    std::string name;
    LevelSet solid;
    Vec3 centre = Vec3::Zero(); // [m] of mass, in the solid's frame
    double mass = 0; // [kg]
    Mat3 inertia = Mat3::Zero(); // [kg m^2] about the centre of mass, body axes
    std::vector<SurfaceSample> samples; // point side; empty for what is round all over
    std::vector<RoundPoint> rounds; // point side of what is round (sphere, capsule, edges of a rounded box)
    std::vector<Rim> rims; // point side of what has circles; a torus has nothing else
    std::vector<Rim> round_rims; // the same for triangles: as many, all with tubes (inner_rims)
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero(); // [N] at the centre of mass, [N m]; world axes
    Vec3 acceleration = Vec3::Zero(); // [m/s^2] added to gravity
    std::array<bool, 6> fixed{}; // x y z of the centre, rotation about world x y z: held at rest
    std::shared_ptr<const TriangulatedSurface> triangles = nullptr; // in the solid's frame: met by balls in its place
    PatchPoints patch_points = {};
    bool by_triangles = false; // its triangles stand for the solid also to nodes and vertices of others
    std::shared_ptr<const TriangulatedSurface> sharp = nullptr; // has the edges of a sampled distance or of rims
};

/// State of a rigid body between steps. World axes.
struct RigidState {
    Vec3 x = Vec3::Zero(); // [m] centre of mass
    Quat R = Quat::Identity(); // body axes to world, unit
    Vec3 v = Vec3::Zero(), w = Vec3::Zero(); // [m/s], [rad/s]
    Vec3 a = Vec3::Zero(), alpha = Vec3::Zero(); // [m/s^2], [rad/s^2] of the last step: the next one's first guess
};

/// Frame of the body's solid: its origin is not the centre of mass where that lies elsewhere.
inline Frame solid_frame(const RigidBody& body, const Vec3& x, const Mat3& R)
{
    return {x - R * body.centre, R};
}

} // namespace stickslip
