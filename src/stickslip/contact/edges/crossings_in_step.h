#pragma once

#include "stickslip/contact/contact_task.h"
#include "stickslip/contact/edges/mesh_tubes.h"

#include <span>
#include <vector>

namespace stickslip {

/// Round sides that lie across edges and other round sides (edges/axis_crossing.h): which tubes each crosses is decided
/// at the start of a step.
class CrossingsInStep {
public:
    explicit CrossingsInStep(const ContactBodies& bodies);

    void begin_step() { grown_.clear(); }

    /// Adds tubes that have come to lie across the axis of one of the tasks at the candidate: what was predicted may
    /// not be where bodies meet, since a contact that began in the step has turned one of them. Whether there were any.
    bool grow(const ContactStep& step, std::span<const ContactTask> tasks);

    /// Of the crossings of two bodies, whichever has the axis.
    std::vector<CarriedPlace> carried_places(const ContactStep& step, const CandidatePair& pair) const;

    void run(const ContactStep& step, ContactTask& task) const;

private:
    // One that was not predicted, or new and with a much smaller share.
    struct Grown {
        CandidatePair pair;
        AxisCrossing at;
    };
    std::vector<CrossedTube> crossings(const ContactStep& step, const CandidatePair& pair) const;
    std::vector<int> tubes_near(const ContactBodies& bodies, const CandidatePair& pair, const RoundSide& side,
        const Frame& old, const Frame& pose) const;
    std::optional<AxisCrossing> crossing(const ContactStep& step, const CandidatePair& pair, int side, int number,
        const Frame& old, const Frame& pose) const;
    int slot(const CandidatePair& pair, const AxisCrossing& at) const
    {
        return at.side * static_cast<int>(tubes_[pair.surface_body].tubes.size()) + at.tube;
    }

    std::vector<std::vector<RoundSide>> sides_; // by body: of what keeps its shape
    std::vector<MeshTubes> tubes_; // by body: the same; of_edge of triangles alone
    std::vector<Grown> grown_; // of this step
};

} // namespace stickslip
