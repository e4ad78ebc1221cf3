#include "stickslip/io/probes.h"

#include "stickslip/io/body_names.h"
#include "stickslip/io/csv.h"

namespace stickslip {

Probes::Probes(const Scene& scene, const BuiltWorld& built)
{
    const std::size_t count = scene.bodies.size();
    for (const ProbeSettings& settings : scene.output.probes) {
        Probe probe{settings.name, std::vector<bool>(count), std::vector<bool>(count),
            settings.about.value_or(Vec3(Vec3::Zero()))};
        for (std::size_t i = 0; i < count; ++i) {
            const std::string& name = scene.bodies[i].name;
            const int body = contact_body(built.world, built.bodies[i]);
            probe.on[body] = names_body(settings.body, name);
            probe.by[body] = settings.by.empty() ? !probe.on[body] : names_body(settings.by, name);
        }
        probes_.push_back(probe);
    }
}

std::vector<ProbeReading> Probes::read(const BackwardEuler& system) const
{
    std::vector<ProbeReading> readings(probes_.size());
    system.contacts().for_each_contact([&](const ContactInfo& c) {
        for (std::size_t i = 0; i < probes_.size(); ++i) {
            const Probe& probe = probes_[i];
            const bool point = probe.on[c.point_body] && probe.by[c.surface_body];
            const bool surface = probe.on[c.surface_body] && probe.by[c.point_body];
            if (point == surface) // neither; or both, and the two cancel
                continue;
            const Vec3 force = point ? Vec3(-c.j) : c.j;
            const double along = force.dot(c.at.n);
            ProbeReading& sum = readings[i];
            ++sum.contacts;
            sum.pressed += std::abs(along);
            sum.normal += along * c.at.n;
            sum.friction += force - along * c.at.n;
            sum.torque += (c.Z - probe.about).cross(force); // the force acts along the line from Z to Y
        }
    });
    return readings;
}

std::string Probes::header()
{
    return csv_header({"time", "probe", "contacts", "pressed", "normal_x", "normal_y", "normal_z", "friction_x",
        "friction_y", "friction_z", "torque_x", "torque_y", "torque_z"});
}

std::string Probes::rows(double time, const BackwardEuler& system) const
{
    std::string text;
    const std::vector<ProbeReading> readings = read(system);
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        const ProbeReading& r = readings[i];
        CsvRow row;
        row.add(time).add(probes_[i].name).add(r.contacts).add(r.pressed).add(r.normal).add(r.friction).add(r.torque);
        text += row.take();
    }
    return text;
}

} // namespace stickslip
