#include "stickslip/scene/checks/placing_checks.h"

#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/wording.h"

namespace stickslip {

namespace {

/// Records what is wrong with the body that another is placed on.
void check_carrier(const Scene& scene, const std::string& name, const std::string& path, SceneCheck& check)
{
    if (!check.body_exists(name, path))
        return;
    if (check.is_family(name) && !is_copy(name)) {
        check.fault(
            path, in_quotes(name) + " is a family of copies; expected one body, such as " + in_quotes(name + "[0]"));
        return;
    }
    const std::size_t carrier = check.first_of_name(name);
    if (carrier < scene.bodies.size() && scene.bodies[carrier].kind == BodyKind::spheres)
        check.fault(path, in_quotes(name) + " consists of spheres; expected a body or an obstacle");
}

/// `"a" on "b" on "a"` for the first body of such a circle; nothing for all others.
std::string circle_of(const Scene& scene, std::size_t body, const SceneCheck& check)
{
    std::string circle = in_quotes(scene.bodies[body].name);
    std::size_t carrier = body;
    for (std::size_t steps = 0; steps < scene.bodies.size(); ++steps) {
        const std::string& name = scene.bodies[carrier].place_on;
        if (name.empty())
            return "";
        circle += " on " + in_quotes(name);
        carrier = check.first_of_name(name);
        if (carrier == body)
            return circle;
        if (carrier < body || carrier == scene.bodies.size())
            return "";
    }
    return ""; // leads into a circle of others
}

} // namespace

void check_placing(const Scene& scene, SceneCheck& check)
{
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodySettings& body = scene.bodies[i];
        const std::string path = check.body_path(i), at = path + ".place_on";
        if (!check.sound({at, path + ".place_along", path + ".kind"}))
            continue;
        if (body.place_on.empty()) {
            if (body.place_along)
                check.fault(path + ".place_along", "has no effect without `place_on`");
            continue;
        }
        if (check.sound({path + ".shape"}) && std::holds_alternative<Plane>(body.shape))
            check.fault(at, "a plane cannot be placed by contact; give its `position`");
        check_carrier(scene, body.place_on, at, check);
        if (const std::string circle = circle_of(scene, i, check); !circle.empty())
            check.fault(at, "circular: " + circle + "; give one of them a `position`");
        if (!body.place_along && check.sound({"gravity"}) && scene.gravity.isZero(0))
            check.fault(at, "needs `place_along`, because there is no gravity");
    }
}

void check_placing_of_copies(const BodySettings& body, const std::string& path, SceneCheck& check)
{
    if (!body.place_on.empty())
        check.fault(path + ".place_on", "not available with `copies`; give their `position`");
}

} // namespace stickslip
