#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/dem/contact_list.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/run/output/contact_loads.h"

#include <map>
#include <string>
#include <vector>

namespace stickslip {

class RunFolder;

/// The tables that an explicit run writes of its state (docs/run_folder.md): history.csv, balance.csv, walls.csv,
/// reactions.csv, packing.csv, bodies.csv, contacts.csv, pairs.csv.
class GranularTables {
public:
    /// Keeps references.
    GranularTables(const Scene& scene, const BuiltWorld& built, const SphereSystem& system)
        : scene_(scene)
        , built_(built)
        , granular_(*built.granular)
        , system_(system)
    {
    }

    /// First row of each that the scene asks for.
    std::map<std::string, std::string> headers() const;

    void write_history(RunFolder& folder, const EnergyLedger& e, const std::vector<GranularContact>& contacts,
        RunTotals& totals) const;
    void write_balance(RunFolder& folder, const EnergyLedger& e, RunTotals& totals) const;
    void write_walls(RunFolder& folder, const std::vector<GranularContact>& contacts) const;
    void write_reactions(RunFolder& folder) const;
    /// All spheres, then each region of `output.regions`.
    void write_packing(RunFolder& folder, const std::vector<GranularContact>& contacts) const;
    void write_bodies(RunFolder& folder) const;
    void write_contacts(RunFolder& folder, const std::vector<GranularContact>& contacts) const;
    void write_pairs(RunFolder& folder, const std::vector<GranularContact>& contacts) const;

private:
    ContactLoads loads_of(const std::vector<GranularContact>& contacts) const;
    double time() const { return system_.state().time; }

    const Scene& scene_;
    const BuiltWorld& built_;
    const BuiltGranular& granular_;
    const SphereSystem& system_;
};

} // namespace stickslip
