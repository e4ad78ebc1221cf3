#include "stickslip/build/granular/place_spheres.h"

#include "stickslip/build/build_report.h"
#include "stickslip/build/granular/build_granular_bodies.h"
#include "stickslip/dem/packing/sphere_packing.h"
#include "stickslip/files/place_file.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/expand/sphere_sizes.h"

#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

Placing listed(const BodySettings& body, const std::filesystem::path& folder)
{
    Placing placing{.places = body.positions->places, .radii = body.radii};
    if (!body.positions->file.empty()) {
        PlaceTable table = read_places((folder / body.positions->file).string());
        placing.places = std::move(table.places);
        if (!table.radii.empty() && (body.radius || !body.radii.empty()))
            throw InputError("the file contains radii; remove `radius` and `radii`");
        if (!table.radii.empty())
            placing.radii = std::move(table.radii);
        if (!table.velocities.empty() && !body.velocity.isZero(0))
            throw InputError("the file contains velocities; remove `velocity`");
        if (!table.spins.empty() && !body.angular_velocity.isZero(0))
            throw InputError("the file contains angular velocities; remove `angular_velocity`");
        placing.velocities = std::move(table.velocities);
        placing.spins = std::move(table.spins);
    }
    if (body.clump) {
        if (!placing.radii.empty())
            throw InputError("the file contains radii, but clumps have their own");
        placing.radii.assign(placing.places.size(), make_clump(*body.clump, 1).reach);
    }
    if (body.radius)
        placing.radii.assign(placing.places.size(), *body.radius);
    if (placing.radii.size() != placing.places.size())
        throw InputError(placing.radii.empty() ? "expected `radius`, `radii` or a fourth column of the file"
                                               : "expected as many radii as positions, got "
                    + std::to_string(placing.radii.size()) + " and " + std::to_string(placing.places.size()));
    return placing;
}

Placing filled(const BodySettings& body, BodySurfaces& surfaces)
{
    const FillSettings& fill = *body.fill;
    LevelSet region = Plane{};
    double volume = 0;
    const double pi = std::numbers::pi;
    if (fill.box) {
        region = Box{*fill.box};
        volume = fill.box->prod();
    } else if (fill.cylinder) {
        region = *fill.cylinder;
        volume = pi * std::pow(fill.cylinder->radius, 2) * fill.cylinder->height;
    } else if (fill.sphere) {
        region = Sphere{*fill.sphere};
        volume = 4 * pi / 3 * std::pow(*fill.sphere, 3);
    } else {
        const std::vector<std::string>& defects = surfaces.defects(*fill.mesh);
        if (!defects.empty())
            throw InputError(defects.front());
        region = surfaces.solid(*fill.mesh);
        volume = enclosed_volume(*surfaces.mesh(*fill.mesh));
    }
    Placing placing;
    if (body.clump) {
        const ClumpShape one = make_clump(*body.clump, 1);
        const double many = fill.count ? *fill.count : std::round(fill.fraction.value_or(0) * volume / one.volume);
        placing.radii.assign(static_cast<std::size_t>(many), one.reach);
    } else {
        const Sizes sizes = fill.sizes ? *fill.sizes : Sizes(UniformSizes{*body.radius, *body.radius});
        placing.radii = draw_radii(sizes, fill.sizes_by, fill.count, fill.fraction.value_or(0) * volume, fill.seed);
    }
    if (placing.radii.empty())
        throw InputError("no sphere fits into this fraction of the region");
    double solid = 0;
    for (const double radius : placing.radii)
        solid += 4 * pi / 3 * std::pow(radius, 3);
    constexpr double densest = 0.74; // spheres of one size are never denser; such a place would be sought for hours
    if (solid > densest * volume)
        throw InputError("the spheres would fill " + short_number(solid / volume)
            + " of the region's volume; at most about 0.58 can be reached");
    placing.places = pack_spheres(region, placing.radii, fill.seed);
    return placing;
}

} // namespace

Placing place_spheres(const BodySettings& body, const std::filesystem::path& folder, BodySurfaces& surfaces)
{
    if (body.fill)
        return filled(body, surfaces);
    return body.positions ? listed(body, folder) : Placing{};
}

SourcePosition placing_position(const BodySettings& body)
{
    if (body.fill)
        return body.fill_at;
    return body.positions ? body.positions_at : body.inlet_at;
}

std::string placing_key(const BodySettings& body)
{
    if (body.fill)
        return "fill";
    return body.positions ? "positions" : "inlet";
}

} // namespace stickslip
