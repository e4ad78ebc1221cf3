#pragma once

#include "stickslip/contact/contact_blocks.h"
#include "stickslip/contact/contact_step.h"
#include "stickslip/contact/edges/carried_place.h"
#include "stickslip/contact/edges/edge_entry.h"
#include "stickslip/contact/meshes/patch_meeting.h"
#include "stickslip/contact/polyhedra/pair_features.h"
#include "stickslip/contact/surfaces/ball_on_triangles.h"
#include "stickslip/contact/surfaces/rim_on_triangles.h"
#include "stickslip/contact/surfaces/soft_surface.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace stickslip {

/// What the start of a step says of points against a solid, filled in as it is asked for.
struct PointsAtStart {
    Bounds way_in; // [solid's frame] what the way of a new point must not pass by
    bool skips_between; // points within faces and edges, which the solid touches by its own circles, balls or axis
    bool skips_faces; // points within faces alone: ContactBodies::has_needless_faces
    std::vector<Vec3> seen; // [m] where the solid saw each
    std::vector<const Attachment*> kept; // null: none
    struct Start {
        LevelSetSurface::PointStart of_surface;
        double k; // [N/m] without what scales it
    };
    std::vector<std::optional<Start>> start;
    std::optional<std::vector<LevelPatch>> before; // StepStart::stands_before
};

constexpr int points_per_task = 10 * Rim::point_count; // no task ends within a rim

/// What a task looks at: points, or what the start of the step has decided.
struct TaskSubject {
    CandidatePair pair;
    ContactKind kind;
    bool is_certain = true; // also where the boxes of the two do not meet
    bool has_begun = false; // knows what the start of the step says
    int begin = 0, end = 0; // points
    const PairFeatures* features = nullptr; // of two polyhedra
    std::span<const PatchMeeting> meetings = {}; // of points and patches
    std::span<const EdgeEntry> entries = {}; // of edges
};

/// Contacts of one kind between two bodies, or some of them: what is looked at, and what was found. Tasks are listed
/// once for many candidates and run side by side.
struct ContactTask : TaskSubject {
    // What the start of the step says, found when a task first runs.
    double mu; // [-]
    std::span<const CarriedPlace> carried; // by crossings, of what its circles and balls would
    PointsAtStart points;

    ContactBlocks contacts; // found at the candidate

    // Memory of searches.
    std::vector<RimContact> extremes; // of the rim at hand
    BallOnTriangles search; // of the ball at hand
    RimOnTriangles rim_search; // of the rim at hand
    std::vector<PoseContact> touches;
    SoftSurface::Search soft_search;
    std::vector<SoftBallContact> soft_touches;

    /// A contact of one of its points with a surface that keeps its shape. k [N/m].
    void add(int point, double k, const PoseContact& at, const ContactStep& step)
    {
        const auto [p, s] = pair;
        contacts.add(p, s, point, k, at, step.side(p, point), step.side(s, point));
    }
};

/// All tasks of a step, in the order in which their contacts are summed. Keeps its memory.
class ContactTasks {
public:
    void clear() { count_ = 0; }

    ContactTask& add(const CandidatePair& pair, ContactKind kind)
    {
        if (count_ == tasks_.size())
            tasks_.emplace_back();
        ContactTask& task = tasks_[count_++];
        static_cast<TaskSubject&>(task) = {pair, kind};
        return task;
    }

    std::span<ContactTask> all() { return std::span(tasks_).first(count_); }

private:
    std::vector<ContactTask> tasks_;
    std::size_t count_ = 0;
};

} // namespace stickslip
