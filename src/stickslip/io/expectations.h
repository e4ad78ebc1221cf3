#pragma once

#include "stickslip/io/build_world.h"
#include "stickslip/io/checkpoint.h"
#include "stickslip/io/scene.h"
#include "stickslip/world/time_step.h"

#include <functional>
#include <string>
#include <vector>

namespace stickslip {

/// One line of a scene's `expect`, judged.
struct ExpectationResult {
    std::string body, metric, axis;
    std::string bound; // "max 1e-09", "near (0, 0.1, 0) within 0.001"
    std::vector<double> value; // one number, or a point
    bool holds = false;
};

/// Watches a run for the bounds that its scene names. What it has seen lives in RunTotals::numbers (and so in
/// checkpoints), under "expect.<index>.": nothing else is kept.
class Expectations {
public:
    /// Keeps references.
    Expectations(const Scene& scene, const BuiltWorld& built)
        : scene_(scene)
        , built_(built)
    {
    }

    /// After each step.
    void watch(const State& state, const BackwardEuler& system, const StepReport& step, RunTotals& totals) const;

    /// At the end. `status`: 0 done, 3 the solver gave up. An expectation `at` a time that was not reached does not
    /// hold.
    std::vector<ExpectationResult> judge(const State& state, const RunTotals& totals, int status) const;

private:
    const Scene& scene_;
    const BuiltWorld& built_;
};

/// Under which name of RunTotals::numbers expectation `index` keeps what it has seen.
std::string expectation_key(std::size_t index, const char* what);

/// Of vectors (speed, position, contact force).
bool is_vector(Metric metric);

/// Judges all by what was watched: of a vector "x", "y", "z", else "sum", "max", "count"; "reached" once `at` is.
/// vector_now: for vectors that nothing has watched.
std::vector<ExpectationResult> judge_expectations(
    const Scene& scene, const RunTotals& totals, int status, const std::function<Vec3(const Expectation&)>& vector_now);

/// Total force [N] of all contacts on a body of the scene.
Vec3 contact_force_on(const BuiltWorld& built, const BackwardEuler& system, std::size_t body);

} // namespace stickslip
