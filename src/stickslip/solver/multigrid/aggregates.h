#pragma once

#include "stickslip/solver/multigrid/block_rows.h"

#include <span>
#include <vector>

namespace stickslip {

/// Which rows are strongly coupled, in compressed rows: |A_ij| > threshold (|A_ii| |A_jj|)^1/2.
struct StrongCouplings {
    std::vector<int> begin = {0}, column;
    std::vector<double> strength; // |A_ij| / (|A_ii| |A_jj|)^1/2

    int rows() const { return static_cast<int>(begin.size()) - 1; }
};

template <int N>
StrongCouplings strong_couplings(const BlockRowsView<N, N>& A, double threshold)
{
    std::vector<double> size(A.rows(), 0.0);
    for (int i = 0; i < A.rows(); ++i)
        for (int k = A.begin[i]; k < A.begin[i + 1]; ++k)
            if (A.column[k] == i)
                size[i] = A.value[k].norm();
    StrongCouplings strong;
    for (int i = 0; i < A.rows(); ++i) {
        for (int k = A.begin[i]; k < A.begin[i + 1]; ++k) {
            const double strength = A.value[k].norm() / std::sqrt(size[i] * size[A.column[k]]);
            if (A.column[k] == i || !(strength > threshold))
                continue;
            strong.column.push_back(A.column[k]);
            strong.strength.push_back(strength);
        }
        strong.begin.push_back(static_cast<int>(strong.column.size()));
    }
    return strong;
}

/// Aggregates of rows that are strongly coupled to a common one.
struct Aggregates {
    std::vector<int> of_row; // -1: coupled to none
    int count = 0;
};

/// In row order: a row none of whose neighbours has an aggregate yet makes one with them; what is left joins the
/// aggregate it is coupled to most, and makes another with its neighbours where there is none. Source: Vanek, Mandel,
/// Brezina, Algebraic Multigrid by Smoothed Aggregation (1996), algorithm 2
Aggregates aggregate(const StrongCouplings& strong);

} // namespace stickslip
