#pragma once

#include "stickslip/geometry/mesh/tet_shapes.h"
#include "stickslip/geometry/solids/grid_level_set.h"
#include "stickslip/math/rotation.h"
#include "stickslip/world/time_step.h"
#include "stickslip/world/world.h"

#include <cmath>
#include <memory>
#include <optional>

namespace stickslip::laws {

/// A cube on an inclined plane, started touching it exactly and sliding downhill.
struct Incline {
    double angle = 0.1; // [rad]
    double turned = 0; // [rad] of the cube about the plane's normal
    double edge = 0.2; // [m]
    int cells = 1; // per edge
    double density = 1, young = 1e6, poisson = 0.45;
    double gravity = 1.8;
    double friction = 0.12;
    double speed = 0.1; // [m/s] downhill at the start
    double dt = 0.01;
    bool exact_cone = false;
    std::optional<TriMesh> sheet = {}; // in place of the plane, over its y = 0
    bool is_solid = false; // the sheet: closed, met from outside

    Vec3 normal() const { return {std::sin(angle), std::cos(angle), 0}; }
    Vec3 downhill() const { return {std::cos(angle), -std::sin(angle), 0}; }
    double acceleration() const { return gravity * (std::sin(angle) - friction * std::cos(angle)); }
    /// What the solver's tolerance leaves open: a velocity error of 1e-6 g dt a step [m/s^2].
    double acceleration_error() const { return 1e-6 * gravity; }
    double stopping_time() const { return speed / -acceleration(); }
    double stopping_distance() const { return speed * speed / (-2 * acceleration()); }
};

/// The incline as a world with its state, stepped in place.
class InclineRun {
public:
    explicit InclineRun(const Incline& in)
        : in_(in)
    {
        TetMesh mesh = tetrahedralize(Box{Vec3::Constant(in.edge)}, in.edge / in.cells);
        const ElasticMaterial material =
            make_material(ElasticModel::fixed_corotated, in.density, in.young, in.poisson, 0);
        add_deformable(world_.deformables, "cube", mesh, material);
        finish(world_.deformables);
        world_.gravity = Vec3(0, -in.gravity, 0);
        Mat3 R;
        R << in.downhill(), in.normal(), in.downhill().cross(in.normal());
        world_.obstacles.push_back({.name = "plane", .solid = Plane{in.normal()}, .start = {}, .motion = {}});
        if (in.sheet) {
            Obstacle& plane = world_.obstacles.back();
            plane.solid = OpenSurface{bounds(in.sheet->vertices)};
            if (in.is_solid)
                plane.solid = build_grid_level_set(*in.sheet, {.spacing = 0.1});
            plane.by_triangles = in.is_solid;
            plane.start.R = R;
            plane.triangles = std::make_shared<const TriangulatedSurface>(*in.sheet, EdgeRule::smooth);
        }
        world_.relaxation = in.exact_cone ? RelaxationKind::exact_cone : RelaxationKind::planar;

        R = R * rotation_exp(Vec3(0, in.turned, 0));
        std::vector<Vec3> x;
        for (const Vec3& X : mesh.nodes)
            x.push_back(R * X + 0.5 * in.edge * in.normal());
        const std::vector<Vec3> v(x.size(), in.speed * in.downhill());
        world_.contact.friction = in.friction;
        world_.contact.automatic = {automatic_contact_stiffness(world_, 0, x), 0};
        state_ = initial_state(world_, x, v);
        StepOptions options;
        options.step = in.dt;
        options.newton.tolerance = automatic_tolerance(world_, in.dt);
        stepper_ = std::make_unique<TimeStepper>(world_, options);
        start_ = place();
    }

    StepReport step()
    {
        const StepReport report = stepper_->step(state_);
        newton += report.newton.iterations;
        krylov += report.newton.krylov_iterations;
        failures += static_cast<int>(report.failures.size());
        return report;
    }

    /// Steps until time t [s] (within half a step).
    void run_to(double t)
    {
        while (state_.time < t - 0.5 * in_.dt && step().done) { }
    }

    Vec3 place() const { return body_pose(world_, state_, 0).x; }
    Vec3 velocity() const { return body_pose(world_, state_, 0).v; }
    double distance() const { return (place() - start_).dot(in_.downhill()); }
    double speed() const { return velocity().dot(in_.downhill()); }
    const State& state() const { return state_; }
    const World& world() const { return world_; }
    const TimeStepper& stepper() const { return *stepper_; }

    int newton = 0, krylov = 0, failures = 0;

private:
    Incline in_;
    World world_;
    State state_;
    std::unique_ptr<TimeStepper> stepper_;
    Vec3 start_;
};

} // namespace stickslip::laws
