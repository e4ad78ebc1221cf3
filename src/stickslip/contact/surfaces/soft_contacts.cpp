#include "stickslip/contact/contact_set.h"

#include <algorithm>

namespace stickslip {

const ContactSet::SoftBody* ContactSet::soft_body(int body) const
{
    const auto it =
        std::find_if(soft_bodies_.begin(), soft_bodies_.end(), [&](const SoftBody& soft) { return soft.body == body; });
    return it == soft_bodies_.end() ? nullptr : &*it;
}

// Those that some task needs. Where a node has no finite place nothing touches: what moves it there says so.
void ContactSet::place_soft_surfaces(std::span<const Vec3> x)
{
    for (SoftBody& soft : soft_bodies_) {
        const auto is_met = [&](int task) { return tasks_[task].pair.surface_body == soft.body; };
        if (std::none_of(needed_.begin(), needed_.end(), is_met))
            continue;
        const DeformableSet& set = *bodies_.deformables;
        const auto take = [&](std::span<const Vec3> positions) {
            vertices_.clear();
            for (int k = 0; k < bodies_.points(soft.body); ++k)
                vertices_.push_back(positions[surface_node(set, soft.body, k)]);
            return std::all_of(vertices_.begin(), vertices_.end(), [](const Vec3& v) { return v.allFinite(); });
        };
        if (!soft.has_begun) {
            take(start_.x);
            soft.surface.begin_step(vertices_);
            soft.has_begun = true;
        }
        soft.is_finite = take(x);
        if (soft.is_finite)
            soft.surface.move_to(vertices_);
    }
}

void ContactSet::run_balls_on_soft_body(Task& task, const SoftBody& soft, std::span<const RigidCandidate> rigid) const
{
    if (!soft.is_finite)
        return;
    const auto [p, s] = task.pair;
    const PoseChange pose = pose_change(p, rigid);
    const Vec3 theta = turn(p, rigid), belt = this->belt(task.pair);
    const Range nodes = bodies_.deformables->bodies[s].surface_nodes;
    for (int point = task.begin; point < task.end; ++point) {
        const RoundPoint& round = bodies_.soft_balls(p)[point - bodies_.first_soft_ball(p)];
        const MovingBall ball{.c_old = pose.old.to_world(round.centre),
            .c = pose.now.to_world(round.centre),
            .radius = round.radius,
            .theta = theta,
            .body = side(p, point, rigid),
            .belt = belt};
        const SoftContactLaw law{.k = stiffness_factor_ * bodies_.stiffness(p, s, point),
            .mu = bodies_.friction(p, s),
            .damping = bodies_.law->damping / start_.dt};
        soft.surface.relax_ball(ball, start_.kept_of(task.pair, point, point + 1), law,
            std::span(bodies_.deformables->surface_nodes).subspan(nodes.begin, nodes.size()), task.soft_search,
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
