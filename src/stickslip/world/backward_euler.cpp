#include "stickslip/world/backward_euler.h"

#include "stickslip/bodies/loads.h"
#include "stickslip/math/check.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

BlockPattern elastic_pattern(const DeformableSet& set)
{
    std::vector<std::vector<int>> groups;
    groups.reserve(set.tets.size());
    for (const Tetrahedron& t : set.tets)
        groups.emplace_back(t.begin(), t.end());
    return make_pattern(set.rest.size(), groups);
}

// Not a number where any of them is not.
double largest(const std::vector<double>& values)
{
    double result = 0;
    for (const double value : values)
        if (!(value <= result))
            result = std::isnan(result) ? result : value;
    return result;
}

} // namespace

BackwardEuler::BackwardEuler(const World& world)
    : world_(&world)
    , has_pressure_(has_pressure(world.deformables))
    , contacts_(world.deformables, world.obstacles, world.pairs, world.relaxation)
{
    const DeformableSet& set = world.deformables;
    for (const double m : set.mass)
        root_mass_.push_back(std::sqrt(m));
    pin_of_node_.assign(set.rest.size(), -1);
    for (std::size_t p = 0; p < set.pins.size(); ++p)
        pin_of_node_[set.pins[p].node] = static_cast<int>(p);
    H_.pattern = elastic_pattern(set);
    H_.value.resize(H_.pattern.blocks());
    tet_blocks_.resize(set.tet_corners.size());
    for (std::size_t k = 0; k < tet_blocks_.size(); ++k) {
        const Tetrahedron& t = set.tets[set.tet_corners[k] / 4];
        for (int b = 0; b < 4; ++b)
            tet_blocks_[k][b] = H_.pattern.find(t[set.tet_corners[k] % 4], t[b]);
    }
}

void BackwardEuler::begin_step(const State& state, double dt)
{
    state_ = &state;
    dt_ = dt;
    const DeformableSet& set = world_->deformables;
    std::vector<Frame> frames;
    for (const PinFrame& p : set.pin_frames)
        frames.push_back(frame_at(p.motion, p.start, state.time + dt));
    pin_target_.clear();
    for (const Pin& pin : set.pins)
        pin_target_.push_back(frames[pin.frame].to_world(pin.local));
    contacts_.begin_step(state.time, dt, state.x, state.attachments);
}

// Paper: Alg 1 line 3, the candidate configuration
void BackwardEuler::set_candidate(const BlockVector& z)
{
    x_.resize(z.size());
    v_.resize(z.size());
    parallel_for(z.size(), [&](std::size_t i) {
        if (const int pin = pin_of_node_[i]; pin >= 0) {
            x_[i] = pin_target_[pin];
            v_[i] = (x_[i] - state_->x[i]) / dt_;
        } else {
            v_[i] = state_->v[i] + z[i] / root_mass_[i];
            x_[i] = state_->x[i] + dt_ * v_[i];
        }
    });
}

void BackwardEuler::residual(const BlockVector& z, BlockVector& g)
{
    const DeformableSet& set = world_->deformables;
    set_candidate(z);
    evaluate_stress(set, x_, state_->x, dt_, elastic_);
    derivative_is_current_ = false;
    contacts_.evaluate(x_);

    std::vector<Vec3> f(z.size(), Vec3::Zero());
    add_weight(set, world_->gravity, f);
    add_elastic_force(set, elastic_, f);
    if (has_pressure_)
        add_pressure_force(set, x_, f);
    contacts_.deformable_obstacle().add_force(f);
    g.resize(z.size());
    parallel_for(z.size(), [&](std::size_t i) {
        if (pin_of_node_[i] >= 0)
            g[i] = z[i];
        else
            g[i] = z[i] - dt_ / root_mass_[i] * f[i];
    });
}

BlockVector BackwardEuler::scaled(const std::vector<Vec3>& a, double dt) const
{
    BlockVector z(a.size());
    parallel_for(
        z.size(), [&](std::size_t i) { z[i] = is_pinned(i) ? Vec3::Zero() : Vec3(root_mass_[i] * dt * a[i]); });
    return z;
}

void BackwardEuler::update_derivative()
{
    if (derivative_is_current_)
        return;
    evaluate_stress_derivative(world_->deformables, state_->x, dt_, elastic_);
    derivative_is_current_ = true;
}

void BackwardEuler::differential(const BlockVector& dz, BlockVector& out, bool transposed)
{
    update_derivative();
    const DeformableSet& set = world_->deformables;
    BlockVector du(dz.size());
    parallel_for(dz.size(), [&](std::size_t i) { du[i] = is_pinned(i) ? Vec3::Zero() : Vec3(dz[i] / root_mass_[i]); });
    BlockVector df(dz.size(), Vec3::Zero());
    add_elastic_force_differential(set, elastic_, du, df, transposed);
    if (has_pressure_)
        add_pressure_force_differential(set, x_, du, df, transposed);
    contacts_.deformable_obstacle().add_force_differential(du, df, transposed);
    out.resize(dz.size());
    parallel_for(dz.size(),
        [&](std::size_t i) { out[i] = is_pinned(i) ? dz[i] : Vec3(dz[i] - dt_ * dt_ / root_mass_[i] * df[i]); });
}

const BlockMatrix& BackwardEuler::assemble()
{
    update_derivative();
    parallel_for(
        size(), [&](std::size_t node) { assemble_row(node); }, 64);
    add_contact_blocks();
    return H_;
}

void BackwardEuler::assemble_row(std::size_t i)
{
    const DeformableSet& set = world_->deformables;
    const BlockPattern& p = H_.pattern;
    for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k)
        H_.value[k].setZero();
    if (is_pinned(i)) {
        H_.value[p.diagonal[i]].setIdentity();
        return;
    }
    for (int k = set.tet_corners_begin[i]; k < set.tet_corners_begin[i + 1]; ++k) {
        std::array<Mat3, 4> row;
        elastic_force_blocks(set, elastic_, set.tet_corners[k] / 4, set.tet_corners[k] % 4, row);
        for (int b = 0; b < 4; ++b)
            H_.value[tet_blocks_[k][b]] += row[b];
    }
    if (has_pressure_) {
        for (int k = set.triangle_corners_begin[i]; k < set.triangle_corners_begin[i + 1]; ++k) {
            const int triangle = set.triangle_corners[k] / 3;
            std::array<Mat3, 3> row;
            pressure_force_blocks(set, x_, triangle, set.triangle_corners[k] % 3, row);
            for (int b = 0; b < 3; ++b)
                H_.value[p.find(static_cast<int>(i), set.triangles[triangle][b])] += row[b];
        }
    }
    for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k) {
        const int j = p.column[k];
        if (is_pinned(j))
            H_.value[k].setZero();
        else
            H_.value[k] *= -dt_ * dt_ / (root_mass_[i] * root_mass_[j]);
    }
    H_.value[p.diagonal[i]] += Mat3::Identity();
}

void BackwardEuler::add_contact_blocks()
{
    contacts_.deformable_obstacle().for_each_block([&](int row, int column, const Mat3& D) {
        if (is_pinned(row) || is_pinned(column))
            return;
        const int block = H_.pattern.find(row, column);
        STICKSLIP_ASSERT(block >= 0);
        H_.value[block] -= dt_ * dt_ / (root_mass_[row] * root_mass_[column]) * D;
    });
}

std::vector<double> BackwardEuler::measures_of(const std::vector<double>& squares) const
{
    std::vector<double> measures;
    for (const DeformableBody& body : world_->deformables.bodies) {
        const double sum = ordered_sum(
            body.nodes.size(), 0.0, [&](std::size_t i) { return squares[body.nodes.begin + static_cast<int>(i)]; });
        measures.push_back(std::sqrt(sum / body.mass));
    }
    return measures;
}

std::vector<double> BackwardEuler::body_measures(const BlockVector& g) const
{
    std::vector<double> squares(g.size());
    parallel_for(g.size(), [&](std::size_t i) { squares[i] = g[i].squaredNorm(); });
    return measures_of(squares);
}

double BackwardEuler::measure(const BlockVector& g) const
{
    return largest(body_measures(g));
}

double BackwardEuler::round_off() const
{
    constexpr double eps = std::numeric_limits<double>::epsilon();
    std::vector<double> squares(size());
    parallel_for(size(), [&](std::size_t i) {
        // H_ii = 1 + dt^2 K_ii/m_i, and an error eps |x| of a position makes one of dt K_ii eps |x| / m_i^1/2 in g_i
        const double stiffness = H_.value[H_.pattern.diagonal[i]].norm() * root_mass_[i] / dt_;
        const double error = 4 * eps * x_[i].norm() * stiffness;
        squares[i] = error * error;
    });
    return largest(measures_of(squares));
}

} // namespace stickslip
