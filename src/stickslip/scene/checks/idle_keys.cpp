#include "stickslip/scene/checks/idle_keys.h"

#include "stickslip/scene/checks/body_pairs.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace stickslip {

namespace {

/// Moved by nothing but its script.
bool is_scripted(const BodySettings& body)
{
    return body.kind == BodyKind::obstacle || (body.kind == BodyKind::rigid && body.motion);
}

bool is_round(const BodySettings& body)
{
    return body.kind == BodyKind::spheres || std::holds_alternative<Sphere>(body.shape)
        || std::holds_alternative<Capsule>(body.shape);
}

/// One body for all that differ in nothing on which it depends who may touch whom; two where there are several.
template <typename Wanted>
std::vector<const BodySettings*> representatives(const Scene& scene, const Wanted& wanted)
{
    std::map<std::tuple<bool, BodyKind, std::string, std::optional<std::vector<std::string>>>, int> counts;
    std::vector<const BodySettings*> some;
    for (const BodySettings& body : scene.bodies)
        if (wanted(body) && ++counts[{is_scripted(body), body.kind, group_of(body), body.collides_with}] <= 2)
            some.push_back(&body);
    return some;
}

/// Whether there are two bodies, one of each list, of which a contact is computed.
bool some_meet(
    const Scene& scene, const std::vector<const BodySettings*>& some, const std::vector<const BodySettings*>& others)
{
    for (const BodySettings* a : some)
        for (const BodySettings* b : others) {
            const bool among_itself = a->kind == BodyKind::spheres || a->copies
                || (a->kind == BodyKind::deformable && scene.contact.self.value_or(false));
            if ((a != b || among_itself) && !(is_scripted(*a) && is_scripted(*b)) && may_touch(*a, *b))
                return true;
        }
    return false;
}

/// "": there are two bodies of these names that may touch; else why there are none.
std::string why_apart(const Scene& scene, const std::string& one, const std::string& other)
{
    const auto of_name = [&](const std::string& name) {
        return representatives(scene, [&](const BodySettings& body) { return names_body(name, body.name); });
    };
    const std::vector<const BodySettings*> some = of_name(one), others = of_name(other);
    if (some.empty() || others.empty() || some_meet(scene, some, others))
        return "";
    const auto scripted = [](const std::vector<const BodySettings*>& bodies) {
        return std::all_of(bodies.begin(), bodies.end(), [](const BodySettings* body) { return is_scripted(*body); });
    };
    return in_quotes(one) + " and " + in_quotes(other)
        + (scripted(some) && scripted(others) ? " are both obstacles, between which no contact is computed"
                                              : " never touch, by their `collides_with`");
}

bool has_value(const PairSettings& pair)
{
    return pair.friction || pair.restitution || pair.stiffness || pair.rolling_friction || pair.twisting_friction
        || pair.kn || pair.kt || pair.surface_energy;
}

void check_idle_pairs(const Scene& scene, SceneCheck& check)
{
    for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i) {
        const PairSettings& pair = scene.contact.pairs[i];
        const std::string path = "contact.pairs[" + std::to_string(i) + "]";
        if (!check.sound({path, "bodies"}) || !has_value(pair) || !pair.enabled)
            continue;
        if (!pair.materials[0].empty()) {
            const auto of_material = [&](const std::string& name) {
                return representatives(scene, [&](const BodySettings& body) { return body.material == name; });
            };
            const auto some = of_material(pair.materials[0]), others = of_material(pair.materials[1]);
            if (!some.empty() && !others.empty() && !some_meet(scene, some, others)) // unused ones are told of
                check.warn(path, "has no effect: no two bodies of these materials touch");
            continue;
        }
        const auto is_obstacle = [&](const BodySettings& body) {
            return (!names_body(pair.bodies[0], body.name) && !names_body(pair.bodies[1], body.name))
                || body.kind == BodyKind::obstacle;
        };
        if (std::all_of(scene.bodies.begin(), scene.bodies.end(), is_obstacle))
            continue; // told where the world is built
        if (const std::string why = why_apart(scene, pair.bodies[0], pair.bodies[1]); !why.empty())
            check.warn(path, "has no effect: " + why);
    }
}

void check_idle_output(const Scene& scene, bool has_spheres, SceneCheck& check)
{
    for (std::size_t i = 0; i < scene.output.probes.size(); ++i) {
        const ProbeSettings& probe = scene.output.probes[i];
        const std::string path = "output.probes[" + std::to_string(i) + "]";
        if (probe.by.empty() || !check.sound({path, "bodies", "contact.pairs"}))
            continue;
        const PairSettings* rule = settings_of_pair(scene.contact, probe.body, probe.by);
        const std::string why = rule && !rule->enabled
            ? in_quotes(probe.body) + " and " + in_quotes(probe.by) + " never touch, by `contact.pairs`"
            : why_apart(scene, probe.body, probe.by);
        if (!why.empty())
            check.warn(path, "has no force to record: " + why);
    }
    for (std::size_t i = 0; i < scene.output.regions.size(); ++i) {
        const RegionSettings& region = scene.output.regions[i];
        const std::string path = "output.regions[" + std::to_string(i) + "]";
        if (!check.sound({path, "bodies"}))
            continue;
        if (!has_spheres && scene.solver.is_explicit())
            check.warn(path, "has nothing to measure: the scene has no spheres");
        else if (region.smoothing != RegionSettings().smoothing && !region.spacing)
            check.warn(path + ".smoothing", "has no effect without `spacing`");
    }
    if (!scene.output.energy && !scene.solver.is_explicit() && check.sound({"output.energy", "solver.integration"}))
        check.warn("output.energy", "has no effect with `solver.integration: implicit`");
}

void check_idle_time(const Scene& scene, SceneCheck& check)
{
    const TimeSettings& time = scene.time;
    if (!check.sound({"time", "solver.integration"}))
        return;
    if (!scene.solver.is_explicit() && !time.adaptive && time.largest_step() > time.step)
        check.warn("time.max_step", "has no effect without `adaptive: true`");
    if (scene.solver.is_explicit() && time.step > 0 && time.safety != TimeSettings().safety)
        check.warn("time.safety", "has no effect: `step` says how long steps are");
}

void check_idle_spheres(const Scene& scene, const BodySettings& body, const std::string& path, SceneCheck& check)
{
    if (body.fill && body.fill->sizes_by != FillSettings().sizes_by && !body.fill->sizes)
        check.warn(path + ".fill.sizes_by", "has no effect without `sizes`");
    if (body.inlet && body.inlet->sizes_by != InletSettings().sizes_by && !body.inlet->sizes)
        check.warn(path + ".inlet.sizes_by", "has no effect without `sizes`");
    if (body.inlet && check.sound({"time.end"}) && body.inlet->start >= scene.time.end && !scene.start)
        check.warn(path + ".inlet.start", "not before the end of the run: nothing enters");
    if (body.clump && body.clump->orientation == ClumpOrientation::aligned && body.clump->seed != ClumpSettings().seed)
        check.warn(path + ".clump.seed", "has no effect with `orientation: aligned`");
}

/// Groups that do not list the body's own in turn: two bodies touch where each lists the other.
void check_idle_groups(const Scene& scene, const BodySettings& body, const std::string& path, SceneCheck& check)
{
    for (std::size_t g = 0; body.collides_with && g < body.collides_with->size(); ++g) {
        const std::string& group = (*body.collides_with)[g];
        bool is_there = false, touches = false;
        for (const BodySettings& other : scene.bodies)
            if (group_of(other) == group) {
                is_there = true;
                touches = may_touch(body, other);
                if (touches)
                    break;
            }
        if (is_there && !touches)
            check.warn(path + ".collides_with[" + std::to_string(g) + "]",
                "has no effect: the `collides_with` of " + in_quotes(group) + " leaves " + in_quotes(group_of(body))
                    + " out");
    }
}

void check_idle_bodies(const Scene& scene, SceneCheck& check)
{
    const bool groups_count = std::any_of(scene.bodies.begin(), scene.bodies.end(),
        [](const BodySettings& body) { return body.collides_with.has_value(); });
    const bool any_round = std::any_of(scene.bodies.begin(), scene.bodies.end(), is_round);
    std::set<std::string> families;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodySettings& body = scene.bodies[i];
        const std::string path = check.body_path(i);
        if (!families.insert(family_of(body.name)).second || !check.sound({path}))
            continue; // one copy tells of all
        if (!groups_count && !body.group.empty())
            check.warn(path + ".group", "has no effect: no body has `collides_with`");
        if (body.edges && !any_round)
            check.warn(path + ".edges", "has no effect without spheres");
        check_idle_groups(scene, body, path, check);
        check_idle_spheres(scene, body, path, check);
        const auto* script = body.motion ? std::get_if<KeyframeMotion>(&*body.motion) : nullptr;
        if (script && !script->keyframes.empty() && script->keyframes.size() > 1 && !scene.start
            && script->keyframes.front().time >= scene.time.end && check.sound({"time.end"}))
            check.warn(path + ".motion.keyframes[0].time", "not before the end of the run: the body rests until then");
    }
}

/// Of materials that none of the bodies have that follow it.
void check_idle_materials(const Scene& scene, SceneCheck& check)
{
    if (scene.solver.is_explicit())
        return;
    for (const MaterialSettings& material : scene.materials) {
        const auto has = [&](const BodySettings& body) { return body.material == material.name; };
        const auto deforms = [&](const BodySettings& body) {
            return has(body) && (body.kind == BodyKind::deformable || body.kind == BodyKind::mpm);
        };
        const std::string path = "materials." + material.name;
        if (!check.sound({path}) || std::none_of(scene.bodies.begin(), scene.bodies.end(), has))
            continue;
        for (const auto& [key, value] : {std::pair(".kn", material.kn), std::pair(".kt", material.kt)})
            if (value)
                check.warn(path + key, "has no effect with `solver.integration: implicit`");
        if (std::any_of(scene.bodies.begin(), scene.bodies.end(), deforms))
            continue;
        if (material.damping > 0)
            check.warn(path + ".damping", "has no effect: no deformable or mpm body has this material");
    }
}

void check_idle_contact(const Scene& scene, SceneCheck& check)
{
    std::size_t soft = 0;
    for (const BodySettings& body : scene.bodies)
        if (body.kind == BodyKind::deformable)
            soft += body.copies ? 2 : 1;
    const ContactSettings& contact = scene.contact;
    const bool implicit = !scene.solver.is_explicit(), self = contact.self.value_or(false);
    if (implicit && self && soft == 0 && check.sound({"contact.self"}))
        check.warn("contact.self", "has no effect: the scene has no deformable bodies");
    if (implicit && contact.quadrature != ContactSettings().quadrature && check.sound({"contact.quadrature"})
        && (soft == 0 || (soft == 1 && !self)))
        check.warn("contact.quadrature", "has no effect: no deformable bodies meet each other or themselves");
}

} // namespace

void check_idle_keys(const Scene& scene, SceneCheck& check)
{
    check_idle_time(scene, check);
    if (!check.sound({"bodies", "solver.integration"}))
        return;
    const bool has_spheres = std::any_of(scene.bodies.begin(), scene.bodies.end(),
        [](const BodySettings& body) { return body.kind == BodyKind::spheres; });
    check_idle_pairs(scene, check);
    const bool has_balls = std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const BodySettings& body) {
        return body.is_free_rigid() && std::holds_alternative<Sphere>(body.shape); // spheres among spheres
    });
    check_idle_output(scene, has_spheres || has_balls, check);
    check_idle_bodies(scene, check);
    check_idle_materials(scene, check);
    check_idle_contact(scene, check);
}

} // namespace stickslip
