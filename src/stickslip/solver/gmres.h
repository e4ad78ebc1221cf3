#pragma once

#include "stickslip/solver/block_matrix.h"
#include "stickslip/solver/preconditioner.h"

namespace stickslip {

struct GmresOptions {
    int restart = 60; // vectors kept: memory and orthogonalisation grow with it
    int max_iterations = 1000; // over all restarts
};

struct GmresReport {
    int iterations = 0;
    double relative_residual = 1; // |b - A x| / |b|, of the true residual (right preconditioning)
    bool converged = false;
};

/// Solves A x = b to |b - A x| <= tolerance |b| by restarted, right-preconditioned GMRES from x = 0.
/// Without convergence x holds the best iterate of the last cycle and the report says so.
GmresReport gmres(const BlockMatrix& A, const Preconditioner& preconditioner, const BlockVector& b, double tolerance,
    const GmresOptions& options, BlockVector& x);

} // namespace stickslip
