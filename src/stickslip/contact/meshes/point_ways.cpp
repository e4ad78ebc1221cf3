#include "stickslip/contact/meshes/point_ways.h"

#include <algorithm>
#include <numbers>

namespace stickslip {

namespace {

constexpr double corner = std::numbers::pi / 3; // [rad] that the faces at a corner of a solid turn from their mean

PointWay way_of_quadrature_point(const ContactBodies& bodies, const StepStart& start, int body, int point)
{
    const DeformableSet& set = *bodies.deformables;
    const FacetSample sample = bodies.facet_sample(body, point);
    const Triangle& t = triangle_of(set, body, sample);
    const Vec3 old = sample.at(t, start.x), v = sample.at(t, start.v);
    const Vec3 n = (start.x[t[1]] - start.x[t[0]]).cross(start.x[t[2]] - start.x[t[0]]).normalized();
    return {old, old + start.dt * v, n};
}

/// Where the surface looks at a sample, turned by R; of a sheet either way.
void face(PointWay& way, const Mat3& R, const SurfaceSample& sample)
{
    (sample.two_sided ? way.outward : way.n) = R * sample.n;
    way.two_sided = sample.two_sided;
    way.rim = R * sample.rim;
}

PointWay way_on_deformable(const ContactBodies& bodies, const StepStart& start, const MeshSurfaces& surfaces,
    const CandidatePair& pair, int point)
{
    const auto [p, s] = pair;
    PointWay way;
    if (bodies.is_mpm(p)) {
        const int place = bodies.place(p, point);
        way = {start.x[place], start.x[place] + start.dt * start.v[place], Vec3::Zero()};
        way.outward = start.outward_of(p, point);
        way.half_width = start.half_width(p);
    } else if (bodies.is_deformable(p)) {
        way = way_of_quadrature_point(bodies, start, p, point);
        if (p == s) {
            const FacetSample sample = bodies.facet_sample(p, point);
            way.own = surfaces.patches(p).patches().facets[sample.facet];
        }
    } else {
        const SurfaceSample& sample = bodies.patch_points(p).samples[point];
        const Frame old = start.point_frame(p);
        const Vec3 Z = old.to_world(sample.z);
        way = {Z, start.next_frame(p).to_world(start.frame(p).to_local(Z)), Vec3::Zero()};
        face(way, old.R, sample);
    }
    way.indentation = start.indentation(pair);
    return way;
}

PointWay way_on_rigid(
    const ContactBodies& bodies, const StepStart& start, const RigidMesh& mesh, const CandidatePair& pair, int point)
{
    const auto [p, s] = pair;
    const Frame from = start.frame(s);
    const Vec3 Z = start.place(p, point);
    PointWay way;
    Vec3 next;
    if (bodies.is_deformable(p)) {
        const int node = surface_node(*bodies.deformables, p, point);
        next = Z + start.dt * start.v[node];
        way.n = surface_normal(*bodies.deformables, node, start.x);
        way.turn = surface_turn(*bodies.deformables, node, start.x, way.n);
    } else {
        const Frame old = start.frame(p);
        next = start.next_frame(p).to_world(old.to_local(Z));
        const SurfaceSample& sample = bodies.samples(p)[point];
        face(way, old.R, sample);
        way.turn = sample.flat ? 0 : corner;
        way.pressed = 2 * start.pressed(pair);
    }
    way.Z_old = from.to_local(Z);
    way.Z_next = start.next_frame(s).to_local(next);
    for (Vec3* direction : {&way.n, &way.outward, &way.rim})
        *direction = from.R.transpose() * *direction;
    way.stray = stray(start);
    way.is_solid = mesh.is_closed();
    way.sheet = mesh.sheet.get();
    way.indentation = start.indentation(pair);
    if (!mesh.is_closed())
        way.behind = flush_on_mesh * mesh.patches->patches().edge_length;
    return way;
}

} // namespace

PointsOnPatches points_on_patches(const ContactBodies& bodies, const CandidatePair& pair)
{
    const auto [p, s] = pair;
    if (!bodies.is_deformable(s))
        return {0, bodies.first_ball(p)};
    if (bodies.is_mpm(p))
        return {0, bodies.points(p)};
    if (!bodies.is_deformable(p))
        return {0, static_cast<int>(bodies.patch_points(p).samples.size())};
    const DeformableSet& set = *bodies.deformables;
    return {first_facet_point(set, p), bodies.law->quadrature * set.bodies[p].triangles.size()};
}

PointWay point_way(const ContactBodies& bodies, const StepStart& start, const MeshSurfaces& surfaces,
    const CandidatePair& pair, int point)
{
    return bodies.is_deformable(pair.surface_body)
        ? way_on_deformable(bodies, start, surfaces, pair, point)
        : way_on_rigid(bodies, start, surfaces.rigid(pair.surface_body), pair, point);
}

std::vector<CandidatePair> pairs_with_patches(
    const ContactBodies& bodies, const StepStart& start, const MeshSurfaces& surfaces)
{
    std::vector<Bounds> ways;
    for (std::size_t body = 0; body < surfaces.deformable().size(); ++body)
        ways.push_back(
            start.way(static_cast<int>(body)).grown(surfaces.deformable()[body].patches.patches().edge_length));
    const BoxTree tree(ways);
    std::vector<CandidatePair> pairs;
    for (int p = 0; p < bodies.total(); ++p)
        tree.visit_overlapping(start.way(p), [&](int s) {
            if (bodies.meets_patches(p, s))
                pairs.push_back({p, s});
        });
    for (const RigidMesh& mesh : surfaces.rigid()) {
        const Bounds reached = start.way(mesh.body).grown(mesh.patches->patches().edge_length + stray(start));
        for (int p = 0; p < bodies.count(); ++p)
            if (bodies.are_points_on_mesh(p, mesh.body) && reached.overlaps(start.way(p)))
                pairs.push_back({p, mesh.body});
    }
    for (const CandidatePair& kept : start.kept_pairs)
        if (bodies.meets_patches(kept.point_body, kept.surface_body)
            || bodies.are_points_on_mesh(kept.point_body, kept.surface_body))
            pairs.push_back(kept);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

} // namespace stickslip
