#include "stickslip/world/audit/step_audit.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr double far = 0.1; // [-] of the smaller body

BodyPair pair_of(int a, int b)
{
    return std::minmax(a, b);
}

std::vector<BodyPair> touching_pairs(const std::vector<Attachment>& attachments)
{
    std::vector<BodyPair> pairs;
    for (const Attachment& a : attachments)
        pairs.push_back(pair_of(a.point_body, a.surface_body));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

} // namespace

StepAudit::StepAudit(const World& world)
    : world_(&world)
    , bodies_(contact_bodies(world))
    , passages_(world)
    , overlaps_(world, bodies_.first_rigid())
    , size_(bodies_.count(), infinity)
    , reach_(bodies_.count(), 0)
    , way_(bodies_.count(), 0)
{
    for (int b = bodies_.first_rigid(); b < bodies_.count(); ++b)
        if (const Bounds box = bounds(bodies_.solid(b)); is_bounded(box)) {
            size_[b] = (box.max - box.min).minCoeff();
            reach_[b] = box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).norm();
            smallest_ = std::min(smallest_, size_[b]);
        }
}

void StepAudit::look(const State& before, const State& after)
{
    before_ = &before;
    after_ = &after;
    double longest = 0;
    for (int b = bodies_.first_rigid(); b < bodies_.count(); ++b) {
        const Frame old = old_frame(b), now = frame(b);
        way_[b] = (now.x - old.x).norm() + (now.R - old.R).norm() * reach_[b];
        longest = std::max(longest, way_[b]);
    }
    any_far_ = !world_->rigids.empty() && 2 * longest > far * smallest_;
}

// No point of the one came farther towards the other.
double StepAudit::way_together(const BodyPair& pair) const
{
    const auto [a, b] = pair;
    const Vec3 way = (frame(a).x - old_frame(a).x) - (frame(b).x - old_frame(b).x);
    double turn = 0;
    for (const int body : {a, b})
        turn += (frame(body).R - old_frame(body).R).norm() * reach_[body];
    return way.norm() + turn;
}

bool StepAudit::came_far(const BodyPair& pair) const
{
    const auto [a, b] = pair;
    if (!is_audited(a) || !is_audited(b))
        return false;
    const double least = far * std::min(size_[a], size_[b]);
    return way_[a] + way_[b] > least && way_together(pair) > least;
}

std::vector<UnfeltOverlap> StepAudit::missed()
{
    std::vector<UnfeltOverlap> missed;
    if (!any_far_)
        return missed;
    passages_.look(*before_, *after_);
    std::vector<Entered> entered;
    for (const auto& [mover, other] : passages_.passages(touching_pairs(after_->attachments), entered))
        if (const auto [a, b] = pair_of(mover, other); came_far({a, b}))
            missed.push_back({a, b, std::min(size_[a], size_[b]), 0});
    const auto passing = [&](const State& state, const auto& is_wanted) {
        std::vector<BodyOverlap> found = overlaps_.look(state, is_wanted);
        std::erase_if(found, [&](const BodyOverlap& o) { return !overlaps_.pass_through(o); });
        return found;
    };
    const std::vector<BodyOverlap> now = passing(*after_,
        [&](const BodyPair& pair) { return !bodies_.are_polyhedra(pair.first, pair.second) && came_far(pair); });
    if (now.empty())
        return missed;
    const std::vector<BodyOverlap> old = passing(*before_, [&](const BodyPair& pair) { return came_far(pair); });
    for (const BodyOverlap& o : now)
        if (std::none_of(
                old.begin(), old.end(), [&](const BodyOverlap& b) { return b.body == o.body && b.other == o.other; }))
            missed.push_back({o.body, o.other, o.depth, o.felt});
    return missed;
}

} // namespace stickslip
