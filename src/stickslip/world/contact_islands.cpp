#include "stickslip/world/contact_islands.h"

#include "stickslip/math/disjoint_sets.h"

#include <algorithm>

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

} // namespace

std::vector<std::vector<int>> contact_islands(
    const ContactSet& contacts, int first_rigid, int first_mpm, const std::vector<bool>& unsolved, int most)
{
    const int count = static_cast<int>(unsolved.size());
    std::vector<bool> wanted = unsolved, meets_soft(count, false);
    std::vector<Link> links;
    const auto is_soft = [&](int body) { return body < first_rigid || body >= first_mpm; };
    contacts.for_each_contact([&](const Contact& c) {
        const int point = c.point_body - first_rigid, surface = c.surface_body - first_rigid;
        if (is_soft(c.point_body) && surface >= 0 && surface < count)
            meets_soft[surface] = true;
        if (is_soft(c.surface_body) && point >= 0 && point < count)
            meets_soft[point] = true;
        if (point < 0 || surface < 0 || point >= count || surface >= count || !(unsolved[point] || unsolved[surface]))
            return;
        wanted[point] = wanted[surface] = true;
        links.push_back({c.j.norm(), std::min(point, surface), std::max(point, surface)});
    });
    std::sort(links.begin(), links.end());
    DisjointSets joined(count);
    for (const Link& link : links)
        if (!meets_soft[link.a] && !meets_soft[link.b] && joined.size(link.a) + joined.size(link.b) <= most)
            joined.join(link.a, link.b);

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
