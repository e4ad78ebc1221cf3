#include "stickslip/export/exported_run.h"

#include "stickslip/export/ball_mesh.h"
#include "stickslip/export/text_files.h"
#include "stickslip/geometry/mesh/tri_mesh.h"

#include <gtest/gtest.h>

#include <numbers>

namespace stickslip::exported_run_test {
namespace {

TEST(PlainNames, AreIdentifiersAndDifferent)
{
    EXPECT_EQ(plain_names({"step 1", "step-1", "1st", "", "Körper", "step_1_2"}),
        (std::vector<std::string>{"step_1", "step_1_2", "_1st", "_", "K__rper", "step_1_2_2"}));
}

TEST(BallMesh, IsAClosedBall)
{
    const BallMesh ball = ball_mesh();
    const TriMesh mesh{.vertices = ball.points, .triangles = ball.triangles};
    EXPECT_TRUE(find_defects(mesh).empty());
    EXPECT_NEAR(enclosed_volume(mesh), 4 * std::numbers::pi / 3, 0.04 * 4 * std::numbers::pi / 3); // inscribed
    for (const Vec3& x : ball.points)
        EXPECT_NEAR(x.norm(), 1, 1e-15);
}

TEST(UsdaFile, EscapesNames)
{
    ExportedBody body{.name = "a \"b\" \\ \n", .colour = obstacle_colour()};
    body.points = {{Vec3(1, 2, 3)}};
    const std::string text = usda_file({.title = "t", .times = {0}, .bodies = {body}});
    EXPECT_NE(text.find("doc = \"a \\\"b\\\" \\\\  \""), std::string::npos) << text;
    EXPECT_NE(text.find("0: [(1, 2, 3)]"), std::string::npos) << text;
}

} // namespace
} // namespace stickslip::exported_run_test
