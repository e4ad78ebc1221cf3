#pragma once

#include "stickslip/contact/contact_task.h"
#include "stickslip/contact/detect/near_pairs.h"
#include "stickslip/contact/edges/crossings_in_step.h"

#include <vector>

namespace stickslip {

/// Points, balls, circles and axes against what keeps its shape: their tasks are ranges of points of bodies that are
/// near each other. Balls and circles leave their share to what lies across their sides.
class SolidsInStep {
public:
    explicit SolidsInStep(const ContactBodies& bodies);

    /// Adds tasks of what touches the second body of a pair, which keeps its shape. holds: some of it does already,
    /// wherever the bodies are.
    void list(const ContactStep& step, const NearPairs& near, const CandidatePair& pair, bool holds,
        ContactTasks& tasks) const;

    void run_points(const ContactStep& step, ContactTask& task) const;
    void run_balls(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task) const;
    void run_rims(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task) const;
    void run_balls_on_triangles(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task) const;
    void run_rims_on_triangles(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task) const;

private:
    // Whether these vertices of a sheet that stands still are far from all places of the other body until tasks are
    // listed again, and hold nothing.
    bool is_out_of_reach(
        const ContactStep& step, const NearPairs& near, const CandidatePair& pair, int begin, int end) const;

    std::vector<std::vector<Bounds>> vertices_of_sheets_; // by body, of each task in the frame of the sheet
};

} // namespace stickslip
