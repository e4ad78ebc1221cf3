// What a tetrahedron costs in one Newton iteration: its forces, its stiffness, and the rows of the matrix, on one
// thread.
//   build/ci/bin/element_bench --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
// `us_a_tet`: microseconds of the processor a tetrahedron.
#include "soft_ball.h"

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

namespace {

using namespace stickslip;

constexpr double pressed = 0.95; // [-] to which height the ball is pressed

/// Arguments: the model, cells from the centre to the surface.
struct Elements {
    tbb::global_control one_thread{tbb::global_control::max_allowed_parallelism, 1};
    SoftBall ball;
    std::vector<Vec3> x;
    ElasticEvaluation e;

    explicit Elements(const benchmark::State& run)
        : ball(static_cast<int>(run.range(1)), static_cast<ElasticModel>(run.range(0)))
        , x(ball.state.x)
    {
        for (Vec3& place : x)
            place.y() *= pressed;
    }

    const DeformableSet& set() const { return ball.world.deformables; }
    void force() { evaluate_stress(set(), x, ball.state.x, ball.system->dt(), e); }
    void stiffness() { evaluate_stress_derivative(set(), x, ball.state.x, ball.system->dt(), e); }
};

template <typename Work>
void time(benchmark::State& run, Elements& elements, const Work& work)
{
    for (auto _ : run)
        work();
    const double tets = static_cast<double>(elements.ball.tets());
    run.counters["tets"] = tets;
    run.counters["us_a_tet"] =
        benchmark::Counter(1e-6 * tets, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void Force(benchmark::State& run)
{
    Elements elements(run);
    time(run, elements, [&] { elements.force(); });
}

void Stiffness(benchmark::State& run)
{
    Elements elements(run);
    time(run, elements, [&] { elements.stiffness(); });
}

// Forces, stiffness and rows, as an iteration of Newton's method asks for them.
void ForceAndAssembly(benchmark::State& run)
{
    Elements elements(run);
    SoftBall& ball = elements.ball;
    time(run, elements, [&] {
        ball.system->scale_contact_stiffness(1); // so that the candidate is not the one evaluated last
        ball.system->residual(BlockVector(ball.system->size(), Vec3::Zero()), ball.y);
        benchmark::DoNotOptimize(ball.system->assemble().value.data());
    });
}

void for_models(benchmark::internal::Benchmark* bench)
{
    for (const ElasticModel model : {ElasticModel::linear, ElasticModel::fixed_corotated, ElasticModel::neo_hookean,
             ElasticModel::st_venant_kirchhoff})
        for (const int cells : {6, 14})
            bench->Args({static_cast<int>(model), cells});
}
BENCHMARK(Force)->Apply(for_models);
BENCHMARK(Stiffness)->Apply(for_models);
BENCHMARK(ForceAndAssembly)->Apply(for_models);

} // namespace
