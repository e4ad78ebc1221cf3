#pragma once

#include "stickslip/math/types.h"

#include <cstdint>
#include <vector>

namespace stickslip {

/// The arrays of all spheres, one entry a slot. Slots are reordered now and then so that neighbours in space are
/// neighbours in memory; `id` says who sits where. Grouped by what one loop reads together.
struct SpherePlace {
    Vec3 x; // [m] centre
    double radius; // [m]
};
struct SphereMotion {
    Vec3 v; // [m/s]
    double compliance; // [m/N] its half of a contact in the linear law
    Vec3 w; // [rad/s] world axes
    double inverse_mass; // [1/kg]
};
struct SphereAcceleration {
    Vec3 linear = Vec3::Zero(); // [m/s^2]
    Vec3 angular = Vec3::Zero(); // [rad/s^2]
};
struct Spheres {
    std::vector<SpherePlace> place;
    std::vector<SphereMotion> motion;
    std::vector<SphereAcceleration> acceleration; // of contacts, gravity and local damping
    std::vector<Quat> orientation; // unit
    std::vector<int> material;
    std::vector<int> id; // never changes for a sphere, never given twice
    std::vector<int> group; // whose it is: carried along, not read

    std::size_t size() const { return place.size(); }
};

/// Sum of contacts on a sphere or a wall.
struct Load {
    Vec3 force = Vec3::Zero(); // [N]
    Vec3 torque = Vec3::Zero(); // [N m] about the centre of the sphere, the origin of the wall's frame

    Load& operator+=(const Load& other)
    {
        force += other.force;
        torque += other.torque;
        return *this;
    }
};

/// A Load as two rows of four numbers, the last of each zero: one vector register holds a row.
struct alignas(32) LoadRows {
    double force[4] = {}; // [N]
    double torque[4] = {}; // [N m]

    LoadRows& operator+=(const Load& load)
    {
        for (int a = 0; a < 3; ++a) {
            force[a] += load.force[a];
            torque[a] += load.torque[a];
        }
        return *this;
    }
    LoadRows& operator+=(const LoadRows& other)
    {
        for (int a = 0; a < 4; ++a) {
            force[a] += other.force[a];
            torque[a] += other.torque[a];
        }
        return *this;
    }
    Load load() const { return {{force[0], force[1], force[2]}, {torque[0], torque[1], torque[2]}}; }
};

/// State of a contact between steps, with springs from the first of the two to the second.
struct ContactHistory {
    std::vector<Vec3> slip; // [m] stretch of the tangential spring
    std::vector<Vec3> turn; // [rad] of the rolling and twisting springs; empty when no material has them
    std::vector<std::uint8_t> touching; // nonzero while the contact lasts

    void resize(std::size_t count, bool with_turn)
    {
        slip.assign(count, Vec3::Zero());
        turn.assign(with_turn ? count : 0, Vec3::Zero());
        touching.assign(count, 0);
    }
    /// Entry `to` becomes entry `from` of another history; sign -1: the two have changed places.
    void take(std::size_t to, const ContactHistory& other, std::size_t from, double sign)
    {
        slip[to] = sign * other.slip[from];
        if (!turn.empty())
            turn[to] = sign * other.turn[from];
        touching[to] = other.touching[from];
    }
};

/// Energy that contacts took out since the start [J].
struct ContactLosses {
    double friction = 0, rolling = 0, damping = 0, adhesion = 0;

    ContactLosses& operator+=(const ContactLosses& other)
    {
        friction += other.friction;
        rolling += other.rolling;
        damping += other.damping;
        adhesion += other.adhesion;
        return *this;
    }
};

} // namespace stickslip
