#include "stickslip/solver/multigrid/multigrid.h"

#include "stickslip/math/parallel_lanes.h"
#include "stickslip/solver/multigrid/aggregates.h"
#include "stickslip/solver/multigrid/sparse_product.h"

#include <cmath>
#include <random>

namespace stickslip {

namespace {

constexpr int solved_directly = 60; // aggregates; of six unknowns each
constexpr double strong = 0.02; // coupling, on the finest level; half of it from each level to the next
constexpr int most_levels = 12;

template <int N>
std::vector<Block<N, N>> inverse_diagonal(const BlockRowsView<N, N>& A)
{
    std::vector<Block<N, N>> inverse(A.rows(), Block<N, N>::Identity());
    parallel_for(A.rows(), [&](std::size_t i) {
        for (int k = A.begin[i]; k < A.begin[i + 1]; ++k)
            if (A.column[k] == static_cast<int>(i))
                inverse[i] = A.value[k].inverse();
        if (!inverse[i].allFinite())
            inverse[i].setIdentity();
    });
    return inverse;
}

// Largest |eigenvalue| of D^-1 A, by a few steps of the power method and a margin for what they leave.
template <int N>
double spectral_radius(const BlockRowsView<N, N>& A, const std::vector<Block<N, N>>& inverse_diagonal)
{
    constexpr int steps = 8;
    constexpr double margin = 1.1;
    std::mt19937_64 random(1);
    Blocks<N> x(A.rows()), y(A.rows());
    for (Block<N, 1>& block : x)
        for (int c = 0; c < N; ++c)
            block[c] = 0x1p-63 * static_cast<double>(random()) - 1;
    const auto length = [](const Blocks<N>& a) {
        return std::sqrt(ordered_sum(a.size(), 0.0, [&](std::size_t i) { return a[i].squaredNorm(); }));
    };
    double radius = 1;
    for (int step = 0; step < steps; ++step) {
        const double before = length(x);
        parallel_for_lanes(A.rows(), [&](std::size_t i) { y[i] = inverse_diagonal[i] * row_times(A, i, x) / before; });
        radius = length(y);
        x.swap(y);
    }
    return margin * radius;
}

// Orthonormal columns that span those of the kernel in each aggregate, and the kernel in these: B = T R. A column that
// the others span already is zero, in both.
template <int N>
struct Tentative {
    BlockRows<N, 6> T;
    std::vector<Block<6, 6>> R; // by aggregate
};

template <int N>
Tentative<N> orthonormalized(const Aggregates& aggregates, std::vector<Block<N, 6>> B)
{
    constexpr double dependent = 1e-8;
    Tentative<N> out;
    out.R.assign(aggregates.count, Block<6, 6>::Zero());
    std::vector<std::vector<int>> rows(aggregates.count);
    for (std::size_t i = 0; i < B.size(); ++i)
        if (aggregates.of_row[i] >= 0)
            rows[aggregates.of_row[i]].push_back(static_cast<int>(i));
    parallel_for(rows.size(), [&](std::size_t a) {
        const auto dot = [&](int c, int d) {
            double sum = 0;
            for (const int i : rows[a])
                sum += B[i].col(c).dot(B[i].col(d));
            return sum;
        };
        for (int c = 0; c < 6; ++c) {
            const double whole = std::sqrt(dot(c, c));
            for (int twice = 0; twice < 2; ++twice)
                for (int d = 0; d < c; ++d) {
                    const double share = dot(d, c);
                    out.R[a](d, c) += share;
                    for (const int i : rows[a])
                        B[i].col(c) -= share * B[i].col(d);
                }
            const double left = std::sqrt(dot(c, c));
            const bool is_new = left > dependent * whole;
            out.R[a](c, c) = is_new ? left : 0;
            for (const int i : rows[a])
                B[i].col(c) *= is_new ? 1 / left : 0;
        }
    });
    out.T.columns = aggregates.count;
    for (std::size_t i = 0; i < B.size(); ++i) {
        if (aggregates.of_row[i] >= 0)
            out.T.add(aggregates.of_row[i], B[i]);
        out.T.end_row();
    }
    return out;
}

// (I - omega D^-1 A) T, from A T.
template <int N>
BlockRows<N, 6> smoothed(
    const BlockRows<N, 6>& T, BlockRows<N, 6> AT, const std::vector<Block<N, N>>& inverse_diagonal, double omega)
{
    parallel_for(AT.rows(), [&](std::size_t i) {
        for (int k = AT.begin[i]; k < AT.begin[i + 1]; ++k) {
            AT.value[k] = -omega * inverse_diagonal[i] * AT.value[k];
            if (T.begin[i] < T.begin[i + 1] && AT.column[k] == T.column[T.begin[i]])
                AT.value[k] += T.value[T.begin[i]];
        }
    });
    return AT;
}

// A kernel column that the others span leaves an empty row: 1 on its diagonal keeps the matrix regular.
void close_empty_rows(BlockRows<6, 6>& A)
{
    for (int i = 0; i < A.rows(); ++i)
        for (int k = A.begin[i]; k < A.begin[i + 1]; ++k)
            for (int c = 0; c < 6 && A.column[k] == i; ++c)
                if (A.value[k](c, c) == 0)
                    A.value[k](c, c) = 1;
}

Eigen::MatrixXd dense(const BlockRows<6, 6>& A)
{
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(6 * A.rows(), 6 * A.rows());
    for (int i = 0; i < A.rows(); ++i)
        for (int k = A.begin[i]; k < A.begin[i + 1]; ++k)
            D.block<6, 6>(6 * i, 6 * A.column[k]) = A.value[k];
    return D;
}

} // namespace

template <int N>
void Multigrid::coarsen(const BlockRowsView<N, N>& A, const std::vector<Block<N, 6>>& kernel, Level<N>& level)
{
    const Aggregates aggregates = aggregate(strong_couplings(A, std::ldexp(strong, -static_cast<int>(coarse_.size()))));
    const Tentative<N> tentative = orthonormalized(aggregates, kernel);
    const auto inverse = inverse_diagonal(A);
    constexpr double best = 4.0 / 3;
    level.P = smoothed(tentative.T, product(A, tentative.T), inverse, best / spectral_radius(A, inverse));
    level.P_transposed = transposed(level.P);
    BlockRows<6, 6> next = product(level.P_transposed.view(), product(A, level.P));
    close_empty_rows(next);
    const bool is_last = next.rows() <= solved_directly || 4 * next.rows() > 3 * A.rows()
        || static_cast<int>(coarse_.size()) + 2 >= most_levels;
    coarse_.emplace_back();
    if (is_last) {
        if (next.rows() > 0)
            coarsest_.emplace(dense(next));
        return;
    }
    coarse_.back().sweeps.update(next.view());
    Level<6> own = std::move(coarse_.back()); // coarse_ grows below it
    const std::size_t place = coarse_.size() - 1;
    coarsen(next.view(), tentative.R, own);
    coarse_[place] = std::move(own);
}

void Multigrid::update(const BlockMatrix& A)
{
    finest_.sweeps.update(view(A));
    levels_are_old_ = has_levels_;
    if (has_levels_)
        return;
    has_levels_ = true;
    coarse_.clear();
    coarsest_.reset();
    if (kernel_.size() != A.pattern.rows())
        kernel_.assign(A.pattern.rows(), Block<3, 6>::Identity());
    coarsen(view(A), kernel_, finest_);
}

int Multigrid::patience() const
{
    constexpr int iterations_of_levels = 25; // that cost as much as to make levels
    return levels_are_old_ ? iterations_of_levels : Preconditioner::patience();
}

bool Multigrid::strengthen(const BlockMatrix& A)
{
    if (!levels_are_old_)
        return false;
    has_levels_ = false;
    update(A);
    return true;
}

void Multigrid::solve_below(std::size_t level, const Blocks<6>& r, Blocks<6>& z) const
{
    if (level + 1 < coarse_.size()) {
        begin_cycle(coarse_[level], level + 1, r, z);
        return coarse_[level].sweeps.relax_backward(r, z);
    }
    z.resize(r.size());
    const auto size = static_cast<Eigen::Index>(6 * r.size());
    if (size > 0)
        Eigen::Map<Eigen::VectorXd>(z.data()->data(), size) =
            coarsest_->solve(Eigen::Map<const Eigen::VectorXd>(r.data()->data(), size));
}

template <int N>
void Multigrid::begin_cycle(const Level<N>& level, std::size_t below, const Blocks<N>& r, Blocks<N>& z) const
{
    Blocks<N> s;
    Blocks<6> coarse_r(level.P_transposed.rows()), coarse_z;
    level.sweeps.forward(r, z);
    level.sweeps.residual_after_forward(z, s);
    const auto Pt = level.P_transposed.view();
    parallel_for_lanes(coarse_r.size(), [&](std::size_t i) { coarse_r[i] = row_times(Pt, i, s); });
    solve_below(below, coarse_r, coarse_z);
    const auto P = level.P.view();
    parallel_for_lanes(z.size(), [&](std::size_t i) { z[i] += row_times(P, i, coarse_z); });
}

void Multigrid::apply(const BlockVector& r, BlockVector& z) const
{
    begin_cycle(finest_, 0, r, z);
    finest_.sweeps.relax_backward(r, z);
}

void Multigrid::apply_and_multiply(const BlockMatrix&, const BlockVector& r, BlockVector& z, BlockVector& Az) const
{
    begin_cycle(finest_, 0, r, z);
    const BlockVector before = z;
    finest_.sweeps.relax_backward(r, z);
    finest_.sweeps.multiply_after_relaxing(r, before, z, Az);
}

} // namespace stickslip
