#include "stickslip/io/summary.h"

#include <nlohmann/json.hpp>

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
    j["holds"] = r.holds;
    return j;
}

Json contact_json(const BuiltWorld& built)
{
    Json list = Json::array();
    for (const ContactPair& pair : built.world.pairs) {
        Json j;
        j["bodies"] = {built.world.deformables.bodies[pair.body].name, built.world.obstacles[pair.obstacle].name};
        j["friction"] = std::isfinite(pair.friction) ? Json(pair.friction) : Json("inf");
        j[pair.per_area ? "stiffness_per_area" : "stiffness"] = pair.stiffness;
        list.push_back(j);
    }
    return list;
}

} // namespace

const char* version()
{
    return STICKSLIP_VERSION;
}

std::string summary_json(
    const Scene& scene, const BuiltWorld& built, const RunResult& result, int threads, const RunOptions& options)
{
    Json j;
    j["status"] = to_string(result.status);
    j["version"] = version();
    j["title"] = scene.title;
    j["steps"] = result.totals.steps;
    j["simulated_time"] = result.simulated_time;
    j["end"] = options.until.value_or(scene.time.end);
    j["wall_time"] = result.totals.wall_time;
    j["newton_iterations"] = result.totals.newton_iterations;
    j["krylov_iterations"] = result.totals.krylov_iterations;
    j["failed_solves"] = result.totals.failed_solves;
    j["max_penetration"] = result.totals.max_penetration;
    j["friction_loss"] = result.totals.friction_loss;
    j["peak_memory_bytes"] = peak_memory_bytes();
    j["threads"] = threads;
    j["state_hash"] = result.state_hash;
    j["tolerance"] = built.options.newton.tolerance;
    j["seconds"] = result.totals.stage_seconds;
    const auto numbers = [&](const char* name) {
        const auto it = result.totals.numbers.find(name);
        return it == result.totals.numbers.end() ? 0.0 : it->second;
    };
    j["largest_energy_error"] = numbers("largest_energy_error");
    j["largest_energy_rise"] = numbers("largest_energy_rise");
    j["largest_momentum_error"] = numbers("largest_momentum_error");
    j["inverted_elements"] = numbers("inverted_elements");
    j["contact"] = contact_json(built);
    j["expect"] = Json::array();
    for (const ExpectationResult& r : result.expect)
        j["expect"].push_back(expectation_json(r));
    return j.dump(2) + "\n";
}

} // namespace stickslip
