#include "stickslip/geometry/queries/point_triangle.h"

#include <algorithm>

namespace stickslip {

namespace {

TrianglePoint at_vertex(const Vec3& p, int corner)
{
    return {.point = p, .weights = Vec3::Unit(corner), .feature = TriangleFeature::vertex, .index = corner};
}

/// t in (0, 1) along the edge from p (corner `edge`) to q (the next corner).
TrianglePoint at_edge(const Vec3& p, const Vec3& q, int edge, double t)
{
    Vec3 weights = Vec3::Zero();
    weights[edge] = 1 - t;
    weights[(edge + 1) % 3] = t;
    return {.point = p + t * (q - p), .weights = weights, .feature = TriangleFeature::edge, .index = edge};
}

TrianglePoint closest_on_edge(const Vec3& x, const Vec3& p, const Vec3& q, int edge)
{
    const double along = (x - p).dot(q - p);
    const double whole = (q - p).squaredNorm();
    if (!(along > 0))
        return at_vertex(p, edge);
    if (!(along < whole))
        return at_vertex(q, (edge + 1) % 3);
    return at_edge(p, q, edge, along / whole);
}

TrianglePoint closest_on_rim(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c)
{
    return std::min({closest_on_edge(x, a, b, 0), closest_on_edge(x, b, c, 1), closest_on_edge(x, c, a, 2)},
        [&](const TrianglePoint& p, const TrianglePoint& q) {
            return (p.point - x).squaredNorm() < (q.point - x).squaredNorm();
        });
}

} // namespace

// Which of the seven Voronoi regions of the triangle's features holds x: dot products with the edges decide the
// vertices, the signs of the three sub-areas of the projection decide between edges and face.
TrianglePoint closest_point_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 ab = b - a;
    const Vec3 ac = c - a;
    const double a_ab = ab.dot(x - a);
    const double a_ac = ac.dot(x - a);
    if (a_ab <= 0 && a_ac <= 0)
        return at_vertex(a, 0);
    const double b_ab = ab.dot(x - b);
    const double b_ac = ac.dot(x - b);
    if (b_ab >= 0 && b_ac <= b_ab)
        return at_vertex(b, 1);
    const double c_ab = ab.dot(x - c);
    const double c_ac = ac.dot(x - c);
    if (c_ac >= 0 && c_ab <= c_ac)
        return at_vertex(c, 2);
    const double area_c = a_ab * b_ac - b_ab * a_ac;
    const double area_b = c_ab * a_ac - a_ab * c_ac;
    const double area_a = b_ab * c_ac - c_ab * b_ac;
    const double area = area_a + area_b + area_c;
    if (!(area > 0))
        return closest_on_rim(x, a, b, c);
    if (area_c <= 0 && a_ab >= 0 && b_ab <= 0)
        return closest_on_edge(x, a, b, 0);
    if (area_b <= 0 && a_ac >= 0 && c_ac <= 0)
        return closest_on_edge(x, c, a, 2);
    if (area_a <= 0 && b_ac >= b_ab && c_ab >= c_ac)
        return closest_on_edge(x, b, c, 1);
    const Vec3 weights = Vec3(area_a, area_b, area_c) / area;
    return {.point = a + weights[1] * ab + weights[2] * ac,
        .weights = weights,
        .feature = TriangleFeature::face,
        .index = 0};
}

} // namespace stickslip
