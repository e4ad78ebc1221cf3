#include "stickslip/contact/points/posed_circle.h"
#include "stickslip/contact/points/rolling_contact.h"
#include "stickslip/contact/relax/entry_point.h"
#include "stickslip/contact/surfaces/level_set_surface.h"

#include <algorithm>

namespace stickslip {

namespace {

// From the centre, in the body's axes.
Vec3 even_point(const Rim& rim, int i)
{
    return rim.radius * circle_at(rim, {Vec3::Zero(), Mat3::Identity()}).direction(even_angle(i));
}

} // namespace

std::optional<PoseContact> LevelSetSurface::relax_even_point(
    const Rim& rim, int i, const RimStart& began, const Frame& frame, const Attachment* kept, double mu) const
{
    const Vec3 arm = even_point(rim, i);
    const Vec3 P = frame.to_world(arm), P_old = began.frame.to_world(arm);
    const Frame& to = motion_.frame;
    const Frame body = relative(to, frame), old_body = relative(motion_.old_frame, began.frame);
    PoseContact contact;
    if (rim.tube == 0) {
        const Mat3 dP_dturn = -skew(P - frame.x);
        const auto at = relax(P_old, P, surface_of_rim(rim, began, began.frame.R * arm / rim.radius), kept, mu);
        if (!at)
            return std::nullopt;
        static_cast<SurfaceContact&>(contact) = *at;
        contact.place = frame.x;
        contact.Z = P;
        contact.dZ_dplace = Mat3::Identity();
        contact.dZ_dturn = dP_dturn;
        contact.dY_dplace = at->dY_dZ;
        contact.dY_dturn = at->dY_dZ * dP_dturn;
    } else {
        const Vec3 phi = rotation_vector(body.R * old_body.R.transpose());
        const auto at = relax_round(P_old, P, rim.tube, to.R * phi, kept, mu);
        if (!at)
            return std::nullopt;
        contact = *at;
        carry_by_body(contact, P, frame.x, to, phi);
    }
    const Circle circle = circle_at(rim, body);
    const DistanceField field{solid_, rim.tube > 0 ? -1 : std::get<OnSolid>(contact.to).patch};
    const PoseScalar share = posed_even_point(field, circle, circle.direction(even_angle(i))).share;
    if (share.v == 1)
        return contact;
    if (share.v == 0)
        return std::nullopt;
    const Vec3 spring = contact.Y - contact.Z;
    const auto drawn = [&](const Mat3& dZ, const Mat3& dY, const auto& dshare_local) {
        return Mat3(dZ + share.v * (dY - dZ) + spring * (dshare_local * to.R.transpose()));
    };
    contact.dY_dplace = drawn(contact.dZ_dplace, contact.dY_dplace, share.d.leftCols<3>());
    contact.dY_dturn = drawn(contact.dZ_dturn, contact.dY_dturn, share.d.rightCols<3>());
    contact.Y = contact.Z + share.v * spring;
    contact.depth *= share.v;
    contact.damped *= share.v;
    return contact;
}

} // namespace stickslip
