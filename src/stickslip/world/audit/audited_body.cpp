#include "stickslip/world/audit/audited_body.h"

#include "stickslip/contact/detect/candidates.h"
#include "stickslip/contact/relax/rim_share.h"
#include "stickslip/geometry/mesh/both_sides.h"
#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/geometry/queries/way_through.h"
#include "stickslip/geometry/solids/solid_surface.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace stickslip {

namespace {

constexpr double share_of_solid = 0.1; // [-] of the thickness
constexpr double share_of_element = 0.25; // [-] of the thickness or the element

/// What has triangles: all but what is round all over or has no end.
bool has_triangles(const LevelSet& solid)
{
    return !(std::holds_alternative<Plane>(solid) || std::holds_alternative<Sphere>(solid)
        || std::holds_alternative<Capsule>(solid) || std::holds_alternative<RoundedBox>(solid));
}

const void* address(const LevelSet& solid)
{
    if (const auto* grid = std::get_if<std::shared_ptr<const GridLevelSet>>(&solid))
        return grid->get();
    if (const auto* polyhedron = std::get_if<std::shared_ptr<const ConvexPolyhedron>>(&solid))
        return polyhedron->get();
    return nullptr;
}

std::vector<int> all_below(std::size_t count)
{
    std::vector<int> all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

} // namespace

void SearchedSurface::place()
{
    const bool is_first = boxes.empty();
    boxes.resize(mesh.triangles.size());
    box = {};
    for (std::size_t t = 0; t < boxes.size(); ++t) {
        boxes[t] = {};
        for (const int v : mesh.triangles[t]) {
            boxes[t].add(mesh.vertices[v]);
            box.add(mesh.vertices[v]);
        }
    }
    if (!is_first)
        return tree.refit(boxes);
    tree = BoxTree(boxes);
    used = vertices_of(all_below(mesh.triangles.size()));
}

// Beside what has no end all are near, and many: they need no search.
std::vector<int> SearchedSurface::triangles_near(const Bounds& place) const
{
    if (place.contains(box.min) && place.contains(box.max))
        return all_below(mesh.triangles.size());
    std::vector<int> near;
    tree.visit_overlapping(place, [&](int t) {
        if (boxes[t].overlaps(place))
            near.push_back(t);
    });
    std::sort(near.begin(), near.end());
    return near;
}

std::vector<int> SearchedSurface::vertices_of(const std::vector<int>& triangles) const
{
    if (!used.empty() && triangles.size() == mesh.triangles.size())
        return used;
    std::vector<int> vertices;
    for (const int t : triangles)
        vertices.insert(vertices.end(), mesh.triangles[t].begin(), mesh.triangles[t].end());
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    return vertices;
}

double SearchedSurface::distance_to(const Vec3& x) const
{
    const BoxTree::Nearest nearest = tree.nearest(x, [&](int t) {
        const auto& [a, b, c] = corners(t);
        return (x - closest_point_on_triangle(x, a, b, c).point).squaredNorm();
    });
    return std::sqrt(nearest.squared);
}

AuditedBody::AuditedBody(const ContactBodies& bodies, int body)
    : bodies_(bodies)
    , body_(body)
{
    if (bodies.is_deformable(body)) {
        const DeformableSet& set = *bodies.deformables;
        const DeformableBody& of = set.bodies[body];
        soft_ = std::make_shared<SearchedSurface>(SearchedSurface{{}});
        std::vector<int> index(set.rest.size(), -1);
        for (int i = of.surface_nodes.begin; i < of.surface_nodes.end; ++i) {
            index[set.surface_nodes[i]] = static_cast<int>(soft_->mesh.vertices.size());
            soft_->mesh.vertices.push_back(set.rest[set.surface_nodes[i]]);
        }
        for (int t = of.triangles.begin; t < of.triangles.end; ++t) {
            const auto& [i, j, k] = set.triangles[t];
            soft_->mesh.triangles.push_back({index[i], index[j], index[k]});
        }
        soft_->thickness = mean_thickness(soft_->mesh);
        surface_ = soft_;
        tets_.emplace(std::span(set.tets).subspan(of.tets.begin, of.tets.size()));
        return;
    }
    box_ = bounds(bodies.solid(body));
    const Vec3 origin = bodies.is_rigid(body) ? bodies.rigid(body).centre : Vec3::Zero();
    for (RoundPoint ball : bodies.rounds(body)) {
        ball.centre += origin;
        balls_.push_back(ball);
    }
    if (auto features = convex_features(bodies.solid(body)))
        polyhedron_ = std::make_unique<const ConvexFeatures>(std::move(*features));
}

void AuditedBody::place(const Frame& frame, std::span<const Vec3> nodes)
{
    frame_ = frame;
    nodes_ = nodes;
    is_prepared_ = false;
    if (!soft_)
        return;
    const DeformableSet& set = *bodies_.deformables;
    const int first = set.bodies[body_].surface_nodes.begin;
    box_ = {};
    for (std::size_t v = 0; v < soft_->mesh.vertices.size(); ++v) {
        soft_->mesh.vertices[v] = nodes[set.surface_nodes[first + static_cast<int>(v)]];
        box_.add(soft_->mesh.vertices[v]);
    }
}

void AuditedBody::prepare(SharedSurfaces& shared)
{
    if (is_prepared_)
        return;
    is_prepared_ = true;
    if (soft_) {
        soft_->place();
        tets_->place(nodes_);
    } else if (const LevelSet& solid = bodies_.solid(body_); !surface_ && has_triangles(solid)) {
        const bool by_triangles = bodies_.is_sheet(body_) || bodies_.is_mesh_solid(body_);
        const Vec3 size = box_.max - box_.min;
        auto& known = shared[{
            by_triangles ? bodies_.triangles(body_) : address(solid), solid.index(), size.x(), size.y(), size.z()}];
        if (!known)
            known = surface_of_solid();
        surface_ = known;
    }
    if (soft_ || !inner_ball_)
        inner_ball_ = find_inner_ball();
}

std::optional<RoundPoint> AuditedBody::find_inner_ball()
{
    Vec3 centre = Vec3::Zero();
    if (soft_) {
        if (innermost_tet_ < 0)
            innermost_tet_ = innermost_tet();
        for (const int i : bodies_.deformables->tets[innermost_tet_])
            centre += 0.25 * nodes_[i];
    } else if (box_.is_finite() && !bodies_.is_sheet(body_)) {
        centre = place_within(bodies_.solid(body_));
    } else {
        return {};
    }
    const double radius = depth(centre, 0);
    return radius > 0 ? std::optional(RoundPoint{.centre = centre, .radius = radius}) : std::nullopt;
}

/// The one whose middle is the deepest at rest.
int AuditedBody::innermost_tet() const
{
    const DeformableSet& set = *bodies_.deformables;
    const DeformableBody& of = set.bodies[body_];
    SearchedSurface at_rest{soft_->mesh};
    for (std::size_t v = 0; v < at_rest.mesh.vertices.size(); ++v)
        at_rest.mesh.vertices[v] = set.rest[set.surface_nodes[of.surface_nodes.begin + static_cast<int>(v)]];
    at_rest.place();
    int innermost = of.tets.begin;
    double deepest = 0;
    for (int t = of.tets.begin; t < of.tets.end; ++t) {
        Vec3 middle = Vec3::Zero();
        for (const int i : set.tets[t])
            middle += 0.25 * set.rest[i];
        if (const double d = at_rest.distance_to(middle); d > deepest)
            std::tie(deepest, innermost) = std::pair(d, t);
    }
    return innermost;
}

std::shared_ptr<SearchedSurface> AuditedBody::surface_of_solid() const
{
    const bool is_mesh = bodies_.is_mesh_solid(body_), is_sheet = bodies_.is_sheet(body_);
    const auto surface = std::make_shared<SearchedSurface>(SearchedSurface{
        is_mesh || is_sheet ? outer_side(bodies_.triangles(body_)->topology) : solid_surface(bodies_.solid(body_), 0)});
    if (is_mesh)
        surface->distance = std::make_unique<const MeshDistance>(surface->mesh, SharedFeatures::allowed);
    if (!is_sheet)
        surface->thickness = mean_thickness(surface->mesh);
    surface->place();
    return surface;
}

Bounds AuditedBody::world_box() const
{
    return placed(box_, frame_);
}

double AuditedBody::depth(const Vec3& x, double radius) const
{
    const Vec3 reach = Vec3::Constant(radius);
    if (!Bounds{box_.min - reach, box_.max + reach}.contains(x))
        return 0;
    if (surface_ && surface_->distance)
        return radius - surface_->distance->sample(x).phi;
    if (!soft_ && !bodies_.is_sheet(body_))
        return radius - signed_distance(bodies_.solid(body_), x);
    const bool is_inside = soft_ && tets_->contains(x);
    if (!is_inside && radius == 0)
        return 0;
    const double away = surface_->distance_to(x);
    return is_inside ? radius + away : radius - away;
}

double AuditedBody::thickness() const
{
    if (polyhedron_)
        return polyhedron_->thickness;
    const double size = soft_ ? infinity : smallest_size(bodies_.solid(body_));
    return std::min(size > 0 ? size : infinity, surface_ ? surface_->thickness : infinity);
}

double AuditedBody::slack() const
{
    return soft_ ? share_of_element * std::min(thickness(), bodies_.deformables->bodies[body_].element_size)
                 : share_of_solid * thickness();
}

} // namespace stickslip
