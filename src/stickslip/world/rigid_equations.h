#pragma once

#include "stickslip/bodies/rigid_body.h"
#include "stickslip/contact/detect/contact_bodies.h"
#include "stickslip/math/types.h"

#include <array>
#include <span>
#include <vector>

namespace stickslip {

/// Motion of the rigid bodies in one step, and what their own equations say without contact. Two blocks a body:
///     x:      m dv - dt f = 0
///     theta:  R I R^T omega - L_old - dt tau = 0,   R = exp(dt omega) R_old
/// The second is the momentum form: gyroscopic motion is right and angular momentum kept. Unknowns z = m^1/2 dv and
/// S domega with S the square root of the inertia at the start of the step (world axes). A degree of freedom that is
/// fixed has the equation z = 0 (its body takes a multiple of the identity for S). Paper: Alg 1, Alg 4
class RigidEquations {
public:
    explicit RigidEquations(const std::vector<RigidBody>& bodies);

    void begin_step(std::span<const RigidState> old, double dt);

    /// z: two blocks a body. Or those of one body, the others staying as they are.
    void set_candidate(std::span<const Vec3> z);
    void set_candidate(std::size_t body, std::span<const Vec3, 2> z);

    /// g of the two blocks of each body, from forces f [N] and torques [N m] at the candidate; or those of one body.
    void residual(std::span<const Vec3> z, std::span<const Vec3> f, std::span<Vec3> g) const;
    void residual(std::size_t body, std::span<const Vec3, 2> z, std::span<const Vec3, 2> f, std::span<Vec3, 2> g) const;

    /// Derivative of block theta's equation, without torque, by z of the same block.
    Mat3 inertia_block(std::size_t body) const;

    /// z of a velocity change: (root(block) dv, fixed parts zero), and back.
    Vec3 to_unknown(int block, const Vec3& dv) const { return free_[block].cwiseProduct(root_[block] * dv); }
    Vec3 from_unknown(int block, const Vec3& z) const { return inverse_root_[block] * free_[block].cwiseProduct(z); }

    /// The unknowns of the accelerations of the last step.
    std::array<Vec3, 2> last_acceleration(std::size_t body) const;

    /// No Newton step turns a body by more than 0.5 rad: the largest multiple of one that may be taken, from the
    /// unknowns of the body's turn. A ball looks the same however it turns.
    double longest_step(std::size_t body, const Vec3& dz_theta) const;

    /// [rad] A body in contact turns no further in a step: backward Euler has false roots there, and the way of its
    /// surface is seen by its ends. What is one ball and touches the surfaces of others may.
    static constexpr double longest_turn = 1;
    bool turned_too_far(std::size_t body) const;

    /// Inverse square root of mass or inertia; rows and columns of fixed parts are masked by `free`.
    const Mat3& inverse_root(int block) const { return inverse_root_[block]; }
    const Vec3& free(int block) const { return free_[block]; } // 1 or 0
    Mat3 masked(int row, int column, const Mat3& D) const
    {
        return free_[row].asDiagonal() * D * free_[column].asDiagonal();
    }

    /// A derivative of force by position in the scaled unknowns.
    Mat3 scaled(int row, int column, const Mat3& D) const
    {
        return masked(row, column, inverse_root_[row] * D * inverse_root_[column]);
    }

    /// Effect of round-off of the body's place on its measure [m/s], taken as eps |x| times the stiffness that
    /// multiplies positions in H_xx, the scaled block of its centre.
    double round_off(std::size_t body, const Mat3& H_xx) const;

    const std::vector<RigidCandidate>& candidates() const { return candidates_; }

    /// The state at the candidate, with its accelerations.
    std::vector<RigidState> end_of_step() const;

private:
    const std::vector<RigidBody>* bodies_;
    double dt_ = 0;
    std::vector<RigidState> old_;
    std::vector<Vec3> old_momentum_; // [kg m^2/s] angular
    std::vector<Mat3> root_, inverse_root_; // by block
    std::vector<Vec3> free_; // by block
    std::vector<RigidCandidate> candidates_;
    std::vector<Vec3> v_, w_; // [m/s], [rad/s]
};

/// The body looks the same however it turns.
bool is_one_ball(const RigidBody& body);

/// Inertia in world axes [kg m^2], and angular momentum about the centre of mass [kg m^2/s].
Mat3 world_inertia(const RigidBody& body, const Mat3& R);
Vec3 spin_momentum(const RigidBody& body, const RigidState& state);

} // namespace stickslip
