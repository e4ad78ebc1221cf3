#pragma once

#include "support/contact_steps.h"

namespace stickslip {

/// Bodies that touch, and the start of a step. The unknowns q: places of nodes, then place and turn of each rigid body.
struct ContactScene {
    static constexpr double dt = 0.01; // [s]

    DeformableSet soft;
    std::vector<RigidBody> rigids;
    std::vector<Obstacle> obstacles;
    ContactLaw law;
    RelaxationKind relaxation;
    std::vector<Vec3> x_old, v_old; // of nodes; v_old empty: at rest
    std::vector<RigidState> old;

    explicit ContactScene(double mu = 0, double damping = 0, RelaxationKind kind = RelaxationKind::planar)
        : relaxation(kind)
    {
        law.friction = mu;
        law.damping = damping;
    }
    ContactBodies bodies() const { return {&soft, &rigids, &obstacles, &law, relaxation}; }
    int nodes() const { return static_cast<int>(x_old.size()); }
    std::vector<Vec3> at_rest() const
    {
        std::vector<Vec3> q = x_old;
        for (const RigidState& r : old)
            q.insert(q.end(), {r.x, Vec3::Zero()});
        return q;
    }
    void begin(ContactSet& contacts, const std::vector<Attachment>& kept = {}) const
    {
        const std::vector<Vec3> still(x_old.size(), Vec3::Zero());
        contacts.begin_step(0, dt, x_old, v_old.empty() ? still : v_old, old, kept);
    }
    void evaluate(ContactSet& contacts, const std::vector<Vec3>& q) const
    {
        evaluate_at(contacts, x_old.size(), old, q);
    }
    /// With what was attached at q in a step before.
    void begin_attached(ContactSet& contacts, const std::vector<Vec3>& q) const
    {
        begin(contacts);
        evaluate(contacts, q);
        begin(contacts, contacts.update_attachments());
    }
    std::vector<Vec3> forces(ContactSet& contacts, const std::vector<Vec3>& q) const
    {
        evaluate(contacts, q);
        return forces_of(contacts, q.size());
    }
};

/// A scene at random, with the candidate of a step.
struct ShakenScene : ContactScene {
    Random random;
    std::vector<Vec3> q;

    ShakenScene(unsigned seed, double mu, double damping, RelaxationKind kind = RelaxationKind::exact_cone)
        : ContactScene(mu, damping, kind)
        , random(seed)
    {
    }
    /// A step of which all attachments are kept; they are made up to `aside` [m] from q, so that some stick and some
    /// slide.
    void begin_kept(ContactSet& contacts, double aside) { begin_attached(contacts, beside(aside)); }
    /// The same with some attachments, so that some contacts are new.
    void begin_mixed(ContactSet& contacts, double aside)
    {
        begin(contacts);
        evaluate(contacts, beside(aside));
        begin(contacts, some_attachments(contacts, random));
    }

private:
    std::vector<Vec3> beside(double aside) { return moved(q, 1, random.vectors(q.size(), aside)); }
};

} // namespace stickslip
