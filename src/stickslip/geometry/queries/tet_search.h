#pragma once

#include "stickslip/geometry/queries/box_tree.h"

#include <span>
#include <vector>

namespace stickslip {

/// Tetrahedra that move, and which places they fill. Those that are turned inside out fill the same as others.
class TetSearch {
public:
    /// Keeps a reference to the tetrahedra.
    explicit TetSearch(std::span<const Tetrahedron> tets)
        : tets_(tets)
    {
    }

    /// O(n). `nodes` [m]: what the tetrahedra are indices of; kept a reference to.
    void place(std::span<const Vec3> nodes);

    /// Some tetrahedron holds x [m].
    bool contains(const Vec3& x) const;

private:
    std::span<const Tetrahedron> tets_;
    std::span<const Vec3> nodes_;
    std::vector<Bounds> boxes_;
    BoxTree tree_;
};

} // namespace stickslip
