#include "stickslip/contact/meshes/patches_in_step.h"

#include "stickslip/contact/meshes/patch_contact.h"
#include "stickslip/contact/meshes/point_ways.h"
#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stickslip {

namespace {

constexpr int meetings_per_task = 64;
constexpr double sheet_entry_share = 0.25; // [-] of an edge, of what the same side of a sheet holds already
constexpr double far_face = 4; // [-] of the distance from the surface
constexpr double rim_of_body = 0.1; // [-] of an element, or of the smallest size of a solid

constexpr auto before_point = [](const PatchMeeting& a, const PatchMeeting& b) { return a.point < b.point; };

/// The facet of the patch of `facet` that is next to Z, of those that look to the same side; that one itself where none
/// is near.
int facet_next_to(const PatchSurface& surface, int facet, const Vec3& Z)
{
    const SmoothPatches& patches = surface.patches();
    const auto area_vector = [&](int f) -> Vec3 {
        const auto& [i, j, k] = patches.facets[f];
        return (patches.x[j] - patches.x[i]).cross(patches.x[k] - patches.x[i]);
    };
    const Vec3 margin = Vec3::Constant(patches.edge_length), n = area_vector(facet);
    int best = facet;
    double nearest = infinity;
    surface.visit_ways({Z - margin, Z + margin}, [&](int f) {
        if (patches.patch[f] != patches.patch[facet] || !(area_vector(f).dot(n) > 0))
            return;
        const auto& [i, j, k] = patches.facets[f];
        const Vec3 place = closest_point_on_triangle(Z, patches.x[i], patches.x[j], patches.x[k]).point;
        if (const double d = (Z - place).norm(); d < nearest || (d == nearest && f < best)) {
            nearest = d;
            best = f;
        }
    });
    return best;
}

// Both faces at a convex edge may hold a point that comes in there. The one from which it goes away along the other,
// deeper and deeper, lets it go: the tip of a tooth that slides down a flank is not held by the face that it passed.
void leave_far_faces(
    const PatchSurface& surface, const PointWay& way, std::vector<PatchMeeting>& meetings, std::size_t first)
{
    const double nearest = std::abs(surface.nearest(way.Z_old, surface.patches().edge_length).distance);
    const auto is_near = [&](const PatchMeeting& m) {
        return m.entry.old_depth > 0 && m.entry.old_depth <= 2 * nearest;
    };
    const auto begin = meetings.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::none_of(begin, meetings.end(), is_near))
        return;
    const double farthest = far_face * nearest;
    meetings.erase(
        std::remove_if(begin, meetings.end(), [&](const PatchMeeting& m) { return m.entry.old_depth > farthest; }),
        meetings.end());
}

// On a patch where the point is held already, its place there may be another: what it goes through is met by itself
// where the place known does not hold it at the end of the way.
bool is_met_anew(
    const PatchSurface& surface, std::span<const PatchMeeting> known, const PatchEntry& entry, const Vec3& Z)
{
    return std::none_of(known.begin(), known.end(), [&](const PatchMeeting& met) {
        if (met.entry.patch != entry.patch)
            return false;
        if (!entry.is_crossed || met.entry.facet == entry.facet)
            return true;
        const MeshFoot foot = find_foot(surface.view_at_start(), Z, met.entry.facet);
        return foot.facet >= 0 && foot.d > 0;
    });
}

int free_slot(const PatchSurface& surface, std::span<const PatchMeeting> known, const PatchEntry& entry)
{
    int slot = entry.facet;
    while (std::any_of(known.begin(), known.end(), [&](const PatchMeeting& met) { return met.slot == slot; }))
        slot += static_cast<int>(surface.patches().facets.size());
    return slot;
}

/// The points of one body and the patches of another.
class PointsAndPatches {
public:
    PointsAndPatches(const ContactStep& step, const MeshSurfaces& surfaces, const CandidatePair& pair)
        : step_(step)
        , start_(step.start)
        , surfaces_(surfaces)
        , pair_(pair)
        , surface_(surfaces.patches(pair.surface_body))
        , mesh_(step.bodies.is_deformable(pair.surface_body) ? nullptr : &surfaces.rigid(pair.surface_body))
        , rim_width_(mesh_ ? rim_width_of(step.bodies, pair.point_body) : infinity)
    {
    }

    /// Those that can meet in the step, sorted by point.
    std::vector<PatchMeeting> at_start() const
    {
        const auto find = [this](int point, std::vector<PatchEntry>& entries, std::vector<PatchMeeting>& meetings) {
            this->find(point, entries, meetings);
        };
        const auto [p, s] = pair_;
        if (!is_rigid())
            return of_all_points(find, {});
        const Frame own = relative(start_.frame(p), start_.point_frame(p));
        const Frame& next = start_.next_frame(p);
        return of_all_points(find, passage_to(start_.next_frame(s), {next.to_world(own.x), next.R * own.R}));
    }

    /// Those that have gone through at the candidate and are not known.
    std::vector<PatchMeeting> crossed(std::span<const PatchMeeting> known) const
    {
        const auto find = [&](int point, std::vector<PatchEntry>& entries, std::vector<PatchMeeting>& meetings) {
            find_crossed(point, known, entries, meetings);
        };
        const auto [p, s] = pair_;
        if (!is_rigid())
            return of_all_points(find, {});
        return of_all_points(find, passage_to(step_.frame(s), step_.pose_change(p).now));
    }

    /// The surface as points see it before the candidate; what keeps its shape at any time.
    PatchView view_at_start() const { return surfaces_.view_at_start(pair_.surface_body, rim_width_); }

private:
    // A surface without a size of its own is as wide as it is.
    static double rim_width_of(const ContactBodies& bodies, int body)
    {
        if (bodies.is_sheet(body))
            return infinity;
        const double size = bodies.is_deformable(body) ? bodies.deformables->bodies[body].element_size
                                                       : smallest_size(bodies.solid(body));
        return rim_of_body * size;
    }

    bool is_rigid() const { return mesh_ && !step_.bodies.is_deformable(pair_.point_body); } // both are

    // Frames of the points of a body as the mesh sees them, at the start and at the end of their ways.
    struct Passage {
        Frame from, to;
    };
    Passage passage_to(const Frame& mesh, const Frame& points) const
    {
        return {
            relative(start_.frame(pair_.surface_body), start_.point_frame(pair_.point_body)), relative(mesh, points)};
    }

    // False only where none of a group's points goes near the mesh or is held by it: most of the vertices of a terrain.
    bool may_meet(const Passage& passage, int begin) const
    {
        const Bounds& group = step_.groups.box(pair_.point_body, begin);
        Bounds ways = placed(group, passage.from);
        ways.add(placed(group, passage.to));
        const double margin = entry_reach(surface_, stray(start_)) + surface_.patches().edge_length; // and round-off
        return ways.grown(margin).overlaps(surface_.way())
            || !start_.kept_of(pair_, begin, begin + PointGroups::size).empty();
    }

    template <typename Find>
    std::vector<PatchMeeting> of_all_points(const Find& find, const std::optional<Passage>& passage) const
    {
        constexpr int size = PointGroups::size;
        const auto [p, s] = pair_;
        const auto [first, count] = points_on_patches(step_.bodies, pair_);
        const bool skips_faces = is_rigid() && step_.bodies.has_needless_faces(p, s);
        const std::span<const SurfaceSample> samples =
            skips_faces ? step_.bodies.samples(p) : std::span<const SurfaceSample>{};
        std::vector<std::vector<PatchMeeting>> found((count + size - 1) / size);
        parallel_for(
            found.size(),
            [&, first = first, count = count](std::size_t i) {
                std::vector<PatchEntry> entries;
                const int begin = static_cast<int>(i) * size;
                if (passage && !may_meet(*passage, begin))
                    return;
                for (int k = begin; k < std::min(count, begin + size); ++k)
                    if (!(skips_faces && samples[first + k].flat))
                        find(first + k, entries, found[i]);
            },
            1);
        std::vector<PatchMeeting> all;
        for (const std::vector<PatchMeeting>& some : found)
            all.insert(all.end(), some.begin(), some.end());
        return all;
    }

    // On a patch that holds its attachment a point is met from there, on others where it comes in.
    void find(int point, std::vector<PatchEntry>& entries, std::vector<PatchMeeting>& meetings) const
    {
        PointWay way = point_way(step_.bodies, start_, surfaces_, pair_, point);
        const std::size_t first = meetings.size();
        const auto known = [&] { return std::span(meetings).subspan(first); };
        const auto is_met = [&](int patch) {
            return std::any_of(
                known().begin(), known().end(), [&](const PatchMeeting& m) { return m.entry.patch == patch; });
        };
        for (const Attachment& a : start_.kept_of(pair_, point, point + 1)) // two where a crease has gone: the first
            if (mesh_ || !is_met(surface_.patches().patch[a.on_facet().facet]))
                meetings.push_back({point, entry_at(surface_, way.Z_old, a.on_facet().facet), &a, a.slot, {}});
        if (mesh_) {
            hold_side(way, known());
            const auto come_together = [](const PatchMeeting& a, const PatchMeeting& b) {
                return a.entry.facet == b.entry.facet;
            };
            meetings.erase(
                std::unique(meetings.begin() + static_cast<std::ptrdiff_t>(first), meetings.end(), come_together),
                meetings.end());
        }
        for (PatchMeeting& met : known())
            met.spring = spring_at_start(way.Z_old, met);
        find_entries(surface_, way, entries);
        for (const PatchEntry& entry : entries)
            if (mesh_ ? is_met_anew(surface_, known(), entry, way.Z_next) : !is_met(entry.patch))
                meetings.push_back(new_meeting(point, entry, known()));
        if (way.is_solid && known().size() > 1)
            leave_far_faces(surface_, way, meetings, first);
    }

    void find_crossed(int point, std::span<const PatchMeeting> all_known, std::vector<PatchEntry>& entries,
        std::vector<PatchMeeting>& meetings) const
    {
        const Vec3 Z = place_now(point);
        if (!Z.allFinite())
            return;
        PointWay way = point_way(step_.bodies, start_, surfaces_, pair_, point);
        way.Z_next = step_.frame(pair_.surface_body).to_local(Z);
        const auto [first, last] =
            std::equal_range(all_known.begin(), all_known.end(), PatchMeeting{.point = point}, before_point);
        const std::span known(first, last);
        if (!mesh_->is_closed() && !known.empty() && known[0].kept)
            way.held = known[0].entry.facet;
        find_entries(surface_, way, entries);
        for (const PatchEntry& entry : entries)
            if (entry.is_crossed && is_met_anew(surface_, known, entry, way.Z_next))
                meetings.push_back(new_meeting(point, entry, known));
    }

    Vec3 place_now(int point) const
    {
        const int p = pair_.point_body;
        if (step_.bodies.is_deformable(p))
            return step_.x[surface_node(*step_.bodies.deformables, p, point)];
        return step_.pose_change(p).now.to_world(step_.bodies.samples(p)[point].z);
    }

    // What one side holds stays on that side until it has let go, and comes in behind its other patches over their
    // creases.
    void hold_side(PointWay& way, std::span<PatchMeeting> kept) const
    {
        if (kept.empty())
            return;
        if (!mesh_->is_closed())
            way.held = kept[0].entry.facet;
        way.behind = mesh_->is_closed() ? surface_.entry_depth() : sheet_entry_share * surface_.patches().edge_length;
        for (PatchMeeting& met : kept) {
            way.behind = std::max(*way.behind, 2 * met.entry.old_depth);
            met.entry.facet = facet_next_to(surface_, met.entry.facet, way.Z_next);
        }
    }

    // What is found behind a surface presses there where a run starts. Later nothing has been stored there, and what is
    // flush with the surface alone is on it.
    PatchMeeting new_meeting(int point, const PatchEntry& entry, std::span<const PatchMeeting> known) const
    {
        const SpringStart spring = start_.is_first && entry.old_depth > 0
            ? SpringStart::whole(entry.old_depth)
            : SpringStart::empty(entry.old_depth, flush_on_mesh * surface_.patches().edge_length);
        return {point, entry, nullptr, free_slot(surface_, known, entry), spring};
    }

    // Where the spring that holds a point begins the step.
    SpringStart spring_at_start(const Vec3& Z, const PatchMeeting& met) const
    {
        const auto [p, s] = pair_;
        const auto at = relax_on_patch(view_at_start(),
            {.Z_old = Z,
                .Z = Z,
                .mu = step_.bodies.friction(p, s),
                .start = met.entry.facet,
                .kept = met.kept->on_facet(),
                .gap = 0,
                .spring = SpringStart::whole(met.entry.old_depth),
                .damping = 0});
        if (!at)
            return SpringStart::empty(met.entry.old_depth);
        return spring_start(at->share, at->depth, met.kept->energy,
            met.kept->stiffness_scale * step_.bodies.stiffness(p, s, met.point), at->ray.squaredNorm());
    }

    const ContactStep& step_;
    const StepStart& start_;
    const MeshSurfaces& surfaces_;
    CandidatePair pair_;
    const PatchSurface& surface_;
    const RigidMesh* mesh_; // null: the surface deforms
    double rim_width_; // [m] at most, of what the points meet
};

/// Of a meeting all but where its point is.
PatchPoint patch_point(const ContactStep& step, const CandidatePair& pair, const PatchMeeting& met)
{
    PatchPoint point{.Z_old = {},
        .Z = {},
        .mu = step.bodies.friction(pair.point_body, pair.surface_body),
        .start = met.entry.facet,
        .kept = {},
        .gap = met.entry.gap,
        .spring = met.spring,
        .damping = step.bodies.law->damping / step.start.dt,
        .slides_along = met.entry.slides_along};
    if (met.kept)
        point.kept = met.kept->on_facet();
    return point;
}

/// Places a point that may meet a deformable body, and says what moves it.
PointSide place_point(const ContactStep& step, const PoseChange& pose, int body, int number, PatchPoint& point)
{
    const ContactBodies& bodies = step.bodies;
    PointSide side;
    if (bodies.is_deformable(body)) {
        const FacetSample sample = bodies.facet_sample(body, number);
        const Triangle& t = triangle_of(*bodies.deformables, body, sample);
        point.Z_old = sample.at(t, step.start.x);
        point.Z = sample.at(t, step.x);
        side.node = t;
        side.weight = sample.point.w;
    } else if (bodies.is_mpm(body)) {
        const int place = bodies.place(body, number);
        point.Z_old = step.start.x[place];
        point.Z = step.x[place];
        side.node.fill(bodies.block_of_point(body, number));
        side.weight = Vec3::UnitX();
    } else {
        const Vec3& z = bodies.patch_points(body).samples[number].z;
        point.Z_old = pose.old.to_world(z);
        point.Z = pose.now.to_world(z);
        side.body = step.side(body, number);
    }
    return side;
}

PointContact contact_on(const PatchView& surface, const PatchPoint& point, const PatchRelaxation& r)
{
    return {{.Y = point.Z + r.spring,
                .sticks = r.sticks && point.kept && r.pressed.elastic > 0,
                .to = r.at,
                .slip = r.Y - r.X,
                .depth = r.depth,
                .n = r.n,
                .damped = (r.pressed.pressed - r.pressed.elastic) * r.ray,
                .passes = r.passes,
                .share = r.pressed.share(),
                .belt = r.belt,
                .work = 2 * r.pressed.elastic * r.approach,
                .lacking = r.pressed.lacking * r.ray.squaredNorm()},
        Mat3::Identity() + r.derivatives(surface, point).along({.point = 1}).dspring};
}

/// In world axes what was found in a frame, but for its attachment.
PointContact seen_from_world(PointContact at, const Frame& frame)
{
    at.Y = frame.to_world(at.Y);
    at.dY_dZ = frame.R * at.dY_dZ * frame.R.transpose();
    for (Vec3* v : {&at.slip, &at.n, &at.damped, &at.belt})
        *v = frame.R * *v;
    return at;
}

} // namespace

void PatchesInStep::begin_step(const ContactStep& step, const MeshSurfaces& surfaces)
{
    met_.clear();
    if (surfaces.empty())
        return;
    for (const CandidatePair& pair : pairs_with_patches(step.bodies, step.start, surfaces)) {
        std::vector<PatchMeeting> meetings = PointsAndPatches(step, surfaces, pair).at_start();
        if (!meetings.empty())
            met_.push_back({pair, std::move(meetings)});
    }
}

bool PatchesInStep::grow(const ContactStep& step, const MeshSurfaces& surfaces)
{
    bool any = false;
    const auto look_at = [&](const CandidatePair& pair) {
        const auto before = [](const Met& met, const CandidatePair& p) { return met.pair < p; };
        const auto at = std::lower_bound(met_.begin(), met_.end(), pair, before);
        const bool is_known = at != met_.end() && at->pair == pair;
        const std::span<const PatchMeeting> known =
            is_known ? std::span<const PatchMeeting>(at->meetings) : std::span<const PatchMeeting>();
        std::vector<PatchMeeting> crossed = PointsAndPatches(step, surfaces, pair).crossed(known);
        if (crossed.empty())
            return;
        any = true;
        if (!is_known) {
            met_.insert(at, {pair, std::move(crossed)});
            return;
        }
        at->meetings.insert(at->meetings.end(), crossed.begin(), crossed.end());
        std::stable_sort(at->meetings.begin(), at->meetings.end(), before_point);
    };
    for (const RigidMesh& mesh : surfaces.rigid()) {
        Bounds swept = placed(bounds(step.bodies.solid(mesh.body)), step.start.frame(mesh.body));
        swept.add(step.boxes[mesh.body]);
        for (int p = 0; p < step.bodies.count(); ++p) {
            if (!step.bodies.are_points_on_mesh(p, mesh.body))
                continue;
            Bounds way = step.start.way(p);
            way.add(step.boxes[p]);
            if (swept.overlaps(way))
                look_at({p, mesh.body});
        }
    }
    return any;
}

void PatchesInStep::list(const ContactBodies& bodies, ContactTasks& tasks) const
{
    for (const auto& [pair, meetings] : met_)
        for (std::size_t begin = 0; begin < meetings.size(); begin += meetings_per_task) {
            const std::size_t count = std::min<std::size_t>(meetings.size() - begin, meetings_per_task);
            const ContactKind kind = bodies.kind(pair.point_body, pair.surface_body, meetings[begin].point);
            tasks.add(pair, kind).meetings = std::span(meetings).subspan(begin, count);
        }
}

void PatchesInStep::run_on_deformable(const ContactStep& step, const MeshSurfaces& surfaces, ContactTask& task) const
{
    const auto [p, s] = task.pair;
    const DeformableSurface& body = surfaces.deformable()[s];
    if (!body.is_finite)
        return;
    const PatchView surface = body.patches.view();
    const PoseChange pose = step.pose_change(p);
    const Vec3 belt = step.start.belt(task.pair);
    for (const PatchMeeting& met : task.meetings) {
        PatchPoint point = patch_point(step, task.pair, met);
        point.belt = belt;
        // its own points are behind all of the surface across the body, where a walk for the foot may end
        if (p == s && !met.kept && !met.entry.is_crossed)
            point.behind = body.patches.entry_depth();
        const PointSide side = place_point(step, pose, p, met.point, point);
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
        names.at.stiffness_scale = scale_of(met.kept);
        names.k = step.stiffness(task.pair, met.point, names.at);
        add_patch_contact(surface, point, *relaxed, side, body.nodes, names, task.contacts);
    }
}

void PatchesInStep::run_on_rigid(const ContactStep& step, const MeshSurfaces& surfaces, ContactTask& task) const
{
    const auto [p, s] = task.pair;
    const ContactBodies& bodies = step.bodies;
    const SurfaceMotionInStep motion = step.motion(task.pair);
    const PatchView surface = PointsAndPatches(step, surfaces, task.pair).view_at_start();
    const bool is_closed = surfaces.rigid(s).is_closed();
    const PoseChange pose = step.pose_change(p);
    for (const PatchMeeting& met : task.meetings) {
        const Vec3 Z = bodies.is_deformable(p) ? step.x[surface_node(*bodies.deformables, p, met.point)]
                                               : pose.now.to_world(bodies.samples(p)[met.point].z);
        if (!Z.allFinite())
            continue;
        PatchPoint point = patch_point(step, task.pair, met);
        point.Z_old = motion.old_frame.to_local(step.start.place(p, met.point));
        point.Z = motion.frame.to_local(Z);
        point.stays_behind = !is_closed;
        point.keeps_shape = !bodies.is_deformable(p);
        point.belt = step.start.dt * motion.surface_velocity;
        const auto relaxed = relax_on_patch(surface, point);
        if (!relaxed)
            continue;
        PointContact at = seen_from_world(contact_on(surface, point, *relaxed), motion.frame);
        at.slot = met.slot;
        at.stiffness_scale = scale_of(met.kept);
        task.add(met.point, step.stiffness(task.pair, met.point, at), at_point(at, Z), step);
    }
}

} // namespace stickslip
