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

/// Broad phase: a box tree over the bounded bodies, asked with the box of each; planes meet everybody. Pairs are sorted
/// and depend on the boxes alone, whatever the thread.
class BroadPhase {
public:
    /// Keeps a reference to what `bodies` refers to.
    explicit BroadPhase(const ContactBodies& bodies)
        : bodies_(bodies)
    {
    }

    /// `box`: of each body [world]. All pairs that meet. Cost O((n + pairs) log n) for n bodies.
    std::vector<CandidatePair> find(std::span<const Bounds> box);

    /// The pairs of which one is of `part` (ascending), where only these have moved since the last find() or settle().
    std::vector<CandidatePair> find_of(std::span<const int> part, std::span<const Bounds> box) const;

    /// Takes the boxes as they are now. O(n).
    void settle(std::span<const Bounds> box);

private:
    struct Boxed {
        int body;
        const Bounds *box, *wide; // the latter with some slack
    };
    void add(const Boxed& a, const Boxed& b, std::vector<CandidatePair>& pairs) const;
    void add_unbounded(int body, std::vector<CandidatePair>& pairs) const;
    void take(std::span<const Bounds> box);

    ContactBodies bodies_;
    BoxTree tree_; // of boxes_
    std::vector<Bounds> boxes_; // wide; empty for unbounded bodies
    std::vector<int> unbounded_;
};

/// Box in the world of a box in a frame.
Bounds placed(const Bounds& local, const Frame& frame);

} // namespace stickslip
