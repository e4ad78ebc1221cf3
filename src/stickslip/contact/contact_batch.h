#pragma once

#include "stickslip/contact/contact_blocks.h"
#include "stickslip/contact/side.h"

#include <array>
#include <vector>

namespace stickslip {

/// One cell of the contact table, written once for every pairing of a point side with a surface side: forces, and their
/// derivative by each block of unknowns that either side depends on (dj = k (dZ - dY), and the change of lever arms).
/// Paper: Alg 5 FORCE_DI, FORCE_DIFF_DI, FORCE_DIFF_TRANSPOSE_DI; Alg 6 FORCE_RD, FORCE_DIFF_RD,
/// FORCE_DIFF_TRANSPOSE_RD; Alg 8 FORCE_RR, FORCE_DIFF_RR, FORCE_DIFF_TRANSPOSE_RR
template <typename Point, typename Surface>
class ContactBatch : public ContactBlocks<ContactBatch<Point, Surface>> {
public:
    static constexpr int point_blocks = Point::block_count;
    static constexpr int blocks = point_blocks + Surface::block_count;

    struct Contact : ContactInfo {
        Point point_side;
        Surface surface_side;
        std::array<Mat3, blocks> dZ, dY; // [-] by the position of each block, the point's first

        Mat3 dj(int b) const { return k * (dZ[b] - dY[b]); } // [N/m]
    };

    void clear() { contacts_.clear(); }

    /// A point of a body: how Y depends on the surface's own motion follows from how it depends on Z, because only
    /// their place relative to each other counts.
    void add(const ContactInfo& info, const Point& point, const Surface& surface)
    {
        Contact& c = append(info, point, surface);
        for (int b = 0; b < point_blocks; ++b) {
            c.dZ[b] = point.motion(b, c.Z);
            c.dY[b] = c.at.dY_dZ * c.dZ[b];
        }
        for (int b = point_blocks; b < blocks; ++b) {
            c.dZ[b] = Mat3::Zero();
            c.dY[b] = surface.motion(b - point_blocks, c.at.Y) - c.at.dY_dZ * surface.motion(b - point_blocks, c.Z);
        }
    }

    /// A ball of a rigid body or an obstacle, centre c, turned by phi relative to the surface: here Z moves with the
    /// surface's normal as well.
    void add_round(const ContactInfo& info, const RoundContact& round, const Vec3& c, const Vec3& phi,
        const Point& point, const Surface& surface)
    {
        Contact& contact = append(info, point, surface);
        for (int b = 0; b < point_blocks; ++b) {
            contact.dZ[b] = round.dZ_dc * point.motion(b, c);
            contact.dY[b] = round.dY_dc * point.motion(b, c);
            if (b == 1)
                contact.dY[b] += round.dY_dphi;
        }
        for (int b = point_blocks; b < blocks; ++b) {
            const int own = b - point_blocks;
            const Mat3 centre = surface.motion(own, c);
            contact.dZ[b] = surface.motion(own, round.Z) - round.dZ_dc * centre;
            contact.dY[b] = surface.motion(own, round.Y) - round.dY_dc * centre;
            if constexpr (Surface::block_count == 2)
                if (own == 1)
                    contact.dY[b] += round.dY_dphi * (skew(phi) * surface.J - Mat3::Identity());
        }
    }

    /// What touches by a point that the pose of its body determines; Point is a rigid body or an obstacle.
    void add_posed(const ContactInfo& info, const PoseContact& posed, const Point& point, const Surface& surface)
    {
        Contact& contact = append(info, point, surface);
        for (int b = 0; b < point_blocks; ++b) {
            contact.dZ[b] = posed.dZ_dplace * point.motion(b, posed.place);
            contact.dY[b] = posed.dY_dplace * point.motion(b, posed.place);
            if constexpr (point_blocks == 2)
                if (b == 1) {
                    contact.dZ[b] += posed.dZ_dturn * point.J;
                    contact.dY[b] += posed.dY_dturn * point.J;
                }
        }
        for (int b = point_blocks; b < blocks; ++b) {
            const int own = b - point_blocks;
            const Mat3 place = surface.motion(own, posed.place);
            contact.dZ[b] = surface.motion(own, posed.Z) - posed.dZ_dplace * place;
            contact.dY[b] = surface.motion(own, posed.Y) - posed.dY_dplace * place;
            if constexpr (Surface::block_count == 2)
                if (own == 1) {
                    contact.dZ[b] -= posed.dZ_dturn * surface.J;
                    contact.dY[b] -= posed.dY_dturn * surface.J;
                }
        }
    }

    const std::vector<Contact>& contacts() const { return contacts_; }

    static int block(const Contact& c, int b)
    {
        return b < point_blocks ? c.point_side.block(b) : c.surface_side.block(b - point_blocks);
    }

    /// What a contact adds to the equation of block b: force [N] or torque [N m].
    static Vec3 load(const Contact& c, int b)
    {
        return b < point_blocks ? c.point_side.load(b, c.Z, -c.j) : c.surface_side.load(b - point_blocks, c.at.Y, c.j);
    }

    /// Derivative of the force on block a by the position of block b [N/m].
    static Mat3 force_block(const Contact& c, int a, int b)
    {
        if (a < point_blocks)
            return c.point_side.load_derivative(a, b < point_blocks ? b : -1, c.Z, -c.j, c.dZ[b], -c.dj(b));
        return c.surface_side.load_derivative(
            a - point_blocks, b < point_blocks ? -1 : b - point_blocks, c.at.Y, c.j, c.dY[b], c.dj(b));
    }

    /// A symmetric negative semidefinite neighbour of force_block (held); lever arms do not change.
    static Mat3 convex_block(const Contact& c, int a, int b)
    {
        const auto lever = [&](int i) {
            Mat3 L;
            for (int k = 0; k < 3; ++k)
                L.col(k) = i < point_blocks ? c.point_side.load(i, c.Z, Vec3::Unit(k))
                                            : c.surface_side.load(i - point_blocks, c.at.Y, -Vec3::Unit(k));
            return L;
        };
        return -c.k * lever(a) * held(c) * lever(b).transpose();
    }

private:
    Contact& append(const ContactInfo& info, const Point& point, const Surface& surface)
    {
        Contact& c = contacts_.emplace_back();
        static_cast<ContactInfo&>(c) = info;
        c.j = c.k * (c.Z - c.at.Y);
        c.point_side = point;
        c.surface_side = surface;
        return c;
    }

    std::vector<Contact> contacts_;
};

} // namespace stickslip
