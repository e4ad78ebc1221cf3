#include "stickslip/contact/meshes/mesh_foot.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stickslip {

namespace {

/// The foot in the plane of the facet, continued beyond its sides; facet -1: there is none.
MeshFoot foot_on(const PatchView& s, int facet, const Vec3& Z)
{
    constexpr int most = 12;
    const Vec3 P0 = s.corner(facet, 0), P1 = s.corner(facet, 1), P2 = s.corner(facet, 2);
    const Vec3 N0 = s.normal(facet, 0), N1 = s.normal(facet, 1), N2 = s.normal(facet, 2);
    const Vec3 u = P0 - P2, v = P1 - P2, n = u.cross(v);
    const double twice = n.squaredNorm(), size = std::sqrt(std::sqrt(twice));
    MeshFoot foot;
    foot.w[0] = n.dot((Z - P2).cross(v)) / twice;
    foot.w[1] = n.dot(u.cross(Z - P2)) / twice;
    foot.d = n.dot(P2 - Z) / std::sqrt(twice);
    for (int i = 0; i < most; ++i) {
        foot.w[2] = 1 - foot.w[0] - foot.w[1];
        const Vec3 N = foot.w[0] * N0 + foot.w[1] * N1 + foot.w[2] * N2;
        const Vec3 R = foot.w[0] * P0 + foot.w[1] * P1 + foot.w[2] * P2 - foot.d * N - Z;
        Mat3 J;
        J << u - foot.d * (N0 - N2), v - foot.d * (N1 - N2), -N;
        bool regular;
        J.computeInverseWithCheck(foot.inverse, regular, 1e-9 * size * size);
        if (!regular)
            return {};
        const Vec3 change = -(foot.inverse * R);
        foot.w.head<2>() += change.head<2>();
        foot.d += change[2];
        if (R.norm() <= 1e-10 * size) { // quadratic convergence: this step was the last that counts
            foot.facet = facet;
            foot.w[2] = 1 - foot.w[0] - foot.w[1];
            return foot;
        }
    }
    return {};
}

/// From facet to facet, each time over the side that the place is farthest beyond.
MeshFoot walked_to(const PatchView& surface, const Vec3& Z, int start)
{
    constexpr double held = -0.05; // [-] a place between facets that fold over belongs to the nearest of them
    constexpr int most_walks = 16; // what slides far over a fine mesh
    int facet = start;
    for (int i = 1;; ++i) {
        PatchWalk walk;
        MeshFoot foot = foot_on(surface, facet, Z);
        while (foot.facet >= 0 && walk.at(*surface.patches, facet, foot.w)) {
            facet = walk.next();
            foot = foot_on(surface, facet, Z);
        }
        if (foot.facet >= 0 && walk.is_cut() && i < most_walks) {
            facet = walk.next();
            continue;
        }
        if (foot.facet < 0 || walk.outside() < held)
            return {};
        return walk.best() == foot.facet ? foot : foot_on(surface, walk.best(), Z);
    }
}

/// Whether all places between it and Z have their feet there too.
bool is_true(const PatchView& s, const MeshFoot& foot)
{
    return foot.facet >= 0 && s.patches->is_before_focus(foot.facet, s.x, foot.w, foot.d);
}

/// The foot that one gets to from the middle of a facet as its place goes straight to Z: where a walk by the planes of
/// the facets finds none, or one behind its focus, because they are too far from the foot.
MeshFoot followed_to(const PatchView& s, const Vec3& Z, int start)
{
    constexpr double shortest = 1.0 / 64;
    const Vec3 from = s.at(start, Vec3::Constant(1.0 / 3));
    int facet = start;
    double done = 0, step = 0.5;
    while (step >= shortest) {
        const double next = std::min(1.0, done + step);
        const MeshFoot foot = walked_to(s, from + next * (Z - from), facet);
        if (!is_true(s, foot)) {
            step /= 2;
            continue;
        }
        if (next == 1)
            return foot;
        facet = foot.facet;
        done = next;
        step *= 2;
    }
    return {};
}

} // namespace

MeshFoot find_foot(const PatchView& surface, const Vec3& Z, int start)
{
    const MeshFoot foot = walked_to(surface, Z, start);
    return is_true(surface, foot) ? foot : followed_to(surface, Z, start);
}

} // namespace stickslip
