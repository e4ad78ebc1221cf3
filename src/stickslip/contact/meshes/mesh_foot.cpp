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

bool is_beyond_inner_side(const SmoothPatches& patches, const MeshFoot& foot)
{
    for (int i = 0; i < 3; ++i)
        if (foot.w[i] < 0 && patches.across[foot.facet][(i + 1) % 3] >= 0)
            return true;
    return false;
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
        if (foot.facet < 0 || walk.best() == foot.facet)
            return foot;
        return walk.outside() < held ? MeshFoot{} : foot_on(surface, walk.best(), Z);
    }
}

/// The least deep foot on the facets around `start`: a facet far from the foot may have none of its own to walk by.
MeshFoot found_around(const PatchView& surface, const Vec3& Z, int start)
{
    constexpr std::size_t most = 16;
    std::vector<int> facets = {start};
    MeshFoot best;
    for (std::size_t i = 0; i < facets.size(); ++i) {
        const MeshFoot foot = foot_on(surface, facets[i], Z);
        if (foot.facet >= 0 && !is_beyond_inner_side(*surface.patches, foot)
            && (best.facet < 0 || std::abs(foot.d) < std::abs(best.d)))
            best = foot;
        for (const int next : surface.patches->across[facets[i]])
            if (next >= 0 && facets.size() < most && std::find(facets.begin(), facets.end(), next) == facets.end())
                facets.push_back(next);
    }
    return best;
}

} // namespace

MeshFoot find_foot(const PatchView& surface, const Vec3& Z, int start)
{
    const MeshFoot foot = walked_to(surface, Z, start);
    return foot.facet >= 0 ? foot : found_around(surface, Z, start);
}

} // namespace stickslip
