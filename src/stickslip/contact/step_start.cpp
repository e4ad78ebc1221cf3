#include "stickslip/contact/step_start.h"

#include "stickslip/contact/points/posed_circle.h"
#include "stickslip/math/check.h"
#include "stickslip/math/parallel.h"
#include "stickslip/math/rotation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double flat_turn = std::numbers::pi / 9; // [rad] of the facets at a node that lies within a face

// The least distance of a circle [m].
double lowest_on(const DistanceField& field, const Circle& circle)
{
    constexpr int looks = 4; // where it is even, any place is the lowest
    double least = infinity;
    for (int i = 0; i < looks; ++i) {
        const double angle = 2 * std::numbers::pi * i / looks;
        least = std::min(least, field.distance(circle.centre + circle.radius * circle.direction(angle)));
    }
    for (const ExtremePoint& at : find_extreme_points(field, circle))
        least = std::min(least, at.phi);
    return least;
}

} // namespace

void StepStart::begin(double t, double step, std::span<const Vec3> nodes, std::span<const Vec3> node_velocities,
    std::span<const RigidState> rigid_bodies, const std::vector<Attachment>& attachments, std::span<const Vec3> out)
{
    dt = step;
    is_first = t == 0 && attachments.empty();
    x.assign(nodes.begin(), nodes.end());
    v.assign(node_velocities.begin(), node_velocities.end());
    outward.assign(out.begin(), out.end());
    rigid.assign(rigid_bodies.begin(), rigid_bodies.end());
    frames_.clear();
    next_frames_.clear();
    for (std::size_t b = 0; b < rigid.size(); ++b) {
        const RigidBody& body = (*bodies_.rigids)[b];
        const Mat3 R_old = rigid[b].R.toRotationMatrix();
        frames_.push_back(solid_frame(body, rigid[b].x, R_old));
        next_frames_.push_back(solid_frame(body, rigid[b].x + dt * rigid[b].v, rotation_exp(dt * rigid[b].w) * R_old));
    }
    obstacle.clear();
    obstacle_end.clear();
    obstacle_turn.clear();
    for (const Obstacle& o : *bodies_.obstacles) {
        obstacle.push_back(frame_at(o.motion, o.start, t));
        obstacle_end.push_back(frame_at(o.motion, o.start, t + dt));
        obstacle_turn.push_back(rotation_vector(obstacle_end.back().R * obstacle.back().R.transpose()));
    }
    frames_.insert(frames_.end(), obstacle.begin(), obstacle.end());
    next_frames_.insert(next_frames_.end(), obstacle_end.begin(), obstacle_end.end());
    ways_.resize(bodies_.total());
    parallel_for(
        ways_.size(), [&](std::size_t body) { ways_[body] = way_of(static_cast<int>(body)); }, 16);
    STICKSLIP_ASSERT(std::is_sorted(attachments.begin(), attachments.end()));
    kept = attachments;
    kept_pairs.clear();
    pressed_.clear();
    for (const Attachment& a : kept) {
        if (const CandidatePair pair{a.point_body, a.surface_body};
            kept_pairs.empty() || !(kept_pairs.back() == pair)) {
            kept_pairs.push_back(pair);
            pressed_.push_back(0);
        }
        pressed_.back() = std::max(pressed_.back(), spring_depth(a));
    }
    indentation_ = compressed_springs();
}

Frame StepStart::point_frame(int body) const
{
    if (bodies_.is_obstacle(body))
        return obstacle[body - bodies_.first_obstacle()];
    const RigidState& old = rigid[body - bodies_.first_rigid()];
    return {old.x, old.R.toRotationMatrix()};
}

Bounds StepStart::way_of(int body) const
{
    if (!bodies_.has_free_points(body)) {
        const Bounds own = bounds(bodies_.solid(body));
        Bounds way = placed(own, frame(body));
        way.add(placed(own, next_frame(body)));
        return way;
    }
    Bounds way;
    for (int point = 0; point < bodies_.points(body); ++point) {
        const int place = bodies_.place(body, point);
        way.add(x[place]);
        way.add(x[place] + dt * v[place]);
    }
    return way;
}

// By the state's own quaternion: what starts touching exactly hangs on the last bits.
Vec3 StepStart::place(int body, int point) const
{
    if (bodies_.has_free_points(body))
        return x[bodies_.place(body, point)];
    const Vec3& z = bodies_.samples(body)[point].z;
    if (bodies_.is_obstacle(body))
        return obstacle[body - bodies_.first_obstacle()].to_world(z);
    const RigidState& old = rigid[body - bodies_.first_rigid()];
    return old.R * z + old.x;
}

// Of a solid's point that is at P; of obstacles, their mean over the step.
Vec3 StepStart::velocity(int body, const Vec3& P) const
{
    if (bodies_.is_obstacle(body)) {
        const int o = body - bodies_.first_obstacle();
        return (obstacle_end[o].to_world(obstacle[o].to_local(P)) - P) / dt;
    }
    const RigidState& old = rigid[body - bodies_.first_rigid()];
    return old.v + old.w.cross(P - old.x);
}

Vec3 StepStart::surface_velocity(int body) const
{
    return bodies_.is_obstacle(body) ? Vec3(frame(body).R * bodies_.obstacle(body).surface_velocity) : Vec3::Zero();
}

PointSurface StepStart::surface(const CandidatePair& pair, int point) const
{
    const auto [p, s] = pair;
    const Vec3 Z = place(p, point);
    if (bodies_.is_deformable(p)) {
        const DeformableSet& set = *bodies_.deformables;
        const int node = surface_node(set, p, point);
        const Vec3 n = surface_normal(set, node, x);
        return {n, surface_turn(set, node, x, n) < flat_turn, level_depth(pair), dt * (v[node] - velocity(s, Z))};
    }
    if (bodies_.is_mpm(p))
        return {.n = outward_of(p, point),
            .indentation = level_depth(pair),
            .way = dt * (v[bodies_.place(p, point)] - velocity(s, Z)),
            .half_width = half_width(p)};
    const SurfaceSample& sample = bodies_.samples(p)[point];
    return {.n = frame(p).R * sample.n,
        .flat = sample.flat,
        .indentation = level_depth(pair),
        .way = dt * (velocity(p, Z) - velocity(s, Z)),
        .two_sided = sample.two_sided,
        .rim = frame(p).R * sample.rim};
}

Vec3 StepStart::outward_of(int body, int point) const
{
    return outward.empty() ? Vec3(Vec3::Zero()) : outward[bodies_.mpm_body(body).particles.begin + point];
}

// From what its spring holds: E = k depth^2/2 or more where its whole depth presses.
double StepStart::spring_depth(const Attachment& a) const
{
    return std::sqrt(2 * a.energy / (a.stiffness_scale * bodies_.stiffness(a)));
}

// A node that comes over a gap is carried by its element alone.
double StepStart::sag(const Attachment& a, int body, double depth) const
{
    if (!bodies_.is_deformable(body))
        return 0;
    return depth * a.stiffness_scale * bodies_.stiffness(a) / bodies_.element_stiffness(body);
}

std::vector<double> StepStart::compressed_springs() const
{
    std::vector<double> own(bodies_.total(), 0), indentation = own;
    const auto of_rigid = [&](int body) { return bodies_.is_rigid(body) ? own[body] : 0; };
    for (const Attachment& a : kept) {
        const double depth = spring_depth(a);
        for (const auto& [body, other] : {std::pair(a.point_body, a.surface_body), {a.surface_body, a.point_body}}) {
            // what is carried by something soft has sunk by the strain of that, too
            const double carried = bodies_.is_obstacle(body) ? 0 : sag(a, other, depth);
            own[body] = std::max(own[body], depth + sag(a, body, depth) + carried);
        }
    }
    for (const Attachment& a : kept) {
        const auto [p, s] = std::pair(a.point_body, a.surface_body);
        indentation[p] = std::max(indentation[p], own[p] + of_rigid(s));
        indentation[s] = std::max(indentation[s], own[s] + of_rigid(p));
    }
    return indentation;
}

double StepStart::pressed(const CandidatePair& pair) const
{
    double depth = 0;
    for (const CandidatePair& way : {pair, CandidatePair{pair.surface_body, pair.point_body}})
        if (const auto at = std::lower_bound(kept_pairs.begin(), kept_pairs.end(), way);
            at != kept_pairs.end() && *at == way)
            depth = std::max(depth, pressed_[at - kept_pairs.begin()]);
    return depth;
}

double StepStart::level_depth(const CandidatePair& pair) const
{
    return std::min(
        indentation(pair), std::max(level_limit * smallest_size(bodies_.solid(pair.surface_body)), 2 * pressed(pair)));
}

double StepStart::roundness_before(const CandidatePair& pair, int patch) const
{
    const auto [p, s] = pair;
    const DistanceField field{&bodies_.solid(s), patch};
    const Frame own = relative(frame(s), point_frame(p));
    double least = infinity;
    for (const RoundPoint& ball : bodies_.rounds(p))
        least = std::min(least, field.distance(own.to_world(ball.centre)) - ball.radius);
    for (const Rim& rim : bodies_.rims(p))
        least = std::min(least, lowest_on(field, circle_at(rim, {own.to_world(rim.centre), own.R})) - rim.tube);
    return least;
}

bool StepStart::lies_on_face(const CandidatePair& pair) const
{
    constexpr double touching = 5e-3; // [radius]
    const auto [p, s] = pair;
    const LevelSet& solid = bodies_.solid(s);
    const std::span<const Rim> rims = bodies_.rims(p);
    const double near = touching * rims[0].radius;
    const Vec3 U = frame(s).to_local(frame(p).x);
    double apart = -infinity; // [m] by the face that is best before them
    Vec3 n = Vec3::Zero();
    for (int g = 0; g < patch_count(solid); ++g) {
        const LevelSetSample at = sample_patch(solid, g, U);
        if (const double d = at.hessian.isZero(0) ? roundness_before(pair, g) : -infinity; d > apart) {
            apart = d;
            n = frame(s).R * at.n;
        }
    }
    const Frame own = point_frame(p);
    const auto stays = [&](const Vec3& P) { return std::abs(dt * n.dot(drift(pair, P))) < near; };
    return std::abs(apart) < near && stays(own.x)
        && std::ranges::all_of(rims, [&](const Rim& rim) { return stays(own.to_world(rim.centre)); });
}

std::vector<LevelPatch> StepStart::stands_before(const CandidatePair& pair) const
{
    const auto [p, s] = pair;
    const LevelSet& solid = bodies_.solid(s);
    const int patches = patch_count(solid), points = bodies_.first_ball(p);
    if (patches == 1 || bodies_.has_free_points(p))
        return {};
    const Frame surface = frame(s);
    const double depth = flush_distance(solid) + std::min(indentation(pair), level_limit * smallest_size(solid));
    constexpr int looks = 64;
    std::vector<double> least(patches, infinity);
    for (int i = 0; i < points;
         ++i) { // a terrain is ordered in space: few points from both ends lie behind all patches
        const Vec3 U = surface.to_local(place(p, i % 2 == 0 ? i / 2 : points - 1 - i / 2));
        for (int g = 0; g < patches; ++g)
            least[g] = std::min(least[g], patch_distance(solid, g, U));
        if (i % looks == looks - 1 && std::ranges::all_of(least, [&](double d) { return d < -depth; }))
            return {};
    }
    if (points < bodies_.points(p))
        for (int g = 0; g < patches; ++g)
            least[g] = std::min(least[g], roundness_before(pair, g));
    if (std::ranges::any_of(least, [&](double d) { return d > depth; }))
        return {};
    std::vector<LevelPatch> before;
    for (int g = 0; g < patches; ++g)
        if (least[g] >= -depth)
            before.push_back({g, depth});
    const Vec3 centre = frame(p).x, U = surface.to_local(centre);
    const Vec3 drift = surface.R.transpose() * (velocity(p, centre) - velocity(s, centre));
    const auto straight = [&](const LevelPatch& g) { return -sample_patch(solid, g.patch, U).n.dot(drift); };
    if (!before.empty())
        std::iter_swap(before.begin(), std::ranges::min_element(before, {}, straight));
    return before;
}

std::size_t StepStart::first_kept(const CandidatePair& pair, int point) const
{
    const Attachment wanted{pair.point_body, pair.surface_body, point};
    return std::lower_bound(kept.begin(), kept.end(), wanted) - kept.begin();
}

const Attachment* StepStart::kept_of(const CandidatePair& pair, int point, std::size_t& next) const
{
    const Attachment wanted{pair.point_body, pair.surface_body, point};
    while (next < kept.size() && kept[next] < wanted)
        ++next;
    return next < kept.size() && !(wanted < kept[next]) ? &kept[next] : nullptr;
}

std::span<const Attachment> StepStart::kept_of(const CandidatePair& pair, int begin, int end) const
{
    const std::size_t first = first_kept(pair, begin);
    return std::span(kept).subspan(first, first_kept(pair, end) - first);
}

} // namespace stickslip
