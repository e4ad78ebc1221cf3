#pragma once

#include "stickslip/export/exported_run.h"

#include <cstddef>
#include <string>

namespace stickslip {

/// The run as USD text (.usda) with time samples: a Mesh a body, moved by a transform where it keeps its shape,
/// otherwise with points a frame; balls and particles as Points with widths, and ids of those that the run numbers.
/// Where balls come or go each sample holds those that are there. Metres; a time code a frame.
std::string usda_file(const ExportedRun& run);

/// One frame as Wavefront OBJ, an object a body of which something is there; balls as triangulated spheres, points
/// without radius as `p`. Pre: frame < run.times.size().
std::string obj_file(const ExportedRun& run, std::size_t frame);

/// The rows of bodies.csv with a row a time: `time`, then `body.x` ... `body.wz` of all bodies, as the verb plot names
/// them and takes them to compare with.
std::string track_table(const RunReading& run);

} // namespace stickslip
