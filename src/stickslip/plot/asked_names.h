#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// The name that is asked for: one of `names`, or the one that ends so behind its table, "probes.seat.normal" for
/// "seat.normal"; "" where there is none.
/// Errors: InputError where it is that of several tables.
std::string full_name(const std::string& asked, const std::vector<std::string>& names);

/// `names`, and those of tables also without their table.
std::vector<std::string> with_short_names(std::vector<std::string> names);

/// A quantity of a pair of bodies, asked for as that of the second of them: "pairs.floor+a.fy" by "pairs.a+floor.fy" or
/// "a+floor.fy".
struct TurnedPair {
    std::string name; // as the run has it
    std::string first, second; // bodies, in the order of the name
};
/// Nothing where `names` has no such pair of `bodies`.
std::optional<TurnedPair> turned_pair(
    const std::string& asked, const std::vector<std::string>& names, const std::vector<std::string>& bodies);

} // namespace stickslip
