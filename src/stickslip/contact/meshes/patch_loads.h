#pragma once

#include "stickslip/math/types.h"

#include <array>

namespace stickslip {

/// Derivatives of the points that a contact on a patch depends on, by one unknown [-].
struct PatchMotion {
    double point = 0; // Z
    double foot = 0, hit = 0; // the places of W and of Y on their facets
    double kept = 0; // the attachment

    /// Of the three differences that the contact depends on, whatever moves. Of the force at Z and its opposite at Y
    /// the unknown takes the share reach().
    double gap() const { return point - foot; } // Z less the place of W
    double lean() const { return kept - point; } // the attachment less Z
    double reach() const { return point - hit; } // Z less the place of Y
};

/// Derivatives of spring and weights along an unknown.
struct PatchDifferential {
    Mat3 dspring; // of PatchRelaxation::spring
    Mat3 dw; // row i: of the barycentric weight w[i] of Y
};

/// The same along the three differences.
struct PatchDerivatives {
    PatchDifferential by_gap;
    PatchDifferential by_lean; // zero where the contact comes in
    Mat3 dw_by_reach;

    PatchDifferential along(const PatchMotion& m) const
    {
        return {m.gap() * by_gap.dspring + m.lean() * by_lean.dspring,
            m.gap() * by_gap.dw + m.lean() * by_lean.dw + m.reach() * dw_by_reach};
    }
};

/// Of a contact on a patch what the derivatives of its loads are made of.
struct PatchLoads {
    static constexpr int most_blocks = 12; // two of a rigid body or three nodes, and the corners of three facets

    PatchDerivatives by; // of the force over the stiffness
    std::array<PatchMotion, most_blocks> motion; // by the blocks of the stencil; of one that turns after `turn`
    std::array<int, most_blocks> corner; // of Y's facet, which the block is; -1: none
    Mat3 turn = Mat3::Zero(); // [m] Z by the rotation of its body
};

} // namespace stickslip
