#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <limits>
#include <vector>

namespace stickslip {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

/// Indices into a vector of elements.
using Edge = std::array<int, 2>;
using Triangle = std::array<int, 3>; // counter-clockwise seen from outside
using Tetrahedron = std::array<int, 4>; // positive volume: (p1-p0) x (p2-p0) . (p3-p0) > 0

/// A vector of unknowns in blocks of three: one block a node, two a rigid body.
using BlockVector = std::vector<Vec3>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Axis-aligned box [m]; empty when min > max.
struct Bounds {
    Vec3 min = Vec3::Constant(infinity);
    Vec3 max = Vec3::Constant(-infinity);

    void add(const Vec3& x)
    {
        min = min.cwiseMin(x);
        max = max.cwiseMax(x);
    }
    void add(const Bounds& other)
    {
        min = min.cwiseMin(other.min);
        max = max.cwiseMax(other.max);
    }
    Bounds grown(double by) const { return {min - Vec3::Constant(by), max + Vec3::Constant(by)}; }
    bool is_finite() const { return (max - min).allFinite(); }
    bool contains(const Vec3& x) const { return (x.array() >= min.array()).all() && (x.array() <= max.array()).all(); }
    bool overlaps(const Bounds& other) const
    {
        return (min.array() <= other.max.array()).all() && (other.min.array() <= max.array()).all();
    }
};

/// Position and orientation of a frame: world = R local + x.
struct Frame {
    Vec3 x = Vec3::Zero(); // [m]
    Mat3 R = Mat3::Identity(); // [-] orthonormal

    Vec3 to_world(const Vec3& local) const { return R * local + x; }
    Vec3 to_local(const Vec3& world) const { return R.transpose() * (world - x); }
};

/// `inner`, given in `outer`, as the world sees it.
inline Frame composed(const Frame& outer, const Frame& inner)
{
    return {outer.to_world(inner.x), outer.R * inner.R};
}

/// `frame` as seen from `observer`.
inline Frame relative(const Frame& observer, const Frame& frame)
{
    return {observer.to_local(frame.x), observer.R.transpose() * frame.R};
}

} // namespace stickslip
