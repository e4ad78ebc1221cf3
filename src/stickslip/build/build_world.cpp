#include "stickslip/build/build_world.h"

#include "stickslip/bodies/round_shapes.h"
#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/build_contact.h"
#include "stickslip/build/build_deformable.h"
#include "stickslip/build/build_motion.h"
#include "stickslip/build/build_mpm.h"
#include "stickslip/build/build_rigid.h"
#include "stickslip/build/contact_limits.h"
#include "stickslip/build/granular/build_granular.h"
#include "stickslip/build/restart/earlier_run.h"
#include "stickslip/build/restart/implicit_start.h"

#include <algorithm>
#include <map>
#include <set>

namespace stickslip {

namespace {

constexpr std::size_t most_facets = 100000; // met by nodes and vertices
constexpr std::size_t most_triangles = 20000; // of a mesh that is met at each whatever its walls (docs/validation.md)

PreconditionerKind preconditioner_kind(PreconditionerChoice choice)
{
    switch (choice) {
    case PreconditionerChoice::automatic:
        return PreconditionerKind::automatic;
    case PreconditionerChoice::block_jacobi:
        return PreconditionerKind::block_jacobi;
    case PreconditionerChoice::block_ssor:
        return PreconditionerKind::block_ssor;
    case PreconditionerChoice::lu:
        return PreconditionerKind::lu;
    case PreconditionerChoice::multigrid:
        return PreconditionerKind::multigrid;
    }
    return PreconditionerKind::automatic;
}

class Builder {
public:
    Builder(
        const Scene& scene, const std::filesystem::path& folder, const std::filesystem::path& grid_cache, bool steered)
        : scene_(scene)
        , steered_(steered)
        , folder_(folder)
        , surfaces_(folder, grid_cache, sampling_needs(scene))
        , world_(result_.built.world)
        , has_spheres_(std::any_of(scene.bodies.begin(), scene.bodies.end(), is_sphere))
        , has_balls_(std::any_of(scene.bodies.begin(), scene.bodies.end(), has_balls))
    {
        result_.source = scene.source;
        earlier_ = read_earlier_run(scene, folder, result_, result_.built.notes);
    }

    BuildResult run()
    {
        if (scene_.solver.is_explicit()) {
            build_granular(scene_, folder_, earlier_ ? &*earlier_ : nullptr, surfaces_, result_);
            return std::move(result_);
        }
        world_.gravity = scene_.gravity;
        world_.relaxation =
            scene_.contact.relaxation == Relaxation::exact_cone ? RelaxationKind::exact_cone : RelaxationKind::planar;
        for (const BodySettings& body : scene_.bodies) {
            result_.attempt(shape_position(body), body, shape_key(body), [&] { add_body(body); });
        }
        if (!result_.good())
            return std::move(result_);
        finish(world_.deformables);
        set_contact_law(scene_, result_);
        // where bodies of an earlier run are is not known yet, nor where others are steered to
        const Reach reach = earlier_ || steered_
            ? Reach::everywhere(world_)
            : Reach(world_, rigid_, 0, std::max(scene_.time.step, scene_.time.largest_step()));
        sample_surfaces(reach);
        if (!result_.good())
            return std::move(result_);
        set_automatic_stiffness(scene_, nodes_.x, points_.x, reach, result_);
        result_.built.state = initial_state(world_, nodes_.x, nodes_.v, rigid_, points_);
        if (earlier_)
            start_from(*earlier_, scene_, result_);
        set_options();
        warn_of_unresolved_motions(scene_, result_.built.options.max_step, result_);
        warn_of_overlap(scene_, result_);
        warn_of_missing_contacts(scene_, result_);
        warn_of_thin_mpm_partners(scene_, result_);
        warn_of_mpm_overlap(scene_, mpm_shapes_, result_);
        warn_of_long_steps(scene_, result_);
        warn_of_narrow_bodies(scene_, result_);
        warn_of_left_out_edges(scene_, result_);
        warn_of_stiffness(scene_, result_);
        return std::move(result_);
    }

private:
    void add_body(const BodySettings& body)
    {
        if (body.kind == BodyKind::deformable) {
            add_deformable_body(scene_, body, folder_, nodes_, result_);
            add_handle(BodyKind::deformable, world_.deformables.bodies.size());
        } else if (body.kind == BodyKind::mpm) {
            add_material_points(body);
        } else if (body.is_free_rigid()) {
            add_rigid_body(body);
        } else {
            add_obstacle(body);
        }
    }

    /// Triangles of a body's file; null for another shape.
    std::shared_ptr<const TriMesh> surface_of(const BodySettings& body)
    {
        const auto* shape = std::get_if<MeshShape>(&body.shape);
        return shape ? surfaces_.mesh(*shape) : nullptr;
    }

    /// The triangles that balls meet, where there are any; or null.
    std::shared_ptr<const TriangulatedSurface> triangles_of(const BodySettings& body)
    {
        const auto* sampled = std::get_if<LevelSetShape>(&body.shape);
        if (sampled && has_balls_) {
            const auto triangles = surfaces_.triangles(*sampled);
            result_.built.notes.push_back(by_triangles(body.name, *triangles));
            return triangles;
        }
        const auto* shape = std::get_if<MeshShape>(&body.shape);
        if (!shape || body.contact_geometry == ContactGeometry::level_set)
            return nullptr;
        const bool is_needed = has_spheres_ || (has_balls_ && is_sampled(body)) || is_met_by_triangles(body);
        return is_needed ? surfaces_.triangles(body, *shape, result_) : nullptr;
    }

    /// Whether nodes and vertices of others meet the triangles of the body, not its sampled distance. Those of a convex
    /// mesh meet its faces, which are exact.
    bool is_met_by_triangles(const BodySettings& body) { return prefers_triangles(body) && is_sampled(body); }

    /// As the scene says; where it says nothing, those of a mesh that is not too fine and asks for no grid, and of one
    /// that the usual grid does not show. Flat faces slide and rest on triangles; on a grid their rims are rounded, and
    /// what should slide sticks or slides too fast.
    bool prefers_triangles(const BodySettings& body)
    {
        if (body.contact_geometry)
            return body.contact_geometry == ContactGeometry::mesh;
        const auto* shape = std::get_if<MeshShape>(&body.shape);
        if (!shape || shape->spacing)
            return false;
        if (surfaces_.mesh(*shape)->triangles.size() <= most_triangles)
            return true;
        const MeshSampling* sampling = surfaces_.sampling(*shape);
        return sampling && !sampling->is_usual;
    }

    /// The triangles that have the edges of a body whose mesh is a sampled distance to others; or null.
    std::shared_ptr<const TriangulatedSurface> sharp_of(const BodySettings& body)
    {
        const std::optional<Primitive> primitive = primitive_of(body.shape);
        if (const auto rims = primitive ? rim_polygons(*primitive) : std::nullopt)
            return std::make_shared<const TriangulatedSurface>(*rims, EdgeRule::smooth);
        const auto* shape = std::get_if<MeshShape>(&body.shape);
        if (!shape || body.contact_geometry || is_met_by_triangles(body) || !is_sampled(body))
            return nullptr;
        return surfaces_.triangles(body, *shape, result_);
    }

    bool is_sampled(const BodySettings& body)
    {
        return std::holds_alternative<std::shared_ptr<const GridLevelSet>>(surfaces_.solid(body.shape));
    }

    /// What is said of a body that is met by its triangles or could be, the first of each mesh for all.
    void tell_of_triangles(const BodySettings& body)
    {
        const auto* shape = std::get_if<MeshShape>(&body.shape);
        if (!shape)
            return;
        const std::size_t count = surfaces_.mesh(*shape)->triangles.size();
        const std::string triangles = counted(count, "triangle");
        const std::string how = is_met_by_triangles(body) ? "it by " : "its sampled distance, not its ";
        if (is_sampled(body) && told_.insert({surface_of(body).get(), how}).second)
            result_.built.notes.push_back(body.name + ": nodes and vertices meet " + how + triangles);
        if (body.contact_geometry == ContactGeometry::mesh && is_met_by_triangles(body) && count > most_facets)
            result_.warn(shape_position(body), "bodies." + body.name + ".contact_geometry",
                "has " + triangles
                    + ", too many to be met at each: with `level_set` or a coarser mesh steps take less time");
        if (const MeshSampling* sampling = surfaces_.sampling(*shape)) {
            tell_of_sampling(body, *shape, *sampling);
            tell_of_coarse_cells(body, *shape, *sampling);
        }
    }

    /// That material points, which meet the sampled distance, are finer than it where the mesh has detail as fine.
    void tell_of_coarse_cells(const BodySettings& body, const MeshShape& shape, const MeshSampling& sampling)
    {
        const double apart = 2 * sampling_needs(scene_).cell; // [m] of material points
        if (shape.spacing || !(sampling.cell > apart) || sampling.shows_edges()
            || !told_.insert({surfaces_.mesh(shape).get(), "coarse to points"}).second)
            return;
        result_.warn(shape_position(body), "bodies." + body.name + "." + shape_key(body),
            "has edges of " + short_number(sampling.shortest_edge) + " m, shorter than two cells ("
                + short_number(sampling.cell)
                + " m) of the grid on which its distance is sampled, which has at most 2^20 "
                + "nodes: material points, " + short_number(apart)
                + " m apart, feel it rounded; divide it into several bodies, or give a `spacing`");
    }

    /// The same, of walls and slots that its sampled distance does not show, if something meets that.
    void tell_of_sampling(const BodySettings& body, const MeshShape& shape, const MeshSampling& sampling)
    {
        const bool by_triangles = is_met_by_triangles(body);
        const bool has_points = std::any_of(scene_.bodies.begin(), scene_.bodies.end(),
            [](const BodySettings& other) { return other.kind == BodyKind::mpm; });
        if (sampling.shows_walls() || (by_triangles && !has_points)
            || !told_.insert({surfaces_.mesh(shape).get(), by_triangles ? "thin to points" : "thin"}).second)
            return;
        const std::string what = by_triangles ? " by material points" : "";
        const std::string finer = "a `spacing` of at most " + short_number(sampling.thickness / 2) + " m";
        result_.warn(shape_position(body), "bodies." + body.name + "." + shape_key(body),
            unresolved(sampling) + ": they may not be felt" + what + "; "
                + (by_triangles ? "give " + finer + " with `contact_geometry: mesh`"
                                : "give " + finer + ", or `contact_geometry: mesh`"));
    }

    /// Whether it touches triangles as a ball.
    static bool is_sphere(const BodySettings& body)
    {
        return is_ball(body) || (body.kind == BodyKind::obstacle && std::holds_alternative<Sphere>(body.shape));
    }

    /// Whether it touches others with balls.
    static bool has_balls(const BodySettings& body)
    {
        return is_sphere(body)
            || ((body.kind == BodyKind::rigid || body.kind == BodyKind::obstacle)
                && (std::holds_alternative<Capsule>(body.shape) || std::holds_alternative<RoundedBox>(body.shape)));
    }

    static bool is_ball(const BodySettings& body)
    {
        return body.kind == BodyKind::rigid && std::holds_alternative<Sphere>(body.shape);
    }

    /// Whether the body's triangles need not enclose a solid, because nothing but spheres meets them; or because the
    /// scene says so.
    bool is_sheet(const BodySettings& body)
    {
        const auto* shape = std::get_if<MeshShape>(&body.shape);
        if (!shape || body.contact_geometry == ContactGeometry::level_set)
            return false;
        const auto stays = [](const BodySettings& other) { return other.kind == BodyKind::obstacle || other.motion; };
        if (std::all_of(scene_.bodies.begin(), scene_.bodies.end(),
                [&](const BodySettings& other) { return stays(other) || is_ball(other); }))
            return true;
        if (!body.contact_geometry || surfaces_.defects(*shape).empty())
            return false;
        if (const std::string names = bodies_through_sheets(scene_); !names.empty())
            result_.warn(shape_position(body), "bodies." + body.name + "." + shape_key(body),
                "is an open mesh, which material points and bodies of a `level_set` do not touch: " + names
                    + " passes through; close the mesh: " + surfaces_.defects(*shape).front());
        return true;
    }

    /// Records what keeps the triangles of a rigid body from enclosing a solid.
    bool is_solid(const BodySettings& body)
    {
        const auto* shape = std::get_if<MeshShape>(&body.shape);
        if (!shape)
            return true;
        const std::vector<std::string>& defects = surfaces_.defects(*shape);
        for (const std::string& defect : defects)
            result_.fault(shape_position(body), body, shape_key(body), defect);
        return defects.empty();
    }

    /// Records that an obstacle is an open surface, but is not said to be one.
    bool is_open_unsaid(const BodySettings& body)
    {
        const auto* shape = std::get_if<MeshShape>(&body.shape);
        if (!shape || body.contact_geometry || surfaces_.defects(*shape).empty())
            return false;
        const std::vector<MeshDefect> defects = find_defects(*surfaces_.mesh(*shape));
        if (std::ranges::find(defects, MeshDefectKind::open_edge, &MeshDefect::kind) == defects.end())
            return false;
        std::string texts;
        for (const MeshDefect& defect : defects)
            texts += (texts.empty() ? "" : "; ") + defect.text;
        result_.fault(shape_position(body), body, shape_key(body),
            "mesh does not enclose a solid: " + texts
                + "; an open surface, which nodes, vertices and spheres touch from either side, says "
                  "`contact_geometry: mesh`");
        return true;
    }

    void add_rigid_body(const BodySettings& body)
    {
        if (!is_solid(body))
            return;
        const std::shared_ptr<const TriMesh> mesh = surface_of(body);
        const MassProperties unit = mesh ? mass_properties(*mesh) : mass_properties(primitive_of(body.shape).value());
        const auto material = std::find_if(scene_.materials.begin(), scene_.materials.end(),
            [&](const MaterialSettings& m) { return m.name == body.material; });
        world_.rigids.push_back(make_rigid(body, surfaces_.solid(body.shape), unit, material->density));
        world_.rigids.back().triangles = triangles_of(body);
        world_.rigids.back().by_triangles = is_met_by_triangles(body);
        world_.rigids.back().sharp = sharp_of(body);
        tell_of_triangles(body);
        rigid_.push_back(initial_rigid(world_.rigids.back(), body, world_.gravity));
        add_handle(BodyKind::rigid, world_.rigids.size(), mesh);
    }

    void add_material_points(const BodySettings& body)
    {
        if (!is_solid(body))
            return;
        const std::shared_ptr<const TriMesh> mesh = surface_of(body);
        const MassProperties unit = mesh ? mass_properties(*mesh) : mass_properties(primitive_of(body.shape).value());
        const LevelSet solid = surfaces_.solid(body.shape);
        const bool is_sampled = std::holds_alternative<std::shared_ptr<const GridLevelSet>>(solid);
        const bool by_mesh = mesh && is_sampled; // the grid rounds its edges and reaches beyond it
        mpm_shapes_.push_back(by_mesh ? shape_distance(*mesh) : shape_distance(solid));
        add_mpm_body(scene_, body, mpm_shapes_.back(), by_mesh ? bounds(mesh->vertices) : bounds(solid), unit.volume,
            points_, result_);
        add_handle(BodyKind::mpm, world_.mpm.bodies.size());
    }

    void add_handle(BodyKind kind, std::size_t count, std::shared_ptr<const TriMesh> surface = nullptr)
    {
        result_.built.bodies.push_back({kind, static_cast<int>(count) - 1});
        result_.built.surfaces.push_back(std::move(surface));
    }

    void sample_surfaces(const Reach& reach)
    {
        for (const auto& faults : {add_samples(scene_, reach, result_.built), add_patch_points(scene_, result_.built)})
            for (const SampleFault& f : faults)
                result_.fault(scene_.bodies[f.body].sample_at, scene_.bodies[f.body], "sample", f.message);
        show_triangles_to_balls();
        const std::vector<std::string> notes = describe(world_.rigids);
        result_.built.notes.insert(result_.built.notes.end(), notes.begin(), notes.end());
    }

    void show_triangles_to_balls()
    {
        const ContactBodies bodies = contact_bodies(world_);
        bool has_balls = false;
        for (int b = bodies.first_rigid(); b < bodies.count(); ++b)
            has_balls = has_balls || !bodies.soft_balls(b).empty();
        for (std::size_t i = 0; has_balls && i < scene_.bodies.size(); ++i)
            if (const BodyHandle& handle = result_.built.bodies[i]; handle.kind == BodyKind::deformable)
                show_triangles(world_.deformables, handle.index, edge_rule(scene_.bodies[i]));
    }

    void add_obstacle(const BodySettings& body)
    {
        if (body.kind == BodyKind::rigid && !is_solid(body))
            return;
        Obstacle obstacle;
        obstacle.name = body.name;
        const bool is_open = is_sheet(body);
        if (!is_open && is_open_unsaid(body))
            return;
        obstacle.triangles =
            is_open ? surfaces_.triangles(body, std::get<MeshShape>(body.shape), result_) : triangles_of(body);
        obstacle.solid =
            is_open ? LevelSet(OpenSurface{bounds(surface_of(body)->vertices)}) : surfaces_.solid(body.shape);
        obstacle.by_triangles = !is_open && is_met_by_triangles(body);
        obstacle.sharp = is_open ? nullptr : sharp_of(body);
        if (!is_open)
            tell_of_triangles(body);
        obstacle.start = placed(body);
        if (body.motion) {
            obstacle.surface_velocity = surface_velocity(*body.motion);
            obstacle.motion = obstacle_motion(*body.motion, obstacle.start);
        }
        world_.obstacles.push_back(obstacle);
        add_handle(BodyKind::obstacle, world_.obstacles.size(), surface_of(body));
    }

    void set_options()
    {
        StepOptions& o = result_.built.options;
        o.step = scene_.time.step;
        o.min_step = scene_.time.smallest_step();
        o.max_step = scene_.time.largest_step();
        o.adaptive = scene_.time.adaptive;
        o.newton.tolerance = scene_.solver.tolerance.value_or(
            std::max(automatic_tolerance(world_, o.step), attainable_tolerance(world_, result_.built.state, o.step)));
        o.newton.max_iterations = scene_.solver.max_newton;
        o.max_seconds = scene_.solver.max_seconds;
        o.newton.gmres.restart = scene_.solver.gmres.restart;
        o.newton.gmres.max_iterations = scene_.solver.gmres.max_iterations;
        o.preconditioner = preconditioner_kind(scene_.solver.preconditioner);
    }

    const Scene& scene_;
    bool steered_;
    std::filesystem::path folder_;
    BodySurfaces surfaces_;
    BuildResult result_;
    World& world_;
    bool has_spheres_, has_balls_;
    std::set<std::pair<const TriMesh*, std::string>> told_; // of meshes, in the log
    PlacedNodes nodes_;
    MpmState points_;
    std::vector<ShapeDistance> mpm_shapes_; // by body of material points
    std::vector<RigidState> rigid_; // as placed
    std::optional<EarlierRun> earlier_; // that the scene starts from
};

} // namespace

BuildResult build_world(
    const Scene& scene, const std::filesystem::path& folder, const std::filesystem::path& grid_cache, bool steered)
{
    return Builder(scene, folder, grid_cache, steered).run();
}

} // namespace stickslip
