#pragma once

#include "stickslip/math/types.h"

#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace stickslip {

/// A material point on a smooth piece of a solid.
struct OnSolid {
    int patch; // piece of the surface: geometry/solids/level_set.h
    Vec3 X; // [m] solid's frame
};

/// A material point on a triangle.
struct OnFacet {
    int facet; // of an open surface those of its second side behind those of its first
    Vec3 w; // [-] barycentric coordinates
};

/// A ball or a circle that rolls on a solid.
struct RollingOnSolid {
    int patch; // -1: the whole surface
    Vec3 xi; // [m] solid's frame: offset W - K of the attachment from the nearest point
    double angle = 0; // [rad] of an extreme point of a circle: Circle::angle
};

/// A ball or a circle that rolls on a triangle.
struct RollingOnFacet {
    int facet;
    Vec3 xi; // [m] as of RollingOnSolid; on a deformable body along the axes of the facet: facet_axes.h
    Vec3 n; // unit, from the surface to the ball, along the same axes
    double angle = 0; // [rad] as of RollingOnSolid
};

/// Two sharp edges that cross.
struct OnEdges {
    double s, t; // [-] along the edge of point_body, of surface_body
    double sigma; // 1 or -1: the side of the crossing
};

/// The relaxed attachment Y of a contact, which is the X of its next step, by what it is attached to.
using AttachedTo = std::variant<OnSolid, OnFacet, RollingOnSolid, RollingOnFacet, OnEdges>;

/// Memory of a contact from step to step. Bodies are counted as in contact_law.h.
struct Attachment {
    int point_body, surface_body;
    int point; // of point_body: surface node, sample or ball, counted from its first; vertex or edge of a polyhedron;
               // ContactBodies::first_edge and the edge of a mesh
    int slot = 0; // of the several contacts of one point with one surface; of two edges that of surface_body, of
                  // polyhedra 1 and the edge; of an axis the tube that it crosses
    AttachedTo to = OnSolid{0, Vec3::Zero()};
    double stiffness_scale = 1; // [-] stiffness of its spring as a multiple of what it had when it touched:
                                // stiffness_growth.h
    double energy = 0; // [J] of its spring at the end of the step, and what was handed over to it: energy_handover.h
    double slip = 0; // [m] how far it has slid since it touched; reported, never used by a step

    auto key() const { return std::tuple(point_body, surface_body, point, slot); }

    const OnSolid& on_solid() const { return std::get<OnSolid>(to); }
    const OnFacet& on_facet() const { return std::get<OnFacet>(to); }
    const RollingOnSolid& rolling_on_solid() const { return std::get<RollingOnSolid>(to); }
    const RollingOnFacet& rolling_on_facet() const { return std::get<RollingOnFacet>(to); }
    RollingOnFacet& rolling_on_facet() { return std::get<RollingOnFacet>(to); }
    const OnEdges& on_edges() const { return std::get<OnEdges>(to); }
};

/// Two bodies, counted as in contact_law.h.
using BodyPair = std::pair<int, int>;

/// The pairs of bodies of these contacts, the lower number first: sorted, each once.
std::vector<BodyPair> touching_pairs(const std::vector<Attachment>& attachments);

/// [-] Of one that is kept, or of a new contact (null).
inline double scale_of(const Attachment* kept)
{
    return kept ? kept->stiffness_scale : 1;
}

/// Order in which a state keeps its attachments.
inline bool operator<(const Attachment& a, const Attachment& b)
{
    return a.key() < b.key();
}

/// The members of any alternative in one form, for files, hashes and comparisons; 0 where it has no such member.
struct AttachmentNumbers {
    int piece = 0; // patch or facet; -1: the whole surface, or edges
    Vec3 place = Vec3::Zero(); // X, w, xi or (s, t, sigma)
    double angle = 0;
    Vec3 n = Vec3::Zero();
};
AttachmentNumbers numbers(const AttachedTo& to);

/// The inverse, of the alternative with that index. Errors: InputError of an index that none has.
AttachedTo attached_to(std::size_t which, const AttachmentNumbers& numbers);

} // namespace stickslip
