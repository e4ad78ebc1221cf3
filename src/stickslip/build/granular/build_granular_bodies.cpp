#include "stickslip/build/granular/build_granular_bodies.h"

#include "stickslip/bodies/ball_union.h"
#include "stickslip/build/build_rigid.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace stickslip {

namespace {

/// Others rest where the sampled distance of a mesh is 0, up to 4 % of a cell beside its flat faces where it is thin. A
/// point that stood out of there was met by the sides of what slides. Itself where the surface is farther than a cell.
Vec3 on_sampled_surface(const LevelSet& solid, const Vec3& z)
{
    const auto* grid = std::get_if<std::shared_ptr<const GridLevelSet>>(&solid);
    if (!grid)
        return z;
    const double cell = (*grid)->spacing();
    Vec3 x = z;
    for (int i = 0; i < 10; ++i) {
        const LevelSetSample at = sample(solid, x);
        if (std::abs(at.phi) < 1e-9 * cell)
            return x;
        x -= at.phi / at.n.squaredNorm() * at.n;
        if (!((x - z).norm() < cell))
            return z;
    }
    return z;
}

/// Points by which a body or an obstacle enters solids, in its shape's frame; samples of the same go to `rigid`, if
/// any. mesh: its triangles, or null. InputError: too many.
std::vector<SurfacePoint> surface_points(
    const BodySettings& body, const LevelSet& solid, const TriMesh* mesh, const PointSpacing& spacing, RigidBody* rigid)
{
    std::vector<SurfacePoint> points;
    if (rigid && !rigid->rounds.empty()) { // round all over
        for (const RoundPoint& ball : rigid->rounds)
            points.push_back({.z = ball.centre + rigid->centre, .radius = ball.radius});
        return points;
    }
    const Bounds box = bounds(solid);
    const double longest = (box.max - box.min).maxCoeff();
    if (!std::isfinite(longest))
        return points;
    const std::vector<SurfaceSample> samples = sample_surface(body, mesh, Vec3::Zero(), spacing.of(body), false);
    for (const SurfaceSample& s : samples)
        points.push_back({.z = on_sampled_surface(solid, s.z), .weight = s.weight});
    if (rigid) {
        rigid->rims.clear(); // their points are among the samples here
        rigid->samples = samples;
    }
    return points;
}

/// Whether there is a rigid body that meets solids by points.
bool has_rigid_solid(const Scene& scene)
{
    return std::any_of(scene.bodies.begin(), scene.bodies.end(),
        [](const BodySettings& b) { return b.is_free_rigid() && !std::holds_alternative<Sphere>(b.shape); });
}

/// Whether anything else in the scene meets the solid of a body by points.
bool is_met_by_points(const Scene& scene, const BodySettings& body)
{
    return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const BodySettings& other) {
        const bool is_solid = other.is_free_rigid() || other.kind == BodyKind::obstacle || other.motion;
        const bool is_ball = other.is_free_rigid() && std::holds_alternative<Sphere>(other.shape);
        return &other != &body && is_solid && !is_ball && !std::holds_alternative<Plane>(other.shape)
            && (body.is_free_rigid() || other.is_free_rigid());
    });
}

/// The solid of a mesh that points meet. InputError: walls or slots that it cannot show; a warning where the scene says
/// how it is sampled.
LevelSet met_solid(const Scene& scene, const BodySettings& body, BodySurfaces& surfaces, BuildResult& result)
{
    const auto& shape = std::get<MeshShape>(body.shape);
    const MeshSampling* const sampling = surfaces.sampling(shape);
    if (sampling && !sampling->shows_walls() && is_met_by_points(scene, body)) {
        const std::string text = unresolved(*sampling);
        if (!shape.spacing)
            throw InputError("expected walls and slots that a grid of at most 2^23 nodes shows: it " + text
                + "; divide the mesh, or give a `spacing` if they need not be felt");
        result.warn(shape_position(body), "bodies." + body.name + "." + shape_key(body),
            text + ": they may not be felt; give a `spacing` of at most " + short_number(sampling->thickness / 2)
                + " m");
    }
    return surfaces.solid(shape);
}

} // namespace

ClumpShape make_clump(const ClumpSettings& clump, double density)
{
    ClumpShape shape;
    RigidBody& rigid = shape.body.rigid;
    shape.body.is_clump = true;
    for (std::size_t i = 0; i < clump.positions.size(); ++i)
        rigid.rounds.push_back({clump.positions[i], clump.radius ? *clump.radius : clump.radii[i]});
    const MassProperties unit = mass_properties(rigid.rounds);
    for (RoundPoint& ball : rigid.rounds) {
        ball.centre -= unit.centre;
        shape.reach = std::max(shape.reach, ball.centre.norm() + ball.radius);
    }
    rigid.mass = density * unit.volume;
    rigid.inertia = density * unit.inertia;
    shape.volume = unit.volume;
    return shape;
}

std::vector<Quat> random_orientations(int seed, std::size_t count)
{
    std::mt19937_64 engine(static_cast<std::uint64_t>(seed));
    const auto uniform = [&] { return 0x1p-53 * static_cast<double>(engine() >> 11); };
    std::vector<Quat> all;
    for (std::size_t i = 0; i < count; ++i) { // Shoemake: two turns by any angle, shared out between two planes
        const double share = uniform(), first = 2 * std::numbers::pi * uniform();
        const double second = 2 * std::numbers::pi * uniform();
        const double a = std::sqrt(1 - share), b = std::sqrt(share);
        all.emplace_back(b * std::cos(second), a * std::sin(first), a * std::cos(first), b * std::sin(second));
    }
    return all;
}

void add_granular_rigid(const Scene& scene, int index, int material, GranularStart& start, BodySurfaces& surfaces,
    const PointSpacing& spacing, BuildResult& result)
{
    const BodySettings& body = scene.bodies[index];
    BuiltGranular& granular = *result.built.granular;
    GranularWorld& world = granular.world;
    std::shared_ptr<const TriMesh> mesh;
    if (const auto* shape = std::get_if<MeshShape>(&body.shape)) {
        const std::vector<std::string>& defects = surfaces.defects(*shape);
        for (const std::string& defect : defects)
            result.fault(shape_position(body), body, shape_key(body), defect);
        if (!defects.empty())
            return;
        mesh = surfaces.mesh(*shape);
    }
    const MassProperties unit = mesh ? mass_properties(*mesh) : mass_properties(primitive_of(body.shape).value());
    const LevelSet solid = mesh ? met_solid(scene, body, surfaces, result) : surfaces.solid(body.shape);
    const auto settings = std::find_if(scene.materials.begin(), scene.materials.end(),
        [&](const MaterialSettings& m) { return m.name == body.material; });
    GranularBody moving{.rigid = make_rigid(body, solid, unit, settings->density)};
    moving.start = initial_rigid(moving.rigid, body, scene.gravity);
    const CheckpointBody* const earlier = start.earlier(index);
    if (earlier)
        moving.start = start.rigid(*earlier, world.bodies.size());
    moving.is_clump = std::holds_alternative<Sphere>(body.shape);
    GranularRigid rigid{.scene_body = index, .body = static_cast<int>(world.bodies.size()), .wall = -1};
    if (moving.is_clump) {
        moving.material = material;
        moving.group = static_cast<int>(granular.sets.size());
        granular.sets.push_back({.name = body.name, .body = index, .material = material});
    } else {
        GranularWall wall{.name = body.name, .shape = solid, .material = material, .body = rigid.body};
        if (const auto* shape = std::get_if<MeshShape>(&body.shape)) {
            wall.shape = surfaces.triangles(body, *shape, result);
            wall.inside = solid;
        }
        wall.size = std::cbrt(3 * unit.volume / (4 * std::numbers::pi));
        wall.points = surface_points(body, solid, mesh.get(), spacing, &moving.rigid);
        rigid.wall = static_cast<int>(world.walls.size());
        world.walls.push_back(std::move(wall));
        granular.wall_body.push_back(index);
    }
    for (const std::string& line : describe({moving.rigid}))
        result.built.notes.push_back(line);
    world.bodies.push_back(std::move(moving));
    result.built.bodies.push_back({BodyKind::rigid, static_cast<int>(granular.rigids.size())});
    result.built.surfaces.push_back(std::move(mesh));
    granular.rigids.push_back(rigid);
}

std::vector<RigidState> clump_places(const BodySettings& body, const std::vector<Vec3>& places)
{
    const ClumpSettings& clump = *body.clump;
    const Frame frame = placed(body);
    const Quat all(frame.R);
    std::vector<Quat> turned(places.size(), Quat::Identity());
    if (clump.orientation == ClumpOrientation::random)
        turned = random_orientations(clump.seed, places.size());
    std::vector<RigidState> starts;
    for (std::size_t i = 0; i < places.size(); ++i)
        starts.push_back(
            {.x = frame.to_world(places[i]), .R = all * turned[i], .v = body.velocity, .w = body.angular_velocity});
    return starts;
}

void add_clump_kind(const Scene& scene, int group, double density, BuildResult& result)
{
    BuiltGranular& granular = *result.built.granular;
    SphereSet& set = granular.sets[group];
    const ClumpShape shape = make_clump(*scene.bodies[set.body].clump, density);
    set.clump = static_cast<int>(granular.world.clumps.size());
    set.reach = shape.reach;
    GranularBody kind = shape.body;
    kind.rigid.name = set.name;
    kind.material = set.material;
    kind.group = group;
    kind.kind = set.clump;
    granular.world.clumps.push_back(std::move(kind));
}

std::vector<GranularBody> make_clumps(const SphereSet& set, const std::vector<RigidState>& starts, BuildResult& result)
{
    const GranularBody& kind = result.built.granular->world.clumps[set.clump];
    std::vector<GranularBody> clumps(starts.size(), kind);
    for (std::size_t i = 0; i < starts.size(); ++i)
        clumps[i].start = starts[i];
    result.built.notes.push_back(set.name + ": " + counted(starts.size(), "clump") + " of "
        + counted(kind.rigid.rounds.size(), "sphere") + ", mass " + short_number(kind.rigid.mass) + " kg each");
    return clumps;
}

void let_meet_rigid(const Scene& scene, const BodySettings& body, const TriMesh* mesh, BodySurfaces& surfaces,
    const PointSpacing& spacing, GranularWall& wall, BuildResult& result)
{
    if (!has_rigid_solid(scene))
        return;
    if (const auto* shape = std::get_if<MeshShape>(&body.shape)) {
        const std::vector<std::string>& defects = surfaces.defects(*shape);
        if (!defects.empty()) {
            result.warn(shape_position(body), "bodies." + body.name + "." + shape_key(body),
                "is an open mesh, which only spheres and clumps touch: " + bodies_through_open_meshes(scene)
                    + " passes through; close the mesh, or make clumps of such bodies: " + defects.front());
            return;
        }
        wall.inside = met_solid(scene, body, surfaces, result);
    }
    wall.points = surface_points(body, *wall.solid(), mesh, spacing, nullptr);
}

} // namespace stickslip
