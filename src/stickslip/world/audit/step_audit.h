#pragma once

#include "stickslip/contact/contact_set.h"
#include "stickslip/world/audit/overlap_audit.h"
#include "stickslip/world/tunnelling_watch.h"

#include <vector>

namespace stickslip {

/// Looks at a solved step for contact that it missed because rigid bodies came far in it. Contact is detected at the
/// end of a step: a body that came as far as another is thick may lie in it unfelt, or be through. A shorter step sees
/// it come (docs/derivations.md#step-audit). Pairs "came far" where a point of one came by more than a tenth of the
/// size of the smaller one towards the other; of all others nothing is said, and where nothing moved that far it costs
/// O(n) for n rigid bodies.
class StepAudit {
public:
    /// Keeps a reference to `world`.
    explicit StepAudit(const World& world);

    /// Of a step from one state to the next, which ends with these contacts. Of rigid bodies and obstacles that came
    /// far: those that went through one another; those that passed their middles, so that a contact that is met from
    /// behind, and for which they overlap on the way, pushes them on to the far side; and those that overlap by much
    /// more than their deepest contact (OverlapAudit::is_unfelt). Of the last two not what overlapped so before, of the
    /// last also not what has come apart. Not of two polyhedra that overlap, which ContactSet::unfelt_overlaps knows
    /// of. And of solids that material points went through. The lower number first.
    std::vector<UnfeltOverlap> missed(const State& before, const State& after, const ContactSet& contacts);

private:
    std::vector<UnfeltOverlap> missed_by_solids(const ContactSet& contacts);
    bool some_came_far();
    std::vector<UnfeltOverlap> passed();
    std::vector<UnfeltOverlap> met_from_behind(const ContactSet& contacts) const;
    bool went_past(const BodyPair& pair, double allowed);
    double size(const BodyPair& pair) const; // [m] of the smaller one
    double way_together(const BodyPair& pair) const;
    bool came_far(const BodyPair& pair) const;
    bool is_audited(const BodyPair& pair) const;
    Frame old_frame(int body) const { return frame_of_solid(bodies_, body, *before_); }
    Frame frame(int body) const { return frame_of_solid(bodies_, body, *after_); }

    const World* world_;
    ContactBodies bodies_;
    TunnellingWatch passages_;
    OverlapAudit overlaps_;
    std::vector<double> size_, reach_; // [m] by body: shortest side of its box; how far it reaches from its origin
    double smallest_ = infinity; // [m] of size_
    const State *before_ = nullptr, *after_ = nullptr;
    std::vector<double> way_; // [m] by body: bound on the way of its points in the step
};

} // namespace stickslip
