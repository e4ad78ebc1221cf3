#include "stickslip/build/filled_shape.h"

#include "stickslip/geometry/queries/box_tree.h"
#include "stickslip/geometry/queries/mesh_distance.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>

namespace stickslip {

namespace {

constexpr double most_cells = 3e7;
constexpr double least_sine = 0.1; // [-] of the angle of an edge in which there is a place beside both faces
constexpr int most_corrections = 20; // flat faces need one
constexpr double depth_tolerance = 1e-6; // [half widths]: places in files have about seven digits

// In [-1/2, 1/2), the same with every standard library.
double offset(std::mt19937_64& random)
{
    return 0x1p-53 * static_cast<double>(random() >> 11) - 0.5;
}

/// Cells, and the places in those whose place is inside.
struct Lattice {
    Vec3 middle, size, step; // [m] of the box, of the box, of a cell
    std::vector<Vec3> places;
    double deepest = 0; // [m] of the places
};

Lattice places_inside(const ShapeDistance& distance, const Bounds& box, double spacing, std::optional<int> seed)
{
    Lattice lattice;
    lattice.middle = 0.5 * (box.min + box.max);
    lattice.size = box.max - box.min;
    Vec3 count;
    for (int axis = 0; axis < 3; ++axis) { // one layer would leave a gap to one of two faces farther apart
        const double layers = lattice.size[axis] / spacing;
        count[axis] = std::max(std::round(layers), layers > 1.01 ? 2.0 : 1.0);
    }
    if (!(count.prod() <= most_cells))
        throw InputError("expected a coarser resolution: the bounding box would hold " + short_number(count.prod())
            + " particles, the most is " + short_number(most_cells));
    lattice.step = lattice.size.cwiseQuotient(count);
    std::mt19937_64 random(seed.value_or(0));
    for (int k = 0; k < count[2]; ++k)
        for (int j = 0; j < count[1]; ++j)
            for (int i = 0; i < count[0]; ++i) {
                Vec3 cell(i + 0.5, j + 0.5, k + 0.5);
                if (seed)
                    for (int axis = 0; axis < 3; ++axis)
                        cell[axis] += offset(random);
                const Vec3 x = box.min + lattice.step.cwiseProduct(cell);
                const double phi = distance(x).phi;
                if (phi < 0)
                    lattice.places.push_back(x);
                lattice.deepest = std::max(lattice.deepest, -phi);
            }
    return lattice;
}

// The places of the lattice stretched about the middle of its box until its outermost layers are `depth` under the
// faces of the box.
std::vector<Vec3> fitted(const Lattice& lattice, double depth)
{
    Vec3 stretch = Vec3::Ones();
    for (int axis = 0; axis < 3; ++axis)
        if (const double between = lattice.size[axis] - lattice.step[axis]; between > 0.5 * lattice.step[axis])
            stretch[axis] = (lattice.size[axis] - 2 * depth) / between;
    std::vector<Vec3> places;
    for (const Vec3& x : lattice.places)
        places.push_back(lattice.middle + stretch.cwiseProduct(x - lattice.middle));
    return places;
}

// Where a place of the outermost layer lies in its middle. Each face of an edge or a corner is left along those that
// were left before it; curved ones are come back to. Nothing where the solid is too thin.
std::optional<Vec3> in_layer(const ShapeDistance& distance, Vec3 x, double depth)
{
    SurfaceDistance at = distance(x);
    if (at.phi > -2 * depth && at.phi < -depth)
        x -= (at.phi + depth) * at.n;
    for (int correction = 0; correction < most_corrections; ++correction) {
        Mat3 left = Mat3::Zero(); // columns: the normals of the faces, made orthonormal
        for (int face = 0; face < 3; ++face) {
            at = distance(x);
            const double excess = at.phi + depth;
            if (excess <= depth_tolerance * depth)
                return x;
            const Vec3 way = at.n - left * (left.transpose() * at.n);
            if (way.norm() < least_sine)
                break;
            x -= excess / way.squaredNorm() * way;
            left.col(face) = way.normalized();
        }
    }
    return std::nullopt;
}

// Gives each of `strays` the nearest of `places`.
void join_nearest(std::vector<Vec3>& places, const std::vector<Vec3>& strays)
{
    std::vector<Bounds> boxes(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        boxes[i].add(places[i]);
    const BoxTree tree(boxes);
    for (const Vec3& x : strays)
        places.push_back(places[tree.nearest(x, [&](int i) { return (places[i] - x).squaredNorm(); }).item]);
}

// Nothing where the solid is thinner everywhere.
FilledShape settled(const ShapeDistance& distance, const Lattice& lattice, double half_width)
{
    FilledShape filled{.places = {}, .half_width = half_width};
    std::vector<Vec3> strays;
    for (const Vec3& x : fitted(lattice, half_width)) {
        if (const std::optional<Vec3> place = in_layer(distance, x, half_width))
            filled.places.push_back(*place);
        else
            strays.push_back(x);
    }
    if (filled.places.empty())
        return {};
    filled.moved = strays.size();
    join_nearest(filled.places, strays);
    return filled;
}

} // namespace

ShapeDistance shape_distance(const LevelSet& solid)
{
    return [solid](const Vec3& x) {
        const LevelSetSample at = sample(solid, x);
        return SurfaceDistance{at.phi, at.n.normalized()};
    };
}

ShapeDistance shape_distance(const TriMesh& closed_mesh)
{
    const auto mesh = std::make_shared<const MeshDistance>(closed_mesh);
    return [mesh](const Vec3& x) {
        const MeshDistance::Sample at = mesh->sample(x);
        return SurfaceDistance{at.phi, (std::copysign(1.0, at.phi) * (x - at.point)).normalized()};
    };
}

FilledShape filled_shape(
    const ShapeDistance& distance, const Bounds& box, double volume, double spacing, std::optional<int> seed)
{
    const Lattice lattice = places_inside(distance, box, spacing, seed);
    if (lattice.places.empty())
        return {};
    const double half_width = 0.5 * std::cbrt(volume / static_cast<double>(lattice.places.size()));
    const FilledShape filled = settled(distance, lattice, half_width);
    return filled.places.empty() ? settled(distance, lattice, (1 - depth_tolerance) * lattice.deepest) : filled;
}

} // namespace stickslip
