#pragma once

#include "stickslip/math/parallel_transport.h"
#include "stickslip/math/types.h"

#include <span>

namespace stickslip {

/// Identity of a contact, by which the next step continues it.
struct ContactName {
    Vec3 n; // [-] unit normal
    int facet;
    int patch;
};

/// For each contact of a sphere with a surface in the last step, the one of this step that continues it, or -1: on the
/// same facet, else in the same smooth patch, else anywhere; of several, the one whose normal has turned least. None
/// turns by `angle_cosine` or more, on its own facet by a right angle.
/// Several old ones may name one new one (they merged: add their forces, then cap); each names one at most (it split:
/// the other begins at zero).
/// successors  as many as old; written
void match_contacts(
    std::span<const ContactName> old, std::span<const ContactName> now, double angle_cosine, std::span<int> successors);

/// Tangential vector F (a force, a couple) turned by the smallest rotation that takes the unit normal a to b, so that
/// it keeps its length and what turns with the surface stays in it. Any part along a is removed first. Opposite normals
/// have the same tangent plane: F stays.
inline Vec3 turn_tangential(const Vec3& F, const Vec3& a, const Vec3& b)
{
    const Vec3 v = F - a.dot(F) * a;
    const bool opposite = a.dot(b) < -1 + 1e-9;
    return opposite ? v : parallel_transport(v, a, b).v;
}

/// F, shortened to `limit` >= 0 if it is longer: mu F_n for friction.
Vec3 cap(const Vec3& F, double limit);

} // namespace stickslip
