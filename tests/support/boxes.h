#pragma once

#include "stickslip/bodies/deformable.h"
#include "stickslip/geometry/mesh/tet_shapes.h"

#include "support/numeric.h"

namespace stickslip {

/// A box of size x size x size in cells^3 cells, centred on the origin at rest.
inline TetMesh cube_mesh(double size, int cells)
{
    return tetrahedralize(Box{Vec3::Constant(size)}, size / cells);
}

inline DeformableSet one_body(const TetMesh& mesh, const ElasticMaterial& material)
{
    DeformableSet set;
    add_deformable(set, "body", mesh, material);
    finish(set);
    return set;
}

inline std::vector<Vec3> shaken(std::vector<Vec3> x, double size, Random& random)
{
    for (Vec3& p : x)
        p += random.vector(size);
    return x;
}

inline std::vector<Vec3> moved(std::vector<Vec3> x, const Mat3& R, const Vec3& by)
{
    for (Vec3& p : x)
        p = R * p + by;
    return x;
}

inline Vec3 sum_of(const std::vector<Vec3>& f)
{
    Vec3 sum = Vec3::Zero();
    for (const Vec3& one : f)
        sum += one;
    return sum;
}

inline Vec3 torque_of(const std::vector<Vec3>& x, const std::vector<Vec3>& f)
{
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < f.size(); ++i)
        sum += x[i].cross(f[i]);
    return sum;
}

} // namespace stickslip
