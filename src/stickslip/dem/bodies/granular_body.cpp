#include "stickslip/dem/bodies/granular_body.h"

#include <Eigen/LU>

#include <cmath>

namespace stickslip {

namespace {

/// Rotation by the vector theta [rad].
Quat turn_by(const Vec3& theta)
{
    const double half = 0.5 * theta.norm();
    const double share = half > 1e-8 ? std::sin(half) / half : 1 - half * half / 6; // of theta/2
    const Vec3 axis = 0.5 * share * theta;
    return {std::cos(half), axis.x(), axis.y(), axis.z()};
}

Mat3 inverse_inertia(const RigidBody& body, const Mat3& R)
{
    Mat3 inertia = R * body.inertia * R.transpose();
    for (int axis = 0; axis < 3; ++axis) {
        if (!body.fixed[3 + axis])
            continue;
        inertia.row(axis).setZero(); // of the free axes alone: a torque on a held one does nothing
        inertia.col(axis).setZero();
        inertia(axis, axis) = 1;
    }
    Mat3 inverse = inertia.inverse();
    for (int axis = 0; axis < 3; ++axis) {
        if (body.fixed[3 + axis]) {
            inverse.row(axis).setZero();
            inverse.col(axis).setZero();
        }
    }
    return inverse;
}

Vec3 inverse_mass(const RigidBody& body)
{
    Vec3 inverse = Vec3::Constant(1 / body.mass);
    for (int axis = 0; axis < 3; ++axis) {
        if (body.fixed[axis])
            inverse[axis] = 0;
    }
    return inverse;
}

} // namespace

Mobility mobility(const RigidBody& body, const Mat3& R)
{
    return {inverse_mass(body), inverse_inertia(body, R)};
}

BodyMotion initial_motion(const GranularBody& body)
{
    BodyMotion m{.x = body.start.x, .R = body.start.R.normalized(), .v = body.start.v, .w = body.start.w};
    for (int axis = 0; axis < 3; ++axis) {
        if (body.rigid.fixed[axis])
            m.v[axis] = 0;
        if (body.rigid.fixed[3 + axis])
            m.w[axis] = 0;
    }
    const Mat3 R = m.rotation();
    m.L = R * (body.rigid.inertia * (R.transpose() * m.w));
    for (int axis = 0; axis < 3; ++axis) {
        if (body.rigid.fixed[3 + axis])
            m.L[axis] = 0;
    }
    return m;
}

void kick(const RigidBody& body, double time, BodyMotion& motion)
{
    motion.v += time * inverse_mass(body).cwiseProduct(motion.rate.force);
    for (int axis = 0; axis < 3; ++axis) {
        if (!body.fixed[3 + axis])
            motion.L[axis] += time * motion.rate.torque[axis];
    }
}

void drift(const RigidBody& body, double dt, BodyMotion& motion)
{
    constexpr int most = 50; // falls by the factor |w| dt each time
    motion.x += dt * motion.v;
    Vec3 w = angular_velocity(body, motion);
    for (int i = 0; i < most; ++i) {
        const Mat3 half_way = (turn_by(0.5 * dt * w) * motion.R).toRotationMatrix();
        const Vec3 next = inverse_inertia(body, half_way) * motion.L;
        const bool done = (next - w).squaredNorm() <= 1e-30 * next.squaredNorm();
        w = next;
        if (done)
            break;
    }
    motion.R = (turn_by(dt * w) * motion.R).normalized();
    motion.w = w;
}

Vec3 angular_velocity(const RigidBody& body, const BodyMotion& motion)
{
    return inverse_inertia(body, motion.rotation()) * motion.L;
}

double translation_energy(const RigidBody& body, const BodyMotion& motion)
{
    return 0.5 * body.mass * motion.v.squaredNorm();
}

double rotation_energy(const BodyMotion& motion)
{
    return 0.5 * motion.L.dot(motion.w);
}

} // namespace stickslip
