#pragma once

#include "stickslip/run/output/expectations.h"
#include "stickslip/run/output/frames.h"
#include "stickslip/run/output/probes.h"
#include "stickslip/simulation/simulation_parts.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

class RunFolder;

/// Writes the run folder of an implicit simulation, but for checkpoints: reads the simulation, changes nothing.
class ImplicitRecorder {
public:
    /// Keeps references. `folder`: of the run.
    ImplicitRecorder(const SimulationParts& simulation, const std::filesystem::path& folder);

    /// First row of each table.
    std::map<std::string, std::string> tables() const;
    /// When a simulation must stop at the latest, so that what is expected then can be judged [s].
    double next_moment(const RunTotals&) const { return infinity; }
    void resume(RunTotals&) const { }

    /// After each step: watches expectations, writes rows.
    void look(bool is_row, RunFolder& folder, RunTotals& totals) const;
    void write_departures(RunFolder&) const { }
    void write_frame(RunFolder& folder, const RunTotals& totals);
    /// Last rows, of a step that was not finished.
    void finish(RunFolder& folder, RunTotals& totals) const;

    std::vector<ExpectationResult> judge(const RunTotals& totals, int status) const;
    std::string progress() const; // of the last step, for the progress line

private:
    void write_balance(RunFolder& folder) const;
    void write_solves(RunFolder& folder) const;
    void write_solve(RunFolder& folder, double dt, const NewtonReport& newton) const;
    void write_body(RunFolder& folder, std::size_t i) const;
    void write_contacts(RunFolder& folder, const BackwardEuler& system) const;
    void write_reactions(RunFolder& folder) const;
    void write_loads(RunFolder& folder, const BackwardEuler& system) const;

    const Scene& scene_;
    const BuiltWorld& built_;
    const ImplicitStepping& stepping_;
    std::filesystem::path folder_;
    Expectations expectations_;
    Probes probes_;
    std::vector<int> scene_body_; // of each body as contact counts them: deformable, rigid, obstacles
    std::optional<FrameWriter> frames_;
};

} // namespace stickslip
