#include "stickslip/contact/contact_set.h"

#include "stickslip/contact/stiffness_growth.h"
#include "stickslip/math/parallel.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr int points_per_task = 10 * Rim::point_count; // no task ends within a rim

double energy_of(const ContactInfo& c)
{
    return 0.5 * c.k / c.at.share * (c.Z - c.at.Y + c.at.damped).squaredNorm();
}

} // namespace

ContactSet::ContactSet(const ContactBodies& bodies)
    : bodies_(bodies)
    , start_(bodies)
    , broad_phase_(bodies)
{
    const bool has_spheres =
        std::any_of(bodies.rigids->begin(), bodies.rigids->end(), [](const RigidBody& b) { return b.is_sphere(); });
    for (int body = 0; body < bodies.first_rigid() && has_spheres; ++body)
        if (const TriangulatedSurface* at_rest = bodies.triangles(body))
            soft_bodies_.push_back({body, SoftSurface(*at_rest), false, false});
}

void ContactSet::begin_step(double t, double dt, std::span<const Vec3> x_old, std::span<const Vec3> v_old,
    std::span<const RigidState> rigid_old, const std::vector<Attachment>& kept)
{
    start_.begin(t, dt, x_old, v_old, rigid_old, kept);
    stiffness_factor_ = 1;
    for (SoftBody& soft : soft_bodies_)
        soft.has_begun = false;
}

LevelSetSurface ContactSet::surface(int body, std::span<const RigidCandidate> rigid) const
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
    return {bodies_.solid(body), motion, bodies_.relaxation};
}

Bounds ContactSet::body_box(int body, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const
{
    if (bodies_.is_rigid(body)) {
        const RigidCandidate& r = rigid[body - bodies_.first_rigid()];
        Bounds box = placed(bounds(bodies_.solid(body)), solid_frame(bodies_.rigid(body), r.x, r.R));
        if (bodies_.rigid(body).is_sphere()) // triangles stop it also where it has gone through them
            box.add(start_.rigid[body - bodies_.first_rigid()].x);
        return box;
    }
    if (bodies_.is_obstacle(body))
        return placed(bounds(bodies_.solid(body)), start_.obstacle_end[body - bodies_.first_obstacle()]);
    Bounds box;
    const bool stops_spheres = soft_body(body) != nullptr; // also those that it has gone through
    for (int k = 0; k < bodies_.points(body); ++k) {
        const int node = surface_node(*bodies_.deformables, body, k);
        box.add(x[node]);
        if (stops_spheres)
            box.add(start_.x[node]);
    }
    return box;
}

// Bodies whose boxes meet, and those that hold attachments: what sticks on a face may be pulled out beyond its rim.
void ContactSet::make_tasks(const std::vector<CandidatePair>& met, const std::vector<CandidatePair>& kept_pairs)
{
    std::vector<CandidatePair> pairs;
    std::set_union(met.begin(), met.end(), kept_pairs.begin(), kept_pairs.end(), std::back_inserter(pairs));
    task_count_ = 0;
    for (const CandidatePair& pair : pairs) {
        const bool holds = std::binary_search(kept_pairs.begin(), kept_pairs.end(), pair);
        if (!holds && !bodies_.is_deformable(pair.surface_body)
            && !surfaces_[pair.surface_body - bodies_.first_rigid()].may_touch(boxes_[pair.point_body]))
            continue;
        const auto add_tasks = [&](int begin, int end) {
            for (; begin < end; begin += points_per_task) {
                if (task_count_ == tasks_.size())
                    tasks_.emplace_back();
                Task& task = tasks_[task_count_++];
                task.pair = pair;
                task.begin = begin;
                task.end = std::min(end, begin + points_per_task);
            }
        };
        const int p = pair.point_body, first_ball = bodies_.first_ball(p), first_rim = bodies_.first_rim_point(p);
        add_tasks(0, first_ball);
        add_tasks(first_ball, first_rim);
        add_tasks(first_rim, bodies_.points(p));
    }
}

void ContactSet::run_tasks(std::span<const Vec3> x, std::span<const RigidCandidate> rigid)
{
    place_soft_surfaces(x);
    parallel_for(
        task_count_, [&](std::size_t i) { run(tasks_[i], x, rigid); }, 1);
    std::apply([](auto&... batch) { (batch.clear(), ...); }, batches_);
    for (std::size_t i = 0; i < task_count_; ++i)
        collect(tasks_[i], rigid);
}

void ContactSet::evaluate(std::span<const Vec3> x, std::span<const RigidCandidate> rigid)
{
    surfaces_.clear();
    for (int s = bodies_.first_rigid(); s < bodies_.count(); ++s)
        surfaces_.push_back(surface(s, rigid));
    boxes_.resize(bodies_.count());
    parallel_for(
        boxes_.size(), [&](std::size_t i) { boxes_[i] = body_box(static_cast<int>(i), x, rigid); }, 16);
    make_tasks(broad_phase_.find(boxes_), start_.kept_pairs);
    run_tasks(x, rigid);
}

ContactPart ContactSet::part(std::vector<int> bodies)
{
    broad_phase_.settle(boxes_);
    ContactPart part{std::move(bodies), {}};
    const auto has = [&](int b) { return std::binary_search(part.bodies.begin(), part.bodies.end(), b); };
    std::copy_if(start_.kept_pairs.begin(), start_.kept_pairs.end(), std::back_inserter(part.kept_pairs),
        [&](const CandidatePair& pair) { return has(pair.point_body) || has(pair.surface_body); });
    return part;
}

void ContactSet::evaluate(const ContactPart& part, std::span<const Vec3> x, std::span<const RigidCandidate> rigid)
{
    for (const int b : part.bodies) {
        surfaces_[b - bodies_.first_rigid()] = surface(b, rigid);
        boxes_[b] = body_box(b, x, rigid);
    }
    make_tasks(broad_phase_.find_of(part.bodies, boxes_), part.kept_pairs);
    run_tasks(x, rigid);
}

ContactSet::Way ContactSet::way(int body, std::span<const RigidCandidate> rigid) const
{
    if (bodies_.is_deformable(body))
        return {};
    if (bodies_.is_obstacle(body)) {
        const int o = body - bodies_.first_obstacle();
        return {start_.obstacle[o], start_.obstacle_end[o]};
    }
    const int r = body - bodies_.first_rigid();
    return {{start_.rigid[r].x, start_.rigid[r].R.toRotationMatrix()}, {rigid[r].x, rigid[r].R}};
}

Vec3 ContactSet::turn(int body, std::span<const RigidCandidate> rigid) const
{
    if (bodies_.is_rigid(body))
        return rigid[body - bodies_.first_rigid()].theta;
    const int o = body - bodies_.first_obstacle();
    return rotation_vector(start_.obstacle_end[o].R * start_.obstacle[o].R.transpose());
}

RigidSide ContactSet::rigid_side(int body, std::span<const RigidCandidate> rigid) const
{
    const RigidCandidate& r = rigid[body - bodies_.first_rigid()];
    return {bodies_.block(body), r.x, r.J};
}

void ContactSet::collect(const Task& task, std::span<const RigidCandidate> rigid)
{
    const auto [p, s] = task.pair;
    if (bodies_.is_deformable(s)) {
        for (const SoftBallContact& c : task.soft)
            std::get<SoftBallBatch>(batches_).add(c, task.beside);
        return;
    }
    if (bodies_.is_deformable(p)) {
        for (const ContactInfo& c : task.found) {
            const NodeSide node{surface_node(*bodies_.deformables, p, c.point)};
            if (bodies_.is_rigid(s))
                std::get<1>(batches_).add(c, node, rigid_side(s, rigid));
            else
                std::get<0>(batches_).add(c, node, FixedSide{});
        }
        return;
    }
    const auto add_to = [&](auto& batch, const auto& point, const auto& surface) {
        const Frame body = task.rounds.empty() ? Frame{} : way(p, rigid).now;
        const Vec3 phi = task.rounds.empty() ? Vec3(Vec3::Zero()) : Vec3(turn(p, rigid) - turn(s, rigid));
        for (std::size_t i = 0; i < task.found.size(); ++i) {
            const ContactInfo& c = task.found[i];
            if (!task.posed.empty()) {
                batch.add_posed(c, task.posed[i], point, surface);
            } else if (!task.rounds.empty()) {
                const Vec3 centre = body.to_world(bodies_.rounds(p)[c.point - bodies_.first_ball(p)].centre);
                batch.add_round(c, task.rounds[i], centre, phi, point, surface);
            } else {
                batch.add(c, point, surface);
            }
        }
    };
    if (bodies_.is_obstacle(p))
        add_to(std::get<4>(batches_), FixedSide{}, rigid_side(s, rigid));
    else if (bodies_.is_rigid(s))
        add_to(std::get<3>(batches_), rigid_side(p, rigid), rigid_side(s, rigid));
    else
        add_to(std::get<2>(batches_), rigid_side(p, rigid), FixedSide{});
}

std::size_t ContactSet::count() const
{
    std::size_t n = 0;
    for_each_batch([&](const auto& batch) { n += batch.contacts().size(); });
    return n;
}

void ContactSet::add_force(std::span<Vec3> f) const
{
    for_each_batch([&](const auto& batch) { batch.add_force(f); });
}

void ContactSet::add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const
{
    for_each_batch([&](const auto& batch) { batch.add_force_differential(du, df, transposed); });
}

std::vector<NextContact> ContactSet::next_contacts() const
{
    const double allowed = bodies_.law->penetration;
    std::vector<NextContact> next;
    for_each_contact([&](const ContactInfo& c) {
        const double stiffness_scale = grown_stiffness_scale(c.at.stiffness_scale, c.at.depth, allowed);
        next.push_back({&c,
            {c.point_body, c.surface_body, c.point, c.at.patch, c.at.X, c.at.angle, c.at.slot, c.at.attached_n,
                stiffness_scale},
            stiffness_scale / c.at.stiffness_scale * energy_of(c)});
    });
    if (allowed < infinity) {
        std::vector<Frame> solids;
        for (const LevelSetSurface& surface : surfaces_)
            solids.push_back(surface.motion().frame);
        release_interlocked_pairs(bodies_, solids, allowed, next);
    }
    return next;
}

std::vector<Attachment> ContactSet::update_attachments() const
{
    std::vector<Attachment> attachments;
    for (const NextContact& next : next_contacts())
        attachments.push_back(next.attachment);
    std::sort(attachments.begin(), attachments.end());
    return attachments;
}

double ContactSet::energy() const
{
    double sum = 0;
    for_each_contact([&](const ContactInfo& c) { sum += energy_of(c); });
    return sum;
}

double ContactSet::stiffening_work() const
{
    double sum = 0;
    for (const NextContact& next : next_contacts())
        sum += next.energy - energy_of(*next.contact);
    return sum;
}

} // namespace stickslip
