// Boxes whose edges have crossed unfelt, so that their contacts press against each other, come apart where a depth is
// allowed that they exceed.

#include "laws/rigid_world.h"

#include "geometry/closed_meshes.h"

#include "stickslip/math/rotation.h"
#include "stickslip/world/diagnostics.h"

#include <gtest/gtest.h>

namespace stickslip::laws {
namespace {

constexpr double dt = 1.0 / 60, half = 0.1;

/// Two cubes side by side, each with a top corner `width` behind the other's side, and as they dip towards each other
/// also `width sin(dip)` under its top, to which springs attach it: they hold the two in each other.
struct Interlocked {
    RigidWorld w{dt, Vec3::Zero()};
    State state;

    /// `as_meshes`: as convex polyhedra.
    Interlocked(double width, double dip, bool as_meshes)
    {
        add(Vec3(half, half, half), Vec3(width / 2, 0, half), -dip);
        add(Vec3(-half, half, -half), Vec3(-width / 2, 0, half - 0.17), dip);
        if (as_meshes)
            for (RigidBody& body : w.world.rigids)
                body.solid = ConvexPolyhedron::from_mesh(cube_mesh(2 * half));
        state = w.start(0.5);
        attach(0, 1);
        attach(1, 0);
        std::sort(state.attachments.begin(), state.attachments.end());
    }

    void add(const Vec3& corner, const Vec3& place, double angle)
    {
        const Mat3 R = rotation_exp(Vec3(0, 0, angle));
        w.box(Vec3::Constant(2 * half), 1000, place - R * corner, R);
        std::fill_n(w.world.rigids.back().fixed.begin() + 3, 3, true); // as neighbours in a pile keep them from turning
    }

    void attach(int point_body, int surface_body)
    {
        const RigidState &p = state.rigid[point_body], &s = state.rigid[surface_body];
        const RigidBody& body = w.world.rigids[point_body];
        const int top = nearest_patch(w.world.rigids[surface_body].solid, Vec3(0, 0.9 * half, 0));
        for (int i = 0; i < static_cast<int>(body.samples.size()); ++i) {
            const Vec3 U = s.R.conjugate() * (p.R * body.samples[i].z + p.x - s.x);
            if (signed_distance(w.world.rigids[surface_body].solid, U) < 0)
                state.attachments.push_back({.point_body = point_body,
                    .surface_body = surface_body,
                    .point = i,
                    .patch = top,
                    .X = Vec3(U.x(), half, U.z()),
                    .stiffness_scale = 25}); // grown in vain
        }
    }

    /// The deepest that a corner of either is in the other [m].
    double overlap() const
    {
        double depth = 0;
        for (int p = 0; p < 2; ++p) {
            const RigidState &own = state.rigid[p], &other = state.rigid[1 - p];
            for (const SurfaceSample& sample : w.world.rigids[p].samples) {
                const Vec3 U = other.R.conjugate() * (own.R * sample.z + own.x - other.x);
                depth = std::max(depth, -signed_distance(w.world.rigids[1 - p].solid, U));
            }
        }
        return depth;
    }
};

double deepest(const TimeStepper& stepper)
{
    double depth = 0;
    stepper.system().contacts().for_each_contact([&](const Contact& c) { depth = std::max(depth, c.at.depth); });
    return depth;
}

TEST(InterlockedPairs, ComeApart)
{
    for (const auto& [width, dip, as_meshes] : {std::tuple(0.004, 0.1, false), std::tuple(0.004, 0.3, true),
             std::tuple(0.01, 0.1, true), std::tuple(0.01, 0.3, false), std::tuple(0.03, 0.1, true),
             std::tuple(0.03, 0.3, false), std::tuple(0.03, 0.3, true)}) {
        SCOPED_TRACE(testing::Message() << width << " m wide, " << dip << " rad" << (as_meshes ? ", meshes" : ""));
        Interlocked pair(width, dip, as_meshes);
        ASSERT_EQ(pair.state.attachments.size(), 2u);
        pair.w.world.contact.penetration = 0.1 * width * std::sin(dip);
        TimeStepper stepper(pair.w.world, pair.w.options());
        const double held = energies(pair.w.world, pair.state).contact;
        double taken = 0, fastest = 0;
        for (int n = 0; n < 300; ++n) {
            const State before = pair.state;
            const StepReport report = stepper.step(pair.state);
            ASSERT_TRUE(report.done);
            const Energies was = energies(pair.w.world, before), is = energies(pair.w.world, pair.state);
            ASSERT_NEAR(report.balance.change, is.total() - was.total(), 1e-12);
            ASSERT_LT(std::abs(report.balance.energy_error), 1e-9);
            taken -= report.balance.stiffening_work;
            fastest = std::max(fastest, is.kinetic);
        }
        EXPECT_LT(deepest(stepper), pair.w.world.contact.penetration * (1 + 1e-9));
        EXPECT_GT(taken, 0.5 * held) << "what held the two is told in the account";
        EXPECT_LT(fastest, 0.15 * held) << "they are not shot apart";
        EXPECT_LT(pair.overlap(), pair.w.world.contact.penetration * (1 + 1e-9)) << "felt or not";
    }
}

} // namespace
} // namespace stickslip::laws
