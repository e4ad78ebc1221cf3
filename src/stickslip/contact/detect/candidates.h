#pragma once

#include "stickslip/contact/detect/contact_bodies.h"
#include "stickslip/geometry/queries/box_tree.h"

#include <span>
#include <utility>
#include <vector>

namespace stickslip {

/// Point body and surface body whose boxes meet.
struct CandidatePair {
    int point_body, surface_body;
    bool operator<(const CandidatePair& o) const
    {
        return point_body != o.point_body ? point_body < o.point_body : surface_body < o.surface_body;
    }
    bool operator==(const CandidatePair&) const = default;
};

/// Broad phase: a box tree over the bounded bodies, asked with the box of each; what is unbounded meets every bounded
/// body. Pairs are sorted and depend on the boxes and on who may touch whom alone, whatever the threads.
class BroadPhase {
public:
    /// Keeps a reference to what `bodies` refers to.
    explicit BroadPhase(const ContactBodies& bodies)
        : bodies_(bodies)
    {
    }

    /// `box`: of each body [world]. All pairs whose boxes meet. Cost O((n + pairs) log n) for n bodies.
    std::vector<CandidatePair> find(std::span<const Bounds> box) const;

private:
    ContactBodies bodies_;
};

/// Whether points in one box may touch what is in the other: boxes that just touch, to the last bit, are met. What is
/// unbounded meets every bounded box.
bool boxes_meet(const Bounds& points, const Bounds& surface);

/// Box in the world of a box in a frame.
Bounds placed(const Bounds& local, const Frame& frame);

} // namespace stickslip
