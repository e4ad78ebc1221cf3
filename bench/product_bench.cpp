// The product H x against the limit that memory sets: bytes that must be moved, over the bandwidth of a copy measured
// in the same run.
//   build/ci/bin/product_bench --benchmark_counters_tabular=true
// Compare `bytes_per_second` of a product with that of the copy of the same size.
#include "stickslip/geometry/tet_shapes.h"
#include "stickslip/solver/preconditioner.h"
#include "stickslip/world/backward_euler.h"

#include <benchmark/benchmark.h>

#include <cstring>

namespace {

using namespace stickslip;

// A soft ball with its first residual; `cells` elements from the centre to the surface.
struct Ball {
    World world;
    State state;
    std::unique_ptr<BackwardEuler> system;
    BlockVector x, y;

    explicit Ball(int cells)
    {
        const TetMesh mesh = tetrahedralize(Sphere{0.15}, 0.15 / cells);
        add_deformable(world.deformables, "ball", mesh, make_material(ElasticModel::neo_hookean, 1000, 1e5, 0.4, 0));
        finish(world.deformables);
        world.gravity = Vec3(0, -9.81, 0);
        state = initial_state(world, mesh.nodes, std::vector<Vec3>(mesh.nodes.size(), Vec3::Zero()));
        system = std::make_unique<BackwardEuler>(world);
        system->begin_step(state, 1.0 / 60);
        x.assign(system->size(), Vec3(1, 2, 3));
        system->residual(BlockVector(system->size(), Vec3::Zero()), y);
        system->assemble();
    }

    const BlockMatrix& matrix() { return system->assemble(); }
};

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
    Ball ball(static_cast<int>(run.range(0)));
    const BlockMatrix& H = ball.matrix();
    for (auto _ : run) {
        H.multiply(ball.x, ball.y);
        benchmark::DoNotOptimize(ball.y.data());
    }
    report(run, H);
}

void TransposedProduct(benchmark::State& run)
{
    Ball ball(static_cast<int>(run.range(0)));
    const BlockMatrix& H = ball.matrix();
    for (auto _ : run) {
        H.multiply_transpose(ball.x, ball.y);
        benchmark::DoNotOptimize(ball.y.data());
    }
    report(run, H);
}

void MatrixFreeProduct(benchmark::State& run)
{
    Ball ball(static_cast<int>(run.range(0)));
    const BlockMatrix& H = ball.matrix();
    for (auto _ : run) {
        ball.system->apply(ball.x, ball.y);
        benchmark::DoNotOptimize(ball.y.data());
    }
    report(run, H);
}

void SsorApplication(benchmark::State& run)
{
    Ball ball(static_cast<int>(run.range(0)));
    const BlockMatrix& H = ball.matrix();
    const auto ssor = make_preconditioner(PreconditionerKind::block_ssor, H.pattern.rows());
    ssor->update(H);
    for (auto _ : run) {
        ssor->apply(ball.x, ball.y);
        benchmark::DoNotOptimize(ball.y.data());
    }
    report(run, H);
}

// Reads and writes count: half of the bytes each, as many in all as the product of the same ball moves.
void Copy(benchmark::State& run)
{
    Ball ball(static_cast<int>(run.range(0)));
    const std::size_t half = product_bytes(ball.matrix()) / 2;
    std::vector<char> from(half, 1), to(half);
    for (auto _ : run) {
        std::memcpy(to.data(), from.data(), half);
        benchmark::DoNotOptimize(to.data());
        benchmark::ClobberMemory();
    }
    run.SetBytesProcessed(static_cast<std::int64_t>(run.iterations() * 2 * half));
}

// A sum reads only, as a product almost does.
void Read(benchmark::State& run)
{
    Ball ball(static_cast<int>(run.range(0)));
    const std::size_t count = product_bytes(ball.matrix()) / sizeof(double);
    const Eigen::VectorXd data = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(count));
    for (auto _ : run)
        benchmark::DoNotOptimize(data.sum());
    run.SetBytesProcessed(static_cast<std::int64_t>(run.iterations() * count * sizeof(double)));
}

BENCHMARK(Copy)->Arg(10)->Arg(20)->Arg(30)->UseRealTime();
BENCHMARK(Read)->Arg(10)->Arg(20)->Arg(30)->UseRealTime();
BENCHMARK(Product)->Arg(10)->Arg(20)->Arg(30)->UseRealTime();
BENCHMARK(TransposedProduct)->Arg(10)->Arg(20)->Arg(30)->UseRealTime();
BENCHMARK(MatrixFreeProduct)->Arg(10)->Arg(20)->UseRealTime();
BENCHMARK(SsorApplication)->Arg(10)->Arg(20)->UseRealTime();

} // namespace
