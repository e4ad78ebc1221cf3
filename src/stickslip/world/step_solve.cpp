#include "stickslip/world/step_solve.h"

#include "stickslip/world/contact_islands.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// Measured on a thousand boxes that fall into a bin (docs/derivations.md#contact-islands).
constexpr int smallest_island = 4, largest_island = 64, growth = 4; // bodies; from round to round
constexpr int small_island = 16; // bodies of an island for which every strategy is worth its cost
constexpr int most_turns = 8; // of parts and whole
constexpr int most_growths = 4;

// Where the whole gets no lower at once, islands get on at less cost.
NewtonOptions brief(NewtonOptions options)
{
    options.creep_window = 3;
    options.creep = 0.5;
    options.most_descents = 0;
    options.most_kink_steps = 1;
    options.line_search.max_evaluations = 12;
    return options;
}

// A grid node has 124 neighbours: its factor fills (docs/validation.md, preconditioners).
PreconditionerKind suited(PreconditionerKind kind, const BackwardEuler& system)
{
    return kind == PreconditionerKind::automatic && system.has_material_points() ? PreconditionerKind::block_ssor
                                                                                 : kind;
}

} // namespace

StepSolve::StepSolve(
    BackwardEuler& system, PreconditionerKind preconditioner, bool mostly_contact, const NewtonOptions& options)
    : system_(&system)
    , options_(&options)
    , kind_(preconditioner)
    , preconditioner_(make_preconditioner(suited(preconditioner, system), system.expected_size(), mostly_contact))
{
}

// What has crossed at the solution and was not expected to meet is added, and the step solved again from there.
NewtonReport StepSolve::operator()()
{
    parts_ = {};
    preconditioner_->set_near_kernel(system_->rigid_motions());
    SolveStrategies whole(*system_, *preconditioner_, *options_);
    NewtonReport spent = no_costs();
    FirstGuess guess(*system_, options_->tolerance, spent);
    BlockVector z = guess.z();
    if (turns_too_far(z, spent))
        return spent;
    NewtonReport report = solve_from(z, whole, guess);
    add_costs(report, spent);
    for (int i = 0; i < most_growths && report.status == NewtonStatus::converged && system_->grow_contacts(); ++i) {
        NewtonReport again = solve_from(z, whole, guess);
        add_costs(again, report);
        report = again;
    }
    return with_parts(report);
}

// At the first guess: such a root would be thrown away, if it were found.
bool StepSolve::turns_too_far(const BlockVector& z, NewtonReport& report)
{
    BlockVector g;
    evaluate(*system_, z, g, report);
    if (!system_->turned_too_far())
        return false;
    report.status = NewtonStatus::turns_too_far;
    report.residual = system_->measure(g);
    return true;
}

// z: from where, and the solution. Without what parts cost.
NewtonReport StepSolve::solve_from(BlockVector& z, SolveStrategies& whole, FirstGuess& guess)
{
    NewtonReport spent = no_costs();
    const auto is_solved = [&](const NewtonReport& report) {
        add_costs(spent, report);
        last_ = report;
        if (report.status == NewtonStatus::converged)
            z = whole.z();
        return has_root(report.status);
    };
    const int rigids = static_cast<int>(system_->rigid_count());
    if (rigids <= largest_island
        && (is_solved(whole.solve(z, &guess)) || rigids <= smallest_island || options_->must_end()))
        return ended(spent);
    for (int turn = 0; turn < most_turns; ++turn) {
        solve_islands(z);
        const bool is_last = turn + 1 == most_turns;
        if (is_solved(is_last ? whole.direct(z) : whole.newton_from(z, brief(*options_))) || options_->must_end())
            break;
        z = whole.z();
    }
    return ended(spent);
}

// Round by round, until all are solved or as large as they get.
void StepSolve::solve_islands(BlockVector& z)
{
    std::vector<std::vector<int>> last;
    for (int most = smallest_island; most <= largest_island; most *= growth) {
        const std::vector<std::vector<int>> islands = unsolved_islands(z, most);
        if (islands == last || options_->must_end())
            return;
        for (const std::vector<int>& island : islands)
            if (std::find(last.begin(), last.end(), island) == last.end() && !options_->must_end())
                solve_island(island, z);
        last = islands;
    }
}

std::vector<std::vector<int>> StepSolve::unsolved_islands(const BlockVector& z, int most)
{
    BlockVector g;
    NewtonReport costs = no_costs();
    evaluate(*system_, z, g, costs);
    add_part(costs, 1);
    const std::vector<double> left = system_->body_measures(g);
    const std::size_t first_rigid = system_->first_rigid();
    std::vector<bool> unsolved;
    for (std::size_t b = first_rigid; b < first_rigid + system_->rigid_count(); ++b)
        unsolved.push_back(!(left[b] <= options_->tolerance));
    return contact_islands(system_->contacts(), static_cast<int>(first_rigid), system_->first_mpm(), unsolved, most);
}

// What cannot be solved by itself stays as it was.
void StepSolve::solve_island(const std::vector<int>& island, BlockVector& z)
{
    RigidPart part = system_->part(island);
    const auto preconditioner = make_preconditioner(kind_, part.size(), true);
    SolveStrategies strategies(part, *preconditioner, *options_);
    const auto first = z.begin() + system_->blocks_of_body(system_->first_rigid()).begin;
    BlockVector own;
    for (const int b : island)
        own.insert(own.end(), first + 2 * b, first + 2 * b + 2);
    NewtonReport report =
        static_cast<int>(island.size()) <= small_island ? strategies.solve(own) : strategies.direct(own);
    part.scale_contact_stiffness(1);
    if (report.status == NewtonStatus::converged)
        own = strategies.z();
    BlockVector g;
    evaluate(part, own, g, report); // the next island meets this one where it is now
    for (std::size_t i = 0; i < island.size(); ++i)
        std::copy_n(own.begin() + static_cast<std::ptrdiff_t>(2 * i), 2, first + 2 * island[i]);

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

// How the last solve ended.
NewtonReport StepSolve::ended(NewtonReport report) const
{
    report.status = last_.status;
    report.residual = last_.residual;
    report.at_round_off = last_.at_round_off;
    return report;
}

// What all have cost.
NewtonReport StepSolve::with_parts(NewtonReport report) const
{
    add_costs(report, parts_.others);
    for (std::size_t i = 0; i < shared_counts.size(); ++i)
        report.*shared_counts[i] += static_cast<int>(std::ceil(parts_.counts[i]));
    return report;
}

} // namespace stickslip
