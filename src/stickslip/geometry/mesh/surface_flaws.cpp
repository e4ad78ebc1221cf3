#include "stickslip/geometry/mesh/surface_flaws.h"

#include "stickslip/geometry/queries/box_tree.h"

#include <algorithm>
#include <cstdio>

namespace stickslip {

namespace {

constexpr double of_edge = 0.1, of_surface = 0.01; // [-] farther apart, open edges are meant
constexpr double folded_back = -0.99985; // [-] cosine of 179 degrees

std::string metres(double length)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", length);
    return text;
}

std::string facets_of(int first, int second)
{
    return "triangles " + std::to_string(std::min(first, second)) + " and " + std::to_string(std::max(first, second));
}

std::string edges(int count)
{
    return std::to_string(count) + (count == 1 ? " edge" : " edges");
}

/// How far apart the ends of two edges are [m]: along each axis, as vertices are joined.
double apart(const EdgeTopology& surface, int one, int other)
{
    const std::vector<Vec3>& x = surface.positions;
    const auto gap = [&](int a, int b) { return (x[a] - x[b]).lpNorm<Eigen::Infinity>(); };
    const auto& [a, b] = surface.edges[one];
    const auto& [c, d] = surface.edges[other];
    return std::min(std::max(gap(a, c), gap(b, d)), std::max(gap(a, d), gap(b, c)));
}

std::string open_seams(const EdgeTopology& surface)
{
    const std::vector<Vec3>& x = surface.positions;
    std::vector<int> open;
    std::vector<Bounds> boxes; // of the middles, grown by what may join them
    Bounds all;
    for (const Vec3& X : x)
        all.add(X);
    const double most = x.empty() ? 0 : of_surface * (all.max - all.min).norm();
    for (int e = 0; e < static_cast<int>(surface.edges.size()); ++e) {
        if (surface.edge_kind[e] != EdgeKind::boundary)
            continue;
        const auto& [a, b] = surface.edges[e];
        const Vec3 middle = 0.5 * (x[a] + x[b]);
        const Vec3 reach = Vec3::Constant(0.5 * std::min(most, of_edge * (x[a] - x[b]).norm()));
        open.push_back(e);
        boxes.push_back({.min = middle - reach, .max = middle + reach});
    }
    const BoxTree tree(boxes);
    int count = 0, first = -1, second = -1;
    double widest = 0; // [m]
    for (int i = 0; i < static_cast<int>(open.size()); ++i) {
        const auto& [a, b] = surface.edges[open[i]];
        const double reach = std::min(most, of_edge * (x[a] - x[b]).norm());
        int nearest = -1;
        double gap = reach;
        tree.visit_overlapping(boxes[i], [&](int k) {
            const double distance = k == i ? infinity : apart(surface, open[i], open[k]);
            if (distance < gap || (distance == gap && nearest >= 0 && k < nearest)) {
                gap = distance;
                nearest = k;
            }
        });
        if (nearest < 0)
            continue;
        if (++count == 1) {
            first = surface.sides_of(open[i])[0] / 3;
            second = surface.sides_of(open[nearest])[0] / 3;
        }
        widest = std::max(widest, gap);
    }
    if (count == 0)
        return {};
    return edges(count) + " with one triangle only, up to " + metres(widest) + " m beside another such edge ("
        + facets_of(first, second)
        + "): a nearly closed seam, at which spheres feel an edge; `weld: " + metres(1.1 * widest) + "` closes it";
}

std::string folds(const EdgeTopology& surface)
{
    int count = 0, first = -1;
    for (int e = 0; e < static_cast<int>(surface.edges.size()); ++e) {
        if (surface.edge_kind[e] == EdgeKind::internal && surface.folds[surface.sides_of(e)[0]].c < folded_back
            && ++count == 1)
            first = e;
    }
    if (count == 0)
        return {};
    const auto sides = surface.sides_of(first);
    return edges(count) + " where a triangle is folded onto its neighbour by more than 179 degrees ("
        + facets_of(sides[0] / 3, sides[1] / 3) + "): spheres feel the fold";
}

} // namespace

std::vector<std::string> find_flaws(const EdgeTopology& surface)
{
    std::vector<std::string> flaws;
    for (const std::string& text : {open_seams(surface), folds(surface)})
        if (!text.empty())
            flaws.push_back(text);
    return flaws;
}

} // namespace stickslip
