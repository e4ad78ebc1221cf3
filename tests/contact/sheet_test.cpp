#include "stickslip/contact/contact_set.h"

#include "support/boxes.h"
#include "support/contact_laws.h"
#include "support/terrain.h"

namespace stickslip::sheet_test {
namespace {

TriMesh scaled(TriMesh mesh, double by)
{
    for (Vec3& x : mesh.vertices)
        x *= by;
    return mesh;
}

enum class Ground { bumpy, ridged, flat, plane };

/// A soft cube and a rigid block that are pressed a little into a sheet (or a plane) that moves and turns.
struct Scene : ShakenScene {
    Scene(Ground ground, unsigned seed, double mu, double damping = 0)
        : ShakenScene(seed, mu, damping)
    {
        add_deformable(soft, "cube", cube_mesh(0.2, 3), make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0));
        finish(soft);
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
        obstacles.push_back(o);
        for (const Vec3& X : soft.rest)
            x_old.push_back(start.to_world(X + Vec3(0.07, 0.1021, 0.02) + random.vector(0.002)));
        v_old.assign(x_old.size(), start.R * Vec3(0.2, -0.3, 0));
        rigids.push_back({.name = "block", .solid = Box{Vec3::Constant(0.1)}, .mass = 1, .inertia = Mat3::Identity()});
        rigids[0].samples = corner_samples(0.1);
        old.push_back({.x = start.to_world(Vec3(-0.15, 0.053, 0.1)),
            .R = Quat(start.R * rotation_exp(0.03 * random.unit())),
            .v = start.R * Vec3(0.2, -0.3, 0)});
        law.automatic.assign(bodies().count(), 1e6);
        q = x_old;
        q.push_back(old[0].x);
        q.push_back(random.vector(0.02));
        for (std::size_t i = 0; i <= x_old.size(); ++i)
            q[i] += dt * old[0].v
                + (ground == Ground::plane || ground == Ground::flat ? Vec3(Vec3::Zero()) : random.vector(0.0005));
    }
};

TEST(Sheet, DerivativesMatchDifferences)
{
    for (const Ground ground : {Ground::bumpy, Ground::ridged}) {
        Branches compared;
        int rigid = 0;
        for (const double mu : {0.0, 0.1, 0.5, infinity})
            for (unsigned seed = 0; seed < 8; ++seed) {
                Scene s(ground, seed, mu, seed % 2 == 0 ? 0 : 0.004);
                ContactSet contacts(s.bodies());
                s.begin_mixed(contacts, 0.001);
                SCOPED_TRACE(testing::Message() << "mu " << mu << " seed " << seed);
                expect_derivatives(
                    s, contacts, s.q, s.random.vectors(s.q.size()), {.step = 1e-8, .error = 1e-5},
                    [&](const Contact& c) { // edges: edges_test.cpp
                        return s.bodies().kind(attachment_of(c)) != ContactKind::edges;
                    },
                    [&](const Contact& c) {
                        compared.count(c);
                        rigid += c.point_body == 1;
                    });
            }
        EXPECT_GT(compared.sticking, 10);
        EXPECT_GT(compared.sliding, 10);
        EXPECT_GT(rigid, 10);
        EXPECT_TRUE(ground == Ground::bumpy || compared.fading > 0) << compared.fading;
    }
}

TEST(Sheet, ForcesActAlongTheirLineAndObeyTheCone)
{
    constexpr double mu = 0.2;
    int sliding = 0;
    for (unsigned seed = 0; seed < 5; ++seed) {
        Scene s(Ground::bumpy, seed, mu);
        ContactSet contacts(s.bodies());
        s.begin_mixed(contacts, 0.001);
        const std::vector<Vec3> f = s.forces(contacts, s.q);
        sliding += expect_cone(contacts.blocks().contacts(), mu);
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero(); // on the sheet
        for (const Contact& c : contacts.blocks().contacts()) {
            force += c.j;
            torque += c.at.Y.cross(c.j);
        }
        Vec3 on_bodies = Vec3::Zero(), turning = Vec3::Zero();
        for (int i = 0; i <= s.nodes(); ++i) {
            on_bodies += f[i];
            turning += s.q[i].cross(f[i]);
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
            SCOPED_TRACE(testing::Message() << "seed " << seed << " mu " << mu);
            Scene sheet(Ground::flat, seed, mu);
            expect_alike(sheet, Scene(Ground::plane, seed, mu), 0.001);
        }
}

TEST(Sheet, ForceHasNoJumpOverItsEdges)
{
    for (const Ground ground : {Ground::flat, Ground::bumpy})
        for (unsigned seed = 0; seed < 6; ++seed)
            for (const double mu : {0.0, 0.3}) {
                Scene s(ground, seed, mu);
                ContactSet contacts(s.bodies());
                s.begin_mixed(contacts, 0.001);
                std::vector<Vec3> d = s.random.vectors(s.q.size(), 0.001);
                const Vec3 drift = s.random.vector(0.05); // over several triangles
                for (int i = 0; i <= s.nodes(); ++i)
                    d[i] += drift - 0.9 * drift.y() * Vec3::UnitY();
                const auto force_at = [&](double t) { return s.forces(contacts, moved(s.q, t, d)); };
                EXPECT_LT(largest_jump(force_at), 1e-6)
                    << "seed " << seed << " mu " << mu << (ground == Ground::flat ? " flat" : "");
            }
}

} // namespace
} // namespace stickslip::sheet_test
