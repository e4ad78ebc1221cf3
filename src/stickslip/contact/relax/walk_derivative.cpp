#include "stickslip/contact/relax/walk_derivative.h"

#include <algorithm>

namespace stickslip {

namespace {

WalkDerivative::ByVertex& of_vertex(std::vector<WalkDerivative::ByVertex>& all, int vertex)
{
    // from the back: steps next to each other share vertices
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const auto& one) { return one.vertex == vertex; });
    return found != all.rend() ? *found : all.emplace_back(vertex, Mat3::Zero(), Mat3::Zero());
}

} // namespace

AttachmentMotion WalkDerivative::times(const Vec3& dZ, std::span<const Vec3> dx) const
{
    AttachmentMotion sum{dY_dZ * dZ, dw_dZ * dZ};
    for (const ByVertex& by : by_vertices) {
        sum.Y += by.dY * dx[by.vertex];
        sum.w += by.dw * dx[by.vertex];
    }
    return sum;
}

void WalkDerivative::add_transposed(const AttachmentMotion& y, Vec3& dZ, std::span<Vec3> dx) const
{
    dZ += dY_dZ.transpose() * y.Y + dw_dZ.transpose() * y.w;
    for (const ByVertex& by : by_vertices)
        dx[by.vertex] += by.dY.transpose() * y.Y + by.dw.transpose() * y.w;
}

void differentiate(const PlacedSurface& surface, const MeshWalk& walk, const MeshRelaxation& relaxed,
    std::span<const WalkStep> path, WalkDerivative& result)
{
    std::vector<WalkDerivative::ByVertex>& by_vertices = result.by_vertices;
    by_vertices.clear();
    result.dY_dZ = Mat3::Zero();
    for (const int vertex : surface.topology.facets[relaxed.facet])
        by_vertices.push_back({vertex, Mat3::Zero(), Mat3::Zero()});

    Mat3 since = Mat3::Identity(); // derivative of the last Y by that before the steps done
    bool depends = true;
    for (std::size_t i = path.size(); i-- > 0 && depends;) {
        const WalkStep& step = path[i];
        result.dY_dZ += since * step.dY_dZ;
        for (int k = 0; k < 3 && step.corners[k] >= 0; ++k)
            of_vertex(by_vertices, step.corners[k]).dY += since * step.dY_dx[k];
        since *= step.dY_dX;
        depends = !since.isZero(0);
    }
    for (int k = 0; k < 3 && depends; ++k)
        of_vertex(by_vertices, surface.topology.facets[walk.facet][k]).dY += walk.w[k] * since;

    result.dY_dX = since;

    // dw = G (dY - sum_k w_k dx_k) on the last facet
    const Mat3 G = plane_of(surface.corners(relaxed.facet), 1).gradient;
    result.dw_dZ = G * result.dY_dZ;
    result.dw_dX = G * result.dY_dX;
    for (WalkDerivative::ByVertex& by : by_vertices)
        by.dw = G * by.dY;
    for (int k = 0; k < 3; ++k)
        by_vertices[k].dw -= relaxed.w[k] * G;
}

} // namespace stickslip
