#include "stickslip/build/built_world.h"

namespace stickslip {

int contact_body(const World& world, const BodyHandle& body)
{
    const ContactBodies bodies = contact_bodies(world);
    if (body.kind == BodyKind::deformable)
        return body.index;
    if (body.kind == BodyKind::mpm)
        return bodies.first_mpm() + body.index;
    return (body.kind == BodyKind::rigid ? bodies.first_rigid() : bodies.first_obstacle()) + body.index;
}

const std::string& contact_body_name(const World& world, int body)
{
    const ContactBodies bodies = contact_bodies(world);
    if (bodies.is_deformable(body))
        return world.deformables.bodies[body].name;
    if (bodies.is_mpm(body))
        return bodies.mpm_body(body).name;
    return bodies.is_rigid(body) ? bodies.rigid(body).name : bodies.obstacle(body).name;
}

int point_number(const World& world, const Contact& c)
{
    if (!contact_bodies(world).is_deformable(c.point_body))
        return c.point;
    const DeformableSet& set = world.deformables;
    const DeformableBody& body = set.bodies[c.point_body];
    const int first = first_facet_point(set, c.point_body);
    if (std::holds_alternative<OnEdges>(c.at.to)) {
        const int edge = c.point - contact_bodies(world).first_edge(c.point_body); // 3 facet + side
        return set.triangles[body.triangles.begin + edge / 3][edge % 3] - body.nodes.begin;
    }
    if (c.point < first)
        return surface_node(set, c.point_body, c.point) - body.nodes.begin;
    const FacetSample sample = contact_bodies(world).facet_sample(c.point_body, c.point);
    int nearest;
    sample.point.w.maxCoeff(&nearest);
    return set.triangles[body.triangles.begin + sample.facet][nearest] - body.nodes.begin;
}

} // namespace stickslip
