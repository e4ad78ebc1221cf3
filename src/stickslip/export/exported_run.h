#pragma once

#include "stickslip/replay/colours.h"
#include "stickslip/replay/run_reading.h"

#include <string>
#include <vector>

namespace stickslip {

/// A body over the whole run, as other programs take it. Frames in which it could not be read repeat the last one. What
/// never moves has a single pose, or a single list of points. A sphere is the same point in all frames: before it
/// enters it waits where it will, after it has left it stays where it was.
struct ExportedBody {
    std::string name;
    Colour colour;
    std::vector<Triangle> triangles; // outer faces; none: single points
    std::vector<Frame> poses; // by frame or one, of a body that keeps its shape; otherwise empty
    std::vector<Vec3> shape; // [m] in its own frame, of a body with poses
    std::vector<std::vector<Vec3>> points; // [m] by frame or one, of all others
    std::vector<double> radii; // [m] of points that are balls; otherwise empty
    std::vector<int> numbers; // of points that the run numbers; otherwise empty
    std::vector<std::vector<bool>> there; // by frame and point, where points come or go; otherwise empty

    bool keeps_shape() const { return !poses.empty(); }
    bool moves() const { return poses.size() > 1 || points.size() > 1; }
    bool comes_or_goes() const { return !there.empty(); }
    bool is_there(std::size_t frame, std::size_t point) const { return !comes_or_goes() || there[frame][point]; }
    int number(std::size_t point) const { return numbers.empty() ? static_cast<int>(point) : numbers[point]; }
    const Frame& pose(std::size_t frame) const { return poses[moves() ? frame : 0]; }
    const std::vector<Vec3>& points_at(std::size_t frame) const { return points[moves() ? frame : 0]; }
};

/// A run as other programs take it.
struct ExportedRun {
    std::string title;
    Vec3 up = Vec3(0, 1, 0); // [-]
    std::vector<double> times; // [s] of the frames, from 0
    std::vector<ExportedBody> bodies;

    double frames_per_second() const;
};

/// Reads all frames. Obstacles and rigid bodies keep their shape: their motion is that of bodies.csv.
/// Errors: InputError when there are no frames.  What cannot be read is added to `notes`.
ExportedRun exported_run(const RunReading& run, std::vector<std::string>& notes);

/// Names for files and formats that take letters, digits and underscores only: all different, in the order of `names`.
std::vector<std::string> plain_names(const std::vector<std::string>& names);

} // namespace stickslip
