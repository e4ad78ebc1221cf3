#include "stickslip/geometry/patches/level_fans.h"

#include "stickslip/geometry/patches/levels.h"
#include "stickslip/geometry/patches/smooth_patches.h"

#include <map>
#include <optional>

namespace stickslip {

namespace {

constexpr double least_turn = 1e-3; // [rad] of facets that are not on one plane

/// A side of a level part at which it ends.
struct LevelEnd {
    int facet, side;
};

class Fans {
public:
    Fans(const SmoothPatches& surface, const Levels& levels)
        : surface_(surface)
        , levels_(levels)
    {
    }

    /// The ends of a level part one after another, counter-clockwise; nothing where it stays as it is.
    std::optional<std::vector<LevelEnd>> outline(const std::vector<int>& facets) const
    {
        std::map<int, LevelEnd> from; // by the vertex that they leave
        bool folds = false;
        for (const int f : facets)
            for (int k = 0; k < 3; ++k) {
                const int g = surface_.across[f][k];
                if (g >= 0 && levels_.level[g] == levels_.level[f])
                    continue;
                folds = folds || g >= 0;
                from.insert({surface_.facets[f][k], {f, k}});
            }
        if (facets.size() < 2 || !folds || from.size() != facets.size() + 2) // else: holes, or vertices within
            return std::nullopt;
        std::vector<LevelEnd> ends;
        int vertex = from.begin()->first;
        for (std::size_t i = 0; i < from.size(); ++i) {
            const auto at = from.find(vertex);
            if (at == from.end())
                return std::nullopt;
            ends.push_back(at->second);
            vertex = end_of(at->second);
        }
        return vertex == from.begin()->first && is_convex(ends) ? std::optional(ends) : std::nullopt;
    }

    int start_of(const LevelEnd& e) const { return surface_.facets[e.facet][e.side]; }
    int end_of(const LevelEnd& e) const { return surface_.facets[e.facet][(e.side + 1) % 3]; }

    /// The mean of the places along the outline: within it, since it is convex.
    Vec3 centre_of(const std::vector<LevelEnd>& outline) const
    {
        Vec3 sum = Vec3::Zero();
        double lengths = 0;
        for (const LevelEnd& e : outline) {
            const Vec3 &a = surface_.x[start_of(e)], &b = surface_.x[end_of(e)];
            sum += 0.5 * (b - a).norm() * (a + b);
            lengths += (b - a).norm();
        }
        return sum / lengths;
    }

private:
    bool is_convex(const std::vector<LevelEnd>& ends) const
    {
        constexpr double straight = 1e-6; // [-] sine
        const Vec3 n = surface_.unit_normal(ends[0].facet);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const Vec3 &a = surface_.x[start_of(ends[i])], &b = surface_.x[end_of(ends[i])],
                       &c = surface_.x[end_of(ends[(i + 1) % ends.size()])];
            if (!((b - a).normalized().cross((c - b).normalized()).dot(n) > -straight))
                return false;
        }
        return true;
    }

    const SmoothPatches& surface_;
    const Levels& levels_;
};

} // namespace

LevelFans::LevelFans(const SmoothPatches& surface)
    : mesh{surface.x, {}}
{
    const Levels levels(surface, least_turn);
    const Fans fans(surface, levels);
    std::vector<char> is_fan(levels.facets_on.size(), false);
    for (int f = 0; f < static_cast<int>(surface.facets.size()); ++f) {
        const int level = levels.level[f];
        const std::vector<int>& facets = levels.facets_on[level];
        if (f == facets.front()) {
            if (const auto ends = fans.outline(facets)) {
                is_fan[level] = true;
                const int centre = static_cast<int>(mesh.vertices.size());
                mesh.vertices.push_back(fans.centre_of(*ends));
                for (const LevelEnd& e : *ends) {
                    mesh.triangles.push_back({fans.start_of(e), fans.end_of(e), centre});
                    ends_flat.push_back({surface.ends_flat(e.facet, e.side), false, false});
                }
            }
        }
        if (!is_fan[level]) {
            mesh.triangles.push_back(surface.facets[f]);
            ends_flat.push_back({surface.ends_flat(f, 0), surface.ends_flat(f, 1), surface.ends_flat(f, 2)});
        }
    }
}

} // namespace stickslip
