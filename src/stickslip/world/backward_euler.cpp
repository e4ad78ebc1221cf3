#include "stickslip/world/backward_euler.h"

#include "stickslip/bodies/loads.h"
#include "stickslip/math/check.h"
#include "stickslip/math/parallel.h"
#include "stickslip/world/particle_sides.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// Elements couple their corners, a rigid body its two blocks.
BlockPattern pattern_without_contacts(const World& world)
{
    const DeformableSet& set = world.deformables;
    std::vector<std::vector<int>> groups;
    groups.reserve(set.tets.size() + world.rigids.size());
    for (const Tetrahedron& t : set.tets)
        groups.emplace_back(t.begin(), t.end());
    const int nodes = static_cast<int>(set.rest.size()), rigids = static_cast<int>(world.rigids.size());
    for (int b = 0; b < rigids; ++b)
        groups.push_back({nodes + 2 * b, nodes + 2 * b + 1});
    return make_pattern(set.rest.size() + 2 * world.rigids.size(), groups);
}

} // namespace

BackwardEuler::BackwardEuler(const World& world)
    : world_(&world)
    , has_pressure_(has_pressure(world.deformables))
    , rigid_(world.rigids)
    , grid_(world.mpm)
    , contacts_(contact_bodies(world))
{
    const DeformableSet& set = world.deformables;
    for (const double m : set.mass)
        root_mass_.push_back(std::sqrt(m));
    pin_of_node_.assign(set.rest.size(), -1);
    for (std::size_t p = 0; p < set.pins.size(); ++p)
        pin_of_node_[set.pins[p].node] = static_cast<int>(p);
    mesh_pattern_ = own_pattern_ = pattern_without_contacts(world);
    H_.pattern = own_pattern_;
    H_.value.resize(H_.pattern.blocks());
    find_tet_blocks();
}

void BackwardEuler::find_tet_blocks()
{
    const DeformableSet& set = world_->deformables;
    const BlockPattern& p = H_.pattern;
    tet_blocks_.resize(set.tet_corners.size());
    std::vector<int> place(p.rows()); // in the row, by column
    for (std::size_t i = 0; i < nodes(); ++i) {
        for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k)
            place[p.column[k]] = k;
        for (int k = set.tet_corners_begin[i]; k < set.tet_corners_begin[i + 1]; ++k)
            for (int b = 0; b < 4; ++b)
                tet_blocks_[k][b] = place[set.tets[set.tet_corners[k] / 4][b]];
    }
}

void BackwardEuler::begin_step(const State& state, double dt)
{
    state_ = &state;
    dt_ = dt;
    evaluated_z_.clear();
    const DeformableSet& set = world_->deformables;
    std::vector<Frame> frames;
    for (const PinFrame& p : set.pin_frames)
        frames.push_back(frame_at(p.motion, p.start, state.time + dt));
    pin_target_.clear();
    for (const Pin& pin : set.pins)
        pin_target_.push_back(frames[pin.frame].to_world(pin.local));
    rigid_.begin_step(state.rigid, dt);
    grid_.begin_step(state.mpm, dt, world_->gravity, touching_sides(contacts_.bodies(), state));
    take_grid_pattern();
    contacts_.begin_step(
        state.time, dt, point_places(state), point_velocities(state), state.rigid, state.attachments, grid_.outward());
}

// The grid of a step is that of the last one where no particle has left its cell.
void BackwardEuler::take_grid_pattern()
{
    if (grid_.size() == 0 || grid_.is_same_grid())
        return;
    own_pattern_ = side_by_side(mesh_pattern_, grid_.pattern());
    couplings_.clear();
    places_.clear();
    take_pattern(own_pattern_);
}

void BackwardEuler::take_pattern(BlockPattern pattern)
{
    H_.pattern = std::move(pattern);
    H_.value.resize(H_.pattern.blocks());
    find_tet_blocks();
    if (grid_.size() > 0)
        grid_.find_slots(H_.pattern, static_cast<int>(first_grid_block()));
}

template <typename Visit>
void BackwardEuler::for_each_mover(int block, const Visit& visit) const
{
    if (!is_particle(block))
        return visit(block, Mat3(Mat3::Identity()));
    grid_.step().for_each_node(
        particle(block), [&](int node, const Mat3& M) { visit(static_cast<int>(first_grid_block()) + node, M); });
}

// Paper: Alg 1 line 3, the candidate configuration
void BackwardEuler::set_candidate(const BlockVector& z)
{
    x_.resize(nodes());
    v_.resize(nodes());
    parallel_for(nodes(), [&](std::size_t i) {
        if (const int pin = pin_of_node_[i]; pin >= 0) {
            x_[i] = pin_target_[pin];
            v_[i] = (x_[i] - state_->x[i]) / dt_;
        } else {
            v_[i] = state_->v[i] + z[i] / root_mass_[i];
            x_[i] = state_->x[i] + dt_ * v_[i];
        }
    });
    rigid_.set_candidate(std::span(z).subspan(nodes(), 2 * world_->rigids.size()));
    grid_.set_candidate(std::span(z).subspan(first_grid_block()));
    if (grid_.size() > 0) {
        points_ = x_;
        points_.insert(points_.end(), grid_.places().begin(), grid_.places().end());
    }
}

void BackwardEuler::residual(const BlockVector& z, BlockVector& g)
{
    if (z == evaluated_z_) { // the guess that was judged last
        g = evaluated_g_;
        return;
    }
    const DeformableSet& set = world_->deformables;
    set_candidate(z);
    evaluate_stress(set, x_, state_->x, dt_, elastic_);
    grid_derivative_is_current_ = false;
    contacts_.evaluate(points(), rigid_.candidates());

    std::vector<Vec3> f(contact_blocks(), Vec3::Zero());
    const std::size_t rigid_blocks = 2 * world_->rigids.size();
    const std::span<Vec3> on_nodes(f.data(), nodes()), on_rigids = std::span(f).subspan(nodes(), rigid_blocks);
    add_weight(set, world_->gravity, on_nodes);
    add_elastic_force(set, elastic_, on_nodes);
    if (has_pressure_)
        add_pressure_force(set, x_, on_nodes);
    add_rigid_loads(world_->rigids, world_->gravity, on_rigids);
    contacts_.add_force(f);
    g.resize(z.size());
    parallel_for(nodes(), [&](std::size_t i) {
        if (pin_of_node_[i] >= 0)
            g[i] = z[i];
        else
            g[i] = z[i] - dt_ / root_mass_[i] * f[i];
    });
    rigid_.residual(
        std::span(z).subspan(nodes(), rigid_blocks), on_rigids, std::span(g).subspan(nodes(), rigid_blocks));
    grid_.residual(std::span(z).subspan(first_grid_block()), std::span(f).subspan(first_grid_block()),
        std::span(g).subspan(first_grid_block()));
    evaluated_z_ = z;
    evaluated_g_ = g;
}

BlockVector BackwardEuler::last_acceleration() const
{
    BlockVector z(size());
    parallel_for(
        nodes(), [&](std::size_t i) { z[i] = is_pinned(i) ? Vec3::Zero() : Vec3(root_mass_[i] * dt_ * state_->a[i]); });
    for (std::size_t b = 0; b < world_->rigids.size(); ++b) {
        const std::array<Vec3, 2> own = rigid_.last_acceleration(b);
        std::copy(own.begin(), own.end(), z.begin() + static_cast<std::ptrdiff_t>(nodes() + 2 * b));
    }
    const std::vector<Vec3> of_grid = grid_.last_acceleration();
    std::copy(of_grid.begin(), of_grid.end(), z.begin() + static_cast<std::ptrdiff_t>(first_grid_block()));
    return z;
}

NearKernel BackwardEuler::rigid_motions() const
{
    const int n = static_cast<int>(nodes()), grid = static_cast<int>(first_grid_block());
    Vec3 centre = Vec3::Zero();
    for (const Vec3& x : state_->x)
        centre += x / static_cast<double>(n);
    const auto place = [&](int i) {
        return i < n ? state_->x[i] : i < grid ? state_->rigid[(i - n) / 2].x : grid_.place_of_node(i - grid);
    };
    const auto to_unknown = [&](int i, const Vec3& moved) -> Vec3 {
        return i < n   ? root_mass_[i] * moved
            : i < grid ? rigid_.to_unknown(i - n, moved)
                       : Vec3(grid_.root_mass(static_cast<std::size_t>(i - grid)) * moved);
    };
    NearKernel motions(size(), Eigen::Matrix<double, 3, 6>::Zero());
    for (int i = 0; i < static_cast<int>(size()); ++i) {
        if (i < n && is_pinned(i))
            continue;
        const bool turns = i >= n && i < grid && (i - n) % 2 == 1;
        const Vec3 arm = place(i) - centre;
        for (int c = 0; c < 3; ++c) {
            const Vec3 e = Vec3::Unit(c);
            motions[i].col(c) = to_unknown(i, turns ? Vec3(Vec3::Zero()) : e);
            motions[i].col(3 + c) = to_unknown(i, turns ? e : e.cross(arm));
        }
    }
    return motions;
}

void BackwardEuler::update_grid_derivative()
{
    if (grid_derivative_is_current_)
        return;
    if (grid_.size() > 0)
        grid_.update_derivative();
    grid_derivative_is_current_ = true;
}

void BackwardEuler::differential(const BlockVector& dz, BlockVector& out, bool transposed)
{
    update_grid_derivative();
    const DeformableSet& set = world_->deformables;
    const int n = static_cast<int>(nodes()), grid = static_cast<int>(first_grid_block());
    BlockVector du(contact_blocks());
    parallel_for(nodes(), [&](std::size_t i) { du[i] = is_pinned(i) ? Vec3::Zero() : Vec3(dz[i] / root_mass_[i]); });
    for (int i = n; i < grid; ++i)
        du[i] = rigid_.from_unknown(i - n, dz[i]);
    grid_.move_particles(std::span(dz).subspan(grid), std::span(du).subspan(grid));
    BlockVector df(contact_blocks(), Vec3::Zero());
    const std::span<const Vec3> du_nodes(du.data(), nodes());
    const std::span<Vec3> df_nodes(df.data(), nodes());
    add_elastic_force_differential(set, x_, state_->x, dt_, du_nodes, df_nodes, transposed, elastic_);
    if (has_pressure_)
        add_pressure_force_differential(set, x_, du_nodes, df_nodes, transposed);
    contacts_.add_force_differential(du, df, transposed);
    out.resize(dz.size());
    parallel_for(nodes(),
        [&](std::size_t i) { out[i] = is_pinned(i) ? dz[i] : Vec3(dz[i] - dt_ * dt_ / root_mass_[i] * df[i]); });
    for (int i = n; i < grid; ++i) {
        const bool turns = (i - n) % 2 == 1;
        const Mat3 own = turns ? rigid_.inertia_block((i - n) / 2) : Mat3(Mat3::Identity());
        const Vec3 inertia = transposed ? Vec3(own.transpose() * dz[i]) : Vec3(own * dz[i]);
        out[i] = inertia - dt_ * dt_ * rigid_.free(i - n).cwiseProduct(rigid_.inverse_root(i - n) * df[i]);
    }
    grid_.differential(
        std::span(dz).subspan(grid), std::span(df).subspan(grid), std::span(out).subspan(grid), transposed);
}

// Contacts between bodies couple blocks that the bodies themselves do not; the pattern is made anew when they change,
// and when a material point that touches is moved by other nodes of the grid.
void BackwardEuler::update_pattern()
{
    if (!contacts_.blocks().list_places(places_) && !has_material_points())
        return;
    std::vector<std::pair<int, int>> couplings;
    contacts_.blocks().for_each_place([&](int row, int column) {
        if (row < column) // a material point alone moves nodes of one cell
            for_each_mover(row, [&](int i, const Mat3&) {
                for_each_mover(column, [&](int j, const Mat3&) {
                    if (own_pattern_.find(i, j) < 0)
                        couplings.push_back({i, j});
                });
            });
    });
    std::sort(couplings.begin(), couplings.end());
    couplings.erase(std::unique(couplings.begin(), couplings.end()), couplings.end());
    if (couplings == couplings_)
        return;
    couplings_ = std::move(couplings);
    take_pattern(with_couplings(own_pattern_, couplings_));
}

const BlockMatrix& BackwardEuler::assemble()
{
    evaluate_stress_derivative(world_->deformables, x_, state_->x, dt_, elastic_);
    update_grid_derivative();
    assemble_blocks(false);
    return H_;
}

const BlockMatrix* BackwardEuler::assemble_convex()
{
    evaluate_convex_derivative(world_->deformables, x_, dt_, elastic_);
    if (grid_.size() > 0) {
        grid_.update_derivative();
        grid_.make_convex();
    }
    grid_derivative_is_current_ = false;
    assemble_blocks(true);
    return &H_;
}

void BackwardEuler::assemble_blocks(bool convex)
{
    update_pattern();
    parallel_for(
        nodes(), [&](std::size_t node) { assemble_row(node, convex); }, 64);
    for (std::size_t b = 0; b < world_->rigids.size(); ++b)
        for (std::size_t row = nodes() + 2 * b; row < nodes() + 2 * b + 2; ++row) {
            for (int k = H_.pattern.row_begin[row]; k < H_.pattern.row_begin[row + 1]; ++k)
                H_.value[k].setZero();
            const bool turns = row == nodes() + 2 * b + 1;
            H_.value[H_.pattern.diagonal[row]] = turns && !convex ? rigid_.inertia_block(b) : Mat3(Mat3::Identity());
        }
    assemble_grid(convex);
    add_contact_blocks(convex);
}

// What contacts add to one material point goes the way of its stress.
void BackwardEuler::assemble_grid(bool convex)
{
    if (grid_.size() == 0)
        return;
    std::fill(H_.value.begin() + H_.pattern.row_begin[first_grid_block()], H_.value.end(), Mat3::Zero());
    on_particles_.assign(world_->mpm.particles(), Mat3::Zero());
    contacts_.blocks().for_each_block(
        [&](int row, int column, const Mat3& D) {
            if (is_particle(row) && row == column)
                on_particles_[particle(row)] += D;
        },
        convex);
    grid_.add_blocks(on_particles_, static_cast<int>(first_grid_block()), H_);
}

void BackwardEuler::assemble_row(std::size_t i, bool convex)
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
        constexpr int ahead = 3;
        if (k + ahead < static_cast<int>(set.tet_corners.size()))
            prefetch_force_blocks(elastic_, set.tet_corners[k + ahead] / 4, set.tet_corners[k + ahead] % 4);
        std::array<Mat3, 4> row;
        elastic_force_blocks(elastic_, set.tet_corners[k] / 4, set.tet_corners[k] % 4, row);
        for (int b = 0; b < 4; ++b)
            H_.value[tet_blocks_[k][b]] += row[b];
    }
    if (has_pressure_ && !convex) {
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
        if (is_held(j) || j >= static_cast<int>(nodes()))
            H_.value[k].setZero();
        else
            H_.value[k] *= -dt_ * dt_ / (root_mass_[i] * root_mass_[j]);
    }
    H_.value[p.diagonal[i]] += Mat3::Identity();
}

Mat3 BackwardEuler::scaled_block(int row, int column, const Mat3& D) const
{
    const int n = static_cast<int>(nodes()), grid = static_cast<int>(first_grid_block());
    const auto is_rigid = [&](int block) { return block >= n && block < grid; };
    const auto by_root = [&](int block, const Mat3& given) { // a grid node may have no mass
        return block < n ? Mat3(given / root_mass_[block]) : Mat3(grid_.inverse_root(block - grid) * given);
    };
    if (row < n && column < n)
        return 1 / (root_mass_[row] * root_mass_[column]) * D;
    Mat3 scaled = is_rigid(row) ? Mat3(rigid_.inverse_root(row - n) * D) : by_root(row, D);
    scaled = is_rigid(column) ? Mat3(scaled * rigid_.inverse_root(column - n)) : by_root(column, scaled);
    if (is_rigid(row))
        scaled = rigid_.free(row - n).asDiagonal() * scaled;
    if (is_rigid(column))
        scaled = scaled * rigid_.free(column - n).asDiagonal();
    return scaled;
}

void BackwardEuler::add_contact_blocks(bool convex)
{
    const auto add = [&](int i, int j, const Mat3& D) {
        const int block = H_.pattern.find(i, j);
        STICKSLIP_ASSERT(block >= 0);
        H_.value[block] -= dt_ * dt_ * scaled_block(i, j, D);
    };
    contacts_.blocks().for_each_block(
        [&](int row, int column, const Mat3& D) {
            if (is_held(row) || is_held(column))
                return;
            if (!is_particle(row) && !is_particle(column))
                return add(row, column, D);
            if (row == column) // assemble_grid
                return;
            for_each_mover(row, [&](int i, const Mat3& M_i) {
                for_each_mover(column, [&](int j, const Mat3& M_j) { add(i, j, M_i.transpose() * D * M_j); });
            });
        },
        convex);
}

int BackwardEuler::body_of(int contact_body) const
{
    const int moving = static_cast<int>(first_rigid() + rigid_count());
    if (contact_body < moving)
        return contact_body;
    return contact_body < moving + static_cast<int>(world_->obstacles.size()) ? -1 : moving;
}

Range BackwardEuler::blocks_of_body(std::size_t body) const
{
    const auto& deformable = world_->deformables.bodies;
    if (body < deformable.size())
        return deformable[body].nodes;
    if (body == deformable.size() + world_->rigids.size())
        return {static_cast<int>(first_grid_block()), static_cast<int>(size())};
    const int first = static_cast<int>(nodes() + 2 * (body - deformable.size()));
    return {first, first + 2};
}

std::vector<double> BackwardEuler::measures_of(const std::vector<double>& squares) const
{
    const auto& deformable = world_->deformables.bodies;
    std::vector<double> measures(body_count());
    for (std::size_t b = 0; b < measures.size(); ++b) {
        const Range blocks = blocks_of_body(b);
        const double sum =
            ordered_sum(blocks.size(), 0.0, [&](std::size_t i) { return squares[blocks.begin + static_cast<int>(i)]; });
        const std::size_t rigid = b - deformable.size();
        const double mass = b < deformable.size() ? deformable[b].mass
            : rigid < world_->rigids.size()       ? world_->rigids[rigid].mass
                                                  : grid_.total_mass();
        measures[b] = std::sqrt(sum / mass);
    }
    return measures;
}

std::vector<double> BackwardEuler::body_measures(const BlockVector& g) const
{
    std::vector<double> squares(g.size());
    parallel_for(g.size(), [&](std::size_t i) { squares[i] = g[i].squaredNorm(); });
    return measures_of(squares);
}

double BackwardEuler::longest_step(const BlockVector&, const BlockVector& dz) const
{
    double longest = infinity;
    for (std::size_t b = 0; b < world_->rigids.size(); ++b)
        longest = std::min(longest, rigid_.longest_step(b, dz[nodes() + 2 * b + 1]));
    return longest;
}

bool BackwardEuler::turned_too_far() const
{
    const ContactBodies bodies = contact_bodies(*world_);
    std::vector<bool> touches(bodies.total()); // and its turn matters
    contacts_.for_each_contact([&](const Contact& c) {
        touches[c.surface_body] = true;
        if (!bodies.is_free_ball(c.point_body))
            touches[c.point_body] = true;
    });
    const std::size_t first = world_->deformables.bodies.size();
    for (std::size_t b = 0; b < world_->rigids.size(); ++b)
        if (touches[first + b] && rigid_.turned_too_far(b))
            return true;
    return false;
}

double BackwardEuler::round_off() const
{
    constexpr double eps = std::numeric_limits<double>::epsilon();
    std::vector<double> squares(size(), 0.0);
    // H_ii = 1 + dt^2 K_ii/m_i, and an error eps |x| of a position makes one of dt K_ii eps |x| / m_i^1/2 in g_i
    parallel_for(nodes(), [&](std::size_t i) {
        const double stiffness = H_.value[H_.pattern.diagonal[i]].norm() * root_mass_[i] / dt_;
        const double error = 4 * eps * x_[i].norm() * stiffness;
        squares[i] = error * error;
    });
    for (std::size_t b = 0; b < world_->rigids.size(); ++b) {
        const std::size_t x = nodes() + 2 * b;
        const double error = rigid_.round_off(b, H_.value[H_.pattern.diagonal[x]]);
        squares[x] = world_->rigids[b].mass * error * error;
    }
    const std::size_t grid = first_grid_block();
    parallel_for(grid_.size(), [&](std::size_t i) {
        squares[grid + i] = grid_.round_off(static_cast<int>(i), H_.value[H_.pattern.diagonal[grid + i]]);
    });
    return largest(measures_of(squares));
}

} // namespace stickslip
