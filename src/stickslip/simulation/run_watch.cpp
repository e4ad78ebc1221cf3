#include "stickslip/simulation/run_watch.h"

#include "stickslip/build/contact_limits.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr std::size_t most_reported = 10; // pairs; of many the first tell enough
constexpr double much_worse = 2; // [-] times what was told: told again at the end
constexpr std::size_t most_kept = 1000;

/// Keeps what was seen if it is the worst of its key; `now.reported`: of what was foretold, 0 if nothing was. Whether
/// it is to be told: it is the first of its key, and much worse than what was foretold.
template <typename Key, typename Event>
bool keep_worst(std::map<Key, Worst<Event>>& seen, const Key& key, Worst<Event> now)
{
    if (const auto known = seen.find(key); known != seen.end()) {
        now.reported = known->second.reported;
        if (now.badness > known->second.badness)
            known->second = now;
        return false;
    }
    if (seen.size() >= most_kept)
        return false;
    const bool is_news = seen.size() < most_reported && now.badness > much_worse * now.reported;
    if (is_news)
        now.reported = now.badness;
    seen.emplace(key, now);
    return is_news;
}

template <typename Map, typename Key>
double value_or_zero(const Map& values, const Key& key)
{
    const auto found = values.find(key);
    return found == values.end() ? 0 : found->second;
}

/// Sorted, the lower number first.
std::vector<BodyPair> touching_pairs(const ContactSet& contacts)
{
    std::vector<BodyPair> pairs;
    contacts.for_each_contact([&](const Contact& c) {
        if (const BodyPair pair = std::minmax(c.point_body, c.surface_body); pairs.empty() || pairs.back() != pair)
            pairs.push_back(pair);
    });
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

std::string felt_in_words(double depth)
{
    return depth > 0 ? formatted("where their deepest contact is %.3g m deep", depth) : "where they have no contact";
}

} // namespace

RunWatch::RunWatch(const World& world, const State& start, const TimeSettings& time, AuditedFrames audited)
    : world_(&world)
    , frame_(time.frame)
    , audited_(audited)
    , steps_(world)
    , soft_(world)
    , particles_(world)
    , overlaps_(world)
{
    std::map<std::string, int> families;
    for (int b = 0; b < contact_bodies(world).count(); ++b)
        first_of_family_.push_back(families.try_emplace(family_of(contact_body_name(world, b)), b).first->second);
    for (int b = 0; b < contact_bodies(world).count(); ++b)
        thickness_.push_back(overlaps_.thickness(b));
    for (const LongStep& step : long_steps_ahead(world, start, time.step, time.end)) {
        foretold_[std::minmax(step.mover, step.other)] = step.badness();
        foretold_movers_.insert(step.mover);
    }
    for (const FarStep& step : far_steps_ahead(world, start, time.step, time.end)) {
        double& badness = foretold_far_[first_of_family_[step.body]];
        badness = std::max(badness, step.badness());
    }
}

bool RunWatch::take_step(const State& before, const State& after, const ContactSet& contacts,
    const std::vector<UnfeltOverlap>& unfelt, RunTotals& totals, const Say& say)
{
    steps_.look(before, after);
    const double dt = after.time - before.time;
    const std::vector<BodyPair> touching = touching_pairs(contacts);
    std::vector<Entered> entered = totals.undetected.entered;
    const std::vector<LongStep> long_steps = steps_.long_steps(touching);
    keep(long_steps, dt, after.time, totals, say);
    std::vector<FarStep> far_steps = steps_.far_steps();
    std::erase_if(far_steps, [&](const FarStep& step) { // told already, and of what it is too fast for
        return foretold_movers_.contains(step.body)
            || std::any_of(
                long_steps.begin(), long_steps.end(), [&](const LongStep& l) { return l.mover == step.body; });
    });
    keep(far_steps, dt, after.time, totals, say);
    if (const auto passed = steps_.passages(touching, entered); !passed.empty()) {
        tell_of_passage(passed.front(), before.time, dt, say);
        return false;
    }
    if (const auto lost = particles_.look(before, after, contacts)) {
        tell_of(*lost, before.time, dt, say);
        return false;
    }
    totals.undetected.entered = std::move(entered);
    const bool closely = std::floor(before.time / frame_) < std::floor(after.time / frame_);
    keep(soft_.look(after, contacts, closely), after.time, totals, say);
    for (const UnfeltOverlap& o : unfelt)
        keep({o.body, o.other, o.depth, o.felt}, after.time, totals, say);
    keep_too_deep(contacts, after.time, totals, say);
    if (closely && audited_ == AuditedFrames::every)
        audit(after, totals, say);
    return true;
}

void RunWatch::tell_of_passage(const BodyPair& pair, double time, double dt, const Say& say) const
{
    say(formatted(
        "t = %.9g s: gave up: \"%s\" passes through \"%s\" in the next step, of %.3g s: contact is detected at the "
        "end of each step; use a shorter time.step or a thicker body",
        time, contact_body_name(*world_, pair.first).c_str(), contact_body_name(*world_, pair.second).c_str(), dt));
}

void RunWatch::tell_of(const LostParticle& lost, double time, double dt, const Say& say) const
{
    const std::string other = contact_body_name(*world_, lost.other);
    const std::string where = lost.depth > 0 ? formatted("is %.3g m deep in \"%s\"", lost.depth, other.c_str())
                                             : "has passed through \"" + other + "\"";
    say(formatted("t = %.9g s: gave up: after the next step, of %.3g s, a particle of \"%s\" %s, at (%.4g, %.4g, %.4g) "
                  "m, and does not touch it: it started there or came too far in a step; part them at the start or use "
                  "a shorter time.step",
        time, dt, contact_body_name(*world_, lost.body).c_str(), where.c_str(), lost.place.x(), lost.place.y(),
        lost.place.z()));
}

void RunWatch::look_at_last(const State& state, RunTotals& totals, const Say& say)
{
    const bool is_known = totals.last.audit && totals.last.audit->time == state.time;
    if (audited_ != AuditedFrames::none && !is_known)
        audit(state, totals, say);
}

void RunWatch::audit(const State& state, RunTotals& totals, const Say& say)
{
    const std::vector<BodyOverlap>& found =
        totals.last.audit.emplace(AuditedState{state.time, overlaps_.look(state)}).overlaps;
    ++totals.audit.looks;
    for (const BodyOverlap& o : found) {
        totals.audit.deepest = std::max(totals.audit.deepest, o.depth);
        if (overlaps_.pass_through(o))
            keep(o, state.time, totals, say);
    }
}

void RunWatch::keep(const std::vector<LongStep>& steps, double dt, double time, RunTotals& totals, const Say& say) const
{
    for (const LongStep& step : steps) {
        const BodyPair pair = std::minmax(step.mover, step.other);
        if (keep_worst(
                totals.undetected.long_steps, pair, {{step, dt}, time, step.badness(), value_or_zero(foretold_, pair)}))
            say(formatted("t = %.9g s: warning: ", time) + stickslip::in_words(*world_, step, dt));
    }
}

void RunWatch::keep(const std::vector<FarStep>& steps, double dt, double time, RunTotals& totals, const Say& say) const
{
    std::map<int, std::vector<const FarStep*>> families;
    for (const FarStep& step : steps)
        families[first_of_family_[step.body]].push_back(&step);
    for (const auto& [first, family] : families) {
        const FarStep& worst = **std::max_element(family.begin(), family.end(),
            [](const FarStep* a, const FarStep* b) { return a->badness() < b->badness(); });
        const int others = static_cast<int>(family.size()) - 1;
        if (keep_worst(totals.undetected.far_steps, first,
                {{worst, others, dt}, time, worst.badness(), value_or_zero(foretold_far_, first)}))
            say(formatted("t = %.9g s: warning: ", time) + stickslip::in_words(*world_, worst, others, dt));
    }
}

std::string RunWatch::in_words(const BodyOverlap& overlap) const
{
    const std::string name = contact_body_name(*world_, overlap.body);
    const std::string bodies = overlap.body == overlap.other
        ? formatted("\"%s\" overlaps itself", name.c_str())
        : formatted("\"%s\" and \"%s\" overlap", name.c_str(), contact_body_name(*world_, overlap.other).c_str());
    const std::string depth =
        formatted("%s by %.3g m, %s: ", bodies.c_str(), overlap.depth, felt_in_words(overlap.felt).c_str());
    if (overlap.felt >= overlap.depth)
        return depth + "more than the thinner one is thick; use a stiffer contact or a shorter time.step";
    if (!overlap.place.allFinite())
        return depth + "they moved too far in a step; use a shorter time.step";
    const std::string place =
        formatted("at (%.4g, %.4g, %.4g) m", overlap.place.x(), overlap.place.y(), overlap.place.z());
    if (overlap.crossings == 0)
        return depth + "they pass through each other " + place;
    return depth
        + formatted("they pass through each other %s, triangle %d through triangle %d and %s like it", place.c_str(),
            overlap.triangles[0], overlap.triangles[1], counted(overlap.crossings - 1, "more pair").c_str());
}

std::string RunWatch::in_words(const MissedPenetration& found) const
{
    const DeformableBody& soft = world_->deformables.bodies[found.soft];
    const std::string name = contact_body_name(*world_, found.body);
    const std::string contact = felt_in_words(found.felt);
    const std::string depth = formatted(
        "\"%s\" is %.3g m deep in \"%s\", %s: ", name.c_str(), found.depth, soft.name.c_str(), contact.c_str());
    if (contact_bodies(*world_).meets_by_balls(found.body, found.soft))
        return depth + "it passed through the surface; use a shorter time.step";
    if (contact_bodies(*world_).is_deformable(found.body))
        return depth + "it started there or moved too far in a step; part them at the start or use a shorter time.step";
    return depth
        + formatted(
            "contact is detected at the nodes of \"%s\", %.3g m apart, and \"%s\" sinks in between them; use a finer "
            "`resolution`",
            soft.name.c_str(), node_spacing(world_->deformables, soft), name.c_str());
}

void RunWatch::keep(const std::vector<MissedPenetration>& found, double time, RunTotals& totals, const Say& say) const
{
    for (const MissedPenetration& s : found)
        if (keep_worst(totals.undetected.penetrations, {s.body, s.soft}, {s, time, s.depth - s.felt, 0}))
            say(formatted("t = %.9g s: warning: ", time) + in_words(s));
}

void RunWatch::keep(const BodyOverlap& o, double time, RunTotals& totals, const Say& say) const
{
    if (keep_worst(totals.undetected.overlaps, {o.body, o.other}, {o, time, o.depth, 0}))
        say(formatted("t = %.9g s: warning: ", time) + in_words(o));
}

/// Contacts that are deeper than the thinner body is thick: they are felt, and do not hold.
void RunWatch::keep_too_deep(const ContactSet& contacts, double time, RunTotals& totals, const Say& say) const
{
    std::map<BodyPair, double> deepest;
    const int count = static_cast<int>(thickness_.size());
    contacts.for_each_contact([&](const Contact& c) {
        const auto [one, other] = std::minmax(c.point_body, c.surface_body);
        if (other < count && c.at.depth > std::min(thickness_[one], thickness_[other]))
            deepest[{one, other}] = std::max(deepest[{one, other}], c.at.depth);
    });
    for (const auto& [pair, depth] : deepest)
        keep({pair.first, pair.second, depth, depth}, time, totals, say);
}

void RunWatch::tell_worst(const RunTotals& totals, const Say& say, const Say& recall) const
{
    for (const auto& [body, why] : overlaps_.left_out())
        say("warning: the audit leaves out \"" + contact_body_name(*world_, body) + "\": " + why);
    const auto tell = [&](const auto& seen, const auto& words) {
        std::size_t count = 0;
        for (const auto& [bodies, worst] : seen) {
            if (++count > most_reported)
                break;
            const bool is_news = worst.badness > much_worse * worst.reported;
            (is_news ? say : recall)(formatted("t = %.9g s, the worst: ", worst.time) + words(worst.event));
        }
        if (seen.size() > most_reported)
            recall(formatted("and %zu more like these", seen.size() - most_reported));
    };
    const UndetectedContact& undetected = totals.undetected;
    tell(undetected.long_steps, [&](const LongStepEvent& e) { return stickslip::in_words(*world_, e.step, e.dt); });
    tell(undetected.far_steps,
        [&](const FarStepEvent& e) { return stickslip::in_words(*world_, e.step, e.others, e.dt); });
    tell(undetected.penetrations, [&](const MissedPenetration& s) { return in_words(s); });
    tell(undetected.overlaps, [&](const BodyOverlap& o) { return in_words(o); });
}

} // namespace stickslip
