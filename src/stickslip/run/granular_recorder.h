#pragma once

#include "stickslip/run/output/granular_expectations.h"
#include "stickslip/run/output/granular_frames.h"
#include "stickslip/run/output/granular_tables.h"
#include "stickslip/run/output/probes.h"
#include "stickslip/simulation/simulation_parts.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace stickslip {

class RunFolder;

/// Writes the run folder of an explicit simulation, but for checkpoints: reads the simulation, changes nothing.
/// The same functions as ImplicitRecorder.
class GranularRecorder {
public:
    /// Keeps references. `folder`: of the run.
    GranularRecorder(const SimulationParts& simulation, const std::filesystem::path& folder);

    std::map<std::string, std::string> tables() const;
    double next_moment(const RunTotals& totals) const { return expectations_.next_moment(totals); }
    /// Rows go on at their moments, which another `output.history` may have changed.
    void resume(RunTotals& totals) const;

    void look(bool is_row, RunFolder& folder, RunTotals& totals) const;
    /// Spheres and clumps that left through an outlet.
    void write_departures(RunFolder& folder) const;
    void write_frame(RunFolder& folder, const RunTotals& totals);
    void finish(RunFolder& folder, RunTotals& totals) const;

    std::vector<ExpectationResult> judge(const RunTotals& totals, int status) const;
    std::string progress() const;

private:
    std::vector<int> sets_by_id() const;

    const Scene& scene_;
    const BuiltGranular& granular_;
    const ExplicitStepping& stepping_;
    const SphereSystem& system_;
    GranularTables tables_;
    GranularExpectations expectations_;
    GranularFrames frames_;
    Probes probes_;
};

} // namespace stickslip
