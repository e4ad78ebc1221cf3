#include "stickslip/render/hidden_balls.h"

#include "stickslip/render/camera.h"

#include <gtest/gtest.h>

#include <random>

namespace stickslip::hidden_balls_test {
namespace {

constexpr int width = 160, height = 90;

/// What an eye on the z axis sees of balls: rays through the pixels against each ball.
DepthPicture picture_of(
    const std::vector<DrawnSphere>& balls, const Camera& camera, const Eigen::Matrix4f& clip, std::vector<bool>& seen)
{
    DepthPicture picture{width, height, std::vector<float>(width * height, 1)};
    const Eigen::Matrix4f back = clip.inverse();
    seen.assign(balls.size(), false);
    for (int i = 0; i < width * height; ++i) {
        const Eigen::Vector3f pixel(2 * (static_cast<float>(i % width) + 0.5f) / width - 1,
            2 * (static_cast<float>(i / width) + 0.5f) / height - 1, 1);
        const Eigen::Vector3f eye = camera.eye.cast<float>();
        const Eigen::Vector3f ray = ((back * pixel.homogeneous()).hnormalized() - eye).normalized();
        int first = -1;
        for (std::size_t b = 0; b < balls.size(); ++b) {
            const Eigen::Vector3f from = eye - balls[b].centre;
            const float along = -from.dot(ray), miss2 = (from + along * ray).squaredNorm();
            const float r = balls[b].radius;
            if (miss2 >= r * r)
                continue;
            const Eigen::Vector3f place = eye + (along - std::sqrt(r * r - miss2)) * ray;
            const Eigen::Vector4f at = clip * place.homogeneous();
            const float depth = 0.5f * at.z() / at.w() + 0.5f;
            if (depth < picture.depths[static_cast<std::size_t>(i)]) {
                picture.depths[static_cast<std::size_t>(i)] = depth;
                first = static_cast<int>(b);
            }
        }
        if (first >= 0)
            seen[static_cast<std::size_t>(first)] = true;
    }
    return picture;
}

TEST(HiddenBalls, InAHeapMostAreHiddenAndNoneThatIsSeen)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<float> number(-1, 1);
    std::vector<DrawnSphere> balls;
    for (int i = 0; i < 3000; ++i)
        balls.push_back({{number(random), 0.5f * number(random), 0.5f * number(random)}, 0.06f, Colour::Zero()});
    const Camera camera{.eye = Vec3(0, 0, 3), .target = Vec3::Zero(), .up = Vec3(0, 1, 0)};
    const Eigen::Matrix4f clip = camera.projection(static_cast<double>(width) / height, Vec3::Zero(), 5);
    std::vector<bool> seen;
    const DepthPicture picture = picture_of(balls, camera, clip, seen);
    const std::vector<bool> in_sight = balls_in_sight(balls, clip, picture);
    for (std::size_t b = 0; b < balls.size(); ++b)
        EXPECT_LE(seen[b], in_sight[b]) << b;
    EXPECT_LT(std::count(in_sight.begin(), in_sight.end(), true), 1500);
    EXPECT_GT(std::count(seen.begin(), seen.end(), true), 100);
}

TEST(HiddenBalls, OneAroundTheEyeIsInSight)
{
    const Camera camera{.eye = Vec3(0, 0, 3), .target = Vec3::Zero(), .up = Vec3(0, 1, 0)};
    const Eigen::Matrix4f clip = camera.projection(1, Vec3::Zero(), 5);
    const DepthPicture near{16, 16, std::vector<float>(16 * 16, 0)};
    EXPECT_EQ(balls_in_sight({{{0, 0, 3}, 0.5f, Colour::Zero()}, {{0, 0, 0}, 0.5f, Colour::Zero()}}, clip, near),
        (std::vector<bool>{true, false}));
}

} // namespace
} // namespace stickslip::hidden_balls_test
