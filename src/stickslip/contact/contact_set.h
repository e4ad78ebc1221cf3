#pragma once

#include "stickslip/contact/contact_blocks.h"
#include "stickslip/contact/contact_step.h"
#include "stickslip/contact/contact_task.h"
#include "stickslip/contact/detect/near_pairs.h"
#include "stickslip/contact/edges/crossings_in_step.h"
#include "stickslip/contact/edges/edges_in_step.h"
#include "stickslip/contact/meshes/patches_in_step.h"
#include "stickslip/contact/polyhedra/polyhedra_in_step.h"
#include "stickslip/contact/surfaces/soft_balls_in_step.h"

#include <span>
#include <vector>

namespace stickslip {

/// Some bodies whose contacts are asked for alone.
struct ContactPart {
    std::vector<int> bodies; // rigid, ascending
    std::vector<int> tasks; // theirs
    int listing = -1; // number of the list of tasks that they are of
};

/// All contacts of a step: which ones there are at a candidate, their forces and derivatives, and what they leave
/// behind. Cells of the table: node (DI, RD), material point (the same), sample, ball, rim (extreme points) and axis of
/// a rigid body (RR), each with fixed, scripted and rigid level sets; the same of an obstacle with rigid ones; spheres
/// with fixed, scripted, rigid and deformable triangles; quadrature points of deformable bodies (DD) and samples with
/// deformable patches; nodes and samples with open surfaces, fixed or scripted, and with the triangles of solids; sharp
/// edges of all these with one another; round sides across edges and across one another (edges/axis_crossing.h).
class ContactSet {
public:
    /// Keeps a reference to what `bodies` refers to.
    explicit ContactSet(const ContactBodies& bodies);

    /// Start of a step from time t [s] to t + dt with node positions x_old and velocities v_old, rigid bodies
    /// rigid_old, and the sorted attachments of the last one. `outward`: GridStep::outward; empty: not known. A copy
    /// must begin a step before it evaluates or grows.
    void begin_step(double t, double dt, std::span<const Vec3> x_old, std::span<const Vec3> v_old,
        std::span<const RigidState> rigid_old, const std::vector<Attachment>& kept, std::span<const Vec3> outward = {});

    /// Multiplies the stiffness of every contact in the evaluations to come [-]; begin_step sets it to 1. For first
    /// guesses only: the roots of softer contacts lead to those of hard ones.
    void scale_stiffness(double factor) { step_.stiffness_factor = factor; }

    /// Finds and relaxes the contacts at candidate positions. Depends on these alone, not on what was evaluated before.
    void evaluate(std::span<const Vec3> x, std::span<const RigidCandidate> rigid);

    /// The contacts of a part, all other bodies and all nodes being where they were evaluated last: what
    /// for_each_contact visits then are theirs alone.
    void evaluate(ContactPart& part, std::span<const RigidCandidate> rigid);

    /// Adds features of polyhedra that have crossed at the last evaluation although they were not expected to meet,
    /// tubes that have come to lie across a round side, points that have gone through triangles that keep their
    /// shape, and edges that have crossed; whether there were any. Evaluations to come count them.
    bool grow();

    /// With grown solids.
    const ContactBodies& bodies() const { return step_.bodies; }

    /// Those at the last evaluation, or on the way there.
    std::vector<UnfeltOverlap> unfelt_overlaps() const { return polyhedra_.unfelt(step_, contacts_.contacts()); }

    /// Those of the last evaluation, with their sums over blocks of unknowns; in an order that does not depend on
    /// threads.
    const ContactBlocks& blocks() const { return contacts_; }
    std::size_t count() const { return contacts_.contacts().size(); }
    template <typename Visit>
    void for_each_contact(const Visit& visit) const
    {
        for (const Contact& c : contacts_.contacts())
            visit(c);
    }
    void add_force(std::span<Vec3> f) const { contacts_.add_force(f); }
    void add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const
    {
        contacts_.add_force_differential(du, df, transposed);
    }

    /// The attachments that the contacts of the last evaluation leave for the next step, sorted.
    /// Paper: Alg 5 UPDATE_DI, Alg 6 UPDATE_RD, Alg 8 UPDATE_RR, Alg 9 UPDATE_DD
    std::vector<Attachment> update_attachments() const;

    /// [m] World axes: how scripts and conveyors move the surface past the point of a contact in this step; -j does
    /// work along it.
    Vec3 scripted_way(const Contact& c) const;

    /// Stored energy of the contact springs [J] of the last evaluation, and what update_attachments adds to it by
    /// letting them grow stiffer.
    double energy() const;
    double stiffening_work() const;

private:
    void update_tasks(std::span<const int> moved);
    void list_tasks();
    bool is_needed(const ContactTask& task) const;
    void run_tasks(std::span<const int> tasks);
    void run(ContactTask& task) const;

    ContactStep step_;
    NearPairs near_; // at candidates
    MeshSurfaces surfaces_; // that are met by their patches
    CrossingsInStep crossings_;
    PolyhedraInStep polyhedra_;
    PatchesInStep patches_;
    EdgesInStep edges_;
    SoftBallsInStep soft_balls_;

    ContactTasks tasks_; // of all that may touch in this step
    int listing_ = 0; // how often they were listed
    bool is_listed_ = false;
    std::vector<int> all_bodies_, all_tasks_;
    std::vector<ContactTask*> needed_; // by the last evaluation
    ContactBlocks contacts_;
};

} // namespace stickslip
