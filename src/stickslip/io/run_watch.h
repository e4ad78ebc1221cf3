#pragma once

#include "stickslip/io/simulation.h"
#include "stickslip/world/soft_watch.h"
#include "stickslip/world/tunnelling_watch.h"

namespace stickslip {

/// Watches an implicit run for what its contacts do not feel, and tells of it by the bodies' names: of each pair once,
/// and of all at the end. What it has to remember for that is in RunTotals::numbers, so that a run that was stopped
/// says the same.
class RunWatch {
public:
    /// Keeps a reference. `frame` [s]: how often to look closely at what may be inside deformable bodies.
    RunWatch(const World& world, double frame);

    /// After each step, with the contacts at its end. False: a body went through another, which it says; the run cannot
    /// go on from there.
    bool take_step(const State& before, const State& after, const ContactSet& contacts, RunTotals& totals,
        const Simulation::Say& say);

    /// At the end, too.
    void look_closely(const State& state, const ContactSet& contacts, RunTotals& totals, const Simulation::Say& say);

    /// At the end: the worst of each pair.
    void tell_all(const RunTotals& totals, const Simulation::Say& say) const;

private:
    void tell_of_passage(const BodyPair& pair, double time, double dt, const Simulation::Say& say) const;
    void keep(const std::vector<LongStep>& steps, double dt, double time, RunTotals& totals,
        const Simulation::Say& say) const;
    void keep(const std::vector<SunkBody>& sunk, double time, RunTotals& totals, const Simulation::Say& say) const;
    std::string in_words(const SunkBody& sunk) const;

    const World* world_;
    double frame_; // [s]
    TunnellingWatch steps_;
    SoftWatch soft_;
};

/// `"ball" moves 5 m against "wall" in one step of 0.05 s, and ...`
std::string in_words(const World& world, const LongStep& step, double dt);

} // namespace stickslip
