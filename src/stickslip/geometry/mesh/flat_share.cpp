#include "stickslip/geometry/mesh/flat_share.h"

#include "stickslip/geometry/mesh/edge_topology.h"

#include <algorithm>
#include <vector>

namespace stickslip {

double flat_share(const TriMesh& mesh)
{
    constexpr double flat = 1e-3; // [rad]
    const EdgeTopology surface(mesh, {.patch_angle = flat});
    std::vector<double> areas(surface.patches, 0);
    double all = 0;
    for (std::size_t f = 0; f < surface.facets.size(); ++f) {
        if (surface.patch[f] < 0)
            continue;
        const auto& [i, j, k] = mesh.triangles[f];
        const double area =
            0.5 * (mesh.vertices[j] - mesh.vertices[i]).cross(mesh.vertices[k] - mesh.vertices[i]).norm();
        areas[surface.patch[f]] += area;
        all += area;
    }
    return all > 0 ? *std::max_element(areas.begin(), areas.end()) / all : 0;
}

} // namespace stickslip
