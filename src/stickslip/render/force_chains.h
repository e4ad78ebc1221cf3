#pragma once

#include "stickslip/render/drawn_frame.h"

namespace stickslip {

/// Normal forces of contacts as bars from centre to centre of what touches, to the place of contact where an obstacle
/// has no centre worth the name: as wide and as red as the force is large. The 95th percentile of the frame is `width`
/// [m] wide, none is wider than twice that. Contacts of bodies that are not known are left out. Pre: width > 0.
DrawnMesh force_chains(const RunReading& run, const RecordedFrame& frame, double width);

/// [m] 0.35 of the median radius of the frame's balls, or of the half size of what moves where there are none; 0 in a
/// frame without either.
double chain_width(const RunReading& run, const RecordedFrame& frame);

} // namespace stickslip
