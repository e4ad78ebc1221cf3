#include "stickslip/io/import_rigid_ipc.h"

#include "stickslip/io/atomic_file.h"
#include "stickslip/io/mesh_files.h"
#include "stickslip/io/scene_tree.h"
#include "stickslip/math/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

namespace stickslip {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double degree = std::numbers::pi / 180;
constexpr double card_thickness = 0.01, ground_thickness = 0.1; // of the longest edge of a sheet

class Importer {
public:
    Importer(const std::string& path, fs::path meshes, fs::path output)
        : path_(path)
        , meshes_(std::move(meshes))
        , output_(std::move(output))
    {
    }

    ImportedScene run()
    {
        const Json file = Json::parse(read_file(path_), nullptr, false);
        if (!file.is_object())
            throw InputError(path_ + ": expected a JSON object, found something else or damaged JSON");
        if (!file.contains("rigid_body_problem") || !file["rigid_body_problem"].is_object())
            throw InputError(path_ + ": expected a scene of rigid-ipc, found no \"rigid_body_problem\"");
        result_.scene.title = "From rigid-ipc: " + fs::path(path_).stem().string();
        result_.scene.time.step = positive(file, "timestep", "timestep");
        result_.scene.time.end = positive(file, "max_time", "max_time");
        result_.scene.time.frame = std::max(result_.scene.time.frame, result_.scene.time.step);
        tell_unused("", file, {"timestep", "max_time", "rigid_body_problem", "scene_type"});
        read_problem(file["rigid_body_problem"]);
        return std::move(result_);
    }

private:
    void note(const std::string& place, const std::string& text) { result_.notes.push_back(place + ": " + text); }

    [[noreturn]] void fail(const std::string& place, const std::string& expected, const Json& found) const
    {
        throw InputError(path_ + ": " + place + ": expected " + expected + ", found " + found.dump().substr(0, 60));
    }

    double positive(const Json& object, const char* key, const std::string& place) const
    {
        if (!object.contains(key))
            throw InputError(path_ + ": " + place + ": required key is missing");
        if (!object[key].is_number() || !(object[key].get<double>() > 0))
            fail(place, "a number > 0", object[key]);
        return object[key];
    }

    double number(const Json& object, const char* key, const std::string& place, double otherwise) const
    {
        if (!object.contains(key))
            return otherwise;
        if (!object[key].is_number())
            fail(place + key, "a number", object[key]);
        return object[key];
    }

    Vec3 vector(const Json& object, const char* key, const std::string& place, const Vec3& otherwise) const
    {
        if (!object.contains(key))
            return otherwise;
        const Json& value = object[key];
        Vec3 result;
        if (!value.is_array() || value.size() != 3)
            fail(place + key, "three numbers (scenes in the plane have no equal here)", value);
        for (int i = 0; i < 3; ++i) {
            if (!value[i].is_number())
                fail(place + key, "three numbers", value);
            result[i] = value[i];
        }
        return result;
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
        scene.contact.friction = number(problem, "coefficient_friction", place, 0);
        if (const double e = number(problem, "coefficient_restitution", place, -1); e > 0)
            note(place + "coefficient_restitution",
                "not carried over, " + number_text(e) + ": contacts here are plastic");
        tell_unused(place, problem, {"gravity", "coefficient_friction", "coefficient_restitution", "rigid_bodies"});
        if (!problem.contains("rigid_bodies") || !problem["rigid_bodies"].is_array())
            throw InputError(path_ + ": " + place + "rigid_bodies: expected a list of bodies");
        const Json& bodies = problem["rigid_bodies"];
        for (std::size_t i = 0; i < bodies.size(); ++i)
            read_body(bodies[i], place + "rigid_bodies[" + std::to_string(i) + "].");
        if (scene.bodies.empty())
            throw InputError(path_ + ": no body could be carried over");
        keep_groups_apart();
    }

    void read_body(const Json& j, const std::string& place)
    {
        if (!j.is_object())
            fail(place, "an object", j);
        if (j.contains("enabled") && j["enabled"] == false) {
            note(place + "enabled", "the body is switched off there and left out here");
            return;
        }
        if (j.contains("mesh") && !j["mesh"].is_string())
            fail(place + "mesh", "the name of a mesh file", j["mesh"]);
        if (!j.contains("mesh") || j["mesh"].get<std::string>().empty()) {
            note(place + "mesh", "the body has no mesh file (its points stand in the scene) and is left out");
            return;
        }
        tell_unused(place, j,
            {"mesh", "position", "rotation", "scale", "dimensions", "linear_velocity", "angular_velocity", "force",
                "torque", "is_dof_fixed", "density", "type", "enabled", "group_id", "kinematic_poses"});
        BodySettings body;
        body.name = free_name(fs::path(j["mesh"].get<std::string>()).stem().string());
        body.position = vector(j, "position", place, Vec3::Zero());
        if (const Vec3 turn = vector(j, "rotation", place, Vec3::Zero()); !turn.isZero(0))
            body.rotation = EulerRotation{turn};
        set_motion(body, j, place);
        set_shape(body, j, place);
        group_.push_back(j.contains("group_id") && j["group_id"].is_number_integer() ? j["group_id"].get<int>() : -1);
        result_.scene.bodies.push_back(body);
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

    FixedDofs fixed_dofs(const Json& j, const std::string& place) const
    {
        FixedDofs fixed{};
        if (!j.contains("is_dof_fixed"))
            return fixed;
        const Json& value = j["is_dof_fixed"];
        const bool six = value.is_array() && value.size() == 6
            && std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_boolean(); });
        if (!value.is_boolean() && !six)
            fail(place + "is_dof_fixed", "true, false or six of them", value);
        for (std::size_t i = 0; i < 6; ++i)
            fixed[i] = six ? value[i].get<bool>() : value.get<bool>();
        return fixed;
    }

    void set_motion(BodySettings& body, const Json& j, const std::string& place)
    {
        const std::string type = j.contains("type") && j["type"].is_string() ? j["type"].get<std::string>() : "dynamic";
        if (type != "static" && type != "kinematic" && type != "dynamic")
            fail(place + "type", "static, kinematic or dynamic", j["type"]);
        const Vec3 velocity = vector(j, "linear_velocity", place, Vec3::Zero());
        const Vec3 spin = degree * vector(j, "angular_velocity", place, Vec3::Zero());
        body.fixed_dofs = fixed_dofs(j, place);
        const bool still = std::all_of(body.fixed_dofs.begin(), body.fixed_dofs.end(), [](bool held) { return held; });
        if (type == "static" || (type == "dynamic" && still)) {
            body.kind = BodyKind::obstacle;
            body.fixed_dofs = {};
            tell_idle({"linear_velocity", "angular_velocity", "force", "torque", "kinematic_poses"}, j, place);
            return;
        }
        body.kind = BodyKind::rigid;
        if (type == "kinematic") {
            body.fixed_dofs = {};
            body.motion = SteadyMotion{.velocity = velocity, .angular_velocity = spin};
            tell_idle({"force", "torque"}, j, place);
            if (j.contains("kinematic_poses") && !j["kinematic_poses"].empty())
                note(place + "kinematic_poses",
                    "not carried over: they place the centre of mass, turned against axes that rigid-ipc chooses. The "
                    "body "
                    "moves by its velocity alone; `motion: {keyframes: ...}` does what they do");
            if (!spin.isZero(0))
                note(place + "angular_velocity", "turns about the mesh's origin here, there about the centre of mass");
            return;
        }
        tell_idle({"kinematic_poses"}, j, place);
        body.material = material_of(number(j, "density", place, 1000));
        body.velocity = velocity;
        body.angular_velocity = spin;
        body.force = vector(j, "force", place, Vec3::Zero());
        body.torque =
            degree * vector(j, "torque", place, Vec3::Zero()); // rigid-ipc turns torques as if they were angles
        if (!body.torque.isZero(0))
            note(place + "torque", "multiplied by pi/180, as rigid-ipc does");
        for (int i = 0; i < 6; ++i) {
            double& start = i < 3 ? body.velocity[i] : body.angular_velocity[i - 3];
            if (body.fixed_dofs[i] && start != 0) {
                note(place + "is_dof_fixed", "a start velocity along a fixed motion is left out");
                start = 0;
            }
        }
    }

    /// What is without effect on a body of its type, there as here.
    void tell_idle(const std::vector<const char*>& keys, const Json& j, const std::string& place)
    {
        const auto is_zero = [](const Json& value) { return value == 0; };
        for (const char* key : keys)
            if (j.contains(key) && !std::all_of(j[key].begin(), j[key].end(), is_zero))
                note(place + key, "without effect on a body of this type, left out");
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
        const fs::path beside = fs::path(path_).parent_path();
        for (const fs::path& folder : {meshes_, beside, beside / "meshes"})
            if (!folder.empty() && fs::is_regular_file(folder / name))
                return folder / name;
        return {};
    }

    void set_shape(BodySettings& body, const Json& j, const std::string& place)
    {
        const std::string name = j["mesh"];
        const fs::path file = find_mesh(name);
        Vec3 scale = j.contains("scale") && j["scale"].is_number() ? Vec3::Constant(j["scale"].get<double>())
                                                                   : vector(j, "scale", place, Vec3::Ones());
        if (file.empty()) {
            result_.missing.push_back(place + "mesh: \"" + name
                + "\" is not in the folders that were looked through; name one with --meshes");
            body.shape = MeshShape{.file = name, .scale = scale.cwiseAbs()};
            return;
        }
        TriMesh mesh = read_tri_mesh(file.string());
        const Bounds raw = bounds(mesh.vertices);
        if (j.contains("dimensions")) {
            const Vec3 wanted = vector(j, "dimensions", place, Vec3::Ones()), size = raw.max - raw.min;
            for (int i = 0; i < 3; ++i)
                scale[i] = wanted[i] / (size[i] == 0 ? 1 : size[i]);
        }
        Bounds box;
        for (Vec3& x : mesh.vertices) {
            x = x.cwiseProduct(scale);
            box.add(x);
        }
        if (is_box(mesh, box) || is_sheet(mesh, box))
            return set_box(body, box, place);
        if (!(scale.array() > 0).all())
            note(place + "scale", "a mirrored or flattened mesh has no equal here: taken without signs");
        const fs::path relative =
            fs::absolute(file).lexically_normal().lexically_relative(fs::absolute(output_).lexically_normal());
        body.shape = MeshShape{.file = relative.generic_string(), .scale = scale.cwiseAbs()};
    }

    /// Closed, with a vertex at each of the eight corners and nowhere else.
    static bool is_box(const TriMesh& mesh, const Bounds& box)
    {
        const Vec3 size = box.max - box.min;
        std::set<int> corners;
        for (const Vec3& x : mesh.vertices) {
            int corner = 0;
            for (int i = 0; i < 3; ++i) {
                const double low = x[i] - box.min[i], high = box.max[i] - x[i];
                if (std::min(low, high) > 1e-9 * size.maxCoeff())
                    return false;
                corner |= (high < low) << i;
            }
            corners.insert(corner);
        }
        return size.minCoeff() > 0 && corners.size() == 8 && is_closed(mesh.triangles);
    }

    /// A rectangle in one of the planes of the axes.
    static bool is_sheet(const TriMesh& mesh, const Bounds& box)
    {
        const Vec3 size = box.max - box.min;
        const int flat = (size.array() == 0).count();
        return flat == 1 && mesh.vertices.size() == 4 && mesh.triangles.size() == 2;
    }

    void set_box(BodySettings& body, Bounds box, const std::string& place)
    {
        const Mat3 R = body.rotation ? rotation_matrix(*body.rotation) : Mat3::Identity();
        Vec3 size = box.max - box.min;
        int thin = 0;
        if (size.minCoeff(&thin) == 0) {
            const bool moves = body.kind != BodyKind::obstacle;
            const double thickness = (moves ? card_thickness : ground_thickness) * size.maxCoeff();
            const double down = R.col(thin).dot(result_.scene.gravity) < 0 ? -1 : 1;
            size[thin] = thickness;
            const double shift = moves ? 0 : 0.5 * down * thickness; // its face stays where the sheet is
            box.min[thin] += shift - 0.5 * thickness;
            box.max[thin] += shift + 0.5 * thickness;
            note(place + "mesh", "a sheet has no volume: a box " + number_text(thickness) + " m thick here");
        }
        body.shape = Box{size};
        body.position += R * (0.5 * (box.min + box.max));
    }

    /// Bodies of one group do not meet in rigid-ipc.
    void keep_groups_apart()
    {
        const std::vector<BodySettings>& bodies = result_.scene.bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (group_[i] >= 0 && group_[i] == group_[k])
                    result_.scene.contact.pairs.push_back(
                        {.bodies = {bodies[k].name, bodies[i].name}, .enabled = false});
    }

    const std::string path_;
    fs::path meshes_, output_;
    ImportedScene result_;
    std::map<std::string, int> uses_; // of names
    std::vector<int> group_; // by body; -1: none
};

} // namespace

ImportedScene import_rigid_ipc(const std::string& path, const fs::path& meshes, const fs::path& output)
{
    return Importer(path, meshes, output).run();
}

} // namespace stickslip
