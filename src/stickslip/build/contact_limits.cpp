#include "stickslip/build/contact_limits.h"

#include "stickslip/build/build_contact.h"
#include "stickslip/contact/relax/rim_share.h"
#include "stickslip/contact/stiffness_growth.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/wording.h"
#include "stickslip/world/soft_watch.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace stickslip {

namespace {

constexpr std::size_t most_warnings = 10; // of one sort; of many the first tell enough

constexpr double deep_sag = 0.1; // [-] of the smallest size: as told of at the end of a run
constexpr double hard = 1000; // [-] times what `auto` gives: twice to ten times the iterations

using FamilyPair = std::pair<std::string, std::string>;

/// The second of the three edges of a box by length [m]: a bar's or a plate's width.
double width(const Bounds& box)
{
    std::array<double, 3> edges;
    for (int i = 0; i < 3; ++i)
        edges[i] = box.max[i] - box.min[i];
    std::sort(edges.begin(), edges.end());
    return edges[1];
}

/// What decides whether a body can rest on springs of some stiffness.
struct HeldBody {
    double automatic; // [N/m] of one contact, as `auto` chooses it
    double weight; // [N]
    double points; // [-] contacts on which it rests on its smallest side
    double size; // [m] the smallest
    double mass; // [kg] that one contact moves
    double far; // [m] largest coordinate
    double dt, tolerance; // [s] and [m/s] of the run
};

HeldBody held_body(const BuiltWorld& built, int body)
{
    const World& world = built.world;
    const ContactBodies bodies = contact_bodies(world);
    const double dt = built.options.step, tolerance = built.options.newton.tolerance;
    if (bodies.is_rigid(body)) {
        const RigidBody& rigid = bodies.rigid(body);
        const Vec3& x = built.state.rigid[body - bodies.first_rigid()].x;
        return {world.contact.automatic[body], rigid.mass * (world.gravity + rigid.acceleration).norm(),
            bodies.is_round(body) ? 1.0 : 4.0, smallest_size(rigid.solid), rigid.mass, x.cwiseAbs().maxCoeff(), dt,
            tolerance};
    }
    const DeformableBody& soft = world.deformables.bodies[body];
    Bounds box;
    for (int i = soft.nodes.begin; i < soft.nodes.end; ++i)
        box.add(built.state.x[i]);
    const Vec3 size = box.max - box.min;
    const double area = soft.surface_area / soft.surface_nodes.size();
    return {world.contact.automatic[body] * area, soft.mass * (world.gravity + soft.acceleration).norm(),
        std::max(1.0, size.prod() / size.maxCoeff() / area), size.minCoeff(), soft.mass / soft.nodes.size(),
        box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).maxCoeff(), dt, tolerance};
}

/// What goes wrong with contacts of stiffness k [N/m] that may grow to `most` [N/m], if something does
/// (docs/derivations.md#contact-stiffness).
std::string trouble(const HeldBody& b, double k, double most)
{
    const double sag = b.weight / (b.points * most);
    const std::string automatic = "; `auto` is " + short_number(b.automatic) + " N/m";
    if (sag > deep_sag * b.size)
        return " sinks by " + short_number(sag) + " m at rest (weight / stiffness, on " + short_number(b.points)
            + " contacts); its smallest size is " + short_number(b.size) + " m" + automatic;
    const double noise = k * b.dt / b.mass * std::numeric_limits<double>::epsilon() * b.far;
    if (noise > b.tolerance)
        return ": rounding errors of its position change its velocity by " + short_number(noise)
            + " m/s per step, more than `solver.tolerance`, " + short_number(b.tolerance) + " m/s: solves can fail"
            + automatic;
    if (k > hard * b.automatic)
        return ": " + short_number(k / b.automatic) + " times the stiffness that `auto` gives, "
            + short_number(b.automatic) + " N/m: solves take several times as many iterations and can fail";
    return {};
}

/// One warning a family; none of the bodies in `movers`, whose long steps are warned of.
void warn_of_far_steps(const Scene& scene, const std::set<int>& movers, BuildResult& result)
{
    const World& world = result.built.world;
    std::map<std::string, std::vector<FarStep>> families;
    for (const FarStep& step : far_steps_ahead(world, result.built.state, scene.time.step, scene.time.end))
        if (!movers.contains(step.body))
            families[family_of(contact_body_name(world, step.body))].push_back(step);
    std::size_t count = 0;
    for (const auto& [name, steps] : families) {
        const FarStep& worst = *std::max_element(
            steps.begin(), steps.end(), [](const FarStep& a, const FarStep& b) { return a.badness() < b.badness(); });
        const BodySettings& body = settings_of(scene, contact_body_name(world, worst.body));
        if (++count <= most_warnings)
            result.warn(body.name_at, "bodies." + body.name,
                in_words(world, worst, static_cast<int>(steps.size()) - 1, scene.time.step));
    }
    if (count > most_warnings)
        result.warn(
            {}, "bodies", std::to_string(count - most_warnings) + " more move farther in one step than they are long");
}

} // namespace

void warn_of_long_steps(const Scene& scene, BuildResult& result)
{
    const World& world = result.built.world;
    const double dt = scene.time.step;
    std::map<FamilyPair, LongStep> worst;
    std::set<int> movers;
    for (const LongStep& step : long_steps_ahead(world, result.built.state, dt, scene.time.end)) {
        movers.insert(step.mover);
        const FamilyPair pair(
            family_of(contact_body_name(world, step.mover)), family_of(contact_body_name(world, step.other)));
        LongStep& known = worst.try_emplace(pair, step).first->second;
        if (step.badness() > known.badness())
            known = step;
    }
    std::size_t count = 0;
    for (const auto& [pair, step] : worst)
        if (++count <= most_warnings) {
            const BodySettings& body = settings_of(scene, contact_body_name(world, step.mover));
            result.warn(body.name_at, "bodies." + body.name, in_words(world, step, dt));
        }
    if (count > most_warnings)
        result.warn(
            {}, "bodies", counted(count - most_warnings, "more pair") + " of bodies that move that far in one step");
    warn_of_far_steps(scene, movers, result);
}

void warn_of_narrow_bodies(const Scene& scene, BuildResult& result)
{
    const World& world = result.built.world;
    const ContactBodies bodies = contact_bodies(world);
    std::set<FamilyPair> warned;
    for (int soft = 0; soft < bodies.first_rigid(); ++soft) {
        const DeformableBody& of = world.deformables.bodies[soft];
        const double apart = node_spacing(world.deformables, of);
        for (int b = bodies.first_rigid(); b < bodies.count(); ++b) {
            const std::string& name = contact_body_name(world, b);
            const double wide = width(bounds(bodies.solid(b)));
            if (!bodies.is_pair(soft, b) || bodies.meets_by_balls(b, soft) || bodies.meets_patches(b, soft)
                || !(wide < 0.999 * apart) || warned.size() >= most_warnings
                || !warned.insert({family_of(name), family_of(of.name)}).second)
                continue;
            const BodySettings& body = settings_of(scene, name);
            result.warn(shape_position(body), "bodies." + name + "." + shape_key(body),
                "is " + short_number(wide) + " m wide, but the surface nodes of " + in_quotes(of.name) + " are "
                    + short_number(apart) + " m apart: contact is detected at these nodes, so " + in_quotes(name)
                    + " can sink in between them; set " + in_quotes(of.name)
                    + " `resolution: " + short_number(0.5 * wide) + "`");
        }
    }
}

void warn_of_left_out_edges(const Scene& scene, BuildResult& result)
{
    const World& world = result.built.world;
    const ContactBodies bodies = contact_bodies(world);
    std::vector<int> round; // with a tube
    for (int p = bodies.first_rigid(); p < bodies.count(); ++p)
        if (!bodies.rims(p).empty() && bodies.rims(p)[0].tube > 0)
            round.push_back(p);
    std::set<std::string> warned;
    for (int s = bodies.first_rigid(); s < bodies.count() && !round.empty(); ++s) {
        const auto* grid = std::get_if<std::shared_ptr<const GridLevelSet>>(&bodies.solid(s));
        if (!grid || !(*grid)->edges().too_many)
            continue;
        const auto rolls_over = [&](int p) {
            const double least = seams(bodies.solid(s)).least;
            const auto feels = [&](const Rim& rim) { return rim.tube >= least; };
            return p != s && bodies.is_pair(p, s) && !bodies.are_rims_on_triangles(p, s)
                && std::ranges::any_of(bodies.rims(p), feels);
        };
        const auto p = std::ranges::find_if(round, rolls_over);
        const std::string& name = contact_body_name(world, s);
        if (p == round.end() || warned.size() >= most_warnings || !warned.insert(family_of(name)).second)
            continue;
        const BodySettings& body = settings_of(scene, name);
        result.warn(shape_position(body), "bodies." + name + "." + shape_key(body),
            "has more than " + std::to_string(most_face_edges)
                + " edges between its faces: " + in_quotes(contact_body_name(world, *p))
                + ", which is round, meets its sampled distance without them, so contact at the rims of flat faces is "
                  "less exact"
                + (std::holds_alternative<MeshShape>(body.shape)
                        ? "; `contact_geometry: mesh` or a coarser mesh keeps them"
                        : ""));
    }
}

void warn_of_stiffness(const Scene& scene, BuildResult& result)
{
    const auto warn = [&](double k, const SourcePosition& where, const std::string& path, const auto& is_meant) {
        std::set<std::string> warned;
        for (int b = 0; b < contact_bodies(result.built.world).first_obstacle(); ++b) {
            const std::string name = contact_body_name(result.built.world, b);
            if (!is_meant(name) || warned.contains(family_of(name)) || warned.size() >= most_warnings)
                continue;
            const std::string words =
                trouble(held_body(result.built, b), k, scene.contact.penetration ? most_stiffness_scale * k : k);
            if (words.empty())
                continue;
            result.warn(where, path, in_quotes(name) + words);
            warned.insert(family_of(name));
        }
    };
    if (scene.contact.stiffness)
        warn(*scene.contact.stiffness, scene.contact.stiffness_at, "contact.stiffness",
            [](const std::string&) { return true; });
    for (const PairSettings& pair : scene.contact.pairs)
        if (pair.stiffness && pair.enabled)
            warn(*pair.stiffness, pair.where, "contact.pairs.stiffness", [&](const std::string& name) {
                return names_body(pair.bodies[0], name) || names_body(pair.bodies[1], name);
            });
}

std::string in_words(const World& world, const LongStep& step, double dt)
{
    const auto name = [&](int body) { return "\"" + contact_body_name(world, body) + "\""; };
    return formatted("%s moves %.3g m towards %s in one step of %.3g s, but %s is only %.3g m thick in that direction: "
                     "contact is detected at the end of each step and can be missed; use a time.step of %.1g s or less",
        name(step.mover).c_str(), step.way, name(step.other).c_str(), dt, name(step.thin).c_str(), step.size,
        0.5 * dt * step.size / step.way);
}

std::string in_words(const World& world, const FarStep& step, int others, double dt)
{
    const std::string name = in_quotes(contact_body_name(world, step.body));
    const std::string travels = others == 0 ? name + " travels "
        : others == 1                       ? name + " and one other travel up to "
                                            : name + formatted(" and %d others travel up to ", others);
    return travels
        + formatted(
            "%.3g m in one step of %.3g s, farther than %s is long in that direction, %.3g m: contact is detected "
            "at the end of each step, and begins late and deep for such a body; use a time.step of %.1g s or less",
            step.way, dt, others == 0 ? "it" : name.c_str(), step.size, 0.5 * dt * step.size / step.way);
}

} // namespace stickslip
