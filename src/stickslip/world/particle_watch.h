#pragma once

#include "stickslip/geometry/queries/tet_search.h"
#include "stickslip/world/audit/particle_passage.h"

#include <optional>
#include <vector>

namespace stickslip {

/// Looks for material points that are inside a deformable body, or went through it or a solid, unfelt.
class ParticleWatch {
public:
    /// Keeps a reference to `world`.
    explicit ParticleWatch(const World& world);

    /// Of passed_particles the first, else the first by deformable body and particle of those that do not touch it at
    /// the end of the step. Costs O(n) for n nodes of deformable bodies that material points are near.
    std::optional<LostParticle> look(const State& before, const State& after, const ContactSet& contacts);

private:
    struct Step;
    std::optional<LostParticle> look_at(int body, int soft, const Step& step);

    const World* world_;
    ContactBodies bodies_;
    std::vector<TetSearch> tets_; // by deformable body
};

} // namespace stickslip
