#pragma once

#include "stickslip/plot/asked_names.h"
#include "stickslip/replay/run_reading.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

/// Quantity that a column of a run folder's tables measures.
struct Quantity {
    std::string name; // as asked for: "kinetic_energy", "block.speed"
    std::string kind; // what shares an axis: "energy", "position"
    std::string unit; // "J"; empty for counts
};

/// Values of one quantity over the run.
struct Track {
    Quantity quantity;
    std::vector<double> time, value; // [s] rising; [quantity.unit], may hold nan
};

/// The tables of a run folder as named quantities:
///   history.csv   by column ("kinetic_energy"), and "total_energy", "momentum", "angular_momentum" from them
///   balance.csv   "balance." and the column ("balance.energy_error")
///   packing.csv   "packing.", region and column ("packing.all.coordination")
///   walls.csv     "walls.", body and column ("walls.funnel.fy"), and "walls.funnel.force", "walls.funnel.torque";
///                 likewise "reactions.beam.fy", of a region of `fix` "reactions.beam.grip.fy", "pairs.block+floor.fy"
///   probes.csv    "probes.", probe and column ("probes.seat.normal_sum"), and "probes.seat.normal", ".friction",
///   ".torque" bodies.csv    body and column ("block.x"), and "block.speed", "block.spin", "block.distance" (from its
///   start)
class RunTables {
public:
    /// Errors: FileError when there is no run in the folder.
    explicit RunTables(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return run_.folder; }
    const std::string& title() const { return run_.scene.title; }

    /// Messages about what could not be read.
    const std::vector<std::string>& notes() const { return run_.notes; }

    /// All of them, in the order of the tables.
    const std::vector<Quantity>& quantities() const { return quantities_; }

    /// Their names for people, those of one table or body in one line.
    std::string name_list() const;

    /// Names without their table too, and pairs in either order: then force and torque on the other body.
    /// Errors: InputError when there is no such name (with the names that may be meant).
    Track track(const std::string& name) const;

private:
    Track known_track(std::size_t index) const;
    std::vector<Vec3> vectors(const std::string& stem) const;
    Track turned_track(const TurnedPair& asked) const;
    std::string no_such_name(const std::string& name, const std::vector<std::string>& names) const;
    void take_named(const CsvTable& table, const char* key, const std::string& name, Track& track) const;

    RunReading run_;
    std::vector<Quantity> quantities_;
};

} // namespace stickslip
