#include "stickslip/run/output/contact_loads.h"

#include "stickslip/files/csv.h"

#include <algorithm>

namespace stickslip {

void ContactLoads::Sum::add(const Vec3& x, const Vec3& f)
{
    ++contacts;
    force += f;
    torque += x.cross(f);
}

void ContactLoads::add(int first, int second, const Vec3& x, const Vec3& force)
{
    by_body_[first].add(x, force);
    by_body_[second].add(x, -force);
    if (first <= second)
        by_pair_[{first, second}].add(x, force);
    else
        by_pair_[{second, first}].add(x, -force);
}

std::string ContactLoads::body_row(double time, const std::string& name, int body, const Vec3& place) const
{
    const Sum& sum = by_body_[body];
    CsvRow row;
    return row.add(time).add(name).add(sum.force).add(sum.torque_about(place)).take();
}

std::string ContactLoads::pair_rows(double time, const Scene& scene, const std::vector<Vec3>& places) const
{
    std::string text;
    for (const auto& [pair, sum] : by_pair_) {
        if (pair.first == pair.second) // spheres of one body: the sum is nothing
            continue;
        CsvRow row;
        row.add(time).add(scene.bodies[pair.first].name + "+" + scene.bodies[pair.second].name).add(sum.contacts);
        text += row.add(sum.force).add(sum.torque_about(places[pair.first])).take();
    }
    return text;
}

bool has_reaction(const BodySettings& body)
{
    return !body.fix.empty() || (body.is_free_rigid() && body.fixed_dofs != FixedDofs{});
}

std::string loads_header()
{
    return csv_header({"time", "body", "fx", "fy", "fz", "tx", "ty", "tz"});
}

bool names_regions(const Scene& scene)
{
    return std::ranges::any_of(scene.bodies, [](const BodySettings& body) {
        return std::ranges::any_of(body.fix, [](const FixSettings& fix) { return !fix.name.empty(); });
    });
}

std::string reactions_header(const Scene& scene)
{
    if (!names_regions(scene)) // as in runs of old
        return loads_header();
    return csv_header({"time", "body", "region", "fx", "fy", "fz", "tx", "ty", "tz", "x", "y", "z"});
}

std::string pairs_header()
{
    return csv_header({"time", "pair", "contacts", "fx", "fy", "fz", "tx", "ty", "tz"});
}

} // namespace stickslip
