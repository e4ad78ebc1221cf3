#include "stickslip/mpm/grid_step.h"

#include "stickslip/math/rotation_svd.h"
#include "stickslip/mpm/node_values.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stickslip {

namespace {

constexpr std::size_t cells_at_once = 8;
constexpr double least_fall = 0.3; // [-] of the mass in a spacing: 1.1 at a flat surface, 0.23 a spacing under it

bool has_same_cells(const SparseGrid& a, const SparseGrid& b)
{
    return a.h == b.h && a.cells.size() == b.cells.size()
        && std::equal(a.cells.begin(), a.cells.end(), b.cells.begin(),
            [](const SparseGrid::Cell& c, const SparseGrid::Cell& d) { return c.index == d.index; });
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

NodeValues gather(const SparseGrid::Cell& cell, std::span<const Vec3> u)
{
    NodeValues values;
    for (int slot = 0; slot < stencil_size; ++slot)
        values.at[slot] = widened(u[cell.nodes[slot]]);
    return values;
}

} // namespace

// visit(k, values): of each particle, what nodes with values u make of it.
template <typename Visit>
void GridStep::for_each_place(std::span<const Vec3> u, const Visit& visit) const
{
    parallel_for(
        grid_.cells.size(),
        [&](std::size_t c) {
            const SparseGrid::Cell& cell = grid_.cells[c];
            const NodeValues values = gather(cell, u);
            PointValues at;
            for (int k = cell.begin; k < cell.end; ++k) {
                interpolate(values, spline_[k], at);
                visit(k, at);
            }
        },
        cells_at_once);
}

// fill(cell, sums): adds to the cell's own values. add(node, sum): takes those of all cells.
template <typename Fill, typename Add>
void GridStep::scatter(const Fill& fill, const Add& add) const
{
    scattered_.resize(stencil_size * grid_.cells.size());
    parallel_for(
        grid_.cells.size(),
        [&](std::size_t c) {
            NodeValues sums;
            fill(grid_.cells[c], sums);
            for (std::size_t slot = 0; slot < stencil_size; ++slot)
                store(sums.at[slot], &scattered_[stencil_size * c + slot]);
        },
        cells_at_once);
    parallel_for(nodes(), [&](std::size_t i) {
        Lanes sum{};
        for (int k = grid_.incidences_begin[i]; k < grid_.incidences_begin[i + 1]; ++k)
            sum += stickslip::load(&scattered_[grid_.incidences[k]]);
        add(i, sum);
    });
}

// act(k, values): what acts at a particle; false where nothing does.
template <typename Act, typename Add>
void GridStep::scatter_from_places(const Act& act, const Add& add) const
{
    scatter(
        [&](const SparseGrid::Cell& cell, NodeValues& sums) {
            PointValues at;
            for (int k = cell.begin; k < cell.end; ++k)
                if (act(k, at))
                    spread(at, spline_[k], sums);
        },
        add);
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
    take_momentum();
    const auto mean = [&](const auto& of_particle, std::vector<Vec3>& of_node) {
        of_node.resize(nodes());
        scatter_from_places(
            [&](int k, PointValues& at) {
                const int p = grid_.order[k];
                at.value = widened(set.mass[p] * of_particle(p));
                return true;
            },
            [&](std::size_t i, const Lanes& sum) { of_node[i] = inverse_mass(i) * narrowed(sum); });
    };
    mean([&](int p) -> const Vec3& { return state.a[p]; }, a_);
    mean([&](int p) -> const Vec3& { return set.bodies[set.body_of_particle[p]].acceleration; }, load_);
}

// The mass goes along as the fourth number.
void GridStep::take_momentum()
{
    mass_.resize(nodes());
    v_.resize(nodes());
    scatter(
        [&](const SparseGrid::Cell& cell, NodeValues& sums) {
            for (int k = cell.begin; k < cell.end; ++k) {
                const int p = grid_.order[k];
                const double mass = set_->mass[p];
                PointValues momentum = point_values(mass * state_->v[p], mass * state_->C[p]);
                momentum.value[3] = mass;
                spread(momentum, offset_spline(k), sums);
            }
        },
        [&](std::size_t i, const Lanes& sum) {
            mass_[i] = sum[3];
            v_[i] = inverse_mass(i) * narrowed(sum);
        });
    const std::vector<Vec3> taken = taken_by_transfers(v_);
    parallel_for(nodes(), [&](std::size_t i) { v_[i] += taken[i]; });
}

// The mass goes along as the fourth number.
std::vector<Vec3> GridStep::taken_by_transfers(std::span<const Vec3> v) const
{
    std::vector<Vec3> taken(nodes());
    scatter(
        [&](const SparseGrid::Cell& cell, NodeValues& sums) {
            const NodeValues values = gather(cell, v);
            PointValues at;
            for (int k = cell.begin; k < cell.end; ++k) {
                if (material(k).model == MpmModel::fluid)
                    continue;
                const Spline offsets = offset_spline(k);
                interpolate(values, offsets, at);
                const double mass = set_->mass[grid_.order[k]];
                at.value *= mass;
                at.value[3] = mass;
                for (Lanes& moment : at.gradient)
                    moment *= mass / spline_moment(grid_.h);
                spread(at, offsets, sums);
            }
        },
        [&](std::size_t i, const Lanes& sum) { taken[i] = inverse_mass(i) * (sum[3] * v[i] - narrowed(sum)); });
    return taken;
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

void GridStep::evaluate(std::span<const Vec3> v)
{
    trial_.resize(old_.size());
    nominal_.resize(old_.size());
    for_each_place(v, [&](int k, const PointValues& at) { trial_[k].F = old_[k].F + dt_ * at.matrix() * old_[k].F; });
    parallel_for((old_.size() + lanes - 1) / lanes, [&](std::size_t group) {
        const int begin = static_cast<int>(group) * lanes;
        const int end = std::min(begin + lanes, static_cast<int>(old_.size()));
        find_principal_stretches(begin, end);
        for (int k = begin; k < end; ++k)
            nominal_[k] = set_->volume[grid_.order[k]] * mpm_stress(material(k), trial_[k], old_[k], dt_).P
                * old_[k].F.transpose();
    });
}

// Of at most `lanes` places, side by side.
void GridStep::find_principal_stretches(int begin, int end)
{
    static const Mat3 unused = Mat3::Identity();
    RotationSvd ignored;
    std::array<const Mat3*, lanes> F;
    std::array<RotationSvd*, lanes> svds;
    F.fill(&unused);
    svds.fill(&ignored);
    bool are_needed = false;
    for (int k = begin; k < end; ++k)
        if (needs_principal_stretches(material(k), trial_[k].F)) {
            F[k - begin] = &trial_[k].F;
            svds[k - begin] = &trial_[k].svd;
            are_needed = true;
        }
    if (are_needed)
        rotation_svds(F, svds);
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
    scatter_from_places(
        [&](int k, PointValues& at) {
            at = point_values(Vec3::Zero(), -nominal_[k]);
            return true;
        },
        [&](std::size_t i, const Lanes& sum) { f[i] += narrowed(sum); });
}

void GridStep::add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const
{
    scatter(
        [&](const SparseGrid::Cell& cell, NodeValues& sums) {
            const NodeValues values = gather(cell, du);
            PointValues at;
            for (int k = cell.begin; k < cell.end; ++k) {
                interpolate(values, spline_[k], at);
                const Vec9 G = vec(at.matrix());
                const Vec9 dS = transposed ? Vec9(derivative_[k].transpose() * G) : Vec9(derivative_[k] * G);
                spread(point_values(Vec3::Zero(), -unvec(dS)), spline_[k], sums);
            }
        },
        [&](std::size_t i, const Lanes& sum) { df[i] += narrowed(sum); });
}

void GridStep::move_touched(std::span<const Vec3> u, std::span<Vec3> of_particles) const
{
    for_each_place(u, [&](int k, const PointValues& at) {
        Vec3& moved = of_particles[grid_.order[k]];
        moved = at.vector();
        if (!sides(k).empty())
            moved += thinning(k, at.matrix());
    });
}

std::vector<Vec3> GridStep::outward() const
{
    std::vector<Vec3> mass, directions(set_->particles());
    for (const double m : mass_)
        mass.emplace_back(m, 0, 0);
    for_each_place(mass, [&](int k, const PointValues& at) {
        const Vec3 fall(-at.gradient[0][0], -at.gradient[1][0], -at.gradient[2][0]);
        directions[grid_.order[k]] =
            fall.norm() * grid_.h > least_fall * at.value[0] ? Vec3(fall.normalized()) : Vec3::Zero();
    });
    return directions;
}

void GridStep::add_spread(std::span<const Vec3> of_particles, std::span<Vec3> u) const
{
    scatter_from_places(
        [&](int k, PointValues& at) {
            const Vec3& value = of_particles[grid_.order[k]];
            Mat3 stress = Mat3::Zero(); // what the sides make of it
            for (const TouchingSide& side : sides(k))
                stress -= side.half_width * side.dual.dot(value) * side.normal * side.normal.transpose();
            at = point_values(value, stress);
            return !value.isZero(0);
        },
        [&](std::size_t i, const Lanes& sum) { u[i] += narrowed(sum); });
}

// With D the derivative of a particle's stress S by the gradient, block (a, b) is -sum over k, l of g_a[k] D(k, l)
// g_b[l] in 3x3 blocks of D.
void GridStep::add_stress(int k, CellProduct& product) const
{
    std::array<Vec3, stencil_size> gradient;
    for_each_weight(spline_[k], [&](int slot, double, const Vec3& g) {
        for (int i = 0; i < 3; ++i)
            product.left[product.depth + i][slot] = -g[i];
        gradient[slot] = g;
    });
    contract(derivative_[k], gradient, product.right[product.depth].data());
    product.depth += 3;
}

// Block (a, b) is M_a^T D M_b with M = w I - sum over sides of half_width (n.g) dual n^T (mover): a sum over w and the
// n.g of a.
void GridStep::add_touch(int k, const Mat3& D, CellProduct& product) const
{
    const int first = product.depth;
    for_each_weight(spline_[k], [&](int slot, double w, const Vec3& g) {
        const Mat3 D_M = D * mover(k, w, g);
        product.left[first][slot] = w;
        product.block(first, slot) = D_M;
        int row = first + 1;
        for (const TouchingSide& side : sides(k)) {
            product.left[row][slot] = side.normal.dot(g);
            product.block(row++, slot) = -side.half_width * side.normal * (side.dual.transpose() * D_M);
        }
    });
    product.depth += 1 + static_cast<int>(sides(k).size());
}

// Where every derivative of a stress is symmetric so is their sum; that of contact forces is not.
void GridStep::fill_cell_matrix(int number, std::span<const Mat3> on_particles, CellMatrix& blocks) const
{
    const SparseGrid::Cell& cell = grid_.cells[number];
    blocks.value.fill(0);
    CellProduct product;
    const auto add = [&](bool is_symmetric) {
        blocks.add(product, is_symmetric);
        product.depth = 0;
    };
    bool is_symmetric = true;
    for (int k = cell.begin; k < cell.end; ++k)
        is_symmetric = is_symmetric && has_symmetric_derivative(material(k));
    for (int k = cell.begin; k < cell.end; ++k) {
        if (product.depth + 3 > CellProduct::most)
            add(is_symmetric);
        add_stress(k, product);
    }
    add(is_symmetric);
    if (is_symmetric)
        blocks.mirror();
    if (on_particles.empty())
        return;
    for (int k = cell.begin; k < cell.end; ++k) {
        const Mat3& D = on_particles[grid_.order[k]];
        if (D.isZero(0))
            continue;
        if (product.depth + 1 + static_cast<int>(sides(k).size()) > CellProduct::most)
            add(false);
        add_touch(k, D, product);
    }
    if (product.depth > 0)
        add(false);
}

double GridStep::longest_way(std::span<const Vec3> v) const
{
    std::vector<double> speed(old_.size()); // the largest along any axis
    for_each_place(v, [&](int k, const PointValues& at) { speed[k] = at.vector().cwiseAbs().maxCoeff(); });
    return *std::max_element(speed.begin(), speed.end()) * dt_ / grid_.h;
}

MpmState GridStep::end_of_step(std::span<const Vec3> v) const
{
    MpmState end = *state_;
    std::vector<Vec3> change(nodes());
    parallel_for(nodes(), [&](std::size_t i) { change[i] = v[i] - v_[i]; });
    for_each_place(change, [&](int k, const PointValues& at) { end.a[grid_.order[k]] = at.vector() / dt_; });
    parallel_for(
        grid_.cells.size(),
        [&](std::size_t c) {
            const SparseGrid::Cell& cell = grid_.cells[c];
            const NodeValues values = gather(cell, v);
            PointValues at, moments;
            for (int k = cell.begin; k < cell.end; ++k) {
                interpolate(values, spline_[k], at);
                interpolate(values, offset_spline(k), moments);
                const int p = grid_.order[k];
                const Mat3 G = dt_ * at.matrix();
                end.v[p] = at.vector();
                end.x[p] = state_->x[p] + dt_ * end.v[p];
                end.C[p] = moments.matrix() / spline_moment(grid_.h);
                end.thinned[p] = state_->thinned[p] + thinning(k, G);
                end.point[p] = mpm_stress(material(k), old_[k].F + G * old_[k].F, old_[k], dt_).after;
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

double GridStep::hardening_work() const
{
    return ordered_sum(old_.size(), 0.0, [&](std::size_t k) {
        const MpmMaterial& m = material(static_cast<int>(k));
        return set_->volume[grid_.order[k]]
            * mpm_hardening_energy(m, old_[k], mpm_stress(m, trial_[k], old_[k], dt_).after.plastic);
    });
}

double GridStep::viscous_loss() const
{
    return ordered_sum(old_.size(), 0.0, [&](std::size_t k) {
        const MpmMaterial& m = material(static_cast<int>(k));
        const Mat3& F = trial_[k].F;
        const Mat3 P = mpm_viscous_piola(m, F, old_[k], dt_);
        return set_->volume[grid_.order[k]] * P.cwiseProduct(F - old_[k].F).sum();
    });
}

double GridStep::kinetic_energy(std::span<const Vec3> v) const
{
    return ordered_sum(nodes(), 0.0, [&](std::size_t i) { return 0.5 * mass_[i] * v[i].squaredNorm(); });
}

} // namespace stickslip
