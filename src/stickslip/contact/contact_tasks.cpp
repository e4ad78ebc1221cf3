#include "stickslip/contact/contact_set.h"
#include "stickslip/contact/points/posed_circle.h"
#include "stickslip/contact/surfaces/mesh_surface.h"

#include <numeric>

// What a task finds: the points of one body against the surface of another.
namespace stickslip {

double ContactSet::stiffness(const CandidatePair& pair, int point, const SurfaceContact& at) const
{
    return stiffness_factor_ * at.stiffness_scale * bodies_.stiffness(pair.point_body, pair.surface_body, point);
}

Vec3 ContactSet::scripted_way(const Contact& c) const
{
    Vec3 way = c.at.belt;
    if (bodies_.is_obstacle(c.surface_body))
        way += start_.way_of_obstacle(c.surface_body, c.at.Y);
    if (bodies_.is_obstacle(c.point_body))
        way -= start_.way_of_obstacle(c.point_body, c.Z);
    return way;
}

void ContactSet::run(Task& task, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const
{
    task.contacts.clear();
    switch (task.kind) {
    case ContactKind::polyhedra:
        return run_polyhedra(task, rigid);
    case ContactKind::edges:
        return run_on_edges(task, x, rigid);
    case ContactKind::point_on_soft:
        return run_on_patches(task, x, rigid);
    case ContactKind::point_on_mesh:
        return run_on_mesh(task, x, rigid);
    case ContactKind::ball_on_soft:
        return run_balls_on_soft_body(task, *soft_body(task.pair.surface_body), rigid);
    case ContactKind::ball_on_mesh:
        return run_balls_on_triangles(task, rigid);
    case ContactKind::rim_on_mesh:
        return run_rims_on_triangles(task, rigid);
    case ContactKind::axis_on_solid:
        return run_axis(task, rigid);
    case ContactKind::rim_on_solid:
        return run_rims(task, surface_in_step(task.pair), rigid);
    case ContactKind::ball_on_solid:
        return run_rounds(task, surface_in_step(task.pair), rigid);
    case ContactKind::point_on_solid:
        return run_points(task, surface_in_step(task.pair), x, rigid);
    }
}

void ContactSet::add(
    Task& task, int point, double k, const PoseContact& at, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    task.contacts.add(p, s, point, k, at, side(p, point, rigid), side(s, point, rigid));
}

LevelSetSurface ContactSet::surface_in_step(const CandidatePair& pair) const
{
    LevelSetSurface at = surface(pair);
    at.place(motion(pair));
    return at;
}

void ContactSet::begin_points(Task& task, const LevelSetSurface& surface) const
{
    const auto [p, s] = task.pair;
    const std::size_t count = task.end - task.begin;
    StepPoints& points = task.points;
    task.has_begun = true;
    task.mu = bodies_.friction(p, s);
    points.way_in = surface.way_in(start_.level_depth(task.pair), start_.half_width(p));
    const bool is_lain_on = bodies_.is_of_triangles(p) && bodies_.crosses_by_axis(s, p);
    points.skips_between =
        is_lain_on || bodies_.meets_by_ends(p, s) || (bodies_.meets_by_rims(p, s) && start_.lies_on_face({s, p}));
    points.before.reset();
    points.start.assign(count, std::nullopt);
    points.seen.resize(count);
    points.kept.resize(count);
    const std::span<const SurfaceSample> samples = bodies_.samples(p);
    const Frame& solid = surface.motion().old_frame;
    const Frame seen = samples.empty() ? Frame{} : relative(solid, start_.point_frame(p));
    std::size_t next = start_.first_kept(task.pair, task.begin);
    for (std::size_t i = 0; i < count; ++i) {
        const int point = task.begin + static_cast<int>(i);
        points.kept[i] = start_.kept_of(task.pair, point, next);
        points.seen[i] = samples.empty() ? solid.to_local(start_.place(p, point)) : seen.to_world(samples[point].z);
    }
}

const ContactSet::StepPoints::Start& ContactSet::start_of_point(Task& task, int i, const LevelSetSurface& surface) const
{
    const auto [p, s] = task.pair;
    const int point = task.begin + i;
    StepPoints& points = task.points;
    if (!points.start[i]) {
        PointSurface own;
        if (!points.kept[i]) {
            if (!points.before)
                points.before = start_.stands_before(task.pair);
            own = start_.surface(task.pair, point);
            own.before = *points.before;
        }
        points.start[i] = {surface.start_of(start_.place(p, point), own), bodies_.stiffness(p, s, point)};
    }
    return *points.start[i];
}

void ContactSet::run_points(
    Task& task, const LevelSetSurface& surface, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    if (!task.has_begun)
        begin_points(task, surface);
    const StepPoints& points = task.points;
    const std::span<const SurfaceSample> samples = bodies_.samples(p);
    const PoseChange pose = pose_change(p, rigid);
    const Frame& solid = surface.motion().frame;
    const Frame seen = relative(solid, pose.now);
    for (int i = 0; i < task.end - task.begin; ++i) {
        const int point = task.begin + i;
        const Attachment* attachment = points.kept[i];
        const auto passes_by = [&](const Vec3& U) {
            return !attachment && LevelSetSurface::passes_by(points.way_in, points.seen[i], U);
        };
        Vec3 Z;
        if (samples.empty()) {
            Z = x[bodies_.place(p, point)];
            if (passes_by(solid.to_local(Z)))
                continue;
        } else {
            if (points.skips_between && (samples[point].flat || samples[point].between))
                continue;
            const Vec3& z = samples[point].z;
            if (passes_by(seen.to_world(z))) // most, which is seen at less cost than where they are
                continue;
            Z = pose.now.to_world(z);
        }
        const StepPoints::Start& start = start_of_point(task, i, surface);
        auto at = surface.relax(start.of_surface, Z, attachment, task.mu);
        if (!at)
            continue;
        add(task, point, stiffness_factor_ * at->stiffness_scale * start.k, at_point(*at, Z), rigid);
    }
}

void ContactSet::run_balls_on_triangles(Task& task, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    const MeshSurface surface(*bodies_.triangles(s), motion(task.pair));
    if (!task.has_begun) {
        task.has_begun = true;
        task.left = left_by_crossings(task.pair);
    }
    if (task.left == 0)
        return;
    const PoseChange pose = pose_change(p, rigid);
    const Vec3 phi = turn(p, rigid) - turn(s, rigid);
    for (int point = task.begin; point < task.end; ++point) {
        const RoundPoint& ball = bodies_.rounds(p)[point - bodies_.first_ball(p)];
        surface.relax_ball(pose.old.to_world(ball.centre), pose.now.to_world(ball.centre), ball.radius, phi,
            start_.kept_of(task.pair, point, point + 1), bodies_.friction(p, s), task.search, task.touches);
        for (const PoseContact& at : task.touches)
            add(task, point, task.left * stiffness(task.pair, point, at), at, rigid);
    }
}

void ContactSet::run_rounds(Task& task, const LevelSetSurface& surface, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    if (!task.has_begun) {
        task.has_begun = true;
        task.left = left_by_crossings(task.pair);
    }
    if (task.left == 0)
        return;
    const bool only_ends = bodies_.meets_by_ends(p, s);
    const double mu = bodies_.friction(p, s);
    const PoseChange pose = pose_change(p, rigid);
    const Vec3 phi = turn(p, rigid) - turn(s, rigid);
    std::size_t next = start_.first_kept(task.pair, task.begin);
    for (int point = task.begin; point < task.end; ++point) {
        const RoundPoint& ball = bodies_.rounds(p)[point - bodies_.first_ball(p)];
        if (ball.between && only_ends)
            continue;
        auto at = surface.relax_round(pose.old.to_world(ball.centre), pose.now.to_world(ball.centre), ball.radius, phi,
            start_.kept_of(task.pair, point, next), mu);
        if (!at)
            continue;
        add(task, point, task.left * stiffness(task.pair, point, *at), *at, rigid);
    }
}

std::vector<int> ContactSet::tubes_near(const CandidatePair& pair, const Frame& old, const Frame& pose) const
{
    const auto [p, s] = pair;
    if (bodies_.is_of_triangles(s))
        return stickslip::tubes_near(*bodies_.triangles(s), tubes_[s], *round_side(bodies_.solid(p)), old, pose);
    std::vector<int> all(tubes_[s].tubes.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

DistanceToSolid ContactSet::distance_to(int body) const
{
    if (bodies_.is_of_triangles(body))
        return [surface = bodies_.triangles(body), is_sheet = bodies_.is_sheet(body)](
                   const Vec3& x) { return distance_from(*surface, is_sheet, x); };
    return [&solid = bodies_.solid(body)](const Vec3& x) { return signed_distance(solid, x); };
}

std::vector<ContactSet::CrossedTube> ContactSet::crossings(const CandidatePair& pair) const
{
    const auto [p, s] = pair;
    const Frame next = relative(next_frame(s), next_frame(p)), old = relative(start_.frame(s), start_.frame(p));
    const int point = bodies_.axis_point(p);
    const std::span<const Attachment> kept = start_.kept_of(pair, point, point + 1);
    std::vector<CrossedTube> crossings;
    for (const int i : tubes_near(pair, old, next)) {
        auto at = axis_crossing(bodies_.solid(p), old, next, tube(s, i), i, distance_to(s));
        for (const GrownCrossing& grown : grown_crossings_)
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

// What was predicted may not be where the bodies meet: a contact that began in the step has turned one of them.
bool ContactSet::grow_crossings()
{
    constexpr double much_smaller = 0.1;
    const std::size_t known = grown_crossings_.size();
    for (const int i : all_tasks_) {
        const Task& task = tasks_[i];
        const auto [p, s] = task.pair;
        if (task.kind != ContactKind::axis_on_solid || !task.has_begun || !boxes_meet(boxes_[p], boxes_[s]))
            continue;
        const Frame old = relative(start_.frame(s), start_.frame(p)), now = relative(frame(s), frame(p));
        for (const int number : tubes_near(task.pair, old, now)) {
            const auto at = axis_crossing(bodies_.solid(p), old, now, tube(s, number), number, distance_to(s));
            if (!at || !(at->depth > 0))
                continue;
            const auto is_this = [&](const CrossedTube& c) { return c.at.tube == number; };
            const auto listed = std::find_if(task.crossings.begin(), task.crossings.end(), is_this);
            if (listed == task.crossings.end() || (!listed->kept && listed->at.share < much_smaller * at->share))
                grown_crossings_.push_back({task.pair, *at});
        }
    }
    is_listed_ = is_listed_ && grown_crossings_.size() == known;
    return grown_crossings_.size() > known;
}

double ContactSet::left_by_crossings(const CandidatePair& pair) const
{
    const CandidatePair back{pair.surface_body, pair.point_body};
    const bool is_back = !bodies_.crosses_by_axis(pair.point_body, pair.surface_body);
    if (is_back && !bodies_.crosses_by_axis(back.point_body, back.surface_body))
        return 1;
    double left = 1;
    for (const CrossedTube& c : crossings(is_back ? back : pair))
        left = std::min(left, 1 - c.at.share * c.at.alone);
    return left;
}

void ContactSet::run_axis(Task& task, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    if (!task.has_begun) {
        task.has_begun = true;
        task.crossings = crossings(task.pair);
    }
    if (task.crossings.empty())
        return;
    const RoundSide side = *round_side(bodies_.solid(p));
    const SurfaceMotionInStep motion = this->motion(task.pair);
    const Frame old = relative(start_.frame(s), start_.frame(p)), now = relative(frame(s), frame(p));
    const int point = bodies_.axis_point(p);
    const double mu = bodies_.friction(p, s);
    for (const CrossedTube& c : task.crossings) {
        const double k = c.at.share * bodies_.stiffness(p, s, point);
        auto at = relax_axis(motion, side, tube(s, c.at.tube), old, now, c.kept, mu, k);
        if (!at)
            continue;
        at->slot = c.at.tube;
        add(task, point, c.at.share * stiffness(task.pair, point, *at), *at, rigid);
    }
}

void ContactSet::run_rims(Task& task, const LevelSetSurface& surface, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    if (!task.has_begun) {
        task.has_begun = true;
        task.left = left_by_crossings(task.pair);
        task.points.before = start_.stands_before(task.pair);
    }
    if (task.left == 0)
        return;
    const double mu = bodies_.friction(p, s);
    const PoseChange pose = pose_change(p, rigid);
    const bool only_ends = bodies_.meets_by_ends(p, s);
    const double level = start_.level_depth(task.pair);
    const int first = bodies_.first_rim_point(p);
    std::size_t next = start_.first_kept(task.pair, task.begin);
    for (int begin = task.begin; begin < task.end; begin += Rim::point_count) {
        const Rim& rim = bodies_.rims(p)[(begin - first) / Rim::point_count];
        if (!rim.lies_flat && only_ends)
            continue;
        const Frame frame{pose.now.to_world(rim.centre), pose.now.R};
        const LevelSetSurface::RimStart began{{pose.old.to_world(rim.centre), pose.old.R}, level,
            start_.drift(task.pair, pose.old.to_world(rim.centre)), *task.points.before};
        if (!surface.may_touch(rim, frame))
            continue;
        const int end = begin + (rim.lies_flat ? Rim::point_count : Rim::extreme_points);
        const auto add_left = [&](int point, const PoseContact& at) {
            add(task, point, task.left * stiffness(task.pair, point, at), at, rigid);
        };
        surface.relax_rim(
            rim, began, frame, start_.kept_of(task.pair, begin, begin + Rim::extreme_points), begin, mu, task.extremes);
        for (const RimContact& at : task.extremes)
            add_left(begin + at.point, at);
        for (int point = begin + Rim::extreme_points; point < end; ++point) {
            const int i = point - begin - Rim::extreme_points;
            const Attachment* attachment = start_.kept_of(task.pair, point, next);
            if (const auto at = surface.relax_even_point(rim, i, began, frame, attachment, mu))
                add_left(point, *at);
        }
    }
}

void ContactSet::run_rims_on_triangles(Task& task, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    const MeshSurface surface(*bodies_.triangles(s), motion(task.pair));
    if (!task.has_begun) {
        task.has_begun = true;
        task.left = left_by_crossings(task.pair);
    }
    if (task.left == 0)
        return;
    const double mu = bodies_.friction(p, s);
    const PoseChange pose = pose_change(p, rigid);
    const int first = bodies_.first_rim_point(p);
    const auto add_left = [&](int point, const PoseContact& at) {
        add(task, point, task.left * stiffness(task.pair, point, at), at, rigid);
    };
    for (int begin = task.begin; begin < task.end; begin += Rim::point_count) {
        const Rim& rim = bodies_.round_rims(p)[(begin - first) / Rim::point_count];
        const Frame old{pose.old.to_world(rim.centre), pose.old.R}, now{pose.now.to_world(rim.centre), pose.now.R};
        const bool is_sheet = bodies_.is_sheet(s);
        const std::span<const Attachment> all_kept = start_.kept_of(task.pair, begin, begin + Rim::point_count);
        surface.relax_rim(rim, is_sheet, old, now, all_kept, begin, mu, task.rim_search, task.extremes);
        for (const RimContact& at : task.extremes)
            add_left(begin + at.point, at);
        if (!rim.lies_flat || !task.rim_search.may_lie_flat())
            continue;
        for (int i = 0; i < Rim::even_points; ++i) {
            const int point = begin + Rim::extreme_points + i;
            surface.relax_even_point(rim, is_sheet, i, old, now, start_.kept_of(task.pair, point, point + 1), all_kept,
                mu, task.search, task.touches);
            for (const PoseContact& at : task.touches)
                add_left(point, at);
        }
    }
}

} // namespace stickslip
