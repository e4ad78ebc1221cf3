#pragma once

#include "stickslip/contact/contact_set.h"
#include "stickslip/dem/packing/packing_statistics.h"
#include "stickslip/math/types.h"
#include "stickslip/world/audit/overlap_audit.h"
#include "stickslip/world/soft_watch.h"
#include "stickslip/world/tunnelling_watch.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

/// Observations of one line of a scene's `expect`.
struct ExpectationRecord {
    enum class Moment : std::uint32_t { to_come, reached, missed }; // of its `at`

    double sum = 0; // over steps: slip [m], Newton iterations or failed solves
    std::uint64_t steps = 0; // in `sum`
    double max = 0; // largest depth [m] or rise of energy [J]
    std::optional<Vec3> vector; // speed [m/s], position [m] or force [N] when last looked at
    std::optional<double> last_energy; // [J] own energy at the last row of an explicit run
    std::optional<double> counted_from; // [s] what was before is not known
    Moment moment = Moment::to_come;
};

/// Spheres or clumps that came in through the inlet of a body.
struct InletRecord {
    double owed = 0; // [kg] that should have come and has not
    double mass = 0; // [kg]
    std::uint64_t count = 0; // spheres or clumps
    std::uint64_t draws = 0; // places tried: they continue one series of random numbers
    bool is_full = false; // the next one has found no room
    double asked = 0; // [kg] that should have come by the end of the run
};

/// Spheres or clumps that left through an outlet.
struct OutletRecord {
    double mass = 0; // [kg]
    std::uint64_t count = 0; // spheres or clumps
};

/// The worst of what was seen of two bodies, or of a family of bodies.
template <typename Event>
struct Worst {
    Event event;
    double time; // [s]
    double badness; // [-] or [m]
    double reported; // the same of what was foretold or reported
};
struct LongStepEvent {
    LongStep step;
    double dt; // [s]
};
struct FarStepEvent {
    FarStep step; // the worst of the family
    int others; // bodies of the family beside it
    double dt; // [s]
};

/// Contact that was not detected, by contact bodies: the worst of each pair, which is reported once.
struct UndetectedContact {
    std::map<BodyPair, Worst<LongStepEvent>> long_steps; // the lower number first
    std::map<int, Worst<FarStepEvent>> far_steps; // by the first body of a family
    std::map<BodyPair, Worst<MissedPenetration>> penetrations; // the deformable body second
    std::map<BodyPair, Worst<BodyOverlap>> overlaps; // the lower number first
    std::vector<Entered> entered; // bodies on their way through others
};

/// Pairs of bodies that pass through each other: overlap by more than contact feels and the thickness of the two
/// allows.
struct PassingPair {
    BodyOverlap overlap; // when it was worst
    double time; // [s] then
};
/// Sorted. body: -1: of any. from [s]: not those that were worst before.
std::vector<PassingPair> passing_pairs(const UndetectedContact& undetected, int body = -1, double from = 0);

/// Overlaps of bodies that the audit has found.
struct AuditTotals {
    std::uint64_t looks = 0; // states that were looked at
    double deepest = 0; // [m]
};

/// Those in one state.
struct AuditedState {
    double time; // [s]
    std::vector<BodyOverlap> overlaps;
};

/// Implicit steps after which there was more energy than before, work and known losses counted.
struct EnergyGains {
    std::uint64_t steps = 0;
    double largest = 0; // [J]
    double time = 0; // [s] of the largest
    double share = 0; // [-] of the largest in the energy in play
};

/// The packing of an explicit run: all spheres, then the regions of `output.regions`.
struct PackingReport {
    PackingStatistics all;
    std::vector<std::pair<std::string, PackingStatistics>> regions; // by name
    std::optional<SizeStatistics> radii; // none: there are no spheres
};

/// Report on the last state alone. Checkpoints do not have it: it is computed anew whenever a run ends.
struct LastState {
    double time_step = 0; // [s] of an explicit run
    std::uint64_t spheres = 0, rebuilds = 0; // of an explicit run
    int inverted_elements = 0;
    double penetration = 0; // [m] of the deepest contact, where contact.penetration is stated
    std::optional<double> stiffness_scale; // [-] of the stiffest contact; none: contact.penetration is not stated
    std::optional<PackingReport> packing;
    std::optional<AuditedState> audit; // the last that was looked at, by this process
};

/// How far things were pressed into each other in an explicit run [-].
struct OverlapRecord {
    std::optional<double> deepest; // none: nothing touched
    double reported = 0; // the same, when it was last reported
};

/// Sums, extremes and observations of a run so far; reported, never used by a step.
struct RunTotals {
    std::uint64_t steps = 0, newton_iterations = 0, krylov_iterations = 0, failed_solves = 0;
    std::uint64_t evaluations = 0, descent_steps = 0;
    std::uint64_t divided_steps = 0; // StepReport::divided
    double friction_loss = 0; // [J]
    double max_contact_depth = 0; // [m]
    double largest_energy_error = 0, largest_energy_rise = 0; // [J] of a step or row
    double largest_momentum_error = 0; // [N s] of a step
    double wall_time = 0; // [s]
    double frame_time = 0; // [s] simulated, of the last frame
    std::map<std::string, double> stage_seconds; // [s] wall time by stage
    std::vector<double> node_slip; // [m] by node of a deformable body: add_node_slip; empty before the first step

    EnergyGains gains;
    UndetectedContact undetected;
    AuditTotals audit;
    std::map<std::string, ExpectationRecord> expectations; // by expectation_text

    // Of explicit runs.
    std::optional<double> next_row_time; // [s]; none: no step was taken
    std::optional<double> last_own_energy; // [J] at the last row
    double largest_energy_input = 0; // [J]
    double worst_violation = 0, reported_violation = 0; // [-] of the energy balance, of that input
    OverlapRecord in_wall; // of spheres, over the radius
    OverlapRecord in_solid; // of points of bodies, over half of what the thinner one is thick
    OverlapRecord in_sphere; // of spheres, over the smaller radius; none: none deeper than half of it
    std::map<std::string, InletRecord> inlets; // by body
    std::map<std::string, OutletRecord> outlets; // by outlet

    LastState last;
};

} // namespace stickslip
