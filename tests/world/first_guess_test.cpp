#include "stickslip/world/first_guess.h"

#include "laws/rigid_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace stickslip::first_guess_test {
namespace {

constexpr double dt = 1.0 / 240, size = 0.1, tolerance = 1e-6; // [m/s]
constexpr int height = 3;

struct Stack {
    RigidWorld w{dt};
    State state;
    BackwardEuler system;

    /// Stacks of boxes that have sunk a little, and move and were accelerated a little, each of its own seed.
    explicit Stack(std::vector<unsigned> seeds)
        : state((build(static_cast<int>(seeds.size())), w.start(0)))
        , system(w.world)
    {
        for (std::size_t i = 0; i < state.rigid.size(); ++i) {
            std::mt19937 random(seeds[i / height] * 16 + static_cast<unsigned>(i % height));
            std::uniform_real_distribution<double> share(-1, 1);
            state.rigid[i].v = 0.02 * Vec3(share(random), share(random), share(random));
            state.rigid[i].a = 2 * Vec3(share(random), share(random), share(random));
        }
        system.begin_step(state, dt);
    }

    void build(int stacks)
    {
        w.plane(Vec3::UnitY());
        for (int s = 0; s < stacks; ++s)
            for (int i = 0; i < height; ++i)
                w.box(Vec3::Constant(size), 600, Vec3(50.0 * s, (i + 0.5) * size - (i + 1) * 1e-5, 0));
    }

    std::vector<double> residuals_at(const BlockVector& z)
    {
        BlockVector g;
        system.residual(z, g);
        return system.body_measures(g);
    }
};

// What touches takes no guess that is worse for the worst of them than either guess of all.
TEST(FirstGuess, OfBodiesThatTouchIsNoWorseThanOneOfAll)
{
    int mixtures_worse = 0;
    for (unsigned seed = 0; seed < 50; ++seed) {
        Stack stack({seed});
        const BlockVector accelerated = stack.system.last_acceleration(), coasting(stack.system.size(), Vec3::Zero());
        const std::vector<double> with = stack.residuals_at(accelerated), without = stack.residuals_at(coasting);
        NewtonReport costs = no_costs();
        const BlockVector z = FirstGuess(stack.system, tolerance, costs).z();
        const double best = std::min(largest(with), largest(without));
        EXPECT_LE(largest(stack.residuals_at(z)), best);
        BlockVector mixture = coasting;
        for (std::size_t b = 0; b < with.size(); ++b)
            if (with[b] < without[b])
                std::copy_n(accelerated.begin() + static_cast<std::ptrdiff_t>(2 * b), 2,
                    mixture.begin() + static_cast<std::ptrdiff_t>(2 * b));
        mixtures_worse += largest(stack.residuals_at(mixture)) > 1.1 * best;
    }
    EXPECT_GT(mixtures_worse, 5) << "the test means nothing without";
}

TEST(FirstGuess, DoesNotDependOnWhatLiesElsewhere)
{
    for (unsigned seed = 0; seed < 20; ++seed) {
        NewtonReport costs = no_costs();
        Stack both({seed, seed + 20}), first({seed}), second({seed + 20});
        const BlockVector z = FirstGuess(both.system, tolerance, costs).z();
        BlockVector apart = FirstGuess(first.system, tolerance, costs).z();
        for (const Vec3& block : FirstGuess(second.system, tolerance, costs).z())
            apart.push_back(block);
        ASSERT_EQ(z.size(), apart.size());
        for (std::size_t i = 0; i < z.size(); ++i)
            EXPECT_EQ(z[i], apart[i]) << "block " << i << " of seed " << seed;
    }
}

TEST(FirstGuess, IsTheOtherOneWhereABodyIsLeftUnsolved)
{
    Stack stack({3});
    NewtonReport costs = no_costs();
    FirstGuess guess(stack.system, tolerance, costs);
    const BlockVector before = guess.z(), accelerated = stack.system.last_acceleration();
    guess.change({0, 1, 0}, 0.5);
    const BlockVector after = guess.z();
    EXPECT_EQ(after[0], before[0]);
    EXPECT_NE(after[2], before[2]);
    EXPECT_TRUE(after[2] == accelerated[2] || after[2] == Vec3::Zero());
    EXPECT_EQ(after[4], before[4]);
}

TEST(FirstGuess, KeepsTheVelocityOfWhatTheLastStepChangedLessThanTheTolerance)
{
    Stack stack({4});
    const auto accelerate = [&](std::size_t body, double change) { // [m/s] in a step
        stack.state.rigid[body].a = Vec3(change / dt, 0, 0);
        stack.state.rigid[body].alpha = Vec3::Zero();
    };
    for (std::size_t body = 0; body < height; ++body)
        accelerate(body, 0.9 * tolerance);
    stack.system.begin_step(stack.state, dt);
    NewtonReport costs = no_costs();
    for (const Vec3& block : FirstGuess(stack.system, tolerance, costs).z())
        EXPECT_EQ(block, Vec3(Vec3::Zero()));
    EXPECT_EQ(costs.evaluations, 0);

    accelerate(1, 1.1 * tolerance);
    stack.system.begin_step(stack.state, dt);
    const BlockVector z = FirstGuess(stack.system, tolerance, costs).z();
    EXPECT_EQ(z[0], Vec3(Vec3::Zero()));
    EXPECT_EQ(z[4], Vec3(Vec3::Zero()));
    EXPECT_GT(costs.evaluations, 0);
}

} // namespace
} // namespace stickslip::first_guess_test
