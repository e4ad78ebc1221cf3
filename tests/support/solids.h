#pragma once

#include "stickslip/geometry/solids/level_set.h"

#include "support/numeric.h"

#include <string>

namespace stickslip {

struct NamedSolid {
    std::string name;
    LevelSet solid;
};

/// One of each kind; sizes near 1 m.
inline const std::vector<NamedSolid>& solids()
{
    static const std::vector<NamedSolid> all{{"plane", Plane{Vec3(1, 2, -2) / 3}}, {"box", Box{{1, 0.8, 1.4}}},
        {"sphere", Sphere{0.7}}, {"cylinder", Cylinder{0.5, 1.2}}, {"capsule", Capsule{0.4, 0.8}},
        {"torus", Torus{0.6, 0.25}}};
    return all;
}

/// A point on the surface, at least 0.1 m away from rims and from where the curvature jumps, and its outward normal.
struct SurfacePoint {
    int patch;
    Vec3 X, n;
};

inline SurfacePoint surface_point(const LevelSet& solid, Random& random)
{
    while (true) {
        const Vec3 guess = random.vector(0.9);
        const int patch = nearest_patch(solid, guess);
        const LevelSetSample at = sample_patch(solid, patch, guess);
        const Vec3 X = guess - at.phi * at.n;
        bool clear = std::abs(at.phi) < 0.2;
        for (int g = 0; g < patch_count(solid); ++g)
            clear = clear && (g == patch || patch_distance(solid, g, X) < -0.1);
        if (const auto* capsule = std::get_if<Capsule>(&solid))
            clear = clear && std::abs(std::abs(X.y()) - 0.5 * capsule->height) > 0.1;
        if (clear)
            return {patch, X, sample_patch(solid, patch, X).n};
    }
}

/// A unit vector along the surface.
inline Vec3 tangent(const Vec3& n, Random& random)
{
    while (true) {
        const Vec3 a = random.unit(), t = a - a.dot(n) * n;
        if (t.norm() > 0.1)
            return t.normalized();
    }
}

} // namespace stickslip
