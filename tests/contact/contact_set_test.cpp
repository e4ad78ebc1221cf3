#include "stickslip/contact/contact_set.h"

#include "support/boxes.h"
#include "support/same_attachment.h"
#include "support/threads.h"

namespace stickslip::contact_set_test {
namespace {

constexpr double size = 0.2, dt = 0.01;
constexpr int floor = 2, wall = 3; // as contact counts the bodies

/// Two cubes over a floor (obstacle 0) and beside a wall x < 0 (obstacle 1).
struct Scene {
    DeformableSet set;
    std::vector<Obstacle> obstacles;
    std::vector<RigidBody> rigids;
    ContactLaw law;
    std::vector<Vec3> x_old, v_old;

    explicit Scene(int cells = 2)
    {
        const ElasticMaterial m = make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0);
        add_deformable(set, "first", cube_mesh(size, cells), m);
        add_deformable(set, "second", cube_mesh(size, cells), m);
        finish(set);
        obstacles = {{.name = "floor", .solid = Plane{Vec3::UnitY()}}, {.name = "wall", .solid = Plane{Vec3::UnitX()}}};
        law.friction = 0.4;
        law.automatic = {1e6, 5e6, 0, 0};
        law.rules[{0, floor}] = {.stiffness = 1e4};
        law.rules[{0, wall}] = {.friction = 0.2, .stiffness = 3e4};
        law.rules[{1, wall}] = {.enabled = false};
        x_old = set.rest;
        v_old.assign(x_old.size(), Vec3::Zero());
        for (std::size_t i = 0; i < x_old.size(); ++i)
            x_old[i] += Vec3(set.body_of_node[i] == 0 ? 0.55 * size : 3 * size, 0.55 * size, 0);
    }
    ContactBodies bodies() const { return {&set, &rigids, &obstacles, &law, RelaxationKind::planar}; }
    ContactSet contacts() const { return ContactSet(bodies()); }

    /// All nodes moved by d, and a little each.
    std::vector<Vec3> candidate(const Vec3& d, Random& random) const
    {
        std::vector<Vec3> x = shaken(x_old, 0.02 * size, random);
        for (Vec3& p : x)
            p += d;
        return x;
    }
};

const Vec3 into_both(-0.12 * size, -0.15 * size, 0.02 * size);

std::vector<Vec3> force_of(const ContactSet& contacts, std::size_t nodes)
{
    std::vector<Vec3> f(nodes, Vec3::Zero());
    contacts.add_force(f);
    return f;
}

bool same(const std::vector<Attachment>& a, const std::vector<Attachment>& b)
{
    return a.size() == b.size()
        && std::equal(
            a.begin(), a.end(), b.begin(), [](const Attachment& p, const Attachment& q) { return same_bits(p, q); });
}

TEST(ContactSet, FindsEveryNodeThatWentInOncePerObstacle)
{
    Random random(1);
    const Scene s;
    ContactSet contacts = s.contacts();
    contacts.begin_step(0, dt, s.x_old, s.v_old, {}, {});
    const std::vector<Vec3> x = s.candidate(into_both, random);
    contacts.evaluate(x, {});
    std::size_t expected = 0, twice = 0;
    for (const int node : s.set.surface_nodes) {
        expected += (x[node].y() < 0) + (x[node].x() < 0);
        twice += x[node].y() < 0 && x[node].x() < 0;
    }
    EXPECT_GT(twice, 0u) << "a row of nodes touches floor and wall";
    EXPECT_EQ(contacts.count(), expected);
}

TEST(ContactSet, AddsTheForcesOfTwoObstaclesAtOneNode)
{
    Random random(2);
    Scene both;
    const std::vector<Vec3> x = both.candidate(into_both, random);
    const auto force = [&](std::vector<std::pair<int, int>> off) {
        Scene one = both;
        for (const std::pair<int, int>& pair : off)
            one.law.rules[pair].enabled = false;
        ContactSet contacts = one.contacts();
        contacts.begin_step(0, dt, one.x_old, one.v_old, {}, {});
        contacts.evaluate(x, {});
        return force_of(contacts, x.size());
    };
    const std::pair<int, int> a{0, floor}, b{0, wall}, c{1, floor};
    const auto all = force({}), on_floor = force({b, c}), on_wall = force({a, c}), second = force({a, b});
    std::vector<Vec3> sum;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum.push_back(on_floor[i] + on_wall[i] + second[i]);
    EXPECT_NEAR_ALL(all, sum, 1e-15);
    EXPECT_GT(norm_all(on_floor), 0);
    EXPECT_GT(norm_all(on_wall), 0);
}

TEST(ContactSet, DependsOnTheCandidateAlone)
{
    Random random(3);
    const Scene s;
    ContactSet contacts = s.contacts();
    contacts.begin_step(0, dt, s.x_old, s.v_old, {}, {});
    const std::vector<Vec3> A = s.candidate(into_both, random), B = s.candidate(1.5 * into_both, random),
                            out = s.candidate(Vec3(1, 1, 1), random);
    contacts.evaluate(A, {});
    const auto force = force_of(contacts, A.size());
    const auto attachments = contacts.update_attachments();
    for (const auto* other : {&B, &out}) {
        contacts.evaluate(*other, {});
        EXPECT_FALSE(same(attachments, contacts.update_attachments()));
        contacts.evaluate(A, {});
        EXPECT_TRUE(same_bits(force, force_of(contacts, A.size())));
        EXPECT_TRUE(same(attachments, contacts.update_attachments()));
    }
}

TEST(ContactSet, KeepsAttachmentsThroughARoundTrip)
{
    Random random(4);
    const Scene s;
    ContactSet contacts = s.contacts();
    contacts.begin_step(0, dt, s.x_old, s.v_old, {}, {});
    const std::vector<Vec3> x = s.candidate(into_both, random);
    contacts.evaluate(x, {});
    const auto first = contacts.update_attachments();
    const auto force = force_of(contacts, x.size());
    EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
    // a step in which nothing moves: relaxed springs obey the cone, so all stick and nothing changes
    contacts.begin_step(dt, dt, x, s.v_old, {}, first);
    contacts.evaluate(x, {});
    const auto second = contacts.update_attachments();
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(first[i].key(), second[i].key());
        EXPECT_CLOSE_ALL(first[i].on_solid().X, second[i].on_solid().X, 1e-16);
    }
    EXPECT_NEAR_ALL(force, force_of(contacts, x.size()), 1e-12);
}

TEST(ContactSet, KeepsStickingAttachmentsBitForBit)
{
    Random random(5);
    Scene s;
    s.law.friction = infinity;
    s.law.rules[{0, wall}].friction = infinity;
    ContactSet contacts = s.contacts();
    contacts.begin_step(0, dt, s.x_old, s.v_old, {}, {});
    std::vector<Vec3> x = s.candidate(into_both, random);
    contacts.evaluate(x, {});
    const auto first = contacts.update_attachments();
    contacts.begin_step(dt, dt, x, s.v_old, {}, first);
    for (Vec3& p : x)
        p += Vec3(1e-3 * size, -1e-2 * size, 2e-3 * size);
    contacts.evaluate(x, {});
    const auto second = contacts.update_attachments();
    std::size_t kept = 0;
    for (const Attachment& a : second)
        for (const Attachment& b : first)
            if (a.key() == b.key()) {
                ++kept;
                EXPECT_TRUE(same_bits(a, b));
            }
    EXPECT_EQ(kept + 0, first.size() - std::count_if(first.begin(), first.end(), [&](const Attachment& b) {
        return std::none_of(second.begin(), second.end(), [&](const Attachment& a) { return a.key() == b.key(); });
    }));
    EXPECT_GT(kept, 5u);
}

TEST(ContactSet, DropsAttachmentsOfNodesThatLeft)
{
    Random random(6);
    const Scene s;
    ContactSet contacts = s.contacts();
    contacts.begin_step(0, dt, s.x_old, s.v_old, {}, {});
    const std::vector<Vec3> x = s.candidate(into_both, random);
    contacts.evaluate(x, {});
    const auto kept = contacts.update_attachments();
    contacts.begin_step(dt, dt, x, s.v_old, {}, kept);
    std::vector<Vec3> away = x;
    for (Vec3& p : away)
        p.y() += size; // leaves the floor, stays at the wall
    contacts.evaluate(away, {});
    const auto left = contacts.update_attachments();
    EXPECT_GT(left.size(), 0u);
    for (const Attachment& a : left)
        EXPECT_EQ(a.surface_body, wall);
    EXPECT_EQ(left.size(), static_cast<std::size_t>(std::count_if(kept.begin(), kept.end(), [](const Attachment& a) {
        return a.surface_body == wall;
    })));
}

TEST(ContactSet, EnergyIsThatOfTheAttachmentsItLeaves)
{
    Random random(7);
    const Scene s;
    ContactSet contacts = s.contacts();
    contacts.begin_step(0, dt, s.x_old, s.v_old, {}, {});
    const std::vector<Vec3> x = s.candidate(into_both, random);
    contacts.evaluate(x, {});
    EXPECT_GT(contacts.energy(), 0);
    double springs = 0, kept = 0;
    contacts.for_each_contact([&](const Contact& c) { springs += 0.5 * c.j.squaredNorm() / c.k; });
    for (const Attachment& a : contacts.update_attachments())
        kept += a.energy;
    EXPECT_NEAR(springs / contacts.energy(), 1, 1e-12);
    EXPECT_NEAR(kept / contacts.energy(), 1, 1e-12);
}

TEST(ContactSet, StiffnessIsPerPointOrPerArea)
{
    const Scene s;
    EXPECT_EQ(s.bodies().stiffness(0, floor, 3), 1e4);
    EXPECT_EQ(s.bodies().stiffness(1, floor, 3), 5e6 * s.set.nodal_area[surface_node(s.set, 1, 3)]);
}

TEST(ContactSet, FollowsAMovingObstacle)
{
    Scene s;
    s.obstacles[0].motion.velocity = Vec3(0, 3, 0); // the floor rises by 0.03 in the step
    ContactSet contacts = s.contacts();
    contacts.begin_step(0, dt, s.x_old, s.v_old, {}, {});
    contacts.evaluate(s.x_old, {}); // nodes stay where they are, 0.01 above the old floor
    EXPECT_EQ(contacts.count(), 18u);
    contacts.for_each_contact([](const Contact& c) { EXPECT_NEAR(c.at.depth, 0.02, 1e-15); });
}

TEST(ContactSet, GivesTheSameBitsForAnyNumberOfThreads)
{
    const Scene s(8);
    Random random(8);
    const std::vector<Vec3> x = s.candidate(into_both, random);
    std::vector<std::vector<Vec3>> forces;
    for (const std::size_t threads : {1, 2}) {
        const ThreadLimit limit(threads);
        ContactSet contacts = s.contacts();
        contacts.begin_step(0, dt, s.x_old, s.v_old, {}, {});
        contacts.evaluate(x, {});
        forces.push_back(force_of(contacts, x.size()));
    }
    EXPECT_TRUE(same_bits(forces[0], forces[1]));
}

} // namespace
} // namespace stickslip::contact_set_test
