#pragma once

#include "stickslip/solver/gmres.h"
#include "stickslip/solver/line_search.h"
#include "stickslip/solver/residual_system.h"
#include "stickslip/solver/work_search.h"

#include <array>
#include <atomic>
#include <chrono>
#include <functional>

namespace stickslip {

struct NewtonReport;

struct NewtonOptions {
    double tolerance = 1e-6; // compared with ResidualSystem::measure: for a time step a velocity error [m/s]
    int max_iterations = 50;
    const std::atomic<bool>* stop = nullptr; // once true, solves end between two iterations
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max(); // from then on, too
    std::function<void(const NewtonReport&)> watch; // shown the report so far: at the first guess (no iteration yet),
                                                    // then after each iteration and each step of a descent
    int creep_window = 8; // iterations in which the residual must fall to `creep`, or the solve is given up
    double creep = 0.7; // [-]
    int most_descents = 3; // times a solve that no longer gets lower is led on by descents
    int descent_steps = 60; // of one descent
    double descent_linear = 0.1; // [-] relative tolerance of its linear solves
    double descended = 0.5; // [-] share of the residual at which Newton's method takes over again
    bool many_kinks = false; // g has kinks along every direction: its decrease alone decides, nearly that of the linear
                             // model, which ends a step before it crosses many
    bool by_work = false; // step lengths by the work of g along the direction instead of by |g|
    WorkSearchOptions work_search;
    int most_kink_steps = 4; // tiny steps over kinks of g in a row without getting lower
    double angle_tolerance =
        1e-8; // [-] cosine below which a direction from a failed linear solve is neither up- nor downhill
    double loosest_linear = 0.1; // [-] largest relative tolerance of a linear solve (Eisenstat-Walker, choice 2)
    double tightest_linear = 1e-8; // [-] smallest: beyond it the next Newton step gains nothing
    GmresOptions gmres;
    LineSearchOptions line_search;

    bool is_stopped() const { return stop && *stop; }
    bool is_out_of_time() const { return std::chrono::steady_clock::now() >= deadline; }
    bool must_end() const { return is_stopped() || is_out_of_time(); }
};

enum class NewtonStatus {
    converged,
    too_many_iterations,
    creeping, // the residual falls no more: a minimum of |g| that is no root is near, a smaller time step has none
    stalled, // no lower point along the direction: a kink, or round-off above the tolerance
    stationary, // H^T g = 0 although g is not: no direction leads down
    turns_too_far, // a rigid body in contact does already at the first guess: not solved
    turned_too_far, // a rigid body in contact turns too far in the step for the root to be trusted
    moved_too_far, // a material point crossed more than a cell of its grid
    off_grid, // a material point is beyond the end of the grid: not solved
    missed_contact, // converged, but bodies have gone into one another without a contact
    gained_energy, // converged, but what deforms has energy that nothing gave it: not the root that is sought
    not_finite, // the residual at the initial guess is not a number
    stopped, // by NewtonOptions::stop
    out_of_time, // by NewtonOptions::deadline
};
const char* to_string(NewtonStatus status);

/// There is a root, even if it cannot be trusted: other strategies would lead there as well.
constexpr bool has_root(NewtonStatus status)
{
    return status == NewtonStatus::converged || status == NewtonStatus::turned_too_far
        || status == NewtonStatus::moved_too_far;
}

struct NewtonReport {
    NewtonStatus status = NewtonStatus::too_many_iterations;
    int tries = 1; // solves that it took; the counts and seconds below are of all
    int iterations = 0;
    int krylov_iterations = 0;
    int evaluations = 0; // of the residual
    int gradient_steps =
        0; // times the direction had to be replaced by the gradient: a linear solve or a derivative is wrong if often
    int failed_linear_solves = 0;
    int descent_steps = 0; // taken where Newton's method got no lower
    double residual = 0; // measure of g at the returned z
    bool at_round_off = false; // accepted because round-off allows no smaller residual
    double linear_seconds = 0, assembly_seconds = 0, evaluation_seconds = 0;
};

/// Costs that solves of a whole and of its parts share: counts, which may be taken by the share of a part; wall time.
inline constexpr std::array shared_counts{&NewtonReport::iterations, &NewtonReport::krylov_iterations,
    &NewtonReport::evaluations, &NewtonReport::gradient_steps, &NewtonReport::failed_linear_solves,
    &NewtonReport::descent_steps};
inline constexpr std::array spent_seconds{
    &NewtonReport::linear_seconds, &NewtonReport::assembly_seconds, &NewtonReport::evaluation_seconds};

/// A report of no solve, to add to.
NewtonReport no_costs();

/// Adds the costs of other solves.
void add_costs(NewtonReport& report, const NewtonReport& other);

/// An evaluation outside of a solve, on the books of `report`.
void evaluate(ResidualSystem& system, const BlockVector& z, BlockVector& g, NewtonReport& report);

/// Solves g(z) = 0 from the given z by a globalised Newton method for nonsymmetric systems: merit 1/2 |g|^2, directions
/// by GMRES, strong Wolfe line search. After any status the system's last evaluation is the one at the returned z.
///
/// Where the linear solve reached its tolerance eta < 1 the direction satisfies (H^T g).dz <= -(1 - eta)|g|^2 and needs
/// no test; the paper's angle test with its 1e-4 would throw such directions away once the condition number passes 1e4
/// (docs/errata.md#alg2). Paper: Alg 2 NEWTON_SOLVE
NewtonReport newton_solve(
    ResidualSystem& system, Preconditioner& preconditioner, const NewtonOptions& options, BlockVector& z);

} // namespace stickslip
