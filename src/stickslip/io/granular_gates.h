#pragma once

#include "stickslip/dem/sphere_system.h"
#include "stickslip/io/build_granular.h"
#include "stickslip/io/checkpoint.h"

#include <string>
#include <vector>

namespace stickslip {

class RunFolder;

/// First row of outlets.csv.
std::string outlets_header();

/// Inlets and outlets of a run. What they have to remember is in RunTotals::numbers (and so in checkpoints), under
/// "inlet.<name>." and "outlet.<name>.": nothing else is kept.
class GranularGates {
public:
    /// Keeps references.
    GranularGates(const Scene& scene, const BuiltGranular& granular)
        : scene_(scene)
        , granular_(granular)
    {
    }

    /// Lets out who is in an outlet, and in what the inlets owe after another `interval` [s].
    void pass(SphereSystem& system, double interval, RunTotals& totals, RunFolder& folder) const;

private:
    void let_out(SphereSystem& system, RunTotals& totals, RunFolder& folder) const;
    void let_in(SphereSystem& system, int group, double interval, RunTotals& totals) const;

    const Scene& scene_;
    const BuiltGranular& granular_;
};

} // namespace stickslip
