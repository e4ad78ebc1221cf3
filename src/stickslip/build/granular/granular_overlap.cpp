#include "stickslip/build/granular/granular_overlap.h"

#include "stickslip/build/granular/place_spheres.h"
#include "stickslip/dem/pairs/neighbours.h"
#include "stickslip/dem/pairs/touch_table.h"
#include "stickslip/dem/walls/wall_images.h"
#include "stickslip/dem/walls/wall_overlap.h"
#include "stickslip/scene/expand/sphere_sizes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stickslip {

namespace {

constexpr double pressed = 0.01; // [-] overlap over the radius above which a start is not meant
constexpr double same_place = 1e-6; // [-] likewise, of two centres: no force knows which way to part them

/// Spheres by themselves and balls of clumps where they begin.
struct StartingSpheres {
    Spheres all; // places alone
    std::vector<int> set, body; // of each; body -1: a sphere by itself
};

StartingSpheres starting_spheres(const BuiltGranular& granular)
{
    StartingSpheres spheres;
    const auto add = [&](const Vec3& x, double radius, int set, int body) {
        spheres.all.place.push_back({granular.world.box.wrapped(x), radius});
        spheres.all.material.push_back(granular.sets[set].material);
        spheres.set.push_back(set);
        spheres.body.push_back(body);
    };
    for (const Grain& g : granular.grains)
        add(g.x, g.radius, g.group, -1);
    for (std::size_t b = 0; b < granular.world.bodies.size(); ++b) {
        const GranularBody& clump = granular.world.bodies[b];
        for (const RoundPoint& ball : clump.is_clump ? clump.rigid.rounds : std::vector<RoundPoint>{})
            add(clump.start.x + clump.start.R * ball.centre, ball.radius, clump.group, static_cast<int>(b));
    }
    return spheres;
}

struct Depths {
    std::size_t pressed = 0, inside = 0; // how many
    double deepest = 0; // [m]
};

class OverlapReport {
public:
    OverlapReport(const Scene& scene, const TakenOver& taken, BuildResult& result)
        : scene_(scene)
        , taken_(taken)
        , result_(result)
        , granular_(*result.built.granular)
        , world_(granular_.world)
        , spheres_(starting_spheres(granular_))
        , frames_(wall_frames_at_start(world_))
        , laws_(pair_laws(world_))
        , table_(laws_)
    {
    }

    void run()
    {
        tell_of_pairs();
        tell_of_walls();
        tell_of_bodies();
        for (std::size_t set = 0; set < granular_.sets.size(); ++set)
            if (body_of(set).inlet)
                tell_of_inlet(set);
    }

private:
    const BodySettings& body_of(std::size_t set) const { return scene_.bodies[granular_.sets[set].body]; }
    SourcePosition place_of(std::size_t set) const
    {
        const BodySettings& body = body_of(set);
        return body.kind == BodyKind::spheres ? placing_position(body) : body.placed_at();
    }
    std::string path_of(std::size_t set) const { return "bodies." + body_of(set).name; }

    void tell_of_pairs()
    {
        const std::vector<SpherePlace>& place = spheres_.all.place;
        const std::vector<int>&set = spheres_.set, &body = spheres_.body;
        NeighbourList list = find_neighbours(place, world_.box, 0);
        table_.drop_passing(spheres_.all.material, list);
        std::vector<std::size_t> overlapping(granular_.sets.size()), coinciding(granular_.sets.size());
        for (std::size_t i = 0; i < place.size(); ++i) {
            for (int k = list.first[i]; k < list.first[i + 1]; ++k) {
                const int j = list.other[k];
                if ((body[i] >= 0 && body[i] == body[j])
                    || (taken_.sets.contains(set[i]) && taken_.sets.contains(set[j])))
                    continue;
                const double smaller = std::min(place[i].radius, place[j].radius);
                const double apart = world_.box.shortest(place[j].x - place[i].x).norm();
                coinciding[set[i]] += apart < same_place * smaller;
                overlapping[set[i]] += place[i].radius + place[j].radius - apart > pressed * smaller;
            }
        }
        for (std::size_t s = 0; s < granular_.sets.size(); ++s) {
            if (coinciding[s] > 0)
                result_.fault(
                    place_of(s), path_of(s), counted(coinciding[s], "pair") + " of spheres with the same centre");
            else if (overlapping[s] > 0)
                result_.warn(place_of(s), path_of(s),
                    counted(overlapping[s], "pair")
                        + " of spheres with an overlap of more than 1 % of a radius at the start");
        }
    }

    void tell_of_walls()
    {
        const SphereBlocks blocks = make_sphere_blocks(spheres_.all);
        std::vector<Depths> depths(granular_.sets.size());
        for (std::size_t w = 0; w < world_.walls.size(); ++w) {
            const GranularWall& wall = world_.walls[w];
            std::fill(depths.begin(), depths.end(), Depths{});
            NearWall near = near_wall_images(world_, wall, frames_[w], spheres_.all, blocks, 0);
            table_.drop_passing(spheres_.all.material, wall.material, near);
            for (const int i : near.sphere) {
                if (taken_.walls.contains(static_cast<int>(w)) && taken_.sets.contains(spheres_.set[i]))
                    continue;
                const SpherePlace& sphere = spheres_.all.place[i];
                const double overlap =
                    wall_overlap(wall, frames_[w], {image_at_wall(world_, wall, frames_[w], sphere.x), sphere.radius});
                Depths& of_set = depths[spheres_.set[i]];
                of_set.pressed += overlap > pressed * sphere.radius;
                of_set.inside += overlap > sphere.radius;
                of_set.deepest = std::max(of_set.deepest, overlap);
            }
            for (std::size_t s = 0; s < depths.size(); ++s)
                tell_of(depths[s], s, wall.name);
        }
    }

    void tell_of(const Depths& depths, std::size_t set, const std::string& wall)
    {
        const std::string deepest = ", the deepest by " + short_number(depths.deepest) + " m";
        if (depths.inside > 0)
            result_.fault(place_of(set), path_of(set),
                counted(depths.inside, "sphere") + " with the centre inside \"" + wall + "\" at the start" + deepest);
        else if (depths.pressed > 0)
            result_.warn(place_of(set), path_of(set),
                counted(depths.pressed, "sphere") + " pressed into \"" + wall
                    + "\" by more than 1 % of a radius at the start" + deepest + "; contact will push them out");
    }

    /// Rigid bodies, which enter solids by points.
    void tell_of_bodies()
    {
        std::map<std::pair<int, int>, Depths> of_pair; // walls, a body's first, in the order of the scene
        std::vector<PointPlace> near = near_points(world_.walls, frames_, world_.box, 0);
        table_.drop_passing(world_.walls, near);
        for (const PointPlace& at : near) {
            const GranularWall &wall = world_.walls[at.wall], &solid = world_.walls[at.solid];
            if (taken_.walls.contains(at.wall) && taken_.walls.contains(at.solid))
                continue;
            const double depth = point_depth(world_.walls, frames_, world_.box, at);
            if (!(depth > 1e-6 * std::min(wall.size, solid.size))) // they just touch
                continue;
            const bool first = wall.body >= 0 && (solid.body < 0 || at.wall < at.solid);
            Depths& depths = of_pair[first ? std::pair(at.wall, at.solid) : std::pair(at.solid, at.wall)];
            ++depths.pressed;
            depths.deepest = std::max(depths.deepest, depth);
        }
        for (const auto& [pair, depths] : of_pair) {
            const BodySettings& body = scene_.bodies[granular_.wall_body[pair.first]];
            const bool apart = world_.walls[pair.second].body >= 0;
            result_.warn(body.placed_at(), "bodies." + body.name + ".position",
                "starts inside \"" + world_.walls[pair.second].name + "\": " + counted(depths.pressed, "point")
                    + " of the surface, the deepest " + short_number(depths.deepest) + " m; contact will push "
                    + (apart ? "them apart" : "it out"));
        }
    }

    /// Looks at places all over an inlet: where not even its smallest sphere finds room, for which walls?
    void tell_of_inlet(std::size_t set)
    {
        constexpr int places = 11; // along each edge
        const BodySettings& body = body_of(set);
        const InletSettings& inlet = *body.inlet;
        const double radius = body.clump ? granular_.sets[set].reach
            : inlet.sizes                ? smallest_radius(*inlet.sizes)
                                         : *body.radius;
        const Frame frame = placed(body);
        const Vec3 room = inlet.box - Vec3::Constant(2 * radius);
        std::set<std::string> in_the_way;
        int taken = 0, for_ever = 0;
        for (int i = 0; i < places * places * places; ++i) {
            const Vec3 share = Vec3(i % places, i / places % places, i / (places * places)) / (places - 1.0);
            const SpherePlace sphere{
                world_.box.wrapped(frame.to_world((share - Vec3::Constant(0.5)).cwiseProduct(room))), radius};
            bool is_taken = false, stays = false;
            for (std::size_t w = 0; w < world_.walls.size(); ++w) {
                const GranularWall& wall = world_.walls[w];
                if (!table_.touch(granular_.sets[set].material, wall.material)
                    || !(wall_overlap(wall, frames_[w], {image_at_wall(world_, wall, frames_[w], sphere.x), radius})
                        > pressed * radius))
                    continue;
                is_taken = true;
                stays = stays || (wall.body < 0 && !scene_.bodies[granular_.wall_body[w]].motion);
                in_the_way.insert("\"" + wall.name + "\"");
            }
            taken += is_taken;
            for_ever += stays;
        }
        if (taken == 0)
            return;
        std::string walls;
        for (const std::string& wall : in_the_way)
            walls += (walls.empty() ? "" : ", ") + wall;
        constexpr int all = places * places * places;
        if (for_ever == all)
            result_.fault(body.inlet_at, body, "inlet",
                "no room for a sphere of radius " + short_number(radius) + " m: obstructed by " + walls);
        else
            result_.warn(body.inlet_at, "bodies." + body.name + ".inlet",
                "about " + std::to_string(std::max(1, 100 * taken / all)) + " % of the region is obstructed by " + walls
                    + "; no sphere enters there");
    }

    const Scene& scene_;
    const TakenOver& taken_;
    BuildResult& result_;
    const BuiltGranular& granular_;
    const GranularWorld& world_;
    StartingSpheres spheres_;
    std::vector<Frame> frames_;
    std::vector<PairLaw> laws_;
    TouchTable table_;
};

} // namespace

void report_granular_overlap(const Scene& scene, const TakenOver& taken, BuildResult& result)
{
    OverlapReport(scene, taken, result).run();
}

} // namespace stickslip
