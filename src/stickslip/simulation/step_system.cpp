#include "stickslip/simulation/step_system.h"

#include "stickslip/math/error.h"
#include "stickslip/simulation/simulation.h"
#include "stickslip/simulation/simulation_parts.h"
#include "stickslip/world/backward_euler.h"

#include <algorithm>

namespace stickslip {

struct StepSystem::Parts {
    explicit Parts(const SimulationParts& simulation)
        : state(simulation.implicit->state())
        , equations(simulation.built.world)
    {
    }

    State state;
    BackwardEuler equations;
    BlockVector in, out;
    bool is_at_z = false;

    template <typename Call>
    void call(std::span<const double> from, std::span<double> to, const Call& equation)
    {
        const std::size_t count = 3 * equations.size();
        if (from.size() != count || to.size() != count)
            throw InputError("step system: expected arrays of " + std::to_string(count) + " numbers, found "
                + std::to_string(from.size()) + " and " + std::to_string(to.size()));
        in.resize(equations.size());
        out.assign(equations.size(), Vec3::Zero());
        for (std::size_t i = 0; i < in.size(); ++i)
            in[i] = Vec3(from[3 * i], from[3 * i + 1], from[3 * i + 2]);
        equation(in, out);
        for (std::size_t i = 0; i < out.size(); ++i)
            std::copy_n(out[i].data(), 3, to.begin() + static_cast<std::ptrdiff_t>(3 * i));
    }

    void demand_z() const
    {
        if (!is_at_z)
            throw InputError("step system: expected a call of residual() before its derivative is asked for");
    }
};

StepSystem::StepSystem(const Simulation& simulation, double dt)
{
    if (simulation.is_explicit())
        throw InputError("step system: expected an implicit simulation");
    parts_ = std::make_unique<Parts>(simulation.parts());
    parts_->equations.begin_step(parts_->state, dt > 0 ? dt : simulation.time_step());
}

StepSystem::StepSystem(StepSystem&&) noexcept = default;
StepSystem& StepSystem::operator=(StepSystem&&) noexcept = default;
StepSystem::~StepSystem() = default;

std::size_t StepSystem::size() const
{
    return 3 * parts_->equations.size();
}

void StepSystem::residual(std::span<const double> z, std::span<double> g)
{
    parts_->call(z, g, [this](const BlockVector& in, BlockVector& out) { parts_->equations.residual(in, out); });
    parts_->is_at_z = true;
}

void StepSystem::apply(std::span<const double> dz, std::span<double> Hdz)
{
    parts_->demand_z();
    parts_->call(dz, Hdz, [this](const BlockVector& in, BlockVector& out) { parts_->equations.apply(in, out); });
}

void StepSystem::apply_transpose(std::span<const double> w, std::span<double> Htw)
{
    parts_->demand_z();
    parts_->call(
        w, Htw, [this](const BlockVector& in, BlockVector& out) { parts_->equations.apply_transpose(in, out); });
}

MatrixView StepSystem::matrix()
{
    parts_->demand_z();
    const BlockMatrix& H = parts_->equations.assemble();
    static_assert(sizeof(Mat3) == 9 * sizeof(double));
    return {H.pattern.row_begin, H.pattern.column,
        {H.value.empty() ? nullptr : H.value.front().data(), 9 * H.value.size()}};
}

} // namespace stickslip
