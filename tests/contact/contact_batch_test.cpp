#include "stickslip/contact/contact_batch.h"

#include "stickslip/contact/point_side.h"
#include "stickslip/contact/relax_plane.h"
#include "stickslip/math/rotation.h"

#include "support/solids.h"

#include <list>

namespace stickslip {
namespace {

constexpr double stiffness = 300, mu = 0.4;

/// A point at a fixed weighted mean of four nodes, as a particle on a grid has it.
struct Stencil {
    static constexpr int block_count = 4;
    std::array<int, 4> nodes;
    std::array<double, 4> w;
    Vec3 Z;

    int block(int b) const { return nodes[b]; }
    const Vec3& position() const { return Z; }
    Mat3 motion(int b) const { return w[b] * Mat3::Identity(); }
    Vec3 load(int b, const Vec3& f) const { return w[b] * f; }
    Mat3 load_derivative(int a, int, const Vec3&, const Mat3& df) const { return w[a] * df; }
    Mat3 load_of(int a, const Mat3& df) const { return w[a] * df; }
};

/// A sample z of a rigid body: block 0 its place x, block 1 its rotation vector theta; Z = x + exp(theta) z. The load
/// of block 1 is the torque, whose lever arm turns with the body.
struct RigidSample {
    static constexpr int block_count = 2;
    int first;
    Vec3 x, theta, z, Z;

    RigidSample(int first_block, const Vec3& place, const Vec3& rotation, const Vec3& local)
        : first(first_block)
        , x(place)
        , theta(rotation)
        , z(local)
        , Z(place + rotation_exp(rotation) * local)
    {
    }
    int block(int b) const { return first + b; }
    const Vec3& position() const { return Z; }
    Mat3 motion(int b) const { return b == 0 ? Mat3(Mat3::Identity()) : Mat3(-skew(Z - x) * left_jacobian(theta)); }
    Vec3 load(int b, const Vec3& f) const { return b == 0 ? f : Vec3((Z - x).cross(f)); }
    Mat3 load_of(int b, const Mat3& df) const { return b == 0 ? df : Mat3(skew(Z - x) * df); }
    Mat3 load_derivative(int a, int b, const Vec3& f, const Mat3& df) const
    {
        if (a == 0 || b == 0)
            return load_of(a, df);
        return skew(Z - x) * df - skew(f) * motion(1);
    }
};

/// A flat patch of a block that floats without turning: one block of unknowns, its place p.
struct FloatingPatch {
    static constexpr int block_count = 1;
    int id;
    Vec3 p, n;

    int block(int) const { return id; }
    Vec3 load(int, const Vec3&, const Vec3& f) const { return f; }
    Mat3 load_derivative(int, int, const Vec3&, const Vec3&, const Mat3&, const Mat3& df) const { return df; }

    SurfaceContact<1> relax(const Vec3& Z, const Vec3& X_local) const
    {
        const Mat3 nn = n * n.transpose(), tangential = Mat3::Identity() - nn;
        const Vec3 W = Z - nn * (Z - p);
        const PlaneRelaxation r = relax_plane(Z, p + X_local, W, n, mu);
        SurfaceContact<1> c{};
        c.Y = r.K;
        c.sticks = r.sticks;
        c.dY_dZ = r.dK_dZ + r.dK_dW * tangential;
        c.dY_dblock[0] = r.dK_dX + r.dK_dW * nn;
        return c;
    }
};

/// A fixed ground y < 0 without unknowns.
struct Ground {
    static constexpr int block_count = 0;
    int block(int) const { return -1; }
    Vec3 load(int, const Vec3&, const Vec3& f) const { return f; }
    Mat3 load_derivative(int, int, const Vec3&, const Vec3&, const Mat3&, const Mat3& df) const { return df; }

    SurfaceContact<0> relax(const Vec3& Z, const Vec3& X) const
    {
        const Mat3 flat = Vec3(1, 0, 1).asDiagonal();
        const PlaneRelaxation r = relax_plane(Z, X, flat * Z, Vec3::UnitY(), mu);
        SurfaceContact<0> c{};
        c.Y = r.K;
        c.sticks = r.sticks;
        c.dY_dZ = r.dK_dZ + r.dK_dW * flat;
        return c;
    }
};

/// The surface of a rigid block: block 0 its place p, block 1 its rotation vector theta, with the torque about p.
struct RigidSurface {
    static constexpr int block_count = 2;
    int first;
    Vec3 p, theta;
    LevelSet solid;
    RelaxationKind kind;

    int block(int b) const { return first + b; }
    Vec3 load(int b, const Vec3& Y, const Vec3& f) const { return b == 0 ? f : Vec3((Y - p).cross(f)); }
    Mat3 load_derivative(int b, int c, const Vec3& Y, const Vec3& f, const Mat3& dY, const Mat3& df) const
    {
        if (b == 0)
            return df;
        return skew(Y - p) * df - skew(f) * (c == 0 ? Mat3(dY - Mat3::Identity()) : dY);
    }

    SurfaceContact<2> relax(const Vec3& Z, int patch, const Vec3& X_local) const
    {
        const Mat3 R = rotation_exp(theta), J = left_jacobian(theta);
        const Vec3 U = R.transpose() * (Z - p);
        const SurfaceRelaxation r =
            relax_on_level_set(kind, solid, patch, U, project_to_surface(solid, patch, U), X_local, mu);
        SurfaceContact<2> c{};
        c.Y = p + R * r.Y;
        c.sticks = r.sticks;
        c.dY_dZ = R * r.dY_dZ * R.transpose();
        c.dY_dblock[0] = Mat3::Identity() - c.dY_dZ;
        c.dY_dblock[1] = c.dY_dZ * skew(Z - p) * J - skew(c.Y - p) * J;
        return c;
    }
};

/// Two stencils on shared nodes 0..5 against two patches, blocks 6 and 7.
class StencilScene {
public:
    using Batch = ContactBatch<Stencil, FloatingPatch>;
    static constexpr std::size_t blocks = 8;

    explicit StencilScene(Random& random)
        : n_{random.unit(), random.unit()}
    {
        positions = random.vectors(blocks);
        for (int c = 0; c < 3; ++c) {
            double sum = 0;
            for (double& w : w_[c])
                sum += w = random.uniform(0.1, 1);
            for (double& w : w_[c])
                w /= sum;
            // the patch so that the point lies 0.2 to 0.5 below it (both contacts of patch 0 share its place)
            const Vec3 Z = point(c, positions);
            if (c != 1)
                positions[6 + patch_[c]] = Z + random.uniform(0.2, 0.5) * n_[patch_[c]];
            const Vec3 t = n_[patch_[c]].cross(random.unit()).normalized();
            X_[c] = (c == 0 ? 0.05 : 0.8) * t; // the first sticks, the others slide
        }
    }

    std::vector<Vec3> positions;

    Batch batch(const std::vector<Vec3>& u) const
    {
        surfaces_ = {FloatingPatch{6, u[6], n_[0]}, FloatingPatch{7, u[7], n_[1]}};
        Batch b;
        for (int c = 0; c < 3; ++c) {
            const Vec3 Z = point(c, u);
            const FloatingPatch& s = surfaces_[patch_[c]];
            b.add(Stencil{nodes_[c], w_[c], Z}, s, s.relax(Z, X_[c]), stiffness * (c + 1));
        }
        return b;
    }

private:
    Vec3 point(int c, const std::vector<Vec3>& u) const
    {
        Vec3 Z = Vec3::Zero();
        for (int b = 0; b < 4; ++b)
            Z += w_[c][b] * u[nodes_[c][b]];
        return Z;
    }

    std::array<std::array<int, 4>, 3> nodes_{{{0, 1, 2, 3}, {1, 4, 3, 5}, {5, 2, 0, 4}}};
    std::array<int, 3> patch_{0, 0, 1};
    std::array<std::array<double, 4>, 3> w_;
    std::array<Vec3, 3> X_;
    std::array<Vec3, 2> n_;
    mutable std::array<FloatingPatch, 2> surfaces_; // a batch points to its surfaces
};

/// One rigid body with three samples on the ground, blocks 0 and 1.
class RigidScene {
public:
    using Batch = ContactBatch<RigidSample, Ground>;

    explicit RigidScene(Random& random)
        : positions{random.vector(0.3), random.vector(1.5)}
    {
        for (int c = 0; c < 3; ++c) {
            const Vec3 Z(random.uniform(-1, 1), random.uniform(-0.4, -0.2), random.uniform(-1, 1));
            z_[c] = rotation_exp(positions[1]).transpose() * (Z - positions[0]);
            const double away = c == 0 ? 0.03 : 0.5;
            X_[c] = Vec3(Z.x() + away, 0, Z.z() - 0.5 * away);
        }
    }

    std::vector<Vec3> positions;

    Batch batch(const std::vector<Vec3>& u) const
    {
        Batch b;
        for (int c = 0; c < 3; ++c) {
            const RigidSample point(0, u[0], u[1], z_[c]);
            b.add(point, ground_, ground_.relax(point.Z, X_[c]), stiffness);
        }
        return b;
    }

private:
    Ground ground_;
    std::array<Vec3, 3> z_, X_;
};

/// Three samples of a rigid body (blocks 0 and 1) on the surface of another one (blocks 2 and 3).
class TwoBodyScene {
public:
    using Batch = ContactBatch<RigidSample, RigidSurface>;
    TwoBodyScene(const LevelSet& solid, RelaxationKind kind, Random& random)
        : positions{random.vector(), random.vector(1.5), random.vector(), random.vector(1.5)}
        , solid_(solid)
        , kind_(kind)
    {
        const Mat3 R = rotation_exp(positions[3]);
        for (int c = 0; c < 3; ++c) {
            const SurfacePoint at = surface_point(solid, random);
            patch_[c] = at.patch;
            const double depth = random.uniform(0.03, 0.06), away = (c == 0 ? 0.1 : 1.6) * depth * mu;
            X_[c] = project_to_surface(solid, at.patch, at.X + away * tangent(at.n, random)).W;
            const Vec3 Z = positions[2] + R * (at.X - depth * at.n);
            z_[c] = rotation_exp(positions[1]).transpose() * (Z - positions[0]);
        }
    }

    std::vector<Vec3> positions;

    Batch batch(const std::vector<Vec3>& u) const
    {
        const RigidSurface& surface = surfaces_.emplace_back(RigidSurface{2, u[2], u[3], solid_, kind_});
        Batch b;
        for (int c = 0; c < 3; ++c) {
            const RigidSample point(0, u[0], u[1], z_[c]);
            b.add(point, surface, surface.relax(point.Z, patch_[c], X_[c]), stiffness * (c + 1));
        }
        return b;
    }

private:
    LevelSet solid_;
    RelaxationKind kind_;
    mutable std::list<RigidSurface> surfaces_; // each batch points to its own
    std::array<int, 3> patch_;
    std::array<Vec3, 3> z_, X_;
};

/// Calls check(scene) for bodies of every solid and both relaxations.
template <typename Check>
void for_two_bodies(Random& random, const Check& check)
{
    for (const auto& [_, solid] : solids())
        for (const RelaxationKind kind : {RelaxationKind::planar, RelaxationKind::exact_cone})
            for (int trial = 0; trial < 8; ++trial)
                check(TwoBodyScene(solid, kind, random));
}

template <typename Batch>
std::vector<Vec3> force_of(const Batch& batch, std::size_t blocks)
{
    std::vector<Vec3> f(blocks, Vec3::Zero());
    batch.add_force(f);
    return f;
}

template <typename Batch>
std::vector<Vec3> product(const Batch& batch, const std::vector<Vec3>& du, bool transposed)
{
    std::vector<Vec3> df(du.size(), Vec3::Zero());
    batch.add_force_differential(du, df, transposed);
    return df;
}

template <typename Batch>
Eigen::MatrixXd dense(const Batch& batch, std::size_t blocks)
{
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * blocks, 3 * blocks);
    batch.for_each_block([&](int row, int column, const Mat3& B) { D.block<3, 3>(3 * row, 3 * column) += B; });
    return D;
}

template <typename Scene>
void expect_consistent_derivatives(const Scene& scene, Random& random, double step = 1e-4)
{
    const std::size_t blocks = scene.positions.size();
    const auto batch = scene.batch(scene.positions);
    const auto f = [&](const std::vector<Vec3>& u) { return force_of(scene.batch(u), blocks); };
    const std::vector<Vec3> a = random.vectors(blocks), b = random.vectors(blocks);
    const std::vector<Vec3> Da = product(batch, a, false);
    EXPECT_NEAR_ALL(Da, difference_along(f, scene.positions, a, step), 1e-9);
    const Eigen::MatrixXd D = dense(batch, blocks);
    EXPECT_NEAR_ALL(D * detail::as_dense(a), detail::as_dense(Da), 1e-14);
    EXPECT_NEAR(dot_all(b, Da), dot_all(product(batch, b, true), a), 1e-13 * norm_all(b) * norm_all(Da));
    EXPECT_NEAR_ALL(D.transpose() * detail::as_dense(b), detail::as_dense(product(batch, b, true)), 1e-13);
}

TEST(ContactBatch, OfStencilsOnFloatingPatchesHasConsistentDerivatives)
{
    Random random(1);
    for (int trial = 0; trial < 50; ++trial)
        expect_consistent_derivatives(StencilScene(random), random);
}

TEST(ContactBatch, OfStencilsOnFloatingPatchesHasNoNetForce)
{
    Random random(2);
    for (int trial = 0; trial < 50; ++trial) {
        const StencilScene scene(random);
        const std::vector<Vec3> f = force_of(scene.batch(scene.positions), StencilScene::blocks);
        Vec3 sum = Vec3::Zero();
        for (const Vec3& one : f)
            sum += one;
        EXPECT_GT(norm_all(f), 1);
        EXPECT_LT(sum.norm(), 1e-13 * norm_all(f));
    }
}

TEST(ContactBatch, IsNotChangedByACommonShift)
{
    Random random(3);
    const StencilScene scene(random);
    const auto batch = scene.batch(scene.positions);
    const std::vector<Vec3> together(StencilScene::blocks, Vec3(0.3, -2, 1));
    EXPECT_LT(norm_all(product(batch, together, false)), 1e-12 * stiffness * 10);
    EXPECT_LT(norm_all(product(batch, together, true)), 1e-12 * stiffness * 10);
}

TEST(ContactBatch, OfRigidSamplesHasConsistentDerivativesWithTheirLeverArms)
{
    Random random(4);
    for (int trial = 0; trial < 50; ++trial)
        expect_consistent_derivatives(RigidScene(random), random);
}

TEST(ContactBatch, OfTwoRigidBodiesHasConsistentDerivativesWithTheLeverArmsOfBothSides)
{
    Random random(7);
    for_two_bodies(random, [&](const TwoBodyScene& scene) {
        const auto batch = scene.batch(scene.positions);
        EXPECT_TRUE(batch.contacts()[0].at.sticks && !batch.contacts()[1].at.sticks);
        expect_consistent_derivatives(scene, random, 1e-5);
    });
}

TEST(ContactBatch, OfTwoRigidBodiesHasNoNetForceAndNoNetTorque)
{
    Random random(9);
    for_two_bodies(random, [&](const TwoBodyScene& scene) {
        const std::vector<Vec3> f = force_of(scene.batch(scene.positions), 4), &at = scene.positions;
        EXPECT_GT(norm_all(f), 1);
        EXPECT_LT((f[0] + f[2]).norm(), 1e-13 * norm_all(f));
        EXPECT_LT((at[0].cross(f[0]) + f[1] + at[2].cross(f[2]) + f[3]).norm(), 1e-13 * norm_all(f)) << "about 0";
    });
}

TEST(ContactBatch, HoldsSpringAndForceOfEachContactInOrder)
{
    Random random(5);
    const StencilScene scene(random);
    const auto batch = scene.batch(scene.positions);
    ASSERT_EQ(batch.contacts().size(), 3u);
    for (int c = 0; c < 3; ++c) {
        const auto& contact = batch.contacts()[c];
        EXPECT_EQ(contact.k, stiffness * (c + 1));
        EXPECT_EQ(contact.j, contact.k * (contact.point.Z - contact.at.Y));
    }
    EXPECT_TRUE(batch.contacts()[0].at.sticks);
    EXPECT_EQ(batch.block(batch.contacts()[2], 0), 5);
    EXPECT_EQ(batch.block(batch.contacts()[2], 4), 7);
}

TEST(ContactBatch, IsEmptyAfterClear)
{
    Random random(6);
    const StencilScene scene(random);
    auto batch = scene.batch(scene.positions);
    batch.clear();
    EXPECT_TRUE(batch.contacts().empty());
    EXPECT_EQ(norm_all(force_of(batch, StencilScene::blocks)), 0);
}

} // namespace
} // namespace stickslip
