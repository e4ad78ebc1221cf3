#pragma once

#include "stickslip/contact/contact_task.h"
#include "stickslip/contact/detect/near_pairs.h"

#include <memory>
#include <span>
#include <vector>

namespace stickslip {

/// Two polyhedra that overlap by much more than any contact between them is deep.
struct UnfeltOverlap {
    int body, other; // contact bodies, the lower number first
    double depth; // [m] the shortest way that parts them
    double felt; // [m] depth of the deepest contact, 0: none
};

/// Solids with flat faces among themselves: which are near in a step, which of their features can meet, and what these
/// find.
class PolyhedraInStep {
public:
    /// Keeps a reference to what `bodies` refers to.
    explicit PolyhedraInStep(const ContactBodies& bodies);

    /// Null: has round or free form.
    const ConvexFeatures* features_of(int body) const { return features_[body].get(); }

    /// Decides which features can meet: of pairs whose ways meet, grown by twice what they are, and of those that hold
    /// attachments.
    void begin_step(const ContactStep& step);

    /// Adds those that have crossed at the candidate; whether there were any.
    bool grow(const ContactStep& step, const NearPairs& near);

    void list(ContactTasks& tasks) const;
    void run(const ContactStep& step, ContactTask& task) const;

    /// At the candidate, whose contacts these are, or on the way there.
    std::vector<UnfeltOverlap> unfelt(const ContactStep& step, std::span<const Contact> contacts) const;

private:
    // Two within reach of one another in this step, a < b.
    struct Met {
        int a, b;
        PairFeatures features;
    };
    double way_by_itself(const StepStart& start, int body) const; // [m] bound on what its points do in the step
    PairMotion pair_motion(const StepStart& start, int a, int b) const;

    std::vector<std::shared_ptr<const ConvexFeatures>> features_; // by body
    BroadPhase broad_phase_; // of the ways of a step
    std::vector<Met> met_; // sorted
};

} // namespace stickslip
