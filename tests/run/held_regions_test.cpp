#include "stickslip/files/atomic_file.h"
#include "stickslip/math/rotation.h"
#include "stickslip/simulation/simulation.h"
#include "stickslip/simulation/simulation_parts.h"
#include "support/finished_run.h"

#include <algorithm>
#include <cmath>
#include <numbers>

/// Regions of `fix`: about what they turn, and what holds each of them.
namespace stickslip::held_regions_test {
namespace {

struct Row {
    double time;
    std::string body, region;
    Vec3 force, torque, x;
};

std::vector<Row> reactions(const std::filesystem::path& run)
{
    std::vector<Row> rows;
    for (const std::vector<std::string>& cells : csv_rows(read_file(run / "reactions.csv"))) {
        if (cells[0] == "time")
            continue;
        const auto vector = [&](std::size_t i) {
            return Vec3(std::stod(cells[i]), std::stod(cells[i + 1]), std::stod(cells[i + 2]));
        };
        rows.push_back({std::stod(cells[0]), cells[1], cells[2], vector(3), vector(6), vector(9)});
    }
    return rows;
}

Row last_of(const std::vector<Row>& rows, const std::string& body, const std::string& region)
{
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        if (row->body == body && row->region == region)
            return *row;
    ADD_FAILURE() << "no row of " << body << ", " << region;
    return {};
}

std::string between(double low, double high, int axis)
{
    const std::string far = "9, ";
    std::string min, max;
    for (int i = 0; i < 3; ++i) {
        min += i == axis ? std::to_string(low) + ", " : "-" + far;
        max += i == axis ? std::to_string(high) + ", " : far;
    }
    return "box: {min: [" + min.substr(0, min.size() - 2) + "], max: [" + max.substr(0, max.size() - 2) + "]}";
}

std::string scene_with(const std::string& body, const std::string& material, double end, double step)
{
    return "stickslip: 1\ntime: {step: " + std::to_string(step) + ", end: " + std::to_string(end)
        + ", frame: 0.1}\noutput: {checkpoint: 0.1}\nmaterials: {gum: {" + material
        + "}}\nsolver: {tolerance: 1e-9}\nbodies:\n  - {name: bar, kind: deformable, material: gum, " + body + "}\n";
}

/// A bar along y, 1 m long, that hangs between what its regions hold.
std::string hanging(const std::string& regions)
{
    return "shape: {box: [0.25, 1, 0.25]}, resolution: 0.25, fix: [" + regions + "]";
}
const std::string no_poisson = "density: 1000, young: 1e7, poisson: 0, model: linear, damping: 0.02";

/// A wheel about z, whose region is off its middle.
std::string wheel(const std::string& motion)
{
    return "shape: {cylinder: {radius: 0.15, height: 0.08}}, resolution: 0.05, rotation: {axis: [1, 0, 0], degrees: "
           "90}, position: [0, 0.145, 0], fix: [{name: axle, box: {min: [-0.06, 0.085, -1], max: [0.061, 0.3, 1]}, "
           "motion: {"
        + motion + "}}]";
}
const std::string soft = "density: 1000, young: 1e6, poisson: 0.3";

// Each held node goes by the rotation about the axle, which goes by the velocity: by all kinds of motion.
TEST(HeldRegions, TurnAboutTheCentreThatIsGiven)
{
    struct Case {
        std::string motion;
        double end;
        Vec3 shift, turn; // [m], [rad] at the end
    };
    const double pi = std::numbers::pi;
    const Vec3 axle(0, 0.145, 0);
    for (const Case& c : {Case{"velocity: [0.5, 0, 0], angular_velocity: [0, 0, -3.5], about: [0, 0.145, 0]", 0.4,
                              Vec3(0.2, 0, 0), Vec3(0, 0, -1.4)},
             Case{"keyframes: [{time: 0}, {time: 0.4, position: [0, 0.1, 0], rotation: {axis: [0, 0, 1], degrees: "
                  "90}}], about: [0, 0.145, 0]",
                 0.4, Vec3(0, 0.1, 0), Vec3(0, 0, pi / 2)},
             Case{"oscillations: [{turn: {axis: [0, 0, 1], degrees: 20}, frequency: 0.5}], about: [0, 0.145, 0]", 0.5,
                 Vec3::Zero(), Vec3(0, 0, pi / 9)}}) {
        Scene scene;
        const RunsInAFolder runs;
        BuildResult built = runs.build_without_warnings(scene_with(wheel(c.motion), soft, c.end, 0.05), scene);
        Simulation simulation(scene, std::move(built.built), {});
        const std::vector<Vec3> start = simulation.parts().implicit->state().x;
        ASSERT_EQ(simulation.run(c.end), RunStatus::done);
        const std::vector<Vec3>& x = simulation.parts().implicit->state().x;
        const std::vector<Pin>& pins = simulation.parts().built.world.deformables.pins;
        ASSERT_GT(pins.size(), 10u);
        Vec3 mean = Vec3::Zero();
        for (const Pin& pin : pins) {
            mean += (start[pin.node] - axle) / static_cast<double>(pins.size());
            const Vec3 expected = axle + c.shift + rotation_exp(c.turn) * (start[pin.node] - axle);
            EXPECT_LT((x[pin.node] - expected).norm(), 1e-12) << c.motion;
        }
        EXPECT_GT(mean.norm(), 1e-4) << "the region must be off the axle for this test to tell anything";
    }
}

TEST(HeldRegions, TurnAboutTheMeanOfTheirNodesByDefaultAndSaySo)
{
    const RunsInAFolder runs;
    const auto note = [&](const std::string& motion) {
        Scene scene;
        for (const std::string& text :
            runs.build_without_warnings(scene_with(wheel(motion), soft, 0.1, 0.05), scene).built.notes)
            if (text.find("turns about") != std::string::npos)
                return text;
        return std::string();
    };
    const std::string told = note("angular_velocity: [0, 0, 1]");
    EXPECT_EQ(told.find("bar: fix[0] turns about ("), 0u) << told;
    EXPECT_NE(told.find("; `motion.about` sets another centre"), std::string::npos) << told;
    EXPECT_EQ(note("angular_velocity: [0, 0, 1], about: [0, 0.145, 0]"), "");
    EXPECT_EQ(note("velocity: [0, 0, 1]"), "");
    EXPECT_EQ(note("keyframes: [{time: 0}, {time: 1, position: [0, 1, 0]}]"), "");
    EXPECT_NE(note("keyframes: [{time: 0}, {time: 1, rotation: {axis: [0, 0, 1], degrees: 3}}]"), "");
    EXPECT_NE(note("oscillations: [{turn: {axis: [0, 0, 1], degrees: 3}, frequency: 1}]"), "");
}

// Betti: a clamp bears of each weight what the weight goes down by when the clamp goes down by one and the others stay,
// which is linear along a bar that cannot bulge. Clamps at both ends bear half each; one at the top and one at a
// quarter of the height 3/8 and 5/8.
TEST(HeldRegions, OfAHangingBarShareItsWeightByEquilibrium)
{
    const double weight = 1000 * 0.0625 * 9.81;
    const std::string top = "{name: top, " + between(0.49, 1, 1) + "}", foot = "{name: foot, " + between(-1, -0.49, 1);
    const std::string quarter = "{name: quarter, " + between(-0.26, -0.24, 1) + "}";
    struct Case {
        std::string regions, other;
        double top, rest;
    };
    for (const Case& c :
        {Case{top + ", " + foot + "}", "foot", 0.5, 0.5}, Case{quarter + ", " + top, "quarter", 0.375, 0.625}}) {
        const RunsInAFolder runs;
        ASSERT_EQ(runs.run(scene_with(hanging(c.regions), no_poisson, 3, 0.1), "out").status, RunStatus::done);
        const std::vector<Row> rows = reactions(runs.folder.path() / "out");
        const Row up = last_of(rows, "bar", "top"), down = last_of(rows, "bar", c.other);
        EXPECT_NEAR(up.force.y(), c.top * weight, 1e-6 * weight);
        EXPECT_NEAR(down.force.y(), c.rest * weight, 1e-6 * weight);
        EXPECT_NEAR(up.x.y(), 0.5, 1e-12);
    }
}

// A square bar, clamped at both ends, one of them turned: T = G J angle/L, J = 0.1406 a^4 (Saint-Venant). The error of
// linear elements goes with the square of their size; clamped ends do not warp, which shortens the bar a little.
TEST(HeldRegions, OfATwistedBarBearOppositeTorques)
{
    const RunsInAFolder runs;
    const auto torque = [&](double resolution) {
        const std::string bar = "shape: {box: [0.8, 0.1, 0.1]}, resolution: " + std::to_string(resolution)
            + ", fix: [{name: left, " + between(-1, -0.399, 0) + "}, {name: right, " + between(0.399, 1, 0)
            + ", motion: {keyframes: [{time: 0}, {time: 0.2, rotation: {axis: [1, 0, 0], degrees: 4}}], about: [0.4, "
              "0, 0]}}]";
        const std::string text = scene_with(bar, "density: 1000, young: 1e6, poisson: 0.3, damping: 0.02", 1.5, 0.1)
            + "gravity: [0, 0, 0]\n";
        EXPECT_EQ(runs.run(text, "out", {.force = true}).status, RunStatus::done);
        const std::vector<Row> rows = reactions(runs.folder.path() / "out");
        const Row left = last_of(rows, "bar", "left"), right = last_of(rows, "bar", "right");
        EXPECT_NEAR(right.torque.x(), -left.torque.x(), 1e-6 * right.torque.x());
        EXPECT_LT((right.x - Vec3(0.4, 0, 0)).norm(), 1e-12);
        return right.torque.x();
    };
    const double coarse = torque(0.025), fine = torque(0.0125);
    const double angle = 4 * std::numbers::pi / 180, G = 1e6 / 2.6;
    const double exact = G * 0.1406 * 1e-4 * angle / 0.8;
    EXPECT_NEAR(fine - (coarse - fine) / 3, exact, 0.02 * exact);
}

// Force and torque about the centre of mass, in every step of a motion that is not slow.
TEST(HeldRegions, AddUpToWhatHoldsTheBody)
{
    const RunsInAFolder runs;
    const std::string bar = "shape: {box: [0.4, 0.1, 0.1]}, resolution: 0.05, fix: [{name: left, "
        + between(-1, -0.19, 0) + "}, {name: right, " + between(0.19, 1, 0)
        + ", motion: {velocity: [0.1, 0.2, 0], angular_velocity: [1, 0, 2], about: [0.3, 0.1, 0]}}]";
    ASSERT_EQ(runs.run(scene_with(bar, soft, 0.2, 0.02), "out").status, RunStatus::done);
    const std::vector<Row> rows = reactions(runs.folder.path() / "out");
    ASSERT_EQ(rows.size(), 30u);
    for (std::size_t i = 0; i < rows.size(); i += 3) {
        const Row &all = rows[i], &left = rows[i + 1], &right = rows[i + 2];
        EXPECT_EQ(all.region + left.region + right.region, "leftright");
        EXPECT_LT((left.force + right.force - all.force).norm(), 1e-12 * left.force.norm());
        const auto about_all = [&](const Row& r) { return Vec3(r.torque + (r.x - all.x).cross(r.force)); };
        EXPECT_LT((about_all(left) + about_all(right) - all.torque).norm(), 1e-11 * about_all(left).norm());
        EXPECT_LT((right.x - Vec3(0.3, 0.1, 0) - right.time * Vec3(0.1, 0.2, 0)).norm(), 1e-12);
    }
}

TEST(HeldRegions, WithoutANameCountInTheSumAlone)
{
    const RunsInAFolder runs;
    const std::string top = between(0.49, 1, 1), foot = between(-1, -0.49, 1);
    const auto table = [&](const std::string& regions) {
        runs.run(scene_with(hanging(regions), no_poisson, 0.1, 0.1), "out", {.force = true});
        return csv_rows(read_file(runs.folder.path() / "out" / "reactions.csv"));
    };
    const auto plain = table("{" + top + "}, {" + foot + "}"),
               named = table("{" + top + "}, {name: foot, " + foot + "}");
    EXPECT_EQ(plain[0], (std::vector<std::string>{"time", "body", "fx", "fy", "fz", "tx", "ty", "tz"}));
    ASSERT_EQ(plain.size(), 2u);
    EXPECT_EQ(named[0],
        (std::vector<std::string>{"time", "body", "region", "fx", "fy", "fz", "tx", "ty", "tz", "x", "y", "z"}));
    ASSERT_EQ(named.size(), 3u);
    EXPECT_EQ(named[1][2], "");
    EXPECT_EQ(named[2][2], "foot");
    EXPECT_TRUE(std::equal(plain[1].begin() + 2, plain[1].end(), named[1].begin() + 3)) << "the sum is the same";
}

TEST(HeldRegions, AreToldTheSameAfterAStop)
{
    const RunsInAFolder runs;
    const auto scene = [](double end) {
        return scene_with(
            wheel("velocity: [0.5, 0, 0], angular_velocity: [0, 0, -3], about: [0, 0.145, 0]"), soft, end, 0.02);
    };
    const auto table = [&](const char* name) { return read_file(runs.folder.path() / name / "reactions.csv"); };
    runs.run(scene(0.4), "whole");
    runs.run(scene(0.26), "parts");
    EXPECT_LT(table("parts").size(), table("whole").size());
    runs.run(scene(0.4), "parts", {.resume = true});
    EXPECT_EQ(table("parts"), table("whole"));
}

} // namespace
} // namespace stickslip::held_regions_test
