#include "stickslip/world/particle_sides.h"

#include "stickslip/world/tunnelling_watch.h"

#include <Eigen/LU>

#include <algorithm>
#include <span>

namespace stickslip {

namespace {

constexpr double independent = 0.3; // [-] sine of the angle between a normal and those before it

struct FeltNormal {
    int particle;
    Vec3 normal; // unit, world axes
};

std::vector<FeltNormal> felt_normals(const ContactBodies& bodies, const State& state)
{
    std::vector<FeltNormal> felt;
    for (const Attachment& a : state.attachments) {
        if (!bodies.is_mpm(a.point_body) || bodies.is_deformable(a.surface_body))
            continue;
        const int p = bodies.mpm_body(a.point_body).particles.begin + a.point;
        if (bodies.mpm->material(p).model != MpmModel::fluid)
            continue;
        const Frame frame = frame_of_solid(bodies, a.surface_body, state);
        const LevelSetSample at = sample_patch(bodies.solid_met_by(a.point_body, a.surface_body), a.on_solid().patch,
            frame.to_local(state.mpm.x[p] + state.mpm.thinned[p]));
        felt.push_back({p, frame.R * at.n.normalized()});
    }
    std::stable_sort(
        felt.begin(), felt.end(), [](const FeltNormal& a, const FeltNormal& b) { return a.particle < b.particle; });
    return felt;
}

// Of one particle: those whose normals are independent.
void add_sides(std::span<const FeltNormal> felt, double half_width, const Vec3& thinned, std::vector<TouchingSide>& to)
{
    Mat3 normals = Mat3::Zero(), axes = Mat3::Zero(); // columns; axes: the normals made orthonormal
    int count = 0;
    for (const FeltNormal& one : felt) {
        const auto before = axes.leftCols(count);
        const Vec3 across = one.normal - before * (before.transpose() * one.normal);
        if (across.norm() < independent) // also once there are three
            continue;
        axes.col(count) = across.normalized();
        normals.col(count++) = one.normal;
    }
    const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> N = normals.leftCols(count);
    const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> dual = N * (N.transpose() * N).inverse();
    for (int i = 0; i < count; ++i)
        to.push_back({felt.front().particle, N.col(i), dual.col(i), half_width - N.col(i).dot(thinned)});
}

// Whether a particle of full width touches no solid.
bool has_room(const ContactBodies& bodies, int particle, const State& state)
{
    const int body = bodies.mpm->body_of_particle[particle], point_body = bodies.first_mpm() + body;
    for (int s = bodies.first_rigid(); s < bodies.count(); ++s) {
        if (!bodies.is_pair(point_body, s))
            continue;
        const Vec3 U = frame_of_solid(bodies, s, state).to_local(state.mpm.x[particle]);
        if (signed_distance(bodies.solid(s), U) < bodies.mpm->bodies[body].half_width)
            return false;
    }
    return true;
}

} // namespace

std::vector<TouchingSide> touching_sides(const ContactBodies& bodies, const State& state)
{
    const std::vector<FeltNormal> felt = felt_normals(bodies, state);
    std::vector<TouchingSide> sides;
    for (auto begin = felt.begin(); begin != felt.end();) {
        const auto end =
            std::find_if(begin, felt.end(), [&](const FeltNormal& t) { return t.particle != begin->particle; });
        const double half = bodies.mpm->bodies[bodies.mpm->body_of_particle[begin->particle]].half_width;
        add_sides({begin, end}, half, state.mpm.thinned[begin->particle], sides);
        begin = end;
    }
    return sides;
}

void widen_untouched(const ContactBodies& bodies, State& state)
{
    std::vector<bool> felt(state.mpm.x.size(), false);
    for (const Attachment& a : state.attachments)
        if (bodies.is_mpm(a.point_body))
            felt[bodies.mpm_body(a.point_body).particles.begin + a.point] = true;
    for (std::size_t p = 0; p < felt.size(); ++p)
        if (!felt[p] && !state.mpm.thinned[p].isZero(0) && has_room(bodies, static_cast<int>(p), state))
            state.mpm.thinned[p].setZero();
}

} // namespace stickslip
