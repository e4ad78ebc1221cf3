#pragma once

#include "stickslip/bodies/deformable.h"
#include "stickslip/bodies/rigid_body.h"

#include <span>

namespace stickslip {

/// f += m (gravity + the body's own acceleration) [N].
void add_weight(const DeformableSet& set, const Vec3& gravity, std::span<Vec3> f);

/// Two blocks a body: f += m (gravity + the body's own acceleration) + force [N], torque [N m].
void add_rigid_loads(std::span<const RigidBody> bodies, const Vec3& gravity, std::span<Vec3> f);

/// f += follower pressure [N]: each boundary triangle carries -p A n, a third on each corner. Exactly minus the
/// gradient of p x (enclosed volume), so that a constant pressure on a closed surface conserves p V.
void add_pressure_force(const DeformableSet& set, std::span<const Vec3> x, std::span<Vec3> f);

/// df += (d pressure force / d x) dx, or its transpose applied to dx.
void add_pressure_force_differential(
    const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> dx, std::span<Vec3> df, bool transposed);

/// Blocks (corner a, corners 0..2) of d force / d x of boundary triangle t [N/m]; zero without pressure.
void pressure_force_blocks(
    const DeformableSet& set, std::span<const Vec3> x, int triangle, int corner, std::array<Mat3, 3>& row);

/// p x enclosed volume [J] of one body.
double pressure_energy(const DeformableSet& set, std::span<const Vec3> x, const DeformableBody& body);

/// True when any body carries pressure.
bool has_pressure(const DeformableSet& set);

} // namespace stickslip
