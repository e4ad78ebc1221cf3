#pragma once

#include "stickslip/math/rotation.h"
#include "stickslip/math/types.h"

#include <cmath>

namespace stickslip {

/// A number with its derivative by the pose of a body: its displacement (3) and its turn (3), both along the axes of
/// whatever frame the number is meant in. Forward differentiation, for what has too many steps to be done by hand.
struct PoseScalar {
    using Row = Eigen::Matrix<double, 1, 6>;
    double v = 0;
    Row d = Row::Zero();
};

/// A vector with its derivative by the same.
struct PoseVec {
    using Matrix = Eigen::Matrix<double, 3, 6>;
    Vec3 v = Vec3::Zero();
    Matrix d = Matrix::Zero();

    Mat3 by_position() const { return d.leftCols<3>(); }
    Mat3 by_turn() const { return d.rightCols<3>(); }
};

/// What does not change.
inline PoseVec still(const Vec3& v)
{
    return {v, PoseVec::Matrix::Zero()};
}

/// A point of the body itself, `arm` from the place whose displacement is meant.
inline PoseVec carried_point(const Vec3& place, const Vec3& arm)
{
    PoseVec p{place + arm, {}};
    p.d << Mat3::Identity(), -skew(arm);
    return p;
}

/// A direction fixed in the body.
inline PoseVec carried_direction(const Vec3& v)
{
    PoseVec p{v, {}};
    p.d << Mat3::Zero(), -skew(v);
    return p;
}

/// f(p), where f has the Jacobian J at p.
inline PoseVec mapped(const Vec3& value, const Mat3& J, const PoseVec& p)
{
    return {value, J * p.d};
}
inline PoseScalar mapped(double value, const Vec3& gradient, const PoseVec& p)
{
    return {value, gradient.transpose() * p.d};
}

inline PoseVec operator+(const PoseVec& a, const PoseVec& b)
{
    return {a.v + b.v, a.d + b.d};
}
inline PoseVec operator-(const PoseVec& a, const PoseVec& b)
{
    return {a.v - b.v, a.d - b.d};
}
inline PoseVec operator*(double s, const PoseVec& a)
{
    return {s * a.v, s * a.d};
}
inline PoseVec operator*(const PoseScalar& s, const PoseVec& a)
{
    return {s.v * a.v, s.v * a.d + a.v * s.d};
}
inline PoseScalar operator+(const PoseScalar& a, const PoseScalar& b)
{
    return {a.v + b.v, a.d + b.d};
}
inline PoseScalar operator-(const PoseScalar& a, const PoseScalar& b)
{
    return {a.v - b.v, a.d - b.d};
}
inline PoseScalar operator*(double s, const PoseScalar& a)
{
    return {s * a.v, s * a.d};
}
inline PoseScalar operator*(const PoseScalar& a, const PoseScalar& b)
{
    return {a.v * b.v, a.v * b.d + b.v * a.d};
}
inline PoseScalar operator/(const PoseScalar& a, const PoseScalar& b)
{
    return {a.v / b.v, a.d / b.v - a.v / (b.v * b.v) * b.d};
}
inline PoseScalar dot(const PoseVec& a, const PoseVec& b)
{
    return {a.v.dot(b.v), a.v.transpose() * b.d + b.v.transpose() * a.d};
}
inline PoseVec cross(const PoseVec& a, const PoseVec& b)
{
    return {a.v.cross(b.v), skew(a.v) * b.d - skew(b.v) * a.d};
}
inline PoseScalar atan2(const PoseScalar& y, const PoseScalar& x)
{
    const double square = x.v * x.v + y.v * y.v;
    return {std::atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / square};
}

} // namespace stickslip
