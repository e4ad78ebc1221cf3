#include "stickslip/world/step_solve.h"

#include <algorithm>

namespace stickslip {

namespace {

// What earlier tries cost counts for the step as well.
void add_costs(NewtonReport& report, const NewtonReport& earlier)
{
    report.tries += earlier.tries;
    report.iterations += earlier.iterations;
    report.krylov_iterations += earlier.krylov_iterations;
    report.evaluations += earlier.evaluations;
    report.gradient_steps += earlier.gradient_steps;
    report.failed_linear_solves += earlier.failed_linear_solves;
    report.descent_steps += earlier.descent_steps;
    report.linear_seconds += earlier.linear_seconds;
    report.assembly_seconds += earlier.assembly_seconds;
    report.evaluation_seconds += earlier.evaluation_seconds;
}

} // namespace

StepSolve::StepSolve(
    BackwardEuler& system, PreconditionerKind preconditioner, bool mostly_contact, const NewtonOptions& options)
    : system_(&system)
    , options_(&options)
    , preconditioner_(make_preconditioner(preconditioner, system.size(), mostly_contact))
{
}

NewtonReport StepSolve::operator()()
{
    NewtonOptions impatient = *options_; // measured on boxes dropped on each other: docs/derivations.md#ways-in
    impatient.creep_window = 6;
    impatient.creep = 0.5;
    impatient.most_descents = 1;
    NewtonReport report = from_first_guess(impatient);
    for (const auto way : {&StepSolve::through_softer_contacts, &StepSolve::from_other_guess}) {
        if (report.status == NewtonStatus::converged)
            break;
        const NewtonReport earlier = report;
        report = (this->*way)();
        add_costs(report, earlier);
    }
    return report;
}

NewtonReport StepSolve::from_first_guess(const NewtonOptions& options)
{
    compare_guesses();
    z_ = guess();
    return newton(options);
}

NewtonReport StepSolve::through_softer_contacts()
{
    NewtonOptions roughly = *options_;
    roughly.tolerance *= 1e3;
    z_ = guess();
    NewtonReport spent;
    spent.tries = 0;
    for (const double softer : {0.01, 0.1}) {
        system_->soften_contacts(softer);
        add_costs(spent, newton(roughly));
    }
    system_->soften_contacts(1);
    NewtonReport report = newton(*options_);
    add_costs(report, spent);
    return report;
}

NewtonReport StepSolve::from_other_guess()
{
    system_->residual(z_, g_);
    const std::vector<double> left = system_->body_measures(g_);
    for (std::size_t b = 0; b < accelerate_.size(); ++b)
        if (!(left[b] <= options_->tolerance))
            accelerate_[b] = !accelerate_[b];
    z_ = guess();
    return newton(*options_);
}

NewtonReport StepSolve::newton(const NewtonOptions& options)
{
    NewtonReport report = newton_solve(*system_, *preconditioner_, options, z_);
    if (report.status == NewtonStatus::converged && system_->turned_too_far())
        report.status = NewtonStatus::turned_too_far;
    return report;
}

void StepSolve::compare_guesses()
{
    system_->residual(system_->last_acceleration(), g_);
    const std::vector<double> with = system_->body_measures(g_);
    system_->residual(BlockVector(system_->size(), Vec3::Zero()), g_);
    const std::vector<double> without = system_->body_measures(g_);
    accelerate_.resize(system_->body_count());
    for (std::size_t b = 0; b < accelerate_.size(); ++b)
        accelerate_[b] = with[b] < without[b]; // not where the extrapolation is not finite
}

BlockVector StepSolve::guess() const
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
