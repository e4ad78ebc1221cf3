#include "stickslip/contact/edges/crossings_in_step.h"

#include "stickslip/geometry/queries/segment_distance.h"

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

std::optional<AxisCrossing> CrossingsInStep::crossing(
    const ContactStep& step, const CandidatePair& pair, int side, int number, const Frame& old, const Frame& pose) const
{
    const auto [p, s] = pair;
    auto at = axis_crossing(
        step.bodies.solid(p), sides_[p][side], old, pose, tubes_[s].tubes[number], distance_to(step.bodies, s));
    if (at) {
        at->side = side;
        at->tube = number;
    }
    return at;
}

std::vector<CrossedTube> CrossingsInStep::crossings(const ContactStep& step, const CandidatePair& pair) const
{
    const auto [p, s] = pair;
    const Frame next = relative(step.start.next_frame(s), step.start.next_frame(p)), old = old_pose(step, pair);
    const int point = step.bodies.axis_point(p);
    const std::span<const Attachment> kept = step.start.kept_of(pair, point, point + 1);
    std::vector<CrossedTube> crossings;
    const auto add = [&](const AxisCrossing& at) {
        CrossedTube& c = crossings.emplace_back(CrossedTube{at, nullptr});
        for (const Attachment& a : kept)
            if (a.slot == slot(pair, at))
                c.kept = &a;
    };
    const auto has_grown = [&](int side, int number) {
        return std::any_of(grown_.begin(), grown_.end(),
            [&](const Grown& g) { return g.pair == pair && g.at.side == side && g.at.tube == number; });
    };
    for (std::size_t i = 0; i < sides_[p].size(); ++i)
        for (const int number : tubes_near(step.bodies, pair, sides_[p][i], old, next)) {
            const int side = static_cast<int>(i);
            if (const auto at = crossing(step, pair, side, number, old, next); at && !has_grown(side, number))
                add(*at);
        }
    for (const Grown& grown : grown_) // some of them far from where they were predicted
        if (grown.pair == pair)
            add(grown.at);
    const auto by_slot = [&](const CrossedTube& a, const CrossedTube& b) {
        return slot(pair, a.at) < slot(pair, b.at);
    };
    std::sort(crossings.begin(), crossings.end(), by_slot);
    return crossings;
}

bool CrossingsInStep::grow(const ContactStep& step, std::span<const ContactTask> tasks)
{
    constexpr double much_smaller = 0.1;
    bool any = false;
    for (const ContactTask& task : tasks) {
        const auto [p, s] = task.pair;
        if (task.kind != ContactKind::axis_on_solid || !task.has_begun || !boxes_meet(step.boxes[p], step.boxes[s]))
            continue;
        const Frame old = old_pose(step, task.pair), now = pose_now(step, task.pair);
        const auto add = [&](int side, int number) {
            const auto at = crossing(step, task.pair, side, number, old, now);
            if (!at || !(at->depth > 0))
                return;
            const auto is_this = [&](const CrossedTube& c) { return c.at.side == side && c.at.tube == number; };
            const auto listed = std::find_if(task.crossings.begin(), task.crossings.end(), is_this);
            if (listed != task.crossings.end() && (listed->kept || listed->at.share >= much_smaller * at->share))
                return;
            std::erase_if(grown_,
                [&](const Grown& g) { return g.pair == task.pair && g.at.side == side && g.at.tube == number; });
            grown_.push_back({task.pair, *at});
            any = true;
        };
        for (std::size_t side = 0; side < sides_[p].size(); ++side)
            for (const int number : tubes_near(step.bodies, task.pair, sides_[p][side], old, now))
                add(static_cast<int>(side), number);
    }
    return any;
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
    const SurfaceMotionInStep motion = step.motion(task.pair);
    const Frame old = old_pose(step, task.pair), now = pose_now(step, task.pair);
    const int point = step.bodies.axis_point(p);
    const double mu = step.bodies.friction(p, s);
    for (const CrossedTube& c : task.crossings) {
        const double k = c.at.share * step.bodies.stiffness(p, s, point);
        auto at = relax_axis(motion, sides_[p][c.at.side], tubes_[s].tubes[c.at.tube], old, now, c.kept, mu, k);
        if (!at)
            continue;
        at->slot = slot(task.pair, c.at);
        task.add(point, c.at.share * step.stiffness(task.pair, point, *at), *at, step);
    }
}

} // namespace stickslip
