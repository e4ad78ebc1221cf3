#include "stickslip/io/sphere_sizes.h"

#include "stickslip/math/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace stickslip {

namespace {

constexpr std::size_t most_spheres = 100000000;
constexpr double cut_off = 2; // [-] deviations from the mean

/// Numbers that depend on the seed alone, not on the standard library.
class SizeDice {
public:
    explicit SizeDice(int seed)
        : engine_(static_cast<std::uint64_t>(seed) + 0x9e3779b97f4a7c15u) // not the numbers that the places get
    {
    }
    double uniform() { return 0x1p-53 * static_cast<double>(engine_() >> 11); }

    /// By number; `by` says what the shares are of.
    double draw(const UniformSizes& s)
    {
        return thinned(s.by, s.min, [&] { return s.min + (s.max - s.min) * uniform(); });
    }
    double draw(const NormalSizes& s)
    {
        return thinned(s.by, s.mean - cut_off * s.deviation, [&] {
            for (;;) { // Box and Muller
                const double size = std::sqrt(-2 * std::log(1 - uniform()));
                const double z = size * std::cos(2 * std::numbers::pi * uniform());
                if (std::abs(z) <= cut_off)
                    return s.mean + z * s.deviation;
            }
        });
    }
    double draw(const TableSizes& s)
    {
        std::vector<double> upto;
        double sum = 0;
        for (std::size_t i = 0; i < s.radii.size(); ++i)
            upto.push_back(sum += s.by == ShareOf::mass ? s.shares[i] / std::pow(s.radii[i], 3) : s.shares[i]);
        const auto found = std::upper_bound(upto.begin(), upto.end(), sum * uniform());
        return s.radii[std::min<std::size_t>(found - upto.begin(), s.radii.size() - 1)];
    }

private:
    /// Of shares by mass a sphere of radius r is kept with the chance (smallest / r)^3: then they are by number.
    template <typename Draw>
    double thinned(ShareOf by, double smallest, const Draw& one)
    {
        double r = one();
        while (by == ShareOf::mass && uniform() > std::pow(smallest / r, 3))
            r = one();
        return r;
    }

    std::mt19937_64 engine_;
};

} // namespace

std::vector<double> draw_radii(const Sizes& sizes, std::optional<int> count, double volume, int seed)
{
    SizeDice dice(seed);
    std::vector<double> radii;
    double filled = 0;
    for (;;) {
        if (count && radii.size() == static_cast<std::size_t>(*count))
            return radii;
        const double r = std::visit([&](const auto& s) { return dice.draw(s); }, sizes);
        const double own = 4 * std::numbers::pi / 3 * r * r * r;
        if (!count && filled + own / 2 > volume)
            return radii;
        if (radii.size() == most_spheres)
            throw InputError("more than 1e+08 spheres");
        filled += own;
        radii.push_back(r);
    }
}

} // namespace stickslip
