#pragma once

#include "stickslip/solver/multigrid/gauss_seidel.h"
#include "stickslip/solver/preconditioner.h"

#include <Eigen/LU>

#include <optional>

namespace stickslip {

/// Multigrid by smoothed aggregation: one V-cycle. Rows that are strongly coupled are aggregated; the six rigid motions
/// of an aggregate are its unknowns on the next level, P = (I - omega D^-1 A) T with T orthonormal and its columns
/// spanning them, omega = 4/3 / |D^-1 A|, and the next matrix is P^T A P. A forward sweep of Gauss-Seidel before and a
/// backward one after make a cycle symmetric where A is. Source: Vanek, Mandel, Brezina, Algebraic Multigrid by
/// Smoothed Aggregation (1996).
///
/// update() takes all levels from A where there are none, and only the finest one from then on: contacts change from
/// iteration to iteration, but little of what the coarse levels stand for. Where that is too much, strengthen() makes
/// them anew. Without a near kernel the translations of all blocks take its place.
class Multigrid : public Preconditioner {
public:
    void set_near_kernel(const NearKernel& kernel) override { kernel_ = kernel; }
    void update(const BlockMatrix& A) override;
    void apply(const BlockVector& r, BlockVector& z) const override;

    /// Reads the finest matrix two and a half times where apply and multiply would read it three times: the triangles
    /// once each in the forward sweep and in its residual, both in the backward sweep, and the lower one for A z.
    void apply_and_multiply(const BlockMatrix& A, const BlockVector& r, BlockVector& z, BlockVector& Az) const override;
    int patience() const override;
    bool strengthen(const BlockMatrix& A) override;
    void restart() override { has_levels_ = false; }

    int levels() const { return 1 + static_cast<int>(coarse_.size()); }

private:
    template <int N>
    struct Level {
        GaussSeidel<N> sweeps;
        BlockRows<N, 6> P;
        BlockRows<6, N> P_transposed;
    };

    template <int N>
    void coarsen(const BlockRowsView<N, N>& A, const std::vector<Block<N, 6>>& kernel, Level<N>& level);
    // All of a cycle but its backward sweep.
    template <int N>
    void begin_cycle(const Level<N>& level, std::size_t below, const Blocks<N>& r, Blocks<N>& z) const;
    void solve_below(std::size_t level, const Blocks<6>& r, Blocks<6>& z) const;

    NearKernel kernel_;
    bool has_levels_ = false, levels_are_old_ = false; // old: of another matrix
    Level<3> finest_;
    std::vector<Level<6>> coarse_; // the last one is solved directly
    std::optional<Eigen::PartialPivLU<Eigen::MatrixXd>> coarsest_;
};

} // namespace stickslip
