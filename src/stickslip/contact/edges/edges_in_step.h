#pragma once

#include "stickslip/contact/contact_task.h"
#include "stickslip/contact/meshes/mesh_surfaces.h"
#include "stickslip/contact/polyhedra/polyhedra_in_step.h"

#include <vector>

namespace stickslip {

/// Sharp edges of two bodies, or of one: which can meet in a step, and what they find.
class EdgesInStep {
public:
    EdgesInStep(const ContactBodies& bodies, const MeshSurfaces& surfaces, const PolyhedraInStep& polyhedra);

    void begin_step(const ContactStep& step, const MeshSurfaces& surfaces);

    /// Adds edges that have crossed at the candidate: what was expected goes another way where it is hit. Whether there
    /// were any.
    bool grow(const ContactStep& step, const MeshSurfaces& surfaces);

    void list(ContactTasks& tasks) const;
    void run(const ContactStep& step, const MeshSurfaces& surfaces, ContactTask& task) const;

private:
    // The sharp edges of a body.
    struct EdgedBody {
        int body;
        SurfaceEdges edges;
    };
    struct Met {
        CandidatePair pair;
        std::vector<EdgeEntry> entries; // sorted
    };
    const SurfaceEdges& edges_of(int body) const;
    // Those whose ways come as near as `reach` [m], and those that hold attachments.
    std::vector<CandidatePair> pairs_within(const ContactStep& step, double reach) const;

    std::vector<EdgedBody> edged_; // ascending by body: those that meet others
    std::vector<Met> met_; // sorted
};

} // namespace stickslip
