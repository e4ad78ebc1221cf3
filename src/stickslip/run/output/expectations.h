#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/scene/scene.h"
#include "stickslip/world/time_step.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// One line of a scene's `expect`, judged.
struct ExpectationResult {
    std::string body, metric, axis;
    std::string bound; // "max 1e-09", "near (0, 0.1, 0) within 0.001"
    std::vector<double> value; // one number, or a point
    std::optional<double> counted_from; // [s] later than was asked for: what was before is not known
    bool holds = false;
};

/// Its metric, body and moments in words: the same for those that differ in their bounds alone. Under it RunTotals
/// keeps what was seen, so that bounds and other expectations may change while a run is stopped.
std::string expectation_text(const Expectation& e);

/// One of each text.
std::vector<const Expectation*> watched_expectations(const Scene& scene);

/// Watches a run for the bounds that its scene names. What it has seen lives in RunTotals::expectations (and so in
/// checkpoints): nothing else is kept.
class Expectations {
public:
    /// Keeps references.
    Expectations(const Scene& scene, const BuiltWorld& built)
        : scene_(scene)
        , built_(built)
        , watched_(watched_expectations(scene))
    {
    }

    /// After each step.
    void watch(const State& state, const BackwardEuler& system, const StepReport& step, RunTotals& totals) const;

    /// At the end. `status`: 0 done, 3 the solver gave up. An expectation `at` a time that was not reached does not
    /// hold.
    std::vector<ExpectationResult> judge(const State& state, RunTotals totals, int status) const;

private:
    int body_of(const Expectation& e) const; // contact body; -1: all

    const Scene& scene_;
    const BuiltWorld& built_;
    std::vector<const Expectation*> watched_;
};

/// Of vectors (speed, position, contact force).
bool is_vector(Metric metric);

/// Judges all by what was watched. vector_now: for vectors that nothing has watched.
std::vector<ExpectationResult> judge_expectations(
    const Scene& scene, const RunTotals& totals, int status, const std::function<Vec3(const Expectation&)>& vector_now);

} // namespace stickslip
