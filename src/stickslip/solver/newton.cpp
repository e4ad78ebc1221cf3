#include "stickslip/solver/newton.h"

#include "stickslip/math/stopwatch.h"
#include "stickslip/solver/vector_ops.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace stickslip {

namespace {

constexpr double negligible = 0.1; // share of |g| after a whole step that needs no search
constexpr double unimproved = 1e-3; // share of the tolerance that a guess without iterations must meet

class NewtonSolve {
public:
    NewtonSolve(ResidualSystem& system, Preconditioner& preconditioner, const NewtonOptions& options, BlockVector& z)
        : system_(system)
        , preconditioner_(preconditioner)
        , options_(options)
        , z_(z)
    {
    }

    NewtonReport run()
    {
        preconditioner_.restart();
        report_.residual = evaluate(z_);
        if (!std::isfinite(report_.residual))
            return finish(NewtonStatus::not_finite);
        show();
        // A first guess is taken as it is only when it is far below the tolerance: otherwise its error would come back
        // in every step of a body at rest.
        while (report_.residual > (report_.iterations > 0 ? 1 : unimproved) * options_.tolerance) {
            if (options_.must_end())
                return finish(options_.is_stopped() ? NewtonStatus::stopped : NewtonStatus::out_of_time);
            if (report_.iterations == options_.max_iterations)
                return finish(NewtonStatus::too_many_iterations);
            if (creeps()) {
                if (is_at_round_off())
                    return finish(NewtonStatus::converged);
                if (descend())
                    continue;
                return finish(NewtonStatus::creeping);
            }
            ++report_.iterations;
            find_direction();
            if (H_->value.empty() || norm(gradient_) <= 1e-14 * norm(g_)) {
                if (descend())
                    continue;
                return finish(NewtonStatus::stationary);
            }
            const double before = norm(g_);
            const bool is_lower = options_.by_work ? search_by_work() : search_line();
            show();
            if (is_lower) {
                if (stands_at_kink(before))
                    step_over_kink();
                continue;
            }
            if (is_at_round_off())
                return finish(NewtonStatus::converged);
            if (!step_over_kink() && !descend())
                return finish(NewtonStatus::stalled);
        }
        return finish(NewtonStatus::converged);
    }

private:
    void show() const
    {
        if (options_.watch)
            options_.watch(report_);
    }

    NewtonReport finish(NewtonStatus status)
    {
        report_.status = status;
        return report_;
    }

    // Near a minimum of |g| that is no root, where H is singular, iterations cost most and lead nowhere.
    bool creeps()
    {
        const int window = options_.creep_window, place = report_.iterations % window;
        if (report_.iterations < window) {
            earlier_residuals_.push_back(report_.residual);
            return false;
        }
        return report_.residual > options_.creep * std::exchange(earlier_residuals_[place], report_.residual);
    }

    // Asked where the residual falls no more, or hardly.
    bool is_at_round_off() { return report_.at_round_off = report_.residual <= system_.round_off(); }

    double evaluate(const BlockVector& z)
    {
        stickslip::evaluate(system_, z, g_, report_);
        return system_.measure(g_);
    }

    // Eisenstat and Walker's second choice, never tighter than what still brings the residual under the tolerance.
    double forcing_term()
    {
        const double g_norm = norm(g_);
        double eta = options_.loosest_linear;
        if (last_norm_ > 0) {
            const double ratio = g_norm / last_norm_;
            eta = 0.9 * ratio * ratio;
            if (const double safeguard = 0.9 * last_eta_ * last_eta_; safeguard > 0.1)
                eta = std::max(eta, safeguard);
        }
        last_norm_ = g_norm;
        eta = std::max({eta, options_.tightest_linear, 0.1 * options_.tolerance / report_.residual});
        return last_eta_ = std::min(eta, options_.loosest_linear);
    }

    void find_direction()
    {
        {
            const Stopwatch watch(report_.assembly_seconds);
            H_ = &system_.assemble();
        }
        const double eta = forcing_term();
        {
            const Stopwatch watch(report_.linear_seconds);
            H_->multiply_transpose(g_, gradient_); // of 1/2 |g|^2
        }
        is_convex_ = std::exchange(convex_next_, false) && turn_to_convex_direction();
        if (!is_convex_) {
            const Stopwatch watch(report_.linear_seconds);
            if (!solve_linear(*H_, eta)) {
                ++report_.failed_linear_solves;
                correct_direction();
            }
        }
        slope_ = dot(dz_, gradient_);
    }

    // dz from A dz = -g; whether it came as near as `tolerance`.
    bool solve_linear(const BlockMatrix& A, double tolerance)
    {
        preconditioner_.update(A);
        BlockVector rhs;
        assign_scaled(rhs, -1, g_);
        GmresReport linear;
        do {
            GmresOptions patient = options_.gmres;
            patient.max_iterations = std::min(patient.max_iterations, preconditioner_.patience());
            linear = gmres(A, preconditioner_, rhs, tolerance, patient, dz_);
            report_.krylov_iterations += linear.iterations;
        } while (!linear.converged && preconditioner_.strengthen(A));
        return linear.converged;
    }

    // Paper: Alg 2 lines 9 to 13
    void correct_direction()
    {
        const double length = norm(dz_), steepness = norm(gradient_);
        const double slope = dot(dz_, gradient_), flat = options_.angle_tolerance * length * steepness;
        if (slope > flat) {
            assign_scaled(dz_, -1, BlockVector(dz_));
        } else if (!(slope < -flat)) {
            ++report_.gradient_steps;
            // where the direction is not usable at all its length is not either: take the one that solves the
            // one-dimensional model
            BlockVector Ha;
            H_->multiply(gradient_, Ha);
            const double model = steepness * steepness / std::max(dot(Ha, Ha), 1e-300);
            assign_scaled(dz_, std::isfinite(length) && length > 0 ? -length / steepness : -model, gradient_);
        }
    }

    // A search that gets hardly lower has ended before a kink, and the next ones would creep up to it.
    bool stands_at_kink(double before) const
    {
        constexpr double progress = 0.999;
        return !options_.by_work && !options_.many_kinks && report_.residual > options_.tolerance
            && norm(g_) > progress * before;
    }

    // Where a contact appears or begins to slide, H jumps, and the direction of one side may lead up on the other. A
    // tiny step across costs nothing and gives the direction of that side; several kinks may meet.
    bool step_over_kink()
    {
        constexpr double tiny = 1e-6, progress = 0.999, negligible_rise = 1 + 1e-3;
        if (report_.residual < progress * kink_residual_) {
            kink_residual_ = report_.residual;
            kink_steps_ = 0;
        }
        if (++kink_steps_ > options_.most_kink_steps)
            return false;
        const double before = report_.residual;
        const BlockVector start = z_;
        add_scaled(z_, std::min(tiny, system_.longest_step(z_, dz_)), dz_);
        report_.residual = evaluate(z_);
        if (report_.residual <= negligible_rise * before)
            return true;
        z_ = start;
        report_.residual = evaluate(z_);
        return false;
    }

    // Where |g| has a minimum that is no root, H is singular: what is stored has negative curvature there. Directions
    // from a convex neighbour of H, along which g does negative work, lead down what is stored and out of the trap; |g|
    // may rise on the way. False, and z_ as it was, when that does not get lower than it began.
    bool descend()
    {
        constexpr double shortest = 1e-3; // a step before a jump of the work, which the next one would not pass either
        if (descents_++ == options_.most_descents)
            return false;
        const BlockVector start = z_;
        const double target = options_.descended * report_.residual;
        BlockVector from;
        for (int i = 0; i < options_.descent_steps && !options_.must_end(); ++i) {
            if (!turn_to_convex_direction())
                return false;
            const double work = dot(dz_, g_);
            from = z_;
            const auto move_to = [&](double t) {
                z_ = from;
                add_scaled(z_, t, dz_);
                report_.residual = evaluate(z_);
                return dot(dz_, g_);
            };
            const double t =
                work < 0 ? work_search(move_to, work, system_.longest_step(z_, dz_), options_.work_search) : 0;
            if (t < shortest)
                break;
            show();
            if (report_.residual <= target) {
                earlier_residuals_.assign(earlier_residuals_.size(), infinity);
                kink_residual_ = infinity;
                kink_steps_ = 0;
                last_norm_ = 0;
                return true;
            }
        }
        z_ = start;
        report_.residual = evaluate(z_);
        return false;
    }

    // Like a line search of an energy: the whole step where |g| halves or g still does negative work along it, else to
    // where that work has nearly vanished, which a jump of the slope does not stop. |g| may rise on the way; where it
    // has not halved for long the iterates cycle, and it must fall.
    bool search_by_work()
    {
        constexpr std::size_t window = 8;
        constexpr double halved = 0.5, short_step = 0.2;
        const double before = norm(g_);
        norms_.push_back(before);
        const bool cycles = norms_.size() > window && before > halved * norms_[norms_.size() - 1 - window];
        double work = dot(dz_, g_);
        if (!is_convex_ && !(work < 0) && turn_to_convex_direction())
            work = dot(dz_, g_);
        if (!(work < 0))
            return search_line();
        const BlockVector start = z_;
        const auto move_to = [&](double t) {
            z_ = start;
            add_scaled(z_, t, dz_);
            report_.residual = evaluate(z_);
            return dot(dz_, g_);
        };
        const double longest = std::min(1.0, system_.longest_step(z_, dz_));
        const double left = move_to(longest);
        if (norm(g_) <= halved * before)
            return true;
        if (cycles && backtrack(move_to, longest, before, any_decrease))
            return true;
        if (!cycles && left <= 0 && left >= work)
            return true;
        const double t = work_search(move_to, work, longest, options_.work_search);
        convex_next_ = t < short_step;
        return t > 0;
    }

    // To that of the convex neighbour of H; false where the system has none.
    bool turn_to_convex_direction()
    {
        const BlockMatrix* convex;
        {
            const Stopwatch watch(report_.assembly_seconds);
            convex = system_.assemble_convex();
        }
        if (!convex)
            return false;
        ++report_.descent_steps;
        const Stopwatch watch(report_.linear_seconds);
        solve_linear(*convex, options_.descent_linear);
        return true;
    }

    // What a step must leave of |g|, 1 - decrease t of the 1 - t of the linear model, and how it is shortened till
    // then.
    struct ArmijoRule {
        double decrease, shortening;
    };
    static constexpr ArmijoRule any_decrease{1e-3, 0.5};
    static constexpr ArmijoRule nearly_linear{0.8, 0.6}; // measured: docs/derivations.md#solve-strategies

    // Shortens the step from `t`, which is evaluated, until |g| obeys the rule; false if it is not even below `before`.
    template <typename MoveTo>
    bool backtrack(const MoveTo& move_to, double t, double before, const ArmijoRule& rule)
    {
        constexpr int most_trials = 14;
        for (int i = 0; i < most_trials && !(norm(g_) <= (1 - rule.decrease * t) * before); ++i)
            move_to(t *= rule.shortening);
        return norm(g_) < before;
    }

    // Leaves z_ and the system at the lowest point found; false when there is none. Where the whole step leaves but a
    // little of g, its slope, g.H dz, is little too where H is smooth, and is not asked for: that costs a derivative.
    bool search_line()
    {
        const BlockVector start = z_;
        BlockVector H_dz;
        double evaluated_at = 0;
        const auto move_to = [&](double t) {
            z_ = start;
            add_scaled(z_, t, dz_);
            evaluated_at = t;
            report_.residual = evaluate(z_);
        };
        const double g_start = report_.residual, longest = system_.longest_step(start, dz_);
        move_to(std::min(1.0, longest));
        if (norm(g_) <= negligible * last_norm_)
            return true;
        if (options_.many_kinks)
            return backtrack(move_to, evaluated_at, last_norm_, nearly_linear);
        const LineFunction h{.value =
                                 [&](double t) {
                                     if (t != evaluated_at)
                                         move_to(t);
                                     return 0.5 * dot(g_, g_);
                                 },
            .slope =
                [&] {
                    const Stopwatch watch(report_.assembly_seconds);
                    system_.apply(dz_, H_dz);
                    return dot(g_, H_dz);
                }};
        const LineSearchReport found =
            line_search(h, 0.5 * last_norm_ * last_norm_, slope_, longest, options_.line_search);
        if (found.t != evaluated_at)
            move_to(found.t);
        return found.t > 0 || report_.residual < g_start;
    }

    ResidualSystem& system_;
    Preconditioner& preconditioner_;
    const NewtonOptions& options_;
    BlockVector& z_;
    NewtonReport report_;
    BlockVector g_, gradient_, dz_;
    const BlockMatrix* H_ = nullptr;
    double slope_ = 0; // h'(0)
    double last_norm_ = 0, last_eta_ = 0;
    double kink_residual_ = infinity; // where the first of the last steps over kinks was taken
    int kink_steps_ = 0;
    int descents_ = 0;
    std::vector<double> norms_; // of g, of all iterations
    bool convex_next_ = false; // the last step was short
    bool is_convex_ = false; // dz_ is a direction of the convex neighbour
    std::vector<double> earlier_residuals_; // of the last creep_window iterations
};

} // namespace

const char* to_string(NewtonStatus status)
{
    switch (status) {
    case NewtonStatus::converged:
        return "converged";
    case NewtonStatus::too_many_iterations:
        return "too many iterations";
    case NewtonStatus::creeping:
        return "residual falls no more";
    case NewtonStatus::stalled:
        return "stalled";
    case NewtonStatus::stationary:
        return "stationary point that is no solution";
    case NewtonStatus::moved_too_far:
        return "a material point crossed more than a cell";
    case NewtonStatus::off_grid:
        return "not solved: a material point is off the grid";
    case NewtonStatus::turns_too_far:
        return "not solved: a body in contact would turn by more than 1 rad";
    case NewtonStatus::turned_too_far:
        return "a body in contact turns by more than 1 rad";
    case NewtonStatus::missed_contact:
        return "bodies overlap undetected";
    case NewtonStatus::gained_energy:
        return "a root with more energy than there was";
    case NewtonStatus::not_finite:
        return "residual is not finite";
    case NewtonStatus::stopped:
        return "stopped";
    case NewtonStatus::out_of_time:
        return "out of time";
    }
    return "unknown";
}

NewtonReport no_costs()
{
    NewtonReport none;
    none.tries = 0;
    return none;
}

void add_costs(NewtonReport& report, const NewtonReport& other)
{
    report.tries += other.tries;
    for (const auto count : shared_counts)
        report.*count += other.*count;
    for (const auto seconds : spent_seconds)
        report.*seconds += other.*seconds;
}

void evaluate(ResidualSystem& system, const BlockVector& z, BlockVector& g, NewtonReport& report)
{
    const Stopwatch watch(report.evaluation_seconds);
    ++report.evaluations;
    system.residual(z, g);
}

NewtonReport newton_solve(
    ResidualSystem& system, Preconditioner& preconditioner, const NewtonOptions& options, BlockVector& z)
{
    return NewtonSolve(system, preconditioner, options, z).run();
}

} // namespace stickslip
