#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/queries/box_tree.h"

namespace stickslip {

/// Exact distance to triangles, whatever they enclose; as seen from where it is positive.
class TriangleDistance {
public:
    /// phi [m] >= 0, its gradient n (unit, away from the nearest point; zero on the surface) and its Hessian [1/m]:
    /// that of the distance to a plane, to a line or to a point, whichever the nearest feature is.
    struct Sample {
        double phi;
        Vec3 n;
        Mat3 hessian;
    };

    explicit TriangleDistance(TriMesh mesh);

    double distance(const Vec3& x) const;
    Sample sample(const Vec3& x) const;

private:
    int nearest(const Vec3& x) const; // triangle

    TriMesh mesh_;
    BoxTree tree_;
};

} // namespace stickslip
