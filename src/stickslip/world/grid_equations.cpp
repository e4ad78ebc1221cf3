#include "stickslip/world/grid_equations.h"

#include "stickslip/math/check.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stickslip {

namespace {

// Its number among them; -1: b is none.
int neighbour(const GridIndex& a, const GridIndex& b)
{
    const int i = b[0] - a[0] + 2, j = b[1] - a[1] + 2, k = b[2] - a[2] + 2;
    return std::min({i, j, k}) < 0 || std::max({i, j, k}) > 4 ? -1 : i + 5 * (j + 5 * k);
}

} // namespace

void GridEquations::begin_step(const MpmState& state, double dt, const Vec3& gravity, std::vector<TouchingSide> sides)
{
    if (set_->bodies.empty())
        return;
    state_ = &state;
    dt_ = dt;
    gravity_ = gravity;
    step_.begin(*set_, state, dt, std::move(sides));
    root_.resize(size());
    inverse_root_.resize(size());
    for (std::size_t i = 0; i < size(); ++i) {
        root_[i] = std::sqrt(step_.mass()[i]);
        inverse_root_[i] = root_[i] > 0 ? 1 / root_[i] : 0;
    }
    total_mass_ = std::accumulate(step_.mass().begin(), step_.mass().end(), 0.0);
    v_.resize(size());
    x_.resize(set_->particles());
}

void GridEquations::set_candidate(std::span<const Vec3> z)
{
    parallel_for(size(), [&](std::size_t i) { v_[i] = step_.velocity()[i] + inverse_root_[i] * z[i]; });
    if (size() > 0)
        step_.move_touched(v_, x_);
    parallel_for(x_.size(), [&](std::size_t p) { x_[p] = state_->x[p] + state_->thinned[p] + dt_ * x_[p]; });
}

void GridEquations::residual(std::span<const Vec3> z, std::span<const Vec3> at_particles, std::span<Vec3> g)
{
    if (size() == 0)
        return;
    step_.evaluate(v_);
    std::vector<Vec3> f(size());
    parallel_for(size(), [&](std::size_t i) { f[i] = step_.mass()[i] * (gravity_ + step_.load()[i]); });
    step_.add_force(f);
    step_.add_spread(at_particles, f);
    parallel_for(size(), [&](std::size_t i) { g[i] = z[i] - dt_ * inverse_root_[i] * f[i]; });
}

void GridEquations::move_particles(std::span<const Vec3> dz, std::span<Vec3> of_particles) const
{
    if (size() == 0)
        return;
    std::vector<Vec3> du(size());
    parallel_for(size(), [&](std::size_t i) { du[i] = inverse_root_[i] * dz[i]; });
    step_.move_touched(du, of_particles);
}

void GridEquations::differential(
    std::span<const Vec3> dz, std::span<const Vec3> of_particles, std::span<Vec3> out, bool transposed) const
{
    if (size() == 0)
        return;
    std::vector<Vec3> du(size()), df(size(), Vec3::Zero());
    parallel_for(size(), [&](std::size_t i) { du[i] = inverse_root_[i] * dz[i]; });
    step_.add_force_differential(du, df, transposed);
    step_.add_spread(of_particles, df);
    parallel_for(size(), [&](std::size_t i) { out[i] = dz[i] - dt_ * dt_ * inverse_root_[i] * df[i]; });
}

BlockPattern GridEquations::pattern() const
{
    const SparseGrid& grid = step_.grid();
    std::vector<std::vector<int>> neighbours(size());
    parallel_for(
        size(),
        [&](std::size_t n) {
            std::array<int, neighbourhood> near;
            near.fill(-1);
            for (int k = grid.incidences_begin[n]; k < grid.incidences_begin[n + 1]; ++k) {
                const int cell = grid.incidences[k] / stencil_size, a = grid.incidences[k] % stencil_size;
                for (int b = 0; b < stencil_size; ++b)
                    near[neighbour_slot(a, b)] = grid.cells[cell].nodes[b];
            }
            std::copy_if(
                near.begin(), near.end(), std::back_inserter(neighbours[n]), [](int node) { return node >= 0; });
            std::sort(neighbours[n].begin(), neighbours[n].end());
        },
        16);
    return make_pattern(neighbours);
}

void GridEquations::find_slots(const BlockPattern& pattern, int first)
{
    const SparseGrid& grid = step_.grid();
    slots_.assign(neighbourhood * size(), -1);
    parallel_for(
        size(),
        [&](std::size_t n) {
            const int row = first + static_cast<int>(n);
            for (int k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k) {
                const int other = pattern.column[k] - first;
                if (const int near = other < 0 ? -1 : neighbour(grid.nodes[n], grid.nodes[other]); near >= 0)
                    slots_[neighbourhood * n + near] = k;
            }
        },
        16);
}

void GridEquations::add_blocks(std::span<const Mat3> on_particles, int first, BlockMatrix& H) const
{
    for (std::size_t i = 0; i < size(); ++i)
        H.value[H.pattern.diagonal[first + i]] += Mat3::Identity();
    std::vector<double> scale_of_row(size());
    for (std::size_t i = 0; i < size(); ++i)
        scale_of_row[i] = -dt_ * dt_ * inverse_root_[i];
    step_.for_each_cell_matrix(on_particles, [&](const std::array<int, stencil_size>& nodes, const CellMatrix& blocks) {
        add_scaled(blocks, nodes, scale_of_row, inverse_root_, slots_, H.value);
    });
}

std::vector<Vec3> GridEquations::last_acceleration() const
{
    std::vector<Vec3> z(size());
    for (std::size_t i = 0; i < size(); ++i)
        z[i] = dt_ * root_[i] * step_.acceleration()[i];
    return z;
}

Vec3 GridEquations::place_of_node(int node) const
{
    const GridIndex& i = step_.grid().nodes[node];
    return set_->grid * Vec3(i[0], i[1], i[2]);
}

// H_ii = 1 + dt^2 K_ii/m_i, and an error eps |x| of a position makes one of dt K_ii eps |x| / m_i^1/2 in g_i
double GridEquations::round_off(int node, const Mat3& H_ii) const
{
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const double error = 4 * eps * (place_of_node(node).norm() + set_->grid) * H_ii.norm() * root_[node] / dt_;
    return error * error;
}

bool GridEquations::moved_too_far() const
{
    return size() > 0 && step_.longest_way(v_) > longest_way;
}

MpmState GridEquations::end_of_step() const
{
    return size() > 0 ? step_.end_of_step(v_) : MpmState{};
}

} // namespace stickslip
