#pragma once

#include "stickslip/dem/normal_force.h"
#include "stickslip/dem/spheres.h"
#include "stickslip/math/types.h"

namespace stickslip {

/// Two surfaces that touch at the end of a drift of dt. Velocities are those of the drift, so that dt times them is the
/// way made since the last step, exactly. All are of the second side relative to the first.
struct Meeting {
    Vec3 n; // unit, from the first to the second
    double overlap; // [m]
    double separation; // [m/s] rate of the gap
    Vec3 velocity; // [m/s] of the surfaces at the contact
    Vec3 frame_turn; // [rad] rotation of the contact since the last step: normal and mean spin about it
    Vec3 spin; // [rad/s] relative angular velocity
    double radius; // [m] R*, 1/R* = 1/R_a + 1/R_b
    double mass; // [kg] m*
    double stiffness; // [N/m] of the linear law
    Vec3 later_velocity, later_spin; // the same at the end of the step, to second order: for the energy ledger alone
};

/// On the first side; the second gets the opposite, and each the torque of the force about its own centre.
struct ContactForce {
    Vec3 force; // [N]
    Vec3 moment; // [N m] of rolling and twisting
    double normal; // [N] positive pushes apart
};

/// v turned by the small rotation vector, to second order.
inline Vec3 turned(const Vec3& v, const Vec3& rotation)
{
    return v + rotation.cross(v + 0.5 * rotation.cross(v));
}

/// Share of the step for which a contact has lasted that began in it, and 1 for an older one.
inline double share_of_first_step(bool fresh, double overlap, double begins, double separation, double dt)
{
    const double before = overlap + dt * separation - begins; // overlap at the last step
    return fresh && before < 0 ? (overlap - begins) / (overlap - begins - before) : 1;
}

/// Elastic, viscous and frictional force of one contact; moves its springs on by one step.
///   normal      F = F_e(d) - c d/dt(gap), never pulling more than adhesion does
///   tangential  k_t slip + c_t u, at most friction x (F + pull-off): Coulomb
///   rolling     k_t R*^2 turn + c_r spin, both parts capped alike
/// turn: null without rolling and twisting resistance.   losses: changed only with `ledger`.
/// docs/derivations.md#granular-spheres
template <NormalLaw law, bool ledger>
inline ContactForce contact_force(
    const PairLaw& pair, const Meeting& m, bool fresh, double dt, Vec3& slip, Vec3* turn, ContactLosses& losses)
{
    const NormalForce elastic = normal_force<law>(pair, m.overlap, m.radius, m.stiffness);
    const double kt = elastic.shear_stiffness;
    const double share =
        fresh ? share_of_first_step(true, m.overlap, begins_at<law>(pair, m.radius), m.separation, dt) : 1;
    double normal = elastic.force, shear_damping = 0;
    if (pair.damping_ratio > 0) {
        // 2 zeta sqrt(m k), and sqrt(5/6) of it on Hertz's tangent stiffness. The rate at the end of the step is that
        // of the drift plus half a step of this very force, which makes the dashpot implicit.
        constexpr double of_critical = law == NormalLaw::linear ? 2 : 1.8257418583505538;
        const double c =
            (share < 1 ? 0.5 + share : 1) * of_critical * pair.damping_ratio * std::sqrt(m.mass * elastic.stiffness);
        normal = (normal - c * m.separation) / (1 + c * dt / (2 * m.mass));
        normal = std::max(normal, std::min(elastic.force, -elastic.pull_off));
        shear_damping = 2 * pair.damping_ratio * std::sqrt(2.0 / 7 * m.mass * kt);
    }
    if (ledger)
        losses.damping -= dt * (normal - elastic.force) * m.later_velocity.dot(m.n);

    const Vec3 u = m.velocity - m.velocity.dot(m.n) * m.n;
    double earlier_kt = kt; // at the last step
    if (fresh) {
        slip.setZero();
    } else {
        slip = turned(slip, m.frame_turn);
        slip -= slip.dot(m.n) * m.n;
        if constexpr (law != NormalLaw::linear) {
            const double before = std::max(m.overlap + dt * m.separation, ends_at<law>(pair, m.radius));
            earlier_kt = normal_force<law>(pair, before, m.radius, m.stiffness).shear_stiffness;
            if (earlier_kt < kt) { // a growing contact keeps its force, a shrinking one its stretch: both lose energy
                slip *= earlier_kt / kt;
            }
        }
    }
    const Vec3 old_slip = slip;
    const double cap = pair.friction * std::max(normal + elastic.pull_off, 0.0);
    slip += (share * dt) * u;
    Vec3 force = kt * slip + shear_damping * u;
    const double square = force.squaredNorm();
    const bool slides = square > cap * cap;
    if (slides) {
        force *= cap / std::sqrt(square);
        slip = kt > 0 ? Vec3(force / kt) : Vec3(Vec3::Zero());
    }
    if (ledger) {
        const double old_stretch = earlier_kt > 0 ? std::max(1.0, kt / earlier_kt) : 0;
        const Vec3 old_force = earlier_kt * old_stretch * old_slip;
        const double stored = 0.5 * kt * slip.squaredNorm() - 0.5 * old_force.dot(old_stretch * old_slip);
        losses.friction += 0.5 * dt * (old_force + kt * slip).dot(u) - stored;
        if (!slides)
            losses.damping += dt * shear_damping * u.dot(m.later_velocity);
    }

    ContactForce result = {force - normal * m.n, Vec3::Zero(), normal};
    if (turn) {
        const double k = kt * m.radius * m.radius, earlier_k = earlier_kt * m.radius * m.radius;
        *turn = fresh ? Vec3(Vec3::Zero()) : turned(*turn, m.frame_turn);
        if (!fresh && earlier_kt < kt)
            *turn *= earlier_kt / kt;
        const Vec3 old_turn = *turn;
        const double c = 2 * pair.damping_ratio * m.radius * std::sqrt(0.4 * m.mass * k);
        *turn += (share * dt) * m.spin;
        const Vec3 moment = k * *turn + c * m.spin;
        double twisting = moment.dot(m.n);
        Vec3 rolling = moment - twisting * m.n;
        const double load = m.radius * std::max(normal + elastic.pull_off, 0.0);
        const bool rolls = rolling.norm() > pair.rolling_friction * load;
        const bool twists = std::abs(twisting) > pair.twisting_friction * load;
        if (rolls)
            rolling *= pair.rolling_friction * load / rolling.norm();
        if (twists)
            twisting = std::copysign(pair.twisting_friction * load, twisting);
        const double spring_twist = twists || k == 0 ? twisting : k * turn->dot(m.n);
        const Vec3 spring_roll = rolls || k == 0 ? rolling : Vec3(k * (*turn - turn->dot(m.n) * m.n));
        *turn = k > 0 ? Vec3((spring_roll + spring_twist * m.n) / k) : Vec3(Vec3::Zero());
        result.moment = rolling + twisting * m.n;
        if (ledger) {
            const double old_stretch = earlier_kt > 0 ? std::max(1.0, kt / earlier_kt) : 0;
            const Vec3 old_moment = earlier_k * old_stretch * old_turn;
            const Vec3 spring = spring_roll + spring_twist * m.n;
            const double stored = 0.5 * spring.dot(*turn) - 0.5 * old_moment.dot(old_stretch * old_turn);
            losses.rolling += 0.5 * dt * (old_moment + spring).dot(m.spin) - stored;
            losses.damping += dt * (result.moment - spring).dot(m.later_spin);
        }
    }
    return result;
}

/// Books what a contact that ends still had in its springs.
template <NormalLaw law>
void book_release(
    const PairLaw& pair, double R, double stiffness, const Vec3& slip, const Vec3* turn, ContactLosses& losses)
{
    const double at = ends_at<law>(pair, R);
    const double kt = normal_force<law>(pair, at, R, stiffness).shear_stiffness;
    losses.friction += 0.5 * kt * slip.squaredNorm();
    if (turn)
        losses.rolling += 0.5 * kt * R * R * turn->squaredNorm();
    if constexpr (law == NormalLaw::jkr)
        losses.adhesion += normal_energy<law>(pair, at, R, stiffness);
}

} // namespace stickslip
