#include "stickslip/build/place_on.h"

#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/build_deformable.h"
#include "stickslip/geometry/queries/convex_sweep.h"
#include "stickslip/geometry/solids/zero_surface.h"

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

namespace stickslip {

namespace {

using Pieces = std::vector<ConvexPiece>;

constexpr int torus_arcs = 1024; // the hull of each is deeper in the hole than the ring by 5e-6 of `major` at most

Pieces triangles_of(const std::vector<Vec3>& vertices, const std::vector<Triangle>& triangles)
{
    Pieces pieces;
    for (const auto& [i, j, k] : triangles)
        pieces.push_back({.points = {vertices[i], vertices[j], vertices[k]}});
    return pieces;
}

std::vector<Vec3> corners(const Vec3& size)
{
    std::vector<Vec3> points;
    for (int k = 0; k < 8; ++k)
        points.push_back(0.5 * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).cwiseProduct(size));
    return points;
}

std::vector<Vec3> ends(double height)
{
    return {Vec3(0, -height / 2, 0), Vec3(0, height / 2, 0)};
}

Arc circle(double y, double radius)
{
    return {.centre = Vec3(0, y, 0), .u = Vec3::UnitZ(), .w = Vec3::UnitX(), .radius = radius};
}

Pieces hulls_of(const Plane&)
{
    return {};
}
Pieces hulls_of(const Box& box)
{
    return {{.points = corners(box.size)}};
}
Pieces hulls_of(const RoundedBox& box)
{
    return {{.points = corners(box.core()), .margin = box.radius}};
}
Pieces hulls_of(const Sphere& sphere)
{
    return {{.points = {Vec3::Zero()}, .margin = sphere.radius}};
}
Pieces hulls_of(const Cylinder& cylinder)
{
    return {{.arcs = {circle(-cylinder.height / 2, cylinder.radius), circle(cylinder.height / 2, cylinder.radius)}}};
}
Pieces hulls_of(const Cone& cone)
{
    return {{.points = {ends(cone.height)[1]}, .arcs = {circle(-cone.height / 2, cone.radius)}}};
}
Pieces hulls_of(const Capsule& capsule)
{
    return {{.points = ends(capsule.height), .margin = capsule.radius}};
}
Pieces hulls_of(const Torus& torus)
{
    Pieces pieces;
    for (int k = 0; k < torus_arcs; ++k) {
        const double half = std::numbers::pi / torus_arcs, middle = (2 * k + 1) * half;
        const Vec3 u(std::sin(middle), 0, std::cos(middle)), w(std::cos(middle), 0, -std::sin(middle));
        pieces.push_back({.arcs = {{.centre = Vec3::Zero(), .u = u, .w = w, .radius = torus.major, .half_angle = half}},
            .margin = torus.minor});
    }
    return pieces;
}

void place(Pieces& pieces, const Frame& frame)
{
    for (ConvexPiece& piece : pieces) {
        for (Vec3& x : piece.points)
            x = frame.to_world(x);
        for (Arc& arc : piece.arcs)
            arc = {frame.to_world(arc.centre), frame.R * arc.u, frame.R * arc.w, arc.radius, arc.half_angle};
    }
}

/// How far the pieces travel until the first of them touches the plane; infinity where they go away from it.
double travel_to_plane(const Pieces& pieces, const Vec3& normal, const Vec3& point, const Vec3& direction)
{
    const double approach = -normal.dot(direction);
    if (approach < 1e-9)
        return infinity;
    double height = infinity;
    for (const ConvexPiece& piece : pieces)
        height = std::min(height, normal.dot(piece.farthest(-normal) - point));
    return height / approach;
}

class PlacingByContact {
public:
    PlacingByContact(Scene& scene, const std::filesystem::path& folder, BuildReport& report)
        : scene_(scene)
        , folder_(folder)
        , surfaces_(folder, {})
        , report_(report)
        , done_(scene.bodies.size())
    {
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            index_.emplace(scene.bodies[i].name, i);
    }

    void run()
    {
        for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
            settle(i);
    }

private:
    void settle(std::size_t index)
    {
        BodySettings& body = scene_.bodies[index];
        if (done_[index] || body.place_on.empty())
            return;
        done_[index] = true;
        const std::size_t carrier = index_.at(body.place_on);
        settle(carrier);
        const Vec3 direction = body.place_along.value_or(scene_.gravity).stableNormalized();
        body.position -= direction * direction.dot(body.position);
        const Pieces own = pieces_of(body), others = pieces_of(scene_.bodies[carrier]);
        if (!unreadable_.contains(body.name) && !unreadable_.contains(body.place_on))
            settle(body, own, scene_.bodies[carrier], others, direction);
    }

    void settle(
        BodySettings& body, const Pieces& own, const BodySettings& carrier, const Pieces& others, const Vec3& direction)
    {
        const auto* plane = std::get_if<Plane>(&carrier.shape);
        const double travel = plane
            ? travel_to_plane(own, placed(carrier).R * plane->normal.normalized(), carrier.position, direction)
            : travel_to_contact(own, others, direction);
        if (travel == infinity)
            report_.fault(body.place_on_at, body, "place_on",
                "misses " + in_quotes(carrier.name) + " along " + in_words(direction)
                    + (plane ? ", which does not lead into the plane; give another `place_along`"
                             : "; change `position` or `place_along`"));
        else
            body.position += travel * direction;
    }

    static std::string in_words(const Vec3& x)
    {
        return "[" + short_number(x.x()) + ", " + short_number(x.y()) + ", " + short_number(x.z()) + "]";
    }

    /// Of the body as placed, empty for a plane. A file that cannot be read is a fault of its shape, told once.
    Pieces pieces_of(const BodySettings& body)
    {
        Pieces pieces;
        if (unreadable_.contains(body.name))
            return pieces;
        const std::size_t faults = report_.faults.size();
        report_.attempt(shape_position(body), body, shape_key(body), [&] {
            pieces = own_pieces(body);
            place(pieces, placed(body));
        });
        if (report_.faults.size() > faults)
            unreadable_.insert(body.name);
        return pieces;
    }

    /// In the frame of the body.
    Pieces own_pieces(const BodySettings& body)
    {
        if (body.kind == BodyKind::deformable) {
            BuildReport told_when_built;
            const TetMesh mesh = deformable_mesh(body, folder_, told_when_built);
            return triangles_of(mesh.nodes, boundary_triangles(mesh.tets));
        }
        if (const auto* shape = std::get_if<MeshShape>(&body.shape)) {
            const auto mesh = surfaces_.mesh(*shape);
            return triangles_of(mesh->vertices, mesh->triangles);
        }
        if (std::holds_alternative<LevelSetShape>(body.shape)) {
            const LevelSet solid = surfaces_.solid(body.shape);
            const TriMesh mesh = zero_surface(*std::get<std::shared_ptr<const GridLevelSet>>(solid));
            return triangles_of(mesh.vertices, mesh.triangles);
        }
        return std::visit([](const auto& shape) { return hulls_of(shape); }, primitive_of(body.shape).value());
    }

    Scene& scene_;
    std::filesystem::path folder_;
    BodySurfaces surfaces_;
    BuildReport& report_;
    std::vector<bool> done_;
    std::set<std::string> unreadable_; // bodies
    std::map<std::string, std::size_t> index_;
};

} // namespace

void place_by_contact(Scene& scene, const std::filesystem::path& folder, BuildReport& report)
{
    PlacingByContact(scene, folder, report).run();
}

} // namespace stickslip
