#include "stickslip/dem/walls/granular_wall.h"

#include "stickslip/geometry/mesh/tri_mesh.h"

#include <cmath>

namespace stickslip {

WallPose wall_pose(const GranularWall& wall, double end_time, double dt)
{
    const double middle = end_time - 0.5 * dt;
    WallPose pose{.frame = frame_at(wall.motion, wall.start, end_time),
        .middle = velocity_at(wall.motion, middle),
        .end = velocity_at(wall.motion, end_time)};
    if (!wall.surface_velocity.isZero(0)) {
        pose.belt_middle = frame_at(wall.motion, wall.start, middle).R * wall.surface_velocity;
        pose.belt_end = pose.frame.R * wall.surface_velocity;
    }
    return pose;
}

WallPose wall_pose(const RigidBody& body, const BodyMotion& motion, double dt)
{
    WallPose pose{.frame = solid_frame(body, motion.x, motion.rotation())};
    const Vec3 arm = pose.frame.x - motion.x;
    const Vec3& w = motion.w;
    const Vec3 later_w = w + 0.5 * dt * motion.acceleration.angular;
    pose.middle = {motion.v + w.cross(arm - 0.5 * dt * w.cross(arm)), w};
    pose.end = {motion.v + 0.5 * dt * motion.acceleration.linear + later_w.cross(arm), later_w};
    pose.mobility = mobility(body, pose.frame.R);
    pose.centre = motion.x;
    return pose;
}

Bounds bounds(const GranularWall& wall)
{
    if (const auto* mesh = std::get_if<WallTriangles>(&wall.shape)) {
        Bounds box;
        for (const Vec3& X : (*mesh)->topology.positions)
            box.add(X);
        return box;
    }
    return bounds(std::get<LevelSet>(wall.shape));
}

double half_thickness(const GranularWall& wall)
{
    if (!wall.solid())
        return infinity;
    const LevelSet& solid = *wall.solid();
    if (const auto* mesh = std::get_if<WallTriangles>(&wall.shape)) {
        TriMesh closed = {(*mesh)->topology.positions, (*mesh)->topology.facets};
        std::erase_if(closed.triangles, [](const Triangle& t) { return t[0] < 0; }); // left out
        if (is_closed(closed.triangles))
            return 0.5 * std::abs(mean_thickness(closed));
    }
    if (const auto* cone = std::get_if<Cone>(&solid)) // the ball within a triangle: twice its area over its sides
        return cone->radius * cone->height / (cone->radius + std::hypot(cone->radius, cone->height));
    const Bounds box = bounds(solid);
    return 0.5 * (box.max - box.min).minCoeff();
}

double farthest_from(const Vec3& x, const Bounds& box)
{
    return (box.max - x).cwiseAbs().cwiseMax((box.min - x).cwiseAbs()).norm();
}

} // namespace stickslip
