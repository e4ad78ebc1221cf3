#include "stickslip/world/audit/particle_passage.h"

#include "stickslip/contact/relax/rim_share.h"
#include "stickslip/geometry/queries/way_through.h"
#include "stickslip/world/tunnelling_watch.h"

#include <algorithm>
#include <optional>

namespace stickslip {

namespace {

constexpr double fast = 0.5; // [-] of a solid's smallest size: what came less far ends in it, or in front

using Way = std::pair<Vec3, Vec3>; // [m] from and to, in the frame of a solid

bool is_beside(const Bounds& box, const Way& way)
{
    const auto [from, to] = way;
    return (from.cwiseMin(to).array() > box.max.array()).any() || (from.cwiseMax(to).array() < box.min.array()).any();
}

bool is_touching(const ContactSet& contacts, int body, int solid, int point)
{
    bool touches = false;
    contacts.for_each_contact([&](const Contact& c) {
        touches = touches || (c.point_body == body && c.surface_body == solid && c.point == point);
    });
    return touches;
}

std::optional<LostParticle> first_passed(const ContactBodies& bodies, int body, int solid, const State& before,
    const State& after, const ContactSet& contacts)
{
    const LevelSet& shape = bodies.solid(solid);
    const double size = smallest_size(shape);
    if (!(size > 0 && size < infinity))
        return {};
    const Bounds box = bounds(shape);
    const Frame old = frame_of_solid(bodies, solid, before), now = frame_of_solid(bodies, solid, after);
    const Range particles = bodies.mpm_body(body).particles;
    for (int p = particles.begin; p < particles.end; ++p) {
        const Way way{old.to_local(before.mpm.x[p]), now.to_local(after.mpm.x[p])};
        if ((way.second - way.first).norm() > fast * size && !is_beside(box, way)
            && goes_through(shape, way.first, way.second) && !is_touching(contacts, body, solid, p - particles.begin))
            return LostParticle{body, solid, after.mpm.x[p], 0};
    }
    return {};
}

} // namespace

std::vector<LostParticle> passed_particles(
    const ContactBodies& bodies, const State& before, const State& after, const ContactSet& contacts)
{
    std::vector<LostParticle> passed;
    for (int body = bodies.first_mpm(); body < bodies.total(); ++body)
        for (int solid = bodies.first_rigid(); solid < bodies.count(); ++solid)
            if (bodies.is_pair(body, solid))
                if (const auto lost = first_passed(bodies, body, solid, before, after, contacts))
                    passed.push_back(*lost);
    return passed;
}

} // namespace stickslip
