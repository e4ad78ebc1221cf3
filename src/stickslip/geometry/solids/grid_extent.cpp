#include "stickslip/geometry/solids/grid_extent.h"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>

// One side of the box at a time, by branch and bound: within a cell the spline lies between the least and the greatest
// of its 64 Bernstein coefficients (a convex combination of them), and halving a cell brings these nearer to it.

namespace stickslip {

namespace {

constexpr double round_off = 1e-12; // [spacings] of phi: what is not deeper than this is outside
constexpr double finest = 1.0 / 64; // [spacings] along the axis of the side that is sought
constexpr double slant = 8; // a piece is halved across this axis until it is flatter than this

using GridLine = Eigen::Array4d;

/// Coefficients of a piece of a cell: those of (i, j, k) at 16 i + 4 j + k.
using Net = std::array<double, 64>;

constexpr std::array<int, 3> stride = {16, 4, 1};

template <typename Change>
void change_lines(Net& net, int axis, const Change& change)
{
    const int step = stride[axis];
    for (int at = 0; at < 64; ++at) {
        if (at / step % 4 != 0)
            continue;
        const GridLine c = change(GridLine(net[at], net[at + step], net[at + 2 * step], net[at + 3 * step]));
        for (int i = 0; i < 4; ++i)
            net[at + i * step] = c[i];
    }
}

GridLine to_bernstein(const GridLine& c)
{
    return {(c[0] + 4 * c[1] + c[2]) / 6, (2 * c[1] + c[2]) / 3, (c[1] + 2 * c[2]) / 3, (c[1] + 4 * c[2] + c[3]) / 6};
}

/// De Casteljau at the middle: the half of the lower parameters.
GridLine lower_half(const GridLine& b)
{
    const double ab = (b[0] + b[1]) / 2, bc = (b[1] + b[2]) / 2, cd = (b[2] + b[3]) / 2;
    return {b[0], ab, (ab + bc) / 2, (ab + 2 * bc + cd) / 4};
}

GridLine upper_half(const GridLine& b)
{
    return lower_half(b.reverse()).reverse();
}

double least(const Net& net)
{
    return *std::min_element(net.begin(), net.end());
}

/// How far {phi <= 0} reaches along one axis, up or down.
class GridSide {
public:
    /// `known` [m]: where it reaches at least.
    GridSide(const GridCoefficients& grid, int axis, bool up, double known)
        : grid_(grid)
        , axis_(axis)
        , up_(up)
        , farthest_(in_cells(known))
    {
    }

    double find()
    {
        std::array<int, 3> first = {1, 1, 1}, last;
        for (int a = 0; a < 3; ++a)
            last[a] = grid_.count[a] - 3;
        (up_ ? first : last)[axis_] = std::clamp(static_cast<int>(std::floor(farthest_)), 1, last[axis_]);
        std::array<int, 3> cell;
        for (cell[0] = first[0]; cell[0] <= last[0]; ++cell[0])
            for (cell[1] = first[1]; cell[1] <= last[1]; ++cell[1])
                for (cell[2] = first[2]; cell[2] <= last[2]; ++cell[2])
                    look_into(cell);
        return grid_.origin[axis_] + grid_.spacing * farthest_;
    }

private:
    double in_cells(double x) const { return (x - grid_.origin[axis_]) / grid_.spacing; }
    bool is_farther(double x) const { return up_ ? x > farthest_ : x < farthest_; }
    bool is_outside(const Net& net) const { return least(net) >= -round_off * grid_.spacing; }

    void look_into(const std::array<int, 3>& cell)
    {
        Net net;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                const std::size_t row = static_cast<std::size_t>(cell[0] - 1 + i) * grid_.count[1] + cell[1] - 1 + j;
                std::copy_n(&grid_.values[row * grid_.count[2] + cell[2] - 1], 4, &net[16 * i + 4 * j]);
            }
        if (is_outside(net)) // the spline lies between these, too
            return;
        for (int axis = 0; axis < 3; ++axis)
            change_lines(net, axis, to_bernstein);
        look_into(net, cell[axis_], Vec3::Ones());
    }

    /// `low` [cells]: where the piece begins along the axis; `size` [cells] of the piece.
    void look_into(const Net& net, double low, const Vec3& size)
    {
        const double end = up_ ? low + size[axis_] : low;
        if (!is_farther(end) || is_outside(net))
            return;
        Vec3 length = size;
        length[axis_] *= slant;
        int across;
        if (!(length.maxCoeff(&across) > slant * finest)) {
            farthest_ = end;
            return;
        }
        Vec3 half = size;
        half[across] /= 2;
        Net lower = net, upper = net;
        change_lines(lower, across, lower_half);
        change_lines(upper, across, upper_half);
        const double middle = across == axis_ ? low + half[across] : low;
        if (up_) { // the farther one first: what is nearer is then often passed over
            look_into(upper, middle, half);
            look_into(lower, low, half);
        } else {
            look_into(lower, low, half);
            look_into(upper, middle, half);
        }
    }

    const GridCoefficients& grid_;
    int axis_;
    bool up_;
    double farthest_; // [cells] from the first node
};

} // namespace

Bounds grown_to_zero_surface(const GridCoefficients& grid, const Bounds& mesh)
{
    Bounds box = mesh;
    for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] = std::min(box.min[axis], GridSide(grid, axis, false, mesh.min[axis]).find());
        box.max[axis] = std::max(box.max[axis], GridSide(grid, axis, true, mesh.max[axis]).find());
    }
    return box;
}

} // namespace stickslip
