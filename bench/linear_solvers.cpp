// The linear solve of a step beside PETSc's: a soft ball on a floor, its matrix with contact, GMRES to 1e-3 and 1e-8.
//   build/ci/bin/linear_solvers [CELLS...]          elements from the centre to the surface; 14 24 38: 10k, 50k, 200k
// nodes Seconds of the processor on one thread, set-up (the first one) and solve apart. Built with -DSTICKSLIP_PETSC=ON
// it also runs PETSc's GMRES with the same restart, rigid motions and true residual, with GAMG, hypre and (a direct
// one) MUMPS.
#include "soft_ball.h"

#include "stickslip/solver/gmres.h"
#include "stickslip/solver/preconditioners/make_preconditioner.h"
#include "stickslip/solver/vector_ops.h"

#ifdef STICKSLIP_PETSC
#include "petsc_solver.h"
#endif

#include <tbb/global_control.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

using namespace stickslip;

constexpr double rough = 1e-3, fine = 1e-8;

double seconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// set_up() once, then solve(tolerance, x) returns iterations.
template <typename SetUp, typename Solve>
void measure(const char* name, const BlockMatrix& A, const BlockVector& b, const SetUp& set_up, const Solve& solve)
{
    const double begin = seconds();
    set_up();
    std::printf("  %-22s %8.2f", name, seconds() - begin);
    for (const double tolerance : {rough, fine}) {
        BlockVector x, r;
        const double before = seconds();
        const int iterations = solve(tolerance, x);
        const double after = seconds();
        A.multiply(x, r);
        add_scaled(r, -1, b);
        std::printf(" %6d %8.2f %9.1e", iterations, after - before, norm(r) / norm(b));
    }
    std::printf("\n");
    std::fflush(stdout);
}

void measure_own(
    const char* name, PreconditionerKind kind, const BlockMatrix& A, const BlockVector& b, const NearKernel& kernel)
{
    const auto preconditioner = make_preconditioner(kind, A.pattern.rows());
    preconditioner->set_near_kernel(kernel);
    measure(
        name, A, b, [&] { preconditioner->update(A); },
        [&](double tolerance, BlockVector& x) { return gmres(A, *preconditioner, b, tolerance, {}, x).iterations; });
}

void measure_all(int cells)
{
    SoftBall ball(cells, ElasticModel::neo_hookean, 1e6, SoftBall::on_floor);
    BlockVector z; // no two tetrahedra alike
    for (std::size_t i = 0; i < ball.system->size(); ++i)
        z.push_back(1e-3 * Vec3(std::sin(1.1 * i), std::sin(2.3 * i + 1), std::sin(3.7 * i + 2)));
    ball.system->residual(z, ball.y);
    const BlockMatrix& A = ball.matrix();
    const NearKernel kernel = ball.system->rigid_motions();
    BlockVector b;
    assign_scaled(b, -1, ball.y);
    std::printf(
        "%zu nodes, %.1f blocks a row, %zu contacts; set-up s, then iterations, s and residual to %.0e and %.0e\n",
        A.pattern.rows(), static_cast<double>(A.pattern.blocks()) / static_cast<double>(A.pattern.rows()),
        ball.system->contacts().count(), rough, fine);
    measure_own("multigrid", PreconditionerKind::multigrid, A, b, kernel);
    measure_own("block SSOR", PreconditionerKind::block_ssor, A, b, kernel);
#ifdef STICKSLIP_PETSC
    for (const char* method : {"gamg", "hypre", "mumps"}) {
        PetscSolver petsc(method);
        measure(
            method, A, b, [&] { petsc.set_up(A, kernel); },
            [&](double tolerance, BlockVector& x) { return petsc.solve(b, tolerance, x); });
    }
#endif
}

} // namespace

int main(int count, char** words)
{
    const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
#ifdef STICKSLIP_PETSC
    const PetscSession session;
#endif
    if (count == 1)
        measure_all(14);
    for (int i = 1; i < count; ++i)
        measure_all(std::atoi(words[i]));
}
