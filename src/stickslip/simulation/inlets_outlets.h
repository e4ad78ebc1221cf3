#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/simulation/step_watch.h"

#include <string>
#include <vector>

namespace stickslip {

/// A sphere by itself or a clump that an outlet took away.
struct Departure {
    std::string outlet;
    int number, group; // of a clump: of its first sphere
    double radius, mass; // [m] of a clump: of a ball of its volume; [kg]
    Vec3 x, v; // [m], [m/s] of its centre of mass
};

/// Inlets and outlets of a run. What they have to remember is in RunTotals (and so in checkpoints): nothing else is
/// kept.
class InletsOutlets {
public:
    /// Keeps references.
    InletsOutlets(const Scene& scene, const BuiltGranular& granular)
        : scene_(scene)
        , granular_(granular)
    {
    }

    /// Lets out who has come through an outlet, and in what the inlets owe after another `interval` [s]. Returns who
    /// left.
    std::vector<Departure> pass(SphereSystem& system, double interval, RunTotals& totals) const;

    /// At the end: InletRecord::asked; says which inlets lag behind because there was no room.
    void finish(RunTotals& totals, const Say& say) const;

private:
    /// Records the sphere or clump that came through this outlet; false if it is null.
    bool leaves(const OutletSettings* gate, Departure one, RunTotals& totals, std::vector<Departure>& departures) const;
    std::vector<Departure> let_out(SphereSystem& system, RunTotals& totals) const;
    void let_in(SphereSystem& system, int group, double interval, RunTotals& totals) const;

    const Scene& scene_;
    const BuiltGranular& granular_;
};

} // namespace stickslip
