#include "stickslip/io/granular_frames.h"

#include "stickslip/io/drawn_surface.h"
#include "stickslip/io/vtk_files.h"

#include <algorithm>

namespace stickslip {

namespace {

// Half the size of the square that stands for a plane: well beyond where the spheres start.
double plane_extent(const std::vector<Grain>& grains, const Frame& frame)
{
    double reach = 0.1;
    for (const Grain& g : grains)
        reach = std::max(reach, (g.x - frame.x).norm() + g.radius);
    return 2 * reach;
}

} // namespace

GranularFrames::GranularFrames(const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder)
    : built_(built)
    , folder_(folder)
{
    FrameFileNames names{"contacts", "rigid_bodies", "force_chains"};
    const BuiltGranular& granular = *built.granular;
    for (std::size_t i = 0; i < built.bodies.size(); ++i) {
        const std::string file = names.name(scene.bodies[i].name);
        if (built.bodies[i].kind == BodyKind::spheres) {
            set_files_.push_back(file);
            continue;
        }
        wall_files_.push_back(file);
        const GranularWall& wall = granular.world.walls[built.bodies[i].index];
        wall_surfaces_.push_back(built.surfaces[i]
                ? *built.surfaces[i]
                : drawn_surface(std::get<LevelSet>(wall.shape), plane_extent(granular.grains, wall.start)));
    }
}

std::vector<FramePart> GranularFrames::write(
    std::size_t number, const SphereSystem& system, const std::vector<GranularContact>* contacts) const
{
    std::vector<FramePart> parts;
    const std::vector<int> slots = system.slots();
    for (const BodyHandle& body : built_.bodies) {
        if (body.kind == BodyKind::spheres)
            parts.push_back(write_set(number, body.index, system.state().spheres, slots));
        else
            parts.push_back(write_wall(number, body.index, system.state().time));
    }
    if (contacts) {
        parts.push_back(write_contacts(number, system, *contacts));
        parts.push_back(write_chains(number, system, *contacts));
    }
    return parts;
}

FramePart GranularFrames::write_set(
    std::size_t number, int index, const Spheres& spheres, const std::vector<int>& slots) const
{
    const SphereSet& set = built_.granular->sets[index];
    std::vector<Vec3> x, v, w;
    std::vector<double> radius;
    std::vector<int> id;
    for (const int i : slots) {
        if (i < 0 || spheres.group[i] != index)
            continue;
        x.push_back(spheres.place[i].x);
        radius.push_back(spheres.place[i].radius);
        v.push_back(spheres.motion[i].v);
        w.push_back(spheres.motion[i].w);
        id.push_back(spheres.id[i]);
    }
    const FramePart p = frame_part(set.name, set_files_[index], number, ".vtp");
    write_vtp(folder_ / p.file,
        PointFrame{.points = x,
            .point_fields = {{"radius", std::span<const double>(radius)}, {"velocity", std::span<const Vec3>(v)},
                {"angular_velocity", std::span<const Vec3>(w)}, {"number", std::span<const int>(id)}}});
    return p;
}

FramePart GranularFrames::write_wall(std::size_t number, int index, double time) const
{
    const GranularWall& wall = built_.granular->world.walls[index];
    const Frame frame = frame_at(wall.motion, wall.start, time);
    std::vector<Vec3> x;
    for (const Vec3& X : wall_surfaces_[index].vertices)
        x.push_back(frame.to_world(X));
    const FramePart p = frame_part(wall.name, wall_files_[index], number, ".vtp");
    write_vtp(folder_ / p.file,
        TriangleFrame{
            .points = x, .triangles = wall_surfaces_[index].triangles, .point_fields = {}, .cell_fields = {}});
    return p;
}

FramePart GranularFrames::write_chains(
    std::size_t number, const SphereSystem& system, const std::vector<GranularContact>& contacts) const
{
    const Spheres& spheres = system.state().spheres;
    const std::vector<int> slots = system.slots();
    std::vector<Vec3> ends;
    std::vector<std::array<int, 2>> lines;
    std::vector<double> normal_force, friction_force; // at both ends: filters make tubes of what points hold
    for (const GranularContact& c : contacts) {
        const double first = spheres.place[slots[c.first]].radius;
        const double second = c.wall >= 0 ? 0 : spheres.place[slots[c.second]].radius;
        const Vec3 from = spheres.place[slots[c.first]].x;
        const auto begin = static_cast<int>(ends.size());
        lines.push_back({begin, begin + 1});
        ends.insert(ends.end(), {from, from + (first + second - c.overlap) * c.n});
        const double normal = -c.force.dot(c.n), friction = (c.force + normal * c.n).norm();
        normal_force.insert(normal_force.end(), 2, normal);
        friction_force.insert(friction_force.end(), 2, friction);
    }
    const FramePart p = frame_part("force_chains", "force_chains", number, ".vtp");
    write_vtp(folder_ / p.file,
        LineFrame{.points = ends,
            .lines = lines,
            .point_fields = {{"normal_force", std::span<const double>(normal_force)},
                {"friction_force", std::span<const double>(friction_force)}}});
    return p;
}

FramePart GranularFrames::write_contacts(
    std::size_t number, const SphereSystem& system, const std::vector<GranularContact>& contacts) const
{
    const BuiltGranular& granular = *built_.granular;
    const Spheres& spheres = system.state().spheres;
    const std::vector<int> slots = system.slots();
    const auto body_of = [&](int id) { return granular.sets[spheres.group[slots[id]]].body; };
    std::vector<Vec3> place, force, normal, branch;
    std::vector<double> depth, normal_force;
    std::vector<int> sticks, node, point_body, surface_body;
    for (const GranularContact& c : contacts) {
        place.push_back(c.x);
        force.push_back(c.force);
        normal.push_back(-c.n);
        normal_force.push_back(-c.force.dot(c.n));
        depth.push_back(c.overlap);
        sticks.push_back(!c.slides);
        node.push_back(c.first);
        point_body.push_back(body_of(c.first));
        surface_body.push_back(c.wall >= 0 ? granular.wall_body[c.wall] : body_of(c.second));
        const double first = spheres.place[slots[c.first]].radius;
        const double second = c.wall >= 0 ? 0 : spheres.place[slots[c.second]].radius;
        branch.push_back((first + second - c.overlap) * c.n);
    }
    const FramePart p = frame_part("contacts", "contacts", number, ".vtp");
    write_vtp(folder_ / p.file,
        PointFrame{.points = place,
            .point_fields = {{"force", std::span<const Vec3>(force)}, {"normal", std::span<const Vec3>(normal)},
                {"normal_force", std::span<const double>(normal_force)}, {"branch", std::span<const Vec3>(branch)},
                {"depth", std::span<const double>(depth)}, {"sticks", std::span<const int>(sticks)},
                {"node", std::span<const int>(node)}, {"point_body", std::span<const int>(point_body)},
                {"surface_body", std::span<const int>(surface_body)}}});
    return p;
}

} // namespace stickslip
