#include "stickslip/contact/edges/crossings_in_step.h"

#include "stickslip/bodies/round_shapes.h"
#include "stickslip/geometry/queries/segment_distance.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <numeric>

namespace stickslip {

namespace {

// Whether a side may come nearer to a tube than by its radius, on its way from one pose of its frame to another.
bool is_near(const RoundSide& side, const Frame& old, const Frame& now, const Tube& tube)
{
    const Vec3 half = 0.5 * side.height * Vec3::UnitY(), start = old.to_world(-half), end = old.to_world(half);
    const double way = std::max((now.to_world(-half) - start).norm(), (now.to_world(half) - end).norm());
    const double reach = 1.1 * side.radius + tube.radius + way;
    return segment_distance(start, end - start, tube.start, tube.along) < reach;
}

// Of the point body in the frame of the surface body, at the start of the step.
Frame old_pose(const ContactStep& step, const CandidatePair& pair)
{
    return relative(step.start.frame(pair.surface_body), step.start.frame(pair.point_body));
}

Frame pose_now(const ContactStep& step, const CandidatePair& pair)
{
    return relative(step.frame(pair.surface_body), step.frame(pair.point_body));
}

// The two in the order in which the first has sides that the other's tubes lie across.
std::optional<CandidatePair> with_side_first(const ContactBodies& bodies, const CandidatePair& pair)
{
    const auto [p, s] = pair;
    if (bodies.crosses_by_axis(p, s))
        return pair;
    return bodies.crosses_by_axis(s, p) ? std::optional(CandidatePair{s, p}) : std::nullopt;
}

// Crossings of the last step.
std::span<const Attachment> kept(const ContactStep& step, const CandidatePair& pair)
{
    const int point = step.bodies.axis_point(pair.point_body);
    return step.start.kept_of(pair, point, point + 1);
}

const Attachment* with_slot(std::span<const Attachment> attachments, int slot)
{
    const auto found = std::ranges::find(attachments, slot, &Attachment::slot);
    return found == attachments.end() ? nullptr : &*found;
}

bool asks_for_crossings(ContactKind kind)
{
    return kind == ContactKind::axis_on_solid || kind == ContactKind::ball_on_solid || kind == ContactKind::ball_on_mesh
        || kind == ContactKind::rim_on_solid || kind == ContactKind::rim_on_mesh;
}

} // namespace

CrossingsInStep::CrossingsInStep(const ContactBodies& bodies)
    : sides_(bodies.count())
    , tubes_(bodies.count())
{
    for (int body = bodies.first_rigid(); body < bodies.count(); ++body) {
        sides_[body] = round_sides(bodies.solid(body));
        tubes_[body] = bodies.is_of_triangles(body)
            ? mesh_tubes(bodies.triangles(body)->topology, bodies.is_sheet(body))
            : MeshTubes{tubes(bodies.solid(body)), {}};
    }
}

std::vector<int> CrossingsInStep::tubes_near(const ContactBodies& bodies, const CandidatePair& pair,
    const RoundSide& side, const Frame& old, const Frame& pose) const
{
    const auto [p, s] = pair;
    const Frame own_old = composed(old, side.frame), own_now = composed(pose, side.frame);
    std::vector<int> numbers;
    if (bodies.is_of_triangles(s)) {
        numbers = stickslip::tubes_near(*bodies.triangles(s), tubes_[s], side, own_old, own_now);
    } else {
        numbers.resize(tubes_[s].tubes.size());
        std::iota(numbers.begin(), numbers.end(), 0);
    }
    if (sides_[p].size() > 1) // most tubes are far from most sides
        std::erase_if(numbers, [&](int i) { return !is_near(side, own_old, own_now, tubes_[s].tubes[i]); });
    return numbers;
}

template <typename Visit>
void CrossingsInStep::for_each_crossing(
    const ContactStep& step, const CandidatePair& pair, const Frame& old, const Frame& pose, const Visit& visit) const
{
    const auto [p, s] = pair;
    const DistanceToSolid distance = distance_to(step.bodies, s);
    const std::span<const Attachment> all_kept = kept(step, pair);
    for (int i = 0; i < static_cast<int>(sides_[p].size()); ++i)
        for (const int tube : tubes_near(step.bodies, pair, sides_[p][i], old, pose)) {
            const bool is_kept = with_slot(all_kept, slot(pair, i, tube)) != nullptr;
            if (auto at = axis_crossing(
                    step.bodies.solid(p), sides_[p][i], old, pose, tubes_[s].tubes[tube], distance, is_kept)) {
                at->side = i;
                at->tube = tube;
                visit(*at);
            }
        }
}

CrossingsInStep::CrossedTube CrossingsInStep::crossed(
    const ContactStep& step, const CandidatePair& pair, const AxisCrossing& at) const
{
    return {at, with_slot(kept(step, pair), slot(pair, at.side, at.tube))};
}

void CrossingsInStep::set_places(const ContactStep& step, const CandidatePair& pair, PairCrossings& crossings) const
{
    crossings.places.clear();
    const auto [p, s] = pair;
    const bool is_one = round_side(step.bodies.solid(p)).has_value() && !step.bodies.is_of_triangles(s);
    for (const CrossedTube& c : crossings.tubes) {
        const double share = c.at.share * c.at.alone;
        std::array<double, 2> along = {0, 0};
        if (is_one)
            along = {c.at.share * c.at.along[0], c.at.share * c.at.along[1]};
        if (!(share > 0 || along[0] > 0 || along[1] > 0))
            continue;
        const RoundSide& side = sides_[p][c.at.side];
        crossings.places.push_back({step.start.frame(s).to_world(c.at.place), c.at.radius, share, along,
            tubes_[s].tubes[c.at.tube].faces, apart_along(side.height, side.radius)});
    }
}

CrossingsInStep::PairCrossings CrossingsInStep::crossings(const ContactStep& step, const CandidatePair& pair) const
{
    const auto [p, s] = pair;
    const Frame next = relative(step.start.next_frame(s), step.start.next_frame(p));
    PairCrossings crossings;
    for_each_crossing(step, pair, old_pose(step, pair), next,
        [&](const AxisCrossing& at) { crossings.tubes.push_back(crossed(step, pair, at)); });
    set_places(step, pair, crossings);
    return crossings;
}

std::vector<AxisCrossing> CrossingsInStep::grown(const ContactStep& step, const CandidatePair& pair) const
{
    constexpr double much_smaller = 0.1;
    const std::vector<CrossedTube>& listed = of_pairs_.at(pair).tubes;
    std::vector<AxisCrossing> grown;
    for_each_crossing(step, pair, old_pose(step, pair), pose_now(step, pair), [&](const AxisCrossing& at) {
        const auto is_known = [&](const CrossedTube& c) {
            return slot(pair, c.at) == slot(pair, at) && (c.kept || c.at.share >= much_smaller * at.share);
        };
        if (at.depth > 0 && std::none_of(listed.begin(), listed.end(), is_known))
            grown.push_back(at);
    });
    return grown;
}

void CrossingsInStep::prepare(const ContactStep& step, std::span<ContactTask* const> tasks)
{
    std::vector<std::map<CandidatePair, PairCrossings>::value_type*> found;
    for (const ContactTask* task : tasks)
        if (!task->has_begun && asks_for_crossings(task->kind))
            if (const auto pair = with_side_first(step.bodies, task->pair))
                if (const auto [at, is_new] = of_pairs_.try_emplace(*pair); is_new)
                    found.push_back(&*at);
    parallel_for(
        found.size(), [&](std::size_t i) { found[i]->second = crossings(step, found[i]->first); }, 1);
}

bool CrossingsInStep::grow(const ContactStep& step, std::span<const ContactTask> tasks)
{
    std::vector<CandidatePair> pairs;
    for (const ContactTask& task : tasks)
        if (task.kind == ContactKind::axis_on_solid && task.has_begun
            && boxes_meet(step.boxes[task.pair.point_body], step.boxes[task.pair.surface_body]))
            pairs.push_back(task.pair);
    std::vector<std::vector<AxisCrossing>> grown_of(pairs.size());
    parallel_for(
        pairs.size(), [&](std::size_t i) { grown_of[i] = grown(step, pairs[i]); }, 1);
    bool any = false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (grown_of[i].empty())
            continue;
        PairCrossings& crossings = of_pairs_.at(pairs[i]);
        for (const AxisCrossing& at : grown_of[i]) {
            const auto by_slot = [&](const CrossedTube& c, int slot_of_new) {
                return slot(pairs[i], c.at) < slot_of_new;
            };
            const auto place =
                std::lower_bound(crossings.tubes.begin(), crossings.tubes.end(), slot(pairs[i], at), by_slot);
            const CrossedTube tube = crossed(step, pairs[i], at);
            if (place != crossings.tubes.end() && slot(pairs[i], place->at) == slot(pairs[i], at))
                *place = tube;
            else
                crossings.tubes.insert(place, tube);
        }
        set_places(step, pairs[i], crossings);
        any = true;
    }
    return any;
}

std::span<const CarriedPlace> CrossingsInStep::carried_places(const ContactStep& step, const CandidatePair& pair) const
{
    const auto own = with_side_first(step.bodies, pair);
    return own ? std::span(of_pairs_.at(*own).places) : std::span<const CarriedPlace>();
}

void CrossingsInStep::run(const ContactStep& step, ContactTask& task) const
{
    const auto [p, s] = task.pair;
    task.has_begun = true;
    const std::vector<CrossedTube>& crossed_tubes = of_pairs_.at(task.pair).tubes;
    if (crossed_tubes.empty())
        return;
    const SurfaceMotionInStep motion = step.motion(task.pair);
    const Frame old = old_pose(step, task.pair), now = pose_now(step, task.pair);
    const int point = step.bodies.axis_point(p);
    const double mu = step.bodies.friction(p, s);
    for (const CrossedTube& c : crossed_tubes) {
        const double k = c.at.share * step.bodies.stiffness(p, s, point);
        auto at = relax_axis(motion, sides_[p][c.at.side], tubes_[s].tubes[c.at.tube], old, now, c.kept, mu, k);
        if (!at)
            continue;
        at->slot = slot(task.pair, c.at);
        task.add(point, c.at.share * step.stiffness(task.pair, point, *at), *at, step);
    }
}

} // namespace stickslip
