#pragma once

#include "stickslip/contact/contact_task.h"
#include "stickslip/contact/edges/mesh_tubes.h"

#include <map>
#include <span>
#include <vector>

namespace stickslip {

/// Round sides that lie across edges and other round sides (edges/axis_crossing.h): which tubes each crosses is decided
/// at the start of a step.
class CrossingsInStep {
public:
    explicit CrossingsInStep(const ContactBodies& bodies);

    void begin_step() { of_pairs_.clear(); }

    /// Finds what these tasks need that this step has not found yet.
    void prepare(const ContactStep& step, std::span<ContactTask* const> tasks);

    /// Adds tubes that have come to lie across the axis of one of the tasks at the candidate: what was predicted may
    /// not be where bodies meet, since a contact that began in the step has turned one of them. Whether there were any.
    bool grow(const ContactStep& step, std::span<const ContactTask> tasks);

    /// Of the crossings of two bodies, whichever has the axis. Pre: prepared, as below.
    std::span<const CarriedPlace> carried_places(const ContactStep& step, const CandidatePair& pair) const;

    void run(const ContactStep& step, ContactTask& task) const;

private:
    // A tube that lies across a round side in this step.
    struct CrossedTube {
        AxisCrossing at;
        const Attachment* kept; // null: none
    };
    struct PairCrossings {
        std::vector<CrossedTube> tubes; // by their slots
        std::vector<CarriedPlace> places; // those that carry [world]
    };
    PairCrossings crossings(const ContactStep& step, const CandidatePair& pair) const;
    // That overlap at the candidate, and did not or had a much smaller share when they were predicted.
    std::vector<AxisCrossing> grown(const ContactStep& step, const CandidatePair& pair) const;
    void set_places(const ContactStep& step, const CandidatePair& pair, PairCrossings& crossings) const;
    CrossedTube crossed(const ContactStep& step, const CandidatePair& pair, const AxisCrossing& at) const;
    std::vector<int> tubes_near(const ContactBodies& bodies, const CandidatePair& pair, const RoundSide& side,
        const Frame& old, const Frame& pose) const;
    // visit(crossing) of the solids that are at `old` at the start of the step and at `pose` later
    template <typename Visit>
    void for_each_crossing(const ContactStep& step, const CandidatePair& pair, const Frame& old, const Frame& pose,
        const Visit& visit) const;
    int slot(const CandidatePair& pair, int side, int tube) const
    {
        return side * static_cast<int>(tubes_[pair.surface_body].tubes.size()) + tube;
    }
    int slot(const CandidatePair& pair, const AxisCrossing& at) const { return slot(pair, at.side, at.tube); }

    std::vector<std::vector<RoundSide>> sides_; // by body: of what keeps its shape
    std::vector<MeshTubes> tubes_; // by body: the same; of_edge of triangles alone
    std::map<CandidatePair, PairCrossings> of_pairs_; // in this step; the point body's are the sides
};

} // namespace stickslip
