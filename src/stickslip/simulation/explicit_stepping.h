#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/simulation/inlets_outlets.h"
#include "stickslip/simulation/step_watch.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace stickslip {

/// A scene of spheres in explicit steps: their system, its inlets and outlets, and the watch for spheres that go
/// astray and energy from nowhere. Inlets, outlets and the account of the energy count by rows: moments that are
/// row_interval(scene) apart. When the next one is due is kept in RunTotals::next_row_time.
class ExplicitStepping {
public:
    /// Keeps references.
    ExplicitStepping(const Scene& scene, const BuiltGranular& granular);

    double time() const { return system_.state().time; } // [s]
    double dt() const { return system_.dt(); } // [s]

    /// Steps up to the first at `until` [s] or at the next row, or for a tenth of a second on the clock; one at least.
    /// Adds to the totals. `look`: called when they are taken, before inlets and outlets act, with whether it is a row.
    RunStatus advance(double until, RunTotals& totals, const Say& say, const std::function<void(bool is_row)>& look);

    /// Last words and sums of a run.
    void finish(RunTotals& totals, const Say& say, const Say& recall) const;

    const SphereSystem& system() const { return system_; }
    SphereSystem& system() { return system_; }
    void restore(const GranularState& state, const RunTotals& totals);

    /// False when it gave up so that the state must neither be saved nor shown.
    bool is_sound() const { return sound_; }
    /// At the last row.
    const EnergyLedger& ledger() const { return ledger_; }
    /// Spheres and clumps that have left since the last advance began.
    const std::vector<Departure>& departures() const { return departures_; }

    /// [s] kept in checkpoints; the first row after one interval, of a run that starts late after its start.
    double& next_row(RunTotals& totals) const;
    double row_interval() const { return row_interval_; } // [s]

private:
    bool reached(double moment) const;
    RunStatus pass_row(RunTotals& totals, const Say& say);
    void tell_of_trouble(const Say& say) const;
    void recall_troubles(const RunTotals& totals, const Say& say, const Say& recall) const;
    bool stays_outside(RunTotals& totals, const Say& say) const;
    bool accounts_for(RunTotals& totals, const Say& say) const;
    void keep_times(RunTotals& totals) const;
    const char* name_of_wall(int wall) const { return granular_.world.walls[wall].name.c_str(); }
    std::string quoted_wall(int wall) const { return '"' + granular_.world.walls[wall].name + '"'; }

    const Scene& scene_;
    const BuiltGranular& granular_;
    SphereSystem system_;
    InletsOutlets inlets_outlets_;
    double row_interval_; // [s]
    double most_steps_ = 1; // at once
    bool sound_ = true;
    EnergyLedger ledger_{};
    std::vector<Departure> departures_;
    std::map<std::string, double> earlier_seconds_; // of the runs that this one goes on with
};

} // namespace stickslip
