#include "stickslip/contact/surfaces/level_set_surface.h"

#include "stickslip/contact/relax/damped_depth.h"

#include <algorithm>

namespace stickslip {

struct LevelSetSurface::Start {
    int patch;
    Vec3 X;
    Mat3 dX_dU;
    Vec3 carried; // by the moving surface of a conveyor, on the way here
    std::optional<RimWeight> rim; // of one that came in on the way; others are weighed where their attachment ends
};

LevelSetSurface::LevelSetSurface(const LevelSet& solid, const SurfaceMotionInStep& motion, RelaxationKind kind)
    : solid_(&solid)
    , motion_(motion)
    , kind_(kind)
    , bounds_(bounds(solid))
{
}

bool LevelSetSurface::may_touch(const Bounds& box) const
{
    // box in the solid's frame: centre turned, half size by the absolute rotation
    const Vec3 centre = motion_.frame.to_local(0.5 * (box.min + box.max));
    const Vec3 half = motion_.frame.R.transpose().cwiseAbs() * (0.5 * (box.max - box.min));
    const Bounds local{centre - half, centre + half};
    if (const Plane* plane = std::get_if<Plane>(solid_))
        return signed_distance(*plane, centre) < plane->normal.cwiseAbs().dot(half);
    if (bounds_.overlaps(local) || patch_count(*solid_) == 1)
        return bounds_.overlaps(local);
    // Contacts reach beyond rims by their depth, which the box's reach into the solid bounds: along some axis it must
    // be inside.
    const Vec3 reach = (bounds_.max - local.min).cwiseMax(local.max - bounds_.min);
    const Vec3 rim = Vec3::Constant(rim_width(*solid_, reach.maxCoeff()));
    return Bounds{bounds_.min - rim, bounds_.max + rim}.overlaps(local);
}

LevelSetSurface::PointStart LevelSetSurface::start_of(const Vec3& Z_old, const PointSurface& point) const
{
    const PointSurface own = point.seen_from(motion_.old_frame.R);
    return {motion_.old_frame.to_local(Z_old), own, way_in(own.indentation, own.half_width)};
}

std::optional<LevelSetSurface::Start> LevelSetSurface::start(
    const PointStart& began, const Vec3& U, const Attachment* kept) const
{
    const LevelSet& solid = *solid_;
    const Vec3& belt = motion_.surface_velocity;
    const double dt = motion_.dt;
    if (kept) {
        const auto& [patch, X] = kept->on_solid();
        if (!(patch_distance(solid, patch, U) < 0))
            return std::nullopt;
        if (belt.isZero(0))
            return Start{patch, X, Mat3::Zero(), Vec3::Zero(), std::nullopt};
        const Vec3 carried = project_to_surface(solid, patch, X + dt * belt).W;
        return Start{patch, carried, Mat3::Zero(), carried - X, std::nullopt};
    }
    if (passes_by(began.way_in, began.U_old, U))
        return std::nullopt;
    const auto entry = find_entry(solid, began.U_old, U, began.own);
    if (!entry)
        return std::nullopt;
    if (belt.isZero(0))
        return Start{entry->patch, entry->X, entry->dX_dU, Vec3::Zero(), entry->rim};
    // the belt carries it for the rest of the step
    const Projection carried = project_to_surface(solid, entry->patch, entry->X + entry->remaining * dt * belt);
    return Start{entry->patch, carried.W, carried.dW_dZ * (entry->dX_dU + dt * belt * entry->dremaining_dU.transpose()),
        carried.W - entry->X, entry->rim};
}

LevelSetSurface::DampedPoint LevelSetSurface::damp(
    int patch, const Vec3& U_old, const Vec3& U, const Projection& at_U) const
{
    if (motion_.damping == 0)
        return {U, Mat3::Identity(), at_U, false};
    const DampedDepth depth =
        damped_depth(at_U.phi, patch_distance(*solid_, patch, U_old), motion_.damping / motion_.dt);
    if (depth.phi == 0)
        return {at_U.W, at_U.dW_dZ, project_to_surface(*solid_, patch, at_U.W), true};
    const LevelSetSample s = sample_patch(*solid_, patch, U);
    const Vec3 n = s.n.normalized();
    const Mat3 dn = (Mat3::Identity() - n * n.transpose()) * s.hessian / s.n.norm();
    const Vec3 P = U + (depth.phi - s.phi) * n;
    return {P, Mat3::Identity() + (depth.dphi - 1) * n * s.n.transpose() + (depth.phi - s.phi) * dn,
        project_to_surface(*solid_, patch, P), false};
}

// In the step in which it leaves the face a contact is carried by its depth. What began beyond the rim would then be
// carried as if the rim fell off at 45 degrees, as far as it goes down beside the solid.
double LevelSetSurface::deepest_beyond_rim(const PointStart& began, const Attachment* kept) const
{
    if (!kept || !(overshoot(*solid_, kept->on_solid().patch, kept->on_solid().X).distance > 0))
        return infinity;
    return std::max(began.own.indentation, began.own.half_width);
}

std::optional<PointContact> LevelSetSurface::relax(
    const PointStart& began, const Vec3& Z, const Attachment* kept, double mu) const
{
    const LevelSet& solid = *solid_;
    const Frame& frame = motion_.frame;
    const Vec3 U = frame.to_local(Z);
    const auto from = start(began, U, kept);
    if (!from)
        return std::nullopt;
    const Projection at_U = project_to_surface(solid, from->patch, U);
    const DampedPoint damped = damp(from->patch, began.U_old, U, at_U);
    const Vec3& P = damped.P;
    const SurfaceRelaxation relaxed = damped.relieved
        ? SurfaceRelaxation{at_U.W, at_U.dW_dZ, Mat3::Zero(), false}
        : relax_on_level_set(kind_, solid, from->patch, P, damped.at_P, from->X, mu);

    const Mat3 dY_dU =
        relaxed.dY_dZ * (damped.relieved ? Mat3(Mat3::Identity()) : damped.dP_dU) + relaxed.dY_dX * from->dX_dU;
    // Beyond a rim the spring keeps only a share of its force: its end is drawn towards the point.
    const RimShare share = rim_share(solid, from->patch, relaxed.Y, -at_U.phi, deepest_beyond_rim(began, kept));
    RimWeight rim{};
    if (from->rim) {
        rim = *from->rim;
    } else {
        if (share.weight == 0)
            return std::nullopt;
        rim = {share.weight, dY_dU.transpose() * share.dweight_dY - share.dweight_ddepth * at_U.n};
    }
    const Vec3 end = U + rim.weight * (relaxed.Y - P);
    const Mat3 dend_dU =
        Mat3::Identity() + rim.weight * (dY_dU - damped.dP_dU) + (relaxed.Y - P) * rim.dweight_dU.transpose();
    return PointContact{{.Y = frame.to_world(end),
                            .sticks = relaxed.sticks,
                            .to = OnSolid{from->patch, relaxed.Y},
                            .slip = frame.R * (relaxed.Y - from->X),
                            .depth = -rim.weight * at_U.phi,
                            .n = frame.R * at_U.n,
                            .stiffness_scale = scale_of(kept),
                            .damped = rim.weight * (frame.R * (U - P)),
                            .passes = rim.weight < (1 - 1e-6) * share.weight,
                            .belt = frame.R * from->carried},
        frame.R * dend_dU * frame.R.transpose()};
}

} // namespace stickslip
