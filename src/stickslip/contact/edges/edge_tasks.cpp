#include "stickslip/contact/contact_set.h"

#include "stickslip/geometry/mesh/both_sides.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <limits>

// Sharp edges of two bodies, or of one: which can meet in a step, and what they find.
namespace stickslip {

namespace {

constexpr int entries_per_task = 32;

PlacedEdge at_start(const SurfaceEdges& body, int index)
{
    const SurfaceEdge& edge = body.edges()[index];
    const std::array<Vec3, 2> ends = {body.old()[edge.ends[0]], body.old()[edge.ends[1]]};
    return {.ends = ends, .old = ends, .body = {}, .goes_on = edge.goes_on};
}

} // namespace

// Few bodies are not polyhedra where there are many, and two polyhedra do not meet here.
void ContactSet::make_edges()
{
    std::vector<char> meets(bodies_.count(), 0);
    for (int body = 0; body < bodies_.count(); ++body)
        if (bodies_.has_edges(body) && !bodies_.are_polyhedra(body, body))
            for (int other = 0; other < bodies_.count(); ++other)
                if (bodies_.meet_by_edges(std::min(body, other), std::max(body, other)))
                    meets[body] = meets[other] = 1;
    for (int body = 0; body < bodies_.count(); ++body) {
        if (!meets[body])
            continue;
        if (bodies_.is_deformable(body)) {
            edged_.push_back({body, SurfaceEdges(patched_[body].surface.thickness())});
        } else if (bodies_.is_mesh_solid(body)) {
            const PatchSurface& surface = *rigid_mesh(body).surface;
            const SmoothPatches& patches = surface.patches();
            edged_.push_back({body, SurfaceEdges(convex_creases(patches, true), patches.x, surface.thickness())});
        } else if (bodies_.is_sheet(body)) { // which is as thick as what meets it allows
            const SmoothPatches& sides = rigid_mesh(body).surface->patches();
            edged_.push_back({body, SurfaceEdges(folds_and_rims(sides), sides.x, infinity)});
        } else if (const TriangulatedSurface* sharp = bodies_.sharp(body)) {
            const TriMesh solid = outer_side(sharp->topology);
            const SmoothPatches patches(solid);
            edged_.push_back({body, SurfaceEdges(convex_creases(patches, true), patches.x, mean_thickness(solid))});
        } else {
            const ConvexFeatures& solid = *polyhedra_[body];
            edged_.push_back({body, SurfaceEdges(convex_creases(solid), solid.vertices, solid.thickness)});
        }
    }
}

const SurfaceEdges* ContactSet::edges_of(int body) const
{
    const auto it = std::lower_bound(
        edged_.begin(), edged_.end(), body, [](const EdgedBody& edged, int b) { return edged.body < b; });
    return it != edged_.end() && it->body == body ? &it->edges : nullptr;
}

void ContactSet::begin_edges()
{
    parallel_for(
        edged_.size(),
        [&](std::size_t i) {
            auto& [body, edges] = edged_[i];
            if (!bodies_.is_deformable(body))
                return edges.begin_step(start_.frame(body), next_frame(body));
            std::vector<Vec3> old;
            for (const int node : patched_[body].nodes)
                old.push_back(start_.x[node]);
            edges.begin_step(patched_[body].surface.patches(), std::move(old));
        },
        1);
}

// Those whose ways come as near as `reach`, and those that hold attachments.
std::vector<CandidatePair> ContactSet::pairs_with_edges(double reach) const
{
    std::vector<Bounds> ways;
    for (const EdgedBody& edged : edged_)
        ways.push_back(way_box(edged.body).grown(reach));
    const BoxTree tree(ways);
    std::vector<CandidatePair> pairs;
    for (std::size_t i = 0; i < edged_.size(); ++i)
        tree.visit_overlapping(ways[i], [&](int j) {
            if (bodies_.meet_by_edges(edged_[i].body, edged_[j].body))
                pairs.push_back({edged_[i].body, edged_[j].body});
        });
    for (const CandidatePair& kept : start_.kept_pairs)
        if (bodies_.meet_by_edges(kept.point_body, kept.surface_body))
            pairs.push_back(kept);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

// A way may be missed by what gravity adds to it in the step, and by a quarter of an edge.
void ContactSet::decide_edges()
{
    met_edges_.clear();
    if (edged_.empty())
        return;
    begin_edges();
    const double fall = start_.dt * start_.dt * bodies_.gravity.norm();
    double widest = 0;
    for (const EdgedBody& edged : edged_)
        widest = std::max(widest, edged.edges.edge_length());
    const std::vector<CandidatePair> pairs = pairs_with_edges(2 * fall + 0.25 * widest);
    std::vector<std::vector<EdgeEntry>> found(pairs.size());
    parallel_for(
        pairs.size(),
        [&](std::size_t i) {
            const auto [p, s] = pairs[i];
            const SurfaceEdges &a = *edges_of(p), &b = *edges_of(s);
            const int first = bodies_.first_edge(p), last = std::numeric_limits<int>::max();
            const std::span<const Attachment> kept = start_.kept_of(pairs[i], first, last);
            const double reach = 2 * fall + 0.25 * std::min(a.edge_length(), b.edge_length());
            find_edge_entries(a, b, kept, first, reach, start_.indentation(pairs[i]), found[i]);
            for (EdgeEntry& entry : found[i]) {
                if (entry.kept < 0)
                    continue;
                const Attachment& held = kept[entry.kept];
                entry.spring = edge_spring_at_start(at_start(a, entry.a), at_start(b, entry.b), entry, held,
                    held.stiffness_scale * bodies_.edge_stiffness(p, s));
                entry.kept = static_cast<int>(&held - start_.kept.data());
            }
        },
        1);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (!found[i].empty())
            met_edges_.push_back({pairs[i], std::move(found[i])});
}

// Whatever edges cross within a step meets: what was expected goes another way where it is hit.
bool ContactSet::grow_edges()
{
    if (edged_.empty())
        return false;
    for (auto& [body, edges] : edged_) {
        if (!bodies_.is_deformable(body)) {
            edges.predict(frame(body));
            continue;
        }
        std::vector<Vec3> now;
        for (const int node : patched_[body].nodes)
            now.push_back(x_[node]);
        if (std::all_of(now.begin(), now.end(), [](const Vec3& v) { return v.allFinite(); }))
            edges.predict(std::move(now));
    }
    bool any = false;
    for (const CandidatePair& pair : pairs_with_edges(0)) {
        const auto before = [](const MetEdges& met, const CandidatePair& p) { return met.pair < p; };
        const auto at = std::lower_bound(met_edges_.begin(), met_edges_.end(), pair, before);
        const bool is_known = at != met_edges_.end() && at->pair == pair;
        MetEdges new_one{pair, {}};
        const SurfaceEdges &a = *edges_of(pair.point_body), &b = *edges_of(pair.surface_body);
        any = grow_edge_entries(a, b, start_.indentation(pair), is_known ? at->entries : new_one.entries) || any;
        if (!new_one.entries.empty())
            met_edges_.insert(at, std::move(new_one));
    }
    is_listed_ = is_listed_ && !any;
    return any;
}

void ContactSet::add_edges(const MetEdges& met)
{
    const int count = static_cast<int>(met.entries.size());
    for (int begin = 0; begin < count; begin += entries_per_task) {
        Task& task = new_task(met.pair, ContactKind::edges);
        task.met_edges = &met;
        task.begin = begin;
        task.end = std::min(count, begin + entries_per_task);
    }
}

PlacedEdge ContactSet::placed_edge(
    int body, const SurfaceEdge& edge, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const
{
    const std::vector<Vec3>& old = edges_of(body)->old();
    PlacedEdge placed{.ends = {}, .old = {old[edge.ends[0]], old[edge.ends[1]]}, .body = {}, .goes_on = edge.goes_on};
    for (int end = 0; end < 2; ++end) {
        if (bodies_.is_deformable(body)) {
            placed.node[end] = patched_[body].nodes[edge.ends[end]];
            placed.ends[end] = x[placed.node[end]];
        } else {
            placed.ends[end] = frame(body).to_world(edges_of(body)->own()[edge.ends[end]]);
        }
    }
    if (!bodies_.is_deformable(body))
        placed.body = side(body, 0, rigid);
    return placed;
}

void ContactSet::run_on_edges(Task& task, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    const SurfaceEdges &of_p = *edges_of(p), &of_s = *edges_of(s);
    const EdgePairLaw law{
        .mu = bodies_.friction(p, s), .damping = bodies_.law->damping / start_.dt, .belt = belt(task.pair)};
    for (int i = task.begin; i < task.end; ++i) {
        const EdgeEntry& entry = task.met_edges->entries[i];
        const SurfaceEdge &edge_a = of_p.edges()[entry.a], &edge_b = of_s.edges()[entry.b];
        const PlacedEdge a = placed_edge(p, edge_a, x, rigid), b = placed_edge(s, edge_b, x, rigid);
        const auto is_finite = [](const Vec3& v) { return v.allFinite(); };
        if (!std::all_of(a.ends.begin(), a.ends.end(), is_finite)
            || !std::all_of(b.ends.begin(), b.ends.end(), is_finite))
            continue;
        const Attachment* kept = entry.kept < 0 ? nullptr : &start_.kept[entry.kept];
        Contact names{};
        names.point_body = p;
        names.surface_body = s;
        names.point = bodies_.first_edge(p) + edge_a.number;
        names.at.slot = edge_b.number;
        names.at.stiffness_scale = scale_of(kept);
        names.k = stiffness_factor_ * names.at.stiffness_scale * bodies_.edge_stiffness(p, s);
        add_edge_contact(a, b, entry, kept, law, names, task.contacts);
    }
}

} // namespace stickslip
