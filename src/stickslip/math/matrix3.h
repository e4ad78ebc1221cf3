#pragma once

#include "stickslip/math/lanes.h"

namespace stickslip {

/// A 3x3 matrix of numbers, or of lanes of them, by its columns.
template <typename Real>
struct Matrix3 {
    Triple<Real> x, y, z; // not set to zero

    Matrix3& operator+=(const Matrix3& b) { return *this = *this + b; }
    friend Matrix3 operator+(const Matrix3& a, const Matrix3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Matrix3 operator-(const Matrix3& a, const Matrix3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Matrix3 operator*(const Real& s, const Matrix3& a) { return {s * a.x, s * a.y, s * a.z}; }
    friend Matrix3 operator*(double s, const Matrix3& a) requires(!std::same_as<Real, double>)
    {
        return {s * a.x, s * a.y, s * a.z};
    }
    friend Triple<Real> operator*(const Matrix3& a, const Triple<Real>& b) { return b.x * a.x + b.y * a.y + b.z * a.z; }
    friend Matrix3 operator*(const Matrix3& a, const Matrix3& b) { return {a * b.x, a * b.y, a * b.z}; }
};

template <typename Real>
Matrix3<Real> transposed(const Matrix3<Real>& a)
{
    return {{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}
/// a b^T
template <typename Real>
Matrix3<Real> outer(const Triple<Real>& a, const Triple<Real>& b)
{
    return {b.x * a, b.y * a, b.z * a};
}
/// [a]x, with [a]x b = a x b.
template <typename Real>
Matrix3<Real> cross_matrix(const Triple<Real>& a)
{
    const Real none{};
    return {{none, a.z, -a.y}, {-a.z, none, a.x}, {a.y, -a.x, none}};
}
/// a x each column of B: [a]x B.
template <typename Real>
Matrix3<Real> cross(const Triple<Real>& a, const Matrix3<Real>& B)
{
    return {cross(a, B.x), cross(a, B.y), cross(a, B.z)};
}
/// s I
template <typename Real>
Matrix3<Real> diagonal(const Real& s)
{
    const Real none{};
    return {{s, none, none}, {none, s, none}, {none, none, s}};
}
template <typename Real>
Matrix3<Real> identity()
{
    return diagonal(Real{} + 1.0);
}
template <typename Real>
Matrix3<Real> symmetric_part(const Matrix3<Real>& A)
{
    return 0.5 * (A + transposed(A));
}
template <typename Real>
Matrix3<Real> cofactor(const Matrix3<Real>& a)
{
    return {cross(a.y, a.z), cross(a.z, a.x), cross(a.x, a.y)};
}
template <typename Real>
Real trace(const Matrix3<Real>& a)
{
    return a.x.x + a.y.y + a.z.z;
}
/// A : B, the sum of the products of their entries.
template <typename Real>
Real inner(const Matrix3<Real>& a, const Matrix3<Real>& b)
{
    return dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z);
}
template <typename Real>
Matrix3<Real> choose(const Mask<Real>& mask, const Matrix3<Real>& a, const Matrix3<Real>& b)
{
    return {choose<Real>(mask, a.x, b.x), choose<Real>(mask, a.y, b.y), choose<Real>(mask, a.z, b.z)};
}

inline Matrix3<double> matrix3(const Mat3& a)
{
    return {triple(a.col(0)), triple(a.col(1)), triple(a.col(2))};
}
/// One matrix a lane.
inline Matrix3<Lanes> matrix3(const Mat3& a, const Mat3& b, const Mat3& c, const Mat3& d)
{
    return {triple(a.col(0), b.col(0), c.col(0), d.col(0)), triple(a.col(1), b.col(1), c.col(1), d.col(1)),
        triple(a.col(2), b.col(2), c.col(2), d.col(2))};
}
inline Mat3 mat3(const Matrix3<double>& a)
{
    Mat3 m;
    m << vec3(a.x), vec3(a.y), vec3(a.z);
    return m;
}
inline Mat3 lane(const Matrix3<Lanes>& a, int l)
{
    Mat3 m;
    m << lane(a.x, l), lane(a.y, l), lane(a.z, l);
    return m;
}

} // namespace stickslip
