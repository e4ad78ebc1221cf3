#pragma once

#include "stickslip/render/drawn_frame.h"

namespace stickslip {

/// Contact forces as arrows, blue where the contact sticks, orange where it slides: the 95th percentile of the forces
/// of the frame is `length` [m] long, none is longer than twice or shorter than a fifth of that. Pre: length > 0.
DrawnMesh force_arrows(const std::vector<RecordedContact>& contacts, double length);

} // namespace stickslip
