#include "stickslip/scene/checks/scene_checks.h"

#include "stickslip/scene/checks/body_checks.h"
#include "stickslip/scene/checks/granular_checks.h"
#include "stickslip/scene/checks/idle_keys.h"
#include "stickslip/scene/checks/placing_checks.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace stickslip {

namespace {

std::string six_digits(double x)
{
    std::ostringstream stream;
    stream << x;
    return stream.str();
}

void check_time(const TimeSettings& time, SceneCheck& check)
{
    constexpr double most_steps = 1e9;
    if (check.sound({"time.step", "time.end"})) {
        if (time.end < time.step)
            check.fault("time.end", "expected a number >= the step, got " + six_digits(time.end));
        else if (time.step > 0 && time.end / time.step > most_steps)
            check.fault("time.step", "would take " + six_digits(time.end / time.step) + " steps (limit 1e+09)");
    }
    if (time.step == 0) // auto
        return;
    if (check.sound({"time.step", "time.min_step"}) && time.smallest_step() > time.step)
        check.fault("time.min_step", "expected a number <= the step, got " + six_digits(*time.min_step));
    if (check.sound({"time.step", "time.max_step"}) && time.largest_step() < time.step)
        check.fault("time.max_step", "expected a number >= the step, got " + six_digits(*time.max_step));
    if (check.sound({"time.step", "time.frame"}) && check.given("time.frame") && time.frame < time.step)
        check.warn("time.frame", "shorter than the step: a frame is written every step");
}

using TwoNames = std::array<std::string, 2>;

/// Whether there are such bodies or materials: exists(name, path) tells of each.
template <typename Exists>
bool both_exist(const TwoNames& names, const std::string& path, const Exists& exists)
{
    const bool first = exists(names[0], path + "[0]"), second = exists(names[1], path + "[1]");
    return first && second;
}

/// A rule for every two is given once.
void check_given_once(const TwoNames& names, const std::string& path, std::set<TwoNames>& seen, SceneCheck& check)
{
    if (!seen.insert({std::min(names[0], names[1]), std::max(names[0], names[1])}).second)
        check.fault(path, "the pair " + in_quotes(names[0]) + ", " + in_quotes(names[1]) + " is given twice");
}

constexpr const char* no_effect_among_mpm = "has no effect: mpm bodies share one grid and stick to each other";

/// Whether the names are of materials that material points have, and nothing else.
bool are_of_mpm(const Scene& scene, const TwoNames& names)
{
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        const auto has = [&](const BodySettings& body) { return body.material == name; };
        return std::any_of(scene.bodies.begin(), scene.bodies.end(), has)
            && std::all_of(scene.bodies.begin(), scene.bodies.end(),
                [&](const BodySettings& body) { return !has(body) || body.kind == BodyKind::mpm; });
    });
}

/// Whether the names are of bodies or families of material points alone.
bool are_all_mpm(const Scene& scene, const TwoNames& names)
{
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return std::all_of(scene.bodies.begin(), scene.bodies.end(),
            [&](const BodySettings& body) { return !names_body(name, body.name) || body.kind == BodyKind::mpm; });
    });
}

/// Whether the name is that of several bodies, or spheres, which may touch each other.
bool is_many(const Scene& scene, const std::string& name, const SceneCheck& check)
{
    const std::size_t body = check.first_of_name(name);
    return check.is_family(name) || (body < scene.bodies.size() && scene.bodies[body].kind == BodyKind::spheres);
}

void check_pairs(const Scene& scene, SceneCheck& check)
{
    const auto body_exists = [&](const std::string& name, const std::string& at) {
        return check.body_exists(name, at);
    };
    const auto material_exists = [&](const std::string& name, const std::string& at) {
        return check_material_exists(scene, name, at, check);
    };
    std::set<TwoNames> bodies_seen, materials_seen;
    for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i) {
        const PairSettings& pair = scene.contact.pairs[i];
        const std::string path = "contact.pairs[" + std::to_string(i) + "]";
        const std::string bodies = path + ".bodies", materials = path + ".materials";
        if (!check.sound({bodies, materials}))
            continue;
        const bool has_value = pair.friction || pair.restitution || pair.stiffness || pair.rolling_friction
            || pair.twisting_friction || pair.kn || pair.kt || pair.surface_energy;
        const bool is_alone = scene.contact.pairs.size() == 1; // else it may cancel what a more general rule gives
        if (pair.enabled && !has_value && is_alone && check.sound({path}))
            check.warn(path, "has no effect: it gives no value");
        if (!pair.materials[0].empty()) {
            if (both_exist(pair.materials, materials, material_exists))
                check_given_once(pair.materials, materials, materials_seen, check);
            if (are_of_mpm(scene, pair.materials))
                check.warn(materials, no_effect_among_mpm);
        } else if (both_exist(pair.bodies, bodies, body_exists)) {
            const std::string& name = pair.bodies[0];
            if (name == pair.bodies[1] && !is_many(scene, name, check))
                check.fault(bodies, "a pair needs two different bodies, got " + in_quotes(name) + " twice");
            else
                check_given_once(pair.bodies, bodies, bodies_seen, check);
            if (are_all_mpm(scene, pair.bodies))
                check.warn(bodies, no_effect_among_mpm);
        }
    }
}

void check_probes(const Scene& scene, SceneCheck& check)
{
    std::set<std::string> seen;
    for (std::size_t i = 0; i < scene.output.probes.size(); ++i) {
        const ProbeSettings& probe = scene.output.probes[i];
        const std::string path = "output.probes[" + std::to_string(i) + "]";
        if (check.sound({path + ".name"}) && !seen.insert(probe.name).second)
            check.fault(path + ".name", "the name " + in_quotes(probe.name) + " is given twice");
        if (check.sound({path + ".body"}) && !probe.body.empty())
            check.body_exists(probe.body, path + ".body");
        if (!check.sound({path + ".by"}) || probe.by.empty())
            continue;
        check.body_exists(probe.by, path + ".by");
        if (probe.by == probe.body && !is_many(scene, probe.by, check))
            check.fault(path + ".by", "expected another body than `body`, found " + in_quotes(probe.by) + " for both");
    }
}

bool needs_body(Metric metric)
{
    return metric == Metric::speed || metric == Metric::position || metric == Metric::contact_force;
}

bool may_have_body(Metric metric)
{
    return needs_body(metric) || metric == Metric::slip || metric == Metric::passing || is_contact_depth(metric);
}

void check_expected_body(const Expectation& expectation, const std::string& path, SceneCheck& check)
{
    if (check.sound({path + ".body"}) && !expectation.body.empty())
        check.body_exists(expectation.body, path + ".body");
    if (!check.sound({path + ".body", path + ".metric"}))
        return;
    if (expectation.body.empty() && needs_body(expectation.metric))
        check.fault(path, "this metric needs a body");
    if (!expectation.body.empty() && !may_have_body(expectation.metric))
        check.fault(path + ".body", "this metric applies to the whole scene; remove the body");
    if (check.sound({path + ".axis"}) && expectation.axis && !needs_body(expectation.metric))
        check.fault(path + ".axis", "for speed, position and contact_force only");
}

void check_bounds(const Expectation& expectation, const std::string& path, SceneCheck& check)
{
    if (!check.sound(
            {path + ".min", path + ".max", path + ".near", path + ".within", path + ".metric", path + ".axis"}))
        return;
    if (!expectation.min && !expectation.max && !expectation.near && !expectation.within) {
        check.fault(path, "expected a bound: min, max, or near and within");
        return;
    }
    if (expectation.near.has_value() != expectation.within.has_value())
        check.fault(path + (expectation.near ? ".near" : ".within"),
            std::string("needs ") + (expectation.near ? "within" : "near") + " as well");
    if (expectation.min && expectation.max && *expectation.min > *expectation.max)
        check.fault(path + ".max", "expected a number >= min, got " + six_digits(*expectation.max));
    const bool point = expectation.near && std::holds_alternative<Vec3>(*expectation.near);
    const bool whole_position = expectation.metric == Metric::position && !expectation.axis;
    if (point && !whole_position)
        check.fault(path + ".near", "a point is allowed for the metric position without axis only");
    if (whole_position && (!point || expectation.min || expectation.max))
        check.fault(path, "position without axis needs a point near and within; or give an axis");
}

/// Whether the metric is what is there at one moment, and does not accumulate.
bool is_of_a_moment(Metric metric)
{
    return needs_body(metric) || metric == Metric::status;
}

void check_moments(const Expectation& expectation, const std::string& path, const TimeSettings& time, SceneCheck& check)
{
    if (expectation.from && is_of_a_moment(expectation.metric) && check.sound({path + ".from", path + ".metric"}))
        check.fault(path + ".from", "has no effect: this metric is that of one moment, the end or `at`");
    if (!check.sound({path + ".at", path + ".from", "time.end"}))
        return;
    if (expectation.at && *expectation.at > time.end)
        check.fault(path + ".at", "expected a time within the run, got " + six_digits(*expectation.at));
    if (expectation.from && *expectation.from > expectation.at.value_or(time.end))
        check.fault(path + ".from", "expected a time before that of the check, got " + six_digits(*expectation.from));
}

void check_materials(const Scene& scene, SceneCheck& check)
{
    for (const MaterialSettings& material : scene.materials) {
        const std::string path = "materials." + material.name;
        const auto uses = [&](const BodySettings& body) { return body.material == material.name; };
        if (check.sound({"bodies", path}) && std::none_of(scene.bodies.begin(), scene.bodies.end(), uses))
            check.warn(path, "not used by any body");
        if (check.sound({path + ".model"}) && is_mpm_only(material.model))
            for (const char* key : {"young", "poisson", "damping"})
                if ((material.model == MaterialModel::fluid || key == std::string("damping"))
                    && check.given(path + "." + key))
                    check.warn(path + "." + key, "has no effect with this model");
        constexpr double locking = 0.49;
        const auto locks = [&](const BodySettings& body) { return uses(body) && body.kind == BodyKind::deformable; };
        if (check.sound({"bodies", path + ".poisson"}) && material.poisson && *material.poisson > locking
            && std::any_of(scene.bodies.begin(), scene.bodies.end(), locks))
            check.warn(path + ".poisson", "linear tetrahedra lock (are much too stiff) above " + six_digits(locking));
    }
}

/// Variables of included files may be meant for other scenes. Where an override took the last use away, the scene is
/// not to blame, but another override that changes the variable has no effect.
void check_variables(const SceneTree& tree, SceneCheck& check)
{
    const SceneNode* variables = tree.root.find("variables");
    if (!variables)
        return;
    for (const SceneEntry& entry : variables->entries) {
        const std::string path = "variables." + safe_step(entry.key);
        if (entry.value.at.override_index < 0 && tree.words_before_overrides.contains(entry.key))
            continue;
        if (entry.key_at.include < 0 && !tree.expression_words.contains(entry.key) && check.sound({path}))
            check.warn(path, "not used by any expression");
    }
}

} // namespace

bool SceneCheck::sound(std::initializer_list<std::string> paths) const
{
    return std::all_of(paths.begin(), paths.end(), [&](const std::string& path) { return reading_.sound(path); });
}

void SceneCheck::fault(const std::string& path, const std::string& message)
{
    reading_.fault(places_.locate(path), path, message);
}

void SceneCheck::warn(const std::string& path, const std::string& message)
{
    reading_.warn(places_.locate(path), path, message);
}

bool SceneCheck::given(const std::string& path) const
{
    const SceneNode* node = &root_;
    const std::vector<std::string> steps = split_path(path);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const int index = node->is_list() ? find_item(*node, steps, i) : -1;
        node = index >= 0 ? &node->items[index] : node->find(steps[i]);
        if (!node)
            return false;
    }
    return true;
}

SceneCheck::SceneCheck(const Scene& scene, const SceneTree& tree, Reading& reading)
    : scene_(scene)
    , root_(tree.root)
    , places_(scene, tree)
    , reading_(reading)
{
    if (const SceneNode* outlets = root_.find("outlets"))
        outlet_steps_ = item_steps(*outlets);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        first_.emplace(scene.bodies[i].name, i);
        if (scene.bodies[i].copies)
            templates_.insert(scene.bodies[i].name);
        if (is_copy(scene.bodies[i].name))
            families_.insert(family_of(scene.bodies[i].name));
    }
}

std::string SceneCheck::outlet_path(std::size_t index) const
{
    return "outlets" + (index < outlet_steps_.size() ? outlet_steps_[index] : "");
}

std::size_t SceneCheck::first_of_name(const std::string& name) const
{
    const auto found = first_.find(name);
    return found == first_.end() ? scene_.bodies.size() : found->second;
}

bool SceneCheck::body_exists(const std::string& name, const std::string& path)
{
    if (first_of_name(name) < scene_.bodies.size() || is_family(name) || templates_.contains(family_of(name)))
        return true;
    if (!reading_.reached("bodies"))
        return true;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
        if (!reading_.sound(body_path(i) + ".name") // it may be the one whose name is at fault
            || (scene_.bodies[i].name == family_of(name) && !reading_.sound(body_path(i) + ".copies")))
            return true;
    std::vector<std::string> names;
    for (const BodySettings& body : scene_.bodies)
        names.push_back(body.name);
    fault(path, "no body " + in_quotes(name) + meant_name(name, names, "the scene"));
    return false;
}

void check_copies(const Scene& scene, const SceneTree& tree, Reading& reading)
{
    SceneCheck check(scene, tree, reading);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodySettings& body = scene.bodies[i];
        if (!body.copies)
            continue;
        if (is_copy(body.name))
            check.fault(check.body_path(i) + ".name", "the name of a body with copies must not have an index");
        const auto* path = body.motion ? std::get_if<KeyframeMotion>(&*body.motion) : nullptr;
        const auto placed = [](const Keyframe& key) { return key.position || key.rotation; };
        if (path && std::any_of(path->keyframes.begin(), path->keyframes.end(), placed))
            check.fault(check.body_path(i) + ".motion", "keyframes would move all copies to the same place");
        check_placing_of_copies(body, check.body_path(i), check);
    }
}

void check_scene(const Scene& scene, const SceneTree& tree, Reading& reading)
{
    SceneCheck check(scene, tree, reading);
    check_time(scene.time, check);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        check_body(scene, i, check);
    check_placing(scene, check);
    check_pairs(scene, check);
    check_probes(scene, check);
    check_granular(scene, check);
    check_idle_keys(scene, check);
    for (std::size_t i = 0; i < scene.expect.size(); ++i) {
        const std::string path = "expect[" + std::to_string(i) + "]";
        check_expected_body(scene.expect[i], path, check);
        check_bounds(scene.expect[i], path, check);
        check_moments(scene.expect[i], path, scene.time, check);
    }
    check_materials(scene, check);
    check_variables(tree, check);
}

} // namespace stickslip
