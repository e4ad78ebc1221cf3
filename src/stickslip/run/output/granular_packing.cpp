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

void keep_packing(const Scene& scene, const SphereSystem& system, RunTotals& totals)
{
    const std::vector<GranularContact> contacts = list_contacts(system);
    const auto keep = [&](const std::string& at, const PackingStatistics& s) {
        totals.numbers[at + "spheres"] = s.spheres;
        totals.numbers[at + "solid_fraction"] = s.solid_fraction;
        totals.numbers[at + "coordination"] = s.coordination;
        totals.numbers[at + "mechanical_coordination"] = s.mechanical_coordination;
        totals.numbers[at + "rattlers"] = s.rattlers;
        for (std::size_t n = 0; n < s.by_contacts.size(); ++n)
            totals.numbers[at + "by_contacts." + std::to_string(n)] = s.by_contacts[n];
    };
    keep("packing.", packing_statistics(system, contacts));
    for (const RegionSettings& region : scene.output.regions)
        keep("packing.regions." + region.name + ".", packing_statistics(system, contacts, region.box));
    if (system.state().spheres.size() == 0)
        return;
    const SizeStatistics sizes = size_statistics(system.state().spheres);
    totals.numbers["packing.radius.smallest"] = sizes.smallest;
    totals.numbers["packing.radius.mean"] = sizes.mean;
    totals.numbers["packing.radius.largest"] = sizes.largest;
    for (const auto& [name, value] :
        {std::pair("10", sizes.by_mass[0]), {"50", sizes.by_mass[1]}, {"90", sizes.by_mass[2]}})
        totals.numbers[std::string("packing.radius.by_mass_") + name] = value;
}

} // namespace stickslip
