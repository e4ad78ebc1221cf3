#include "stickslip/run/output/expectation_recall.h"

#include "stickslip/files/csv_table.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace stickslip {

namespace {

CsvTable table_of(const std::filesystem::path& folder, const char* name)
{
    std::size_t broken = 0;
    return std::filesystem::exists(folder / name) ? read_csv(folder / name, broken) : CsvTable{};
}

/// Does what Expectations and GranularExpectations do step by step, row by row.
class Recall {
public:
    Recall(const Scene& scene, const std::filesystem::path& folder, const RunClock& clock, RunTotals& totals)
        : clock_(clock)
        , explicit_(scene.solver.integration == Integration::velocity_verlet)
        , totals_(totals)
        , history_(table_of(folder, "history.csv"))
        , balance_(table_of(folder, "balance.csv"))
        , bodies_(table_of(folder, "bodies.csv"))
    {
    }

    /// Whether the tables tell all; then it is in the totals.
    bool operator()(const Expectation& e)
    {
        if (is_vector(e.metric))
            return !has_passed(e) || recall_vector(e);
        const bool known = recall_sum(e);
        if (known && has_passed(e))
            record(e).moment = ExpectationRecord::Moment::reached;
        return known;
    }

    /// What cannot be told any more; says so.
    std::string give_up(const Expectation& e)
    {
        const std::string name = "warning: expect: " + expectation_text(e) + ": ";
        if (!has_passed(e)) {
            record(e).counted_from = clock_.now;
            char now[32];
            std::snprintf(now, sizeof now, "%.9g", clock_.now);
            return name + "values before " + now + " s are not in the tables; it counts from there";
        }
        ExpectationRecord& seen = record(e);
        seen.moment = ExpectationRecord::Moment::missed;
        seen.vector = Vec3::Constant(nan);
        seen.sum = nan;
        return name + "that time has passed and is not in the tables: the expectation fails";
    }

private:
    ExpectationRecord& record(const Expectation& e) { return totals_.expectations[expectation_text(e)]; }

    bool has_passed(const Expectation& e) const { return e.at && clock_.now + 1e-6 * clock_.step >= *e.at; }

    /// Whether a row of the history counts.
    bool is_within(const Expectation& e, std::size_t row) const
    {
        const double time = history_.numbers("time")[row], dt = history_.numbers("dt")[row];
        const double now = time + (explicit_ ? 1e-6 : 1e-9) * dt; // times are sums
        const bool over = e.at && (explicit_ ? time > *e.at + dt : now - dt >= *e.at);
        return now >= e.from.value_or(0) && !over;
    }

    bool recall_sum(const Expectation& e)
    {
        ExpectationRecord& seen = record(e);
        switch (e.metric) {
        case Metric::newton_per_step:
            for_each_row(e, history_.numbers("newton"), [&](double iterations) {
                seen.sum += iterations;
                ++seen.steps;
            });
            return true;
        case Metric::max_penetration:
            if (totals_.audit.looks > 0 && (e.from || e.at))
                return false;
            seen.max = totals_.audit.deepest;
            [[fallthrough]];
        case Metric::max_contact_depth:
            if (!e.body.empty())
                return false;
            for_each_row(
                e, history_.numbers("max_contact_depth"), [&](double depth) { seen.max = std::max(seen.max, depth); });
            return true;
        case Metric::energy_rise:
            return recall_energy_rise(e);
        case Metric::failed_solves:
            if (totals_.failed_solves > 0 && (e.from || has_passed(e)))
                return false;
            seen.sum = static_cast<double>(totals_.failed_solves);
            return true;
        case Metric::slip:
            return false;
        default:
            return true;
        }
    }

    template <typename Use>
    void for_each_row(const Expectation& e, const std::vector<double>& values, const Use& use) const
    {
        for (std::size_t row = 0; row < std::min(values.size(), history_.rows); ++row)
            if (is_within(e, row))
                use(values[row]);
    }

    bool recall_energy_rise(const Expectation& e)
    {
        if (balance_.rows != history_.rows)
            return false;
        const auto sum_of = [&](std::initializer_list<const char*> plus, std::initializer_list<const char*> minus) {
            std::vector<double> sums(balance_.rows, 0.0);
            for (std::size_t row = 0; row < sums.size(); ++row) {
                for (const char* name : plus)
                    sums[row] += balance_.numbers(name)[row];
                for (const char* name : minus)
                    sums[row] -= balance_.numbers(name)[row];
            }
            return sums;
        };
        ExpectationRecord& seen = record(e);
        const auto see = [&](double rise) { seen.max = std::max(seen.max, rise); };
        if (!explicit_) {
            for_each_row(e, sum_of({"change"}, {"external_work"}), see);
            return true;
        }
        const std::vector<double> own = sum_of(
            {"kinetic_translation", "kinetic_rotation", "elastic_normal", "elastic_tangential", "elastic_rolling"},
            {"gravity_work", "wall_work", "load_work"});
        for_each_row(e, own, [&](double energy) {
            see(energy - seen.last_energy.value_or(energy));
            seen.last_energy = energy;
        });
        return true;
    }

    /// From the body's row of the first state at the moment, if there was a frame then.
    bool recall_vector(const Expectation& e)
    {
        const CsvColumn* const names = bodies_.find("body");
        if (e.metric == Metric::contact_force || !names)
            return false;
        const char* const position[] = {"x", "y", "z"};
        const char* const speed[] = {"vx", "vy", "vz"};
        const std::vector<double>& times = bodies_.numbers("time");
        for (std::size_t row = 0; row < bodies_.rows; ++row) {
            if (names->words[row] != e.body || !is_first_at(times[row], *e.at))
                continue;
            ExpectationRecord& seen = record(e);
            Vec3& vector = seen.vector.emplace();
            for (int axis = 0; axis < 3; ++axis)
                vector[axis] = bodies_.numbers((e.metric == Metric::speed ? speed : position)[axis])[row];
            seen.moment = ExpectationRecord::Moment::reached;
            return true;
        }
        return false;
    }

    /// Whether the state at `time` is the first at or after a moment.
    bool is_first_at(double time, double moment) const
    {
        const std::vector<double>& times = history_.numbers("time");
        const auto row = std::lower_bound(times.begin(), times.end(), time);
        const bool is_there = row != times.end() && *row == time;
        if (!is_there && !explicit_)
            return false;
        const double dt = is_there ? history_.numbers("dt")[row - times.begin()] : clock_.step;
        const double now = time + 1e-6 * dt;
        return now >= moment && now - dt < moment;
    }

    const RunClock& clock_;
    bool explicit_;
    RunTotals& totals_;
    CsvTable history_, balance_, bodies_;
};

/// Of what was expected once and is no more: it is not watched, and must not be taken up later with a gap.
void forget_others(const std::vector<const Expectation*>& watched, RunTotals& totals)
{
    std::set<std::string> kept;
    for (const Expectation* const e : watched)
        kept.insert(expectation_text(*e));
    std::erase_if(totals.expectations, [&](const auto& seen) { return !kept.contains(seen.first); });
}

} // namespace

void note_expectations(const Scene& scene, RunTotals& totals)
{
    for (const Expectation* const e : watched_expectations(scene))
        totals.expectations.try_emplace(expectation_text(*e));
}

std::vector<std::string> recall_expectations(
    const Scene& scene, const std::filesystem::path& folder, const RunClock& clock, RunTotals& totals)
{
    std::vector<const Expectation*> unwatched = watched_expectations(scene);
    forget_others(unwatched, totals);
    std::erase_if(unwatched, [&](const Expectation* e) { return totals.expectations.contains(expectation_text(*e)); });
    std::vector<std::string> complaints;
    if (unwatched.empty())
        return complaints;
    Recall recall(scene, folder, clock, totals);
    for (const Expectation* const e : unwatched)
        if (const bool is_to_come = clock.now <= std::max(clock.start, e->from.value_or(0)); !is_to_come && !recall(*e))
            complaints.push_back(recall.give_up(*e));
    note_expectations(scene, totals);
    return complaints;
}

} // namespace stickslip
