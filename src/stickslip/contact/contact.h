#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/math/types.h"

namespace stickslip {

/// Contact of one point with a surface. The papers' Y is the relaxed attachment, here `to`; Y here is the end of the
/// spring, Z + share (paper's Y - Z): the two are one but beyond a rim.
struct SurfaceContact {
    Vec3 Y; // [m] end of the spring (drawn towards Z beyond a rim, see rim_weight)
    bool sticks;
    AttachedTo to; // the relaxed attachment, the next step's Attachment::to; untouched bit for bit where it sticks
    Vec3 slip; // [m] world axes: how far the attachment slid over the surface in this step
    double depth; // [m] -phi, beyond a rim the share of it that still carries
    Vec3 n; // unit, outward, world axes
    int slot = 0; // the next step's Attachment::slot
    double stiffness_scale = 1; // [-] of the spring in this step: Attachment::stiffness_scale
    Vec3 damped = Vec3::Zero(); // [m] the part of the spring Y - Z that is damping and stores no energy
    bool passes = false; // leaves no attachment: beyond a rim, where it would be pushed by more as an old contact
    double share = 1; // [-] of the force of a whole spring: Y is drawn towards Z by it
    Vec3 belt = Vec3::Zero(); // [m] world axes: by which conveyors, of either side, move the attachment
    double work = 0, lacking = 0; // [m^2] 2/k of energies: that the normal force took in, and PressedSpring::lacking
};

/// Contact of a point that is an unknown itself, or moves as its material does.
struct PointContact : SurfaceContact {
    Mat3 dY_dZ; // [-]
};

/// Contact of a point Z that the pose of its body determines: by the displacement of its material point now at
/// `place`, and by its turn relative to the surface [rad, world].
struct PoseContact : SurfaceContact {
    /// How the turn is measured: not at all (a material point touches), as the difference of the rotation vectors of
    /// both bodies (balls), or as the rotation from one to the other (rims).
    enum class Turn { none, rotation_vectors, rotation };

    Vec3 place; // [m]
    Vec3 Z; // [m]
    Mat3 dZ_dplace, dY_dplace; // [-]
    Mat3 dZ_dturn, dY_dturn; // [m]
    Turn turn = Turn::rotation;
    Vec3 phi = Vec3::Zero(); // [rad] difference of the rotation vectors, where it is the measure
};

/// The point itself touches.
inline PoseContact at_point(const PointContact& at, const Vec3& Z)
{
    return {at, Z, Z, Mat3::Identity(), at.dY_dZ, Mat3::Zero(), Mat3::Zero(), PoseContact::Turn::none};
}

/// One contact, whatever touches: the spring between the point Z and its end Y (SurfaceContact::Y),
///     j = k (Z - Y)      -j on the point at Z, +j on the surface at Y
struct Contact {
    int point_body, surface_body, point; // as in Attachment
    double k; // [N/m]
    Vec3 Z; // [m]
    SurfaceContact at;
    Vec3 j; // [N]

    int first = 0; // of its stencil (ContactBlocks::stencil)
    int loaded = 0, count = 0; // blocks that it loads, which come first, and all that its force depends on
    int derivatives = -1; // of its loads, where they do not follow from those of Z and Y: the first of loaded x count
    int patch_loads = -1; // of a contact on a patch that moves with its nodes: ContactBlocks has them
    int ends = -1; // of a contact of two poses: ContactBlocks has how Z and Y move with its blocks, from this one on

    /// Whether its spring presses; else it keeps the place of a point behind a sheet (PatchPoint::stays_behind).
    bool presses() const { return at.share > 0; }

    /// [J] what the spring stores.
    double energy() const { return presses() ? 0.5 * k / at.share * (Z - at.Y + at.damped).squaredNorm() : 0; }
};

/// Its attachment for the next step, before ContactSet::update_attachments changes stiffness and energy.
inline Attachment attachment_of(const Contact& c)
{
    return {
        c.point_body, c.surface_body, c.point, c.at.slot, c.at.to, c.at.stiffness_scale, c.energy(), c.at.slip.norm()};
}

/// How much of its stiffness k a contact keeps in a convex neighbour of its energy [-]: all across the surface; along
/// it that of the secant of the friction force from no slip at all, which is the whole where it sticks.
inline Mat3 held(const Contact& c)
{
    const Vec3& n = c.at.n;
    const double friction = (c.j - n.dot(c.j) * n).norm(), slip = c.k * c.at.slip.norm();
    const double along = slip > 0 ? friction / (friction + slip) : 1;
    return along * Mat3::Identity() + (1 - along) * n * n.transpose();
}

/// A block of unknowns that moves a contact.
struct StencilBlock {
    int block; // of the unknowns
    bool turns = false; // the rotation of a rigid body, whose centre of mass is the block before
    bool on_surface = false; // of the surface's side
    Mat3 lever = Mat3::Zero(); // load = -lever j; 0 of a block that is not loaded
    Vec3 load = Vec3::Zero(); // [N], [N m]: what the contact adds to the equation of the block
};

} // namespace stickslip
