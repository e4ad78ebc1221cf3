#include "stickslip/contact/contact_set.h"

#include "stickslip/contact/meshes/facet_sample.h"
#include "stickslip/contact/meshes/patch_contact.h"
#include "stickslip/math/parallel.h"

#include <algorithm>

// Points against patches: who can meet whom in a step, and what is found on those of deformable bodies.
namespace stickslip {

namespace {

constexpr int meetings_per_task = 64;

/// Triangle of a quadrature point, by the nodes of the world.
const Triangle& triangle_of(const DeformableSet& set, int body, const FacetSample& sample)
{
    return set.triangles[set.bodies[body].triangles.begin + sample.facet];
}

int sample_count(const ContactBodies& bodies, int body)
{
    if (bodies.is_mpm(body))
        return bodies.points(body);
    return bodies.is_deformable(body) ? FacetSample::per_facet * bodies.deformables->bodies[body].triangles.size()
                                      : static_cast<int>(bodies.patch_points(body).samples.size());
}

} // namespace

void ContactSet::make_patches()
{
    const DeformableSet& set = *bodies_.deformables;
    for (const DeformableBody& body : set.bodies) {
        const auto first = set.surface_nodes.begin() + body.surface_nodes.begin;
        const auto last = set.surface_nodes.begin() + body.surface_nodes.end;
        TriMesh rest;
        for (auto node = first; node != last; ++node)
            rest.vertices.push_back(set.rest[*node]);
        for (int t = body.triangles.begin; t < body.triangles.end; ++t) {
            Triangle& local = rest.triangles.emplace_back(set.triangles[t]);
            for (int& v : local)
                v = static_cast<int>(std::lower_bound(first, last, v) - first);
        }
        double volume = 0;
        for (int t = body.tets.begin; t < body.tets.end; ++t)
            volume += set.volume[t];
        patched_.push_back({PatchSurface(rest, 2 * volume / body.surface_area), {first, last}, false});
    }
}

void ContactSet::begin_patches()
{
    parallel_for(
        patched_.size(),
        [&](std::size_t body) {
            std::vector<Vec3> old, next;
            for (const int node : patched_[body].nodes) {
                old.push_back(start_.x[node]);
                next.push_back(start_.x[node] + start_.dt * start_.v[node]);
            }
            patched_[body].surface.begin_step(old, next);
        },
        1);
}

Bounds ContactSet::way_box(int body) const
{
    if (bodies_.is_deformable(body))
        return patched_[body].surface.way();
    if (bodies_.is_mpm(body)) {
        Bounds way;
        for (int point = 0; point < bodies_.points(body); ++point) {
            const int place = bodies_.place(body, point);
            way.add(start_.x[place]);
            way.add(start_.x[place] + start_.dt * start_.v[place]);
        }
        return way;
    }
    const Bounds own = bounds(bodies_.solid(body));
    Bounds way = placed(own, start_.frame(body));
    way.add(placed(own, next_frame(body)));
    return way;
}

// Those whose ways meet, and those that hold attachments.
std::vector<CandidatePair> ContactSet::pairs_with_patches() const
{
    std::vector<Bounds> ways;
    for (std::size_t body = 0; body < patched_.size(); ++body)
        ways.push_back(way_box(static_cast<int>(body)).grown(patched_[body].surface.patches().edge_length));
    const BoxTree tree(ways);
    std::vector<CandidatePair> pairs;
    for (int p = 0; p < bodies_.total(); ++p)
        if (sample_count(bodies_, p) > 0)
            tree.visit_overlapping(way_box(p), [&](int s) {
                if (bodies_.meets_patches(p, s))
                    pairs.push_back({p, s});
            });
    for (const CandidatePair& kept : start_.kept_pairs)
        if (bodies_.meets_patches(kept.point_body, kept.surface_body)
            || bodies_.are_points_on_mesh(kept.point_body, kept.surface_body))
            pairs.push_back(kept);
    add_pairs_with_meshes(pairs);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

PointWay ContactSet::point_way(const CandidatePair& pair, int point) const
{
    const auto [p, s] = pair;
    if (bodies_.is_mpm(p)) {
        const int place = bodies_.place(p, point);
        PointWay way{start_.x[place], start_.x[place] + start_.dt * start_.v[place], Vec3::Zero()};
        way.indentation = start_.indentation(pair);
        way.outward = start_.outward_of(p, point);
        return way;
    }
    if (!bodies_.is_deformable(p)) {
        const SurfaceSample& sample = bodies_.patch_points(p).samples[point];
        const Frame old = start_.point_frame(p);
        const Vec3 Z = old.to_world(sample.z);
        PointWay way{Z, next_frame(p).to_world(start_.frame(p).to_local(Z)), old.R * sample.n};
        way.indentation = start_.indentation(pair);
        return way;
    }
    const DeformableSet& set = *bodies_.deformables;
    const FacetSample sample(point - first_facet_point(set, p));
    const Triangle& t = triangle_of(set, p, sample);
    const Vec3 old = sample.at(t, start_.x), v = sample.at(t, start_.v);
    const Vec3 n = (start_.x[t[1]] - start_.x[t[0]]).cross(start_.x[t[2]] - start_.x[t[0]]).normalized();
    PointWay way{old, old + start_.dt * v, n};
    way.indentation = start_.indentation(pair);
    if (p == s)
        way.own = patched_[p].surface.patches().facets[sample.facet];
    return way;
}

const PatchSurface& ContactSet::patch_surface(int body) const
{
    return bodies_.is_deformable(body) ? patched_[body].surface : *rigid_mesh(body).surface;
}

int ContactSet::first_met_point(const CandidatePair& pair) const
{
    const bool has_facet_points = bodies_.is_deformable(pair.surface_body) && bodies_.is_deformable(pair.point_body);
    return has_facet_points ? first_facet_point(*bodies_.deformables, pair.point_body) : 0;
}

int ContactSet::met_point_count(const CandidatePair& pair) const
{
    return bodies_.is_deformable(pair.surface_body) ? sample_count(bodies_, pair.point_body)
                                                    : bodies_.first_ball(pair.point_body);
}

// On a patch that holds its attachment a point is met from there, on others where it comes in.
void ContactSet::find_meetings(
    const CandidatePair& pair, int point, std::vector<PatchEntry>& entries, std::vector<PatchMeeting>& meetings) const
{
    const PatchSurface& surface = patch_surface(pair.surface_body);
    const bool on_mesh = !bodies_.is_deformable(pair.surface_body);
    PointWay way = on_mesh ? way_to_mesh(pair, point) : point_way(pair, point);
    const std::span<const Attachment> kept = start_.kept_of(pair, point, point + 1);
    const std::size_t first = meetings.size();
    const auto known = [&] { return std::span(meetings).subspan(first); };
    const auto is_met = [&](int patch) {
        return std::any_of(
            known().begin(), known().end(), [&](const PatchMeeting& m) { return m.entry.patch == patch; });
    };
    for (const Attachment& a : kept) // two of them where a crease has gone: the first
        if (on_mesh || !is_met(surface.patches().patch[a.on_facet().facet]))
            meetings.push_back({point, entry_at(surface, way.Z_old, a.on_facet().facet),
                static_cast<int>(&a - start_.kept.data()), a.slot, {}});
    if (on_mesh) {
        hold_side(pair, way, known());
        const auto come_together = [](const PatchMeeting& a, const PatchMeeting& b) {
            return a.entry.facet == b.entry.facet;
        };
        meetings.erase(
            std::unique(meetings.begin() + static_cast<std::ptrdiff_t>(first), meetings.end(), come_together),
            meetings.end());
    }
    for (PatchMeeting& met : known())
        met.spring = spring_at_start(pair, way.Z_old, met);
    find_entries(surface, way, entries);
    for (const PatchEntry& entry : entries)
        if (on_mesh ? is_met_anew(surface, known(), entry, way.Z_next) : !is_met(entry.patch))
            meetings.push_back({point, entry, -1, free_slot(surface, known(), entry), spring_of_new(pair, entry)});
    if (way.is_solid && known().size() > 1)
        leave_far_faces(surface, way, meetings, first);
}

void ContactSet::decide_meetings()
{
    constexpr int chunk = 64;
    met_patches_.clear();
    if (patched_.empty() && rigid_meshes_.empty())
        return;
    for (const CandidatePair& pair : pairs_with_patches()) {
        const int first = first_met_point(pair), count = met_point_count(pair);
        std::vector<std::vector<PatchMeeting>> found((count + chunk - 1) / chunk);
        parallel_for(
            found.size(),
            [&](std::size_t i) {
                std::vector<PatchEntry> entries;
                const int begin = static_cast<int>(i) * chunk;
                for (int k = begin; k < std::min(count, begin + chunk); ++k)
                    find_meetings(pair, first + k, entries, found[i]);
            },
            1);
        MetPatches met{pair, {}};
        for (const std::vector<PatchMeeting>& some : found)
            met.meetings.insert(met.meetings.end(), some.begin(), some.end());
        if (!met.meetings.empty())
            met_patches_.push_back(std::move(met));
    }
}

// Where a node has no finite place nothing touches: what moves it there says so.
void ContactSet::place_patches(std::span<const Vec3> x)
{
    for (PatchedBody& body : patched_)
        body.is_finite = false;
    for (const MetPatches& met : met_patches_) {
        if (!bodies_.is_deformable(met.pair.surface_body))
            continue;
        PatchedBody& body = patched_[met.pair.surface_body];
        if (body.is_finite)
            continue;
        vertices_.clear();
        for (const int node : body.nodes)
            vertices_.push_back(x[node]);
        body.is_finite = std::all_of(vertices_.begin(), vertices_.end(), [](const Vec3& v) { return v.allFinite(); });
        if (body.is_finite)
            body.surface.move_to(vertices_);
    }
}

void ContactSet::add_meetings(const MetPatches& met)
{
    const int count = static_cast<int>(met.meetings.size());
    for (int begin = 0; begin < count; begin += meetings_per_task) {
        const auto [p, s] = met.pair;
        Task& task = new_task(met.pair, bodies_.kind(p, s, met.meetings[begin].point));
        task.met = &met;
        task.begin = begin;
        task.end = std::min(count, begin + meetings_per_task);
    }
}

void ContactSet::run_on_patches(Task& task, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    const PatchedBody& body = patched_[s];
    if (!body.is_finite)
        return;
    const DeformableSet& set = *bodies_.deformables;
    const PatchView surface = body.surface.view();
    const PoseChange pose = pose_change(p, rigid);
    const Vec3 belt = this->belt(task.pair);
    for (int i = task.begin; i < task.end; ++i) {
        const PatchMeeting& met = task.met->meetings[i];
        const Attachment* kept = met.kept < 0 ? nullptr : &start_.kept[met.kept];
        PatchPoint point{.Z_old = {},
            .Z = {},
            .mu = bodies_.friction(p, s),
            .start = met.entry.facet,
            .kept = {},
            .gap = met.entry.gap,
            .spring = met.spring,
            .damping = bodies_.law->damping / start_.dt,
            .slides_along = met.entry.slides_along,
            .belt = belt};
        if (kept)
            point.kept = kept->on_facet();
        PointSide side;
        if (bodies_.is_deformable(p)) {
            const FacetSample sample(met.point - first_facet_point(set, p));
            const Triangle& t = triangle_of(set, p, sample);
            point.Z_old = sample.at(t, start_.x);
            point.Z = sample.at(t, x);
            side.node = t;
            side.weight = {sample.weight(0), sample.weight(1), sample.weight(2)};
        } else if (bodies_.is_mpm(p)) {
            const int place = bodies_.place(p, met.point);
            point.Z_old = start_.x[place];
            point.Z = x[place];
            side.node.fill(bodies_.block_of_point(p, met.point));
            side.weight = Vec3::UnitX();
        } else {
            const Vec3& z = bodies_.patch_points(p).samples[met.point].z;
            point.Z_old = pose.old.to_world(z);
            point.Z = pose.now.to_world(z);
            side.body = this->side(p, met.point, rigid);
        }
        if (!point.Z.allFinite())
            continue;
        const auto relaxed = relax_on_patch(surface, point);
        if (!relaxed)
            continue;
        Contact names{};
        names.point_body = p;
        names.surface_body = s;
        names.point = met.point;
        names.at.slot = met.slot;
        names.at.stiffness_scale = scale_of(kept);
        names.k = stiffness(task.pair, met.point, names.at);
        add_patch_contact(surface, point, *relaxed, side, body.nodes, names, task.contacts);
    }
}

} // namespace stickslip
