#include "stickslip/simulation/run_watch.h"

#include "stickslip/build/contact_limits.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr std::size_t most_told = 10; // pairs; of many the first tell enough
constexpr double much_worse = 2; // [-] times what was told: told again at the end
constexpr std::size_t most_kept = 1000;

using Numbers = std::map<std::string, double>;

/// What is remembered of two bodies, under "<what>.<a>.<b>.": the worst that was seen.
std::string key(const char* what, const BodyPair& pair, const char* value = "")
{
    return formatted("%s.%d.%d.%s", what, pair.first, pair.second, value);
}

/// The pairs of which something is remembered, and how bad that was.
std::vector<BodyPair> pairs_of(const Numbers& numbers, const std::string& what)
{
    std::vector<BodyPair> pairs;
    for (auto it = numbers.lower_bound(what + "."); it != numbers.end() && it->first.starts_with(what + "."); ++it) {
        BodyPair pair;
        if (std::sscanf(it->first.c_str() + what.size(), ".%d.%d", &pair.first, &pair.second) == 2
            && (pairs.empty() || pairs.back() != pair))
            pairs.push_back(pair);
    }
    return pairs;
}

/// Whether what was seen of a pair is worse than all before; and whether it is told: it is the first, and much worse
/// than what was foretold, 0 if nothing was.
struct Seen {
    bool is_worst, is_told;
};
Seen see(Numbers& numbers, const char* what, const BodyPair& pair, double badness, double foretold)
{
    const auto known = numbers.find(key(what, pair, "badness"));
    if (known != numbers.end()) {
        const bool is_worst = badness > known->second;
        known->second = std::max(known->second, badness);
        return {is_worst, false};
    }
    const std::size_t before = pairs_of(numbers, what).size();
    if (before >= most_kept)
        return {false, false};
    const bool is_told = before < most_told && badness > much_worse * foretold;
    numbers[key(what, pair, "badness")] = badness;
    numbers[key(what, pair, "told")] = is_told ? badness : foretold;
    return {true, is_told};
}

std::vector<Entered> entered_bodies(const Numbers& numbers)
{
    std::vector<Entered> entered;
    for (const BodyPair& pair : pairs_of(numbers, "entered")) {
        Vec3 from;
        for (int i = 0; i < 3; ++i)
            from[i] = numbers.at(key("entered", pair, i == 0 ? "x" : i == 1 ? "y" : "z"));
        entered.push_back({pair.first, pair.second, from});
    }
    return entered;
}

void keep(const std::vector<Entered>& entered, Numbers& numbers)
{
    std::erase_if(numbers, [](const auto& number) { return number.first.starts_with("entered."); });
    for (const Entered& e : entered)
        for (int i = 0; i < 3; ++i)
            numbers[key("entered", {e.body, e.other}, i == 0 ? "x" : i == 1 ? "y" : "z")] = e.from[i];
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

RunWatch::RunWatch(const World& world, const State& start, const TimeSettings& time)
    : world_(&world)
    , frame_(time.frame)
    , steps_(world)
    , soft_(world)
    , particles_(world)
{
    std::map<std::string, int> families;
    for (int b = 0; b < contact_bodies(world).count(); ++b)
        first_of_family_.push_back(families.try_emplace(family_of(contact_body_name(world, b)), b).first->second);
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
    std::vector<Entered> entered = entered_bodies(totals.numbers);
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
    stickslip::keep(entered, totals.numbers);
    const bool closely = std::floor(before.time / frame_) < std::floor(after.time / frame_);
    keep(soft_.look(after, contacts, closely), after.time, totals, say);
    keep(unfelt, after.time, totals, say);
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
    const std::string soft = contact_body_name(*world_, lost.soft);
    const std::string where = lost.depth > 0 ? formatted("is %.3g m deep in \"%s\"", lost.depth, soft.c_str())
                                             : "has passed through \"" + soft + "\"";
    say(formatted("t = %.9g s: gave up: after the next step, of %.3g s, a particle of \"%s\" %s, at (%.4g, %.4g, %.4g) "
                  "m, and does not touch it: it started there or came too far in a step; part them at the start or use "
                  "a shorter time.step",
        time, dt, contact_body_name(*world_, lost.body).c_str(), where.c_str(), lost.place.x(), lost.place.y(),
        lost.place.z()));
}

void RunWatch::look_closely(const State& state, const ContactSet& contacts, RunTotals& totals, const Say& say)
{
    keep(soft_.look(state, contacts, true), state.time, totals, say);
}

void RunWatch::keep(const std::vector<LongStep>& steps, double dt, double time, RunTotals& totals, const Say& say) const
{
    for (const LongStep& step : steps) {
        const BodyPair pair = std::minmax(step.mover, step.other);
        const auto foretold = foretold_.find(pair);
        const Seen seen =
            see(totals.numbers, "long_step", pair, step.badness(), foretold == foretold_.end() ? 0 : foretold->second);
        if (seen.is_worst)
            for (const auto& [name, value] : {std::pair("mover", double(step.mover)), {"thin", double(step.thin)},
                     {"way", step.way}, {"size", step.size}, {"dt", dt}, {"time", time}})
                totals.numbers[key("long_step", pair, name)] = value;
        if (seen.is_told)
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
        const auto foretold = foretold_far_.find(first);
        const Seen seen = see(totals.numbers, "far_step", {first, first}, worst.badness(),
            foretold == foretold_far_.end() ? 0 : foretold->second);
        if (seen.is_worst)
            for (const auto& [name, value] : {std::pair("body", double(worst.body)), {"others", double(others)},
                     {"way", worst.way}, {"size", worst.size}, {"dt", dt}, {"time", time}})
                totals.numbers[key("far_step", {first, first}, name)] = value;
        if (seen.is_told)
            say(formatted("t = %.9g s: warning: ", time) + stickslip::in_words(*world_, worst, others, dt));
    }
}

std::string RunWatch::in_words(const UnfeltOverlap& overlap) const
{
    return formatted("\"%s\" and \"%s\" overlap by %.3g m, %s: they moved too far in a step; use a shorter time.step",
        contact_body_name(*world_, overlap.body).c_str(), contact_body_name(*world_, overlap.other).c_str(),
        overlap.depth, felt_in_words(overlap.felt).c_str());
}

std::string RunWatch::in_words(const SunkBody& sunk) const
{
    const DeformableBody& soft = world_->deformables.bodies[sunk.soft];
    const std::string name = contact_body_name(*world_, sunk.body);
    const std::string contact = felt_in_words(sunk.felt);
    const std::string depth = formatted(
        "\"%s\" is %.3g m deep in \"%s\", %s: ", name.c_str(), sunk.depth, soft.name.c_str(), contact.c_str());
    if (contact_bodies(*world_).is_ball_on_triangles(sunk.body, sunk.soft))
        return depth + "it passed through the surface; use a shorter time.step";
    if (contact_bodies(*world_).is_deformable(sunk.body))
        return depth + "it started there or moved too far in a step; part them at the start or use a shorter time.step";
    return depth
        + formatted(
            "contact is detected at the nodes of \"%s\", %.3g m apart, and \"%s\" sinks in between them; use a finer "
            "`resolution`",
            soft.name.c_str(), node_spacing(world_->deformables, soft), name.c_str());
}

void RunWatch::keep(const std::vector<SunkBody>& sunk, double time, RunTotals& totals, const Say& say) const
{
    for (const SunkBody& s : sunk) {
        const Seen seen = see(totals.numbers, "sunk", {s.body, s.soft}, s.depth - s.felt, 0);
        if (seen.is_worst)
            for (const auto& [name, value] : {std::pair("depth", s.depth), {"felt", s.felt}, {"time", time}})
                totals.numbers[key("sunk", {s.body, s.soft}, name)] = value;
        if (seen.is_told)
            say(formatted("t = %.9g s: warning: ", time) + in_words(s));
    }
}

void RunWatch::keep(const std::vector<UnfeltOverlap>& overlaps, double time, RunTotals& totals, const Say& say) const
{
    for (const UnfeltOverlap& o : overlaps) {
        const Seen seen = see(totals.numbers, "overlap", {o.body, o.other}, o.depth - o.felt, 0);
        if (seen.is_worst)
            for (const auto& [name, value] : {std::pair("depth", o.depth), {"felt", o.felt}, {"time", time}})
                totals.numbers[key("overlap", {o.body, o.other}, name)] = value;
        if (seen.is_told)
            say(formatted("t = %.9g s: warning: ", time) + in_words(o));
    }
}

void RunWatch::tell_worst(const RunTotals& totals, const Say& say, const Say& recall) const
{
    const Numbers& numbers = totals.numbers;
    const auto tell = [&](const char* what, const auto& words) {
        const std::vector<BodyPair> pairs = pairs_of(numbers, what);
        for (std::size_t i = 0; i < std::min(pairs.size(), most_told); ++i) {
            const auto number = [&](const char* value) { return numbers.at(key(what, pairs[i], value)); };
            const bool is_news = number("badness") > much_worse * number("told");
            (is_news ? say : recall)(formatted("t = %.9g s, the worst: ", number("time")) + words(pairs[i], number));
        }
        if (pairs.size() > most_told)
            recall(formatted("and %zu more like these", pairs.size() - most_told));
    };
    tell("long_step", [&](const BodyPair& pair, const auto& number) {
        const int mover = static_cast<int>(number("mover"));
        return stickslip::in_words(*world_,
            {mover, mover == pair.first ? pair.second : pair.first, number("way"), static_cast<int>(number("thin")),
                number("size")},
            number("dt"));
    });
    tell("far_step", [&](const BodyPair&, const auto& number) {
        return stickslip::in_words(*world_, FarStep{static_cast<int>(number("body")), number("way"), number("size")},
            static_cast<int>(number("others")), number("dt"));
    });
    tell("sunk", [&](const BodyPair& pair, const auto& number) {
        return in_words(SunkBody{pair.first, pair.second, number("depth"), number("felt")});
    });
    tell("overlap", [&](const BodyPair& pair, const auto& number) {
        return in_words(UnfeltOverlap{pair.first, pair.second, number("depth"), number("felt")});
    });
}

} // namespace stickslip
