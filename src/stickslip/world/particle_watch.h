#pragma once

#include "stickslip/contact/contact_set.h"
#include "stickslip/geometry/queries/tet_search.h"
#include "stickslip/world/world.h"

#include <optional>
#include <vector>

namespace stickslip {

/// A material point that contact with a deformable body does not hold back any more.
struct LostParticle {
    int body, soft; // contact bodies
    Vec3 place; // [m]
    double depth; // [m] below the surface; 0: it went in and out again in the step
};

/// Looks for material points that are inside a deformable body, or went through one, unfelt.
class ParticleWatch {
public:
    /// Keeps a reference to `world`.
    explicit ParticleWatch(const World& world);

    /// The first by deformable body and particle, of those that do not touch it at the end of the step. Costs O(n) for
    /// n nodes of deformable bodies that material points are near.
    std::optional<LostParticle> look(const State& before, const State& after, const ContactSet& contacts);

private:
    struct Step;
    std::optional<LostParticle> look_at(int body, int soft, const Step& step);

    const World* world_;
    ContactBodies bodies_;
    std::vector<TetSearch> tets_; // by deformable body
};

} // namespace stickslip
