#include "stickslip/geometry/solids/grown_solid.h"

#include <cmath>

namespace stickslip {

namespace {

LevelSet grow(const Plane& s, double by)
{
    return Plane{s.normal, s.offset + by};
}
LevelSet grow(const Box& s, double by)
{
    return Box{s.size + Vec3::Constant(2 * by)};
}
LevelSet grow(const RoundedBox& s, double by)
{
    return RoundedBox{s.size + Vec3::Constant(2 * by), s.radius + by};
}
LevelSet grow(const Sphere& s, double by)
{
    return Sphere{s.radius + by};
}
LevelSet grow(const Cylinder& s, double by)
{
    return Cylinder{s.radius + by, s.height + 2 * by};
}
LevelSet grow(const Cone& s, double by)
{
    return Cone{s.radius, s.height, s.grown + by};
}
LevelSet grow(const Capsule& s, double by)
{
    return Capsule{s.radius + by, s.height};
}
LevelSet grow(const Torus& s, double by)
{
    return s.minor + by < s.major ? Torus{s.major, s.minor + by} : s; // its hole closes
}
LevelSet grow(const std::shared_ptr<const ConvexPolyhedron>& s, double by)
{
    return s->grown(by);
}
LevelSet grow(const std::shared_ptr<const GridLevelSet>& s, double by)
{
    return std::make_shared<const GridLevelSet>(s->grown(by));
}
LevelSet grow(const OpenSurface& s, double)
{
    return s;
}

} // namespace

LevelSet grown(const LevelSet& solid, double by)
{
    return std::visit([&](const auto& s) { return grow(s, by); }, solid);
}

} // namespace stickslip
