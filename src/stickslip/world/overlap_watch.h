#pragma once

#include "stickslip/contact/contact_set.h"
#include "stickslip/geometry/solids/separating_axes.h"
#include "stickslip/world/tunnelling_watch.h"

#include <map>
#include <vector>

namespace stickslip {

/// Two boxes or convex polyhedra that are deeper in each other than their contacts tell: edges have crossed between the
/// points at which contact of the two is detected.
struct UnfeltOverlap {
    int body, other; // contact bodies, the lower number first
    double depth; // [m] the shortest way that parts them
    double felt; // [m] depth of the deepest contact
    double size; // [m] smallest size of either
};

/// Looks for what sinks into flat-faced rigid bodies and obstacles undetected. What it says depends on the state and
/// its contacts alone.
class OverlapWatch {
public:
    /// Keeps a reference to `world`.
    explicit OverlapWatch(const World& world);

    /// By pairs that may touch, in their order; from half the smallest size of either on. A tree of boxes, and for most
    /// pairs whose boxes overlap the axis that separated them in the last step.
    std::vector<UnfeltOverlap> look(const State& state, const ContactSet& contacts);

private:
    struct Solid {
        int body; // contact body
        double size; // [m] the smallest
        Bounds box; // [m] in its frame
        FlatFacedSolid shape;
    };

    ContactBodies bodies_;
    std::vector<Solid> solids_; // of the bodies that have flat faces
    std::map<BodyPair, SeparatingAxis> axes_; // of the last step
};

} // namespace stickslip
