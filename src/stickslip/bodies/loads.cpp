#include "stickslip/bodies/loads.h"

#include "stickslip/math/parallel.h"
#include "stickslip/math/rotation.h"

#include <algorithm>

namespace stickslip {

namespace {

double pressure_on(const DeformableSet& set, const Triangle& triangle)
{
    return set.bodies[set.body_of_node[triangle[0]]].pressure;
}

} // namespace

void add_weight(const DeformableSet& set, const Vec3& gravity, std::span<Vec3> f)
{
    parallel_for(f.size(), [&](std::size_t node) {
        f[node] += set.mass[node] * (gravity + set.bodies[set.body_of_node[node]].acceleration);
    });
}

void add_rigid_loads(std::span<const RigidBody> bodies, const Vec3& gravity, std::span<Vec3> f)
{
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        f[2 * b] += bodies[b].mass * (gravity + bodies[b].acceleration) + bodies[b].force;
        f[2 * b + 1] += bodies[b].torque;
    }
}

// The enclosed volume is sum x0 . (x1 x x2)/6; its gradient by x0 is (x1 x x2)/6, and so on round the triangle.
void add_pressure_force(const DeformableSet& set, std::span<const Vec3> x, std::span<Vec3> f)
{
    parallel_for(f.size(), [&](std::size_t node) {
        for (int k = set.triangle_corners_begin[node]; k < set.triangle_corners_begin[node + 1]; ++k) {
            const Triangle& t = set.triangles[set.triangle_corners[k] / 3];
            const int a = set.triangle_corners[k] % 3;
            f[node] -= pressure_on(set, t) / 6 * x[t[(a + 1) % 3]].cross(x[t[(a + 2) % 3]]);
        }
    });
}

void pressure_force_blocks(
    const DeformableSet& set, std::span<const Vec3> x, int triangle, int corner, std::array<Mat3, 3>& row)
{
    const Triangle& t = set.triangles[triangle];
    const double s = pressure_on(set, t) / 6;
    const int b = (corner + 1) % 3, c = (corner + 2) % 3;
    row[corner] = Mat3::Zero();
    row[b] = s * skew(x[t[c]]);
    row[c] = -s * skew(x[t[b]]);
}

void add_pressure_force_differential(
    const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> dx, std::span<Vec3> df, bool transposed)
{
    parallel_for(df.size(), [&](std::size_t node) {
        for (int k = set.triangle_corners_begin[node]; k < set.triangle_corners_begin[node + 1]; ++k) {
            const int triangle = set.triangle_corners[k] / 3, a = set.triangle_corners[k] % 3;
            const Triangle& t = set.triangles[triangle];
            for (int b = 0; b < 3; ++b) {
                std::array<Mat3, 3> row;
                pressure_force_blocks(set, x, triangle, transposed ? b : a, row);
                if (transposed)
                    df[node] += row[a].transpose() * dx[t[b]];
                else
                    df[node] += row[b] * dx[t[b]];
            }
        }
    });
}

double pressure_energy(const DeformableSet& set, std::span<const Vec3> x, const DeformableBody& body)
{
    if (body.pressure == 0)
        return 0;
    return body.pressure / 6 * ordered_sum(body.triangles.size(), 0.0, [&](std::size_t i) {
        const Triangle& t = set.triangles[body.triangles.begin + static_cast<int>(i)];
        return x[t[0]].dot(x[t[1]].cross(x[t[2]]));
    });
}

bool has_pressure(const DeformableSet& set)
{
    return std::any_of(set.bodies.begin(), set.bodies.end(), [](const DeformableBody& b) { return b.pressure != 0; });
}

} // namespace stickslip
