#include "stickslip/build/build_contact.h"

#include "stickslip/bodies/round_shapes.h"
#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/built_world.h"
#include "stickslip/build/shared_places.h"
#include "stickslip/contact/contact_set.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/scene/checks/body_pairs.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/world/audit/overlap_audit.h"
#include "stickslip/world/tunnelling_watch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace stickslip {

namespace {

void set_rules(const Scene& scene, BuiltWorld& built)
{
    const PairKinds kinds = kinds_of_pairs(scene);
    if (kinds.rules.empty())
        return;
    ContactLaw& law = built.world.contact;
    law.kinds.resize(scene.bodies.size());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        law.kinds[contact_body(built.world, built.bodies[i])] = kinds.of_body[i];
    for (const auto& [pair, found] : kinds.rules) {
        const PairSettings values = found.values();
        law.rules[pair] = {values.friction, values.stiffness, values.enabled};
    }
}

/// By rigid body: the mass [kg] of the heaviest that it and those it may press on can meet.
std::vector<double> heaviest_of_groups(const World& world, const Reach& reach)
{
    const std::vector<int> group = reach.groups();
    std::vector<double> of_group(group.size(), 0), heaviest;
    for (std::size_t b = 0; b < group.size(); ++b)
        of_group[group[b]] = std::max(of_group[group[b]], world.rigids[b].mass);
    for (const int g : group)
        heaviest.push_back(of_group[g]);
    return heaviest;
}

/// Whether there was something to warn of.
bool warn_of_overlap(const Scene& scene, const DeformableSet& set, const DeformableBody& body, const Obstacle& obstacle,
    const State& state, BuildReport& report)
{
    const Frame frame = frame_at(obstacle.motion, obstacle.start, state.time);
    double depth = 0;
    std::size_t inside = 0;
    for (int s = body.surface_nodes.begin; s < body.surface_nodes.end; ++s) {
        const double phi = signed_distance(obstacle.solid, frame.to_local(state.x[set.surface_nodes[s]]));
        if (phi < -1e-6 * body.element_size)
            ++inside;
        depth = std::max(depth, -phi);
    }
    if (inside == 0)
        return false;
    report.warn(settings_of(scene, body.name).placed_at(), "bodies." + body.name + ".position",
        "starts inside \"" + obstacle.name + "\": " + counted(inside, "surface node") + ", the deepest "
            + short_number(depth) + " m; contact will push it out");
    return true;
}

/// Bodies that press on each other already: the run goes on from an earlier one.
std::set<BodyPair> touching_at_start(const State& state)
{
    const std::vector<BodyPair> pairs = touching_pairs(state.attachments);
    return {pairs.begin(), pairs.end()};
}

struct Overlap {
    std::size_t points = 0;
    double depth = 0; // [m]
    double shared = 0; // [m] diameter of a ball that fits into both; told where no point presses
    bool is_held = false; // by the triangles of a solid, from within
};

/// Whether it is that of a ball with triangles, whose centre they stop on the inner side.
bool is_held_within(const ContactBodies& bodies, const State& state, const Contact& c)
{
    if (bodies.kind(c.point_body, c.surface_body, c.point) != ContactKind::ball_on_mesh)
        return false;
    const int ball = c.point - bodies.first_ball(c.point_body);
    const Vec3 centre = c.Z + bodies.rounds(c.point_body)[ball].radius * c.at.n;
    const Frame frame = frame_of_solid(bodies, c.surface_body, state);
    return signed_distance(bodies.solid(c.surface_body), frame.to_local(centre)) < 0;
}

/// Scripted bodies held where they are at `time`: what only comes near in the first step is not inside yet.
std::vector<Obstacle> held(std::vector<Obstacle> obstacles, double time)
{
    for (Obstacle& o : obstacles) {
        o.start = frame_at(o.motion, o.start, time);
        o.motion = {};
    }
    return obstacles;
}

// By pair of bodies, the higher number second: the contacts that there would be if all stood still. Bodies that just
// touch, to a millionth of the smaller one's size, do not overlap.
std::map<std::pair<int, int>, Overlap> overlaps_of_rigids(const World& world, const State& state, double dt)
{
    const std::vector<Obstacle> obstacles = held(world.obstacles, state.time);
    ContactBodies bodies = contact_bodies(world);
    bodies.obstacles = &obstacles;
    ContactSet contacts(bodies);
    contacts.begin_step(state.time, dt, point_places(state), point_velocities(state), state.rigid, {});
    std::vector<RigidCandidate> still;
    for (const RigidState& r : state.rigid)
        still.push_back({r.x, Vec3::Zero(), r.R.toRotationMatrix(), Mat3::Identity()});
    contacts.evaluate(point_places(state), still);
    const auto size = [&](int body) {
        if (bodies.is_deformable(body))
            return world.deformables.bodies[body].element_size;
        if (bodies.is_mpm(body))
            return bodies.mpm_body(body).spacing;
        const Bounds box = bounds(bodies.solid(body));
        const Vec3 extent = box.max - box.min;
        return (extent.array() > 0).select(extent, infinity).minCoeff(); // a flat sheet has no thickness
    };
    const std::set<BodyPair> touched = touching_at_start(state);
    std::map<std::pair<int, int>, Overlap> overlaps;
    contacts.for_each_contact([&](const Contact& c) {
        if (!bodies.is_rigid(c.point_body) && !bodies.is_rigid(c.surface_body))
            return;
        if (touched.contains(std::minmax(c.point_body, c.surface_body)))
            return;
        if (!(c.at.depth > 1e-6 * std::min(size(c.point_body), size(c.surface_body))))
            return;
        Overlap& overlap = overlaps[std::minmax(c.point_body, c.surface_body)];
        ++overlap.points;
        overlap.is_held = overlap.is_held || is_held_within(bodies, state, c);
        overlap.depth = std::max(overlap.depth, c.at.depth);
    });
    return overlaps;
}

/// `told`: of pairs of which nothing more is to be said; grows.
void warn_of_rigid_overlap(const Scene& scene, BuildResult& result, std::set<BodyPair>& told)
{
    constexpr std::size_t most = 10; // warnings; of many pairs the first tell enough
    const World& world = result.built.world;
    auto overlaps = overlaps_of_rigids(world, result.built.state, scene.time.step);
    const std::set<BodyPair> touched = touching_at_start(result.built.state);
    for (const auto& [pair, width] : find_shared_places(world, result.built.state))
        if (!touched.contains(pair))
            overlaps[pair].shared = width;
    std::size_t said = 0;
    for (const auto& [pair, overlap] : overlaps) {
        told.insert(pair);
        if (++said > most)
            continue;
        const bool in_obstacle = contact_bodies(world).is_obstacle(pair.second);
        const auto [it, other] = in_obstacle ? pair : std::pair(pair.second, pair.first);
        const std::string& name = contact_body_name(world, it);
        const std::string there = "\"" + contact_body_name(world, other) + "\": ";
        const std::string then = overlap.is_held ? "hold it there: its triangles stop balls on either side"
            : in_obstacle                        ? "push it out"
                                                 : "push them apart";
        const std::string what = overlap.points > 0 ? "starts inside " + there + counted(overlap.points, "point")
                + " of contact, the deepest " + short_number(overlap.depth) + " m; contact will " + then
                                                    : "overlaps " + there + "a ball " + short_number(overlap.shared)
                + " m wide fits into both, and no face separates them";
        result.warn(settings_of(scene, name).placed_at(), "bodies." + name + ".position", what);
    }
    if (overlaps.size() > most)
        result.warn({}, "bodies", counted(overlaps.size() - most, "more pair") + " of bodies overlap at the start");
}

/// Of bodies that lie in one another deeper than contact finds at once, by their shapes alone.
void warn_of_soft_overlap(const Scene& scene, BuildResult& result, const std::set<BodyPair>& told)
{
    constexpr std::size_t most = 10; // warnings; of many pairs the first tell enough
    const World& world = result.built.world;
    const ContactBodies bodies = contact_bodies(world);
    OverlapAudit audit(world);
    std::vector<BodyOverlap> overlaps = audit.look(result.built.state, [&](const std::pair<int, int>& pair) {
        return pair.first < bodies.first_rigid() && pair.first != pair.second && !told.contains(pair);
    });
    std::erase_if(overlaps, [&](const BodyOverlap& o) { return !audit.pass_through(o); });
    for (std::size_t i = 0; i < std::min(most, overlaps.size()); ++i) {
        const std::string& name = contact_body_name(world, overlaps[i].body);
        result.warn(settings_of(scene, name).placed_at(), "bodies." + name + ".position",
            "overlaps \"" + contact_body_name(world, overlaps[i].other) + "\" by " + short_number(overlaps[i].depth)
                + " m: contact does not part what starts that deep in each other");
    }
    if (overlaps.size() > most)
        result.warn({}, "bodies", counted(overlaps.size() - most, "more pair") + " of bodies overlap at the start");
}

/// A box about as large as the body, or none.
std::optional<Box> box_of(const Shape& shape)
{
    if (const auto* rounded = std::get_if<RoundedBox>(&shape))
        return Box{rounded->core()};
    const auto* box = std::get_if<Box>(&shape);
    return box ? std::optional(*box) : std::nullopt;
}

/// Edges of a body's surface where it starts, of a capsule its axis, of what has circles chords of these and the lines
/// between them [m, world].
std::vector<std::pair<Vec3, Vec3>> surface_edges(const Scene& scene, const BuiltWorld& built, std::size_t number)
{
    const BodyHandle& handle = built.bodies[number];
    const DeformableSet& set = built.world.deformables;
    std::vector<std::pair<Vec3, Vec3>> edges;
    const auto add = [&](const Triangle& t, const auto& place) {
        for (int k = 0; k < 3; ++k)
            if (t[k] < t[(k + 1) % 3])
                edges.emplace_back(place(t[k]), place(t[(k + 1) % 3]));
    };
    if (handle.kind == BodyKind::deformable) {
        const Range own = set.bodies[handle.index].triangles;
        for (int t = own.begin; t < own.end; ++t)
            add(set.triangles[t], [&](int node) { return built.state.x[node]; });
        return edges;
    }
    const ContactBodies bodies = contact_bodies(built.world);
    const Frame frame = frame_of_solid(bodies, contact_body(built.world, handle), built.state);
    if (const auto* capsule = std::get_if<Capsule>(&scene.bodies[number].shape)) {
        const Vec3 end(0, 0.5 * capsule->height, 0);
        return {{frame.to_world(-end), frame.to_world(end)}};
    }
    if (const std::optional<Primitive> shape = primitive_of(scene.bodies[number].shape)) {
        const std::vector<Rim> rims = rims_of(*shape); // all about y
        const auto at = [&](const Rim& rim, int k) {
            const double angle = 2 * std::numbers::pi * k / Rim::even_points;
            return frame.to_world(rim.centre + rim.radius * Vec3(std::cos(angle), 0, std::sin(angle)));
        };
        for (std::size_t r = 0; r < rims.size(); ++r)
            for (int k = 0; k < Rim::even_points; ++k) {
                edges.emplace_back(at(rims[r], k), at(rims[r], k + 1));
                if (r > 0)
                    edges.emplace_back(at(rims[r - 1], k), at(rims[r], k));
            }
        if (const auto* cone = std::get_if<Cone>(&*shape))
            for (int k = 0; k < Rim::even_points; ++k)
                edges.emplace_back(at(rims.back(), k), frame.to_world(0.5 * cone->height * Vec3::UnitY()));
    }
    const std::optional<Box> box = box_of(scene.bodies[number].shape);
    const TriMesh mesh = box     ? triangulate(*box, box->size.maxCoeff())
        : built.surfaces[number] ? *built.surfaces[number]
                                 : TriMesh{};
    for (const Triangle& t : mesh.triangles)
        add(t, [&](int v) { return frame.to_world(mesh.vertices[v]); });
    return edges;
}

double mean_edge(const EdgeTopology& surface)
{
    double sum = 0;
    for (const Edge& e : surface.edges)
        sum += (surface.positions[e[0]] - surface.positions[e[1]]).norm();
    return sum / static_cast<double>(std::max<std::size_t>(1, surface.edges.size()));
}

/// A sheet has no inside: what starts behind it belongs to its other side.
void warn_of_sheets_across(const Scene& scene, BuildResult& result)
{
    const BuiltWorld& built = result.built;
    const ContactBodies bodies = contact_bodies(built.world);
    const std::set<BodyPair> touched = touching_at_start(built.state);
    for (int s = bodies.first_obstacle(); s < bodies.count(); ++s)
        for (std::size_t i = 0; i < built.bodies.size(); ++i) {
            const int p = contact_body(built.world, built.bodies[i]);
            const bool meets = bodies.are_points_on_mesh(p, s) || bodies.are_balls_on_triangles(p, s)
                || bodies.are_rims_on_triangles(p, s);
            if (!bodies.is_sheet(s) || !meets || touched.contains({p, s}))
                continue;
            const Frame frame = frame_of_solid(bodies, s, built.state);
            const TriangulatedSurface& sheet = *bodies.triangles(s);
            const double flush = flush_on_mesh * mean_edge(sheet.topology);
            std::size_t across = 0;
            for (const auto& [from, to] : surface_edges(scene, built, i)) {
                const Vec3 off = flush * (to - from).normalized();
                across += (to - from).norm() > 2 * flush
                    && changes_side(sheet, frame.to_local(from + off), frame.to_local(to - off));
            }
            if (across > 0)
                result.warn(scene.bodies[i].placed_at(), "bodies." + scene.bodies[i].name + ".position",
                    "starts across the open mesh \"" + contact_body_name(built.world, s) + "\", which cuts "
                        + counted(across, "edge") + " of its surface: contact will not push it out");
        }
}

} // namespace

const BodySettings& settings_of(const Scene& scene, const std::string& name)
{
    return *std::find_if(
        scene.bodies.begin(), scene.bodies.end(), [&](const BodySettings& s) { return s.name == name; });
}

void set_contact_law(const Scene& scene, BuildResult& result)
{
    ContactLaw& law = result.built.world.contact;
    law.friction = scene.contact.friction;
    law.stiffness = scene.contact.stiffness;
    law.penetration = scene.contact.penetration.value_or(infinity);
    law.damping = scene.contact.damping;
    law.self = scene.contact.self.value_or(false);
    law.quadrature = scene.contact.quadrature;
    set_rules(scene, result.built);
}

void set_automatic_stiffness(const Scene& scene, const std::vector<Vec3>& x, const std::vector<Vec3>& particles,
    const Reach& reach, BuildResult& result)
{
    World& world = result.built.world;
    ContactLaw& law = world.contact;
    const std::vector<double> heaviest = heaviest_of_groups(world, reach);
    const ContactBodies bodies = contact_bodies(world);
    law.automatic.assign(bodies.total(), 0);
    for (int b = 0; b < bodies.total(); ++b) {
        if (bodies.is_obstacle(b))
            continue;
        const bool per_area = bodies.has_free_points(b);
        law.automatic[b] = bodies.is_mpm(b) ? automatic_mpm_stiffness(world, b - bodies.first_mpm(), particles)
            : per_area                      ? automatic_contact_stiffness(world, b, x)
                                            : automatic_rigid_stiffness(world.rigids[b - bodies.first_rigid()].mass,
                                                heaviest[b - bodies.first_rigid()], scene.time.step);
        if (b < 20) // of many, the first tell enough
            result.built.notes.push_back(contact_body_name(world, b) + ": contact stiffness "
                + (law.stiffness   ? short_number(*law.stiffness) + " N/m per point"
                        : per_area ? short_number(law.automatic[b]) + " N/m per m2 of surface (auto)"
                                   : short_number(law.automatic[b]) + " N/m per unit sample weight (auto)"));
    }
}

void warn_of_overlap(const Scene& scene, BuildResult& result)
{
    const World& world = result.built.world;
    const State& state = result.built.state;
    std::set<BodyPair> told = touching_at_start(state);
    const ContactBodies bodies = contact_bodies(world);
    for (int p = 0; p < bodies.first_rigid(); ++p)
        for (int o = bodies.first_obstacle(); o < bodies.count(); ++o)
            if (bodies.is_pair(p, o) && !told.contains({p, o})
                && warn_of_overlap(
                    scene, world.deformables, world.deformables.bodies[p], bodies.obstacle(o), state, result))
                told.insert({p, o});
    if (!world.rigids.empty())
        warn_of_rigid_overlap(scene, result, told);
    if (!world.deformables.bodies.empty())
        warn_of_soft_overlap(scene, result, told);
    warn_of_sheets_across(scene, result);
}

void warn_of_missing_contacts(const Scene& scene, BuildResult& result)
{
    for (const PairSettings& pair : scene.contact.pairs) {
        if (pair.bodies[0].empty())
            continue;
        const bool stays = std::all_of(scene.bodies.begin(), scene.bodies.end(), [&](const BodySettings& b) {
            const bool named = names_body(pair.bodies[0], b.name) || names_body(pair.bodies[1], b.name);
            return !named || b.kind == BodyKind::obstacle;
        });
        if (stays)
            result.warn(pair.where, "contact.pairs",
                "\"" + pair.bodies[0] + "\" and \"" + pair.bodies[1]
                    + "\" do not touch: contact between two obstacles is not computed");
    }
}

} // namespace stickslip
