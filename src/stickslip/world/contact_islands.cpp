#include "stickslip/world/contact_islands.h"

#include <algorithm>
#include <numeric>

namespace stickslip {

namespace {

struct Link {
    double force; // [N]
    int a, b; // a < b

    // strongest first
    bool operator<(const Link& o) const
    {
        return force != o.force ? force > o.force : std::pair(a, b) < std::pair(o.a, o.b);
    }
};

// Sets of bodies that know their size.
class Islands {
public:
    explicit Islands(int count)
        : leader_(count)
        , size_(count, 1)
    {
        std::iota(leader_.begin(), leader_.end(), 0);
    }

    int leader(int b)
    {
        while (leader_[b] != b)
            b = leader_[b] = leader_[leader_[b]];
        return b;
    }

    void join(int a, int b, int most)
    {
        const auto [first, second] = std::minmax({leader(a), leader(b)});
        if (first == second || size_[first] + size_[second] > most)
            return;
        leader_[second] = first;
        size_[first] += size_[second];
    }

private:
    std::vector<int> leader_, size_;
};

} // namespace

std::vector<std::vector<int>> contact_islands(
    const ContactSet& contacts, int first_rigid, const std::vector<bool>& unsolved, int most)
{
    const int count = static_cast<int>(unsolved.size());
    std::vector<bool> wanted = unsolved, meets_soft(count, false);
    std::vector<Link> links;
    contacts.for_each_contact([&](const Contact& c) {
        const int point = c.point_body - first_rigid, surface = c.surface_body - first_rigid;
        if (const int rigid = std::max(point, surface); std::min(point, surface) < 0 && rigid >= 0 && rigid < count)
            meets_soft[rigid] = true;
        if (point < 0 || surface < 0 || point >= count || surface >= count || !(unsolved[point] || unsolved[surface]))
            return;
        wanted[point] = wanted[surface] = true;
        links.push_back({c.j.norm(), std::min(point, surface), std::max(point, surface)});
    });
    std::sort(links.begin(), links.end());
    Islands joined(count);
    for (const Link& link : links)
        if (!meets_soft[link.a] && !meets_soft[link.b])
            joined.join(link.a, link.b, most);

    std::vector<bool> has_unsolved(count, false);
    for (int b = 0; b < count; ++b)
        if (unsolved[b])
            has_unsolved[joined.leader(b)] = true;
    std::vector<std::vector<int>> islands;
    std::vector<int> island_of(count, -1);
    for (int b = 0; b < count; ++b) {
        const int leader = joined.leader(b);
        if (!wanted[b] || meets_soft[b] || !has_unsolved[leader])
            continue;
        if (island_of[leader] < 0) {
            island_of[leader] = static_cast<int>(islands.size());
            islands.emplace_back();
        }
        islands[island_of[leader]].push_back(b);
    }
    return islands;
}

} // namespace stickslip
