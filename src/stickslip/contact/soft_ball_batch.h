#pragma once

#include "stickslip/contact/contact_blocks.h"
#include "stickslip/contact/dual.h"

#include <array>
#include <vector>

namespace stickslip {

/// A ball of a rigid body on a facet of a deformable one. Its blocks of unknowns: displacement and turn of the ball's
/// body, then the three nodes of the facet.
struct SoftBallContact : ContactInfo {
    static constexpr int blocks = 5, unknowns = 3 * blocks;

    std::array<int, blocks> block;
    std::array<DualVec<unknowns>, blocks> load; // [N], [N m] and their derivatives by position
    std::array<double, 3> weights; // [-] barycentric, of the place of contact in the facet
    Vec3 arm; // [m] of the force on the ball, from the centre of mass of its body
};

/// The cell of the contact table whose surface is that of a deformable body. The derivatives of all loads are found
/// with them, because here the point, the surface's normal and the shares of the nodes each depend on all blocks.
class SoftBallBatch : public ContactBlocks<SoftBallBatch> {
public:
    using Contact = SoftBallContact;
    static constexpr int blocks = Contact::blocks;

    void clear() { contacts_.clear(); }
    void add(const Contact& contact) { contacts_.push_back(contact); }
    const std::vector<Contact>& contacts() const { return contacts_; }

    static int block(const Contact& c, int b) { return c.block[b]; }
    static Vec3 load(const Contact& c, int b) { return c.load[b].v; }
    static Mat3 force_block(const Contact& c, int a, int b) { return c.load[a].by(b); }

    /// Each node holds its share of the force, without the couple that the depth of the ball makes of it.
    static Mat3 convex_block(const Contact& c, int a, int b)
    {
        const auto lever = [&](int i) {
            return i == 0 ? Mat3(Mat3::Identity()) : i == 1 ? skew(c.arm) : Mat3(-c.weights[i - 2] * Mat3::Identity());
        };
        return -c.k * lever(a) * held(c) * lever(b).transpose();
    }

private:
    std::vector<Contact> contacts_;
};

} // namespace stickslip
