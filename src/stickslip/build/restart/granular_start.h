#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/earlier_run.h"
#include "stickslip/dem/succession.h"

#include <vector>

namespace stickslip {

/// Start of spheres, clumps, rigid bodies and walls of an explicit scene from an earlier run, body by body while
/// they are built; notes say how many.
class GranularStart {
public:
    /// Keeps a reference. run: null, or an explicit one.
    explicit GranularStart(const EarlierRun* run);

    /// Of a body of the scene; null: it begins as the scene says.
    const CheckpointBody* earlier(int scene_body) const { return run_ ? run_->bodies[scene_body] : nullptr; }

    /// The spheres of a set by themselves, in the order of their ids; they will have the ids from first_id on.
    std::vector<Grain> spheres(const CheckpointBody& earlier, int material, int group, std::size_t first_id);
    /// The clumps of a set; they will be the world's bodies from first_body on.
    std::vector<RigidState> clumps(const CheckpointBody& earlier, std::size_t first_body);
    /// A rigid body that will be this one of the world's.
    RigidState rigid(const CheckpointBody& earlier, std::size_t body);
    void wall(const CheckpointBody& earlier, const GranularWall& wall, std::size_t number);

    /// When all bodies are built: the earlier state for the first step to come. Nothing without an earlier run.
    void finish(BuiltGranular& granular);

private:
    const GranularState& state() const { return *run_->checkpoint.granular; }
    RigidState take(std::size_t earlier_body, std::size_t body);

    const EarlierRun* run_;
    Succession successors_;
    std::vector<int> body_; // of the world, by earlier body; -1: none
};

} // namespace stickslip
