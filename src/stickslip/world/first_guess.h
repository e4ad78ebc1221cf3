#pragma once

#include "stickslip/math/disjoint_sets.h"
#include "stickslip/solver/newton.h"
#include "stickslip/world/backward_euler.h"

#include <vector>

namespace stickslip {

/// The first guess of a step: by body the acceleration of the last step, or constant velocity. What falls, slides or
/// rides along steadily is nearly solved by the first, and a contact that sticks is found sticking; after an impact the
/// second is better.
///
/// Bodies that touch need guesses that agree: ways that differ by a hundredth of a millimetre at a stiff contact leave
/// a thousand times the residual of either guess. So bodies that touch at any guess take one together: all are
/// accelerated, or none, or each as is better for it, whichever leaves the smallest residual in the worst of them.
/// Material points that touch no moving body are accelerated unless that leaves far more. A body whose velocity the
/// last step changed by less than the tolerance keeps it by either guess; where all do nothing is evaluated.
class FirstGuess {
public:
    /// Pre: a step of `system` has begun. Keeps a reference to it. tolerance: of the solve [m/s]. What is evaluated is
    /// added to `costs`.
    FirstGuess(BackwardEuler& system, double tolerance, NewtonReport& costs);

    BlockVector z() const;

    /// The other guess for each body whose residual left [m/s] is not below the tolerance.
    void change(const std::vector<double>& left, double tolerance);

private:
    void take_common(const std::vector<double>& of_own, double share);
    std::vector<double> residuals_at(const BlockVector& z, NewtonReport& costs);
    bool do_touching_differ();
    bool is_better_accelerated(std::size_t group, double with, double without) const; // group: by its first body

    BackwardEuler* system_;
    BlockVector accelerated_; // zero of those that keep their velocity
    std::vector<bool> accelerates_; // by body
    std::vector<double> with_, without_; // [m/s] residuals by body, with the last acceleration and without
    DisjointSets touching_; // bodies
};

} // namespace stickslip
