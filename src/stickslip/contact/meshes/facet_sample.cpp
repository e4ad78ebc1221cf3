#include "stickslip/contact/meshes/facet_sample.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace stickslip {

namespace {

using Point = FacetRule::Point;

/// The three places of one corner's weight a and b of the others.
std::array<Point, 3> by_corners(double a, double b, double share)
{
    return {Point{{a, b, b}, share}, Point{{b, a, b}, share}, Point{{b, b, a}, share}};
}

template <std::size_t count, typename... Orbits>
std::array<Point, count> joined(const Orbits&... orbits)
{
    std::array<Point, count> points;
    auto end = points.begin();
    ((end = std::copy(orbits.begin(), orbits.end(), end)), ...);
    return points;
}

const std::array<Point, 3> of_degree_2 = by_corners(2.0 / 3, 1.0 / 6, 1);

const std::array<Point, 6> of_degree_4 =
    joined<6>(by_corners(0.108103018168070, 0.445948490915965, 6 * 0.223381589678011),
        by_corners(0.816847572980459, 0.091576213509771, 6 * 0.109951743655322));

std::array<Point, 12> degree_6()
{
    constexpr double a = 0.053145049844817, b = 0.310352451033784, c = 0.636502499121399;
    constexpr double share = 12 * 0.082851075618374;
    return joined<12>(by_corners(0.501426509658179, 0.249286745170910, 12 * 0.116786275726379),
        by_corners(0.873821971016996, 0.063089014491502, 12 * 0.050844906370207),
        std::array{Point{{a, b, c}, share}, Point{{b, c, a}, share}, Point{{c, a, b}, share}, Point{{a, c, b}, share},
            Point{{c, b, a}, share}, Point{{b, a, c}, share}});
}

const std::array<Point, 12> of_degree_6 = degree_6();

} // namespace

FacetRule FacetRule::of(int count)
{
    switch (count) {
    case 3:
        return {count, of_degree_2.data()};
    case 6:
        return {count, of_degree_4.data()};
    case 12:
        return {count, of_degree_6.data()};
    }
    throw std::invalid_argument("facets have 3, 6 or 12 quadrature points, not " + std::to_string(count));
}

} // namespace stickslip
