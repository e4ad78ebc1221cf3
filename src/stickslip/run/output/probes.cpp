#include "stickslip/run/output/probes.h"

#include "stickslip/files/csv.h"
#include "stickslip/scene/text/body_names.h"

namespace stickslip {

Probes::Probes(const Scene& scene, const BuiltWorld& built)
{
    const std::size_t count = scene.bodies.size();
    for (const ProbeSettings& settings : scene.output.probes) {
        Probe probe{settings.name, std::vector<bool>(count), std::vector<bool>(count),
            settings.about.value_or(Vec3(Vec3::Zero()))};
        for (std::size_t i = 0; i < count; ++i) {
            const std::string& name = scene.bodies[i].name;
            const int body = built.granular ? static_cast<int>(i) : contact_body(built.world, built.bodies[i]);
            probe.on[body] = names_body(settings.body, name);
            probe.by[body] = settings.by.empty() ? !probe.on[body] : names_body(settings.by, name);
        }
        probes_.push_back(probe);
    }
}

void Probes::add(
    int first, int second, const Vec3& x, const Vec3& n, const Vec3& force, std::vector<ProbeReading>& readings) const
{
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        const Probe& probe = probes_[i];
        const bool on_first = probe.on[first] && probe.by[second], on_second = probe.on[second] && probe.by[first];
        if (on_first == on_second) // neither; or both, and the two cancel
            continue;
        const Vec3 here = on_first ? force : Vec3(-force);
        const double along = here.dot(n);
        ProbeReading& sum = readings[i];
        ++sum.contacts;
        sum.normal_sum += std::abs(along);
        sum.normal += along * n;
        sum.friction += here - along * n;
        sum.torque += (x - probe.about).cross(here);
    }
}

std::vector<ProbeReading> Probes::read(const BackwardEuler& system) const
{
    std::vector<ProbeReading> readings(probes_.size());
    system.contacts().for_each_contact([&](const Contact& c) { // the force acts along the line from Z to Y
        add(c.point_body, c.surface_body, c.Z, c.at.n, -c.j, readings);
    });
    return readings;
}

std::vector<ProbeReading> Probes::read(
    const std::vector<GranularContact>& contacts, const BuiltGranular& granular, const std::vector<int>& group) const
{
    std::vector<ProbeReading> readings(probes_.size());
    const auto of_sphere = [&](int id) { return granular.sets[group[id]].body; };
    for (const GranularContact& c : contacts) {
        const int first = c.first >= 0 ? of_sphere(c.first) : granular.wall_body[c.point_wall];
        const int second = c.wall >= 0 ? granular.wall_body[c.wall] : of_sphere(c.second);
        add(first, second, c.x, c.n, c.force, readings);
    }
    return readings;
}

std::string Probes::header()
{
    return csv_header({"time", "probe", "contacts", "normal_sum", "normal_x", "normal_y", "normal_z", "friction_x",
        "friction_y", "friction_z", "torque_x", "torque_y", "torque_z"});
}

std::string Probes::rows(double time, const std::vector<ProbeReading>& readings) const
{
    std::string text;
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        const ProbeReading& r = readings[i];
        CsvRow row;
        row.add(time)
            .add(probes_[i].name)
            .add(r.contacts)
            .add(r.normal_sum)
            .add(r.normal)
            .add(r.friction)
            .add(r.torque);
        text += row.take();
    }
    return text;
}

} // namespace stickslip
