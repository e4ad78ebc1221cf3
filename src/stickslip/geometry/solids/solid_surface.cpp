#include "stickslip/geometry/solids/solid_surface.h"

#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/solids/zero_surface.h"

namespace stickslip {

namespace {

constexpr double longest_edge = 0.15; // [-] of the least radius

double edge_length(const Primitive& shape)
{
    return longest_edge
        * std::visit(
            [](const auto& s) {
                using S = std::decay_t<decltype(s)>;
                if constexpr (std::is_same_v<S, Torus>)
                    return 2 * s.minor;
                else if constexpr (std::is_same_v<S, Plane> || std::is_same_v<S, Box>)
                    return 1.0;
                else
                    return s.radius;
            },
            shape);
}

TriMesh surface_of(const ConvexPolyhedron& solid)
{
    TriMesh surface{solid.vertices(), {}};
    for (const ConvexPolyhedron::Face& face : solid.faces())
        for (std::size_t i = 2; i < face.corners.size(); ++i)
            surface.triangles.push_back({face.corners[0], face.corners[i - 1], face.corners[i]});
    return surface;
}

TriMesh surface_of(const Bounds& box)
{
    TriMesh surface = triangulate(Box{box.max - box.min}, 1);
    for (Vec3& X : surface.vertices)
        X += 0.5 * (box.min + box.max);
    return surface;
}

} // namespace

TriMesh solid_surface(const LevelSet& solid, double plane_extent)
{
    return std::visit(
        [&](const auto& s) -> TriMesh {
            using S = std::decay_t<decltype(s)>;
            if constexpr (std::is_same_v<S, Plane>)
                return triangulate_plane(s, plane_extent);
            else if constexpr (std::is_same_v<S, RoundedBox>)
                return triangulate_roundings(s, edge_length(s));
            else if constexpr (std::is_constructible_v<Primitive, S>)
                return triangulate(s, edge_length(s));
            else if constexpr (std::is_same_v<S, std::shared_ptr<const GridLevelSet>>)
                return zero_surface(*s);
            else if constexpr (std::is_same_v<S, std::shared_ptr<const ConvexPolyhedron>>)
                return surface_of(*s);
            else
                return surface_of(s.box);
        },
        solid);
}

} // namespace stickslip
