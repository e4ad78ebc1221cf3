// Sharp edges of meshes and soft bodies that cross.
#include "stickslip/contact/contact_set.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/solids/grid_level_set.h"

#include "support/boxes.h"
#include "support/contact_steps.h"
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

class Ridges {
public:
    Ridges(Kind below, Kind above, unsigned seed, double mu, const Places& places = {}, double damping = 0)
        : random_(seed)
    {
        const Mat3 tilt = rotation_exp(0.05 * random_.unit());
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
        finish(set_);
        std::vector<Vec3> soft;
        for (std::size_t i = 0; i < set_.rest.size(); ++i) {
            soft.push_back(x_old_[i] + dt * v_old_[i] + random_.vector(places.dents));
        }
        law_.friction = mu;
        law_.damping = damping;
        law_.automatic.assign(bodies().count(), 1e6);
        q_ = soft;
        for (const RigidState& r : old_) {
            q_.push_back(r.x + dt * r.v);
            q_.push_back(dt * r.w);
        }
    }

    ContactBodies bodies() const { return {&set_, &rigids_, &obstacles_, &law_, RelaxationKind::exact_cone}; }
    int nodes() const { return static_cast<int>(set_.rest.size()); }
    const std::vector<Vec3>& q() const { return q_; }
    Random& random() { return random_; }

    void begin(ContactSet& contacts, const std::vector<Attachment>& kept = {}) const
    {
        contacts.begin_step(0, dt, x_old_, v_old_, old_, kept);
    }

    /// Of a step in which the attachments of another candidate are kept.
    void begin_kept(ContactSet& contacts, double aside)
    {
        begin(contacts);
        std::vector<Vec3> other = q_;
        for (Vec3& x : other)
            x += random_.vector(aside);
        evaluate(contacts, other);
        begin(contacts, contacts.update_attachments());
    }

    void evaluate(ContactSet& contacts, const std::vector<Vec3>& q) const { evaluate_at(contacts, nodes(), old_, q); }

    std::vector<Vec3> forces(ContactSet& contacts, const std::vector<Vec3>& q) const
    {
        evaluate(contacts, q);
        return forces_of(contacts, q.size());
    }

private:
    void add(Kind kind, const Frame& ridge, const Vec3& v, double dents)
    {
        const std::string name = "body" + std::to_string(bodies().count());
        if (kind == Kind::soft) {
            const std::size_t first = set_.rest.size();
            add_deformable(set_, name, cube_mesh(0.16, 3), make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0));
            const Frame cube{Vec3(0, 0.1 - 0.16 * std::sqrt(0.5), 0), rotation_exp(Vec3(0, 0, quarter))};
            for (std::size_t i = first; i < set_.rest.size(); ++i) {
                x_old_.push_back(ridge.to_world(cube.to_world(set_.rest[i])) + random_.vector(dents));
                v_old_.push_back(v);
            }
            return;
        }
        const TriangulatedSurface triangles(roof(), EdgeRule::smooth);
        if (kind == Kind::fixed_mesh) {
            Obstacle o{.name = name, .solid = sampled_roof(), .start = ridge, .motion = {}};
            o.surface_velocity = Vec3(0.02, 0.1, -0.05);
            o.triangles = std::make_shared<const TriangulatedSurface>(triangles);
            o.by_triangles = true;
            obstacles_.push_back(o);
            return;
        }
        RigidBody b{.name = name, .solid = sampled_roof(), .mass = 1, .inertia = Mat3::Identity()};
        RigidState state{.x = ridge.x, .R = Quat(ridge.R), .v = v, .w = random_.vector(0.1)};
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
        rigids_.push_back(b);
        old_.push_back(state);
    }

    Random random_;
    DeformableSet set_;
    std::vector<RigidBody> rigids_;
    std::vector<RigidState> old_;
    std::vector<Obstacle> obstacles_;
    ContactLaw law_;
    std::vector<Vec3> q_, x_old_, v_old_;
};

constexpr std::array<std::pair<Kind, Kind>, 7> pairings = {
    {{Kind::soft, Kind::soft}, {Kind::soft, Kind::box}, {Kind::box, Kind::soft}, {Kind::soft, Kind::mesh},
        {Kind::mesh, Kind::mesh}, {Kind::box, Kind::mesh}, {Kind::fixed_mesh, Kind::soft}}};

std::vector<Contact> edge_contacts(const Ridges& ridges, const ContactSet& contacts)
{
    std::vector<Contact> of_edges;
    const ContactBodies bodies = ridges.bodies();
    for (const Contact& c : contacts.blocks().contacts())
        if (bodies.meet_by_edges(c.point_body, c.surface_body) && c.point >= bodies.first_edge(c.point_body))
            of_edges.push_back(c);
    return of_edges;
}

TEST(SurfaceEdges, OfACubeAreItsTwelve)
{
    const DeformableSet set = [] {
        DeformableSet s;
        add_deformable(s, "cube", cube_mesh(0.3, 3), make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.3, 0));
        finish(s);
        return s;
    }();
    const SmoothPatches patches({set.rest, set.triangles});
    const std::vector<SurfaceEdge> edges = convex_creases(patches, false);
    ASSERT_EQ(edges.size(), 36u); // three each
    int ends = 0;
    for (const SurfaceEdge& e : edges) {
        EXPECT_NEAR((set.rest[e.ends[1]] - set.rest[e.ends[0]]).norm(), 0.1, 1e-12);
        EXPECT_DOUBLE_EQ(e.sharpness, 1);
        const Vec3& out = set.rest[e.ends[0]]; // from the centre
        for (const Vec3& g : e.g)
            EXPECT_NEAR(out.dot(g), 0.15, 1e-12);
        ends += !e.goes_on[0] + !e.goes_on[1];
    }
    EXPECT_EQ(ends, 24);
    const auto box = convex_features(Box{Vec3(0.1, 0.2, 0.3)});
    EXPECT_EQ(convex_creases(*box).size(), 12u);
}

TEST(SurfaceEdges, FadeWhereTheFoldIsBlunt)
{
    const auto sharpness = [](double fold, bool keeps_shape) {
        const double y = 0.1 * std::tan(0.5 * fold);
        const SmoothPatches patches(extruded({{0, y}, {-0.1, 0}, {0.1, 0}}, 0.3));
        for (const SurfaceEdge& e : convex_creases(patches, keeps_shape)) {
            const Vec3 at = 0.5 * (patches.x[e.ends[0]] + patches.x[e.ends[1]]);
            if (std::abs(at.x()) < 1e-9 && std::abs(at.z()) < 1e-9)
                return keeps_shape ? e.against_sharp : e.sharpness;
        }
        return 0.0;
    };
    constexpr double degree = std::numbers::pi / 180;
    EXPECT_EQ(sharpness(39 * degree, false), 0);
    EXPECT_LT(sharpness(41 * degree, false), 0.01);
    EXPECT_NEAR(sharpness(50 * degree, false), 0.5, 1e-9);
    EXPECT_EQ(sharpness(61 * degree, false), 1);
    EXPECT_EQ(sharpness(14 * degree, true), 0);
    EXPECT_NEAR(sharpness(18.5 * degree, true), 0.5, 1e-9);
    EXPECT_EQ(sharpness(23 * degree, true), 1);
}

// Of a prism with sixteen sides; the sides meet at 22.5 degrees.
TEST(SurfaceEdges, OfARimGoOnPastBlunterOnes)
{
    Corners section;
    for (int i = 0; i < 16; ++i)
        section.push_back({0.1 * std::cos(i * std::numbers::pi / 8), 0.1 * std::sin(i * std::numbers::pi / 8)});
    const SmoothPatches patches(extruded(section, 0.3));
    EXPECT_EQ(convex_creases(patches, false).size(), 32u);
    int of_rims = 0, of_sides = 0;
    for (const SurfaceEdge& e : convex_creases(patches, true)) {
        const bool is_of_side = std::abs((patches.x[e.ends[1]] - patches.x[e.ends[0]]).z()) > 0.1;
        EXPECT_EQ(e.sharpness, !is_of_side);
        EXPECT_EQ(e.against_sharp, 1);
        EXPECT_EQ(e.goes_on, (std::array<bool, 2>{!is_of_side, !is_of_side}));
        ++(is_of_side ? of_sides : of_rims);
    }
    EXPECT_EQ(of_rims, 32);
    EXPECT_EQ(of_sides, 16);
}

TEST(EdgeContacts, AreFeltAsSoonAsRidgesCross)
{
    for (const auto& [below, above] : pairings)
        for (unsigned seed = 0; seed < 5; ++seed) {
            Ridges before(below, above, seed, 0.3, {.apart = 0.003, .way = 0.002});
            ContactSet contacts(before.bodies());
            before.begin(contacts);
            before.evaluate(contacts, before.q());
            EXPECT_TRUE(edge_contacts(before, contacts).empty());
            const Ridges crossed(below, above, seed, 0.3, {.apart = 0.002, .way = 0.003});
            crossed.begin(contacts);
            crossed.evaluate(contacts, crossed.q());
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
    int sticking = 0, sliding = 0, fading = 0;
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
                const std::vector<Vec3> d = s.random().vectors(s.q().size());
                constexpr double h = 1e-8;
                s.evaluate(contacts, moved(s.q(), h, d));
                const auto plus = loads_of(contacts);
                s.evaluate(contacts, moved(s.q(), -h, d));
                const auto minus = loads_of(contacts);
                s.evaluate(contacts, s.q());
                const auto here = loads_of(contacts);
                for (const Contact& c : edge_contacts(s, contacts)) {
                    const ContactKey key = key_of(c);
                    if (!same_branch(plus, here, key) || !same_branch(minus, here, key))
                        continue;
                    for (int a = 0; a < c.loaded; ++a) {
                        const Vec3 difference = (plus.at(key).load[a] - minus.at(key).load[a]) / (2 * h);
                        EXPECT_LT((difference - contacts.blocks().load_differential(c, a, d)).norm(), 2e-5 * c.k)
                            << "pairing " << pairing << " mu " << mu << " seed " << seed << " row " << a;
                    }
                    ++compared[pairing];
                    ++(c.at.sticks ? sticking : sliding);
                    fading += c.at.share < 0.99;
                }
            }
    for (const int n : compared)
        EXPECT_GT(n, 10);
    EXPECT_GT(sticking, 20);
    EXPECT_GT(sliding, 20);
    EXPECT_GT(fading, 20);
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
            const std::vector<Vec3> f = s.forces(contacts, s.q());
            expect_balance(s.nodes(), s.q(), f);
            const std::vector<Contact> of_edges = edge_contacts(s, contacts);
            ASSERT_FALSE(of_edges.empty());
            for (const Contact& c : of_edges) {
                const double normal = -c.j.dot(c.at.n), along = (c.j + normal * c.at.n).norm();
                EXPECT_GT(normal, 0);
                EXPECT_LE(along, mu * normal * (1 + 1e-9));
                sliding += along > mu * normal * (1 - 1e-9);
            }
        }
    EXPECT_GT(sliding, 0);
}

TEST(EdgeContacts, TransposedProductMatchesThePlainOne)
{
    for (const auto& [below, above] : pairings) {
        Ridges s(below, above, 3, 0.3, {.dents = 3e-4});
        ContactSet contacts(s.bodies());
        s.begin_kept(contacts, 3e-4);
        s.evaluate(contacts, s.q());
        const std::vector<Vec3> d = s.random().vectors(s.q().size()), w = s.random().vectors(s.q().size());
        std::vector<Vec3> Hd(d.size(), Vec3::Zero()), Htw = Hd;
        contacts.add_force_differential(d, Hd, false);
        contacts.add_force_differential(w, Htw, true);
        double plain = 0, transposed = 0;
        for (std::size_t i = 0; i < d.size(); ++i) {
            plain += w[i].dot(Hd[i]);
            transposed += Htw[i].dot(d[i]);
        }
        ASSERT_GT(norm_all(Hd), 0);
        EXPECT_NEAR(plain, transposed, 1e-12 * norm_all(Hd) * norm_all(w));
    }
}

/// Forces of edges alone, t of the way along d.
std::vector<Vec3> force_along(const Ridges& s, ContactSet& contacts, const std::vector<Vec3>& d, double t)
{
    s.evaluate(contacts, moved(s.q(), t, d));
    std::vector<Vec3> f(s.q().size(), Vec3::Zero());
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
            std::vector<Vec3> d = s.random().vectors(s.q().size());
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
        const double at = lower_is_a ? c.at.X.x() : c.at.X.y();
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
            std::vector<Vec3> d(s.q().size());
            for (std::size_t i = 0; i < d.size(); ++i)
                d[i] = beyond.q()[i] - s.q()[i];
            for (int i = 0; i <= 40 && seed % 2 == 0; ++i) { // without friction X is where they cross
                s.evaluate(contacts, moved(s.q(), i / 40.0, d));
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
        std::vector<Vec3> d(s.q().size());
        for (std::size_t i = 0; i < d.size(); ++i)
            d[i] = within.q()[i] - s.q()[i];
        const auto share_at = [&](double t) { // -0.02 + 0.05 t [m] inside, met at half of the way there
            s.evaluate(contacts, moved(s.q(), t, d));
            contacts.grow();
            s.evaluate(contacts, moved(s.q(), t, d));
            return shares(edge_contacts(s, contacts), above != Kind::soft || below == above).first;
        };
        SCOPED_TRACE(testing::Message() << "kinds " << static_cast<int>(below) << static_cast<int>(above));
        EXPECT_GT(share_at(0.6), 0.05); // both are tilted a little
        EXPECT_LT(share_at(0.56), share_at(0.6));
        EXPECT_EQ(share_at(0.3), 0);
        EXPECT_LT(largest_jump([&](double t) { return force_along(s, contacts, d, t); }, 24), 1e-6);
    }
}

// Two boxes, the upper one turned by an angle about its lower edge, into the lower one or off it.
TEST(EdgeContacts, BetweenSolidsCountWholeWhereTheyLieFlush)
{
    const ConvexFeatures box = *convex_features(Box{Vec3::Constant(0.2)});
    const auto weight = [&](double sine) {
        SurfaceEdges a(convex_creases(box), box.vertices, 0.2), b(convex_creases(box), box.vertices, 0.2);
        const Mat3 yaw = rotation_exp(Vec3(0, 0.5, 0));
        const Mat3 R = yaw * rotation_exp(Vec3(std::asin(sine), 0, 0));
        const Frame upper{R * Vec3(0, 0.1, 0.1) - yaw * Vec3(0, 0, 0.1) + Vec3(0, 0.1, 0), R};
        a.begin_step(upper, upper);
        b.begin_step({Vec3::Zero(), Mat3::Identity()}, {Vec3::Zero(), Mat3::Identity()});
        double most = 0;
        for (std::size_t i = 0; i < a.edges().size(); ++i)
            for (std::size_t j = 0; j < b.edges().size(); ++j) {
                const auto entry = edge_entry(a, b, static_cast<int>(i), static_cast<int>(j), 0);
                const auto is_at = [&](const SurfaceEdges& body, std::size_t e, double y) {
                    const auto& [p, q] = body.edges()[e].ends;
                    return std::abs(body.old()[p].y() - y) < 1e-9 && std::abs(body.old()[q].y() - y) < 1e-9;
                };
                if (entry && is_at(a, i, 0.1) && is_at(b, j, 0.1))
                    most = std::max(most, entry->weight);
            }
        return most;
    };
    EXPECT_NEAR(weight(0), 1, 1e-9);
    EXPECT_NEAR(std::max(weight(0.1), weight(-0.1)), 1, 1e-9);
    EXPECT_NEAR(std::min(weight(0.1), weight(-0.1)), 0.5, 1e-9);
    EXPECT_EQ(std::min(weight(0.25), weight(-0.25)), 0);
}

// The plane between them was expected to cut a facet, and does not where they have crossed.
TEST(EdgeContacts, CountAsTheyLieWhereTheyHaveCrossed)
{
    const ConvexFeatures box = *convex_features(Box{Vec3::Constant(0.2)});
    SurfaceEdges a(convex_creases(box), box.vertices, 0.2), b(convex_creases(box), box.vertices, 0.2);
    const auto upper = [](double sine, double height) {
        const Mat3 yaw = rotation_exp(Vec3(0, 0.5, 0)), R = yaw * rotation_exp(Vec3(std::asin(sine), 0, 0));
        return Frame{R * Vec3(0, 0.1, 0.1) - yaw * Vec3(0, 0, 0.1) + Vec3(0, 0.1 + height, 0), R};
    };
    int all_grown = 0;
    for (const double side : {-1, 1}) {
        a.begin_step(upper(0.19 * side, 0.001), upper(0.19 * side, -0.001));
        b.begin_step({Vec3::Zero(), Mat3::Identity()}, {Vec3::Zero(), Mat3::Identity()});
        std::vector<EdgeEntry> entries;
        find_edge_entries(a, b, {}, 0, 0.05, 0, entries);
        const std::vector<EdgeEntry> before = entries;
        a.predict(upper(0.01 * side, -0.001));
        const bool grows = grow_edge_entries(a, b, 0, entries);
        int grown = 0;
        for (const EdgeEntry& e : entries)
            for (const EdgeEntry& f : before)
                if (e.a == f.a && e.b == f.b && e.weight > f.weight) {
                    EXPECT_GT(e.weight, 0.9);
                    EXPECT_EQ(e.sigma, f.sigma);
                    grown += f.weight < 0.05;
                }
        EXPECT_TRUE(grows || grown == 0);
        all_grown += grown;
        EXPECT_FALSE(grow_edge_entries(a, b, 0, entries));
    }
    EXPECT_GT(all_grown, 0);
}

TEST(EdgeContacts, TakeOverAtJointsWhereTheyHaveNoShare)
{
    const std::vector<Vec3> line = {Vec3(-0.2, 0, 0), Vec3(0, 0, 0), Vec3(0.2, 0, 0)};
    const std::array<Vec3, 2> g = {Vec3::UnitY(), Vec3::UnitZ()};
    SurfaceEdges a({{0, {0, 2}, g, 1, 1, {}}}, line, 0.1),
        b({{0, {0, 1}, g, 1, 1, {false, true}}, {1, {1, 2}, g, 1, 1, {true, false}}}, line, 0.1);
    const auto unfelt = [&](double t_old) {
        EdgeEntry held{0, 0, 1, 1, 1e-3, 0.5, 0.9, 1e-4, 0.05, 0.01, 0}, next = held;
        next.b = 1;
        next.kept = -1;
        next.t_old = t_old;
        next.unfelt = 1e-3;
        std::array<EdgeEntry, 2> entries = {held, next};
        take_over_at_joints(a, b, entries);
        return entries[1].unfelt;
    };
    EXPECT_EQ(unfelt(-0.2), 1e-4);
    EXPECT_EQ(unfelt(-0.1), 1e-3);
    EXPECT_EQ(unfelt(0.5), 1e-3);
    EXPECT_EQ(unfelt(1.1), 1e-3); // beyond its other end
}

// The vertex has sunk in by its face, and slides over the rim. Beyond it the pair holds what the vertex has held.
TEST(EdgeContacts, TakeOverFromTheVertexAtACorner)
{
    constexpr double k = 1e6, d = 1e-3, energy = 0.08, depth = 7e-4; // 0.4 mm of the spring of the pair
    const std::vector<Vec3> line = {Vec3(-0.2, 0, 0), Vec3(0.2, 0, 0)};
    const std::array<Vec3, 2> g = {Vec3::UnitY(), Vec3::UnitZ()};
    const SurfaceEdges a({{0, {0, 1}, g, 1, 1, {}}}, line, 0.1), b = a;
    const auto unfelt = [&](double t_old, const std::vector<HeldPoint>& of_a, const std::vector<HeldPoint>& of_b) {
        std::array<EdgeEntry, 1> entry = {{{0, 0, 1, 1, d, 0.5, t_old, d, 0.05, 0.01}}};
        take_over_at_corners(a, b, of_a, of_b, k, entry);
        return entry[0].unfelt;
    };
    const HeldPoint first{line[0], energy, depth}, second{line[1], energy, depth};
    EXPECT_EQ(unfelt(-0.1, {}, {}), d); // nothing was there
    EXPECT_NEAR(unfelt(-0.1, {}, {first}), 3e-4, 1e-12);
    EXPECT_NEAR(unfelt(1.1, {}, {first, second}), 3e-4, 1e-12);
    EXPECT_NEAR(unfelt(-0.1, {}, {{line[0], energy, 0.01}}), 6e-4, 1e-12); // no deeper than the pair
    EXPECT_EQ(unfelt(-0.1, {}, {{line[0], 1, depth}}), 0); // it holds more
    EXPECT_EQ(unfelt(-0.1, {first}, {second}), d); // at other ends
    EXPECT_EQ(unfelt(0.1, {}, {first, second}), d); // whole already
}

TEST(EdgeContacts, AreAddedWhereNobodyExpectedThem)
{
    for (const auto& [below, above] : pairings) {
        const Places far{.apart = 0.08, .way = 0};
        Ridges s(below, above, 1, 0.3, far);
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.q());
        EXPECT_FALSE(contacts.grow());
        std::vector<Vec3> q = s.q(); // the upper one is knocked down
        const Ridges crossed(below, above, 1, 0.3, {.apart = -0.001, .way = 0});
        s.evaluate(contacts, crossed.q());
        EXPECT_TRUE(edge_contacts(s, contacts).empty());
        EXPECT_TRUE(contacts.grow());
        s.evaluate(contacts, crossed.q());
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
                s.evaluate(*contacts, s.q());
                contacts->grow();
            }
            EXPECT_EQ(s.forces(used, s.q()), s.forces(fresh, s.q())) << "step " << step;
        }
    }
}

TEST(EdgeContacts, OfWhatHadCrossedBeforeFeelTheRestAlone)
{
    for (const auto& [below, above] : pairings) {
        const Ridges still(below, above, 1, 0, {.apart = -0.001, .way = 0});
        ContactSet contacts(still.bodies());
        still.begin(contacts);
        still.evaluate(contacts, still.q());
        for (const Contact& c : edge_contacts(still, contacts))
            EXPECT_LT(c.j.norm(), 4e-4 * c.k); // of turning a little
        const Ridges deeper(below, above, 1, 0, {.apart = -0.001, .way = 0.001});
        deeper.begin(contacts);
        deeper.evaluate(contacts, deeper.q());
        Vec3 j = Vec3::Zero();
        double k = 0;
        for (const Contact& c : edge_contacts(deeper, contacts)) {
            j += c.j;
            k = c.k;
        }
        EXPECT_NEAR(j.norm(), 1e-3 * k, 4e-4 * k);
    }
}

// A weight that has grown since adds nothing to what the spring holds.
TEST(EdgeContacts, StartAStepWithTheEnergyThatTheyHold)
{
    constexpr double k = 1e6, d = 2e-3, tau = 3e-4;
    const PlacedEdge a{.ends = {Vec3(0, -d, -0.1), Vec3(0, -d, 0.1)}, .body = {}, .goes_on = {}},
        b{.ends = {Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0)}, .body = {}, .goes_on = {}};
    const auto unfelt = [&](double weight, double energy) {
        const EdgeEntry entry{0, 0, 1, weight, d, 0.5, 0.5, 0, 0.02, 0.005};
        Attachment kept{0, 1, 0, -1, Vec3(0.5 + tau / 0.2, 0.5, 1)};
        kept.energy = energy;
        return unfelt_depth(a, b, entry, kept, k);
    };
    const double whole = 0.5 * k * 0.3 * (d * d + tau * tau);
    EXPECT_NEAR(unfelt(0.3, whole), 0, 1e-12);
    EXPECT_EQ(unfelt(0.2, whole), 0); // less weight: the whole depth is felt
    for (const double weight : {0.4, 0.7, 1.0}) {
        const double felt = d - unfelt(weight, whole);
        EXPECT_GT(felt, 0);
        EXPECT_LT(felt, d);
        EXPECT_NEAR(0.5 * k * weight * felt * felt * (1 + tau * tau / (d * d)), whole, 1e-9 * whole);
    }
}

TEST(EdgeContacts, AddToOneOverJoints)
{
    int shared = 0;
    for (int i = 0; i < 60; ++i) {
        Ridges s(Kind::mesh, Kind::box, 0, 0, {.along = 0.0011 * i - 0.04});
        ContactSet contacts(s.bodies());
        s.begin(contacts);
        s.evaluate(contacts, s.q());
        double share = 0;
        const std::vector<Contact> felt = edge_contacts(s, contacts);
        for (const Contact& c : felt)
            share += c.at.share;
        EXPECT_NEAR(share, 1, 1e-9) << i;
        shared += felt.size() > 1;
    }
    EXPECT_GT(shared, 5);
}

} // namespace
} // namespace stickslip::edges_test
