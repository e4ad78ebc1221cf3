#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/meshes/mesh_foot.h"
#include "stickslip/contact/meshes/patch_loads.h"
#include "stickslip/contact/relax/step_spring.h"

#include <optional>

namespace stickslip {

/// A point that meets a smooth patch in a step.
struct PatchPoint {
    Vec3 Z_old, Z; // [m] at the start of the step and at the candidate
    double mu; // [-]
    int start; // facet where its foot is looked for
    std::optional<OnFacet> kept; // its attachment; none: it comes in in this step
    double gap; // [m] how far it was in front at the start of the step, where it comes in
    SpringStart spring; // at the start of the step
    double damping; // [-] contact damping over the step: damped_depth.h
    double behind = infinity; // [m] how far behind the facet of its foot it may have been at the start of the step:
                              // what was farther has not come in there; infinite: not asked
    bool slides_along = false; // comes in from beside: it is carried from beyond the rim on
    bool stays_behind = false; // while it is behind it is held, also by a spring that does not press: a sheet has no
                               // inside in which it would be found again
    bool keeps_shape = false; // its body: other points of that are carried where the sheet goes on beyond a small fold
    Vec3 belt = Vec3::Zero(); // [m] by which conveyors move the surface's material past the point's in the step
};

/// Contact of a point with a smooth patch: Coulomb's law about the interpolated normal n at the foot W,
///     c = X - Z,  p = n.c,  xi = c - p n
///     |xi| <= mu p: sticks, the spring has the direction r = c/p, Y = X
///     else it slides, r = n + mu xi/|xi|, Y = where the ray from Z along r meets the mesh
/// The force is k p r with what presses (press of step_spring.h): it acts along the line from Z to Y, obeys the cone,
/// and ends where the depth does, also where X is far around a bend. On a plane p is the depth, and this is
/// RELAX_PLANE. A new contact has X = W - (1 - tau)(I - n n^T) s with its slip s since the start of the step and the
/// part tau = gap/(gap + depth) of it before the touch, and a belt takes X along from then on, by its part across n. mu
/// = 0: Y = W. Where the ray misses the mesh (steep friction on strongly curved patches) the force acts at W: then
/// alone is its torque not balanced.
struct PatchRelaxation {
    MeshFoot foot;
    Vec3 W, n, X; // [m], unit, [m]
    double depth; // [m] |W - Z|
    double share; // [-] of the force that remains beyond a rim or a crease, in (0, 1]
    double approach; // [m] SpringPlace::approach
    PressedSpring pressed;
    bool sticks;
    bool passes; // leaves no attachment: it goes past a convex edge of a solid that keeps its shape
    OnFacet at; // of Y: the next attachment; bit for bit the kept one where it sticks and no belt moves it
    Vec3 belt; // [m] by which a belt moved X
    Vec3 Y; // [m]
    Vec3 ray; // r
    Vec3 spring; // [m] pressed r: the force over the stiffness

    PatchDerivatives derivatives(const PatchView& surface, const PatchPoint& point) const;

private:
    friend std::optional<PatchRelaxation> relax_on_patch(const PatchView& surface, const PatchPoint& point);
    Mat3 dray(const PatchPoint& point, const Mat3& dc, const Mat3& dn, const Eigen::RowVector3d& ddepth) const;

    enum class Way { foot, kept, ray };
    Way way_ = Way::foot; // how Y was found
    Vec3 m_, moved_, xi_; // m = sum w_i N_i; Z less the material at W, in the step
    Vec3 hit_normal_ = Vec3::Zero();
    double p_, reach_ = 0, sigma_ = 0;
    bool within_cone_, leans_ = false; // r is not n
    Vec3 dshare_dw_;
    double dshare_ddepth_; // [1/m]
};

/// None: the point is in front of the surface, beyond its rims, has no foot, was too far behind its facet, or nothing
/// presses and it need not stay behind. Paper: Alg 9 PRECOMPUTE_DD
std::optional<PatchRelaxation> relax_on_patch(const PatchView& surface, const PatchPoint& point);

} // namespace stickslip
