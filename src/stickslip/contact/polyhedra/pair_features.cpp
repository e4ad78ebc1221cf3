#include "stickslip/contact/polyhedra/pair_features.h"

#include "stickslip/geometry/queries/overlap_on_way.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// Sines of angles. Measured on heaps, stacks and random impacts (docs/derivations.md#edges).
constexpr double vertex_tolerance = 0.3; // an edge of the vertex may lead that far behind the plane of its face
constexpr double edge_tolerance = 0.2, crossed_edge_tolerance = 0.05;
constexpr double touching_overlap = 1e-3; // of the thickness
constexpr double beyond_end = 0.02; // of an edge
constexpr double crossed_depth = 1e-10; // [m]
constexpr double along_face = 0.5; // cosine of the angle between the normals of a face and a pair that pushes along it
constexpr double unseen = 0.1; // of the thickness: overlap that must not go unfelt

Frame inverse(const Frame& frame)
{
    return {-(frame.R.transpose() * frame.x), frame.R.transpose()};
}

Bounds box_of(const ConvexFeatures& solid)
{
    Bounds box;
    for (const Vec3& v : solid.vertices)
        box.add(v);
    return box;
}

// Of an edge: where it comes on the way.
Bounds box_of_edge(const ConvexFeatures& solid, int edge, const Frame& old_pose, const Frame& pose)
{
    Bounds box;
    for (const int v : solid.edges[edge].ends) {
        box.add(old_pose.to_world(solid.vertices[v]));
        box.add(pose.to_world(solid.vertices[v]));
    }
    return box;
}

// Edges of `own` that come as near to `other` as `reach` at the start or at the end of the way.
std::vector<int> near_edges(
    const ConvexFeatures& own, const ConvexFeatures& other, const Frame& old_pose, const Frame& pose, double reach)
{
    const Bounds wide = box_of(other).grown(reach);
    std::vector<int> near;
    for (int e = 0; e < static_cast<int>(own.edges.size()); ++e)
        if (box_of_edge(own, e, old_pose, pose).overlaps(wide))
            near.push_back(e);
    return near;
}

bool beyond(double x)
{
    return x < -beyond_end || x > 1 + beyond_end;
}

// Whether the straight way from a to b comes over the face.
bool comes_over(const ConvexFeatures::Face& face, const std::vector<Zone>& zones, const Vec3& a, const Vec3& b)
{
    double begin = 0, end = 1; // of the part over it
    for (std::size_t i = 0; i < face.rims.size(); ++i) {
        const double margin = 0.01 * zones[i].width + 1e-12;
        const double at_a = face.rims[i].g.dot(a) - face.rims[i].offset - margin,
                     at_b = face.rims[i].g.dot(b) - face.rims[i].offset - margin;
        if (at_a > 0 && at_b > 0)
            return false;
        if (at_a > 0)
            begin = std::max(begin, at_a / (at_a - at_b));
        else if (at_b > 0)
            end = std::min(end, at_a / (at_a - at_b));
    }
    return begin <= end;
}

// How far the solid reaches behind the plane of a face of another [m].
double reach_behind(const ConvexFeatures::Face& face, const ConvexFeatures& own, const Frame& pose)
{
    double deepest = 0;
    for (const Vec3& v : own.vertices)
        deepest = std::max(deepest, -face.distance(pose.to_world(v)));
    return deepest;
}

// Whether the edges of the vertex lead away from the face, R: of the vertex's solid in the frame of the face.
bool can_touch(const ConvexFeatures::Face& face, const ConvexFeatures& own, int vertex, const Mat3& R)
{
    return std::all_of(own.neighbours[vertex].begin(), own.neighbours[vertex].end(), [&](int other) {
        return face.n.dot(R * (own.vertices[other] - own.vertices[vertex]).normalized()) >= -vertex_tolerance;
    });
}

bool is_listed(const std::vector<VertexOnFace>& listed, int vertex)
{
    return std::any_of(listed.begin(), listed.end(), [&](const VertexOnFace& c) { return c.vertex == vertex; });
}

} // namespace

PairFeatures::PairFeatures(
    const PairMotion& motion, std::span<const Attachment> a_on_b, std::span<const Attachment> b_on_a)
    : motion_(motion)
    , thickness_(std::min(motion.a->thickness, motion.b->thickness))
    , reach_(2 * (motion.approach + motion.fall) + 0.02 * thickness_)
    , sag_(std::max(0.1 * (motion.approach + motion.fall), 0.1 * touching_overlap * thickness_))
    , overlap_old_(least_overlap(*motion.b, *motion.a, relative(motion.old_b, motion.old_a), -reach_))
{
    flush_ = touching_overlap * thickness_ + 1.5 * std::max(0.0, overlap_old_.depth);
    if (overlap_old_.depth <= -reach_ && a_on_b.empty() && b_on_a.empty())
        return;
    list_vertices(way(true, motion.next_a, motion.next_b), a_on_b, a_on_b_);
    list_vertices(way(false, motion.next_a, motion.next_b), b_on_a, b_on_a_);
    find_holding_faces();
    list_edges(a_on_b);
    find_ends();
}

PairFeatures::Way PairFeatures::way(bool of_a, const Frame& a, const Frame& b) const
{
    const Frame old_pose = relative(motion_.old_b, motion_.old_a), pose = relative(b, a);
    if (of_a)
        return {motion_.a, motion_.b, old_pose, pose};
    return {motion_.b, motion_.a, inverse(old_pose), inverse(pose)};
}

// How far the solid of the vertex reaches in over the face from the rim: 0, not at all, to 1.
double PairFeatures::reach_over(const Way& way, int vertex, const ConvexFeatures::Rim& rim) const
{
    constexpr double straight = 0.1; // the sine of an angle
    double inward = 0; // of the edge that leads in over the face the most
    for (const int end : way.own->neighbours[vertex])
        inward = std::max(
            inward, -rim.g.dot(way.old_pose.R * (way.own->vertices[end] - way.own->vertices[vertex]).normalized()));
    return std::min(1.0, inward / straight);
}

// The same of an end of an edge that leads in over the rim `other_edge` there; 1 of one that leads out. normal: of the
// pair, from the other solid [world].
double PairFeatures::reach_at(const Way& way, int edge, int end, int other_edge, const Vec3& normal) const
{
    const Mat3& R = way.own == motion_.a ? motion_.old_b.R : motion_.old_a.R; // of the other
    const auto [f, g] = way.other->edges[other_edge].faces;
    const Vec3 n = R.transpose() * normal;
    const ConvexFeatures::Face& face =
        way.other->faces[n.dot(way.other->faces[f].n) >= n.dot(way.other->faces[g].n) ? f : g];
    const ConvexFeatures::Rim& rim = *face.rim_at(other_edge);
    const Vec3 outward = way.old_pose.R * way.own->along(edge) * (end == 0 ? -1 : 1);
    return rim.g.dot(outward) >= 0 ? 1 : reach_over(way, way.own->edges[edge].ends[end], rim);
}

VertexOnFace PairFeatures::vertex_on(const Way& way, int vertex, int face) const
{
    const Vec3 z_old = way.old_pose.to_world(way.own->vertices[vertex]);
    const double depth = std::max(0.0, -way.other->faces[face].distance(z_old));
    const double width = std::min(2 * (sag_ + depth), 0.1 * way.own->thickness);
    VertexOnFace contact{vertex, face, {}, z_old, std::nullopt};
    for (const ConvexFeatures::Rim& rim : way.other->faces[face].rims) {
        const double own = std::min(width, 0.1 * rim.width);
        contact.zones.push_back({own, own * reach_over(way, vertex, rim)});
    }
    return contact;
}

// Which faces of the other hold the solid up: all of it is in front at the start of the step, and vertices of one can
// come to them, or to a face that they lie on. What would sink behind them on its way is level with them instead.
std::vector<bool> PairFeatures::holding_faces(const Way& way) const
{
    constexpr double parallel = 0.999; // a cosine
    const bool of_a = way.own == motion_.a;
    const std::vector<VertexOnFace>&own = of_a ? a_on_b_ : b_on_a_, &others = of_a ? b_on_a_ : a_on_b_;
    std::vector<bool> holding(way.other->faces.size(), false);
    for (const VertexOnFace& listed : own)
        holding[listed.face] = true;
    for (const VertexOnFace& listed : others) {
        const Vec3 n = way.old_pose.R * way.own->faces[listed.face].n;
        for (std::size_t f = 0; f < holding.size(); ++f)
            holding[f] = holding[f] || way.other->faces[f].n.dot(n) < -parallel;
    }
    for (std::size_t f = 0; f < holding.size(); ++f)
        holding[f] = holding[f] && std::all_of(way.own->vertices.begin(), way.own->vertices.end(), [&](const Vec3& v) {
            return way.other->faces[f].distance(way.old_pose.to_world(v)) >= -flush_;
        });
    return holding;
}

// A vertex ahead of what lands would come above its bottom before it is over it, and be met by its front, if it fell
// on.
void PairFeatures::find_holding_faces()
{
    const Way a_to_b = way(true, motion_.next_a, motion_.next_b), b_to_a = way(false, motion_.next_a, motion_.next_b);
    holding_b_ = holding_faces(a_to_b);
    holding_a_ = holding_faces(b_to_a);
    const auto leave_others = [](const Way& way, const std::vector<bool>& holding, std::vector<VertexOnFace>& listed) {
        if (std::find(holding.begin(), holding.end(), true) == holding.end())
            return;
        std::erase_if(listed, [&](const VertexOnFace& c) {
            return !c.kept && !holding[c.face] && way.other->faces[c.face].distance(c.z_old) > 0;
        });
    };
    leave_others(a_to_b, holding_b_, a_on_b_);
    leave_others(b_to_a, holding_a_, b_on_a_);
}

double PairFeatures::farthest_behind() const
{
    return 1.5 * std::max(0.0, overlap_old_.depth) + unseen * thickness_;
}

// Whether the vertex begins behind the face, ends in front of it, and comes in over the rim, past the last of the other
// faces that it is in front of, no deeper than springs may have let it sink. So what slides from one body onto a slope
// that falls from its rim is not stopped by the end of the slope.
bool PairFeatures::passes_over_rim(const Way& way, int face, const Vec3& z_old, const Vec3& z) const
{
    const double old_distance = way.other->faces[face].distance(z_old), distance = way.other->faces[face].distance(z);
    double share = 0; // of the way
    for (int g = 0; g < static_cast<int>(way.other->faces.size()); ++g) {
        const double before = way.other->faces[g].distance(z_old), after = way.other->faces[g].distance(z);
        if (g != face && before > 0 && after < before)
            share = std::max(share, std::min(1.0, before / (before - after)));
    }
    const double at_rim = old_distance + share * (distance - old_distance);
    return old_distance <= 0 && distance >= 0 && at_rim > -std::min(motion_.indentation, touching_overlap * thickness_);
}

// Of the faces that the vertex is in front of, the one whose plane it goes through last; inside, the nearest. Of those
// that hold its solid up, where there are any. Faces come first that the vertex can touch with all its edges in front
// (Gauss map), which settles what is flush. None that the vertex is farther behind than the solids overlap: it does not
// part them. -1: none.
int PairFeatures::face_for(const Way& way, int vertex, const Vec3& z_old, const Vec3& z) const
{
    struct Candidate {
        int face;
        double old_distance, distance;
        bool passes_over_rim;
    };
    std::vector<Candidate> candidates;
    for (int f = 0; f < static_cast<int>(way.other->faces.size()); ++f) {
        const ConvexFeatures::Face& face = way.other->faces[f];
        candidates.push_back({f, face.distance(z_old), face.distance(z), false});
    }
    for (Candidate& c : candidates)
        c.passes_over_rim = passes_over_rim(way, c.face, z_old, z);
    const auto keep = [&](const auto& which) { // only those, if there are any
        if (std::any_of(candidates.begin(), candidates.end(), which))
            std::erase_if(candidates, [&](const Candidate& c) { return !which(c); });
    };
    const auto is_in_front = [&](const Candidate& c) {
        return c.passes_over_rim || c.old_distance > -touching_overlap * thickness_;
    };
    const auto is_supported = [&](const Candidate& c) {
        return can_touch(way.other->faces[c.face], *way.own, vertex, way.pose.R);
    };
    std::erase_if(candidates, [&](const Candidate& c) { return c.old_distance < -farthest_behind(); });
    const std::vector<bool>& holding = way.own == motion_.a ? holding_b_ : holding_a_;
    if (!holding.empty())
        keep([&](const Candidate& c) { return holding[c.face] || c.passes_over_rim; });
    keep(is_in_front);
    keep(is_supported);
    const bool in_front = !candidates.empty() && is_in_front(candidates.front());
    const auto rank = [&](const Candidate& c) { // the share of the way after which the plane is crossed
        constexpr double never = 1e6;
        if (!in_front)
            return c.old_distance;
        if (c.old_distance <= 0) // level with the face, it goes on over it
            return c.passes_over_rim || c.old_distance > -motion_.indentation ? 2 * never + c.distance
                                                                              : 1e-3 * c.old_distance;
        const double closing = c.old_distance - c.distance;
        const double share = closing > 1e-12 ? c.old_distance / closing : never;
        return share >= never ? never + c.old_distance : share;
    };
    int best = -1;
    double highest = -infinity;
    for (const Candidate& c : candidates)
        if (rank(c) > highest) {
            highest = rank(c);
            best = c.face;
        }
    return best;
}

void PairFeatures::list_vertices(
    const Way& way, std::span<const Attachment> kept, std::vector<VertexOnFace>& listed) const
{
    // A face that the solid has turned far behind parts the two no more: its vertex finds another.
    for (const Attachment& a : kept)
        if (const auto* on = std::get_if<OnSolid>(&a.to);
            on && reach_behind(way.other->faces[on->patch], *way.own, way.old_pose) <= farthest_behind()) {
            listed.push_back(vertex_on(way, a.point, on->patch));
            listed.back().kept = a;
        }
    const Bounds box = box_of(*way.other);
    for (int v = 0; v < static_cast<int>(way.own->vertices.size()); ++v) {
        if (is_listed(listed, v))
            continue;
        const Vec3 z_old = way.old_pose.to_world(way.own->vertices[v]), z = way.pose.to_world(way.own->vertices[v]);
        Bounds of_way;
        of_way.add(z_old);
        of_way.add(z);
        if (!of_way.overlaps(box.grown(reach_)))
            continue;
        const int f = face_for(way, v, z_old, z);
        if (f < 0)
            continue;
        const VertexOnFace contact = vertex_on(way, v, f);
        const ConvexFeatures::Face& face = way.other->faces[f];
        const double before = face.distance(z_old), closing = before - face.distance(z);
        const double share = before <= 0 ? 0 : closing > 1e-12 ? std::min(1.0, before / closing) : 1;
        const Vec3 entry = z_old + share * (z - z_old);
        const bool is_level = before <= 0
            && (before > -motion_.indentation || passes_over_rim(way, f, z_old, z)); // it may come over the face later
        // what goes through the plane beyond a rim is carried by edge pairs alone
        if (comes_over(face, contact.zones, entry, is_level ? z : entry))
            listed.push_back(contact);
    }
}

EdgePair PairFeatures::edge_pair(int edge_a, int edge_b, double sigma) const
{
    const EdgeCrossing at = crossing(
        edge_line(*motion_.a, edge_a, relative(motion_.old_b, motion_.old_a)), edge_line(*motion_.b, edge_b), sigma);
    return {edge_a, edge_b, sigma, at.d, at.s, at.t, std::nullopt, {}};
}

// Whether the edges are not through one another at the start of the step. Lines that cross behind one another may do so
// beyond an end whose vertex presses on a face at the rim that the other edge is. As the vertex leaves over that rim,
// the pair takes over: it is as deep as the vertex is and as its way to the rim adds.
bool PairFeatures::has_not_crossed(const EdgePair& pair) const
{
    if (pair.d_old <= flush_)
        return true;
    const Vec3 u = motion_.old_a.R * motion_.a->along(pair.edge_a), v = motion_.old_b.R * motion_.b->along(pair.edge_b);
    const Vec3 n = pair.sigma * u.cross(v).normalized(); // from b to a [world]
    for (const bool of_a : {true, false}) {
        const double at = of_a ? pair.s_old : pair.t_old;
        if (at >= 0 && at <= 1)
            continue;
        const ConvexFeatures &own = of_a ? *motion_.a : *motion_.b, &other = of_a ? *motion_.b : *motion_.a;
        const int vertex = own.edges[of_a ? pair.edge_a : pair.edge_b].ends[at < 0 ? 0 : 1];
        for (const VertexOnFace& listed : of_a ? a_on_b_ : b_on_a_) {
            const ConvexFeatures::Face& face = other.faces[listed.face];
            const ConvexFeatures::Rim* rim = face.rim_at(of_a ? pair.edge_b : pair.edge_a);
            if (listed.vertex != vertex || !rim)
                continue;
            const double cosine = (of_a ? 1 : -1) * n.dot((of_a ? motion_.old_b : motion_.old_a).R * face.n);
            const double to_rim = std::max(0.0, rim->offset - rim->g.dot(listed.z_old));
            if (cosine > along_face
                && pair.d_old <= flush_ + 1.5 * std::max(0.0, -face.distance(listed.z_old))
                        + 1.1 * to_rim * std::sqrt(std::max(0.0, 1 - cosine * cosine)))
                return true;
        }
    }
    return false;
}

// On which the vertex is listed, or would be, with its edges in front; -1: none.
int PairFeatures::face_of(bool of_a, int vertex) const
{
    const Way way = this->way(of_a, motion_.next_a, motion_.next_b);
    int face = -1;
    for (const VertexOnFace& listed : of_a ? a_on_b_ : b_on_a_)
        if (listed.vertex == vertex)
            face = listed.face;
    if (face < 0)
        face = face_for(way, vertex, way.old_pose.to_world(way.own->vertices[vertex]),
            way.pose.to_world(way.own->vertices[vertex]));
    return face >= 0 && can_touch(way.other->faces[face], *way.own, vertex, way.pose.R) ? face : -1;
}

// Whether the edges cross at (s, t) at an end of one whose vertex goes over a face that the other bounds, no farther
// than springs may have let it sink, and along which the pair pushes: the vertex is level with what it meets.
bool PairFeatures::is_left_to_vertex(const EdgePair& pair, double s, double t) const
{
    const double margin = std::max(motion_.indentation, touching_overlap * thickness_);
    const Vec3 u = motion_.old_a.R * motion_.a->along(pair.edge_a), v = motion_.old_b.R * motion_.b->along(pair.edge_b);
    const Vec3 n = pair.sigma * u.cross(v).normalized(); // from b to a [world]
    for (const bool of_a : {true, false}) {
        const double at = of_a ? s : t;
        if (!(std::min(at, 1 - at) * (of_a ? u : v).norm() < margin))
            continue;
        const ConvexFeatures &own = of_a ? *motion_.a : *motion_.b, &other = of_a ? *motion_.b : *motion_.a;
        const int vertex = own.edges[of_a ? pair.edge_a : pair.edge_b].ends[at < 0.5 ? 0 : 1];
        const int face = face_of(of_a, vertex);
        if (face < 0 || !other.faces[face].rim_at(of_a ? pair.edge_b : pair.edge_a))
            continue;
        const Vec3 outward = (of_a ? motion_.old_b : motion_.old_a).R * other.faces[face].n;
        if ((of_a ? 1 : -1) * n.dot(outward) < along_face)
            return true;
    }
    return false;
}

void PairFeatures::list_edges(std::span<const Attachment> kept)
{
    for (const Attachment& a : kept)
        if (const auto* on = std::get_if<OnEdges>(&a.to)) {
            edges_.push_back(edge_pair(a.point, a.slot - 1, on->sigma));
            edges_.back().kept = a;
        }
    const std::size_t kept_count = edges_.size();
    const Way to_b = way(true, motion_.next_a, motion_.next_b), to_a = way(false, motion_.next_a, motion_.next_b);
    const std::vector<int> near_a = near_edges(*motion_.a, *motion_.b, to_b.old_pose, to_b.pose, reach_),
                           near_b = near_edges(*motion_.b, *motion_.a, to_a.old_pose, to_a.pose, reach_);
    for (const int ea : near_a) {
        const Bounds box_a = // crossed edges are as far apart as they are deep
            box_of_edge(*motion_.a, ea, to_b.old_pose, to_b.pose).grown(reach_ + flush_);
        const EdgeLine old_line = edge_line(*motion_.a, ea, to_b.old_pose),
                       next_line = edge_line(*motion_.a, ea, to_b.pose);
        for (const int eb : near_b) {
            if (!box_a.overlaps(box_of_edge(*motion_.b, eb, Frame{}, Frame{})))
                continue;
            if (std::any_of(edges_.begin(), edges_.begin() + static_cast<std::ptrdiff_t>(kept_count),
                    [&](const EdgePair& e) { return e.edge_a == ea && e.edge_b == eb; }))
                continue;
            double sigma = supporting_side(*motion_.a, *motion_.b, ea, eb, to_b.old_pose.R, edge_tolerance);
            if (sigma == 0)
                sigma = supporting_side(*motion_.a, *motion_.b, ea, eb, to_b.pose.R, edge_tolerance);
            if (sigma == 0)
                continue;
            const EdgeLine line_b = edge_line(*motion_.b, eb);
            const EdgeCrossing old = crossing(old_line, line_b, sigma), next = crossing(next_line, line_b, sigma);
            const EdgePair pair{ea, eb, sigma, old.d, old.s, old.t, std::nullopt, {}};
            if (!(pair.d_old <= flush_) || (pair.d_old < -reach_ && next.d < -reach_))
                continue;
            const bool crosses = pair.d_old < 0 && next.d > 0;
            EdgeCrossing touch = old;
            if (crosses) {
                const double share = pair.d_old / (pair.d_old - next.d);
                const EdgeLine line_a{old_line.start + share * (next_line.start - old_line.start),
                    old_line.along + share * (next_line.along - old_line.along)};
                touch = crossing(line_a, line_b, sigma);
            }
            if ((crosses || (pair.d_old >= 0 && next.d > 0)) && (beyond(touch.s) || beyond(touch.t)))
                continue;
            if (is_left_to_vertex(pair, touch.s, touch.t))
                continue;
            edges_.push_back(pair);
        }
    }
}

// The vertex at an end of a pair whose face the other edge bounds, where the pair's edge leads out over that rim.
void PairFeatures::find_ends()
{
    for (EdgePair& pair : edges_) {
        const Vec3 normal = pair.sigma // from b to a [world]
            * (motion_.old_a.R * motion_.a->along(pair.edge_a)).cross(motion_.old_b.R * motion_.b->along(pair.edge_b));
        for (int i = 0; i < 4; ++i) {
            const bool of_a = i < 2;
            const Way to = way(of_a, motion_.old_a, motion_.old_b);
            const int own_edge = of_a ? pair.edge_a : pair.edge_b, other_edge = of_a ? pair.edge_b : pair.edge_a;
            const int vertex = to.own->edges[own_edge].ends[i % 2];
            EdgePair::End& end = pair.ends[i];
            end = {std::max(sag_, 0.01 * thickness_),
                reach_at(to, own_edge, i % 2, other_edge, (of_a ? 1 : -1) * normal), -1, -1};
            const std::vector<VertexOnFace>& contacts = of_a ? a_on_b_ : b_on_a_;
            for (std::size_t c = 0; c < contacts.size(); ++c) {
                const VertexOnFace& listed = contacts[c];
                const ConvexFeatures::Rim* rim = to.other->faces[listed.face].rim_at(other_edge);
                if (listed.vertex != vertex || !rim)
                    continue;
                const Vec3 outward = to.own->along(own_edge) * (i % 2 == 0 ? -1 : 1);
                if (rim->g.dot(to.old_pose.R * outward) > 0) {
                    end.vertex = static_cast<int>(c);
                    end.rim = static_cast<int>(rim - to.other->faces[listed.face].rims.data());
                }
            }
        }
    }
}

double PairFeatures::overlap_at(const Frame& a, const Frame& b, double enough) const
{
    return least_overlap(*motion_.b, *motion_.a, relative(b, a), enough, overlap_old_.axis).depth;
}

bool PairFeatures::grow(const Frame& a, const Frame& b)
{
    const double overlap_now = overlap_at(a, b, crossed_depth);
    if (!(overlap_now > crossed_depth))
        return false;
    const Way a_to_b = way(true, a, b), b_to_a = way(false, a, b);
    const bool vertices_a = grow_vertices(a_to_b, a_on_b_), vertices_b = grow_vertices(b_to_a, b_on_a_);
    const bool grows = grow_edges(a_to_b, overlap_now) || vertices_a || vertices_b;
    if (grows)
        find_ends();
    return grows;
}

bool PairFeatures::grow_vertices(const Way& way, std::vector<VertexOnFace>& listed) const
{
    const std::size_t count = listed.size();
    for (int v = 0; v < static_cast<int>(way.own->vertices.size()); ++v) {
        const Vec3 z = way.pose.to_world(way.own->vertices[v]);
        const bool is_inside = std::all_of(way.other->faces.begin(), way.other->faces.end(),
            [&](const ConvexFeatures::Face& face) { return face.distance(z) < -crossed_depth; });
        if (!is_inside || is_listed(listed, v))
            continue;
        if (const int face = face_for(way, v, way.old_pose.to_world(way.own->vertices[v]), z); face >= 0)
            listed.push_back(vertex_on(way, v, face));
    }
    return listed.size() > count;
}

bool PairFeatures::grow_edges(const Way& a_to_b, double overlap_now)
{
    const std::size_t count = edges_.size();
    for (int ea = 0; ea < static_cast<int>(motion_.a->edges.size()); ++ea) {
        const EdgeLine line_a = edge_line(*motion_.a, ea, a_to_b.pose);
        for (int eb = 0; eb < static_cast<int>(motion_.b->edges.size()); ++eb) {
            const EdgeCrossing now = crossing(line_a, edge_line(*motion_.b, eb), 1);
            const double sigma = now.d > 0 ? 1 : -1, depth = std::abs(now.d); // where they have crossed
            if (!(depth > crossed_depth) || now.s < 0 || now.s > 1 || now.t < 0 || now.t > 1
                || depth > 1.5 * overlap_now + flush_)
                continue;
            if (supporting_side(*motion_.a, *motion_.b, ea, eb, a_to_b.pose.R, crossed_edge_tolerance) != sigma)
                continue;
            if (std::any_of(
                    edges_.begin(), edges_.end(), [&](const EdgePair& e) { return e.edge_a == ea && e.edge_b == eb; }))
                continue;
            if (const EdgePair pair = edge_pair(ea, eb, sigma);
                has_not_crossed(pair) && !is_left_to_vertex(pair, now.s, now.t))
                edges_.push_back(pair);
        }
    }
    return edges_.size() > count;
}

double PairFeatures::missed_depth(const Frame& a, const Frame& b, double felt) const
{
    const double allowed = unseen * thickness_ + 2 * felt;
    const double now = overlap_at(a, b, allowed);
    if (now > allowed && now > overlap_old_.depth)
        return now;
    const double allowed_on_the_way = std::max(allowed, overlap_old_.depth);
    const int steps = std::min(16, 1 + static_cast<int>(motion_.approach / (0.25 * thickness_)));
    return overlap_on_way({motion_.old_a, a}, {motion_.old_b, b}, steps, allowed_on_the_way, [&](const Frame& a_in_b) {
        return least_overlap(*motion_.b, *motion_.a, a_in_b, allowed_on_the_way, overlap_old_.axis).depth;
    });
}

} // namespace stickslip
