#include "stickslip/world/rigid_part.h"

#include "laws/soft_world.h"
#include "stickslip/geometry/mesh/tet_shapes.h"
#include "stickslip/solver/vector_ops.h"
#include "stickslip/world/contact_islands.h"
#include "support/block_matrices.h"
#include "support/terrain.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <algorithm>

namespace stickslip::rigid_part_test {
namespace {

constexpr double dt = 0.01, size = 0.2;

/// A row of five boxes and a ball pushed into one another and into the floor, spinning; a sixth box stands apart.
RigidWorld pushed_row(Random& random)
{
    RigidWorld w(dt);
    w.plane(Vec3::UnitY());
    for (int i = 0; i < 5; ++i)
        w.box(Vec3::Constant(size), 800, Vec3(0.195 * i, 0.098, 0.01 * i), rotation_exp(random.vector(0.02)),
            random.vector(0.3), random.vector(1));
    w.ball(0.1, 800, Vec3(5 * 0.195, 0.0995, 0.02), random.vector(0.3));
    w.box(Vec3::Constant(size), 800, Vec3(3, 0.099, 0));
    return w;
}

struct Situation {
    RigidWorld w;
    State state;
    BackwardEuler system;
    BlockVector z, g;

    explicit Situation(Random& random)
        : Situation(pushed_row(random), random)
    {
    }
    Situation(const RigidWorld& world, Random& random)
        : w(world)
        , state(w.start(0.5))
        , system(w.world)
    {
        system.begin_step(state, dt);
        for (std::size_t i = 0; i < system.size(); ++i)
            z.push_back(random.vector(0.02));
        system.residual(z, g);
    }

    BlockVector own(const std::vector<int>& bodies, const BlockVector& whole) const
    {
        BlockVector part;
        for (const int b : bodies)
            part.insert(part.end(), {whole[2 * b], whole[2 * b + 1]});
        return part;
    }
};

const std::vector<int> some = {1, 2, 4};

TEST(RigidPart, EquationsAreThoseOfTheWhole)
{
    Random random(1);
    Situation s(random);
    const Eigen::MatrixXd H = dense(s.system.assemble());
    const std::size_t contacts = s.system.contacts().count();
    RigidPart part = s.system.part(some);
    BlockVector g;
    part.residual(s.own(some, s.z), g);
    ASSERT_GT(s.system.contacts().count(), 10u);
    EXPECT_LT(s.system.contacts().count(), contacts); // those of others are not asked for
    const BlockVector expected = s.own(some, s.g);
    for (std::size_t i = 0; i < g.size(); ++i)
        EXPECT_LT((g[i] - expected[i]).norm(), 1e-13 * norm(s.g)) << i;
    const Eigen::MatrixXd own = dense(part.assemble());
    const auto row = [](std::size_t i) { return static_cast<Eigen::Index>(6 * some[i / 2] + 3 * (i % 2)); };
    for (std::size_t i = 0; i < part.size(); ++i)
        for (std::size_t j = 0; j < part.size(); ++j) {
            const Mat3 difference = own.block<3, 3>(3 * i, 3 * j) - H.block<3, 3>(row(i), row(j));
            EXPECT_LT(difference.norm(), 1e-13 * H.norm()) << i << " " << j;
        }
}

TEST(RigidPart, DerivativeMatchesDifferencesMatrixAndTranspose)
{
    Random random(2);
    Situation s(random);
    RigidPart part = s.system.part(some);
    const BlockVector z = s.own(some, s.z);
    BlockVector dz, w, g, before, after, Hdz, product, Htw;
    for (std::size_t i = 0; i < part.size(); ++i) {
        dz.push_back(random.vector(1));
        w.push_back(random.vector(1));
    }
    constexpr double h = 1e-6;
    BlockVector moved = z;
    add_scaled(moved, -h, dz);
    part.residual(moved, before);
    moved = z;
    add_scaled(moved, h, dz);
    part.residual(moved, after);
    part.residual(z, g);
    part.apply(dz, Hdz);
    part.assemble().multiply(dz, product);
    part.apply_transpose(w, Htw);
    EXPECT_NEAR(dot(w, Hdz), dot(Htw, dz), 1e-12 * norm(w) * norm(Hdz));
    for (std::size_t i = 0; i < part.size(); ++i) {
        EXPECT_LT((product[i] - Hdz[i]).norm(), 1e-12 * norm(Hdz)) << i;
        EXPECT_LT(((after[i] - before[i]) / (2 * h) - Hdz[i]).norm(), 1e-6 * norm(Hdz)) << i;
    }
}

TEST(RigidPart, ConvexNeighbourIsSymmetricPositiveDefinite)
{
    Random random(3);
    Situation s(random);
    RigidPart part = s.system.part(some);
    BlockVector g;
    part.residual(s.own(some, s.z), g);
    const Eigen::MatrixXd C = dense(*part.assemble_convex());
    EXPECT_LT((C - C.transpose()).norm(), 1e-12 * C.norm());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(C).eigenvalues().minCoeff(), 0.9);
}

TEST(RigidPart, NextOneMeetsTheLastWhereItWasLeft)
{
    Random random(4);
    Situation s(random);
    BlockVector moved = s.z;
    for (const int b : {0, 1})
        moved[2 * b] += random.vector(0.05);
    BlockVector g, expected;
    Situation other = s;
    other.system.begin_step(other.state, dt);
    other.system.residual(moved, expected);

    RigidPart first = s.system.part({0, 1});
    first.residual(s.own({0, 1}, moved), g);
    RigidPart second = s.system.part({2});
    second.residual(s.own({2}, moved), g);
    EXPECT_LT((g[0] - expected[4]).norm() + (g[1] - expected[5]).norm(), 1e-13 * norm(expected));
    EXPECT_GT((g[0] - s.g[4]).norm(), 1e-3 * norm(expected));
}

// Trials throw bodies anywhere, and Newton comes back.
TEST(RigidPart, MeetsWhatItIsThrownAt)
{
    Random random(5);
    Situation s(random);
    RigidPart part = s.system.part(some);
    for (int i = 0; i < 20; ++i) {
        BlockVector moved = s.z;
        for (const int b : some)
            moved[2 * b] += random.vector(i % 2 == 0 ? 100 : 0.05);
        BlockVector g, expected;
        BackwardEuler whole(s.w.world);
        whole.begin_step(s.state, dt);
        whole.residual(moved, expected);
        part.residual(s.own(some, moved), g);
        const BlockVector own = s.own(some, expected);
        for (std::size_t k = 0; k < g.size(); ++k)
            EXPECT_LT((g[k] - own[k]).norm(), 1e-13 * norm(expected)) << i << " " << k;
    }
}

// Bodies 0 and 1: balls on a bumpy floor of triangles; 2: a plate whose top is of triangles; 3: a ball on that.
TEST(RigidPart, MeetsTrianglesAsTheWholeDoes)
{
    Random random(6);
    RigidWorld w(dt);
    w.triangles(terrain(6, random, [](double x, double z) { return 0.03 * std::sin(5 * x) * std::cos(4 * z); }));
    w.ball(0.1, 800, Vec3(-0.4, 0.05, 0), random.vector(0.3));
    w.ball(0.1, 800, Vec3(0.4, 0.05, 0.1), random.vector(0.3));
    w.box(Vec3(2, 0.1, 2), 800, Vec3(0, 1, 0));
    const TriMesh top = terrain(6, random, [](double, double) { return 0.05; });
    w.world.rigids.back().triangles = std::make_shared<const TriangulatedSurface>(top, EdgeRule::smooth);
    w.ball(0.1, 800, Vec3(0.1, 1.149, 0.02), random.vector(0.3));
    for (const std::vector<int>& bodies : {std::vector<int>{0}, {1}, {2}, {3}, {1, 3}, {2, 3}}) {
        Situation s(w, random);
        BlockVector moved = s.z;
        for (const int b : bodies)
            moved[2 * b] += random.vector(0.005);
        BlockVector g, expected;
        BackwardEuler whole(s.w.world);
        whole.begin_step(s.state, dt);
        whole.residual(moved, expected);
        RigidPart part = s.system.part(bodies);
        part.residual(s.own(bodies, moved), g);
        EXPECT_GT(s.system.contacts().count(), 0u);
        const BlockVector own = s.own(bodies, expected), before = s.own(bodies, s.g);
        for (std::size_t i = 0; i < g.size(); ++i)
            EXPECT_LT((g[i] - own[i]).norm(), 1e-13 * norm(expected)) << bodies[i / 2];
        for (std::size_t i = 0; i < g.size(); i += 2)
            EXPECT_GT((g[i] - before[i]).norm(), 1e-6 * norm(expected)) << bodies[i / 2];
    }
}

TEST(TouchingLots, JoinWhatTouchesByTheStrongestForces)
{
    Random random(5);
    Situation s(random);
    const auto islands = [&](std::vector<bool> unsolved, int most) {
        return contact_islands(s.system.contacts(), 0, s.system.first_mpm(), unsolved, most);
    };
    using Islands = std::vector<std::vector<int>>;
    const std::vector<bool> all(7, true);
    EXPECT_EQ(islands(all, 100), (Islands{{0, 1, 2, 3, 4, 5}, {6}}));
    EXPECT_EQ(islands(all, 1), (Islands{{0}, {1}, {2}, {3}, {4}, {5}, {6}}));
    EXPECT_EQ(islands(std::vector<bool>(7, false), 100), Islands{});
    std::vector<bool> one(7, false);
    one[6] = true;
    EXPECT_EQ(islands(one, 100), Islands{{6}});
    one[6] = false;
    one[2] = true;
    EXPECT_EQ(islands(one, 100), (Islands{{1, 2, 3}})); // with what touches it

    double strongest = 0;
    std::vector<int> pair;
    s.system.contacts().for_each_contact([&](const Contact& c) {
        if (c.surface_body < 7 && c.j.norm() > strongest) {
            strongest = c.j.norm();
            pair = {std::min(c.point_body, c.surface_body), std::max(c.point_body, c.surface_body)};
        }
    });
    const Islands pairs = islands(all, 2);
    EXPECT_NE(std::find(pairs.begin(), pairs.end(), pair), pairs.end());
    for (const std::vector<int>& island : pairs)
        EXPECT_LE(island.size(), 2u);
}

TEST(TouchingLots, WhatLiesOnSomethingSoftIsSolvedWithTheWhole)
{
    SoftWorld w(dt, tetrahedralize(Box{Vec3(0.6, 0.1, 0.3)}, 0.1), 1e6, {});
    w.plane(Vec3::UnitY());
    w.world.obstacles[0].start.x.y() = -1;
    w.ball(0.1, 800, Vec3(-0.09, 0.149, 0));
    w.ball(0.1, 800, Vec3(0.09, 0.149, 0)); // against the first
    w.ball(0.1, 800, Vec3(2, -0.901, 0)); // these on the floor
    w.ball(0.1, 800, Vec3(2.19, -0.901, 0));
    const State state = w.start(0.5);
    BackwardEuler system(w.world);
    system.begin_step(state, dt);
    BlockVector g;
    system.residual(BlockVector(system.size(), Vec3::Zero()), g);
    const auto islands = contact_islands(system.contacts(), 1, system.first_mpm(), std::vector<bool>(4, true), 10);
    EXPECT_EQ(islands, (std::vector<std::vector<int>>{{2, 3}}));
}

} // namespace
} // namespace stickslip::rigid_part_test
