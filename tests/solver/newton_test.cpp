#include "stickslip/solver/newton.h"
#include "stickslip/solver/preconditioners/make_preconditioner.h"

#include "support/block_matrices.h"
#include "support/threads.h"

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace stickslip::newton_test {
namespace {

/// Two equations in x and y, in one block whose third unknown is its own equation.
class TwoEquations : public ResidualSystem {
public:
    using Function = std::function<Eigen::Vector2d(double, double)>;
    using Derivative = std::function<Eigen::Matrix2d(double, double)>;

    TwoEquations(Function g, Derivative H)
        : g_(std::move(g))
        , H_(std::move(H))
        , matrix_{make_pattern(1, {}), {Mat3::Identity()}}
    {
    }
    std::size_t size() const override { return 1; }
    void residual(const BlockVector& z, BlockVector& g) override
    {
        last = z;
        const Eigen::Vector2d value = g_(z[0].x(), z[0].y());
        g = {Vec3(value[0], value[1], z[0].z())};
        matrix_.value[0].topLeftCorner<2, 2>() = H_(z[0].x(), z[0].y());
    }
    void apply(const BlockVector& dz, BlockVector& Hdz) override { matrix_.multiply(dz, Hdz); }
    void apply_transpose(const BlockVector& w, BlockVector& Htw) override { matrix_.multiply_transpose(w, Htw); }
    const BlockMatrix& assemble() override { return matrix_; }
    const BlockMatrix* assemble_convex() override
    {
        if (!convex)
            return nullptr;
        convex_.value[0].topLeftCorner<2, 2>() = convex(last[0].x(), last[0].y());
        return &convex_;
    }
    double round_off() const override { return noise; }
    double longest_step(const BlockVector&, const BlockVector& dz) const override { return longest / norm_all(dz); }

    BlockVector last;
    double noise = 0, longest = infinity;
    Derivative convex;

private:
    Function g_;
    Derivative H_;
    BlockMatrix matrix_;
    BlockMatrix convex_{make_pattern(1, {}), {Mat3::Identity()}};
};

struct Solved {
    NewtonReport report;
    Vec3 z;
};

Solved solve(TwoEquations& system, double x, double y, const NewtonOptions& options = {.tolerance = 1e-10})
{
    const auto P = make_preconditioner(PreconditionerKind::block_jacobi, 1);
    BlockVector z{Vec3(x, y, 0.5)};
    Solved s{newton_solve(system, *P, options, z), {}};
    s.z = z[0];
    EXPECT_TRUE(same_bits(system.last, z)) << "the last evaluation is the one at the returned z";
    if (std::isfinite(s.report.residual)) {
        BlockVector g;
        system.residual(z, g);
        EXPECT_EQ(s.report.residual, system.measure(g));
    }
    return s;
}

TwoEquations exponential()
{
    return {[](double x, double y) { return Eigen::Vector2d(std::exp(x) - y, x + y * y * y - 9); },
        [](double x, double y) { return (Eigen::Matrix2d() << std::exp(x), -1, 1, 3 * y * y).finished(); }};
}

TwoEquations rosenbrock()
{
    return {[](double x, double y) { return Eigen::Vector2d(10 * (y - x * x), 1 - x); },
        [](double x, double) { return (Eigen::Matrix2d() << -20 * x, 10, -1, 0).finished(); }};
}

TwoEquations kinked()
{
    const auto sign = [](double a) { return a < 0 ? -1.0 : 1.0; };
    return {[](double x, double y) {
                return Eigen::Vector2d(3 * x + 2 * std::abs(x) + 0.5 * y - 1, -2 * x + 2 * y + std::abs(y - 0.1));
            },
        [=](double x, double y) {
            return (Eigen::Matrix2d() << 3 + 2 * sign(x), 0.5, -2, 2 + sign(y - 0.1)).finished();
        }};
}

TwoEquations rootless()
{
    return {[](double x, double y) { return Eigen::Vector2d(x * x + 1, y); },
        [](double x, double) { return (Eigen::Matrix2d() << 2 * x, 0, 0, 1).finished(); }};
}

TEST(NewtonSolve, EndsBetweenTwoIterationsWhenItIsStopped)
{
    std::atomic<bool> stop = false;
    int evaluations = 0;
    TwoEquations system(
        [&](double x, double y) {
            stop = ++evaluations == 4;
            return Eigen::Vector2d(std::exp(x) - y, x + y * y * y - 9);
        },
        [](double x, double y) { return (Eigen::Matrix2d() << std::exp(x), -1, 1, 3 * y * y).finished(); });
    const NewtonOptions options{.tolerance = 1e-10, .stop = &stop};
    const auto P = make_preconditioner(PreconditionerKind::block_jacobi, 1);
    BlockVector z{Vec3(3, 5, 0.5)};
    const NewtonReport report = newton_solve(system, *P, options, z);
    EXPECT_EQ(report.status, NewtonStatus::stopped);
    EXPECT_EQ(report.evaluations, 4);
    EXPECT_GT(report.residual, options.tolerance);
    stop = false;
    evaluations = 100;
    EXPECT_EQ(newton_solve(system, *P, options, z).status, NewtonStatus::converged);
}

TEST(NewtonSolve, EndsWhenItsTimeIsUp)
{
    TwoEquations e = exponential();
    const Solved s = solve(e, 3, 5, {.deadline = std::chrono::steady_clock::time_point::min()});
    EXPECT_EQ(s.report.status, NewtonStatus::out_of_time);
    EXPECT_EQ(s.report.evaluations, 1);
    EXPECT_EQ(s.z.head<2>(), Eigen::Vector2d(3, 5));
    EXPECT_TRUE(std::isfinite(s.report.residual) && s.report.residual > 0);
}

TEST(NewtonSolve, ShowsItsFirstGuessAndEveryIteration)
{
    std::vector<int> iterations;
    std::vector<double> residuals;
    TwoEquations e = exponential();
    const Solved s = solve(e, 3, 5, {.tolerance = 1e-10, .watch = [&](const NewtonReport& so_far) {
                                         iterations.push_back(so_far.iterations);
                                         residuals.push_back(so_far.residual);
                                     }});
    ASSERT_EQ(s.report.status, NewtonStatus::converged);
    ASSERT_EQ(static_cast<int>(iterations.size()), s.report.iterations + 1);
    for (std::size_t i = 0; i < iterations.size(); ++i)
        EXPECT_EQ(iterations[i], static_cast<int>(i));
    EXPECT_EQ(residuals.back(), s.report.residual);
    EXPECT_GT(residuals.front(), 100);
}

TEST(Newton, SolvesNonsymmetricSystemsFromAfar)
{
    for (const double x : {-3.0, 0.0, 4.0})
        for (const double y : {0.5, 5.0}) {
            TwoEquations e = exponential();
            const Solved s = solve(e, x, y);
            EXPECT_EQ(s.report.status, NewtonStatus::converged) << x << " " << y << " " << to_string(s.report.status);
            EXPECT_LE(s.report.residual, 1e-10);
            EXPECT_NEAR(std::exp(s.z.x()), s.z.y(), 1e-9);
            EXPECT_NEAR(s.z.z(), 0, 1e-10);
            EXPECT_EQ(s.report.gradient_steps, 0);
            EXPECT_EQ(s.report.failed_linear_solves, 0);
        }
    TwoEquations r = rosenbrock();
    const Solved s = solve(r, -1.2, 1);
    EXPECT_EQ(s.report.status, NewtonStatus::converged);
    EXPECT_CLOSE_ALL(s.z, Vec3(1, 1, 0), 1e-9);
}

TEST(Newton, SolvesSystemsWithKinks)
{
    Random random(1);
    for (int trial = 0; trial < 50; ++trial) {
        TwoEquations k = kinked();
        const Solved s = solve(k, random.uniform(-3, 3), random.uniform(-3, 3));
        EXPECT_EQ(s.report.status, NewtonStatus::converged) << to_string(s.report.status);
        EXPECT_LE(s.report.iterations, 15);
    }
}

TEST(Newton, ConvergesQuadratically)
{
    std::vector<double> residuals;
    for (int iterations = 0; iterations <= 12; ++iterations) {
        TwoEquations e = exponential();
        const NewtonOptions options{
            .tolerance = 1e-15, .max_iterations = iterations, .loosest_linear = 1e-14, .tightest_linear = 1e-14};
        residuals.push_back(solve(e, 0.5, 2.5, options).report.residual);
    }
    int quadratic = 0;
    for (std::size_t i = 1; i < residuals.size(); ++i)
        if (residuals[i - 1] < 0.1 && residuals[i - 1] > 1e-7) {
            EXPECT_LT(residuals[i], 2 * residuals[i - 1] * residuals[i - 1]);
            ++quadratic;
        }
    EXPECT_GE(quadratic, 2);
    TwoEquations e = exponential();
    EXPECT_LE(solve(e, 0.5, 2.5).report.iterations, 8);
}

TEST(Newton, TakesOneIterationForALinearSystem)
{
    TwoEquations linear([](double x, double y) { return Eigen::Vector2d(3 * x - y + 1, 2 * x + y - 4); },
        [](double, double) { return (Eigen::Matrix2d() << 3, -1, 2, 1).finished(); });
    const Solved s = solve(linear, 100, -50, {.tolerance = 1e-8, .loosest_linear = 1e-12, .tightest_linear = 1e-12});
    EXPECT_EQ(s.report.status, NewtonStatus::converged);
    EXPECT_EQ(s.report.iterations, 1);
    EXPECT_CLOSE_ALL(s.z, Vec3(0.6, 2.8, 0), 1e-9);
}

TEST(Newton, DoesNothingAtASolution)
{
    TwoEquations r = rosenbrock();
    BlockVector z{Vec3(1, 1, 0)};
    const auto P = make_preconditioner(PreconditionerKind::block_jacobi, 1);
    const NewtonReport report = newton_solve(r, *P, {}, z);
    EXPECT_EQ(report.status, NewtonStatus::converged);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(report.evaluations, 1);
    EXPECT_EQ(z[0], Vec3(1, 1, 0));
}

TEST(Newton, NeverCallsAStationaryPointASolution)
{
    const auto P = make_preconditioner(PreconditionerKind::block_jacobi, 1);
    {
        TwoEquations r = rootless();
        BlockVector z{Vec3::Zero()};
        const NewtonReport report = newton_solve(r, *P, {}, z);
        EXPECT_EQ(report.status, NewtonStatus::stationary);
        EXPECT_NEAR(report.residual, 1, 1e-15);
    }
    for (const double x : {1e-12, 1e-3, 0.5, 1.0, -2.0, 100.0}) {
        TwoEquations r = rootless();
        const Solved s = solve(r, x, 1);
        EXPECT_NE(s.report.status, NewtonStatus::converged) << x;
        EXPECT_NE(s.report.status, NewtonStatus::not_finite) << x;
        EXPECT_GE(s.report.residual, 1);
        EXPECT_LE(s.report.residual, std::hypot(x * x + 1, 1, 0.5) * (1 + 1e-12)) << "never above the start";
    }
}

TEST(Newton, ReportsAResidualThatIsNotANumber)
{
    TwoEquations logarithm([](double x, double y) { return Eigen::Vector2d(std::log(x), y); },
        [](double x, double) { return (Eigen::Matrix2d() << 1 / x, 0, 0, 1).finished(); });
    EXPECT_EQ(solve(logarithm, -1, 1).report.status, NewtonStatus::not_finite);
    // a full step from 4 leaves the domain; the line search comes back
    const Solved s = solve(logarithm, 4, 1);
    EXPECT_EQ(s.report.status, NewtonStatus::converged);
    EXPECT_NEAR(s.z.x(), 1, 1e-9);
}

TEST(Newton, StopsAtTheIterationLimit)
{
    TwoEquations e = exponential();
    const Solved s = solve(e, 4, 5, {.tolerance = 1e-12, .max_iterations = 2});
    EXPECT_EQ(s.report.status, NewtonStatus::too_many_iterations);
    EXPECT_EQ(s.report.iterations, 2);
}

TEST(Newton, LowersTheResidualInEveryIteration)
{
    double last = infinity;
    for (int iterations = 0; iterations < 15; ++iterations) {
        TwoEquations r = rosenbrock();
        const double residual = solve(r, -1.2, 1, {.tolerance = 1e-13, .max_iterations = iterations}).report.residual;
        EXPECT_LE(residual, last);
        last = residual;
    }
}

TEST(Newton, KeepsToTheLongestStep)
{
    TwoEquations e = exponential();
    e.longest = 0.05;
    const Solved one = solve(e, 0.5, 5, {.max_iterations = 1});
    EXPECT_LE((one.z - Vec3(0.5, 5, 0.5)).norm(), 0.05 * (1 + 1e-12));
    EXPECT_GT((one.z - Vec3(0.5, 5, 0.5)).norm(), 0.01);
    e.longest = 0.5;
    EXPECT_EQ(solve(e, 0.5, 5).report.status, NewtonStatus::converged);
}

TEST(Newton, AcceptsARoundOffFloorAndSaysSoElseStalls)
{
    const double grain = 1e-6; // the residual comes in steps that miss zero
    const auto coarse = [&](double x, double y) { return Eigen::Vector2d((std::floor(x / grain) + 0.5) * grain, y); };
    const auto derivative = [](double, double) { return Eigen::Matrix2d(Eigen::Matrix2d::Identity()); };
    TwoEquations noisy(coarse, derivative);
    EXPECT_EQ(solve(noisy, 1.2345, 1).report.status, NewtonStatus::stalled);
    noisy.noise = 1e-5;
    const Solved s = solve(noisy, 1.2345, 1);
    EXPECT_EQ(s.report.status, NewtonStatus::converged);
    EXPECT_TRUE(s.report.at_round_off);
    EXPECT_LE(s.report.residual, 1e-5);
}

TEST(Newton, SurvivesASingularDerivativeOnItsWay)
{
    TwoEquations cubic([](double x, double y) { return Eigen::Vector2d(x * x * x - 1, y + x); },
        [](double x, double) { return (Eigen::Matrix2d() << 3 * x * x, 0, 1, 1).finished(); });
    const Solved s = solve(cubic, 0, 1); // the first linear system is singular
    EXPECT_EQ(s.report.status, NewtonStatus::converged) << to_string(s.report.status);
    EXPECT_GE(s.report.failed_linear_solves, 1);
}

// g = dV/dx with V = x^4/4 - 3/2 x^2 + 4 x: |g| has a minimum of 2 at x = 1, where H = 0, and its root is near -2.2.
TwoEquations trap()
{
    return {[](double x, double y) { return Eigen::Vector2d(x * x * x - 3 * x + 4, y); },
        [](double x, double) { return (Eigen::Matrix2d() << 3 * x * x - 3, 0, 0, 1).finished(); }};
}

TEST(Newton, DescendsOutOfAMinimumOfTheNormThatIsNoRoot)
{
    NewtonOptions options{.tolerance = 1e-10};
    options.most_kink_steps = 0; // a millionth of a direction as long as H is singular would lead out by chance
    TwoEquations caught = trap();
    const Solved stuck = solve(caught, 2, 0.3, options);
    EXPECT_NE(stuck.report.status, NewtonStatus::converged);
    EXPECT_NEAR(stuck.z.x(), 1, 1e-3);
    EXPECT_EQ(stuck.report.descent_steps, 0);

    TwoEquations led = trap();
    led.convex = [](double x, double) {
        return (Eigen::Matrix2d() << std::max(3 * x * x - 3, 1e-3), 0, 0, 1).finished();
    };
    const Solved free = solve(led, 2, 0.3, options);
    EXPECT_EQ(free.report.status, NewtonStatus::converged);
    EXPECT_GT(free.report.descent_steps, 0);
    EXPECT_NEAR(free.z.x(), -2.195823345445647, 1e-9);
    EXPECT_NEAR(free.z.y(), 0, 1e-9);
}

TEST(Newton, StaysAtTheLowestPointWhenNoDescentGetsLower)
{
    TwoEquations hopeless{[](double x, double y) { return Eigen::Vector2d(x * x + 1, y); },
        [](double x, double) { return (Eigen::Matrix2d() << 2 * x, 0, 0, 1).finished(); }};
    hopeless.convex = [](double, double) { return Eigen::Matrix2d::Identity().eval(); };
    const Solved s = solve(hopeless, 1, 0.3);
    EXPECT_NE(s.report.status, NewtonStatus::converged);
    EXPECT_GT(s.report.descent_steps, 0);
    EXPECT_NEAR(s.report.residual, std::sqrt(1 + s.z.y() * s.z.y() + s.z.z() * s.z.z()), 1e-3);
}

TEST(Newton, NamesEveryStatus)
{
    for (const NewtonStatus s : {NewtonStatus::converged, NewtonStatus::too_many_iterations, NewtonStatus::stalled,
             NewtonStatus::stationary, NewtonStatus::not_finite})
        EXPECT_STRNE(to_string(s), "unknown");
}

/// A z + |z|^3-like terms - b, nonsymmetric, thousands of unknowns.
class Large : public ResidualSystem {
public:
    explicit Large(std::size_t rows)
    {
        Random random(2);
        A_ = random_matrix(static_cast<int>(rows), static_cast<int>(rows), 8, random);
        H_ = A_;
        b_ = random.vectors(rows, 20);
    }
    std::size_t size() const override { return b_.size(); }
    void residual(const BlockVector& z, BlockVector& g) override
    {
        A_.multiply(z, g);
        H_.value = A_.value;
        for (std::size_t i = 0; i < z.size(); ++i) {
            g[i] += Vec3(z[i].array().cube()) - b_[i];
            H_.value[H_.pattern.diagonal[i]].diagonal() += 3 * z[i].cwiseAbs2();
        }
    }
    void apply(const BlockVector& dz, BlockVector& Hdz) override { H_.multiply(dz, Hdz); }
    void apply_transpose(const BlockVector& w, BlockVector& Htw) override { H_.multiply_transpose(w, Htw); }
    const BlockMatrix& assemble() override { return H_; }

private:
    BlockMatrix A_, H_;
    BlockVector b_;
};

/// Useless until it is strengthened, and then exact.
class Hesitant : public Preconditioner {
public:
    void update(const BlockMatrix& A) override { exact_->update(A); }
    void apply(const BlockVector& r, BlockVector& z) const override
    {
        if (strong)
            exact_->apply(r, z);
        else
            z.assign(r.size(), Vec3(1, 1, 1));
    }
    int patience() const override { return strong ? Preconditioner::patience() : 2; }
    bool strengthen(const BlockMatrix&) override
    {
        ++strengthened;
        return std::exchange(strong, true) == false;
    }
    void restart() override { strong = false; }

    bool strong = false;
    int strengthened = 0;

private:
    std::unique_ptr<Preconditioner> exact_ = make_preconditioner(PreconditionerKind::lu, 1);
};

TEST(Newton, StrengthensThePreconditionerOnceASolve)
{
    const auto g = [](double x, double y) { return Eigen::Vector2d(x + y * y * y - 3, x - 2 * y); };
    const auto H = [](double, double y) {
        Eigen::Matrix2d J;
        J << 1, 3 * y * y, 1, -2;
        return J;
    };
    TwoEquations system(g, H);
    Hesitant preconditioner;
    for (int solve = 1; solve <= 2; ++solve) {
        BlockVector z{Vec3(2, 2, 1)};
        const NewtonReport report = newton_solve(system, preconditioner, {.tolerance = 1e-10}, z);
        EXPECT_EQ(report.status, NewtonStatus::converged);
        EXPECT_GT(report.iterations, 2);
        EXPECT_EQ(report.failed_linear_solves, 0);
        EXPECT_EQ(preconditioner.strengthened, solve);
    }
}

TEST(Newton, GivesTheSameBitsForAnyNumberOfThreads)
{
    for (const PreconditionerKind kind : {PreconditionerKind::block_jacobi, PreconditionerKind::block_ssor}) {
        std::vector<BlockVector> z;
        for (const std::size_t threads : {1, 2}) {
            const ThreadLimit limit(threads);
            Large system(5000);
            const auto P = make_preconditioner(kind, system.size());
            z.emplace_back(system.size(), Vec3::Zero());
            EXPECT_EQ(newton_solve(system, *P, {.tolerance = 1e-8}, z.back()).status, NewtonStatus::converged);
        }
        EXPECT_TRUE(same_bits(z[0], z[1]));
    }
}

} // namespace
} // namespace stickslip::newton_test
