#include "stickslip/contact/detect/contact_bodies.h"

#include "stickslip/contact/edges/axis_crossing.h"

#include <algorithm>
#include <tuple>

// clang-format off
// Which contacts two bodies have: one kind for each cell of the table of what points and surfaces they offer.
//
//   point of        | surface of a solid | triangles that keep | triangles of a
//   point_body      | (its distance)     | their shape         | deformable body
//   ----------------+--------------------+---------------------+-------------------
//   node            | point_on_solid     | point_on_mesh       | point_on_soft  (1)
//   material point  | point_on_solid     | -               (2) | point_on_soft
//   sample, vertex  | point_on_solid     | point_on_mesh       | point_on_soft  (3)
//   ball            | ball_on_solid      | ball_on_mesh        | ball_on_soft
//   rim             | rim_on_solid       | rim_on_mesh         | point_on_soft  (3)
//   axis            | axis_on_solid  (4) | axis_on_solid   (4) | point_on_soft  (3)
//   ----------------+--------------------+---------------------+-------------------
//   sharp edge      | edges, with the sharp edges of any of these
//   solid with flat | polyhedra, with another such solid: vertices on faces and
//   faces           | edges that cross, and nothing else
//
// (1) the quadrature points of the finer of the two (meshes/facet_sample.h)
// (2) they meet the distance of the solid that the triangles enclose
// (3) the patch points of its body
// (4) balls about the axis of a cylinder, a capsule, a cone or an edge of a rounded box, where an edge or another round
//     side lies across it
// clang-format on
namespace stickslip {

namespace {

// [-] Radius over an element, above which nodes alone are even enough: the valley between two is then no steeper than
// 1/8.
constexpr double wide_ball = 4;

} // namespace

ContactKind ContactBodies::kind(int p, int s, int point) const
{
    if (is_deformable(s)) {
        if (!has_free_points(p))
            return point >= first_soft_ball(p) ? ContactKind::ball_on_soft : ContactKind::point_on_soft;
        return is_of_edges(p, s, point) ? ContactKind::edges : ContactKind::point_on_soft;
    }
    if (are_polyhedra(p, s))
        return ContactKind::polyhedra;
    if (is_of_edges(p, s, point))
        return ContactKind::edges;
    if (point == axis_point(p))
        return ContactKind::axis_on_solid;
    if (point >= first_rim_point(p))
        return are_rims_on_triangles(p, s) ? ContactKind::rim_on_mesh : ContactKind::rim_on_solid;
    if (point >= first_ball(p))
        return are_balls_on_triangles(p, s) ? ContactKind::ball_on_mesh : ContactKind::ball_on_solid;
    return are_points_on_mesh(p, s) ? ContactKind::point_on_mesh : ContactKind::point_on_solid;
}

bool ContactBodies::meets(int p, int s) const
{
    return is_pair(p, s) || meets_patches(p, s) || are_points_on_mesh(p, s) || meet_by_edges(p, s);
}

int ContactBodies::balls_on(int body, int soft) const
{
    if (!is_deformable(soft) || triangles(soft) == nullptr)
        return 0;
    if (!law->lets_meet(body, soft))
        return 0;
    const std::span<const RoundPoint> balls = soft_balls(body);
    if (is_ball_on_triangles(body, soft))
        return static_cast<int>(balls.size());
    const double largest = wide_ball * deformables->bodies[soft].element_size;
    return static_cast<int>(std::find_if(balls.begin(), balls.end(), [&](const RoundPoint& b) {
        return b.radius >= largest;
    }) - balls.begin());
}

// A ring before balls, and of two rings the smaller: their distance is smooth where the other's circle may touch. One
// ball before several, which leave gaps. Of two alike the first.
bool ContactBodies::is_point_side(int round, int other) const
{
    const auto rank = [&](int body) {
        return std::tuple(rims(body).empty(), rims(body).empty() ? 0 : rims(body)[0].radius, rounds(body).size(), body);
    };
    return rank(round) < rank(other);
}

bool ContactBodies::is_pair(int p, int s) const
{
    if (is_mpm(s) || (is_mpm(p) && is_deformable(s)))
        return false;
    if (p == s || (is_obstacle(s) && is_obstacle(p)) || is_ball_on_triangles(s, p))
        return false;
    if (is_deformable(s))
        return meets_by_balls(p, s);
    if (std::holds_alternative<OpenSurface>(solid(s)) && !are_balls_on_triangles(p, s) && !are_rims_on_triangles(p, s))
        return false;
    if (is_round(s) && !has_free_points(p) && !(is_round(p) && is_point_side(p, s)) && !meets_by_ends(p, s))
        return false;
    return law->lets_meet(p, s);
}

bool ContactBodies::are_points_on_mesh(int p, int s) const
{
    if (is_mpm(p) || first_ball(p) == 0)
        return false;
    if (is_mesh_solid(s))
        return is_pair(p, s);
    if (!is_sheet(s) || is_obstacle(p))
        return false;
    return law->lets_meet(p, s);
}

bool ContactBodies::meets_patches(int p, int s) const
{
    if (!is_deformable(s))
        return false;
    if (p == s)
        return law->self;
    if (!law->lets_meet(p, s))
        return false;
    if (is_mpm(p))
        return true;
    if (!is_deformable(p))
        return !patch_points(p).samples.empty();
    const double fine = deformables->bodies[p].element_size, coarse = deformables->bodies[s].element_size;
    return fine < coarse || (fine == coarse && p < s);
}

bool ContactBodies::meet_by_edges(int a, int b) const
{
    if (a > b || !has_edges(a) || !has_edges(b) || are_polyhedra(a, b) || (is_obstacle(a) && is_obstacle(b)))
        return false;
    if (a == b)
        return is_deformable(a) && law->self;
    return law->lets_meet(a, b);
}

bool ContactBodies::crosses_by_axis(int p, int s) const
{
    const auto may = [&](int own, int other) {
        return (round_side(solid(own)) || is_rounded_box(own)) && (has_tubes(solid(other)) || is_of_triangles(other))
            && is_pair(own, other);
    };
    const auto rank = [&](int body) {
        const auto side = round_side(solid(body));
        return side ? std::tuple(false, side->radius, side->height, body)
                    : std::tuple(true, std::get<RoundedBox>(solid(body)).radius, 0.0, body);
    };
    return !has_free_points(p) && !has_free_points(s) && may(p, s) && (!may(s, p) || rank(p) < rank(s));
}

bool ContactBodies::meets_by_rims(int p, int s) const
{
    const auto is_round_about = [&](int body) {
        return std::holds_alternative<Cylinder>(solid(body)) || std::holds_alternative<Cone>(solid(body));
    };
    return !has_free_points(p) && !has_free_points(s) && is_round_about(s) && is_pair(s, p)
        && (is_round_about(p) || has_flat_faces(p)) && !is_mesh_solid(p);
}

bool ContactBodies::meets_by_ends(int p, int s) const
{
    const auto has_ends = [&](const LevelSet& own) {
        return std::holds_alternative<Cylinder>(own) || std::holds_alternative<Cone>(own)
            || std::holds_alternative<Capsule>(own) || std::holds_alternative<RoundedBox>(own);
    };
    return !has_free_points(p) && !has_free_points(s) && std::holds_alternative<Capsule>(solid(s))
        && (has_flat_faces(p) || has_ends(solid(p))) && !(is_round(p) && is_point_side(p, s));
}

bool ContactBodies::has_flat_faces(int body) const
{
    return !has_free_points(body)
        && (std::holds_alternative<Box>(solid(body))
            || std::holds_alternative<std::shared_ptr<const ConvexPolyhedron>>(solid(body)));
}

} // namespace stickslip
