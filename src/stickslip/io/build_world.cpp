#include "stickslip/io/build_world.h"

#include "stickslip/geometry/tet_shapes.h"
#include "stickslip/geometry/tri_mesh.h"
#include "stickslip/io/body_names.h"
#include "stickslip/io/body_pairs.h"
#include "stickslip/io/body_surfaces.h"
#include "stickslip/io/build_motion.h"
#include "stickslip/io/build_rigid.h"
#include "stickslip/io/mesh_files.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace stickslip {

namespace {

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

ElasticModel elastic_model(MaterialModel model)
{
    switch (model) {
    case MaterialModel::linear:
        return ElasticModel::linear;
    case MaterialModel::fixed_corotated:
        return ElasticModel::fixed_corotated;
    case MaterialModel::neo_hookean:
        return ElasticModel::neo_hookean;
    case MaterialModel::st_venant_kirchhoff:
        return ElasticModel::st_venant_kirchhoff;
    }
    return ElasticModel::neo_hookean;
}

PreconditionerKind preconditioner_kind(PreconditionerChoice choice)
{
    switch (choice) {
    case PreconditionerChoice::automatic:
        return PreconditionerKind::automatic;
    case PreconditionerChoice::block_jacobi:
        return PreconditionerKind::block_jacobi;
    case PreconditionerChoice::block_ssor:
        return PreconditionerKind::block_ssor;
    case PreconditionerChoice::cholesky:
        return PreconditionerKind::cholesky;
    case PreconditionerChoice::lu:
        return PreconditionerKind::lu;
    }
    return PreconditionerKind::automatic;
}

class Builder {
public:
    Builder(const Scene& scene, const std::filesystem::path& folder, const std::filesystem::path& grid_cache)
        : scene_(scene)
        , folder_(folder)
        , surfaces_(folder, grid_cache)
        , world_(result_.built.world)
    {
    }

    BuildResult run()
    {
        if (scene_.solver.is_explicit()) {
            build_granular(scene_, folder_, surfaces_, result_);
            return std::move(result_);
        }
        world_.gravity = scene_.gravity;
        world_.relaxation =
            scene_.contact.relaxation == Relaxation::exact_cone ? RelaxationKind::exact_cone : RelaxationKind::planar;
        for (const BodySettings& body : scene_.bodies) {
            try {
                if (body.kind == BodyKind::deformable)
                    add_deformable_body(body);
                else if (body.is_free_rigid())
                    add_rigid_body(body);
                else
                    add_obstacle(body);
            } catch (const FileError& error) {
                result_.unreadable = true;
                fault(file_position(body), body, file_path(body), error.what());
            } catch (const InputError& error) {
                fault(file_position(body), body, file_path(body), error.what());
            }
        }
        if (!result_.good())
            return std::move(result_);
        finish(world_.deformables);
        sample_surfaces();
        if (!result_.good())
            return std::move(result_);
        set_contact_law();
        result_.built.state = initial_state(world_, x_, v_, rigid_);
        set_options();
        warn_of_overlap();
        warn_of_missing_contacts();
        return std::move(result_);
    }

private:
    void fault(
        const SourcePosition& where, const BodySettings& body, const std::string& key, const std::string& message)
    {
        result_.faults.push_back(make_fault(source(), where, "bodies." + body.name + "." + key, message));
    }

    void warning(const SourcePosition& where, const std::string& path, const std::string& message)
    {
        Fault w = make_fault(source(), where, path, message);
        w.warning = true;
        result_.warnings.push_back(w);
    }

    const SceneSource& source() const
    {
        static const SceneSource none;
        return scene_.source ? *scene_.source : none;
    }

    static SourcePosition file_position(const BodySettings& body)
    {
        if (const auto* mesh = std::get_if<MeshShape>(&body.shape))
            return mesh->file_at;
        if (const auto* grid = std::get_if<LevelSetShape>(&body.shape))
            return grid->file_at;
        return body.shape_at;
    }

    static std::string file_path(const BodySettings& body)
    {
        if (std::holds_alternative<MeshShape>(body.shape))
            return "shape.mesh.file";
        return std::holds_alternative<LevelSetShape>(body.shape) ? "shape.level_set.file" : "shape";
    }

    static Frame placed(const BodySettings& body)
    {
        return {body.position, body.rotation ? rotation_matrix(*body.rotation) : Mat3::Identity()};
    }

    TetMesh deformable_mesh(const BodySettings& body)
    {
        if (const auto* shape = std::get_if<MeshShape>(&body.shape)) {
            TetMeshFile file = read_tet_mesh((folder_ / shape->file).string());
            for (Vec3& X : file.mesh.nodes)
                X = X.cwiseProduct(shape->metres_per_unit());
            if (file.unused_nodes > 0)
                warning(shape->file_at, "bodies." + body.name + ".shape.mesh.file",
                    std::to_string(file.unused_nodes) + " nodes belong to no tetrahedron and were left out");
            return file.mesh;
        }
        return tetrahedralize(primitive_of(body.shape).value(), *body.resolution);
    }

    void add_deformable_body(const BodySettings& body)
    {
        const TetMesh mesh = deformable_mesh(body);
        const auto defects = find_defects(mesh);
        for (const MeshDefect& defect : defects)
            fault(file_position(body), body, file_path(body), defect.text);
        if (!defects.empty())
            return;
        const auto material = std::find_if(scene_.materials.begin(), scene_.materials.end(),
            [&](const MaterialSettings& m) { return m.name == body.material; });
        DeformableSet& set = world_.deformables;
        const int index = add_deformable(set, body.name, mesh,
            make_material(elastic_model(material->model), material->density, *material->young, *material->poisson,
                material->damping));
        set.bodies[index].acceleration = body.acceleration;
        set.bodies[index].pressure = body.pressure;
        add_handle(BodyKind::deformable, set.bodies.size());
        place(body, mesh, set.bodies[index]);
        for (std::size_t i = 0; i < body.fix.size(); ++i)
            pin(body, i, set.bodies[index]);
        const TetQuality q = tet_quality(mesh);
        result_.built.notes.push_back(body.name + ": " + std::to_string(mesh.nodes.size()) + " nodes, "
            + std::to_string(mesh.tets.size()) + " tetrahedra, mean edge " + number(q.mean_edge) + " m, quality "
            + number(q.min_ratio) + " (worst) " + number(q.mean_ratio) + " (mean), dihedral angles "
            + number(q.min_dihedral) + " to " + number(q.max_dihedral) + " degrees, mass "
            + number(set.bodies[index].mass) + " kg");
    }

    void place(const BodySettings& body, const TetMesh& mesh, const DeformableBody& b)
    {
        const Frame frame = placed(body);
        Vec3 centre = Vec3::Zero();
        for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
            x_.push_back(frame.to_world(mesh.nodes[i]));
            centre += world_.deformables.mass[b.nodes.begin + static_cast<int>(i)] / b.mass * x_.back();
        }
        for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
            v_.push_back(body.velocity + body.angular_velocity.cross(x_[b.nodes.begin + static_cast<int>(i)] - centre));
    }

    void pin(const BodySettings& body, std::size_t index, const DeformableBody& b)
    {
        const FixSettings& fix = body.fix[index];
        DeformableSet& set = world_.deformables;
        std::vector<int> nodes;
        Vec3 mean = Vec3::Zero();
        for (int i = b.nodes.begin; i < b.nodes.end; ++i)
            if (fix.box.contains(x_[i])) {
                nodes.push_back(i);
                mean += x_[i];
            }
        const std::string key = "fix[" + std::to_string(index) + "].box";
        if (nodes.empty()) {
            fault(fix.where, body, key, "expected a box that holds nodes of the body, found none in it");
            return;
        }
        mean /= static_cast<double>(nodes.size());
        const Frame start{mean, Mat3::Identity()};
        set.pin_frames.push_back({start, fix.motion ? pin_motion(*fix.motion, start) : ScriptedMotion{}});
        for (const int i : nodes) {
            const auto taken =
                std::find_if(set.pins.begin(), set.pins.end(), [&](const Pin& p) { return p.node == i; });
            if (taken != set.pins.end()) {
                fault(
                    fix.where, body, key, "expected boxes that do not share nodes, found a node that is already fixed");
                return;
            }
            set.pins.push_back({i, start.to_local(x_[i]), static_cast<int>(set.pin_frames.size()) - 1});
        }
        std::sort(set.pins.begin(), set.pins.end(), [](const Pin& p, const Pin& q) { return p.node < q.node; });
    }

    /// Triangles of a body's file; null for another shape.
    std::shared_ptr<const TriMesh> surface_of(const BodySettings& body)
    {
        const auto* shape = std::get_if<MeshShape>(&body.shape);
        return shape ? surfaces_.mesh(*shape) : nullptr;
    }

    /// Records what keeps the triangles of a rigid body from enclosing a solid.
    bool is_solid(const BodySettings& body)
    {
        const auto* shape = std::get_if<MeshShape>(&body.shape);
        if (!shape)
            return true;
        const std::vector<std::string>& defects = surfaces_.defects(*shape);
        for (const std::string& defect : defects)
            fault(file_position(body), body, file_path(body), defect);
        return defects.empty();
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
        rigid_.push_back(initial_rigid(world_.rigids.back(), body, world_.gravity));
        add_handle(BodyKind::rigid, world_.rigids.size(), mesh);
    }

    void add_handle(BodyKind kind, std::size_t count, std::shared_ptr<const TriMesh> surface = nullptr)
    {
        result_.built.bodies.push_back({kind, static_cast<int>(count) - 1});
        result_.built.surfaces.push_back(std::move(surface));
    }

    void sample_surfaces()
    {
        for (const SampleFault& f : add_samples(scene_, result_.built))
            fault(scene_.bodies[f.body].sample_at, scene_.bodies[f.body], "sample", f.message);
        const std::vector<std::string> notes = describe(world_.rigids);
        result_.built.notes.insert(result_.built.notes.end(), notes.begin(), notes.end());
    }

    void add_obstacle(const BodySettings& body)
    {
        if (body.kind == BodyKind::rigid && !is_solid(body))
            return;
        Obstacle obstacle;
        obstacle.name = body.name;
        obstacle.solid = surfaces_.solid(body.shape);
        obstacle.start = placed(body);
        if (body.motion) {
            if (const auto* belt = std::get_if<SurfaceMotion>(&*body.motion))
                obstacle.surface_velocity = belt->surface_velocity;
            else
                obstacle.motion = obstacle_motion(*body.motion, obstacle.start);
        }
        world_.obstacles.push_back(obstacle);
        add_handle(BodyKind::obstacle, world_.obstacles.size(), surface_of(body));
    }

    // What the scene says of contact, by body and pair.
    void set_contact_law()
    {
        ContactLaw& law = world_.contact;
        law.friction = scene_.contact.friction;
        law.stiffness = scene_.contact.stiffness;
        law.damping = scene_.contact.damping;
        const ContactBodies bodies = contact_bodies(world_);
        law.automatic.assign(bodies.count(), 0);
        for (int b = 0; b < bodies.first_obstacle(); ++b) {
            const bool per_area = bodies.is_deformable(b);
            law.automatic[b] = per_area ? automatic_contact_stiffness(world_, b, x_)
                                        : automatic_rigid_stiffness(world_, b - bodies.first_rigid(), scene_.time.step);
            if (b < 20) // of many, the first tell enough
                result_.built.notes.push_back(contact_body_name(world_, b) + ": contact stiffness "
                    + (law.stiffness   ? number(*law.stiffness) + " N/m per point"
                            : per_area ? number(law.automatic[b]) + " N/m3 (auto), times the area of each surface node"
                                       : number(law.automatic[b]) + " N/m (auto), times the weight of each point"));
        }
        set_rules(law);
    }

    // Every pair is asked only when something is said of single pairs or groups.
    void set_rules(ContactLaw& law) const
    {
        const bool groups = std::any_of(scene_.bodies.begin(), scene_.bodies.end(),
            [](const BodySettings& b) { return b.collides_with.has_value(); });
        if (scene_.contact.pairs.empty() && !groups)
            return;
        for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const BodySettings &first = scene_.bodies[i], &second = scene_.bodies[j];
                const PairSettings* said = settings_of_pair(scene_.contact, first.name, second.name);
                PairRule rule;
                if (said)
                    rule = {said->friction, said->stiffness, said->enabled};
                rule.enabled = rule.enabled && may_touch(first, second);
                if (!said && rule.enabled)
                    continue;
                const int a = contact_body(world_, result_.built.bodies[i]);
                const int b = contact_body(world_, result_.built.bodies[j]);
                law.rules[{std::min(a, b), std::max(a, b)}] = rule;
            }
    }

    void set_options()
    {
        StepOptions& o = result_.built.options;
        o.step = scene_.time.step;
        o.min_step = scene_.time.smallest_step();
        o.max_step = scene_.time.largest_step();
        o.adaptive = scene_.time.adaptive;
        o.newton.tolerance = scene_.solver.tolerance.value_or(automatic_tolerance(world_, scene_.time.step));
        o.newton.max_iterations = scene_.solver.max_newton;
        o.newton.gmres.restart = scene_.solver.gmres.restart;
        o.newton.gmres.max_iterations = scene_.solver.gmres.max_iterations;
        o.preconditioner = preconditioner_kind(scene_.solver.preconditioner);
    }

    // A body that starts inside an obstacle is pushed out from the nearest face: legal, and rarely meant.
    void warn_of_overlap()
    {
        const DeformableSet& set = world_.deformables;
        const ContactBodies bodies = contact_bodies(world_);
        for (int p = 0; p < bodies.first_rigid(); ++p)
            for (int o = bodies.first_obstacle(); o < bodies.count(); ++o)
                if (bodies.is_pair(p, o))
                    warn_of_overlap(set.bodies[p], bodies.obstacle(o));
    }

    void warn_of_overlap(const DeformableBody& body, const Obstacle& obstacle)
    {
        const DeformableSet& set = world_.deformables;
        const Frame frame = frame_at(obstacle.motion, obstacle.start, 0);
        double depth = 0;
        int inside = 0;
        for (int s = body.surface_nodes.begin; s < body.surface_nodes.end; ++s) {
            const double phi = signed_distance(obstacle.solid, frame.to_local(x_[set.surface_nodes[s]]));
            if (phi < -1e-6 * body.element_size)
                ++inside;
            depth = std::max(depth, -phi);
        }
        if (inside == 0)
            return;
        const auto settings = std::find_if(
            scene_.bodies.begin(), scene_.bodies.end(), [&](const BodySettings& s) { return s.name == body.name; });
        warning(settings->position_at, "bodies." + body.name + ".position",
            "starts inside \"" + obstacle.name + "\": " + std::to_string(inside) + " surface nodes, the deepest "
                + number(depth) + " m; contact will push it out");
    }

    void warn_of_missing_contacts()
    {
        for (const PairSettings& pair : scene_.contact.pairs) {
            const auto all_are = [&](BodyKind kind) {
                return std::all_of(scene_.bodies.begin(), scene_.bodies.end(), [&](const BodySettings& b) {
                    const bool named = names_body(pair.bodies[0], b.name) || names_body(pair.bodies[1], b.name);
                    return !named || b.kind == kind;
                });
            };
            if (all_are(BodyKind::deformable) || all_are(BodyKind::obstacle))
                warning(pair.where, "contact.pairs",
                    "\"" + pair.bodies[0] + "\" and \"" + pair.bodies[1]
                        + "\" do not meet: this version computes no contact between two deformable bodies, nor between "
                          "two obstacles");
        }
        if (world_.deformables.bodies.size() > 1)
            warning({}, "bodies",
                "this version computes no contact between deformable bodies: they pass through one another");
    }

    const Scene& scene_;
    std::filesystem::path folder_;
    BodySurfaces surfaces_;
    BuildResult result_;
    World& world_;
    std::vector<Vec3> x_, v_; // nodes as placed
    std::vector<RigidState> rigid_; // as placed
};

} // namespace

int contact_body(const World& world, const BodyHandle& body)
{
    const ContactBodies bodies = contact_bodies(world);
    if (body.kind == BodyKind::deformable)
        return body.index;
    return (body.kind == BodyKind::rigid ? bodies.first_rigid() : bodies.first_obstacle()) + body.index;
}

const std::string& contact_body_name(const World& world, int body)
{
    const ContactBodies bodies = contact_bodies(world);
    if (bodies.is_deformable(body))
        return world.deformables.bodies[body].name;
    return bodies.is_rigid(body) ? bodies.rigid(body).name : bodies.obstacle(body).name;
}

int point_number(const World& world, const ContactInfo& c)
{
    if (!contact_bodies(world).is_deformable(c.point_body))
        return c.point;
    const DeformableSet& set = world.deformables;
    return surface_node(set, c.point_body, c.point) - set.bodies[c.point_body].nodes.begin;
}

BuildResult build_world(
    const Scene& scene, const std::filesystem::path& folder, const std::filesystem::path& grid_cache)
{
    return Builder(scene, folder, grid_cache).run();
}

std::vector<std::string> input_files(const Scene& scene)
{
    std::set<std::string> files;
    for (const BodySettings& body : scene.bodies) {
        if (const auto* mesh = std::get_if<MeshShape>(&body.shape))
            files.insert(mesh->file);
        if (const auto* grid = std::get_if<LevelSetShape>(&body.shape))
            files.insert(grid->file);
        if (body.fill && body.fill->mesh)
            files.insert(body.fill->mesh->file);
        if (body.positions && !body.positions->file.empty())
            files.insert(body.positions->file);
    }
    return {files.begin(), files.end()};
}

} // namespace stickslip
