#include "stickslip/contact/contact_set.h"

#include "support/numeric.h"

#include <gtest/gtest.h>

#include <map>

namespace stickslip {
namespace {

constexpr double dt = 0.01;

/// A rim on a solid that is an obstacle, scripted or rigid. The unknowns q: place and turn of the rim's body, then of
/// the solid's.
struct Scene {
    DeformableSet none;
    std::vector<RigidBody> rigids;
    std::vector<Obstacle> obstacles;
    std::vector<RigidState> old;
    ContactLaw law;

    Scene(const Rim& rim, const LevelSet& solid, bool rigid_solid, double mu, double damping = 0)
    {
        rigids.push_back({.name = "rim", .solid = Sphere{0.01}, .mass = 1, .inertia = Mat3::Identity(), .rims = {rim}});
        old.push_back({});
        if (rigid_solid) {
            rigids.push_back({.name = "solid", .solid = solid, .mass = 1, .inertia = Mat3::Identity()});
            old.push_back({});
        } else {
            obstacles.push_back({.name = "solid", .solid = solid});
        }
        law.friction = mu;
        law.damping = damping;
        law.automatic.assign(2, 1000);
    }
    ContactBodies bodies() const { return {&none, &rigids, &obstacles, &law, RelaxationKind::planar}; }

    void evaluate(ContactSet& contacts, const std::vector<Vec3>& q) const
    {
        std::vector<RigidCandidate> rigid;
        for (std::size_t b = 0; b < old.size(); ++b) {
            const Vec3 theta = q[2 * b + 1];
            rigid.push_back({q[2 * b], theta, rotation_exp(theta) * old[b].R.toRotationMatrix(), left_jacobian(theta)});
        }
        contacts.evaluate({}, rigid);
    }
};

/// A rim that touches a solid from a random side, tilted by `tilt` against the surface (0: flat), sunk in by `depth`.
void place(Scene& s, const LevelSet& solid, const Rim& rim, double tilt, double depth, Random& random)
{
    Vec3 P = std::holds_alternative<Plane>(solid) ? random.vector(0.2) : Vec3(0.3 * random.unit());
    if (const auto* box = std::get_if<Box>(&solid)) // over the middle of its upper face
        P = Vec3(random.uniform(-0.1, 0.1), box->size.y() / 2, random.uniform(-0.1, 0.1));
    const LevelSetSample at = sample(solid, P);
    const Vec3 n = at.n, W = P - at.phi * n;
    const Vec3 across = n.cross(random.unit()).normalized();
    const Vec3 axis = rotation_exp(tilt * across) * n;
    const Vec3 m = tilt > 0 ? Vec3((n - axis.dot(n) * axis).normalized()) : Vec3(axis.unitOrthogonal());
    const Mat3 R = rotation_exp(random.uniform(0, 6) * axis) * Quat::FromTwoVectors(rim.axis, axis).toRotationMatrix();
    s.old[0].R = Quat(R);
    s.old[0].x = W + (rim.tube - depth) * n + rim.radius * m - R * rim.centre;
}

struct Case {
    std::string name;
    LevelSet solid;
};
const std::vector<Case> cases = {{"plane", Plane{Vec3(1, 2, 0.5).normalized()}}, {"box", Box{Vec3(0.5, 0.4, 0.6)}},
    {"sphere", Sphere{0.3}}, {"cylinder", Cylinder{0.25, 0.8}}, {"torus", Torus{0.5, 0.2}}, {"cone", Cone{0.5, 0.8}}};

struct Loads {
    std::vector<Vec3> load;
    std::pair<bool, int> branch;
};
std::map<int, Loads> loads_of(const ContactSet& contacts)
{
    std::map<int, Loads> all;
    contacts.for_each_batch([&](const auto& batch) {
        for (const auto& c : batch.contacts()) {
            Loads& l = all[c.point];
            l.branch = {c.at.sticks, c.at.patch};
            for (int b = 0; b < batch.blocks; ++b)
                l.load.push_back(batch.load(c, b));
        }
    });
    return all;
}

std::vector<Vec3> moved(std::vector<Vec3> q, double s, const std::vector<Vec3>& d)
{
    for (std::size_t i = 0; i < q.size(); ++i)
        q[i] += s * d[i];
    return q;
}

TEST(RimContact, DerivativesMatchDifferences)
{
    Random random(1);
    std::map<std::tuple<std::string, bool, bool, bool>, int> compared; // solid, rigid, tube, fixed points
    for (const Case& on : cases)
        for (const bool rigid : {false, true})
            for (const double tube : {0.0, 0.03})
                for (const double mu : {0.3, infinity})
                    for (int trial = 0; trial < 30; ++trial) {
                        const Rim rim{Vec3(0.01, 0.02, 0), Vec3(0.2, 1, 0.1).normalized(), 0.1, tube, true};
                        Scene s(rim, on.solid, rigid, mu, trial % 5 == 0 ? 0.02 : 0);
                        // tilts in the zone where the extreme point and the even ones share, and beyond it
                        const double tilt = trial % 3 == 0 ? random.uniform(0.006, 0.019) : random.uniform(0.05, 1.5);
                        place(s, on.solid, rim, tilt, 0.002, random);
                        std::vector<Vec3> q{s.old[0].x + random.vector(0.0005), random.vector(0.003)};
                        if (rigid)
                            q.insert(q.end(), {random.vector(0.0005), random.vector(0.001)});
                        ContactSet contacts(s.bodies());
                        contacts.begin_step(0, dt, {}, s.old, {});
                        s.evaluate(contacts, moved(q, 1, std::vector<Vec3>(q.size(), random.vector(0.0005))));
                        if (trial % 2 == 0)
                            contacts.begin_step(0, dt, {}, s.old, contacts.update_attachments());
                        std::vector<Vec3> d;
                        for (std::size_t i = 0; i < q.size(); ++i)
                            d.push_back(random.vector());
                        constexpr double h = 1e-7;
                        s.evaluate(contacts, moved(q, h, d));
                        const auto plus = loads_of(contacts);
                        s.evaluate(contacts, moved(q, -h, d));
                        const auto minus = loads_of(contacts);
                        s.evaluate(contacts, q);
                        const auto here = loads_of(contacts);
                        contacts.for_each_batch([&](const auto& batch) {
                            for (const auto& c : batch.contacts()) {
                                // near the surface the cone is as small as the step of the difference
                                if (c.at.depth < 1e-4)
                                    continue;
                                if (!plus.contains(c.point) || !minus.contains(c.point)
                                    || plus.at(c.point).branch != here.at(c.point).branch
                                    || minus.at(c.point).branch != here.at(c.point).branch)
                                    continue;
                                for (int a = 0; a < batch.blocks; ++a) {
                                    Vec3 df = Vec3::Zero();
                                    for (int b = 0; b < batch.blocks; ++b)
                                        df += batch.force_block(c, a, b) * d[batch.block(c, b)];
                                    const Vec3 difference =
                                        (plus.at(c.point).load[a] - minus.at(c.point).load[a]) / (2 * h);
                                    EXPECT_LT((difference - df).norm(), 1e-5 * c.k)
                                        << on.name << " rigid " << rigid << " tube " << tube << " mu " << mu << " tilt "
                                        << tilt << " point " << c.point << " block " << a << " sticks " << c.at.sticks
                                        << " kept " << (trial % 2 == 0) << "\n"
                                        << df.transpose() << "\n"
                                        << difference.transpose();
                                }
                                ++compared[{on.name, rigid, tube > 0, c.point > 0}];
                            }
                        });
                    }
    for (const Case& on : cases)
        for (const bool rigid : {false, true})
            for (const bool tube : {false, true})
                EXPECT_GT((compared[{on.name, rigid, tube, false}]), 15)
                    << on.name << " rigid " << rigid << " tube " << tube;
    EXPECT_GT((compared[{"plane", true, false, true}]), 20);
    EXPECT_GT((compared[{"box", true, true, true}]), 20);
}

} // namespace
} // namespace stickslip
