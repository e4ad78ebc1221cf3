#pragma once

#include "stickslip/dem/granular_state.h"
#include "stickslip/dem/granular_world.h"
#include "stickslip/dem/pair_forces.h"
#include "stickslip/dem/rebuild_order.h"

#include <vector>

namespace stickslip {

/// Time on the clock since the start, by stage [s].
struct StageTimes {
    double rebuild = 0, pairs = 0, walls = 0, motion = 0;
};

/// Spheres under contact forces, integrated by velocity Verlet:
///   GranularWorld world = ...;  SphereSystem system(world, spheres);  system.step(1000);
/// The same bits for any number of threads. Slots change; ids (0, 1, ... in the order of coming) do not.
class SphereSystem {
public:
    /// Throws InputError for values out of range.
    SphereSystem(GranularWorld world, const std::vector<Grain>& spheres);

    /// Moves on by `count` steps. False when a place stopped being a number: the state is then that of the failed step.
    bool step(int count = 1);

    /// More spheres, at rest among themselves and with the others: none may overlap. InputError as the constructor.
    void insert(const std::vector<Grain>& spheres);
    /// Takes those of these slots (rising) away, with their contacts.
    void remove(const std::vector<int>& slots);

    const GranularWorld& world() const { return world_; }
    const GranularState& state() const { return state_; }
    void restore(const GranularState& state);
    double dt() const { return world_.dt; } // [s]

    /// Slot of each id, -1 of those that have left.
    std::vector<int> slots() const;
    EnergyLedger ledger() const;
    std::size_t touching() const; // contacts at present, with walls
    const StageTimes& times() const { return times_; }
    /// What forces are computed from; refers to this.
    PairSystem pair_system(double dt) const;

private:
    void add(const Grain& grain);
    void rebuild(const Reordering& before = {});
    void evaluate(double dt);
    void advance(bool finish, bool start);
    bool list_is_stale() const;
    void choose_skin();
    void prepare_list();

    GranularWorld world_;
    std::vector<PairLaw> laws_;
    bool with_turn_ = false;
    double reach_ = 0; // [m] largest gap that adhesion bridges
    double largest_radius_ = 0, mean_radius_ = 0; // [m]
    GranularState state_;
    ForceBlocks blocks_;
    std::vector<ContactLosses> block_losses_;
    std::vector<WallPose> poses_;
    Bounds listed_bounds_; // [m] of the centres
    double moved_ = 0; // [m] the most since the list was made
    StageTimes times_;
};

} // namespace stickslip
