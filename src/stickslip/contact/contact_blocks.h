#pragma once

#include "stickslip/contact/contact.h"
#include "stickslip/contact/meshes/patch_loads.h"
#include "stickslip/contact/side.h"

#include <span>
#include <vector>

namespace stickslip {

struct BesideContact;
struct SoftBallContact;

/// All contacts of an evaluation, and their sums over blocks of unknowns: forces and their derivative by each block
/// that a contact depends on,
///     dj = k (dZ - dY), and the change of lever arms.
/// Written once over stencils: a new kind of contact says how Z and Y move, or gives the derivatives of its loads.
/// Paper: Alg 5 FORCE_DI, FORCE_DIFF_DI, FORCE_DIFF_TRANSPOSE_DI; Alg 6 FORCE_RD, FORCE_DIFF_RD,
/// FORCE_DIFF_TRANSPOSE_RD; Alg 8 FORCE_RR, FORCE_DIFF_RR, FORCE_DIFF_TRANSPOSE_RR
class ContactBlocks {
public:
    void clear();

    /// A contact of `point` number `number` of point_body. How Y depends on the surface's own motion follows from how
    /// it depends on that of the point, because only their pose relative to each other counts.
    void add(int point_body, int surface_body, int number, double k, const PoseContact& at, const Side& point,
        const Side& surface);

    /// A ball on a deformable body; `all_beside`: those that the contact names by its beside_begin and beside_end.
    void add(const SoftBallContact& contact, std::span<const BesideContact> all_beside);

    /// A contact whose stencil is given, those of its blocks that it loads first, with the derivatives of its loads
    /// (loaded x stencil.size(), row after row).
    void add(
        const Contact& contact, std::span<const StencilBlock> stencil, int loaded, std::span<const Mat3> derivatives);

    /// A contact on a patch whose stencil is given, those of its blocks that it loads first.
    void add(const Contact& contact, std::span<const StencilBlock> stencil, int loaded, const PatchLoads& loads);

    /// Adds all contacts of `other`.
    void append(const ContactBlocks& other);

    std::span<const Contact> contacts() const { return contacts_; }
    std::span<const StencilBlock> stencil(const Contact& c) const
    {
        return std::span(stencils_).subspan(c.first, c.count);
    }

    /// Number of the contact's b-th block of unknowns, and the load that the contact adds to its equation [N], [N m].
    int block(const Contact& c, int b) const { return stencils_[c.first + b].block; }
    const Vec3& load(const Contact& c, int b) const { return stencils_[c.first + b].load; }

    /// Derivative of load(c, a) by the position of block b [N/m].
    Mat3 force_block(const Contact& c, int a, int b) const { return force_block(c, a, column(c, b)); }

    /// A symmetric negative semidefinite neighbour of force_block (held); lever arms do not change.
    Mat3 convex_block(const Contact& c, int a, int b) const;

    /// Derivative of load(c, a) along du.
    Vec3 load_differential(const Contact& c, int a, std::span<const Vec3> du) const;

    void add_force(std::span<Vec3> f) const;

    /// df += (d force / d position) du, or its transpose applied to du.
    void add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const;

    /// Calls add(row, column, d force on row / d position of column) for every block of every contact, in order; or
    /// with the convex block in its place.
    template <typename Add>
    void for_each_block(const Add& add, bool convex = false) const
    {
        for (const Contact& c : contacts_)
            if (convex)
                for_each_convex_block(c, add);
            else
                for_each_block(c, add);
    }

    /// Calls add(row, column) for the same blocks, and for their transposes.
    template <typename Add>
    void for_each_place(const Add& add) const
    {
        for (const Contact& c : contacts_)
            for (int a = 0; a < c.loaded; ++a)
                for (int b = 0; b < c.count; ++b) {
                    add(block(c, a), block(c, b));
                    if (b >= c.loaded)
                        add(block(c, b), block(c, a));
                }
    }

    /// Lists in `places` which blocks each contact couples; false where they were listed already, so that
    /// for_each_place calls the same.
    bool list_places(std::vector<int>& places) const;

private:
    struct Ends {
        Mat3 dZ, dY; // [-], [m]: by the position of a block
    };

    // What of a derivative by the position of block b is the same for all loads.
    struct Column {
        int b;
        Mat3 dj; // [N/m]
        Mat3 dw; // of a contact on a patch: PatchDifferential::dw
    };
    Column column(const Contact& c, int b) const;
    Mat3 force_block(const Contact& c, int a, const Column& by) const;
    Mat3 patch_block(const Contact& c, int a, const Column& by) const;
    void add_patch_differential(const Contact& c, std::span<const Vec3> du, std::span<Vec3> df) const;

    template <typename Add>
    void for_each_block(const Contact& c, const Add& add) const
    {
        for (int b = 0; b < c.count; ++b) {
            const Column by = column(c, b);
            for (int a = 0; a < c.loaded; ++a)
                add(block(c, a), block(c, b), force_block(c, a, by));
        }
    }
    template <typename Add>
    void for_each_convex_block(const Contact& c, const Add& add) const
    {
        for (int a = 0; a < c.loaded; ++a)
            for (int b = 0; b < c.loaded; ++b)
                add(block(c, a), block(c, b), convex_block(c, a, b));
    }

    std::vector<Contact> contacts_;
    std::vector<StencilBlock> stencils_;
    std::vector<Mat3> derivatives_; // [N/m] of loads, as force_block
    std::vector<PatchLoads> patch_loads_;
    std::vector<Ends> ends_; // of contacts of two poses, one for each block
};

} // namespace stickslip
