#include "stickslip/contact/contact_set.h"

#include "stickslip/contact/contact_places.h"
#include "stickslip/contact/energy_handover.h"
#include "stickslip/contact/stiffness_growth.h"
#include "stickslip/contact/surfaces/points_on_solids.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <numeric>

namespace stickslip {

namespace {

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

double grown_scale(const ContactBodies& bodies, const Contact& c)
{
    return grown_stiffness_scale(c.at.stiffness_scale, c.at.depth, bodies.law->penetration);
}

} // namespace

ContactSet::ContactSet(const ContactBodies& bodies)
    : step_(bodies)
    , near_(bodies)
    , surfaces_(bodies)
    , crossings_(bodies)
    , polyhedra_(bodies)
    , edges_(bodies, surfaces_, polyhedra_)
    , soft_balls_(bodies)
    , all_bodies_(bodies.total())
{
    std::iota(all_bodies_.begin(), all_bodies_.end(), 0);
}

void ContactSet::begin_step(double t, double dt, std::span<const Vec3> x_old, std::span<const Vec3> v_old,
    std::span<const RigidState> rigid_old, const std::vector<Attachment>& kept, std::span<const Vec3> outward)
{
    step_.start.begin(t, dt, x_old, v_old, rigid_old, kept, outward);
    step_.stiffness_factor = 1;
    tasks_.clear(); // what they know is of the step before
    is_listed_ = false;
    soft_balls_.begin_step();
    crossings_.begin_step();
    polyhedra_.begin_step(step_);
    surfaces_.begin_step(step_.start);
    patches_.begin_step(step_, surfaces_);
    edges_.begin_step(step_, surfaces_);
}

bool ContactSet::grow()
{
    const bool any_features = polyhedra_.grow(step_, near_), any_tubes = crossings_.grow(step_, tasks_.all()),
               any_patches = patches_.grow(step_, surfaces_), any_edges = edges_.grow(step_, surfaces_);
    is_listed_ = false; // tasks name what has grown
    return any_features || any_tubes || any_patches || any_edges;
}

void ContactSet::update_tasks(std::span<const int> moved)
{
    if (near_.update(step_.boxes, moved) || !is_listed_)
        list_tasks();
}

// Bodies that are near, and those that hold attachments: what sticks on a face may be pulled out beyond its rim.
void ContactSet::list_tasks()
{
    const ContactBodies& bodies = step_.bodies;
    const std::vector<CandidatePair>& kept_pairs = step_.start.kept_pairs;
    std::vector<CandidatePair> pairs;
    std::set_union(
        near_.pairs().begin(), near_.pairs().end(), kept_pairs.begin(), kept_pairs.end(), std::back_inserter(pairs));
    std::erase_if(pairs, [&](const CandidatePair& pair) { // below
        return bodies.are_polyhedra(pair.point_body, pair.surface_body);
    });
    std::stable_sort(pairs.begin(), pairs.end(),
        [&](const CandidatePair& a, const CandidatePair& b) { return order_of(bodies, a) < order_of(bodies, b); });
    tasks_.clear();
    for (const CandidatePair& pair : pairs) {
        const bool holds = std::binary_search(kept_pairs.begin(), kept_pairs.end(), pair);
        if (bodies.is_deformable(pair.surface_body))
            SoftBallsInStep::list(bodies, pair, holds, tasks_);
        else
            list_points(step_, near_, pair, holds, tasks_);
    }
    polyhedra_.list(tasks_);
    patches_.list(bodies, tasks_);
    edges_.list(tasks_);
    all_tasks_.resize(tasks_.all().size());
    std::iota(all_tasks_.begin(), all_tasks_.end(), 0);
    ++listing_;
    is_listed_ = true;
}

bool ContactSet::is_needed(const ContactTask& task) const
{
    const auto [p, s] = task.pair;
    return task.is_certain
        || (boxes_meet(step_.boxes[p], step_.boxes[s])
            && (step_.bodies.is_deformable(s) || step_.surface(task.pair).may_touch(step_.boxes[p])));
}

void ContactSet::run_tasks(std::span<const int> tasks)
{
    needed_.clear();
    for (const int i : tasks)
        if (ContactTask& task = tasks_.all()[i]; is_needed(task))
            needed_.push_back(&task);
    soft_balls_.move_to(step_, needed_);
    crossings_.prepare(step_, needed_);
    parallel_for(
        needed_.size(), [&](std::size_t i) { run(*needed_[i]); }, 1);
    contacts_.clear();
    for (const ContactTask* task : needed_)
        contacts_.append(task->contacts);
}

void ContactSet::run(ContactTask& task) const
{
    task.contacts.clear();
    switch (task.kind) {
    case ContactKind::polyhedra:
        return polyhedra_.run(step_, task);
    case ContactKind::edges:
        return edges_.run(step_, surfaces_, task);
    case ContactKind::point_on_soft:
        return patches_.run_on_deformable(step_, surfaces_, task);
    case ContactKind::point_on_mesh:
        return patches_.run_on_rigid(step_, surfaces_, task);
    case ContactKind::ball_on_soft:
        return soft_balls_.run(step_, task);
    case ContactKind::ball_on_mesh:
        return run_balls_on_triangles(step_, crossings_, task);
    case ContactKind::rim_on_mesh:
        return run_rims_on_triangles(step_, crossings_, task);
    case ContactKind::axis_on_solid:
        return crossings_.run(step_, task);
    case ContactKind::rim_on_solid:
        return run_rims(step_, crossings_, task);
    case ContactKind::ball_on_solid:
        return run_balls(step_, crossings_, task);
    case ContactKind::point_on_solid:
        return run_points(step_, task);
    }
}

void ContactSet::evaluate(std::span<const Vec3> x, std::span<const RigidCandidate> rigid)
{
    step_.move_to(x, rigid);
    surfaces_.move_to(x);
    update_tasks(all_bodies_);
    run_tasks(all_tasks_);
}

void ContactSet::evaluate(ContactPart& part, std::span<const RigidCandidate> rigid)
{
    step_.move_to(rigid, part.bodies);
    update_tasks(part.bodies);
    if (part.listing != listing_) {
        std::vector<char> is_own(all_bodies_.size(), 0);
        for (const int body : part.bodies)
            is_own[body] = 1;
        part.tasks.clear();
        std::copy_if(all_tasks_.begin(), all_tasks_.end(), std::back_inserter(part.tasks), [&](int i) {
            const auto [p, s] = tasks_.all()[i].pair;
            return is_own[p] || is_own[s];
        });
        part.listing = listing_;
    }
    run_tasks(part.tasks);
}

Vec3 ContactSet::scripted_way(const Contact& c) const
{
    Vec3 way = c.at.belt;
    if (step_.bodies.is_obstacle(c.surface_body))
        way += step_.start.way_of_obstacle(c.surface_body, c.at.Y);
    if (step_.bodies.is_obstacle(c.point_body))
        way -= step_.start.way_of_obstacle(c.point_body, c.Z);
    return way;
}

std::vector<Attachment> ContactSet::update_attachments() const
{
    std::vector<Attachment> attachments;
    for (const Contact& c : contacts_.contacts()) {
        if (c.at.passes)
            continue;
        Attachment& a = attachments.emplace_back(attachment_of(c));
        if (c.presses())
            a.stiffness_scale = grown_scale(step_.bodies, c);
        a.energy *= a.stiffness_scale / c.at.stiffness_scale;
    }
    std::sort(attachments.begin(), attachments.end());
    const std::vector<Attachment>& kept = step_.start.kept;
    hand_over_energy(
        contacts_.contacts(), kept,
        [&](const Attachment& a, std::vector<std::int64_t>& touched) {
            add_touched_places(step_.bodies, surfaces_, a, touched);
        },
        attachments);
    auto before = kept.begin();
    for (Attachment& a : attachments) {
        before = std::lower_bound(before, kept.end(), a);
        if (before != kept.end() && before->key() == a.key())
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
        sum += (grown_scale(step_.bodies, c) / c.at.stiffness_scale - 1) * c.energy();
    return sum;
}

} // namespace stickslip
