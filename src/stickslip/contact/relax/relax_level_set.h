#pragma once

#include "stickslip/geometry/solids/level_set.h"

namespace stickslip {

/// Model of the cone on a curved surface.
///   planar      relax in the tangent plane at W, then project once (the paper's Algorithm 5); on a plane it is exact
///   exact_cone  the last projected point on the way from W to X whose spring obeys the cone at its own normal
enum class RelaxationKind { planar, exact_cone };

/// Nearest point of a patch and its derivative: W = Z - phi g/|g|^2, which for an exact distance (|g| = 1) is Z - phi
/// n. Paper: Alg 5 PROJECT_ATTACHMENT_TO_SURFACE (early exit is the caller's: phi is returned)
struct Projection {
    double phi; // [m] at Z
    Vec3 n; // unit outward normal at Z
    Vec3 W; // [m]
    Mat3 dW_dZ; // [-]
};
Projection project_to_surface(const LevelSet& solid, int patch, const Vec3& Z);

/// Attachment X relaxed to Y for the point Z, all in the solid's own frame.
/// When it sticks, Y is X bit for bit.
struct SurfaceRelaxation {
    Vec3 Y; // [m]
    Mat3 dY_dZ, dY_dX; // [-]
    bool sticks;
};

/// Pre: phi(Z) <= 0, `at_Z` is the projection of Z, X lies on the surface, mu >= 0 or infinite.
/// Paper: Alg 5 PRECOMPUTE_DI
SurfaceRelaxation relax_planar(
    const LevelSet& solid, int patch, const Vec3& Z, const Projection& at_Z, const Vec3& X, double mu);

/// Beyond the paper, which reaches it by projecting once: with Y(s) the projection of W + s (X - W), takes the end of
/// the interval from s = 0 on which (Y - Z).N(Y) >= |Y - Z| / sqrt(1 + mu^2). See docs/derivations.md#exact-cone.
SurfaceRelaxation relax_exact_cone(
    const LevelSet& solid, int patch, const Vec3& Z, const Projection& at_Z, const Vec3& X, double mu);

SurfaceRelaxation relax_on_level_set(RelaxationKind kind, const LevelSet& solid, int patch, const Vec3& Z,
    const Projection& at_Z, const Vec3& X, double mu);

} // namespace stickslip
