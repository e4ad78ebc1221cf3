#include "stickslip/contact/damped_depth.h"
#include "stickslip/contact/entry_point.h"
#include "stickslip/contact/extreme_point.h"
#include "stickslip/contact/level_set_surface.h"
#include "stickslip/contact/pose_dual.h"
#include "stickslip/contact/relax_plane.h"
#include "stickslip/contact/turned.h"

#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

Frame relative(const Frame& solid, const Frame& body)
{
    return {solid.to_local(body.x), solid.R.transpose() * body.R};
}

Circle circle_at(const Rim& rim, const Frame& frame)
{
    return {frame.x, frame.R * rim.axis, frame.R * rim.axis.unitOrthogonal(), rim.radius};
}

// From the centre, in the body's axes.
Vec3 even_point(const Rim& rim, int i)
{
    const double angle = 2 * std::numbers::pi * i / Rim::even_points;
    const Vec3 mark = rim.axis.unitOrthogonal();
    return rim.radius * (std::cos(angle) * mark + std::sin(angle) * rim.axis.cross(mark));
}

/// The extreme point with all that hangs on the pose: the point E, the direction u towards it, the distance there.
struct PosedExtreme {
    PoseVec axis, u, E, n;
    PoseScalar phi;
    PoseScalar share; // of the force
    Vec3 g; // gradient of phi, of nearly unit length
};

// d(t . H t)/dE at fixed t: the distance's third derivative, which the solids do not give, by differences.
Vec3 curvature_gradient(const DistanceField& field, const Vec3& E, const Vec3& t, double radius)
{
    const double h = 1e-5 * radius;
    Vec3 gradient;
    for (int i = 0; i < 3; ++i) {
        const Vec3 step = h * Vec3::Unit(i);
        gradient[i] = (t.dot(field.at(E + step).hessian * t) - t.dot(field.at(E - step).hessian * t)) / (2 * h);
    }
    return gradient;
}

PosedExtreme posed_extreme(const DistanceField& field, const Circle& circle, const ExtremePoint& at)
{
    const LevelSetSample sample = field.at(at.E);
    const Vec3 &g = sample.n, t = circle.axis.cross(at.u);
    const Mat3& H = sample.hessian;
    // g . t = 0 keeps the angle: with the angle fixed E and t move with the body, and d(g . t)/d angle = q
    const PoseVec fixed_E = carried_point(circle.centre, circle.radius * at.u), fixed_t = carried_direction(t);
    const PoseScalar::Row dangle = -(t.transpose() * H * fixed_E.d + g.transpose() * fixed_t.d) / at.sharpness;
    PosedExtreme e;
    e.g = g;
    e.axis = carried_direction(circle.axis);
    e.u = carried_direction(at.u);
    e.u.d += t * dangle;
    e.E = fixed_E;
    e.E.d += circle.radius * t * dangle;
    e.phi = mapped(sample.phi, g, e.E);
    const Vec3 n = g.normalized();
    e.n = mapped(n, (Mat3::Identity() - n * n.transpose()) * H / g.norm(), e.E);
    const ExtremeShare share = extreme_share(at.sharpness);
    e.share.v = share.share;
    if (share.dshare_dq != 0) {
        const PoseVec tangent = cross(e.axis, e.u);
        PoseScalar q = dot(mapped(g, H, e.E), e.u);
        q.d = -q.d + 2 * circle.radius * t.transpose() * H * tangent.d;
        if (!H.isZero(0))
            q.d += circle.radius * curvature_gradient(field, at.E, t, circle.radius).transpose() * e.E.d;
        e.share.d = share.dshare_dq * q.d;
    }
    return e;
}

// The patch by which a circle came in in this step: as find_entry, with the extreme points of each patch for the ends
// of the way.
std::optional<int> entry_patch(const LevelSet& solid, const Circle& before, const Circle& now)
{
    const int patches = patch_count(solid);
    if (patches == 1)
        return 0;
    const double slack = flush_distance(solid);
    double latest = -1, highest = -infinity;
    std::optional<int> entered, inside;
    for (int f = 0; f < patches; ++f) {
        const DistanceField field{&solid, f};
        const Vec3 E = find_extreme_point(field, now).E;
        const double phi = field.distance(E);
        if (!(phi < 0) || !(rim_weight(solid, f, E).weight > 0))
            continue;
        const Vec3 E_old = find_extreme_point(field, before).E;
        const double phi_old = field.distance(E_old);
        if (phi_old < -slack) { // it was there already, if it was inside at all
            if (phi > highest && signed_distance(solid, E_old) <= 0 && signed_distance(solid, E) < 0) {
                highest = phi;
                inside = f;
            }
            continue;
        }
        const double t = phi_old > 0 ? phi_old / (phi_old - phi) : 0;
        if (t > latest && beyond_rim(solid, f, E_old + t * (E - E_old)) <= slack) {
            latest = t;
            entered = f;
        }
    }
    return entered ? entered : inside;
}

// Rotation vector of Q [rad].
Vec3 rotation_vector(const Mat3& Q)
{
    const Eigen::AngleAxisd turn(Q);
    return turn.angle() * turn.axis();
}

// How far the material at the extreme point slips in the step [m], tangentially: the extreme point's way, less that
// along the rim, less that of a tube which rolls off.
PoseVec slip_in_step(const Rim& rim, const PosedExtreme& e, const Circle& before, const ExtremePoint& old,
    const Mat3& Q, const Vec3& belt)
{
    const PoseVec carried = carried_direction(Q * old.u);
    const PoseScalar angle = atan2(dot(e.axis, cross(carried, e.u)), dot(carried, e.u));
    // The tangent turns from t_old to t; its mean is shorter than they are by the chord's share.
    const PoseVec t_old = still(before.axis.cross(old.u)), t = cross(e.axis, e.u);
    const PoseScalar straight = dot(t_old, t);
    const PoseScalar chord{1 + (1 - straight.v) / 6, -straight.d / 6};
    const PoseVec along = (0.5 * rim.radius) * (angle * (chord * (t_old + t)));
    PoseVec s = e.E - still(old.E + belt) - along;
    if (rim.tube > 0) {
        const Vec3 phi = rotation_vector(Q);
        PoseVec turn{phi, PoseVec::Matrix::Zero()};
        turn.d.rightCols<3>() = left_jacobian(phi).inverse();
        s = s - rim.tube * cross(turn, e.n);
    }
    return s - dot(e.n, s) * e.n;
}

} // namespace

bool LevelSetSurface::may_touch(const Rim& rim, const Frame& frame) const
{
    return signed_distance(*solid_, motion_.frame.to_local(frame.x)) < 1.1 * rim.radius + rim.tube;
}

std::optional<PoseContact> LevelSetSurface::relax_rim(
    const Rim& rim, const Frame& old_frame, const Frame& frame, const Attachment* kept, double mu) const
{
    const LevelSet& solid = *solid_;
    const Frame body = relative(motion_.frame, frame), old_body = relative(motion_.old_frame, old_frame);
    const Circle now = circle_at(rim, body), before = circle_at(rim, old_body);
    const bool sharp = rim.tube == 0;
    const std::optional<int> patch = !sharp ? -1 : kept ? kept->patch : entry_patch(solid, before, now);
    if (!patch)
        return std::nullopt;
    const DistanceField field{&solid, *patch};
    const ExtremePoint at = find_extreme_point(field, now);
    const double r = rim.tube;
    if (!(field.distance(at.E) < r) || !(extreme_share(at.sharpness).share > 0))
        return std::nullopt;
    const PosedExtreme e = posed_extreme(field, now, at);
    PoseScalar weight = e.share;
    if (sharp) {
        const RimWeight inside = rim_weight(solid, *patch, at.E);
        if (!(inside.weight > 0))
            return std::nullopt;
        weight = weight * mapped(inside.weight, inside.dweight_dU, e.E);
    }
    const PoseVec Z = e.E - r * e.n, W = e.E - e.phi * e.n;

    const ExtremePoint old = find_extreme_point(field, before);
    const LevelSetSample at_old = field.at(old.E);
    const double d = e.phi.v - r, d_old = kept ? 0 : at_old.phi - r;
    const Vec3 belt = motion_.dt * motion_.surface_velocity;
    PoseVec s = slip_in_step(rim, e, before, old, body.R * old_body.R.transpose(), belt);
    double after_touch = 1;
    if (d_old > 0) { // a first contact counts only what it slips after the touch
        after_touch = d / (d - d_old);
        s = PoseScalar{after_touch, -d_old / ((d - d_old) * (d - d_old)) * e.phi.d} * s;
    }
    // where it would be if the spring alone gave the force of spring and damper
    PoseVec P = Z;
    if (motion_.damping > 0) {
        const DampedDepth depth = damped_depth(d, at_old.phi - r, motion_.damping / motion_.dt);
        P = W + PoseScalar{depth.phi, depth.dphi * e.phi.d} * e.n;
    }
    const Turned xi = kept ? turn(kept->X, at_old.n.normalized(), e.n.v) : Turned{Vec3::Zero(), Mat3::Zero()};
    const PoseVec offset = mapped(xi.v, xi.dv_db, e.n) + s, X = W - offset;
    const PlaneRelaxation relaxed = relax_plane(P.v, X.v, W.v, e.n.v, mu);
    const PoseVec K{relaxed.K, relaxed.dK_dZ * P.d + relaxed.dK_dX * X.d + relaxed.dK_dW * W.d};
    const PoseVec Y = Z + weight * (K - P);

    const Frame& to = motion_.frame;
    const auto to_world = [&](const Mat3& D) { return Mat3(to.R * D * to.R.transpose()); };
    PoseContact contact;
    contact.Y = to.to_world(Y.v);
    contact.dY_dZ = Mat3::Zero(); // Z is no unknown here: see dY_dplace
    contact.sticks = relaxed.sticks;
    contact.patch = *patch;
    contact.X = relaxed.sticks ? offset.v : Vec3(W.v - relaxed.K);
    contact.slip = to.R * (relaxed.K - X.v);
    const Vec3 tangential_belt = belt - e.n.v.dot(belt) * e.n.v;
    contact.carried =
        to.to_world(relaxed.K) - motion_.old_frame.to_world(relaxed.K) + to.R * (after_touch * tangential_belt);
    contact.depth = -d;
    contact.n = to.R * e.n.v;
    contact.damped = weight.v * (to.R * (Z.v - P.v));
    contact.place = frame.x;
    contact.Z = to.to_world(Z.v);
    contact.dZ_dplace = to_world(Z.by_position());
    contact.dY_dplace = to_world(Y.by_position());
    contact.dZ_dturn = to_world(Z.by_turn());
    contact.dY_dturn = to_world(Y.by_turn());
    return contact;
}

std::optional<PoseContact> LevelSetSurface::relax_even_point(
    const Rim& rim, int i, const Frame& old_frame, const Frame& frame, const Attachment* kept, double mu) const
{
    const Vec3 arm = even_point(rim, i);
    const Vec3 P = frame.to_world(arm), P_old = old_frame.to_world(arm);
    const Frame& to = motion_.frame;
    const Frame body = relative(to, frame), old_body = relative(motion_.old_frame, old_frame);
    PoseContact contact;
    contact.place = frame.x;
    const Mat3 dP_dturn = -skew(P - frame.x);
    if (rim.tube == 0) {
        const auto at = relax(P_old, P, Vec3::Zero(), kept, mu); // an edge faces no way
        if (!at)
            return std::nullopt;
        static_cast<SurfaceContact&>(contact) = *at;
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
        static_cast<SurfaceContact&>(contact) = *at;
        contact.Z = at->Z;
        contact.dZ_dplace = at->dZ_dc;
        contact.dZ_dturn = at->dZ_dc * dP_dturn;
        contact.dY_dplace = at->dY_dc;
        contact.dY_dturn = at->dY_dc * dP_dturn + at->dY_dphi * to.R * left_jacobian(phi).inverse() * to.R.transpose();
    }
    // what the extreme point of the same patch leaves
    const Circle circle = circle_at(rim, body);
    const DistanceField field{solid_, rim.tube > 0 ? -1 : contact.patch};
    const ExtremePoint extreme = find_extreme_point(field, circle);
    const double taken = extreme_share(extreme.sharpness).share;
    if (taken == 0)
        return contact;
    if (taken == 1)
        return std::nullopt;
    const PoseScalar::Row dtaken = posed_extreme(field, circle, extreme).share.d;
    const Vec3 spring = contact.Y - contact.Z;
    const auto drawn = [&](const Mat3& dZ, const Mat3& dY, const auto& dtaken_local) {
        return Mat3(dZ + (1 - taken) * (dY - dZ) - spring * (dtaken_local * to.R.transpose()));
    };
    contact.dY_dplace = drawn(contact.dZ_dplace, contact.dY_dplace, dtaken.leftCols<3>());
    contact.dY_dturn = drawn(contact.dZ_dturn, contact.dY_dturn, dtaken.rightCols<3>());
    contact.Y = contact.Z + (1 - taken) * spring;
    contact.damped *= 1 - taken;
    return contact;
}

double rim_energy(
    const LevelSet& solid, const Frame& surface, const Rim& rim, int i, const Frame& body, const Attachment& attachment)
{
    const Circle circle = circle_at(rim, relative(surface, body));
    const bool sharp = rim.tube == 0;
    const DistanceField field{&solid, sharp ? attachment.patch : -1};
    const ExtremePoint extreme = find_extreme_point(field, circle);
    const double taken = extreme_share(extreme.sharpness).share;
    const Vec3 P = i == 0 ? extreme.E : surface.to_local(body.to_world(even_point(rim, i - 1)));
    const double weight = (i == 0 ? taken : 1 - taken) * (sharp ? rim_weight(solid, field.patch, P).weight : 1);
    const double d = field.distance(P) - rim.tube;
    // an even point of a sharp rim is a sample, attached to a point of the surface; all others hold an offset
    const double square = i > 0 && sharp ? (P - attachment.X).squaredNorm() : d * d + attachment.X.squaredNorm();
    return 0.5 * weight * weight * square;
}

} // namespace stickslip
