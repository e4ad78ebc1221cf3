#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/dem/contact_list.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/run/output/expectations.h"

#include <vector>

namespace stickslip {

/// Watches what a scene expects of an explicit run. What has been seen is in RunTotals::expectations.
class GranularExpectations {
public:
    /// Keeps references.
    GranularExpectations(const Scene& scene, const BuiltWorld& built, const SphereSystem& system)
        : scene_(scene)
        , built_(built)
        , system_(system)
        , watched_(watched_expectations(scene))
    {
    }

    /// The first moment at which something is judged that has not come [s].
    double next_moment(const RunTotals& totals) const;
    /// Records the expectations at a moment that has just come.
    void watch_moments(RunTotals& totals) const;
    /// Records the expectations of the whole run, at each row of the history.
    void watch_row(const EnergyLedger& e, const std::vector<GranularContact>& contacts, RunTotals& totals) const;

    std::vector<ExpectationResult> judge(const RunTotals& totals, int status) const;

private:
    bool reached(double moment) const { return system_.state().time >= moment - 1e-6 * system_.dt(); }
    Vec3 vector_of(const Expectation& e) const;

    const Scene& scene_;
    const BuiltWorld& built_;
    const SphereSystem& system_;
    std::vector<const Expectation*> watched_;
};

} // namespace stickslip
