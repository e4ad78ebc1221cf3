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

/// Whole numbers as such.
Json number_json(double value)
{
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json packing_json(const PackingStatistics& packing)
{
    Json j;
    j["spheres"] = packing.spheres;
    j["solid_fraction"] = number_json(packing.solid_fraction);
    j["coordination"] = number_json(packing.coordination);
    j["mechanical_coordination"] = number_json(packing.mechanical_coordination);
    j["rattlers"] = packing.rattlers;
    if (!packing.by_contacts.empty())
        j["by_contacts"] = packing.by_contacts;
    return j;
}

Json packing_json(const PackingReport& report)
{
    Json j = packing_json(report.all);
    if (report.radii) {
        Json& radius = j["radius"];
        radius["smallest"] = number_json(report.radii->smallest);
        radius["mean"] = number_json(report.radii->mean);
        radius["largest"] = number_json(report.radii->largest);
        const char* const names[] = {"by_mass_10", "by_mass_50", "by_mass_90"};
        for (std::size_t i = 0; i < report.radii->by_mass.size(); ++i)
            radius[names[i]] = number_json(report.radii->by_mass[i]);
    }
    for (const auto& [name, packing] : report.regions)
        j["regions"][name] = packing_json(packing);
    return j;
}

/// [m] The deepest overlap that is known: of contacts, and of bodies where these were looked at.
double max_penetration(const RunTotals& totals, const std::vector<PassingPair>& passing)
{
    double deepest = std::max(totals.max_contact_depth, totals.audit.deepest);
    for (const PassingPair& pair : passing)
        deepest = std::max(deepest, pair.overlap.depth);
    return deepest;
}

Json passing_json(const BuiltWorld& built, const std::vector<PassingPair>& passing)
{
    Json list = Json::array();
    for (const auto& [overlap, time] : passing) {
        Json j;
        j["bodies"] = {contact_body_name(built.world, overlap.body), contact_body_name(built.world, overlap.other)};
        j["overlap"] = overlap.depth;
        j["contact_depth"] = overlap.felt;
        j["time"] = time;
        if (overlap.place.allFinite())
            j["place"] = {overlap.place.x(), overlap.place.y(), overlap.place.z()};
        if (overlap.crossings > 0) {
            j["triangles"] = overlap.triangles;
            j["crossings"] = overlap.crossings;
        }
        list.push_back(j);
    }
    return list;
}

// What came in and went out.
Json gates_json(const RunTotals& totals)
{
    Json j;
    for (const auto& [name, inlet] : totals.inlets) {
        j["inlet." + name + ".asked"] = inlet.asked;
        j["inlet." + name + ".count"] = static_cast<double>(inlet.count);
        j["inlet." + name + ".mass"] = inlet.mass;
    }
    for (const auto& [name, outlet] : totals.outlets) {
        j["outlet." + name + ".count"] = static_cast<double>(outlet.count);
        j["outlet." + name + ".mass"] = outlet.mass;
    }
    return j;
}

void add_explicit(Json& j, const RunTotals& totals)
{
    j["time_step"] = totals.last.time_step;
    j["spheres"] = totals.last.spheres;
    j["rebuilds"] = totals.last.rebuilds;
    for (const auto& [name, overlap] : {std::pair("deepest_in_wall", totals.in_wall),
             {"deepest_in_solid", totals.in_solid}, {"deepest_in_sphere", totals.in_sphere}})
        if (overlap.deepest)
            j[name] = *overlap.deepest;
    if (Json gates = gates_json(totals); !gates.empty())
        j["gates"] = std::move(gates);
    if (totals.last.packing)
        j["packing"] = packing_json(*totals.last.packing);
}

} // namespace

const char* version()
{
    return STICKSLIP_VERSION;
}

std::string summary_json(
    const Scene& scene, const BuiltWorld& built, const RunResult& result, int threads, const RunOptions& options)
{
    const RunTotals& totals = result.totals;
    Json j;
    j["status"] = to_string(result.status);
    j["version"] = version();
    j["title"] = scene.title;
    j["steps"] = totals.steps;
    j["simulated_time"] = result.simulated_time;
    const double end = options.until.value_or(scene.time.end);
    j["end"] = std::isfinite(end) ? end : result.simulated_time;
    j["wall_time"] = totals.wall_time;
    j["newton_iterations"] = totals.newton_iterations;
    j["krylov_iterations"] = totals.krylov_iterations;
    if (!built.granular) {
        j["descent_steps"] = totals.descent_steps;
        j["evaluations"] = totals.evaluations;
        j["divided_steps"] = totals.divided_steps;
    }
    j["failed_solves"] = totals.failed_solves;
    j["max_contact_depth"] = totals.max_contact_depth;
    const std::vector<PassingPair> passing = passing_pairs(totals.undetected);
    j["max_penetration"] = max_penetration(totals, passing);
    if (!built.granular) {
        j["audited_states"] = totals.audit.looks;
        j["passing"] = passing_json(built, passing);
    }
    j["friction_loss"] = totals.friction_loss;
    j["peak_memory_bytes"] = peak_memory_bytes();
    j["threads"] = threads;
    j["state_hash"] = result.state_hash;
    if (built.granular) {
        add_explicit(j, totals);
    } else {
        j["tolerance"] = built.options.newton.tolerance;
        if (totals.last.stiffness_scale) {
            j["penetration"] = totals.last.penetration;
            j["stiffness_scale"] = *totals.last.stiffness_scale;
        }
    }
    j["seconds"] = totals.stage_seconds;
    j["largest_energy_error"] = totals.largest_energy_error;
    j["largest_energy_rise"] = totals.largest_energy_rise;
    j["largest_momentum_error"] = totals.largest_momentum_error;
    j["inverted_elements"] = totals.last.inverted_elements;
    j["contact"] = contact_json(built);
    j["expect"] = Json::array();
    for (const ExpectationResult& r : result.expect)
        j["expect"].push_back(expectation_json(r));
    j["warnings"] = result.warnings;
    return j.dump(2) + "\n";
}

} // namespace stickslip
