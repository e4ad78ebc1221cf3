#include "stickslip/run/output/frames.h"

#include "stickslip/bodies/elastic.h"
#include "stickslip/build/drawn_surface.h"
#include "stickslip/files/vtk_files.h"
#include "stickslip/geometry/solids/solid_surface.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>

namespace stickslip {

namespace {

constexpr const char* rigid_file = "rigid_bodies";

// Half the size of the square that stands for a plane: well beyond where the bodies start.
double plane_extent(const State& state, const Frame& frame)
{
    double reach = 1;
    for (const Vec3& x : state.x)
        reach = std::max(reach, (x - frame.x).norm());
    for (const Vec3& x : state.mpm.x)
        reach = std::max(reach, (x - frame.x).norm());
    for (const RigidState& rigid : state.rigid)
        reach = std::max(reach, (rigid.x - frame.x).norm());
    return 2 * reach;
}

/// The Cauchy stress [Pa] and its invariants, by tetrahedron or particle; tension is positive, pressure pushes inward.
struct StressFields {
    std::vector<SymmetricEntries> stress;
    std::vector<double> von_mises, pressure, largest_principal, least_principal;

    void add(const Mat3& cauchy)
    {
        stress.push_back(symmetric_entries(cauchy));
        const double mean = cauchy.trace() / 3;
        von_mises.push_back(std::sqrt(1.5) * (cauchy - mean * Mat3::Identity()).norm());
        pressure.push_back(-mean);
        const Mat3 symmetric = 0.5 * (cauchy + cauchy.transpose());
        const Vec3 principal =
            Eigen::SelfAdjointEigenSolver<Mat3>().computeDirect(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
        least_principal.push_back(principal[0]);
        largest_principal.push_back(principal[2]);
    }
    void append_to(std::vector<FrameField>& fields) const
    {
        fields.push_back({"stress", std::span<const SymmetricEntries>(stress)});
        fields.push_back({"von_mises_stress", std::span<const double>(von_mises)});
        fields.push_back({"pressure", std::span<const double>(pressure)});
        fields.push_back({"largest_principal_stress", std::span<const double>(largest_principal)});
        fields.push_back({"least_principal_stress", std::span<const double>(least_principal)});
    }
};

/// The force of all contacts on each node [N]; nothing before the first step.
std::vector<Vec3> contact_forces(const State& state, const BackwardEuler* system)
{
    const std::size_t blocks = state.x.size() + 2 * state.rigid.size() + state.mpm.x.size(); // as contact counts them
    std::vector<Vec3> force(blocks, Vec3::Zero());
    if (system)
        system->contacts().add_force(force);
    return force;
}

/// How far a contact of the last evaluation has slid since it touched [m].
double accumulated_slip(const State& state, const Contact& c)
{
    const auto key = std::tuple(c.point_body, c.surface_body, c.point, c.at.slot);
    const auto kept = std::lower_bound(state.attachments.begin(), state.attachments.end(), key,
        [](const Attachment& a, const auto& searched) { return a.key() < searched; });
    return kept != state.attachments.end() && kept->key() == key ? kept->slip : 0;
}

// What a body that is no deformable one looks like, in its own frame. `start`: of a plane.
TriMesh surface_of(const BuiltWorld& built, std::size_t body, const LevelSet& solid, const Frame& start)
{
    if (built.surfaces[body])
        return *built.surfaces[body];
    return solid_surface(solid, plane_extent(built.state, start));
}

// By body as contacts count them.
std::vector<int> scene_numbers(const BuiltWorld& built)
{
    std::vector<int> numbers(built.bodies.size());
    for (std::size_t i = 0; i < built.bodies.size(); ++i)
        numbers[contact_body(built.world, built.bodies[i])] = static_cast<int>(i);
    return numbers;
}

} // namespace

FrameWriter::FrameWriter(const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder)
    : built_(built)
    , folder_(folder)
{
    FrameFileNames names{"contacts", rigid_file};
    for (std::size_t i = 0; i < built.bodies.size(); ++i) {
        const std::string file = names.name(scene.bodies[i].name);
        const BodyHandle& handle = built.bodies[i];
        switch (handle.kind) {
        case BodyKind::deformable:
            deformable_files_.push_back(file);
            break;
        case BodyKind::rigid:
            add_rigid(static_cast<int>(i), surface_of(built, i, built.world.rigids[handle.index].solid, Frame{}));
            break;
        case BodyKind::mpm:
            mpm_files_.push_back(file);
            break;
        case BodyKind::spheres: // have frames of their own (granular_frames.h)
            break;
        case BodyKind::obstacle:
            const Obstacle& obstacle = built.world.obstacles[handle.index];
            obstacle_files_.push_back(file);
            obstacle_surfaces_.push_back(surface_of(built, i, obstacle.solid, obstacle.start));
        }
    }
}

void FrameWriter::add_rigid(int body, const TriMesh& surface)
{
    const int first = static_cast<int>(rigid_surface_.vertices.size());
    rigid_surface_.vertices.insert(rigid_surface_.vertices.end(), surface.vertices.begin(), surface.vertices.end());
    for (const Triangle& t : surface.triangles)
        rigid_surface_.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    rigid_first_.push_back(first);
    body_of_rigid_point_.resize(rigid_surface_.vertices.size(), body);
}

FramePart FrameWriter::part(
    const std::string& name, const std::string& file, std::size_t number, const char* ending) const
{
    return frame_part(name, file, number, ending);
}

std::vector<FramePart> FrameWriter::write(
    std::size_t number, const State& state, const BackwardEuler* system, const std::vector<double>& node_slip) const
{
    std::vector<FramePart> parts;
    const std::vector<Vec3> force = contact_forces(state, system);
    for (const BodyHandle& body : built_.bodies) {
        if (body.kind == BodyKind::deformable)
            parts.push_back(write_deformable(number, body.index, state, force, node_slip));
        else if (body.kind == BodyKind::mpm)
            parts.push_back(write_mpm(number, body.index, state));
        else if (body.kind == BodyKind::obstacle)
            parts.push_back(built_.world.obstacles[body.index].motion.is_still()
                    ? resting_obstacle(body.index)
                    : write_obstacle(number, body.index, state));
    }
    if (!rigid_first_.empty())
        parts.push_back(write_rigid(number, state));
    parts.push_back(write_contacts(number, state, system));
    return parts;
}

FramePart FrameWriter::write_deformable(std::size_t number, int index, const State& state,
    const std::vector<Vec3>& contact_force, const std::vector<double>& node_slip) const
{
    const DeformableSet& set = built_.world.deformables;
    const DeformableBody& body = set.bodies[index];
    const std::span<const Vec3> x(state.x.data() + body.nodes.begin, body.nodes.size());
    std::vector<Vec3> displacement(body.nodes.size()), traction(body.nodes.size(), Vec3::Zero());
    std::vector<double> contact_pressure(body.nodes.size(), 0), slip(body.nodes.size(), 0);
    if (!node_slip.empty())
        std::copy_n(node_slip.begin() + body.nodes.begin, slip.size(), slip.begin());
    for (std::size_t i = 0; i < displacement.size(); ++i) {
        const int node = body.nodes.begin + static_cast<int>(i);
        displacement[i] = x[i] - built_.state.x[node];
        if (set.nodal_area[node] > 0 && contact_force[node] != Vec3::Zero()) {
            traction[i] = contact_force[node] / set.nodal_area[node];
            contact_pressure[i] = -traction[i].dot(surface_normal(set, node, state.x));
        }
    }
    std::vector<Tetrahedron> tets;
    std::vector<double> volume_ratio;
    StressFields stress;
    for (int t = body.tets.begin; t < body.tets.end; ++t) {
        const int first = body.nodes.begin;
        const Tetrahedron& tet = set.tets[t];
        tets.push_back({tet[0] - first, tet[1] - first, tet[2] - first, tet[3] - first});
        const Mat3 F = deformation_gradient(set, t, state.x);
        volume_ratio.push_back(F.determinant());
        stress.add(first_piola(set.materials[set.material_of_tet[t]], F) * F.transpose() / F.determinant());
    }
    std::vector<FrameField> cell_fields = {{"volume_ratio", std::span<const double>(volume_ratio)}};
    stress.append_to(cell_fields);
    const FramePart p = part(body.name, deformable_files_[index], number, ".vtu");
    write_vtu(folder_ / p.file,
        {.points = x,
            .tets = tets,
            .point_fields = {{"displacement", std::span<const Vec3>(displacement)},
                {"velocity", std::span<const Vec3>(state.v.data() + body.nodes.begin, body.nodes.size())},
                {"contact_traction", std::span<const Vec3>(traction)},
                {"contact_pressure", std::span<const double>(contact_pressure)},
                {"accumulated_slip", std::span<const double>(slip)}},
            .cell_fields = std::move(cell_fields)});
    return p;
}

FramePart FrameWriter::write_mpm(std::size_t number, int index, const State& state) const
{
    const MpmSet& set = built_.world.mpm;
    const MpmBody& body = set.bodies[index];
    const auto first = static_cast<std::size_t>(body.particles.begin),
               count = static_cast<std::size_t>(body.particles.size());
    std::vector<double> density_ratio(count), plastic(count);
    StressFields stress;
    for (std::size_t i = 0; i < count; ++i) {
        const MpmPoint& point = state.mpm.point[first + i];
        density_ratio[i] = 1 / mpm_volume_ratio(set.materials[body.material], point);
        plastic[i] = point.plastic;
        stress.add(mpm_cauchy_stress(set.materials[body.material], point));
    }
    const FramePart p = part(body.name, mpm_files_[index], number, ".vtp");
    PointFrame frame{.points = std::span(state.mpm.x).subspan(first, count),
        .point_fields = {{"velocity", std::span(state.mpm.v).subspan(first, count)},
            {"density_ratio", std::span<const double>(density_ratio)},
            {"plastic_strain", std::span<const double>(plastic)}}};
    stress.append_to(frame.point_fields);
    write_vtp(folder_ / p.file, frame);
    return p;
}

FramePart FrameWriter::write_obstacle(std::size_t number, int index, const State& state) const
{
    const Obstacle& obstacle = built_.world.obstacles[index];
    const FramePart p = part(obstacle.name, obstacle_files_[index], number, ".vtp");
    write_posed_surface(
        folder_ / p.file, obstacle_surfaces_[index], frame_at(obstacle.motion, obstacle.start, state.time));
    return p;
}

FramePart FrameWriter::resting_obstacle(int index) const
{
    const Obstacle& obstacle = built_.world.obstacles[index];
    return write_resting_part(
        folder_, obstacle.name, obstacle_files_[index], obstacle_surfaces_[index], obstacle.start);
}

FramePart FrameWriter::write_rigid(std::size_t number, const State& state) const
{
    const std::vector<Vec3>& own = rigid_surface_.vertices;
    std::vector<Vec3> x(own.size()), velocity(own.size());
    for (std::size_t r = 0; r < rigid_first_.size(); ++r) {
        const RigidState& rigid = state.rigid[r];
        const Frame frame = solid_frame(built_.world.rigids[r], rigid.x, rigid.R.toRotationMatrix());
        const std::size_t end = r + 1 < rigid_first_.size() ? rigid_first_[r + 1] : own.size();
        for (std::size_t i = rigid_first_[r]; i < end; ++i) {
            x[i] = frame.to_world(own[i]);
            velocity[i] = rigid.v + rigid.w.cross(x[i] - rigid.x);
        }
    }
    const FramePart p = part("rigid bodies", rigid_file, number, ".vtp");
    write_vtp(folder_ / p.file,
        TriangleFrame{.points = x,
            .triangles = rigid_surface_.triangles,
            .point_fields = {{"velocity", std::span<const Vec3>(velocity)},
                {"body", std::span<const int>(body_of_rigid_point_)}},
            .cell_fields = {}});
    return p;
}

FramePart FrameWriter::write_contacts(std::size_t number, const State& state, const BackwardEuler* system) const
{
    std::vector<Vec3> place, force, normal;
    std::vector<double> depth, slip;
    std::vector<int> sticks, node, point_body, surface_body;
    if (system) {
        const std::vector<int> number_in_scene = scene_numbers(built_);
        system->contacts().for_each_contact([&](const Contact& c) {
            if (!c.presses())
                return;
            place.push_back(c.Z);
            force.push_back(-c.j);
            normal.push_back(c.at.n);
            depth.push_back(c.at.depth);
            slip.push_back(accumulated_slip(state, c));
            sticks.push_back(c.at.sticks);
            node.push_back(point_number(built_.world, c));
            point_body.push_back(number_in_scene[c.point_body]);
            surface_body.push_back(number_in_scene[c.surface_body]);
        });
    }
    const FramePart p = part("contacts", "contacts", number, ".vtp");
    write_vtp(folder_ / p.file,
        PointFrame{.points = place,
            .point_fields = {{"force", std::span<const Vec3>(force)}, {"normal", std::span<const Vec3>(normal)},
                {"depth", std::span<const double>(depth)}, {"accumulated_slip", std::span<const double>(slip)},
                {"sticks", std::span<const int>(sticks)}, {"node", std::span<const int>(node)},
                {"point_body", std::span<const int>(point_body)},
                {"surface_body", std::span<const int>(surface_body)}}});
    return p;
}

} // namespace stickslip
