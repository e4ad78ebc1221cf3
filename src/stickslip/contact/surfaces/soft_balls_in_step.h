#pragma once

#include "stickslip/contact/contact_task.h"

#include <span>
#include <vector>

namespace stickslip {

/// Balls on the triangles of deformable bodies.
class SoftBallsInStep {
public:
    explicit SoftBallsInStep(const ContactBodies& bodies);

    void begin_step();

    /// Adds tasks of the balls of the first of a pair that are tested against the second, which deforms.
    static void list(const ContactBodies& bodies, const CandidatePair& pair, bool holds, ContactTasks& tasks);

    /// Moves the surfaces that one of these tasks needs to the candidate. Where a node has no finite place nothing
    /// touches: what moves it there says so.
    void move_to(const ContactStep& step, std::span<const ContactTask* const> needed);

    void run(const ContactStep& step, ContactTask& task) const;

private:
    struct Body {
        int body;
        SoftSurface surface;
        bool has_begun; // knows where its nodes are at the start of this step
        bool is_finite; // they are somewhere at the candidate, and it is there
    };

    std::vector<Body> surfaces_; // ascending
    std::vector<Vec3> vertices_; // of the one at hand
};

} // namespace stickslip
