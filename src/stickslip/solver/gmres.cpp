#include "stickslip/solver/gmres.h"

#include "stickslip/solver/vector_ops.h"

#include <Eigen/Dense>

#include <cmath>

namespace stickslip {

namespace {

// One cycle: Arnoldi with modified Gram-Schmidt, the least-squares problem kept triangular by Givens rotations.
struct Cycle {
    std::vector<BlockVector> basis; // orthonormal
    Eigen::MatrixXd R; // upper triangular; what is below is never read
    Eigen::VectorXd rhs; // rotated
    std::vector<Eigen::JacobiRotation<double>> rotations;
    int columns = 0;

    explicit Cycle(int restart)
        : basis(restart + 1)
        , R(restart + 1, restart)
        , rhs(restart + 1)
        , rotations(restart)
    {
    }

    void start(const BlockVector& r, double length)
    {
        assign_scaled(basis[0], 1 / length, r);
        rhs.setZero();
        rhs[0] = length;
        columns = 0;
    }

    // Takes the next Krylov vector w; returns the residual norm of the best combination so far.
    double extend(BlockVector& w)
    {
        const int j = columns++;
        for (int i = 0; i <= j; ++i) {
            R(i, j) = dot(basis[i], w);
            add_scaled(w, -R(i, j), basis[i]);
        }
        const double length = norm(w);
        R(j + 1, j) = length;
        if (length > 0)
            assign_scaled(basis[j + 1], 1 / length, w);
        for (int i = 0; i < j; ++i)
            R.col(j).applyOnTheLeft(i, i + 1, rotations[i].adjoint());
        rotations[j].makeGivens(R(j, j), R(j + 1, j));
        R.col(j).applyOnTheLeft(j, j + 1, rotations[j].adjoint());
        rhs.applyOnTheLeft(j, j + 1, rotations[j].adjoint());
        return std::abs(rhs[j + 1]);
    }

    void add_combination(const Preconditioner& preconditioner, BlockVector& x) const
    {
        const Eigen::VectorXd y =
            R.topLeftCorner(columns, columns).triangularView<Eigen::Upper>().solve(rhs.head(columns));
        if (!y.allFinite()) // H is singular on the Krylov space: keep what there is
            return;
        BlockVector sum, update;
        set_zero(sum, x.size());
        for (int i = 0; i < columns; ++i)
            add_scaled(sum, y[i], basis[i]);
        preconditioner.apply(sum, update);
        add_scaled(x, 1, update);
    }
};

} // namespace

GmresReport gmres(const BlockMatrix& A, const Preconditioner& preconditioner, const BlockVector& b, double tolerance,
    const GmresOptions& options, BlockVector& x)
{
    GmresReport report;
    set_zero(x, b.size());
    const double b_norm = norm(b);
    if (b_norm == 0) {
        report.relative_residual = 0;
        report.converged = true;
        return report;
    }
    Cycle cycle(options.restart);
    BlockVector r = b, z, w;
    while (true) {
        const double r_norm = norm(r);
        report.relative_residual = r_norm / b_norm;
        report.converged = report.relative_residual <= tolerance;
        if (report.converged || report.iterations >= options.max_iterations || !std::isfinite(r_norm))
            return report;
        cycle.start(r, r_norm);
        double estimate = r_norm;
        while (cycle.columns < options.restart && report.iterations < options.max_iterations
            && estimate > tolerance * b_norm) {
            preconditioner.apply_and_multiply(A, cycle.basis[cycle.columns], z, w);
            const double before = estimate;
            estimate = cycle.extend(w);
            ++report.iterations;
            if (!(estimate < before) && cycle.R(cycle.columns - 1, cycle.columns - 1) == 0) // the space is exhausted
                break;
        }
        const BlockVector before = x;
        cycle.add_combination(preconditioner, x);
        A.multiply(x, w);
        r = b;
        add_scaled(r, -1, w);
        if (!(norm(r) < r_norm)) { // a cycle without progress will not be followed by a better one
            x = before;
            return report;
        }
    }
}

} // namespace stickslip
