#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// A ball before two facets that make a shallow dent: its feet are in both, and each is a place of contact. Share of
/// its force that one keeps beside the other, and its derivatives. The two planes make a fold; of the way from one foot
/// to the other along them the share `r` is before the fold,
///   r = (d_other - c d)/((1 - c)(d + d_other))      c = n . n_other
/// and share = S(r/f), S(x) = 3 x^2 - 2 x^3 between 0 and 1: none where the foot reaches the fold and the contact ends,
/// all where the other ends. f is 1 for flat folds, where the shares of both are 1 together, and falls to 0 at 15
/// degrees, from where on each counts fully (docs/derivations.md#balls-on-deformable-surfaces).
/// d  distance of the centre along n [m]   n  unit normal at the place of contact; the same of the other
/// Pre: d, d_other > 0.
struct SharedContact {
    double share = 1; // [-] in [0, 1]
    double by_d = 0, by_d_other = 0; // [1/m]
    Vec3 by_n = Vec3::Zero(), by_n_other = Vec3::Zero(); // [-] for changes that keep the normals' length
};
SharedContact share_beside(double d, const Vec3& n, double d_other, const Vec3& n_other);

/// What is farther than its radius times this from a place has nothing to share with it [-]: 1/cos 15 degrees.
extern const double sharing_reach;

/// Share of its force that a contact hands on to one that begins beside it, their normals `cosine` apart [-]: f.
double handed_on(double cosine);

} // namespace stickslip
