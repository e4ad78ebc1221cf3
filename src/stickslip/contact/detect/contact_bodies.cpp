#include "stickslip/contact/detect/contact_bodies.h"

#include "stickslip/geometry/solids/grown_solid.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// An extreme point is as stiff as a ball.
constexpr double round_weight = 4;
// The points at even angles are together as stiff under what lies flat as its extreme point was.
constexpr double even_weight = round_weight / Rim::even_points;
// What infinite friction counts as [-]. Were a contact to hold at any depth at all, its whole shear would go with the
// last of the depth: a step in which a body lifts off would have no root (docs/derivations.md#infinite-friction).
constexpr double infinite_friction = 1e4;

} // namespace

std::span<const SurfaceSample> ContactBodies::samples(int body) const
{
    if (has_free_points(body))
        return {};
    return is_obstacle(body) ? obstacle(body).samples : rigid(body).samples;
}

std::span<const RoundPoint> ContactBodies::rounds(int body) const
{
    if (has_free_points(body))
        return {};
    return is_obstacle(body) ? obstacle(body).rounds : rigid(body).rounds;
}

std::span<const RoundPoint> ContactBodies::soft_balls(int body) const
{
    if (has_free_points(body))
        return {};
    return is_rigid(body) && is_sphere(body) ? rounds(body) : std::span(patch_points(body).balls);
}

std::span<const Rim> ContactBodies::rims(int body) const
{
    if (has_free_points(body))
        return {};
    return is_obstacle(body) ? obstacle(body).rims : rigid(body).rims;
}

std::span<const Rim> ContactBodies::round_rims(int body) const
{
    if (has_free_points(body))
        return {};
    return is_obstacle(body) ? obstacle(body).round_rims : rigid(body).round_rims;
}

int ContactBodies::points(int body) const
{
    return first_rim_point(body) + Rim::point_count * static_cast<int>(rims(body).size());
}

void ContactBodies::grow_solids()
{
    auto all = std::make_shared<GrownSolids>();
    std::vector<double> widths;
    for (int m = first_mpm(); m < total(); ++m) {
        const double half_width = mpm_body(m).half_width;
        const auto known = std::find(widths.begin(), widths.end(), half_width);
        all->width_of_body.push_back(static_cast<int>(known - widths.begin()));
        if (known != widths.end())
            continue;
        widths.push_back(half_width);
        all->solids.emplace_back();
        for (int s = first_rigid(); s < count(); ++s)
            all->solids.back().push_back(stickslip::grown(solid(s), half_width));
    }
    grown = all;
}

int ContactBodies::first_rim_point(int body) const
{
    return first_ball(body) + static_cast<int>(rounds(body).size());
}

int ContactBodies::first_ball(int body) const
{
    if (is_deformable(body))
        return deformables->bodies[body].surface_nodes.size();
    if (is_mpm(body))
        return mpm_body(body).particles.size();
    return static_cast<int>(samples(body).size());
}

int ContactBodies::place(int body, int point) const
{
    if (is_deformable(body))
        return surface_node(*deformables, body, point);
    return static_cast<int>(deformables->rest.size()) + mpm_body(body).particles.begin + point;
}

int ContactBodies::block_of_point(int body, int point) const
{
    return place(body, point) + (is_mpm(body) ? 2 * static_cast<int>(rigids->size()) : 0);
}

double ContactBodies::point_weight(int body, int point) const
{
    if (is_deformable(body))
        return deformables->nodal_area[surface_node(*deformables, body, point)];
    if (is_mpm(body))
        return mpm_body(body).contact_area();
    if (point == axis_point(body))
        return round_weight;
    if (point >= first_rim_point(body))
        return (point - first_rim_point(body)) % Rim::point_count < Rim::extreme_points ? round_weight : even_weight;
    if (point >= first_ball(body))
        return rounds(body)[point - first_ball(body)].weight;
    return samples(body)[point].weight;
}

int ContactBodies::first_edge(int body) const
{
    if (!is_deformable(body))
        return axis_point(body) + 1;
    return first_facet_point(*deformables, body) + law->quadrature * deformables->bodies[body].triangles.size();
}

double ContactBodies::node_stiffness(int body) const
{
    const DeformableBody& soft = deformables->bodies[body];
    return law->automatic[body] * soft.surface_area / soft.surface_nodes.size();
}

double ContactBodies::element_stiffness(int body) const
{
    const DeformableBody& soft = deformables->bodies[body];
    const double young = young_modulus(deformables->materials[deformables->material_of_tet[soft.tets.begin]]);
    return young / soft.element_size * soft.surface_area / soft.surface_nodes.size();
}

double ContactBodies::edge_stiffness(int a, int b) const
{
    const auto own = [&](int body) { return is_deformable(body) ? node_stiffness(body) : law->automatic[body]; };
    return said_stiffness(a, b).value_or(std::max(own(a), own(b)));
}

// A point of a solid holds a place between those of the soft surface, no larger than what a node holds: the area of
// the faces beside its edge is held by the soft surface's points.
double ContactBodies::patch_stiffness(int p, int s, int point) const
{
    if (is_deformable(p))
        return facet_stiffness(p, s, point);
    if (const auto said = said_stiffness(p, s))
        return *said;
    if (is_mpm(p))
        return point_weight(p, point) * std::max(law->automatic[p], law->automatic[s]);
    const PatchPoints& points = patch_points(p);
    const SurfaceSample& sample = points.samples[point];
    const double of_node = node_stiffness(s);
    const double of_area = sample.weight * law->automatic[s] * points.area / 8;
    return std::max(sample.weight * law->automatic[p], sample.peak ? of_node : std::min(of_area, of_node));
}

// A pressure that all points of a facet share by its area. What is said of a point means a node.
double ContactBodies::facet_stiffness(int p, int s, int point) const
{
    const DeformableBody& body = deformables->bodies[p];
    const FacetSample sample = facet_sample(p, point);
    const auto& [i, j, k] = deformables->triangles[body.triangles.begin + sample.facet];
    const std::vector<Vec3>& X = deformables->rest;
    const double area = (X[j] - X[i]).cross(X[k] - X[i]).norm() / (2 * law->quadrature) * sample.point.share;
    const double passes = p == s ? 0.5 : 1; // of a body with itself each place is met from both sides
    const double nodes_per_area = body.surface_nodes.size() / body.surface_area;
    if (const auto said = said_stiffness(p, s))
        return passes * *said * nodes_per_area * area;
    return passes * std::max(law->automatic[p], law->automatic[s]) * area;
}

double ContactBodies::friction(int p, int s) const
{
    const PairRule* rule = law->rule(p, s);
    const double mu = rule && rule->friction ? *rule->friction : law->friction;
    return std::isinf(mu) ? infinite_friction : mu;
}

double ContactBodies::stiffness(int p, int s, int point) const
{
    switch (kind(p, s, point)) {
    case ContactKind::edges:
    case ContactKind::polyhedra:
        return edge_stiffness(p, s);
    case ContactKind::point_on_soft:
        return patch_stiffness(p, s, point);
    case ContactKind::ball_on_soft:
        return said_stiffness(p, s).value_or(
            std::max(law->automatic[p] * soft_balls(p)[point - first_soft_ball(p)].weight, node_stiffness(s)));
    case ContactKind::point_on_solid:
    case ContactKind::ball_on_solid:
    case ContactKind::rim_on_solid:
    case ContactKind::rim_on_mesh:
    case ContactKind::axis_on_solid:
    case ContactKind::point_on_mesh:
    case ContactKind::ball_on_mesh:
        break;
    }
    const double of_area = has_free_points(p) ? law->automatic[p] : std::max(law->automatic[p], law->automatic[s]);
    return said_stiffness(p, s).value_or(of_area * point_weight(p, point));
}

std::optional<double> ContactBodies::said_stiffness(int p, int s) const
{
    if (const PairRule* rule = law->rule(p, s); rule && rule->stiffness)
        return rule->stiffness;
    return law->stiffness;
}

} // namespace stickslip
