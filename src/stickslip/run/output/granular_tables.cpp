#include "stickslip/run/output/granular_tables.h"

#include "stickslip/dem/bodies/body_step.h"
#include "stickslip/dem/packing/packing_statistics.h"
#include "stickslip/files/csv.h"
#include "stickslip/run/run_folder.h"
#include "stickslip/simulation/body_poses.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

std::string load_row(double time, const std::string& name, const Load& load)
{
    CsvRow row;
    return row.add(time).add(name).add(load.force).add(load.torque).take();
}

std::string packing_header()
{
    return csv_header({"time", "region", "spheres", "solid_fraction", "coordination", "mechanical_coordination",
        "rattlers", "vx", "vy", "vz", "stress_xx", "stress_yy", "stress_zz", "stress_xy", "stress_xz", "stress_yz",
        "fabric_xx", "fabric_yy", "fabric_zz", "fabric_xy", "fabric_xz", "fabric_yz"});
}

} // namespace

std::map<std::string, std::string> GranularTables::headers() const
{
    std::map<std::string, std::string> headers{{"history.csv", history_header()}, {"bodies.csv", bodies_header()},
        {"walls.csv", loads_header()}, {"packing.csv", packing_header()}};
    if (scene_.output.energy)
        headers["balance.csv"] = csv_header({"time", "kinetic_translation", "kinetic_rotation", "elastic_normal",
            "elastic_tangential", "elastic_rolling", "gravity_work", "wall_work", "load_work", "friction_loss",
            "rolling_loss", "damping_loss", "adhesion_loss", "local_damping_loss", "imbalance"});
    if (scene_.output.contacts) {
        headers["contacts.csv"] = csv_header({"time", "point_body", "surface_body", "node", "x", "y", "z", "nx", "ny",
            "nz", "fx", "fy", "fz", "depth", "state"});
        headers["pairs.csv"] = pairs_header();
    }
    if (std::any_of(scene_.bodies.begin(), scene_.bodies.end(), has_reaction))
        headers["reactions.csv"] = loads_header();
    return headers;
}

void GranularTables::write_history(
    RunFolder& folder, const EnergyLedger& e, const std::vector<GranularContact>& contacts, RunTotals& totals) const
{
    double deepest = 0;
    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
    for (const MovingPart& part : system_.moving_parts()) {
        momentum += part.mass * part.v;
        angular += part.mass * part.x.cross(part.v) + part.spin;
    }
    std::size_t sliding = 0;
    for (const GranularContact& c : contacts) {
        deepest = std::max(deepest, c.overlap);
        sliding += c.slides;
    }
    totals.max_contact_depth = std::max(totals.max_contact_depth, deepest);
    if (scene_.output.energy)
        totals.friction_loss = e.friction_loss + e.rolling_loss;
    CsvRow row;
    row.add(time()).add(system_.dt()).add(0).add(0).add(0);
    row.add(contacts.size()).add(contacts.size() - sliding).add(sliding);
    row.add(e.kinetic_translation + e.kinetic_rotation).add(system_.potential_energy()).add(0);
    row.add(e.elastic_normal + e.elastic_tangential + e.elastic_rolling);
    row.add(scene_.output.energy ? totals.friction_loss : nan);
    row.add(momentum).add(angular).add(deepest).add(totals.wall_time);
    folder.append("history.csv", row.take());
}

void GranularTables::write_balance(RunFolder& folder, const EnergyLedger& e, RunTotals& totals) const
{
    CsvRow row;
    row.add(time()).add(e.kinetic_translation).add(e.kinetic_rotation);
    row.add(e.elastic_normal).add(e.elastic_tangential).add(e.elastic_rolling);
    row.add(e.gravity_work).add(e.wall_work).add(e.load_work).add(e.friction_loss).add(e.rolling_loss);
    row.add(e.damping_loss).add(e.adhesion_loss).add(e.local_damping_loss).add(e.imbalance());
    folder.append("balance.csv", row.take());
    double& error = totals.largest_energy_error;
    error = std::max(error, std::abs(e.imbalance()));
}

void GranularTables::write_walls(RunFolder& folder, const std::vector<GranularContact>& contacts) const
{
    const auto write = [&](const std::string& name, const Load& load) {
        folder.append("walls.csv", load_row(time(), name, load));
    };
    for (std::size_t w = 0; w < granular_.world.walls.size(); ++w) {
        if (granular_.world.walls[w].body < 0)
            write(granular_.world.walls[w].name, system_.state().wall_load[w]);
    }
    for (const GranularRigid& rigid : granular_.rigids)
        write(scene_.bodies[rigid.scene_body].name, system_.state().body_load[rigid.body]);
    const ContactLoads loads = loads_of(contacts);
    for (const SphereSet& set : granular_.sets)
        folder.append("walls.csv", loads.body_row(time(), set.name, set.body, pose_of(built_, system_, set.body).x));
}

void GranularTables::write_reactions(RunFolder& folder) const
{
    for (const GranularRigid& rigid : granular_.rigids) {
        const BodySettings& body = scene_.bodies[rigid.scene_body];
        if (!has_reaction(body))
            continue;
        const GranularState& now = system_.state();
        const GranularWorld& world = system_.world(); // with the loads of now
        const Load load =
            reaction(world.bodies[rigid.body], world.gravity, now.body_load[rigid.body], now.bodies[rigid.body]);
        folder.append("reactions.csv", load_row(time(), body.name, load));
    }
}

void GranularTables::write_contacts(RunFolder& folder, const std::vector<GranularContact>& contacts) const
{
    const std::vector<int> slots = system_.slots();
    const auto name_of = [&](int id) { return granular_.sets[system_.state().spheres.group[slots[id]]].name; };
    for (const GranularContact& c : contacts) {
        CsvRow row;
        const bool sphere = c.first >= 0;
        row.add(time()).add(sphere ? name_of(c.first) : granular_.world.walls[c.point_wall].name);
        row.add(c.wall >= 0 ? granular_.world.walls[c.wall].name : name_of(c.second));
        row.add(sphere ? c.first : c.point).add(c.x).add(Vec3(-c.n)).add(c.force).add(c.overlap);
        row.add(c.slides ? "slide" : "stick");
        folder.append("contacts.csv", row.take());
    }
}

ContactLoads GranularTables::loads_of(const std::vector<GranularContact>& contacts) const
{
    const std::vector<int> slots = system_.slots();
    const auto body_of = [&](int id) { return granular_.sets[system_.state().spheres.group[slots[id]]].body; };
    ContactLoads loads(scene_.bodies.size());
    for (const GranularContact& c : contacts)
        loads.add(c.first >= 0 ? body_of(c.first) : granular_.wall_body[c.point_wall],
            c.wall >= 0 ? granular_.wall_body[c.wall] : body_of(c.second), c.x, c.force);
    return loads;
}

void GranularTables::write_pairs(RunFolder& folder, const std::vector<GranularContact>& contacts) const
{
    std::vector<Vec3> places;
    for (std::size_t i = 0; i < built_.bodies.size(); ++i)
        places.push_back(pose_of(built_, system_, i).x);
    folder.append("pairs.csv", loads_of(contacts).pair_rows(time(), scene_, places));
}

void GranularTables::write_packing(RunFolder& folder, const std::vector<GranularContact>& contacts) const
{
    std::string text;
    const auto add = [&](const std::string& name, const PackingStatistics& s) {
        CsvRow row;
        row.add(time()).add(name).add(s.spheres).add(s.solid_fraction);
        row.add(s.coordination).add(s.mechanical_coordination).add(s.rattlers);
        row.add(s.velocity.x()).add(s.velocity.y()).add(s.velocity.z());
        for (const Mat3& t : {s.stress, s.fabric})
            row.add(t(0, 0)).add(t(1, 1)).add(t(2, 2)).add(t(0, 1)).add(t(0, 2)).add(t(1, 2));
        text += row.take();
    };
    add(all_spheres, packing_statistics(system_, contacts));
    for (const RegionSettings& region : scene_.output.regions)
        add(region.name, packing_statistics(system_, contacts, region.box));
    folder.append("packing.csv", text);
}

void GranularTables::write_bodies(RunFolder& folder) const
{
    for (std::size_t i = 0; i < built_.bodies.size(); ++i) {
        const BodyPose pose = pose_of(built_, system_, i);
        CsvRow row;
        row.add(time()).add(scene_.bodies[i].name);
        row.add(pose.x).add(pose.R).add(pose.v).add(pose.w);
        folder.append("bodies.csv", row.take());
    }
}

} // namespace stickslip
