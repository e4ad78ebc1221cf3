#pragma once

#include "stickslip/scene/scene.h"

#include <string>
#include <vector>

namespace stickslip {

struct BuiltWorld;

/// Indices of a body of the scene in a checkpoint's state, by which another scene finds it again. -1: none.
struct CheckpointBody {
    std::string name;
    std::string shape; // as YAML; of spheres: of their clump, empty without one
    BodyKind kind = BodyKind::obstacle; // a rigid body with a motion is an obstacle
    int first = 0; // implicit runs: node of a deformable body, rigid body
    int points = 0; // nodes of a deformable body, points by which another enters solids
    int facets = 0; // of a mesh among spheres
    std::string surface, touching, on_soft; // implicit runs: hashes of what attachments number: its surface; its points
                                            // with these; its points on deformable bodies
    int contact_body = -1; // implicit runs: its number among those that may touch
    int group = -1, body = -1, wall = -1; // explicit runs: of its spheres, of a free rigid body, of its surface
    Vec3 x = Vec3::Zero(); // [m] where the frame of an obstacle was
    Quat R = Quat::Identity();

    /// Both have the same kind and shape, whatever their material and place.
    bool is_same(const CheckpointBody& other) const { return kind == other.kind && shape == other.shape; }
};

/// The same words as CheckpointBody::shape.
std::string shape_text(const BodySettings& body);

/// All bodies of a scene, in its order, as at a time [s].
std::vector<CheckpointBody> checkpoint_bodies(const Scene& scene, const BuiltWorld& built, double time);

} // namespace stickslip
