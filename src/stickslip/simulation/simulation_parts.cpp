#include "stickslip/simulation/simulation_parts.h"

#include "stickslip/math/error.h"

#include <algorithm>

namespace stickslip {

namespace {

BodyInfo info_of(const BuiltWorld& built, const BodyHandle& handle, const std::string& name)
{
    BodyInfo info{.name = name, .kind = handle.kind};
    if (handle.kind == BodyKind::deformable) {
        const DeformableBody& body = built.world.deformables.bodies[handle.index];
        info.first = body.nodes.begin;
        info.count = body.nodes.size();
        info.mass = body.mass;
    } else if (handle.kind == BodyKind::rigid) {
        info.first = built.granular ? built.granular->rigids[handle.index].body : handle.index;
        info.count = 1;
        info.mass = built.granular ? built.granular->world.bodies[info.first].rigid.mass
                                   : built.world.rigids[handle.index].mass;
    } else if (handle.kind == BodyKind::mpm) {
        const MpmBody& body = built.world.mpm.bodies[handle.index];
        info.first = body.particles.begin;
        info.count = body.particles.size();
        info.mass = body.mass;
    } else if (handle.kind == BodyKind::spheres) {
        info.first = handle.index;
        info.mass = nan;
    }
    return info;
}

} // namespace

SimulationParts::SimulationParts(const Scene& given, BuiltWorld world, const SimulationOptions& chosen)
    : scene(given)
    , options(chosen)
    , built(std::move(world))
{
    if (options.threads > 0)
        arena = std::make_unique<tbb::task_arena>(options.threads);
    if (built.granular)
        spheres.emplace(scene, *built.granular);
    else
        implicit.emplace(scene, built, StepWatch{options.stop, options.progress});
    for (std::size_t i = 0; i < built.bodies.size(); ++i)
        bodies.push_back(info_of(built, built.bodies[i], scene.bodies[i].name));
}

void SimulationParts::say(const std::string& line)
{
    messages.push_back(line);
    if (options.message)
        options.message(line);
}

RunStatus SimulationParts::advance(double until)
{
    if (!is_sound()) {
        say("gave up before: restore() an earlier state to go on");
        return RunStatus::failed;
    }
    const Say tell = [this](const std::string& line) { say(line); };
    const auto step = [&] {
        if (spheres) {
            status = spheres->advance(until, totals, tell, look);
            return;
        }
        status = implicit->advance(totals, tell);
        if (status == RunStatus::done && look)
            look(true);
    };
    if (arena)
        arena->execute(step);
    else
        step();
    return status;
}

void SimulationParts::save(Checkpoint& checkpoint) const
{
    checkpoint.steered = is_steered;
    if (spheres)
        checkpoint.granular = spheres->system().state();
    else
        checkpoint.state = implicit->state();
}

void SimulationParts::check(const Checkpoint& checkpoint) const
{
    if (spheres.has_value() != checkpoint.granular.has_value())
        throw InputError("expected a state of this scene, found one of the other integration");
    if (spheres)
        stickslip::check(spheres->system().world(), *checkpoint.granular);
    else
        stickslip::check(built.world, checkpoint.state);
}

void SimulationParts::restore(const Checkpoint& checkpoint)
{
    if (spheres)
        spheres->restore(*checkpoint.granular, totals);
    else
        implicit->restore(checkpoint.state);
    is_steered = checkpoint.steered;
    status = RunStatus::done;
}

void SimulationParts::finish(const Say& say, const Say& recall)
{
    if (spheres)
        spheres->finish(totals, say, recall);
    else
        implicit->finish(totals, say, recall);
}

std::size_t SimulationParts::body(std::string_view name) const
{
    const auto found = std::find_if(bodies.begin(), bodies.end(), [&](const BodyInfo& b) { return b.name == name; });
    if (found != bodies.end())
        return static_cast<std::size_t>(found - bodies.begin());
    constexpr std::size_t most = 10;
    std::string known;
    for (std::size_t i = 0; i < std::min(bodies.size(), most); ++i)
        known += (i > 0 ? ", \"" : "\"") + bodies[i].name + "\"";
    if (bodies.size() > most)
        known += " and " + std::to_string(bodies.size() - most) + " more";
    throw InputError("expected the name of a body of the scene (" + known + "), found \"" + std::string(name) + "\"");
}

} // namespace stickslip
