#pragma once

#include "stickslip/geometry/primitives.h"
#include "stickslip/io/fault.h"
#include "stickslip/math/types.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What a scene says of spheres; part of scene.h.
namespace stickslip {

struct MeshShape {
    std::string file; // relative to the scene file
    Vec3 scale = Vec3::Ones(); // [-] multiplies the file's coordinates, each > 0
    std::optional<double> spacing; // [m] of the grid that an obstacle or a rigid body is sampled on; auto: 1/64 of the
                                   // longest edge of its bounding box
    SourcePosition file_at;
};

/// What the shares of a size distribution are shares of.
enum class ShareOf { count, mass };

/// Every radius from `min` to `max` alike.
struct UniformSizes {
    double min = 0, max = 0; // [m]
    ShareOf by = ShareOf::count;
};
/// Gaussian, without what is more than two deviations from the mean.
struct NormalSizes {
    double mean = 0, deviation = 0; // [m]
    ShareOf by = ShareOf::count;
};
/// A few radii, each with its share.
struct TableSizes {
    std::vector<double> radii; // [m] at least one
    std::vector<double> shares; // [-] as many, >= 0; whatever their sum
    ShareOf by = ShareOf::count;
};
using Sizes = std::variant<UniformSizes, NormalSizes, TableSizes>;

/// Spheres at random in a region, none overlapping another. Exactly one region; the body's position and rotation move
/// it.
struct FillSettings {
    std::optional<Vec3> box; // [m] full edge lengths
    std::optional<Cylinder> cylinder;
    std::optional<double> sphere; // [m] radius
    std::optional<MeshShape> mesh; // closed
    std::optional<int> count; // this or `fraction`
    std::optional<double> fraction; // [-] of the region's volume that is solid
    std::optional<Sizes> sizes; // unset: the body's radius
    int seed = 1;
};

/// Places of the centres in the body's own axes: in the scene or in a file.
struct PlaceList {
    std::vector<Vec3> places; // [m]
    std::string file; // relative to the scene file; not empty: `places` is
};

enum class EdgeChoice { smooth, zones, raw };

enum class ForceLaw { automatic, linear, hertz, dmt, jkr };

} // namespace stickslip
