#include "stickslip/geometry/patches/flat_cores.h"

#include "stickslip/geometry/patches/levels.h"
#include "stickslip/geometry/patches/smooth_patches.h"

#include <algorithm>
#include <cmath>
#include <map>
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
    /// lean at the corners: the centroid of a triangle that is not obtuse is no farther from the centre of its
    /// circumcircle. Beyond that, and where even a third is much, the part is no piece of what is round.
    bool leans() const
    {
        constexpr double degree = std::numbers::pi / 180; // [rad]
        constexpr double little = 0.5 * degree, much = 3 * degree, round = 0.4; // [rad], [-]
        const Vec3 own = area_.normalized();
        Vec3 sum = Vec3::Zero();
        double most = 0;
        int last = -1; // facet that was added
        for (const auto& [f, k] : outline_) {
            most = std::max(most, surface_.normals[surface_.normal_of[f][k]].cross(own).norm());
            if (f == last)
                continue;
            last = f;
            const auto& [a, b, c] = surface_.facets[f];
            const double area = (surface_.x[b] - surface_.x[a]).cross(surface_.x[c] - surface_.x[a]).norm();
            for (const int n : surface_.normal_of[f])
                sum += area * surface_.normals[n];
        }
        const double mean = sum.normalized().cross(own).norm();
        return mean > std::sin(much) || mean > std::max(std::sin(little), round * most);
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
    const auto add = [&](const Triangle& facet, const std::array<bool, 3>& ends) {
        mesh.triangles.push_back(facet);
        ends_flat.push_back(ends);
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
                add(surface.facets[g], {surface.ends_flat(g, 0), surface.ends_flat(g, 1), surface.ends_flat(g, 2)});
            continue;
        }
        const int inner = static_cast<int>(mesh.vertices.size());
        for (const Vec3& place : part.ring())
            mesh.vertices.push_back(place);
        for (int i = 0; i < part.sides(); ++i) { // corner 2 of the border is no centre
            const int a = part.vertex(i), b = part.vertex((i + 1) % part.sides()), inner_a = inner + i,
                      inner_b = inner + (i + 1) % part.sides();
            add({b, inner_b, a}, {false, false, surface.ends_flat(part.side(i).facet, part.side(i).side)});
            add({inner_b, inner_a, a}, {false, false, false});
            if (is_fan)
                add({inner_a, inner_b, centre}, {false, false, false});
        }
        if (!is_fan)
            add({inner, inner + 1, inner + 2}, {false, false, false});
    }
}

// Weights of facets around a vertex fall with the lengths of their sides: the narrow facets of borders would turn it.
void keep_normals(const SmoothPatches& without, int first_centre, SmoothPatches& with_cores)
{
    std::map<std::pair<int, int>, Vec3> known; // by vertex and patch: both surfaces number patches alike
    for (std::size_t f = 0; f < without.facets.size(); ++f)
        for (int k = 0; k < 3; ++k)
            known[{without.facets[f][k], without.patch[f]}] = without.normals[without.normal_of[f][k]];
    std::vector<Vec3> kept(with_cores.normals.size(), Vec3::Zero());
    for (std::size_t f = 0; f < with_cores.facets.size(); ++f) {
        const Triangle& facet = with_cores.facets[f];
        const bool is_core = facet[0] >= static_cast<int>(without.x.size()) && facet[2] >= first_centre;
        for (int k = 0; k < 3; ++k)
            if (const auto at = known.find({facet[k], with_cores.patch[f]}); !is_core && at != known.end())
                kept[with_cores.normal_of[f][k]] = at->second;
    }
    with_cores.keep_normals(std::move(kept));
}

} // namespace stickslip
