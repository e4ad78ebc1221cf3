#include "stickslip/scene/expand/sphere_sizes.h"

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
    SizeDice(int seed, ShareOf by)
        : by_(by)
        , engine_(static_cast<std::uint64_t>(seed) + 0x9e3779b97f4a7c15u) // not the numbers that the places get
    {
    }
    double uniform() { return 0x1p-53 * static_cast<double>(engine_() >> 11); }

    /// By number, whatever the shares are of.
    double draw(const UniformSizes& s)
    {
        return thinned(s.min, [&] { return s.min + (s.max - s.min) * uniform(); });
    }
    double draw(const NormalSizes& s)
    {
        return thinned(s.mean - cut_off * s.deviation, [&] {
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
            upto.push_back(sum += by_ == ShareOf::mass ? s.shares[i] / std::pow(s.radii[i], 3) : s.shares[i]);
        const auto found = std::upper_bound(upto.begin(), upto.end(), sum * uniform());
        return s.radii[std::min<std::size_t>(found - upto.begin(), s.radii.size() - 1)];
    }

private:
    /// Of shares by mass a sphere of radius r is kept with the chance (smallest / r)^3: then they are by number.
    template <typename Draw>
    double thinned(double smallest, const Draw& one)
    {
        double r = one();
        while (by_ == ShareOf::mass && uniform() > std::pow(smallest / r, 3))
            r = one();
        return r;
    }

    ShareOf by_;
    std::mt19937_64 engine_;
};

Bounds range(const Sizes& sizes) // along x
{
    Bounds b;
    if (const auto* uniform = std::get_if<UniformSizes>(&sizes)) {
        b.add(Vec3::Constant(uniform->min));
        b.add(Vec3::Constant(uniform->max));
    } else if (const auto* normal = std::get_if<NormalSizes>(&sizes)) {
        b.add(Vec3::Constant(normal->mean - cut_off * normal->deviation));
        b.add(Vec3::Constant(normal->mean + cut_off * normal->deviation));
    } else {
        for (const double r : std::get<TableSizes>(sizes).radii)
            b.add(Vec3::Constant(r));
    }
    return b;
}

} // namespace

double smallest_radius(const Sizes& sizes)
{
    return range(sizes).min.x();
}

double largest_radius(const Sizes& sizes)
{
    return range(sizes).max.x();
}

std::vector<double> draw_radii(const Sizes& sizes, ShareOf by, std::optional<int> count, double volume, int seed)
{
    SizeDice dice(seed, by);
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
