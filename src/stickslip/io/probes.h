#pragma once

#include "stickslip/io/build_world.h"
#include "stickslip/io/scene.h"

#include <string>
#include <vector>

namespace stickslip {

/// What the contacts do to a body, added up.
struct ProbeReading {
    std::size_t contacts = 0;
    double pressed = 0; // [N] sum of the sizes of all normal forces
    Vec3 normal = Vec3::Zero(), friction = Vec3::Zero(); // [N] sums of normal and of tangential forces
    Vec3 torque = Vec3::Zero(); // [N m] of both, about the probe's point
};

/// The probes of a scene on its contacts.
class Probes {
public:
    Probes(const Scene& scene, const BuiltWorld& built);

    bool empty() const { return probes_.empty(); }

    /// One for each of the scene's probes, in their order.
    std::vector<ProbeReading> read(const BackwardEuler& system) const;

    static std::string header(); // of probes.csv
    std::string rows(double time, const BackwardEuler& system) const;

private:
    struct Probe {
        std::string name;
        std::vector<bool> on, by; // by body, as contact counts them
        Vec3 about; // [m]
    };
    std::vector<Probe> probes_;
};

} // namespace stickslip
