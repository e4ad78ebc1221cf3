#pragma once

#include "stickslip/contact/points/mesh_feature.h"

#include <array>
#include <optional>

namespace stickslip {

/// The distance that a circle looks at: of one patch of a solid, or (patch < 0) of the whole; or of a feature of a
/// mesh.
struct DistanceField {
    const LevelSet* solid;
    int patch;
    const MeshFeature* feature = nullptr; // then there is no solid

    LevelSetSample at(const Vec3& U) const
    {
        if (feature)
            return feature->sample(U);
        return patch < 0 ? sample(*solid, U) : sample_patch(*solid, patch, U);
    }
    double distance(const Vec3& U) const
    {
        return patch < 0 ? signed_distance(*solid, U) : patch_distance(*solid, patch, U);
    }

    /// True where no stretch of a circle is even unless all of it is: about spheres and tori.
    bool is_curved_all_over() const
    {
        return !feature && (std::holds_alternative<Sphere>(*solid) || std::holds_alternative<Torus>(*solid));
    }
    /// Smallest radius of curvature outside [m], as far as a circle has to look closer for it: that of a torus's tube,
    /// 0 of edges, of what is sampled the spacing; infinite of one of several patches, of planes and of spheres, along
    /// which a circle has one minimum.
    double narrowest() const;
};

/// A circle in the frame of the solid. All of its vectors but the centre are unit.
struct Circle {
    Vec3 centre; // [m]
    Vec3 axis; // of the circle
    Vec3 mark; // across the axis; fixed in the body
    double radius; // [m]
    double tube = 0; // [m] about it

    Vec3 direction(double angle) const; // unit, from the centre: the mark turned about the axis [rad]
    double angle(const Vec3& u) const; // [rad] its inverse, in [first_angle, first_angle + 2 pi)

    /// Where it goes through the plane n . U = h [rad]; nothing where it does not, or lies in parallel.
    std::optional<std::array<double, 2>> crossings(const Vec3& n, double h) const;

    static constexpr double first_angle = -0.1; // where nothing drawn along axes has its extreme points
};

/// How phi changes along a circle at the direction u: F = (d phi / d angle) / radius and q = (d^2 phi / d angle^2) /
/// radius. About a plane hypot(F, q) is the same all round: the sine of the angle between it and the circle's plane.
struct AlongCircle {
    double F, q; // [-]
};
AlongCircle along_circle(const LevelSetSample& at, const Circle& circle, const Vec3& u);

/// A local minimum of phi along a circle, E = centre + radius u, and how sharp it is.
struct ExtremePoint {
    double angle; // [rad]
    Vec3 u, E;
    double phi; // [m] there
    double sharpness; // [-] q
};

/// Local minima of phi along a circle, by angle. Those of a stretch so even that nothing would carry there
/// (extreme_share) may be left out, and pairs of a minimum and a maximum closer than 1/24 of a turn may if one is
/// nearly that even. Near what is narrow the circle is looked at more closely than that. Of more than `capacity`, as
/// over the ripples of a sampled distance, the lowest.
struct ExtremePoints {
    static constexpr int capacity = 48;
    std::array<ExtremePoint, capacity> points;
    int count = 0;

    const ExtremePoint* begin() const { return points.data(); }
    const ExtremePoint* end() const { return points.data() + count; }
};
ExtremePoints find_extreme_points(const DistanceField& field, const Circle& circle);

/// Angle [rad] of an extreme of phi between two angles, low < high. Pre of the maximum: phi rises at low and falls at
/// high; of the minimum: it falls at low and rises at high.
double maximum_between(const DistanceField& field, const Circle& circle, double low, double high);
double minimum_between(const DistanceField& field, const Circle& circle, double low, double high);

/// Which of the minima a point at this angle [rad] comes to when it runs down along the circle; -1 without minima.
int run_down(const ExtremePoints& minima, const DistanceField& field, const Circle& circle, double angle);

/// Share in [0, 1] of its force that an extreme point has, by its sharpness; fixed points around the circle have the
/// rest, each by hypot(F, q) where it is; about what is curved all over both by how uneven all of the circle is
/// (share_of_extremes). A circle that lies flat on a surface touches it all round, and only points of its own do not
/// wander then; a minimum that is about to vanish fades (docs/derivations.md#extreme-points).
struct ExtremeShare {
    double share, dshare_dq;
};
ExtremeShare extreme_share(double sharpness);

} // namespace stickslip
