#include "stickslip/contact/surfaces/ball_at_facet.h"
#include "stickslip/contact/surfaces/shared_contact.h"

#include <algorithm>

namespace stickslip {

using namespace soft;

// All places near the ball, also such as it does not reach: so none of them comes in or goes out at once. A place has
// what the one that takes most leaves it. One that comes in at its fold with a second takes less from a third than that
// does, or hardly more; shares that multiplied took it all at once.
void SoftSurface::share(
    const MovingBall& ball, std::span<const int> nodes, Search& search, std::vector<SoftBallContact>& found) const
{
    struct Near {
        Vector n;
        Scalar distance;
        std::array<int, SoftBallContact::blocks> block;
    };
    const auto near = [&](const TrianglePlace& at) {
        const Facet facet(now_.topology, old_.topology, at.at.facet, now_.topology.facets[at.at.facet]);
        const Touch touch(ball, facet, now_.topology, at);
        Near result{to_world(facet.axes, touch.place.n), touch.place.distance, {-1, -1}};
        for (int b = 0; b < ball.body.count; ++b)
            result.block[b] = ball.body.first + b;
        for (int k = 0; k < 3; ++k)
            result.block[2 + k] = nodes[now_.topology.facets[at.at.facet][k]];
        return result;
    };
    for (SoftBallContact& contact : found) {
        const auto& all = search.near.places();
        const auto self = std::find_if(all.begin(), all.end(),
            [&](const TrianglePlace& at) { return at.at.facet == std::get<RollingOnFacet>(contact.at.to).facet; });
        if (self == all.end())
            continue;
        SharedContact least;
        const TrianglePlace* taker = nullptr;
        for (const TrianglePlace& at : all)
            if (&at != &*self)
                if (const SharedContact test = share_beside(self->distance, self->normal.n, at.distance, at.normal.n);
                    test.share < least.share) {
                    least = test;
                    taker = &at;
                }
        contact.beside_begin = contact.beside_end = static_cast<int>(search.beside.size());
        contact.share = least.share;
        Scalar::Row by_own = Scalar::Row::Zero();
        if (taker && least.share > 0) {
            const Near own = near(*self), other = near(*taker);
            by_own = least.by_d * own.distance.d + least.by_n.transpose() * own.n.d;
            BesideContact& beside = search.beside.emplace_back();
            beside.column = other.block;
            for (int a = 0; a < SoftBallContact::blocks; ++a)
                beside.load[a] = contact.load[a].v;
            beside.by = least.by_d_other * other.distance.d + least.by_n_other.transpose() * other.n.d;
            ++contact.beside_end;
        }
        for (Vector& load : contact.load)
            load = Vector{contact.share * load.v, contact.share * load.d + load.v * by_own};
        contact.j *= contact.share;
        contact.k *= contact.share;
    }
}

} // namespace stickslip
