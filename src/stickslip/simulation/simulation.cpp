#include "stickslip/simulation/simulation.h"

#include "stickslip/build/build_world.h"
#include "stickslip/math/error.h"
#include "stickslip/simulation/body_poses.h"
#include "stickslip/simulation/scene_text.h"
#include "stickslip/simulation/simulation_parts.h"
#include "stickslip/simulation/snapshot_content.h"
#include "stickslip/world/diagnostics.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace stickslip {

namespace {

/// One member of each element, as rows.
template <typename Row, typename Element, typename Member>
RowsView<Row> rows(const std::vector<Element>& all, const Member& member)
{
    static_assert(sizeof(Element) % sizeof(double) == 0);
    return {all.empty() ? nullptr : member(all.front()), all.size(), sizeof(Element) / sizeof(double)};
}

VectorsView vectors(const std::vector<Vec3>& all)
{
    return rows<Vec3>(all, [](const Vec3& x) { return x.data(); });
}

/// The members x, v, w and R of each element: states of rigid bodies.
template <typename Element>
RigidsView rigids(const std::vector<Element>& all)
{
    return {.positions = rows<Vec3>(all, [](const Element& e) { return e.x.data(); }),
        .velocities = rows<Vec3>(all, [](const Element& e) { return e.v.data(); }),
        .angular_velocities = rows<Vec3>(all, [](const Element& e) { return e.w.data(); }),
        .rotations = rows<Eigen::Vector4d>(all, [](const Element& e) { return e.R.coeffs().data(); })};
}

ParticlesView particles(const MpmState& all)
{
    return {.positions = vectors(all.x),
        .velocities = vectors(all.v),
        .deformation_gradients =
            rows<Eigen::Matrix<double, 9, 1>>(all.point, [](const MpmPoint& p) { return p.F.data(); }),
        .plastic = rows<NumberRow>(all.point, [](const MpmPoint& p) { return &p.plastic; })};
}

SpheresView spheres(const Spheres& all)
{
    return {.positions = rows<Vec3>(all.place, [](const SpherePlace& p) { return p.x.data(); }),
        .velocities = rows<Vec3>(all.motion, [](const SphereMotion& m) { return m.v.data(); }),
        .angular_velocities = rows<Vec3>(all.motion, [](const SphereMotion& m) { return m.w.data(); }),
        .rotations = rows<Eigen::Vector4d>(all.orientation, [](const Quat& q) { return q.coeffs().data(); }),
        .radii = rows<NumberRow>(all.place, [](const SpherePlace& p) { return &p.radius; }),
        .ids = all.id,
        .groups = all.group};
}

BuiltWorld built(const Scene& scene, const SimulationOptions& options, std::vector<std::string>& warnings)
{
    const std::filesystem::path file = scene.source ? scene.source->file : "";
    BuildResult result = build_world(scene, file.parent_path(), {}, options.steered);
    if (!result.good())
        throw SceneError(std::move(result.faults));
    for (const Fault& warning : result.warnings)
        warnings.push_back(format(warning));
    return std::move(result.built);
}

} // namespace

Simulation::Simulation(const Scene& scene, const SimulationOptions& options)
{
    std::vector<std::string> warnings;
    BuiltWorld world = built(scene, options, warnings);
    parts_ = std::make_unique<SimulationParts>(scene, std::move(world), options);
    for (const std::string& warning : warnings)
        parts_->say(warning);
}

Simulation::Simulation(const Scene& scene, BuiltWorld built, const SimulationOptions& options)
    : parts_(std::make_unique<SimulationParts>(scene, std::move(built), options))
{
}

Simulation::Simulation(const Simulation& other)
    : Simulation(other, other.parts_->options)
{
}

Simulation::Simulation(const Simulation& other, const SimulationOptions& options)
    : parts_(std::make_unique<SimulationParts>(other.parts_->scene, other.parts_->built, options))
{
    parts_->options.steered = other.parts_->options.steered;
    parts_->messages = other.parts_->messages;
    parts_->unsteered = other.parts_->unsteered;
    parts_->fingerprint = other.parts_->fingerprint;
    restore(other.snapshot());
}

Simulation& Simulation::operator=(const Simulation& other)
{
    return *this = Simulation(other);
}

Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

double Simulation::time() const
{
    return parts_->spheres ? parts_->spheres->time() : parts_->implicit->time();
}

double Simulation::time_step() const
{
    return parts_->spheres ? parts_->spheres->dt() : parts_->implicit->dt();
}

bool Simulation::is_explicit() const
{
    return parts_->spheres.has_value();
}

RunStatus Simulation::advance(double until)
{
    return parts_->advance(until);
}

RunStatus Simulation::step()
{
    return advance(time());
}

RunStatus Simulation::run(double until, const std::function<void(Simulation&)>& between, double every)
{
    const double slack = 1e-6 * time_step(); // times are sums
    double next = time() + every;
    const auto is_stopped = [this] { return parts_->options.stop && *parts_->options.stop; };
    while (time() < until - slack) {
        if (is_stopped())
            return RunStatus::interrupted;
        const RunStatus status = advance(between ? std::min(until, next) : until);
        if (status != RunStatus::done)
            return status;
        if (!between || time() < next - slack)
            continue;
        while (every > 0 && next <= time() + slack)
            next += every;
        between(*this);
        if (every == 0)
            next = time();
    }
    return RunStatus::done;
}

StepSummary Simulation::report() const
{
    StepSummary summary{.status = parts_->status};
    if (parts_->spheres) {
        summary.dt = time_step();
        const Contacts all = contacts();
        summary.contacts = all.size();
        summary.sticking = static_cast<std::size_t>(std::count(all.sticks.begin(), all.sticks.end(), 1));
        summary.sliding = summary.contacts - summary.sticking;
        for (const double depth : all.depth)
            summary.max_depth = std::max(summary.max_depth, depth);
        return summary;
    }
    const StepReport& step = parts_->implicit->report();
    const NewtonReport costs = step.costs();
    summary.dt = step.dt;
    summary.newton_iterations = costs.iterations;
    summary.krylov_iterations = costs.krylov_iterations;
    summary.failed_solves = step.failed_solves();
    summary.residual = step.newton.residual;
    summary.contacts = static_cast<std::size_t>(step.contacts);
    summary.sticking = static_cast<std::size_t>(step.sticking);
    summary.sliding = static_cast<std::size_t>(step.sliding);
    summary.max_depth = step.max_contact_depth;
    return summary;
}

Energies Simulation::energies() const
{
    if (parts_->implicit)
        return stickslip::energies(parts_->built.world, parts_->implicit->state());
    const SphereSystem& system = parts_->spheres->system();
    const EnergyLedger ledger = system.ledger();
    Energies sum{.kinetic = ledger.kinetic_translation + ledger.kinetic_rotation,
        .contact = ledger.elastic_normal + ledger.elastic_tangential + ledger.elastic_rolling};
    sum.potential = system.potential_energy();
    return sum;
}

double Simulation::friction_loss() const
{
    if (parts_->implicit)
        return parts_->totals.friction_loss;
    const EnergyLedger ledger = parts_->spheres->system().ledger();
    return parts_->scene.output.energy ? ledger.friction_loss + ledger.rolling_loss : nan;
}

const std::vector<std::string>& Simulation::messages() const
{
    return parts_->messages;
}

std::string Simulation::state_hash() const
{
    return parts_->spheres ? stickslip::state_hash(parts_->spheres->system().state())
                           : stickslip::state_hash(parts_->implicit->state());
}

const std::vector<BodyInfo>& Simulation::bodies() const
{
    return parts_->bodies;
}

const BodyInfo& Simulation::body(std::string_view name) const
{
    return parts_->bodies[parts_->body(name)];
}

StateView Simulation::state() const
{
    StateView view{.time = time(), .nodes = {}, .rigids = {}, .particles = {}, .spheres = {}};
    if (parts_->spheres) {
        const GranularState& state = parts_->spheres->system().state();
        view.rigids = rigids(state.bodies);
        view.spheres = spheres(state.spheres);
    } else {
        const State& state = parts_->implicit->state();
        view.nodes = {vectors(state.x), vectors(state.v)};
        view.rigids = rigids(state.rigid);
        view.particles = particles(state.mpm);
    }
    return view;
}

BodyPose Simulation::pose(std::string_view name) const
{
    const std::size_t body = parts_->body(name);
    return parts_->spheres ? pose_of(parts_->built, parts_->spheres->system(), body)
                           : pose_of(parts_->built, parts_->implicit->state(), body);
}

Vec3 Simulation::contact_force(std::string_view name) const
{
    const auto body = static_cast<int>(parts_->body(name));
    if (parts_->implicit && !parts_->implicit->system() && time() > parts_->start_time())
        throw InputError(
            "expected a step before contact forces are asked for: none of this simulation led to its state, "
            "which was restored or copied, or the last one failed or was stopped");
    const Contacts all = contacts();
    Vec3 sum = Vec3::Zero();
    for (std::size_t c = 0; c < all.size(); ++c) {
        if (all.first[c] == body)
            sum += all.force[c];
        if (all.second[c] == body)
            sum -= all.force[c];
    }
    return sum;
}

Snapshot Simulation::snapshot() const
{
    return Snapshot(content_of(*parts_));
}

void Simulation::restore(const Snapshot& snapshot)
{
    take(*snapshot.content_, *parts_);
}

} // namespace stickslip
