#include "stickslip/geometry/mesh/shaded_surface.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {

namespace {

Vec3 area_vector(const std::vector<Vec3>& points, const Triangle& t)
{
    return (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
}

} // namespace

ShadedSurface::ShadedSurface(const std::vector<Vec3>& points, std::vector<Triangle> faces, double crease_angle)
    : faces_(std::move(faces))
{
    std::vector<std::vector<int>> faces_at(points.size());
    std::vector<Vec3> unit;
    for (std::size_t f = 0; f < faces_.size(); ++f) {
        unit.push_back(area_vector(points, faces_[f]).normalized());
        for (const int point : faces_[f])
            faces_at[point].push_back(static_cast<int>(f));
    }
    const double smoothest = std::cos(crease_angle);
    std::vector<std::vector<int>> vertices_at(points.size()); // they differ in the faces that meet smoothly
    std::vector<int> smooth;
    for (std::size_t f = 0; f < faces_.size(); ++f) {
        Triangle& triangle = triangles_.emplace_back();
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const int point = faces_[f][corner];
            smooth.clear();
            for (const int other : faces_at[point])
                if (other == static_cast<int>(f) || unit[other].dot(unit[f]) > smoothest)
                    smooth.push_back(other);
            std::vector<int>& vertices = vertices_at[point];
            const auto known =
                std::find_if(vertices.begin(), vertices.end(), [&](int vertex) { return faces_of_[vertex] == smooth; });
            triangle[corner] = known == vertices.end() ? static_cast<int>(point_of_.size()) : *known;
            if (known == vertices.end()) {
                vertices.push_back(triangle[corner]);
                point_of_.push_back(point);
                faces_of_.push_back(smooth);
            }
        }
    }
}

std::vector<Vec3> ShadedSurface::normals(const std::vector<Vec3>& points) const
{
    std::vector<Vec3> areas, normals;
    for (const Triangle& face : faces_)
        areas.push_back(area_vector(points, face));
    for (const std::vector<int>& faces : faces_of_) {
        Vec3 sum = Vec3::Zero();
        for (const int face : faces)
            sum += areas[face];
        normals.push_back(sum.normalized());
    }
    return normals;
}

bool ShadedSurface::is_flat(const std::vector<Vec3>& points) const
{
    constexpr double same = 1 - 1e-6; // cosine
    const std::vector<Vec3> all = normals(points);
    for (std::size_t f = 0; f < faces_.size(); ++f) {
        const Vec3 own = area_vector(points, faces_[f]).normalized();
        for (const int vertex : triangles_[f])
            if (own.dot(all[vertex]) < same)
                return false;
    }
    return true;
}

} // namespace stickslip
