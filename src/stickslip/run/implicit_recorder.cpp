#include "stickslip/run/implicit_recorder.h"

#include "stickslip/files/csv.h"
#include "stickslip/run/output/contact_loads.h"
#include "stickslip/run/run_folder.h"
#include "stickslip/scene/text/wording.h"
#include "stickslip/simulation/body_poses.h"
#include "stickslip/world/diagnostics.h"

#include <algorithm>
#include <span>
#include <vector>

namespace stickslip {

namespace {

std::string balance_header()
{
    return csv_header(
        {"time", "change", "external_work", "stiffening_work", "inertia_loss", "elastic_loss", "geometric_loss",
            "viscous_loss", "friction_loss", "contact_loss", "energy_error", "momentum_error_x", "momentum_error_y",
            "momentum_error_z", "angular_error_x", "angular_error_y", "angular_error_z", "angular_backward_euler_x",
            "angular_backward_euler_y", "angular_backward_euler_z", "plastic_loss", "transfer_loss", "hardening_work"});
}

std::string contacts_header()
{
    return csv_header({"time", "point_body", "surface_body", "node", "x", "y", "z", "nx", "ny", "nz", "fx", "fy", "fz",
        "depth", "state"});
}

std::string solves_header()
{
    return csv_header({"time", "dt", "status", "tries", "newton", "krylov", "descent_steps", "evaluations", "residual",
        "evaluation", "assembly", "linear_solve"});
}

/// Adds how far the surface has slid in this step at each node of a deformable body [m]: the mean over the contacts
/// that load the node, by what each of them loads it with,
///     sum_c |f_c| |slip_c| / sum_c |f_c|      f_c: force of contact c on the node
/// so that a node that two faces of the same ground share slides once.
void add_node_slip(const ContactBlocks& contacts, std::span<double> slip)
{
    std::vector<double> force(slip.size(), 0), weighted(slip.size(), 0);
    for (const Contact& c : contacts.contacts())
        for (int b = 0; b < c.loaded; ++b) {
            const auto block = static_cast<std::size_t>(contacts.block(c, b));
            if (block >= slip.size()) // of a rigid body or a material point
                continue;
            const double f = contacts.load(c, b).norm();
            force[block] += f;
            weighted[block] += f * c.at.slip.norm();
        }
    for (std::size_t node = 0; node < slip.size(); ++node)
        if (force[node] > 0)
            slip[node] += weighted[node] / force[node];
}

} // namespace

ImplicitRecorder::ImplicitRecorder(const SimulationParts& simulation, const std::filesystem::path& folder)
    : scene_(simulation.scene)
    , built_(simulation.built)
    , stepping_(*simulation.implicit)
    , folder_(folder)
    , expectations_(scene_, built_)
    , probes_(scene_, built_)
    , scene_body_(built_.bodies.size())
{
    for (std::size_t i = 0; i < built_.bodies.size(); ++i)
        scene_body_[contact_body(built_.world, built_.bodies[i])] = static_cast<int>(i);
}

std::map<std::string, std::string> ImplicitRecorder::tables() const
{
    std::map<std::string, std::string> headers{{"history.csv", history_header()}, {"bodies.csv", bodies_header()},
        {"balance.csv", balance_header()}, {"solves.csv", solves_header()}, {"walls.csv", loads_header()}};
    if (scene_.output.contacts) {
        headers["contacts.csv"] = contacts_header();
        headers["pairs.csv"] = pairs_header();
    }
    if (std::any_of(scene_.bodies.begin(), scene_.bodies.end(), has_reaction))
        headers["reactions.csv"] = reactions_header(scene_);
    if (!probes_.empty())
        headers["probes.csv"] = Probes::header();
    return headers;
}

void ImplicitRecorder::look(bool, RunFolder& folder, RunTotals& totals) const
{
    const State& state = stepping_.state();
    const StepReport& step = stepping_.report();
    expectations_.watch(state, *stepping_.system(), step, totals);
    totals.node_slip.resize(state.x.size(), 0);
    add_node_slip(stepping_.system()->contacts().blocks(), totals.node_slip);
    const Energies e = energies(built_.world, state);
    const Momentum m = momentum(built_.world, state);
    const NewtonReport costs = step.costs();
    CsvRow row;
    row.add(state.time).add(step.dt).add(costs.iterations).add(costs.krylov_iterations).add(step.newton.residual);
    row.add(step.contacts).add(step.sticking).add(step.sliding);
    row.add(e.kinetic).add(e.potential).add(e.elastic).add(e.contact).add(totals.friction_loss);
    row.add(m.linear).add(m.angular).add(step.max_contact_depth).add(totals.wall_time);
    folder.append("history.csv", row.take());
    write_balance(folder);
    write_solves(folder);
    write_reactions(folder);
    if (!probes_.empty())
        folder.append("probes.csv", probes_.rows(state.time, probes_.read(*stepping_.system())));
}

void ImplicitRecorder::write_balance(RunFolder& folder) const
{
    CsvRow row;
    const StepBalance& b = stepping_.report().balance;
    row.add(stepping_.time())
        .add(b.change)
        .add(b.external_work)
        .add(b.stiffening_work)
        .add(b.inertia_loss)
        .add(b.elastic_loss);
    row.add(b.geometric_loss)
        .add(b.viscous_loss)
        .add(b.friction_loss)
        .add(b.contact_loss)
        .add(b.energy_error)
        .add(b.momentum_error);
    row.add(b.angular_error)
        .add(b.angular_backward_euler)
        .add(b.plastic_loss)
        .add(b.transfer_loss)
        .add(b.hardening_work);
    folder.append("balance.csv", row.take());
}

void ImplicitRecorder::write_frame(RunFolder& folder, const RunTotals& totals)
{
    const BackwardEuler* system = stepping_.system();
    for (std::size_t i = 0; i < built_.bodies.size(); ++i)
        write_body(folder, i);
    if (system)
        write_loads(folder, *system);
    if (scene_.output.contacts && system)
        write_contacts(folder, *system);
    folder.flush(); // who follows the run finds the rows of a frame with it
    if (!scene_.output.frames)
        return;
    if (!frames_)
        frames_.emplace(scene_, built_, folder_);
    folder.add_frame(
        stepping_.time(), frames_->write(folder.frames_written(), stepping_.state(), system, totals.node_slip));
}

void ImplicitRecorder::finish(RunFolder& folder, RunTotals&) const
{
    if (!stepping_.report().done)
        write_solves(folder);
}

std::vector<ExpectationResult> ImplicitRecorder::judge(const RunTotals& totals, int status) const
{
    return expectations_.judge(stepping_.state(), totals, status);
}

std::string ImplicitRecorder::progress() const
{
    const StepReport& step = stepping_.report();
    return formatted("newton %d  gmres %d  contacts %d (%d stick)", step.newton.iterations,
        step.newton.krylov_iterations, step.contacts, step.sticking);
}

void ImplicitRecorder::write_solves(RunFolder& folder) const
{
    const StepReport& step = stepping_.report();
    for (const FailedSolve& f : step.failures)
        write_solve(folder, f.dt, f.newton);
    if (step.done)
        write_solve(folder, step.dt, step.newton);
}

void ImplicitRecorder::write_solve(RunFolder& folder, double dt, const NewtonReport& newton) const
{
    CsvRow row;
    row.add(stepping_.step_began()).add(dt).add(to_string(newton.status)).add(newton.tries);
    row.add(newton.iterations).add(newton.krylov_iterations).add(newton.descent_steps).add(newton.evaluations);
    row.add(newton.residual);
    row.add(newton.evaluation_seconds).add(newton.assembly_seconds).add(newton.linear_seconds);
    folder.append("solves.csv", row.take());
}

void ImplicitRecorder::write_body(RunFolder& folder, std::size_t i) const
{
    const BodyPose pose = pose_of(built_, stepping_.state(), i);
    CsvRow row;
    row.add(stepping_.time()).add(scene_.bodies[i].name).add(pose.x).add(pose.R).add(pose.v).add(pose.w);
    folder.append("bodies.csv", row.take());
}

void ImplicitRecorder::write_reactions(RunFolder& folder) const
{
    const bool with_regions = names_regions(scene_);
    for (const Reaction& r : stepping_.report().balance.reactions) {
        const std::string region = r.region < 0 ? "" : built_.world.deformables.pin_frames[r.region].name;
        if (r.region >= 0 && region.empty())
            continue;
        CsvRow row;
        row.add(stepping_.time()).add(scene_.bodies[scene_body_[r.body]].name);
        if (with_regions)
            row.add(region);
        row.add(r.force).add(r.torque);
        if (with_regions)
            row.add(r.x);
        folder.append("reactions.csv", row.take());
    }
}

void ImplicitRecorder::write_loads(RunFolder& folder, const BackwardEuler& system) const
{
    ContactLoads loads(scene_.bodies.size());
    system.contacts().for_each_contact([&](const Contact& c) { // the force acts along the line from Z to Y
        loads.add(scene_body_[c.point_body], scene_body_[c.surface_body], c.Z, -c.j);
    });
    std::vector<Vec3> places;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
        places.push_back(pose_of(built_, stepping_.state(), i).x);
        folder.append(
            "walls.csv", loads.body_row(stepping_.time(), scene_.bodies[i].name, static_cast<int>(i), places.back()));
    }
    if (scene_.output.contacts)
        folder.append("pairs.csv", loads.pair_rows(stepping_.time(), scene_, places));
}

void ImplicitRecorder::write_contacts(RunFolder& folder, const BackwardEuler& system) const
{
    const World& world = built_.world;
    system.contacts().for_each_contact([&](const Contact& c) {
        if (!c.presses())
            return;
        CsvRow row;
        row.add(stepping_.time());
        row.add(contact_body_name(world, c.point_body)).add(contact_body_name(world, c.surface_body));
        row.add(point_number(world, c)).add(c.Z).add(c.at.n).add(Vec3(-c.j)).add(c.at.depth);
        row.add(c.at.sticks ? "stick" : "slide");
        folder.append("contacts.csv", row.take());
    });
}

} // namespace stickslip
