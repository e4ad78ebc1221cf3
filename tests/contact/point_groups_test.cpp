#include "stickslip/contact/contact_set.h"

#include "support/boxes.h"
#include "support/contact_steps.h"
#include "support/extruded.h"
#include "support/terrain.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace stickslip::point_groups_test {
namespace {

constexpr double dt = 0.01;

// An L of small triangles, which is met by them.
RigidBody angle()
{
    const TriMesh mesh = refined(extruded({{-0.2, -0.2}, {0.2, -0.2}, {0.2, 0}, {0, 0}, {0, 0.2}, {-0.2, 0.2}}, 0.3));
    RigidBody body{.name = "angle",
        .solid = std::shared_ptr<const GridLevelSet>(build_grid_level_set(mesh, {.spacing = 0.05})),
        .mass = 1,
        .inertia = Mat3::Identity()};
    body.triangles = std::make_shared<const TriangulatedSurface>(mesh, EdgeRule::smooth);
    body.by_triangles = true;
    return body;
}

/// An L and a box that come down on a terrain, whose vertices stand in this order.
class Fall {
public:
    Fall(unsigned seed, double height, const std::vector<int>& order)
        : order_(order)
    {
        Random random(seed);
        const TriMesh mesh =
            terrain(24, random, [&](double x, double z) { return height * std::sin(7 * x) * std::cos(5 * z); });
        Obstacle ground{.name = "ground", .solid = OpenSurface{bounds(mesh.vertices)}, .start = {}, .motion = {}};
        ground.triangles = std::make_shared<const TriangulatedSurface>(mesh, EdgeRule::smooth);
        for (const int v : order)
            ground.samples.push_back({.z = mesh.vertices[v], .weight = 1});
        obstacles_.push_back(ground);
        rigids_ = {angle(), {.name = "box", .solid = Box{Vec3::Constant(0.3)}, .mass = 1, .inertia = Mat3::Identity()}};
        rigids_[1].samples = corner_samples(0.3);
        for (const double x : {-0.4, 0.4}) {
            const Mat3 R = height == 0 ? Mat3(Mat3::Identity()) : rotation_exp(random.vector(1));
            old_.push_back({.x = Vec3(x, 0, 0) + random.vector(0.2), .R = Quat(R)});
            old_.back().x.y() = 0.15 + (height == 0 ? 0 : random.uniform(0, 0.1));
            old_.back().v = random.vector(3) - 5 * Vec3::UnitY();
            old_.back().w = random.vector(20);
        }
        for (const RigidState& r : old_) {
            expected_.push_back(r.x + dt * r.v);
            expected_.push_back(dt * r.w);
        }
        elsewhere_ = expected_;
        for (std::size_t i = 0; i < elsewhere_.size(); i += 2)
            elsewhere_[i] += Vec3(random.uniform(-0.1, 0.1), -0.05, random.uniform(-0.1, 0.1));
        law_.automatic.assign(bodies().count(), 1e6);
    }

    ContactBodies bodies() const { return {&set_, &rigids_, &obstacles_, &law_, RelaxationKind::exact_cone}; }
    ContactSet begun(const std::vector<Attachment>& kept) const
    {
        ContactSet contacts(bodies());
        contacts.begin_step(0, dt, {}, {}, old_, kept);
        return contacts;
    }

    /// Forces of the vertices of the terrain, by vertex, body and slot.
    using Forces = std::map<std::array<int, 3>, Vec3>;
    Forces forces(ContactSet& contacts, const std::vector<Vec3>& q) const
    {
        evaluate_at(contacts, 0, old_, q);
        Forces forces;
        contacts.for_each_contact([&](const Contact& c) {
            if (c.point_body == 2 && c.point < static_cast<int>(order_.size()))
                forces[{order_[c.point], c.surface_body, c.at.slot}] = c.j;
        });
        return forces;
    }
    std::vector<LevelPatch> before_box() const
    {
        const ContactBodies bodies = this->bodies();
        StepStart start(bodies);
        start.begin(0, dt, {}, {}, old_, {}, {});
        return start.stands_before({2, 1});
    }
    const std::vector<Vec3>& expected() const { return expected_; }
    const std::vector<Vec3>& elsewhere() const { return elsewhere_; }

private:
    std::vector<int> order_;
    DeformableSet set_;
    std::vector<RigidBody> rigids_;
    std::vector<RigidState> old_;
    std::vector<Obstacle> obstacles_;
    ContactLaw law_;
    std::vector<Vec3> expected_, elsewhere_;
};

// In order a group is a strip of the terrain, most of which are far away; shuffled, all groups are everywhere. Which
// vertices touch, as predicted, as they go elsewhere and in the next step, is the same.
TEST(PointGroups, LoseNoVertexOfATerrain)
{
    std::vector<int> in_order(25 * 25), shuffled;
    std::iota(in_order.begin(), in_order.end(), 0);
    std::size_t on_angle = 0, on_box = 0, grown = 0;
    for (unsigned seed = 1; seed <= 24; ++seed) {
        Random random(seed);
        shuffled = in_order;
        for (std::size_t i = shuffled.size() - 1; i > 0; --i)
            std::swap(shuffled[i], shuffled[static_cast<std::size_t>(random.uniform(0, static_cast<double>(i + 1)))]);
        const double height = seed % 4 == 0 ? 0 : 0.1;
        const Fall a(seed, height, in_order), b(seed, height, shuffled);
        ContactSet of_a = a.begun({}), of_b = b.begun({});
        for (int part = 0; part < 3; ++part) {
            const bool is_expected = part == 0;
            const Fall::Forces forces = a.forces(of_a, is_expected ? a.expected() : a.elsewhere());
            EXPECT_EQ(forces, b.forces(of_b, is_expected ? b.expected() : b.elsewhere())) << seed << " " << part;
            for (const auto& [key, j] : forces)
                ++(key[1] == 0 ? on_angle : on_box);
            if (part == 1) {
                const bool any = of_a.grow();
                EXPECT_EQ(any, of_b.grow());
                grown += any;
            } else if (is_expected) {
                of_a = a.begun(of_a.update_attachments());
                of_b = b.begun(of_b.update_attachments());
            }
        }
    }
    EXPECT_GT(on_angle, 200u);
    EXPECT_GT(on_box, 50u);
    EXPECT_GT(grown, 10u);
}

// A box that lies flush on the ground has all of it before its lower face, however its vertices are ordered; one that
// is in uneven ground has it before none.
TEST(PointGroups, TellWhatLiesBeforeAFace)
{
    std::vector<int> order(25 * 25);
    std::iota(order.begin(), order.end(), 0);
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const std::vector<LevelPatch> flush = Fall(seed, 0, order).before_box();
        ASSERT_EQ(flush.size(), 1u);
        EXPECT_LT(
            (sample_patch(Box{Vec3::Constant(0.3)}, flush[0].patch, Vec3::Zero()).n + Vec3::UnitY()).norm(), 1e-12);
        EXPECT_TRUE(Fall(seed, 0.1, order).before_box().empty());
        std::reverse(order.begin(), order.end());
        std::rotate(order.begin(), order.begin() + 77, order.end());
    }
}

} // namespace
} // namespace stickslip::point_groups_test
