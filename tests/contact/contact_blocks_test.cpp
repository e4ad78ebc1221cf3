#include "stickslip/contact/contact_set.h"

#include "support/boxes.h"
#include "support/contact_laws.h"

#include <map>

namespace stickslip::contact_blocks_test {
namespace {

/// Every cell of the contact table at once, all bodies moved at random into each other: a soft cube and a ball on a
/// rigid block that lies on a scripted plinth and a floor; two balls touch.
struct Scene : ShakenScene {
    explicit Scene(unsigned seed, double mu, RelaxationKind kind = RelaxationKind::planar, double damping = 0)
        : ShakenScene(seed, mu, damping, kind)
    {
        add_deformable(soft, "cube", cube_mesh(0.1, 1), make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0));
        finish(soft);
        obstacles = {
            {.name = "floor", .solid = Plane{Vec3::UnitY()}}, {.name = "plinth", .solid = Box{Vec3(0.1, 0.1, 0.1)}}};
        obstacles[0].surface_velocity = Vec3(0.3, 0, 0.1);
        obstacles[1].start = {Vec3(0.02, -0.02, 0.01), random.rotation()};
        obstacles[1].motion.angular_velocity = Vec3(0, 0.5, 0.2);
        obstacles[1].surface_velocity = Vec3(-0.2, 0.1, 0.3);
        for (int c = 0; c < 8; ++c)
            obstacles[1].samples.push_back({corner(0.1, c), 1});
        block(0.4, Vec3(0, 0.195, 0));
        block(0.3, Vec3(0.02, 0.542, 0.03));
        ball(0.1, Vec3(0.15, 0.794, 0.1));
        ball(0.08, Vec3(0.17, 0.97, 0.11));
        law.automatic.assign(bodies().count(), 300);
        for (const Vec3& X : soft.rest)
            x_old.push_back(X + Vec3(-0.05, 0.74, -0.05));
        q = at_rest();
        for (Vec3& x : q)
            x += random.vector(0.004);
    }

private:
    void block(double size, const Vec3& x)
    {
        RigidBody b{.name = "block", .solid = Box{Vec3::Constant(size)}, .mass = 1, .inertia = Mat3::Identity()};
        for (int c = 0; c < 8; ++c)
            b.samples.push_back({corner(size, c), 1});
        b.samples.push_back({Vec3(0, -0.5 * size, 0), 1});
        b.samples.push_back({Vec3(0, 0.5 * size, 0), 1});
        rigids.push_back(b);
        old.push_back({.x = x + Vec3(0, 0.004, 0), .R = Quat(rotation_exp(0.02 * random.unit()))});
    }
    void ball(double radius, const Vec3& x)
    {
        rigids.push_back({.name = "ball",
            .solid = Sphere{radius},
            .mass = 1,
            .inertia = Mat3::Identity(),
            .rounds = {{Vec3(0.01, 0, 0), radius}}});
        old.push_back({.x = x + Vec3(-0.01, 0.002, 0), .R = Quat::Identity()});
    }
};

// A pattern that is kept must have a place for every block.
TEST(ContactBlocks, PlacesAreNewWhereOtherBlocksAreCoupled)
{
    Scene s(1, 0.3);
    ContactSet contacts(s.bodies());
    s.begin_mixed(contacts, 0.004);
    const auto all = [&] {
        std::vector<std::pair<int, int>> places;
        contacts.blocks().for_each_place([&](int row, int column) { places.push_back({row, column}); });
        return places;
    };
    std::vector<int> listed;
    std::vector<std::pair<int, int>> before;
    int kept = 0, renewed = 0;
    for (int i = 0; i < 40; ++i) {
        std::vector<Vec3> q = s.q;
        if (i % 2 == 0)
            for (Vec3& x : q)
                x += s.random.vector(0.004);
        if (i % 4 < 2)
            s.evaluate(contacts, q);
        const std::vector<std::pair<int, int>> places = all();
        EXPECT_EQ(contacts.blocks().list_places(listed), places != before);
        ++(places == before ? kept : renewed);
        before = places;
    }
    EXPECT_GT(kept, 10);
    EXPECT_GT(renewed, 10);
}

TEST(ContactBlocks, DerivativesOfAllCellsMatchDifferences)
{
    std::map<std::pair<int, int>, int> compared; // by kind of point and surface
    for (const RelaxationKind kind : {RelaxationKind::planar, RelaxationKind::exact_cone})
        for (const double mu : {0.0, 0.3, 1.0, infinity})
            for (unsigned seed = 0; seed < 8; ++seed) {
                Scene s(seed, mu, kind, seed % 2 == 0 ? 0 : 0.02);
                ContactSet contacts(s.bodies());
                s.begin_mixed(contacts, 0.004);
                const ContactBodies bodies = s.bodies();
                const auto kind_of = [&](int body) {
                    return bodies.is_deformable(body) ? 0
                        : bodies.is_obstacle(body)    ? 3
                        : bodies.is_round(body)       ? 2
                                                      : 1;
                };
                SCOPED_TRACE(testing::Message() << "mu " << mu << " seed " << seed);
                expect_derivatives(
                    s, contacts, s.q, s.random.vectors(s.q.size()), {.step = 1e-7, .error = 2e-6},
                    [](const Contact&) { return true; },
                    [&](const Contact& c) {
                        ++compared[{kind_of(c.point_body), kind_of(c.surface_body)}];
                    });
            }
    for (const auto& cell : std::vector<std::pair<int, int>>{{0, 1}, {1, 1}, {1, 3}, {2, 1}, {2, 2}, {3, 1}})
        EXPECT_GT(compared[cell], 5) << "cell " << cell.first << " x " << cell.second;
}

TEST(ContactBlocks, TransposedProductMatchesThePlainOne)
{
    for (unsigned seed = 0; seed < 5; ++seed) {
        Scene s(seed, 0.3);
        ContactSet contacts(s.bodies());
        s.begin_mixed(contacts, 0.004);
        s.evaluate(contacts, s.q);
        EXPECT_GT(expect_products(contacts, s.q.size(), s.random), 0);
    }
}

TEST(ContactBlocks, NetForceAndNetTorqueOfEachContactVanish)
{
    std::size_t checked = 0;
    for (unsigned seed = 0; seed < 5; ++seed) {
        Scene s(seed, 0.3);
        ContactSet contacts(s.bodies());
        s.begin_mixed(contacts, 0.004);
        s.evaluate(contacts, s.q);
        const std::vector<Vec3> q = s.q;
        const ContactBlocks& blocks = contacts.blocks();
        for (const Contact& c : blocks.contacts()) {
            if (c.loaded != 4)
                continue;
            const auto load = [&](int b) { return blocks.load(c, b); };
            const Vec3 &x_point = q[blocks.block(c, 0)], &x_surface = q[blocks.block(c, 2)];
            const Vec3 force = load(0) + load(2);
            const Vec3 torque = x_point.cross(load(0)) + load(1) + x_surface.cross(load(2)) + load(3);
            EXPECT_LT(force.norm(), 1e-15 * (1 + c.j.norm()));
            EXPECT_LT(torque.norm(), 1e-14 * (1 + c.j.norm()));
            ++checked;
        }
    }
    EXPECT_GT(checked, 10u);
}

TEST(ContactBlocks, SpringsObeyTheConeAndPull)
{
    for (unsigned seed = 0; seed < 5; ++seed) {
        Scene s(seed, 0.3, RelaxationKind::exact_cone);
        ContactSet contacts(s.bodies());
        s.begin_mixed(contacts, 0.004);
        s.evaluate(contacts, s.q);
        expect_cone(contacts.blocks().contacts(), 0.3);
    }
}

} // namespace
} // namespace stickslip::contact_blocks_test
