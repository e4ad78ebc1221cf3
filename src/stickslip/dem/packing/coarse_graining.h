#pragma once

#include "stickslip/dem/contact_list.h"
#include "stickslip/dem/sphere_system.h"

#include <array>
#include <vector>

namespace stickslip {

/// A regular grid along the axes, and how wide spheres are smeared over it.
struct CoarseGrid {
    Vec3 origin; // [m] the first point
    double spacing; // [m]
    std::array<int, 3> points; // along x, which runs fastest, y and z
    int smoothing; // [-] width of the kernel in spacings

    std::size_t count() const { return static_cast<std::size_t>(points[0]) * points[1] * points[2]; }
};

/// From the lowest corner of a box; the last points are not before its highest.
CoarseGrid coarse_grid(const Bounds& box, double spacing, int smoothing);

/// Fields of a granular medium by coarse graining with a kernel W [1/m^3], which makes balance of mass and momentum
/// hold for them exactly:
///     density     rho  = sum_i m_i W(x - x_i)
///     velocity    v    = sum_i m_i v_i W(x - x_i) / rho
///     kinetic stress   = -sum_i m_i (v_i - v)(v_i - v)^T W(x - x_i)
///     contact stress   = -sum_c f b^T int_0^1 W(x - x_i - s b) ds,   b from the centre i to the contact,
/// over both spheres of a contact; f acts on i, tension is positive, the symmetric part is kept.
/// W is the product over the axes of cubic B-splines of the width h = smoothing spacing, which ends at 2 h and adds up
/// to 1 over the points of the grid: sum rho spacing^3 is the mass, sum rho v spacing^3 the momentum.
/// Source: Goldhirsch, Stress, stress asymmetry and couple stress: from discrete particles to continuous fields (2010)
struct CoarseFields {
    std::vector<double> density; // [kg/m^3]
    std::vector<double> solid_fraction; // [-]
    std::vector<Vec3> velocity; // [m/s] 0 where there is nothing
    std::vector<Mat3> kinetic_stress, contact_stress; // [Pa]
};
CoarseFields coarse_fields(
    const SphereSystem& system, const std::vector<GranularContact>& contacts, const CoarseGrid& grid);

} // namespace stickslip
