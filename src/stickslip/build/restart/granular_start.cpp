#include "stickslip/build/restart/granular_start.h"

#include "stickslip/math/check.h"
#include "stickslip/math/error.h"

#include <algorithm>

namespace stickslip {

GranularStart::GranularStart(const EarlierRun* run)
    : run_(run)
{
    if (!run_)
        return;
    successors_.sphere.assign(static_cast<std::size_t>(state().next_id), -1);
    successors_.wall.assign(state().walls.size(), -1);
    successors_.points.assign(state().walls.size(), -1);
    body_.assign(state().bodies.size(), -1);
}

std::vector<Grain> GranularStart::spheres(const CheckpointBody& earlier, int material, int group, std::size_t first_id)
{
    const Spheres& all = state().spheres;
    std::vector<std::pair<int, std::size_t>> members; // id, slot
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all.group[i] == earlier.group)
            members.emplace_back(all.id[i], i);
    std::sort(members.begin(), members.end());
    std::vector<Grain> grains;
    for (const auto& [id, i] : members) {
        successors_.sphere[id] = static_cast<int>(first_id + grains.size());
        grains.push_back({.x = all.place[i].x,
            .radius = all.place[i].radius,
            .material = material,
            .v = all.motion[i].v,
            .w = all.motion[i].w,
            .group = group,
            .orientation = all.orientation[i]});
    }
    return grains;
}

RigidState GranularStart::take(std::size_t earlier_body, std::size_t body)
{
    body_[earlier_body] = static_cast<int>(body);
    const BodyMotion& m = state().bodies[earlier_body];
    return {.x = m.x, .R = m.R, .v = m.v, .w = m.w};
}

std::vector<RigidState> GranularStart::clumps(const CheckpointBody& earlier, std::size_t first_body)
{
    std::vector<RigidState> starts;
    for (std::size_t b = 0; b < state().bodies.size(); ++b)
        if (state().body_spheres[b].group == earlier.group)
            starts.push_back(take(b, first_body + starts.size()));
    return starts;
}

RigidState GranularStart::rigid(const CheckpointBody& earlier, std::size_t body)
{
    return take(static_cast<std::size_t>(earlier.body), body);
}

void GranularStart::wall(const CheckpointBody& earlier, const GranularWall& wall, std::size_t number)
{
    const auto* mesh = std::get_if<WallTriangles>(&wall.shape);
    const std::size_t facets = mesh ? (*mesh)->topology.facets.size() : 0;
    if (static_cast<int>(facets) != earlier.facets) // another file of the same name: its contacts begin anew
        return;
    successors_.wall[earlier.wall] = static_cast<int>(number);
    if (static_cast<int>(wall.points.size()) == earlier.points)
        successors_.points[earlier.wall] = static_cast<int>(number);
}

void GranularStart::finish(BuiltGranular& granular)
{
    if (!run_)
        return;
    std::size_t id = granular.grains.size(); // of the next clump's first sphere
    std::vector<std::size_t> first;
    for (const GranularBody& body : granular.world.bodies) {
        first.push_back(id);
        id += body.is_clump ? body.rigid.rounds.size() : 0;
    }
    for (std::size_t b = 0; b < body_.size(); ++b) {
        if (body_[b] < 0 || state().body_spheres[b].first < 0)
            continue;
        for (std::size_t k = 0; k < granular.world.bodies[body_[b]].rigid.rounds.size(); ++k)
            successors_.sphere[state().body_spheres[b].first + k] = static_cast<int>(first[body_[b]] + k);
    }
    granular.world.start_time = run_->start_time;
    granular.earlier = std::make_shared<const GranularState>(state());
    granular.successors = std::move(successors_);
}

} // namespace stickslip
