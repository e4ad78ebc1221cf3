#pragma once

#include "stickslip/contact/detect/candidates.h"

#include <span>
#include <vector>

namespace stickslip {

/// All pairs of bodies whose boxes can meet as long as no box leaves the margin about it. So most evaluations need not
/// search: they ask each pair of the list.
class NearPairs {
public:
    /// Keeps a reference to what `bodies` refers to.
    explicit NearPairs(const ContactBodies& bodies)
        : broad_phase_(bodies)
    {
    }

    /// Makes the list anew if a box of `moved` has left its margin; whether it did. `box`: of each body [world].
    bool update(std::span<const Bounds> box, std::span<const int> moved);

    /// Sorted; all that meet now, and others.
    std::span<const CandidatePair> pairs() const { return pairs_; }

    /// The box of a body with its margin.
    const Bounds& roomy(int body) const { return roomy_[body]; }

private:
    void make_room(int body, const Bounds& box);

    BroadPhase broad_phase_;
    std::vector<Bounds> roomy_; // by body
    std::vector<CandidatePair> pairs_;
};

} // namespace stickslip
