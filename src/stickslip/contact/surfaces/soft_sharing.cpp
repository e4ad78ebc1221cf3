#include "stickslip/contact/surfaces/ball_at_facet.h"

namespace stickslip {

using namespace soft;

// Of the places in the order in which they were found.
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
        Near result{to_world(facet.axes, touch.place.n), touch.place.distance, {}};
        for (int b = 0; b < RigidSide::block_count; ++b)
            result.block[b] = ball.body.block(b);
        for (int k = 0; k < 3; ++k)
            result.block[2 + k] = nodes[now_.topology.facets[at.at.facet][k]];
        return result;
    };
    using Row = Scalar::Row;
    const std::vector<TrianglePlace>& places = search.places.places();
    const ShareSlopes& slopes = search.places.slopes();
    for (std::size_t i = 0; i < found.size(); ++i) {
        SoftBallContact& contact = found[i];
        contact.share = places[i].share;
        contact.beside_begin = static_cast<int>(search.beside.size());
        Row by_own = Row::Zero(); // of the share
        for (std::size_t j = 0; j < places.size(); ++j) {
            const Near other = near(places[j]);
            const Row by = slopes.by_n[i][j].transpose() * other.n.d
                - slopes.by_depth(static_cast<int>(i), static_cast<int>(j)) * other.distance.d;
            if (j == i) {
                by_own = by;
                continue;
            }
            BesideContact& beside = search.beside.emplace_back();
            beside.row = contact.block;
            beside.column = other.block;
            for (int a = 0; a < SoftBallContact::blocks; ++a)
                beside.load[a] = contact.load[a].v;
            beside.by = by;
        }
        contact.beside_end = static_cast<int>(search.beside.size());
        for (Vector& load : contact.load)
            load = Vector{contact.share * load.v, contact.share * load.d + load.v * by_own};
        contact.j *= contact.share;
        contact.k *= contact.share;
    }
}

} // namespace stickslip
