#include "stickslip/dem/contact_list.h"

#include "stickslip/dem/pairs/static_force.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/dem/walls/wall_touch.h"

namespace stickslip {

namespace {

template <NormalLaw law>
void add_pairs(const SphereSystem& system, const PairSystem& s, std::vector<GranularContact>& contacts)
{
    const ContactHistory& history = system.state().pairs;
    for (std::size_t i = 0; i < s.spheres.size(); ++i) {
        for (int k = s.list.first[i]; k < s.list.first[i + 1]; ++k) {
            if (!history.touching[k])
                continue;
            const int j = s.list.other[k];
            const SpherePlace &a = s.spheres.place[i], &b = s.spheres.place[j];
            const Vec3 d = s.box.shortest(b.x - a.x);
            GranularContact c{.first = s.spheres.id[i], .second = s.spheres.id[j], .wall = -1};
            c.n = d.normalized();
            c.overlap = a.radius + b.radius - d.norm();
            c.x = a.x + (a.radius - 0.5 * c.overlap) * c.n;
            set_static_force<law>(s.law_of(static_cast<int>(i), j), a.radius * b.radius / (a.radius + b.radius),
                s.stiffness_of(static_cast<int>(i), j), history.slip[k], c);
            contacts.push_back(c);
        }
    }
}

template <NormalLaw law>
void add_wall(const SphereSystem& system, const PairSystem& s, int index, std::vector<GranularContact>& contacts)
{
    const GranularWall& wall = system.world().walls[index];
    const WallContacts& held = system.state().walls[index];
    const WallPose pose = system.wall_pose_now(index);
    const WallMeeting w = {s, wall, system.world().materials[wall.material], pose, false};
    const auto add = [&](int slot, const Vec3& n, double overlap, const Vec3& slip, double share) {
        const SpherePlace& a = s.spheres.place[slot];
        GranularContact c{.first = s.spheres.id[slot], .second = -1, .wall = index};
        c.n = n;
        c.overlap = overlap;
        c.x = a.x + (a.radius - 0.5 * overlap) * n;
        set_static_force<law>(wall_law(w, slot), a.radius, wall_stiffness(w, slot), slip, c);
        c.force *= share;
        contacts.push_back(c);
    };
    for (std::size_t c = 0; c < held.near.sphere.size(); ++c) {
        const int slot = held.near.sphere[c];
        if (held.is_mesh()) {
            for (const FacetContact& f : held.held_by(c))
                add(slot, -(pose.frame.R * f.name.n), f.overlap, pose.frame.R * f.slip, f.share);
        } else if (held.history.touching[c]) {
            const SpherePlace& a = s.spheres.place[slot];
            const double distance =
                signed_distance(std::get<LevelSet>(wall.shape), pose.frame.to_local(place_at_wall(w, slot)));
            add(slot, held.normal[c], a.radius - distance, held.history.slip[c], 1);
        }
    }
}

} // namespace

std::vector<GranularContact> list_contacts(const SphereSystem& system)
{
    std::vector<GranularContact> contacts;
    const PairSystem pairs = system.pair_system(system.dt());
    with_law(system.world().law, [&]<NormalLaw law>() {
        add_pairs<law>(system, pairs, contacts);
        for (std::size_t w = 0; w < system.world().walls.size(); ++w)
            add_wall<law>(system, pairs, static_cast<int>(w), contacts);
    });
    system.list_solid_contacts(contacts);
    return contacts;
}

} // namespace stickslip
