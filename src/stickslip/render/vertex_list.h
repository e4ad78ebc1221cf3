#pragma once

#include "stickslip/render/drawn_frame.h"

#include <vector>

namespace stickslip {

/// Geometry drawn in one call: the numbers of all vertices, one vertex after the other, and the triangles by vertices.
struct VertexList {
    std::vector<float> numbers;
    std::vector<Triangle> triangles;
    std::vector<Triangle> for_lamp, for_sky; // that cast shadows: fewer, for maps of coarse pixels
};

/// Numbers of a vertex of a mesh: position, normal, colour, opacity. Of a ball: centre, radius, colour, opacity.
constexpr std::size_t mesh_numbers = 10, ball_numbers = 8;

/// Adds a mesh to others, without shadows, or with shadows that are drawn to pixels of these sizes [m].
void append(VertexList& list, const DrawnMesh& mesh);
void append_with_shadows(VertexList& list, const DrawnMesh& mesh, double lamp_pixel, double sky_pixel);

/// The triangles of meshes in the order of how far their middles are from the eye [m], the farthest first.
void sort_by_distance(VertexList& list, const Eigen::Vector3f& eye);

/// The triangles of a mesh with all vertices of a cubic cell [m] made one of them, without the triangles that vanish. A
/// mesh that is but a few cells wide stays as it is.
std::vector<Triangle> coarse_triangles(const DrawnMesh& mesh, double cell);

/// Two triangles a ball, a square; its four vertices differ in nothing but their place in the list, which tells the
/// shaders the corner. Its shadow is drawn by the first triangle alone, as a larger one: a ball is a few pixels wide
/// there, where one triangle takes half the time of two.
VertexList squares_around(const std::vector<DrawnSphere>& spheres);
void append_square(int ball, std::vector<Triangle>& triangles); // of the ball of this number

} // namespace stickslip
