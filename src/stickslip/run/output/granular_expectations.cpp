#include "stickslip/run/output/granular_expectations.h"

#include "stickslip/simulation/body_poses.h"

#include <algorithm>

namespace stickslip {

namespace {

bool is_past(const Expectation& e, const RunTotals& totals)
{
    const auto seen = totals.expectations.find(expectation_text(e));
    return seen != totals.expectations.end() && seen->second.moment != ExpectationRecord::Moment::to_come;
}

} // namespace

Vec3 GranularExpectations::vector_of(const Expectation& e) const
{
    const auto body =
        static_cast<std::size_t>(std::find_if(scene_.bodies.begin(), scene_.bodies.end(), [&](const BodySettings& b) {
            return b.name == e.body;
        }) - scene_.bodies.begin());
    if (e.metric == Metric::contact_force)
        return contact_force_on(built_, system_, body);
    const BodyPose pose = pose_of(built_, system_, body);
    return e.metric == Metric::speed ? pose.v : pose.x;
}

double GranularExpectations::next_moment(const RunTotals& totals) const
{
    double next = infinity;
    for (const Expectation* const e : watched_)
        if (e->at && !is_past(*e, totals))
            next = std::min(next, *e->at);
    return next;
}

void GranularExpectations::watch_moments(RunTotals& totals) const
{
    for (const Expectation* const e : watched_) {
        if (!e->at || !reached(*e->at) || is_past(*e, totals))
            continue;
        ExpectationRecord& seen = totals.expectations[expectation_text(*e)];
        seen.moment = ExpectationRecord::Moment::reached;
        if (is_vector(e->metric))
            seen.vector = vector_of(*e);
    }
}

void GranularExpectations::watch_row(
    const EnergyLedger& e, const std::vector<GranularContact>& contacts, RunTotals& totals) const
{
    const double own = e.stored() - e.gravity_work - e.wall_work - e.load_work; // must never grow
    double deepest = 0;
    for (const GranularContact& c : contacts)
        deepest = std::max(deepest, c.overlap);
    for (const Expectation* const watched : watched_) {
        const Expectation& x = *watched;
        if (!reached(x.from.value_or(0)) || (x.at && system_.state().time > *x.at + system_.dt()))
            continue;
        ExpectationRecord& seen = totals.expectations[expectation_text(x)];
        if (is_contact_depth(x.metric))
            seen.max = std::max(seen.max, deepest);
        if (x.metric != Metric::energy_rise)
            continue;
        seen.max = std::max(seen.max, own - seen.last_energy.value_or(own));
        seen.last_energy = own;
    }
    double& rise = totals.largest_energy_rise;
    rise = std::max(rise, own - totals.last_own_energy.value_or(own));
    totals.last_own_energy = own;
}

std::vector<ExpectationResult> GranularExpectations::judge(const RunTotals& totals, int status) const
{
    return judge_expectations(scene_, totals, status, [&](const Expectation& e) { return vector_of(e); });
}

} // namespace stickslip
