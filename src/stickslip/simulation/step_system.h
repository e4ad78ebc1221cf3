#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace stickslip {

class Simulation;

/// A sparse square matrix of 3x3 blocks, by compressed rows, in memory that a StepSystem owns.
struct MatrixView {
    std::span<const int> row_begin; // rows + 1: the blocks of row i are [row_begin[i], row_begin[i + 1])
    std::span<const int> column; // of each block
    std::span<const double> values; // 9 a block, column by column
};

/// The equations g(z) = 0 of the next step of an implicit simulation, as its solver sees them. Unknowns: three for each
/// node, then six for each rigid body (velocity of its centre of mass, angular velocity times its radius of gyration):
/// changes of velocity in the step times the square root of the mass, so that the Euclidean norm is that of the mass.
/// g [kg^1/2 m/s] likewise; H = dg/dz [-]. Rows of fixed nodes say z = 0.
class StepSystem {
public:
    /// Of a step of dt [s] from the present state, which is copied; 0: the nominal step. The simulation must outlive it
    /// and not be steered meanwhile. InputError: an explicit simulation.
    explicit StepSystem(const Simulation& simulation, double dt = 0);
    StepSystem(StepSystem&&) noexcept;
    StepSystem& operator=(StepSystem&&) noexcept;
    ~StepSystem();

    std::size_t size() const; // of z and g

    /// g at z. All that follows is at the z given last; first of all it must be called once. InputError for arrays of
    /// another size.
    void residual(std::span<const double> z, std::span<double> g);
    void apply(std::span<const double> dz, std::span<double> Hdz); // H dz, without the matrix
    void apply_transpose(std::span<const double> w, std::span<double> Htw); // H^T w
    MatrixView matrix(); // H; valid until the next call of residual() or matrix()

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace stickslip
