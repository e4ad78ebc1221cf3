#pragma once

#include "stickslip/world/audit/audited_body.h"
#include "stickslip/world/world.h"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace stickslip {

/// Two bodies that are in one another, or a deformable one that is in itself.
struct BodyOverlap {
    int body, other; // contact bodies, the lower number first
    double depth; // [m] no more than the shortest way that parts them there
    double felt; // [m] depth of the deepest contact of the two; 0: none
    Vec3 place = Vec3::Constant(nan); // [m] where
    std::array<int, 2> triangles = {-1, -1}; // of the two surfaces, that cut through one another the deepest; -1: none
    int crossings = 0; // pairs of triangles that do
};

/// The depth [m] of the deepest contact of every pair of bodies, the lower number first, by what springs store:
/// sqrt(2 E/k), with friction up to sqrt(1 + mu^2) times the depth.
std::map<BodyPair, double> felt_depths(const ContactBodies& bodies, const std::vector<Attachment>& kept);

/// The overlap of bodies, whatever contact knows of it. Of solids with flat faces the shortest way that parts them
/// (separating axes). Of all others the greatest of three lengths, none of them greater than that way: how deep a
/// vertex of one is in the other; how deep a ball of what is round, or one that lies well inside; and by how far two
/// triangles of their surfaces overlap. What is not flat stands for itself where others are looked for in it, and has
/// vertices a seventh of its least radius apart where it is looked for in others. Triangles of one body that share a
/// vertex are not compared. (docs/derivations.md#overlap-of-bodies)
class OverlapAudit {
public:
    /// Keeps a reference to `world`. Contact bodies below `first` are left out.
    explicit OverlapAudit(const World& world, int first = 0);

    /// Pairs that may touch and overlap, in their order; the same whatever the threads. Costs O(n log n) for n
    /// triangles of bodies that are near others.
    std::vector<BodyOverlap> look(const State& state);
    /// Of some pairs alone.
    std::vector<BodyOverlap> look(const State& state, const std::function<bool(const BodyPair&)>& is_wanted);

    /// Overlap [m] of two rigid bodies or obstacles where the second one sees the first one so; infinite where
    /// the shape of one could not be prepared.
    double depth(const BodyPair& pair, const Frame& first_in_second);

    /// Of bodies that were looked at last: whether they overlap by more than twice what is felt and what bodies of
    /// their thickness may; and whether contact does not hold them apart: this, or they overlap by more than the
    /// thinner one is thick, felt or not.
    bool is_unfelt(const BodyOverlap& overlap) const;
    bool pass_through(const BodyOverlap& overlap) const;

    /// Contact bodies whose shape could not be prepared, and why: they are looked at no more, but nothing else ends.
    const std::map<int, std::string>& left_out() const { return left_out_; }

    double thickness(int body) const { return shape(body).thickness(); } // [m] as of AuditedBody

private:
    struct Meeting;

    std::vector<BodyPair> near_pairs() const;
    void prepare(int body);
    Meeting meeting(int a, int b) const;

    AuditedBody& shape(int body) { return shapes_[body - first_]; }
    const AuditedBody& shape(int body) const { return shapes_[body - first_]; }

    const World* world_;
    ContactBodies bodies_;
    int first_; // contact body of shapes_
    std::vector<AuditedBody> shapes_;
    SharedSurfaces shared_;
    std::map<int, std::string> left_out_;
};

} // namespace stickslip
