#pragma once

#include "stickslip/contact/meshes/patch_surface.h"
#include "stickslip/contact/step_start.h"
#include "stickslip/geometry/mesh/both_sides.h"

#include <memory>
#include <span>
#include <vector>

namespace stickslip {

/// The surface of a deformable body.
struct DeformableSurface {
    PatchSurface patches;
    std::vector<int> nodes; // of its vertices
    bool is_finite; // at the candidate
};

/// Triangles that keep their shape, in their own frame: of an open surface both sides, of a solid the outer one.
struct RigidMesh {
    int body;
    std::shared_ptr<const PatchSurface> patches; // the same for all bodies of one mesh
    std::shared_ptr<const SheetSides> sheet; // null of a solid

    bool is_closed() const { return sheet == nullptr; }
};

/// All surfaces that are met by the smooth patches of their triangles.
class MeshSurfaces {
public:
    explicit MeshSurfaces(const ContactBodies& bodies);

    void begin_step(const StepStart& start);

    /// Moves those of deformable bodies to a candidate. Where a node has no finite place nothing touches: what moves it
    /// there says so.
    void move_to(std::span<const Vec3> x);

    bool empty() const { return deformable_.empty() && rigid_.empty(); }
    const std::vector<DeformableSurface>& deformable() const { return deformable_; } // by body
    const std::vector<RigidMesh>& rigid() const { return rigid_; } // ascending by body
    const RigidMesh& rigid(int body) const; // Pre: some points may meet it
    const PatchSurface& patches(int body) const;

    /// What points of a body see of it at the start of the step; what keeps its shape in its own frame, where it does
    /// not move. widest_rim [m]: PatchView::widest_rim.
    PatchView view_at_start(int body, double widest_rim) const;

private:
    bool is_deformable(int body) const { return body < static_cast<int>(deformable_.size()); }

    std::vector<DeformableSurface> deformable_;
    std::vector<RigidMesh> rigid_;
};

} // namespace stickslip
