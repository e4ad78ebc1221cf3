#include "stickslip/dem/packing/sphere_packing.h"

#include "stickslip/dem/pairs/neighbours.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace stickslip {

namespace {

constexpr double slack = 1e-3; // [-] of the radius: spheres are pushed this much further apart than need be
constexpr int most_sweeps = 4000;

/// Random points that depend on the seed alone, not on the standard library.
class RandomPoints {
public:
    RandomPoints(const Bounds& box, int seed)
        : box_(box)
        , engine_(static_cast<std::uint64_t>(seed))
    {
    }
    Vec3 next()
    {
        const double x = uniform(0), y = uniform(1);
        return {x, y, uniform(2)};
    }

private:
    double uniform(int axis)
    {
        const double share = 0x1p-53 * static_cast<double>(engine_() >> 11);
        return box_.min[axis] + (box_.max[axis] - box_.min[axis]) * share;
    }
    Bounds box_;
    std::mt19937_64 engine_;
};

/// Spheres with their slack.
std::vector<SpherePlace> random_start(const LevelSet& region, const std::vector<double>& radii, int seed)
{
    constexpr int tries = 100; // for a place with room; where it is narrow, the deepest must do
    const Bounds box = bounds(region);
    if (!box.min.allFinite() || !box.max.allFinite())
        throw InputError("expected a region of bounded size to fill");
    RandomPoints random(box, seed);
    std::vector<SpherePlace> spheres;
    for (const double radius : radii) {
        const double range = radius * (1 + slack);
        Vec3 x = random.next();
        double phi = signed_distance(region, x);
        for (int left = tries; left > 0 && phi > -range; --left) {
            const Vec3 other = random.next();
            const double there = signed_distance(region, other);
            if (there < phi) {
                x = other;
                phi = there;
            }
        }
        spheres.push_back({x, range});
    }
    return spheres;
}

/// Pushes overlapping pairs apart, the smaller one further; the largest overlap met, in its smaller radius.
double push_pairs(const NeighbourList& list, std::vector<SpherePlace>& spheres)
{
    double worst = 0;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        for (int k = list.first[i]; k < list.first[i + 1]; ++k) {
            SpherePlace &a = spheres[i], &b = spheres[list.other[k]];
            const Vec3 d = b.x - a.x;
            const double range = a.radius + b.radius, square = d.squaredNorm();
            if (square >= range * range)
                continue;
            const double distance = std::sqrt(square), overlap = range - distance;
            const Vec3 n = distance > 0 ? Vec3(d / distance) : Vec3(Vec3::UnitY());
            a.x -= overlap * b.radius / range * n;
            b.x += overlap * a.radius / range * n;
            worst = std::max(worst, overlap / std::min(a.radius, b.radius));
        }
    }
    return worst;
}

/// Pushes back what reaches out of the region; by how much at most, in radii.
double push_inside(const LevelSet& region, std::vector<SpherePlace>& spheres)
{
    double worst = 0;
    for (SpherePlace& s : spheres) {
        if (signed_distance(region, s.x) <= -s.radius)
            continue;
        const int patches = patch_count(region); // one after the other: into a corner too
        for (int p = 0; p < patches; ++p) {
            const LevelSetSample at = sample_patch(region, p, s.x);
            const double out = at.phi + s.radius;
            if (!(out > 0))
                continue;
            s.x -= out * at.n.normalized();
            worst = std::max(worst, out / s.radius);
        }
    }
    return worst;
}

double farthest(const std::vector<SpherePlace>& spheres, const std::vector<Vec3>& from)
{
    double square = 0;
    for (std::size_t i = 0; i < spheres.size(); ++i)
        square = std::max(square, (spheres[i].x - from[i]).squaredNorm());
    return std::sqrt(square);
}

} // namespace

std::vector<Vec3> pack_spheres(const LevelSet& region, const std::vector<double>& radii, int seed)
{
    std::vector<SpherePlace> spheres = random_start(region, radii, seed);
    double mean = 0;
    for (const double radius : radii)
        mean += radius / static_cast<double>(radii.size());
    const double skin = 0.5 * mean;
    NeighbourList list;
    std::vector<Vec3> listed_at;
    double worst = infinity;
    for (int sweep = 0; sweep < most_sweeps && worst > slack; ++sweep) {
        if (listed_at.empty() || 2 * farthest(spheres, listed_at) > skin) {
            list = find_neighbours(spheres, PeriodicBox{}, skin);
            listed_at.clear();
            for (const SpherePlace& s : spheres)
                listed_at.push_back(s.x);
        }
        worst = push_pairs(list, spheres);
        worst = std::max(worst, push_inside(region, spheres));
    }
    if (worst > slack)
        throw InputError("no places found where the spheres do not overlap: they are too many for the region (overlaps "
                         "of "
            + std::to_string(worst) + " radii are left)");
    std::vector<Vec3> places;
    for (const SpherePlace& s : spheres)
        places.push_back(s.x);
    return places;
}

} // namespace stickslip
