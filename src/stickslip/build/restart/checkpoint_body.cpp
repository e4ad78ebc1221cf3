#include "stickslip/build/restart/checkpoint_body.h"

#include "stickslip/build/built_world.h"
#include "stickslip/geometry/solids/convex_features.h"
#include "stickslip/math/state_hasher.h"
#include "stickslip/scene/table/body_table.h"
#include "stickslip/scene/table/spheres_table.h"

#include <filesystem>

namespace stickslip {

namespace {

/// A shape as the scene says it, its file without the folder: copies of files lie elsewhere.
std::string text_of(Shape shape)
{
    const auto shorten = [](std::string& file) { file = std::filesystem::path(file).filename().string(); };
    if (auto* mesh = std::get_if<MeshShape>(&shape))
        for (std::string* const file : mesh->names())
            shorten(*file);
    if (auto* grid = std::get_if<LevelSetShape>(&shape))
        shorten(grid->file);
    return write_shape(shape);
}

void add_surface(const ContactBodies& bodies, int body, StateHasher& hash)
{
    const auto add_numbers = [&](const auto& numbers) {
        for (const int n : numbers)
            hash.add(static_cast<std::uint64_t>(n));
    };
    if (bodies.is_mpm(body))
        return;
    if (bodies.is_deformable(body)) {
        const DeformableBody& soft = bodies.deformables->bodies[body];
        for (int t = soft.triangles.begin; t < soft.triangles.end; ++t)
            for (const int node : bodies.deformables->triangles[t])
                hash.add(static_cast<std::uint64_t>(node - soft.nodes.begin));
        return;
    }
    hash.add(bounds(bodies.solid(body)).min);
    hash.add(bounds(bodies.solid(body)).max);
    if (bodies.is_mesh_solid(body) || bodies.is_sheet(body)) { // of others there are triangles if spheres need them
        const EdgeTopology& surface = bodies.triangles(body)->topology;
        for (const Triangle& facet : surface.facets)
            add_numbers(facet);
        for (const Vec3& x : surface.positions)
            hash.add(x);
    }
    if (const auto convex = convex_features(bodies.solid(body))) {
        for (const Vec3& x : convex->vertices)
            hash.add(x);
        for (const ConvexFeatures::Face& face : convex->faces)
            add_numbers(face.corners);
    }
}

void add_points(const ContactBodies& bodies, int body, StateHasher& hash)
{
    if (bodies.is_deformable(body)) // its edges too are counted behind its quadrature points
        hash.add(static_cast<std::uint64_t>(bodies.law->quadrature));
    for (const SurfaceSample& sample : bodies.samples(body))
        hash.add(sample.z);
    for (const RoundPoint& ball : bodies.rounds(body)) {
        hash.add(ball.centre);
        hash.add(ball.radius);
    }
    for (const Rim& rim : bodies.rims(body)) {
        hash.add(rim.centre);
        hash.add(rim.radius);
    }
}

void add_points_on_soft(const ContactBodies& bodies, int body, StateHasher& hash)
{
    if (bodies.has_free_points(body))
        return;
    for (const SurfaceSample& sample : bodies.patch_points(body).samples)
        hash.add(sample.z);
    for (const RoundPoint& ball : bodies.soft_balls(body))
        hash.add(ball.centre);
}

void record_implicit(const World& world, const BodyHandle& handle, CheckpointBody& body)
{
    const ContactBodies bodies = contact_bodies(world);
    body.contact_body = contact_body(world, handle);
    body.points = bodies.points(body.contact_body);
    StateHasher hash;
    add_surface(bodies, body.contact_body, hash);
    body.surface = hash.text();
    add_points(bodies, body.contact_body, hash);
    body.touching = hash.text();
    add_points_on_soft(bodies, body.contact_body, hash);
    body.on_soft = hash.text();
    if (handle.kind == BodyKind::rigid)
        body.first = handle.index;
    if (handle.kind == BodyKind::mpm)
        body.first = world.mpm.bodies[handle.index].particles.begin;
    if (handle.kind != BodyKind::deformable)
        return;
    const Range& nodes = world.deformables.bodies[handle.index].nodes;
    body.first = nodes.begin;
    body.points = nodes.end - nodes.begin;
}

void record_wall(const GranularWall& wall, CheckpointBody& body)
{
    body.points = static_cast<int>(wall.points.size());
    if (const auto* mesh = std::get_if<WallTriangles>(&wall.shape))
        body.facets = static_cast<int>((*mesh)->topology.facets.size());
}

void record_granular(const BuiltGranular& granular, const BodyHandle& handle, CheckpointBody& body)
{
    if (handle.kind == BodyKind::spheres) {
        body.group = handle.index;
        return;
    }
    body.wall = handle.index;
    if (handle.kind == BodyKind::rigid) {
        const GranularRigid& rigid = granular.rigids[handle.index];
        body.body = rigid.body;
        body.wall = rigid.wall;
        if (rigid.wall < 0)
            body.group = granular.world.bodies[rigid.body].group;
    }
    if (body.wall >= 0)
        record_wall(granular.world.walls[body.wall], body);
}

Frame frame_of(const BuiltWorld& built, int obstacle, double time)
{
    if (built.granular) {
        const GranularWall& wall = built.granular->world.walls[obstacle];
        return frame_at(wall.motion, wall.start, time);
    }
    const Obstacle& o = built.world.obstacles[obstacle];
    return frame_at(o.motion, o.start, time);
}

} // namespace

std::string shape_text(const BodySettings& body)
{
    if (body.kind != BodyKind::spheres)
        return text_of(body.shape);
    if (!body.clump)
        return {};
    ClumpSettings clump = *body.clump; // how its copies were turned does not make it another
    clump.orientation = ClumpSettings().orientation;
    clump.seed = ClumpSettings().seed;
    return write_clump(clump);
}

std::vector<CheckpointBody> checkpoint_bodies(const Scene& scene, const BuiltWorld& built, double time)
{
    std::vector<CheckpointBody> bodies;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodyHandle& handle = built.bodies[i];
        CheckpointBody body{.name = scene.bodies[i].name, .shape = shape_text(scene.bodies[i]), .kind = handle.kind};
        if (built.granular)
            record_granular(*built.granular, handle, body);
        else
            record_implicit(built.world, handle, body);
        if (handle.kind == BodyKind::obstacle) {
            const Frame frame = frame_of(built, handle.index, time);
            body.x = frame.x;
            body.R = Quat(frame.R);
        }
        bodies.push_back(std::move(body));
    }
    return bodies;
}

} // namespace stickslip
