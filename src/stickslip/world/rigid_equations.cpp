#include "stickslip/world/rigid_equations.h"

#include "stickslip/math/rotation.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <limits>

namespace stickslip {

namespace {

constexpr double largest_turn_of_newton_step = 0.5; // [rad]

} // namespace

RigidEquations::RigidEquations(const std::vector<RigidBody>& bodies)
    : bodies_(&bodies)
    , root_(2 * bodies.size(), Mat3::Identity())
    , inverse_root_(2 * bodies.size(), Mat3::Identity())
    , free_(2 * bodies.size(), Vec3::Ones())
{
    for (std::size_t b = 0; b < bodies.size(); ++b)
        for (int k = 0; k < 6; ++k)
            if (bodies[b].fixed[k])
                free_[2 * b + k / 3][k % 3] = 0;
}

void RigidEquations::begin_step(std::span<const RigidState> old, double dt)
{
    old_.assign(old.begin(), old.end());
    dt_ = dt;
    old_momentum_.resize(old_.size());
    for (std::size_t b = 0; b < old_.size(); ++b) {
        const RigidBody& body = (*bodies_)[b];
        old_momentum_[b] = spin_momentum(body, old_[b]);
        root_[2 * b] = std::sqrt(body.mass) * Mat3::Identity();
        inverse_root_[2 * b] = 1 / std::sqrt(body.mass) * Mat3::Identity();
        if (free_[2 * b + 1] == Vec3::Ones()) {
            const Eigen::SelfAdjointEigenSolver<Mat3> eigen(world_inertia(body, old_[b].R.toRotationMatrix()));
            root_[2 * b + 1] = eigen.operatorSqrt();
            inverse_root_[2 * b + 1] = eigen.operatorInverseSqrt();
        } else { // keeps the axes apart, so that one can be held
            const double root = std::sqrt(body.inertia.trace() / 3);
            root_[2 * b + 1] = root * Mat3::Identity();
            inverse_root_[2 * b + 1] = 1 / root * Mat3::Identity();
        }
    }
}

void RigidEquations::set_candidate(std::span<const Vec3> z)
{
    candidates_.resize(old_.size());
    v_.resize(old_.size());
    w_.resize(old_.size());
    for (std::size_t b = 0; b < old_.size(); ++b)
        set_candidate(b, z.subspan(2 * b).first<2>());
}

void RigidEquations::set_candidate(std::size_t b, std::span<const Vec3, 2> z)
{
    const int block = static_cast<int>(2 * b);
    RigidCandidate& c = candidates_[b];
    v_[b] = old_[b].v + from_unknown(block, z[0]);
    w_[b] = old_[b].w + from_unknown(block + 1, z[1]);
    c.x = old_[b].x + dt_ * v_[b];
    c.theta = dt_ * w_[b];
    c.R = rotation_exp(c.theta) * old_[b].R.toRotationMatrix();
    c.J = left_jacobian(c.theta);
}

void RigidEquations::residual(std::span<const Vec3> z, std::span<const Vec3> f, std::span<Vec3> g) const
{
    for (std::size_t b = 0; b < old_.size(); ++b)
        residual(b, z.subspan(2 * b).first<2>(), f.subspan(2 * b).first<2>(), g.subspan(2 * b).first<2>());
}

void RigidEquations::residual(
    std::size_t b, std::span<const Vec3, 2> z, std::span<const Vec3, 2> f, std::span<Vec3, 2> g) const
{
    const std::size_t x = 2 * b, theta = x + 1;
    const Vec3 spin = world_inertia((*bodies_)[b], candidates_[b].R) * w_[b] - old_momentum_[b];
    const Vec3 held_x = (Vec3::Ones() - free_[x]).cwiseProduct(z[0]);
    const Vec3 held_theta = (Vec3::Ones() - free_[theta]).cwiseProduct(z[1]);
    g[0] = free_[x].cwiseProduct(z[0] - dt_ * (inverse_root_[x] * f[0])) + held_x;
    g[1] = free_[theta].cwiseProduct(inverse_root_[theta] * (spin - dt_ * f[1])) + held_theta;
}

// d(R I R^T omega)/d omega = I_w + dt (I_w [omega]x - [I_w omega]x) J
Mat3 RigidEquations::inertia_block(std::size_t b) const
{
    const int theta = static_cast<int>(2 * b) + 1;
    const Mat3 I_w = world_inertia((*bodies_)[b], candidates_[b].R);
    const Mat3 A = I_w + dt_ * (I_w * skew(w_[b]) - skew(I_w * w_[b])) * candidates_[b].J;
    Mat3 block = masked(theta, theta, inverse_root_[theta] * A * inverse_root_[theta]);
    block.diagonal() += Vec3::Ones() - free_[theta];
    return block;
}

double RigidEquations::round_off(std::size_t b, const Mat3& H_xx) const
{
    // H_ii = 1 + dt^2 K_ii/m_i, and an error eps |x| of a position makes one of dt K_ii eps |x| / m_i^1/2 in g_i;
    // torques the same with lever arm and radius of gyration
    constexpr double eps = std::numeric_limits<double>::epsilon();
    return std::sqrt(2.0) * 4 * eps * candidates_[b].x.norm() * H_xx.norm() / dt_;
}

std::array<Vec3, 2> RigidEquations::last_acceleration(std::size_t b) const
{
    const int x = static_cast<int>(2 * b);
    return {to_unknown(x, dt_ * old_[b].a), to_unknown(x + 1, dt_ * old_[b].alpha)};
}

double RigidEquations::longest_step(std::size_t b, const Vec3& dz_theta) const
{
    const double turn = dt_ * from_unknown(static_cast<int>(2 * b) + 1, dz_theta).norm();
    return is_one_ball((*bodies_)[b]) ? infinity : largest_turn_of_newton_step / turn;
}

bool RigidEquations::turned_too_far(std::size_t b) const
{
    return candidates_[b].theta.norm() > longest_turn;
}

std::vector<RigidState> RigidEquations::end_of_step() const
{
    std::vector<RigidState> end(old_.size());
    for (std::size_t b = 0; b < old_.size(); ++b) {
        end[b].x = candidates_[b].x;
        end[b].R = (Quat(rotation_exp(candidates_[b].theta)) * old_[b].R).normalized();
        end[b].v = v_[b];
        end[b].w = w_[b];
        end[b].a = (v_[b] - old_[b].v) / dt_;
        end[b].alpha = (w_[b] - old_[b].w) / dt_;
    }
    return end;
}

bool is_one_ball(const RigidBody& body)
{
    return body.rounds.size() == 1;
}

Mat3 world_inertia(const RigidBody& body, const Mat3& R)
{
    return R * body.inertia * R.transpose();
}

Vec3 spin_momentum(const RigidBody& body, const RigidState& state)
{
    return world_inertia(body, state.R.toRotationMatrix()) * state.w;
}

} // namespace stickslip
