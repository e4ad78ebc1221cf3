#pragma once

#include "stickslip/math/types.h"
#include "stickslip/solver/block_matrix.h"

#include <cstddef>

namespace stickslip {

/// A nonlinear system g(z) = 0 with a nonsymmetric derivative H = dg/dz, in blocks of three. The unknowns are scaled so
/// that the plain Euclidean norm is the one that matters (for a time step: by the square root of the mass). residual()
/// sets the state that apply(), apply_transpose() and assemble() then refer to. g may be only piecewise smooth; it may
/// be not finite far away from a solution.
class ResidualSystem {
public:
    virtual ~ResidualSystem() = default;
    virtual std::size_t size() const = 0; // blocks
    virtual void residual(const BlockVector& z, BlockVector& g) = 0;
    virtual void apply(const BlockVector& dz, BlockVector& Hdz) = 0; // H dz, matrix-free
    virtual void apply_transpose(const BlockVector& w, BlockVector& Htw) = 0; // H^T w, matrix-free
    virtual const BlockMatrix& assemble() = 0; // H

    /// A symmetric positive definite neighbour of H: without what friction and other nonsymmetric parts add, and with
    /// the negative curvature of every part taken out; null for a system that has none. Shares its storage with
    /// assemble().
    virtual const BlockMatrix* assemble_convex() { return nullptr; }

    /// Measure of g that the tolerance bounds: by default |g|.
    virtual double measure(const BlockVector& g) const;

    /// Effect of round-off in g on the measure at the last assembled state: no solver gets below it.
    virtual double round_off() const;

    /// Largest multiple of the step dz from z that may be taken (a bound on rotations, say); infinite by default.
    virtual double longest_step(const BlockVector& z, const BlockVector& dz) const;
};

} // namespace stickslip
