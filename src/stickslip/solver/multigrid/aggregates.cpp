#include "stickslip/solver/multigrid/aggregates.h"

#include <algorithm>

namespace stickslip {

Aggregates aggregate(const StrongCouplings& strong)
{
    constexpr int none = -1;
    Aggregates all;
    all.of_row.assign(strong.rows(), none);
    const auto neighbours = [&](int i) {
        return std::span(strong.column).subspan(strong.begin[i], strong.begin[i + 1] - strong.begin[i]);
    };
    const auto is_free = [&](int i) { return all.of_row[i] == none; };
    const auto make_around = [&](int i) {
        all.of_row[i] = all.count;
        for (const int j : neighbours(i))
            if (is_free(j))
                all.of_row[j] = all.count;
        ++all.count;
    };
    for (int i = 0; i < strong.rows(); ++i)
        if (is_free(i) && !neighbours(i).empty() && std::all_of(neighbours(i).begin(), neighbours(i).end(), is_free))
            make_around(i);
    const std::vector<int> first = all.of_row; // what joins one does not draw others in
    for (int i = 0; i < strong.rows(); ++i) {
        double most = 0;
        for (int k = strong.begin[i]; first[i] == none && k < strong.begin[i + 1]; ++k)
            if (const int other = first[strong.column[k]]; other != none && strong.strength[k] > most) {
                most = strong.strength[k];
                all.of_row[i] = other;
            }
    }
    for (int i = 0; i < strong.rows(); ++i)
        if (is_free(i) && !neighbours(i).empty())
            make_around(i);
    return all;
}

} // namespace stickslip
