#include "stickslip/world/solve_strategies.h"

namespace stickslip {

SolveStrategies::SolveStrategies(StepEquations& system, Preconditioner& preconditioner, const NewtonOptions& options)
    : system_(&system)
    , preconditioner_(&preconditioner)
    , options_(&options)
{
}

NewtonReport SolveStrategies::direct(const BlockVector& start)
{
    return options_->many_kinks ? by_residual(start) : by_work(start);
}

NewtonReport SolveStrategies::solve(const BlockVector& start, FirstGuess* guess)
{
    NewtonReport report = direct(start);
    const auto try_next = [&](const auto& strategy) {
        if (has_root(report.status) || options_->must_end())
            return;
        const NewtonReport earlier = report;
        report = strategy();
        add_costs(report, earlier);
    };
    if (!options_->many_kinks)
        try_next([&] { return by_residual(start); });
    try_next([&] { return by_stiffness_continuation(start); });
    if (options_->many_kinks)
        try_next([&] { return by_work(start); });
    if (guess)
        try_next([&] { return from_other_guess(*guess); });
    return report;
}

// Numbers measured on boxes dropped on each other, and on sand: docs/derivations.md#solve-strategies
NewtonReport SolveStrategies::by_residual(const BlockVector& start)
{
    NewtonOptions first = *options_;
    first.most_descents = options_->many_kinks ? 0 : 1;
    if (!options_->many_kinks) {
        first.creep_window = 6;
        first.creep = 0.5;
    }
    return newton_from(start, first);
}

NewtonReport SolveStrategies::by_stiffness_continuation(const BlockVector& start)
{
    NewtonOptions roughly = *options_;
    roughly.tolerance *= 1e3;
    z_ = start;
    NewtonReport spent = no_costs();
    for (const double softer : {0.01, 0.1}) {
        system_->scale_contact_stiffness(softer);
        add_costs(spent, newton(roughly));
    }
    system_->scale_contact_stiffness(1);
    NewtonReport report = newton(*options_);
    add_costs(report, spent);
    return report;
}

NewtonReport SolveStrategies::by_work(const BlockVector& start)
{
    NewtonOptions patient = *options_;
    patient.by_work = true;
    patient.most_descents = 0;
    patient.creep_window = 20; // |g| may rise for a while
    patient.creep = 0.9;
    return newton_from(start, patient);
}

NewtonReport SolveStrategies::from_other_guess(FirstGuess& guess)
{
    NewtonReport spent = no_costs();
    evaluate(*system_, z_, g_, spent);
    guess.change(system_->body_measures(g_), options_->tolerance);
    z_ = guess.z();
    NewtonReport report = newton(*options_);
    add_costs(report, spent);
    return report;
}

NewtonReport SolveStrategies::newton_from(const BlockVector& start, const NewtonOptions& options)
{
    z_ = start;
    return newton(options);
}

NewtonReport SolveStrategies::newton(const NewtonOptions& options)
{
    NewtonReport report = newton_solve(*system_, *preconditioner_, options, z_);
    if (report.status == NewtonStatus::converged && system_->turned_too_far())
        report.status = NewtonStatus::turned_too_far;
    if (report.status == NewtonStatus::converged && system_->moved_too_far())
        report.status = NewtonStatus::moved_too_far;
    return report;
}

} // namespace stickslip
