#pragma once

#include "stickslip/solver/block_matrix.h"

#include "support/numeric.h"

namespace stickslip {

inline Eigen::MatrixXd dense(const BlockMatrix& A)
{
    const auto n = static_cast<Eigen::Index>(A.pattern.rows());
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (int i = 0; i < n; ++i)
        for (int k = A.pattern.row_begin[i]; k < A.pattern.row_begin[i + 1]; ++k)
            D.block<3, 3>(3 * i, 3 * A.pattern.column[k]) = A.value[k];
    return D;
}

/// A pattern of random pairs and triples of rows.
inline BlockPattern random_pattern(int rows, int groups, Random& random)
{
    const auto row = [&] { return static_cast<int>(random.uniform(0, rows)); };
    std::vector<std::vector<int>> list;
    for (int g = 0; g < groups; ++g)
        list.push_back(g % 2 == 0 ? std::vector<int>{row(), row()} : std::vector<int>{row(), row(), row()});
    return make_pattern(rows, list);
}

/// Nonsymmetric; `diagonal` times the identity is added to keep it regular.
inline BlockMatrix random_matrix(int rows, int groups, double diagonal, Random& random)
{
    BlockMatrix A{random_pattern(rows, groups, random), {}};
    for (std::size_t k = 0; k < A.pattern.blocks(); ++k)
        A.value.push_back(random.matrix());
    for (int i = 0; i < rows; ++i)
        A.value[A.pattern.diagonal[i]] += diagonal * Mat3::Identity();
    return A;
}

/// (A + A^T)/2
inline BlockMatrix symmetric_part(BlockMatrix A)
{
    const auto value = A.value;
    for (std::size_t k = 0; k < value.size(); ++k)
        A.value[k] = 0.5 * (value[k] + value[A.pattern.transposed[k]].transpose());
    return A;
}

/// Diagonally dominant, symmetric and positive definite.
inline BlockMatrix definite_matrix(int rows, int groups, Random& random)
{
    BlockMatrix A = symmetric_part(random_matrix(rows, groups, 0, random));
    for (int i = 0; i < rows; ++i) {
        double sum = 1;
        for (int k = A.pattern.row_begin[i]; k < A.pattern.row_begin[i + 1]; ++k)
            sum += A.value[k].cwiseAbs().sum();
        A.value[A.pattern.diagonal[i]] += sum * Mat3::Identity();
    }
    return A;
}

inline BlockMatrix block_diagonal(int rows, Random& random)
{
    return random_matrix(rows, 0, 2, random);
}

/// Blocks from a dense matrix, all present.
inline BlockMatrix full_matrix(const Eigen::MatrixXd& D)
{
    const int rows = static_cast<int>(D.rows()) / 3;
    std::vector<int> all(rows);
    for (int i = 0; i < rows; ++i)
        all[i] = i;
    BlockMatrix A{make_pattern(rows, {all}), {}};
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j)
            A.value.push_back(D.block<3, 3>(3 * i, 3 * j));
    return A;
}

inline BlockVector as_blocks(const Eigen::VectorXd& v)
{
    BlockVector b(v.size() / 3);
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = v.segment<3>(3 * static_cast<Eigen::Index>(i));
    return b;
}

} // namespace stickslip
