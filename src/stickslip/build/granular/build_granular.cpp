#include "stickslip/build/granular/build_granular.h"

#include "stickslip/build/build_motion.h"
#include "stickslip/build/built_world.h"
#include "stickslip/build/granular/build_granular_bodies.h"
#include "stickslip/build/granular/granular_fit.h"
#include "stickslip/build/granular/granular_materials.h"
#include "stickslip/build/granular/granular_overlap.h"
#include "stickslip/build/granular/narrow_holes.h"
#include "stickslip/build/granular/place_spheres.h"
#include "stickslip/build/granular/point_spacing.h"
#include "stickslip/build/restart/granular_start.h"
#include "stickslip/dem/walls/wall_images.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/expand/sphere_sizes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace stickslip {

namespace {

class GranularBuilder {
public:
    GranularBuilder(const Scene& scene, const std::filesystem::path& folder, const EarlierRun* earlier,
        BodySurfaces& surfaces, BuildResult& result)
        : scene_(scene)
        , folder_(folder)
        , surfaces_(surfaces)
        , result_(result)
        , granular_(result.built.granular.emplace())
        , world_(granular_.world)
        , materials_(scene)
        , start_(earlier)
        , spacing_(scene, surfaces)
    {
    }

    void run()
    {
        world_.gravity = scene_.gravity;
        world_.local_damping = scene_.solver.local_damping;
        world_.safety = scene_.time.safety;
        world_.ledger = scene_.output.energy;
        world_.law = materials_.force_law();
        for (const OutletSettings& outlet : scene_.outlets)
            world_.outlets.push_back(outlet.box);
        for (int axis = 0; scene_.periodic && axis < 3; ++axis) {
            if (!std::isfinite(scene_.periodic->min[axis]))
                continue;
            world_.box.corner[axis] = scene_.periodic->min[axis];
            world_.box.size[axis] = scene_.periodic->max[axis] - scene_.periodic->min[axis];
        }
        for (const BodySettings& body : scene_.bodies)
            free_rigids_ += body.is_free_rigid();
        for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
            add_body(static_cast<int>(i));
        world_.bodies.insert(world_.bodies.end(), clumps_.begin(), clumps_.end()); // behind those that stay
        if (!result_.good())
            return;
        world_.materials = materials_.list();
        world_.pair_exceptions = materials_.pair_exceptions();
        std::vector<Grain> all = granular_.grains;
        all.insert(all.end(), later_.begin(), later_.end());
        triangulate_narrow_holes(scene_, all, result_);
        for (std::size_t w = 0; w < world_.walls.size(); ++w)
            if (const CheckpointBody* const earlier = start_.earlier(granular_.wall_body[w]))
                start_.wall(*earlier, world_.walls[w], w);
        start_.finish(granular_);
        GranularWorld later = world_; // clumps that come count too
        later.bodies.insert(later.bodies.end(), world_.clumps.begin(), world_.clumps.end());
        world_.dt = later.dt = scene_.time.step > 0 ? scene_.time.step : stable_time_step(later, all);
        note_time_step(later, all);
        warn_of_unresolved_motions(scene_, world_.dt, result_);
        report_misfits(scene_, result_);
        spacing_.warn_of_gaps(result_);
        warn_of_bumps(scene_, result_);
        if (fits_periodic_box(all))
            report_granular_overlap(scene_, taken_over(), result_);
    }

private:
    void add_body(int index)
    {
        const BodySettings& body = scene_.bodies[index];
        const bool set = body.kind == BodyKind::spheres;
        const SourcePosition at = set ? placing_position(body) : shape_position(body);
        const std::string key = set ? placing_key(body) : shape_key(body);
        result_.attempt(at, body, key, [&] {
            if (set)
                add_set(index);
            else if (body.is_free_rigid())
                add_granular_rigid(scene_, index, materials_.add(index), start_, surfaces_, spacing_, result_);
            else
                add_wall(index);
        });
    }

    void add_set(int index)
    {
        const BodySettings& body = scene_.bodies[index];
        const int material = materials_.add(index);
        const int group = static_cast<int>(granular_.sets.size());
        granular_.sets.push_back({.name = body.name, .body = index, .material = material});
        result_.built.bodies.push_back({BodyKind::spheres, group});
        result_.built.surfaces.push_back(nullptr);
        if (body.clump)
            add_clump_kind(scene_, group, materials_.list()[material].density, result_);
        if (body.inlet)
            result_.attempt(body.inlet_at, body, "inlet", [&] { expect_later(body); });
        const CheckpointBody* const earlier = start_.earlier(index);
        if (earlier)
            taken_.insert(group);
        else if (!body.positions && !body.fill && !body.inlet)
            throw InputError("expected `positions`, `fill` or `inlet`: the run to start from has no such spheres");
        if (body.clump) {
            const std::vector<RigidState> starts = earlier
                ? start_.clumps(*earlier, free_rigids_ + clumps_.size())
                : clump_places(body, place_spheres(body, folder_, surfaces_).places);
            const std::vector<GranularBody> made = make_clumps(granular_.sets.back(), starts, result_);
            clumps_.insert(clumps_.end(), made.begin(), made.end());
        } else if (earlier) {
            add_grains(body, start_.spheres(*earlier, material, group, granular_.grains.size()));
        } else {
            add_grains(body, placed_grains(body, material, group));
        }
    }

    std::vector<Grain> placed_grains(const BodySettings& body, int material, int group)
    {
        const Placing placing = place_spheres(body, folder_, surfaces_);
        const Frame frame = placed(body);
        std::vector<Grain> grains;
        for (std::size_t i = 0; i < placing.places.size(); ++i) {
            grains.push_back({.x = frame.to_world(placing.places[i]),
                .radius = placing.radii[i],
                .material = material,
                .v = placing.velocities.empty() ? body.velocity : Vec3(frame.R * placing.velocities[i]),
                .w = placing.spins.empty() ? body.angular_velocity : Vec3(frame.R * placing.spins[i]),
                .group = group});
        }
        return grains;
    }

    void add_grains(const BodySettings& body, const std::vector<Grain>& grains)
    {
        granular_.grains.insert(granular_.grains.end(), grains.begin(), grains.end());
        if (grains.empty())
            return;
        double volume = 0, least = infinity, most = 0;
        for (const Grain& grain : grains) {
            volume += 4 * std::numbers::pi / 3 * std::pow(grain.radius, 3);
            least = std::min(least, grain.radius);
            most = std::max(most, grain.radius);
        }
        const double mass = volume * materials_.list()[grains.front().material].density;
        result_.built.notes.push_back(body.name + ": " + counted(grains.size(), "sphere") + ", radius "
            + short_number(least) + " to " + short_number(most) + " m, mass " + short_number(mass) + " kg");
    }

    /// What spheres or clumps that come in later need from the start.
    void expect_later(const BodySettings& body)
    {
        const SphereSet& set = granular_.sets.back();
        double largest = 0, smallest = infinity;
        for (const RoundPoint& ball : body.clump ? world_.clumps[set.clump].rigid.rounds : std::vector<RoundPoint>{}) {
            largest = std::max(largest, ball.radius);
            smallest = std::min(smallest, ball.radius);
        }
        if (!body.clump) {
            largest = body.inlet->sizes ? largest_radius(*body.inlet->sizes) : *body.radius;
            smallest = body.inlet->sizes ? smallest_radius(*body.inlet->sizes) : *body.radius;
        }
        const double reach = body.clump ? set.reach : largest;
        if (2 * reach > body.inlet->box.minCoeff())
            throw InputError("the inlet's box is too small for a " + std::string(body.clump ? "clump" : "sphere")
                + " of radius " + short_number(reach) + " m");
        world_.largest_radius = std::max(world_.largest_radius, largest);
        if (!body.clump)
            later_.push_back({.x = Vec3::Zero(), .radius = smallest, .material = set.material});
    }

    void add_wall(int index)
    {
        const BodySettings& body = scene_.bodies[index];
        GranularWall wall{.name = body.name, .shape = {}, .material = materials_.add(index), .start = placed(body)};
        std::shared_ptr<const TriMesh> mesh;
        if (const auto* shape = std::get_if<MeshShape>(&body.shape)) {
            mesh = surfaces_.mesh(*shape);
            wall.shape = surfaces_.triangles(body, *shape, result_);
        } else if (const auto* sampled = std::get_if<LevelSetShape>(&body.shape)) {
            const auto triangles = surfaces_.triangles(*sampled);
            stand_for_solid(triangles, surfaces_.solid(body.shape), wall);
            result_.built.notes.push_back(by_triangles(body.name, *triangles));
        } else {
            wall.shape = surfaces_.solid(body.shape);
        }
        if (body.motion) {
            wall.surface_velocity = surface_velocity(*body.motion);
            wall.motion = obstacle_motion(*body.motion, wall.start);
        }
        let_meet_rigid(scene_, body, mesh.get(), surfaces_, spacing_, wall, result_);
        world_.walls.push_back(std::move(wall));
        granular_.wall_body.push_back(index);
        result_.built.bodies.push_back({BodyKind::obstacle, static_cast<int>(world_.walls.size()) - 1});
        result_.built.surfaces.push_back(std::move(mesh));
    }

    void note_time_step(GranularWorld limit, const std::vector<Grain>& all)
    {
        limit.safety = 0.999999;
        const double largest = stable_time_step(limit, all) / limit.safety;
        granular_.stability_limit = largest;
        constexpr const char* laws[] = {"linear", "hertz", "dmt", "jkr"};
        result_.built.notes.push_back(std::string("force law ") + laws[static_cast<int>(world_.law)] + ", time step "
            + short_number(world_.dt) + " s, stability limit about " + short_number(largest) + " s");
        if (world_.dt > largest)
            result_.warn({}, "time.step",
                "above the stability limit, about " + short_number(largest) + " s: the run can gain energy");
    }

    /// Whether each sphere has at most one image of another within its range, and each rigid body one of any.
    bool fits_periodic_box(const std::vector<Grain>& all)
    {
        double largest = world_.largest_radius, sum = 0;
        std::size_t count = 0;
        const auto add = [&](double radius) {
            largest = std::max(largest, radius);
            sum += radius;
            ++count;
        };
        for (const Grain& grain : all)
            add(grain.radius);
        for (const GranularBody& body : world_.bodies)
            for (const RoundPoint& ball : body.is_clump ? body.rigid.rounds : std::vector<RoundPoint>{})
                add(ball.radius);
        double mean = count > 0 ? sum / static_cast<double>(count) : largest;
        for (const GranularWall& wall : world_.walls)
            if (wall.body >= 0 && largest == 0) // bodies alone
                mean = std::max(mean, 0.2 * reach_of_body(world_, wall));
        const double beyond = least_skin * mean + adhesive_reach(world_.law, pair_laws(world_), largest);
        if (!fits_twice(2 * largest + beyond, "the spheres"))
            return false;
        for (const GranularWall& wall : world_.walls)
            if (wall.body >= 0
                && !fits_twice(periodic_range(world_, wall, largest) + beyond, "the body \"" + wall.name + "\""))
                return false;
        return true;
    }

    bool fits_twice(double range, const std::string& whose)
    {
        for (int axis = 0; axis < 3; ++axis) {
            if (!(world_.box.size[axis] < 2 * range))
                continue;
            result_.fault(scene_.periodic_at, "periodic",
                std::string("expected at least ") + short_number(2 * range) + " m along " + "xyz"[axis]
                    + ", twice the range of " + whose + ", got " + short_number(world_.box.size[axis]) + " m");
            return false;
        }
        return true;
    }

    TakenOver taken_over() const
    {
        TakenOver taken{.sets = taken_, .walls = {}};
        for (std::size_t w = 0; w < world_.walls.size(); ++w)
            if (start_.earlier(granular_.wall_body[w]))
                taken.walls.insert(static_cast<int>(w));
        return taken;
    }

    const Scene& scene_;
    std::filesystem::path folder_;
    BodySurfaces& surfaces_;
    BuildResult& result_;
    BuiltGranular& granular_;
    GranularWorld& world_;
    std::vector<Grain> later_; // the smallest of each inlet
    std::set<int> taken_; // groups that begin where an earlier run ended
    std::vector<GranularBody> clumps_; // of the sets
    std::size_t free_rigids_ = 0; // bodies before them
    GranularMaterials materials_;
    GranularStart start_;
    PointSpacing spacing_;
};

} // namespace

void build_granular(const Scene& scene, const std::filesystem::path& folder, const EarlierRun* earlier,
    BodySurfaces& surfaces, BuildResult& result)
{
    GranularBuilder(scene, folder, earlier, surfaces, result).run();
}

} // namespace stickslip
