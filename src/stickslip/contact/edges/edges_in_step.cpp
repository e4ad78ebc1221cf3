#include "stickslip/contact/edges/edges_in_step.h"

#include "stickslip/contact/edges/edge_contact.h"
#include "stickslip/geometry/mesh/both_sides.h"
#include "stickslip/geometry/mesh/mass_properties.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <limits>

namespace stickslip {

namespace {

constexpr std::size_t entries_per_task = 32;

PlacedEdge at_start(const SurfaceEdges& body, int index)
{
    const SurfaceEdge& edge = body.edges()[index];
    const std::array<Vec3, 2> ends = {body.old()[edge.ends[0]], body.old()[edge.ends[1]]};
    return {.ends = ends, .old = ends, .body = {}, .goes_on = {edge.goes_on(0), edge.goes_on(1)}};
}

/// An edge of a body at the candidate.
PlacedEdge placed_edge(
    const ContactStep& step, const MeshSurfaces& surfaces, int body, const SurfaceEdges& edges, const SurfaceEdge& edge)
{
    const std::vector<Vec3>& old = edges.old();
    PlacedEdge placed{.ends = {},
        .old = {old[edge.ends[0]], old[edge.ends[1]]},
        .body = {},
        .goes_on = {edge.goes_on(0), edge.goes_on(1)}};
    if (edges.keeps_shape())
        placed.body = step.side(body, 0);
    for (int end = 0; end < 2; ++end) {
        if (edges.keeps_shape()) {
            placed.ends[end] = step.frame(body).to_world(edges.own()[edge.ends[end]]);
        } else {
            placed.node[end] = surfaces.deformable()[body].nodes[edge.ends[end]];
            placed.ends[end] = step.x[placed.node[end]];
        }
    }
    return placed;
}

/// Those that meet others by their edges. Few bodies are not polyhedra where there are many, and two polyhedra do not
/// meet here.
std::vector<char> find_edged(const ContactBodies& bodies)
{
    std::vector<char> meets(bodies.count(), 0);
    for (int body = 0; body < bodies.count(); ++body)
        if (bodies.has_edges(body) && !bodies.are_polyhedra(body, body))
            for (int other = 0; other < bodies.count(); ++other)
                if (bodies.meet_by_edges(std::min(body, other), std::max(body, other)))
                    meets[body] = meets[other] = 1;
    return meets;
}

SurfaceEdges sharp_edges(
    const ContactBodies& bodies, const MeshSurfaces& surfaces, const PolyhedraInStep& polyhedra, int body)
{
    if (bodies.is_deformable(body))
        return SurfaceEdges(surfaces.patches(body).thickness());
    if (bodies.is_mesh_solid(body)) {
        const PatchSurface& surface = surfaces.patches(body);
        return {convex_creases(surface.patches(), true), surface.patches().x, surface.thickness()};
    }
    if (bodies.is_sheet(body)) { // which is as thick as what meets it allows
        const SmoothPatches& sides = surfaces.patches(body).patches();
        return {folds_and_rims(sides), sides.x, infinity};
    }
    if (const TriangulatedSurface* sharp = bodies.sharp(body)) {
        const TriMesh solid = outer_side(sharp->topology);
        const SmoothPatches patches(solid);
        // the round sides of cylinders and cones meet by themselves
        return {convex_creases(patches, bodies.is_sampled(body)), patches.x, mean_thickness(solid)};
    }
    const ConvexFeatures& solid = *polyhedra.features_of(body);
    return {convex_creases(solid), solid.vertices, solid.thickness};
}

} // namespace

EdgesInStep::EdgesInStep(const ContactBodies& bodies, const MeshSurfaces& surfaces, const PolyhedraInStep& polyhedra)
{
    const std::vector<char> meets = find_edged(bodies);
    for (int body = 0; body < bodies.count(); ++body)
        if (meets[body])
            edged_.push_back({body, sharp_edges(bodies, surfaces, polyhedra, body)});
}

const SurfaceEdges& EdgesInStep::edges_of(int body) const
{
    return std::lower_bound(edged_.begin(), edged_.end(), body, [](const EdgedBody& edged, int b) {
        return edged.body < b;
    })->edges;
}

std::vector<CandidatePair> EdgesInStep::pairs_within(const ContactStep& step, double reach) const
{
    std::vector<Bounds> ways;
    for (const EdgedBody& edged : edged_)
        ways.push_back(step.start.way(edged.body).grown(reach));
    const BoxTree tree(ways);
    std::vector<CandidatePair> pairs;
    for (std::size_t i = 0; i < edged_.size(); ++i)
        tree.visit_overlapping(ways[i], [&](int j) {
            if (step.bodies.meet_by_edges(edged_[i].body, edged_[j].body))
                pairs.push_back({edged_[i].body, edged_[j].body});
        });
    for (const CandidatePair& kept : step.start.kept_pairs)
        if (step.bodies.meet_by_edges(kept.point_body, kept.surface_body))
            pairs.push_back(kept);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

// A way may be missed by what gravity adds to it in the step, and by a quarter of an edge.
void EdgesInStep::begin_step(const ContactStep& step, const MeshSurfaces& surfaces)
{
    met_.clear();
    if (edged_.empty())
        return;
    parallel_for(
        edged_.size(),
        [&](std::size_t i) {
            auto& [body, edges] = edged_[i];
            if (!step.bodies.is_deformable(body))
                return edges.begin_step(step.start.frame(body), step.start.next_frame(body));
            std::vector<Vec3> old;
            for (const int node : surfaces.deformable()[body].nodes)
                old.push_back(step.start.x[node]);
            edges.begin_step(surfaces.patches(body).patches(), std::move(old));
        },
        1);
    const double fall = step.start.fall();
    double widest = 0;
    for (const EdgedBody& edged : edged_)
        widest = std::max(widest, edged.edges.edge_length());
    const std::vector<CandidatePair> pairs = pairs_within(step, 2 * fall + 0.25 * widest);
    std::vector<std::vector<EdgeEntry>> found(pairs.size());
    parallel_for(
        pairs.size(),
        [&](std::size_t i) {
            const auto [p, s] = pairs[i];
            const SurfaceEdges &a = edges_of(p), &b = edges_of(s);
            const int first = step.bodies.first_edge(p), last = std::numeric_limits<int>::max();
            const std::span<const Attachment> kept = step.start.kept_of(pairs[i], first, last);
            const double reach = 2 * fall + 0.25 * std::min(a.edge_length(), b.edge_length());
            find_edge_entries(a, b, kept, first, reach, step.start.indentation(pairs[i]), found[i]);
            for (EdgeEntry& entry : found[i])
                if (entry.kept)
                    entry.spring = edge_spring_at_start(at_start(a, entry.a), at_start(b, entry.b), entry,
                        entry.kept->stiffness_scale * step.bodies.edge_stiffness(p, s));
        },
        1);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (!found[i].empty())
            met_.push_back({pairs[i], std::move(found[i])});
}

bool EdgesInStep::grow(const ContactStep& step, const MeshSurfaces& surfaces)
{
    if (edged_.empty())
        return false;
    for (auto& [body, edges] : edged_) {
        if (!step.bodies.is_deformable(body)) {
            edges.predict(step.frame(body));
            continue;
        }
        std::vector<Vec3> now;
        for (const int node : surfaces.deformable()[body].nodes)
            now.push_back(step.x[node]);
        if (std::all_of(now.begin(), now.end(), [](const Vec3& v) { return v.allFinite(); }))
            edges.predict(std::move(now));
    }
    bool any = false;
    for (const CandidatePair& pair : pairs_within(step, 0)) {
        const auto before = [](const Met& met, const CandidatePair& p) { return met.pair < p; };
        const auto at = std::lower_bound(met_.begin(), met_.end(), pair, before);
        const bool is_known = at != met_.end() && at->pair == pair;
        Met new_one{pair, {}};
        const SurfaceEdges &a = edges_of(pair.point_body), &b = edges_of(pair.surface_body);
        any = grow_edge_entries(a, b, step.start.indentation(pair), is_known ? at->entries : new_one.entries) || any;
        if (!new_one.entries.empty())
            met_.insert(at, std::move(new_one));
    }
    return any;
}

void EdgesInStep::list(ContactTasks& tasks) const
{
    for (const auto& [pair, entries] : met_)
        for (std::size_t begin = 0; begin < entries.size(); begin += entries_per_task)
            tasks.add(pair, ContactKind::edges).entries =
                std::span(entries).subspan(begin, std::min(entries.size() - begin, entries_per_task));
}

void EdgesInStep::run(const ContactStep& step, const MeshSurfaces& surfaces, ContactTask& task) const
{
    const auto [p, s] = task.pair;
    const SurfaceEdges &of_p = edges_of(p), &of_s = edges_of(s);
    const EdgePairLaw law{.mu = step.bodies.friction(p, s),
        .damping = step.bodies.law->damping / step.start.dt,
        .belt = step.start.belt(task.pair)};
    for (const EdgeEntry& entry : task.entries) {
        const SurfaceEdge &edge_a = of_p.edges()[entry.a], &edge_b = of_s.edges()[entry.b];
        const PlacedEdge a = placed_edge(step, surfaces, p, of_p, edge_a);
        const PlacedEdge b = placed_edge(step, surfaces, s, of_s, edge_b);
        const auto is_finite = [](const Vec3& v) { return v.allFinite(); };
        if (!std::all_of(a.ends.begin(), a.ends.end(), is_finite)
            || !std::all_of(b.ends.begin(), b.ends.end(), is_finite))
            continue;
        Contact names{};
        names.point_body = p;
        names.surface_body = s;
        names.point = step.bodies.first_edge(p) + edge_a.number;
        names.at.slot = edge_b.number;
        names.at.stiffness_scale = scale_of(entry.kept);
        names.k = step.stiffness_factor * names.at.stiffness_scale * step.bodies.edge_stiffness(p, s);
        add_edge_contact(a, b, entry, law, names, task.contacts);
    }
}

} // namespace stickslip
