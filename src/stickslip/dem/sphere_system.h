#pragma once

#include "stickslip/dem/granular_material.h"
#include "stickslip/dem/pair_forces.h"
#include "stickslip/dem/rebuild_order.h"
#include "stickslip/dem/walls.h"

#include <string>
#include <vector>

namespace stickslip {

/// One sphere as the user gives it.
struct Grain {
    Vec3 x; // [m]
    double radius; // [m]
    int material = 0;
    Vec3 v = Vec3::Zero(); // [m/s]
    Vec3 w = Vec3::Zero(); // [rad/s]
    int group = 0; // whose it is
};

/// Coulomb coefficient of two materials that is not the lesser of theirs.
struct PairFriction {
    int first, second; // materials
    double friction; // [-]
};

/// What a run of spheres never changes.
struct GranularWorld {
    NormalLaw law = NormalLaw::linear;
    std::vector<GranularMaterial> materials;
    std::vector<PairFriction> pair_friction; // a later one goes before
    std::vector<GranularWall> walls;
    Vec3 gravity = Vec3::Zero(); // [m/s^2]
    PeriodicBox box;
    double local_damping = 0; // [-] share of the resultant taken off where it speeds a touching sphere up (Cundall)
    double dt = 0; // [s] 0: stable_time_step of the first spheres
    double safety = 0.2; // [-] share of the stability limit, for dt = 0
    double skin = 0; // [m] extra range of the neighbour list; 0: a share of the mean radius
    bool ledger = false; // keep account of the energy, at some cost
    double largest_radius = 0; // [m] of spheres that come later (insert)
};

/// Everything that goes from step to step. A copy of it, restored later, continues with the same bits.
struct GranularState {
    double time = 0; // [s]
    long steps = 0, rebuilds = 0;
    Spheres spheres; // velocities at `time`
    int next_id = 0; // of the next sphere that comes
    NeighbourList list;
    std::vector<Vec3> listed_at; // [m] where the spheres were when the list was made
    double wall_travel = 0; // [m] the most that a wall has moved since, where there are spheres
    ContactHistory pairs;
    std::vector<WallContacts> walls;
    std::vector<Load> wall_load; // on each wall at `time`
    ContactLosses losses; // the rest is counted with GranularWorld::ledger alone
    double local_damping_loss = 0, gravity_work = 0, wall_work = 0; // [J]
    struct {
        double damping = 0, local_damping = 0, wall = 0; // [J]
    } last_step; // power at `time` times dt: works of forces are sums by the trapezoidal rule
    double first_energy = 0; // [J] kinetic and elastic at the start, and what spheres brought and took along since
};

/// The account of the energy [J]. All entries but the stored ones count since the start.
struct EnergyLedger {
    double kinetic_translation, kinetic_rotation, elastic_normal, elastic_tangential, elastic_rolling; // stored now
    double gravity_work, wall_work; // given
    double friction_loss, rolling_loss, damping_loss, adhesion_loss, local_damping_loss; // taken
    double first; // stored at the start, with what spheres brought that came, less what those took that left

    double stored() const
    {
        return kinetic_translation + kinetic_rotation + elastic_normal + elastic_tangential + elastic_rolling;
    }
    double lost() const { return friction_loss + rolling_loss + damping_loss + adhesion_loss + local_damping_loss; }
    /// Zero but for the error of the integrator, which falls with dt^2.
    double imbalance() const { return stored() + lost() - first - gravity_work - wall_work; }
};

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
    void prepare_list();

    GranularWorld world_;
    std::vector<PairLaw> laws_;
    bool with_turn_ = false;
    double reach_ = 0; // [m] largest gap that adhesion bridges
    GranularState state_;
    ForceBlocks blocks_;
    std::vector<ContactLosses> block_losses_;
    std::vector<WallPose> poses_;
    Bounds listed_bounds_; // [m] of the centres
    double moved_ = 0; // [m] the most since the list was made
    StageTimes times_;
};

/// Covers the whole state (time, places, velocities, orientations by id; springs of contacts): 32 hexadecimal digits.
std::string state_hash(const GranularState& state);

/// Throws InputError when the arrays of a state do not fit together or to its world: a state from a damaged file.
void check(const GranularWorld& world, const GranularState& state);

/// Step [s] below the stability limit by `safety`: docs/derivations.md#granular-spheres.
double stable_time_step(const GranularWorld& world, const std::vector<Grain>& spheres);

} // namespace stickslip
