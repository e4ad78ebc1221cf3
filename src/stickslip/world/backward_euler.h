#pragma once

#include "stickslip/bodies/elastic.h"
#include "stickslip/contact/contact_set.h"
#include "stickslip/solver/preconditioner.h"
#include "stickslip/world/grid_equations.h"
#include "stickslip/world/rigid_equations.h"
#include "stickslip/world/rigid_part.h"
#include "stickslip/world/world.h"

namespace stickslip {

/// The equations of one step, g(dv) = M dv - dt a(x^n + dt (v^n + dv)), in mass-scaled unknowns: z = M^1/2 dv and
/// M^-1/2 g, so that the solver's Euclidean norm is the mass-weighted one. H = M - dt^2 da/dx scaled likewise; forces
/// are differentiated by position, the factors of dt stand here. Blocks: one a node, then two a rigid body (see
/// RigidEquations), then one a grid node that material points touch in this step (GridEquations). Pinned nodes follow
/// their script whatever z says; their rows are z = 0. Paper: Alg 1 BACKWARD_EULER_EQUATIONS
class BackwardEuler : public StepEquations {
public:
    /// Keeps a reference to `world`.
    explicit BackwardEuler(const World& world);

    /// Start of a step of length dt [s] from `state`, which must stay alive until the next call.
    void begin_step(const State& state, double dt);

    void scale_contact_stiffness(double factor) override
    {
        evaluated_z_.clear();
        contacts_.scale_stiffness(factor);
    }

    std::size_t size() const override { return first_grid_block() + grid_.size(); }
    /// About as many, known before the first step.
    std::size_t expected_size() const { return first_grid_block() + world_->mpm.particles(); }
    void residual(const BlockVector& z, BlockVector& g) override;

    /// Paper: Alg 1 BACKWARD_EULER_EQUATIONS_DIFF
    void apply(const BlockVector& dz, BlockVector& Hdz) override { differential(dz, Hdz, false); }

    /// Paper: Alg 1 BACKWARD_EULER_EQUATIONS_DIFF_TRANSPOSE
    void apply_transpose(const BlockVector& w, BlockVector& Htw) override { differential(w, Htw, true); }

    const BlockMatrix& assemble() override;
    const BlockMatrix* assemble_convex() override;

    std::vector<double> body_measures(const BlockVector& g) const override; // as body_count

    /// The same measure of g's rounding error, taken as eps |x| times the stiffness that multiplies positions at each
    /// block.
    double round_off() const override;

    double longest_step(const BlockVector& z, const BlockVector& dz) const override;
    bool turned_too_far() const override;
    bool has_material_points() const { return !world_->mpm.bodies.empty(); }
    bool moved_too_far() const override { return grid_.moved_too_far(); }
    /// The unknowns of the accelerations of the last step; zero for pinned nodes.
    BlockVector last_acceleration() const;

    /// The unknowns of rigid motions of all bodies together: three shifts, and turns about the mean of the nodes at the
    /// start of the step. Zero where nodes are pinned and for what is fixed.
    NearKernel rigid_motions() const;

    /// Deformables first, then rigid bodies, then all material points as one.
    std::size_t body_count() const override
    {
        return first_rigid() + rigid_count() + (world_->mpm.bodies.empty() ? 0 : 1);
    }
    /// Which of these a body of a contact is; -1: an obstacle.
    int body_of(int contact_body) const;
    std::size_t first_rigid() const { return world_->deformables.bodies.size(); }
    int first_mpm() const // of the bodies of contacts
    {
        return static_cast<int>(first_rigid() + rigid_count() + world_->obstacles.size());
    }
    Range blocks_of_body(std::size_t body) const override;

    /// The equations of some rigid bodies (of world.rigids, ascending) with all else held at the candidate evaluated
    /// last. To be used up before the next residual() of the whole.
    RigidPart part(std::vector<int> rigids)
    {
        evaluated_z_.clear();
        return {*world_, dt_, rigid_, contacts_, std::move(rigids)};
    }

    std::size_t rigid_count() const { return world_->rigids.size(); }

    /// At the last evaluated candidate.
    const std::vector<Vec3>& positions() const { return x_; }
    const std::vector<Vec3>& velocities() const { return v_; }
    const RigidEquations& rigid() const { return rigid_; }
    const GridEquations& grid() const { return grid_; }
    const ContactSet& contacts() const { return contacts_; }
    bool grow_contacts() // ContactSet::grow
    {
        evaluated_z_.clear();
        return contacts_.grow();
    }
    const ElasticEvaluation& elastic() const { return elastic_; }
    double dt() const { return dt_; }
    bool is_pinned(std::size_t node) const { return pin_of_node_[node] >= 0; }

private:
    std::size_t nodes() const { return world_->deformables.rest.size(); }
    std::size_t first_grid_block() const { return nodes() + 2 * world_->rigids.size(); }
    // Blocks as contact counts them (ContactBodies): material points stand in the place of grid nodes.
    std::size_t contact_blocks() const { return first_grid_block() + world_->mpm.particles(); }
    bool is_particle(int contact_block) const { return contact_block >= static_cast<int>(first_grid_block()); }
    int particle(int contact_block) const { return contact_block - static_cast<int>(first_grid_block()); }
    // Calls visit(block of unknowns, M) for those that move a block of contact: by M times their own displacement.
    template <typename Visit>
    void for_each_mover(int contact_block, const Visit& visit) const;
    std::span<const Vec3> points() const { return grid_.size() > 0 ? points_ : x_; }
    void set_candidate(const BlockVector& z);
    void update_grid_derivative();
    void update_pattern();
    void find_tet_blocks();
    void differential(const BlockVector& dz, BlockVector& out, bool transposed);
    void assemble_blocks(bool convex);
    void assemble_row(std::size_t node, bool convex);
    void take_grid_pattern();
    void take_pattern(BlockPattern pattern);
    void assemble_grid(bool convex);
    void add_contact_blocks(bool convex);
    bool is_held(int block) const { return block < static_cast<int>(nodes()) && is_pinned(block); }
    Mat3 scaled_block(int row, int column, const Mat3& D) const; // M^-1/2 D M^-1/2
    std::vector<double> measures_of(const std::vector<double>& squares) const;

    const World* world_;
    std::vector<double> root_mass_; // [kg^1/2] nodes
    std::vector<int> pin_of_node_; // index into the set's pins or -1
    std::vector<std::array<int, 4>> tet_blocks_; // by entry of tet_corners: where the row's four blocks stand
    BlockPattern mesh_pattern_; // of nodes and rigid bodies, without contacts between bodies
    BlockPattern own_pattern_; // with the grid
    std::vector<std::pair<int, int>> couplings_; // blocks that contacts add to it
    std::vector<int> places_; // of contacts, of which couplings_ are made (ContactBlocks::list_places)
    BlockMatrix H_;
    bool has_pressure_;

    BlockVector evaluated_z_, evaluated_g_; // the last candidate; none where contact is another than it was there

    const State* state_ = nullptr;
    double dt_ = 0;
    std::vector<Vec3> pin_target_; // [m] by pin, at the end of the step
    std::vector<Vec3> x_, v_; // [m], [m/s] nodes at the candidate
    std::vector<Vec3> points_; // [m] nodes and material points, where there are any of these
    RigidEquations rigid_;
    GridEquations grid_;
    std::vector<Mat3> on_particles_; // [N/m] d contact force / d position
    ElasticEvaluation elastic_;
    bool grid_derivative_is_current_ = false;
    ContactSet contacts_;
};

} // namespace stickslip
