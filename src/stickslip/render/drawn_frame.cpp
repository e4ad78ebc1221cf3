#include "stickslip/render/drawn_frame.h"

#include "stickslip/geometry/mesh/tet_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

Vec3 area_vector(const std::vector<Vec3>& points, const Triangle& t)
{
    return (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
}

DrawnPlane plane_of(const std::vector<Vec3>& points)
{
    const Vec3 along = (points[1] - points[0]).normalized();
    const Vec3 normal = along.cross(points[2] - points[0]).normalized();
    DrawnPlane plane{.origin = Vec3::Zero(), .axes = Mat3()};
    for (const Vec3& x : points)
        plane.origin += x / static_cast<double>(points.size());
    plane.axes << along, normal, along.cross(normal);
    return plane;
}

// Values of tetrahedra as means at their nodes.
std::vector<double> at_points(const VtkContent& content, const VtkField& field)
{
    std::vector<double> sum(content.points.size(), 0), count(content.points.size(), 0);
    for (std::size_t t = 0; t < content.tets.size() && t < field.values.size(); ++t)
        for (const int node : content.tets[t]) {
            sum[node] += field.values[t];
            ++count[node];
        }
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] = count[i] > 0 ? sum[i] / count[i] : nan;
    return sum;
}

} // namespace

bool is_flat(const VtkContent& content)
{
    if (content.triangles.empty() || content.points.size() < 3)
        return false;
    const Vec3 normal = area_vector(content.points, content.triangles.front()).normalized();
    Bounds box;
    for (const Vec3& x : content.points)
        box.add(x);
    const double slack = 1e-9 * (box.max - box.min).norm();
    return std::all_of(content.points.begin(), content.points.end(),
        [&](const Vec3& x) { return std::abs(normal.dot(x - content.points.front())) <= slack; });
}

bool is_obstacle(const RunReading& run, int body)
{
    return run.scene.bodies[body].kind == RecordedKind::obstacle;
}

std::vector<double> point_values(
    const RunReading& run, const RecordedFrame& frame, const RecordedShape& shape, ColourBy by)
{
    const VtkContent& content = shape.content;
    std::vector<double> values(content.points.size(), nan);
    if (by == ColourBy::stress) {
        if (const VtkField* of_points = content.point_field("von_mises_stress");
            of_points && of_points->components == 1)
            return of_points->values;
        const VtkField* stress = content.cell_field("von_mises_stress");
        return stress && stress->components == 1 ? at_points(content, *stress) : values;
    }
    if (const VtkField* velocity = content.point_field("velocity"); velocity && velocity->components == 3) {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = Vec3::Map(velocity->values.data() + 3 * i).norm();
        return values;
    }
    const BodyTrack& track = run.tracks[shape.body];
    if (const int row = track.at(frame.time); row >= 0) // a rigid body: its frames hold no velocities
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = (track.v[row] + track.w[row].cross(content.points[i] - track.x[row])).norm();
    return values;
}

FrameDrawing::FrameDrawing(const RunReading& run, ColourBy by, const ColourScale& scale, std::vector<float> opacity)
    : run_(run)
    , by_(by)
    , scale_(scale)
    , opacity_(std::move(opacity))
    , surfaces_(run.scene.bodies.size())
    , particle_radius_(run.scene.bodies.size(), 0)
{
}

Colour FrameDrawing::colour_of_body(int body) const
{
    if (is_obstacle(run_, body))
        return obstacle_colour();
    std::size_t number = 0;
    for (int other = 0; other < body; ++other)
        number += !is_obstacle(run_, other);
    return body_colour(number);
}

float FrameDrawing::opacity_of(int body) const
{
    return opacity_.empty() ? 1 : opacity_[static_cast<std::size_t>(body)];
}

std::vector<Colour> FrameDrawing::point_colours(const RecordedFrame& frame, const RecordedShape& shape) const
{
    if (by_ == ColourBy::body || is_obstacle(run_, shape.body))
        return std::vector<Colour>(shape.content.points.size(), colour_of_body(shape.body));
    std::vector<Colour> colours;
    for (const double value : point_values(run_, frame, shape, by_))
        colours.push_back(scale_colour((value - scale_.from) / (scale_.to - scale_.from)));
    return colours;
}

const FrameDrawing::Surface& FrameDrawing::surface_of(const RecordedShape& shape)
{
    const VtkContent& content = shape.content;
    Surface& surface = surfaces_[shape.body];
    const std::size_t cells = content.tets.size() + content.triangles.size();
    if (surface.cells != cells || surface.points != content.points.size()) {
        surface = {.shaded = ShadedSurface(
                       content.points, content.tets.empty() ? content.triangles : boundary_triangles(content.tets)),
            .closed = !content.tets.empty() || run_.scene.bodies[shape.body].kind == RecordedKind::rigid,
            .cells = cells,
            .points = content.points.size()};
    }
    return surface;
}

double FrameDrawing::radius_of(const RecordedShape& shape, std::size_t point)
{
    const VtkContent& content = shape.content;
    if (const VtkField* radius = content.point_field("radius"); radius && radius->components == 1)
        return radius->values[point];
    double& known = particle_radius_[shape.body];
    if (known > 0)
        return known;
    Bounds box; // particles of a solid: balls that together have about its volume
    for (const Vec3& x : content.points)
        box.add(x);
    const Vec3 size = box.max - box.min;
    const double one = 4 * std::numbers::pi / 3 * static_cast<double>(content.points.size());
    known = std::max(std::cbrt(size.prod() / one), 1e-3 * size.norm());
    return known = known > 0 ? known : 0.01;
}

DrawnFrame FrameDrawing::draw(const RecordedFrame& frame)
{
    DrawnFrame drawn;
    for (const RecordedShape& shape : frame.shapes) {
        const VtkContent& content = shape.content;
        if (opacity_of(shape.body) == 0)
            continue;
        if (is_obstacle(run_, shape.body) && is_flat(content)) {
            drawn.planes.push_back(plane_of(content.points));
            continue;
        }
        const std::vector<Colour> colours = point_colours(frame, shape);
        if (content.tets.empty() && content.triangles.empty()) {
            for (std::size_t i = 0; i < content.points.size(); ++i)
                drawn.spheres.push_back({content.points[i].cast<float>(), static_cast<float>(radius_of(shape, i)),
                    colours[i], opacity_of(shape.body)});
            continue;
        }
        const Surface& known = surface_of(shape);
        const ShadedSurface& surface = known.shaded;
        DrawnMesh mesh{.body = shape.body,
            .positions = {},
            .normals = {},
            .colours = {},
            .triangles = surface.triangles(),
            .closed = known.closed,
            .opacity = opacity_of(shape.body)};
        for (const int point : surface.point_of()) {
            mesh.positions.push_back(content.points[point].cast<float>());
            mesh.colours.push_back(colours[point]);
        }
        for (const Vec3& normal : surface.normals(content.points))
            mesh.normals.push_back(normal.cast<float>());
        drawn.meshes.push_back(std::move(mesh));
    }
    return drawn;
}

} // namespace stickslip
