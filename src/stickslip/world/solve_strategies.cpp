#include "stickslip/world/solve_strategies.h"

#include <algorithm>
#include <utility>

namespace stickslip {

SolveStrategies::SolveStrategies(StepEquations& system, Preconditioner& preconditioner, const NewtonOptions& options)
    : system_(&system)
    , preconditioner_(&preconditioner)
    , options_(&options)
{
}

NewtonReport SolveStrategies::direct(const BlockVector& start)
{
    NewtonOptions impatient =
        *options_; // measured on boxes dropped on each other: docs/derivations.md#solve-strategies
    impatient.creep_window = 6;
    impatient.creep = 0.5;
    impatient.most_descents = 1;
    return direct(start, impatient);
}

NewtonReport SolveStrategies::direct(const BlockVector& start, const NewtonOptions& options)
{
    z_ = start;
    return newton(options);
}

NewtonReport SolveStrategies::solve(const BlockVector& start)
{
    NewtonReport report = direct(start);
    const auto try_next = [&](const auto& strategy) {
        if (report.status == NewtonStatus::converged || options_->must_end())
            return;
        const NewtonReport earlier = report;
        report = strategy();
        add_costs(report, earlier);
    };
    try_next([&] { return by_stiffness_continuation(start); });
    try_next([&] { return by_work(start); });
    if (!accelerate_.empty())
        try_next([&] { return from_other_guess(); });
    return report;
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
    return direct(start, patient);
}

NewtonReport SolveStrategies::from_other_guess()
{
    const std::vector<double> left = measures_at(z_);
    for (std::size_t b = 0; b < accelerate_.size(); ++b)
        if (!(left[b] <= options_->tolerance))
            accelerate_[b] = !accelerate_[b];
    z_ = guess();
    return newton(*options_);
}

NewtonReport SolveStrategies::newton(const NewtonOptions& options)
{
    NewtonReport report = newton_solve(*system_, *preconditioner_, options, z_);
    add_costs(report, std::exchange(guesses_, no_costs()));
    if (report.status == NewtonStatus::converged && system_->turned_too_far())
        report.status = NewtonStatus::turned_too_far;
    if (report.status == NewtonStatus::converged && system_->moved_too_far())
        report.status = NewtonStatus::moved_too_far;
    return report;
}

BlockVector SolveStrategies::first_guess()
{
    const std::vector<double> with = measures_at(system_->last_acceleration());
    const std::vector<double> without = measures_at(BlockVector(system_->size(), Vec3::Zero()));
    accelerate_.resize(system_->body_count());
    for (std::size_t b = 0; b < accelerate_.size(); ++b)
        accelerate_[b] = with[b] < without[b]; // not where the extrapolation is not finite
    return guess();
}

std::vector<double> SolveStrategies::measures_at(const BlockVector& z)
{
    evaluate(*system_, z, g_, guesses_);
    return system_->body_measures(g_);
}

BlockVector SolveStrategies::guess() const
{
    const BlockVector accelerated = system_->last_acceleration();
    BlockVector z(system_->size(), Vec3::Zero());
    for (std::size_t b = 0; b < accelerate_.size(); ++b) {
        const Range blocks = system_->blocks_of_body(b);
        if (accelerate_[b])
            std::copy_n(accelerated.begin() + blocks.begin, blocks.size(), z.begin() + blocks.begin);
    }
    return z;
}

} // namespace stickslip
