#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/dem/contact_list.h"
#include "stickslip/scene/scene.h"

#include <string>
#include <vector>

namespace stickslip {

/// Sum of the contact forces on a body.
struct ProbeReading {
    std::size_t contacts = 0;
    double normal_sum = 0; // [N] sum of the sizes of all normal forces
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
    /// Of an explicit run. group: of the spheres, by id.
    std::vector<ProbeReading> read(const std::vector<GranularContact>& contacts, const BuiltGranular& granular,
        const std::vector<int>& group) const;

    static std::string header(); // of probes.csv
    std::string rows(double time, const std::vector<ProbeReading>& readings) const;

private:
    /// Adds a contact of two bodies to what probes read: at x, normal n of either sign, force on the first.
    void add(int first, int second, const Vec3& x, const Vec3& n, const Vec3& force,
        std::vector<ProbeReading>& readings) const;

    struct Probe {
        std::string name;
        std::vector<bool> on, by; // by body, as contact counts them; explicit runs: as the scene does
        Vec3 about; // [m]
    };
    std::vector<Probe> probes_;
};

} // namespace stickslip
