// Nodes, vertices and samples that meet the triangles of solids which are not convex.
#include "stickslip/bodies/surface_samples.h"
#include "stickslip/contact/contact_set.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/solids/grid_level_set.h"

#include "support/boxes.h"
#include "support/contact_laws.h"
#include "support/extruded.h"

#include <numbers>
#include <optional>

namespace stickslip::rigid_mesh_test {
namespace {

constexpr double dt = 0.01;

/// A block with a groove along z: the floor of the groove at y = -0.1, its top at 0.1.
const TriMesh& grooved()
{
    static const TriMesh mesh = refined(refined(extruded(
        {{-0.3, -0.3}, {0.3, -0.3}, {0.3, 0.1}, {0.12, 0.1}, {0.12, -0.1}, {-0.12, -0.1}, {-0.12, 0.1}, {-0.3, 0.1}},
        0.6)));
    return mesh;
}

LevelSet sampled_groove()
{
    static const auto grid = build_grid_level_set(grooved(), {.spacing = 0.05});
    return grid;
}

RigidBody groove(const std::string& name)
{
    RigidBody body{.name = name, .solid = sampled_groove(), .mass = 2, .inertia = Mat3::Identity()};
    body.triangles = std::make_shared<const TriangulatedSurface>(grooved(), EdgeRule::smooth);
    body.by_triangles = true;
    return body;
}

RigidBody box_of(double size)
{
    return {.name = "box",
        .solid = Box{Vec3::Constant(size)},
        .mass = 1,
        .inertia = Mat3::Identity(),
        .samples = corner_samples(size)};
}

/// A soft cube in the corner of the groove of a free body, and a box on its edge; or both in front of a flat obstacle:
/// the lower side of such a body, turned up, or a plane. (What begins inside presses on the plane with its whole depth,
/// on the mesh with what it gains.)
enum class Ground { groove, flat, plane };

struct Scene : ShakenScene {
    Scene(Ground ground, unsigned seed, double mu, double damping = 0)
        : ShakenScene(seed, mu, damping)
    {
        add_deformable(soft, "cube", cube_mesh(0.2, 3), make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0));
        finish(soft);
        const Frame start{Vec3(0.1, -0.2, 0.05), rotation_exp(Vec3(0.1, 0.4, -0.2))};
        const bool in_groove = ground == Ground::groove;
        const Vec3 cube = in_groove ? Vec3(0.0199, 0.0003, 0.03) : Vec3(0.05, 0.1003, 0.02);
        const Vec3 box = in_groove ? Vec3(0.171, 0.1502, 0.22) : Vec3(-0.15, 0.0505, 0.1);
        const Vec3 v = start.R * Vec3(0.1, -0.15, 0);
        for (const Vec3& X : soft.rest)
            x_old.push_back(start.to_world(X + cube + random.vector(in_groove ? 0.001 : 0.00015)));
        v_old.assign(x_old.size(), v);
        rigids.push_back(box_of(0.1));
        const Mat3 tilt = rotation_exp(0.005 * random.unit());
        old.push_back({.x = start.to_world(box), .R = Quat(start.R * tilt), .v = v});
        if (in_groove) {
            rigids.push_back(groove("groove"));
            old.push_back({.x = start.x, .R = Quat(start.R), .v = Vec3(0.02, 0, 0.01), .w = Vec3(0.1, 0.2, 0)});
        } else {
            Obstacle o{.name = "ground", .solid = Plane{Vec3::UnitY()}, .start = start, .motion = {}};
            o.surface_velocity = Vec3(0.1, 0.03, -0.05);
            if (ground == Ground::flat) {
                const RigidBody body = groove("ground");
                o.solid = body.solid;
                o.triangles = body.triangles;
                o.by_triangles = true;
                const Mat3 over = rotation_exp(Vec3(std::numbers::pi, 0, 0));
                o.start = {start.to_world(Vec3(0, -0.3, 0)), start.R * over};
                o.surface_velocity = over.transpose() * o.surface_velocity;
            }
            obstacles.push_back(o);
        }
        law.automatic.assign(bodies().count(), 1e6);
        q = x_old;
        for (const RigidState& r : old) {
            q.push_back(r.x + dt * r.v);
            q.push_back(dt * r.w + (in_groove ? random.vector(0.001) : Vec3(Vec3::Zero())));
        }
        for (std::size_t i = 0; i < x_old.size(); ++i)
            q[i] += dt * v + random.vector(0.0003);
        if (in_groove) // the box comes out over the edge
            q[x_old.size()] -= start.R * Vec3(0.006, 0, 0);
    }
};

TEST(RigidMesh, DerivativesByAllThatMovesMatchDifferences)
{
    Branches compared;
    int rigid = 0;
    for (const double mu : {0.0, 0.1, 0.5, infinity})
        for (unsigned seed = 0; seed < 6; ++seed) {
            Scene s(Ground::groove, seed, mu, seed % 2 == 0 ? 0 : 0.004);
            ContactSet contacts(s.bodies());
            s.begin_mixed(contacts, 0.0005);
            SCOPED_TRACE(testing::Message() << "mu " << mu << " seed " << seed);
            expect_derivatives(
                s, contacts, s.q, s.random.vectors(s.q.size()), {.step = 1e-8, .error = 1e-5},
                [](const Contact&) { return true; },
                [&](const Contact& c) {
                    compared.count(c);
                    rigid += c.point_body == 1;
                });
        }
    EXPECT_GT(compared.sticking, 10);
    EXPECT_GT(compared.sliding, 10);
    EXPECT_GT(compared.fading, 10);
    EXPECT_GT(rigid, 10);
}

TEST(RigidMesh, BalancesForceAndTorqueAndObeysTheCone)
{
    constexpr double mu = 0.2;
    int sliding = 0;
    for (unsigned seed = 0; seed < 5; ++seed) {
        Scene s(Ground::groove, seed, mu);
        ContactSet contacts(s.bodies());
        s.begin_mixed(contacts, 0.0005);
        expect_balance(s.nodes(), s.q, s.forces(contacts, s.q));
        sliding += expect_cone(contacts.blocks().contacts(), mu);
    }
    EXPECT_GT(sliding, 0);
}

TEST(RigidMesh, TransposedProductMatchesThePlainOne)
{
    for (unsigned seed = 0; seed < 3; ++seed) {
        Scene s(Ground::groove, seed, 0.3);
        ContactSet contacts(s.bodies());
        s.begin_mixed(contacts, 0.0005);
        s.evaluate(contacts, s.q);
        EXPECT_GT(expect_products(contacts, s.q.size(), s.random), 0);
    }
}

TEST(RigidMesh, ThatIsFlatAnswersAsThePlane)
{
    for (unsigned seed = 0; seed < 5; ++seed)
        for (const double mu : {0.0, 0.3, infinity}) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << " mu " << mu);
            Scene mesh(Ground::flat, seed, mu);
            expect_alike(mesh, Scene(Ground::plane, seed, mu), 0.0003);
        }
}

TEST(RigidMesh, ForceHasNoJumpOverItsEdges)
{
    for (unsigned seed = 0; seed < 6; ++seed)
        for (const double mu : {0.0, 0.3}) {
            Scene s(Ground::groove, seed, mu);
            ContactSet contacts(s.bodies());
            s.begin_mixed(contacts, 0.0005);
            std::vector<Vec3> d = s.random.vectors(s.q.size(), 0.001);
            const Vec3 drift = s.random.vector(0.05); // over edges, into walls and out
            for (int i = 0; i < s.nodes() + 1; ++i)
                d[i] += drift;
            const auto force_at = [&](double t) { return s.forces(contacts, moved(s.q, t, d)); };
            EXPECT_LT(largest_jump(force_at, 40), 1e-6) << "seed " << seed << " mu " << mu;
        }
}

/// A ring of one smooth patch and a body of one point in its hole, which is held at x = 0.25.
class PointInRing {
public:
    PointInRing()
    {
        const TriMesh mesh = triangulate(Torus{0.4, 0.15}, 0.03);
        Obstacle ring{.name = "ring", .solid = build_grid_level_set(mesh, {.spacing = 0.05}), .motion = {}};
        ring.triangles = std::make_shared<const TriangulatedSurface>(mesh, EdgeRule::smooth);
        ring.by_triangles = true;
        obstacles_.push_back(ring);
        RigidBody body{.name = "point", .solid = Sphere{0.025}, .mass = 1, .inertia = Mat3::Identity()};
        body.samples.push_back({Vec3::Zero(), 1, Vec3::Zero()});
        rigids_.push_back(body);
        law_.friction = 0.3;
        law_.automatic = {1e6, 1e6};
        finish(set_);
        contacts_.emplace(ContactBodies{&set_, &rigids_, &obstacles_, &law_, RelaxationKind::exact_cone});
        at_ = Vec3(0.24, 0, 0);
        begin(Vec3(1.2, 0, 0), {});
        evaluate(Vec3(0.252, 0, 0));
    }

    /// A step from where the last evaluation was.
    void begin(const Vec3& v, const std::vector<Attachment>& kept)
    {
        contacts_->begin_step(dt, dt, {}, {}, std::vector<RigidState>{{.x = at_, .v = v}}, kept);
    }
    void evaluate(const Vec3& x)
    {
        at_ = x;
        contacts_->evaluate({}, std::vector<RigidCandidate>{{x, Vec3::Zero(), Mat3::Identity(), Mat3::Identity()}});
    }
    ContactSet& contacts() { return *contacts_; }
    std::vector<double> pushed() const // [-] along x, by contact
    {
        std::vector<double> all;
        for (const Contact& c : contacts_->blocks().contacts())
            all.push_back(c.at.n.x());
        return all;
    }

private:
    DeformableSet set_;
    std::vector<RigidBody> rigids_;
    std::vector<Obstacle> obstacles_;
    ContactLaw law_;
    Vec3 at_;
    std::optional<ContactSet> contacts_;
};

TEST(RigidMesh, IsMetInAnotherPlaceOfThePatchThatHoldsThePoint)
{
    const Vec3 over_there(-0.254, 0, 0);
    for (const bool is_expected : {true, false}) {
        PointInRing s;
        ASSERT_EQ(s.pushed().size(), 1u);
        EXPECT_LT(s.pushed()[0], -0.9);
        s.begin(
            is_expected ? Vec3((over_there.x() - 0.252) / dt, 0, 0) : Vec3::Zero(), s.contacts().update_attachments());
        s.evaluate(over_there);
        EXPECT_EQ(s.contacts().grow(), !is_expected);
        s.evaluate(over_there);
        ASSERT_EQ(s.pushed().size(), 1u) << is_expected;
        EXPECT_GT(s.pushed()[0], 0.9);
        EXPECT_FALSE(s.contacts().grow());
        s.begin(Vec3::Zero(), s.contacts().update_attachments());
        s.evaluate(over_there);
        EXPECT_EQ(s.pushed().size(), 1u) << "held there";
    }
}

} // namespace
} // namespace stickslip::rigid_mesh_test
