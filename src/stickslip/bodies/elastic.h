#pragma once

#include "stickslip/bodies/deformable.h"
#include "stickslip/math/large_pages.h"
#include "stickslip/math/small_matrix.h"

#include <span>

namespace stickslip {

/// Block (a - 1, b - 1): d force on corner a / d position of corner b of a tetrahedron. By rows: an assembled row reads
/// those of one corner.
using ElementStiffness = Eigen::Matrix<double, 9, 9, Eigen::RowMajor>;

/// Forces of every tetrahedron on its corners at one candidate, and their derivative once asked for. Scratch of one
/// evaluation. No force changes when all corners move alike, and a tetrahedron's add to zero: corners 1, 2, 3 say all.
struct ElasticEvaluation {
    LargeVector<Vec3> corner_force; // [N] 4 a tet
    LargeVector<ElementStiffness> derivative; // [N/m] by tet
    LargeVector<Vec3> corner_change; // [N] 4 a tet: scratch of add_elastic_force_differential
};

/// Deformation gradient of tetrahedron t at node positions x [m].
Mat3 deformation_gradient(const DeformableSet& set, int t, std::span<const Vec3> x);

/// Fills corner_force at positions x; x_old and dt enter through the viscous stress only.
void evaluate_stress(
    const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt, ElasticEvaluation& e);

/// Fills derivative, likewise.
void evaluate_stress_derivative(
    const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt, ElasticEvaluation& e);

/// Fills derivative with that of a convex neighbour: of the nearest d vec(P) / d vec(F) that is positive semidefinite,
/// and of the viscous stress of a body that has stood still.
void evaluate_convex_derivative(const DeformableSet& set, std::span<const Vec3> x, double dt, ElasticEvaluation& e);

/// f += elastic and viscous forces [N] on the nodes.
void add_elastic_force(const DeformableSet& set, const ElasticEvaluation& e, std::span<Vec3> f);

/// df += (d force / d x) dx at positions x, or its transpose applied to dx. Matrix-free; costs about as much as the
/// forces, and needs none of what is evaluated.
void add_elastic_force_differential(const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old,
    double dt, std::span<const Vec3> dx, std::span<Vec3> df, bool transposed, ElasticEvaluation& e);

/// Blocks of d force / d x that tetrahedron t adds to the row of one of its corners [N/m], by corner.
void elastic_force_blocks(const ElasticEvaluation& e, int t, int corner, std::array<Mat3, 4>& row);

/// Asks for what elastic_force_blocks will read: it is far in memory from what the corner before has read.
inline void prefetch_force_blocks(const ElasticEvaluation& e, int t, int corner)
{
    constexpr int line = 8, row = 9; // numbers
    const double* const first = e.derivative[t].data() + (corner == 0 ? 0 : 3 * row * (corner - 1));
    const int count = corner == 0 ? row * row : 3 * row;
    for (int i = 0; i < count; i += line)
        __builtin_prefetch(first + i);
}

/// Stored energy [J] of the tets in `range` at positions x.
double elastic_energy(const DeformableSet& set, std::span<const Vec3> x, Range range);

/// Energy [J] that the elastic forces lose in the step from x_old to x by geometric stiffness, as stressed elements
/// turn: sum volume x 1/2 S : dF^T dF with S = F^-1 P at x. Negative in compression: backward Euler then feeds energy
/// in (docs/derivations.md, where-the-energy-goes). None of linear materials, whose energy is convex in F, nor of
/// inverted tets.
double geometric_loss(const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old);

/// Energy [J] that the viscous stress takes out in the step from x_old to x: sum volume x dt x P_viscous : F_dot >= 0.
double viscous_loss(const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt);

/// Smallest det F over the tets in `range`: negative when an element is inverted.
double smallest_volume_ratio(const DeformableSet& set, std::span<const Vec3> x, Range range);

} // namespace stickslip
