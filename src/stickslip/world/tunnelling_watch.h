#pragma once

#include "stickslip/contact/detect/candidates.h"
#include "stickslip/world/world.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace stickslip {

/// A step in which one body came farther towards another, where the ways of the two meet, than one of them is thick
/// that way. Contact is detected at the end of a step alone and may have been missed.
struct LongStep {
    int mover, other; // contact bodies
    double way; // [m] of the one towards the other
    int thin; // which of the two
    double size; // [m] of that one along the way

    double badness() const { return way / size; } // [-]
};

/// A step in which a body that may touch others came farther than it is long that way, whatever it met. Where and when
/// contact begins in such a step is not resolved.
struct FarStep {
    int body; // contact body
    double way; // [m] of its middle
    double size; // [m] of it along the way

    double badness() const { return way / size; } // [-]
};

/// A body on its way through another: a place within it was outside the other, and is inside it since, or has come out
/// of it elsewhere where the two still touch.
struct Entered {
    int body, other;
    Vec3 from; // [m] where it was, in the frame of the other's solid
};

/// Looks at the steps of a run for what contact cannot feel. What it says depends on the states alone, whatever the
/// threads. Costs O(n) for n bodies and nodes, and a broad phase where something moves by half of the smallest size of
/// any body.
class TunnellingWatch {
public:
    /// Keeps a reference to `world`.
    explicit TunnellingWatch(const World& world);

    /// Takes the step from one state to the next. `reach`: how many such steps, one after the other, bodies may meet
    /// in.
    void look(const State& before, const State& after, double reach = 1);

    /// Of the step looked at: of pairs that may touch, in their order. Nobody moves through a half-space. Contact of
    /// two that touch at the end, of `touching` (sorted pairs, the lower number first), was not missed: it is on the
    /// right side until a body is past the middle of the other.
    std::vector<LongStep> long_steps(std::span<const BodyPair> touching) const;

    /// Of the step looked at: by bodies, in their order. Half-spaces have no length.
    std::vector<FarStep> far_steps() const;

    /// Of the step looked at: bodies that went through another. A place within one was on one side of the other, is on
    /// the opposite one now, and the two do not touch. The one that moved farther comes first. `entered`: of the steps
    /// before, brought up to date.
    std::vector<BodyPair> passages(std::span<const BodyPair> touching, std::vector<Entered>& entered) const;

private:
    /// Constants of a body.
    struct Matter {
        double thickness = infinity; // [m] smallest size; infinite of a plane or a sheet
        Vec3 inner = Vec3::Zero(); // [m] a place deep inside, in the frame of the solid
        int node = -1; // of a deformable body: the one in its middle
    };
    /// Place of a body and its bounding box there. The frame of a deformable body is its mean place.
    struct Place {
        Frame frame;
        Bounds box; // [m] in the frame

        /// Of the box, to x [m, world].
        Vec3 nearest_to(const Vec3& x) const
        {
            return frame.to_world(frame.to_local(x).cwiseMax(box.min).cwiseMin(box.max));
        }
    };
    struct Way {
        Vec3 from, to; // [m] in the frame of the other's solid
    };
    /// Of a pair, along a way [m]; infinite of what has none.
    struct Sizes {
        double of_a, of_b;
        double thin() const { return std::min(of_a, of_b); }
        double passed(bool touch) const;
    };

    Matter matter_of(int body) const;
    Place place_of(int body, const State& state) const;
    double farthest(int body) const;
    Bounds swept(int body, double reach) const;
    Vec3 meeting_place(const BodyPair& pair) const;
    Vec3 place_of_smaller(const BodyPair& pair) const;
    Mat3 turn(int body) const;
    Vec3 moved(int body, const Vec3& place) const;
    Sizes sizes_along(const BodyPair& pair, const Vec3& way) const;
    bool is_half_space(int body) const;
    bool may_touch(int body) const;
    Vec3 way_together(const BodyPair& pair, const Vec3& way) const;
    double size_along(int body, const Vec3& way) const;
    Vec3 inner_near(int body, const Vec3& place) const;
    bool has_inside(int body) const { return matter_[body].node >= 0 || matter_[body].thickness < infinity; }
    Way way_of(int body, int other, const Vec3& inner) const;
    bool is_fast(int body, int other, const Way& way) const;
    bool goes_through_it(int body, int other, const Way& way) const;

    const World* world_;
    ContactBodies bodies_;
    std::vector<Matter> matter_;
    double thinnest_ = infinity; // [m]
    std::vector<Place> old_, now_;
    std::vector<Vec3> old_nodes_, nodes_; // [m] world
    double reach_ = 1; // [-] steps
    std::vector<Bounds> swept_; // [m] world
    std::vector<BodyPair> near_; // whose ways may meet, the lower number first; none of half-spaces
};

/// Prediction: of each pair, in their order, the worst long step if from `start` on nothing acts on anything
/// but the scripts of obstacles, until `end` [s], in steps of dt [s].
std::vector<LongStep> long_steps_ahead(const World& world, const State& start, double dt, double end);

/// The same of single bodies, in their order: of the first step, in which also gravity and loads act, and of scripts.
std::vector<FarStep> far_steps_ahead(const World& world, const State& start, double dt, double end);

/// The frame of the solid of a rigid body or an obstacle.
Frame frame_of_solid(const ContactBodies& bodies, int body, const State& state);

/// The state dt [s] later if no force acted.
State coasted(State state, double dt);

} // namespace stickslip
