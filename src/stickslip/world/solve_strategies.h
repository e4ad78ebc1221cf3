#pragma once

#include "stickslip/solver/newton.h"
#include "stickslip/solver/preconditioner.h"
#include "stickslip/world/first_guess.h"
#include "stickslip/world/step_equations.h"

namespace stickslip {

/// The strategies from a first guess into the solve of a step, of all bodies or of a part, tried one after the other
/// until Newton's method converges:
///   1. by work: step lengths by the work that is left along the direction, which does not stop at kinks.
///   2. by residual: step lengths by |g|, with a descent; given up early when it gets lower slowly.
///   3. through softer contacts: bodies that fly into one another within the step touch in many places at once, and
///      each place that comes in or goes out is a kink that holds the search up. Soft contacts let them all in, harder
///      ones push them out again.
///   4. from the other first guess for bodies that are left unsolved: a kink that stops the search from one side need
///      not stop it from the other.
/// Where everything has kinks (NewtonOptions::many_kinks) work comes third.
/// The equations that are solved in the end are always those of the step.
class SolveStrategies {
public:
    /// Keeps references to all three.
    SolveStrategies(StepEquations& system, Preconditioner& preconditioner, const NewtonOptions& options);

    /// The first way alone.
    NewtonReport direct(const BlockVector& start);

    /// Newton's method with options of its own.
    NewtonReport newton_from(const BlockVector& start, const NewtonOptions& options);

    /// All strategies; the last only with the first guess of the step, which it changes. Reports count all tries.
    NewtonReport solve(const BlockVector& start, FirstGuess* guess = nullptr);

    /// Solution of the last solve; the system's last evaluation is there.
    const BlockVector& z() const { return z_; }

private:
    NewtonReport by_residual(const BlockVector& start);
    NewtonReport by_stiffness_continuation(const BlockVector& start);
    NewtonReport by_work(const BlockVector& start);
    NewtonReport from_other_guess(FirstGuess& guess);
    NewtonReport newton(const NewtonOptions& options);

    StepEquations* system_;
    Preconditioner* preconditioner_;
    const NewtonOptions* options_;
    BlockVector z_, g_;
};

} // namespace stickslip
