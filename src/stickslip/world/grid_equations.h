#pragma once

#include "stickslip/mpm/grid_step.h"
#include "stickslip/solver/block_matrix.h"

#include <span>
#include <vector>

namespace stickslip {

/// The equations of the grid nodes that material points touch in one step, m dv - dt f = 0, in z = m^1/2 dv; one block
/// a node. What acts at particles acts on their nodes by the weights of these. Nodes of no mass, whose weights all
/// vanish, have the equation z = 0.
class GridEquations {
public:
    explicit GridEquations(const MpmSet& set)
        : set_(&set)
    {
    }

    /// Keeps a reference to `state`. sides: as GridStep takes them.
    void begin_step(const MpmState& state, double dt, const Vec3& gravity, std::vector<TouchingSide> sides);

    std::size_t size() const { return step_.nodes(); }
    bool is_same_grid() const { return step_.is_same_grid(); }
    const GridStep& step() const { return step_; }

    void set_candidate(std::span<const Vec3> z);
    const std::vector<Vec3>& velocities() const { return v_; } // [m/s] nodes
    const std::vector<Vec3>& places() const { return x_; } // [m] of particles, as contacts meet them
    Vec3 place_of_node(int node) const; // [m]
    std::vector<Vec3> outward() const { return size() > 0 ? step_.outward() : std::vector<Vec3>(); }

    /// `f`: forces [N] at particles.
    void residual(std::span<const Vec3> z, std::span<const Vec3> f, std::span<Vec3> g);

    void update_derivative() { step_.evaluate_derivative(); }
    void make_convex() { step_.make_convex(); }

    /// du of particles [m] from the unknowns of a differential, and what it adds up to with the df [N] of particles.
    void move_particles(std::span<const Vec3> dz, std::span<Vec3> of_particles) const;
    void differential(
        std::span<const Vec3> dz, std::span<const Vec3> of_particles, std::span<Vec3> out, bool transposed) const;

    /// Which nodes share a matrix with which: those of a cell, or as near. Nodes are counted from 0.
    BlockPattern pattern() const;

    /// To be called when the grid or the pattern has changed: where its blocks stand, in the rows from `first` on.
    void find_slots(const BlockPattern& pattern, int first);

    /// Adds the scaled blocks to the rows of `H` from `first` on, the identity on the diagonal included. on_particles:
    /// d force / d position [N/m] of what acts at particles. Pre: find_slots of this pattern.
    void add_blocks(std::span<const Mat3> on_particles, int first, BlockMatrix& H) const;

    double root_mass(std::size_t node) const { return root_[node]; } // [kg^1/2]
    double inverse_root(int node) const { return inverse_root_[node]; } // [kg^-1/2]; 0 of a node of no mass
    std::vector<Vec3> last_acceleration() const; // its unknowns
    double total_mass() const { return total_mass_; }

    /// The square of what round-off of places amounts to in g at a node, from its diagonal block of H.
    double round_off(int node, const Mat3& H_ii) const;

    static constexpr double longest_way = 1; // [spacings] of a particle in a step
    bool moved_too_far() const;
    MpmState end_of_step() const;

private:
    const MpmSet* set_;
    GridStep step_;
    double dt_ = 0, total_mass_ = 0;
    Vec3 gravity_ = Vec3::Zero();
    const MpmState* state_ = nullptr;
    std::vector<double> root_, inverse_root_; // [kg^1/2] nodes
    std::vector<Vec3> v_, x_;
    std::vector<int> slots_; // 125 a node: of the block with the node so many spacings away, x fastest; -1: none
};

} // namespace stickslip
