#include "stickslip/render/vertex_list.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace stickslip {

namespace {

constexpr double cell_size = 1.5; // pixels of a shadow map: shadows are blurred by more
constexpr double few_cells = 6; // of a mesh in which every triangle counts

void append(std::vector<float>& data, const Eigen::Vector3f& v)
{
    data.insert(data.end(), {v.x(), v.y(), v.z()});
}

int vertex_count(const VertexList& meshes)
{
    return static_cast<int>(meshes.numbers.size() / mesh_numbers);
}

void add_from(int first, const std::vector<Triangle>& triangles, std::vector<Triangle>& all)
{
    for (const Triangle& t : triangles)
        all.push_back({first + t[0], first + t[1], first + t[2]});
}

} // namespace

void append(VertexList& list, const DrawnMesh& mesh)
{
    add_from(vertex_count(list), mesh.triangles, list.triangles);
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        append(list.numbers, mesh.positions[i]);
        append(list.numbers, mesh.normals[i]);
        append(list.numbers, mesh.colours[i]);
        list.numbers.push_back(mesh.opacity);
    }
}

void append_with_shadows(VertexList& list, const DrawnMesh& mesh, double lamp_pixel, double sky_pixel)
{
    add_from(vertex_count(list), coarse_triangles(mesh, cell_size * lamp_pixel), list.for_lamp);
    add_from(vertex_count(list), coarse_triangles(mesh, cell_size * sky_pixel), list.for_sky);
    append(list, mesh);
}

void sort_by_distance(VertexList& list, const Eigen::Vector3f& eye)
{
    std::vector<std::pair<float, Triangle>> order; // with the distance of the middle, squared [m^2]
    for (const Triangle& t : list.triangles) {
        Eigen::Vector3f sum = Eigen::Vector3f::Zero();
        for (const int corner : t)
            sum += Eigen::Vector3f::Map(list.numbers.data() + mesh_numbers * static_cast<std::size_t>(corner));
        order.emplace_back((sum / 3 - eye).squaredNorm(), t);
    }
    std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::ranges::transform(order, list.triangles.begin(), [](const auto& far) { return far.second; });
}

std::vector<Triangle> coarse_triangles(const DrawnMesh& mesh, double cell)
{
    Eigen::AlignedBox3f box;
    for (const Eigen::Vector3f& x : mesh.positions)
        box.extend(x);
    if (box.isEmpty() || box.diagonal().norm() < few_cells * cell)
        return mesh.triangles;
    std::map<std::array<int, 3>, int> first_in_cell;
    std::vector<int> stands_for;
    for (const Eigen::Vector3f& x : mesh.positions) {
        const Eigen::Vector3f place = ((x - box.min()) / static_cast<float>(cell)).cwiseMin(1e9f);
        const int vertex = static_cast<int>(stands_for.size());
        const std::array<int, 3> at = {
            static_cast<int>(place.x()), static_cast<int>(place.y()), static_cast<int>(place.z())};
        stands_for.push_back(first_in_cell.try_emplace(at, vertex).first->second);
    }
    std::vector<Triangle> triangles;
    for (const Triangle& t : mesh.triangles) {
        const Triangle coarse = {stands_for[t[0]], stands_for[t[1]], stands_for[t[2]]};
        if (coarse[0] != coarse[1] && coarse[1] != coarse[2] && coarse[2] != coarse[0])
            triangles.push_back(coarse);
    }
    return triangles;
}

void append_square(int ball, std::vector<Triangle>& triangles)
{
    triangles.push_back({4 * ball, 4 * ball + 1, 4 * ball + 2});
    triangles.push_back({4 * ball + 1, 4 * ball + 3, 4 * ball + 2});
}

VertexList squares_around(const std::vector<DrawnSphere>& spheres)
{
    VertexList list;
    for (const DrawnSphere& s : spheres) {
        append_square(static_cast<int>(list.numbers.size() / ball_numbers / 4), list.triangles);
        for (int corner = 0; corner < 4; ++corner) {
            append(list.numbers, s.centre);
            list.numbers.push_back(s.radius);
            append(list.numbers, s.colour);
            list.numbers.push_back(s.opacity);
        }
    }
    for (std::size_t i = 0; i < list.triangles.size(); i += 2)
        list.for_lamp.push_back(list.triangles[i]);
    list.for_sky = list.for_lamp;
    return list;
}

} // namespace stickslip
