#include "stickslip/apps/frame_choice.h"

#include "stickslip/math/error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace stickslip {

std::size_t frame_near(const RunReading& run, double time)
{
    const double first = run.frames.front().time, last = run.frames.back().time;
    const double slack = run.frames.size() > 1 ? (last - first) / static_cast<double>(run.frames.size() - 1) : 0;
    if (!(time >= first - slack && time <= last + slack)) {
        char text[128];
        std::snprintf(
            text, sizeof text, "--time %.6g: the frames of this run are from %.6g to %.6g s", time, first, last);
        throw InputError(text);
    }
    const auto nearer = [&](const FrameOfSeries& a, const FrameOfSeries& b) {
        return std::abs(a.time - time) < std::abs(b.time - time);
    };
    return static_cast<std::size_t>(
        std::min_element(run.frames.begin(), run.frames.end(), nearer) - run.frames.begin());
}

} // namespace stickslip
