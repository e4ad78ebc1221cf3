#include "stickslip/contact/surfaces/ball_at_facet.h"
#include "stickslip/contact/surfaces/shared_contact.h"

#include <algorithm>

namespace stickslip {

using namespace soft;

// All places near the ball, also such as it does not reach: so none of them comes in or goes out at once.
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
    using Row = Scalar::Row;
    for (SoftBallContact& contact : found) {
        const auto& all = search.near.places();
        const auto self = std::find_if(
            all.begin(), all.end(), [&](const TrianglePlace& at) { return at.at.facet == contact.at.patch; });
        if (self == all.end())
            continue;
        const Near own = near(*self);
        contact.beside_begin = static_cast<int>(search.beside.size());
        Row by_own = Row::Zero(); // of the logarithm of the share, as those in `beside` are until its end
        for (const TrianglePlace& at : all) {
            if (&at == &*self)
                continue;
            const SharedContact test = share_beside(own.distance.v, own.n.v, at.distance, at.normal.n);
            contact.share *= test.share;
            if (test.share == 1 || test.share == 0)
                continue;
            const Near other = near(at);
            by_own += (test.by_d * own.distance.d + test.by_n.transpose() * own.n.d) / test.share;
            BesideContact& beside = search.beside.emplace_back();
            beside.column = other.block;
            for (int a = 0; a < SoftBallContact::blocks; ++a)
                beside.load[a] = contact.load[a].v;
            beside.by = (test.by_d_other * other.distance.d + test.by_n_other.transpose() * other.n.d) / test.share;
        }
        contact.beside_end = static_cast<int>(search.beside.size());
        for (int i = contact.beside_begin; i < contact.beside_end; ++i)
            search.beside[i].by *= contact.share;
        by_own *= contact.share;
        for (Vector& load : contact.load)
            load = Vector{contact.share * load.v, contact.share * load.d + load.v * by_own};
        contact.j *= contact.share;
        contact.k *= contact.share;
    }
}

} // namespace stickslip
