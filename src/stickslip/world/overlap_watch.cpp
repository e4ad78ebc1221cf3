#include "stickslip/world/overlap_watch.h"

#include "stickslip/contact/relax/rim_share.h"
#include "stickslip/geometry/queries/box_tree.h"

#include <algorithm>
#include <optional>

namespace stickslip {

namespace {

constexpr double told = 0.5; // [-] of the smallest size: how much deeper than felt

double deepest_contact(const ContactSet& contacts, const BodyPair& pair) // [m]
{
    double depth = 0;
    contacts.for_each_contact([&](const Contact& c) {
        if (BodyPair(std::minmax(c.point_body, c.surface_body)) == pair)
            depth = std::max(depth, c.at.depth);
    });
    return depth;
}

} // namespace

OverlapWatch::OverlapWatch(const World& world)
    : bodies_(contact_bodies(world))
{
    for (int b = bodies_.first_rigid(); b < bodies_.count(); ++b)
        if (std::optional<FlatFacedSolid> solid = flat_faced(bodies_.solid(b)))
            solids_.push_back({b, smallest_size(bodies_.solid(b)), bounds(bodies_.solid(b)), std::move(*solid)});
}

std::vector<UnfeltOverlap> OverlapWatch::look(const State& state, const ContactSet& contacts)
{
    std::vector<Frame> frames;
    std::vector<Bounds> boxes;
    for (const Solid& solid : solids_) {
        frames.push_back(frame_of_solid(bodies_, solid.body, state));
        boxes.push_back(placed(solid.box, frames.back()));
    }
    std::map<BodyPair, SeparatingAxis> axes;
    std::vector<UnfeltOverlap> found;
    const BoxTree tree(boxes);
    for (std::size_t i = 0; i < solids_.size(); ++i)
        tree.visit_overlapping(boxes[i], [&](int k) {
            const Solid &a = solids_[i], &b = solids_[k];
            if (a.body >= b.body || !boxes[i].overlaps(boxes[k])
                || !(bodies_.is_pair(a.body, b.body) || bodies_.is_pair(b.body, a.body)))
                return;
            const BodyPair pair(a.body, b.body);
            const double size = std::min(a.size, b.size);
            const Frame b_in_a{frames[i].to_local(frames[k].x), frames[i].R.transpose() * frames[k].R};
            const auto known = axes_.find(pair);
            const AxisOverlap overlap = least_overlap(
                a.shape, b.shape, b_in_a, told * size, known == axes_.end() ? SeparatingAxis{} : known->second);
            axes[pair] = overlap.axis;
            if (overlap.depth > told * size)
                found.push_back({a.body, b.body, overlap.depth, deepest_contact(contacts, pair), size});
        });
    axes_ = std::move(axes);
    std::erase_if(found, [](const UnfeltOverlap& o) { return !(o.depth - o.felt > told * o.size); });
    std::sort(found.begin(), found.end(), [](const UnfeltOverlap& x, const UnfeltOverlap& y) {
        return BodyPair(x.body, x.other) < BodyPair(y.body, y.other);
    });
    return found;
}

} // namespace stickslip
