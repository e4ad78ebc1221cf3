#pragma once

#include "stickslip/contact/contact_set.h"
#include "stickslip/world/rigid_equations.h"
#include "stickslip/world/step_equations.h"
#include "stickslip/world/world.h"

#include <span>
#include <utility>
#include <vector>

namespace stickslip {

/// The equations of some rigid bodies of a step, while everything else stays where a candidate of the whole has put it.
/// What lies far apart is solved much faster part by part: no kink of one heap then holds up the search of another.
class RigidPart : public StepEquations {
public:
    /// `bodies`: of world.rigids, ascending. `rigid` and `contacts`: those of the whole, evaluated last at a candidate;
    /// they are left at this part's last candidate, and nobody else evaluates them while it is in use. Keeps references
    /// to all but `bodies`.
    RigidPart(const World& world, double dt, RigidEquations& rigid, ContactSet& contacts, std::vector<int> bodies);

    std::size_t size() const override { return 2 * bodies_.size(); }
    void residual(const BlockVector& z, BlockVector& g) override;
    void apply(const BlockVector& dz, BlockVector& Hdz) override { differential(dz, Hdz, false); }
    void apply_transpose(const BlockVector& w, BlockVector& Htw) override { differential(w, Htw, true); }
    const BlockMatrix& assemble() override;
    const BlockMatrix* assemble_convex() override;
    double round_off() const override;
    double longest_step(const BlockVector& z, const BlockVector& dz) const override;

    void scale_contact_stiffness(double factor) override
    {
        contacts_->scale_stiffness(factor);
        evaluated_z_.clear();
    }
    bool turned_too_far() const override;
    std::size_t body_count() const override { return bodies_.size(); }
    Range blocks_of_body(std::size_t body) const override
    {
        const int first = static_cast<int>(2 * body);
        return {first, first + 2};
    }
    std::vector<double> body_measures(const BlockVector& g) const override;

private:
    int nodes() const { return static_cast<int>(world_->deformables.rest.size()); }
    int global(int block) const { return 2 * bodies_[block / 2] + block % 2; } // among the rigid bodies' blocks
    int local(int block) const // of a block of the whole; -1: not of this part. Behind rigid bodies: of a grid
    {
        const int rigid = (block - nodes()) / 2;
        const bool is_rigid = block >= nodes() && rigid < static_cast<int>(place_.size());
        const int own = is_rigid ? place_[rigid] : -1;
        return own < 0 ? -1 : 2 * own + (block - nodes()) % 2;
    }
    void differential(const BlockVector& dz, BlockVector& out, bool transposed) const;
    void assemble_blocks(bool convex);
    void update_pattern();

    const World* world_;
    double dt_;
    RigidEquations* rigid_;
    ContactSet* contacts_;
    std::vector<int> bodies_; // of world.rigids
    std::vector<int> place_; // by rigid body: its number in bodies_ or -1
    ContactPart part_;
    BlockVector evaluated_z_, evaluated_g_; // the last candidate; none where contact is another than it was there
    BlockPattern own_pattern_; // of the bodies without contacts
    std::vector<std::pair<int, int>> touching_; // of bodies_, a < b; the pattern of H_ is theirs
    std::vector<int> places_; // of contacts, of which touching_ is made (ContactBlocks::list_places)
    BlockMatrix H_;
};

} // namespace stickslip
