#include "stickslip/solver/preconditioners/symmetric_cholesky.h"

#include <cmath>

namespace stickslip {

// Column j of the lower part holds rows i >= j: by symmetry the blocks (i/3, j/3) of block row j/3 from the diagonal
// on.
void SymmetricCholesky::copy_lower_part(const BlockMatrix& A)
{
    const BlockPattern& p = A.pattern;
    const int n = 3 * static_cast<int>(p.rows());
    const bool same = row_begin_ == p.row_begin && column_ == p.column;
    if (!same) {
        lower_.resize(n, n);
        Eigen::VectorXi count(n);
        for (int j = 0; j < n; ++j)
            count[j] = 3 * (p.row_begin[j / 3 + 1] - p.diagonal[j / 3]) - j % 3;
        lower_.reserve(count);
    }
    for (int j = 0; j < n; ++j) {
        double* value = same ? lower_.valuePtr() + lower_.outerIndexPtr()[j] : nullptr;
        for (int k = p.diagonal[j / 3]; k < p.row_begin[j / 3 + 1]; ++k) {
            const int row = p.column[k];
            for (int i = row == j / 3 ? j % 3 : 0; i < 3; ++i) {
                const double v = 0.5 * (A.value[p.transposed[k]](i, j % 3) + A.value[k](j % 3, i));
                if (same)
                    *value++ = v;
                else
                    lower_.insert(3 * row + i, j) = v;
            }
        }
    }
    if (same)
        return;
    lower_.makeCompressed();
    factor_.analyzePattern(lower_);
    row_begin_ = p.row_begin;
    column_ = p.column;
}

void SymmetricCholesky::update(const BlockMatrix& A)
{
    copy_lower_part(A);
    const double scale = lower_.diagonal().cwiseAbs().maxCoeff();
    factor_.setShift(0);
    factor_.factorize(lower_);
    // The factorisation stops at an exact zero pivot. A shift below round-off lets it pass; unknowns with such a pivot
    // are left alone.
    for (double shift = 1e-16 * scale; factor_.info() != Eigen::Success && shift > 0 && shift <= scale; shift *= 10) {
        factor_.setShift(shift);
        factor_.factorize(lower_);
    }
    factored_ = factor_.info() == Eigen::Success;
    if (!factored_)
        return;
    const double negligible = 1e-14 * scale;
    inverse_pivots_ = factor_.vectorD().unaryExpr(
        [&](double d) { return std::abs(d) > negligible && std::isfinite(d) ? 1 / std::abs(d) : 1.0; });
}

void SymmetricCholesky::apply(const BlockVector& r, BlockVector& z) const
{
    if (!factored_) { // zero or not finite: no preconditioner is better than garbage
        z = r;
        return;
    }
    z.resize(r.size());
    const Eigen::Map<const Eigen::VectorXd> b(r.data()->data(), 3 * static_cast<Eigen::Index>(r.size()));
    Eigen::Map<Eigen::VectorXd> x(z.data()->data(), 3 * static_cast<Eigen::Index>(z.size()));
    Eigen::VectorXd y = factor_.permutationP() * b;
    factor_.matrixL().solveInPlace(y);
    y.array() *= inverse_pivots_.array();
    factor_.matrixU().solveInPlace(y);
    x = factor_.permutationPinv() * y;
}

} // namespace stickslip
