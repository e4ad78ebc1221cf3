#include "stickslip/contact/points/minimum_share.h"

#include <algorithm>
#include <numbers>

namespace stickslip {

namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

// phi at an extreme of it along the circle: the way of the place along the circle does not change it.
PoseScalar extreme_distance(const DistanceField& field, const Circle& circle, double angle)
{
    const PoseVec E = carried_point(circle.centre, circle.radius * circle.direction(angle));
    const LevelSetSample at = field.at(E.v);
    return mapped(at.phi, at.n, E);
}

// What minimum i keeps of its force beside minimum j, with the highest place of the circle between them.
PoseScalar kept_beside(const PoseScalar& own, const PoseScalar& other, const PoseScalar& highest, double tube)
{
    const PoseScalar rise = highest - own, other_rise = highest - other, both = rise + other_rise;
    const PoseScalar taken = both.v > 0 ? other_rise / both : PoseScalar{0.5};
    const PoseScalar depth = tube + -1 * own, common = tube + -1 * highest;
    return 1 + -1 * (taken * (common / depth));
}

} // namespace

PoseScalar share_of_extremes(const DistanceField& field, const Circle& circle)
{
    constexpr int looks = 24, stride = 11; // far apart one after the other: most circles are known after two
    std::array<double, looks> phi;
    double lowest = infinity, highest = -infinity;
    for (int i = 0; i < looks; ++i) {
        const int k = i * stride % looks;
        phi[k] = field.distance(circle.centre + circle.radius * circle.direction(k * whole_turn / looks));
        lowest = std::min(lowest, phi[k]);
        highest = std::max(highest, phi[k]);
        if (extreme_share((highest - lowest) / (2 * circle.radius)).share == 1)
            return {1};
    }
    const auto [low, high] = std::minmax_element(phi.begin(), phi.end());
    const auto around = [&](auto k, auto find) {
        const double angle = (k - phi.begin()) * whole_turn / looks;
        return extreme_distance(
            field, circle, find(field, circle, angle - whole_turn / looks, angle + whole_turn / looks));
    };
    const PoseScalar rise = around(high, maximum_between) - around(low, minimum_between);
    const ExtremeShare share = extreme_share(rise.v / (2 * circle.radius));
    return {share.share, share.dshare_dq / (2 * circle.radius) * rise.d};
}

PoseScalar share_beside_others(
    const DistanceField& field, const Circle& circle, const ExtremePoints& minima, int i, double tube)
{
    PoseScalar share{1};
    const int n = minima.count;
    const double angle = minima.points[i].angle;
    const auto beside = [&](int j, double low, double high) {
        if (!(minima.points[j].phi < tube))
            return;
        const PoseScalar highest = extreme_distance(field, circle, maximum_between(field, circle, low, high));
        if (highest.v < tube)
            share = share
                * kept_beside(extreme_distance(field, circle, angle),
                    extreme_distance(field, circle, minima.points[j].angle), highest, tube);
    };
    if (n < 2)
        return share;
    const int next = (i + 1) % n, last = (i + n - 1) % n;
    beside(next, angle, minima.points[next].angle + (next > i ? 0 : whole_turn));
    beside(last, minima.points[last].angle - (last < i ? 0 : whole_turn), angle);
    return share;
}

} // namespace stickslip
