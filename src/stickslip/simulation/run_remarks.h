#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/simulation/step_watch.h"
#include "stickslip/world/diagnostics.h"
#include "stickslip/world/time_step.h"

namespace stickslip {

/// Warnings of an implicit run in the log, about energy gained and about contacts that are too deep. Their memory is
/// RunTotals::gains, so that a run that was stopped says the same.

/// Told at once: contacts gave more than there was. A contact that begins at the surface cannot; one that was not felt
/// until deep inside can. Remembered otherwise: the step gained more than 1 % of the energy in play (kinetic, elastic
/// and contact energy before it, and the work of weight, loads and scripted bodies in it, whatever its sign), by what
/// its forces gave rather than took; the solver's error is none of it. `negligible` [J]: as little as the solver's
/// tolerance lets pass is not told of.
void watch_gains(const Energies& before, const Energies& after, const StepBalance& balance, double negligible,
    double time, RunTotals& totals, const Say& say);

/// [J] The kinetic energy of all bodies at the tolerance [m/s] of the solver.
double tolerated_energy(const World& world, double tolerance);

/// At the end: the steps that gained, if any.
void tell_of_gains(const RunTotals& totals, double time, const Say& say);

/// At the end: that contacts are deeper than contact.penetration allows; or, where it is not stated, that one is deeper
/// than a tenth of the smallest size of either body, and what keeps it higher.
void tell_of_depth(const World& world, const State& state, const BackwardEuler& system, double max_contact_depth,
    RunTotals& totals, const Say& say);

} // namespace stickslip
