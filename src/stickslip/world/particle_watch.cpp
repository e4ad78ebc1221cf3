#include "stickslip/world/particle_watch.h"

#include "stickslip/geometry/queries/way_through.h"
#include "stickslip/world/soft_watch.h"

#include <algorithm>
#include <tuple>

namespace stickslip {

namespace {

constexpr double deep = 0.25; // [-] of an element: contact is found before
constexpr double through = 0.05; // [-] of an element: less is along a face

using Touch = std::tuple<int, int, int>; // material body, deformable body, point

std::vector<Touch> touches_of(const ContactBodies& bodies, const ContactSet& contacts)
{
    std::vector<Touch> touches;
    contacts.for_each_contact([&](const Contact& c) {
        if (bodies.is_mpm(c.point_body) && bodies.is_deformable(c.surface_body))
            touches.emplace_back(c.point_body, c.surface_body, c.point);
    });
    std::sort(touches.begin(), touches.end());
    return touches;
}

} // namespace

/// What is known of a step and of the deformable body looked at.
struct ParticleWatch::Step {
    const State &before, &after;
    std::vector<Touch> touches;
    Bounds box; // [m] of the deformable body, at both ends of the step
    Vec3 moved; // [m] of the deformable body: its mean
};

ParticleWatch::ParticleWatch(const World& world)
    : world_(&world)
    , bodies_(contact_bodies(world))
{
    const DeformableSet& set = world.deformables;
    for (const DeformableBody& body : set.bodies)
        tets_.emplace_back(std::span(set.tets).subspan(body.tets.begin, body.tets.size()));
}

std::optional<LostParticle> ParticleWatch::look(const State& before, const State& after, const ContactSet& contacts)
{
    if (const auto passed = passed_particles(bodies_, before, after, contacts); !passed.empty())
        return passed.front();
    if (world_->mpm.bodies.empty() || tets_.empty())
        return {};
    Step step{before, after, touches_of(bodies_, contacts), {}, {}};
    for (int soft = 0; soft < bodies_.first_rigid(); ++soft) {
        const Range nodes = world_->deformables.bodies[soft].nodes;
        step.box = {};
        step.moved = Vec3::Zero();
        for (int i = nodes.begin; i < nodes.end; ++i) {
            step.box.add(before.x[i]);
            step.box.add(after.x[i]);
            step.moved += (after.x[i] - before.x[i]) / nodes.size();
        }
        tets_[soft].place(after.x);
        for (int body = bodies_.first_mpm(); body < bodies_.total(); ++body)
            if (bodies_.meets_patches(body, soft))
                if (const auto lost = look_at(body, soft, step))
                    return lost;
    }
    return {};
}

std::optional<LostParticle> ParticleWatch::look_at(int body, int soft, const Step& step)
{
    const DeformableSet& set = world_->deformables;
    const DeformableBody& of = set.bodies[soft];
    const ClosedSurface surface{
        std::span(set.triangles).subspan(of.triangles.begin, of.triangles.size()), step.after.x};
    const Range particles = bodies_.mpm_body(body).particles;
    for (int p = particles.begin; p < particles.end; ++p) {
        const Vec3& x = step.after.mpm.x[p];
        const Vec3 from = step.before.mpm.x[p] + step.moved;
        if (!(step.box.contains(x) || step.box.contains(from) || step.box.contains(0.5 * (x + from)))
            || std::binary_search(step.touches.begin(), step.touches.end(), Touch(body, soft, p - particles.begin)))
            continue;
        if (tets_[soft].contains(x)) {
            if (const double d = distance_to_surface(set, of, step.after.x, x); d > deep * of.element_size)
                return LostParticle{body, soft, x, d};
        } else if ((x - from).norm() > deep * of.element_size
            && goes_through(surface, through * of.element_size, from, x))
            return LostParticle{body, soft, x, 0};
    }
    return {};
}

} // namespace stickslip
