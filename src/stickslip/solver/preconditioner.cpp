#include "stickslip/solver/preconditioner.h"

#include "stickslip/math/check.h"
#include "stickslip/math/parallel.h"
#include "stickslip/solver/symmetric_cholesky.h"

#include <Eigen/LU>

#include <algorithm>

namespace stickslip {

namespace {

// A singular block (no mass and no stiffness in some direction) cannot be divided by: such a row is left alone.
Mat3 inverse_or_identity(const Mat3& block)
{
    const Mat3 inverse = block.inverse();
    return inverse.allFinite() ? inverse : Mat3::Identity();
}

std::vector<Mat3> inverse_diagonal(const BlockMatrix& A)
{
    std::vector<Mat3> inverse(A.pattern.rows());
    parallel_for(
        inverse.size(), [&](std::size_t i) { inverse[i] = inverse_or_identity(A.value[A.pattern.diagonal[i]]); });
    return inverse;
}

class BlockJacobi : public Preconditioner {
public:
    void update(const BlockMatrix& A) override { inverse_ = inverse_diagonal(A); }

    void apply(const BlockVector& r, BlockVector& z) const override
    {
        z.resize(r.size());
        parallel_for(r.size(), [&](std::size_t i) { z[i] = inverse_[i] * r[i]; });
    }

private:
    std::vector<Mat3> inverse_;
};

class BlockSsor : public Preconditioner {
public:
    void update(const BlockMatrix& A) override
    {
        if (A.pattern.row_begin != row_begin_ || A.pattern.column != column_)
            colour_rows(A.pattern);
        A_ = &A;
        inverse_ = inverse_diagonal(A);
    }

    void apply(const BlockVector& r, BlockVector& z) const override
    {
        z.assign(r.size(), Vec3::Zero());
        const int colours = static_cast<int>(colour_begin_.size()) - 1;
        for (int c = 0; c < colours; ++c)
            relax_colour(c, r, z);
        for (int c = colours - 2; c >= 0; --c)
            relax_colour(c, r, z);
    }

private:
    // Greedy, in row order: the smallest colour that no neighbour has yet.
    void colour_rows(const BlockPattern& p)
    {
        std::vector<int> colour(p.rows(), -1), last_seen;
        int colours = 0;
        for (std::size_t i = 0; i < p.rows(); ++i) {
            for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k)
                if (const int c = colour[p.column[k]]; c >= 0)
                    last_seen[c] = static_cast<int>(i);
            int c = 0;
            while (c < colours && last_seen[c] == static_cast<int>(i))
                ++c;
            if (c == colours) {
                ++colours;
                last_seen.push_back(-1);
            }
            colour[i] = c;
        }
        colour_begin_.assign(colours + 1, 0);
        for (const int c : colour)
            ++colour_begin_[c + 1];
        for (int c = 0; c < colours; ++c)
            colour_begin_[c + 1] += colour_begin_[c];
        rows_.resize(p.rows());
        std::vector<int> next(colour_begin_.begin(), colour_begin_.end() - 1);
        for (std::size_t i = 0; i < p.rows(); ++i)
            rows_[next[colour[i]]++] = static_cast<int>(i);
        row_begin_ = p.row_begin;
        column_ = p.column;
    }

    void relax_colour(int c, const BlockVector& r, BlockVector& z) const
    {
        const BlockPattern& p = A_->pattern;
        const int begin = colour_begin_[c];
        parallel_for(colour_begin_[c + 1] - begin, [&](std::size_t k) {
            const int i = rows_[begin + static_cast<int>(k)];
            Vec3 rest = r[i];
            for (int b = p.row_begin[i]; b < p.row_begin[i + 1]; ++b)
                if (b != p.diagonal[i])
                    rest.noalias() -= A_->value[b] * z[p.column[b]];
            z[i] = inverse_[i] * rest;
        });
    }

    const BlockMatrix* A_ = nullptr; // outlives its use: owned by the system being solved
    std::vector<Mat3> inverse_;
    std::vector<int> rows_, colour_begin_;
    std::vector<int> row_begin_, column_; // of the coloured pattern
};

constexpr std::size_t largest_direct = 4000;

} // namespace

std::unique_ptr<Preconditioner> make_preconditioner(PreconditionerKind kind, std::size_t blocks)
{
    if (kind == PreconditionerKind::automatic)
        kind = blocks <= largest_direct ? PreconditionerKind::cholesky : PreconditionerKind::block_ssor;
    switch (kind) {
    case PreconditionerKind::block_jacobi:
        return std::make_unique<BlockJacobi>();
    case PreconditionerKind::block_ssor:
        return std::make_unique<BlockSsor>();
    default:
        return std::make_unique<SymmetricCholesky>();
    }
}

} // namespace stickslip
