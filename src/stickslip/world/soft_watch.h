#pragma once

#include "stickslip/contact/contact_set.h"
#include "stickslip/geometry/queries/tet_search.h"
#include "stickslip/world/world.h"

#include <vector>

namespace stickslip {

/// A body that is deeper in a deformable one than their contacts tell: a rigid one or an obstacle that sinks in between
/// the nodes, or a deformable one that started there or moved too far in a step.
struct MissedPenetration {
    int body, soft; // contact bodies
    double depth; // [m] of its deepest place that was looked at
    double felt; // [m] of the deepest contact
};

/// Spacing [m] of the surface nodes of a deformable body at rest: the side of a square whose corners the
/// circle through the nodes of a triangle holds, on average. A lattice of cubes gives their edge.
double node_spacing(const DeformableSet& set, const DeformableBody& body);

/// Distance [m] of x from the surface of a deformable body, whose nodes are at `nodes`.
double distance_to_surface(
    const DeformableSet& set, const DeformableBody& body, std::span<const Vec3> nodes, const Vec3& x);

/// Looks for what sinks into deformable bodies undetected.
class SoftWatch {
public:
    /// Keeps a reference to `world`.
    explicit SoftWatch(const World& world);

    /// By pairs that may touch, in their order. Looks at a place well inside each solid that is near; `closely`: at the
    /// points of its surface too, and at up to 500 nodes of the surface of each deformable body, which may be up to
    /// half an element deeper than contacts tell. Costs O(n) for n nodes of what is near.
    std::vector<MissedPenetration> look(const State& state, const ContactSet& contacts, bool closely);

private:
    struct Place {
        Vec3 x; // [m] in the frame of the solid
        double allowed; // [m] that it may be deeper than contacts tell
    };

    std::vector<Place> places(int body, double element_size, bool closely) const;
    std::vector<Place> nodes(int body, double element_size, const State& state) const;
    double deepest(int soft, const std::vector<Place>& places, const Frame& frame, double felt, const State& state);

    const World* world_;
    ContactBodies bodies_;
    std::vector<TetSearch> tets_; // by deformable body
    std::vector<Vec3> inner_; // [m] by rigid body and obstacle: a place well inside, in the frame of the solid
};

} // namespace stickslip
