#include "stickslip/contact/contact_set.h"

#include "support/boxes.h"
#include "support/contact_steps.h"
#include "support/terrain.h"

#include <map>

namespace stickslip::sheet_test {
namespace {

constexpr double dt = 0.01;

TriMesh scaled(TriMesh mesh, double by)
{
    for (Vec3& x : mesh.vertices)
        x *= by;
    return mesh;
}

enum class Ground { bumpy, ridged, flat, plane };

/// A soft cube and a rigid block that are pressed a little into a sheet (or a plane) that moves and turns.
class Scene {
public:
    Scene(Ground ground, unsigned seed, double mu, double damping = 0)
        : random_(seed)
    {
        add_deformable(set_, "cube", cube_mesh(0.2, 3), make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0));
        finish(set_);
        const Frame start{Vec3(0.1, -0.2, 0.05), rotation_exp(Vec3(0.1, 0.4, -0.2))};
        const ScriptedMotion motion{.velocity = Vec3(0.1, 0.05, 0), .angular_velocity = Vec3(0.1, -0.3, 0.2)};
        Obstacle o{.name = "ground", .solid = Plane{Vec3::UnitY()}, .start = start, .motion = motion};
        o.surface_velocity = Vec3(0.1, 0.03, -0.05);
        if (ground != Ground::plane) {
            Random ground_random(seed);
            const double size = ground == Ground::flat ? 0 : 0.01;
            const TriMesh mesh = scaled(terrain(16, ground_random,
                                            [&](double x, double z) {
                                                return ground == Ground::ridged ? std::min(0.0, 3 * (0.27 - x))
                                                                                : size * std::sin(9 * x + 4 * z);
                                            }),
                0.4);
            o.solid = OpenSurface{bounds(mesh.vertices)};
            o.triangles = std::make_shared<const TriangulatedSurface>(mesh, EdgeRule::smooth);
        }
        obstacles_.push_back(o);
        for (const Vec3& X : set_.rest)
            x_old_.push_back(start.to_world(X + Vec3(0.07, 0.1021, 0.02) + random_.vector(0.002)));
        v_old_.assign(x_old_.size(), start.R * Vec3(0.2, -0.3, 0));
        rigids_.push_back({.name = "block", .solid = Box{Vec3::Constant(0.1)}, .mass = 1, .inertia = Mat3::Identity()});
        rigids_[0].samples = corner_samples(0.1);
        old_.push_back({.x = start.to_world(Vec3(-0.15, 0.053, 0.1)),
            .R = Quat(start.R * rotation_exp(0.03 * random_.unit())),
            .v = start.R * Vec3(0.2, -0.3, 0)});
        law_.friction = mu;
        law_.damping = damping;
        law_.automatic.assign(bodies().count(), 1e6);
        q_ = x_old_;
        q_.push_back(old_[0].x);
        q_.push_back(random_.vector(0.02));
        for (std::size_t i = 0; i <= x_old_.size(); ++i)
            q_[i] += dt * old_[0].v
                + (ground == Ground::plane || ground == Ground::flat ? Vec3(Vec3::Zero()) : random_.vector(0.0005));
    }

    ContactBodies bodies() const { return {&set_, &rigids_, &obstacles_, &law_, RelaxationKind::exact_cone}; }
    int nodes() const { return static_cast<int>(set_.rest.size()); }
    const std::vector<Vec3>& q() const { return q_; }
    const std::vector<RigidState>& old() const { return old_; }
    const std::vector<Vec3>& x_old() const { return x_old_; }
    const std::vector<Vec3>& v_old() const { return v_old_; }
    Random& random() { return random_; }

    /// A step of which some attachments are kept, some of these stick, and some contacts are new.
    void begin(ContactSet& contacts)
    {
        contacts.begin_step(0, dt, x_old_, v_old_, old_, {});
        std::vector<Vec3> other = q_;
        for (Vec3& x : other)
            x += random_.vector(0.001);
        evaluate(contacts, other);
        contacts.begin_step(0, dt, x_old_, v_old_, old_, some_attachments(contacts, random_));
    }

    void evaluate(ContactSet& contacts, const std::vector<Vec3>& q) const { evaluate_at(contacts, nodes(), old_, q); }

private:
    Random random_;
    DeformableSet set_;
    std::vector<RigidBody> rigids_;
    std::vector<RigidState> old_;
    std::vector<Obstacle> obstacles_;
    ContactLaw law_;
    std::vector<Vec3> q_, x_old_, v_old_;
};

std::vector<Vec3> forces(const Scene& s, ContactSet& contacts, const std::vector<Vec3>& q)
{
    s.evaluate(contacts, q);
    return forces_of(contacts, q.size());
}

struct Found {
    Vec3 j;
    bool sticks;
    int piece;
};

std::map<ContactKey, Found> found(const Scene& s, ContactSet& contacts, const std::vector<Vec3>& q)
{
    s.evaluate(contacts, q);
    std::map<ContactKey, Found> all;
    contacts.for_each_contact([&](const Contact& c) { all[key_of(c)] = {c.j, c.at.sticks, numbers(c.at.to).piece}; });
    return all;
}

TEST(Sheet, DerivativesMatchDifferences)
{
    for (const Ground ground : {Ground::bumpy, Ground::ridged}) {
        int sticking = 0, sliding = 0, fading = 0, rigid = 0;
        for (const double mu : {0.0, 0.1, 0.5, infinity})
            for (unsigned seed = 0; seed < 8; ++seed) {
                Scene s(ground, seed, mu, seed % 2 == 0 ? 0 : 0.004);
                ContactSet contacts(s.bodies());
                s.begin(contacts);
                const std::vector<Vec3> d = s.random().vectors(s.q().size());
                constexpr double h = 1e-8;
                const auto plus = found(s, contacts, moved(s.q(), h, d));
                const auto minus = found(s, contacts, moved(s.q(), -h, d));
                s.evaluate(contacts, s.q());
                for (const Contact& c : contacts.blocks().contacts()) {
                    const ContactKey key = key_of(c);
                    if (s.bodies().kind(attachment_of(c)) == ContactKind::edges) // edges_test.cpp
                        continue;
                    if (!plus.contains(key) || !minus.contains(key) || plus.at(key).piece != numbers(c.at.to).piece
                        || minus.at(key).piece != numbers(c.at.to).piece || plus.at(key).sticks != c.at.sticks
                        || minus.at(key).sticks != c.at.sticks)
                        continue;
                    const Vec3 difference = (plus.at(key).j - minus.at(key).j) / (2 * h);
                    EXPECT_LT((difference + contacts.blocks().load_differential(c, 0, d)).norm(), 1e-5 * c.k)
                        << "mu " << mu << " point " << c.point << " sticks " << c.at.sticks;
                    ++(c.at.sticks ? sticking : sliding);
                    fading += c.at.share < 1;
                    rigid += c.point_body == 1;
                }
            }
        EXPECT_GT(sticking, 10);
        EXPECT_GT(sliding, 10);
        EXPECT_GT(rigid, 10);
        EXPECT_TRUE(ground == Ground::bumpy || fading > 0) << fading;
    }
}

TEST(Sheet, ForcesActAlongTheirLineAndObeyTheCone)
{
    constexpr double mu = 0.2;
    int sliding = 0;
    for (unsigned seed = 0; seed < 5; ++seed) {
        Scene s(Ground::bumpy, seed, mu);
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.q());
        std::vector<Vec3> f(s.q().size(), Vec3::Zero());
        contacts.add_force(f);
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero(); // on the sheet
        for (const Contact& c : contacts.blocks().contacts()) {
            const double normal = -c.j.dot(c.at.n), along = (c.j + normal * c.at.n).norm();
            EXPECT_GT(normal, 0);
            EXPECT_LE(along, mu * normal * (1 + 1e-9));
            sliding += along > mu * normal * (1 - 1e-9);
            force += c.j;
            torque += c.at.Y.cross(c.j);
        }
        Vec3 on_bodies = Vec3::Zero(), turning = Vec3::Zero();
        for (int i = 0; i <= s.nodes(); ++i) {
            on_bodies += f[i];
            turning += s.q()[i].cross(f[i]);
        }
        turning += f[s.nodes() + 1];
        ASSERT_GT(force.norm(), 1);
        EXPECT_LT((on_bodies + force).norm(), 1e-12 * norm_all(f));
        EXPECT_LT((turning + torque).norm(), 1e-12 * norm_all(f));
    }
    EXPECT_GT(sliding, 0);
}

TEST(Sheet, ThatIsFlatAnswersAsThePlane)
{
    for (unsigned seed = 0; seed < 5; ++seed)
        for (const double mu : {0.0, 0.3, infinity}) {
            Scene sheet(Ground::flat, seed, mu), plane(Ground::plane, seed, mu);
            ContactSet on_sheet(sheet.bodies()), on_plane(plane.bodies());
            on_sheet.begin_step(0, dt, sheet.x_old(), sheet.v_old(), sheet.old(), {});
            on_plane.begin_step(0, dt, sheet.x_old(), sheet.v_old(), sheet.old(), {});
            for (int step = 0; step < 2; ++step) { // what comes in, then what is kept
                const std::vector<Vec3> q =
                    step == 0 ? sheet.q() : moved(sheet.q(), 0.001, sheet.random().vectors(sheet.q().size()));
                const auto f = forces(sheet, on_sheet, q), g = forces(plane, on_plane, q);
                ASSERT_GT(norm_all(g), 1);
                EXPECT_LT(apart(f, g), 1e-9 * norm_all(g)) << "seed " << seed << " mu " << mu << " step " << step;
                const std::vector<Vec3> d = sheet.random().vectors(q.size());
                std::vector<Vec3> df(q.size(), Vec3::Zero()), dg = df;
                on_sheet.add_force_differential(d, df, false);
                on_plane.add_force_differential(d, dg, false);
                EXPECT_LT(apart(df, dg), 1e-6 * norm_all(dg)) << "seed " << seed << " mu " << mu << " step " << step;
                on_sheet.begin_step(0, dt, sheet.x_old(), sheet.v_old(), sheet.old(), on_sheet.update_attachments());
                on_plane.begin_step(0, dt, sheet.x_old(), sheet.v_old(), sheet.old(), on_plane.update_attachments());
            }
        }
}

TEST(Sheet, ForceHasNoJumpOverItsEdges)
{
    for (const Ground ground : {Ground::flat, Ground::bumpy})
        for (unsigned seed = 0; seed < 6; ++seed)
            for (const double mu : {0.0, 0.3}) {
                Scene s(ground, seed, mu);
                ContactSet contacts(s.bodies());
                s.begin(contacts);
                std::vector<Vec3> d = s.random().vectors(s.q().size(), 0.001);
                const Vec3 drift = s.random().vector(0.05); // over several triangles
                for (int i = 0; i <= s.nodes(); ++i)
                    d[i] += drift - 0.9 * drift.y() * Vec3::UnitY();
                const auto force_at = [&](double t) { return forces(s, contacts, moved(s.q(), t, d)); };
                EXPECT_LT(largest_jump(force_at), 1e-6)
                    << "seed " << seed << " mu " << mu << (ground == Ground::flat ? " flat" : "");
            }
}

} // namespace
} // namespace stickslip::sheet_test
