#pragma once

#include "stickslip/solver/preconditioners/make_preconditioner.h"
#include "stickslip/world/backward_euler.h"
#include "stickslip/world/solve_strategies.h"

#include <memory>

namespace stickslip {

/// Solves the equations of one step. Up to 64 rigid bodies are solved at once, by the strategies of SolveStrategies.
/// Where there are more, or where these fail, rigid bodies that are unsolved are solved in islands that touch one
/// another first, with all else standing still: a kink that holds up the search of one island does not hold up the
/// others', and a search costs what happens in it, not what there is. The islands are small at first, joined by the
/// strongest forces, and larger from round to round. Then all bodies are solved together from there; what stops that is
/// again solved in islands (docs/derivations.md#contact-islands).
class StepSolve {
public:
    /// Keeps references to `system` and `options`.
    StepSolve(
        BackwardEuler& system, PreconditionerKind preconditioner, bool mostly_contact, const NewtonOptions& options);

    /// Pre: system.begin_step(state, dt). Nothing is solved where a body in contact turns too far at the first guess.
    /// The report counts all tries; iterations and evaluations of a part by its
    /// share of the unknowns. The system's last evaluation is at the solution, or where the solve was ended.
    NewtonReport operator()();

private:
    // Of parts: counts by the share of the unknowns that they are of, tries and seconds in full.
    struct PartCosts {
        std::array<double, shared_counts.size()> counts{};
        NewtonReport others = no_costs();
    };

    bool turns_too_far(const BlockVector& z, NewtonReport& report);
    NewtonReport solve_from(BlockVector& z, SolveStrategies& whole, FirstGuess& guess);
    void solve_islands(BlockVector& z);
    std::vector<std::vector<int>> unsolved_islands(const BlockVector& z, int most);
    void solve_island(const std::vector<int>& island, BlockVector& z);
    void add_part(const NewtonReport& report, double share);
    NewtonReport ended(NewtonReport spent) const;
    NewtonReport with_parts(NewtonReport spent) const;

    BackwardEuler* system_;
    const NewtonOptions* options_;
    PreconditionerKind kind_;
    std::unique_ptr<Preconditioner> preconditioner_;
    PartCosts parts_;
    NewtonReport last_; // of the whole
};

} // namespace stickslip
