#include "stickslip/contact/polyhedra/polyhedra_in_step.h"

#include "stickslip/contact/polyhedra/posed_contact.h"
#include "stickslip/math/parallel.h"
#include "stickslip/math/rotation.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace stickslip {

namespace {

// Order of pairs that have met.
constexpr auto before_key = [](const auto& met, const std::pair<int, int>& key) {
    return std::pair(met.a, met.b) < key;
};

} // namespace

PolyhedraInStep::PolyhedraInStep(const ContactBodies& bodies)
    : features_(bodies.count())
    , broad_phase_(bodies)
{
    for (int body = bodies.first_rigid(); body < bodies.count(); ++body)
        if (const auto features = convex_features(bodies.solid(body)))
            features_[body] = std::make_shared<const ConvexFeatures>(*features);
}

double PolyhedraInStep::way_by_itself(const StepStart& start, int body) const
{
    const Frame from = start.frame(body), to = start.next_frame(body);
    return (to.x - from.x).norm() + rotation_vector(to.R * from.R.transpose()).norm() * features_[body]->radius;
}

PairMotion PolyhedraInStep::pair_motion(const StepStart& start, int a, int b) const
{
    const double turning = way_by_itself(start, a) + way_by_itself(start, b);
    const Frame old_a = start.frame(a), old_b = start.frame(b);
    const Frame next_a = start.next_frame(a), next_b = start.next_frame(b);
    const Vec3 way_a = next_a.x - old_a.x, way_b = next_b.x - old_b.x;
    return {features_[a].get(), features_[b].get(), old_a, old_b, next_a, next_b,
        turning - way_a.norm() - way_b.norm() + (way_a - way_b).norm(), start.fall(), start.indentation({a, b})};
}

void PolyhedraInStep::begin_step(const ContactStep& step)
{
    met_.clear();
    if (std::none_of(features_.begin(), features_.end(), [](const auto& p) { return p != nullptr; }))
        return;
    const ContactBodies& bodies = step.bodies;
    std::vector<Bounds> ways(bodies.count());
    for (int body = bodies.first_rigid(); body < bodies.count(); ++body) {
        if (!features_[body])
            continue;
        ways[body] = step.start.way(body).grown(
            2 * (way_by_itself(step.start, body) + step.start.fall()) + 0.02 * features_[body]->thickness);
    }
    std::vector<CandidatePair> near;
    const auto add = [&](const CandidatePair& pair) {
        const auto [a, b] = std::minmax(pair.point_body, pair.surface_body);
        if (bodies.are_polyhedra(a, b))
            near.push_back({a, b});
    };
    for (const CandidatePair& pair : broad_phase_.find(ways))
        add(pair);
    for (const CandidatePair& pair : step.start.kept_pairs)
        add(pair);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<std::optional<PairFeatures>> features(near.size());
    parallel_for(
        near.size(),
        [&](std::size_t i) {
            const auto [a, b] = near[i];
            constexpr int all = std::numeric_limits<int>::max();
            features[i].emplace(
                pair_motion(step.start, a, b), step.start.kept_of({a, b}, 0, all), step.start.kept_of({b, a}, 0, all));
        },
        16);
    for (std::size_t i = 0; i < near.size(); ++i)
        met_.push_back({near[i].point_body, near[i].surface_body, std::move(*features[i])});
}

void PolyhedraInStep::list(ContactTasks& tasks) const
{
    for (const Met& met : met_) {
        if (!met.features.vertices_of_a().empty() || !met.features.edges().empty())
            tasks.add({met.a, met.b}, ContactKind::polyhedra).features = &met.features;
        if (!met.features.vertices_of_b().empty())
            tasks.add({met.b, met.a}, ContactKind::polyhedra).features = &met.features;
    }
}

void PolyhedraInStep::run(const ContactStep& step, ContactTask& task) const
{
    const auto [p, s] = task.pair;
    const auto pose = [&](int body) {
        return PolyhedronPose{features_[body].get(), step.start.frame(body), step.frame(body)};
    };
    const PolyhedronPair pair(pose(p), pose(s), step.start.dt * step.motion(task.pair).surface_velocity,
        step.bodies.friction(p, s), step.bodies.law->damping / step.start.dt);
    const double k = step.stiffness_factor * step.bodies.stiffness(p, s, 0);
    const auto add = [&](const PoseContact& at, int point) { task.add(point, at.stiffness_scale * k, at, step); };
    // Both ends of a spring by the same way to the world, or what a small share leaves of it would be rounding.
    const Frame& s_frame = pair.b.frame;
    const bool first = p < s;
    for (const VertexOnFace& v : first ? task.features->vertices_of_a() : task.features->vertices_of_b())
        if (const auto at = relax_vertex(pair, v))
            add(at_point(*at, s_frame.to_world(pair.pose.to_world(pair.a.features->vertices[v.vertex]))), v.vertex);
    if (first)
        for (const EdgePair& e : task.features->edges())
            if (const auto spring =
                    relax_edge_pair(pair, e, {task.features->vertices_of_a(), task.features->vertices_of_b()})) {
                PoseContact at = posed_contact(pair, *spring);
                at.slot = 1 + e.edge_b;
                at.stiffness_scale = scale_of(e.kept ? &*e.kept : nullptr);
                add(at, e.edge_a);
            }
}

bool PolyhedraInStep::grow(const ContactStep& step, const NearPairs& near)
{
    std::vector<char> grown(met_.size(), 0);
    parallel_for(
        met_.size(),
        [&](std::size_t i) {
            Met& met = met_[i];
            grown[i] = met.features.grow(step.frame(met.a), step.frame(met.b));
        },
        16);
    bool any = std::any_of(grown.begin(), grown.end(), [](char g) { return g != 0; });
    const std::size_t known = met_.size();
    for (const CandidatePair& pair : near.pairs()) {
        if (!step.bodies.are_polyhedra(pair.point_body, pair.surface_body)
            || !boxes_meet(step.boxes[pair.point_body], step.boxes[pair.surface_body]))
            continue;
        const auto [a, b] = std::minmax(pair.point_body, pair.surface_body);
        const auto new_ones = met_.begin() + static_cast<std::ptrdiff_t>(known);
        const auto is_this = [&](const Met& met) { return met.a == a && met.b == b; };
        const auto at = std::lower_bound(met_.begin(), new_ones, std::pair(a, b), before_key);
        if ((at != new_ones && is_this(*at)) || std::any_of(new_ones, met_.end(), is_this))
            continue;
        PairFeatures features(pair_motion(step.start, a, b), {}, {});
        any = features.grow(step.frame(a), step.frame(b)) || any;
        met_.push_back({a, b, std::move(features)});
    }
    if (met_.size() > known)
        std::sort(met_.begin(), met_.end(),
            [](const Met& m, const Met& n) { return std::pair(m.a, m.b) < std::pair(n.a, n.b); });
    return any;
}

std::vector<UnfeltOverlap> PolyhedraInStep::unfelt(const ContactStep& step, std::span<const Contact> contacts) const
{
    std::vector<double> felt(met_.size(), 0);
    const auto index_of = [&](int a, int b) {
        return std::lower_bound(met_.begin(), met_.end(), std::pair(a, b), before_key) - met_.begin();
    };
    for (const Contact& c : contacts) // of a contact at the end of its zone, less than its depth
        if (step.bodies.are_polyhedra(c.point_body, c.surface_body)) {
            const auto [a, b] = std::minmax(c.point_body, c.surface_body);
            double& depth = felt[index_of(a, b)];
            depth = std::max(depth, c.at.depth / c.at.share * std::min(1.0, 2 * c.at.share));
        }
    std::vector<double> depth(met_.size());
    parallel_for(
        met_.size(),
        [&](std::size_t i) {
            const Met& met = met_[i];
            depth[i] = met.features.missed_depth(step.frame(met.a), step.frame(met.b), felt[i]);
        },
        16);
    std::vector<UnfeltOverlap> unfelt;
    for (std::size_t i = 0; i < met_.size(); ++i)
        if (depth[i] > 0)
            unfelt.push_back({met_[i].a, met_[i].b, depth[i], felt[i]});
    return unfelt;
}

} // namespace stickslip
