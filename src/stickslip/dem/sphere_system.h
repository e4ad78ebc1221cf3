#pragma once

#include "stickslip/dem/bodies/body_step.h"
#include "stickslip/dem/bodies/clumps.h"
#include "stickslip/dem/granular_state.h"
#include "stickslip/dem/granular_world.h"
#include "stickslip/dem/pairs/pair_forces.h"
#include "stickslip/dem/pairs/rebuild_order.h"
#include "stickslip/dem/succession.h"

#include <vector>

namespace stickslip {

/// Time on the clock since the start, by stage [s].
struct StageTimes {
    double rebuild = 0, pairs = 0, walls = 0, motion = 0;
};

/// Signs of a step that is too long or of stuff that is too soft, since this system was made.
struct StepTrouble {
    double travel = 0; // [-] longest way of a sphere in one step over its radius; above 1 it may pass another unseen
    int sphere = -1; // its id
    double deepest = 0; // [-] deepest overlap with a wall over the radius
    int wall = -1;
    int passed = -1; // wall that a sphere went through: its centre was inside of a solid, or is a radius behind a mesh
    double deepest_pair = 0; // [-] deepest overlap of two spheres over the smaller radius; 0: none is a far_overlap
    int first = -1, second = -1; // their ids
    int passed_first = -1, passed_second = -1; // ids of two spheres whose centres went through each other
    PointTrouble points; // of bodies

    bool is_too_fast() const { return travel > 1 || points.jump > 0; }
};

/// Something that moves by its own mass: a sphere by itself or a body.
struct MovingPart {
    int group; // of its spheres; of a body that is no clump: -1
    int body; // -1: a sphere
    double mass; // [kg]
    Vec3 x, v; // [m], [m/s] of its centre of mass
    Mat3 inertia; // [kg m^2] about it, world axes
    Vec3 spin; // [kg m^2/s] angular momentum about it
};

/// Spheres and rigid bodies under contact forces, integrated by velocity Verlet:
///   GranularWorld world = ...;  SphereSystem system(world, spheres);  system.step(1000);
/// Ids: `spheres` first, then those of clumps, body by body; then what comes later.
/// The same bits for any number of threads. Slots change; ids (0, 1, ... in the order of coming) do not.
class SphereSystem {
public:
    /// Throws InputError for values out of range.
    SphereSystem(GranularWorld world, const std::vector<Grain>& spheres);

    /// Moves on by `count` steps. False when a place stopped being a number, or a sphere moved farther than its radius
    /// in one step (trouble()): the state is then that of the failed step.
    bool step(int count = 1);

    /// More spheres, at rest among themselves and with the others: none may overlap. InputError as the constructor.
    void insert(const std::vector<Grain>& spheres);
    /// More clumps of a kind, that begin so; as spheres.
    void insert_clumps(int kind, const std::vector<RigidState>& starts);
    /// Takes those of these slots (rising) away, with their contacts, and clumps (rising; of a kind) with all their
    /// spheres. InputError for a sphere of a clump by itself and for bodies that stay.
    void remove(std::vector<int> slots, const std::vector<int>& bodies = {});

    /// Catches who has come through an outlet since the list was made, or is in one: GranularState::caught. Done
    /// whenever the list is made anew, so that nobody who passes between two calls is missed.
    void catch_passing();

    /// The springs of contacts that lasted at the end of an earlier run, whose spheres and walls are here where they
    /// were there. Before the first step. Accelerations and the ledger begin anew with them.
    void take_contacts(const GranularState& earlier, const Succession& successors);

    /// Between steps, from then on. The account of the energy takes what velocities bring as there from the start.
    void set_velocity(std::size_t body, const Vec3& v, const Vec3& w); // [m/s], [rad/s]
    void set_group_velocity(int group, const Vec3& v, const Vec3& w); // of spheres by themselves, as one solid
    void set_load(std::size_t body, const Vec3& force, const Vec3& torque); // [N], [N m]; of a body that stays
    void set_script(std::size_t wall, const Frame& start, const ScriptedMotion& motion); // of a wall without a body
    void set_pair_exceptions(const std::vector<PairException>& exceptions);

    const GranularWorld& world() const { return world_; }
    const std::vector<PairLaw>& laws() const { return laws_; } // of every two materials
    const GranularState& state() const { return state_; }
    void restore(const GranularState& state);
    double dt() const { return world_.dt; } // [s]
    const StepTrouble& trouble() const { return trouble_; } // as seen whenever the list was made anew

    /// Slot of each id, -1 of those that have left.
    std::vector<int> slots() const;
    EnergyLedger ledger() const;
    /// Of weight [J], along the way that everything went: what leaves a periodic box below is no higher for coming in
    /// above.
    double potential_energy() const;
    /// Spheres by themselves in the order of ids, then bodies.
    std::vector<MovingPart> moving_parts() const;
    /// Present pose and velocity of a wall.
    WallPose wall_pose_now(std::size_t wall) const;
    /// The body that a sphere moves with, -1: none.
    int body_of(int slot) const { return clumps_.any() ? clumps_.body_of_slot[slot] : -1; }
    void list_solid_contacts(std::vector<GranularContact>& contacts) const; // for contact_list.h
    std::size_t touching() const; // contacts at present, with walls
    const StageTimes& times() const { return times_; }
    /// Input of the forces; refers to this.
    PairSystem pair_system(double dt) const;

private:
    void add(const Grain& grain);
    void add_bodies();
    void add_body_state(const GranularBody& body);
    double largest_body() const;
    void demand_room_for_bodies();
    void drop_bodies(const std::vector<int>& bodies);
    void start();
    Frame wall_frame(std::size_t wall) const;
    WallPose moving_pose(std::size_t wall, double dt) const;
    SolidMeeting solid_meeting(std::span<const WallPose> poses, double dt) const;
    ElasticEnergy solid_energy() const;
    BodyStep body_step() const;
    Load contacts_on(std::size_t body) const;
    void finish_bodies();
    double start_bodies();
    void wrap_places();
    void rebuild(const Reordering& before = {});
    void evaluate(double dt);
    void advance(bool finish, bool start);
    bool list_is_stale() const;
    bool list_strays_anew();
    void watch_for_trouble();
    void watch_pairs(const PairDepth& depth);
    void choose_skin();
    void prepare_list();
    void bound_listed();

    GranularWorld world_;
    std::vector<PairLaw> laws_;
    bool with_turn_ = false;
    double reach_ = 0; // [m] largest gap that adhesion bridges
    double largest_radius_ = 0, mean_radius_ = 0; // [m]
    double periodic_range_ = 0; // [m] without skin and adhesion: twice that must fit into a periodic box
    GranularState state_;
    ForceBlocks blocks_;
    std::vector<PairsOfBlock> of_blocks_;
    std::vector<double> half_thickness_; // [m] of each wall
    double thinnest_ = infinity; // [m] the least of them, and the least ball of a point
    std::vector<double> wall_reach_; // [m] from what it turns about, centre of mass or origin, to its farthest place
    Clumps clumps_;
    std::vector<WallPose> poses_; // of the walls, in this step
    std::vector<CloseFacets> close_facets_; // of each wall
    Bounds listed_bounds_; // [m] of the centres
    double moved_ = 0; // [m] the most since the list was made
    StepTrouble trouble_;
    StageTimes times_;
};

} // namespace stickslip
