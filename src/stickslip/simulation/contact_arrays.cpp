#include "stickslip/dem/contact_list.h"
#include "stickslip/simulation/simulation.h"
#include "stickslip/simulation/simulation_parts.h"

/// The contacts of a Simulation as arrays.
namespace stickslip {

namespace {

void add(Contacts& all, int first, int first_point, int second, int second_point, const Vec3& point, const Vec3& normal,
    const Vec3& force, double depth, bool sticks)
{
    all.first.push_back(first);
    all.second.push_back(second);
    all.first_point.push_back(first_point);
    all.second_point.push_back(second_point);
    all.point.push_back(point);
    all.normal.push_back(normal);
    all.force.push_back(force);
    all.depth.push_back(depth);
    all.sticks.push_back(sticks);
}

Contacts of_bodies(const BuiltWorld& built, const BackwardEuler& system)
{
    std::vector<int> body(built.bodies.size()); // of the scene, by contact body
    for (std::size_t i = 0; i < built.bodies.size(); ++i)
        body[contact_body(built.world, built.bodies[i])] = static_cast<int>(i);
    Contacts all;
    system.contacts().for_each_contact([&](const Contact& c) {
        if (!c.presses())
            return;
        add(all, body[c.point_body], point_number(built.world, c), body[c.surface_body], -1, c.Z, c.at.n, -c.j,
            c.at.depth, c.at.sticks);
        all.slip.push_back(c.at.slip);
    });
    return all;
}

Contacts of_spheres(const BuiltGranular& granular, const SphereSystem& system)
{
    const std::vector<int> slots = system.slots();
    std::vector<int> rigid(system.state().bodies.size(), -1); // of the scene, by body; -1: a clump
    for (const GranularRigid& one : granular.rigids)
        rigid[one.body] = one.scene_body;
    const auto body_of_sphere = [&](int id) {
        const int slot = slots[id], body = system.body_of(slot);
        return body >= 0 && rigid[body] >= 0 ? rigid[body] : granular.sets[system.state().spheres.group[slot]].body;
    };
    Contacts all;
    for (const GranularContact& c : list_contacts(system)) {
        const int first = c.first >= 0 ? body_of_sphere(c.first) : granular.wall_body[c.point_wall];
        const int second = c.wall >= 0 ? granular.wall_body[c.wall] : body_of_sphere(c.second);
        add(all, first, c.first >= 0 ? c.first : c.point, second, c.second, c.x, -c.n, c.force, c.overlap, !c.slides);
    }
    return all;
}

} // namespace

Contacts Simulation::contacts() const
{
    if (parts_->spheres)
        return of_spheres(*parts_->built.granular, parts_->spheres->system());
    const BackwardEuler* system = parts_->implicit->system();
    return system ? of_bodies(parts_->built, *system) : Contacts();
}

} // namespace stickslip
