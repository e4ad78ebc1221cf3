#include "petsc_solver.h"

#include "stickslip/solver/gmres.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace stickslip {

namespace {

void check(PetscErrorCode error)
{
    if (error != 0)
        throw std::runtime_error("PETSc: error " + std::to_string(error));
}

} // namespace

PetscSession::PetscSession()
{
    check(PetscInitialize(nullptr, nullptr, nullptr, nullptr));
}

PetscSession::~PetscSession()
{
    PetscFinalize();
}

PetscSolver::PetscSolver(const std::string& method)
    : method_(method)
{
}

PetscSolver::~PetscSolver()
{
    KSPDestroy(&ksp_);
    VecDestroy(&b_);
    VecDestroy(&x_);
    MatDestroy(&A_);
}

void PetscSolver::set_up(const BlockMatrix& A, const NearKernel& kernel)
{
    const auto rows = static_cast<PetscInt>(3 * A.pattern.rows());
    row_begin_.push_back(0);
    for (PetscInt row = 0; row < rows; ++row) {
        for (int k = A.pattern.row_begin[row / 3]; k < A.pattern.row_begin[row / 3 + 1]; ++k)
            for (int c = 0; c < 3; ++c) {
                column_.push_back(3 * A.pattern.column[k] + c);
                value_.push_back(A.value[k](row % 3, c));
            }
        row_begin_.push_back(static_cast<PetscInt>(column_.size()));
    }
    check(
        MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, rows, rows, row_begin_.data(), column_.data(), value_.data(), &A_));
    check(MatSetBlockSize(A_, 3)); // with it ML of Trilinos 13.2 writes past its memory
    check(MatCreateVecs(A_, &x_, &b_));

    std::array<Vec, 6> motions;
    for (int m = 0; m < 6; ++m) {
        check(VecDuplicate(b_, &motions[m]));
        PetscScalar* entries;
        check(VecGetArray(motions[m], &entries));
        for (PetscInt row = 0; row < rows; ++row)
            entries[row] = kernel[row / 3](row % 3, m);
        check(VecRestoreArray(motions[m], &entries));
        for (int before = 0; before < m; ++before) {
            PetscScalar share;
            check(VecDot(motions[m], motions[before], &share));
            check(VecAXPY(motions[m], -share, motions[before]));
        }
        check(VecNormalize(motions[m], nullptr));
    }
    MatNullSpace near;
    check(MatNullSpaceCreate(PETSC_COMM_SELF, PETSC_FALSE, 6, motions.data(), &near));
    check(MatSetNearNullSpace(A_, near));
    check(MatNullSpaceDestroy(&near));
    for (Vec& motion : motions)
        check(VecDestroy(&motion));

    check(KSPCreate(PETSC_COMM_SELF, &ksp_));
    check(KSPSetOperators(ksp_, A_, A_));
    PC pc;
    check(KSPGetPC(ksp_, &pc));
    if (method_ == "mumps") {
        check(KSPSetType(ksp_, KSPPREONLY));
        check(PCSetType(pc, PCLU));
        check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    } else {
        const GmresOptions own;
        check(KSPSetType(ksp_, KSPGMRES));
        check(KSPGMRESSetRestart(ksp_, own.restart));
        check(KSPSetPCSide(ksp_, PC_RIGHT));
        check(PCSetType(pc, method_.c_str()));
    }
    check(KSPSetUp(ksp_));
}

int PetscSolver::solve(const BlockVector& b, double tolerance, BlockVector& x)
{
    PetscScalar* entries;
    check(VecGetArray(b_, &entries));
    for (std::size_t i = 0; i < b.size(); ++i)
        std::copy_n(b[i].data(), 3, entries + 3 * i);
    check(VecRestoreArray(b_, &entries));
    check(KSPSetTolerances(ksp_, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, GmresOptions().max_iterations));
    check(KSPSolve(ksp_, b_, x_));
    PetscInt iterations;
    KSPConvergedReason reason;
    check(KSPGetIterationNumber(ksp_, &iterations));
    check(KSPGetConvergedReason(ksp_, &reason));
    x.resize(b.size());
    const PetscScalar* solution;
    check(VecGetArrayRead(x_, &solution));
    for (std::size_t i = 0; i < b.size(); ++i)
        std::copy_n(solution + 3 * i, 3, x[i].data());
    check(VecRestoreArrayRead(x_, &solution));
    return static_cast<int>(reason > 0 ? iterations : -iterations);
}

} // namespace stickslip
