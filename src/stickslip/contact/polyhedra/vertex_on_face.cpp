#include "stickslip/contact/polyhedra/vertex_on_face.h"

#include "stickslip/contact/relax/damped_depth.h"
#include "stickslip/contact/relax/relax_plane.h"

namespace stickslip {

PoseScalar zone_share(const PoseScalar& overshoot, const Zone& zone)
{
    return clamped(zone.end / zone.width + -1 / zone.width * overshoot);
}

std::optional<PolyhedronSpring> relax_vertex(const PolyhedronPair& pair, const VertexOnFace& contact)
{
    const ConvexFeatures::Face& face = pair.b.features->faces[contact.face];
    const Vec3& vertex = pair.a.features->vertices[contact.vertex];
    if (!(face.distance(pair.pose.to_world(vertex)) < 0)) // most are not: no derivatives for these
        return std::nullopt;
    const PoseVec z = pair.point(vertex), n = still(face.n);
    const PoseScalar phi = -face.offset + dot(n, z);
    PoseScalar weight{1};
    for (std::size_t i = 0; i < face.rims.size(); ++i) {
        weight = weight * zone_share(-face.rims[i].offset + dot(still(face.rims[i].g), z), contact.zones[i]);
        if (!(weight.v > 0))
            return std::nullopt;
    }
    const double phi_old = face.distance(contact.z_old);
    const Vec3 belt = pair.belt - face.n.dot(pair.belt) * face.n;
    PolyhedronSpring spring{.Z = z, .weight = weight, .n = n, .depth = -phi.v, .belt = belt};
    const PoseVec W = z - phi * n;
    PoseVec X;
    if (contact.kept) {
        X = still(contact.kept->on_solid().X + belt);
    } else if (phi_old > 0) { // where it came through the plane, and on with the belt
        const PoseScalar after = phi / (phi - PoseScalar{phi_old}); // share of the step
        X = z - after * (z - still(contact.z_old)) + after * still(belt);
        X = X - (-face.offset + dot(n, X)) * n;
        spring.belt = after.v * belt;
    } else {
        X = still(contact.z_old - phi_old * face.n + belt);
    }
    PoseVec P = z; // where the vertex would be if the spring alone gave the force of spring and damper
    bool is_free = false;
    if (pair.damping > 0) {
        const DampedDepth depth = damped_depth(phi.v, phi_old, pair.damping);
        P = W + PoseScalar{depth.phi, depth.dphi * phi.d} * n;
        is_free = depth.phi == 0;
    }
    if (is_free)
        X = W;
    const PlaneRelaxation relaxed = relax_plane(P.v, X.v, W.v, face.n, pair.mu);
    const PoseVec K{relaxed.K, relaxed.dK_dZ * P.d + relaxed.dK_dX * X.d + relaxed.dK_dW * W.d};
    spring.stretch = K - P;
    spring.damped = face.n.dot(z.v - P.v);
    spring.slid = relaxed.K - X.v;
    spring.sticks = relaxed.sticks && !is_free;
    spring.to = OnSolid{contact.face, relaxed.K};
    return spring;
}

} // namespace stickslip
