#include "stickslip/world/tunnelling_watch.h"

#include "stickslip/contact/relax/rim_share.h"
#include "stickslip/geometry/queries/way_through.h"
#include "stickslip/math/rotation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace stickslip {

namespace {

constexpr double wanted_depth = 0.25; // [-] of its smallest size: how deep inside a solid a place is wanted
constexpr double long_way = 0.5; // [-] of it: a shorter step ends on the side where it began, or in contact
constexpr double clear_through = 0.05; // [-] of it: as goes_through a solid
constexpr double past_middle = 0.5; // [-] of the thickness
constexpr int many_bodies = 500; // ways of so many are followed for a few steps only
constexpr double few_steps = 20;

/// Moments at which something may be led faster than before.
std::set<double> moments(const World& world, double begin, double end)
{
    std::set<double> times{begin};
    for (const Obstacle& o : world.obstacles)
        for (const ScriptedMotion::Keyframe& key : o.motion.keyframes)
            if (key.time > begin && key.time < end)
                times.insert(key.time);
    return times;
}

} // namespace

TunnellingWatch::TunnellingWatch(const World& world)
    : world_(&world)
    , bodies_(contact_bodies(world))
{
    for (int b = 0; b < bodies_.count(); ++b) {
        matter_.push_back(matter_of(b));
        thinnest_ = std::min(thinnest_, matter_.back().thickness);
    }
}

TunnellingWatch::Matter TunnellingWatch::matter_of(int body) const
{
    if (!bodies_.is_deformable(body)) {
        const double size = smallest_size(bodies_.solid(body));
        if (!(size > 0 && size < infinity))
            return {};
        return {size, place_within(bodies_.solid(body)), -1};
    }
    const DeformableSet& set = world_->deformables;
    const Range nodes = set.bodies[body].nodes;
    Bounds box;
    for (int i = nodes.begin; i < nodes.end; ++i)
        box.add(set.rest[i]);
    const Vec3 middle = 0.5 * (box.min + box.max);
    int nearest = nodes.begin;
    for (int i = nodes.begin; i < nodes.end; ++i)
        if ((set.rest[i] - middle).squaredNorm() < (set.rest[nearest] - middle).squaredNorm())
            nearest = i;
    return {(box.max - box.min).minCoeff(), Vec3::Zero(), nearest};
}

TunnellingWatch::Place TunnellingWatch::place_of(int body, const State& state) const
{
    if (!bodies_.is_deformable(body))
        return {frame_of_solid(bodies_, body, state), bounds(bodies_.solid(body))};
    const Range nodes = world_->deformables.bodies[body].nodes;
    Place place;
    for (int i = nodes.begin; i < nodes.end; ++i) {
        place.frame.x += state.x[i] / nodes.size();
        place.box.add(state.x[i]);
    }
    place.box = {place.box.min - place.frame.x, place.box.max - place.frame.x};
    return place;
}

void TunnellingWatch::look(const State& before, const State& after, double reach)
{
    old_.clear();
    now_.clear();
    swept_.clear();
    near_.clear();
    reach_ = reach;
    double most = 0;
    for (int b = 0; b < bodies_.count(); ++b) {
        old_.push_back(place_of(b, before));
        now_.push_back(place_of(b, after));
        most = std::max(most, farthest(b));
    }
    old_nodes_ = before.x;
    nodes_ = after.x;
    if (!(2 * most > long_way * thinnest_)) // of two that move against each other
        return;
    std::vector<Bounds> bounded;
    for (int b = 0; b < bodies_.count(); ++b) {
        swept_.push_back(swept(b, reach));
        bounded.push_back(swept_.back().is_finite() ? swept_.back() : Bounds{});
    }
    const BoxTree tree(bounded);
    for (int a = 0; a < bodies_.count(); ++a)
        tree.visit_overlapping(bounded[a], [&](int b) {
            if (a < b && bounded[a].overlaps(bounded[b]) && bodies_.may_touch(a, b))
                near_.emplace_back(a, b);
        });
    std::sort(near_.begin(), near_.end());
}

/// How far any of the body moved [m]; of what has no end its frame alone.
double TunnellingWatch::farthest(int body) const
{
    const Place &old = old_[body], &now = now_[body];
    if (!now.box.is_finite())
        return (now.frame.x - old.frame.x).norm();
    const Vec3 middle = 0.5 * (now.box.min + now.box.max);
    return (now.frame.to_world(middle) - old.frame.to_world(middle)).norm()
        + (now.frame.R - old.frame.R).norm() / std::sqrt(8.0) * (now.box.max - now.box.min).norm();
}

Bounds TunnellingWatch::swept(int body, double reach) const
{
    const Place &old = old_[body], &now = now_[body];
    Bounds box = placed(old.box, old.frame);
    if (!box.is_finite())
        return box;
    const Bounds end = placed(now.box, now.frame);
    const Vec3 on = (reach - 1) * 0.5 * (end.min + end.max - box.min - box.max);
    for (const Vec3& corner : {end.min, end.max, Vec3(end.min + on), Vec3(end.max + on)})
        box.add(corner);
    if (reach > 1 && !turn(body).isIdentity(1e-12)) { // goes on to turn
        const double radius = old.box.min.cwiseAbs().cwiseMax(old.box.max.cwiseAbs()).norm();
        for (const double side : {-radius, radius})
            box.add(old.frame.x + Vec3::Constant(side));
    }
    return box;
}

/// The middle of what both sweep [m, world].
Vec3 TunnellingWatch::meeting_place(const BodyPair& pair) const
{
    const Bounds &a = swept_[pair.first], &b = swept_[pair.second];
    const Bounds both = {a.min.cwiseMax(b.min), a.max.cwiseMin(b.max)};
    return both.is_finite() ? Vec3(0.5 * (both.min + both.max)) : Vec3::Zero();
}

/// Where of the smaller of the two [m, world] that is: a place that both may come to.
Vec3 TunnellingWatch::place_of_smaller(const BodyPair& pair) const
{
    const Place &a = old_[pair.first], &b = old_[pair.second];
    const bool a_is_smaller = (a.box.max - a.box.min).norm() <= (b.box.max - b.box.min).norm();
    return (a_is_smaller ? a : b).nearest_to(meeting_place(pair));
}

/// Rotation of the body, world axes, but for that about an axis of revolution, which sweeps nothing.
Mat3 TunnellingWatch::turn(int body) const
{
    const Mat3 &old = old_[body].frame.R, &now = now_[body].frame.R;
    if (!bodies_.is_deformable(body)) {
        const LevelSet& solid = bodies_.solid(body);
        if (std::holds_alternative<Sphere>(solid))
            return Mat3::Identity();
        if (std::holds_alternative<Cylinder>(solid) || std::holds_alternative<Cone>(solid)
            || std::holds_alternative<Capsule>(solid) || std::holds_alternative<Torus>(solid))
            return Quat::FromTwoVectors(old.col(1), now.col(1)).toRotationMatrix();
    }
    return now * old.transpose();
}

/// How what of the body is nearest to a place at the start moves with it [m].
Vec3 TunnellingWatch::moved(int body, const Vec3& place) const
{
    const Place &old = old_[body], &now = now_[body];
    const Vec3 own = old.nearest_to(place);
    return now.frame.x + turn(body) * (own - old.frame.x) - own;
}

/// [m] Infinite of what encloses no room.
double TunnellingWatch::size_along(int body, const Vec3& way) const
{
    if (!has_inside(body))
        return infinity;
    return chord(old_[body].box.max - old_[body].box.min, old_[body].frame.R.transpose() * way);
}

TunnellingWatch::Sizes TunnellingWatch::sizes_along(const BodyPair& pair, const Vec3& way) const
{
    const auto [a, b] = pair;
    return {bodies_.meets_triangles(b, a) ? infinity : size_along(a, way),
        bodies_.meets_triangles(a, b) ? infinity : size_along(b, way)};
}

/// How far the two may move towards each other [m].
double TunnellingWatch::Sizes::passed(bool touch) const
{
    return touch ? std::max(thin(), past_middle * std::max(of_a, of_b)) : thin();
}

bool TunnellingWatch::is_half_space(int body) const
{
    return !bodies_.is_deformable(body) && std::holds_alternative<Plane>(bodies_.solid(body));
}

/// Of the way [m, world] of the first against the second, what leads the two together. All of it, unless two solids
/// move without turning: then the part along the normal of the larger one where the smaller one meets it, since what
/// slides along a face is not missed.
Vec3 TunnellingWatch::way_together(const BodyPair& pair, const Vec3& way) const
{
    const auto [a, b] = pair;
    for (const int body : {a, b})
        if (bodies_.is_deformable(body) || !turn(body).isIdentity(1e-12))
            return way;
    if (bodies_.meets_triangles(a, b) || bodies_.meets_triangles(b, a))
        return way;
    const auto size = [&](int body) { return (old_[body].box.max - old_[body].box.min).norm(); };
    const bool a_is_small = size(a) <= size(b);
    const int small = a_is_small ? a : b, large = a_is_small ? b : a;
    const Frame& frame = old_[large].frame;
    const Vec3 middle = 0.5 * (old_[small].box.min + old_[small].box.max);
    const Vec3 of_small = frame.R.transpose() * (a_is_small ? way : Vec3(-way));
    const Vec3 together = frame.R
        * approach(bodies_.solid(large), 0.5 * size(small), frame.to_local(old_[small].frame.to_world(middle)),
            of_small, reach_);
    return a_is_small ? together : Vec3(-together);
}

std::vector<LongStep> TunnellingWatch::long_steps(std::span<const BodyPair> touching) const
{
    std::vector<LongStep> steps;
    for (const BodyPair& pair : near_) {
        const auto [a, b] = pair;
        if (is_half_space(a) || is_half_space(b))
            continue;
        const Vec3 place = place_of_smaller(pair), of_a = moved(a, place), of_b = moved(b, place);
        if (!((of_a - of_b).norm() > 0))
            continue;
        const Vec3 way = of_a - of_b, part = way_together(pair, way);
        const bool touch = std::binary_search(touching.begin(), touching.end(), pair);
        const Sizes sizes = sizes_along(pair, part);
        // Both: near an edge the normal may look across a plate that the way follows.
        if (!(way.norm() > sizes_along(pair, way).passed(touch) && part.norm() > sizes.passed(touch)))
            continue;
        const bool a_moves = of_a.norm() >= of_b.norm();
        steps.push_back(
            {a_moves ? a : b, a_moves ? b : a, part.norm(), sizes.of_a <= sizes.of_b ? a : b, sizes.thin()});
    }
    return steps;
}

bool TunnellingWatch::may_touch(int body) const
{
    for (int other = 0; other < bodies_.count(); ++other)
        if (other != body && bodies_.may_touch(body, other))
            return true;
    return false;
}

std::vector<FarStep> TunnellingWatch::far_steps() const
{
    std::vector<FarStep> steps;
    for (int b = 0; b < bodies_.count(); ++b) {
        if (!has_inside(b))
            continue;
        const Vec3 way = moved(b, old_[b].frame.to_world(0.5 * (old_[b].box.min + old_[b].box.max)));
        if (!(way.norm() > matter_[b].thickness)) // the shortest chord
            continue;
        const Bounds& box = old_[b].box;
        const Vec3 along = old_[b].frame.R.transpose() * way.normalized();
        if (const double size = along.cwiseAbs().dot(box.max - box.min); way.norm() > size && may_touch(b))
            steps.push_back({b, way.norm(), size});
    }
    return steps;
}

/// A place inside a solid, near to another [m, the solid's frame]; where that finds none, the one known.
Vec3 TunnellingWatch::inner_near(int body, const Vec3& place) const
{
    const Matter& matter = matter_[body];
    const Bounds& box = old_[body].box;
    const Vec3 margin = Vec3::Constant(0.5 * matter.thickness);
    const Vec3 near = place.cwiseMax(box.min + margin).cwiseMin(box.max - margin);
    return signed_distance(bodies_.solid(body), near) < -wanted_depth * matter.thickness ? near : matter.inner;
}

/// The way of a place within the body: of a deformable one, of the node in its middle.
TunnellingWatch::Way TunnellingWatch::way_of(int body, int other, const Vec3& inner) const
{
    const int node = matter_[body].node;
    const Vec3 from = node >= 0 ? old_nodes_[node] : old_[body].frame.to_world(inner);
    const Vec3 to = node >= 0 ? nodes_[node] : now_[body].frame.to_world(inner);
    return {old_[other].frame.to_local(from), now_[other].frame.to_local(to)};
}

bool TunnellingWatch::is_fast(int body, int other, const Way& way) const
{
    return (way.to - way.from).norm() > long_way * std::min(matter_[body].thickness, matter_[other].thickness);
}

bool TunnellingWatch::goes_through_it(int body, int other, const Way& way) const
{
    if (bodies_.meets_triangles(body, other) && !bodies_.is_deformable(other))
        return goes_through(*bodies_.triangles(other), way.from, way.to);
    if (!bodies_.is_deformable(other))
        return goes_through(bodies_.solid(other), way.from, way.to);
    const DeformableSet& set = world_->deformables;
    const Range triangles = set.bodies[other].triangles;
    const Frame& frame = now_[other].frame;
    return goes_through(ClosedSurface{std::span(set.triangles).subspan(triangles.begin, triangles.size()), nodes_},
        clear_through * matter_[other].thickness, frame.to_world(way.from), frame.to_world(way.to));
}

std::vector<BodyPair> TunnellingWatch::passages(std::span<const BodyPair> touching, std::vector<Entered>& entered) const
{
    std::vector<BodyPair> passed;
    std::vector<Entered> still;
    const auto touch = [&](int a, int b) {
        return std::binary_search(touching.begin(), touching.end(), BodyPair(std::minmax(a, b)));
    };
    const auto is_inside = [&](int other, const Vec3& place) {
        return !bodies_.is_deformable(other) && signed_distance(bodies_.solid(other), place) <= 0;
    };
    const auto follow = [&](int body, int other, const Way& way) {
        if (is_inside(other, way.to))
            still.push_back({body, other, way.from});
        else if (goes_through_it(body, other, way)) {
            if (touch(body, other))
                still.push_back({body, other, way.from});
            else
                passed.emplace_back(body, other);
        }
    };
    for (const Entered& e : entered)
        follow(e.body, e.other, {e.from, way_of(e.body, e.other, matter_[e.body].inner).to});
    const auto is_followed = [&](int body, int other) {
        return std::any_of(
            entered.begin(), entered.end(), [&](const Entered& e) { return e.body == body && e.other == other; });
    };
    for (const BodyPair& pair : near_) {
        const Vec3 place = meeting_place(pair);
        for (const auto& [body, other] : {pair, BodyPair(pair.second, pair.first)}) {
            if (!has_inside(body) || bodies_.is_sheet(body) || is_followed(body, other))
                continue;
            const Way middle = way_of(body, other, matter_[body].inner);
            if (is_fast(body, other, middle) && !is_inside(other, middle.from))
                follow(body, other, middle);
            if (bodies_.is_deformable(body))
                continue;
            const Way near = way_of(body, other, inner_near(body, old_[body].frame.to_local(place)));
            if (is_fast(body, other, near) && !touch(body, other) && goes_through_it(body, other, near))
                passed.emplace_back(body, other);
        }
    }
    entered = std::move(still);
    for (BodyPair& pair : passed)
        if (farthest(pair.second) > farthest(pair.first))
            std::swap(pair.first, pair.second);
    std::sort(passed.begin(), passed.end());
    passed.erase(std::unique(passed.begin(), passed.end()), passed.end());
    return passed;
}

std::vector<LongStep> long_steps_ahead(const World& world, const State& start, double dt, double end)
{
    TunnellingWatch watch(world);
    const bool many = contact_bodies(world).count() > many_bodies;
    std::map<BodyPair, LongStep> worst;
    for (const double time : moments(world, start.time, end)) {
        State before = start;
        before.time = time;
        const double left = std::max((end - time) / dt, 1.0);
        watch.look(before, coasted(before, dt), many ? std::min(left, few_steps) : left);
        for (const LongStep& step : watch.long_steps({})) {
            LongStep& known = worst.try_emplace(std::minmax(step.mover, step.other), step).first->second;
            if (step.badness() > known.badness())
                known = step;
        }
    }
    std::vector<LongStep> steps;
    for (const auto& [pair, step] : worst)
        steps.push_back(step);
    return steps;
}

std::vector<FarStep> far_steps_ahead(const World& world, const State& start, double dt, double end)
{
    TunnellingWatch watch(world);
    State before = start; // with the velocities at the end of its first step
    for (std::size_t i = 0; i < before.v.size(); ++i)
        before.v[i] += dt * before.a[i];
    for (RigidState& r : before.rigid)
        r.v += dt * r.a;
    std::map<int, FarStep> worst;
    for (const double time : moments(world, start.time, end)) {
        before.time = time;
        watch.look(before, coasted(before, dt));
        for (const FarStep& step : watch.far_steps()) {
            FarStep& known = worst.try_emplace(step.body, step).first->second;
            if (step.badness() > known.badness())
                known = step;
        }
    }
    std::vector<FarStep> steps;
    for (const auto& [body, step] : worst)
        steps.push_back(step);
    return steps;
}

Frame frame_of_solid(const ContactBodies& bodies, int body, const State& state)
{
    if (bodies.is_obstacle(body))
        return frame_at(bodies.obstacle(body).motion, bodies.obstacle(body).start, state.time);
    const RigidState& rigid = state.rigid[body - bodies.first_rigid()];
    return solid_frame(bodies.rigid(body), rigid.x, rigid.R.toRotationMatrix());
}

State coasted(State state, double dt)
{
    state.time += dt;
    for (std::size_t i = 0; i < state.x.size(); ++i)
        state.x[i] += dt * state.v[i];
    for (RigidState& r : state.rigid) {
        r.x += dt * r.v;
        r.R = (Quat(rotation_exp(dt * r.w)) * r.R).normalized();
    }
    return state;
}

} // namespace stickslip
