#include "stickslip/contact/contact_set.h"
#include "stickslip/contact/meshes/relax_on_patch.h"
#include "stickslip/contact/relax/rim_share.h"
#include "stickslip/geometry/mesh/both_sides.h"
#include "stickslip/geometry/mesh/mass_properties.h"
#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

// Nodes and samples against triangles that keep their shape, in whose frame everything is found: both sides of open
// surfaces, and the outer one of solids.
namespace stickslip {

namespace {

constexpr double sheet_entry_share = 0.25; // [-] of an edge, of what the same side of a sheet holds already
constexpr double far_face = 4; // [-] of the distance from the surface
constexpr double rim_of_body = 0.1; // [-] of an element, or of the smallest size of a solid

std::shared_ptr<const PatchSurface> standing(const TriMesh& mesh, bool is_closed)
{
    PatchSurface surface(mesh, is_closed ? mean_thickness(mesh) : 0);
    surface.begin_step(mesh.vertices, mesh.vertices);
    surface.move_to(mesh.vertices);
    return std::make_shared<const PatchSurface>(std::move(surface));
}

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

void ContactSet::make_rigid_meshes()
{
    const auto is_met = [&](int body) {
        for (int p = 0; p < bodies_.count(); ++p)
            if (bodies_.are_points_on_mesh(p, body))
                return true;
        return false;
    };
    std::map<const TriangulatedSurface*, std::shared_ptr<const PatchSurface>> known;
    for (int body = bodies_.first_rigid(); body < bodies_.count(); ++body) {
        if (!is_met(body))
            continue;
        const TriangulatedSurface* triangles = bodies_.triangles(body);
        const bool is_closed = bodies_.is_mesh_solid(body);
        std::shared_ptr<const PatchSurface>& surface = known[triangles];
        if (!surface)
            surface =
                standing(is_closed ? outer_side(triangles->topology) : both_sides(triangles->topology), is_closed);
        std::shared_ptr<const SheetSides> sheet;
        if (!is_closed)
            sheet = std::make_shared<const SheetSides>(surface->patches());
        rigid_meshes_.push_back({body, surface, sheet});
    }
}

const ContactSet::RigidMesh& ContactSet::rigid_mesh(int body) const
{
    return *std::lower_bound(
        rigid_meshes_.begin(), rigid_meshes_.end(), body, [](const RigidMesh& mesh, int b) { return mesh.body < b; });
}

void ContactSet::remember(std::span<const Vec3> x, std::span<const RigidCandidate> rigid)
{
    if (rigid_meshes_.empty() && edged_.empty())
        return;
    x_.assign(x.begin(), x.end());
    rigid_.assign(rigid.begin(), rigid.end());
}

void ContactSet::add_pairs_with_meshes(std::vector<CandidatePair>& pairs) const
{
    for (const RigidMesh& mesh : rigid_meshes_) {
        const Bounds reached = way_box(mesh.body).grown(
            mesh.surface->patches().edge_length + 2 * start_.dt * start_.dt * bodies_.gravity.norm());
        for (int p = 0; p < bodies_.count(); ++p)
            if (bodies_.are_points_on_mesh(p, mesh.body) && reached.overlaps(way_box(p)))
                pairs.push_back({p, mesh.body});
    }
}

namespace {

constexpr double corner = std::numbers::pi / 3; // [rad] that the faces at a corner of a solid turn from their mean

} // namespace

PointWay ContactSet::way_to_mesh(const CandidatePair& pair, int point) const
{
    const auto [p, s] = pair;
    const Frame from = start_.frame(s);
    const Vec3 Z = start_.place(p, point);
    Vec3 next, n;
    double turn;
    if (bodies_.is_deformable(p)) {
        const int node = surface_node(*bodies_.deformables, p, point);
        next = Z + start_.dt * start_.v[node];
        n = surface_normal(*bodies_.deformables, node, start_.x);
        turn = surface_turn(*bodies_.deformables, node, start_.x, n);
    } else {
        const Frame old = start_.frame(p);
        next = next_frame(p).to_world(old.to_local(Z));
        n = old.R * bodies_.samples(p)[point].n;
        turn = bodies_.samples(p)[point].flat ? 0 : corner;
    }
    PointWay way{from.to_local(Z), next_frame(s).to_local(next), from.R.transpose() * n};
    way.turn = turn;
    way.stray = 2 * start_.dt * start_.dt * bodies_.gravity.norm();
    const RigidMesh& mesh = rigid_mesh(s);
    way.is_solid = mesh.is_closed();
    way.sheet = mesh.sheet.get();
    way.indentation = start_.indentation(pair);
    if (!mesh.is_closed())
        way.behind = flush_on_mesh * mesh.surface->patches().edge_length;
    return way;
}

// What one side holds stays on that side until it has let go, and comes in behind its other patches over their creases.
void ContactSet::hold_side(const CandidatePair& pair, PointWay& way, std::span<PatchMeeting> kept) const
{
    const RigidMesh& mesh = rigid_mesh(pair.surface_body);
    if (kept.empty())
        return;
    if (!mesh.is_closed())
        way.held = kept[0].entry.facet;
    way.behind =
        mesh.is_closed() ? mesh.surface->entry_depth() : sheet_entry_share * mesh.surface->patches().edge_length;
    for (PatchMeeting& met : kept) {
        way.behind = std::max(*way.behind, 2 * met.entry.old_depth);
        met.entry.facet = facet_next_to(*mesh.surface, met.entry.facet, way.Z_next);
    }
}

// What keeps its shape is seen in its own frame, where it does not move.
PatchView ContactSet::view_at_start(const CandidatePair& pair) const
{
    if (bodies_.is_deformable(pair.surface_body))
        return patched_[pair.surface_body].surface.view_at_start();
    const RigidMesh& mesh = rigid_mesh(pair.surface_body);
    PatchView surface = mesh.surface->view();
    surface.widest_rim = rim_width_of(pair.point_body);
    if (mesh.is_closed())
        surface.solid = mesh.surface.get();
    return surface;
}

// What is found behind a surface presses there where a run starts. Later nothing has been stored there, and what is
// flush with the surface alone is on it.
SpringStart ContactSet::spring_of_new(const CandidatePair& pair, const PatchEntry& entry) const
{
    if (start_.is_first && entry.old_depth > 0)
        return SpringStart::whole(entry.old_depth);
    const double flush = flush_on_mesh * patch_surface(pair.surface_body).patches().edge_length;
    return SpringStart::empty(entry.old_depth, flush);
}

// Where the spring that holds a point begins the step.
SpringStart ContactSet::spring_at_start(const CandidatePair& pair, const Vec3& Z, const PatchMeeting& met) const
{
    const Attachment& kept = start_.kept[met.kept];
    const auto at = relax_on_patch(view_at_start(pair),
        {.Z_old = Z,
            .Z = Z,
            .mu = bodies_.friction(pair.point_body, pair.surface_body),
            .start = met.entry.facet,
            .kept = kept.on_facet(),
            .gap = 0,
            .spring = SpringStart::whole(met.entry.old_depth),
            .damping = 0});
    if (!at)
        return SpringStart::empty(met.entry.old_depth);
    return spring_start(at->share, at->depth, kept.energy,
        kept.stiffness_scale * bodies_.stiffness(pair.point_body, pair.surface_body, kept.point),
        at->ray.squaredNorm());
}

// On a patch where the point is held already, its place there may be another: what it goes through is met by itself
// where the place known does not hold it at the end of the way.
bool ContactSet::is_met_anew(
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

// Both faces at a convex edge may hold a point that comes in there. The one from which it goes away along the other,
// deeper and deeper, lets it go: the tip of a tooth that slides down a flank is not held by the face that it passed.
void ContactSet::leave_far_faces(
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

int ContactSet::free_slot(const PatchSurface& surface, std::span<const PatchMeeting> known, const PatchEntry& entry)
{
    int slot = entry.facet;
    while (std::any_of(known.begin(), known.end(), [&](const PatchMeeting& met) { return met.slot == slot; }))
        slot += static_cast<int>(surface.patches().facets.size());
    return slot;
}

Vec3 ContactSet::place_now(int body, int point) const
{
    if (bodies_.is_deformable(body))
        return x_[surface_node(*bodies_.deformables, body, point)];
    return pose_change(body, rigid_).now.to_world(bodies_.samples(body)[point].z);
}

// Whatever goes through triangles within a step is met by them: what was expected goes another way where it is hit.
bool ContactSet::grow_meetings()
{
    bool any = false;
    is_listed_ = is_listed_ && rigid_meshes_.empty();
    for (const RigidMesh& mesh : rigid_meshes_) {
        Bounds swept = placed(bounds(bodies_.solid(mesh.body)), start_.frame(mesh.body));
        swept.add(boxes_[mesh.body]);
        for (int p = 0; p < bodies_.count(); ++p) {
            if (!bodies_.are_points_on_mesh(p, mesh.body))
                continue;
            Bounds way = way_box(p);
            way.add(boxes_[p]);
            if (swept.overlaps(way))
                any = grow_meetings({p, mesh.body}) || any;
        }
    }
    return any;
}

// A surface without a size of its own is as wide as it is.
double ContactSet::rim_width_of(int body) const
{
    if (bodies_.is_sheet(body))
        return infinity;
    const double size = bodies_.is_deformable(body) ? bodies_.deformables->bodies[body].element_size
                                                    : smallest_size(bodies_.solid(body));
    return rim_of_body * size;
}

bool ContactSet::grow_meetings(const CandidatePair& pair)
{
    constexpr int chunk = 64;
    const auto before = [](const MetPatches& met, const CandidatePair& p) { return met.pair < p; };
    auto at = std::lower_bound(met_patches_.begin(), met_patches_.end(), pair, before);
    if (at == met_patches_.end() || !(at->pair == pair))
        at = met_patches_.insert(at, {pair, {}});
    std::vector<PatchMeeting>& known = at->meetings;
    const auto of_point = [](const PatchMeeting& a, const PatchMeeting& b) { return a.point < b.point; };
    const RigidMesh& mesh = rigid_mesh(pair.surface_body);
    const Frame frame = this->frame(pair.surface_body);
    const int count = met_point_count(pair);
    std::vector<std::vector<PatchMeeting>> found((count + chunk - 1) / chunk);
    const auto look_at = [&](int point, std::vector<PatchEntry>& entries, std::vector<PatchMeeting>& crossed) {
        const Vec3 Z = place_now(pair.point_body, point);
        if (!Z.allFinite())
            return;
        PointWay way = way_to_mesh(pair, point);
        way.Z_next = frame.to_local(Z);
        const auto [first, last] = std::equal_range(known.begin(), known.end(), PatchMeeting{.point = point}, of_point);
        if (!mesh.is_closed() && first != last && first->kept >= 0)
            way.held = first->entry.facet;
        find_entries(*mesh.surface, way, entries);
        for (const PatchEntry& entry : entries)
            if (entry.is_crossed && is_met_anew(*mesh.surface, {first, last}, entry, way.Z_next))
                crossed.push_back(
                    {point, entry, -1, free_slot(*mesh.surface, {first, last}, entry), spring_of_new(pair, entry)});
    };
    parallel_for(
        found.size(),
        [&](std::size_t i) {
            std::vector<PatchEntry> entries;
            const int begin = static_cast<int>(i) * chunk;
            for (int point = begin; point < std::min(count, begin + chunk); ++point)
                look_at(point, entries, found[i]);
        },
        1);
    const std::size_t size = known.size();
    for (const std::vector<PatchMeeting>& some : found)
        known.insert(known.end(), some.begin(), some.end());
    std::stable_sort(known.begin(), known.end(), of_point);
    const bool any = known.size() > size;
    if (known.empty())
        met_patches_.erase(at);
    return any;
}

void ContactSet::run_on_mesh(Task& task, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    const SurfaceMotionInStep motion = this->motion(task.pair);
    const PatchView surface = view_at_start(task.pair);
    const PoseChange pose = pose_change(p, rigid);
    for (int i = task.begin; i < task.end; ++i) {
        const PatchMeeting& met = task.met->meetings[i];
        const Attachment* kept = met.kept < 0 ? nullptr : &start_.kept[met.kept];
        const Vec3 Z = bodies_.is_deformable(p) ? x[surface_node(*bodies_.deformables, p, met.point)]
                                                : pose.now.to_world(bodies_.samples(p)[met.point].z);
        if (!Z.allFinite())
            continue;
        PatchPoint point{.Z_old = motion.old_frame.to_local(start_.place(p, met.point)),
            .Z = motion.frame.to_local(Z),
            .mu = bodies_.friction(p, s),
            .start = met.entry.facet,
            .kept = {},
            .gap = met.entry.gap,
            .spring = met.spring,
            .damping = bodies_.law->damping / start_.dt,
            .slides_along = met.entry.slides_along,
            .stays_behind = !rigid_mesh(s).is_closed(),
            .belt = start_.dt * motion.surface_velocity};
        if (kept)
            point.kept = kept->on_facet();
        const auto relaxed = relax_on_patch(surface, point);
        if (!relaxed)
            continue;
        PointContact at = seen_from_world(contact_on(surface, point, *relaxed), motion.frame);
        at.slot = met.slot;
        at.stiffness_scale = scale_of(kept);
        add(task, met.point, stiffness(task.pair, met.point, at), at_point(at, Z), rigid);
    }
}

} // namespace stickslip
