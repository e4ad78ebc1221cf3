#include "stickslip/build/mesh_sampling.h"

#include "stickslip/geometry/queries/wall_thickness.h"
#include "stickslip/geometry/solids/grid_level_set.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr double cells_across = 2; // of a wall or a slot that a grid shows (docs/level_sets.md)

/// Whether a body touches distances in implicit runs: with circles those of meshes that are too fine to be met by their
/// triangles, as material points all.
bool meets_distance(const BodySettings& body)
{
    const Shape& shape = body.shape;
    const bool has_circles = std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Cone>(shape)
        || std::holds_alternative<Torus>(shape);
    const bool is_solid = body.kind == BodyKind::rigid || body.kind == BodyKind::obstacle;
    return body.kind == BodyKind::mpm || (is_solid && has_circles);
}

} // namespace

bool MeshSampling::shows_walls() const
{
    return cells_across * cell <= thickness * (1 + 1e-9);
}

MeshSampling choose_sampling(const TriMesh& mesh, std::optional<double> spacing, const SamplingNeeds& needs)
{
    Bounds box;
    double shortest_edge = infinity;
    for (const Triangle& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) {
            const Vec3& a = mesh.vertices[t[k]];
            box.add(a);
            shortest_edge = std::min(shortest_edge, (mesh.vertices[t[(k + 1) % 3]] - a).norm());
        }
    const Vec3 extent = box.max - box.min;
    const double usual = automatic_spacing(extent), band = GridOptions{}.band;
    const double reach = cells_across * std::max(extent.maxCoeff() / 64, spacing.value_or(0));
    MeshSampling sampling{.thickness = least_thickness(mesh, reach),
        .cell = spacing.value_or(usual),
        .is_usual = false,
        .shortest_edge = shortest_edge};
    if (spacing)
        return sampling;
    const auto nodes = [&](double cell) { return node_counts(extent, cell, band).prod(); };
    sampling.is_usual = sampling.shows_walls() && nodes(usual) <= most_usual_nodes;
    if (!(sampling.shows_walls() && nodes(usual) <= needs.most_nodes)) {
        const double widest = extent.minCoeff() / 2, across = std::min(sampling.thickness / cells_across, widest);
        sampling.cell = nodes(across) <= needs.most_nodes
            ? across
            : std::min(fitting_spacing(extent, usual, band, needs.most_nodes), widest);
    }
    if (needs.cell < sampling.cell)
        sampling.cell = std::min(sampling.cell, fitting_spacing(extent, needs.cell, band, most_usual_nodes));
    return sampling;
}

bool MeshSampling::shows_edges() const
{
    return cells_across * cell <= shortest_edge * (1 + 1e-9);
}

SamplingNeeds sampling_needs(const Scene& scene)
{
    const bool is_met = scene.solver.is_explicit()
        || std::any_of(scene.bodies.begin(), scene.bodies.end(), meets_distance)
        || std::any_of(scene.bodies.begin(), scene.bodies.end(),
            [](const BodySettings& body) { return body.contact_geometry == ContactGeometry::level_set; });
    SamplingNeeds needs{.most_nodes = is_met ? most_fine_nodes : most_usual_nodes};
    for (const BodySettings& body : scene.bodies)
        if (body.kind == BodyKind::mpm)
            needs.cell =
                std::min(needs.cell, 0.5 * body.resolution.value_or(infinity) / std::cbrt(body.particles_per_cell));
    return needs;
}

std::string unresolved(const MeshSampling& sampling)
{
    return "has walls or slots of " + short_number(sampling.thickness) + " m, thinner than two cells ("
        + short_number(sampling.cell) + " m) of the grid on which its distance is sampled";
}

} // namespace stickslip
