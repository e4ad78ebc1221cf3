#include "stickslip/io/frames.h"

#include "stickslip/bodies/elastic.h"
#include "stickslip/geometry/surface_shapes.h"
#include "stickslip/io/mesh_files.h"
#include "stickslip/io/vtk_files.h"

#include <Eigen/LU>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <set>

namespace stickslip {

namespace {

// Curved obstacles are drawn with this many edges around their smallest radius or so.
constexpr double drawing_fraction = 0.15;

double drawing_resolution(const Primitive& shape)
{
    return drawing_fraction
        * std::visit(
            [](const auto& s) {
                using S = std::decay_t<decltype(s)>;
                if constexpr (std::is_same_v<S, Torus>)
                    return 2 * s.minor;
                else if constexpr (std::is_same_v<S, Plane> || std::is_same_v<S, Box>)
                    return 1.0;
                else
                    return s.radius;
            },
            shape);
}

// Half the size of the square that stands for a plane: well beyond where the bodies start.
double plane_extent(const State& state, const Frame& frame)
{
    double reach = 1;
    for (const Vec3& x : state.x)
        reach = std::max(reach, (x - frame.x).norm());
    return 2 * reach;
}

double von_mises(const ElasticMaterial& material, const Mat3& F)
{
    const Mat3 cauchy = first_piola(material, F) * F.transpose() / F.determinant();
    const Mat3 deviator = cauchy - cauchy.trace() / 3 * Mat3::Identity();
    return std::sqrt(1.5) * deviator.norm();
}

// Body names may hold anything but slashes; file names keep to what every system takes.
std::string file_name(const std::string& name)
{
    std::string safe = name;
    for (char& c : safe)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_')
            c = '_';
    return safe;
}

} // namespace

FrameWriter::FrameWriter(const Scene& scene, const BuiltWorld& built, const std::filesystem::path& scene_folder,
    const std::filesystem::path& folder)
    : built_(built)
    , folder_(folder)
{
    std::set<std::string> taken{"contacts"};
    for (const BodySettings& body : scene.bodies) {
        std::string file = file_name(body.name);
        while (!taken.insert(file).second)
            file += "-" + std::to_string(taken.size());
        (body.kind == BodyKind::deformable ? deformable_files_ : obstacle_files_).push_back(file);
        if (body.kind != BodyKind::obstacle)
            continue;
        const Obstacle& obstacle = built.world.obstacles[obstacle_surfaces_.size()];
        if (const auto* mesh = std::get_if<MeshShape>(&body.shape)) {
            TriMesh surface = read_tri_mesh((scene_folder / mesh->file).string());
            for (Vec3& X : surface.vertices)
                X *= mesh->scale;
            obstacle_surfaces_.push_back(std::move(surface));
            continue;
        }
        obstacle_surfaces_.push_back(std::visit(
            [&](const auto& s) -> TriMesh {
                using S = std::decay_t<decltype(s)>;
                if constexpr (std::is_same_v<S, Plane>) {
                    return triangulate_plane(s, plane_extent(built.state, obstacle.start));
                } else if constexpr (std::is_constructible_v<Primitive, S>) {
                    return triangulate(s, drawing_resolution(s));
                } else { // a sampled field without its mesh: its box
                    const Bounds& box = s->solid_bounds();
                    TriMesh surface = triangulate(Box{box.max - box.min}, 1);
                    for (Vec3& X : surface.vertices)
                        X += 0.5 * (box.min + box.max);
                    return surface;
                }
            },
            obstacle.solid));
    }
}

FramePart FrameWriter::part(
    const std::string& name, const std::string& file, std::size_t number, const char* ending) const
{
    char digits[32];
    std::snprintf(digits, sizeof digits, "_%06zu", number);
    return {name, "frames/" + file + digits + ending};
}

std::vector<FramePart> FrameWriter::write(std::size_t number, const State& state, const BackwardEuler* system) const
{
    std::vector<FramePart> parts;
    for (const BodyHandle& body : built_.bodies)
        parts.push_back(body.kind == BodyKind::deformable ? write_deformable(number, body.index, state)
                                                          : write_obstacle(number, body.index, state));
    parts.push_back(write_contacts(number, system));
    return parts;
}

FramePart FrameWriter::write_deformable(std::size_t number, int index, const State& state) const
{
    const DeformableSet& set = built_.world.deformables;
    const DeformableBody& body = set.bodies[index];
    const std::span<const Vec3> x(state.x.data() + body.nodes.begin, body.nodes.size());
    std::vector<Vec3> displacement(body.nodes.size());
    for (std::size_t i = 0; i < displacement.size(); ++i)
        displacement[i] = x[i] - built_.state.x[body.nodes.begin + static_cast<int>(i)];
    std::vector<Tetrahedron> tets;
    std::vector<double> volume_ratio, stress;
    for (int t = body.tets.begin; t < body.tets.end; ++t) {
        const int first = body.nodes.begin;
        const Tetrahedron& tet = set.tets[t];
        tets.push_back({tet[0] - first, tet[1] - first, tet[2] - first, tet[3] - first});
        const Mat3 F = deformation_gradient(set, t, state.x);
        volume_ratio.push_back(F.determinant());
        stress.push_back(von_mises(set.materials[set.material_of_tet[t]], F));
    }
    const FramePart p = part(body.name, deformable_files_[index], number, ".vtu");
    write_vtu(folder_ / p.file,
        {.points = x,
            .tets = tets,
            .point_fields = {{"displacement", std::span<const Vec3>(displacement)},
                {"velocity", std::span<const Vec3>(state.v.data() + body.nodes.begin, body.nodes.size())}},
            .cell_fields = {{"volume_ratio", std::span<const double>(volume_ratio)},
                {"von_mises_stress", std::span<const double>(stress)}}});
    return p;
}

FramePart FrameWriter::write_obstacle(std::size_t number, int index, const State& state) const
{
    const Obstacle& obstacle = built_.world.obstacles[index];
    const Frame frame = frame_at(obstacle.motion, obstacle.start, state.time);
    std::vector<Vec3> x;
    for (const Vec3& X : obstacle_surfaces_[index].vertices)
        x.push_back(frame.to_world(X));
    const FramePart p = part(obstacle.name, obstacle_files_[index], number, ".vtp");
    write_vtp(folder_ / p.file,
        TriangleFrame{
            .points = x, .triangles = obstacle_surfaces_[index].triangles, .point_fields = {}, .cell_fields = {}});
    return p;
}

int FrameWriter::number_in_scene(BodyKind kind, int index) const
{
    const auto found = std::find_if(built_.bodies.begin(), built_.bodies.end(),
        [&](const BodyHandle& body) { return body.kind == kind && body.index == index; });
    return static_cast<int>(found - built_.bodies.begin());
}

FramePart FrameWriter::write_contacts(std::size_t number, const BackwardEuler* system) const
{
    std::vector<Vec3> place, force, normal;
    std::vector<double> depth;
    std::vector<int> sticks, node, point_body, surface_body;
    if (system) {
        const auto& contacts = system->contacts().deformable_obstacle().contacts();
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            const auto& c = contacts[i];
            const ContactPair& pair = built_.world.pairs[system->contacts().pair_of_contact()[i]];
            place.push_back(c.point.Z);
            force.push_back(-c.j);
            normal.push_back(c.at.n);
            depth.push_back(c.at.depth);
            sticks.push_back(c.at.sticks);
            node.push_back(c.point.node - built_.world.deformables.bodies[pair.body].nodes.begin);
            point_body.push_back(number_in_scene(BodyKind::deformable, pair.body));
            surface_body.push_back(number_in_scene(BodyKind::obstacle, pair.obstacle));
        }
    }
    const FramePart p = part("contacts", "contacts", number, ".vtp");
    write_vtp(folder_ / p.file,
        PointFrame{.points = place,
            .point_fields = {{"force", std::span<const Vec3>(force)}, {"normal", std::span<const Vec3>(normal)},
                {"depth", std::span<const double>(depth)}, {"sticks", std::span<const int>(sticks)},
                {"node", std::span<const int>(node)}, {"point_body", std::span<const int>(point_body)},
                {"surface_body", std::span<const int>(surface_body)}}});
    return p;
}

} // namespace stickslip
