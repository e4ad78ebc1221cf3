#include "stickslip/dem/bodies/clumps.h"

#include "stickslip/math/error.h"

#include <cmath>

namespace stickslip {

Clumps find_clumps(const std::vector<GranularBody>& bodies, const std::vector<BodyMotion>& motions,
    const std::vector<BodySpheres>& of_body, const Spheres& spheres, const PeriodicBox& box)
{
    Clumps clumps;
    clumps.first.assign(1, 0);
    std::vector<int> body_of_id; // from the first id of all on
    int offset = -1;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (of_body[b].first >= 0) {
            offset = offset < 0 ? of_body[b].first : offset;
            body_of_id.resize(of_body[b].first - offset, -1);
            for (const RoundPoint& ball : bodies[b].rigid.rounds) {
                clumps.spheres.push_back({-1, ball.centre, Vec3::Zero()});
                body_of_id.push_back(static_cast<int>(b));
            }
        }
        clumps.first.push_back(static_cast<int>(clumps.spheres.size()));
    }
    if (!clumps.any())
        return clumps;
    clumps.body_of_slot.assign(spheres.size(), -1);
    for (std::size_t slot = 0; slot < spheres.size(); ++slot) {
        const int from = spheres.id[slot] - offset;
        if (from < 0 || from >= static_cast<int>(body_of_id.size()) || body_of_id[from] < 0)
            continue;
        const int b = body_of_id[from];
        clumps.body_of_slot[slot] = b;
        ClumpSphere& sphere = clumps.spheres[clumps.first[b] + spheres.id[slot] - of_body[b].first];
        sphere.slot = static_cast<int>(slot);
        const Vec3 off = spheres.place[slot].x - (motions[b].x + motions[b].rotation() * sphere.c);
        for (int axis = 0; axis < 3; ++axis) {
            if (std::isfinite(box.size[axis]))
                sphere.shift[axis] = box.size[axis] * std::round(off[axis] / box.size[axis]);
        }
    }
    for (const ClumpSphere& sphere : clumps.spheres) {
        if (sphere.slot < 0)
            throw InputError("the state of the spheres does not fit together: a clump lacks a sphere");
    }
    return clumps;
}

void drop_pairs_within(const Clumps& clumps, NeighbourList& list)
{
    const std::vector<int>& body = clumps.body_of_slot;
    if (clumps.any())
        drop_pairs_if(list, [&](int i, int j) { return body[i] >= 0 && body[i] == body[j]; });
}

void place_spheres(const Clumps& clumps, std::size_t b, const BodyMotion& motion, const Mat3& earlier, Spheres& spheres)
{
    const Mat3 R = motion.rotation();
    for (int k = clumps.first[b]; k < clumps.first[b + 1]; ++k) {
        const ClumpSphere& s = clumps.spheres[k];
        const Vec3 arm = R * s.c;
        const Vec3 mean_arm = 0.5 * (arm + earlier * s.c);
        spheres.place[s.slot].x = motion.x + arm + s.shift;
        spheres.motion[s.slot].v = motion.v + motion.w.cross(mean_arm);
        spheres.motion[s.slot].w = motion.w;
        spheres.orientation[s.slot] = motion.R;
    }
}

void accelerate_spheres(const Clumps& clumps, std::size_t b, const BodyMotion& motion, Spheres& spheres)
{
    const Mat3 R = motion.rotation();
    const SphereAcceleration& a = motion.acceleration;
    for (int k = clumps.first[b]; k < clumps.first[b + 1]; ++k) {
        const Vec3 arm = R * clumps.spheres[k].c;
        spheres.acceleration[clumps.spheres[k].slot] = {
            a.linear + a.angular.cross(arm) + motion.w.cross(motion.w.cross(arm)), a.angular};
    }
}

} // namespace stickslip
