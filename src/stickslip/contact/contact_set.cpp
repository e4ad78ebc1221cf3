#include "stickslip/contact/contact_set.h"

#include "stickslip/contact/energy_handover.h"
#include "stickslip/contact/points/posed_circle.h"
#include "stickslip/contact/stiffness_growth.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <numeric>

namespace stickslip {

namespace {

constexpr int points_per_task = 10 * Rim::point_count; // no task ends within a rim
constexpr int vertices_per_task = 64; // of a sheet, of which a body is near few

// The order in which pairs of bodies are listed: by who has the points, whatever the numbers of the bodies. Sums depend
// on it.
enum class PairOrder { soft_on_obstacle, soft_on_rigid, rigid_on_obstacle, rigid_on_rigid, obstacle, on_soft, mpm };
PairOrder order_of(const ContactBodies& bodies, const CandidatePair& pair)
{
    const auto [p, s] = pair;
    if (bodies.is_deformable(s))
        return PairOrder::on_soft;
    if (bodies.is_obstacle(p))
        return PairOrder::obstacle;
    if (bodies.is_mpm(p))
        return PairOrder::mpm;
    if (bodies.is_deformable(p))
        return bodies.is_obstacle(s) ? PairOrder::soft_on_obstacle : PairOrder::soft_on_rigid;
    return bodies.is_obstacle(s) ? PairOrder::rigid_on_obstacle : PairOrder::rigid_on_rigid;
}

/// Boxes of the vertices of a sheet in each task, in its frame.
std::vector<Bounds> boxes_of_tasks(std::span<const SurfaceSample> samples)
{
    std::vector<Bounds> boxes((samples.size() + vertices_per_task - 1) / vertices_per_task);
    for (std::size_t i = 0; i < samples.size(); ++i)
        boxes[i / vertices_per_task].add(samples[i].z);
    return boxes;
}

ContactBodies with_grown_solids(ContactBodies bodies)
{
    bodies.grow_solids();
    return bodies;
}

} // namespace

ContactSet::ContactSet(const ContactBodies& bodies)
    : bodies_(with_grown_solids(bodies))
    , start_(bodies_)
    , step_phase_(bodies)
    , near_(bodies)
    , all_bodies_(bodies.total())
{
    std::iota(all_bodies_.begin(), all_bodies_.end(), 0);
    const auto meets_balls = [&](int soft) {
        for (int body = bodies.first_rigid(); body < bodies.count(); ++body)
            if (bodies.meets_by_balls(body, soft))
                return true;
        return false;
    };
    for (int body = 0; body < bodies.first_rigid(); ++body)
        if (meets_balls(body))
            soft_bodies_.push_back({body, SoftSurface(*bodies.triangles(body)), false, false});
    make_patches();
    make_rigid_meshes();
    vertices_of_sheets_.resize(bodies.count());
    for (int body = bodies.first_obstacle(); body < bodies.count(); ++body)
        if (bodies.is_sheet(body))
            vertices_of_sheets_[body] = boxes_of_tasks(bodies.samples(body));
    polyhedra_.resize(bodies.count());
    for (int body = bodies.first_rigid(); body < bodies.count(); ++body)
        if (const auto features = convex_features(bodies.solid(body)))
            polyhedra_[body] = std::make_shared<const ConvexFeatures>(*features);
    tubes_.resize(bodies.count());
    for (int body = bodies.first_rigid(); body < bodies.count(); ++body)
        tubes_[body] = bodies.is_of_triangles(body)
            ? mesh_tubes(bodies.triangles(body)->topology, bodies.is_sheet(body))
            : MeshTubes{tubes(bodies.solid(body)), {}};
    make_edges();
}

void ContactSet::begin_step(double t, double dt, std::span<const Vec3> x_old, std::span<const Vec3> v_old,
    std::span<const RigidState> rigid_old, const std::vector<Attachment>& kept, std::span<const Vec3> outward)
{
    start_.begin(t, dt, x_old, v_old, rigid_old, kept, outward);
    stiffness_factor_ = 1;
    is_listed_ = false;
    for (SoftBody& soft : soft_bodies_)
        soft.has_begun = false;
    grown_crossings_.clear();
    decide_features();
    begin_patches();
    decide_meetings();
    decide_edges();
}

SurfaceMotionInStep ContactSet::motion(int body, std::span<const RigidCandidate> rigid) const
{
    SurfaceMotionInStep motion;
    motion.dt = start_.dt;
    motion.damping = bodies_.law->damping;
    motion.old_frame = start_.frame(body);
    if (bodies_.is_rigid(body)) {
        const int r = body - bodies_.first_rigid();
        const RigidBody& b = bodies_.rigid(body);
        motion.frame = solid_frame(b, rigid[r].x, rigid[r].R);
    } else {
        const int o = body - bodies_.first_obstacle();
        motion.frame = start_.obstacle_end[o];
        motion.surface_velocity = bodies_.obstacle(body).surface_velocity;
    }
    return motion;
}

// All that conveyors do to contacts: the material of either side moves, whichever has the point. A point that stays
// where its belt goes on by b is one that b leaves behind, so its attachment goes by -b. Directions are those at the
// start of the step, or they would depend on the candidate.
SurfaceMotionInStep ContactSet::motion(const CandidatePair& pair) const
{
    const auto [p, s] = pair;
    SurfaceMotionInStep motion = surfaces_[s - bodies_.first_rigid()].motion();
    motion.surface_velocity -= motion.old_frame.R.transpose() * start_.surface_velocity(p);
    return motion;
}

Vec3 ContactSet::belt(const CandidatePair& pair) const
{
    return start_.dt * (start_.surface_velocity(pair.surface_body) - start_.surface_velocity(pair.point_body));
}

void ContactSet::place_surfaces(std::span<const RigidCandidate> rigid)
{
    const std::vector<std::vector<LevelSet>>& grown = bodies_.grown->solids;
    surfaces_.clear();
    grown_surfaces_.resize(grown.size());
    for (auto& of_width : grown_surfaces_)
        of_width.clear();
    for (int s = bodies_.first_rigid(); s < bodies_.count(); ++s) {
        const SurfaceMotionInStep motion = this->motion(s, rigid);
        surfaces_.emplace_back(bodies_.solid(s), motion, bodies_.relaxation);
        for (std::size_t width = 0; width < grown.size(); ++width)
            grown_surfaces_[width].emplace_back(grown[width][s - bodies_.first_rigid()], motion, bodies_.relaxation);
    }
}

void ContactSet::place_surface(int body, std::span<const RigidCandidate> rigid)
{
    const SurfaceMotionInStep motion = this->motion(body, rigid);
    surfaces_[body - bodies_.first_rigid()].place(motion);
    for (auto& of_width : grown_surfaces_)
        of_width[body - bodies_.first_rigid()].place(motion);
}

const LevelSetSurface& ContactSet::surface(const CandidatePair& pair) const
{
    const auto [p, s] = pair;
    const auto& all = bodies_.is_mpm(p) ? grown_surfaces_[bodies_.width(p)] : surfaces_;
    return all[s - bodies_.first_rigid()];
}

Bounds ContactSet::body_box(int body, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const
{
    Bounds box;
    if (!bodies_.has_free_points(body)) {
        box = placed(bounds(bodies_.solid(body)), motion(body, rigid).frame);
        const Frame old = start_.point_frame(body);
        for (const auto& balls : {bodies_.rounds(body), bodies_.soft_balls(body)})
            for (const RoundPoint& ball : balls) // triangles stop it also where it has gone through them
                box.add(old.to_world(ball.centre));
        for (const Rim& rim : bodies_.round_rims(body)) {
            const Bounds at = box_of(circle_at(rim, {old.to_world(rim.centre), old.R}));
            box.add(at.min);
            box.add(at.max);
        }
        return box;
    }
    const bool stops_spheres = soft_body(body) != nullptr; // also those that it has gone through
    for (int k = 0; k < bodies_.points(body); ++k) {
        const int node = bodies_.place(body, k);
        box.add(x[node]);
        if (stops_spheres)
            box.add(start_.x[node]);
    }
    return box.grown(bodies_.is_mpm(body) ? bodies_.mpm_body(body).half_width : 0);
}

void ContactSet::update_tasks(std::span<const int> moved)
{
    if (near_.update(boxes_, moved) || !is_listed_)
        list_tasks();
}

// Bodies that are near, and those that hold attachments: what sticks on a face may be pulled out beyond its rim.
void ContactSet::list_tasks()
{
    std::vector<CandidatePair> pairs;
    std::set_union(near_.pairs().begin(), near_.pairs().end(), start_.kept_pairs.begin(), start_.kept_pairs.end(),
        std::back_inserter(pairs));
    std::erase_if(pairs, [&](const CandidatePair& pair) { // below
        return bodies_.are_polyhedra(pair.point_body, pair.surface_body);
    });
    std::stable_sort(pairs.begin(), pairs.end(),
        [&](const CandidatePair& a, const CandidatePair& b) { return order_of(bodies_, a) < order_of(bodies_, b); });
    task_count_ = 0;
    for (const CandidatePair& pair : pairs)
        list_points(pair, std::binary_search(start_.kept_pairs.begin(), start_.kept_pairs.end(), pair));
    for (const MetPolyhedra& met : met_polyhedra_)
        add_polyhedra(met);
    for (const MetPatches& met : met_patches_)
        add_meetings(met);
    for (const MetEdges& met : met_edges_)
        add_edges(met);
    all_tasks_.resize(task_count_);
    std::iota(all_tasks_.begin(), all_tasks_.end(), 0);
    ++listing_;
    is_listed_ = true;
}

void ContactSet::list_points(const CandidatePair& pair, bool holds)
{
    const auto [p, s] = pair;
    const bool has_facets = bodies_.are_points_on_mesh(p, s);
    if (has_facets && bodies_.is_sheet(s) && !bodies_.are_balls_on_triangles(p, s)
        && !bodies_.are_rims_on_triangles(p, s))
        return;
    // an obstacle is where it is at all candidates
    if (!holds && bodies_.is_obstacle(s) && !surface(pair).may_touch(near_.roomy(p)))
        return;
    const auto add_tasks = [&](int begin, int end) {
        const int most = bodies_.is_sheet(p) ? vertices_per_task : points_per_task;
        for (; begin < end; begin += most) {
            const int last = std::min(end, begin + most);
            if (is_out_of_reach(pair, begin, last))
                continue;
            Task& task = new_task(pair, bodies_.kind(p, s, begin));
            task.begin = begin;
            task.end = last;
            task.is_certain = holds;
        }
    };
    if (bodies_.is_deformable(s)) {
        if (const int count = bodies_.balls_on(p, s); count > 0)
            add_tasks(bodies_.first_soft_ball(p), bodies_.first_soft_ball(p) + count);
        return;
    }
    const int first_ball = bodies_.first_ball(p), first_rim = bodies_.first_rim_point(p);
    if (!has_facets)
        add_tasks(0, first_ball);
    add_tasks(first_ball, first_rim);
    add_tasks(first_rim, bodies_.points(p));
    if (bodies_.crosses_by_axis(p, s))
        new_task(pair, ContactKind::axis_on_solid).is_certain = holds;
}

bool ContactSet::is_out_of_reach(const CandidatePair& pair, int begin, int end) const
{
    const auto [p, s] = pair;
    if (!bodies_.is_sheet(p) || end > bodies_.first_ball(p) || !bodies_.obstacle(p).motion.is_still()
        || !start_.kept_of(pair, begin, end).empty())
        return false;
    const Bounds points = placed(vertices_of_sheets_[p][begin / vertices_per_task], start_.frame(p));
    return !boxes_meet(points, near_.roomy(s));
}

ContactSet::Task& ContactSet::new_task(const CandidatePair& pair, ContactKind kind)
{
    if (task_count_ == tasks_.size())
        tasks_.emplace_back();
    Task& task = tasks_[task_count_++];
    task.pair = pair;
    task.kind = kind;
    task.features = nullptr;
    task.met = nullptr;
    task.met_edges = nullptr;
    task.is_certain = true;
    task.has_begun = false;
    return task;
}

bool ContactSet::is_needed(const Task& task) const
{
    const auto [p, s] = task.pair;
    return task.is_certain
        || (boxes_meet(boxes_[p], boxes_[s]) && (bodies_.is_deformable(s) || surface(task.pair).may_touch(boxes_[p])));
}

void ContactSet::run_tasks(std::span<const int> tasks, std::span<const Vec3> x, std::span<const RigidCandidate> rigid)
{
    needed_.clear();
    std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(needed_), [&](int i) { return is_needed(tasks_[i]); });
    place_soft_surfaces(x);
    place_patches(x);
    parallel_for(
        needed_.size(), [&](std::size_t i) { run(tasks_[needed_[i]], x, rigid); }, 1);
    contacts_.clear();
    for (const int i : needed_)
        contacts_.append(tasks_[i].contacts);
}

void ContactSet::evaluate(std::span<const Vec3> x, std::span<const RigidCandidate> rigid)
{
    place_surfaces(rigid);
    boxes_.resize(bodies_.total());
    parallel_for(
        boxes_.size(), [&](std::size_t i) { boxes_[i] = body_box(static_cast<int>(i), x, rigid); }, 16);
    remember(x, rigid);
    update_tasks(all_bodies_);
    run_tasks(all_tasks_, x, rigid);
}

void ContactSet::evaluate(ContactPart& part, std::span<const Vec3> x, std::span<const RigidCandidate> rigid)
{
    for (const int b : part.bodies) {
        place_surface(b, rigid);
        boxes_[b] = body_box(b, x, rigid);
    }
    update_tasks(part.bodies);
    if (part.listing != listing_) {
        const auto has = [&](int b) { return std::binary_search(part.bodies.begin(), part.bodies.end(), b); };
        part.tasks.clear();
        std::copy_if(all_tasks_.begin(), all_tasks_.end(), std::back_inserter(part.tasks),
            [&](int i) { return has(tasks_[i].pair.point_body) || has(tasks_[i].pair.surface_body); });
        part.listing = listing_;
    }
    run_tasks(part.tasks, x, rigid);
}

ContactSet::PoseChange ContactSet::pose_change(int body, std::span<const RigidCandidate> rigid) const
{
    if (bodies_.has_free_points(body))
        return {};
    if (bodies_.is_obstacle(body))
        return {start_.point_frame(body), start_.obstacle_end[body - bodies_.first_obstacle()]};
    const RigidCandidate& now = rigid[body - bodies_.first_rigid()];
    return {start_.point_frame(body), {now.x, now.R}};
}

Vec3 ContactSet::turn(int body, std::span<const RigidCandidate> rigid) const
{
    if (bodies_.is_rigid(body))
        return rigid[body - bodies_.first_rigid()].theta;
    return start_.obstacle_turn[body - bodies_.first_obstacle()];
}

// Of point number `point` of the body; a surface that is rigid has it all from its body.
Side ContactSet::side(int body, int point, std::span<const RigidCandidate> rigid) const
{
    if (bodies_.has_free_points(body))
        return Side::node(bodies_.block_of_point(body, point));
    if (bodies_.is_obstacle(body))
        return Side::fixed();
    const RigidCandidate& r = rigid[body - bodies_.first_rigid()];
    return Side::rigid(bodies_.block(body), r.x, r.J);
}

std::vector<Attachment> ContactSet::update_attachments() const
{
    std::vector<Attachment> attachments;
    for (const Contact& c : contacts_.contacts()) {
        if (c.at.passes)
            continue;
        Attachment& a = attachments.emplace_back(attachment_of(c));
        if (c.at.share > 0)
            a.stiffness_scale = grown_stiffness_scale(c.at.stiffness_scale, c.at.depth, bodies_.law->penetration);
        a.energy *= a.stiffness_scale / c.at.stiffness_scale;
    }
    std::sort(attachments.begin(), attachments.end());
    hand_over_energy(
        contacts_.contacts(), start_.kept,
        [&](const Attachment& a, std::vector<std::int64_t>& touched) { add_touched(a, touched); }, attachments);
    auto before = start_.kept.begin();
    for (Attachment& a : attachments) {
        before = std::lower_bound(before, start_.kept.end(), a);
        if (before != start_.kept.end() && before->key() == a.key())
            a.slip += before->slip;
    }
    return attachments;
}

double ContactSet::energy() const
{
    double sum = 0;
    for (const Contact& c : contacts_.contacts())
        sum += c.energy();
    return sum;
}

double ContactSet::stiffening_work() const
{
    double sum = 0;
    for (const Contact& c : contacts_.contacts())
        sum += (grown_stiffness_scale(c.at.stiffness_scale, c.at.depth, bodies_.law->penetration) / c.at.stiffness_scale
                   - 1)
            * c.energy();
    return sum;
}

} // namespace stickslip
