#include "stickslip/contact/surfaces/points_on_solids.h"

#include "stickslip/contact/surfaces/mesh_surface.h"

#include <algorithm>

namespace stickslip {

namespace {

void begin_points(const ContactStep& step, ContactTask& task, const LevelSetSurface& surface)
{
    const auto [p, s] = task.pair;
    const ContactBodies& bodies = step.bodies;
    const std::size_t count = task.end - task.begin;
    PointsAtStart& points = task.points;
    task.has_begun = true;
    task.mu = bodies.friction(p, s);
    points.way_in = surface.way_in(step.start.level_depth(task.pair), step.start.half_width(p));
    const bool is_lain_on = bodies.is_of_triangles(p) && bodies.crosses_by_axis(s, p) && !bodies.is_rounded_box(s);
    points.skips_between =
        is_lain_on || bodies.meets_by_ends(p, s) || (bodies.meets_by_rims(p, s) && step.start.lies_on_face({s, p}));
    points.skips_faces = bodies.has_needless_faces(p, s);
    points.before.reset();
    points.start.assign(count, std::nullopt);
    points.seen.resize(count);
    points.kept.resize(count);
    const std::span<const SurfaceSample> samples = bodies.samples(p);
    const Frame& solid = surface.motion().old_frame;
    const Frame seen = samples.empty() ? Frame{} : relative(solid, step.start.point_frame(p));
    std::size_t next = step.start.first_kept(task.pair, task.begin);
    for (std::size_t i = 0; i < count; ++i) {
        const int point = task.begin + static_cast<int>(i);
        points.kept[i] = step.start.kept_of(task.pair, point, next);
        points.seen[i] = samples.empty() ? solid.to_local(step.start.place(p, point)) : seen.to_world(samples[point].z);
    }
}

const PointsAtStart::Start& start_of_point(
    const ContactStep& step, ContactTask& task, int i, const LevelSetSurface& surface)
{
    const auto [p, s] = task.pair;
    const int point = task.begin + i;
    PointsAtStart& points = task.points;
    if (!points.start[i]) {
        PointSurface own;
        if (points.kept[i]) { // what relaxes it asks for no more
            own.indentation = step.start.level_depth(task.pair);
            own.half_width = step.start.half_width(p);
        } else {
            if (!points.before)
                points.before = step.start.stands_before(task.pair);
            own = step.start.surface(task.pair, point);
            own.before = *points.before;
        }
        points.start[i] = {surface.start_of(step.start.place(p, point), own), step.bodies.stiffness(p, s, point)};
    }
    return *points.start[i];
}

// Whether these vertices of a sheet that stands still are far from all places of the other body until tasks are listed
// again, and hold nothing.
bool is_out_of_reach(const ContactStep& step, const NearPairs& near, const CandidatePair& pair, int begin, int end)
{
    const auto [p, s] = pair;
    const ContactBodies& bodies = step.bodies;
    if (!bodies.is_sheet(p) || end > bodies.first_ball(p) || !bodies.obstacle(p).motion.is_still()
        || !step.start.kept_of(pair, begin, end).empty())
        return false;
    return !boxes_meet(placed(step.groups.box(p, begin), step.start.frame(p)), near.roomy(s));
}

// Of a task of balls or circles.
void begin_rounds(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task)
{
    task.has_begun = true;
    task.carried = crossings.carried_places(step, task.pair);
}

// [-] That what a side ends at leaves to one of its circles or balls, about `centre` [m, world] at the start of the
// step, where it touches a patch.
double share_on_patch(const ContactStep& step, const ContactTask& task, const Vec3& centre, int patch)
{
    const auto [p, s] = task.pair;
    if (task.carried.empty() || !step.bodies.crosses_by_axis(p, s))
        return 1;
    const Vec3 axis = step.start.frame(p).R.col(1);
    if (patch < 0)
        return share_of_line(task.carried, centre, axis);
    const Vec3 n = sample_patch(step.bodies.solid(s), patch, Vec3::Zero()).n;
    return share_of_line(task.carried, centre, axis, &n);
}

void add_share(double share, const ContactStep& step, ContactTask& task, int point, const PoseContact& at)
{
    task.add(point, share * step.stiffness(task.pair, point, at), at, step);
}

} // namespace

void list_points(
    const ContactStep& step, const NearPairs& near, const CandidatePair& pair, bool holds, ContactTasks& tasks)
{
    const auto [p, s] = pair;
    const ContactBodies& bodies = step.bodies;
    const bool has_facets = bodies.are_points_on_mesh(p, s);
    if (has_facets && bodies.is_sheet(s) && !bodies.are_balls_on_triangles(p, s) && !bodies.are_rims_on_triangles(p, s))
        return;
    // an obstacle is where it is at all candidates
    if (!holds && bodies.is_obstacle(s) && !step.surface(pair).may_touch(near.roomy(p)))
        return;
    const auto add_tasks = [&](int begin, int end) {
        const int most = bodies.is_sheet(p) ? PointGroups::size : points_per_task;
        for (; begin < end; begin += most) {
            const int last = std::min(end, begin + most);
            if (is_out_of_reach(step, near, pair, begin, last))
                continue;
            ContactTask& task = tasks.add(pair, bodies.kind(p, s, begin));
            task.begin = begin;
            task.end = last;
            task.is_certain = holds;
        }
    };
    const int first_ball = bodies.first_ball(p), first_rim = bodies.first_rim_point(p);
    if (!has_facets)
        add_tasks(0, first_ball);
    add_tasks(first_ball, first_rim);
    add_tasks(first_rim, bodies.points(p));
    if (bodies.crosses_by_axis(p, s))
        tasks.add(pair, ContactKind::axis_on_solid).is_certain = holds;
}

void run_points(const ContactStep& step, ContactTask& task)
{
    const int p = task.pair.point_body;
    const LevelSetSurface surface = step.surface_in_step(task.pair);
    if (!task.has_begun)
        begin_points(step, task, surface);
    const PointsAtStart& points = task.points;
    const std::span<const SurfaceSample> samples = step.bodies.samples(p);
    const PoseChange pose = step.pose_change(p);
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
            Z = step.x[step.bodies.place(p, point)];
            if (passes_by(solid.to_local(Z)))
                continue;
        } else {
            if (points.skips_between && (samples[point].flat || samples[point].between))
                continue;
            if (points.skips_faces && samples[point].flat)
                continue;
            const Vec3& z = samples[point].z;
            if (passes_by(seen.to_world(z))) // most, which is seen at less cost than where they are
                continue;
            Z = pose.now.to_world(z);
        }
        const PointsAtStart::Start& start = start_of_point(step, task, i, surface);
        if (const auto at = surface.relax(start.of_surface, Z, attachment, task.mu))
            task.add(point, step.stiffness_factor * at->stiffness_scale * start.k, at_point(*at, Z), step);
    }
}

void run_balls(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task)
{
    if (!task.has_begun)
        begin_rounds(step, crossings, task);
    const auto [p, s] = task.pair;
    const LevelSetSurface surface = step.surface_in_step(task.pair);
    const bool only_ends = step.bodies.meets_by_ends(p, s);
    const double mu = step.bodies.friction(p, s);
    const PoseChange pose = step.pose_change(p);
    const Vec3 phi = step.turn(p) - step.turn(s);
    std::size_t next = step.start.first_kept(task.pair, task.begin);
    for (int point = task.begin; point < task.end; ++point) {
        const RoundPoint& ball = step.bodies.rounds(p)[point - step.bodies.first_ball(p)];
        const Vec3 old = pose.old.to_world(ball.centre);
        const double share = share_left(task.carried, old, ball.radius);
        if ((ball.between && only_ends) || share == 0)
            continue;
        const double of_line = share_on_patch(step, task, old, -1);
        if (of_line == 0)
            continue;
        const auto at = surface.relax_round(
            old, pose.now.to_world(ball.centre), ball.radius, phi, step.start.kept_of(task.pair, point, next), mu);
        if (at)
            add_share(share * of_line, step, task, point, *at);
    }
}

void run_balls_on_triangles(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task)
{
    if (!task.has_begun)
        begin_rounds(step, crossings, task);
    const auto [p, s] = task.pair;
    const MeshSurface surface(*step.bodies.triangles(s), step.motion(task.pair));
    const PoseChange pose = step.pose_change(p);
    const Vec3 phi = step.turn(p) - step.turn(s);
    for (int point = task.begin; point < task.end; ++point) {
        const RoundPoint& ball = step.bodies.rounds(p)[point - step.bodies.first_ball(p)];
        const Vec3 old = pose.old.to_world(ball.centre);
        const double share = share_left(task.carried, old, ball.radius);
        if (share == 0)
            continue;
        surface.relax_ball(old, pose.now.to_world(ball.centre), ball.radius, phi,
            step.start.kept_of(task.pair, point, point + 1), step.bodies.friction(p, s), task.search, task.touches);
        for (const PoseContact& at : task.touches)
            add_share(share, step, task, point, at);
    }
}

void run_rims(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task)
{
    if (!task.has_begun) {
        begin_rounds(step, crossings, task);
        task.points.before = step.start.stands_before(task.pair);
    }
    const auto [p, s] = task.pair;
    const LevelSetSurface surface = step.surface_in_step(task.pair);
    const double mu = step.bodies.friction(p, s);
    const PoseChange pose = step.pose_change(p);
    const bool only_ends = step.bodies.meets_by_ends(p, s);
    const double level = step.start.level_depth(task.pair);
    const int first = step.bodies.first_rim_point(p);
    std::size_t next = step.start.first_kept(task.pair, task.begin);
    for (int begin = task.begin; begin < task.end; begin += Rim::point_count) {
        const Rim& rim = step.bodies.rims(p)[(begin - first) / Rim::point_count];
        const Frame old{pose.old.to_world(rim.centre), pose.old.R}, frame{pose.now.to_world(rim.centre), pose.now.R};
        const double share = share_left(task.carried, rim, old);
        if ((!rim.lies_flat && only_ends) || share == 0)
            continue;
        const LevelSetSurface::RimStart began{old, level,
            step.start.dt * step.start.drift(task.pair, pose.old.to_world(rim.centre)), *task.points.before};
        if (!surface.may_touch(rim, frame))
            continue;
        surface.relax_rim(rim, began, frame, step.start.kept_of(task.pair, begin, begin + Rim::extreme_points), begin,
            mu, task.extremes);
        for (const RimContact& at : task.extremes)
            if (const double of_line = share_on_patch(step, task, old.x, numbers(at.to).piece); of_line > 0)
                add_share(share * of_line, step, task, begin + at.point, at);
        if (!rim.lies_flat)
            continue;
        for (int i = 0; i < Rim::even_points; ++i) {
            const int point = begin + Rim::extreme_points + i;
            const Attachment* attachment = step.start.kept_of(task.pair, point, next);
            if (const auto at = surface.relax_even_point(rim, i, began, frame, attachment, mu))
                add_share(share, step, task, point, *at);
        }
    }
}

void run_rims_on_triangles(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task)
{
    if (!task.has_begun)
        begin_rounds(step, crossings, task);
    const auto [p, s] = task.pair;
    const MeshSurface surface(*step.bodies.triangles(s), step.motion(task.pair));
    const bool is_sheet = step.bodies.is_sheet(s);
    const double mu = step.bodies.friction(p, s);
    const PoseChange pose = step.pose_change(p);
    const int first = step.bodies.first_rim_point(p);
    for (int begin = task.begin; begin < task.end; begin += Rim::point_count) {
        const Rim& rim = step.bodies.round_rims(p)[(begin - first) / Rim::point_count];
        const Frame old{pose.old.to_world(rim.centre), pose.old.R}, now{pose.now.to_world(rim.centre), pose.now.R};
        const double share = share_left(task.carried, rim, old);
        if (share == 0)
            continue;
        const std::span<const Attachment> all_kept = step.start.kept_of(task.pair, begin, begin + Rim::point_count);
        surface.relax_rim(rim, is_sheet, old, now, all_kept, begin, mu, task.rim_search, task.extremes);
        for (const RimContact& at : task.extremes)
            add_share(share, step, task, begin + at.point, at);
        if (!rim.lies_flat || !task.rim_search.may_lie_flat())
            continue;
        for (int i = 0; i < Rim::even_points; ++i) {
            const int point = begin + Rim::extreme_points + i;
            surface.relax_even_point(rim, is_sheet, i, old, now, step.start.kept_of(task.pair, point, point + 1),
                all_kept, mu, task.search, task.touches);
            for (const PoseContact& at : task.touches)
                add_share(share, step, task, point, at);
        }
    }
}

} // namespace stickslip
