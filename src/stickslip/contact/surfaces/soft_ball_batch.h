#pragma once

#include "stickslip/contact/contact_blocks.h"
#include "stickslip/contact/points/dual.h"

#include <array>
#include <span>
#include <vector>

namespace stickslip {

/// A node that a contact's facet does not have but that of its normal, when the rule of zones has turned it: one of the
/// far ones of a neighbour.
struct FarNode {
    int block;
    std::array<Mat3, 5> by; // derivatives of the contact's loads by its place
};

/// A ball of a rigid body on a facet of a deformable one. Its blocks of unknowns: displacement and turn of the ball's
/// body, then the three nodes of the facet.
struct SoftBallContact : ContactInfo {
    static constexpr int blocks = 5, unknowns = 3 * blocks;

    std::array<int, blocks> block;
    std::array<DualVec<unknowns>, blocks> load; // [N], [N m] and their derivatives by position
    std::array<double, 3> weights; // [-] barycentric, of the place of contact in the facet
    Vec3 arm; // [m] of the force on the ball, from the centre of mass of its body
    double share = 1; // [-] in [0, 1] of its force beside other places of the ball; k counts it already
    int beside_begin = 0, beside_end = 0; // those places, in the batch
    std::array<FarNode, 2> far; // on which its loads depend as well
    int far_count = 0;
};

/// How the loads of a contact depend on the blocks of another place of its ball: by its share alone (share_beside).
struct BesideContact {
    std::array<int, SoftBallContact::blocks> row, column; // blocks of the contact, and of the other place
    std::array<Vec3, SoftBallContact::blocks> load; // [N], [N m] by row, unshared
    Eigen::Matrix<double, 1, SoftBallContact::unknowns> by; // [1/m] derivative of the share by the blocks of `column`

    Mat3 force_block(int a, int b) const { return load[a] * by.middleCols<3>(3 * b); }
};

/// The cell of the contact table whose surface is that of a deformable body. The derivatives of all loads are found
/// with them, because here the point, the surface's normal and the shares of the nodes each depend on all blocks.
class SoftBallBatch : public ContactBlocks<SoftBallBatch> {
public:
    using Contact = SoftBallContact;
    static constexpr int blocks = Contact::blocks;

    void clear()
    {
        contacts_.clear();
        beside_.clear();
    }
    /// beside: those that the contact names by its beside_begin and beside_end.
    void add(const Contact& contact, std::span<const BesideContact> beside)
    {
        Contact& c = contacts_.emplace_back(contact);
        const int count = c.beside_end - c.beside_begin;
        beside_.insert(beside_.end(), beside.begin() + c.beside_begin, beside.begin() + c.beside_end);
        c.beside_end = static_cast<int>(beside_.size());
        c.beside_begin = c.beside_end - count;
    }
    const std::vector<Contact>& contacts() const { return contacts_; }

    static int block(const Contact& c, int b) { return c.block[b]; }
    static Vec3 load(const Contact& c, int b) { return c.load[b].v; }
    static Mat3 force_block(const Contact& c, int a, int b) { return c.load[a].by(b); }

    // As in ContactBlocks, with what other places of the ball and far nodes do.
    Vec3 load_differential(const Contact& c, int a, std::span<const Vec3> du) const
    {
        Vec3 df = ContactBlocks::load_differential(c, a, du);
        for (int i = c.beside_begin; i < c.beside_end; ++i)
            for (int b = 0; b < blocks; ++b)
                df += beside_[i].force_block(a, b) * du[beside_[i].column[b]];
        for (int i = 0; i < c.far_count; ++i)
            df += c.far[i].by[a] * du[c.far[i].block];
        return df;
    }
    template <typename Add>
    void for_each_block(const Add& add, bool convex = false) const
    {
        ContactBlocks::for_each_block(add, convex);
        if (convex)
            return;
        for (const BesideContact& beside : beside_)
            for (int a = 0; a < blocks; ++a)
                for (int b = 0; b < blocks; ++b)
                    add(beside.row[a], beside.column[b], beside.force_block(a, b));
        for (const Contact& c : contacts_)
            for (int i = 0; i < c.far_count; ++i)
                for (int a = 0; a < blocks; ++a)
                    add(c.block[a], c.far[i].block, c.far[i].by[a]);
    }
    /// Of both triangles of places: the pattern is symmetric.
    template <typename Add>
    void for_each_place(const Add& add) const
    {
        ContactBlocks::for_each_place(add);
        for (const BesideContact& beside : beside_)
            for (int a = 0; a < blocks; ++a)
                for (int b = 0; b < blocks; ++b) {
                    add(beside.row[a], beside.column[b]);
                    add(beside.column[b], beside.row[a]);
                }
        for (const Contact& c : contacts_)
            for (int i = 0; i < c.far_count; ++i)
                for (int a = 0; a < blocks; ++a) {
                    add(c.block[a], c.far[i].block);
                    add(c.far[i].block, c.block[a]);
                }
    }

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
    std::vector<BesideContact> beside_;
};

} // namespace stickslip
