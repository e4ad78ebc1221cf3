#include "stickslip/contact/contact_set.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Pairs of polyhedra in a step: which are near, and what their features find.
namespace stickslip {

namespace {

// Order of pairs that have met.
constexpr auto comes_before = [](const auto& met, const std::pair<int, int>& key) {
    return std::pair(met.a, met.b) < key;
};

} // namespace

Frame ContactSet::next_frame(int body) const
{
    if (bodies_.is_obstacle(body))
        return start_.obstacle_end[body - bodies_.first_obstacle()];
    const RigidBody& rigid = bodies_.rigid(body);
    const RigidState& old = start_.rigid[body - bodies_.first_rigid()];
    return solid_frame(rigid, old.x + start_.dt * old.v, rotation_exp(start_.dt * old.w) * old.R.toRotationMatrix());
}

double ContactSet::way_by_itself(int body) const
{
    const Frame from = start_.frame(body), to = next_frame(body);
    return (to.x - from.x).norm() + rotation_vector(to.R * from.R.transpose()).norm() * polyhedra_[body]->radius;
}

PairMotion ContactSet::pair_motion(int a, int b) const
{
    const double turning = way_by_itself(a) + way_by_itself(b);
    const Frame old_a = start_.frame(a), old_b = start_.frame(b), next_a = next_frame(a), next_b = next_frame(b);
    const Vec3 way_a = next_a.x - old_a.x, way_b = next_b.x - old_b.x;
    return {polyhedra_[a].get(), polyhedra_[b].get(), old_a, old_b, next_a, next_b,
        turning - way_a.norm() - way_b.norm() + (way_a - way_b).norm(), start_.dt * start_.dt * bodies_.gravity.norm(),
        start_.indentation({a, b})};
}

// Pairs whose ways meet, grown by twice what they are, and those that hold attachments.
void ContactSet::decide_features()
{
    met_polyhedra_.clear();
    if (std::none_of(polyhedra_.begin(), polyhedra_.end(), [](const auto& p) { return p != nullptr; }))
        return;
    std::vector<Bounds> ways(bodies_.count());
    const double fall = start_.dt * start_.dt * bodies_.gravity.norm();
    for (int body = bodies_.first_rigid(); body < bodies_.count(); ++body) {
        if (!polyhedra_[body])
            continue;
        ways[body] = way_box(body).grown(2 * (way_by_itself(body) + fall) + 0.02 * polyhedra_[body]->thickness);
    }
    std::vector<CandidatePair> near;
    const auto add = [&](const CandidatePair& pair) {
        const auto [a, b] = std::minmax(pair.point_body, pair.surface_body);
        if (bodies_.are_polyhedra(a, b))
            near.push_back({a, b});
    };
    for (const CandidatePair& pair : step_phase_.find(ways))
        add(pair);
    for (const CandidatePair& pair : start_.kept_pairs)
        add(pair);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<std::optional<PairFeatures>> features(near.size());
    parallel_for(
        near.size(),
        [&](std::size_t i) {
            const auto [a, b] = near[i];
            constexpr int all = std::numeric_limits<int>::max();
            features[i].emplace(pair_motion(a, b), start_.kept_of({a, b}, 0, all), start_.kept_of({b, a}, 0, all));
        },
        16);
    for (std::size_t i = 0; i < near.size(); ++i)
        met_polyhedra_.push_back({near[i].point_body, near[i].surface_body, std::move(*features[i])});
}

void ContactSet::add_polyhedra(const MetPolyhedra& met)
{
    if (!met.features.vertices_of_a().empty() || !met.features.edges().empty())
        new_task({met.a, met.b}, ContactKind::polyhedra).features = &met.features;
    if (!met.features.vertices_of_b().empty())
        new_task({met.b, met.a}, ContactKind::polyhedra).features = &met.features;
}

void ContactSet::run_polyhedra(Task& task, std::span<const RigidCandidate> rigid) const
{
    const auto [p, s] = task.pair;
    const auto pose = [&](int body) {
        const SurfaceMotionInStep& motion = surfaces_[body - bodies_.first_rigid()].motion();
        return PolyhedronPose{polyhedra_[body].get(), motion.old_frame, motion.frame};
    };
    const PolyhedronPair pair(pose(p), pose(s), start_.dt * motion(task.pair).surface_velocity, bodies_.friction(p, s),
        bodies_.law->damping / start_.dt);
    const double k = stiffness_factor_ * bodies_.stiffness(p, s, 0);
    const auto add_spring = [&](const PolyhedronSpring& spring, int point, int slot,
                                const std::optional<Attachment>& kept) {
        PoseContact at = posed_contact(pair, spring);
        at.slot = slot;
        at.stiffness_scale = scale_of(kept ? &*kept : nullptr);
        add(task, point, at.stiffness_scale * k, at, rigid);
    };
    const bool first = p < s;
    for (const VertexOnFace& v : first ? task.features->vertices_of_a() : task.features->vertices_of_b())
        if (const auto spring = relax_vertex(pair, v))
            add_spring(*spring, v.vertex, 0, v.kept);
    if (first)
        for (const EdgePair& e : task.features->edges())
            if (const auto spring =
                    relax_edge_pair(pair, e, {task.features->vertices_of_a(), task.features->vertices_of_b()}))
                add_spring(*spring, e.edge_a, 1 + e.edge_b, e.kept);
}

bool ContactSet::grow()
{
    const bool any_features = grow_features(), any_crossings = grow_crossings(), any_meetings = grow_meetings(),
               any_edges = grow_edges();
    return any_features || any_crossings || any_meetings || any_edges;
}

bool ContactSet::grow_features()
{
    std::vector<char> grown(met_polyhedra_.size(), 0);
    parallel_for(
        met_polyhedra_.size(),
        [&](std::size_t i) {
            MetPolyhedra& met = met_polyhedra_[i];
            grown[i] = met.features.grow(frame(met.a), frame(met.b));
        },
        16);
    bool any = std::any_of(grown.begin(), grown.end(), [](char g) { return g != 0; });
    const std::size_t known = met_polyhedra_.size();
    for (const CandidatePair& pair : near_.pairs()) {
        if (!bodies_.are_polyhedra(pair.point_body, pair.surface_body)
            || !boxes_meet(boxes_[pair.point_body], boxes_[pair.surface_body]))
            continue;
        const auto [a, b] = std::minmax(pair.point_body, pair.surface_body);
        const auto new_ones = met_polyhedra_.begin() + static_cast<std::ptrdiff_t>(known);
        const auto is_this = [&](const MetPolyhedra& met) { return met.a == a && met.b == b; };
        const auto at = std::lower_bound(met_polyhedra_.begin(), new_ones, std::pair(a, b), comes_before);
        if ((at != new_ones && is_this(*at)) || std::any_of(new_ones, met_polyhedra_.end(), is_this))
            continue;
        PairFeatures features(pair_motion(a, b), {}, {});
        any = features.grow(frame(a), frame(b)) || any;
        met_polyhedra_.push_back({a, b, std::move(features)});
    }
    if (met_polyhedra_.size() > known)
        std::sort(met_polyhedra_.begin(), met_polyhedra_.end(),
            [](const MetPolyhedra& m, const MetPolyhedra& n) { return std::pair(m.a, m.b) < std::pair(n.a, n.b); });
    is_listed_ = is_listed_ && !any && met_polyhedra_.size() == known;
    return any;
}

std::vector<UnfeltOverlap> ContactSet::unfelt_overlaps() const
{
    std::vector<double> felt(met_polyhedra_.size(), 0);
    const auto index_of = [&](int a, int b) {
        return std::lower_bound(met_polyhedra_.begin(), met_polyhedra_.end(), std::pair(a, b), comes_before)
            - met_polyhedra_.begin();
    };
    for (const Contact& c : contacts_.contacts()) // of a contact at the end of its zone, less than its depth
        if (bodies_.are_polyhedra(c.point_body, c.surface_body)) {
            const auto [a, b] = std::minmax(c.point_body, c.surface_body);
            double& depth = felt[index_of(a, b)];
            depth = std::max(depth, c.at.depth / c.at.share * std::min(1.0, 2 * c.at.share));
        }
    std::vector<double> depth(met_polyhedra_.size());
    parallel_for(
        met_polyhedra_.size(),
        [&](std::size_t i) {
            const MetPolyhedra& met = met_polyhedra_[i];
            depth[i] = met.features.missed_depth(frame(met.a), frame(met.b), felt[i]);
        },
        16);
    std::vector<UnfeltOverlap> unfelt;
    for (std::size_t i = 0; i < met_polyhedra_.size(); ++i)
        if (depth[i] > 0)
            unfelt.push_back({met_polyhedra_[i].a, met_polyhedra_[i].b, depth[i], felt[i]});
    return unfelt;
}

} // namespace stickslip
