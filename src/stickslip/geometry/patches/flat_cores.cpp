#include "stickslip/geometry/patches/flat_cores.h"

#include "stickslip/geometry/patches/levels.h"
#include "stickslip/geometry/patches/smooth_patches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace stickslip {

namespace {

/// A side at which a level part ends.
struct PartSide {
    int facet, side;
};

/// A level part: the facets of a fan, or one that is level with no other. Convex.
class LevelPart {
public:
    LevelPart(const SmoothPatches& surface, std::vector<PartSide> outline) // counter-clockwise
        : surface_(surface)
        , outline_(std::move(outline))
    {
        area_ = Vec3::Zero();
        for (int i = 0; i < sides(); ++i)
            area_ += (corner(i) - corner(0)).cross(along(i));
    }

    int sides() const { return static_cast<int>(outline_.size()); }
    const PartSide& side(int i) const { return outline_[i % sides()]; }
    int vertex(int i) const { return surface_.facets[side(i).facet][side(i).side]; }

    /// Whether normals lean to one side in the mean. On what is round they do so by no more than a third of what they
    /// lean to it at a corner: the centroid of a triangle that is not obtuse is no farther from the centre of its
    /// circumcircle. Beyond that more corners than three are on a plane only of what is no piece of it. Three always
    /// are: they make one at the tip of a cone, where that third is much.
    bool leans() const
    {
        constexpr double degree = std::numbers::pi / 180; // [rad]
        constexpr double little = 0.5 * degree, much = 3 * degree, round = 0.4; // [rad], [-]
        const Vec3 own = area_.normalized();
        Vec3 sum = Vec3::Zero();
        for (int i = 0; i < sides(); ++i) {
            const int f = outline_[i].facet;
            if (i > 0 && f == outline_[i - 1].facet)
                continue;
            const auto& [a, b, c] = surface_.facets[f];
            const double area = (surface_.x[b] - surface_.x[a]).cross(surface_.x[c] - surface_.x[a]).norm();
            for (const int n : surface_.normal_of[f])
                sum += area * surface_.normals[n];
        }
        sum.normalize();
        const Vec3 to_side = sum - sum.dot(own) * own;
        const double mean = to_side.norm();
        double most = 0;
        for (const auto& [f, k] : outline_)
            most = std::max(most, std::abs(surface_.normals[surface_.normal_of[f][k]].dot(to_side)));
        if (sides() == 3)
            return mean > std::sin(much) && is_at_tip();
        return mean > std::sin(little) && (mean > std::sin(much) || mean * mean > round * most);
    }

    /// The outline moved inwards by the same from each of its sides.
    std::vector<Vec3> ring() const
    {
        constexpr double share = 0.6; // [-] of how far inwards the first side shrinks to nothing
        std::vector<Vec3> inwards;
        for (int i = 0; i < sides(); ++i) {
            const Vec3 a = area_.cross(along(i + sides() - 1)).normalized(), b = area_.cross(along(i)).normalized();
            inwards.push_back((a + b) / (1 + a.dot(b)));
        }
        double reach = infinity; // [m]
        for (int i = 0; i < sides(); ++i) {
            const double length = along(i).norm(), shrinks = (inwards[i] - inwards[(i + 1) % sides()]).dot(along(i));
            if (shrinks > 0)
                reach = std::min(reach, length * length / shrinks);
        }
        std::vector<Vec3> ring;
        for (int i = 0; i < sides(); ++i)
            ring.push_back(corner(i) + share * reach * inwards[i]);
        return ring;
    }

private:
    const Vec3& corner(int i) const { return surface_.x[vertex(i)]; }
    /// A triangle that folds at one side much more than at the others.
    bool is_at_tip() const
    {
        constexpr double much_more = 3; // [-]
        std::array<double, 3> folds{}; // [-] sines
        for (int i = 0; i < 3; ++i)
            if (const int beyond = surface_.across[side(i).facet][side(i).side]; beyond >= 0)
                folds[i] = surface_.unit_normal(beyond).cross(area_.normalized()).norm();
        std::sort(folds.begin(), folds.end());
        return folds[2] > much_more * folds[1];
    }

    Vec3 along(int i) const { return corner(i + 1) - corner(i); }

    const SmoothPatches& surface_;
    std::vector<PartSide> outline_;
    Vec3 area_; // [m^2] vector, twice
};

bool is_level_with_none(const SmoothPatches& surface, int facet)
{
    constexpr double least_turn = 1e-3; // [rad]
    for (int k = 0; k < 3; ++k)
        if (surface.across[facet][k] >= 0 && !is_fold(surface, facet, k, least_turn))
            return false;
    return true;
}

} // namespace

FlatCores::FlatCores(const SmoothPatches& surface, int first_centre)
    : mesh{surface.x, {}}
{
    constexpr std::array<bool, 3> inside = {false, false, false};
    constexpr std::array<int, 3> own = {-1, -1, -1};
    const auto add = [&](const Triangle& facet, const std::array<bool, 3>& ends, const std::array<int, 3>& normals) {
        mesh.triangles.push_back(facet);
        ends_flat.push_back(ends);
        normal_of.push_back(normals);
    };
    const int count = static_cast<int>(surface.facets.size());
    for (int f = 0, next = 0; f < count; f = next) {
        const int centre = surface.facets[f][2];
        const bool is_fan = centre >= first_centre;
        std::vector<PartSide> outline;
        for (next = f; next == f || (is_fan && next < count && surface.facets[next][2] == centre); ++next)
            outline.push_back({next, 0});
        if (!is_fan)
            outline = {{f, 0}, {f, 1}, {f, 2}};
        const LevelPart part(surface, outline);
        if (!(is_fan || is_level_with_none(surface, f)) || !part.leans()) {
            for (int g = f; g < next; ++g)
                add(surface.facets[g], {surface.ends_flat(g, 0), surface.ends_flat(g, 1), surface.ends_flat(g, 2)},
                    surface.normal_of[g]);
            continue;
        }
        const int inner = static_cast<int>(mesh.vertices.size()), sides = part.sides();
        const std::vector<Vec3> ring = part.ring();
        for (int i = 0; i < sides; ++i) {
            mesh.vertices.push_back(ring[i]);
            mesh.vertices.push_back(
                0.5 * (ring[i] + ring[(i + 1) % sides])); // so that the border is like its mirror image
        }
        for (int i = 0; i < sides; ++i) {
            const int a = part.vertex(i), b = part.vertex(i + 1), inner_a = inner + 2 * i, middle = inner_a + 1,
                      inner_b = inner + 2 * ((i + 1) % sides);
            const auto [f_out, k] = part.side(i);
            const std::array<int, 3>& outer = surface.normal_of[f_out];
            add({a, b, middle}, {surface.ends_flat(f_out, k), false, false}, {outer[k], outer[(k + 1) % 3], -1});
            add({middle, inner_a, a}, inside, {-1, -1, outer[k]});
            add({inner_b, middle, b}, inside, {-1, -1, outer[(k + 1) % 3]});
            if (is_fan) {
                add({inner_a, middle, centre}, inside, own);
                add({middle, inner_b, centre}, inside, own);
            } else {
                add({middle, inner_b, inner + (2 * i + 3) % 6}, inside, own);
            }
        }
        if (!is_fan)
            add({inner + 1, inner + 3, inner + 5}, inside, own);
    }
}

// Weights of facets around a vertex fall with the lengths of their sides: the narrow facets of borders would turn it.
void keep_normals(const SmoothPatches& without, const FlatCores& cores, SmoothPatches& with_cores)
{
    std::vector<Vec3> kept(with_cores.normals.size(), Vec3::Zero());
    for (std::size_t f = 0; f < with_cores.facets.size(); ++f)
        for (int k = 0; k < 3; ++k) {
            const int n = cores.normal_of[f][k];
            kept[with_cores.normal_of[f][k]] = n < 0 ? with_cores.unit_normal(static_cast<int>(f)) : without.normals[n];
        }
    with_cores.keep_normals(std::move(kept));
}

} // namespace stickslip
