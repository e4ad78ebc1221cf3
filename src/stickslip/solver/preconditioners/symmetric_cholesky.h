#pragma once

#include "stickslip/solver/preconditioner.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace stickslip {

/// L |D| L^T of the symmetric part of a matrix. The analysis is reused while the pattern stays the same.
class SymmetricCholesky : public Preconditioner {
public:
    void update(const BlockMatrix& A) override;
    void apply(const BlockVector& r, BlockVector& z) const override;

private:
    using Matrix = Eigen::SparseMatrix<double>;

    void copy_lower_part(const BlockMatrix& A);

    Matrix lower_;
    Eigen::SimplicialLDLT<Matrix> factor_;
    Eigen::VectorXd inverse_pivots_; // 1/|D|
    std::vector<int> row_begin_, column_; // of the analysed pattern
    bool factored_ = false;
};

} // namespace stickslip
