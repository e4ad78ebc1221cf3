#include "stickslip/world/audit/overlap_audit.h"

#include "stickslip/contact/detect/candidates.h"
#include "stickslip/geometry/solids/separating_axes.h"
#include "stickslip/math/parallel.h"
#include "stickslip/world/tunnelling_watch.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace stickslip {

/// The deepest place of two bodies. Sums of meetings keep the deepest, of equals the first.
struct OverlapAudit::Meeting {
    double depth = 0; // [m]
    Vec3 place = Vec3::Constant(nan); // [m] world
    double cut = 0; // [m] of the triangles
    std::array<int, 2> triangles = {-1, -1};
    int crossings = 0;

    Meeting& operator+=(const Meeting& next)
    {
        if (next.depth > depth)
            std::tie(depth, place) = std::pair(next.depth, next.place);
        if (next.cut > cut)
            std::tie(cut, triangles) = std::pair(next.cut, next.triangles);
        crossings += next.crossings;
        return *this;
    }
};

namespace {

constexpr std::size_t points_a_thread = 64; // triangles or vertices that one thread takes

Frame from_to(const AuditedBody& from, const AuditedBody& to)
{
    return relative(to.frame(), from.frame());
}

/// The box of one body in the frame of another.
Bounds seen_box(const AuditedBody& body, const AuditedBody& from)
{
    return placed(body.box(), from_to(body, from));
}

bool share_a_vertex(const Triangle& s, const Triangle& t)
{
    return std::any_of(s.begin(), s.end(), [&](int v) { return std::find(t.begin(), t.end(), v) != t.end(); });
}

} // namespace

std::map<BodyPair, double> felt_depths(const ContactBodies& bodies, const std::vector<Attachment>& kept)
{
    std::map<BodyPair, double> felt;
    for (const Attachment& a : kept) {
        double& deepest = felt[std::minmax(a.point_body, a.surface_body)];
        deepest = std::max(deepest, std::sqrt(2 * a.energy / (a.stiffness_scale * bodies.stiffness(a))));
    }
    return felt;
}

OverlapAudit::OverlapAudit(const World& world, int first)
    : world_(&world)
    , bodies_(contact_bodies(world))
    , first_(first)
{
    for (int body = first_; body < bodies_.count(); ++body)
        shapes_.emplace_back(bodies_, body);
}

std::vector<BodyPair> OverlapAudit::near_pairs() const
{
    std::vector<Bounds> boxes, bounded;
    for (const AuditedBody& s : shapes_) {
        boxes.push_back(s.world_box());
        bounded.push_back(boxes.back().is_finite() ? boxes.back() : Bounds{});
    }
    const BoxTree tree(bounded);
    std::vector<BodyPair> pairs;
    for (int a = first_; a < bodies_.count(); ++a) {
        if (bodies_.is_deformable(a) && bodies_.meets_patches(a, a))
            pairs.emplace_back(a, a);
        const Bounds& box = boxes[a - first_];
        tree.visit_overlapping(box, [&](int i) {
            const int b = first_ + i;
            const bool is_first = a < b || !box.is_finite();
            if (a != b && is_first && box.overlaps(bounded[i]) && bodies_.may_touch(a, b))
                pairs.push_back(std::minmax(a, b));
        });
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

OverlapAudit::Meeting OverlapAudit::meeting(int a, int b) const
{
    const auto polyhedra = [&](const AuditedBody& s, const AuditedBody& t) {
        const double depth = overlap(*s.polyhedron(), *t.polyhedron(), from_to(t, s));
        const Bounds one = s.world_box(), other = t.world_box();
        return Meeting{std::max(depth, 0.0), 0.5 * (one.min.cwiseMax(other.min) + one.max.cwiseMin(other.max))};
    };
    // Vertices and balls of the one in the other, and one ball inside it: surfaces that coincide do not cross.
    const auto points = [&](const AuditedBody& of, const AuditedBody& in) {
        const Frame way = from_to(of, in);
        const auto at = [&](const Vec3& x, double radius) {
            return Meeting{std::max(in.depth(way.to_world(x), radius), 0.0), of.frame().to_world(x)};
        };
        Meeting deepest;
        for (const RoundPoint& ball : of.balls())
            deepest += at(ball.centre, ball.radius);
        if (of.inner_ball())
            deepest += at(of.inner_ball()->centre, of.inner_ball()->radius);
        if (!of.surface())
            return deepest;
        const SearchedSurface& surface = *of.surface();
        const std::vector<int> near = surface.vertices_of(surface.triangles_near(seen_box(in, of)));
        deepest += ordered_sum<Meeting>(
            near.size(), {}, [&](std::size_t i) { return at(surface.mesh.vertices[near[i]], 0); }, points_a_thread);
        return deepest;
    };
    // Triangles of the one that cut through those of the other; `swapped`: the one is b.
    const auto cuts = [&](const AuditedBody& of, const AuditedBody& in, bool swapped) {
        if (!of.surface() || !in.surface())
            return Meeting();
        const SearchedSurface &own = *of.surface(), &searched = *in.surface();
        const Frame way = from_to(of, in);
        const std::vector<int> near = own.triangles_near(seen_box(in, of));
        return ordered_sum<Meeting>(
            near.size(), {},
            [&](std::size_t i) {
                const int s = near[i];
                TriangleCorners corners = own.corners(s);
                Bounds box;
                for (Vec3& x : corners) {
                    x = way.to_world(x);
                    box.add(x);
                }
                Meeting deepest;
                for (const int t : searched.triangles_near(box)) {
                    if (a == b && (t <= s || share_a_vertex(own.mesh.triangles[s], own.mesh.triangles[t])))
                        continue;
                    if (const double depth = triangle_overlap(corners, searched.corners(t)); depth > 0) {
                        const Bounds& other = searched.boxes[t];
                        const Vec3 x = 0.5 * (box.min.cwiseMax(other.min) + box.max.cwiseMin(other.max));
                        deepest +=
                            {depth, in.frame().to_world(x), depth, swapped ? std::array{t, s} : std::array{s, t}, 1};
                    }
                }
                return deepest;
            },
            points_a_thread);
    };
    const AuditedBody &one = shape(a), &other = shape(b);
    if (one.polyhedron() && other.polyhedron())
        return polyhedra(one, other);
    Meeting found;
    if (a != b) {
        found += points(one, other);
        found += points(other, one);
    }
    const auto size = [](const AuditedBody& body) {
        return body.surface() ? body.surface()->mesh.triangles.size() : 0;
    };
    const bool swapped = size(one) > size(other);
    found += swapped ? cuts(other, one, true) : cuts(one, other, false);
    return found;
}

/// An audit tells of a run and is no part of it: what it cannot do must not end the run.
void OverlapAudit::prepare(int body)
{
    try {
        if (!left_out_.contains(body))
            shape(body).prepare(shared_);
    } catch (const std::exception& error) {
        left_out_.emplace(body, error.what());
    }
}

std::vector<BodyOverlap> OverlapAudit::look(const State& state)
{
    return look(state, [](const BodyPair&) { return true; });
}

std::vector<BodyOverlap> OverlapAudit::look(const State& state, const std::function<bool(const BodyPair&)>& is_wanted)
{
    for (int body = first_; body < bodies_.count(); ++body)
        shape(body).place(bodies_.is_deformable(body) ? Frame() : frame_of_solid(bodies_, body, state), state.x);
    std::vector<BodyPair> pairs = near_pairs();
    std::erase_if(pairs, [&](const auto& pair) { return !is_wanted(pair); });
    for (const auto& [a, b] : pairs)
        if (!(shape(a).polyhedron() && shape(b).polyhedron()))
            for (const int body : {a, b})
                prepare(body);
    std::erase_if(
        pairs, [&](const auto& pair) { return left_out_.contains(pair.first) || left_out_.contains(pair.second); });
    std::vector<Meeting> meetings(pairs.size());
    parallel_for(
        pairs.size(), [&](std::size_t i) { meetings[i] = meeting(pairs[i].first, pairs[i].second); }, 1);
    const auto felt = felt_depths(bodies_, state.attachments);
    std::vector<BodyOverlap> overlaps;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (const Meeting& m = meetings[i]; m.depth > 0) {
            const auto known = felt.find(pairs[i]);
            overlaps.push_back({pairs[i].first, pairs[i].second, m.depth, known == felt.end() ? 0 : known->second,
                m.place, m.triangles, m.crossings});
        }
    return overlaps;
}

double OverlapAudit::depth(const BodyPair& pair, const Frame& first_in_second)
{
    const auto [a, b] = pair;
    shape(a).place(first_in_second, {});
    shape(b).place({}, {});
    for (const int body : {a, b})
        prepare(body);
    return left_out_.contains(a) || left_out_.contains(b) ? infinity : meeting(a, b).depth;
}

bool OverlapAudit::is_unfelt(const BodyOverlap& o) const
{
    return o.depth > 2 * o.felt + std::min(shape(o.body).slack(), shape(o.other).slack());
}

bool OverlapAudit::pass_through(const BodyOverlap& o) const
{
    return is_unfelt(o) || std::max(o.depth, o.felt) > std::min(thickness(o.body), thickness(o.other));
}

} // namespace stickslip
