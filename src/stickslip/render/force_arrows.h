#pragma once

#include "stickslip/render/drawn_frame.h"

namespace stickslip {

/// Length of arrows that stand for forces: a usual force is `length` [m] long, none is longer than twice or shorter
/// than a fifth of that.
struct ArrowScale {
    double force = 0; // [N] a usual one: the 95th percentile of a frame; 0: there are none
    double length = 1; // [m] > 0
    double largest = 0; // [N] in the frame
};

ArrowScale arrow_scale(const std::vector<RecordedContact>& contacts, double length);

/// With the force of each contact on what moves, or on the later one of two bodies of the scene, as its point side.
std::vector<RecordedContact> on_what_moves(std::vector<RecordedContact> contacts, const RecordedScene& scene);

/// Contact forces as arrows, blue where the contact sticks, orange where it slides. Pre: scale.force > 0, or no forces.
DrawnMesh force_arrows(const std::vector<RecordedContact>& contacts, const ArrowScale& scale);

/// The largest of 1, 2, 5, 10, ... [N] whose arrow is no longer than `most` [m]. Pre: scale.force, most > 0.
double round_force(const ArrowScale& scale, double most);

/// [N] from which arrows grow no longer, where one does; 0: all forces are below.
double cut_force(const ArrowScale& scale);

} // namespace stickslip
