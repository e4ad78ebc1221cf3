#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/simulation/step_watch.h"
#include "stickslip/world/audit/overlap_audit.h"
#include "stickslip/world/particle_watch.h"
#include "stickslip/world/soft_watch.h"
#include "stickslip/world/tunnelling_watch.h"

#include <map>
#include <set>
#include <vector>

namespace stickslip {

/// Watches an implicit run for what its contacts do not detect, and tells of it by the bodies' names: of each pair
/// once, and at the end if it became much worse. What it has to remember for that is in RunTotals::undetected, so that
/// a run that was stopped says the same.
class RunWatch {
public:
    /// Keeps a reference to `world`. `start`: of the scene, of which long steps were foretold. Looks closely at what
    /// may be inside deformable bodies at each frame, and at the overlap of all bodies in `audited` ones.
    RunWatch(const World& world, const State& start, const TimeSettings& time, AuditedFrames audited);

    /// After each step, with the contacts at its end and what they have missed. False: a body went through another,
    /// which it says; the run cannot go on from there.
    bool take_step(const State& before, const State& after, const ContactSet& contacts,
        const std::vector<UnfeltOverlap>& unfelt, RunTotals& totals, const Say& say);

    /// At the end, too: the overlap of all bodies.
    void look_at_last(const State& state, RunTotals& totals, const Say& say);

    /// At the end: what the audit left out, and the worst of each pair. `recall`: what is little worse than what was
    /// told.
    void tell_worst(const RunTotals& totals, const Say& say, const Say& recall) const;

private:
    void tell_of(const LostParticle& lost, double time, double dt, const Say& say) const;
    void tell_of_passage(const BodyPair& pair, double time, double dt, const Say& say) const;
    void keep(const std::vector<LongStep>& steps, double dt, double time, RunTotals& totals, const Say& say) const;
    void keep(const std::vector<FarStep>& steps, double dt, double time, RunTotals& totals, const Say& say) const;
    void keep(const std::vector<MissedPenetration>& found, double time, RunTotals& totals, const Say& say) const;
    void keep(const BodyOverlap& overlap, double time, RunTotals& totals, const Say& say) const;
    void keep_too_deep(const ContactSet& contacts, double time, RunTotals& totals, const Say& say) const;
    void audit(const State& state, RunTotals& totals, const Say& say);
    std::string in_words(const MissedPenetration& found) const;
    std::string in_words(const BodyOverlap& overlap) const;

    const World* world_;
    double frame_; // [s]
    AuditedFrames audited_;
    std::map<BodyPair, double> foretold_; // [-] badness of long steps
    std::set<int> foretold_movers_; // in these
    std::map<int, double> foretold_far_; // [-] badness of far steps, by the first body of the family
    std::vector<int> first_of_family_; // by contact body
    std::vector<double> thickness_; // [m] likewise
    TunnellingWatch steps_;
    SoftWatch soft_;
    ParticleWatch particles_;
    OverlapAudit overlaps_;
};

} // namespace stickslip
