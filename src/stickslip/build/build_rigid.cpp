#include "stickslip/build/build_rigid.h"

#include "stickslip/bodies/round_shapes.h"
#include "stickslip/bodies/surface_samples.h"
#include "stickslip/build/body_surfaces.h"
#include "stickslip/geometry/mesh/both_sides.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/text/body_names.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace stickslip {

namespace {

constexpr double most_samples = 1e6; // of one body

void check_count(double count)
{
    if (count <= most_samples)
        return;
    char text[96];
    std::snprintf(text, sizeof text, "expected at most 1e+06 sample points on a surface, found about %.3g", count);
    throw InputError(text);
}

/// Points of edges and faces at a distance, about.
double sample_count(const TriMesh& mesh, const SampleSpacing& spacing)
{
    double count = 0;
    for (const Triangle& t : mesh.triangles) {
        const Vec3 a = mesh.vertices[t[1]] - mesh.vertices[t[0]], b = mesh.vertices[t[2]] - mesh.vertices[t[0]];
        count += 0.5 * a.cross(b).norm() / (spacing.faces * spacing.faces)
            + 0.5 * (a.norm() + b.norm() + (b - a).norm()) / spacing.edges;
    }
    return static_cast<double>(mesh.vertices.size()) + count;
}

/// Of a body that is sampled: its bounded surface and the longest and the middle edge of its box.
struct Extent {
    double longest = 0, middle = infinity; // [m]
    double area = 0; // [m^2] of the box
    bool has_round_side = false; // which edges of others meet at their sample points
};

Extent extent_of(const LevelSet& solid)
{
    const Bounds box = bounds(solid);
    Vec3 size = box.max - box.min;
    if (!size.allFinite())
        return {};
    std::sort(size.data(), size.data() + 3);
    return {.longest = size[2],
        .middle = size[1],
        .area = 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]),
        .has_round_side = std::holds_alternative<Cylinder>(solid) || std::holds_alternative<Cone>(solid)};
}

double surface_area(const TriMesh& mesh)
{
    double area = 0;
    for (const auto& [i, j, k] : mesh.triangles)
        area += 0.5 * (mesh.vertices[j] - mesh.vertices[i]).cross(mesh.vertices[k] - mesh.vertices[i]).norm();
    return area;
}

} // namespace

double edge_spacing(double longest, double others, double of_round)
{
    return std::max(longest / 64, std::min(others / 2, of_round / 8));
}

double curved_resolution(const Primitive& shape)
{
    if (const auto* torus = std::get_if<Torus>(&shape))
        return torus->minor / 2;
    if (const auto* sphere = std::get_if<Sphere>(&shape))
        return sphere->radius / 4;
    if (const auto* capsule = std::get_if<Capsule>(&shape))
        return capsule->radius / 4;
    if (const auto* cone = std::get_if<Cone>(&shape))
        return cone->radius / 4;
    return std::get<Cylinder>(shape).radius / 4;
}

std::vector<SurfaceSample> sample_surface(const BodySettings& body, const TriMesh* mesh, const Vec3& centre,
    const SampleSpacing& automatic, bool without_rims)
{
    if (mesh || std::holds_alternative<Box>(body.shape)) {
        const TriMesh surface = mesh ? *mesh : triangulate(std::get<Box>(body.shape), 1);
        const SampleSpacing spacing = body.sample ? SampleSpacing{*body.sample, *body.sample} : automatic;
        check_count(sample_count(surface, spacing));
        return surface_samples(surface, spacing, centre);
    }
    const std::optional<Primitive> shape = primitive_of(body.shape);
    if (!shape || std::holds_alternative<Plane>(*shape))
        return {};
    const double edge =
        body.sample.value_or(std::holds_alternative<RoundedBox>(*shape) ? automatic.faces : curved_resolution(*shape));
    const Bounds box = bounds(std::visit([](const auto& s) -> LevelSet { return s; }, *shape));
    const Vec3 size = box.max - box.min;
    check_count(2 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x()) / (edge * edge));
    std::vector<SurfaceSample> samples = surface_samples(triangulate(*shape, edge), infinity, centre);
    if (without_rims)
        std::erase_if(samples, [&](const SurfaceSample& s) { return is_on_rims(*shape, s.z + centre); });
    for (const SurfaceSample& corner : without_rims ? corners_of(*shape) : std::vector<SurfaceSample>{})
        samples.push_back({corner.z - centre, corner.weight, corner.n});
    return samples;
}

namespace {

/// Balls and circles of a shape, from `centre`.
template <typename Solid>
void add_rounds(Solid& solid, const Primitive& shape, const Vec3& centre)
{
    solid.rounds = balls_of(shape);
    solid.rims = rims_of(shape);
    solid.round_rims = inner_rims(shape);
    for (RoundPoint& ball : solid.rounds)
        ball.centre -= centre;
    for (Rim& rim : solid.rims)
        rim.centre -= centre;
    for (Rim& rim : solid.round_rims)
        rim.centre -= centre;
}

/// Brings near together in the order what is near in space, so that groups can be left out (ContactSet).
void order_by_halves(std::span<SurfaceSample> samples)
{
    constexpr std::size_t few = 8;
    if (samples.size() <= few)
        return;
    Bounds box;
    for (const SurfaceSample& s : samples)
        box.add(s.z);
    int axis = 0;
    (box.max - box.min).maxCoeff(&axis);
    const std::size_t half = samples.size() / 2;
    std::nth_element(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(half), samples.end(),
        [&](const SurfaceSample& a, const SurfaceSample& b) {
            const auto key = [&](const Vec3& z) { return std::tuple(z[axis], z[(axis + 1) % 3], z[(axis + 2) % 3]); };
            return key(a.z) < key(b.z);
        });
    order_by_halves(samples.first(half));
    order_by_halves(samples.subspan(half));
}

/// Vertices of a sheet at which it is folded or ends; they may touch from either side.
std::vector<SurfaceSample> folded_vertices(const EdgeTopology& sheet)
{
    constexpr double flat = 1e-9; // [-] sine of the fold
    std::vector<std::uint8_t> is_folded(sheet.positions.size(), 0);
    std::vector<Vec3> normals(sheet.positions.size(), Vec3::Zero()); // means by area, whatever the winding
    std::vector<Vec3> rims(sheet.positions.size(), Vec3::Zero()); // sums of the directions out over rims
    for (std::size_t side = 0; side < sheet.folds.size(); ++side) {
        const int facet = static_cast<int>(side) / 3;
        const Fold& fold = sheet.folds[side];
        if (sheet.is_left_out(facet))
            continue;
        const Triangle& t = sheet.facets[facet];
        const Vec3 a = sheet.positions[t[0]], N = (sheet.positions[t[1]] - a).cross(sheet.positions[t[2]] - a);
        normals[t[side % 3]] += sheet.orientation[facet] * N;
        if (fold.c > 0 && std::abs(fold.s) < flat)
            continue;
        const bool is_rim = sheet.edge_kind[sheet.facet_edges[facet][side % 3]] == EdgeKind::boundary;
        for (const int v : {t[side % 3], t[(side + 1) % 3]}) {
            is_folded[v] = 1;
            if (is_rim)
                rims[v] += sheet.outward[side];
        }
    }
    std::vector<SurfaceSample> samples;
    for (std::size_t v = 0; v < is_folded.size(); ++v)
        if (is_folded[v])
            samples.push_back({.z = sheet.positions[v],
                .weight = 1,
                .n = normals[v].normalized(),
                .two_sided = true,
                .rim = mean_direction(rims[v])});
    order_by_halves(samples);
    return samples;
}

/// Gives a rigid body or an obstacle the points of its surface, from `centre`. Where it is `round`, none where it
/// touches by its balls and circles.
template <typename Solid>
void add_points(
    Solid& solid, const BodySettings& body, const TriMesh* mesh, const Vec3& centre, const SampleSpacing& spacing)
{
    const std::optional<Primitive> shape = primitive_of(body.shape);
    if (const auto* box = shape ? std::get_if<RoundedBox>(&*shape) : nullptr) {
        const double s = body.sample.value_or(spacing.faces);
        check_count(sample_count(triangulate(Box{box->core()}, 1), {s, s}));
        RoundedBoxPoints points = points_of(*box, s);
        solid.rounds = std::move(points.balls);
        solid.samples = std::move(points.samples);
        return;
    }
    if (solid.rounds.empty() && !(shape && std::holds_alternative<Torus>(*shape)))
        solid.samples = sample_surface(body, mesh, centre, spacing, true);
}

} // namespace

RigidBody make_rigid(const BodySettings& body, const LevelSet& solid, const MassProperties& unit, double density)
{
    RigidBody rigid{.name = body.name,
        .solid = solid,
        .centre = unit.centre,
        .mass = density * unit.volume,
        .inertia = density * unit.inertia,
        .samples = {},
        .rounds = {},
        .rims = {},
        .round_rims = {},
        .force = body.force,
        .torque = body.torque,
        .acceleration = body.acceleration,
        .fixed = body.fixed_dofs};
    if (const std::optional<Primitive> shape = primitive_of(body.shape))
        add_rounds(rigid, *shape, unit.centre);
    return rigid;
}

RigidState initial_rigid(const RigidBody& rigid, const BodySettings& body, const Vec3& gravity)
{
    const Mat3 R = body.rotation ? rotation_matrix(*body.rotation) : Mat3::Identity();
    RigidState state{.x = body.position + R * rigid.centre,
        .R = Quat(R).normalized(),
        .v = body.velocity,
        .w = body.angular_velocity,
        .a = gravity + rigid.acceleration + rigid.force / rigid.mass};
    for (int i = 0; i < 3; ++i)
        if (rigid.fixed[i])
            state.a[i] = 0;
    return state;
}

std::vector<SampleFault> add_samples(const Scene& scene, const Reach& reach, BuiltWorld& built)
{
    World& world = built.world;
    std::vector<SampleFault> faults;
    if (world.rigids.empty())
        return faults;
    const std::size_t count = built.bodies.size();
    std::vector<Extent> extents(count);
    std::vector<int> number(count); // of the contact body
    for (std::size_t i = 0; i < count; ++i) {
        const BodyHandle& handle = built.bodies[i];
        number[i] = contact_body(world, handle);
        if (handle.kind != BodyKind::deformable && handle.kind != BodyKind::mpm)
            extents[i] = extent_of(handle.kind == BodyKind::rigid ? world.rigids[handle.index].solid
                                                                  : world.obstacles[handle.index].solid);
        if (std::holds_alternative<LevelSetShape>(scene.bodies[i].shape)) { // has no points, whatever its size
            constexpr double narrowest = 4; // [cells] of the hills that others must feel by points of theirs
            const LevelSet& solid = world.obstacles[handle.index].solid;
            extents[i].middle = narrowest * std::get<std::shared_ptr<const GridLevelSet>>(solid)->spacing();
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const BodyHandle& handle = built.bodies[i];
        if (handle.kind == BodyKind::deformable || handle.kind == BodyKind::mpm)
            continue;
        double others = infinity, of_round = infinity; // smallest middle edge, of all and of what has a round side
        for (std::size_t k = 0; k < count; ++k) {
            if (!(extents[k].middle < (extents[k].has_round_side ? of_round : others))
                || !reach.may_meet(number[i], number[k]))
                continue;
            others = std::min(others, extents[k].middle);
            if (extents[k].has_round_side)
                of_round = extents[k].middle;
        }
        const double half_other = std::isfinite(others) ? others / 2 : 0;
        const double on_faces = std::max(extents[i].longest / 8, half_other);
        const double on_edges = half_other > 0 ? edge_spacing(extents[i].longest, others, of_round) : on_faces;
        const SampleSpacing spacing{on_faces, on_edges};
        const BodySettings& body = scene.bodies[i];
        const TriMesh* mesh = built.surfaces[i].get();
        try {
            if (handle.kind == BodyKind::rigid) {
                RigidBody& rigid = world.rigids[handle.index];
                add_points(rigid, body, mesh, rigid.centre, spacing);
            } else if (Obstacle& obstacle = world.obstacles[handle.index];
                       std::holds_alternative<OpenSurface>(obstacle.solid)) {
                obstacle.samples = folded_vertices(obstacle.triangles->topology);
            } else {
                if (const std::optional<Primitive> shape = primitive_of(body.shape))
                    add_rounds(obstacle, *shape, Vec3::Zero());
                add_points(obstacle, body, mesh, Vec3::Zero(), spacing);
                weigh_for_cubes(obstacle.samples, extents[i].area, body.sample.value_or(on_edges), others);
            }
        } catch (const InputError& error) {
            faults.push_back({i, error.what()});
        }
    }
    return faults;
}

namespace {

bool is_round_all_over(const Primitive& shape)
{
    return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Capsule>(shape)
        || std::holds_alternative<Torus>(shape);
}

/// Whatever its winding.
TriMesh one_side_of(const TriangulatedSurface& sheet)
{
    TriMesh mesh = both_sides(sheet.topology);
    mesh.triangles.resize(mesh.triangles.size() / 2);
    return mesh;
}

} // namespace

std::vector<SampleFault> add_patch_points(const Scene& scene, BuiltWorld& built)
{
    World& world = built.world;
    std::vector<SampleFault> faults;
    double element = infinity;
    for (const DeformableBody& body : world.deformables.bodies)
        element = std::min(element, body.element_size);
    for (std::size_t i = 0; i < built.bodies.size() && std::isfinite(element); ++i) {
        const BodyHandle& handle = built.bodies[i];
        if (handle.kind != BodyKind::rigid && handle.kind != BodyKind::obstacle)
            continue;
        const bool is_rigid = handle.kind == BodyKind::rigid;
        const LevelSet& solid = is_rigid ? world.rigids[handle.index].solid : world.obstacles[handle.index].solid;
        const bool is_open = std::holds_alternative<OpenSurface>(solid);
        if (!bounds(solid).is_finite())
            continue;
        const Vec3 centre = is_rigid ? world.rigids[handle.index].centre : Vec3::Zero();
        const double longest = extent_of(solid).longest;
        const SampleSpacing spacing{
            is_open ? infinity : std::max(longest / 8, element), std::max(longest / 64, element / 2)};
        PatchPoints& points =
            is_rigid ? world.rigids[handle.index].patch_points : world.obstacles[handle.index].patch_points;
        try {
            const std::optional<Primitive> shape = primitive_of(scene.bodies[i].shape);
            if (shape)
                points.balls = inner_balls(*shape);
            check_count(static_cast<double>(points.balls.size()));
            for (RoundPoint& ball : points.balls)
                ball.centre -= centre;
            if (shape && is_round_all_over(*shape))
                continue;
            const TriMesh one_side = is_open ? one_side_of(*world.obstacles[handle.index].triangles) : TriMesh{};
            const TriMesh* mesh = is_open ? &one_side : built.surfaces[i].get();
            if (!mesh && !shape) // a file's level set has no points
                continue;
            points.samples = sample_surface(scene.bodies[i], mesh, centre, spacing, false);
            std::erase_if(points.samples, [](const SurfaceSample& s) { return s.flat; });
            for (SurfaceSample& peak : points.samples)
                peak.two_sided = is_open;
            points.area = surface_area(mesh ? *mesh : triangulate(*shape, longest / 8));
        } catch (const InputError& error) {
            faults.push_back({i, error.what()});
        }
    }
    return faults;
}

namespace {

std::string describe_one(const RigidBody& rigid)
{
    const Vec3 principal = Eigen::SelfAdjointEigenSolver<Mat3>(rigid.inertia, Eigen::EigenvaluesOnly).eigenvalues();
    const std::size_t balls = rigid.rounds.size();
    std::string points = balls > 0 ? counted(balls, "ball") : "";
    if (!rigid.samples.empty())
        points += (points.empty() ? "" : ", ") + counted(rigid.samples.size(), "surface point");
    if (!rigid.rims.empty())
        points += (points.empty() ? "" : ", ") + counted(rigid.rims.size(), "circle");
    char text[200];
    std::snprintf(text, sizeof text, "rigid, mass %.4g kg, principal moments of inertia %.4g, %.4g, %.4g kg m2, %s",
        rigid.mass, principal[0], principal[1], principal[2], points.c_str());
    return text;
}

} // namespace

namespace {

/// Families of the bodies of which `chosen`(settings) is true, of many the first.
template <typename Chosen>
std::string families(const Scene& scene, const Chosen& chosen)
{
    std::vector<std::string> names;
    for (const BodySettings& body : scene.bodies) {
        if (!chosen(body))
            continue;
        const std::string name = "\"" + family_of(body.name) + "\"";
        if (std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (text.empty() ? "" : ", ") + names[i];
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

} // namespace

std::string bodies_through_open_meshes(const Scene& scene)
{
    return families(scene, [](const BodySettings& body) {
        const bool is_ball = std::holds_alternative<Sphere>(body.shape);
        return body.kind == BodyKind::deformable || body.kind == BodyKind::mpm || (body.is_free_rigid() && !is_ball);
    });
}

std::string bodies_through_sheets(const Scene& scene)
{
    return families(scene, [](const BodySettings& body) {
        const Shape& s = body.shape;
        const bool is_met = std::holds_alternative<Box>(s) || std::holds_alternative<MeshShape>(s)
            || std::holds_alternative<Sphere>(s) || std::holds_alternative<Capsule>(s)
            || std::holds_alternative<RoundedBox>(s) || std::holds_alternative<Cylinder>(s)
            || std::holds_alternative<Cone>(s) || std::holds_alternative<Torus>(s);
        return body.kind == BodyKind::mpm || (body.is_free_rigid() && !is_met);
    });
}

std::vector<std::string> describe(const std::vector<RigidBody>& rigids)
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < rigids.size();) {
        const std::string text = describe_one(rigids[i]), family = family_of(rigids[i].name);
        std::size_t end = i + 1;
        while (end < rigids.size() && is_copy(rigids[end].name) && family_of(rigids[end].name) == family
            && describe_one(rigids[end]) == text)
            ++end;
        lines.push_back(rigids[i].name + (end > i + 1 ? " to " + rigids[end - 1].name : "") + ": " + text);
        i = end;
    }
    return lines;
}

} // namespace stickslip
