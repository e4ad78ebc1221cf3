// The tests that other engines were measured with (docs/validation.md#comparison-with-other-engines), run by this one:
// a block on a slope, a thrown ball, a stack of ten, a pile of a thousand boxes. `bench.h`, which holds tests and
// interface, comes from the folder STICKSLIP_PEERS that CMake is given.
//
//     peers [TESTS] [SECONDS]        TESTS out of abcd; SECONDS of processor time at most for the pile
#include "bench.h"

#include "stickslip/bodies/surface_samples.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/world/time_step.h"

namespace {

using namespace stickslip;

Vec3 vec(V3 a)
{
    return {a.x, a.y, a.z};
}
V3 v3(const Vec3& a)
{
    return {a.x(), a.y(), a.z()};
}

class Stickslip : public Engine {
public:
    void init(V3 g, double dt) override
    {
        world_.gravity = vec(g);
        dt_ = dt;
    }

    int box(double half, double density, V3 p, Q4 q, double mu) override
    {
        const Box shape{Vec3::Constant(2 * half)};
        RigidBody body;
        body.name = "box";
        body.solid = shape;
        body.mass = density * 8 * half * half * half;
        body.inertia = body.mass * 2 / 3 * half * half * Mat3::Identity();
        body.samples = surface_samples(triangulate(shape, 1), half, Vec3::Zero()); // as scenes do for equal boxes
        return add(body, p, q, {}, mu);
    }

    int sphere(double r, double density, V3 p, V3 v, double mu) override
    {
        RigidBody body;
        body.name = "ball";
        body.solid = Sphere{r};
        body.mass = density * 4 / 3 * PI * r * r * r;
        body.inertia = 0.4 * body.mass * r * r * Mat3::Identity();
        body.rounds.push_back({Vec3::Zero(), r});
        return add(body, p, {}, v, mu);
    }

    void plane(V3 n, double d, double mu) override
    {
        world_.contact.friction = mu;
        world_.obstacles.push_back({.name = "plane",
            .solid = Plane{vec(n)},
            .start = {d * vec(n), Mat3::Identity()},
            .motion = {},
            .samples = {},
            .surface_velocity = Vec3::Zero()});
    }

    void step() override
    {
        if (!stepper_)
            start();
        // a step whose solve failed is done in parts
        const double end = state_.time + dt_;
        while (state_.time < end - 1e-6 * dt_) {
            const StepReport report = stepper_->step(state_);
            failed_ += static_cast<int>(report.failures.size());
            newton_ += report.newton.iterations;
            if (!report.done) {
                std::fprintf(stderr, "the solver gave up at t = %g s\n", state_.time);
                std::exit(1);
            }
        }
        ++steps_;
    }

    ::State get(int i) override
    {
        const RigidState& s = stepper_ ? state_.rigid[i] : rigid_[i];
        return {v3(s.x), {s.R.w(), s.R.x(), s.R.y(), s.R.z()}, v3(s.v), v3(s.w)};
    }

    ~Stickslip() override
    {
        std::fprintf(stderr, "%d steps, %.2f Newton a step, %d failed solves\n", steps_,
            1.0 * newton_ / std::max(steps_, 1), failed_);
    }

private:
    int add(const RigidBody& body, V3 p, Q4 q, V3 v, double mu)
    {
        world_.contact.friction = mu;
        world_.rigids.push_back(body);
        RigidState state;
        state.x = vec(p);
        state.R = Quat(q.w, q.x, q.y, q.z).normalized();
        state.v = vec(v);
        state.a = world_.gravity;
        rigid_.push_back(state);
        return static_cast<int>(rigid_.size()) - 1;
    }

    void start()
    {
        world_.contact.automatic.assign(world_.rigids.size() + world_.obstacles.size(), 0);
        for (std::size_t b = 0; b < world_.rigids.size(); ++b)
            world_.contact.automatic[b] = automatic_rigid_stiffness(world_, static_cast<int>(b), dt_);
        state_ = initial_state(world_, {}, {}, rigid_);
        StepOptions options;
        options.step = dt_;
        options.newton.tolerance = automatic_tolerance(world_, dt_);
        stepper_ = std::make_unique<TimeStepper>(world_, options);
    }

    World world_;
    std::vector<RigidState> rigid_; // at the start
    stickslip::State state_;
    std::unique_ptr<TimeStepper> stepper_;
    double dt_ = 0;
    int steps_ = 0, newton_ = 0, failed_ = 0;
};

} // namespace

int main(int count, char** arguments)
{
    const std::string tests = count > 1 ? arguments[1] : "abcd";
    const double seconds = count > 2 ? std::atof(arguments[2]) : 600;
    std::string small = tests;
    small.erase(std::remove(small.begin(), small.end(), 'd'), small.end());
    const Maker make = [] { return std::make_unique<Stickslip>(); };
    runAll(make, {"stickslip", "default", 1 / 60.}, tests, 6, seconds);
    runAll(make, {"stickslip", "default", 1 / 240.}, small);
}
