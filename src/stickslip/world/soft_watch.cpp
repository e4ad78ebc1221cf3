#include "stickslip/world/soft_watch.h"

#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/geometry/queries/way_through.h"
#include "stickslip/world/tunnelling_watch.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stickslip {

namespace {

constexpr double allowed = 0.5; // [-] of an element: a flat face between nodes of a bent surface sinks in by less

/// By pair of rigid body or obstacle and deformable body: the depth of its deepest contact [m].
std::map<BodyPair, double> felt_depths(const ContactBodies& bodies, const ContactSet& contacts)
{
    std::map<BodyPair, double> felt;
    contacts.for_each_contact([&](const Contact& c) {
        const auto [soft, body] = std::minmax(c.point_body, c.surface_body);
        if (bodies.is_deformable(soft)) {
            double& deepest = felt[{body, soft}];
            deepest = std::max(deepest, c.at.depth);
        }
    });
    return felt;
}

} // namespace

double node_spacing(const DeformableSet& set, const DeformableBody& body)
{
    double sum = 0;
    for (int t = body.triangles.begin; t < body.triangles.end; ++t) {
        const auto& [i, j, k] = set.triangles[t];
        const Vec3 u = set.rest[j] - set.rest[i], v = set.rest[k] - set.rest[i];
        sum += u.norm() * v.norm() * (v - u).norm() / (2 * u.cross(v).norm()); // radius of the circle
    }
    return std::sqrt(2.0) * sum / body.triangles.size();
}

double distance_to_surface(
    const DeformableSet& set, const DeformableBody& body, std::span<const Vec3> nodes, const Vec3& x)
{
    double squared = infinity;
    for (int t = body.triangles.begin; t < body.triangles.end; ++t) {
        const auto& [a, b, c] = set.triangles[t];
        squared =
            std::min(squared, (x - closest_point_on_triangle(x, nodes[a], nodes[b], nodes[c]).point).squaredNorm());
    }
    return std::sqrt(squared);
}

SoftWatch::SoftWatch(const World& world)
    : world_(&world)
    , bodies_(contact_bodies(world))
{
    const DeformableSet& set = world.deformables;
    for (const DeformableBody& body : set.bodies)
        tets_.emplace_back(std::span(set.tets).subspan(body.tets.begin, body.tets.size()));
    for (int b = bodies_.first_rigid(); b < bodies_.count() && !set.bodies.empty(); ++b)
        inner_.push_back(bounds(bodies_.solid(b)).is_finite() ? place_within(bodies_.solid(b)) : Vec3::Zero());
}

std::vector<SoftWatch::Place> SoftWatch::places(int body, double element_size, bool closely) const
{
    std::vector<Place> places{{inner_[body - bodies_.first_rigid()], 0}};
    if (!closely)
        return places;
    const Vec3 origin = bodies_.is_rigid(body) ? bodies_.rigid(body).centre : Vec3::Zero();
    for (const SurfaceSample& s : bodies_.samples(body))
        places.push_back({origin + s.z, allowed * element_size});
    return places;
}

std::vector<SoftWatch::Place> SoftWatch::nodes(int body, double element_size, const State& state) const
{
    constexpr int most = 500;
    const DeformableSet& set = world_->deformables;
    const Range own = set.bodies[body].surface_nodes;
    std::vector<Place> places;
    for (int i = own.begin; i < own.end; i += 1 + own.size() / most)
        places.push_back({state.x[set.surface_nodes[i]], allowed * element_size});
    return places;
}

/// Of the places that are deeper than allowed, the deepest [m]; 0: none is.
double SoftWatch::deepest(
    int soft, const std::vector<Place>& places, const Frame& frame, double felt, const State& state)
{
    double deepest = 0;
    for (const Place& place : places) {
        const Vec3 x = frame.to_world(place.x);
        if (!tets_[soft].contains(x))
            continue;
        if (const double d = distance_to_surface(world_->deformables, world_->deformables.bodies[soft], state.x, x);
            d > felt + place.allowed)
            deepest = std::max(deepest, d);
    }
    return deepest;
}

std::vector<MissedPenetration> SoftWatch::look(const State& state, const ContactSet& contacts, bool closely)
{
    std::vector<MissedPenetration> missed;
    if (tets_.empty())
        return missed;
    const auto felt = felt_depths(bodies_, contacts);
    std::vector<Bounds> boxes;
    for (const DeformableBody& body : world_->deformables.bodies) {
        Bounds& box = boxes.emplace_back();
        for (int i = body.nodes.begin; i < body.nodes.end; ++i)
            box.add(state.x[i]);
    }
    for (int soft = 0; soft < bodies_.first_rigid(); ++soft) {
        const DeformableBody& of = world_->deformables.bodies[soft];
        bool is_placed = false;
        const auto look_at = [&](int b, const std::vector<Place>& places, const Frame& frame) {
            if (!is_placed)
                tets_[soft].place(state.x);
            is_placed = true;
            const auto known = felt.find({std::max(b, soft), std::min(b, soft)});
            const double depth_felt = known == felt.end() ? 0 : known->second;
            if (const double d = deepest(soft, places, frame, depth_felt, state); d > 0)
                missed.push_back({b, soft, d, depth_felt});
        };
        for (int b = 0; b < bodies_.first_rigid() && closely; ++b)
            if (b != soft && bodies_.may_touch(b, soft) && boxes[b].overlaps(boxes[soft]))
                look_at(b, nodes(b, of.element_size, state), {});
        for (int b = bodies_.first_rigid(); b < bodies_.count(); ++b) {
            const Frame frame = frame_of_solid(bodies_, b, state);
            const Bounds room = placed(bounds(bodies_.solid(b)), frame);
            if (!bodies_.is_sheet(b) && room.is_finite() && room.overlaps(boxes[soft]) && bodies_.may_touch(b, soft))
                look_at(b, places(b, of.element_size, closely), frame);
        }
    }
    return missed;
}

} // namespace stickslip
