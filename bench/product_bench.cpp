// The product H x against the limit that memory sets: bytes that must be moved, over the bandwidth of a copy and of a
// sum measured in the same run, with the same number of threads. Rates are by processor time of all threads, which the
// other users of a shared machine disturb least: per thread.
//   build/ci/bin/product_bench --benchmark_enable_random_interleaving=true --benchmark_repetitions=9
//       --benchmark_min_time=0.1 --benchmark_report_aggregates_only=true
// Compare the median `bytes_per_second` of a product with that of the copy or sum of the same size and threads.
#include "soft_ball.h"

#include "stickslip/math/parallel.h"
#include "stickslip/solver/preconditioners/make_preconditioner.h"

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <cstring>

namespace {

using namespace stickslip;

// The first argument of every benchmark is the size of its ball, the second the number of threads.
tbb::global_control threads_of(const benchmark::State& run)
{
    return {tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(run.range(1))};
}

// Values, column indices and row starts once; x and y once each.
std::size_t product_bytes(const BlockMatrix& H)
{
    return H.pattern.blocks() * (sizeof(Mat3) + sizeof(int)) + H.pattern.rows() * (sizeof(int) + 2 * sizeof(Vec3));
}

void report(benchmark::State& run, const BlockMatrix& H)
{
    run.SetBytesProcessed(static_cast<std::int64_t>(run.iterations() * product_bytes(H)));
    run.counters["nodes"] = static_cast<double>(H.pattern.rows());
    run.counters["MB"] = static_cast<double>(product_bytes(H)) / 1e6;
}

void Product(benchmark::State& run)
{
    const auto threads = threads_of(run);
    SoftBall ball(static_cast<int>(run.range(0)));
    const BlockMatrix& H = ball.matrix();
    for (auto _ : run) {
        H.multiply(ball.x, ball.y);
        benchmark::DoNotOptimize(ball.y.data());
    }
    report(run, H);
}

void TransposedProduct(benchmark::State& run)
{
    const auto threads = threads_of(run);
    SoftBall ball(static_cast<int>(run.range(0)));
    const BlockMatrix& H = ball.matrix();
    for (auto _ : run) {
        H.multiply_transpose(ball.x, ball.y);
        benchmark::DoNotOptimize(ball.y.data());
    }
    report(run, H);
}

void MatrixFreeProduct(benchmark::State& run)
{
    const auto threads = threads_of(run);
    SoftBall ball(static_cast<int>(run.range(0)));
    const BlockMatrix& H = ball.matrix();
    for (auto _ : run) {
        ball.system->apply(ball.x, ball.y);
        benchmark::DoNotOptimize(ball.y.data());
    }
    report(run, H);
}

void SsorApplication(benchmark::State& run)
{
    const auto threads = threads_of(run);
    SoftBall ball(static_cast<int>(run.range(0)));
    const BlockMatrix& H = ball.matrix();
    const auto ssor = make_preconditioner(PreconditionerKind::block_ssor, H.pattern.rows());
    ssor->update(H);
    for (auto _ : run) {
        ssor->apply(ball.x, ball.y);
        benchmark::DoNotOptimize(ball.y.data());
    }
    report(run, H);
}

// Each range of a copy or a sum is as long as some hundred rows of the matrix.
constexpr std::size_t range_bytes = 1 << 18;

// Reads and writes count: half of the bytes each, as many in all as the product of the same ball moves.
void Copy(benchmark::State& run)
{
    const auto threads = threads_of(run);
    SoftBall ball(static_cast<int>(run.range(0)));
    const std::size_t half = product_bytes(ball.matrix()) / 2, ranges = (half + range_bytes - 1) / range_bytes;
    std::vector<char> from(half, 1), to(half);
    for (auto _ : run) {
        parallel_for(
            ranges,
            [&](std::size_t r) {
                const std::size_t begin = r * range_bytes;
                std::memcpy(to.data() + begin, from.data() + begin, std::min(range_bytes, half - begin));
            },
            1);
        benchmark::DoNotOptimize(to.data());
        benchmark::ClobberMemory();
    }
    run.SetBytesProcessed(static_cast<std::int64_t>(run.iterations() * 2 * half));
}

// A sum reads only, as a product almost does.
void Read(benchmark::State& run)
{
    const auto threads = threads_of(run);
    SoftBall ball(static_cast<int>(run.range(0)));
    const auto count = static_cast<Eigen::Index>(product_bytes(ball.matrix()) / sizeof(double));
    constexpr auto range = static_cast<Eigen::Index>(range_bytes / sizeof(double));
    const Eigen::VectorXd data = Eigen::VectorXd::Ones(count);
    std::vector<double> sums((count + range - 1) / range);
    for (auto _ : run) {
        parallel_for(
            sums.size(),
            [&](std::size_t r) {
                const auto begin = static_cast<Eigen::Index>(r) * range;
                sums[r] = data.segment(begin, std::min(range, count - begin)).sum();
            },
            1);
        benchmark::DoNotOptimize(sums.data());
        benchmark::ClobberMemory();
    }
    run.SetBytesProcessed(static_cast<std::int64_t>(run.iterations() * count * sizeof(double)));
}

BENCHMARK(Copy)->ArgsProduct({{10, 20, 30}, {1, 2}})->MeasureProcessCPUTime();
BENCHMARK(Read)->ArgsProduct({{10, 20, 30}, {1, 2}})->MeasureProcessCPUTime();
BENCHMARK(Product)->ArgsProduct({{10, 20, 30}, {1, 2}})->MeasureProcessCPUTime();
BENCHMARK(TransposedProduct)->ArgsProduct({{10, 20, 30}, {1}})->MeasureProcessCPUTime();
BENCHMARK(MatrixFreeProduct)->ArgsProduct({{10, 20}, {1, 2}})->MeasureProcessCPUTime();
BENCHMARK(SsorApplication)->ArgsProduct({{10, 20}, {1, 2}})->MeasureProcessCPUTime();

} // namespace
