#include "stickslip/bodies/elastic.h"
#include "stickslip/files/csv.h"
#include "stickslip/math/stopwatch.h"
#include "stickslip/run/output/frames.h"
#include "stickslip/run/output/probes.h"
#include "stickslip/run/run_folder.h"
#include "stickslip/run/run_remarks.h"
#include "stickslip/run/run_watch.h"
#include "stickslip/run/simulation.h"
#include "stickslip/scene/text/wording.h"
#include "stickslip/world/diagnostics.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

std::string balance_header()
{
    return csv_header({"time", "change", "external_work", "stiffening_work", "inertia_loss", "elastic_loss",
        "geometric_loss", "viscous_loss", "friction_loss", "contact_loss", "energy_error", "momentum_error_x",
        "momentum_error_y", "momentum_error_z", "angular_error_x", "angular_error_y", "angular_error_z",
        "angular_backward_euler_x", "angular_backward_euler_y", "angular_backward_euler_z"});
}

std::string contacts_header()
{
    return csv_header({"time", "point_body", "surface_body", "node", "x", "y", "z", "nx", "ny", "nz", "fx", "fy", "fz",
        "depth", "state"});
}

std::string solves_header()
{
    return csv_header({"time", "dt", "status", "tries", "newton", "krylov", "descent_steps", "evaluations", "residual",
        "evaluation", "assembly", "linear_solve"});
}

StepOptions watched(StepOptions options, const StepWatch& watch)
{
    options.newton.stop = watch.stop;
    options.watch = watch.progress;
    return options;
}

class ImplicitSimulation : public Simulation {
public:
    ImplicitSimulation(
        const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder, const StepWatch& watch)
        : scene_(scene)
        , built_(built)
        , folder_(folder)
        , stepper_(built.world, watched(built.options, watch))
        , expectations_(scene, built)
        , probes_(scene, built)
        , watch_(built.world, built.state, scene.time)
        , state_(built.state)
    {
    }

    double time() const override { return state_.time; }
    double step() const override { return built_.options.step; }

    std::map<std::string, std::string> tables() const override
    {
        std::map<std::string, std::string> headers{{"history.csv", history_header()}, {"bodies.csv", bodies_header()},
            {"balance.csv", balance_header()}, {"solves.csv", solves_header()}};
        if (scene_.output.contacts)
            headers["contacts.csv"] = contacts_header();
        if (!probes_.empty())
            headers["probes.csv"] = Probes::header();
        return headers;
    }

    RunStatus advance(double, RunTotals& totals, const Say& say) override
    {
        const State before = state_;
        step_began_ = state_.time;
        step_ = stepper_.step(state_);
        has_contacts_ = step_.done;
        add_seconds(totals); // also of a step that is taken again when the run goes on, as in wall_time
        if (step_.stopped) // it fails again, if it does, when the run goes on
            return RunStatus::interrupted;
        for (const FailedSolve& f : step_.failures)
            say(formatted("t = %.9g s: solve with dt = %.6g s did not converge (%s after %d iterations in %d tries, "
                          "residual %.3g "
                          "m/s); %s",
                f.time, f.dt, to_string(f.newton.status), f.newton.iterations, f.newton.tries, f.newton.residual,
                what_follows(f)));
        if (!step_.done) {
            say(why_given_up(totals));
            return RunStatus::failed;
        }
        add_counts(totals);
        const Stopwatch watch(totals.stage_seconds["balance"]);
        if (!watch_.take_step(before, state_, stepper_.system().contacts(), totals, say)) {
            state_ = before;
            has_contacts_ = false;
            return RunStatus::failed;
        }
        watch_gains(
            energies(built_.world, before), energies(built_.world, state_), step_.balance, state_.time, totals, say);
        add_step(totals);
        expectations_.watch(state_, stepper_.system(), step_, totals);
        return RunStatus::done;
    }

    bool write_rows(RunFolder& folder, RunTotals& totals, const Say&) override
    {
        const Energies e = energies(built_.world, state_);
        const Momentum m = momentum(built_.world, state_);
        const NewtonReport costs = step_.costs();
        CsvRow row;
        row.add(state_.time)
            .add(step_.dt)
            .add(costs.iterations)
            .add(costs.krylov_iterations)
            .add(step_.newton.residual);
        row.add(step_.contacts).add(step_.sticking).add(step_.sliding);
        row.add(e.kinetic).add(e.potential).add(e.elastic).add(e.contact).add(totals.friction_loss);
        row.add(m.linear).add(m.angular).add(step_.max_penetration).add(totals.wall_time);
        folder.append("history.csv", row.take());

        const StepBalance& b = step_.balance;
        row.add(state_.time)
            .add(b.change)
            .add(b.external_work)
            .add(b.stiffening_work)
            .add(b.inertia_loss)
            .add(b.elastic_loss);
        row.add(b.geometric_loss)
            .add(b.viscous_loss)
            .add(b.friction_loss)
            .add(b.contact_loss)
            .add(b.energy_error)
            .add(b.momentum_error);
        row.add(b.angular_error).add(b.angular_backward_euler);
        folder.append("balance.csv", row.take());
        write_solves(folder);
        if (!probes_.empty())
            folder.append("probes.csv", probes_.rows(state_.time, probes_.read(stepper_.system())));
        return true;
    }

    void write_frame(RunFolder& folder) override
    {
        const BackwardEuler* system = has_contacts_ ? &stepper_.system() : nullptr;
        for (std::size_t i = 0; i < built_.bodies.size(); ++i)
            write_body(folder, i);
        if (scene_.output.contacts && system)
            write_contacts(folder, *system);
        folder.flush(); // who follows the run finds the rows of a frame with it
        if (!scene_.output.frames)
            return;
        if (!frames_)
            frames_.emplace(scene_, built_, folder_);
        folder.add_frame(state_.time, frames_->write(folder.frames_written(), state_, system));
    }

    void finish(RunFolder& folder, RunTotals& totals, const Say& say, const Say& recall) override
    {
        if (!step_.done) {
            write_solves(folder);
            add_counts(totals);
        }
        int inverted = 0;
        for (int t = 0; t < static_cast<int>(built_.world.deformables.tets.size()); ++t)
            inverted += smallest_volume_ratio(built_.world.deformables, state_.x, {t, t + 1}) <= 0;
        totals.numbers["inverted_elements"] = inverted;
        if (inverted > 0)
            say(formatted("t = %.9g s: %d elements are inverted", state_.time, inverted));
        if (has_contacts_) {
            watch_.look_closely(state_, stepper_.system().contacts(), totals, say);
            tell_of_depth(built_.world, state_, stepper_.system(), step_.max_penetration, totals, say);
        }
        tell_of_gains(totals, state_.time, say);
        watch_.tell_worst(totals, say, recall);
    }

    void save(Checkpoint& checkpoint) const override { checkpoint.state = state_; }
    void restore(const Checkpoint& checkpoint, RunTotals&) override { state_ = checkpoint.state; }
    std::string hash() const override { return state_hash(state_); }
    std::vector<ExpectationResult> judge(const RunTotals& totals, int status) const override
    {
        return expectations_.judge(state_, totals, status);
    }
    std::string progress() const override
    {
        return formatted("newton %d  gmres %d  contacts %d (%d stick)", step_.newton.iterations,
            step_.newton.krylov_iterations, step_.contacts, step_.sticking);
    }

private:
    // Of all solves of the step, also those thrown away.
    void add_counts(RunTotals& totals) const
    {
        const NewtonReport costs = step_.costs();
        totals.newton_iterations += costs.iterations;
        totals.krylov_iterations += costs.krylov_iterations;
        totals.numbers["evaluations"] += costs.evaluations;
        totals.numbers["descent_steps"] += costs.descent_steps;
        if (!step_.stopped)
            totals.failed_solves += step_.failures.size();
    }

    void add_seconds(RunTotals& totals) const
    {
        const NewtonReport costs = step_.costs();
        totals.stage_seconds["evaluation"] += costs.evaluation_seconds;
        totals.stage_seconds["assembly"] += costs.assembly_seconds;
        totals.stage_seconds["linear_solve"] += costs.linear_seconds;
        totals.stage_seconds["balance"] += step_.balance_seconds;
    }

    void add_step(RunTotals& totals) const
    {
        ++totals.steps;
        totals.friction_loss += step_.balance.friction_loss;
        totals.max_penetration = std::max(totals.max_penetration, step_.max_penetration);
        const auto keep_largest = [&](const char* name, double value) {
            totals.numbers[name] = std::max(totals.numbers[name], value);
        };
        keep_largest("largest_energy_error", std::abs(step_.balance.energy_error));
        keep_largest("largest_energy_rise", step_.balance.change - step_.balance.external_work);
        keep_largest("largest_momentum_error", step_.balance.momentum_error.norm());
    }

    const char* what_follows(const FailedSolve& f) const
    {
        if (step_.done)
            return "retrying with half the step";
        return step_.out_of_time && &f == &step_.failures.back() ? "no time is left" : "half the step";
    }

    std::string why_given_up(const RunTotals& totals) const
    {
        if (!step_.out_of_time)
            return formatted(
                "t = %.9g s: gave up: the solver needs a step below %.3g s", state_.time, built_.options.min_step);
        return (scene_.source ? scene_.source->file + ": " : "")
            + formatted(
                "t = %.9g s: gave up: step %llu took longer than solver.max_seconds = %.6g s; residual %.3g m/s, "
                "tolerance %.3g m/s",
                state_.time, static_cast<unsigned long long>(totals.steps + 1), built_.options.max_seconds,
                step_.failures.back().newton.residual, built_.options.newton.tolerance);
    }

    void write_solves(RunFolder& folder) const
    {
        for (const FailedSolve& f : step_.failures)
            write_solve(folder, f.dt, f.newton);
        if (step_.done)
            write_solve(folder, step_.dt, step_.newton);
    }

    void write_solve(RunFolder& folder, double dt, const NewtonReport& newton) const
    {
        CsvRow row;
        row.add(step_began_).add(dt).add(to_string(newton.status)).add(newton.tries);
        row.add(newton.iterations).add(newton.krylov_iterations).add(newton.descent_steps).add(newton.evaluations);
        row.add(newton.residual);
        row.add(newton.evaluation_seconds).add(newton.assembly_seconds).add(newton.linear_seconds);
        folder.append("solves.csv", row.take());
    }

    void write_body(RunFolder& folder, std::size_t i)
    {
        CsvRow row;
        row.add(state_.time).add(scene_.bodies[i].name);
        const BodyHandle& handle = built_.bodies[i];
        if (handle.kind == BodyKind::deformable) {
            const BodyPose pose = body_pose(built_.world, state_, handle.index);
            row.add(pose.x).add(pose.R).add(pose.v).add(pose.w);
        } else if (handle.kind == BodyKind::rigid) {
            const RigidState& rigid = state_.rigid[handle.index];
            row.add(rigid.x).add(rigid.R).add(rigid.v).add(rigid.w);
        } else {
            const Obstacle& o = built_.world.obstacles[handle.index];
            const Frame frame = frame_at(o.motion, o.start, state_.time);
            const FrameVelocity velocity = velocity_at(o.motion, state_.time);
            row.add(frame.x).add(Quat(frame.R)).add(velocity.v).add(velocity.w);
        }
        folder.append("bodies.csv", row.take());
    }

    void write_contacts(RunFolder& folder, const BackwardEuler& system)
    {
        const World& world = built_.world;
        system.contacts().for_each_contact([&](const ContactInfo& c) {
            CsvRow row;
            row.add(state_.time);
            row.add(contact_body_name(world, c.point_body)).add(contact_body_name(world, c.surface_body));
            row.add(point_number(world, c)).add(c.Z).add(c.at.n).add(Vec3(-c.j)).add(c.at.depth);
            row.add(c.at.sticks ? "stick" : "slide");
            folder.append("contacts.csv", row.take());
        });
    }

    const Scene& scene_;
    const BuiltWorld& built_;
    std::filesystem::path folder_;
    TimeStepper stepper_;
    Expectations expectations_;
    Probes probes_;
    RunWatch watch_;
    State state_;
    StepReport step_{.done = true}; // the last one, of none yet
    double step_began_ = 0; // [s]
    bool has_contacts_ = false; // the system knows those of the state: the last step was taken by this process
    std::optional<FrameWriter> frames_;
};

} // namespace

std::unique_ptr<Simulation> make_implicit_simulation(
    const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder, const StepWatch& watch)
{
    return std::make_unique<ImplicitSimulation>(scene, built, folder, watch);
}

} // namespace stickslip
