#pragma once

#include "stickslip/solver/preconditioner.h"

#include <petscksp.h>

#include <string>

namespace stickslip {

/// PETSc begins and ends with it.
struct PetscSession {
    PetscSession();
    ~PetscSession();
};

/// GMRES of PETSc, preconditioned on the right: `method` is gamg or hypre, or mumps for a factor.
class PetscSolver {
public:
    explicit PetscSolver(const std::string& method);
    ~PetscSolver();
    PetscSolver(const PetscSolver&) = delete;

    void set_up(const BlockMatrix& A, const NearKernel& kernel);

    /// To |b - A x| <= tolerance |b|; returns iterations, negative where it did not get there.
    int solve(const BlockVector& b, double tolerance, BlockVector& x);

private:
    std::string method_;
    std::vector<PetscInt> row_begin_, column_;
    std::vector<PetscScalar> value_;
    Mat A_ = nullptr;
    KSP ksp_ = nullptr;
    Vec b_ = nullptr, x_ = nullptr;
};

} // namespace stickslip
