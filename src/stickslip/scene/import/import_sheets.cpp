#include "stickslip/scene/import/import_sheets.h"

#include "stickslip/scene/text/scene_tree.h"

#include <algorithm>
#include <cstdio>

namespace stickslip {

namespace {

// Of the longest edge of a sheet: how thick its box is, of one that moves and of one that does not; how thin it may
// become between bodies on both sides; how far a body may reach through it and still be on one side.
constexpr double card_thickness = 0.01, ground_thickness = 0.1, least_thickness = 1e-4, touching = 1e-6;

/// The free bodies seen from a sheet: on which sides they are and how near [m].
struct Neighbours {
    double above = infinity, below = infinity; // infinity: none
    bool beside = false; // some reach from one side to the other
};

Neighbours neighbours_of(
    const ImportedBody& sheet, const std::vector<ImportedBody>& bodies, const Vec3& n, const CanMeet& can_meet)
{
    const Bounds& box = sheet.sheet->box;
    const double longest = (box.max - box.min).maxCoeff(), tolerance = touching * longest;
    Neighbours near;
    for (const ImportedBody& body : bodies) {
        if (&body == &sheet || !body.is_free() || body.world.empty() || !can_meet(sheet, body))
            continue;
        double low = infinity, high = -infinity;
        for (const Vec3& x : body.world) {
            const double d = n.dot(x - sheet.world.front());
            low = std::min(low, d);
            high = std::max(high, d);
        }
        if (low >= -tolerance)
            near.above = std::min(near.above, std::max(low, 0.0));
        else if (high <= tolerance)
            near.below = std::min(near.below, std::max(-high, 0.0));
        else
            near.beside = true;
    }
    return near;
}

std::string vector_text(const Vec3& n)
{
    char text[80]; // + 0.0: without the sign of zeros
    const Vec3 r = (1e3 * n).array().round() / 1e3 + 0.0;
    std::snprintf(text, sizeof text, "[%g, %g, %g]", r.x(), r.y(), r.z());
    return text;
}

std::string thickness_text(double thickness)
{
    return "a sheet has no volume: a box " + number_text(thickness) + " m thick here";
}

/// What a box has beyond the sheet on either side [m], and why.
struct Extent {
    double above, below;
    std::string text;
};

Extent one_sided(const Vec3& n, bool faces_up, double thickness, const std::string& why)
{
    const std::string text = thickness_text(thickness) + ", behind its face, which looks along "
        + vector_text(faces_up ? n : -n) + ", " + why;
    return {faces_up ? 0 : thickness, faces_up ? thickness : 0, text};
}

Extent two_sided(const Neighbours& near, double longest)
{
    double above = std::min(near.above, 0.5 * card_thickness * longest);
    double below = std::min(near.below, 0.5 * card_thickness * longest);
    if (above + below < least_thickness * longest)
        above = below = 0.5 * least_thickness * longest;
    return {above, below, thickness_text(above + below) + ", two-sided: free bodies are on both sides"};
}

Extent extent_beyond(const ImportedBody& body, const Neighbours& near, const Vec3& n, const Vec3& gravity)
{
    const double longest = (body.sheet->box.max - body.sheet->box.min).maxCoeff();
    if (body.is_free() || (body.script && body.script->turns())) {
        const double half = 0.5 * card_thickness * longest;
        return {half, half, thickness_text(2 * half)};
    }
    const bool is_above = near.above < infinity, is_below = near.below < infinity;
    if (near.beside || (is_above && is_below))
        return two_sided(near, longest);
    const double thickness = (body.script ? card_thickness : ground_thickness) * longest;
    if (is_above || is_below)
        return one_sided(n, is_above, thickness, "towards the free bodies");
    if (std::abs(n.dot(gravity)) > 1e-9 * gravity.norm())
        return one_sided(n, n.dot(gravity) < 0, thickness, "against gravity (no free body meets it)");
    return one_sided(
        n, body.sheet->looks_up, thickness, "as its triangles do (no free body meets it, gravity is along it)");
}

} // namespace

std::string make_box_of_sheet(
    std::vector<ImportedBody>& bodies, std::size_t b, const Vec3& gravity, const CanMeet& can_meet)
{
    ImportedBody& body = bodies[b];
    BodySettings& settings = body.settings;
    const Mat3 R = settings.rotation ? rotation_matrix(*settings.rotation) : Mat3::Identity();
    const int axis = body.sheet->axis;
    const Vec3 n = R.col(axis);
    const Extent extent = extent_beyond(body, neighbours_of(body, bodies, n, can_meet), n, gravity);
    Bounds box = body.sheet->box;
    box.max[axis] += extent.above;
    box.min[axis] -= extent.below;
    settings.shape = Box{box.max - box.min};
    settings.position += R * (0.5 * (box.min + box.max));
    return extent.text;
}

std::vector<std::string> notes_of_fast_bodies(const std::vector<ImportedBody>& bodies, double step)
{
    double thinnest = infinity;
    for (const ImportedBody& body : bodies)
        thinnest =
            std::min(thinnest, body.sheet ? std::get<Box>(body.settings.shape).size[body.sheet->axis] : body.feature);
    std::vector<std::string> notes;
    for (const ImportedBody& body : bodies)
        if (const double way = body.settings.velocity.norm() * step; way > thinnest)
            notes.push_back(body.place + "linear_velocity: moves " + number_text(way)
                + " m a step, while the thinnest body is " + number_text(thinnest)
                + " m thick: they may pass through one another; a shorter step helps");
    return notes;
}

} // namespace stickslip
