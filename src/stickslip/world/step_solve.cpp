#include "stickslip/world/step_solve.h"

#include "stickslip/world/touching_lots.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// Measured on a thousand boxes that fall into a bin (docs/derivations.md#part-by-part).
constexpr int smallest_lot = 4, largest_lot = 64, growth = 4; // bodies; from round to round
constexpr int thorough = 16; // bodies of a lot for which every way in is worth its cost
constexpr int most_turns = 8; // of parts and whole

// Where the whole gets no lower at once, lots get on at less cost.
NewtonOptions brief(NewtonOptions options)
{
    options.creep_window = 3;
    options.creep = 0.5;
    options.most_descents = 0;
    options.most_kink_steps = 1;
    options.line_search.max_evaluations = 12;
    return options;
}

} // namespace

StepSolve::StepSolve(
    BackwardEuler& system, PreconditionerKind preconditioner, bool mostly_contact, const NewtonOptions& options)
    : system_(&system)
    , options_(&options)
    , kind_(preconditioner)
    , preconditioner_(make_preconditioner(preconditioner, system.size(), mostly_contact))
{
}

NewtonReport StepSolve::operator()()
{
    parts_ = {};
    WaysIn whole(*system_, *preconditioner_, *options_);
    BlockVector z = whole.first_guess();
    NewtonReport spent = no_costs();
    const auto is_solved = [&](const NewtonReport& report) {
        add_costs(spent, report);
        last_ = report;
        return report.status == NewtonStatus::converged;
    };
    const int rigids = static_cast<int>(system_->rigid_count());
    if (rigids <= largest_lot && (is_solved(whole.solve(z)) || rigids <= smallest_lot || options_->must_end()))
        return with_parts(spent);
    for (int turn = 0; turn < most_turns; ++turn) {
        solve_lots(z);
        const bool is_last = turn + 1 == most_turns;
        if (is_solved(is_last ? whole.straight(z) : whole.straight(z, brief(*options_))) || options_->must_end())
            break;
        z = whole.z();
    }
    return with_parts(spent);
}

// Round by round, until all are solved or as large as they get.
void StepSolve::solve_lots(BlockVector& z)
{
    std::vector<std::vector<int>> last;
    for (int most = smallest_lot; most <= largest_lot; most *= growth) {
        const std::vector<std::vector<int>> lots = unsolved_lots(z, most);
        if (lots == last || options_->must_end())
            return;
        for (const std::vector<int>& lot : lots)
            if (std::find(last.begin(), last.end(), lot) == last.end() && !options_->must_end())
                solve_lot(lot, z);
        last = lots;
    }
}

std::vector<std::vector<int>> StepSolve::unsolved_lots(const BlockVector& z, int most)
{
    BlockVector g;
    NewtonReport costs = no_costs();
    evaluate(*system_, z, g, costs);
    add_part(costs, 1);
    const std::vector<double> left = system_->body_measures(g);
    const std::size_t first_rigid = system_->body_count() - system_->rigid_count();
    std::vector<bool> unsolved;
    for (std::size_t b = first_rigid; b < left.size(); ++b)
        unsolved.push_back(!(left[b] <= options_->tolerance));
    return touching_lots(system_->contacts(), static_cast<int>(first_rigid), unsolved, most);
}

// What cannot be solved by itself stays as it was.
void StepSolve::solve_lot(const std::vector<int>& lot, BlockVector& z)
{
    RigidPart part = system_->part(lot);
    const auto preconditioner = make_preconditioner(kind_, part.size(), true);
    WaysIn ways(part, *preconditioner, *options_);
    const auto first = z.end() - static_cast<std::ptrdiff_t>(2 * system_->rigid_count());
    BlockVector own;
    for (const int b : lot)
        own.insert(own.end(), first + 2 * b, first + 2 * b + 2);
    NewtonReport report = static_cast<int>(lot.size()) <= thorough ? ways.solve(own) : ways.straight(own);
    part.soften_contacts(1);
    if (report.status == NewtonStatus::converged)
        own = ways.z();
    BlockVector g;
    evaluate(part, own, g, report); // the next lot meets this one where it is now
    for (std::size_t i = 0; i < lot.size(); ++i)
        std::copy_n(own.begin() + static_cast<std::ptrdiff_t>(2 * i), 2, first + 2 * lot[i]);

    add_part(report, static_cast<double>(part.size()) / static_cast<double>(system_->size()));
}

void StepSolve::add_part(const NewtonReport& report, double share)
{
    for (std::size_t i = 0; i < shared_counts.size(); ++i)
        parts_.counts[i] += share * report.*shared_counts[i];
    parts_.others.tries += report.tries;
    for (const auto seconds : spent_seconds)
        parts_.others.*seconds += report.*seconds;
}

// How the last solve ended, and what all have cost.
NewtonReport StepSolve::with_parts(NewtonReport report) const
{
    report.status = last_.status;
    report.residual = last_.residual;
    report.at_round_off = last_.at_round_off;
    add_costs(report, parts_.others);
    for (std::size_t i = 0; i < shared_counts.size(); ++i)
        report.*shared_counts[i] += static_cast<int>(std::ceil(parts_.counts[i]));
    return report;
}

} // namespace stickslip
