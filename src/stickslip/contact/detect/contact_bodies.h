#pragma once

#include "stickslip/bodies/deformable.h"
#include "stickslip/bodies/obstacle.h"
#include "stickslip/bodies/rigid_body.h"
#include "stickslip/contact/attachment.h"
#include "stickslip/contact/contact_law.h"
#include "stickslip/contact/meshes/facet_sample.h"
#include "stickslip/contact/relax/relax_level_set.h"
#include "stickslip/mpm/mpm_set.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace stickslip {

/// Kind of contact of a point of one body with the surface of another: the cells of the table in pairs.cpp.
enum class ContactKind {
    point_on_solid,
    ball_on_solid,
    rim_on_solid,
    rim_on_mesh,
    axis_on_solid,
    point_on_mesh,
    ball_on_mesh,
    point_on_soft,
    ball_on_soft,
    polyhedra,
    edges
};

/// Pose of a rigid body at a candidate, and its rotation in this step.
struct RigidCandidate {
    Vec3 x; // [m] centre of mass
    Vec3 theta; // [rad] dt omega, world axes
    Mat3 R; // exp(theta) R_old
    Mat3 J; // left Jacobian of theta
};

/// Solids as material points meet them. A particle touches where its centre is the half width of its body away:
/// solids are grown by so much. Their patches are numbered by themselves.
struct GrownSolids {
    std::vector<int> width_of_body; // of an mpm body: index of the solids that it meets
    std::vector<std::vector<LevelSet>> solids; // by width, then by rigid body and obstacle
};

/// All bodies that may touch, counted through as in contact_law.h, and by which law. Blocks: one a node, then two a
/// rigid body (centre of mass, rotation), then one a material point, which its grid moves. Where contact is given the
/// places of points, these are those of the nodes and behind them those of the material points.
struct ContactBodies {
    const DeformableSet* deformables;
    const std::vector<RigidBody>* rigids;
    const std::vector<Obstacle>* obstacles;
    const ContactLaw* law;
    RelaxationKind relaxation;
    Vec3 gravity = Vec3::Zero(); // [m/s^2]: where bodies go by themselves
    const MpmSet* mpm = nullptr; // null: none
    std::shared_ptr<const GrownSolids> grown; // null until grow_solids

    int first_rigid() const { return static_cast<int>(deformables->bodies.size()); }
    int first_obstacle() const { return first_rigid() + static_cast<int>(rigids->size()); }
    int count() const { return first_obstacle() + static_cast<int>(obstacles->size()); } // of those with a surface
    int first_mpm() const { return count(); } // which have points only
    int total() const { return first_mpm() + (mpm ? static_cast<int>(mpm->bodies.size()) : 0); }
    bool is_deformable(int body) const { return body < first_rigid(); }
    bool is_obstacle(int body) const { return body >= first_obstacle() && body < count(); }
    bool is_rigid(int body) const { return !is_deformable(body) && body < first_obstacle(); }
    bool is_mpm(int body) const { return body >= first_mpm(); }
    /// Its points are nodes or particles, and no rigid motion says where they are.
    bool has_free_points(int body) const { return is_deformable(body) || is_mpm(body); }
    const MpmBody& mpm_body(int body) const { return mpm->bodies[body - first_mpm()]; }
    /// Of a body with free points: which of the places is that of its point, and which block moves it.
    int place(int body, int point) const;
    int block_of_point(int body, int point) const;
    const RigidBody& rigid(int body) const { return (*rigids)[body - first_rigid()]; }
    const Obstacle& obstacle(int body) const { return (*obstacles)[body - first_obstacle()]; }
    /// The points that a rigid body or an obstacle offers; none of a deformable body, whose nodes they are.
    std::span<const SurfaceSample> samples(int body) const;
    std::span<const RoundPoint> rounds(int body) const;
    /// Those by which a rigid body or an obstacle meets deformable bodies.
    const PatchPoints& patch_points(int body) const
    {
        return is_rigid(body) ? rigid(body).patch_points : obstacle(body).patch_points;
    }
    /// Balls by which it meets deformable bodies between their nodes, numbered behind its patch points.
    std::span<const RoundPoint> soft_balls(int body) const;
    int first_soft_ball(int body) const { return static_cast<int>(patch_points(body).samples.size()); }
    std::span<const Rim> rims(int body) const;
    std::span<const Rim> round_rims(int body) const; // with tubes, by which triangles are met
    /// Touches by its roundness alone: balls, or rims with a tube. A rounded box has faces, though they may be too
    /// small for a sample.
    bool is_round(int body) const
    {
        if (!has_free_points(body) && std::holds_alternative<RoundedBox>(solid(body)))
            return false;
        return samples(body).empty() && (!rounds(body).empty() || (!rims(body).empty() && rims(body)[0].tube > 0));
    }
    /// The triangles of a surface that spheres meet, or null: of rigid bodies and obstacles in the solid's frame, of
    /// deformable bodies at rest.
    const TriangulatedSurface* triangles(int body) const
    {
        if (is_mpm(body))
            return nullptr;
        if (is_deformable(body))
            return deformables->bodies[body].surface.get();
        return is_rigid(body) ? rigid(body).triangles.get() : obstacle(body).triangles.get();
    }
    /// Whether the first is a sphere that meets the second by its triangles: those of all bodies, or of rigid bodies
    /// alone where the sphere is an obstacle.
    bool is_ball_on_triangles(int ball, int body) const
    {
        return is_sphere(ball) && (is_rigid(ball) || is_rigid(body)) && triangles(body) != nullptr;
    }
    /// Whether balls of the first meet the second by its triangles: a sphere, or those of another body, whose distance
    /// to what is not convex would have kinks where two walls are equally near.
    bool are_balls_on_triangles(int body, int other) const
    {
        return is_ball_on_triangles(body, other)
            || (!rounds(body).empty() && (is_rigid(body) || is_rigid(other)) && !is_deformable(other)
                && triangles(other) != nullptr && !has_flat_faces(other));
    }
    /// Whether circles of the first meet the second by its triangles: those of a sheet and of a solid that is not
    /// convex.
    bool are_rims_on_triangles(int body, int other) const
    {
        return !rims(body).empty() && !is_mpm(other) && (is_rigid(body) || is_rigid(other)) && is_of_triangles(other);
    }
    /// Whether it keeps its shape and circles and vertices of others meet its triangles, not its distance.
    bool is_of_triangles(int body) const { return !is_deformable(body) && (is_sheet(body) || is_mesh_solid(body)); }
    /// Whether it looks the same however it turns: that matters to those alone that touch its surface.
    bool is_free_ball(int body) const { return is_rigid(body) && rounds(body).size() == 1; }
    bool is_sphere(int body) const { return rounds(body).size() == 1 && samples(body).empty() && rims(body).empty(); }
    /// How many of its soft_balls, the first ones, are tested against the triangles of the second, which is deformable:
    /// spheres that are free, in place of nodes; balls of no more than some elements' radius, in addition.
    int balls_on(int body, int soft) const;
    bool meets_by_balls(int body, int soft) const { return balls_on(body, soft) > 0; }
    /// Whether the body is an open surface of triangles, without an inside.
    bool is_sheet(int body) const
    {
        return is_obstacle(body) && std::holds_alternative<OpenSurface>(solid(body)) && triangles(body) != nullptr;
    }
    /// Whether the body is a solid that nodes and samples meet by its triangles, from outside.
    bool is_mesh_solid(int body) const
    {
        return !has_free_points(body) && (is_rigid(body) ? rigid(body).by_triangles : obstacle(body).by_triangles);
    }
    /// The triangles that have the edges of a solid which others touch by its distance, sampled or round; or null.
    const TriangulatedSurface* sharp(int body) const
    {
        if (has_free_points(body))
            return nullptr;
        return is_rigid(body) ? rigid(body).sharp.get() : obstacle(body).sharp.get();
    }
    /// Whether points of the first, nodes or samples, are tested against the triangles of the second, which keep their
    /// shape (docs/derivations.md#contact-on-rigid-meshes).
    bool are_points_on_mesh(int point_body, int mesh) const;
    /// Whether the first meets the second by its triangles.
    bool meets_triangles(int body, int other) const
    {
        return (is_round(body) && are_balls_on_triangles(body, other)) || are_points_on_mesh(body, other);
    }
    /// Whether both are convex and the second is a cylinder or a cone, whose circles and axis touch the first where it
    /// comes deepest. Where they lie on each other, points within faces and edges of the first would press beside, with
    /// normals that lean; what comes in fast and deep is seen by them, too.
    bool meets_by_rims(int point_body, int surface_body) const;
    /// Whether the second is a capsule, which has gaps between its balls, and the first meets its side by its corners,
    /// the rims of flat ends and the balls of round ones; all between those is met by the capsule's own balls and axis.
    bool meets_by_ends(int point_body, int surface_body) const;
    bool has_flat_faces(int body) const;
    /// Whether it is such a solid, or a cylinder or cone, whose ends are flat.
    bool has_flat_faces_or_ends(int body) const
    {
        return has_flat_faces(body)
            || (!has_free_points(body)
                && (std::holds_alternative<Cylinder>(solid(body)) || std::holds_alternative<Cone>(solid(body))));
    }
    /// Whether others touch the body by a sampled distance, and its points are all vertices of the mesh sampled.
    bool has_all_vertices(int body) const
    {
        return !has_free_points(body) && !samples(body).empty() && is_sampled(body);
    }
    /// Whether points within flat faces of the first are not needed: the second meets these by its vertices or balls,
    /// and edges of both do the rest. They would take load from its corners by where they happen to lie.
    bool has_needless_faces(int point_body, int surface_body) const
    {
        const auto [p, s] = std::pair(point_body, surface_body);
        if (has_free_points(p) || has_free_points(s))
            return false;
        if (is_mesh_solid(s)) // its smooth vertices do not touch the end of a cylinder
            return has_flat_faces(p) || is_rounded_box(p);
        return (has_flat_faces_or_ends(p) && has_all_vertices(s)) || (has_flat_faces(p) && is_rounded_box(s))
            || (is_rounded_box(p) && (has_all_vertices(s) || has_flat_faces(s) || is_rounded_box(s) || is_sheet(s)));
    }
    /// Pre: it keeps its shape.
    bool is_rounded_box(int body) const { return std::holds_alternative<RoundedBox>(solid(body)); }
    bool is_sampled(int body) const { return std::holds_alternative<std::shared_ptr<const GridLevelSet>>(solid(body)); }
    /// Whether both are solids with flat faces, which meet by vertices and edges (contact/polyhedra).
    bool are_polyhedra(int a, int b) const { return has_flat_faces(a) && has_flat_faces(b); }
    const LevelSet& solid(int body) const { return is_rigid(body) ? rigid(body).solid : obstacle(body).solid; }
    /// The solid as a body's points meet it: material points have a width, by which it is grown. Pre: grow_solids.
    const LevelSet& solid_met_by(int point_body, int body) const
    {
        return is_mpm(point_body) ? grown->solids[width(point_body)][body - first_rigid()] : solid(body);
    }
    int width(int mpm_body) const { return grown->width_of_body[mpm_body - first_mpm()]; }
    void grow_solids();

    int block(int rigid_body) const
    {
        return static_cast<int>(deformables->rest.size()) + 2 * (rigid_body - first_rigid());
    }

    /// Whether the first is a cylinder, a capsule or a cone whose side, or a rounded box whose edges, touch edges and
    /// round sides of the second that lie across, by balls about their axes (contact/edges/axis_crossing.h). Of two
    /// that may a rounded box does not, then the thinner does, then the shorter, then the first.
    bool crosses_by_axis(int point_body, int surface_body) const;
    /// Number of its axis among what a solid touches with: behind all of its points.
    int axis_point(int body) const { return points(body); }

    /// How many points body offers as a point side: nodes, particles or samples, after these its balls, and then
    /// Rim::point_count for each rim. And the area or weight that scales their stiffness.
    int points(int body) const;
    int first_ball(int body) const; // = first_rim_point(body) where there are none
    int first_rim_point(int body) const; // = points(body) where there are no rims
    double point_weight(int body, int point) const;

    /// Whether points of one body are tested against the surface of the other. A round body meets others by its
    /// roundness alone, never by their vertices, but for what ends on a capsule (meets_by_ends). Of two round bodies
    /// one is the point side (docs/derivations.md#two-round-bodies).
    bool is_pair(int point_body, int surface_body) const;

    /// Whether points of the first, quadrature points of a deformable body (meshes/facet_sample.h), material points or
    /// patch points of another, are tested against the patches of the second, which is deformable. Of two deformable
    /// bodies those of the finer.
    bool meets_patches(int point_body, int surface_body) const;

    /// Whether sharp edges of the first are tested against those of the second, the lower number first, or of a body
    /// with itself: of deformable bodies, meshes that are solids, sheets, solids with flat faces and those with sharp
    /// rims. Two with flat faces meet as polyhedra.
    bool meet_by_edges(int a, int b) const;
    bool has_edges(int body) const
    {
        return is_deformable(body)
            || (body < count()
                && (is_mesh_solid(body) || is_sheet(body) || sharp(body) != nullptr || has_flat_faces(body)));
    }

    /// Number of the first edge among what a body touches with: behind all of its points and its axis.
    int first_edge(int body) const;

    /// Of the contact of point number `point`, an edge included, with the second body. Pre: may_touch.
    ContactKind kind(int point_body, int surface_body, int point) const;
    ContactKind kind(const Attachment& a) const { return kind(a.point_body, a.surface_body, a.point); }

    /// Whether the first has contacts of any kind with the second in which it is the point_body.
    bool meets(int point_body, int surface_body) const;
    /// Whether the two may touch at all, whichever is the point_body.
    bool may_touch(int a, int b) const { return meets(a, b) || meets(b, a); }

    /// Quadrature point number `point` of a deformable body.
    FacetSample facet_sample(int body, int point) const;

    double friction(int point_body, int surface_body) const; // [-] finite
    double stiffness(int point_body, int surface_body, int point) const; // [N/m] of one contact
    double edge_stiffness(int a, int b) const; // [N/m] of a pair of edges, and of a vertex of polyhedra
    double element_stiffness(int body) const; // [N/m] of a deformable body: E/h over the area of a surface node
    double stiffness(const Attachment& a) const { return stiffness(a.point_body, a.surface_body, a.point); }

private:
    bool is_of_edges(int point_body, int surface_body, int point) const
    {
        return point >= first_edge(point_body) && meet_by_edges(point_body, surface_body);
    }
    bool is_point_side(int round, int other) const; // of two round bodies
    double patch_stiffness(int point_body, int surface_body, int point) const;
    double node_stiffness(int body) const; // automatic, of a surface node of mean area of a deformable body
    double facet_stiffness(int point_body, int surface_body, int point) const;
    std::optional<double> said_stiffness(int a, int b) const; // [N/m] by the scene, of a point
};

/// The first of the quadrature points of a deformable body, which are counted after its nodes.
inline int first_facet_point(const DeformableSet& set, int body)
{
    return set.bodies[body].surface_nodes.size();
}

inline FacetSample ContactBodies::facet_sample(int body, int point) const
{
    return {point - first_facet_point(*deformables, body), FacetRule::of(law->quadrature)};
}

/// Node of point `point` of a deformable body.
inline int surface_node(const DeformableSet& set, int body, int point)
{
    return set.surface_nodes[set.bodies[body].surface_nodes.begin + point];
}

} // namespace stickslip
