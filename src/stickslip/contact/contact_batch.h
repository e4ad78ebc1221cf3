#pragma once

#include "stickslip/contact/surface_side.h"
#include "stickslip/math/types.h"

#include <array>
#include <span>
#include <vector>

namespace stickslip {

/// One cell of the contact table, written once for every pairing of a point side with a surface side: the spring
/// between the point Z and its relaxed attachment Y,
///     j = k (Z - Y)      -j on the point at Z, +j on the surface at Y
/// and its derivative by each block of unknowns that either side depends on (dj = k (dZ - dY), and the change of the
/// load maps). Paper: Alg 5 FORCE_DI, FORCE_DIFF_DI, FORCE_DIFF_TRANSPOSE_DI (and, with other sides, those of Algs 6 to
/// 9)
template <typename Point, typename Surface>
class ContactBatch {
public:
    static constexpr int point_blocks = Point::block_count;
    static constexpr int blocks = point_blocks + Surface::block_count;

    struct Contact {
        Point point;
        const Surface* surface;
        SurfaceContact<Surface::block_count> at;
        double k; // [N/m]
        Vec3 j; // [N]
        std::array<Mat3, blocks> dj; // [N/m] by the position of each block, the point's first
    };

    void clear() { contacts_.clear(); }

    void add(const Point& point, const Surface& surface, const SurfaceContact<Surface::block_count>& at, double k)
    {
        Contact c{point, &surface, at, k, k * (point.position() - at.Y), {}};
        for (int b = 0; b < point_blocks; ++b)
            c.dj[b] = k * (Mat3::Identity() - at.dY_dZ) * point.motion(b);
        for (int b = point_blocks; b < blocks; ++b)
            c.dj[b] = -k * at.dY_dblock[b - point_blocks];
        contacts_.push_back(c);
    }

    const std::vector<Contact>& contacts() const { return contacts_; }

    static int block(const Contact& c, int b)
    {
        return b < point_blocks ? c.point.block(b) : c.surface->block(b - point_blocks);
    }

    /// f += contact forces [N].
    void add_force(std::span<Vec3> f) const
    {
        for (const Contact& c : contacts_)
            for (int b = 0; b < blocks; ++b)
                f[block(c, b)] +=
                    b < point_blocks ? c.point.load(b, -c.j) : c.surface->load(b - point_blocks, c.at.Y, c.j);
    }

    /// Derivative of the force on block a by the position of block b [N/m].
    static Mat3 force_block(const Contact& c, int a, int b)
    {
        const bool own_point = b < point_blocks;
        if (a < point_blocks)
            return own_point ? c.point.load_derivative(a, b, -c.j, -c.dj[b]) : c.point.load_of(a, -c.dj[b]);
        const Mat3 dY = own_point ? Mat3(c.at.dY_dZ * c.point.motion(b)) : c.at.dY_dblock[b - point_blocks];
        return c.surface->load_derivative(
            a - point_blocks, own_point ? -1 : b - point_blocks, c.at.Y, c.j, dY, c.dj[b]);
    }

    /// df += (d force / d position) du, or its transpose applied to du.
    void add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const
    {
        for_each_block([&](int row, int column, const Mat3& D) {
            if (transposed)
                df[column] += D.transpose() * du[row];
            else
                df[row] += D * du[column];
        });
    }

    /// Calls add(row, column, d force on row / d position of column) for every block of every contact, in order.
    template <typename Add>
    void for_each_block(const Add& add) const
    {
        for (const Contact& c : contacts_)
            for (int a = 0; a < blocks; ++a)
                for (int b = 0; b < blocks; ++b)
                    add(block(c, a), block(c, b), force_block(c, a, b));
    }

private:
    std::vector<Contact> contacts_;
};

} // namespace stickslip
