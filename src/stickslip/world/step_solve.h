#pragma once

#include "stickslip/solver/newton.h"
#include "stickslip/world/backward_euler.h"

#include <memory>

namespace stickslip {

/// Solves the equations of one step, from one way in after the other until Newton's method converges:
///   1. a first guess for each body: the acceleration of the last step, or constant velocity. What falls, slides or
///      rides along steadily is nearly solved by the first, and a contact that sticks is found sticking; after an
///      impact the second is better. The one that leaves the smaller residual is taken. Given up early when it gets
///      lower slowly.
///   2. from there through softer contacts: bodies that fly into one another within the step touch in many places at
///      once, and each place that comes in or goes out is a kink that holds the search up. Soft contacts let them all
///      in, harder ones push them out again.
///   3. the other first guess for bodies that are left unsolved: a kink that stops the search from one side need not
///      stop it from the other.
/// The equations that are solved in the end are always those of the step.
class StepSolve {
public:
    /// Keeps references to `system` and `options`.
    StepSolve(
        BackwardEuler& system, PreconditionerKind preconditioner, bool mostly_contact, const NewtonOptions& options);

    /// Pre: system.begin_step(state, dt). The report counts all tries; the system's last evaluation is at the solution.
    NewtonReport operator()();

private:
    NewtonReport from_first_guess(const NewtonOptions& options);
    NewtonReport through_softer_contacts();
    NewtonReport from_other_guess();
    NewtonReport newton(const NewtonOptions& options);
    void compare_guesses();
    BlockVector guess() const;

    BackwardEuler* system_;
    const NewtonOptions* options_;
    std::unique_ptr<Preconditioner> preconditioner_;
    BlockVector z_, g_;
    std::vector<bool> accelerate_; // by body: the last step's acceleration is the guess
};

} // namespace stickslip
