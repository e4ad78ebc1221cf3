#include "stickslip/solver/multigrid/multigrid.h"

#include "stickslip/solver/gmres.h"
#include "stickslip/solver/multigrid/aggregates.h"
#include "stickslip/solver/preconditioners/block_ssor.h"
#include "stickslip/solver/vector_ops.h"
#include "stickslip/world/backward_euler.h"

#include "laws/rigid_world.h"
#include "support/boxes.h"
#include "support/threads.h"

namespace stickslip::multigrid_test {
namespace {

constexpr double size = 1, dt = 0.1;

/// A stiff beam of n x n x 4 n cells, pinned at one end or free.
struct Beam {
    World world;
    State state;
    std::unique_ptr<BackwardEuler> system;

    explicit Beam(int cells, bool pinned = true)
    {
        const Box box{Vec3(size, size, 4 * size)};
        world.deformables =
            one_body(tetrahedralize(box, size / cells), make_material(ElasticModel::neo_hookean, 1000, 1e9, 0.3, 0));
        if (pinned) {
            world.deformables.pin_frames.push_back({});
            for (std::size_t i = 0; i < world.deformables.rest.size(); ++i)
                if (const Vec3& X = world.deformables.rest[i]; X[2] < -1.999 * size)
                    world.deformables.pins.push_back({static_cast<int>(i), X, 0});
        }
        state = initial_state(
            world, world.deformables.rest, std::vector<Vec3>(world.deformables.rest.size(), Vec3::Zero()));
        system = std::make_unique<BackwardEuler>(world);
        system->begin_step(state, dt);
        BlockVector g;
        system->residual(BlockVector(system->size(), Vec3::Zero()), g);
    }
    const BlockMatrix& H() { return system->assemble(); }
    int iterations(Preconditioner& P, const BlockVector& b, double tolerance)
    {
        P.set_near_kernel(system->rigid_motions());
        P.update(H());
        BlockVector x;
        const GmresReport report = gmres(H(), P, b, tolerance, {.restart = 200, .max_iterations = 1000}, x);
        EXPECT_TRUE(report.converged);
        return report.iterations;
    }
};

TEST(Multigrid, NeedsAsManyIterationsForFineMeshesAsForCoarseOnes)
{
    Random random(1);
    for (const bool pinned : {true, false}) {
        std::vector<int> by_levels, by_ssor;
        for (const int cells : {2, 4, 8}) {
            Beam beam(cells, pinned);
            const BlockVector b = random.vectors(beam.system->size());
            Multigrid levels;
            BlockSsor ssor;
            by_levels.push_back(beam.iterations(levels, b, 1e-8));
            by_ssor.push_back(beam.iterations(ssor, b, 1e-8));
            EXPECT_GE(levels.levels(), 2);
        }
        EXPECT_LE(by_levels.back(), by_levels.front() + 3); // 13, 13, 14
        EXPECT_GT(by_ssor.back(), 3 * by_ssor.front()); // 46, 91, 183
    }
}

TEST(Multigrid, StrainsNothingWithRigidMotions)
{
    Beam beam(2, false);
    const NearKernel motions = beam.system->rigid_motions();
    BlockVector z(motions.size()), Hz;
    for (int c = 0; c < 6; ++c) {
        for (std::size_t i = 0; i < z.size(); ++i)
            z[i] = motions[i].col(c);
        beam.H().multiply(z, Hz);
        EXPECT_NEAR_ALL(Hz, z, 1e-8); // of the mass alone; the stiffness is 1e6 times it
    }
}

TEST(Multigrid, IsSymmetricAndPositiveForADefiniteMatrixAndGivesTheSameBitsForAnyNumberOfThreads)
{
    Random random(2);
    Beam beam(4);
    const BlockVector a = random.vectors(beam.system->size()), b = random.vectors(a.size());
    std::vector<BlockVector> Pa;
    for (const std::size_t threads : {1, 2}) {
        const ThreadLimit limit(threads);
        Multigrid P;
        P.set_near_kernel(beam.system->rigid_motions());
        P.update(beam.H());
        BlockVector Pb;
        P.apply(a, Pa.emplace_back());
        P.apply(b, Pb);
        EXPECT_NEAR(dot(b, Pa.back()), dot(a, Pb), 1e-12 * norm(Pb) * norm(a));
        EXPECT_GT(dot(a, Pa.back()), 0);
    }
    EXPECT_TRUE(same_bits(Pa[0], Pa[1]));
}

TEST(Multigrid, MultipliesItsResultAsTheMatrixDoes)
{
    Random random(5);
    Beam beam(4);
    const BlockVector r = random.vectors(beam.system->size());
    Multigrid P;
    P.set_near_kernel(beam.system->rigid_motions());
    P.update(beam.H());
    BlockVector z, same, Az, product;
    P.apply(r, z);
    P.apply_and_multiply(beam.H(), r, same, Az);
    EXPECT_TRUE(same_bits(z, same));
    beam.H().multiply(z, product);
    EXPECT_NEAR_ALL(Az, product, 1e-8); // its terms are 1e6 times as large
}

TEST(Multigrid, KeepsItsLevelsUntilTheyAreMadeAnew)
{
    Random random(3);
    Beam beam(4), softer(4);
    softer.system->begin_step(softer.state, 0.01 * dt);
    BlockVector g;
    softer.system->residual(BlockVector(softer.system->size(), Vec3::Zero()), g);
    const BlockVector r = random.vectors(beam.system->size());
    const auto fresh = [&](Beam& of) {
        Multigrid P;
        P.set_near_kernel(of.system->rigid_motions());
        P.update(of.H());
        BlockVector z;
        P.apply(r, z);
        return z;
    };
    Multigrid P;
    BlockVector z;
    P.set_near_kernel(beam.system->rigid_motions());
    P.update(beam.H());
    EXPECT_FALSE(P.strengthen(beam.H())) << "its levels are of this matrix";
    P.update(softer.H());
    P.apply(r, z);
    EXPECT_FALSE(same_bits(z, fresh(softer)));
    EXPECT_LT(P.patience(), 100);
    EXPECT_TRUE(P.strengthen(softer.H()));
    P.apply(r, z);
    EXPECT_TRUE(same_bits(z, fresh(softer)));
    P.restart();
    P.update(beam.H());
    P.apply(r, z);
    EXPECT_TRUE(same_bits(z, fresh(beam)));
}

TEST(Multigrid, StandsRigidBodiesAndPinnedNodesAndNothing)
{
    Random random(4);
    Beam beam(2);
    RigidWorld w(dt);
    for (int i = 0; i < 3; ++i)
        w.box(Vec3::Constant(0.5), 1000, Vec3(3.0 * (i + 1), 0, 0));
    w.world.deformables = beam.world.deformables;
    const State state = initial_state(w.world, beam.state.x, beam.state.v, w.rigid);
    BackwardEuler system(w.world);
    system.begin_step(state, dt);
    BlockVector g, x;
    system.residual(BlockVector(system.size(), Vec3::Zero()), g);
    Multigrid P;
    P.set_near_kernel(system.rigid_motions());
    P.update(system.assemble());
    const GmresReport report =
        gmres(system.assemble(), P, random.vectors(system.size()), 1e-10, {.restart = 60, .max_iterations = 60}, x);
    EXPECT_TRUE(report.converged);
    EXPECT_LT(report.iterations, 20);
}

TEST(Aggregates, HoldEveryCoupledRowOnceAndNoneAlone)
{
    Beam beam(4);
    const Aggregates all = aggregate(strong_couplings(view(beam.H()), 0.02));
    std::vector<int> rows(all.count, 0);
    for (std::size_t i = 0; i < all.of_row.size(); ++i)
        if (all.of_row[i] >= 0)
            ++rows[all.of_row[i]];
        else
            EXPECT_GE(std::count_if(beam.world.deformables.pins.begin(), beam.world.deformables.pins.end(),
                          [&](const Pin& pin) { return pin.node == static_cast<int>(i); }),
                1)
                << "row " << i << " is coupled to others";
    EXPECT_GT(*std::min_element(rows.begin(), rows.end()), 1);
    EXPECT_GT(static_cast<int>(all.of_row.size()), 8 * all.count);
}

} // namespace
} // namespace stickslip::multigrid_test
