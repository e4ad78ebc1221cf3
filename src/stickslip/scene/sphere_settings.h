#pragma once

#include "stickslip/geometry/solids/primitives.h"
#include "stickslip/math/types.h"
#include "stickslip/scene/text/fault.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Settings of spheres; part of scene.h.
namespace stickslip {

/// Unit of length that a file is in.
enum class LengthUnit { metre, centimetre, millimetre, inch, foot };
double metres(LengthUnit unit);

/// One of several files, relative to the scene file.
struct MeshPart {
    std::string file;
    SourcePosition at;
};

struct MeshShape {
    std::string file; // relative to the scene file
    std::vector<MeshPart> files; // instead: several that are one surface, joined where their vertices meet
    LengthUnit unit = LengthUnit::metre;
    Vec3 scale = Vec3::Ones(); // [-] multiplies the file's coordinates, each > 0
    std::optional<double> spacing; // [m] of the grid that an obstacle or a rigid body is sampled on; auto: 1/64 of the
                                   // longest edge of its bounding box
    std::optional<double> weld; // [m] vertices nearer than this are one; auto: a millionth of the mesh's size
    double patch_angle =
        15; // [deg] facets whose fold is at most this are one smooth patch, in which contacts hand on their friction
    SourcePosition file_at;

    /// [m] of one of the file's units, along each axis.
    Vec3 metres_per_unit() const { return metres(unit) * scale; }
    /// The one file, or all of them.
    std::vector<MeshPart> parts() const { return files.empty() ? std::vector{MeshPart{file, file_at}} : files; }
    /// Their names, to be changed.
    std::vector<std::string*> names()
    {
        std::vector<std::string*> names;
        for (MeshPart& part : files)
            names.push_back(&part.file);
        return files.empty() ? std::vector{&file} : names;
    }
};

/// Quantity that the shares of a size distribution refer to.
enum class ShareOf { count, mass };

/// Every radius from `min` to `max` alike.
struct UniformSizes {
    double min = 0, max = 0; // [m]
};
/// Gaussian, without what is more than two deviations from the mean.
struct NormalSizes {
    double mean = 0, deviation = 0; // [m]
};
/// A few radii, each with its share.
struct TableSizes {
    std::vector<double> radii; // [m] at least one
    std::vector<double> shares; // [-] as many, >= 0; whatever their sum
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
    ShareOf sizes_by = ShareOf::count;
    int seed = 1;
};

/// Spheres that come in during the run, at random places in a box where none is in the way.
struct InletSettings {
    Vec3 box = Vec3::Zero(); // [m] full edge lengths, in the body's own frame; holds the spheres wholly
    double rate = 0; // [kg/s]
    std::optional<Sizes> sizes; // unset: the body's radius
    ShareOf sizes_by = ShareOf::count;
    int seed = 1;
    double start = 0, end = infinity; // [s]
    double mass = infinity; // [kg] no more than this
};

/// A box in which spheres leave the run.
struct OutletSettings {
    std::string name;
    Bounds box; // [m] world; of the centres
    SourcePosition where, name_at;
};

/// A box in which the packing of spheres is measured.
struct RegionSettings {
    std::string name;
    Bounds box; // [m] world, finite
    std::optional<double> spacing; // [m] of a grid of points for which frames have fields of the spheres
    int smoothing = 1; // [-] how many spacings a sphere is smeared over
    SourcePosition where;
};
/// Name of all spheres together in packing.csv; no region may have this name.
constexpr const char* all_spheres = "all";

enum class ClumpOrientation { random, aligned };

/// Balls that hold each other: what stands at each place instead of a sphere.
struct ClumpSettings {
    std::vector<Vec3> positions; // [m] of the centres, from any origin
    std::optional<double> radius; // [m] of all
    std::vector<double> radii; // [m] or of each
    ClumpOrientation orientation = ClumpOrientation::random;
    int seed = 1; // of the orientations
};

/// Places of the centres in the body's own axes: in the scene or in a file.
struct PlaceList {
    std::vector<Vec3> places; // [m]
    std::string file; // relative to the scene file; not empty: `places` is
};

enum class EdgeChoice { smooth, zones, raw };
/// Which surface of a mesh spheres meet.
enum class ContactGeometry { mesh, level_set };

enum class ForceLaw { automatic, linear, hertz, dmt, jkr };

} // namespace stickslip
