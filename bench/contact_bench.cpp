// Cost of contact against the size of what touches, one thread: what the start of a step costs, which decides what can
// meet (detection), and one evaluation; contacts and walks per second; the share of detection in a step; bytes a
// contact; the exponent of each cost against elements.
//   build/release/bin/contact_bench [LARGEST]     of the sizes below, 1 to 5 (default 4)
#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/contact/contact_set.h"
#include "stickslip/contact/relax/relax_mesh.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/math/rotation.h"
#include "stickslip/world/audit/overlap_audit.h"
#include "stickslip/world/time_step.h"

#include <tbb/global_control.h>

#include <malloc.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace stickslip;

constexpr double dt = 0.01, settled = 0.2; // [s]

double processor_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds of one call, of as many as take 0.3 s.
template <typename Work>
double seconds_of(const Work& work)
{
    work();
    const double start = processor_seconds();
    int calls = 0;
    do {
        work();
        ++calls;
    } while (processor_seconds() - start < 0.3);
    return (processor_seconds() - start) / calls;
}

struct Figures {
    double elements, contacts, detection, evaluation, step, audit, bytes;
};

std::string scene_of(const std::string& bodies)
{
    return "stickslip: 1\ntime: {step: 0.01, end: 9}\ncontact: {friction: 0.5}\nmaterials:\n  oak: {density: 700}\n"
           "  gum: {density: 1000, young: 1e5, poisson: 0.3}\nbodies:\n"
           "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
        + bodies;
}

std::string stacks(int size)
{
    const std::string n = std::to_string(1 << size);
    return scene_of("  - {name: box, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [0, 0.1, 0], "
                    "copies: {grid: {count: ["
        + n + ", 4, " + n + "], spacing: [0.21, 0.2, 0.21]}}}\n");
}

std::string soft_blocks(int size)
{
    const double h = 0.1 / std::pow(std::sqrt(2.0), size);
    return scene_of("  - {name: low, kind: deformable, shape: {box: [0.6, 0.1, 0.6]}, resolution: " + std::to_string(h)
        + ", material: gum, position: [0, 0.05, 0]}\n  - {name: top, kind: deformable, shape: {box: [0.5, 0.1, 0.5]}, "
          "resolution: "
        + std::to_string(0.8 * h) + ", material: gum, position: [0.01, 0.15, 0.01]}\n");
}

Figures measure(const std::string& text)
{
    const SceneResult read = read_scene_text(text, "bench");
    const BuildResult result = build_world(read.scene, ".");
    if (!result.faults.empty()) {
        std::puts(format(result.faults).c_str());
        std::exit(1);
    }
    const World& world = result.built.world;
    State state = result.built.state;
    TimeStepper stepper(world, result.built.options);
    while (state.time < settled - 0.5 * dt)
        if (!stepper.step(state).done)
            std::exit(1);
    const ContactBodies bodies = contact_bodies(world);
    std::vector<Vec3> x = state.x;
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] += dt * state.v[i];
    std::vector<RigidCandidate> rigid;
    for (const RigidState& r : state.rigid) {
        const Vec3 theta = dt * r.w;
        rigid.push_back({r.x + dt * r.v, theta, rotation_exp(theta) * r.R.toRotationMatrix(), left_jacobian(theta)});
    }
    const std::size_t before = mallinfo2().uordblks;
    ContactSet contacts(bodies);
    const auto begin = [&] { contacts.begin_step(state.time, dt, state.x, state.v, state.rigid, state.attachments); };
    const auto evaluate = [&] { contacts.evaluate(x, rigid); };
    begin();
    evaluate();
    Figures f{};
    f.bytes = static_cast<double>(mallinfo2().uordblks - before);
    f.contacts = static_cast<double>(contacts.count());
    f.elements = static_cast<double>(world.deformables.triangles.size() + world.rigids.size());
    f.detection = seconds_of([&] {
        begin();
        evaluate(); // what is found when it is first asked for
    });
    f.evaluation = seconds_of(evaluate);
    f.detection -= f.evaluation;
    const double start = processor_seconds();
    constexpr int steps = 5;
    for (int i = 0; i < steps; ++i)
        if (!stepper.step(state).done)
            std::exit(1);
    f.step = (processor_seconds() - start) / steps;
    OverlapAudit audit(world);
    f.audit = seconds_of([&] { audit.look(state); });
    return f;
}

/// Of the larger half of the sizes.
double exponent(const std::vector<Figures>& rows, double Figures::*cost)
{
    const Figures &a = rows[rows.size() / 2], &b = rows.back();
    return std::log(b.*cost / (a.*cost)) / std::log(b.elements / a.elements);
}

template <typename SceneOf>
void print_table(const char* title, const SceneOf& scene_of_size, int largest)
{
    std::printf("%s\n%9s %9s %10s %10s %10s %10s %10s %12s %7s\n", title, "elements", "contacts", "start ms",
        "evaluate ms", "step ms", "share", "audit ms", "contacts/s", "bytes");
    std::vector<Figures> rows;
    for (int size = 1; size <= largest; ++size) {
        const Figures f = rows.emplace_back(measure(scene_of_size(size)));
        std::printf("%9.0f %9.0f %10.3f %10.3f %10.2f %9.1f%% %10.3f %12.0f %7.0f\n", f.elements, f.contacts,
            1e3 * f.detection, 1e3 * f.evaluation, 1e3 * f.step, 100 * f.detection / f.step, 1e3 * f.audit,
            f.contacts / f.evaluation, f.bytes / f.contacts);
        std::fflush(stdout);
    }
    std::printf("exponents against elements: start %.2f, evaluation %.2f, audit %.2f\n\n",
        exponent(rows, &Figures::detection), exponent(rows, &Figures::evaluation), exponent(rows, &Figures::audit));
}

/// Walks (Alg 10 to 12) over a ball from a random facet to a point a little below it, some edges away.
void print_walks()
{
    for (const double edge : {0.2, 0.05}) {
        const TriMesh mesh = triangulate(Sphere{1}, edge);
        const EdgeTopology topology(mesh);
        const PlacedSurface surface{topology, mesh.vertices};
        std::mt19937_64 random(1);
        const auto number = [&] { return 0x1p-53 * static_cast<double>(random() >> 11); };
        std::vector<MeshWalk> walks;
        for (int i = 0; i < 10000; ++i) {
            const int facet = static_cast<int>(number() * static_cast<double>(mesh.triangles.size()));
            Vec3 Z = mesh.vertices[mesh.triangles[facet][0]];
            Z += 2 * edge * Vec3(number() - 0.5, number() - 0.5, number() - 0.5);
            walks.push_back({facet, Vec3::Constant(1.0 / 3), 0.98 * Z.normalized(), 0.3});
        }
        std::vector<WalkStep> path;
        std::size_t visited = 0;
        const double seconds = seconds_of([&] {
            visited = 0;
            for (const MeshWalk& walk : walks) {
                relax_mesh(surface, walk, path);
                visited += path.size();
            }
        });
        std::printf("walks over a ball of %zu triangles: %.0f a second, %.1f steps each\n", mesh.triangles.size(),
            static_cast<double>(walks.size()) / seconds,
            static_cast<double>(visited) / static_cast<double>(walks.size()));
    }
}

} // namespace

int main(int argc, char** argv)
{
    const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
    const int largest = argc > 1 ? std::atoi(argv[1]) : 4;
    print_table("stacks of four boxes at rest (elements: boxes)", stacks, largest);
    print_table("a soft block on another on the floor (elements: triangles)", soft_blocks, 2 * largest);
    print_walks();
}
