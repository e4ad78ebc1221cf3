#pragma once

#include "stickslip/math/rotation.h"
#include "stickslip/math/types.h"

#include <cmath>

namespace stickslip {

/// A number with its derivative by N unknowns. Forward differentiation, for what has too many steps to be done by hand.
template <int N>
struct DualScalar {
    using Row = Eigen::Matrix<double, 1, N>;
    double v = 0;
    Row d = Row::Zero();
};

template <int N>
double value(const DualScalar<N>& a)
{
    return a.v;
}
inline double value(double a)
{
    return a;
}

/// A vector with its derivative by the same.
template <int N>
struct DualVec {
    using Matrix = Eigen::Matrix<double, 3, N>;
    Vec3 v = Vec3::Zero();
    Matrix d = Matrix::Zero();

    Mat3 by(int block) const { return d.template middleCols<3>(3 * block); } // unknowns 3 block to 3 block + 2
};

/// A constant: its derivative is 0.
template <int N>
DualVec<N> constant(const Vec3& v)
{
    return {v, DualVec<N>::Matrix::Zero()};
}

/// The three unknowns of a block themselves.
template <int N>
DualVec<N> unknown(const Vec3& v, int block)
{
    DualVec<N> u = constant<N>(v);
    u.d.template middleCols<3>(3 * block).setIdentity();
    return u;
}

/// f(p), where f has the Jacobian J at p.
template <int N>
DualVec<N> mapped(const Vec3& value, const Mat3& J, const DualVec<N>& p)
{
    return {value, J * p.d};
}
template <int N>
DualScalar<N> mapped(double value, const Vec3& gradient, const DualVec<N>& p)
{
    return {value, gradient.transpose() * p.d};
}

template <int N>
DualVec<N> operator+(const DualVec<N>& a, const DualVec<N>& b)
{
    return {a.v + b.v, a.d + b.d};
}
template <int N>
DualVec<N> operator-(const DualVec<N>& a, const DualVec<N>& b)
{
    return {a.v - b.v, a.d - b.d};
}
/// Operations with a plain vector or number, which is a constant, do not multiply its zeros.
template <int N>
DualVec<N> operator-(const DualVec<N>& a, const Vec3& b)
{
    return {a.v - b, a.d};
}
template <int N>
DualVec<N> operator*(double s, const DualVec<N>& a)
{
    return {s * a.v, s * a.d};
}
template <int N>
DualVec<N> operator*(const DualScalar<N>& s, const DualVec<N>& a)
{
    return {s.v * a.v, s.v * a.d + a.v * s.d};
}
template <int N>
DualVec<N> operator*(const DualScalar<N>& s, const Vec3& a)
{
    return {s.v * a, a * s.d};
}
template <int N>
DualScalar<N> operator+(const DualScalar<N>& a, const DualScalar<N>& b)
{
    return {a.v + b.v, a.d + b.d};
}
template <int N>
DualScalar<N> operator-(const DualScalar<N>& a, const DualScalar<N>& b)
{
    return {a.v - b.v, a.d - b.d};
}
template <int N>
DualScalar<N> operator+(double s, const DualScalar<N>& a)
{
    return {s + a.v, a.d};
}
template <int N>
DualScalar<N> operator*(double s, const DualScalar<N>& a)
{
    return {s * a.v, s * a.d};
}
template <int N>
DualScalar<N> operator*(const DualScalar<N>& a, const DualScalar<N>& b)
{
    return {a.v * b.v, a.v * b.d + b.v * a.d};
}
template <int N>
DualScalar<N> operator/(const DualScalar<N>& a, const DualScalar<N>& b)
{
    return {a.v / b.v, a.d / b.v - a.v / (b.v * b.v) * b.d};
}
template <int N>
DualScalar<N> operator/(double a, const DualScalar<N>& b)
{
    return {a / b.v, -a / (b.v * b.v) * b.d};
}
template <int N>
DualScalar<N> sqrt(const DualScalar<N>& a)
{
    const double root = std::sqrt(a.v);
    return {root, 0.5 / root * a.d};
}
/// a, 0 below 0 and 1 above 1.
template <int N>
DualScalar<N> clamped(const DualScalar<N>& a)
{
    if (a.v <= 0)
        return {0};
    return a.v >= 1 ? DualScalar<N>{1} : a;
}
/// 3 a^2 - 2 a^3 between 0 and 1, as clamped beyond.
template <int N>
DualScalar<N> smooth_step(const DualScalar<N>& a)
{
    const DualScalar<N> c = clamped(a);
    return {c.v * c.v * (3 - 2 * c.v), 6 * c.v * (1 - c.v) * c.d};
}
template <int N>
DualScalar<N> dot(const DualVec<N>& a, const DualVec<N>& b)
{
    return {a.v.dot(b.v), a.v.transpose() * b.d + b.v.transpose() * a.d};
}
template <int N>
DualScalar<N> dot(const DualVec<N>& a, const Vec3& b)
{
    return {a.v.dot(b), b.transpose() * a.d};
}
template <int N>
DualVec<N> cross(const DualVec<N>& a, const DualVec<N>& b)
{
    return {a.v.cross(b.v), skew(a.v) * b.d - skew(b.v) * a.d};
}
template <int N>
DualVec<N> cross(const DualVec<N>& a, const Vec3& b)
{
    return {a.v.cross(b), -(skew(b) * a.d)};
}
/// One of the components.
template <int N>
DualScalar<N> component(const DualVec<N>& a, int i)
{
    return {a.v[i], a.d.row(i)};
}
template <int N>
DualVec<N> from_components(const DualScalar<N>& x, const DualScalar<N>& y, const DualScalar<N>& z)
{
    DualVec<N> a{Vec3(x.v, y.v, z.v), {}};
    a.d << x.d, y.d, z.d;
    return a;
}
/// Unit vector. Pre: a is not zero.
template <int N>
DualVec<N> normalized(const DualVec<N>& a)
{
    const double length = a.v.norm();
    const Vec3 u = a.v / length;
    return {u, (a.d - u * (u.transpose() * a.d)) / length};
}
template <int N>
DualScalar<N> atan2(const DualScalar<N>& y, const DualScalar<N>& x)
{
    const double square = x.v * x.v + y.v * y.v;
    return {std::atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / square};
}

} // namespace stickslip
