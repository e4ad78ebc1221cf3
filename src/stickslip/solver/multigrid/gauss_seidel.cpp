#include "stickslip/solver/multigrid/gauss_seidel.h"

namespace stickslip {

int colour_rows(std::span<const int> begin, std::span<const int> column, std::vector<int>& colour)
{
    const std::size_t rows = begin.size() - 1;
    colour.assign(rows, -1);
    std::vector<int> last_seen;
    for (std::size_t i = 0; i < rows; ++i) {
        for (int k = begin[i]; k < begin[i + 1]; ++k)
            if (const int c = colour[column[k]]; c >= 0)
                last_seen[c] = static_cast<int>(i);
        int c = 0;
        while (c < static_cast<int>(last_seen.size()) && last_seen[c] == static_cast<int>(i))
            ++c;
        if (c == static_cast<int>(last_seen.size()))
            last_seen.push_back(-1);
        colour[i] = c;
    }
    return static_cast<int>(last_seen.size());
}

} // namespace stickslip
