#include "stickslip/solver/multigrid/sparse_product.h"

#include "stickslip/math/parallel_lanes.h"

#include <algorithm>
#include <utility>

namespace stickslip {

namespace {

// The columns of a block of three or six rows, rows side by side in lanes: 0 to 2, or 0 to 3 and 2 to 5.
template <int R, int C>
struct BlockInLanes {
    Lanes column[C][R / 3];
};

template <int R, int C>
BlockInLanes<R, C> in_lanes(const Block<R, C>& A)
{
    BlockInLanes<R, C> a;
    for (int c = 0; c < C; ++c)
        for (int half = 0; half < R / 3; ++half)
            if (R == 3 && c == C - 1) { // four from its first row on would end past the block
                const Lanes late = load(A.data() + R * C - lanes);
                a.column[c][half] = __builtin_shufflevector(late, late, 1, 2, 3, 0);
            } else {
                a.column[c][half] = load(A.data() + R * c + 2 * half);
            }
    return a;
}

// A sum of products of blocks, in the same lanes.
template <int R, int C>
class ProductSum {
public:
    template <int M>
    void add(const BlockInLanes<R, M>& A, const Block<M, C>& B)
    {
        for (int c = 0; c < C; ++c)
            for (int half = 0; half < R / 3; ++half) {
                Lanes product = A.column[0][half] * B(0, c);
                for (int m = 1; m < M; ++m)
                    product += A.column[m][half] * B(m, c);
                store(load(column_[c][half]) + product, column_[c][half]);
            }
    }
    Block<R, C> value() const
    {
        Block<R, C> block;
        for (int c = 0; c < C; ++c)
            for (int r = 0; r < R; ++r)
                block(r, c) = r < lanes ? column_[c][0][r] : column_[c][1][r - 2];
        return block;
    }

private:
    double column_[C][R / 3][lanes] = {};
};

// Which columns rows of A B have, added to AB as rows without values.
template <int R, int M, int C>
void add_columns(const BlockRowsView<R, M>& A, const BlockRows<M, C>& B, int begin, int end, BlockRows<R, C>& AB)
{
    std::vector<int> last_row(B.columns, -1); // that had a column
    for (int i = begin; i < end; ++i) {
        const auto first = static_cast<std::ptrdiff_t>(AB.column.size());
        for (int k = A.begin[i]; k < A.begin[i + 1]; ++k)
            for (int l = B.begin[A.column[k]]; l < B.begin[A.column[k] + 1]; ++l)
                if (std::exchange(last_row[B.column[l]], i) != i)
                    AB.column.push_back(B.column[l]);
        std::sort(AB.column.begin() + first, AB.column.end());
        AB.end_row();
    }
}

// Values of rows whose columns are known.
template <int R, int M, int C>
void set_values(const BlockRowsView<R, M>& A, const BlockRows<M, C>& B, int begin, int end, BlockRows<R, C>& AB)
{
    std::vector<ProductSum<R, C>> sum(B.columns);
    for (int i = begin; i < end; ++i) {
        for (int k = A.begin[i]; k < A.begin[i + 1]; ++k) {
            const BlockInLanes<R, M> a = in_lanes(A.value[k]);
            for (int l = B.begin[A.column[k]]; l < B.begin[A.column[k] + 1]; ++l)
                sum[B.column[l]].add(a, B.value[l]);
        }
        for (int k = AB.begin[i]; k < AB.begin[i + 1]; ++k)
            AB.value[k] = std::exchange(sum[AB.column[k]], {}).value();
    }
}

} // namespace

// In parts of rows that do not depend on threads.
template <int R, int M, int C>
BlockRows<R, C> product(const BlockRowsView<R, M>& A, const BlockRows<M, C>& B)
{
    constexpr int rows_a_part = 128;
    std::vector<BlockRows<R, C>> parts((A.rows() + rows_a_part - 1) / rows_a_part);
    const auto begin_of = [&](std::size_t part) { return std::min(rows_a_part * static_cast<int>(part), A.rows()); };
    parallel_for(
        parts.size(), [&](std::size_t p) { add_columns(A, B, begin_of(p), begin_of(p + 1), parts[p]); }, 1);
    BlockRows<R, C> AB;
    AB.columns = B.columns;
    for (const BlockRows<R, C>& part : parts) {
        const int before = AB.begin.back();
        for (int i = 1; i <= part.rows(); ++i)
            AB.begin.push_back(before + part.begin[i]);
        AB.column.insert(AB.column.end(), part.column.begin(), part.column.end());
    }
    AB.value.resize(AB.column.size());
    parallel_for_lanes(
        parts.size(), [&](std::size_t p) { set_values(A, B, begin_of(p), begin_of(p + 1), AB); }, 1);
    return AB;
}

template BlockRows<3, 6> product(const BlockRowsView<3, 3>&, const BlockRows<3, 6>&);
template BlockRows<6, 6> product(const BlockRowsView<6, 3>&, const BlockRows<3, 6>&);
template BlockRows<6, 6> product(const BlockRowsView<6, 6>&, const BlockRows<6, 6>&);

} // namespace stickslip
