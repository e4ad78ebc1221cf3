#pragma once

#include "stickslip/contact/contact_task.h"
#include "stickslip/contact/detect/near_pairs.h"
#include "stickslip/contact/edges/crossings_in_step.h"

namespace stickslip {

// Points, balls and circles against what keeps its shape. Which of them may touch is not decided at the start of a
// step: tasks are ranges of points of bodies that are near each other.

/// Adds tasks of what touches the second body of a pair, which keeps its shape, by its points, balls, circles or its
/// axis (CrossingsInStep), but for vertices and nodes on triangles (PatchesInStep). holds: some of it does already,
/// wherever the bodies are.
void list_points(
    const ContactStep& step, const NearPairs& near, const CandidatePair& pair, bool holds, ContactTasks& tasks);

/// Nodes, samples and material points on the distance of a solid.
void run_points(const ContactStep& step, ContactTask& task);

// Balls and circles leave their share to what lies across their sides.
void run_balls(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task);
void run_balls_on_triangles(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task);
void run_rims(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task);
void run_rims_on_triangles(const ContactStep& step, const CrossingsInStep& crossings, ContactTask& task);

} // namespace stickslip
