#include "stickslip/geometry/solids/level_set.h"

#include "stickslip/math/check.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// Below this length a direction cannot be normalised (its square underflows): the point counts as lying on the centre,
// axis or ring.
constexpr double degenerate = 1e-100; // [m]

double outside(double depth)
{
    return depth > 0 ? depth : 0;
}

LevelSetSample flat(double phi, const Vec3& n)
{
    return {.phi = phi, .n = n, .hessian = Mat3::Zero()};
}

/// Distance to a point or a line: r from it to U, space = projector onto the directions r can have.
/// On the point or line itself n is +x and the Hessian, unbounded there, is given as zero.
LevelSetSample round(const Vec3& r, double radius, const Mat3& space)
{
    const double length = r.norm();
    if (length < degenerate)
        return flat(length - radius, Vec3::UnitX());
    const Vec3 n = r / length;
    return {.phi = length - radius, .n = n, .hessian = (space - n * n.transpose()) / length};
}

/// Distance to a circle about the y axis: (a, b) from the circle to U along e (radial) and y; rho = distance of U from
/// the axis.
LevelSetSample round_circle(double a, double b, const Vec3& e, double rho, double radius)
{
    const double length = std::hypot(a, b);
    if (length < degenerate)
        return flat(length - radius, e);
    const Vec3 n = (a * e + b * Vec3::UnitY()) / length;
    const Vec3 m = (a * Vec3::UnitY() - b * e) / length; // across n in the plane of the axis
    const Vec3 t = e.cross(Vec3::UnitY());
    // On the axis every direction e is as good; the curvature round the axis is unbounded there and is left out.
    const double about_axis = rho < degenerate ? 0 : a / length / rho;
    return {.phi = length - radius, .n = n, .hessian = m * m.transpose() / length + about_axis * t * t.transpose()};
}

Vec3 across_axis(const Vec3& U)
{
    return {U.x(), 0, U.z()};
}

Vec3 radial_direction(const Vec3& U)
{
    const Vec3 r = across_axis(U);
    const double rho = r.norm();
    return rho < degenerate ? Vec3::UnitX() : Vec3(r / rho);
}

Mat3 across_axis_space()
{
    return Vec3(1, 0, 1).asDiagonal();
}

Vec3 from_core(const Capsule& s, const Vec3& U)
{
    return {U.x(), U.y() - std::clamp(U.y(), -s.height / 2, s.height / 2), U.z()};
}

// From the nearest point of a cone's side, in the half plane of the axis: (radial, axial) distance to the line from the
// rim to the apex, and where along it, 0 at the rim, 1 at the apex.
struct ConeSide {
    double slant; // [m] length of the line
    double distance, along;
    ConeSide(const Cone& s, double rho, double y)
        : slant(std::hypot(s.radius, s.height))
        , distance((s.height * rho + s.radius * (y - s.height / 2)) / slant)
        , along((s.height * (y + s.height / 2) - s.radius * (rho - s.radius)) / (slant * slant))
    {
    }
};

Vec3 face_normal(int patch)
{
    Vec3 n = Vec3::Zero();
    n[patch / 2] = patch % 2 == 0 ? -1 : 1;
    return n;
}

// patches: how many smooth pieces; piece: the function of one; whole: the solid outside its rims.

int patches(const Plane&)
{
    return 1;
}
int patches(const Box&)
{
    return 6;
}
int patches(const RoundedBox&)
{
    return 1;
}
int patches(const Sphere&)
{
    return 1;
}
int patches(const Cylinder&)
{
    return 3;
}
int patches(const Cone&)
{
    return 2;
}
int patches(const std::shared_ptr<const ConvexPolyhedron>& s)
{
    return static_cast<int>(s->faces().size());
}
int patches(const Capsule&)
{
    return 1;
}
int patches(const Torus&)
{
    return 1;
}
int patches(const std::shared_ptr<const GridLevelSet>&)
{
    return 1;
}
int patches(const OpenSurface&)
{
    return 1;
}

double piece_distance(const Plane& s, int, const Vec3& U)
{
    return s.normal.dot(U) - s.offset;
}
double piece_distance(const Box& s, int patch, const Vec3& U)
{
    const int axis = patch / 2;
    return (patch % 2 == 0 ? -U[axis] : U[axis]) - s.size[axis] / 2;
}
double piece_distance(const RoundedBox& s, int, const Vec3& U)
{
    const Vec3 q = U.cwiseAbs() - s.core() / 2;
    return (q.maxCoeff() <= 0 ? q.maxCoeff() : q.cwiseMax(0).norm()) - s.radius;
}
double piece_distance(const Sphere& s, int, const Vec3& U)
{
    return U.norm() - s.radius;
}
double piece_distance(const Cylinder& s, int patch, const Vec3& U)
{
    if (patch == 0)
        return across_axis(U).norm() - s.radius;
    return (patch == 1 ? -U.y() : U.y()) - s.height / 2;
}
double piece_distance(const Cone& s, int patch, const Vec3& U)
{
    return (patch == 0 ? ConeSide(s, across_axis(U).norm(), U.y()).distance : -U.y() - s.height / 2) - s.grown;
}
double piece_distance(const std::shared_ptr<const ConvexPolyhedron>& s, int patch, const Vec3& U)
{
    return s->face_distance(patch, U);
}
double piece_distance(const Capsule& s, int, const Vec3& U)
{
    return from_core(s, U).norm() - s.radius;
}
double piece_distance(const Torus& s, int, const Vec3& U)
{
    return std::hypot(across_axis(U).norm() - s.major, U.y()) - s.minor;
}
double piece_distance(const std::shared_ptr<const GridLevelSet>& s, int, const Vec3& U)
{
    return s->distance(U);
}
double piece_distance(const OpenSurface&, int, const Vec3&)
{
    return infinity;
}

LevelSetSample piece(const Plane& s, int, const Vec3& U)
{
    return flat(s.normal.dot(U) - s.offset, s.normal);
}
LevelSetSample piece(const Box& s, int patch, const Vec3& U)
{
    return flat(piece_distance(s, patch, U), face_normal(patch));
}
LevelSetSample piece(const RoundedBox& s, int, const Vec3& U)
{
    const Vec3 half = s.core() / 2;
    const Vec3 r = U - U.cwiseMax(-half).cwiseMin(half);
    const Vec3 beyond = (r.array() != 0).cast<double>();
    if (beyond.sum() > 1 && r.norm() >= degenerate)
        return round(r, s.radius, beyond.asDiagonal());
    const Vec3 q = U.cwiseAbs() - half; // over a face, or inside the core
    int axis = 0;
    q.maxCoeff(&axis);
    return flat(q[axis] - s.radius, std::copysign(1, U[axis]) * Vec3::Unit(axis));
}
LevelSetSample piece(const Sphere& s, int, const Vec3& U)
{
    return round(U, s.radius, Mat3::Identity());
}
LevelSetSample piece(const Cylinder& s, int patch, const Vec3& U)
{
    if (patch == 0)
        return round(across_axis(U), s.radius, across_axis_space());
    return flat(piece_distance(s, patch, U), patch == 1 ? Vec3(-Vec3::UnitY()) : Vec3(Vec3::UnitY()));
}
LevelSetSample piece(const Cone& s, int patch, const Vec3& U)
{
    if (patch == 1)
        return flat(piece_distance(s, patch, U), -Vec3::UnitY());
    const double rho = across_axis(U).norm();
    const ConeSide side(s, rho, U.y());
    const Vec3 e = radial_direction(U), t = e.cross(Vec3::UnitY());
    // on the axis the curvature is unbounded and left out
    const double curvature = rho < degenerate ? 0 : s.height / side.slant / rho;
    return {.phi = side.distance - s.grown,
        .n = (s.height * e + s.radius * Vec3::UnitY()) / side.slant,
        .hessian = curvature * t * t.transpose()};
}
LevelSetSample piece(const std::shared_ptr<const ConvexPolyhedron>& s, int patch, const Vec3& U)
{
    return flat(s->face_distance(patch, U), s->faces()[patch].normal);
}
LevelSetSample piece(const Capsule& s, int, const Vec3& U)
{
    const bool beside = std::abs(U.y()) <= s.height / 2; // on the plane between, too: seams ask there
    return round(from_core(s, U), s.radius, beside ? across_axis_space() : Mat3(Mat3::Identity()));
}
LevelSetSample piece(const Torus& s, int, const Vec3& U)
{
    const double rho = across_axis(U).norm();
    return round_circle(rho - s.major, U.y(), radial_direction(U), rho, s.minor);
}
LevelSetSample piece(const std::shared_ptr<const GridLevelSet>& s, int, const Vec3& U)
{
    return s->sample(U);
}
LevelSetSample piece(const OpenSurface&, int, const Vec3&)
{
    return flat(infinity, Vec3::UnitX());
}

template <typename Solid>
int nearest_piece(const Solid& s, const Vec3& U)
{
    int best = 0;
    for (int patch = 1; patch < patches(s); ++patch) {
        if (piece_distance(s, patch, U) > piece_distance(s, best, U))
            best = patch;
    }
    return best;
}

template <typename Solid>
double whole_distance(const Solid& s, const Vec3& U)
{
    return piece_distance(s, nearest_piece(s, U), U);
}
double whole_distance(const Box& s, const Vec3& U)
{
    const Vec3 q = U.cwiseAbs() - s.size / 2;
    return q.maxCoeff() <= 0 ? q.maxCoeff() : q.cwiseMax(0).norm();
}
double whole_distance(const Cylinder& s, const Vec3& U)
{
    const double a = across_axis(U).norm() - s.radius;
    const double b = std::abs(U.y()) - s.height / 2;
    return std::max(a, b) <= 0 ? std::max(a, b) : std::hypot(outside(a), outside(b));
}

double whole_distance(const Cone& s, const Vec3& U)
{
    const double rho = across_axis(U).norm(), base = -U.y() - s.height / 2;
    const ConeSide side(s, rho, U.y());
    double d = side.distance;
    if (std::max(d, base) <= 0)
        d = std::max(d, base);
    else if (base > 0 && rho <= s.radius)
        d = base;
    else if (side.along <= 0)
        d = std::hypot(rho - s.radius, base);
    else if (side.along >= 1)
        d = std::hypot(rho, U.y() - s.height / 2);
    return d - s.grown;
}
double whole_distance(const std::shared_ptr<const ConvexPolyhedron>& s, const Vec3& U)
{
    const double d = s->face_distance(s->nearest_face(U), U);
    return d <= 0 ? d : (U - s->nearest_point(U).P).norm();
}

template <typename Solid>
LevelSetSample whole(const Solid& s, const Vec3& U)
{
    return piece(s, nearest_piece(s, U), U);
}
LevelSetSample whole(const Box& s, const Vec3& U)
{
    const Vec3 half = s.size / 2;
    const Vec3 r = U - U.cwiseMax(-half).cwiseMin(half);
    const Vec3 beyond = (r.array() != 0).cast<double>();
    if (beyond.sum() < 2 || r.norm() < degenerate)
        return piece(s, nearest_piece(s, U), U);
    return round(r, 0, beyond.asDiagonal());
}
LevelSetSample whole(const Cylinder& s, const Vec3& U)
{
    const double rho = across_axis(U).norm();
    const double a = rho - s.radius;
    const double b = std::abs(U.y()) - s.height / 2;
    if (a <= 0 || b <= 0 || std::hypot(a, b) < degenerate)
        return piece(s, nearest_piece(s, U), U);
    return round_circle(a, std::copysign(b, U.y()), radial_direction(U), rho, 0);
}

LevelSetSample whole(const Cone& s, const Vec3& U)
{
    const double rho = across_axis(U).norm(), base = -U.y() - s.height / 2;
    const ConeSide side(s, rho, U.y());
    if (std::max(side.distance, base) <= 0)
        return piece(s, nearest_piece(s, U), U);
    if (base > 0 && rho <= s.radius)
        return piece(s, 1, U);
    if (side.along <= 0)
        return round_circle(rho - s.radius, -base, radial_direction(U), rho, s.grown);
    return side.along >= 1 ? round(U - s.height / 2 * Vec3::UnitY(), s.grown, Mat3::Identity()) : piece(s, 0, U);
}
LevelSetSample whole(const std::shared_ptr<const ConvexPolyhedron>& s, const Vec3& U)
{
    const int face = s->nearest_face(U);
    if (s->face_distance(face, U) <= 0)
        return piece(s, face, U);
    const ConvexPolyhedron::Nearest at = s->nearest_point(U);
    return at.face >= 0 ? piece(s, at.face, U) : round(U - at.P, 0, at.fixed);
}

Bounds box_about(const Vec3& half)
{
    return {.min = -half, .max = half};
}

Bounds bounds_of(const Plane&)
{
    return box_about(Vec3::Constant(infinity));
}
Bounds bounds_of(const Box& s)
{
    return box_about(s.size / 2);
}
Bounds bounds_of(const RoundedBox& s)
{
    return box_about(s.size / 2);
}
Bounds bounds_of(const Sphere& s)
{
    return box_about(Vec3::Constant(s.radius));
}
Bounds bounds_of(const Cylinder& s)
{
    return box_about({s.radius, s.height / 2, s.radius});
}
Bounds bounds_of(const Cone& s)
{
    const double side = std::hypot(s.radius, s.height);
    const double wide = s.radius + s.grown * (side + s.radius) / s.height;
    return {{-wide, -s.height / 2 - s.grown, -wide}, {wide, s.height / 2 + s.grown * side / s.radius, wide}};
}
Bounds bounds_of(const std::shared_ptr<const ConvexPolyhedron>& s)
{
    return s->bounds();
}
Bounds bounds_of(const Capsule& s)
{
    return box_about({s.radius, s.height / 2 + s.radius, s.radius});
}
Bounds bounds_of(const Torus& s)
{
    return box_about({s.major + s.minor, s.minor, s.major + s.minor});
}
Bounds bounds_of(const std::shared_ptr<const GridLevelSet>& s)
{
    return s->solid_bounds();
}
Bounds bounds_of(const OpenSurface& s)
{
    return s.box;
}

Seams seams_of(const Box& s)
{
    return {s.size / 2, 0};
}
Seams seams_of(const RoundedBox& s)
{
    return {s.core() / 2, s.radius};
}
Seams seams_of(const Capsule& s)
{
    return {Vec3(infinity, s.height / 2, infinity), s.radius};
}
Seams seams_of(const Cylinder& s)
{
    return {Vec3(infinity, s.height / 2, infinity), 0, 2, s.radius, s.height / 2};
}
Seams seams_of(const Cone& s)
{
    return {Vec3::Constant(infinity), s.grown, 1, s.radius, s.height / 2};
}
Seams seams_of(const std::shared_ptr<const ConvexPolyhedron>& s)
{
    return {.edges = s->edges()};
}
Seams seams_of(const std::shared_ptr<const GridLevelSet>& s)
{
    constexpr double smooth = 3.1; // [cells]: three, and a tenth for what presses in
    return {.edges = s->edges().outer, .inner = s->edges().inner, .least = smooth * s->spacing()};
}
template <typename Solid>
Seams seams_of(const Solid&)
{
    return {};
}

} // namespace

Seams seams(const LevelSet& solid)
{
    return std::visit([](const auto& s) { return seams_of(s); }, solid);
}

int patch_count(const LevelSet& solid)
{
    return std::visit([](const auto& s) { return patches(s); }, solid);
}

LevelSetSample sample_patch(const LevelSet& solid, int patch, const Vec3& U)
{
    STICKSLIP_ASSERT(patch >= 0 && patch < patch_count(solid));
    return std::visit([&](const auto& s) { return piece(s, patch, U); }, solid);
}

double patch_distance(const LevelSet& solid, int patch, const Vec3& U)
{
    STICKSLIP_ASSERT(patch >= 0 && patch < patch_count(solid));
    return std::visit([&](const auto& s) { return piece_distance(s, patch, U); }, solid);
}

int nearest_patch(const LevelSet& solid, const Vec3& U)
{
    return std::visit([&](const auto& s) { return nearest_piece(s, U); }, solid);
}

double signed_distance(const LevelSet& solid, const Vec3& U)
{
    return std::visit([&](const auto& s) { return whole_distance(s, U); }, solid);
}

LevelSetSample sample(const LevelSet& solid, const Vec3& U)
{
    return std::visit([&](const auto& s) { return whole(s, U); }, solid);
}

Bounds bounds(const LevelSet& solid)
{
    return std::visit([](const auto& s) { return bounds_of(s); }, solid);
}

} // namespace stickslip
