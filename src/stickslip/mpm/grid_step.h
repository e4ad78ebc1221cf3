#pragma once

#include "stickslip/math/parallel.h"
#include "stickslip/mpm/cell_matrix.h"
#include "stickslip/mpm/mpm_set.h"
#include "stickslip/mpm/sparse_grid.h"

#include <array>
#include <span>
#include <vector>

namespace stickslip {

/// One step of the material points on their grid. Velocities of the nodes at the end of the step give every particle
/// its place x + dt sum w_i v_i and its trial deformation (I + dt sum v_i grad w_i^T) F_old; weights and gradients are
/// those at the start. Node numbers are those of grid(), particle numbers those of the state. Sums run over the
/// particles of a cell, then over the cells of a node, both in order: the same bits for any number of threads.
///
/// Transfers are those of APIC: mass, linear and angular momentum (of the nodes at their old places) are kept to
/// round-off in both directions. What comes to the nodes, but of liquids, is made up for the motion that a way to the
/// particles and back takes from it (docs/derivations.md#material-points). Sources: Jiang, Schroeder, Teran, An angular
/// momentum conserving affine-particle-in-cell method (2017); Hammerquist, Nairn, A new method for material point
/// method particle updates that reduces noise and enhances stability (2017)
class GridStep {
public:
    /// Keeps references to set and state. dt [s]. sides: by particle, at most three of each.
    void begin(const MpmSet& set, const MpmState& state, double dt, std::vector<TouchingSide> sides = {});

    const SparseGrid& grid() const { return grid_; }
    std::size_t nodes() const { return grid_.nodes.size(); }
    bool is_same_grid() const { return is_same_grid_; } // nodes and cells of the step before
    const std::vector<double>& mass() const { return mass_; } // [kg] nodes; 0 where all weights are
    const std::vector<Vec3>& velocity() const { return v_; } // [m/s] nodes, at the start
    const std::vector<Vec3>& acceleration() const { return a_; } // [m/s^2] nodes, of the last step
    const std::vector<Vec3>& load() const { return load_; } // [m/s^2] nodes: the bodies' own accelerations

    /// Stress at node velocities v.
    void evaluate(std::span<const Vec3> v);
    void evaluate_derivative();

    /// Replaces each particle's derivative by the nearest symmetric positive semidefinite matrix.
    void make_convex();

    /// f += the stress's forces on the nodes [N].
    void add_force(std::span<Vec3> f) const;

    /// df += (d force / d position) du, or its transpose applied to du. Matrix-free.
    void add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const;

    /// Motion of the contact point of each particle: sum w_i u_i of node values u, and that of its sides. Its transpose
    /// adds to u the nodal forces of forces on these points.
    void move_touched(std::span<const Vec3> u, std::span<Vec3> of_particles) const;
    void add_spread(std::span<const Vec3> of_particles, std::span<Vec3> u) const;

    /// Calls visit(node, M) for the 27 nodes of a particle: M u of the node moves the place that contacts meet.
    template <typename Visit>
    void for_each_node(int particle, const Visit& visit) const
    {
        const int k = place_[particle];
        const SparseGrid::Cell& cell = grid_.cells[cell_of_place_[k]];
        for_each_weight(
            spline_[k], [&](int slot, double w, const Vec3& g) { visit(cell.nodes[slot], mover(k, w, g)); });
    }

    /// Calls add(nodes, blocks) with the 27 nodes of each cell and the 3x3 blocks [N/m] of d force / d position, summed
    /// over its particles, with `on_particles` = d force / d position of forces that act at the particles (empty:
    /// none), by particle. In parallel; no two calls at the same time have a node in common.
    template <typename Add>
    void for_each_cell_matrix(std::span<const Mat3> on_particles, const Add& add) const
    {
        for (const std::vector<SparseGrid::Tile>& tiles : grid_.colours)
            parallel_for(
                tiles.size(),
                [&](std::size_t i) {
                    CellMatrix blocks;
                    for (int c = tiles[i].begin; c < tiles[i].end; ++c) {
                        fill_cell_matrix(grid_.by_tile[c], on_particles, blocks);
                        add(grid_.cells[grid_.by_tile[c]].nodes, blocks);
                    }
                },
                1);
    }

    /// By particle, the unit direction out of the bodies at the start of the step: down the gradient of the nodes'
    /// mass. Zero deeper than about a spacing under their surface, where the mass hardly falls.
    std::vector<Vec3> outward() const;

    /// The longest way of a particle in the step, along any axis, at the velocities evaluated last [spacings].
    double longest_way(std::span<const Vec3> v) const;

    /// The particles at the end of the step, from node velocities v.
    MpmState end_of_step(std::span<const Vec3> v) const;

    /// [J] at the velocities evaluated last: work done in flow, >= 0, and what hardening stores more. At node
    /// velocities: energy of the nodes.
    double plastic_work() const;
    double hardening_work() const;
    double viscous_loss() const;
    double kinetic_energy(std::span<const Vec3> v) const;

private:
    void find_principal_stretches(int begin, int end);
    void add_stress(int place, CellProduct& product) const;
    void add_touch(int place, const Mat3& D, CellProduct& product) const;
    void fill_cell_matrix(int cell, std::span<const Mat3> on_particles, CellMatrix& blocks) const;
    template <typename Visit>
    void for_each_place(std::span<const Vec3> u, const Visit& visit) const;
    template <typename Fill, typename Add>
    void scatter(const Fill& fill, const Add& add) const;
    template <typename Act, typename Add>
    void scatter_from_places(const Act& act, const Add& add) const;
    void take_momentum();
    std::vector<Vec3> taken_by_transfers(std::span<const Vec3> v) const;
    double inverse_mass(std::size_t node) const { return mass_[node] > 0 ? 1 / mass_[node] : 0; }
    Spline offset_spline(int k) const
    {
        return spline_[k].with_offsets(state_->x[grid_.order[k]], grid_.cells[cell_of_place_[k]].index, grid_.h);
    }
    const MpmMaterial& material(int k) const { return set_->material(grid_.order[k]); }
    std::span<const TouchingSide> sides(int k) const
    {
        return std::span(sides_).subspan(sides_begin_[k], sides_begin_[k + 1] - sides_begin_[k]);
    }
    Mat3 mover(int k, double w, const Vec3& g) const
    {
        Mat3 M = w * Mat3::Identity();
        for (const TouchingSide& side : sides(k))
            M -= side.half_width * side.normal.dot(g) * side.dual * side.normal.transpose();
        return M;
    }
    void take_sides(std::vector<TouchingSide> sides);
    Vec3 thinning(int k, const Mat3& G) const;

    const MpmSet* set_ = nullptr;
    const MpmState* state_ = nullptr;
    double dt_ = 0;
    SparseGrid grid_;
    bool is_same_grid_ = false;
    std::vector<double> mass_;
    std::vector<Vec3> v_, a_, load_;
    // by place in grid_.order
    std::vector<int> cell_of_place_;
    std::vector<Spline> spline_;
    std::vector<MpmPoint> old_;
    std::vector<TrialGradient> trial_;
    std::vector<Mat3> nominal_; // [J] volume x P F_old^T
    std::vector<Mat9> derivative_; // [J] of nominal by the gradient of the displacement
    std::vector<TouchingSide> sides_;
    std::vector<int> sides_begin_; // places + 1
    std::vector<int> place_; // by particle
    mutable std::vector<std::array<double, 4>> scattered_; // 27 a cell
};

} // namespace stickslip
