#pragma once

#include "stickslip/dem/pairs/normal_force.h"
#include "stickslip/math/lanes.h"

namespace stickslip {

/// Two surfaces that touch at the end of a drift of dt. Velocities are those of the drift, so that dt times them is the
/// way made since the last step, exactly. All are of the second side relative to the first. Real: one contact, or
/// Lanes.
template <typename Real>
struct Meeting {
    Triple<Real> n; // unit, from the first to the second
    Real overlap; // [m]
    Real separation; // [m/s] rate of the gap
    Triple<Real> velocity; // [m/s] of the surfaces at the contact
    Triple<Real> frame_turn; // [rad] rotation of the contact since the last step: normal and mean spin about it
    Triple<Real> spin; // [rad/s] relative angular velocity
    Real radius; // [m] R*, 1/R* = 1/R_a + 1/R_b
    Real mass; // [kg] m*
    Mask<Real> fresh; // began in this step
    Triple<Real> later_velocity = {}, later_spin = {}; // at the end of the step, to second order: for the ledger alone
};

/// Elastic answer of the two sides, from normal_force.
template <typename Real>
struct Elasticity {
    Real force, stiffness, shear_stiffness, pull_off; // as in NormalForce
    Real earlier_shear; // [N/m] shear stiffness at the last step
    Real begins; // [m] overlap where the contact begins
};

template <typename Real>
struct Resistance {
    Real friction, rolling_friction, twisting_friction; // [-]
    Real damping; // [-] 2 zeta, and sqrt(5/6) of it with Hertz's tangent stiffness
    Real catch_up; // [-] share of c dt/(2 m*) by which the dashpot is stronger in finite steps
    Real shear_damping; // [-] 2 zeta sqrt(2/7)
};
template <NormalLaw law>
Resistance<double> resistance(const PairLaw& pair)
{
    const double hertz = law == NormalLaw::linear ? 1 : std::sqrt(5.0 / 6);
    return {pair.friction, pair.rolling_friction, pair.twisting_friction, 2 * hertz * pair.damping_ratio,
        law == NormalLaw::linear ? 1.0 / 2 : 6.0 / 11, 2 * std::sqrt(2.0 / 7) * pair.damping_ratio};
}

/// Springs of a contact, from the first side to the second.
template <typename Real>
struct Springs {
    Triple<Real> slip; // [m]
    Triple<Real> turn; // [rad]
};

/// On the first side; the second gets the opposite, and each the torque of the force about its own centre.
template <typename Real>
struct ContactForce {
    Triple<Real> force; // [N]
    Triple<Real> moment; // [N m] of rolling and twisting
    Real friction_loss, rolling_loss, damping_loss; // [J] in this step, with ledger; else zero
};

/// v turned by a small rotation vector, to second order.
template <typename Real>
Triple<Real> turned(const Triple<Real>& v, const Triple<Real>& rotation)
{
    return v + cross(rotation, v + 0.5 * cross(rotation, v));
}

/// Elastic, viscous and frictional force of one contact (or four); moves its springs on by one step.
///   normal      F = F_e(d) - c d/dt(gap), never pulling more than adhesion does
///   tangential  k_t slip + c_t u, at most friction x (F + pull-off): Coulomb
///   rolling     k_t R*^2 turn + c_r spin, both parts capped alike
/// A growing contact keeps its tangential force, a shrinking one its stretch: both only lose energy.
/// docs/derivations.md#granular-spheres
template <bool damped, bool rolls, typename Real>
inline ContactForce<Real> contact_force(const Resistance<Real>& law, const Elasticity<Real>& elastic,
    const Meeting<Real>& m, double dt, bool ledger, Springs<Real>& springs)
{
    const Real none = {}, one = none + 1.0;
    const Real kt = elastic.shear_stiffness;
    Real share = one; // of the step for which a contact lasted that began in it
    if (any(m.fresh)) {
        const Real inside = m.overlap - elastic.begins, before = inside + dt * m.separation;
        share = before < none ? inside / (inside - before) : one;
        share = m.fresh ? share : one;
    }
    Real normal = elastic.force, shear_damping = none;
    if constexpr (damped) {
        // The rate at the end of the step is that of the drift plus half a step of the dashpot's own force: implicit,
        // and the elastic force, which other forces may balance, is left whole. In a collision nothing balances it;
        // the stronger dashpot makes up for that.
        const Real lasting = share < one ? 0.5 + share : one;
        const Real c0 = law.damping * square_root(Real(m.mass * elastic.stiffness)), half_step = dt / (2.0 * m.mass);
        const Real c = lasting * c0 * (1.0 + law.catch_up * half_step * c0);
        normal = normal - c * m.separation / (1.0 + c * half_step);
        normal = larger(normal, smaller(elastic.force, Real(-elastic.pull_off)));
        shear_damping = law.shear_damping * square_root(Real(m.mass * kt));
    }
    const Real load = larger(Real(normal + elastic.pull_off), none);
    Real growth = one;
    if (const Mask<Real> grows = elastic.earlier_shear < kt; any(grows))
        growth = grows ? elastic.earlier_shear / kt : one;
    const Triple<Real> zero = {none, none, none};

    const Triple<Real> u = m.velocity - dot(m.velocity, m.n) * m.n;
    Triple<Real> old_slip = growth * turned(springs.slip, m.frame_turn);
    old_slip = choose<Real>(m.fresh, zero, old_slip - dot(old_slip, m.n) * m.n);
    const Triple<Real> stretched = old_slip + (share * dt) * u;
    const Triple<Real> trial = damped ? kt * stretched + shear_damping * u : kt * stretched;
    const Real cap = law.friction * load, square = dot(trial, trial);
    const Mask<Real> slides = square > cap * cap;
    const Real factor = slides ? cap / square_root(square) : one;
    const Triple<Real> force = factor * trial;
    if constexpr (damped)
        springs.slip = choose<Real>(slides, (kt > none ? 1.0 / kt : none) * force, stretched);
    else
        springs.slip = factor * stretched;
    ContactForce<Real> result = {force - normal * m.n, zero, none, none, none};
    [[maybe_unused]] const Real shrinkage = growth > none ? 1.0 / growth : none;
    if (ledger) {
        const Triple<Real> old_force = (m.fresh ? none : Real(elastic.earlier_shear * shrinkage)) * old_slip;
        const Real unscaled = m.fresh ? none : Real(dot(old_force, old_slip) * shrinkage);
        const Real stored = 0.5 * kt * dot(springs.slip, springs.slip) - 0.5 * unscaled;
        result.friction_loss = 0.5 * dt * dot(old_force + kt * springs.slip, u) - stored;
        result.damping_loss = -dt * (normal - elastic.force) * dot(m.later_velocity, m.n);
        result.damping_loss += slides ? none : Real(dt * shear_damping * dot(u, m.later_velocity));
    }

    if constexpr (rolls) {
        const Real k = kt * m.radius * m.radius;
        const Triple<Real> old_turn = choose<Real>(m.fresh, zero, growth * turned(springs.turn, m.frame_turn));
        const Triple<Real> wound = old_turn + (share * dt) * m.spin;
        const Real c = law.shear_damping * 1.1832159566199232 * m.radius * square_root(Real(m.mass * k)); // sqrt(7/5)
        const Triple<Real> moment = k * wound + c * m.spin;
        const Real twist = dot(moment, m.n), twist_cap = law.twisting_friction * m.radius * load;
        const Triple<Real> roll = moment - twist * m.n;
        const Real roll_cap = law.rolling_friction * m.radius * load, roll_size = square_root(dot(roll, roll));
        const Mask<Real> roll_slides = roll_size > roll_cap,
                         twist_slides = (twist < none ? Real(-twist) : twist) > twist_cap;
        const Triple<Real> roll_now = choose<Real>(roll_slides, (roll_cap / roll_size) * roll, roll);
        const Real twist_now = twist_slides ? (twist < none ? Real(-twist_cap) : twist_cap) : twist;
        const Real wound_twist = dot(wound, m.n);
        const Real soft_turn = k > none ? 1.0 / k : none;
        springs.turn = choose<Real>(roll_slides, soft_turn * roll_now, wound - wound_twist * m.n)
            + (twist_slides ? Real(soft_turn * twist_now) : wound_twist) * m.n;
        result.moment = roll_now + twist_now * m.n;
        if (ledger) {
            const Real earlier_k = elastic.earlier_shear * m.radius * m.radius;
            const Triple<Real> old_moment = (m.fresh ? none : Real(earlier_k * shrinkage)) * old_turn;
            const Real unscaled = m.fresh ? none : Real(dot(old_moment, old_turn) * shrinkage);
            const Real stored = 0.5 * k * dot(springs.turn, springs.turn) - 0.5 * unscaled;
            result.rolling_loss = 0.5 * dt * dot(old_moment + k * springs.turn, m.spin) - stored;
            result.damping_loss += dt * dot(result.moment - k * springs.turn, m.later_spin);
        }
    }
    return result;
}

/// Elasticity of a contact now and at its last overlap.
template <NormalLaw law, typename Real>
Elasticity<Real> elasticity(const PairCoefficients<Real>& pair, const std::type_identity_t<Real>& overlap,
    const std::type_identity_t<Real>& earlier_overlap, const std::type_identity_t<Real>& R,
    const std::type_identity_t<Real>& stiffness)
{
    const NormalForce<Real> now = normal_force<law>(pair, overlap, R, stiffness);
    Real earlier_shear = now.shear_stiffness;
    if constexpr (law != NormalLaw::linear) {
        const Real earlier = larger(earlier_overlap, ends_at<law>(pair, R));
        earlier_shear = normal_force<law>(pair, earlier, R, stiffness).shear_stiffness;
    }
    return {now.force, now.stiffness, now.shear_stiffness, now.pull_off, earlier_shear, begins_at<law>(pair, R)};
}

} // namespace stickslip
