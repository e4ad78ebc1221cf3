#include "stickslip/apps/bench_cases.h"
#include "stickslip/apps/scene_loading.h"
#include "stickslip/math/error.h"
#include "stickslip/math/parallel.h"
#include "stickslip/simulation/simulation.h"
#include "stickslip/simulation/simulation_parts.h"
#include "stickslip/simulation/step_system.h"
#include "stickslip/solver/block_matrix.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>

#include <sys/resource.h>

namespace stickslip {

namespace {

double wall_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processor_seconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * t.tv_usec; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// The time of one call [s], the median of several rounds.
template <typename Work>
double time_of(const Work& work)
{
    constexpr int rounds = 7;
    constexpr double round = 0.02; // [s] at least
    std::vector<double> seconds;
    for (int i = 0; i < rounds; ++i) {
        const double start = wall_seconds();
        double now = start;
        int calls = 0;
        for (; now < start + round; now = wall_seconds(), ++calls)
            work();
        seconds.push_back((now - start) / calls);
    }
    return median(seconds);
}

BlockMatrix matrix_of_next_step(const Simulation& simulation)
{
    StepSystem system(simulation);
    std::vector<double> z(system.size(), 0), g(system.size());
    system.residual(z, g);
    const MatrixView view = system.matrix();
    BlockMatrix H;
    H.pattern.row_begin.assign(view.row_begin.begin(), view.row_begin.end());
    H.pattern.column.assign(view.column.begin(), view.column.end());
    for (std::size_t k = 0; k < view.column.size(); ++k)
        H.value.emplace_back(Eigen::Map<const Mat3>(view.values.data() + 9 * k));
    return H;
}

/// Both move as many bytes, in turn on the same threads: the copy reads half of them and writes half.
double product_share(const BlockMatrix& H)
{
    constexpr std::size_t range = 1 << 18; // [bytes] of the copy that a thread takes at a time
    const std::size_t half =
        (H.pattern.blocks() * (sizeof(Mat3) + sizeof(int)) + H.pattern.rows() * (sizeof(int) + 2 * sizeof(Vec3))) / 2;
    const BlockVector x(H.pattern.rows(), Vec3::Ones());
    BlockVector y;
    std::vector<char> from(half, 1), to(half);
    const double product = time_of([&] { H.multiply(x, y); });
    const double copy = time_of([&] {
        parallel_for((half + range - 1) / range,
            [&](std::size_t r) {
                const std::size_t begin = r * range;
                std::memcpy(to.data() + begin, from.data() + begin, std::min(range, half - begin));
            },
            1);
    });
    return copy / product;
}

} // namespace

BenchFigures measure(const BenchRun& run)
{
    const tbb::global_control control(
        tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(run.threads));
    LoadedScene loaded = load_scene(run.path, run.overrides);
    if (loaded.status != 0)
        throw InputError("the scene " + run.path + " is not good");
    const double until = run.until.value_or(loaded.scene.time.end);
    Simulation simulation(loaded.scene, std::move(loaded.built), {});
    BenchFigures figures;
    const double wall = wall_seconds(), processor = processor_seconds();
    figures.status = to_string(simulation.run(until));
    figures.wall = wall_seconds() - wall;
    figures.processor = processor_seconds() - processor;
    if (figures.status != to_string(RunStatus::done) && !simulation.messages().empty())
        std::cerr << run.path << ": " << simulation.messages().back() << "\n";
    const RunTotals& totals = simulation.parts().totals;
    figures.simulated_time = simulation.time();
    figures.steps = totals.steps;
    figures.newton_iterations = totals.newton_iterations;
    figures.krylov_iterations = totals.krylov_iterations;
    figures.failed_solves = totals.failed_solves;
    figures.evaluations = totals.evaluations;
    figures.stages.assign(totals.stage_seconds.begin(), totals.stage_seconds.end());
    figures.state_hash = simulation.state_hash();
    if (!simulation.is_explicit() && !simulation.parts().built.world.deformables.rest.empty())
        figures.product_share = product_share(matrix_of_next_step(simulation));
    return figures;
}

BenchFigures median_of(const std::vector<BenchFigures>& runs)
{
    BenchFigures middle = runs.back();
    const auto over_runs = [&](const auto& value) {
        std::vector<double> values;
        for (const BenchFigures& run : runs)
            values.push_back(value(run));
        return median(std::move(values));
    };
    middle.wall = over_runs([](const BenchFigures& f) { return f.wall; });
    middle.processor = over_runs([](const BenchFigures& f) { return f.processor; });
    for (std::size_t i = 0; i < middle.stages.size(); ++i)
        middle.stages[i].second = over_runs([&](const BenchFigures& f) { return f.stages[i].second; });
    if (middle.product_share)
        middle.product_share = over_runs([](const BenchFigures& f) { return *f.product_share; });
    return middle;
}

} // namespace stickslip
