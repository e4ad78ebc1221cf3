#pragma once

#include "stickslip/contact/surfaces/level_set_surface.h"

#include <span>

namespace stickslip {

/// What is known of a contact whatever its sides: the spring between the point Z and its relaxed attachment Y,
///     j = k (Z - Y)      -j on the point at Z, +j on the surface at Y
struct ContactInfo {
    int point_body, surface_body, point; // as in Attachment
    double k; // [N/m]
    Vec3 Z; // [m]
    SurfaceContact at;
    Vec3 j; // [N]
};

/// How much of its stiffness k a contact keeps in a convex neighbour of its energy [-]: all across the surface; along
/// it that of the secant of the friction force from no slip at all, which is the whole where it sticks.
inline Mat3 held(const ContactInfo& c)
{
    const Vec3& n = c.at.n;
    const double friction = (c.j - n.dot(c.j) * n).norm(), slip = c.k * c.at.slip.norm();
    const double along = slip > 0 ? friction / (friction + slip) : 1;
    return along * Mat3::Identity() + (1 - along) * n * n.transpose();
}

/// Sums over the contacts of a batch, each of which loads `Batch::blocks` blocks of unknowns. Batch has
///   contacts()              all of them, in order
///   block(c, b)             which block of unknowns the contact's b-th is
///   load(c, b)              what it adds to the equation of that block: force [N] or torque [N m]
///   force_block(c, a, b)    the derivative of load(c, a) by the position of block b [N/m]
///   convex_block(c, a, b)   a symmetric negative semidefinite neighbour of it
template <typename Batch>
class ContactBlocks {
public:
    void add_force(std::span<Vec3> f) const
    {
        for (const auto& c : batch().contacts())
            for (int b = 0; b < Batch::blocks; ++b)
                f[Batch::block(c, b)] += Batch::load(c, b);
    }

    /// df += (d force / d position) du, or its transpose applied to du.
    void add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const
    {
        batch().for_each_block([&](int row, int column, const Mat3& D) {
            if (transposed)
                df[column] += D.transpose() * du[row];
            else
                df[row] += D * du[column];
        });
    }

    /// Derivative of load(c, a) along du.
    template <typename Contact>
    Vec3 load_differential(const Contact& c, int a, std::span<const Vec3> du) const
    {
        Vec3 df = Vec3::Zero();
        for (int b = 0; b < Batch::blocks; ++b)
            df += Batch::force_block(c, a, b) * du[Batch::block(c, b)];
        return df;
    }

    /// Calls add(row, column, d force on row / d position of column) for every block of every contact, in order; or
    /// with the convex block in its place.
    template <typename Add>
    void for_each_block(const Add& add, bool convex = false) const
    {
        for (const auto& c : batch().contacts())
            for (int a = 0; a < Batch::blocks; ++a)
                for (int b = 0; b < Batch::blocks; ++b)
                    add(Batch::block(c, a), Batch::block(c, b),
                        convex ? Batch::convex_block(c, a, b) : Batch::force_block(c, a, b));
    }

    /// Calls add(row, column) for the same blocks.
    template <typename Add>
    void for_each_place(const Add& add) const
    {
        for (const auto& c : batch().contacts())
            for (int a = 0; a < Batch::blocks; ++a)
                for (int b = 0; b < Batch::blocks; ++b)
                    add(Batch::block(c, a), Batch::block(c, b));
    }

private:
    const Batch& batch() const { return static_cast<const Batch&>(*this); }
};

} // namespace stickslip
