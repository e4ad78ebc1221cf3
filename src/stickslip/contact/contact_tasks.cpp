#include "stickslip/contact/contact_set.h"
#include "stickslip/contact/points/posed_circle.h"
#include "stickslip/contact/surfaces/mesh_surface.h"

// What a task finds: the points of one body against the surface of another.
namespace stickslip {

double ContactSet::stiffness(const CandidatePair& pair, int point, const SurfaceContact& at) const
{
    return stiffness_factor_ * at.stiffness_scale * bodies_.stiffness(pair.point_body, pair.surface_body, point);
}

// Only scripted bodies carry. A rigid surface does not, but what touches it may: its material at the contact.
void ContactSet::set_carried(SurfaceContact& at, const CandidatePair& pair, const Way& point_way, const Vec3& Z) const
{
    if (!bodies_.is_rigid(pair.surface_body))
        return;
    at.carried = Vec3::Zero();
    if (bodies_.is_obstacle(pair.point_body))
        at.carried = point_way.old.to_world(point_way.now.to_local(Z)) - Z;
}

void ContactSet::run(Task& task, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const
{
    task.found.clear();
    task.soft.clear();
    task.beside.clear();
    const auto [p, s] = task.pair;
    if (task.features)
        return run_polyhedra(task);
    if (task.met)
        return bodies_.is_sheet(s) ? run_on_sheet(task, x, rigid) : run_on_patches(task, x, rigid);
    if (bodies_.is_deformable(s))
        return run_balls_on_soft_body(task, *soft_body(s), rigid);
    if (bodies_.is_ball_on_triangles(p, s))
        return run_balls_on_triangles(task, rigid);
    const LevelSetSurface& surface = surfaces_[s - bodies_.first_rigid()];
    if (task.begin >= bodies_.first_rim_point(p))
        return run_rims(task, surface, rigid);
    if (task.begin >= bodies_.first_ball(p))
        return run_rounds(task, surface, rigid);
    const double mu = bodies_.friction(p, s);
    std::size_t next = start_.first_kept(task.pair, task.begin);
    const bool holds =
        next < start_.kept.size() && start_.kept[next].point_body == p && start_.kept[next].surface_body == s;
    const std::span<const SurfaceSample> samples = bodies_.samples(p);
    const Way way = this->way(p, rigid);
    const SurfaceMotionInStep& motion = surface.motion();
    const Way seen{relative(motion.old_frame, way.old), relative(motion.frame, way.now)};
    const Bounds way_in = surface.way_in(start_.sunk(task.pair));
    std::optional<std::vector<LevelPatch>> before; // asked for only where a new point is near
    for (int point = task.begin; point < task.end; ++point) {
        const Attachment* attachment = holds ? start_.kept_of(task.pair, point, next) : nullptr;
        Vec3 Z;
        if (samples.empty()) {
            const int node = surface_node(*bodies_.deformables, p, point);
            Z = x[node];
            if (!attachment
                && LevelSetSurface::passes_by(
                    way_in, motion.old_frame.to_local(start_.x[node]), motion.frame.to_local(Z)))
                continue;
        } else {
            const Vec3& z = samples[point].z;
            // most pass by, which is seen at less cost than where they are
            if (!attachment && LevelSetSurface::passes_by(way_in, seen.old.to_world(z), seen.now.to_world(z)))
                continue;
            Z = way.now.to_world(z);
        }
        const Vec3 Z_old = start_.place(p, point);
        PointSurface own;
        if (!attachment) {
            if (!before)
                before = start_.stands_before(task.pair);
            own = start_.surface(task.pair, point);
            own.before = *before;
        }
        auto at = surface.relax(Z_old, Z, own, attachment, mu);
        if (!at)
            continue;
        set_carried(*at, task.pair, way, Z);
        task.found.push_back({point, stiffness(task.pair, point, *at), at_point(*at, Z)});
    }
}

void ContactSet::run_balls_on_triangles(Task& task, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    const MeshSurface surface(*bodies_.triangles(s), surfaces_[s - bodies_.first_rigid()].motion());
    const int r = p - bodies_.first_rigid();
    const Vec3 phi = rigid[r].theta - turn(s, rigid);
    for (int point = task.begin; point < task.end; ++point) {
        const RoundPoint& ball = bodies_.rounds(p)[point - bodies_.first_ball(p)];
        surface.relax_ball(start_.rigid[r].R * ball.centre + start_.rigid[r].x, rigid[r].R * ball.centre + rigid[r].x,
            ball.radius, phi, start_.kept_of(task.pair, point, point + 1), bodies_.friction(p, s), task.search,
            task.touches);
        for (PoseContact& at : task.touches) {
            set_carried(at, task.pair, {}, at.Z);
            task.found.push_back({point, stiffness(task.pair, point, at), at});
        }
    }
}

void ContactSet::run_rounds(Task& task, const LevelSetSurface& surface, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    const double mu = bodies_.friction(p, s);
    const Way way = this->way(p, rigid);
    const Vec3 phi = turn(p, rigid) - turn(s, rigid);
    std::size_t next = start_.first_kept(task.pair, task.begin);
    for (int point = task.begin; point < task.end; ++point) {
        const RoundPoint& ball = bodies_.rounds(p)[point - bodies_.first_ball(p)];
        auto at = surface.relax_round(way.old.to_world(ball.centre), way.now.to_world(ball.centre), ball.radius, phi,
            start_.kept_of(task.pair, point, next), mu);
        if (!at)
            continue;
        set_carried(*at, task.pair, way, at->Z);
        task.found.push_back({point, stiffness(task.pair, point, *at), *at});
    }
}

void ContactSet::run_rims(Task& task, const LevelSetSurface& surface, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    const double mu = bodies_.friction(p, s);
    const Way way = this->way(p, rigid);
    const int first = bodies_.first_rim_point(p);
    std::size_t next = start_.first_kept(task.pair, task.begin);
    for (int begin = task.begin; begin < task.end; begin += Rim::point_count) {
        const Rim& rim = bodies_.rims(p)[(begin - first) / Rim::point_count];
        const Frame frame{way.now.to_world(rim.centre), way.now.R};
        const Frame old_frame{way.old.to_world(rim.centre), way.old.R};
        if (!surface.may_touch(rim, frame))
            continue;
        const int end = begin + (rim.lies_flat ? Rim::point_count : Rim::extreme_points);
        const auto add = [&](int point, const PoseContact& at) {
            task.found.push_back({point, stiffness(task.pair, point, at), at});
            set_carried(task.found.back().at, task.pair, way, at.Z);
        };
        surface.relax_rim(rim, old_frame, frame, start_.kept_of(task.pair, begin, begin + Rim::extreme_points), begin,
            mu, task.extremes);
        for (const RimContact& at : task.extremes)
            add(begin + at.point, at);
        for (int point = begin + Rim::extreme_points; point < end; ++point) {
            const int i = point - begin - Rim::extreme_points;
            const Attachment* attachment = start_.kept_of(task.pair, point, next);
            if (const auto at = surface.relax_even_point(rim, i, old_frame, frame, attachment, mu))
                add(point, *at);
        }
    }
}

} // namespace stickslip
