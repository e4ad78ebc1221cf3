#include "mpm/mpm_worlds.h"
#include "support/numeric.h"

namespace stickslip::mpm_fluid_test {
namespace {

constexpr double density = 1000, gravity = 9.81, depth = 0.4;

MpmMaterial water(double bulk, double viscosity)
{
    MpmMaterial m;
    m.model = MpmModel::fluid;
    m.elastic.density = density;
    m.bulk_modulus = bulk;
    m.viscosity = viscosity;
    return m;
}

/// Water 0.4 m deep on a smooth floor between smooth walls, 27 particles a cell; without the wall on the right: a dam
/// that has just broken.
struct Pool {
    MpmMaterial material;
    double h;
    int columns;
    MpmWorld w;

    Pool(int cells, double width, int thick, bool is_closed, double bulk, double viscosity)
        : material(water(bulk, viscosity))
        , h(depth / cells)
        , columns(3 * static_cast<int>(std::lround(width / h)))
        , w(material, h, {0, 0, 0}, {width, depth, thick * h}, {columns, 3 * cells, 3 * thick})
    {
        w.world.gravity = Vec3(0, -gravity, 0);
        for (int axis = 0; axis < 3; ++axis)
            w.add_plane(Vec3::Unit(axis));
        w.add_plane(-Vec3::UnitZ(), {0, 0, thick * h});
        if (is_closed)
            w.add_plane(-Vec3::UnitX(), {width, 0, 0});
    }
    double pressure(const State& state, std::size_t p) const
    {
        return -mpm_cauchy_stress(material, state.mpm.point[p]).trace() / 3;
    }
};

double mean_height(const State& state)
{
    double sum = 0;
    for (const Vec3& x : state.mpm.x)
        sum += x.y();
    return sum / static_cast<double>(state.mpm.x.size());
}

// Layer by layer, the mean of the pressure is that of the weight above; and it does not sink.
TEST(MpmFluid, RestsUnderThePressureOfItsWeight)
{
    Pool pool(4, 0.2, 2, true, 4e5, 50);
    State state = pool.w.state(0);
    TimeStepper stepper(pool.w.world, step_options(pool.w.world, 0.01));
    double height = 0; // of its centre, once it bears its weight
    for (int step = 0; step < 100; ++step) {
        ASSERT_TRUE(stepper.step(state).done);
        if (step == 49)
            height = mean_height(state);
    }
    EXPECT_NEAR(mean_height(state), height, 1e-3 * depth);
    std::vector<double> mean(12, 0);
    for (std::size_t p = 0; p < state.mpm.x.size(); ++p)
        mean[p / pool.columns % 12] += pool.pressure(state, p) / 36;
    for (int layer = 0; layer < 12; ++layer) {
        const double exact = density * gravity * depth * (1 - (layer + 0.5) / 12);
        EXPECT_NEAR(mean[layer], exact, 0.02 * density * gravity * depth) << layer;
    }
}

// A column as wide as high whose wall is taken away. Nothing does work on it: energy never rises, and what goes has its
// place in the ledger. In the end its front runs at nearly 2 (g H)^1/2, as that of shallow water does (Ritter 1892).
TEST(MpmFluid, FrontOfABreakingDamRunsAsThatOfShallowWater)
{
    Pool pool(4, depth, 1, false, 4e5, 0);
    State state = pool.w.state(0);
    TimeStepper stepper(pool.w.world, step_options(pool.w.world, 0.005));
    const double scale = pool.w.world.mpm.bodies[0].mass * gravity * depth;
    std::vector<double> front{depth};
    while (state.time < 0.48) {
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        const StepBalance& b = report.balance;
        EXPECT_LT(b.change, 1e-7 * scale) << state.time;
        EXPECT_GT(b.contact_loss, -1e-7 * scale) << state.time;
        EXPECT_GE(b.transfer_loss, -1e-12);
        EXPECT_LT(std::abs(b.energy_error), 1e-7 * scale);
        EXPECT_LT(b.momentum_error.norm(), 1e-5);
        double farthest = 0;
        for (const Vec3& x : state.mpm.x)
            farthest = std::max(farthest, x.x());
        front.push_back(farthest);
    }
    const double speed = (front.back() - front[front.size() - 11]) / 0.05;
    EXPECT_NEAR(speed / std::sqrt(gravity * depth), 2, 0.2);
}

} // namespace
} // namespace stickslip::mpm_fluid_test
