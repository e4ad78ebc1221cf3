#include "stickslip/contact/meshes/relax_on_patch.h"

#include "stickslip/contact/meshes/patch_surface.h"
#include "stickslip/math/smooth_step.h"

#include <cmath>

namespace stickslip {

namespace {

using RowVec3 = Eigen::RowVector3d;

constexpr double least_kept = 0.5; // [-] of its force: with less a contact past a convex edge ends with the step
constexpr double least_reach = 0.25; // [-] of the depth: the least reach of a spring that never slides

Mat3 corners(const PatchView& s, int facet)
{
    Mat3 P;
    P << s.corner(facet, 0), s.corner(facet, 1), s.corner(facet, 2);
    return P;
}

Mat3 normals(const PatchView& s, int facet)
{
    Mat3 N;
    N << s.normal(facet, 0), s.normal(facet, 1), s.normal(facet, 2);
    return N;
}

Mat3 across(const Vec3& n)
{
    return Mat3::Identity() - n * n.transpose();
}

Vec3 area_vector(const Mat3& P)
{
    return (P.col(0) - P.col(2)).cross(P.col(1) - P.col(2));
}

/// Gradients of the barycentric weights in the plane of a facet [1/m], as rows.
Mat3 weight_gradients(const Mat3& P)
{
    const Vec3 N = area_vector(P);
    Mat3 g;
    for (int i = 0; i < 3; ++i)
        g.row(i) = N.cross(P.col((i + 2) % 3) - P.col((i + 1) % 3)).transpose() / N.squaredNorm();
    return g;
}

/// Of the force beyond rims and creases.
struct PatchShare {
    double value = 1;
    Vec3 by_w = Vec3::Zero(); // its derivatives: by the weights of the foot
    double by_depth = 0; // [1/m]
    double outside = 0; // [m] how far the foot is outside a solid
};

/// S(1 - o/b) by the distance o that the foot is beyond rims and creases, with S(t) = t^2 (3 - 2 t), measured where the
/// surface was predicted: a function of the weights alone. Of a solid that keeps its shape o is how far the foot is
/// outside, and b, at most the width of the rim, the depth d times max(cos a, 1 - cos a) with the angle a by which the
/// surface turns at a convex edge: up to 60 degrees the point is on the next face where o = d cos a, and what is in
/// front of that is outside. Beyond a concave edge the foot is within: there the share falls with the thickness by how
/// far it is from its patch.
PatchShare patch_share(const PatchView& s, const MeshFoot& foot, double rim_width, double depth, bool keeps_shape)
{
    PatchShare share;
    const SmoothPatches& patches = *s.patches;
    bool is_beyond = false, is_on_sheet = false; // which goes on, turned by little
    Vec3 place = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
        const int side = (i + 1) % 3;
        const bool beyond_side = foot.w[i] < 0 && patches.across[foot.facet][side] < 0;
        is_beyond = is_beyond || beyond_side;
        is_on_sheet = is_on_sheet || (beyond_side && !s.solid && patches.ends_flat(foot.facet, side));
        place += foot.w[i] * patches.x[patches.facets[foot.facet][i]];
    }
    if (!is_beyond)
        return share;
    const auto fade = [&](double o, double width, double dwidth_ddepth, const Vec3& from) {
        if (!(o > 0) || !(share.value > 0))
            return;
        const SmoothStep step = smooth_step(1 - o / width);
        const double slope = step.slope > 0 ? share.value * step.slope / width : 0; // else 0 / 0 where the width is 0
        share.by_w *= step.value;
        for (int i = 0; i < 3 && slope > 0; ++i)
            share.by_w[i] -= slope * (place - from).dot(patches.x[patches.facets[foot.facet][i]]) / o;
        share.by_depth *= step.value;
        if (slope > 0)
            share.by_depth += slope * o / width * dwidth_ddepth;
        share.value *= step.value;
    };
    if (s.solid) {
        const PatchSurface::NearestPlace nearest = s.solid->nearest(place, rim_width),
                                         own = s.solid->nearest_on(patches.patch[foot.facet], place, s.rim_width());
        share.outside = std::max(0.0, nearest.distance);
        // cosine between the face and the next one, 0 where that turns away by more than a right angle
        const double lean = nearest.distance > 0
            ? std::max(0.0, patches.unit_normal(foot.facet).dot(place - nearest.point) / nearest.distance)
            : 0;
        const double by_depth = std::max(lean, 1 - lean), width = by_depth * depth;
        const double least = std::min(s.flush(), rim_width);
        const bool is_by_depth = least < width && width < rim_width;
        fade(nearest.distance, std::clamp(width, least, rim_width), is_by_depth ? by_depth : 0, nearest.point);
        fade(own.distance, s.solid->width_within(), 0, own.point);
    } else {
        const auto [distance, rim] = patches.nearest_rim(foot.facet, place);
        fade(distance, is_on_sheet && keeps_shape ? std::min(rim_width, s.flush()) : rim_width, 0, rim);
    }
    return share;
}

struct RayHit {
    int facet = -1;
    Vec3 w;
    double sigma; // [-] along the ray
    Vec3 normal;
};

RayHit hit_plane(const PatchView& s, int facet, const Vec3& Z, const Vec3& ray)
{
    constexpr double grazing = 1e-3;
    const Mat3 P = corners(s, facet);
    const Vec3 N = area_vector(P);
    const double rise = N.dot(ray);
    if (!(rise > grazing * N.norm() * ray.norm()))
        return {};
    const double sigma = N.dot(P.col(0) - Z) / rise;
    const Vec3 Y = Z + sigma * ray;
    Vec3 w;
    for (int i = 0; i < 3; ++i)
        w[i] = N.dot((P.col((i + 2) % 3) - P.col((i + 1) % 3)).cross(Y - P.col((i + 1) % 3))) / N.squaredNorm();
    return {facet, w, sigma, N};
}

RayHit hit_mesh(const PatchView& s, int start, const Vec3& Z, const Vec3& ray)
{
    PatchWalk walk;
    RayHit hit = hit_plane(s, start, Z, ray);
    while (hit.facet >= 0 && walk.at(*s.patches, hit.facet, hit.w))
        hit = hit_plane(s, walk.next(), Z, ray);
    if (hit.facet >= 0 && walk.is_cut())
        return {};
    return hit.facet < 0 || walk.best() == hit.facet ? hit : hit_plane(s, walk.best(), Z, ray);
}

} // namespace

std::optional<PatchRelaxation> relax_on_patch(const PatchView& s, const PatchPoint& point)
{
    PatchRelaxation r;
    r.foot = find_foot(s, point.Z, point.start);
    const MeshFoot& foot = r.foot;
    if (foot.facet < 0 || !(foot.d > 0) || !s.patches->is_before_focus(foot.facet, s.x, foot.w, foot.d))
        return std::nullopt;
    if (point.behind < infinity && s.height_at_start(foot.facet, point.Z_old) < -point.behind)
        return std::nullopt;
    const bool is_carried = point.kept || point.slides_along;
    r.m_ = normals(s, foot.facet) * foot.w;
    r.n = r.m_.normalized();
    r.depth = foot.d * r.m_.norm();
    const PatchShare share =
        patch_share(s, foot, is_carried ? s.rim_width() : s.entry_rim_width(), r.depth, point.keeps_shape);
    if (!(share.value > 0))
        return std::nullopt;
    r.share = share.value;
    r.dshare_dw_ = share.by_w;
    r.dshare_ddepth_ = share.by_depth;
    r.W = s.at(foot.facet, foot.w);
    const Triangle& t = s.patches->facets[foot.facet];
    r.moved_ = point.Z - point.Z_old;
    for (int i = 0; i < 3; ++i)
        r.moved_ -= foot.w[i] * (s.x[t[i]] - s.x_old[t[i]]);
    r.approach = -r.n.dot(r.moved_);
    r.passes = share.outside > s.flush() && r.share < least_kept;
    r.pressed = press(point.spring, {r.share, r.depth, r.approach}, point.damping);
    if (!(r.pressed.elastic > 0) && !point.stays_behind)
        return std::nullopt;

    r.belt = across(r.n) * point.belt;
    if (point.kept) {
        r.X = s.at(point.kept->facet, point.kept->w) + r.belt;
    } else {
        const double after = r.depth / (point.gap + r.depth);
        r.X = r.W - after * across(r.n) * (r.moved_ - point.belt);
        r.belt *= after;
    }
    const Vec3 c = r.X - point.Z;
    r.p_ = r.n.dot(c);
    r.xi_ = c - r.p_ * r.n;
    const double b = r.xi_.norm();
    r.within_cone_ = point.mu > 0 && b <= point.mu * r.p_;
    r.sticks = r.within_cone_;
    r.at = {foot.facet, foot.w};
    r.Y = r.W;
    r.ray = r.n;
    if (point.mu > 0 && b > 0) {
        r.reach_ = std::max(r.p_, least_reach * r.depth);
        r.ray += (r.within_cone_ ? 1 / r.reach_ : point.mu / b) * r.xi_;
        r.leans_ = true;
    }
    if (r.within_cone_ && point.kept && point.belt.isZero(0)) {
        r.way_ = PatchRelaxation::Way::kept;
        r.at = *point.kept;
        r.Y = r.X;
    } else if (r.leans_) {
        RayHit hit = hit_mesh(s, point.kept ? point.kept->facet : foot.facet, point.Z, r.ray);
        if (hit.facet < 0 && point.kept)
            hit = hit_mesh(s, foot.facet, point.Z, r.ray);
        if (hit.facet >= 0) {
            r.way_ = PatchRelaxation::Way::ray;
            r.sigma_ = hit.sigma;
            r.hit_normal_ = hit.normal;
            r.at = {hit.facet, hit.w};
            r.Y = point.Z + hit.sigma * r.ray;
        }
    }
    r.spring = r.pressed.pressed * r.ray;
    return r;
}

// Of the lean of the ray, r - n, by c = X - Z.
Mat3 PatchRelaxation::dray(const PatchPoint& point, const Mat3& dc, const Mat3& dn, const RowVec3& ddepth) const
{
    const RowVec3 dp = n.transpose() * dc + xi_.transpose() * dn;
    const Mat3 dxi = dc - n * dp - p_ * dn;
    if (!within_cone_)
        return point.mu / xi_.norm() * across(xi_.normalized()) * dxi;
    const RowVec3 dreach = p_ > least_reach * depth ? dp : RowVec3(least_reach * ddepth);
    return dxi / reach_ - xi_ / (reach_ * reach_) * dreach;
}

PatchDerivatives PatchRelaxation::derivatives(const PatchView& s, const PatchPoint& point) const
{
    const Mat3 across_n = across(n);
    Mat3 dw; // of the foot
    dw << foot.inverse.topRows<2>(), -foot.inverse.row(0) - foot.inverse.row(1);
    const Mat3 dm = normals(s, foot.facet) * dw;
    const double m = m_.norm();
    const Mat3 dn = across_n * dm / m;
    const RowVec3 ddepth = m * foot.inverse.row(2) + foot.d * n.transpose() * dm;

    const Triangle& t = s.patches->facets[foot.facet];
    Mat3 travelled;
    for (int i = 0; i < 3; ++i)
        travelled.col(i) = s.x[t[i]] - s.x_old[t[i]];
    const Mat3 dmoved = Mat3::Identity() - travelled * dw;
    const RowVec3 dapproach = -n.transpose() * dmoved - moved_.transpose() * dn;

    Mat3 by_gap = dn, by_lean = Mat3::Zero(); // of the ray
    if (leans_ && point.kept) {
        const Mat3 dbelt = -(n.dot(point.belt) * dn + n * (point.belt.transpose() * dn));
        by_gap += dray(point, dbelt, dn, ddepth);
        by_lean = dray(point, Mat3::Identity(), Mat3::Zero(), RowVec3::Zero());
    } else if (leans_) { // X, as seen from the foot's facet, is found from the gap
        const Vec3 slip = moved_ - point.belt;
        const double whole = point.gap + depth, part = depth / whole;
        const Mat3 dX = corners(s, foot.facet) * dw - across_n * slip * (point.gap / (whole * whole) * ddepth)
            - part * (across_n * dmoved - n.dot(slip) * dn - n * (slip.transpose() * dn));
        by_gap += dray(point, dX - Mat3::Identity(), dn, ddepth);
    }
    PatchDerivatives d;
    d.by_gap.dspring = ray
            * (pressed.by_share * (dshare_dw_.transpose() * dw + dshare_ddepth_ * ddepth) + pressed.by_depth * ddepth
                + pressed.by_approach * dapproach)
        + pressed.pressed * by_gap;
    d.by_lean.dspring = pressed.pressed * by_lean;
    d.by_gap.dw = d.by_lean.dw = d.dw_by_reach = Mat3::Zero();
    if (way_ == Way::foot)
        d.by_gap.dw = dw;
    if (way_ == Way::ray) {
        const Mat3 along_ray = Mat3::Identity() - ray * hit_normal_.transpose() / hit_normal_.dot(ray);
        d.dw_by_reach = weight_gradients(corners(s, at.facet)) * along_ray;
        d.by_gap.dw = sigma_ * d.dw_by_reach * by_gap;
        d.by_lean.dw = sigma_ * d.dw_by_reach * by_lean;
    }
    return d;
}

} // namespace stickslip
