#include "stickslip/contact/contact_set.h"

#include "support/boxes.h"
#include "support/contact_steps.h"

#include <map>

namespace stickslip::contact_blocks_test {
namespace {

constexpr double dt = 0.01;

/// Every cell of the contact table at once, all bodies moved at random into each other: a soft cube and a ball on a
/// rigid block that lies on a scripted plinth and a floor; two balls touch.
class Scene {
public:
    explicit Scene(unsigned seed, double mu, RelaxationKind kind = RelaxationKind::planar, double damping = 0)
        : random_(seed)
        , kind_(kind)
    {
        add_deformable(set_, "cube", cube_mesh(0.1, 1), make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0));
        finish(set_);
        obstacles_ = {
            {.name = "floor", .solid = Plane{Vec3::UnitY()}}, {.name = "plinth", .solid = Box{Vec3(0.1, 0.1, 0.1)}}};
        obstacles_[0].surface_velocity = Vec3(0.3, 0, 0.1);
        obstacles_[1].start = {Vec3(0.02, -0.02, 0.01), random_.rotation()};
        obstacles_[1].motion.angular_velocity = Vec3(0, 0.5, 0.2);
        obstacles_[1].surface_velocity = Vec3(-0.2, 0.1, 0.3);
        for (int c = 0; c < 8; ++c)
            obstacles_[1].samples.push_back({corner(0.1, c), 1});
        block(0.4, Vec3(0, 0.195, 0));
        block(0.3, Vec3(0.02, 0.542, 0.03));
        ball(0.1, Vec3(0.15, 0.794, 0.1));
        ball(0.08, Vec3(0.17, 0.97, 0.11));
        law_.friction = mu;
        law_.damping = damping;
        law_.automatic.assign(bodies().count(), 300);
        for (const Vec3& X : set_.rest)
            q_.push_back(X + Vec3(-0.05, 0.74, -0.05));
        for (const RigidState& r : old_) {
            q_.push_back(r.x);
            q_.push_back(Vec3::Zero());
        }
        x_old_.assign(q_.begin(), q_.begin() + nodes());
        v_old_.assign(nodes(), Vec3::Zero());
        for (Vec3& x : q_)
            x += random_.vector(0.004);
    }

    ContactBodies bodies() const { return {&set_, &rigids_, &obstacles_, &law_, kind_}; }
    int nodes() const { return static_cast<int>(set_.rest.size()); }
    const std::vector<Vec3>& q() const { return q_; }
    Random& random() { return random_; }

    /// Contacts of the second of two steps: some attachments are kept, some new.
    void begin(ContactSet& contacts)
    {
        contacts.begin_step(0, dt, x_old_, v_old_, old_, {});
        std::vector<Vec3> half = q_;
        for (std::size_t i = 0; i < half.size(); ++i)
            half[i] += random_.vector(0.004);
        evaluate(contacts, half);
        contacts.begin_step(0, dt, x_old_, v_old_, old_, some_attachments(contacts, random_));
    }

    void evaluate(ContactSet& contacts, const std::vector<Vec3>& q) const { evaluate_at(contacts, nodes(), old_, q); }

private:
    void block(double size, const Vec3& x)
    {
        RigidBody b{.name = "block", .solid = Box{Vec3::Constant(size)}, .mass = 1, .inertia = Mat3::Identity()};
        for (int c = 0; c < 8; ++c)
            b.samples.push_back({corner(size, c), 1});
        b.samples.push_back({Vec3(0, -0.5 * size, 0), 1});
        b.samples.push_back({Vec3(0, 0.5 * size, 0), 1});
        rigids_.push_back(b);
        old_.push_back({.x = x + Vec3(0, 0.004, 0), .R = Quat(rotation_exp(0.02 * random_.unit()))});
    }
    void ball(double radius, const Vec3& x)
    {
        rigids_.push_back({.name = "ball",
            .solid = Sphere{radius},
            .mass = 1,
            .inertia = Mat3::Identity(),
            .rounds = {{Vec3(0.01, 0, 0), radius}}});
        old_.push_back({.x = x + Vec3(-0.01, 0.002, 0), .R = Quat::Identity()});
    }

    Random random_;
    RelaxationKind kind_;
    DeformableSet set_;
    std::vector<RigidBody> rigids_;
    std::vector<RigidState> old_;
    std::vector<Obstacle> obstacles_;
    ContactLaw law_;
    std::vector<Vec3> q_, x_old_, v_old_;
};

// A pattern that is kept must have a place for every block.
TEST(ContactBlocks, PlacesAreNewWhereOtherBlocksAreCoupled)
{
    Scene s(1, 0.3);
    ContactSet contacts(s.bodies());
    s.begin(contacts);
    const auto all = [&] {
        std::vector<std::pair<int, int>> places;
        contacts.blocks().for_each_place([&](int row, int column) { places.push_back({row, column}); });
        return places;
    };
    std::vector<int> listed;
    std::vector<std::pair<int, int>> before;
    int kept = 0, renewed = 0;
    for (int i = 0; i < 40; ++i) {
        std::vector<Vec3> q = s.q();
        if (i % 2 == 0)
            for (Vec3& x : q)
                x += s.random().vector(0.004);
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
                s.begin(contacts);
                const std::vector<Vec3> d = s.random().vectors(s.q().size());
                constexpr double h = 1e-7;
                s.evaluate(contacts, moved(s.q(), h, d));
                const auto plus = loads_of(contacts);
                s.evaluate(contacts, moved(s.q(), -h, d));
                const auto minus = loads_of(contacts);
                s.evaluate(contacts, s.q());
                const auto here = loads_of(contacts);
                const ContactBodies bodies = s.bodies();
                for (const Contact& c : contacts.blocks().contacts()) {
                    const ContactKey key = key_of(c);
                    if (!same_branch(plus, here, key) || !same_branch(minus, here, key))
                        continue;
                    for (int a = 0; a < c.loaded; ++a) {
                        Vec3 df = Vec3::Zero();
                        for (int b = 0; b < c.count; ++b)
                            df += contacts.blocks().force_block(c, a, b) * d[contacts.blocks().block(c, b)];
                        const Vec3 difference = (plus.at(key).load[a] - minus.at(key).load[a]) / (2 * h);
                        EXPECT_LT((difference - df).norm(), 2e-6 * c.k)
                            << "mu " << mu << " point " << c.point_body << " surface " << c.surface_body << " block "
                            << a << " sticks " << c.at.sticks;
                    }
                    const auto kind_of = [&](int body) {
                        return bodies.is_deformable(body) ? 0
                            : bodies.is_obstacle(body)    ? 3
                            : bodies.is_round(body)       ? 2
                                                          : 1;
                    };
                    ++compared[{kind_of(c.point_body), kind_of(c.surface_body)}];
                }
            }
    for (const auto& cell : std::vector<std::pair<int, int>>{{0, 1}, {1, 1}, {1, 3}, {2, 1}, {2, 2}, {3, 1}})
        EXPECT_GT(compared[cell], 5) << "cell " << cell.first << " x " << cell.second;
}

TEST(ContactBlocks, TransposedProductMatchesThePlainOne)
{
    for (unsigned seed = 0; seed < 5; ++seed) {
        Scene s(seed, 0.3);
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.q());
        const std::vector<Vec3> d = s.random().vectors(s.q().size()), w = s.random().vectors(s.q().size());
        std::vector<Vec3> Hd(d.size(), Vec3::Zero()), Htw(d.size(), Vec3::Zero());
        contacts.add_force_differential(d, Hd, false);
        contacts.add_force_differential(w, Htw, true);
        double plain = 0, transposed = 0, scale = 0;
        for (std::size_t i = 0; i < d.size(); ++i) {
            plain += w[i].dot(Hd[i]);
            transposed += Htw[i].dot(d[i]);
            scale += w[i].norm() * Hd[i].norm();
        }
        EXPECT_LT(std::abs(plain - transposed), 1e-13 * scale);
    }
}

TEST(ContactBlocks, NetForceAndNetTorqueOfEachContactVanish)
{
    std::size_t checked = 0;
    for (unsigned seed = 0; seed < 5; ++seed) {
        Scene s(seed, 0.3);
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.q());
        const std::vector<Vec3> q = s.q();
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
        s.begin(contacts);
        s.evaluate(contacts, s.q());
        contacts.for_each_contact([](const Contact& c) {
            const double normal = -c.j.dot(c.at.n), tangential = (c.j + normal * c.at.n).norm();
            EXPECT_GT(normal, 0);
            EXPECT_LT(tangential, (0.3 + 1e-9) * normal);
        });
    }
}

} // namespace
} // namespace stickslip::contact_blocks_test
