#include "stickslip/mpm/grid_step.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stickslip {

namespace {

constexpr std::size_t cells_at_once = 8;

bool has_same_cells(const SparseGrid& a, const SparseGrid& b)
{
    return a.h == b.h && a.cells.size() == b.cells.size()
        && std::equal(a.cells.begin(), a.cells.end(), b.cells.begin(),
            [](const SparseGrid::Cell& c, const SparseGrid::Cell& d) { return c.index == d.index; });
}

Vec3 place_of_node(const GridIndex& node, double h)
{
    return {h * node[0], h * node[1], h * node[2]};
}

// D by F, as the derivative of P F_old^T by the gradient G of the displacement, dF = G F_old.
Mat9 by_displacement(const Mat9& D, const Mat3& F_old)
{
    Mat9 half, whole;
    for (int l = 0; l < 3; ++l)
        half.middleCols<3>(3 * l) =
            F_old(l, 0) * D.middleCols<3>(0) + F_old(l, 1) * D.middleCols<3>(3) + F_old(l, 2) * D.middleCols<3>(6);
    for (int k = 0; k < 3; ++k)
        whole.middleRows<3>(3 * k) = F_old(k, 0) * half.middleRows<3>(0) + F_old(k, 1) * half.middleRows<3>(3)
            + F_old(k, 2) * half.middleRows<3>(6);
    return whole;
}

} // namespace

// fill(cell, sums): adds to the cell's own 27 values.
template <typename Fill>
void GridStep::scatter(const Fill& fill, std::span<Vec3> to) const
{
    scattered_.resize(stencil_size * grid_.cells.size());
    parallel_for(
        grid_.cells.size(),
        [&](std::size_t c) {
            const std::span<Vec3> sums = std::span(scattered_).subspan(stencil_size * c, stencil_size);
            std::fill(sums.begin(), sums.end(), Vec3::Zero());
            fill(grid_.cells[c], sums);
        },
        cells_at_once);
    parallel_for(nodes(), [&](std::size_t i) {
        Vec3 sum = Vec3::Zero();
        for (int k = grid_.incidences_begin[i]; k < grid_.incidences_begin[i + 1]; ++k)
            sum += scattered_[grid_.incidences[k]];
        to[i] += sum;
    });
}

void GridStep::begin(const MpmSet& set, const MpmState& state, double dt, std::vector<TouchingSide> sides)
{
    set_ = &set;
    state_ = &state;
    dt_ = dt;
    SparseGrid grid = make_sparse_grid(state.x, set.grid);
    is_same_grid_ = has_same_cells(grid, grid_);
    grid_ = std::move(grid);
    const double h = grid_.h;
    const std::size_t count = grid_.order.size();
    place_.resize(count);
    cell_of_place_.resize(count);
    old_.resize(count);
    spline_.clear();
    spline_.reserve(count);
    for (std::size_t c = 0; c < grid_.cells.size(); ++c)
        for (int k = grid_.cells[c].begin; k < grid_.cells[c].end; ++k) {
            const int p = grid_.order[k];
            place_[p] = k;
            cell_of_place_[k] = static_cast<int>(c);
            spline_.emplace_back(state.x[p], grid_.cells[c].index, h);
            old_[k] = state.point[p];
        }
    take_sides(std::move(sides));
    std::vector<Vec3> momentum(nodes(), Vec3::Zero()), mass(nodes(), Vec3::Zero());
    a_.assign(nodes(), Vec3::Zero());
    load_.assign(nodes(), Vec3::Zero());
    const auto spread = [&](const auto& value, std::vector<Vec3>& to) {
        scatter(
            [&](const SparseGrid::Cell& cell, std::span<Vec3> sums) {
                for (int k = cell.begin; k < cell.end; ++k) {
                    const int p = grid_.order[k];
                    for_each_weight(spline_[k], [&](int slot, double w, const Vec3&) {
                        sums[slot] += set.mass[p] * w * value(p, cell.nodes[slot]);
                    });
                }
            },
            to);
    };
    spread([](int, int) { return Vec3(Vec3::UnitX()); }, mass);
    spread([&](int p,
               int node) { return Vec3(state.v[p] + state.C[p] * (place_of_node(grid_.nodes[node], h) - state.x[p])); },
        momentum);
    spread([&](int p, int) { return state.a[p]; }, a_);
    spread([&](int p, int) { return set.bodies[set.body_of_particle[p]].acceleration; }, load_);
    mass_.resize(nodes());
    v_.resize(nodes());
    for (std::size_t i = 0; i < nodes(); ++i) {
        mass_[i] = mass[i].x();
        const double inverse = mass_[i] > 0 ? 1 / mass_[i] : 0;
        v_[i] = inverse * momentum[i];
        a_[i] *= inverse;
        load_[i] *= inverse;
    }
}

void GridStep::take_sides(std::vector<TouchingSide> sides)
{
    sides_ = std::move(sides);
    std::stable_sort(sides_.begin(), sides_.end(),
        [&](const TouchingSide& a, const TouchingSide& b) { return place_[a.particle] < place_[b.particle]; });
    sides_begin_.assign(place_.size() + 1, 0);
    for (const TouchingSide& side : sides_)
        ++sides_begin_[place_[side.particle] + 1];
    std::partial_sum(sides_begin_.begin(), sides_begin_.end(), sides_begin_.begin());
}

// G: gradient of the displacement.
Vec3 GridStep::thinning(int k, const Mat3& G) const
{
    Vec3 sum = Vec3::Zero();
    for (const TouchingSide& side : sides(k))
        sum -= side.half_width * side.normal.dot(G * side.normal) * side.dual;
    return sum;
}

Mat3 GridStep::gradient(const SparseGrid::Cell& cell, int k, std::span<const Vec3> u) const
{
    Mat3 G = Mat3::Zero();
    for_each_weight(spline_[k], [&](int slot, double, const Vec3& g) { G += u[cell.nodes[slot]] * g.transpose(); });
    return G;
}

void GridStep::evaluate(std::span<const Vec3> v)
{
    trial_.resize(old_.size());
    nominal_.resize(old_.size());
    parallel_for(
        grid_.cells.size(),
        [&](std::size_t c) {
            const SparseGrid::Cell& cell = grid_.cells[c];
            for (int k = cell.begin; k < cell.end; ++k) {
                trial_[k] = old_[k].F + dt_ * gradient(cell, k, v) * old_[k].F;
                nominal_[k] = set_->volume[grid_.order[k]] * mpm_stress(material(k), trial_[k], old_[k], dt_).P
                    * old_[k].F.transpose();
            }
        },
        cells_at_once);
}

void GridStep::evaluate_derivative()
{
    derivative_.resize(old_.size());
    parallel_for(
        old_.size(),
        [&](std::size_t k) {
            const int place = static_cast<int>(k);
            derivative_[k] = set_->volume[grid_.order[k]]
                * by_displacement(mpm_stress_derivative(material(place), trial_[k], old_[k], dt_), old_[k].F);
        },
        64);
}

void GridStep::make_convex()
{
    parallel_for(derivative_.size(), [&](std::size_t k) {
        Mat9& D = derivative_[k];
        D = 0.5 * (D + D.transpose()).eval();
        if (Eigen::LLT<Mat9>(D).info() == Eigen::Success)
            return;
        const Eigen::SelfAdjointEigenSolver<Mat9> eigen(D);
        D = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
    });
}

void GridStep::add_force(std::span<Vec3> f) const
{
    scatter(
        [&](const SparseGrid::Cell& cell, std::span<Vec3> sums) {
            for (int k = cell.begin; k < cell.end; ++k)
                for_each_weight(spline_[k], [&](int slot, double, const Vec3& g) { sums[slot] -= nominal_[k] * g; });
        },
        f);
}

void GridStep::add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const
{
    scatter(
        [&](const SparseGrid::Cell& cell, std::span<Vec3> sums) {
            for (int k = cell.begin; k < cell.end; ++k) {
                const Vec9 G = vec(gradient(cell, k, du));
                const Mat3 dS = unvec(transposed ? Vec9(derivative_[k].transpose() * G) : Vec9(derivative_[k] * G));
                for_each_weight(spline_[k], [&](int slot, double, const Vec3& g) { sums[slot] -= dS * g; });
            }
        },
        df);
}

Vec3 GridStep::interpolate(const SparseGrid::Cell& cell, int k, std::span<const Vec3> u) const
{
    Vec3 sum = Vec3::Zero();
    for_each_weight(spline_[k], [&](int slot, double w, const Vec3&) { sum += w * u[cell.nodes[slot]]; });
    return sum;
}

void GridStep::move_touched(std::span<const Vec3> u, std::span<Vec3> of_particles) const
{
    parallel_for(
        grid_.cells.size(),
        [&](std::size_t c) {
            const SparseGrid::Cell& cell = grid_.cells[c];
            for (int k = cell.begin; k < cell.end; ++k) {
                Vec3 moved = interpolate(cell, k, u);
                if (!sides(k).empty())
                    moved += thinning(k, gradient(cell, k, u));
                of_particles[grid_.order[k]] = moved;
            }
        },
        cells_at_once);
}

void GridStep::add_spread(std::span<const Vec3> of_particles, std::span<Vec3> u) const
{
    scatter(
        [&](const SparseGrid::Cell& cell, std::span<Vec3> sums) {
            for (int k = cell.begin; k < cell.end; ++k) {
                const Vec3& value = of_particles[grid_.order[k]];
                if (value.isZero(0))
                    continue;
                Mat3 stress = Mat3::Zero(); // what the sides make of it
                for (const TouchingSide& side : sides(k))
                    stress += side.half_width * side.dual.dot(value) * side.normal * side.normal.transpose();
                for_each_weight(
                    spline_[k], [&](int slot, double w, const Vec3& g) { sums[slot] += w * value - stress * g; });
            }
        },
        u);
}

// With D the derivative of a particle's stress S by the gradient, block (a, b) is -sum over k, l of g_a[k] D(k, l)
// g_b[l] in 3x3 blocks of D: a product of two dense matrices over all particles of the cell. Where every D is symmetric
// so is the matrix.
void GridStep::fill_cell_matrix(int number, std::span<const Mat3> on_particles, CellMatrix& blocks) const
{
    const SparseGrid::Cell& cell = grid_.cells[number];
    blocks.value.fill(0);
    bool is_symmetric = true;
    for (int k = cell.begin; k < cell.end; ++k)
        is_symmetric = is_symmetric && has_symmetric_derivative(material(k));
    constexpr int at_once = 8; // particles
    std::array<double, stencil_size * 3 * at_once> left;
    std::array<double, 3 * at_once * CellMatrix::width> right;
    right.fill(0);
    for (int begin = cell.begin; begin < cell.end; begin += at_once) {
        const int count = std::min(at_once, cell.end - begin), depth = 3 * count;
        for (int p = 0; p < count; ++p) {
            const Mat9& D = derivative_[begin + p];
            for_each_weight(spline_[begin + p], [&](int slot, double, const Vec3& g) {
                Eigen::Map<Vec3>(left.data() + slot * depth + 3 * p) = -g;
                const Eigen::Matrix<double, 9, 3> T =
                    g[0] * D.middleCols<3>(0) + g[1] * D.middleCols<3>(3) + g[2] * D.middleCols<3>(6);
                for (int k = 0; k < 3; ++k)
                    Eigen::Map<Mat3>(right.data() + CellMatrix::width * (3 * p + k) + 9 * slot) =
                        T.middleRows<3>(3 * k);
            });
        }
        blocks.add_product(left.data(), right.data(), depth, is_symmetric);
    }
    if (is_symmetric)
        blocks.mirror();
    if (on_particles.empty())
        return;
    for (int k = cell.begin; k < cell.end; ++k) {
        const Mat3& D = on_particles[grid_.order[k]];
        if (D.isZero(0))
            continue;
        if (sides(k).empty()) {
            std::array<double, stencil_size> weights;
            for_each_weight(spline_[k], [&](int slot, double w, const Vec3&) { weights[slot] = w; });
            for (int a = 0; a < stencil_size; ++a)
                for (int b = 0; b < stencil_size; ++b)
                    blocks.block(a, b) += weights[a] * weights[b] * D;
            continue;
        }
        std::array<Mat3, stencil_size> M;
        for_each_weight(spline_[k], [&](int slot, double w, const Vec3& g) { M[slot] = mover(k, w, g); });
        for (int a = 0; a < stencil_size; ++a) {
            const Mat3 row = M[a].transpose() * D;
            for (int b = 0; b < stencil_size; ++b)
                blocks.block(a, b) += row * M[b];
        }
    }
}

double GridStep::longest_way(std::span<const Vec3> v) const
{
    std::vector<double> speed(old_.size()); // the largest along any axis
    parallel_for(
        grid_.cells.size(),
        [&](std::size_t c) {
            const SparseGrid::Cell& cell = grid_.cells[c];
            for (int k = cell.begin; k < cell.end; ++k)
                speed[k] = interpolate(cell, k, v).cwiseAbs().maxCoeff();
        },
        cells_at_once);
    return *std::max_element(speed.begin(), speed.end()) * dt_ / grid_.h;
}

MpmState GridStep::end_of_step(std::span<const Vec3> v) const
{
    MpmState end = *state_;
    const double h = grid_.h;
    parallel_for(
        grid_.cells.size(),
        [&](std::size_t c) {
            const SparseGrid::Cell& cell = grid_.cells[c];
            for (int k = cell.begin; k < cell.end; ++k) {
                const int p = grid_.order[k];
                Vec3 velocity = Vec3::Zero(), change = Vec3::Zero();
                Mat3 B = Mat3::Zero(), G = Mat3::Zero();
                for_each_weight(spline_[k], [&](int slot, double w, const Vec3& g) {
                    const int node = cell.nodes[slot];
                    velocity += w * v[node];
                    change += w * (v[node] - v_[node]);
                    B += w * v[node] * (place_of_node(grid_.nodes[node], h) - state_->x[p]).transpose();
                    G += v[node] * g.transpose();
                });
                end.v[p] = velocity;
                end.a[p] = change / dt_;
                end.x[p] = state_->x[p] + dt_ * velocity;
                end.C[p] = B / spline_moment(h);
                end.thinned[p] = state_->thinned[p] + thinning(k, dt_ * G);
                end.point[p] = mpm_stress(material(k), old_[k].F + dt_ * G * old_[k].F, old_[k], dt_).after;
            }
        },
        cells_at_once);
    return end;
}

double GridStep::plastic_work() const
{
    return ordered_sum(old_.size(), 0.0, [&](std::size_t k) {
        return set_->volume[grid_.order[k]]
            * mpm_stress(material(static_cast<int>(k)), trial_[k], old_[k], dt_).plastic_work;
    });
}

double GridStep::viscous_loss() const
{
    return ordered_sum(old_.size(), 0.0, [&](std::size_t k) {
        const MpmMaterial& m = material(static_cast<int>(k));
        const Mat3 P = mpm_viscous_piola(m, trial_[k], old_[k], dt_);
        return set_->volume[grid_.order[k]] * P.cwiseProduct(trial_[k] - old_[k].F).sum();
    });
}

double GridStep::kinetic_energy(std::span<const Vec3> v) const
{
    return ordered_sum(nodes(), 0.0, [&](std::size_t i) { return 0.5 * mass_[i] * v[i].squaredNorm(); });
}

} // namespace stickslip
