#pragma once

#include "stickslip/contact/contact_bodies.h"
#include "stickslip/geometry/box_tree.h"

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

/// Broad phase: a box tree over the surfaces of bounded bodies, asked with the box of each point body; planes meet
/// everybody. `box`: of each body [world]. Sorted; depends on the boxes alone, whatever the thread.
/// Cost O((n + pairs) log n) for n bodies.
std::vector<CandidatePair> find_candidates(const ContactBodies& bodies, std::span<const Bounds> box);

/// Box in the world of a box in a frame.
Bounds placed(const Bounds& local, const Frame& frame);

} // namespace stickslip
