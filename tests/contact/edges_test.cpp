// Sharp edges of meshes and soft bodies that cross.
#include "stickslip/contact/contact_set.h"
#include "stickslip/contact/edges/crossing_edges.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/solids/grid_level_set.h"

#include "support/boxes.h"
#include "support/contact_laws.h"
#include "support/extruded.h"

#include <numbers>

namespace stickslip::edges_test {
namespace {

constexpr double dt = 0.01;
constexpr double quarter = std::numbers::pi / 4;

enum class Kind { soft, box, mesh, fixed_mesh };

/// A roof with its ridge along z at y = 0.1, which is not convex below.
const TriMesh& roof()
{
    static const TriMesh mesh =
        refined(extruded({{0, 0.1}, {-0.1, 0}, {-0.05, -0.05}, {0, 0}, {0.05, -0.05}, {0.1, 0}}, 0.3));
    return mesh;
}

const LevelSet& sampled_roof()
{
    static const LevelSet grid = build_grid_level_set(roof(), {.spacing = 0.02});
    return grid;
}

/// One ridge on another, across it: the lower along z, the upper, turned over, along x. `apart` [m]: of the ridges at
/// the start; they move towards each other by `way` [m] in the step. `along` [m]: by how much the upper one is off the
/// middle of the lower ridge.
struct Places {
    double apart = 0.002, way = 0.003, along = 0;
    double dents = 0; // [m] random, of nodes
};

struct Ridges : ShakenScene {
    Ridges(Kind below, Kind above, unsigned seed, double mu, const Places& places = {}, double damping = 0)
        : ShakenScene(seed, mu, damping)
    {
        const Mat3 tilt = rotation_exp(0.05 * random.unit());
        const Mat3 over = rotation_exp(Vec3(0, std::numbers::pi / 2, 0)) * rotation_exp(Vec3(0, 0, std::numbers::pi));
        // soft bodies first, then rigid ones, then obstacles, as contact bodies are counted
        const auto lower = [&] { add(below, {Vec3::Zero(), Mat3::Identity()}, Vec3::Zero(), places.dents); };
        const auto upper = [&] {
            const Vec3 ridge(0.01, 0.2 + places.apart, 0.013 + places.along);
            add(above, {tilt * Vec3(0, -0.1, 0) + Vec3(0, 0.1, 0) + ridge, tilt * over},
                Vec3(0.05, -places.way / dt, 0.02), places.dents);
        };
        if (below == Kind::soft || above != Kind::soft) {
            lower();
            upper();
        } else {
            upper();
            lower();
        }
        finish(soft);
        for (std::size_t i = 0; i < x_old.size(); ++i)
            q.push_back(x_old[i] + dt * v_old[i] + random.vector(places.dents));
        law.automatic.assign(bodies().count(), 1e6);
        for (const RigidState& r : old) {
            q.push_back(r.x + dt * r.v);
            q.push_back(dt * r.w);
        }
    }

private:
    void add(Kind kind, const Frame& ridge, const Vec3& v, double dents)
    {
        const std::string name = "body" + std::to_string(bodies().count());
        if (kind == Kind::soft) {
            const std::size_t first = soft.rest.size();
            add_deformable(soft, name, cube_mesh(0.16, 3), make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0));
            const Frame cube{Vec3(0, 0.1 - 0.16 * std::sqrt(0.5), 0), rotation_exp(Vec3(0, 0, quarter))};
            for (std::size_t i = first; i < soft.rest.size(); ++i) {
                x_old.push_back(ridge.to_world(cube.to_world(soft.rest[i])) + random.vector(dents));
                v_old.push_back(v);
            }
            return;
        }
        const TriangulatedSurface triangles(roof(), EdgeRule::smooth);
        if (kind == Kind::fixed_mesh) {
            Obstacle o{.name = name, .solid = sampled_roof(), .start = ridge, .motion = {}};
            o.surface_velocity = Vec3(0.02, 0.1, -0.05);
            o.triangles = std::make_shared<const TriangulatedSurface>(triangles);
            o.by_triangles = true;
            obstacles.push_back(o);
            return;
        }
        RigidBody b{.name = name, .solid = sampled_roof(), .mass = 1, .inertia = Mat3::Identity()};
        RigidState state{.x = ridge.x, .R = Quat(ridge.R), .v = v, .w = random.vector(0.1)};
        if (kind == Kind::box) {
            b.solid = Box{Vec3::Constant(0.16)};
            const Frame cube{Vec3(0, 0.1 - 0.16 * std::sqrt(0.5), 0), rotation_exp(Vec3(0, 0, quarter))};
            state.x = ridge.to_world(cube.x);
            state.R = Quat(Mat3(ridge.R * cube.R));
            b.samples = corner_samples(0.16);
        } else {
            b.triangles = std::make_shared<const TriangulatedSurface>(triangles);
            b.by_triangles = true;
            for (const Vec3& z : roof().vertices)
                b.samples.push_back({z, 1, z.normalized()});
        }
        rigids.push_back(b);
        old.push_back(state);
    }
};

constexpr std::array<std::pair<Kind, Kind>, 7> pairings = {
    {{Kind::soft, Kind::soft}, {Kind::soft, Kind::box}, {Kind::box, Kind::soft}, {Kind::soft, Kind::mesh},
        {Kind::mesh, Kind::mesh}, {Kind::box, Kind::mesh}, {Kind::fixed_mesh, Kind::soft}}};

bool is_of_edges(const ContactBodies& bodies, const Contact& c)
{
    return bodies.meet_by_edges(c.point_body, c.surface_body) && c.point >= bodies.first_edge(c.point_body);
}

std::vector<Contact> edge_contacts(const Ridges& ridges, const ContactSet& contacts)
{
    std::vector<Contact> of_edges;
    for (const Contact& c : contacts.blocks().contacts())
        if (is_of_edges(ridges.bodies(), c))
            of_edges.push_back(c);
    return of_edges;
}

TEST(EdgeContacts, AreFeltAsSoonAsRidgesCross)
{
    for (const auto& [below, above] : pairings)
        for (unsigned seed = 0; seed < 5; ++seed) {
            Ridges before(below, above, seed, 0.3, {.apart = 0.003, .way = 0.002});
            ContactSet contacts(before.bodies());
            before.begin(contacts);
            before.evaluate(contacts, before.q);
            EXPECT_TRUE(edge_contacts(before, contacts).empty());
            const Ridges crossed(below, above, seed, 0.3, {.apart = 0.002, .way = 0.003});
            crossed.begin(contacts);
            crossed.evaluate(contacts, crossed.q);
            const std::vector<Contact> felt = edge_contacts(crossed, contacts);
            ASSERT_FALSE(felt.empty()) << "seed " << seed;
            double share = 0;
            for (const Contact& c : felt) {
                EXPECT_NEAR(c.at.depth, c.at.share * 0.001, c.at.share * 4e-4); // both turn a little
                EXPECT_GT(std::abs(c.at.n.y()), 0.99);
                share += c.at.share;
            }
            EXPECT_NEAR(share, 1, 1e-3) << "seed " << seed; // over joints, too
        }
}

TEST(EdgeContacts, BetweenFlushBodiesAreNone)
{
    DeformableSet set;
    for (const char* name : {"below", "above"})
        add_deformable(set, name, cube_mesh(0.2, 2), make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0));
    finish(set);
    ContactLaw law;
    law.automatic.assign(2, 1e6);
    const std::vector<RigidBody> rigids;
    const std::vector<Obstacle> obstacles;
    const ContactBodies bodies{&set, &rigids, &obstacles, &law, RelaxationKind::exact_cone};
    std::vector<Vec3> x = set.rest;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (set.body_of_node[i] == 1)
            x[i] += Vec3(0.07, 0.199, 0.06);
    ContactSet contacts(bodies);
    contacts.begin_step(0, dt, x, std::vector<Vec3>(x.size(), Vec3::Zero()), {}, {});
    contacts.evaluate(x, {});
    EXPECT_GT(contacts.count(), 0u);
    for (const Contact& c : contacts.blocks().contacts())
        EXPECT_LT(c.point, bodies.first_edge(c.point_body));
}

TEST(EdgeContacts, DerivativesByAllThatMovesMatchDifferences)
{
    std::array<int, pairings.size()> compared{};
    Branches branches;
    for (std::size_t pairing = 0; pairing < pairings.size(); ++pairing)
        for (const double mu : {0.0, 0.1, 0.5, infinity})
            for (unsigned seed = 0; seed < 6; ++seed) {
                const double along = seed % 3 == 0 ? 0.06 : 0.004 * seed;
                Ridges s(pairings[pairing].first, pairings[pairing].second, seed, mu, {.along = along, .dents = 5e-4},
                    seed % 2 == 0 ? 0 : 0.004);
                ContactSet contacts(s.bodies());
                if (seed < 3)
                    s.begin(contacts);
                else
                    s.begin_kept(contacts, 3e-4);
                SCOPED_TRACE(testing::Message() << "pairing " << pairing << " mu " << mu << " seed " << seed);
                expect_derivatives(
                    s, contacts, s.q, s.random.vectors(s.q.size()), {.step = 1e-8, .error = 2e-5},
                    [&](const Contact& c) { return is_of_edges(s.bodies(), c); },
                    [&](const Contact& c) {
                        ++compared[pairing];
                        branches.count(c);
                    });
            }
    for (const int n : compared)
        EXPECT_GT(n, 10);
    EXPECT_GT(branches.sticking, 20);
    EXPECT_GT(branches.sliding, 20);
    EXPECT_GT(branches.fading, 20);
}

TEST(EdgeContacts, BalanceForceAndTorqueAndObeyTheCone)
{
    constexpr double mu = 0.2;
    int sliding = 0;
    for (const auto& [below, above] : pairings)
        for (unsigned seed = 0; seed < 5; ++seed) {
            if (below == Kind::fixed_mesh)
                continue; // takes its share of both
            Ridges s(below, above, seed, mu, {.dents = 3e-4}, 0.003);
            ContactSet contacts(s.bodies());
            s.begin_kept(contacts, 3e-4);
            expect_balance(s.nodes(), s.q, s.forces(contacts, s.q));
            const std::vector<Contact> of_edges = edge_contacts(s, contacts);
            ASSERT_FALSE(of_edges.empty());
            sliding += expect_cone(of_edges, mu);
        }
    EXPECT_GT(sliding, 0);
}

TEST(EdgeContacts, TransposedProductMatchesThePlainOne)
{
    for (const auto& [below, above] : pairings) {
        Ridges s(below, above, 3, 0.3, {.dents = 3e-4});
        ContactSet contacts(s.bodies());
        s.begin_kept(contacts, 3e-4);
        s.evaluate(contacts, s.q);
        EXPECT_GT(expect_products(contacts, s.q.size(), s.random), 0);
    }
}

/// Forces of edges alone, t of the way along d.
std::vector<Vec3> force_along(const Ridges& s, ContactSet& contacts, const std::vector<Vec3>& d, double t)
{
    s.evaluate(contacts, moved(s.q, t, d));
    std::vector<Vec3> f(s.q.size(), Vec3::Zero());
    for (const Contact& c : edge_contacts(s, contacts))
        for (int b = 0; b < c.loaded; ++b)
            f[contacts.blocks().block(c, b)] += contacts.blocks().load(c, b);
    return f;
}

TEST(EdgeContacts, HaveNoJumpAlongLines)
{
    for (const auto& [below, above] : pairings)
        for (unsigned seed = 0; seed < 4; ++seed) {
            Ridges s(below, above, seed, seed % 2 == 0 ? 0 : 0.3, {.along = 0.02 * seed});
            ContactSet contacts(s.bodies());
            if (seed < 2)
                s.begin(contacts);
            else
                s.begin_kept(contacts, 3e-4);
            std::vector<Vec3> d = s.random.vectors(s.q.size());
            for (Vec3& v : d)
                v *= 0.003 / norm_all(d) * std::sqrt(d.size());
            EXPECT_GT(norm_all(force_along(s, contacts, d, 0)), 1);
            EXPECT_LT(largest_jump([&](double t) { return force_along(s, contacts, d, t); }, 24), 1e-6)
                << "seed " << seed << " kinds " << static_cast<int>(below) << static_cast<int>(above);
        }
}

double half_ridge(Kind kind)
{
    return kind == Kind::box || kind == Kind::soft ? 0.08 : 0.15;
}

/// Sum of the shares of contacts with an upright normal, and how far they are within the edges of the lower body [-].
std::pair<double, double> shares(const std::vector<Contact>& contacts, bool lower_is_a)
{
    double share = 0, inside = 1;
    for (const Contact& c : contacts) {
        if (std::abs(c.at.n.y()) < 0.9)
            continue;
        const OnEdges& on = std::get<OnEdges>(c.at.to);
        const double at = lower_is_a ? on.s : on.t;
        share += c.at.share;
        inside = std::min({inside, at, 1 - at});
    }
    return {share, inside};
}

// The crossing goes over the end of the lower ridge, where it is whole to the last.
TEST(EdgeContacts, AreWholeAtAnEndAndHaveNoJumpBeyondIt)
{
    int near_end = 0;
    for (const auto& [below, above] : pairings)
        for (unsigned seed = 0; seed < 4; ++seed) {
            const auto ridges = [&, below = below, above = above](double inside) {
                return Ridges(below, above, seed, seed % 2 == 0 ? 0 : 0.3,
                    {.apart = 0.002, .way = 0.004, .along = half_ridge(below) - 0.013 - inside});
            };
            Ridges s = ridges(0.012);
            const Ridges beyond = ridges(-0.025);
            ContactSet contacts(s.bodies());
            s.begin(contacts);
            std::vector<Vec3> d(s.q.size());
            for (std::size_t i = 0; i < d.size(); ++i)
                d[i] = beyond.q[i] - s.q[i];
            for (int i = 0; i <= 40 && seed % 2 == 0; ++i) { // without friction X is where they cross
                s.evaluate(contacts, moved(s.q, i / 40.0, d));
                const auto [share, inside] = shares(edge_contacts(s, contacts), above != Kind::soft || below == above);
                if (!(share > 0 && inside > 0))
                    continue;
                EXPECT_NEAR(share, 1, 1e-9) << "seed " << seed << " inside " << inside;
                near_end += inside < 0.03;
            }
            EXPECT_LT(largest_jump([&](double t) { return force_along(s, contacts, d, t); }, 24), 1e-6)
                << "seed " << seed << " kinds " << static_cast<int>(below) << static_cast<int>(above);
        }
    EXPECT_GT(near_end, 20);
}

// Beyond the end of the lower ridge the lines cross behind one another. What comes in from there has come in by its
// end.
TEST(EdgeContacts, GrowFromAnEndThatWasPassedWhereTheyComeInBehindIt)
{
    for (const auto& [below, above] : pairings) {
        const auto ridges = [&, below = below, above = above](double inside) {
            return Ridges(
                below, above, 2, 0, {.apart = 0.002, .way = 0.004, .along = half_ridge(below) - 0.013 - inside});
        };
        const Ridges s = ridges(-0.02), within = ridges(0.03);
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        std::vector<Vec3> d(s.q.size());
        for (std::size_t i = 0; i < d.size(); ++i)
            d[i] = within.q[i] - s.q[i];
        const auto share_at = [&](double t) { // -0.02 + 0.05 t [m] inside, met at half of the way there
            s.evaluate(contacts, moved(s.q, t, d));
            contacts.grow();
            s.evaluate(contacts, moved(s.q, t, d));
            return shares(edge_contacts(s, contacts), above != Kind::soft || below == above).first;
        };
        SCOPED_TRACE(testing::Message() << "kinds " << static_cast<int>(below) << static_cast<int>(above));
        EXPECT_GT(share_at(0.6), 0.05); // both are tilted a little
        EXPECT_LT(share_at(0.56), share_at(0.6));
        EXPECT_EQ(share_at(0.3), 0);
        EXPECT_LT(largest_jump([&](double t) { return force_along(s, contacts, d, t); }, 24), 1e-6);
    }
}

TEST(EdgeContacts, AreAddedWhereNobodyExpectedThem)
{
    for (const auto& [below, above] : pairings) {
        const Places far{.apart = 0.08, .way = 0};
        Ridges s(below, above, 1, 0.3, far);
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.q);
        EXPECT_FALSE(contacts.grow());
        std::vector<Vec3> q = s.q; // the upper one is knocked down
        const Ridges crossed(below, above, 1, 0.3, {.apart = -0.001, .way = 0});
        s.evaluate(contacts, crossed.q);
        EXPECT_TRUE(edge_contacts(s, contacts).empty());
        EXPECT_TRUE(contacts.grow());
        s.evaluate(contacts, crossed.q);
        EXPECT_FALSE(edge_contacts(s, contacts).empty());
    }
}

/// A set that has seen other steps answers as one that has seen none: nothing of what was met before acts on.
TEST(EdgeContacts, ActOnlyWhereTheyAreMet)
{
    for (const auto& [below, above] : pairings) {
        const Ridges first(below, above, 1, 0.3);
        ContactSet used(first.bodies());
        for (unsigned step = 0; step < 12; ++step) {
            const double deep = step % 3 == 2 ? -0.02 : 0.002, along = step % 2 == 0 ? 0 : 0.12; // or over the end
            const Ridges s(below, above, 1 + step, 0.3, {.apart = deep, .along = along});
            ContactSet fresh(s.bodies());
            for (ContactSet* contacts : {&used, &fresh}) {
                s.begin(*contacts);
                s.evaluate(*contacts, s.q);
                contacts->grow();
            }
            EXPECT_EQ(s.forces(used, s.q), s.forces(fresh, s.q)) << "step " << step;
        }
    }
}

TEST(EdgeContacts, OfWhatHadCrossedBeforeFeelTheRestAlone)
{
    for (const auto& [below, above] : pairings) {
        const Ridges still(below, above, 1, 0, {.apart = -0.001, .way = 0});
        ContactSet contacts(still.bodies());
        still.begin(contacts);
        still.evaluate(contacts, still.q);
        for (const Contact& c : edge_contacts(still, contacts))
            EXPECT_LT(c.j.norm(), 4e-4 * c.k); // of turning a little
        const Ridges deeper(below, above, 1, 0, {.apart = -0.001, .way = 0.001});
        deeper.begin(contacts);
        deeper.evaluate(contacts, deeper.q);
        Vec3 j = Vec3::Zero();
        double k = 0;
        for (const Contact& c : edge_contacts(deeper, contacts)) {
            j += c.j;
            k = c.k;
        }
        EXPECT_NEAR(j.norm(), 1e-3 * k, 4e-4 * k);
    }
}

TEST(EdgeContacts, AddToOneOverJoints)
{
    int shared = 0;
    for (int i = 0; i < 60; ++i) {
        Ridges s(Kind::mesh, Kind::box, 0, 0, {.along = 0.0011 * i - 0.04});
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.q);
        double share = 0;
        const std::vector<Contact> felt = edge_contacts(s, contacts);
        for (const Contact& c : felt)
            share += c.at.share;
        EXPECT_NEAR(share, 1, 1e-9) << i;
        shared += felt.size() > 1;
    }
    EXPECT_GT(shared, 5);
}

/// Two edges, u of a and v of b, whose lines move straight in a step.
struct MovingEdges {
    EdgeLine a_old, b_old, a, b;

    static EdgeLine between(const EdgeLine& old, const EdgeLine& now, double share)
    {
        return {old.start + share * (now.start - old.start), old.along + share * (now.along - old.along)};
    }
    EdgeCrossing at(double share) const { return crossing(between(a_old, a, share), between(b_old, b, share), 1); }

    EdgeAttachment<6> attach(const CrossedEdges<6>& crossed) const
    {
        const auto moved = [](const EdgeLine& old, const EdgeLine& now, const DualScalar<6>& s) {
            return constant<6>(now.start - old.start) + s * constant<6>(now.along - old.along);
        };
        return attached(two(), crossed, {at(0).d, {}, moved(a_old, a, crossed.s) - moved(b_old, b, crossed.t)});
    }
    TwoEdges<6> two() const
    {
        return {constant<6>(a.start - b.start), constant<6>(a.along), constant<6>(b.along), {a.along.norm()},
            {b.along.norm()}, 1};
    }
    Vec3 tau(const EdgeAttachment<6>& start, const CrossedEdges<6>& crossed) const
    {
        return (start.s0.v - crossed.s.v) * a.along - (start.t0.v - crossed.t.v) * b.along;
    }
};

TEST(CrossingEdges, AreAttachedWhereTheyTouchedFirst)
{
    Random random(31);
    int found = 0;
    while (found < 200) {
        // The error is of second order: a hundredth of the way leaves a ten-thousandth of the error.
        const EdgeLine a{random.vector(), random.vector()}, b{random.vector(), random.vector()};
        const Vec3 m = a.along.cross(b.along);
        if (m.norm() < 0.2)
            continue;
        const double gap = crossing(a, b, 1).d;
        const Vec3 apart = -gap * m.normalized(); // a - apart touches b
        std::array<Vec3, 4> way;
        for (Vec3& w : way)
            w = random.vector();
        std::array<double, 2> errors;
        for (int fine = 0; fine < 2; ++fine) {
            const double h = fine ? 1e-4 : 1e-2;
            MovingEdges e{{a.start - apart, a.along}, b, {}, {}};
            e.a_old.start += 0.3 * h * m.normalized();
            e.a = {e.a_old.start + h * way[0] - h * m.normalized(), e.a_old.along + h * way[1]};
            e.b = {e.b_old.start + h * way[2], e.b_old.along + h * way[3]};
            const auto crossed = cross_edges(e.two());
            if (!crossed || !(e.at(0).d < 0)) {
                errors[0] = -1;
                break;
            }
            double low = 0, high = 1;
            for (int i = 0; i < 60; ++i) {
                const double middle = 0.5 * (low + high);
                (e.at(middle).d < 0 ? low : high) = middle;
            }
            const EdgeAttachment<6> start = e.attach(*crossed);
            const EdgeCrossing touch = e.at(high);
            errors[fine] = std::max(std::abs(start.s0.v - touch.s), std::abs(start.t0.v - touch.t));
        }
        if (errors[0] < 0)
            continue;
        EXPECT_LT(errors[1], 2e-4 * std::max(errors[0], 1e-3)) << found;
        ++found;
    }
}

TEST(CrossingEdges, ThatWereNearlyParallelSlideAsFarAsTheirMaterialMoves)
{
    for (const double before : {1e-2, 1e-4, 1e-6, 1e-9}) { // [rad] between them
        const auto turned = [](double angle) { return Vec3(std::cos(angle), 0, std::sin(angle)); };
        // a begins 1 mm above b and 1 cm beside it, and ends 0.1 mm below its top at an angle of 0.05
        const EdgeLine b{Vec3::Zero(), Vec3::UnitX()};
        const MovingEdges e{{Vec3(0, 1e-3, -0.01), turned(before)}, b, {Vec3(0, -1e-4, -0.012), turned(0.05)}, b};
        const auto crossed = cross_edges(e.two());
        ASSERT_TRUE(crossed);
        const double s = crossed->s.v, since = 1e-4 / 1.1e-3;
        EXPECT_NEAR(s, 0.24, 0.01);
        const Vec3 way(s * (std::cos(0.05) - std::cos(before)), 0, s * (std::sin(0.05) - std::sin(before)) - 0.002);
        EXPECT_NEAR((e.tau(e.attach(*crossed), *crossed) - since * way).norm(), 0, 1e-12) << before;
    }
}

} // namespace
} // namespace stickslip::edges_test
