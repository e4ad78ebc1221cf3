#include "stickslip/geometry/solids/convex_features.h"

#include <algorithm>
#include <map>

namespace stickslip {

namespace {

struct Outline {
    std::vector<Vec3> vertices;
    std::vector<ConvexPolyhedron::Face> faces;
};

Outline outline_of(const Box& box)
{
    Outline outline;
    const Vec3 half = 0.5 * box.size;
    for (int v = 0; v < 8; ++v)
        outline.vertices.push_back(
            {(v & 1 ? 1 : -1) * half.x(), (v & 2 ? 1 : -1) * half.y(), (v & 4 ? 1 : -1) * half.z()});
    for (int axis = 0; axis < 3; ++axis)
        for (const int side : {-1, 1}) {
            const int u = 1 << (axis + 1) % 3, w = 1 << (axis + 2) % 3, base = side > 0 ? 1 << axis : 0;
            std::vector<int> corners{base, base + u, base + u + w, base + w};
            if (side < 0)
                std::reverse(corners.begin(), corners.end());
            outline.faces.push_back({side * Vec3::Unit(axis), half[axis], std::move(corners)});
        }
    return outline;
}

void add_rims(ConvexFeatures& features)
{
    std::map<std::array<int, 2>, int> edge_of;
    for (int f = 0; f < static_cast<int>(features.faces.size()); ++f) {
        ConvexFeatures::Face& face = features.faces[f];
        for (std::size_t i = 0; i < face.corners.size(); ++i) {
            const int a = face.corners[i], b = face.corners[(i + 1) % face.corners.size()];
            const Vec3 g = (features.vertices[b] - features.vertices[a]).cross(face.n).normalized();
            const auto [it, is_new] =
                edge_of.insert({{std::min(a, b), std::max(a, b)}, static_cast<int>(features.edges.size())});
            if (is_new)
                features.edges.push_back({it->first, {f, -1}, {g, Vec3::Zero()}});
            ConvexFeatures::Edge& edge = features.edges[it->second];
            if (!is_new) {
                edge.faces[1] = f;
                edge.g[1] = g;
            }
            double least = infinity;
            const double offset = g.dot(features.vertices[a]);
            for (const int corner : face.corners)
                least = std::min(least, g.dot(features.vertices[corner]));
            face.rims.push_back({g, offset, offset - least, it->second, -1});
        }
    }
    for (int f = 0; f < static_cast<int>(features.faces.size()); ++f)
        for (ConvexFeatures::Rim& rim : features.faces[f].rims) {
            const ConvexFeatures::Edge& edge = features.edges[rim.edge];
            rim.face = edge.faces[0] == f ? edge.faces[1] : edge.faces[0];
        }
}

void add_directions(ConvexFeatures& features)
{
    constexpr double parallel = 1e-6; // the sine of an angle
    for (int e = 0; e < static_cast<int>(features.edges.size()); ++e) {
        const Vec3 direction = features.along(e).normalized();
        const auto is_same = [&](const Vec3& known) { return known.cross(direction).norm() < parallel; };
        if (std::none_of(features.directions.begin(), features.directions.end(), is_same))
            features.directions.push_back(direction);
    }
}

} // namespace

const ConvexFeatures::Rim* ConvexFeatures::Face::rim_at(int edge) const
{
    const auto it = std::find_if(rims.begin(), rims.end(), [&](const Rim& rim) { return rim.edge == edge; });
    return it == rims.end() ? nullptr : &*it;
}

std::optional<ConvexFeatures> convex_features(const LevelSet& solid)
{
    Outline outline;
    if (const Box* box = std::get_if<Box>(&solid))
        outline = outline_of(*box);
    else if (const auto* polyhedron = std::get_if<std::shared_ptr<const ConvexPolyhedron>>(&solid))
        outline = {(*polyhedron)->vertices(), (*polyhedron)->faces()};
    else
        return std::nullopt;
    ConvexFeatures features;
    features.vertices = outline.vertices;
    for (const ConvexPolyhedron::Face& face : outline.faces)
        features.faces.push_back({face.normal, face.offset, face.corners, {}});
    add_rims(features);
    add_directions(features);
    features.neighbours.resize(features.vertices.size());
    for (const ConvexFeatures::Edge& edge : features.edges) {
        features.neighbours[edge.ends[0]].push_back(edge.ends[1]);
        features.neighbours[edge.ends[1]].push_back(edge.ends[0]);
    }
    features.thickness = infinity;
    for (const ConvexFeatures::Face& face : features.faces) {
        double deepest = 0;
        for (const Vec3& v : features.vertices)
            deepest = std::max(deepest, -face.distance(v));
        features.thickness = std::min(features.thickness, deepest);
    }
    for (const Vec3& v : features.vertices)
        features.radius = std::max(features.radius, v.norm());
    return features;
}

} // namespace stickslip
