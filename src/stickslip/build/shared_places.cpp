#include "stickslip/build/shared_places.h"

#include "stickslip/contact/detect/candidates.h"
#include "stickslip/contact/edges/mesh_tubes.h"
#include "stickslip/contact/relax/rim_share.h"
#include "stickslip/world/tunnelling_watch.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace stickslip {

namespace {

constexpr double warned_share = 0.05; // [-] radius of the ball that must fit, of the smaller body's smallest size
constexpr int across = 6; // points along each edge of a body's box

class Places {
public:
    Places(const World& world, const State& state)
        : world_(world)
        , state_(state)
        , bodies_(contact_bodies(world))
        , inner_(bodies_.count())
    {
    }

    std::map<std::pair<int, int>, double> find()
    {
        std::map<std::pair<int, int>, double> found;
        for (const CandidatePair& candidate : candidates()) {
            const std::pair<int, int> pair = std::minmax(candidate.point_body, candidate.surface_body);
            if (found.contains(pair))
                continue;
            const double radius =
                std::max(largest_ball(pair.first, pair.second), largest_ball(pair.second, pair.first));
            if (radius > warned_share * std::min(size(pair.first), size(pair.second)))
                found[pair] = 2 * radius;
        }
        return found;
    }

private:
    /// Pairs whose boxes have room for the ball in common.
    std::vector<CandidatePair> candidates() const
    {
        std::vector<Bounds> boxes(bodies_.count(), {Vec3::Zero(), Vec3::Zero()}); // deformable: left out below
        for (int b = bodies_.first_rigid(); b < bodies_.count(); ++b) {
            boxes[b] = placed(bounds(bodies_.solid(b)), frame(b));
            if (const double margin = warned_share * size(b); margin < infinity) {
                boxes[b].min += Vec3::Constant(margin);
                boxes[b].max -= Vec3::Constant(margin);
            }
        }
        const auto is_told = [&](const CandidatePair& pair) {
            const auto has_inside = [&](int body) { return !bodies_.is_deformable(body) && !bodies_.is_sheet(body); };
            return has_inside(pair.point_body) && has_inside(pair.surface_body)
                && !bodies_.is_ball_on_triangles(pair.point_body, pair.surface_body);
        };
        std::vector<CandidatePair> pairs = BroadPhase(bodies_).find(boxes);
        std::erase_if(pairs, [&](const CandidatePair& pair) { return !is_told(pair); });
        return pairs;
    }

    Frame frame(int body) const { return frame_of_solid(bodies_, body, state_); }
    double size(int body) const { return smallest_size(bodies_.solid(body)); } // [m]

    /// Radius [m] of the largest ball about an inner point of one body that fits into both; 0: none was found.
    double largest_ball(int body, int other)
    {
        const Frame own = frame(body), its = frame(other);
        const DistanceToSolid distance = distance_to(bodies_, other);
        double radius = 0;
        for (const auto& [place, depth] : inner_points(body))
            radius = std::max(radius, std::min(depth, -distance(its.to_local(own.to_world(place)))));
        return radius;
    }

    struct Inner {
        Vec3 place; // [m] in the solid's frame
        double depth; // [m] below the surface
    };

    /// Points of a regular lattice, those that are not deep enough moved down along the gradient; none of a plane.
    const std::vector<Inner>& inner_points(int body)
    {
        std::optional<std::vector<Inner>>& known = inner_[body];
        if (known)
            return *known;
        known.emplace();
        const LevelSet& solid = bodies_.solid(body);
        const DistanceToSolid distance = distance_to(bodies_, body);
        const Bounds box = bounds(solid);
        const double deep = 2 * warned_share * size(body);
        if (deep == infinity)
            return *known;
        for (int i = 0; i < across * across * across; ++i) {
            const Vec3 share =
                (Vec3(i % across, i / across % across, i / across / across) + Vec3::Constant(0.5)) / across;
            Vec3 x = box.min + share.cwiseProduct(box.max - box.min);
            const LevelSetSample at = sample(solid, x);
            if (at.phi > -deep)
                x -= (at.phi + deep) * at.n;
            if (const double phi = distance(x); phi < 0)
                known->push_back({x, -phi});
        }
        return *known;
    }

    const World& world_;
    const State& state_;
    ContactBodies bodies_;
    std::vector<std::optional<std::vector<Inner>>> inner_;
};

} // namespace

std::map<std::pair<int, int>, double> find_shared_places(const World& world, const State& state)
{
    return Places(world, state).find();
}

} // namespace stickslip
