#include "stickslip/run/granular_recorder.h"

#include "stickslip/dem/packing/packing_statistics.h"
#include "stickslip/files/csv.h"
#include "stickslip/run/output/output_moments.h"
#include "stickslip/run/run_folder.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>

namespace stickslip {

namespace {

std::string outlets_header()
{
    return csv_header({"time", "outlet", "body", "number", "radius", "mass", "x", "y", "z", "vx", "vy", "vz"});
}

/// Packing now: all spheres, then each region of `output.regions`.
PackingReport packing_report(const Scene& scene, const SphereSystem& system)
{
    const std::vector<GranularContact> contacts = list_contacts(system);
    PackingReport report{.all = packing_statistics(system, contacts), .regions = {}, .radii = {}};
    for (const RegionSettings& region : scene.output.regions)
        report.regions.emplace_back(region.name, packing_statistics(system, contacts, region.box));
    if (system.state().spheres.size() > 0)
        report.radii = size_statistics(system.state().spheres);
    return report;
}

} // namespace

GranularRecorder::GranularRecorder(const SimulationParts& simulation, const std::filesystem::path& folder)
    : scene_(simulation.scene)
    , granular_(*simulation.built.granular)
    , stepping_(*simulation.spheres)
    , system_(stepping_.system())
    , tables_(scene_, simulation.built, system_)
    , expectations_(scene_, simulation.built, system_)
    , frames_(scene_, simulation.built, folder)
    , probes_(scene_, simulation.built)
{
}

std::map<std::string, std::string> GranularRecorder::tables() const
{
    std::map<std::string, std::string> headers = tables_.headers();
    if (!probes_.empty())
        headers["probes.csv"] = Probes::header();
    if (!scene_.outlets.empty())
        headers["outlets.csv"] = outlets_header();
    return headers;
}

void GranularRecorder::resume(RunTotals& totals) const
{
    double& next = stepping_.next_row(totals);
    next = resumed_moment(next, stepping_.time(), granular_.world.start_time, stepping_.row_interval(), stepping_.dt());
}

void GranularRecorder::look(bool is_row, RunFolder& folder, RunTotals& totals) const
{
    expectations_.watch_moments(totals);
    if (!is_row)
        return;
    const EnergyLedger& ledger = stepping_.ledger();
    const std::vector<GranularContact> contacts = list_contacts(system_);
    tables_.write_history(folder, ledger, contacts, totals);
    if (scene_.output.energy)
        tables_.write_balance(folder, ledger, totals);
    tables_.write_walls(folder, contacts);
    tables_.write_reactions(folder);
    tables_.write_packing(folder, contacts);
    if (!probes_.empty())
        folder.append("probes.csv", probes_.rows(stepping_.time(), probes_.read(contacts, granular_, sets_by_id())));
    expectations_.watch_row(ledger, contacts, totals);
}

void GranularRecorder::write_departures(RunFolder& folder) const
{
    for (const Departure& one : stepping_.departures()) {
        CsvRow row;
        row.add(stepping_.time()).add(one.outlet).add(granular_.sets[one.group].name).add(one.number);
        row.add(one.radius).add(one.mass).add(one.x).add(one.v);
        folder.append("outlets.csv", row.take());
    }
}

void GranularRecorder::write_frame(RunFolder& folder, const RunTotals&)
{
    tables_.write_bodies(folder);
    const auto has_fields = [](const RegionSettings& region) { return region.spacing.has_value(); };
    std::vector<GranularContact> contacts;
    if (scene_.output.contacts || std::ranges::any_of(scene_.output.regions, has_fields))
        contacts = list_contacts(system_);
    if (scene_.output.contacts) {
        tables_.write_contacts(folder, contacts);
        tables_.write_pairs(folder, contacts);
    }
    folder.flush(); // who follows the run finds the rows of a frame with it
    if (scene_.output.frames)
        folder.add_frame(stepping_.time(), frames_.write(folder.frames_written(), system_, contacts));
}

void GranularRecorder::finish(RunFolder&, RunTotals& totals) const
{
    totals.last.packing.reset();
    if (stepping_.is_sound())
        totals.last.packing = packing_report(scene_, system_);
}

std::vector<ExpectationResult> GranularRecorder::judge(const RunTotals& totals, int status) const
{
    return expectations_.judge(totals, status);
}

std::string GranularRecorder::progress() const
{
    return formatted("spheres %zu  contacts %zu", system_.state().spheres.size(), system_.touching());
}

/// The set of each sphere, by id; -1: it has left.
std::vector<int> GranularRecorder::sets_by_id() const
{
    std::vector<int> group = system_.slots();
    for (int& slot : group)
        slot = slot < 0 ? -1 : system_.state().spheres.group[slot];
    return group;
}

} // namespace stickslip
