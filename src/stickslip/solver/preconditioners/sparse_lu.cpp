#include "stickslip/solver/preconditioners/sparse_lu.h"

namespace stickslip {

// Column j holds the rows of block column j/3; the pattern is symmetric, so these stand in block row j/3, and
// `transposed` tells where their values are.
void SparseLu::update(const BlockMatrix& A)
{
    const BlockPattern& p = A.pattern;
    const int n = 3 * static_cast<int>(p.rows());
    const bool same = row_begin_ == p.row_begin && column_ == p.column;
    if (!same) {
        matrix_.resize(n, n);
        matrix_.resizeNonZeros(9 * static_cast<Eigen::Index>(p.blocks()));
    }
    int at = 0;
    for (int j = 0; j < n; ++j) {
        matrix_.outerIndexPtr()[j] = at;
        for (int k = p.row_begin[j / 3]; k < p.row_begin[j / 3 + 1]; ++k)
            for (int i = 0; i < 3; ++i) {
                matrix_.innerIndexPtr()[at] = 3 * p.column[k] + i;
                matrix_.valuePtr()[at++] = A.value[p.transposed[k]](i, j % 3);
            }
    }
    matrix_.outerIndexPtr()[n] = at;
    if (!same) {
        factor_.analyzePattern(matrix_);
        row_begin_ = p.row_begin;
        column_ = p.column;
    }
    factor_.factorize(matrix_);
    factored_ = factor_.info() == Eigen::Success;
}

void SparseLu::apply(const BlockVector& r, BlockVector& z) const
{
    if (!factored_) { // singular or not finite: no preconditioner is better than garbage
        z = r;
        return;
    }
    z.resize(r.size());
    const Eigen::Map<const Eigen::VectorXd> b(r.data()->data(), 3 * static_cast<Eigen::Index>(r.size()));
    Eigen::Map<Eigen::VectorXd> x(z.data()->data(), 3 * static_cast<Eigen::Index>(z.size()));
    x = factor_.solve(b);
}

} // namespace stickslip
