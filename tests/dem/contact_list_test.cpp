#include "stickslip/dem/contact_list.h"

#include "granular_scenes.h"

namespace stickslip::contact_list_test {
namespace {

/// A heap at rest in a box, after long damping.
SphereSystem settled(NormalLaw law, double friction, double restitution)
{
    GranularWorld world =
        one_material({.density = 2000, .young = 1e6, .friction = friction, .restitution = restitution}, law);
    world.gravity = Vec3(0, 0, -10);
    world.local_damping = 0.5;
    world.walls = {flat_wall(Vec3::UnitZ()), flat_wall(Vec3::UnitX()), flat_wall(Vec3::UnitY()),
        flat_wall(-Vec3::UnitX(), Vec3(0.2, 0, 0)), flat_wall(-Vec3::UnitY(), Vec3(0, 0.2, 0))};
    std::vector<Grain> grains;
    for (int i = 0; i < 27; ++i)
        grains.push_back({.x = Vec3(0.04 + 0.06 * (i % 3), 0.04 + 0.06 * (i / 3 % 3), 0.04 + 0.06 * (i / 9))
                + 0.002 * Vec3(std::sin(i), std::cos(2 * i), 0),
            .radius = 0.025 + 0.0002 * i});
    SphereSystem system(world, grains);
    system.step(static_cast<int>(5 / system.dt()));
    return system;
}

TEST(ContactList, ForcesCarryTheWeightOfEverySphere)
{
    // friction with damping would leave something that rolls for long
    const std::pair<double, double> friction_and_restitution[] = {{0.4, 1}, {0, 0.2}};
    for (int run = 0; run < 4; ++run) {
        const auto& [friction, restitution] = friction_and_restitution[run / 2];
        const SphereSystem system = settled(run % 2 ? NormalLaw::hertz : NormalLaw::linear, friction, restitution);
        const std::vector<GranularContact> contacts = list_contacts(system);
        ASSERT_EQ(contacts.size(), system.touching());
        const Spheres& all = system.state().spheres;
        const std::vector<int> slot = system.slots();
        std::vector<Vec3> force(all.size(), Vec3::Zero());
        for (const GranularContact& c : contacts) {
            EXPECT_NEAR(c.n.norm(), 1, 1e-12);
            EXPECT_GT(c.overlap, 0);
            force[c.first] += c.force;
            if (c.second >= 0)
                force[c.second] -= c.force;
        }
        const double g = system.world().gravity.norm();
        for (std::size_t id = 0; id < force.size(); ++id) {
            const double mass = 1 / all.motion[slot[id]].inverse_mass;
            EXPECT_LT((force[id] + mass * system.world().gravity).norm(), 1e-6 * mass * g) << id;
        }
    }
}

TEST(ContactList, SaysWhoSlides)
{
    GranularMaterial m{.density = 1000, .young = 1e6, .friction = 0.1};
    GranularWorld world = one_material(m);
    world.gravity = Vec3(0, 0, -10);
    world.walls = {flat_wall(Vec3::UnitZ())};
    SphereSystem system(world, {{.x = Vec3(0, 0, 0.1 - 5e-5), .radius = 0.1, .v = Vec3(1, 0, 0)}});
    system.step(200);
    ASSERT_EQ(list_contacts(system).size(), 1u);
    const GranularContact c = list_contacts(system)[0];
    EXPECT_TRUE(c.slides);
    EXPECT_EQ(c.wall, 0);
    EXPECT_LT(c.force.x(), 0); // against the motion
    EXPECT_GT(c.force.z(), 0);
    EXPECT_NEAR(c.n.z(), -1, 1e-12);
}

} // namespace
} // namespace stickslip::contact_list_test
