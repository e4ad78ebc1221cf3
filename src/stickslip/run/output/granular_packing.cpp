#include "stickslip/run/output/granular_packing.h"

#include "stickslip/dem/packing/packing_statistics.h"
#include "stickslip/files/csv.h"

namespace stickslip {

std::string packing_header()
{
    return csv_header({"time", "region", "spheres", "solid_fraction", "coordination", "mechanical_coordination",
        "rattlers", "vx", "vy", "vz", "stress_xx", "stress_yy", "stress_zz", "stress_xy", "stress_xz", "stress_yz",
        "fabric_xx", "fabric_yy", "fabric_zz", "fabric_xy", "fabric_xz", "fabric_yz"});
}

std::string packing_rows(const Scene& scene, const SphereSystem& system, const std::vector<GranularContact>& contacts)
{
    std::string text;
    const auto add = [&](const std::string& name, const PackingStatistics& s) {
        CsvRow row;
        row.add(system.state().time).add(name).add(s.spheres).add(s.solid_fraction);
        row.add(s.coordination).add(s.mechanical_coordination).add(s.rattlers);
        row.add(s.velocity.x()).add(s.velocity.y()).add(s.velocity.z());
        for (const Mat3& t : {s.stress, s.fabric})
            row.add(t(0, 0)).add(t(1, 1)).add(t(2, 2)).add(t(0, 1)).add(t(0, 2)).add(t(1, 2));
        text += row.take();
    };
    add(all_spheres, packing_statistics(system, contacts));
    for (const RegionSettings& region : scene.output.regions)
        add(region.name, packing_statistics(system, contacts, region.box));
    return text;
}

PackingReport packing_report(const Scene& scene, const SphereSystem& system)
{
    const std::vector<GranularContact> contacts = list_contacts(system);
    PackingReport report{.all = packing_statistics(system, contacts), .regions = {}, .radii = {}};
    for (const RegionSettings& region : scene.output.regions)
        report.regions.emplace_back(region.name, packing_statistics(system, contacts, region.box));
    if (system.state().spheres.size() > 0)
        report.radii = size_statistics(system.state().spheres);
    return report;
}

} // namespace stickslip
