#pragma once

#include "stickslip/scene/scene_places.h"
#include "stickslip/scene/text/scene_reading.h"

#include <filesystem>
#include <vector>

namespace stickslip {

/// Pose of a copy relative to the body as its template places it.
struct CopyPlace {
    Vec3 offset = Vec3::Zero(); // [m] world axes
    Mat3 turn = Mat3::Identity(); // after the body's own rotation
};

/// Size of a body in its own frame: a box, and whether it is a ball, which takes less.
struct CopyExtent {
    Bounds box;
    bool ball = false;
};

/// Places in the order of their indices. `rotation`: the template's own. A scattered body is turned at random and does
/// not overlap those before it, by their bounding boxes (balls: by themselves); the seed alone decides where it is.
/// Throws InputError when they do not fit.
std::vector<CopyPlace> place_copies(const Copies& copies, const CopyExtent& extent, const Mat3& rotation);

/// Number of bodies, as a double: it may be huge.
double copy_count(const Copies& copies);

/// Puts the copies in the place of each body that has some, as bodies of their own named `brick[0]` and on. `scene` was
/// read from this tree without fault; meshes are looked for in `folder`. With a fault all stays as it is.
void expand_copies(Scene& scene, SceneTree& tree, const std::filesystem::path& folder, Reading& reading);

} // namespace stickslip
