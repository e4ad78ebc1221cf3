#include "stickslip/contact/relax/relax_level_set.h"

#include "stickslip/contact/relax/relax_plane.h"

#include <cmath>

namespace stickslip {

namespace {

SurfaceRelaxation stay(const Vec3& X)
{
    return {.Y = X, .dY_dZ = Mat3::Zero(), .dY_dX = Mat3::Identity(), .sticks = true};
}

// F(s) = (Y - Z).N(Y) - c |Y - Z| along the way from W to X: not negative while the spring obeys the cone at Y(s).
struct ConeCondition {
    const LevelSet& solid;
    int patch;
    const Vec3 &Z, &W, &X;
    double c; // cosine of the cone's half angle

    struct Value {
        double F, dF_ds;
        Projection at_P; // of P = W + s (X - W)
        Vec3 dF_dY; // by Y with Z fixed
        Vec3 m; // Y - Z
        Vec3 N; // unit normal at Y
    };

    Value operator()(double s) const
    {
        Value v;
        v.at_P = project_to_surface(solid, patch, W + s * (X - W));
        const Vec3& Y = v.at_P.W;
        const LevelSetSample at_Y = sample_patch(solid, patch, Y);
        v.m = Y - Z;
        const double length = v.m.norm(), g = at_Y.n.norm();
        v.N = at_Y.n / g; // a sampled distance has a gradient of nearly unit length
        v.F = v.m.dot(v.N) - c * length;
        v.dF_dY = v.N + at_Y.hessian * (v.m - v.m.dot(v.N) * v.N) / g;
        if (length > 0)
            v.dF_dY -= c / length * v.m;
        v.dF_ds = v.dF_dY.dot(v.at_P.dW_dZ * (X - W));
        return v;
    }
};

// End of the interval from s = 0 on which F >= 0; 1 when it reaches X. F may rise again beyond (a pulling cone, the far
// side of a ball), so the way is looked over in steps first.
double end_of_feasible_interval(const ConeCondition& condition, double guess)
{
    constexpr int looks = 8;
    double low = 0, high = 1;
    bool ends = false;
    for (int i = 1; i <= looks && !ends; ++i) {
        const double s = static_cast<double>(i) / looks;
        ends = condition(s).F < 0;
        (ends ? high : low) = s;
    }
    if (!ends)
        return 1;
    // Newton guarded by bisection; F(low) >= 0 > F(high) always
    double s = guess > low && guess < high ? guess : 0.5 * (low + high);
    for (int i = 0; i < 100; ++i) {
        const auto v = condition(s);
        (v.F < 0 ? high : low) = s;
        double next = s - v.F / v.dF_ds;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (std::abs(next - s) <= 4e-16 * s || high - low <= 4e-16 * high)
            return next;
        s = next;
    }
    return low;
}

} // namespace

Projection project_to_surface(const LevelSet& solid, int patch, const Vec3& Z)
{
    const LevelSetSample at = sample_patch(solid, patch, Z);
    const double g2 = at.n.squaredNorm();
    const Mat3 gg = at.n * at.n.transpose() / g2;
    const Mat3 I = Mat3::Identity();
    return {.phi = at.phi,
        .n = at.n / std::sqrt(g2),
        .W = Z - at.phi / g2 * at.n,
        .dW_dZ = I - gg - at.phi / g2 * (I - 2 * gg) * at.hessian};
}

SurfaceRelaxation relax_planar(
    const LevelSet& solid, int patch, const Vec3& Z, const Projection& at_Z, const Vec3& X, double mu)
{
    const PlaneRelaxation plane = relax_plane(Z, X, at_Z.W, at_Z.n, mu);
    if (plane.sticks)
        return stay(X);
    const Projection at_K = project_to_surface(solid, patch, plane.K); // K may lie outside: no early exit here
    return {.Y = at_K.W,
        .dY_dZ = at_K.dW_dZ * (plane.dK_dZ + plane.dK_dW * at_Z.dW_dZ),
        .dY_dX = at_K.dW_dZ * plane.dK_dX,
        .sticks = false};
}

SurfaceRelaxation relax_exact_cone(
    const LevelSet& solid, int patch, const Vec3& Z, const Projection& at_Z, const Vec3& X, double mu)
{
    const double a = (Z - at_Z.W).norm();
    const double b = (X - at_Z.W).norm();
    const bool flat = std::holds_alternative<Plane>(solid) || std::holds_alternative<Box>(solid);
    // On a plane, and where depth, friction or distance vanish, the planar answer is the exact one.
    if (flat || !(mu > 0) || std::isinf(mu) || a == 0 || b == 0)
        return relax_planar(solid, patch, Z, at_Z, X, mu);
    const ConeCondition condition{solid, patch, Z, at_Z.W, X, 1 / std::sqrt(1 + mu * mu)};
    const double s = end_of_feasible_interval(condition, mu * a / b);
    if (s == 1)
        return stay(X);
    const auto at = condition(s);
    // P = W + s (X - W); F(s, Z, X) = 0 gives ds; F depends on Z through W, and directly through m.
    const Mat3& dY_dP = at.at_P.dW_dZ;
    const Vec3 direct = condition.c / at.m.norm() * at.m - at.N; // dF/dZ with Y fixed
    const Mat3 dP_dZ = (1 - s) * at_Z.dW_dZ;
    const Vec3 dF_dP = dY_dP.transpose() * at.dF_dY;
    const Vec3 ds_dZ = -(direct + dP_dZ.transpose() * dF_dP) / at.dF_ds;
    const Vec3 ds_dX = -s * dF_dP / at.dF_ds;
    const Vec3 way = X - at_Z.W;
    return {.Y = at.at_P.W,
        .dY_dZ = dY_dP * (dP_dZ + way * ds_dZ.transpose()),
        .dY_dX = dY_dP * (s * Mat3::Identity() + way * ds_dX.transpose()),
        .sticks = false};
}

SurfaceRelaxation relax_on_level_set(RelaxationKind kind, const LevelSet& solid, int patch, const Vec3& Z,
    const Projection& at_Z, const Vec3& X, double mu)
{
    return kind == RelaxationKind::planar ? relax_planar(solid, patch, Z, at_Z, X, mu)
                                          : relax_exact_cone(solid, patch, Z, at_Z, X, mu);
}

} // namespace stickslip
