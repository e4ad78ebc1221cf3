#include "stickslip/run/summary.h"

#include "stickslip/scene/text/body_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <sys/resource.h>

namespace stickslip {

namespace {

using Json = nlohmann::ordered_json;

std::uint64_t peak_memory_bytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

Json expectation_json(const ExpectationResult& r)
{
    Json j;
    if (!r.body.empty())
        j["body"] = r.body;
    j["metric"] = r.metric;
    if (!r.axis.empty())
        j["axis"] = r.axis;
    j["bound"] = r.bound;
    j["value"] = r.value.size() == 1 ? Json(r.value[0]) : Json(r.value);
    if (r.counted_from)
        j["counted_from"] = *r.counted_from;
    j["holds"] = r.holds;
    return j;
}

Json friction_json(double mu)
{
    return std::isfinite(mu) ? Json(mu) : Json("inf");
}

// The bodies of each kind that rules tell apart: their names, of several copies the common one.
std::vector<std::string> kind_names(const BuiltWorld& built)
{
    const std::vector<int>& kinds = built.world.contact.kinds;
    std::vector<std::map<std::string, std::string>> by_family(kinds.size());
    for (std::size_t body = 0; body < kinds.size(); ++body) {
        const std::string name = contact_body_name(built.world, static_cast<int>(body)), family = family_of(name);
        if (const auto [at, fresh] = by_family[kinds[body]].try_emplace(family, name); !fresh)
            at->second = family;
    }
    std::vector<std::string> names;
    for (const auto& families : by_family) {
        names.emplace_back();
        for (const auto& [family, shown] : families)
            names.back() += (names.back().empty() ? "" : ", ") + shown;
    }
    return names;
}

// What holds for each body's contacts, then what was said of pairs.
Json contact_json(const BuiltWorld& built)
{
    Json list = Json::array();
    const ContactBodies bodies = contact_bodies(built.world);
    const ContactLaw& law = built.world.contact;
    for (int p = 0; p < bodies.total(); ++p) {
        if (bodies.is_obstacle(p))
            continue;
        Json j;
        j["body"] = contact_body_name(built.world, p);
        j["friction"] = friction_json(law.friction);
        if (law.stiffness)
            j["stiffness"] = *law.stiffness;
        else
            j[bodies.has_free_points(p) ? "stiffness_per_area" : "stiffness"] = law.automatic[p];
        list.push_back(j);
    }
    const std::vector<std::string> names = kind_names(built);
    for (const auto& [pair, rule] : law.rules) {
        Json j;
        j["bodies"] = {names[pair.first], names[pair.second]};
        j["enabled"] = rule.enabled;
        if (rule.friction)
            j["friction"] = friction_json(*rule.friction);
        if (rule.stiffness)
            j["stiffness"] = *rule.stiffness;
        list.push_back(j);
    }
    return list;
}

/// Under the levels that the points of a name part; whole numbers as such.
void add_at(Json& j, std::string name, double value)
{
    std::replace(name.begin(), name.end(), '.', '/');
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    j[Json::json_pointer("/" + name)] = whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

} // namespace

const char* version()
{
    return STICKSLIP_VERSION;
}

std::string summary_json(
    const Scene& scene, const BuiltWorld& built, const RunResult& result, int threads, const RunOptions& options)
{
    const auto numbers = [&](const char* name) {
        const auto it = result.totals.numbers.find(name);
        return it == result.totals.numbers.end() ? 0.0 : it->second;
    };
    Json j;
    j["status"] = to_string(result.status);
    j["version"] = version();
    j["title"] = scene.title;
    j["steps"] = result.totals.steps;
    j["simulated_time"] = result.simulated_time;
    const double end = options.until.value_or(scene.time.end);
    j["end"] = std::isfinite(end) ? end : result.simulated_time;
    j["wall_time"] = result.totals.wall_time;
    j["newton_iterations"] = result.totals.newton_iterations;
    j["krylov_iterations"] = result.totals.krylov_iterations;
    if (!built.granular)
        for (const char* name : {"descent_steps", "evaluations"})
            j[name] = static_cast<std::uint64_t>(numbers(name));
    j["failed_solves"] = result.totals.failed_solves;
    j["max_contact_depth"] = result.totals.max_penetration;
    j["max_penetration"] = result.totals.max_penetration; // its older name
    j["friction_loss"] = result.totals.friction_loss;
    j["peak_memory_bytes"] = peak_memory_bytes();
    j["threads"] = threads;
    j["state_hash"] = result.state_hash;
    if (built.granular) {
        j["time_step"] = result.totals.numbers.at("time_step");
        for (const char* name : {"spheres", "rebuilds"})
            j[name] = static_cast<std::uint64_t>(result.totals.numbers.at(name));
        if (const auto deepest = result.totals.numbers.find("deepest_in_wall"); deepest != result.totals.numbers.end())
            j["deepest_in_wall"] = deepest->second;
        for (const auto& [name, value] : result.totals.numbers) // what came in and went out
            if ((name.starts_with("inlet.") || name.starts_with("outlet."))
                && (name.ends_with(".mass") || name.ends_with(".count") || name.ends_with(".asked")))
                j["gates"][name] = value;
        for (const auto& [name, value] : result.totals.numbers)
            if (name.starts_with("packing."))
                add_at(j, name, value);
    } else {
        j["tolerance"] = built.options.newton.tolerance;
        for (const char* name : {"penetration", "stiffness_scale"}) // at the end, where contact.penetration is stated
            if (const auto it = result.totals.numbers.find(name); it != result.totals.numbers.end())
                j[name] = it->second;
    }
    j["seconds"] = result.totals.stage_seconds;
    j["largest_energy_error"] = numbers("largest_energy_error");
    j["largest_energy_rise"] = numbers("largest_energy_rise");
    j["largest_momentum_error"] = numbers("largest_momentum_error");
    j["inverted_elements"] = numbers("inverted_elements");
    j["contact"] = contact_json(built);
    j["expect"] = Json::array();
    for (const ExpectationResult& r : result.expect)
        j["expect"].push_back(expectation_json(r));
    j["warnings"] = result.warnings;
    return j.dump(2) + "\n";
}

} // namespace stickslip
