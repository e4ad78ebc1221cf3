#include "stickslip/io/csv.h"
#include "stickslip/io/granular_frames.h"
#include "stickslip/io/granular_gates.h"
#include "stickslip/io/granular_packing.h"
#include "stickslip/io/probes.h"
#include "stickslip/io/run_folder.h"
#include "stickslip/io/simulation.h"

#include <Eigen/LU>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace stickslip {

namespace {

using Clock = std::chrono::steady_clock;

std::string text(const char* format, auto... values)
{
    char line[512];
    std::snprintf(line, sizeof line, format, values...);
    return line;
}

std::string balance_header()
{
    return csv_header({"time", "kinetic_translation", "kinetic_rotation", "elastic_normal", "elastic_tangential",
        "elastic_rolling", "gravity_work", "wall_work", "load_work", "friction_loss", "rolling_loss", "damping_loss",
        "adhesion_loss", "local_damping_loss", "imbalance"});
}

/// What a set does as a whole.
struct SetMotion {
    double mass = 0; // [kg]
    Vec3 x = Vec3::Zero(), v = Vec3::Zero(); // [m], [m/s] of the centre of mass
    Vec3 w = Vec3::Zero(); // [rad/s] I^-1 L about it
};

class GranularSimulation : public Simulation {
public:
    GranularSimulation(const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder)
        : scene_(scene)
        , built_(built)
        , granular_(*built.granular)
        , system_(granular_.world, granular_.grains)
        , frames_(scene, built, folder)
        , gates_(scene, granular_)
        , probes_(scene, built)
        , row_interval_(scene.output.history.value_or(scene.time.frame / 20))
    {
        if (granular_.earlier)
            system_.take_contacts(*granular_.earlier, granular_.successors);
    }

    double time() const override { return system_.state().time; }
    double step() const override { return system_.dt(); }

    std::map<std::string, std::string> tables() const override
    {
        std::map<std::string, std::string> headers{{"history.csv", history_header()}, {"bodies.csv", bodies_header()},
            {"walls.csv", csv_header({"time", "body", "fx", "fy", "fz", "tx", "ty", "tz"})},
            {"packing.csv", packing_header()}};
        if (scene_.output.energy)
            headers["balance.csv"] = balance_header();
        if (scene_.output.contacts)
            headers["contacts.csv"] = csv_header({"time", "point_body", "surface_body", "node", "x", "y", "z", "nx",
                "ny", "nz", "fx", "fy", "fz", "depth", "state"});
        if (!probes_.empty())
            headers["probes.csv"] = Probes::header();
        if (!scene_.outlets.empty())
            headers["outlets.csv"] = outlets_header();
        return headers;
    }

    /// Steps up to the next moment at which something is due, or for a tenth of a second on the clock.
    bool advance(double until, RunTotals& totals, const Say& say) override
    {
        double due = std::min(until, next_row(totals));
        for (std::size_t i = 0; i < scene_.expect.size(); ++i)
            if (const Expectation& e = scene_.expect[i]; e.at && !is_past(i, totals))
                due = std::min(due, *e.at);
        const double left = std::ceil((due - time()) / step() - 1e-6);
        const auto count = static_cast<int>(std::clamp(left, 1.0, most_steps_));
        const long before = system_.state().steps;
        const auto start = Clock::now();
        const bool good = system_.step(count);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        most_steps_ = std::clamp(0.1 * count / std::max(seconds, 1e-9), 1.0, 1e4);
        totals.steps += static_cast<std::uint64_t>(system_.state().steps - before);
        keep_times(totals);
        if (!good) {
            sound_ = false;
            const StepTrouble& trouble = system_.trouble();
            if (trouble.is_too_fast())
                say(text(
                    "t = %.9g s: gave up: sphere %d moves %.3g of its radius in one step of %.3g s, so that it may "
                    "pass through others unseen; a shorter step, or stiffer contacts",
                    time(), trouble.sphere, trouble.travel, step()));
            else
                say(text(
                    "t = %.9g s: gave up: a sphere or body left for infinity; the time step %.3g s may be too long",
                    time(), step()));
            return false;
        }
        if (!stays_outside(totals, say))
            return false;
        watch_moments(totals);
        return true;
    }

    bool is_sound() const override { return sound_; }

    bool write_rows(RunFolder& folder, RunTotals& totals, const Say& say) override
    {
        if (!reached(next_row(totals)))
            return true;
        while (reached(next_row(totals)))
            next_row(totals) += row_interval_;
        const EnergyLedger ledger = system_.ledger();
        const std::vector<GranularContact> contacts = list_contacts(system_);
        write_history(folder, ledger, contacts, totals);
        if (scene_.output.energy)
            write_balance(folder, ledger, totals);
        write_walls(folder);
        folder.append("packing.csv", packing_rows(scene_, system_, contacts));
        if (!probes_.empty())
            folder.append("probes.csv", probes_.rows(time(), probes_.read(contacts, granular_, groups())));
        watch_row(ledger, contacts, totals);
        gates_.pass(system_, row_interval_, totals, folder);
        return !scene_.output.energy || accounts_for(ledger, totals, say);
    }

    void write_frame(RunFolder& folder) override
    {
        for (std::size_t i = 0; i < built_.bodies.size(); ++i) {
            CsvRow row;
            row.add(time()).add(scene_.bodies[i].name);
            if (built_.bodies[i].kind == BodyKind::spheres) {
                const SetMotion m = motion_of(built_.bodies[i].index);
                row.add(m.x).add(Quat(Quat::Identity())).add(m.v).add(m.w);
            } else if (built_.bodies[i].kind == BodyKind::rigid) {
                const BodyMotion& m = body_motion(built_.bodies[i].index);
                row.add(m.x).add(m.R).add(m.v).add(m.w);
            } else {
                const GranularWall& wall = granular_.world.walls[built_.bodies[i].index];
                const Frame frame = frame_at(wall.motion, wall.start, time());
                const FrameVelocity velocity = velocity_at(wall.motion, time());
                row.add(frame.x).add(Quat(frame.R)).add(velocity.v).add(velocity.w);
            }
            folder.append("bodies.csv", row.take());
        }
        std::vector<GranularContact> contacts;
        if (scene_.output.contacts) {
            contacts = list_contacts(system_);
            write_contacts(folder, contacts);
        }
        folder.flush(); // who follows the run finds the rows of a frame with it
        if (scene_.output.frames)
            folder.add_frame(
                time(), frames_.write(folder.frames_written(), system_, scene_.output.contacts ? &contacts : nullptr));
    }

    void finish(RunTotals& totals, const Say&) override
    {
        totals.numbers["time_step"] = step();
        totals.numbers["spheres"] = static_cast<double>(system_.state().spheres.size());
        totals.numbers["rebuilds"] = static_cast<double>(system_.state().rebuilds);
        if (sound_)
            keep_packing(scene_, system_, totals);
        if (scene_.output.energy && sound_) {
            const EnergyLedger e = system_.ledger();
            totals.friction_loss = e.friction_loss + e.rolling_loss;
        }
    }

    void save(Checkpoint& checkpoint) const override { checkpoint.granular = system_.state(); }
    void restore(const Checkpoint& checkpoint) override
    {
        check(system_.world(), checkpoint.granular.value());
        system_.restore(*checkpoint.granular);
        earlier_seconds_ = checkpoint.totals.stage_seconds;
    }
    std::string hash() const override { return state_hash(system_.state()); }

    std::vector<ExpectationResult> judge(const RunTotals& totals, int status) const override
    {
        return judge_expectations(
            scene_, totals, status, [&](const Expectation& e) { return vector_of(body_of(e), e.metric); });
    }

    std::string progress() const override
    {
        return text("spheres %zu  contacts %zu", system_.state().spheres.size(), system_.touching());
    }

private:
    // A state counts as at a time when less than a millionth of a step is missing: times are sums.
    bool reached(double moment) const { return time() >= moment - 1e-6 * step(); }
    static bool is_past(std::size_t index, const RunTotals& totals)
    {
        return totals.numbers.contains(expectation_key(index, "reached"));
    }
    // [s] kept in checkpoints; the first row after one interval, of a run that starts late after its start.
    double& next_row(RunTotals& totals) const
    {
        return totals.numbers.try_emplace("next_row_time", granular_.world.start_time + row_interval_).first->second;
    }

    /// Says when a sphere is pressed far into a wall; false when its centre is inside.
    bool stays_outside(RunTotals& totals, const Say& say) const
    {
        constexpr double far = 0.5;
        const StepTrouble& trouble = system_.trouble();
        if (trouble.wall < 0)
            return true;
        double& deepest = totals.numbers["deepest_in_wall"];
        const double before = deepest;
        deepest = std::max(deepest, trouble.deepest);
        const char* const wall = granular_.world.walls[trouble.wall].name.c_str();
        if (deepest > 1) {
            say(text(
                "t = %.9g s: gave up: a sphere went through the surface of \"%s\": its centre is inside; a shorter "
                "step, or stiffer contacts",
                time(), wall));
            return false;
        }
        if (deepest > far && before <= far)
            say(text("t = %.9g s: warning: a sphere is pressed into \"%s\" by %.3g of its radius and may go through; a "
                     "shorter step, or stiffer contacts",
                time(), wall, deepest));
        return true;
    }

    /// Says when energy came from nowhere: half as much as there ever was.
    bool accounts_for(const EnergyLedger& e, RunTotals& totals, const Say& say) const
    {
        double& given = totals.numbers["largest_energy_given"];
        const double well = std::max(-e.elastic_normal, 0.0); // adhesion gives too
        given = std::max(
            given, std::abs(e.first) + std::abs(e.gravity_work) + std::abs(e.wall_work) + std::abs(e.load_work) + well);
        if (!(e.imbalance() > 0.5 * given))
            return true;
        say(text(
            "t = %.9g s: gave up: %.3g J came from nowhere, of %.3g J that were given: the time step %.3g s is too "
            "long",
            time(), e.imbalance(), given, step()));
        return false;
    }

    void keep_times(RunTotals& totals) const
    {
        const StageTimes& t = system_.times();
        for (const auto& [name, seconds] :
            {std::pair("neighbours", t.rebuild), {"pairs", t.pairs}, {"walls", t.walls}, {"motion", t.motion}}) {
            const auto earlier = earlier_seconds_.find(name);
            totals.stage_seconds[name] = seconds + (earlier == earlier_seconds_.end() ? 0 : earlier->second);
        }
    }

    /// Of each sphere, by id.
    std::vector<int> groups() const
    {
        std::vector<int> group = system_.slots();
        for (int& slot : group)
            slot = slot < 0 ? -1 : system_.state().spheres.group[slot];
        return group;
    }

    const BodyMotion& body_motion(int rigid) const { return system_.state().bodies[granular_.rigids[rigid].body]; }

    SetMotion motion_of(int index) const
    {
        std::vector<MovingPart> members = system_.moving_parts();
        std::erase_if(members, [&](const MovingPart& part) { return part.group != index; });
        if (members.empty())
            return {.mass = 0, .x = Vec3::Constant(nan), .v = Vec3::Constant(nan), .w = Vec3::Constant(nan)};
        SetMotion m;
        for (const MovingPart& part : members) {
            m.mass += part.mass;
            m.x += part.mass * part.x;
            m.v += part.mass * part.v;
        }
        m.x /= m.mass;
        m.v /= m.mass;
        Mat3 inertia = Mat3::Zero();
        Vec3 spin = Vec3::Zero();
        for (const MovingPart& part : members) {
            const Vec3 r = part.x - m.x;
            inertia += part.inertia + part.mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
            spin += part.spin + part.mass * r.cross(part.v - m.v);
        }
        m.w = inertia.inverse() * spin;
        return m;
    }

    void write_history(
        RunFolder& folder, const EnergyLedger& e, const std::vector<GranularContact>& contacts, RunTotals& totals) const
    {
        double potential = 0, deepest = 0;
        Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
        for (const MovingPart& part : system_.moving_parts()) {
            potential -= part.mass * granular_.world.gravity.dot(part.x);
            momentum += part.mass * part.v;
            angular += part.mass * part.x.cross(part.v) + part.spin;
        }
        std::size_t sliding = 0;
        for (const GranularContact& c : contacts) {
            deepest = std::max(deepest, c.overlap);
            sliding += c.slides;
        }
        totals.max_penetration = std::max(totals.max_penetration, deepest);
        if (scene_.output.energy)
            totals.friction_loss = e.friction_loss + e.rolling_loss;
        CsvRow row;
        row.add(time()).add(step()).add(0).add(0).add(0);
        row.add(contacts.size()).add(contacts.size() - sliding).add(sliding);
        row.add(e.kinetic_translation + e.kinetic_rotation).add(potential).add(0);
        row.add(e.elastic_normal + e.elastic_tangential + e.elastic_rolling);
        row.add(scene_.output.energy ? totals.friction_loss : nan);
        row.add(momentum).add(angular).add(deepest).add(totals.wall_time);
        folder.append("history.csv", row.take());
    }

    void write_balance(RunFolder& folder, const EnergyLedger& e, RunTotals& totals) const
    {
        CsvRow row;
        row.add(time()).add(e.kinetic_translation).add(e.kinetic_rotation);
        row.add(e.elastic_normal).add(e.elastic_tangential).add(e.elastic_rolling);
        row.add(e.gravity_work).add(e.wall_work).add(e.load_work).add(e.friction_loss).add(e.rolling_loss);
        row.add(e.damping_loss).add(e.adhesion_loss).add(e.local_damping_loss).add(e.imbalance());
        folder.append("balance.csv", row.take());
        double& error = totals.numbers["largest_energy_error"];
        error = std::max(error, std::abs(e.imbalance()));
    }

    void write_walls(RunFolder& folder) const
    {
        const auto write = [&](const std::string& name, const Load& load) {
            CsvRow row;
            row.add(time()).add(name).add(load.force).add(load.torque);
            folder.append("walls.csv", row.take());
        };
        for (std::size_t w = 0; w < granular_.world.walls.size(); ++w) {
            if (granular_.world.walls[w].body < 0)
                write(granular_.world.walls[w].name, system_.state().wall_load[w]);
        }
        for (const GranularRigid& rigid : granular_.rigids)
            write(scene_.bodies[rigid.scene_body].name, system_.state().body_load[rigid.body]);
    }

    void write_contacts(RunFolder& folder, const std::vector<GranularContact>& contacts) const
    {
        const std::vector<int> slots = system_.slots();
        const auto name_of = [&](int id) { return granular_.sets[system_.state().spheres.group[slots[id]]].name; };
        for (const GranularContact& c : contacts) {
            CsvRow row;
            const bool sphere = c.first >= 0;
            row.add(time()).add(sphere ? name_of(c.first) : granular_.world.walls[c.point_wall].name);
            row.add(c.wall >= 0 ? granular_.world.walls[c.wall].name : name_of(c.second));
            row.add(sphere ? c.first : c.point).add(c.x).add(Vec3(-c.n)).add(c.force).add(c.overlap);
            row.add(c.slides ? "slide" : "stick");
            folder.append("contacts.csv", row.take());
        }
    }

    std::size_t body_of(const Expectation& e) const
    {
        return static_cast<std::size_t>(std::find_if(scene_.bodies.begin(), scene_.bodies.end(),
                                            [&](const BodySettings& b) { return b.name == e.body; })
            - scene_.bodies.begin());
    }

    Vec3 vector_of(std::size_t body, Metric metric) const
    {
        const BodyHandle& handle = built_.bodies[body];
        if (handle.kind == BodyKind::spheres) {
            const SetMotion m = motion_of(handle.index);
            return metric == Metric::speed ? m.v : m.x;
        }
        if (handle.kind == BodyKind::rigid) {
            const BodyMotion& m = body_motion(handle.index);
            return metric == Metric::contact_force
                ? system_.state().body_load[granular_.rigids[handle.index].body].force
                : metric == Metric::speed ? m.v
                                          : m.x;
        }
        const GranularWall& wall = granular_.world.walls[handle.index];
        if (metric == Metric::contact_force)
            return system_.state().wall_load[handle.index].force;
        return metric == Metric::speed ? velocity_at(wall.motion, time()).v
                                       : frame_at(wall.motion, wall.start, time()).x;
    }

    /// What is expected at a moment that has just come.
    void watch_moments(RunTotals& totals) const
    {
        for (std::size_t i = 0; i < scene_.expect.size(); ++i) {
            const Expectation& e = scene_.expect[i];
            if (!e.at || !reached(*e.at) || is_past(i, totals))
                continue;
            totals.numbers[expectation_key(i, "reached")] = 1;
            if (!is_vector(e.metric))
                continue;
            const Vec3 v = vector_of(body_of(e), e.metric);
            for (const auto& [axis, value] : {std::pair("x", v.x()), {"y", v.y()}, {"z", v.z()}})
                totals.numbers[expectation_key(i, axis)] = value;
        }
    }

    /// What is expected of the whole run, row by row.
    void watch_row(const EnergyLedger& e, const std::vector<GranularContact>& contacts, RunTotals& totals) const
    {
        const double own = e.stored() - e.gravity_work - e.wall_work - e.load_work; // must never grow
        double deepest = 0;
        for (const GranularContact& c : contacts)
            deepest = std::max(deepest, c.overlap);
        for (std::size_t i = 0; i < scene_.expect.size(); ++i) {
            const Expectation& x = scene_.expect[i];
            if (!reached(x.from.value_or(0)) || (x.at && time() > *x.at + step()))
                continue;
            double& most = totals.numbers[expectation_key(i, "max")];
            if (x.metric == Metric::max_penetration)
                most = std::max(most, deepest);
            if (x.metric != Metric::energy_rise)
                continue;
            double& last = totals.numbers.try_emplace(expectation_key(i, "last"), own).first->second;
            most = std::max(most, own - last);
            last = own;
        }
        double& last = totals.numbers.try_emplace("last_own_energy", own).first->second;
        double& rise = totals.numbers["largest_energy_rise"];
        rise = std::max(rise, own - last);
        last = own;
    }

    const Scene& scene_;
    const BuiltWorld& built_;
    const BuiltGranular& granular_;
    SphereSystem system_;
    GranularFrames frames_;
    GranularGates gates_;
    Probes probes_;
    double row_interval_; // [s]
    double most_steps_ = 1; // at once
    bool sound_ = true;
    std::map<std::string, double> earlier_seconds_; // of the runs that this one goes on with
};

} // namespace

std::unique_ptr<Simulation> make_granular_simulation(
    const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder)
{
    return std::make_unique<GranularSimulation>(scene, built, folder);
}

std::unique_ptr<Simulation> make_simulation(
    const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder)
{
    return built.granular ? make_granular_simulation(scene, built, folder)
                          : make_implicit_simulation(scene, built, folder);
}

} // namespace stickslip
