#pragma once

#include "stickslip/contact/contact_task.h"
#include "stickslip/contact/meshes/mesh_surfaces.h"

#include <span>
#include <vector>

namespace stickslip {

/// Points against smooth patches of triangles: of deformable bodies, and, in whose frame everything is found, of meshes
/// that keep their shape (both sides of open surfaces, the outer one of solids). Which point can meet which patch is
/// decided at the start of a step.
class PatchesInStep {
public:
    void begin_step(const ContactStep& step, const MeshSurfaces& surfaces);

    /// Adds what has gone through triangles that keep their shape at the candidate: what was expected goes another way
    /// where it is hit. Whether there was any.
    bool grow(const ContactStep& step, const MeshSurfaces& surfaces);

    void list(const ContactBodies& bodies, ContactTasks& tasks) const;
    void run_on_deformable(const ContactStep& step, const MeshSurfaces& surfaces, ContactTask& task) const;
    void run_on_rigid(const ContactStep& step, const MeshSurfaces& surfaces, ContactTask& task) const;

private:
    struct Met {
        CandidatePair pair;
        std::vector<PatchMeeting> meetings; // ascending by point
    };
    std::vector<Met> met_; // sorted
};

} // namespace stickslip
