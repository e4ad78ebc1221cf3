#include "stickslip/geometry/mesh/tet_shapes.h"
#include "stickslip/world/time_step.h"

#include "support/boxes.h"

#include <gtest/gtest.h>

namespace stickslip::bending_test {
namespace {

/// How far the end of a cantilever of square section, with so many elements over its height, sinks under its weight,
/// over w L^4 / (8 E I) of a slender beam: w its weight per length, L ten times the height. Little, so that the law is
/// linear; long steps, which end at rest.
double sag(int elements)
{
    constexpr double length = 0.4, height = 0.04, density = 1000, young = 5e6, g = 0.1;
    World world;
    world.gravity = Vec3(0, -g, 0);
    world.deformables = one_body(tetrahedralize(Box{Vec3(length, height, height)}, height / elements),
        make_material(ElasticModel::neo_hookean, density, young, 0, 0));
    DeformableSet& set = world.deformables;
    set.pin_frames.push_back({});
    int end = 0; // node in the middle of the free end
    const Vec3 middle(length / 2, 0, 0);
    for (int i = 0; i < static_cast<int>(set.rest.size()); ++i) {
        if (set.rest[i].x() < -0.499 * length)
            set.pins.push_back({i, set.rest[i], 0});
        if ((set.rest[i] - middle).norm() < (set.rest[end] - middle).norm())
            end = i;
    }
    State state = initial_state(world, set.rest, std::vector<Vec3>(set.rest.size(), Vec3::Zero()));
    TimeStepper stepper(world, {.step = 10, .newton = {.tolerance = 1e-9}});
    for (int step = 0; step < 4; ++step)
        EXPECT_TRUE(stepper.step(state).done);
    const double section = height * height, inertia = section * section / 12;
    const double slender = density * g * section * std::pow(length, 4) / (8 * young * inertia);
    return (set.rest[end] - state.x[end]).y() / slender;
}

/// The table of docs/validation.md, of which `check` says a part.
TEST(Bending, ACantileverOfFewElementsSagsTooLittle)
{
    std::printf("elements over the height: sag over that of a slender beam\n");
    for (const auto& [elements, share] : {std::pair(1, 0.33), {2, 0.65}, {3, 0.81}, {4, 0.88}, {6, 0.95}}) {
        const double found = sag(elements);
        std::printf("%d: %.3f\n", elements, found);
        EXPECT_NEAR(found, share, 0.01) << elements;
    }
}

} // namespace
} // namespace stickslip::bending_test
