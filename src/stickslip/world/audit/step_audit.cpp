#include "stickslip/world/audit/step_audit.h"

#include "stickslip/contact/relax/rim_share.h"
#include "stickslip/geometry/queries/overlap_on_way.h"
#include "stickslip/world/audit/particle_passage.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace stickslip {

namespace {

constexpr double far = 0.1; // [-] of the smaller body

BodyPair pair_of(int a, int b)
{
    return std::minmax(a, b);
}

// The deepest of each pair.
std::vector<UnfeltOverlap> deepest_by_pair(std::vector<UnfeltOverlap> overlaps)
{
    const auto key = [](const UnfeltOverlap& o) { return std::tuple(o.body, o.other, -o.depth); };
    std::sort(overlaps.begin(), overlaps.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    const auto is_same = [](const auto& a, const auto& b) { return a.body == b.body && a.other == b.other; };
    overlaps.erase(std::unique(overlaps.begin(), overlaps.end(), is_same), overlaps.end());
    return overlaps;
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
        if (const Bounds box = bounds(bodies_.solid(b)); box.is_finite()) {
            if (!std::holds_alternative<OpenSurface>(bodies_.solid(b))) // which has no inside
                size_[b] = (box.max - box.min).minCoeff();
            reach_[b] = box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).norm();
            smallest_ = std::min(smallest_, size_[b]);
        }
}

// Whether some pair may have.
bool StepAudit::some_came_far()
{
    double longest = 0;
    for (int b = bodies_.first_rigid(); b < bodies_.count(); ++b) {
        const Frame old = old_frame(b), now = frame(b);
        way_[b] = (now.x - old.x).norm() + (now.R - old.R).norm() * reach_[b];
        longest = std::max(longest, way_[b]);
    }
    return !world_->rigids.empty() && 2 * longest > far * smallest_;
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
    if (a < bodies_.first_rigid() || b >= bodies_.count())
        return false;
    const double least = far * size(pair);
    return way_[a] + way_[b] > least && way_together(pair) > least;
}

// Of two polyhedra it is decided at the start of a step which features meet, and from where.
bool StepAudit::is_audited(const BodyPair& pair) const
{
    return !bodies_.are_polyhedra(pair.first, pair.second) && came_far(pair);
}

double StepAudit::size(const BodyPair& pair) const
{
    return std::min(size_[pair.first], size_[pair.second]);
}

// Pairs of which one went through the other.
std::vector<UnfeltOverlap> StepAudit::passed()
{
    std::vector<UnfeltOverlap> passed;
    passages_.look(*before_, *after_);
    std::vector<Entered> entered;
    for (const auto& [mover, other] : passages_.passages(touching_pairs(after_->attachments), entered))
        if (const BodyPair pair = pair_of(mover, other); came_far(pair))
            passed.push_back({pair.first, pair.second, size(pair), 0});
    return passed;
}

// Contacts that are kept and whose point comes from behind the tangent plane, with its depth there. Bodies that did not
// overlap as deep when the step began may have passed their middles in it, and are pushed on then. But what is round
// reaches behind its tangent plane: a point that goes around it comes from there as well.
std::vector<UnfeltOverlap> StepAudit::met_from_behind(const ContactSet& contacts) const
{
    std::vector<UnfeltOverlap> met;
    contacts.for_each_contact([&](const Contact& c) {
        const BodyPair pair = pair_of(c.point_body, c.surface_body);
        if (c.at.passes || !is_audited(pair))
            return;
        const Frame of_surface = frame(c.surface_body), old_of_surface = old_frame(c.surface_body);
        const Vec3 Z_old = old_frame(c.point_body).to_world(frame(c.point_body).to_local(c.Z));
        const Vec3 way = of_surface.to_local(c.Z) - old_of_surface.to_local(Z_old); // as the surface sees it
        const double behind = c.at.depth + (of_surface.R.transpose() * c.at.n).dot(way);
        if (behind > far * size(pair))
            met.push_back({pair.first, pair.second, behind, c.at.depth});
    });
    return met;
}

// Whether the two overlap by more than that [m] on their way.
bool StepAudit::went_past(const BodyPair& pair, double allowed)
{
    constexpr int most = 64; // what comes farther than so many quarters of a size is found by its passage
    const int steps = static_cast<int>(std::min<double>(most, 1 + way_together(pair) / (0.25 * size(pair))));
    const auto way = [&](int body) { return WayOfBody{old_frame(body), frame(body)}; };
    return overlap_on_way(way(pair.first), way(pair.second), steps, allowed, [&](const Frame& first_in_second) {
        return overlaps_.depth(pair, first_in_second);
    }) > 0;
}

std::vector<UnfeltOverlap> StepAudit::missed(const State& before, const State& after, const ContactSet& contacts)
{
    before_ = &before;
    after_ = &after;
    std::vector<UnfeltOverlap> missed = missed_by_solids(contacts);
    for (const LostParticle& lost : passed_particles(bodies_, before, after, contacts))
        missed.push_back({lost.other, lost.body, smallest_size(bodies_.solid(lost.other)), 0});
    return missed;
}

std::vector<UnfeltOverlap> StepAudit::missed_by_solids(const ContactSet& contacts)
{
    if (!some_came_far())
        return {};
    std::vector<UnfeltOverlap> missed = passed();
    const std::vector<UnfeltOverlap> met = met_from_behind(contacts);
    const std::vector<BodyOverlap> now =
        overlaps_.look(*after_, [&](const BodyPair& pair) { return is_audited(pair); });
    const auto is_unfelt = [&](const BodyOverlap& o) { return overlaps_.is_unfelt(o); };
    if (met.empty() && std::none_of(now.begin(), now.end(), is_unfelt))
        return missed;
    std::map<BodyPair, BodyOverlap> old;
    for (const BodyOverlap& o : overlaps_.look(*before_, [&](const BodyPair& pair) { return is_audited(pair); }))
        old.emplace(BodyPair(o.body, o.other), o);
    for (const UnfeltOverlap& m : met) {
        const auto was = old.find({m.body, m.other});
        const double least = (was == old.end() ? 0 : was->second.depth) + far * size({m.body, m.other});
        if (m.depth > least && went_past({m.body, m.other}, least))
            missed.push_back({m.body, m.other, std::min(m.depth, size({m.body, m.other})), m.felt});
    }
    for (const BodyOverlap& o : now) {
        const auto was = old.find({o.body, o.other});
        if (is_unfelt(o) && (was == old.end() || (!is_unfelt(was->second) && o.depth > was->second.depth)))
            missed.push_back({o.body, o.other, o.depth, o.felt});
    }
    return deepest_by_pair(std::move(missed));
}

} // namespace stickslip
