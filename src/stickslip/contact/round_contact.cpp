#include "stickslip/contact/damped_depth.h"
#include "stickslip/contact/level_set_surface.h"
#include "stickslip/contact/relax_plane.h"
#include "stickslip/contact/turned.h"
#include "stickslip/math/rotation.h"

namespace stickslip {

namespace {

// Distance and unit normal of the whole solid with their derivatives; a sampled distance has a gradient g of nearly
// unit length.
struct Touch {
    double phi;
    Vec3 g, n;
    Mat3 dn_dU;

    Touch(const LevelSet& solid, const Vec3& U)
    {
        const LevelSetSample at = sample(solid, U);
        phi = at.phi;
        g = at.n;
        n = g.normalized();
        dn_dU = (Mat3::Identity() - n * n.transpose()) * at.hessian / g.norm();
    }
};

} // namespace

std::optional<RoundContact> LevelSetSurface::relax_round(
    const Vec3& c_old, const Vec3& c, double r, const Vec3& phi, const Attachment* kept, double mu) const
{
    const Frame& frame = motion_.frame;
    const Vec3 U = frame.to_local(c), U_old = motion_.old_frame.to_local(c_old);
    const Touch now(*solid_, U);
    const double d = now.phi - r;
    if (!(d < 0))
        return std::nullopt;
    const Mat3& dn = now.dn_dU;
    const Vec3 Z = U - r * now.n, W = U - now.phi * now.n;
    const Mat3 dZ = Mat3::Identity() - r * dn;
    const Mat3 dW = Mat3::Identity() - now.n * now.g.transpose() - now.phi * dn;

    // where it would be if the spring alone gave the force of spring and damper
    const double damping = motion_.damping > 0 ? motion_.damping / motion_.dt : 0;
    const DampedDepth depth =
        damping > 0 ? damped_depth(d, signed_distance(*solid_, U_old) - r, damping) : DampedDepth{d, 1};
    const Vec3 P = damping > 0 ? Vec3(W + depth.phi * now.n) : Z;
    const Mat3 dP = damping > 0 ? Mat3(dW + depth.dphi * now.n * now.g.transpose() + depth.phi * dn) : dZ;

    // a first contact counts only what it slips after the touch
    const double d_old = kept ? 0 : signed_distance(*solid_, U_old) - r;
    const double share = d_old > 0 ? d / (d - d_old) : 1;
    const Vec3 dshare = d_old > 0 ? Vec3(-d_old / ((d - d_old) * (d - d_old)) * now.g) : Vec3::Zero();

    const Mat3 tangential = Mat3::Identity() - now.n * now.n.transpose();
    const Vec3 belt = motion_.dt * motion_.surface_velocity;
    const Vec3 phi_local = frame.R.transpose() * phi, way = U - U_old - belt;
    const Vec3 full = tangential * way - r * phi_local.cross(now.n);
    const Vec3 s = share * full;
    const Mat3 ds =
        share * (tangential - now.n.dot(way) * dn - now.n * (way.transpose() * dn) - r * skew(phi_local) * dn)
        + full * dshare.transpose();
    const Mat3 ds_dphi = share * r * skew(now.n);

    const Turned xi = kept ? turn(kept->X, Touch(*solid_, U_old).n, now.n) : Turned{Vec3::Zero(), Mat3::Zero()};
    const Vec3 X = W - xi.v - s;
    const PlaneRelaxation relaxed = relax_plane(P, X, W, now.n, mu);
    const Mat3 dK = relaxed.dK_dZ * dP + relaxed.dK_dX * (dW - xi.dv_db * dn - ds) + relaxed.dK_dW * dW;

    const auto to_world = [&](const Mat3& D) { return Mat3(frame.R * D * frame.R.transpose()); };
    RoundContact contact;
    contact.Y = frame.to_world(relaxed.K + (Z - P));
    contact.dY_dZ = Mat3::Zero(); // Z is no unknown here: see dY_dc
    contact.sticks = relaxed.sticks;
    contact.patch = -1;
    contact.X = relaxed.sticks ? Vec3(xi.v + s) : Vec3(W - relaxed.K);
    contact.slip = frame.R * (relaxed.K - X);
    contact.carried =
        frame.to_world(relaxed.K) - motion_.old_frame.to_world(relaxed.K) + frame.R * (share * tangential * belt);
    contact.depth = -d;
    contact.n = frame.R * now.n;
    contact.damped = frame.R * (Z - P);
    contact.Z = frame.to_world(Z);
    contact.dZ_dc = to_world(dZ);
    contact.dY_dc = to_world(dK + dZ - dP);
    contact.dY_dphi = to_world(-relaxed.dK_dX * ds_dphi);
    return contact;
}

} // namespace stickslip
