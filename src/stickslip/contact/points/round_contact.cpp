#include "stickslip/contact/points/rolling_contact.h"
#include "stickslip/math/parallel_transport.h"

namespace stickslip {

namespace {

// Distance and unit normal of the whole solid with their derivatives; a sampled distance has a gradient g of nearly
// unit length.
struct SolidTouch {
    double phi;
    Vec3 g, n;
    Mat3 dn_dU;

    SolidTouch(const LevelSet& solid, const Vec3& U)
    {
        const LevelSetSample at = sample(solid, U);
        phi = at.phi;
        g = at.n;
        n = g.normalized();
        dn_dU = (Mat3::Identity() - n * n.transpose()) * at.hessian / g.norm();
    }
};

} // namespace

std::optional<PoseContact> LevelSetSurface::relax_round(
    const Vec3& c_old, const Vec3& c, double r, const Vec3& phi, const Attachment* kept, double mu) const
{
    const Frame& frame = motion_.frame;
    const Vec3 U = frame.to_local(c), U_old = motion_.old_frame.to_local(c_old);
    if (!(signed_distance(*solid_, U) < r)) // most balls, which needs no derivatives
        return std::nullopt;
    const SolidTouch now(*solid_, U);
    const PoseVec centre = unknown<6>(U, 0), turned = unknown<6>(frame.R.transpose() * phi, 1);
    const PoseVec n = mapped(now.n, now.dn_dU, centre);
    const Vec3 belt = motion_.dt * motion_.surface_velocity;
    const Transported xi = kept ? parallel_transport(kept->rolling_on_solid().xi, SolidTouch(*solid_, U_old).n, now.n)
                                : Transported{Vec3::Zero(), Mat3::Zero()};
    PoseContact contact = round_contact(motion_,
        {.radius = r,
            .centre = centre,
            .n = n,
            .distance = mapped(now.phi, now.g, centre),
            .old_distance = {signed_distance(*solid_, U_old)},
            .slip = rolling_slip(centre - still(U_old + belt), turned, n, r),
            .offset = mapped(xi.v, xi.dv_db, n),
            .is_new = kept == nullptr},
        c, phi, mu);
    contact.stiffness_scale = scale_of(kept);
    return contact;
}

} // namespace stickslip
