#pragma once

#include "stickslip/bodies/motion.h"
#include "stickslip/bodies/rigid_body.h"
#include "stickslip/geometry/queries/triangulated_surface.h"
#include "stickslip/geometry/solids/level_set.h"

#include <memory>
#include <string>

namespace stickslip {

/// A solid of infinite mass, at rest or moved by a script.
struct Obstacle {
    std::string name;
    LevelSet solid; // met by points
    Frame start; // pose at t = 0
    ScriptedMotion motion;
    std::vector<SurfaceSample>
        samples; // point side, met by rigid bodies alone, as theirs; from the origin of the solid
    std::vector<RoundPoint> rounds;
    std::vector<Rim> rims, round_rims; // as of a rigid body
    Vec3 surface_velocity =
        Vec3::Zero(); // [m/s] in the solid's frame: a conveyor, whose surface moves while its shape stays
    std::shared_ptr<const TriangulatedSurface> triangles = nullptr; // in the solid's frame: met by balls in its place
    PatchPoints patch_points = {}; // from the origin of the solid
    bool by_triangles = false; // as of a rigid body
    std::shared_ptr<const TriangulatedSurface> sharp = nullptr; // as of a rigid body
};

} // namespace stickslip
