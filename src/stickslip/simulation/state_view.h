#pragma once

#include "stickslip/math/types.h"
#include "stickslip/scene/scene.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace stickslip {

/// Rows of doubles in memory that a simulation owns, not copied: row i is the `columns` numbers from
/// data + i * stride on.
template <typename Row>
struct RowsView {
    static constexpr std::size_t columns = Row::SizeAtCompileTime;
    const double* data = nullptr;
    std::size_t count = 0;
    std::size_t stride = 0; // [doubles] from one row to the next

    std::size_t size() const { return count; }
    Eigen::Map<const Row> operator[](std::size_t i) const { return Eigen::Map<const Row>(data + i * stride); }
};
using VectorsView = RowsView<Vec3>;
using QuaternionsView = RowsView<Eigen::Vector4d>; // x, y, z, w; unit
using NumberRow = Eigen::Matrix<double, 1, 1>;
using NumbersView = RowsView<NumberRow>;
using MatricesView = RowsView<Eigen::Matrix<double, 9, 1>>; // 3x3, column by column

/// Nodes of all deformable bodies. World axes, as all that follows.
struct NodesView {
    VectorsView positions, velocities; // [m], [m/s]
};

/// Rigid bodies; of an explicit simulation also its clumps, behind them.
struct RigidsView {
    VectorsView positions, velocities, angular_velocities; // of the centre of mass [m], [m/s], [rad/s]
    QuaternionsView rotations; // body axes to world
};

/// Particles of all bodies of material points.
struct ParticlesView {
    VectorsView positions, velocities; // [m], [m/s]
    MatricesView deformation_gradients; // of what is elastic
    NumbersView plastic; // [-] sand: log of the volume gained; clay: strain; snow: log of the volume ratio
};

/// Spheres of an explicit simulation, by slot: slots change from step to step, ids do not.
struct SpheresView {
    VectorsView positions, velocities, angular_velocities; // [m], [m/s], [rad/s]
    QuaternionsView rotations;
    NumbersView radii; // [m]
    std::span<const int> ids, groups; // group: BodyInfo::first of its body
};

/// Views of the state of all bodies that move. Of an implicit simulation valid as long as it lives, and up to date but
/// for `time`; of an explicit one until it steps, is restored, steered or destroyed.
struct StateView {
    double time = 0; // [s]
    NodesView nodes;
    RigidsView rigids;
    ParticlesView particles;
    SpheresView spheres;
};

/// A body of the scene, and where it is in StateView.
struct BodyInfo {
    std::string name;
    BodyKind kind; // a rigid body with a motion is an obstacle
    int first = -1; // deformable: its first node; rigid: its row; spheres: their group; mpm: its first particle
    int count = 0; // of nodes or particles; 1 of a rigid body
    double mass = infinity; // [kg]; infinite of an obstacle, nan of spheres, which may come and leave
};

/// All contacts, an entry each: of the step that led to the state.
struct Contacts {
    std::vector<int> first, second; // whose contact it is: indices into Simulation::bodies()
    std::vector<int> first_point, second_point; // node, surface point or sphere id of either; -1: its surface
    std::vector<Vec3> point; // [m]
    std::vector<Vec3> normal; // unit, out of the second body
    std::vector<Vec3> force; // [N] on the first body; the second takes its opposite
    std::vector<Vec3> slip; // [m] of this step, along the surface, implicit simulations; else empty
    std::vector<double> depth; // [m]
    std::vector<unsigned char> sticks; // 1: within the friction cone; 0: at its limit

    std::size_t size() const { return first.size(); }
};

} // namespace stickslip
