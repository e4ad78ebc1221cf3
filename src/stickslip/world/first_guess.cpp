#include "stickslip/world/first_guess.h"

#include <algorithm>

namespace stickslip {

FirstGuess::FirstGuess(BackwardEuler& system, double tolerance, NewtonReport& costs)
    : system_(&system)
    , accelerated_(system.last_acceleration())
    , accelerates_(system.body_count())
    , touching_(static_cast<int>(system.body_count()))
{
    const std::vector<double> changes = system.body_measures(accelerated_); // [m/s] of velocity
    for (std::size_t b = 0; b < changes.size(); ++b)
        if (const Range blocks = system.blocks_of_body(b); changes[b] <= tolerance)
            std::fill_n(accelerated_.begin() + blocks.begin, blocks.size(), Vec3::Zero());
    if (largest(changes) <= tolerance)
        return;
    without_ = residuals_at(BlockVector(system.size(), Vec3::Zero()), costs);
    with_ = residuals_at(accelerated_, costs); // mostly the one that is taken
    std::vector<double> promised = without_; // [m/s] if none touched
    for (std::size_t b = 0; b < promised.size(); ++b) {
        accelerates_[b] = is_better_accelerated(b, with_[b], without_[b]);
        if (accelerates_[b])
            promised[b] = with_[b];
    }
    constexpr double promising = 0.5;
    take_common(promised, promising);
    if (do_touching_differ())
        take_common(residuals_at(z(), costs), 1);
}

// By residuals; not where the extrapolation is not finite. Material points that are to come to rest on what bears them
// may touch none of it at constant velocity, and each of their contacts is then a kink on the way; what acceleration
// leaves of them is stiff, but linear, and gone after an iteration.
bool FirstGuess::is_better_accelerated(std::size_t group, double with, double without) const
{
    constexpr double stiff = 100; // measured: docs/derivations.md#solve-strategies
    const bool is_of_points = system_->has_material_points() && group + 1 == system_->body_count(); // and no other body
    return with < (is_of_points ? stiff : 1) * without;
}

// One guess for all that touch, unless each its own leaves less than that share of the better one's residual.
void FirstGuess::take_common(const std::vector<double>& of_own, double share)
{
    const auto worst = [&](const std::vector<double>& residuals) { // by the first body of those that touch
        std::vector<double> most(residuals.size(), 0);
        for (std::size_t b = 0; b < residuals.size(); ++b)
            if (double& group = most[touching_.leader(static_cast<int>(b))]; !(residuals[b] <= group))
                group = residuals[b];
        return most;
    };
    const std::vector<double> with = worst(with_), without = worst(without_), own = worst(of_own);
    for (std::size_t b = 0; b < accelerates_.size(); ++b) {
        const int group = touching_.leader(static_cast<int>(b));
        if (!(own[group] < share * std::min(with[group], without[group])))
            accelerates_[b] = is_better_accelerated(group, with[group], without[group]);
    }
}

BlockVector FirstGuess::z() const
{
    BlockVector z(system_->size(), Vec3::Zero());
    for (std::size_t b = 0; b < accelerates_.size(); ++b) {
        const Range blocks = system_->blocks_of_body(b);
        if (accelerates_[b])
            std::copy_n(accelerated_.begin() + blocks.begin, blocks.size(), z.begin() + blocks.begin);
    }
    return z;
}

void FirstGuess::change(const std::vector<double>& left, double tolerance)
{
    for (std::size_t b = 0; b < accelerates_.size(); ++b)
        if (!(left[b] <= tolerance))
            accelerates_[b] = !accelerates_[b];
}

// By body [m/s]; joins what touches there.
std::vector<double> FirstGuess::residuals_at(const BlockVector& z, NewtonReport& costs)
{
    BlockVector g;
    evaluate(*system_, z, g, costs);
    system_->contacts().for_each_contact([&](const Contact& c) {
        const int a = system_->body_of(c.point_body), b = system_->body_of(c.surface_body);
        if (a >= 0 && b >= 0)
            touching_.join(a, b);
    });
    return system_->body_measures(g);
}

bool FirstGuess::do_touching_differ()
{
    for (std::size_t b = 0; b < accelerates_.size(); ++b)
        if (accelerates_[b] != accelerates_[touching_.leader(static_cast<int>(b))])
            return true;
    return false;
}

} // namespace stickslip
