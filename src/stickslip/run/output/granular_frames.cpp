#include "stickslip/run/output/granular_frames.h"

#include "stickslip/build/drawn_surface.h"
#include "stickslip/dem/packing/coarse_graining.h"
#include "stickslip/files/vtk_files.h"
#include "stickslip/geometry/solids/solid_surface.h"

#include <algorithm>

namespace stickslip {

namespace {

// Half the size of the square that stands for a plane: well beyond where the spheres start.
double plane_extent(const BuiltGranular& granular, const Frame& frame)
{
    double reach = 0.1;
    for (const Grain& g : granular.grains)
        reach = std::max(reach, (g.x - frame.x).norm() + g.radius);
    for (const GranularBody& body : granular.world.bodies)
        reach = std::max(reach, (body.start.x - frame.x).norm());
    return 2 * reach;
}

/// Not the name of any body, which has no blank.
std::string fields_of(const RegionSettings& region)
{
    return "fields of " + region.name;
}

std::vector<SymmetricEntries> entries(const std::vector<Mat3>& tensors)
{
    std::vector<SymmetricEntries> all(tensors.size());
    std::transform(tensors.begin(), tensors.end(), all.begin(), symmetric_entries);
    return all;
}

} // namespace

GranularFrames::GranularFrames(const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder)
    : built_(built)
    , folder_(folder)
    , scene_(scene)
{
    FrameFileNames names{"contacts", "rigid_bodies", "force_chains"};
    const BuiltGranular& granular = *built.granular;
    for (std::size_t i = 0; i < built.bodies.size(); ++i) {
        files_.push_back(names.name(scene.bodies[i].name));
        surfaces_.emplace_back();
        const BodyHandle& body = built.bodies[i];
        if (body.kind == BodyKind::spheres)
            continue;
        if (built.surfaces[i]) {
            surfaces_[i] = *built.surfaces[i];
        } else if (body.kind == BodyKind::rigid) {
            const RigidBody& rigid = granular.world.bodies[granular.rigids[body.index].body].rigid;
            surfaces_[i] = solid_surface(rigid.solid, 0);
        } else {
            const GranularWall& wall = granular.world.walls[body.index];
            surfaces_[i] = solid_surface(*wall.solid(), plane_extent(granular, wall.start));
        }
    }
    for (const RegionSettings& region : scene.output.regions)
        field_files_.push_back(names.name(fields_of(region)));
}

std::vector<FramePart> GranularFrames::write(
    std::size_t number, const SphereSystem& system, const std::vector<GranularContact>& contacts) const
{
    std::vector<FramePart> parts;
    const std::vector<int> slots = system.slots();
    const BuiltGranular& granular = *built_.granular;
    for (std::size_t i = 0; i < built_.bodies.size(); ++i) {
        const BodyHandle& body = built_.bodies[i];
        if (body.kind == BodyKind::spheres) {
            parts.push_back(write_set(number, body.index, system, slots));
        } else if (body.kind == BodyKind::rigid) {
            const int index = granular.rigids[body.index].body;
            const BodyMotion& m = system.state().bodies[index];
            const Vec3 x = system.world().box.wrapped(m.x);
            parts.push_back(write_surface(number, i, solid_frame(granular.world.bodies[index].rigid, x, m.rotation())));
        } else {
            const GranularWall& wall = granular.world.walls[body.index];
            parts.push_back(wall.motion.is_still()
                    ? write_resting_part(folder_, scene_.bodies[i].name, files_[i], surfaces_[i], wall.start)
                    : write_surface(number, i, frame_at(wall.motion, wall.start, system.state().time)));
        }
    }
    if (scene_.output.contacts) {
        parts.push_back(write_contacts(number, system, contacts));
        parts.push_back(write_chains(number, system, contacts));
    }
    for (std::size_t r = 0; r < scene_.output.regions.size(); ++r)
        if (scene_.output.regions[r].spacing)
            parts.push_back(write_fields(number, r, system, contacts));
    return parts;
}

FramePart GranularFrames::write_set(
    std::size_t number, int index, const SphereSystem& system, const std::vector<int>& slots) const
{
    const Spheres& spheres = system.state().spheres;
    const SphereSet& set = built_.granular->sets[index];
    std::vector<Vec3> x, v, w;
    std::vector<double> radius;
    std::vector<int> id, clump;
    for (const int i : slots) {
        if (i < 0 || spheres.group[i] != index)
            continue;
        x.push_back(system.world().box.wrapped(spheres.place[i].x));
        radius.push_back(spheres.place[i].radius);
        v.push_back(spheres.motion[i].v);
        w.push_back(spheres.motion[i].w);
        id.push_back(spheres.id[i]);
        clump.push_back(system.body_of(i));
    }
    PointFrame frame{.points = x,
        .point_fields = {{"radius", std::span<const double>(radius)}, {"velocity", std::span<const Vec3>(v)},
            {"angular_velocity", std::span<const Vec3>(w)}, {"number", std::span<const int>(id)}}};
    if (scene_.bodies[set.body].clump)
        frame.point_fields.push_back({"clump", std::span<const int>(clump)});
    const FramePart p = frame_part(set.name, files_[set.body], number, ".vtp");
    write_vtp(folder_ / p.file, frame);
    return p;
}

FramePart GranularFrames::write_surface(std::size_t number, std::size_t body, const Frame& frame) const
{
    const FramePart p = frame_part(scene_.bodies[body].name, files_[body], number, ".vtp");
    write_posed_surface(folder_ / p.file, surfaces_[body], frame);
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
        if (c.first < 0) // two solids, which have no centres to join
            continue;
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
        const bool sphere = c.first >= 0;
        node.push_back(sphere ? c.first : c.point);
        point_body.push_back(sphere ? body_of(c.first) : granular.wall_body[c.point_wall]);
        surface_body.push_back(c.wall >= 0 ? granular.wall_body[c.wall] : body_of(c.second));
        const double first = sphere ? spheres.place[slots[c.first]].radius : 0;
        const double second = c.wall >= 0 ? 0 : spheres.place[slots[c.second]].radius;
        branch.push_back((sphere ? first + second - c.overlap : 0) * c.n);
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

FramePart GranularFrames::write_fields(std::size_t number, std::size_t index, const SphereSystem& system,
    const std::vector<GranularContact>& contacts) const
{
    const RegionSettings& region = scene_.output.regions[index];
    const CoarseGrid grid = coarse_grid(region.box, *region.spacing, region.smoothing);
    const CoarseFields fields = coarse_fields(system, contacts, grid);
    const std::vector<SymmetricEntries> kinetic = entries(fields.kinetic_stress);
    const std::vector<SymmetricEntries> contact = entries(fields.contact_stress);
    const FramePart p = frame_part(fields_of(region), field_files_[index], number, ".vti");
    write_vti(folder_ / p.file,
        {.origin = grid.origin,
            .spacing = grid.spacing,
            .points = grid.points,
            .point_fields = {{"density", std::span<const double>(fields.density)},
                {"solid_fraction", std::span<const double>(fields.solid_fraction)},
                {"velocity", std::span<const Vec3>(fields.velocity)},
                {"kinetic_stress", std::span<const SymmetricEntries>(kinetic)},
                {"contact_stress", std::span<const SymmetricEntries>(contact)}}});
    return p;
}

} // namespace stickslip
