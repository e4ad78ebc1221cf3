#pragma once

#include "stickslip/replay/run_reading.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stickslip {

/// Form in which a replay gets the shape of a body at a time.
enum class ShapeCoding {
    none, // nothing to show
    posed, // one surface and a pose a frame: rigid bodies, obstacles
    points, // the surface points of each frame: deformables
    cloud // points without a surface: spheres, particles
};
const char* to_string(ShapeCoding coding);

/// One body at one frame. Vectors are empty where the frame has no such field.
struct BodySample {
    bool shown = false;
    Frame pose; // posed
    double pose_speed = 0; // [m/s] posed: of its origin
    std::vector<Vec3> points; // [m] points, cloud
    std::vector<double> speed; // [m/s] one a point
    std::vector<double> stress; // [Pa] von Mises, one a point
    std::vector<double> radius; // [m] cloud
    std::vector<std::uint32_t> number; // cloud: by which a point is known in all frames
};

/// Surface or points of a body that are shown, chosen by the first frame it is in, and their places in any other frame.
class ShownBody {
public:
    /// From the first shape of the body, and its last, which tells whether a pose is enough: obstacles and rigid bodies
    /// whose poses in bodies.csv lead from one to the other are posed.
    ShownBody(const BodyTrack& track, const VtkContent& first, double first_time, const VtkContent* last,
        double last_time, RecordedKind kind);
    ShownBody() = default; // shows nothing

    ShapeCoding coding() const { return coding_; }
    const std::vector<Triangle>& triangles() const { return triangles_; }
    const std::vector<Vec3>& own_vertices() const { return own_vertices_; } // posed: in its own frame

    /// Posed only. Not shown when bodies.csv has no row at this time.
    BodySample sample(const BodyTrack& track, double time) const;
    /// The others. Not shown when the frame's mesh is another one.
    BodySample sample(const VtkContent& content) const;

    /// Index of a node of the body's mesh among the points shown, -1: not shown.
    int place_of(int node) const;

private:
    void keep_surface(const VtkContent& content);
    std::vector<double> stress_at_points(const VtkContent& content) const;

    ShapeCoding coding_ = ShapeCoding::none;
    std::vector<Triangle> triangles_; // of the points kept
    std::vector<Vec3> own_vertices_;
    std::size_t nodes_ = 0; // of the whole mesh
    std::vector<int> kept_; // nodes on the surface, ascending
    std::vector<int> place_; // of each node in kept_, -1 nowhere
};

} // namespace stickslip
