#include "stickslip/world/first_guess.h"

#include <algorithm>

namespace stickslip {

FirstGuess::FirstGuess(BackwardEuler& system, NewtonReport& costs)
    : system_(&system)
    , accelerated_(system.last_acceleration())
    , accelerates_(system.body_count())
    , touching_(static_cast<int>(system.body_count()))
{
    with_ = residuals_at(accelerated_, costs);
    without_ = residuals_at(BlockVector(system.size(), Vec3::Zero()), costs);
    for (std::size_t b = 0; b < accelerates_.size(); ++b)
        accelerates_[b] = with_[b] < without_[b]; // not where the extrapolation is not finite
    if (do_touching_differ())
        agree(costs);
}

void FirstGuess::agree(NewtonReport& costs)
{
    const std::vector<double> each = residuals_at(z(), costs);
    const auto worst = [&](const std::vector<double>& residuals) { // by the first body of those that touch
        std::vector<double> of_group(residuals.size(), 0);
        for (std::size_t b = 0; b < residuals.size(); ++b) {
            double& most = of_group[touching_.leader(static_cast<int>(b))];
            if (!(residuals[b] <= most))
                most = residuals[b];
        }
        return of_group;
    };
    const std::vector<double> with = worst(with_), without = worst(without_), own = worst(each);
    for (std::size_t b = 0; b < accelerates_.size(); ++b) {
        const int group = touching_.leader(static_cast<int>(b));
        if (own[group] < with[group] && own[group] < without[group])
            continue;
        accelerates_[b] = with[group] < without[group];
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
