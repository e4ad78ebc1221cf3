#include "stickslip/scene/expand/copies.h"

#include "stickslip/math/error.h"
#include "stickslip/scene/expand/copy_boxes.h"
#include "stickslip/scene/mesh_parts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <random>

namespace stickslip {

namespace {

std::vector<CopyPlace> places(const GridCopies& grid, const CopyExtent&, const Mat3&)
{
    std::vector<CopyPlace> result;
    for (int k = 0; k < grid.count[2]; ++k)
        for (int j = 0; j < grid.count[1]; ++j)
            for (int i = 0; i < grid.count[0]; ++i)
                result.push_back({.offset = grid.spacing.cwiseProduct(Vec3(i, j, k))});
    return result;
}

std::vector<CopyPlace> places(const StackCopies& stack, const CopyExtent& extent, const Mat3& rotation)
{
    const Vec3 up = stack.axis.stableNormalized(), own = rotation.transpose() * up;
    const Vec3 size = extent.box.max - extent.box.min;
    const double height = extent.ball ? size.x() : own.cwiseAbs().dot(size);
    std::vector<CopyPlace> result;
    for (int i = 0; i < stack.count; ++i)
        result.push_back({.offset = i * (height + stack.gap) * up});
    return result;
}

std::vector<CopyPlace> places(const RingCopies& ring, const CopyExtent&, const Mat3&)
{
    const Vec3 axis = ring.axis.stableNormalized();
    const Vec3 along = std::abs(axis.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ(); // the first copy is towards it
    const Vec3 first = ring.radius * (along - axis.dot(along) * axis).normalized();
    std::vector<CopyPlace> result;
    for (int i = 0; i < ring.count; ++i) {
        const Mat3 turn = Eigen::AngleAxisd(2 * std::numbers::pi * i / ring.count, axis).toRotationMatrix();
        result.push_back({.offset = turn * first, .turn = turn});
    }
    return result;
}

/// Numbers that depend on the seed alone, not on the standard library.
class Dice {
public:
    explicit Dice(int seed)
        : engine_(static_cast<std::uint64_t>(seed))
    {
    }
    double uniform(double low, double high)
    {
        return low + (high - low) * 0x1p-53 * static_cast<double>(engine_() >> 11);
    }
    Vec3 point(const Bounds& box)
    {
        const double x = uniform(box.min.x(), box.max.x()), y = uniform(box.min.y(), box.max.y());
        return {x, y, uniform(box.min.z(), box.max.z())};
    }
    /// Every orientation alike.
    Mat3 rotation()
    {
        const double u = uniform(0, 1), a = uniform(0, 2 * std::numbers::pi), b = uniform(0, 2 * std::numbers::pi);
        const double p = std::sqrt(1 - u), q = std::sqrt(u);
        return Quat(q * std::cos(b), p * std::sin(a), p * std::cos(a), q * std::sin(b)).toRotationMatrix();
    }

private:
    std::mt19937_64 engine_;
};

std::vector<CopyPlace> places(const ScatteredCopies& scattered, const CopyExtent& extent, const Mat3& rotation)
{
    constexpr int tries = 2000; // for one body
    const Vec3 middle = 0.5 * (extent.box.min + extent.box.max), half = 0.5 * (extent.box.max - extent.box.min);
    Dice dice(scattered.seed);
    PlacedBoxes placed(half, extent.ball);
    std::vector<CopyPlace> result;
    for (int i = 0; i < scattered.count; ++i) {
        bool found = false;
        for (int attempt = 0; attempt < tries && !found; ++attempt) {
            const Mat3 turn = scattered.turned ? dice.rotation() : Mat3::Identity();
            const Mat3 R = turn * rotation;
            const Vec3 reach = extent.ball ? half : Vec3(R.cwiseAbs() * half);
            const Bounds room{scattered.box.min + reach, scattered.box.max - reach};
            if ((room.min.array() > room.max.array()).any())
                continue;
            const Vec3 at = dice.point(room);
            found = placed.try_to_add({at, R});
            if (found)
                result.push_back({.offset = at - R * middle, .turn = turn});
        }
        if (!found)
            throw InputError("only " + std::to_string(i) + " of " + std::to_string(scattered.count)
                + " fit into the box without overlap; enlarge it or take fewer");
    }
    return result;
}

CopyExtent extent_of(const Shape& shape, const std::filesystem::path& folder)
{
    const auto round = [](double across, double along) {
        const Vec3 half(across, along, across);
        return CopyExtent{.box = {-half, half}};
    };
    if (const auto* box = std::get_if<Box>(&shape))
        return {.box = {-0.5 * box->size, 0.5 * box->size}};
    if (const auto* box = std::get_if<RoundedBox>(&shape))
        return {.box = {-0.5 * box->size, 0.5 * box->size}};
    if (const auto* sphere = std::get_if<Sphere>(&shape))
        return {.box = round(sphere->radius, sphere->radius).box, .ball = true};
    if (const auto* cylinder = std::get_if<Cylinder>(&shape))
        return round(cylinder->radius, cylinder->height / 2);
    if (const auto* cone = std::get_if<Cone>(&shape))
        return round(cone->radius, cone->height / 2);
    if (const auto* capsule = std::get_if<Capsule>(&shape))
        return round(capsule->radius, capsule->height / 2 + capsule->radius);
    if (const auto* torus = std::get_if<Torus>(&shape))
        return round(torus->major + torus->minor, torus->minor);
    if (const auto* mesh = std::get_if<MeshShape>(&shape)) {
        return {.box = bounds(read_triangles(*mesh, folder).vertices)};
    }
    throw InputError("expected a shape of known size for a stack or scattered copies");
}

BodySettings copy_of(const BodySettings& body, std::size_t index, const CopyPlace& place)
{
    BodySettings copy = body;
    copy.copies.reset();
    copy.copies_at = {};
    copy.name = body.name + "[" + std::to_string(index) + "]";
    copy.position = body.position + place.offset;
    copy.position_at = body.placed_at();
    if (place.turn.isIdentity(0))
        return copy;
    const Quat R = Quat(place.turn * (body.rotation ? rotation_matrix(*body.rotation) : Mat3::Identity()));
    copy.rotation = QuaternionRotation{{R.w(), R.x(), R.y(), R.z()}};
    return copy;
}

std::vector<BodySettings> copies_of(const BodySettings& body, const std::filesystem::path& folder)
{
    const bool sized =
        std::holds_alternative<StackCopies>(*body.copies) || std::holds_alternative<ScatteredCopies>(*body.copies);
    const CopyExtent extent = sized ? extent_of(body.shape, folder) : CopyExtent{};
    const Mat3 R = body.rotation ? rotation_matrix(*body.rotation) : Mat3::Identity();
    std::vector<BodySettings> copies;
    for (const CopyPlace& place : place_copies(*body.copies, extent, R))
        copies.push_back(copy_of(body, copies.size(), place));
    return copies;
}

} // namespace

std::vector<CopyPlace> place_copies(const Copies& copies, const CopyExtent& extent, const Mat3& rotation)
{
    return std::visit([&](const auto& form) { return places(form, extent, rotation); }, copies);
}

double copy_count(const Copies& copies)
{
    if (const auto* grid = std::get_if<GridCopies>(&copies))
        return static_cast<double>(grid->count[0]) * grid->count[1] * grid->count[2];
    return std::visit(
        [](const auto& form) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(form)>, GridCopies>)
                return 0;
            else
                return form.count;
        },
        copies);
}

void expand_copies(Scene& scene, SceneTree& tree, const std::filesystem::path& folder, Reading& reading)
{
    const std::size_t before = reading.faults().size();
    std::vector<BodySettings> bodies;
    std::vector<std::size_t> origin;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodySettings& body = scene.bodies[i];
        if (!body.copies) {
            bodies.push_back(body);
        } else {
            try {
                std::ranges::move(copies_of(body, folder), std::back_inserter(bodies));
            } catch (const std::runtime_error& error) { // InputError, FileError of a mesh
                reading.fault(body.copies_at, "bodies." + body.name + ".copies", error.what());
            }
        }
        origin.resize(bodies.size(), tree.item_of(i));
    }
    if (reading.faults().size() > before)
        return;
    scene.bodies = std::move(bodies);
    tree.origin = std::move(origin);
}

} // namespace stickslip
