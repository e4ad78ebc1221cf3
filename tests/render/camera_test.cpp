#include "stickslip/render/camera.h"

#include "stickslip/render/light_rig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace stickslip::camera_test {
namespace {

TEST(FitCamera, SeesAllPointsAndTouchesItsMargin)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<Vec3> points;
        for (int i = 0; i < 1 + trial % 9; ++i)
            points.emplace_back(number(random), number(random), 5 * number(random));
        const Vec3 up = Vec3(number(random), number(random), number(random)).normalized();
        const double aspect = 1.5 + number(random);
        const Camera camera = fit_camera(points, three_quarter_direction(up), up, aspect);
        const Eigen::Matrix4f clip = camera.projection(aspect, camera.target, 20);
        double farthest = 0;
        for (const Vec3& x : points) {
            const Eigen::Vector4f p = clip * x.homogeneous().cast<float>();
            EXPECT_GT(p.w(), 0);
            farthest = std::max<double>({farthest, std::abs(p.x() / p.w()), std::abs(p.y() / p.w())});
        }
        EXPECT_LT(farthest, 0.83);
        if (points.size() > 2) {
            EXPECT_GT(farthest, 0.75);
        }
    }
}

TEST(Camera, AxesAreOrthonormalAlsoStraightFromAbove)
{
    for (const Vec3& up : {Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(0.6, 0, 0.8)}) {
        const Camera camera{.eye = 3 * up, .target = Vec3::Zero(), .up = up};
        EXPECT_LT((camera.axes().transpose() * camera.axes() - Mat3::Identity()).norm(), 1e-12);
        EXPECT_NEAR(upright_axes(up).determinant(), 1, 1e-12);
    }
}

TEST(StudioLights, GiveOneToFlatGround)
{
    for (const Vec3& up : {Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0.6, 0, 0.8)}) {
        double sum = 0;
        for (const Light& light : studio_lights(up, 40, 40)) {
            EXPECT_NEAR(light.direction.norm(), 1, 1e-12);
            EXPECT_GT(light.direction.dot(up), 0);
            sum += light.weight * light.direction.dot(up);
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

} // namespace
} // namespace stickslip::camera_test
