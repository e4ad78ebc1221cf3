#pragma once

#include "stickslip/math/types.h"

#include <array>
#include <span>
#include <type_traits>
#include <vector>

namespace stickslip {

/// One of the places where a ball touches a surface.
struct Touching {
    Vec3 n; // [-] unit, from the surface to the centre
    double depth; // [m] > 0, or another measure of it (see below)
    double push = 0; // lambda: what of the depth it pushes with, in the same unit; >= 0
};

/// One of the places where a circle with a tube touches a surface.
struct TouchingOnCircle : Touching {
    Vec3 u; // [-] unit, from the centre of the circle to the place
};

/// Derivatives of the shares push/depth of those that push, numbered as in SharesOf::pushing.
struct ShareSlopes {
    static constexpr int most = 16;
    Eigen::Matrix<double, most, most> by_depth; // [1/m] of share a by depth b
    std::array<std::array<Vec3, most>, most> by_n; // [-] of share a by normal b, which keeps its length
};
struct ShareSlopesOnCircle {
    static constexpr int most = 112; // sixteen numbers of the normal times seven of a direction in a plane
    Eigen::MatrixXd by_depth; // [1/m] of share a by depth b
    std::vector<std::vector<Vec3>> by_n, by_u; // [-] of share a by normal and direction b, which keep their lengths
};

/// Contacts of one ball with one surface push together, each direction once: a ball in a dent of many facets feels the
/// smooth dent, in a groove of two sides both sides, and there is no angle where one becomes the other. Their pushes
/// lambda >= 0 are those that make
///   E = lambda . d - lambda . G lambda / 2      G_ij = g(n_i . n_j),  g(c) = c^2 (1 + c)/2
/// greatest. g is the part of two pushes that counts twice [-]: 1 for one direction, 0 for directions at right angles
/// and for opposite ones. G lambda >= d, and equal where lambda > 0. The sum of k lambda_i n_i is minus the gradient of
/// k E by the place of the ball, and continuous (docs/derivations.md#contacts-that-share). Where the energy of a
/// contact alone is W(d), not k d^2/2, `depth` is what makes it so, sqrt(2 W/k), and its force lambda_i/depth_i of what
/// it would be alone.
///   On a circle, whose places are the nearer the less their directions u differ, G_ij = g(n_i . n_j) g(u_i . u_j). All
/// places that touch take part: what is left out because others are deeper comes in with a jump.
template <class Place>
class SharesOf {
public:
    static constexpr bool is_on_circle = std::is_same_v<Place, TouchingOnCircle>;
    using Slopes = std::conditional_t<is_on_circle, ShareSlopesOnCircle, ShareSlopes>;

    /// Sets the pushes. At most sixteen push, on a circle 112; of more that would, with one and the same force, some.
    void find(std::span<Place> contacts);

    /// Indices of those that push.
    std::span<const int> pushing() const { return {pushing_.data(), static_cast<std::size_t>(count_)}; }

    /// Derivatives as long as the same ones push; `contacts` as find() left them.
    Slopes slopes(std::span<const Place> contacts) const;

private:
    static constexpr int most = Slopes::most;
    static constexpr int of_direction = ShareSlopes::most;
    static constexpr int dimensions = is_on_circle ? of_direction * of_direction : of_direction;
    /// Products of directions are G.
    using Direction = Eigen::Matrix<double, dimensions, 1>;
    static Direction direction(const Place& place);
    // Few rows need no heap.
    static constexpr int reserved = is_on_circle ? Eigen::Dynamic : most;
    using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, reserved, 1>;
    using Products = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, reserved, reserved>;

    /// G of those that push.
    Products products(std::span<const Place> contacts) const;

    void let_push(std::span<Place> contacts, int p);
    void drop(int slot);

    Direction way_; // sum of lambda_i times the directions
    std::array<int, most> pushing_;
    Eigen::Matrix<double, dimensions, reserved> directions_; // columns, of those that push
    int count_ = 0;
};

using ContactShares = SharesOf<Touching>;
using CircleShares = SharesOf<TouchingOnCircle>;

} // namespace stickslip
