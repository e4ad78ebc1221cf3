#pragma once

#include "stickslip/render/drawn_frame.h"

#include <Eigen/Core>

#include <vector>

namespace stickslip {

/// Depths of a picture, 0 near to 1 far, row by row from below.
struct DepthPicture {
    int width, height;
    std::vector<float> depths;
};

/// Of each ball, whether it may be seen: not where all that is seen around its place in the picture is before it. In a
/// heap most are not. Between pixels a gap may show one of those that are left out: what is behind shows instead.
std::vector<bool> balls_in_sight(
    const std::vector<DrawnSphere>& balls, const Eigen::Matrix4f& clip, const DepthPicture& picture);

} // namespace stickslip
