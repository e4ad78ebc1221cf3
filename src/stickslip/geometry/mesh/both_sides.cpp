#include "stickslip/geometry/mesh/both_sides.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace stickslip {

TriMesh both_sides(const EdgeTopology& surface)
{
    TriMesh mesh{surface.positions, {}};
    for (std::size_t f = 0; f < surface.facets.size(); ++f) {
        if (surface.is_left_out(static_cast<int>(f)))
            continue;
        Triangle& t = mesh.triangles.emplace_back(surface.facets[f]);
        if (surface.orientation[f] < 0)
            std::swap(t[1], t[2]);
    }
    const int vertices = static_cast<int>(surface.positions.size());
    const std::size_t facets = mesh.triangles.size();
    mesh.vertices.insert(mesh.vertices.end(), surface.positions.begin(), surface.positions.end());
    for (std::size_t f = 0; f < facets; ++f) {
        const auto [i, j, k] = mesh.triangles[f];
        mesh.triangles.push_back({i + vertices, k + vertices, j + vertices});
    }
    return mesh;
}

SheetSides::SheetSides(const SmoothPatches& both_sides)
    : piece_(both_sides.facets.size() / 2, -1)
{
    std::vector<int> reached;
    int count = 0;
    for (int first = 0; first < facets(); ++first) {
        if (piece_[first] >= 0)
            continue;
        piece_[first] = count;
        reached = {first};
        while (!reached.empty()) {
            const int facet = reached.back();
            reached.pop_back();
            for (int side = 0; side < 3; ++side)
                if (const int next = both_sides.beyond(facet, side); next >= 0 && piece_[next] < 0) {
                    piece_[next] = count;
                    reached.push_back(next);
                }
        }
        ++count;
    }
}

TriMesh outer_side(const EdgeTopology& solid)
{
    TriMesh mesh{solid.positions, {}};
    std::copy_if(solid.facets.begin(), solid.facets.end(), std::back_inserter(mesh.triangles),
        [](const Triangle& t) { return t[0] >= 0; });
    return mesh;
}

} // namespace stickslip
