#include "stickslip/run/inlets_outlets.h"
#include "stickslip/run/output/granular_expectations.h"
#include "stickslip/run/output/granular_frames.h"
#include "stickslip/run/output/granular_packing.h"
#include "stickslip/run/output/granular_tables.h"
#include "stickslip/run/output/output_moments.h"
#include "stickslip/run/output/probes.h"
#include "stickslip/run/run_folder.h"
#include "stickslip/run/simulation.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace stickslip {

namespace {

using Clock = std::chrono::steady_clock;

class GranularSimulation : public Simulation {
public:
    GranularSimulation(const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder)
        : scene_(scene)
        , granular_(*built.granular)
        , system_(granular_.world, granular_.grains)
        , tables_(scene, built, system_)
        , expectations_(scene, built, system_)
        , frames_(scene, built, folder)
        , inlets_outlets_(scene, granular_)
        , probes_(scene, built)
        , row_interval_(row_interval(scene))
    {
        if (granular_.earlier)
            system_.take_contacts(*granular_.earlier, granular_.successors);
    }

    double time() const override { return system_.state().time; }
    double step() const override { return system_.dt(); }

    std::map<std::string, std::string> tables() const override
    {
        std::map<std::string, std::string> headers = tables_.headers();
        headers["packing.csv"] = packing_header();
        if (!probes_.empty())
            headers["probes.csv"] = Probes::header();
        if (!scene_.outlets.empty())
            headers["outlets.csv"] = outlets_header();
        return headers;
    }

    /// Steps up to the next moment at which something is due, or for a tenth of a second on the clock.
    RunStatus advance(double until, RunTotals& totals, const Say& say) override
    {
        const double due = std::min({until, next_row(totals), expectations_.next_moment(totals)});
        const double left = std::ceil((due - time()) / step() - 1e-6);
        const auto count = static_cast<int>(std::clamp(left, 1.0, most_steps_));
        const long before = system_.state().steps;
        const auto start = Clock::now();
        const bool good = system_.step(count);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        most_steps_ = std::clamp(0.1 * count / std::max(seconds, 1e-9), 1.0, 1e4);
        totals.steps += static_cast<std::uint64_t>(system_.state().steps - before);
        keep_times(totals);
        if (!good) {
            sound_ = false;
            const StepTrouble& trouble = system_.trouble();
            if (trouble.is_too_fast())
                say(formatted("t = %.9g s: gave up: sphere %d moves %.3g of its radius in one step of %.3g s and may "
                              "miss contacts; use a shorter step or stiffer contacts",
                    time(), trouble.sphere, trouble.travel, step()));
            else
                say(formatted(
                    "t = %.9g s: gave up: positions diverged (not finite); the time step %.3g s may be too long",
                    time(), step()));
            return RunStatus::failed;
        }
        if (!stays_outside(totals, say))
            return RunStatus::failed;
        expectations_.watch_moments(totals);
        return RunStatus::done;
    }

    bool is_sound() const override { return sound_; }

    bool write_rows(RunFolder& folder, RunTotals& totals, const Say& say) override
    {
        if (!reached(next_row(totals)))
            return true;
        while (reached(next_row(totals)))
            next_row(totals) += row_interval_;
        const EnergyLedger ledger = system_.ledger();
        const std::vector<GranularContact> contacts = list_contacts(system_);
        tables_.write_history(folder, ledger, contacts, totals);
        if (scene_.output.energy)
            tables_.write_balance(folder, ledger, totals);
        tables_.write_walls(folder);
        folder.append("packing.csv", packing_rows(scene_, system_, contacts));
        if (!probes_.empty())
            folder.append("probes.csv", probes_.rows(time(), probes_.read(contacts, granular_, sets_by_id())));
        expectations_.watch_row(ledger, contacts, totals);
        inlets_outlets_.pass(system_, row_interval_, totals, folder);
        return !scene_.output.energy || accounts_for(ledger, totals, say);
    }

    void write_frame(RunFolder& folder) override
    {
        tables_.write_bodies(folder);
        std::vector<GranularContact> contacts;
        if (scene_.output.contacts) {
            contacts = list_contacts(system_);
            tables_.write_contacts(folder, contacts);
        }
        folder.flush(); // who follows the run finds the rows of a frame with it
        if (scene_.output.frames)
            folder.add_frame(
                time(), frames_.write(folder.frames_written(), system_, scene_.output.contacts ? &contacts : nullptr));
    }

    void finish(RunFolder&, RunTotals& totals, const Say& say, const Say&) override
    {
        inlets_outlets_.finish(totals, say);
        totals.numbers["time_step"] = step();
        totals.numbers["spheres"] = static_cast<double>(system_.state().spheres.size());
        totals.numbers["rebuilds"] = static_cast<double>(system_.state().rebuilds);
        if (sound_)
            keep_packing(scene_, system_, totals);
        if (scene_.output.energy && sound_) {
            const EnergyLedger e = system_.ledger();
            totals.friction_loss = e.friction_loss + e.rolling_loss;
        }
    }

    void save(Checkpoint& checkpoint) const override { checkpoint.granular = system_.state(); }
    void restore(const Checkpoint& checkpoint, RunTotals& totals) override
    {
        check(system_.world(), checkpoint.granular.value());
        system_.restore(*checkpoint.granular);
        earlier_seconds_ = checkpoint.totals.stage_seconds;
        next_row(totals) = resumed_moment(next_row(totals), time(), granular_.world.start_time, row_interval_, step());
    }
    std::string hash() const override { return state_hash(system_.state()); }

    std::vector<ExpectationResult> judge(const RunTotals& totals, int status) const override
    {
        return expectations_.judge(totals, status);
    }

    std::string progress() const override
    {
        return formatted("spheres %zu  contacts %zu", system_.state().spheres.size(), system_.touching());
    }

private:
    // A state counts as at a time when less than a millionth of a step is missing: times are sums.
    bool reached(double moment) const { return time() >= moment - 1e-6 * step(); }
    // [s] kept in checkpoints; the first row after one interval, of a run that starts late after its start.
    double& next_row(RunTotals& totals) const
    {
        return totals.numbers.try_emplace("next_row_time", granular_.world.start_time + row_interval_).first->second;
    }

    /// Says when a sphere is pressed far into a wall; false when it went through.
    bool stays_outside(RunTotals& totals, const Say& say) const
    {
        constexpr double far = 0.5;
        const StepTrouble& trouble = system_.trouble();
        if (trouble.wall >= 0) {
            double& deepest = totals.numbers["deepest_in_wall"];
            const double before = deepest;
            deepest = std::max(deepest, trouble.deepest);
            if (deepest > far && before <= far)
                say(formatted("t = %.9g s: warning: a sphere overlaps \"%s\" by %.3g of its radius and may pass "
                              "through; use a shorter step or stiffer contacts",
                    time(), name_of_wall(trouble.wall), deepest));
        }
        if (trouble.passed < 0)
            return true;
        say(formatted("t = %.9g s: gave up: a sphere passed through the surface of \"%s\"; use a shorter step or "
                      "stiffer contacts",
            time(), name_of_wall(trouble.passed)));
        return false;
    }

    const char* name_of_wall(int wall) const { return granular_.world.walls[wall].name.c_str(); }

    /// Says when energy came from nowhere: half as much as there ever was.
    bool accounts_for(const EnergyLedger& e, RunTotals& totals, const Say& say) const
    {
        double& given = totals.numbers["largest_energy_given"];
        const double well = std::max(-e.elastic_normal, 0.0); // adhesion gives too
        given = std::max(
            given, std::abs(e.first) + std::abs(e.gravity_work) + std::abs(e.wall_work) + std::abs(e.load_work) + well);
        if (!(e.imbalance() > 0.5 * given))
            return true;
        const std::string gain =
            formatted("t = %.9g s: gave up: energy balance violated by %.3g J (total input %.3g J): ", time(),
                e.imbalance(), given);
        if (step() > granular_.stability_limit)
            say(gain
                + formatted("the time step %.3g s is too long, above the stability limit of about %.3g s", step(),
                    granular_.stability_limit));
        else
            say(gain
                + formatted(
                    "the time step %.3g s is below the stability limit of about %.3g s; try a shorter one. If that "
                    "does not help, look for meshes with `edges: zones` or with dents narrower than a sphere",
                    step(), granular_.stability_limit));
        return false;
    }

    void keep_times(RunTotals& totals) const
    {
        const StageTimes& t = system_.times();
        for (const auto& [name, seconds] :
            {std::pair("neighbours", t.rebuild), {"pairs", t.pairs}, {"walls", t.walls}, {"motion", t.motion}}) {
            const auto earlier = earlier_seconds_.find(name);
            totals.stage_seconds[name] = seconds + (earlier == earlier_seconds_.end() ? 0 : earlier->second);
        }
    }

    /// The set of each sphere, by id; -1: it has left.
    std::vector<int> sets_by_id() const
    {
        std::vector<int> group = system_.slots();
        for (int& slot : group)
            slot = slot < 0 ? -1 : system_.state().spheres.group[slot];
        return group;
    }

    const Scene& scene_;
    const BuiltGranular& granular_;
    SphereSystem system_;
    GranularTables tables_;
    GranularExpectations expectations_;
    GranularFrames frames_;
    InletsOutlets inlets_outlets_;
    Probes probes_;
    double row_interval_; // [s]
    double most_steps_ = 1; // at once
    bool sound_ = true;
    std::map<std::string, double> earlier_seconds_; // of the runs that this one goes on with
};

} // namespace

std::unique_ptr<Simulation> make_granular_simulation(
    const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder)
{
    return std::make_unique<GranularSimulation>(scene, built, folder);
}

std::unique_ptr<Simulation> make_simulation(
    const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder, const StepWatch& watch)
{
    return built.granular ? make_granular_simulation(scene, built, folder)
                          : make_implicit_simulation(scene, built, folder, watch);
}

} // namespace stickslip
