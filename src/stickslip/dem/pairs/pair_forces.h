#pragma once

#include "stickslip/dem/granular_material.h"
#include "stickslip/dem/pairs/force_blocks.h"
#include "stickslip/dem/pairs/neighbours.h"
#include "stickslip/dem/spheres.h"

#include <vector>

namespace stickslip {

/// Input of the pair forces.
struct PairSystem {
    NormalLaw law;
    const std::vector<PairLaw>& laws; // of two materials
    std::size_t materials;
    const Spheres& spheres; // motion at the middle of the step, places at its end, accelerations of its start
    const PeriodicBox& box;
    const NeighbourList& list;
    double reach; // [m] largest gap that a contact bridges
    double dt; // [s] 0: evaluate without moving the springs on
    bool with_turn; // some contact resists rolling or twisting

    /// Law of two spheres, by their slots.
    const PairLaw& law_of(int i, int j) const { return laws[spheres.material[i] * materials + spheres.material[j]]; }
    /// Stiffness of their contact in the linear law [N/m].
    double stiffness_of(int i, int j) const
    {
        return contact_stiffness(law_of(i, j), spheres.motion[i].compliance + spheres.motion[j].compliance);
    }
};

constexpr double far_overlap = 0.5; // [-] of the smaller radius: spheres so deep in each other may pass

/// The deepest pair, where it overlaps by more than far_overlap.
struct PairDepth {
    double share = 0; // [-] of the smaller radius; 0: none is so deep
    int first = -1, second = -1; // slots
    bool passed = false; // of some pair the centres went through each other in this step
    int passed_first = -1, passed_second = -1;

    void add(const PairDepth& other);
};

/// What a block of pairs gives beside forces.
struct PairsOfBlock {
    ContactLosses losses; // with ledger
    PairDepth depth;
};

/// Forces of all pairs into blocks.sums, springs moved on by a step; the rest per block.
void add_pair_forces(const PairSystem& system, bool ledger, ContactHistory& history, ForceBlocks& blocks,
    std::vector<PairsOfBlock>& others);

/// Energy stored in the springs of all pairs [J].
struct ElasticEnergy {
    double normal = 0, tangential = 0, rolling = 0;

    ElasticEnergy& operator+=(const ElasticEnergy& other)
    {
        normal += other.normal;
        tangential += other.tangential;
        rolling += other.rolling;
        return *this;
    }
};
ElasticEnergy pair_energy(const PairSystem& system, const ContactHistory& history);

} // namespace stickslip
