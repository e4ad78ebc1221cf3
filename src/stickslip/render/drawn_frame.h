#pragma once

#include "stickslip/geometry/mesh/shaded_surface.h"
#include "stickslip/replay/colours.h"
#include "stickslip/replay/run_reading.h"

#include <string>
#include <vector>

namespace stickslip {

enum class ColourBy { body, speed, stress };

/// Triangles; their corners are shared where position, normal and colour are the same.
struct DrawnMesh {
    int body = -1;
    std::vector<Eigen::Vector3f> positions, normals; // [m], [-] of the corners
    std::vector<Colour> colours;
    std::vector<Triangle> triangles; // indices of corners
    bool closed = false; // around a solid, corners counterclockwise from outside: what faces away is never seen
    float opacity = 1; // below: what is behind shows through, and it casts no shadow
};

/// Colours from the first to the last belong to the values between.
struct ColourScale {
    double from = 0, to = 1; // [m/s] or [Pa]
};

/// A flat obstacle, drawn as ground with a grid that moves with it.
struct DrawnPlane {
    Vec3 origin; // [m]
    Mat3 axes; // columns: along the grid, normal, along the grid
};

struct DrawnSphere {
    Eigen::Vector3f centre; // [m]
    float radius; // [m]
    Colour colour;
    float opacity = 1; // as of a mesh
};

/// Geometry of one frame, as it is drawn.
struct DrawnFrame {
    std::vector<DrawnMesh> meshes;
    std::vector<DrawnPlane> planes;
    std::vector<DrawnSphere> spheres;
    DrawnMesh marks; // drawn over all else: arrows and force chains
};

/// Turns recorded frames into what is drawn. Keeps what is the same in every frame: outer faces of tetrahedra, and at
/// which edges the shading breaks (sharp at the first frame).
class FrameDrawing {
public:
    /// Keeps a reference. `opacity`: by body of the scene, from 0 (left out) to 1; empty: all are opaque. Planes are
    /// drawn or left out.
    FrameDrawing(const RunReading& run, ColourBy by, const ColourScale& scale, std::vector<float> opacity);

    DrawnFrame draw(const RecordedFrame& frame);

private:
    struct Surface {
        ShadedSurface shaded;
        bool closed = false;
        std::size_t cells = 0, points = 0; // it was made from
    };
    const Surface& surface_of(const RecordedShape& shape);
    Colour colour_of_body(int body) const;
    float opacity_of(int body) const;
    std::vector<Colour> point_colours(const RecordedFrame& frame, const RecordedShape& shape) const;
    double radius_of(const RecordedShape& shape, std::size_t point);

    const RunReading& run_;
    ColourBy by_;
    ColourScale scale_;
    std::vector<float> opacity_;
    std::vector<Surface> surfaces_; // by body
    std::vector<double> particle_radius_; // [m] by body, of points without a radius; 0: not known yet
};

/// One value a point of the shape, [m/s] or [Pa]; nan where the frame does not say it.
/// Pre: by is not body.
std::vector<double> point_values(
    const RunReading& run, const RecordedFrame& frame, const RecordedShape& shape, ColourBy by);

/// The points of an obstacle lie in one plane, however large: it is drawn as that plane.
bool is_flat(const VtkContent& content);

/// The body only stands there or is moved by its script.
bool is_obstacle(const RunReading& run, int body);

} // namespace stickslip
