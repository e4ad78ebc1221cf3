#include "laws/rigid_world.h"

#include "geometry/closed_meshes.h"
#include "stickslip/math/rotation.h"

#include <gtest/gtest.h>

namespace stickslip::laws::sampled_slab_test {
namespace {

constexpr double g = 9.81, mu = 0.3, dt = 0.005;
const Vec3 slab_size(2, 0.2, 1.2), box_size(0.2, 0.1, 0.15); // [m]

/// A box laid onto the top, y = 0, of a slab that is sampled from its mesh, the whole turned by `angle` [rad] about z.
struct BoxOnSlab {
    RigidWorld world{dt};
    Mat3 R;

    BoxOnSlab(double spacing, double angle, double x, double z, double turn)
        : R(rotation_exp(Vec3(0, 0, -angle)))
    {
        TriMesh slab = cube_mesh(1);
        for (Vec3& X : slab.vertices)
            X = X.cwiseProduct(slab_size) - Vec3(0, slab_size.y() / 2, 0);
        world.plane(Vec3::UnitY());
        Obstacle& obstacle = world.world.obstacles.back();
        obstacle.solid = build_grid_level_set(slab, {.spacing = spacing});
        obstacle.start.R = R;
        world.box(box_size, 700, R * Vec3(x, box_size.y() / 2, z), R * rotation_exp(Vec3(0, turn, 0)));
    }
    Vec3 downhill() const { return R.col(0); }
};

/// Calls test(spacing, x, z, turn): spacings from a tenth to just below half of the slab's thickness, places all over
/// a cell.
template <typename Test>
void for_spacings_and_places(const Test& test)
{
    for (int i = 0; i < 20; ++i) {
        const double spacing = 0.02 + 0.0037 * i;
        SCOPED_TRACE("spacing " + std::to_string(spacing));
        test(spacing, -0.3 + 0.37 * i * spacing, 0.2 * std::sin(i), 0.31 * i);
        if (testing::Test::HasFatalFailure())
            return;
    }
}

TEST(SampledSlab, ABoxRestsOnIt)
{
    for_spacings_and_places([](double spacing, double x, double z, double turn) {
        BoxOnSlab scene(spacing, 0, x, z, turn);
        State state = scene.world.start(mu);
        TimeStepper stepper(scene.world.world, scene.world.options());
        run_to(stepper, state, 0.5);
        const Vec3 before = state.rigid[0].x;
        run_to(stepper, state, 0.75);
        EXPECT_NEAR(before.y(), box_size.y() / 2, 0.2 * spacing);
        EXPECT_LT((state.rigid[0].x - before).norm(), 1e-6);
    });
}

TEST(SampledSlab, ABoxSlidesDownItAtTheRightAcceleration)
{
    const double angle = M_PI / 9, exact = g * (std::sin(angle) - mu * std::cos(angle)); // 0.58970 m/s^2
    for_spacings_and_places([&](double spacing, double x, double z, double turn) {
        BoxOnSlab scene(spacing, angle, x, z, turn);
        State state = scene.world.start(mu);
        TimeStepper stepper(scene.world.world, scene.world.options());
        run_to(stepper, state, 0.3);
        const Vec3 before = state.rigid[0].v;
        const double t = state.time;
        run_to(stepper, state, 0.5);
        // the kink of the distance halfway through ripples to the surface where the slab is few cells thick
        const double slope = (spacing <= slab_size.y() / 4 ? 1e-4 : 3e-4) * g;
        EXPECT_NEAR((state.rigid[0].v - before).dot(scene.downhill()) / (state.time - t), exact, slope);
    });
}

} // namespace
} // namespace stickslip::laws::sampled_slab_test
