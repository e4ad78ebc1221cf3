// Two deformable bodies pressed on each other, refined: the pressure between meshes that do not match, and Hertz's
// contact of two balls.
#include "stickslip/world/time_step.h"

#include "support/boxes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace stickslip::soft_laws_test {
namespace {

constexpr double young = 1e6; // [Pa]
constexpr double dt = 0.1; // [s] as long as the periods: backward Euler takes nearly all of a swing in a few steps

/// A body over another, the far faces held, the upper one come down by `approach` [m].
struct Pressed {
    World world;
    std::unique_ptr<TimeStepper> stepper;
    State state;

    /// kappa [N/m^3]; held: whether the node is of a far face.
    template <typename Held>
    Pressed(const TetMesh& below, const TetMesh& above, double poisson, double kappa, double approach, const Held& held,
        int quadrature = 3)
    {
        const ElasticMaterial material = make_material(ElasticModel::linear, 1000, young, poisson, 0);
        add_deformable(world.deformables, "below", below, material);
        add_deformable(world.deformables, "above", above, material);
        finish(world.deformables);
        world.gravity = Vec3::Zero();
        world.contact.friction = 0;
        world.contact.automatic = {kappa, kappa};
        world.contact.quadrature = quadrature;
        DeformableSet& set = world.deformables;
        set.pin_frames.push_back({});
        const int first_above = set.bodies[1].nodes.begin;
        std::vector<Vec3> v(set.rest.size(), Vec3::Zero());
        for (int i = 0; i < static_cast<int>(v.size()); ++i) {
            const Vec3 way(0, i < first_above ? 0 : -approach, 0);
            v[i] = way / dt;
            if (held(set.rest[i]))
                set.pins.push_back({i, set.rest[i] + way, 0});
        }
        state = initial_state(world, set.rest, v);
        StepOptions options;
        options.step = dt;
        options.newton.tolerance = 1e-7; // [m/s] a ten thousandth of the approach in a step, or less
        stepper = std::make_unique<TimeStepper>(world, options);
        for (int i = 0; i < 10; ++i) {
            const StepReport report = stepper->step(state);
            EXPECT_TRUE(report.done);
            EXPECT_TRUE(report.failures.empty());
        }
    }

    const ContactBlocks& blocks() const { return stepper->system().contacts().blocks(); }
};

/// Largest and root mean square deviation of what should be one.
struct Spread {
    double largest = 0, squares = 0, weight = 0;

    void add(double ratio, double by)
    {
        largest = std::max(largest, std::abs(ratio - 1));
        squares += by * (ratio - 1) * (ratio - 1);
        weight += by;
    }
    double mean() const { return std::sqrt(squares / weight); }
};

TEST(SoftLaws, PressureOfMeshesThatDoNotMatchIsUniform)
{
    for (const auto& [quadrature, cells] : {std::pair(3, 4), {3, 8}, {6, 4}, {6, 8}, {12, 4}, {12, 8}, {12, 16}}) {
        TetMesh below = tetrahedralize(Box{{1, 0.5, 1}}, 1.0 / cells),
                above = tetrahedralize(Box{{1, 0.5, 1}}, 0.8 / cells);
        for (Vec3& x : below.nodes)
            x.y() -= 0.25;
        for (Vec3& x : above.nodes)
            x.y() += 0.25;
        const double kappa = 10 * young * cells, approach = 1e-3;
        const Pressed run(
            below, above, 0, kappa, approach, [](const Vec3& x) { return std::abs(x.y()) > 0.499; }, quadrature);
        const double pressure = approach / (1 / young + 1 / kappa);
        const DeformableSet& set = run.world.deformables;
        Spread stress, load[2];
        for (std::size_t t = 0; t < set.tets.size(); ++t) {
            Mat3 D, B;
            for (int k = 0; k < 3; ++k) {
                D.col(k) = run.state.x[set.tets[t][k + 1]] - run.state.x[set.tets[t][0]];
                B.col(k) = set.rest[set.tets[t][k + 1]] - set.rest[set.tets[t][0]];
            }
            stress.add(-young * ((D * B.inverse())(1, 1) - 1) / pressure, set.volume[t]);
        }
        std::vector<double> area(set.rest.size(), 0);
        std::vector<Vec3> f(set.rest.size(), Vec3::Zero());
        run.blocks().add_force(f);
        for (const Triangle& t : set.triangles) {
            const Vec3 a = (set.rest[t[1]] - set.rest[t[0]]).cross(set.rest[t[2]] - set.rest[t[0]]) / 6;
            for (const int v : t)
                if (std::abs(a.y()) > 0.9 * a.norm() && std::abs(set.rest[v].y()) < 1e-9)
                    area[v] += a.norm();
        }
        for (std::size_t i = 0; i < area.size(); ++i)
            if (area[i] > 0)
                load[static_cast<int>(i) >= set.bodies[1].nodes.begin].add(
                    std::abs(f[i].y()) / area[i] / pressure, area[i]);
        Spread depth;
        for (const Contact& c : run.blocks().contacts())
            depth.add(kappa * c.at.depth / pressure, c.k);
        std::printf("%2d points, %2d and %2d elements a side: pressure of points off by %.4f at most, %.4f in the "
                    "mean; stress %.4f, %.4f; load of nodes below %.4f, %.4f, above %.4f, %.4f\n",
            quadrature, cells, cells * 5 / 4, depth.largest, depth.mean(), stress.largest, stress.mean(),
            load[0].largest, load[0].mean(), load[1].largest, load[1].mean());
        // Few points a facet miss where the facets of the coarser mesh end within one: by the same share on each mesh.
        const double of_nodes = std::max(load[0].largest, load[1].largest);
        switch (quadrature) {
        case 3:
            EXPECT_LT(depth.largest, 0.1);
            EXPECT_LT(stress.largest, 0.015);
            EXPECT_LT(stress.mean(), 0.006);
            EXPECT_LT(of_nodes, 0.035);
            break;
        case 6:
            EXPECT_LT(depth.largest, 0.09);
            EXPECT_LT(stress.largest, 0.012);
            EXPECT_LT(stress.mean(), 0.003);
            EXPECT_LT(of_nodes, 0.022);
            break;
        default:
            EXPECT_LT(depth.largest, 0.03);
            EXPECT_LT(depth.mean(), 0.01);
            EXPECT_LT(stress.largest, 0.005);
            EXPECT_LT(of_nodes, 0.01);
        }
    }
}

/// About the contact of a ball of radius 1 with another, of the contact's `radius` [m]: the cap of a block of eight
/// radii each way. Its elements are 1.5 radii / even long there, and longer beyond by a half from one to the next.
TetMesh ball_near_contact(double radius, int even)
{
    constexpr double inner = 1.5, outer = 6.5, growth = 1.5; // [contact radii] but the last
    const double first = inner / even;
    const int longer =
        static_cast<int>(std::ceil(std::log(1 + outer / first * (growth - 1) / growth) / std::log(growth)));
    const int cells = even + longer;
    const double size = (inner + outer) * radius;
    TetMesh mesh = tetrahedralize(Box{{2.0 * cells, 1.0 * cells, 2.0 * cells}}, 1);
    const auto graded = [&](double cell) {
        const double beyond = std::max(std::abs(cell) - even, 0.0);
        const double place = std::min(std::abs(cell), 1.0 * even) * first
            + outer * (std::pow(growth, beyond) - 1) / (std::pow(growth, longer) - 1);
        return std::copysign(place * radius, cell);
    };
    for (Vec3& x : mesh.nodes) {
        const double across = graded(x.x()), along = graded(x.z());
        const double cap = 0.5 * (across * across + along * along), depth = graded(x.y() + 0.5 * cells) / size;
        x = Vec3(across, cap + (size - cap) * depth, along);
    }
    return mesh;
}

TEST(SoftLaws, TwoBallsTouchAsHertzSays)
{
    constexpr double a = 0.05, poisson = 0.3, modulus = young / (2 * (1 - poisson * poisson)), curvature = 2;
    double last = 0;
    for (const int even : {3, 7, 12}) {
        TetMesh below = ball_near_contact(a, even), above = ball_near_contact(a, even + 1);
        for (Vec3& x : below.nodes)
            x.y() = -x.y();
        for (Tetrahedron& t : below.tets)
            std::swap(t[2], t[3]);
        const double kappa = 30 * young / a;
        const Pressed run(below, above, poisson, kappa, 1.3 * a * a * curvature,
            [](const Vec3& x) { return std::abs(x.y()) > 8 * a * (1 - 1e-9); });
        double force = 0, moment = 0, most = 0;
        for (const Contact& c : run.blocks().contacts()) {
            const double f = std::abs(c.j.y());
            force += f;
            moment += f * (c.Z.x() * c.Z.x() + c.Z.z() * c.Z.z());
            most = std::max(most, c.at.depth * kappa);
        }
        const double found = std::sqrt(2.5 * moment / force), exact = std::cbrt(0.75 * force / (modulus * curvature));
        last = found / exact;
        std::printf("edges of %.3f and %.3f contact radii: radius %.4f, force at that radius %.4f, highest pressure "
                    "%.4f of Hertz's (%zu contacts)\n",
            1.5 * a / even / exact, 1.5 * a / (even + 1) / exact, found / exact, std::pow(exact / found, 3),
            most / (1.5 * force / (std::numbers::pi * exact * exact)), run.blocks().contacts().size());
    }
    EXPECT_LT(std::abs(std::pow(last, -3) - 1), 0.03) << "of the force at that radius, on the finest meshes";
}

} // namespace
} // namespace stickslip::soft_laws_test
