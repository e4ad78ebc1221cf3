#include "stickslip/contact/polyhedra/vertex_on_face.h"

#include "stickslip/contact/relax/damped_depth.h"
#include "stickslip/contact/relax/relax_plane.h"

namespace stickslip {

std::optional<PointContact> relax_vertex(const PolyhedronPair& pair, const VertexOnFace& contact)
{
    using Scalar = DualScalar<3>; // by the place of the vertex
    using Vec = DualVec<3>;
    const ConvexFeatures::Face& face = pair.b.features->faces[contact.face];
    const Vec z = unknown<3>(pair.pose.to_world(pair.a.features->vertices[contact.vertex]), 0);
    if (!(face.distance(z.v) < 0))
        return std::nullopt;
    const Vec3& n = face.n;
    const Scalar phi = -face.offset + dot(z, n);
    Scalar weight{1};
    for (std::size_t i = 0; i < face.rims.size(); ++i) {
        weight = weight * zone_share(-face.rims[i].offset + dot(z, face.rims[i].g), contact.zones[i]);
        if (!(weight.v > 0))
            return std::nullopt;
    }
    const double phi_old = face.distance(contact.z_old);
    const Vec3 belt = pair.belt - n.dot(pair.belt) * n;
    const Vec W = z - phi * n;
    Vec X;
    Vec3 by_belt = belt;
    if (contact.kept) {
        X = constant<3>(contact.kept->on_solid().X + belt);
    } else if (phi_old > 0) { // where it came through the plane, and on with the belt
        const Scalar after = phi / (phi - Scalar{phi_old}); // share of the step
        X = z - after * (z - contact.z_old) + after * belt;
        X = X - (-face.offset + dot(X, n)) * n;
        by_belt = after.v * belt;
    } else {
        X = constant<3>(contact.z_old - phi_old * n + belt);
    }
    Vec P = z; // where the vertex would be if the spring alone gave the force of spring and damper
    bool is_free = false;
    if (pair.damping > 0) {
        const DampedDepth depth = damped_depth(phi.v, phi_old, pair.damping);
        P = W + Scalar{depth.phi, depth.dphi * phi.d} * n;
        is_free = depth.phi == 0;
    }
    if (is_free)
        X = W;
    const PlaneRelaxation relaxed = relax_plane(P.v, X.v, W.v, n, pair.mu);
    const Vec K{relaxed.K, relaxed.dK_dZ * P.d + relaxed.dK_dX * X.d + relaxed.dK_dW * W.d};
    const Vec Y = z + weight * (K - P);
    const Frame& to = pair.b.frame;
    return PointContact{{.Y = to.to_world(Y.v),
                            .sticks = relaxed.sticks && !is_free,
                            .to = OnSolid{contact.face, relaxed.K},
                            .slip = to.R * (relaxed.K - X.v),
                            .depth = -weight.v * phi.v,
                            .n = to.R * n,
                            .stiffness_scale = scale_of(contact.kept ? &*contact.kept : nullptr),
                            .damped = weight.v * n.dot(z.v - P.v) * (to.R * n),
                            .share = weight.v,
                            .belt = to.R * by_belt},
        to.R * Y.d * to.R.transpose()};
}

} // namespace stickslip
