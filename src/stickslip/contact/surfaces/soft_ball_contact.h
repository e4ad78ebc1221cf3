#pragma once

#include "stickslip/contact/contact.h"
#include "stickslip/contact/points/dual.h"

#include <array>

namespace stickslip {

/// A node that a contact's facet does not have but that of its normal, when the rule of zones has turned it: one of the
/// far ones of a neighbour.
struct FarNode {
    int block;
    std::array<Mat3, 5> by; // derivatives of the contact's loads by its place
};

/// A ball of a rigid body on a facet of a deformable one. The derivatives of all its loads are found with them, because
/// the point, the surface's normal and the shares of the nodes each depend on all blocks. Its blocks of unknowns:
/// displacement and turn of the ball's body (-1: it is fixed), then the three nodes of the facet.
struct SoftBallContact : Contact {
    static constexpr int blocks = 5, unknowns = 3 * blocks;

    std::array<int, blocks> block{-1, -1, -1, -1, -1};
    std::array<DualVec<unknowns>, blocks> load; // [N], [N m] and their derivatives by position
    std::array<double, 3> weights; // [-] barycentric, of the place of contact in the facet
    Vec3 arm; // [m] of the force on the ball, from the centre of mass of its body
    double share = 1; // [-] in [0, 1] of its force beside other places of the ball; k counts it already
    int beside_begin = 0, beside_end = 0; // those places, in the search
    std::array<FarNode, 2> far; // on which its loads depend as well
    int far_count = 0;
};

/// Derivatives of the loads of a contact by the blocks of another place of its ball, on which its share alone depends
/// (share_beside).
struct BesideContact {
    std::array<int, SoftBallContact::blocks> column; // blocks of the other place
    std::array<Vec3, SoftBallContact::blocks> load; // [N], [N m] of the contact by its block, unshared
    Eigen::Matrix<double, 1, SoftBallContact::unknowns> by; // [1/m] derivative of the share by the blocks of `column`

    Mat3 force_block(int a, int b) const { return load[a] * by.middleCols<3>(3 * b); }
};

} // namespace stickslip
