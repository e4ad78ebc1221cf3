#include "stickslip/contact/surfaces/soft_balls_in_step.h"

#include <algorithm>

namespace stickslip {

namespace {

bool is_met_by_balls(const ContactBodies& bodies, int soft)
{
    for (int body = bodies.first_rigid(); body < bodies.count(); ++body)
        if (bodies.meets_by_balls(body, soft))
            return true;
    return false;
}

constexpr auto before_body = [](const auto& soft, int body) { return soft.body < body; };

} // namespace

SoftBallsInStep::SoftBallsInStep(const ContactBodies& bodies)
{
    for (int body = 0; body < bodies.first_rigid(); ++body)
        if (is_met_by_balls(bodies, body))
            surfaces_.push_back({body, SoftSurface(*bodies.triangles(body)), false, false});
}

void SoftBallsInStep::begin_step()
{
    for (Body& soft : surfaces_)
        soft.has_begun = false;
}

void SoftBallsInStep::list(const ContactBodies& bodies, const CandidatePair& pair, bool holds, ContactTasks& tasks)
{
    const int count = bodies.balls_on(pair.point_body, pair.surface_body);
    if (count == 0)
        return;
    const int first = bodies.first_soft_ball(pair.point_body), last = first + count;
    for (int begin = first; begin < last; begin += points_per_task) {
        ContactTask& task = tasks.add(pair, ContactKind::ball_on_soft);
        task.begin = begin;
        task.end = std::min(last, begin + points_per_task);
        task.is_certain = holds;
    }
}

void SoftBallsInStep::move_to(const ContactStep& step, std::span<const ContactTask* const> needed)
{
    for (Body& soft : surfaces_) {
        const auto meets_it = [&](const ContactTask* task) {
            return task->kind == ContactKind::ball_on_soft && task->pair.surface_body == soft.body;
        };
        if (std::none_of(needed.begin(), needed.end(), meets_it))
            continue;
        const auto take = [&](std::span<const Vec3> places) {
            vertices_.clear();
            for (int k = 0; k < step.bodies.points(soft.body); ++k)
                vertices_.push_back(places[surface_node(*step.bodies.deformables, soft.body, k)]);
            return std::all_of(vertices_.begin(), vertices_.end(), [](const Vec3& v) { return v.allFinite(); });
        };
        if (!soft.has_begun) {
            take(step.start.x);
            soft.surface.begin_step(vertices_);
            soft.has_begun = true;
        }
        soft.is_finite = take(step.x);
        if (soft.is_finite)
            soft.surface.move_to(vertices_);
    }
}

void SoftBallsInStep::run(const ContactStep& step, ContactTask& task) const
{
    const auto [p, s] = task.pair;
    const Body& soft = *std::lower_bound(surfaces_.begin(), surfaces_.end(), s, before_body);
    if (!soft.is_finite)
        return;
    const ContactBodies& bodies = step.bodies;
    const PoseChange pose = step.pose_change(p);
    const Vec3 theta = step.turn(p), belt = step.start.belt(task.pair);
    const Range nodes = bodies.deformables->bodies[s].surface_nodes;
    for (int point = task.begin; point < task.end; ++point) {
        const RoundPoint& round = bodies.soft_balls(p)[point - bodies.first_soft_ball(p)];
        const MovingBall ball{.c_old = pose.old.to_world(round.centre),
            .c = pose.now.to_world(round.centre),
            .radius = round.radius,
            .theta = theta,
            .body = step.side(p, point),
            .belt = belt};
        const SoftContactLaw law{.k = step.stiffness_factor * bodies.stiffness(p, s, point),
            .mu = bodies.friction(p, s),
            .damping = bodies.law->damping / step.start.dt};
        soft.surface.relax_ball(ball, step.start.kept_of(task.pair, point, point + 1), law,
            std::span(bodies.deformables->surface_nodes).subspan(nodes.begin, nodes.size()), task.soft_search,
            task.soft_touches);
        for (SoftBallContact& at : task.soft_touches) {
            at.point_body = p;
            at.surface_body = s;
            at.point = point;
            task.contacts.add(at, task.soft_search.beside);
        }
    }
}

} // namespace stickslip
