#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/scene/scene.h"

#include <optional>
#include <string>

namespace stickslip {

/// Grid on which the signed distance of a mesh is sampled, and the walls and slots that it has to show.
struct MeshSampling {
    double thickness; // [m] the least of walls and slots; infinity: none is thinner than two cells
    double cell; // [m] spacing of the grid
    bool is_usual; // automatic_spacing() shows them with at most most_usual_nodes
    double shortest_edge; // [m] of the mesh

    bool shows_walls() const;
    bool shows_edges() const; // two cells lie along the shortest one
};

/// Nodes that grids may have where their distance is met, so that walls and slots show: 2^23 are 67 MB.
constexpr double most_fine_nodes = 8388608;
/// Nodes of a grid that is chosen over the triangles, or that nothing meets.
constexpr double most_usual_nodes = 1048576;

/// What a scene asks of the grid of a mesh that is given no spacing.
struct SamplingNeeds {
    double most_nodes = most_fine_nodes; // so that walls and slots show
    double cell = infinity; // [m] no wider, as far as most_usual_nodes allow: half the distance of material points
};

/// Sampling of a closed mesh. Given a spacing [m], it has that. By itself it has the spacing of build_grid_level_set;
/// where that does not show a wall or a slot, or takes more than needs.most_nodes, two cells lie across the thinnest,
/// if so many nodes do; else it is the usual one, or as fine as they allow, but for the two cells that a grid needs
/// across the solid. Finer than that where needs.cell is, as far as most_usual_nodes allow.
MeshSampling choose_sampling(const TriMesh& mesh, std::optional<double> spacing, const SamplingNeeds& needs);

SamplingNeeds sampling_needs(const Scene& scene);

/// Message about a sampling that does not show a wall or a slot.
std::string unresolved(const MeshSampling& sampling);

} // namespace stickslip
