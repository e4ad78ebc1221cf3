#pragma once

#include "stickslip/math/types.h"

#include <tuple>

namespace stickslip {

/// What a contact remembers from step to step. Bodies are counted as in contact_law.h.
struct Attachment {
    int point_body, surface_body;
    int point; // of point_body: surface node, sample or ball, counted from its first; vertex or edge of a polyhedron;
               // ContactBodies::first_edge and the edge of a mesh
    int patch; // the smooth piece of the surface it entered by; -1: a round point, which has the whole surface; of a
               // ball on triangles: the facet it touches
    Vec3 X; // [m] in the surface's own frame: where on it the point is attached; of a round point: the offset xi = W -
            // K, on a deformable body along the axes of the facet (facet_axes.h); of a pair of edges (s0, t0, sigma)
    double angle = 0; // [rad] of an extreme point: where on its circle (Circle::angle)
    int slot = 0; // of the several contacts that a ball may have with triangles; of a rim: SeamPoint::slot; of a pair
                  // of edges: 1 and the edge of surface_body, of meshes the edge
    Vec3 n = Vec3::Zero(); // unit, in the same axes as X: of a ball on triangles, from the surface to the ball
    double stiffness_scale = 1; // [-] stiffness of its spring as a multiple of what it had when it touched:
                                // stiffness_growth.h
    double energy = 0; // [J] of its spring at the end of the step, and what was handed over to it: energy_handover.h
    double slip = 0; // [m] how far it has slid since it touched; reported, never used by a step

    auto key() const { return std::tuple(point_body, surface_body, point, slot); }
};

/// Order in which a state keeps its attachments.
inline bool operator<(const Attachment& a, const Attachment& b)
{
    return a.key() < b.key();
}

} // namespace stickslip
