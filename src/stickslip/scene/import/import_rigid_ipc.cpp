#include "stickslip/scene/import/import_rigid_ipc.h"
#include "stickslip/math/angle.h"

#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/geometry/mesh/mass_properties.h"
#include "stickslip/geometry/mesh/self_intersection.h"
#include "stickslip/geometry/mesh/weld.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/import/import_groups.h"
#include "stickslip/scene/import/import_json.h"
#include "stickslip/scene/import/import_meshes.h"
#include "stickslip/scene/import/import_samples.h"
#include "stickslip/scene/import/import_sheets.h"
#include "stickslip/scene/text/scene_tree.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

constexpr int usual_steps = 1000; // of rigid-ipc, where neither time nor number is said

class Importer : private JsonValues {
public:
    Importer(const std::string& path, fs::path meshes, fs::path output)
        : JsonValues(path)
        , meshes_(std::move(meshes))
        , output_(std::move(output))
    {
    }

    ImportedScene run()
    {
        const Json file = read_json();
        if (!file.is_object())
            return refused();
        if (!file.contains("rigid_body_problem") || !file["rigid_body_problem"].is_object()) {
            fail("", "expected a scene of rigid-ipc, found no \"rigid_body_problem\"");
            return refused();
        }
        result_.scene.title = "From rigid-ipc: " + fs::path(path()).stem().string();
        const bool older = !file.contains("timestep") && file.contains("timestep_size");
        result_.scene.time.step = positive(file, older ? "timestep_size" : "timestep");
        result_.scene.time.end = end_time(file);
        result_.scene.time.frame = std::max(result_.scene.time.frame, result_.scene.time.step);
        tell_unused("", file,
            {older ? "timestep_size" : "timestep", "max_time", "max_iterations", "rigid_body_problem", "scene_type"});
        read_problem(file["rigid_body_problem"]);
        if (has_faults())
            return refused();
        tell_losses();
        return std::move(result_);
    }

private:
    ImportedScene refused()
    {
        result_.faults = faults();
        tell_losses();
        result_.scene = {};
        return std::move(result_);
    }

    void tell_losses()
    {
        result_.dropped = located(dropped_);
        result_.missing = located(missing_);
    }

    void note(const std::string& place, const std::string& text) { result_.notes.push_back(place + ": " + text); }
    void drop(const std::string& place, const std::string& text) { dropped_.emplace_back(place, text); }

    /// Of `max_time`, or else of `max_iterations`; rigid-ipc takes 1000 steps where neither is above 0.
    double end_time(const Json& file)
    {
        if (const double end = number(file, "max_time", "", -1); end > 0)
            return end;
        const double said = number(file, "max_iterations", "", -1), steps = said > 0 ? said : usual_steps;
        const double end = steps * result_.scene.time.step;
        note("max_time",
            "not given: " + std::to_string(std::lround(steps)) + " steps, " + number_text(end) + " s, "
                + (said > 0 ? "by max_iterations" : "as rigid-ipc takes then"));
        return end;
    }

    void tell_unused(const std::string& place, const Json& object, const std::set<std::string>& used)
    {
        for (const auto& [key, value] : object.items())
            if (!used.contains(key))
                note(place + key,
                    (key.starts_with('#') ? "commented out there" : "not carried over") + std::string(", ")
                        + value.dump().substr(0, 100));
    }

    void read_problem(const Json& problem)
    {
        const std::string place = "rigid_body_problem.";
        Scene& scene = result_.scene;
        scene.gravity = vector(problem, "gravity", place, Vec3::Zero());
        scene.contact.friction = number(problem, "coefficient_friction", place, 0, at_least(0));
        if (const double e = number(problem, "coefficient_restitution", place, -1); e > 0)
            note(place + "coefficient_restitution",
                "not carried over, " + number_text(e) + ": contacts here are plastic");
        tell_unused(place, problem, {"gravity", "coefficient_friction", "coefficient_restitution", "rigid_bodies"});
        if (!problem.contains("rigid_bodies"))
            return fail(place + "rigid_bodies", "required key is missing");
        const Json& bodies = problem["rigid_bodies"];
        if (!bodies.is_array())
            return fail(place + "rigid_bodies", "a list of bodies", bodies);
        for (std::size_t i = 0; i < bodies.size(); ++i)
            read_body(bodies[i], place + "rigid_bodies[" + std::to_string(i) + "].");
        if (bodies_.empty() && !has_faults())
            fail(place + "rigid_bodies", "no body could be carried over");
        if (!has_faults())
            finish_bodies();
    }

    void read_body(const Json& j, const std::string& place)
    {
        if (!j.is_object())
            return fail(place.substr(0, place.size() - 1), "an object", j);
        if (!flag(j, "enabled", place, true)) {
            note(place + "enabled", "the body is disabled and left out");
            return;
        }
        if (j.contains("mesh") && !j["mesh"].is_string())
            return fail(place + "mesh", "the name of a mesh file", j["mesh"]);
        if (!j.contains("mesh") || j["mesh"].get<std::string>().empty()) {
            drop(place + "mesh", "the body has no mesh file (its points stand in the scene) and is left out");
            return;
        }
        tell_unused(place, j,
            {"mesh", "position", "rotation", "scale", "dimensions", "linear_velocity", "angular_velocity", "force",
                "torque", "is_dof_fixed", "density", "type", "enabled", "group_id", "kinematic_poses",
                "kinematic_max_time", "split_components"});
        ImportedBody body{.settings = {}, .place = place};
        body.settings.position = vector(j, "position", place, Vec3::Zero());
        if (const Vec3 turn = vector(j, "rotation", place, Vec3::Zero()); !turn.isZero(0))
            body.settings.rotation = EulerRotation{turn};
        body.group = whole(j, "group_id", place, -1);
        set_motion(body, j);
        add_shapes(body, j);
    }

    std::string free_name(std::string stem)
    {
        std::replace_if(
            stem.begin(), stem.end(),
            [](unsigned char c) {
                return c < 0x20 || c == 0x7F || std::string("./\\[]").find(static_cast<char>(c)) != std::string::npos;
            },
            '_');
        stem = stem.substr(0, 80);
        const int count = ++uses_[stem];
        return count == 1 ? stem : stem + " " + std::to_string(count);
    }

    void set_motion(ImportedBody& body, const Json& j)
    {
        const std::string& place = body.place;
        BodySettings& settings = body.settings;
        const Json type = j.value("type", Json("dynamic"));
        if (type != "static" && type != "kinematic" && type != "dynamic")
            fail(place + "type", "static, kinematic or dynamic", type);
        const FixedDofs fixed = six_flags(j, "is_dof_fixed", place);
        if (type == "static" || std::all_of(fixed.begin(), fixed.end(), [](bool held) { return held; })) {
            settings.kind = BodyKind::obstacle;
            tell_idle(
                {"linear_velocity", "angular_velocity", "force", "torque", "kinematic_poses", "kinematic_max_time"}, j,
                place);
            return;
        }
        settings.kind = BodyKind::rigid;
        settings.velocity = vector(j, "linear_velocity", place, Vec3::Zero());
        settings.angular_velocity = degree * vector(j, "angular_velocity", place, Vec3::Zero());
        for (int i = 0; i < 6; ++i) {
            double& start = i < 3 ? settings.velocity[i] : settings.angular_velocity[i - 3];
            if (fixed[i] && start != 0) {
                note(place + "is_dof_fixed", "a start velocity along a fixed motion is left out");
                start = 0;
            }
        }
        if (type == "kinematic") {
            body.script = script_of(settings, j, place);
            settings.velocity = settings.angular_velocity = Vec3::Zero();
            tell_idle({"force", "torque"}, j, place);
            return;
        }
        tell_idle({"kinematic_poses", "kinematic_max_time"}, j, place);
        settings.fixed_dofs = fixed;
        settings.material = material_of(number(j, "density", place, 1000, above(0)));
        settings.force = vector(j, "force", place, Vec3::Zero());
        settings.torque =
            degree * vector(j, "torque", place, Vec3::Zero()); // rigid-ipc turns torques as if they were angles
        if (!settings.torque.isZero(0))
            note(place + "torque", "multiplied by pi/180, as rigid-ipc does");
    }

    KinematicScript script_of(const BodySettings& settings, const Json& j, const std::string& place)
    {
        KinematicScript script{.poses = {},
            .velocity = settings.velocity,
            .spin = settings.angular_velocity,
            .step = result_.scene.time.step,
            .end = result_.scene.time.end};
        if (const double until = number(j, "kinematic_max_time", place, -1); until >= 0)
            script.until = until;
        if (!j.contains("kinematic_poses"))
            return script;
        if (!j["kinematic_poses"].is_array()) {
            fail(place + "kinematic_poses", "a list of poses", j["kinematic_poses"]);
            return script;
        }
        for (const Json& pose : j["kinematic_poses"]) {
            const std::string pose_place = place + "kinematic_poses[" + std::to_string(script.poses.size()) + "]";
            if (!pose.is_object()) {
                fail(pose_place, "an object", pose);
                script.poses.emplace_back();
                continue;
            }
            const std::string here = pose_place + ".";
            script.poses.push_back(
                {vector(pose, "position", here, Vec3::Zero()), vector(pose, "rotation", here, Vec3::Zero())});
        }
        return script;
    }

    /// What is without effect on a body of its type, there as here.
    void tell_idle(const std::vector<const char*>& keys, const Json& j, const std::string& place)
    {
        const auto is_zero = [](const Json& value) { return value == 0; };
        for (const char* key : keys)
            if (j.contains(key) && !std::all_of(j[key].begin(), j[key].end(), is_zero))
                note(place + key, "has no effect on a body of this type, left out");
    }

    std::string material_of(double density)
    {
        for (const MaterialSettings& known : result_.scene.materials)
            if (known.density == density)
                return known.name;
        MaterialSettings material;
        material.name = "material " + std::to_string(result_.scene.materials.size() + 1);
        material.density = density;
        result_.scene.materials.push_back(material);
        return material.name;
    }

    fs::path find_mesh(const std::string& name) const
    {
        const fs::path beside = fs::absolute(path()).parent_path();
        std::error_code untold;
        for (const fs::path& folder : {meshes_, beside, beside / "meshes"})
            if (!folder.empty() && fs::is_regular_file(folder / name, untold))
                return folder / name;
        return {};
    }

    /// The body, or one for each part of its mesh.
    void add_shapes(ImportedBody body, const Json& j)
    {
        const std::string& place = body.place;
        const std::string name = j["mesh"], stem = fs::path(name).stem().string();
        const fs::path file = find_mesh(name);
        Vec3 scale = j.contains("scale") && j["scale"].is_number() ? Vec3::Constant(number(j, "scale", place, 1))
                                                                   : vector(j, "scale", place, Vec3::Ones());
        if (file.empty())
            return add_missing(body, name, scale);
        std::optional<TriMesh> mesh = mesh_of(file, place);
        if (!mesh)
            return;
        if (j.contains("dimensions")) {
            const Bounds raw = bounds(mesh->vertices);
            const Vec3 wanted = vector(j, "dimensions", place, Vec3::Ones()), size = raw.max - raw.min;
            for (int i = 0; i < 3; ++i)
                scale[i] = wanted[i] / (size[i] == 0 ? 1 : size[i]);
        }
        stretch(*mesh, scale);
        const bool split = flag(j, "split_components", place, false);
        if (const std::vector<TriMesh> parts = split ? parts_over_edges(*mesh) : std::vector<TriMesh>();
            parts.size() > 1) {
            for (std::size_t p = 0; p < parts.size(); ++p) {
                char number[32];
                std::snprintf(number, sizeof number, "-part%03zu", p);
                add_shape(body, stem + number, parts[p], file.string() + ", part " + std::to_string(p), std::nullopt);
            }
            return;
        }
        const fs::path relative =
            fs::absolute(file).lexically_normal().lexically_relative(fs::absolute(output_).lexically_normal());
        const bool as_it_is = (scale.array() > 0).all();
        add_shape(body, stem, *mesh, file.string(),
            as_it_is ? std::optional(MeshShape{.file = relative.generic_string(), .scale = scale}) : std::nullopt);
    }

    void add_missing(ImportedBody& body, const std::string& name, const Vec3& scale)
    {
        missing_.emplace_back(body.place + "mesh",
            "\"" + name + "\" is not in the folders that were looked through; name one with --meshes");
        if (body.script && body.script->turns()) {
            drop(body.place + "mesh", "without it the centre of rotation is unknown: the body does not rotate");
            body.script->poses.clear();
            body.script->spin = Vec3::Zero();
        }
        body.settings.name = free_name(fs::path(name).stem().string());
        body.settings.shape = MeshShape{.file = name, .scale = scale.cwiseAbs()};
        bodies_.push_back(body);
    }

    /// Nothing, and the body is dropped, where it holds no triangles.
    std::optional<TriMesh> mesh_of(const fs::path& file, const std::string& place)
    {
        try {
            TriMeshFile read = read_surface(file.string());
            if (read.loose_edges > 0)
                drop(place + "mesh",
                    file.string() + ": " + counted(static_cast<std::size_t>(read.loose_edges), "edge")
                        + " beside the triangles left out");
            return std::move(read.mesh);
        } catch (const InputError& error) {
            drop(place + "mesh", std::string(error.what()) + "; the body is left out");
            return std::nullopt;
        }
    }

    static void stretch(TriMesh& mesh, const Vec3& scale)
    {
        for (Vec3& x : mesh.vertices)
            x = x.cwiseProduct(scale);
        if (scale.prod() < 0) // mirrored
            for (Triangle& t : mesh.triangles)
                std::swap(t[1], t[2]);
    }

    /// A body of this mesh [m]; `origin` is where messages say it is from, `said` how the scene can name it, if it can.
    void add_shape(ImportedBody body, const std::string& name, TriMesh mesh, const std::string& origin,
        const std::optional<MeshShape>& said)
    {
        BodySettings& settings = body.settings;
        const Mat3 R = settings.rotation ? rotation_matrix(*settings.rotation) : Mat3::Identity();
        body.sheet = as_sheet(mesh);
        if (is_upright_box(mesh)) {
            const Bounds box = bounds(mesh.vertices);
            settings.shape = Box{box.max - box.min};
            place_at(body, mesh, 0.5 * (box.min + box.max), R);
        } else if (!body.sheet) {
            if (has_defects(mesh, origin, said, body.place))
                return;
            set_mesh(body, name, mesh, said, R);
        }
        for (const Vec3& x : mesh.vertices)
            body.world.push_back(settings.position + R * x);
        if (!body.sheet) {
            body.feature = smallest_thickness(mesh);
            body.area = surface_area(mesh);
            body.edges = edge_length(mesh);
        }
        settings.name = free_name(name);
        bodies_.push_back(std::move(body));
    }

    /// Puts the origin of its frame there.
    static void place_at(ImportedBody& body, TriMesh& mesh, const Vec3& origin, const Mat3& R)
    {
        for (Vec3& x : mesh.vertices)
            x -= origin;
        body.settings.position += R * origin;
    }

    /// Whether the body is dropped because its mesh encloses no solid.
    bool has_defects(
        const TriMesh& mesh, const std::string& origin, const std::optional<MeshShape>& said, const std::string& place)
    {
        const Vec3 scale = said ? said->scale : Vec3::Zero();
        const auto [known, fresh] = defects_.try_emplace({origin, scale.x(), scale.y(), scale.z()});
        if (fresh || !said) {
            known->second.clear();
            for (const MeshDefect& defect : find_solid_defects(joined(mesh)))
                known->second.push_back(defect.text);
        }
        for (const std::string& defect : known->second)
            drop(place + "mesh", origin + ": " + defect + "; the body is left out");
        return !known->second.empty();
    }

    static TriMesh joined(const TriMesh& mesh)
    {
        return is_closed(mesh.triangles) ? mesh : welded(mesh, usual_weld(mesh.vertices));
    }

    /// A body that turns about its centre of mass has its origin there.
    void set_mesh(
        ImportedBody& body, const std::string& name, TriMesh& mesh, const std::optional<MeshShape>& said, const Mat3& R)
    {
        const MassProperties mass = mass_properties(joined(mesh));
        const Bounds box = bounds(mesh.vertices);
        body.inertia = mass.inertia;
        const bool is_off =
            body.script && body.script->turns() && mass.centre.norm() > 1e-6 * (box.max - box.min).norm();
        if (is_off)
            place_at(body, mesh, mass.centre, R);
        body.settings.shape = said && !is_off ? *said : written(name, mesh);
    }

    MeshShape written(const std::string& name, const TriMesh& mesh)
    {
        const std::string file = fs::path(path()).stem().string() + "_meshes/"
            + std::to_string(result_.meshes.size() + 1) + "-" + name + ".obj";
        result_.meshes.push_back({file, mesh});
        return {.file = file};
    }

    /// Decides what depends on the other bodies.
    void finish_bodies()
    {
        const ImportedGroups groups(bodies_);
        const auto can_meet = [&](const ImportedBody& a, const ImportedBody& b) { return !groups.are_apart(a, b); };
        for (std::size_t b = 0; b < bodies_.size(); ++b)
            if (bodies_[b].sheet)
                note(bodies_[b].place + "mesh", make_box_of_sheet(bodies_, b, result_.scene.gravity, can_meet));
        for (ImportedBody& body : bodies_)
            if (body.script)
                lead(body);
        for (const std::string& fast : notes_of_fast_bodies(bodies_, result_.scene.time.step))
            result_.notes.push_back(fast);
        if (const std::string coarse = set_samples(bodies_); !coarse.empty())
            note("rigid_body_problem.rigid_bodies", coarse);
        for (const ImportedBody& body : bodies_)
            result_.scene.bodies.push_back(body.settings);
        result_.scene.contact.pairs = groups.rules(bodies_);
    }

    void lead(ImportedBody& body)
    {
        const BodySettings& settings = body.settings;
        const Mat3 R = settings.rotation ? rotation_matrix(*settings.rotation) : Mat3::Identity();
        const Mat3 inertia = std::holds_alternative<Box>(settings.shape)
            ? mass_properties(Primitive(std::get<Box>(settings.shape))).inertia
            : body.inertia;
        LedFrame start{.origin = settings.position, .R = R};
        if (!body.script->poses.empty() && !body.world.empty()) {
            start.principal = principal_axes(R * inertia * R.transpose());
            note(body.place + "kinematic_poses",
                "turned, as there, from the body's principal axes of inertia, moments ascending");
        }
        body.settings.motion = led_motion(*body.script, start);
    }

    fs::path meshes_, output_;
    ImportedScene result_;
    std::vector<ImportedBody> bodies_;
    std::vector<std::pair<std::string, std::string>> dropped_, missing_; // place and message
    std::map<std::string, int> uses_; // of names
    std::map<std::tuple<std::string, double, double, double>, std::vector<std::string>> defects_; // of file and scale
};

} // namespace

ImportedScene import_rigid_ipc(const std::string& path, const fs::path& meshes, const fs::path& output)
{
    return Importer(path, meshes, output).run();
}

} // namespace stickslip
