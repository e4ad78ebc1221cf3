#include "stickslip/run/output/expectations.h"

#include "stickslip/scene/text/scene_tree.h"
#include "stickslip/simulation/body_poses.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace stickslip {

namespace {

const char* metric_name(Metric metric)
{
    constexpr const char* names[] = {"slip", "speed", "position", "energy_rise", "max_penetration", "max_contact_depth",
        "newton_per_step", "failed_solves", "status", "contact_force", "passing"};
    return names[static_cast<int>(metric)];
}

std::size_t index_of(const Scene& scene, const std::string& name)
{
    return static_cast<std::size_t>(std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const BodySettings& b) {
        return b.name == name;
    }) - scene.bodies.begin());
}

/// The deepest overlap in the state that was looked at last [m]; body -1: of any.
double deepest_overlap(const AuditedState& audited, int body)
{
    double deepest = 0;
    for (const BodyOverlap& o : audited.overlaps)
        if (body < 0 || o.body == body || o.other == body)
            deepest = std::max(deepest, o.depth);
    return deepest;
}

// Speed, position and contact force: a vector of one body.
Vec3 body_vector(
    const BuiltWorld& built, const State& state, const BackwardEuler* system, std::size_t body, Metric metric)
{
    if (metric == Metric::contact_force) // known after a step alone
        return system ? contact_force_on(built, *system, body) : Vec3(Vec3::Constant(nan));
    const BodyPose pose = pose_of(built, state, body);
    return metric == Metric::speed ? pose.v : pose.x;
}

/// The fewest digits that read back to the same number.
std::string shortest(double value)
{
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string describe_bound(const Expectation& e)
{
    std::string text;
    const auto append = [&](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
    if (e.min)
        append("min " + shortest(*e.min));
    if (e.max)
        append("max " + shortest(*e.max));
    if (e.near) {
        if (const auto* point = std::get_if<Vec3>(&*e.near))
            append("near [" + shortest(point->x()) + ", " + shortest(point->y()) + ", " + shortest(point->z()) + "]");
        else
            append("near " + shortest(std::get<double>(*e.near)));
        append("within " + shortest(e.within.value_or(0)));
    }
    if (e.at)
        append("at " + shortest(*e.at));
    if (e.from)
        append("from " + shortest(*e.from));
    return text;
}

bool within_bounds(const Expectation& e, const std::vector<double>& value)
{
    const bool finite = std::all_of(value.begin(), value.end(), [](double v) { return std::isfinite(v); });
    if (!finite || value.empty())
        return false;
    double size = value[0];
    if (value.size() == 3)
        size = Vec3(value[0], value[1], value[2]).norm();
    bool holds = (!e.min || size >= *e.min) && (!e.max || size <= *e.max);
    if (e.near) {
        if (const auto* point = std::get_if<Vec3>(&*e.near))
            holds = holds && value.size() == 3 && (Vec3(value[0], value[1], value[2]) - *point).norm() <= *e.within;
        else
            holds = holds && std::abs(size - std::get<double>(*e.near)) <= *e.within;
    }
    return holds;
}

} // namespace

std::string expectation_text(const Expectation& e)
{
    std::string text = metric_name(e.metric);
    if (!e.body.empty())
        text += " of " + e.body;
    if (e.from)
        text += " from " + number_text(*e.from);
    if (e.at)
        text += " at " + number_text(*e.at);
    return text;
}

std::vector<const Expectation*> watched_expectations(const Scene& scene)
{
    std::vector<const Expectation*> watched;
    std::set<std::string> texts;
    for (const Expectation& e : scene.expect)
        if (texts.insert(expectation_text(e)).second)
            watched.push_back(&e);
    return watched;
}

bool is_vector(Metric metric)
{
    return metric == Metric::speed || metric == Metric::position || metric == Metric::contact_force;
}

void Expectations::watch(
    const State& state, const BackwardEuler& system, const StepReport& step, RunTotals& totals) const
{
    for (const Expectation* const watched : watched_) {
        const Expectation& e = *watched;
        const double now = state.time + 1e-9 * step.dt; // times are sums
        const bool over = e.at && now - step.dt >= *e.at; // its time was reached by an earlier step
        if (over || now < e.from.value_or(0))
            continue;
        ExpectationRecord& seen = totals.expectations[expectation_text(e)];
        const int body = body_of(e);
        double slip = 0, depth = 0;
        system.contacts().for_each_contact([&](const Contact& c) {
            if (body >= 0 && c.point_body != body && c.surface_body != body)
                return;
            slip = std::max(slip, c.at.slip.norm());
            depth = std::max(depth, c.at.depth);
        });
        switch (e.metric) {
        case Metric::slip: // bounds the path of every single attachment
            seen.sum += slip;
            break;
        case Metric::max_penetration:
            if (totals.last.audit && totals.last.audit->time == state.time)
                seen.max = std::max(seen.max, deepest_overlap(*totals.last.audit, body));
            [[fallthrough]];
        case Metric::max_contact_depth:
            seen.max = std::max(seen.max, depth);
            break;
        case Metric::energy_rise:
            seen.max = std::max(seen.max, step.balance.change - step.balance.external_work);
            break;
        case Metric::newton_per_step:
            seen.sum += step.costs().iterations;
            ++seen.steps;
            break;
        case Metric::failed_solves:
            seen.sum += step.failed_solves();
            break;
        default: // a vector, as it is at `at` or at the end
            if (is_vector(e.metric))
                seen.vector = body_vector(built_, state, &system, index_of(scene_, e.body), e.metric);
        }
        if (e.at && now >= *e.at)
            seen.moment = ExpectationRecord::Moment::reached;
    }
}

int Expectations::body_of(const Expectation& e) const
{
    return e.body.empty() ? -1 : contact_body(built_.world, built_.bodies[index_of(scene_, e.body)]);
}

std::vector<ExpectationResult> Expectations::judge(const State& state, RunTotals totals, int status) const
{
    for (const Expectation* const e : watched_) {
        ExpectationRecord& seen = totals.expectations[expectation_text(*e)];
        if (e->metric == Metric::passing)
            seen.max = static_cast<double>(passing_pairs(totals.undetected, body_of(*e), e->from.value_or(0)).size());
        else if (e->metric == Metric::max_penetration && !e->at && totals.last.audit
            && totals.last.audit->time >= e->from.value_or(0))
            seen.max = std::max(seen.max, deepest_overlap(*totals.last.audit, body_of(*e)));
    }
    return judge_expectations(scene_, totals, status,
        [&](const Expectation& e) { return body_vector(built_, state, nullptr, index_of(scene_, e.body), e.metric); });
}

std::vector<ExpectationResult> judge_expectations(
    const Scene& scene, const RunTotals& totals, int status, const std::function<Vec3(const Expectation&)>& vector_now)
{
    std::vector<ExpectationResult> results;
    for (const Expectation& e : scene.expect) {
        ExpectationResult r{.body = e.body,
            .metric = metric_name(e.metric),
            .axis = {},
            .bound = describe_bound(e),
            .value = {},
            .counted_from = {}};
        const auto known = totals.expectations.find(expectation_text(e));
        const ExpectationRecord seen = known == totals.expectations.end() ? ExpectationRecord() : known->second;
        if (is_vector(e.metric)) {
            const Vec3 v = seen.vector ? *seen.vector : vector_now(e); // none: no step was taken
            if (e.axis) {
                r.axis = std::string(1, "xyz"[static_cast<int>(*e.axis)]);
                r.value = {v[static_cast<int>(*e.axis)]};
            } else if (e.metric == Metric::position) {
                r.value = {v.x(), v.y(), v.z()};
            } else {
                r.value = {v.norm()};
            }
        } else if (e.metric == Metric::status) {
            r.value = {static_cast<double>(status)};
        } else if (e.metric == Metric::newton_per_step) {
            r.value = {seen.sum / std::max(1.0, static_cast<double>(seen.steps))};
        } else {
            r.value = {std::max(seen.sum, seen.max)};
        }
        const bool reached = !e.at || seen.moment == ExpectationRecord::Moment::reached;
        r.counted_from = seen.counted_from;
        r.holds = reached && within_bounds(e, r.value);
        results.push_back(r);
    }
    return results;
}

} // namespace stickslip
