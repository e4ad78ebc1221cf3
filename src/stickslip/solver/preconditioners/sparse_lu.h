#pragma once

#include "stickslip/solver/preconditioner.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

namespace stickslip {

/// L U of the matrix itself, with partial pivoting: exact but for round-off, so GMRES needs one or two iterations. For
/// systems that are mostly contact, whose friction the symmetric part knows nothing of. The column order is reused
/// while the pattern stays the same.
class SparseLu : public Preconditioner {
public:
    void update(const BlockMatrix& A) override;
    void apply(const BlockVector& r, BlockVector& z) const override;

private:
    Eigen::SparseMatrix<double> matrix_;
    Eigen::SparseLU<Eigen::SparseMatrix<double>> factor_;
    std::vector<int> row_begin_, column_; // of the analysed pattern
    bool factored_ = false;
};

} // namespace stickslip
