#pragma once

#include "stickslip/contact/points/dual.h"

namespace stickslip {

/// Axes that a facet with corners a, b, c carries: u along its side a b, n normal to it by its winding, v = n x u.
/// Unit, right-handed. Pre: the facet has an area.
template <typename Vector>
struct FacetAxes {
    Vector u, v, n;

    FacetAxes(const Vector& a, const Vector& b, const Vector& c)
        : u(normalized(Vector(b - a)))
        , n(normalized(cross(Vector(b - a), Vector(c - a))))
    {
        v = cross(n, u);
    }

private:
    static Vec3 normalized(const Vec3& x) { return x.normalized(); }
    static Vec3 cross(const Vec3& x, const Vec3& y) { return x.cross(y); }
    template <int N>
    static DualVec<N> normalized(const DualVec<N>& x)
    {
        return stickslip::normalized(x);
    }
    template <int N>
    static DualVec<N> cross(const DualVec<N>& x, const DualVec<N>& y)
    {
        return stickslip::cross(x, y);
    }
};

/// The same as columns: from the facet's axes to the world's.
inline Mat3 facet_axes(const Vec3& a, const Vec3& b, const Vec3& c)
{
    const FacetAxes<Vec3> axes(a, b, c);
    Mat3 A;
    A << axes.u, axes.v, axes.n;
    return A;
}

template <int N>
DualVec<N> to_world(const FacetAxes<DualVec<N>>& axes, const DualVec<N>& x)
{
    return component(x, 0) * axes.u + component(x, 1) * axes.v + component(x, 2) * axes.n;
}
template <int N>
DualVec<N> to_local(const FacetAxes<DualVec<N>>& axes, const DualVec<N>& x)
{
    return from_components(dot(axes.u, x), dot(axes.v, x), dot(axes.n, x));
}

} // namespace stickslip
