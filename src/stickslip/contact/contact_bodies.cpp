#include "stickslip/contact/contact_bodies.h"

#include <algorithm>

namespace stickslip {

namespace {

// An extreme point is held as firmly as a ball.
constexpr double round_weight = 4;
// The points at even angles are to hold what lies flat as firmly as its extreme point held it.
constexpr double even_weight = round_weight / Rim::even_points;

} // namespace

int ContactBodies::points(int body) const
{
    const int first = first_rim_point(body);
    return is_rigid(body) ? first + Rim::point_count * static_cast<int>(rigid(body).rims.size()) : first;
}

int ContactBodies::first_rim_point(int body) const
{
    return first_ball(body) + (is_rigid(body) ? static_cast<int>(rigid(body).rounds.size()) : 0);
}

int ContactBodies::first_ball(int body) const
{
    if (is_deformable(body))
        return deformables->bodies[body].surface_nodes.size();
    if (is_obstacle(body))
        return static_cast<int>(obstacle(body).samples.size());
    return static_cast<int>(rigid(body).samples.size());
}

double ContactBodies::point_weight(int body, int point) const
{
    if (is_deformable(body))
        return deformables->nodal_area[surface_node(*deformables, body, point)];
    if (is_rigid(body) && point >= first_rim_point(body))
        return (point - first_rim_point(body)) % Rim::point_count < Rim::extreme_points ? round_weight : even_weight;
    if (is_rigid(body) && point >= first_ball(body))
        return rigid(body).rounds[point - first_ball(body)].weight;
    return (is_obstacle(body) ? obstacle(body).samples : rigid(body).samples)[point].weight;
}

bool ContactBodies::is_pair(int p, int s) const
{
    if (p == s || is_deformable(s))
        return false;
    if (is_obstacle(s) && is_obstacle(p))
        return false;
    if (std::holds_alternative<OpenSurface>(solid(s)) && !is_ball_on_triangles(p, s))
        return false;
    if (is_round(s) && !is_deformable(p) && !(is_round(p) && p < s))
        return false;
    const PairRule* rule = law->rule(p, s);
    return !rule || rule->enabled;
}

double ContactBodies::friction(int p, int s) const
{
    const PairRule* rule = law->rule(p, s);
    return rule && rule->friction ? *rule->friction : law->friction;
}

double ContactBodies::stiffness(int p, int s, int point) const
{
    if (const PairRule* rule = law->rule(p, s); rule && rule->stiffness)
        return *rule->stiffness;
    if (law->stiffness)
        return *law->stiffness;
    const double base = is_deformable(p) ? law->automatic[p] : std::max(law->automatic[p], law->automatic[s]);
    return base * point_weight(p, point);
}

} // namespace stickslip
