#include "stickslip/build/restart/implicit_start.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

void take_nodes(const State& earlier, const CheckpointBody& from, const CheckpointBody& to, State& state)
{
    for (const auto member : {&State::x, &State::v, &State::a})
        std::copy_n((earlier.*member).begin() + from.first, from.points, (state.*member).begin() + to.first);
}

/// Fixed nodes go on from where that run left them: the displacement in time that the scene prescribes is added there,
/// and what turns about the mean place of its nodes turns about that place. A region that is on its path keeps it, to
/// the bit.
void hold_from_there(const Range& nodes, const State& state, double time, double tolerance, DeformableSet& set)
{
    for (std::size_t f = 0; f < set.pin_frames.size(); ++f) {
        PinFrame& held = set.pin_frames[f];
        const Frame planned = frame_at(held.motion, held.start, time);
        Vec3 local = Vec3::Zero(), place = Vec3::Zero(); // sums
        int count = 0;
        bool is_off = false;
        const auto visit = [&](const auto& what) {
            for (Pin& pin : set.pins)
                if (pin.frame == static_cast<int>(f) && pin.node >= nodes.begin && pin.node < nodes.end)
                    what(pin);
        };
        visit([&](const Pin& pin) {
            local += pin.local;
            place += state.x[pin.node];
            ++count;
            is_off = is_off || (planned.to_world(pin.local) - state.x[pin.node]).norm() > tolerance;
        });
        if (!is_off)
            continue;
        if (local.norm() <= tolerance * count) { // no centre is given
            const Vec3 shift = place / count - planned.x;
            held.start.x += shift;
            for (ScriptedMotion::Keyframe& key : held.motion.keyframes)
                key.x += shift;
        }
        const Frame frame = frame_at(held.motion, held.start, time);
        visit([&](Pin& pin) { pin.local = frame.to_local(state.x[pin.node]); });
    }
}

void take_pose(const RigidState& earlier, const RigidBody& body, RigidState& state)
{
    state = earlier;
    for (int axis = 0; axis < 3; ++axis) {
        if (body.fixed[axis])
            state.v[axis] = state.a[axis] = 0;
        if (body.fixed[3 + axis])
            state.w[axis] = state.alpha[axis] = 0;
    }
}

/// Whether the surface is met as it was when the attachment was made, and has that facet.
bool is_met_alike(const Attachment& a, const ContactBodies& bodies)
{
    const int s = a.surface_body, facet = numbers(a.to).piece;
    switch (bodies.kind(a)) {
    case ContactKind::point_on_soft:
        return std::holds_alternative<OnFacet>(a.to) && facet < bodies.deformables->bodies[s].triangles.size();
    case ContactKind::point_on_mesh:
        return std::holds_alternative<OnFacet>(a.to)
            && facet < (bodies.is_sheet(s) ? 2 : 1) * static_cast<int>(bodies.triangles(s)->topology.facets.size());
    case ContactKind::ball_on_soft:
    case ContactKind::ball_on_mesh:
    case ContactKind::rim_on_mesh: {
        const EdgeTopology& surface = bodies.triangles(s)->topology;
        return std::holds_alternative<RollingOnFacet>(a.to) && facet < static_cast<int>(surface.facets.size())
            && !surface.is_left_out(facet);
    }
    case ContactKind::edges:
        return std::holds_alternative<OnEdges>(a.to);
    case ContactKind::polyhedra:
        return std::holds_alternative<OnEdges>(a.to) || std::holds_alternative<OnSolid>(a.to);
    case ContactKind::ball_on_solid:
    case ContactKind::axis_on_solid:
        return std::holds_alternative<RollingOnSolid>(a.to);
    case ContactKind::rim_on_solid:
        return std::holds_alternative<RollingOnSolid>(a.to) || std::holds_alternative<OnSolid>(a.to);
    case ContactKind::point_on_solid:
        return std::holds_alternative<OnSolid>(a.to);
    }
    return false;
}

/// Numbers here of the contact bodies there: of each whose surface is the same, whose points are, and whose points on
/// deformable bodies are; -1: none.
struct SameBodies {
    std::vector<int> surface, points, points_on_soft;
};

/// Attachments of the bodies that are here.
std::vector<Attachment> transferred(
    const std::vector<Attachment>& earlier, const SameBodies& same, const ContactBodies& bodies)
{
    std::vector<Attachment> kept;
    for (Attachment a : earlier) {
        a.surface_body = same.surface[a.surface_body];
        const bool on_soft = a.surface_body >= 0 && bodies.is_deformable(a.surface_body);
        a.point_body = (on_soft ? same.points_on_soft : same.points)[a.point_body];
        if (a.point_body >= 0 && a.surface_body >= 0 && bodies.meets(a.point_body, a.surface_body)
            && is_met_alike(a, bodies))
            kept.push_back(a);
    }
    std::sort(kept.begin(), kept.end());
    return kept;
}

bool has_points_in_contact(const std::vector<Attachment>& attachments, int body)
{
    return std::any_of(
        attachments.begin(), attachments.end(), [&](const Attachment& a) { return a.point_body == body; });
}

void set_clock(double time, const Scene& scene, BuildResult& result)
{
    State& state = result.built.state;
    const double step = scene.time.step, whole = std::round(time / step);
    if (!scene.time.adaptive && std::abs(time - whole * step) > 1e-6 * step) {
        result.fault({}, "time.step",
            "expected a step that divides the time of the run to start from, " + short_number(time) + " s");
        return;
    }
    state.time = scene.time.adaptive ? time : whole * step;
    state.clock.whole = static_cast<std::int64_t>(whole);
}

} // namespace

void start_from(const EarlierRun& run, const Scene& scene, BuildResult& result)
{
    const State& earlier = run.checkpoint.state;
    World& world = result.built.world;
    State& state = result.built.state;
    const std::vector<CheckpointBody> bodies = checkpoint_bodies(scene, result.built, run.start_time);
    int count = 0;
    for (const CheckpointBody& body : run.checkpoint.bodies)
        count = std::max(count, body.contact_body + 1);
    const std::vector<int> none(count, -1);
    SameBodies same{none, none, none};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const CheckpointBody* const from = run.bodies[i];
        if (!from)
            continue;
        const bool is_deformable = bodies[i].kind == BodyKind::deformable;
        if (is_deformable && from->points != bodies[i].points) {
            result.warn(scene.start->from_at, "start.from",
                "body \"" + bodies[i].name + "\" had " + counted(from->points, "node") + " in that run and has "
                    + std::to_string(bodies[i].points) + " here; it starts as the scene says");
            continue;
        }
        if (is_deformable && from->surface != bodies[i].surface) {
            result.warn(scene.start->from_at, "start.from",
                "body \"" + bodies[i].name + "\" had another mesh in that run; it starts as the scene says");
            continue;
        }
        const auto number_if = [&](bool is_same) { return is_same ? bodies[i].contact_body : -1; };
        same.surface[from->contact_body] = number_if(from->surface == bodies[i].surface);
        same.points[from->contact_body] = number_if(from->touching == bodies[i].touching);
        same.points_on_soft[from->contact_body] = number_if(from->on_soft == bodies[i].on_soft);
        if (from->surface != bodies[i].surface)
            result.warn(scene.start->from_at, "start.from",
                "the mesh of body \"" + bodies[i].name + "\" is not that of the earlier run; its contacts begin anew");
        else if (from->touching != bodies[i].touching && has_points_in_contact(earlier.attachments, from->contact_body))
            result.warn(scene.start->from_at, "start.from",
                "the points by which body \"" + bodies[i].name
                    + "\" touches others are not those of the earlier run; these contacts begin anew");
        else if (from->on_soft != bodies[i].on_soft && !world.deformables.bodies.empty()
            && has_points_in_contact(earlier.attachments, from->contact_body))
            result.warn(scene.start->from_at, "start.from",
                "other deformable bodies than in that run change the points by which body \"" + bodies[i].name
                    + "\" touches them; these contacts begin anew");
        if (is_deformable) {
            take_nodes(earlier, *from, bodies[i], state);
            const DeformableBody& body = world.deformables.bodies[bodies[i].contact_body];
            constexpr double on_path = 1e-9; // [-] of an element: more than the round-off of a path
            hold_from_there(body.nodes, state, run.start_time, on_path * body.element_size, world.deformables);
        } else if (bodies[i].kind == BodyKind::rigid)
            take_pose(earlier.rigid[from->first], world.rigids[bodies[i].first], state.rigid[bodies[i].first]);
    }
    state.attachments = transferred(earlier.attachments, same, contact_bodies(world));
    if (run.start_time > 0)
        set_clock(run.start_time, scene, result);
}

} // namespace stickslip
