#pragma once

#include "stickslip/solver/multifrontal/elimination.h"
#include "stickslip/solver/multifrontal/front.h"
#include "stickslip/solver/preconditioner.h"

#include <vector>

namespace stickslip {

/// L U of the matrix itself: exact but for round-off, so GMRES needs one or two iterations. Rows are exchanged within
/// groups of pivots only, and a pivot that nearly vanishes is replaced by a small one; GMRES mends what that costs. The
/// order of elimination is kept while the pattern stays the same.
/// Source: Duff and Reid, The multifrontal solution of unsymmetric sets of linear equations (1984)
class BlockLu : public Preconditioner {
public:
    void update(const BlockMatrix& A) override;
    void apply(const BlockVector& r, BlockVector& z) const override;

private:
    struct Factor {
        std::size_t left, right; // of `values_`: the pivots' columns, and of their rows what stands right of these
        std::size_t exchange; // of `exchange_`
    };

    void analyse(const BlockPattern& pattern);
    void add_entries(const BlockMatrix& A, const Elimination::Group& group, const Front& front);
    void add_child(const Elimination::Group& child, const double* schur, const Front& front);
    void keep(const Elimination::Group& group, const Factor& factor, const Front& front);

    Elimination elimination_;
    std::vector<int> row_begin_, column_; // of the analysed pattern
    std::vector<Factor> factors_; // by group
    std::vector<std::vector<int>> children_; // by group
    std::vector<double> values_, front_, stack_;
    std::vector<int> exchange_;
    std::vector<int> position_; // of a pivot in the present front
    mutable std::vector<double> x_; // in the order of elimination
    bool factored_ = false;
};

} // namespace stickslip
