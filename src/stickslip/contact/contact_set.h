#pragma once

#include "stickslip/bodies/deformable.h"
#include "stickslip/bodies/obstacle.h"
#include "stickslip/contact/attachment.h"
#include "stickslip/contact/contact_batch.h"
#include "stickslip/contact/point_side.h"
#include "stickslip/contact/surface_side.h"

#include <memory>
#include <span>
#include <vector>

namespace stickslip {

/// A deformable body that may touch an obstacle, and how.
struct ContactPair {
    int body;
    int obstacle;
    double friction; // [-] >= 0 or infinite
    double stiffness; // [N/m] per contact point when `per_area` is false, else [N/m^3], times the node's surface area
    bool per_area;
};

/// All contacts of a step: which ones there are at a candidate, their forces and derivatives, and what they leave
/// behind. Cells: node of a deformable body x fixed or scripted level set (DI).
class ContactSet {
public:
    using DeformableObstacle = ContactBatch<NodePoint, ObstacleSurface>;

    ContactSet(const DeformableSet& set, const std::vector<Obstacle>& obstacles, const std::vector<ContactPair>& pairs,
        RelaxationKind kind);

    /// Start of a step from time t [s] to t + dt with node positions x_old and the sorted attachments of the last one.
    void begin_step(double t, double dt, std::span<const Vec3> x_old, const std::vector<Attachment>& kept);

    /// Finds and relaxes the contacts at candidate positions x. Depends on x alone, not on what was evaluated before.
    void evaluate(std::span<const Vec3> x);

    const DeformableObstacle& deformable_obstacle() const { return deformable_obstacle_; }

    /// Which pair each contact of deformable_obstacle() belongs to.
    const std::vector<int>& pair_of_contact() const { return pair_of_contact_; }

    /// The attachments that the contacts of the last evaluation leave for the next step, sorted.
    /// Paper: Alg 5 UPDATE_DI
    std::vector<Attachment> update_attachments() const;

    /// Stored energy of the contact springs [J] of the last evaluation.
    double energy() const;

private:
    void evaluate_pair(int pair, std::span<const Vec3> x);

    const DeformableSet* set_;
    const std::vector<Obstacle>* obstacles_;
    const std::vector<ContactPair>* pairs_;
    RelaxationKind kind_;
    std::vector<ObstacleSurface> surfaces_; // by obstacle, for this step
    std::vector<Vec3> x_old_;
    std::vector<Attachment> kept_;
    std::vector<std::vector<int>>
        kept_of_surface_node_; // by pair, then surface node of the body: index into kept_ or -1
    DeformableObstacle deformable_obstacle_;
    std::vector<int> pair_of_contact_;
};

/// Stiffness of a pair at a node [N/m].
double contact_stiffness(const ContactPair& pair, const DeformableSet& set, int node);

/// Energy [J] of the springs that `attachments` hold at node positions x, with the obstacles where they are at time t.
double contact_energy(const DeformableSet& set, const std::vector<Obstacle>& obstacles,
    const std::vector<ContactPair>& pairs, double t, std::span<const Vec3> x,
    const std::vector<Attachment>& attachments);

} // namespace stickslip
