#pragma once

#include "stickslip/world/backward_euler.h"
#include "stickslip/world/ways_in.h"

#include <memory>

namespace stickslip {

/// Solves the equations of one step. Up to 64 rigid bodies are solved at once, by the ways of WaysIn. Where there are
/// more, or where these fail, rigid bodies that are unsolved are solved in lots that touch one another first, with all
/// else standing still: a kink that holds up the search of one lot does not hold up the others', and a search costs
/// what happens in it, not what there is. The lots are small at first, joined by the strongest forces, and larger from
/// round to round. Then all bodies are solved together from there; what stops that is again solved in lots
/// (docs/derivations.md#part-by-part).
class StepSolve {
public:
    /// Keeps references to `system` and `options`.
    StepSolve(
        BackwardEuler& system, PreconditionerKind preconditioner, bool mostly_contact, const NewtonOptions& options);

    /// Pre: system.begin_step(state, dt). The report counts all tries, those of a part by its share of the unknowns;
    /// the system's last evaluation is at the solution.
    NewtonReport operator()();

private:
    // Iterations and evaluations by the share of the unknowns that they are of.
    struct PartCosts {
        double iterations = 0, krylov_iterations = 0, evaluations = 0;
        double linear_seconds = 0, assembly_seconds = 0, evaluation_seconds = 0;
    };

    void solve_lots(BlockVector& z);
    std::vector<std::vector<int>> unsolved_lots(const BlockVector& z, int most);
    void solve_lot(const std::vector<int>& lot, BlockVector& z);
    NewtonReport with_parts(NewtonReport spent) const;

    BackwardEuler* system_;
    const NewtonOptions* options_;
    PreconditionerKind kind_;
    std::unique_ptr<Preconditioner> preconditioner_;
    PartCosts parts_;
    NewtonReport last_; // of the whole
};

} // namespace stickslip
