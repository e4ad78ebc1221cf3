// Spheres that settle in a box: sphere-steps per CPU second of the explicit integrator. Lattice, jitter, stiffness,
// density, friction, damping and time step are those of settle_yade.py, so that a step here and there does the same
// physics.
//   build/bench/bin/settle_bench [spheres [warm-up steps [steps [threads]]]] [planes] [fine SHARE] [LAW] [turns]
// planes: five analytic ones in place of the ten triangles that the peer has. fine: a mesh whose edges are this share
// of a radius. LAW: hertz, dmt or jkr in place of linear. turns: runs the steps for every line on the standard input,
// as settle_race.py asks.
#include "stickslip/dem/sphere_system.h"

#include <sys/resource.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace stickslip;

constexpr double radius = 5e-3;

GranularWall flat(const char* name, const Vec3& inward, const Vec3& at)
{
    GranularWall wall{.name = name, .shape = Plane{inward}};
    wall.start.x = at;
    return wall;
}

std::vector<GranularWall> planes(double length)
{
    const Vec3 far(length, length, 0);
    return {flat("left", Vec3::UnitX(), Vec3::Zero()), flat("right", -Vec3::UnitX(), far),
        flat("front", Vec3::UnitY(), Vec3::Zero()), flat("back", -Vec3::UnitY(), far),
        flat("floor", Vec3::UnitZ(), Vec3::Zero())};
}

/// The five sides of a box without a lid, squares of two triangles with edges up to `edge`.
GranularWall facets(double length, double height, double edge)
{
    TriMesh mesh;
    const auto add_side = [&](const Vec3& corner, const Vec3& u, const Vec3& v) {
        const auto parts = [&](const Vec3& side) {
            return std::max(1, static_cast<int>(std::ceil(side.norm() / edge)));
        };
        const int m = parts(u), n = parts(v);
        const int first = static_cast<int>(mesh.vertices.size());
        for (int j = 0; j <= n; ++j)
            for (int i = 0; i <= m; ++i)
                mesh.vertices.push_back(corner + static_cast<double>(i) / m * u + static_cast<double>(j) / n * v);
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < m; ++i) {
                const int a = first + j * (m + 1) + i, b = a + 1, c = b + m + 1, d = a + m + 1;
                mesh.triangles.push_back({a, b, c});
                mesh.triangles.push_back({a, c, d});
            }
        }
    };
    const Vec3 x(length, 0, 0), y(0, length, 0), z(0, 0, height);
    add_side(Vec3::Zero(), x, y);
    add_side(Vec3::Zero(), x, z);
    add_side(x, y, z);
    add_side(x + y, -x, z);
    add_side(y, -y, z);
    return {.name = "box", .shape = std::make_shared<const TriangulatedSurface>(mesh, EdgeRule::smooth)};
}

GranularWorld settling(std::vector<GranularWall> walls, NormalLaw law)
{
    GranularWorld world;
    world.law = law;
    world.materials = {
        {.density = 2600, .young = 1e6, .shear_ratio = 0.3, .friction = std::tan(0.5), .surface_energy = 0.05}};
    world.gravity = Vec3(0, 0, -9.81);
    world.local_damping = 0.2;
    world.dt = 0.3 * radius * std::sqrt(2600 / 1e6);
    world.walls = std::move(walls);
    return world;
}

double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double clock_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Bytes a second of a copy much larger than the caches, reads and writes counted, one thread.
double copy_bandwidth()
{
    std::vector<char> from(1 << 27, 1), to(1 << 27, 2);
    double best = 0;
    for (int i = 0; i < 4; ++i) {
        const double before = cpu_seconds();
        std::memcpy(to.data(), from.data(), from.size());
        best = std::max(best, 2.0 * static_cast<double>(from.size()) / (cpu_seconds() - before));
    }
    return best;
}

// What one step must move when no cache holds it: pairs with their springs, spheres read and written.
double bytes_per_step(const GranularState& state)
{
    const double pairs = static_cast<double>(state.list.pairs()), spheres = static_cast<double>(state.spheres.size());
    const double touching =
        static_cast<double>(std::count(state.pairs.touching.begin(), state.pairs.touching.end(), 1));
    const double pair_bytes = 2 * sizeof(int) + 2;
    const double sphere_bytes =
        3 * sizeof(SpherePlace) + 3 * sizeof(SphereMotion) + 3 * sizeof(LoadRows) + 2 * sizeof(Quat) + sizeof(Vec3);
    return pairs * pair_bytes + touching * 2 * sizeof(Vec3) + spheres * sphere_bytes;
}

double contacts_a_sphere(const SphereSystem& system)
{
    return static_cast<double>(system.touching()) / static_cast<double>(system.state().spheres.size());
}

/// Runs `steps` for every line that is not empty, and says how long they took.
void take_turns(SphereSystem& system, int steps)
{
    std::puts("ready");
    std::fflush(stdout);
    for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar()) {
        while (c != '\n' && c != EOF)
            c = std::getchar();
        const double cpu = cpu_seconds(), clock = clock_seconds();
        system.step(steps);
        std::printf("part %.6f %.6f %.4f\n", cpu_seconds() - cpu, clock_seconds() - clock, contacts_a_sphere(system));
        std::fflush(stdout);
    }
}

/// Largest resident memory of this process [bytes].
double peak_memory()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> words(argv + 1, argv + argc);
    const auto take_word = [&](const char* word) { return std::erase(words, word) > 0; };
    const bool with_planes = take_word("planes"), in_turns = take_word("turns");
    const NormalLaw law = take_word("hertz") ? NormalLaw::hertz
        : take_word("dmt")                   ? NormalLaw::dmt
        : take_word("jkr")                   ? NormalLaw::jkr
                                             : NormalLaw::linear;
    double edge = infinity; // [m]
    if (const auto fine = std::find(words.begin(), words.end(), "fine"); words.end() - fine > 1) {
        edge = radius * std::atof((fine + 1)->c_str());
        words.erase(fine, fine + 2);
    }
    const auto number = [&](std::size_t i, int otherwise) {
        return words.size() > i ? std::atoi(words[i].c_str()) : otherwise;
    };
    const int count = number(0, 1000), warm = number(1, 1500), steps = number(2, 1000), threads = number(3, 1);
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    const int side = std::max(2, static_cast<int>(std::lround(std::cbrt(count))));
    const double s = 2.01 * radius;
    std::mt19937_64 engine(1);
    const auto jitter = [&] { return 0.02 * radius * (0x1p-53 * static_cast<double>(engine() >> 11) - 0.5); };
    std::vector<Grain> grains;
    for (int i = 0; i < count; ++i) {
        const int layer = i / (side * side), k = i % (side * side);
        const double shift = layer % 2 ? 0.5 * s : 0;
        grains.push_back({.x = Vec3(k % side * s + shift + 2 * radius + jitter(),
                              k / side * s + shift + 2 * radius + jitter(), layer * s * 0.7072 + 2 * radius),
            .radius = radius});
    }
    const double length = (side + 0.5) * s + 2 * radius;
    const double height = (count - 1) / (side * side) * s * 0.7072 + 6 * radius;
    SphereSystem system(
        settling(with_planes ? planes(length) : std::vector{facets(length, height, edge)}, law), grains);
    system.step(warm);
    if (in_turns) {
        take_turns(system, steps);
        return 0;
    }
    const double memory = peak_memory(); // before the copy below
    const StageTimes start = system.times();
    const long rebuilds = system.state().rebuilds;
    double cpu = infinity, clock = infinity; // of a step, the best of five parts
    const int part = std::max(1, steps / 5);
    for (int i = 0; i < 5; ++i) {
        const double c = cpu_seconds(), t = clock_seconds();
        system.step(part);
        cpu = std::min(cpu, (cpu_seconds() - c) / part);
        clock = std::min(clock, (clock_seconds() - t) / part);
    }
    const StageTimes end = system.times();
    const double all = 5.0 * part;
    std::printf("%d spheres, %d threads, %.2f contacts and %.2f listed pairs a sphere, %.1f steps a list\n", count,
        threads, contacts_a_sphere(system), static_cast<double>(system.state().list.pairs()) / count,
        all / std::max(1.0, static_cast<double>(system.state().rebuilds - rebuilds)));
    std::printf("  %.3f CPU ms a step = %.2f M sphere-steps a CPU second; %.3f ms on the clock = %.2f M a second\n",
        1e3 * cpu, 1e-6 * count / cpu, 1e3 * clock, 1e-6 * count / clock);
    std::printf("  ms a step on the clock: pairs %.4f, walls %.4f, motion %.4f, lists %.4f\n",
        1e3 * (end.pairs - start.pairs) / all, 1e3 * (end.walls - start.walls) / all,
        1e3 * (end.motion - start.motion) / all, 1e3 * (end.rebuild - start.rebuild) / all);
    std::printf("  %.0f bytes a sphere, %.1f %% of the bandwidth of a copy\n", memory / count,
        100 * bytes_per_step(system.state()) / cpu / copy_bandwidth());
}
