#include "stickslip/world/ahead/turns_ahead.h"

#include "stickslip/world/ahead/ways_ahead.h"

#include <algorithm>

namespace stickslip {

namespace {

// [rad/s] At the end of a step in which nothing but its torque turns the body.
Vec3 free_spin(const RigidBody& body, const RigidState& state, double dt)
{
    Vec3 w = state.w + dt * (world_inertia(body, state.R.toRotationMatrix()).inverse() * body.torque);
    for (int axis = 0; axis < 3; ++axis)
        if (body.fixed[3 + axis])
            w[axis] = 0;
    return w;
}

} // namespace

// Without those that have no neighbours: all that turn so far.
std::vector<Turn> TurnsAhead::fast_turns(const State& state, double dt) const
{
    const ContactBodies bodies = contact_bodies(*world_);
    std::vector<Turn> turns;
    const DeformableSet& set = world_->deformables;
    for (std::size_t f = 0; f < set.pin_frames.size(); ++f)
        if (const double angle = farthest_turn(set.pin_frames[f].motion, state.time, dt); angle > longest)
            for (const Pin& pin : set.pins)
                if (pin.frame == static_cast<int>(f)) {
                    turns.push_back({set.body_of_node[pin.node], angle, true, true});
                    break;
                }
    for (std::size_t b = 0; b < world_->rigids.size(); ++b)
        if (const double angle =
                dt * std::max(state.rigid[b].w.norm(), free_spin(world_->rigids[b], state.rigid[b], dt).norm());
            angle > longest)
            turns.push_back({bodies.first_rigid() + static_cast<int>(b), angle});
    for (std::size_t o = 0; o < world_->obstacles.size(); ++o)
        if (const double angle = farthest_turn(world_->obstacles[o].motion, state.time, dt); angle > longest)
            turns.push_back({bodies.first_obstacle() + static_cast<int>(o), angle, false, true});
    return turns;
}

Turn TurnsAhead::too_far(const State& state, double dt) const
{
    std::vector<Turn> turns = fast_turns(state, dt);
    if (turns.empty())
        return {};
    const ContactBodies bodies = contact_bodies(*world_);
    std::vector<bool> touches(bodies.total());
    for (const Attachment& a : state.attachments) {
        touches[a.surface_body] = true;
        if (!bodies.is_free_ball(a.point_body))
            touches[a.point_body] = true;
    }
    std::vector<int> alone;
    for (Turn& turn : turns) {
        turn.touches = turn.touches || touches[turn.body];
        if (turn.touches && bodies.is_rigid(turn.body)) // and is not free
            turn.angle = state.rigid[turn.body - bodies.first_rigid()].w.norm() * dt;
        if (!bodies.is_deformable(turn.body))
            alone.push_back(turn.body);
    }
    const WaysAhead ways(*world_, state, dt, alone);
    Turn farthest;
    for (const Turn& turn : turns)
        if (turn.angle > std::max(longest, farthest.angle) && (turn.touches || ways.meets_any(turn.body)))
            farthest = turn;
    return farthest;
}

} // namespace stickslip
