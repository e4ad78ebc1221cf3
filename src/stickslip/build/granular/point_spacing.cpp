#include "stickslip/build/granular/point_spacing.h"

#include "stickslip/build/build_rigid.h"
#include "stickslip/scene/checks/body_pairs.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

bool is_free_ball(const BodySettings& body)
{
    return body.is_free_rigid() && std::holds_alternative<Sphere>(body.shape);
}

/// Meets others by points, or is met by theirs.
bool is_solid(const BodySettings& body)
{
    return body.kind != BodyKind::spheres && !is_free_ball(body);
}

bool is_free_solid(const BodySettings& body)
{
    return body.is_free_rigid() && !is_free_ball(body);
}

/// Once for all copies.
void warn_once(const BodySettings& body, const std::string& message, BuildResult& result)
{
    const SourcePosition at = shape_position(body);
    if (std::none_of(result.warnings.begin(), result.warnings.end(), [&](const Fault& told) {
            return told.line == at.line && told.column == at.column && told.message == message;
        }))
        result.warn(at, "bodies." + body.name + "." + shape_key(body), message);
}

} // namespace

PointSpacing::PointSpacing(const Scene& scene, BodySurfaces& surfaces)
    : scene_(scene)
    , surfaces_(surfaces)
{
    for (const BodySettings& body : scene.bodies)
        extents_.push_back(is_solid(body) ? extent_of(body) : Extent{});
    for (std::size_t i = 0; i < extents_.size(); ++i) {
        double others = infinity, of_round = infinity; // [m]
        for (std::size_t k = 0; k < extents_.size() && std::isfinite(extents_[i].longest); ++k) {
            const Extent& other = extents_[k];
            if (!(other.middle < (other.has_round_side ? of_round : others)) || !may_meet(i, k))
                continue;
            others = std::min(others, other.middle);
            if (other.has_round_side)
                of_round = other.middle;
        }
        const double on_faces = extents_[i].longest / 8;
        edges_.push_back(
            std::isfinite(others) ? std::min(on_faces, edge_spacing(extents_[i].longest, others, of_round)) : on_faces);
    }
}

PointSpacing::Extent PointSpacing::extent_of(const BodySettings& body) const
{
    Extent extent;
    Bounds box;
    if (const auto* shape = std::get_if<MeshShape>(&body.shape)) {
        try {
            box = bounds(surfaces_.mesh(*shape)->vertices);
        } catch (const std::exception&) {
            return extent; // told where the body is built
        }
        extent.has_edges = true;
    } else if (const std::optional<Primitive> primitive = primitive_of(body.shape)) {
        box = bounds(std::visit([](const auto& s) -> LevelSet { return s; }, *primitive));
        extent.has_edges = std::holds_alternative<Box>(*primitive);
        extent.has_round_side =
            std::holds_alternative<Cylinder>(*primitive) || std::holds_alternative<Cone>(*primitive);
        if (std::holds_alternative<Plane>(*primitive))
            return extent;
        if (!extent.has_edges && !std::holds_alternative<RoundedBox>(*primitive))
            extent.curved = curved_resolution(*primitive);
    } else {
        constexpr double narrowest = 4; // [cells] of the hills of a sampled level set; it has no points of its own
        try {
            const LevelSet solid = surfaces_.solid(body.shape);
            extent.middle = narrowest * std::get<std::shared_ptr<const GridLevelSet>>(solid)->spacing();
        } catch (const std::exception&) { // likewise
        }
        return extent;
    }
    Vec3 size = box.max - box.min;
    std::sort(size.data(), size.data() + 3);
    extent.longest = size[2];
    extent.middle = size[1];
    extent.smallest = size[0];
    return extent;
}

bool PointSpacing::may_meet(std::size_t a, std::size_t b) const
{
    const BodySettings &first = scene_.bodies[a], &second = scene_.bodies[b];
    if (a == b || !is_solid(first) || !is_solid(second) || !(is_free_solid(first) || is_free_solid(second))
        || !may_touch(first, second))
        return false;
    const PairSettings* const rule = settings_of_pair(scene_.contact, first.name, second.name);
    return !rule || rule->enabled;
}

SampleSpacing PointSpacing::of(const BodySettings& body) const
{
    const auto i = static_cast<std::size_t>(&body - scene_.bodies.data());
    return {extents_[i].longest / 8, edges_[i]};
}

/// The farthest that two points of the body's edges, or of its round side, are apart [m].
double PointSpacing::gap(std::size_t i) const
{
    const BodySettings& body = scene_.bodies[i];
    if (is_free_solid(body) && std::holds_alternative<Capsule>(body.shape))
        return 0; // a row of balls
    if (body.sample)
        return *body.sample;
    if (extents_[i].curved > 0)
        return extents_[i].curved;
    return extents_[i].has_edges ? edges_[i] : extents_[i].longest / 8;
}

void PointSpacing::warn_of_gaps(BuildResult& result) const
{
    for (std::size_t a = 0; a < extents_.size(); ++a) {
        std::size_t thinnest = a;
        if (!is_free_solid(scene_.bodies[a]) || !std::isfinite(extents_[a].longest))
            continue;
        for (std::size_t b = 0; b < extents_.size(); ++b) {
            if (b < a && is_free_solid(scene_.bodies[b])) // told there
                continue;
            const bool slips = extents_[b].smallest < gap(a) && extents_[a].smallest < gap(b);
            if (slips && std::isfinite(extents_[b].longest)
                && (thinnest == a || extents_[b].smallest < extents_[thinnest].smallest) && may_meet(a, b))
                thinnest = b;
        }
        if (thinnest == a)
            continue;
        const BodySettings& other = scene_.bodies[thinnest];
        warn_once(scene_.bodies[a],
            "can pass through \"" + other.name + "\" where edges cross between two points of either: they are "
                + short_number(gap(a)) + " and " + short_number(gap(thinnest)) + " m apart, the bodies as thin as "
                + short_number(extents_[a].smallest) + " and " + short_number(extents_[thinnest].smallest)
                + " m; give one of them a `sample` of at most half the width of the other",
            result);
    }
}

void warn_of_bumps(const Scene& scene, BuildResult& result)
{
    for (const BodySettings& body : scene.bodies) {
        const bool turns = !(body.fixed_dofs[3] && body.fixed_dofs[4] && body.fixed_dofs[5]);
        const char* const shape = std::holds_alternative<Cylinder>(body.shape) ? "cylinder"
            : std::holds_alternative<Cone>(body.shape)                         ? "cone"
            : std::holds_alternative<Torus>(body.shape)                        ? "torus"
                                                                               : nullptr;
        if (!shape || !is_free_solid(body) || !turns
            || std::none_of(scene.bodies.begin(), scene.bodies.end(), [&](const BodySettings& other) {
                   return &other != &body && is_solid(other) && may_touch(body, other);
               }))
            continue;
        warn_once(body,
            "meets other solids by points, so that a " + std::string(shape)
                + " rolls as over bumps, which slow it; where that matters, use spheres, capsules or clumps, or "
                  "`solver.integration: implicit`",
            result);
    }
}

} // namespace stickslip
