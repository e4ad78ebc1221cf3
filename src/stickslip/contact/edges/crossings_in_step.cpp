#include "stickslip/contact/edges/crossings_in_step.h"

#include <algorithm>
#include <numeric>

namespace stickslip {

namespace {

DistanceToSolid distance_to(const ContactBodies& bodies, int body)
{
    if (bodies.is_of_triangles(body))
        return [surface = bodies.triangles(body), is_sheet = bodies.is_sheet(body)](
                   const Vec3& x) { return distance_from(*surface, is_sheet, x); };
    return [&solid = bodies.solid(body)](const Vec3& x) { return signed_distance(solid, x); };
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

} // namespace

CrossingsInStep::CrossingsInStep(const ContactBodies& bodies)
    : tubes_(bodies.count())
{
    for (int body = bodies.first_rigid(); body < bodies.count(); ++body)
        tubes_[body] = bodies.is_of_triangles(body)
            ? mesh_tubes(bodies.triangles(body)->topology, bodies.is_sheet(body))
            : MeshTubes{tubes(bodies.solid(body)), {}};
}

std::vector<int> CrossingsInStep::tubes_near(
    const ContactBodies& bodies, const CandidatePair& pair, const Frame& old, const Frame& pose) const
{
    const auto [p, s] = pair;
    if (bodies.is_of_triangles(s))
        return stickslip::tubes_near(*bodies.triangles(s), tubes_[s], *round_side(bodies.solid(p)), old, pose);
    std::vector<int> all(tubes_[s].tubes.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::vector<CrossedTube> CrossingsInStep::crossings(const ContactStep& step, const CandidatePair& pair) const
{
    const auto [p, s] = pair;
    const Frame next = relative(step.start.next_frame(s), step.start.next_frame(p)), old = old_pose(step, pair);
    const int point = step.bodies.axis_point(p);
    const std::span<const Attachment> kept = step.start.kept_of(pair, point, point + 1);
    std::vector<CrossedTube> crossings;
    for (const int i : tubes_near(step.bodies, pair, old, next)) {
        auto at = axis_crossing(step.bodies.solid(p), old, next, tube(s, i), i, distance_to(step.bodies, s));
        for (const Grown& grown : grown_)
            if (grown.pair == pair && grown.at.tube == i)
                at = grown.at;
        if (!at)
            continue;
        CrossedTube& c = crossings.emplace_back(CrossedTube{*at, nullptr});
        for (const Attachment& a : kept)
            if (a.slot == at->tube)
                c.kept = &a;
    }
    return crossings;
}

bool CrossingsInStep::grow(const ContactStep& step, std::span<const ContactTask> tasks)
{
    constexpr double much_smaller = 0.1;
    const std::size_t known = grown_.size();
    for (const ContactTask& task : tasks) {
        const auto [p, s] = task.pair;
        if (task.kind != ContactKind::axis_on_solid || !task.has_begun || !boxes_meet(step.boxes[p], step.boxes[s]))
            continue;
        const Frame old = old_pose(step, task.pair), now = pose_now(step, task.pair);
        for (const int number : tubes_near(step.bodies, task.pair, old, now)) {
            const auto at =
                axis_crossing(step.bodies.solid(p), old, now, tube(s, number), number, distance_to(step.bodies, s));
            if (!at || !(at->depth > 0))
                continue;
            const auto is_this = [&](const CrossedTube& c) { return c.at.tube == number; };
            const auto listed = std::find_if(task.crossings.begin(), task.crossings.end(), is_this);
            if (listed == task.crossings.end() || (!listed->kept && listed->at.share < much_smaller * at->share))
                grown_.push_back({task.pair, *at});
        }
    }
    return grown_.size() > known;
}

std::vector<CarriedPlace> CrossingsInStep::carried_places(const ContactStep& step, const CandidatePair& pair) const
{
    const auto [p, s] = pair;
    const bool is_back = !step.bodies.crosses_by_axis(p, s);
    if (is_back && !step.bodies.crosses_by_axis(s, p))
        return {};
    const CandidatePair own = is_back ? CandidatePair{s, p} : pair;
    std::vector<CarriedPlace> places;
    for (const CrossedTube& c : crossings(step, own))
        if (const double share = c.at.share * c.at.alone; share > 0)
            places.push_back({step.start.frame(own.surface_body).to_world(c.at.place), c.at.radius, share});
    return places;
}

void CrossingsInStep::run(const ContactStep& step, ContactTask& task) const
{
    const auto [p, s] = task.pair;
    if (!task.has_begun) {
        task.has_begun = true;
        task.crossings = crossings(step, task.pair);
    }
    if (task.crossings.empty())
        return;
    const RoundSide side = *round_side(step.bodies.solid(p));
    const SurfaceMotionInStep motion = step.motion(task.pair);
    const Frame old = old_pose(step, task.pair), now = pose_now(step, task.pair);
    const int point = step.bodies.axis_point(p);
    const double mu = step.bodies.friction(p, s);
    for (const CrossedTube& c : task.crossings) {
        const double k = c.at.share * step.bodies.stiffness(p, s, point);
        auto at = relax_axis(motion, side, tube(s, c.at.tube), old, now, c.kept, mu, k);
        if (!at)
            continue;
        at->slot = c.at.tube;
        task.add(point, c.at.share * step.stiffness(task.pair, point, *at), *at, step);
    }
}

} // namespace stickslip
