#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/detect/candidates.h"
#include "stickslip/contact/relax/entry_point.h"

#include <span>
#include <vector>

namespace stickslip {

/// The state at the start of a step and the scripted poses at its end: all that contacts know before Newton's method
/// tries a candidate.
class StepStart {
public:
    /// Keeps a reference to what `bodies` refers to.
    explicit StepStart(const ContactBodies& bodies)
        : bodies_(bodies)
    {
    }

    /// From time t [s] to t + dt. `attachments`: those of the last step, sorted. `outward`: of material points, or
    /// none.
    void begin(double t, double step, std::span<const Vec3> nodes, std::span<const Vec3> node_velocities,
        std::span<const RigidState> rigid_bodies, const std::vector<Attachment>& attachments,
        std::span<const Vec3> outward);

    double dt = 0; // [s]
    bool is_first = false; // of a run: nothing was felt before
    std::vector<Vec3> x, v; // of nodes, and behind them of material points
    std::vector<RigidState> rigid;
    std::vector<Vec3> outward; // unit, of material points; zero: of no one direction
    std::vector<Frame> obstacle, obstacle_end; // at the start and at the end of the step
    std::vector<Vec3> obstacle_turn; // [rad] in the step
    std::vector<Attachment> kept; // sorted
    std::vector<CandidatePair> kept_pairs; // that they belong to

    /// Of what has a solid.
    const Frame& frame(int body) const { return frames_[body - bodies_.first_rigid()]; }

    /// Of the points of a solid: its centre of mass, or the frame of an obstacle.
    Frame point_frame(int body) const;

    /// Of what has a solid, where it goes at the speed it has: what rests does not fall.
    const Frame& next_frame(int body) const { return next_frames_[body - bodies_.first_rigid()]; }

    /// [world] Box around a body where it is and where it goes at the speed it has: around its nodes or material
    /// points, or its whole solid.
    const Bounds& way(int body) const { return ways_[body]; }

    /// [m] |g| dt^2: how much farther than that goes what falls in a step of backward Euler.
    double fall() const { return dt * dt * bodies_.gravity.norm(); }

    /// A node, or a sample of a rigid body or an obstacle.
    Vec3 place(int body, int point) const;

    /// Of a material point, where its body ends. Unit; zero: of no one direction.
    Vec3 outward_of(int body, int point) const;

    /// Arguments of find_entry for that point, in world axes.
    PointSurface surface(const CandidatePair& pair, int point) const;

    /// Upper bound of how far the springs of the two bodies, and of those that support them, are compressed [m], and
    /// how far nodes that lose them sink by the strain of their body, times 2 for tilt. What is no deeper under a face
    /// is level with it.
    double indentation(const CandidatePair& pair) const
    {
        return 2 * (indentation_[pair.point_body] + indentation_[pair.surface_body]);
    }

    /// How deep under a face of the second, a solid, or how high above it, the first is level with it [m]:
    /// indentation(), and of a pair that does not press itself no more than level_limit, since what is carried beside
    /// the solid may be a step lower than it.
    double level_depth(const CandidatePair& pair) const;

    /// [m] Of a material point, half its width; of others 0.
    double half_width(int body) const { return bodies_.is_mpm(body) ? bodies_.mpm_body(body).half_width : 0; }

    /// [m] How an obstacle moves its material at P as it moves at the end of the step: by its origin's way and its turn
    /// theta x (P - x). Forces on it do work along this way; the chord of a turn also leads inward.
    Vec3 way_of_obstacle(int body, const Vec3& P) const
    {
        const int o = body - bodies_.first_obstacle();
        return obstacle_end[o].x - obstacle[o].x + obstacle_turn[o].cross(P - obstacle_end[o].x);
    }

    /// [m/s] Velocity of the first, a solid, against the second at P; of obstacles, their mean over the step.
    Vec3 drift(const CandidatePair& pair, const Vec3& P) const
    {
        return velocity(pair.point_body, P) - velocity(pair.surface_body, P);
    }

    /// [m/s] World axes: how a conveyor's surface moves past its shape; zero of all others.
    Vec3 surface_velocity(int body) const;

    /// [m] World axes: how far conveyors move the material of the second past that of the first in the step.
    Vec3 belt(const CandidatePair& pair) const
    {
        return dt * (surface_velocity(pair.surface_body) - surface_velocity(pair.point_body));
    }

    double pressed(const CandidatePair& pair) const; // [m] depth of the pair's own springs, either way

    /// The patches of the surface's solid that all points of the other, a solid with points, stand before. Several
    /// where the two touch along no more than an edge; then the first is the one that the body goes at least straight.
    /// Empty where there is none, as of what is not convex or deeper in than what is level with a face, and where
    /// there is a gap between the two.
    std::vector<LevelPatch> stands_before(const CandidatePair& pair) const;

    /// Whether the first, which has circles, touches a flat face of the second, a solid, stays there, and is no deeper
    /// in it than a two-hundredth of their radius.
    bool lies_on_face(const CandidatePair& pair) const;

    /// The attachment kept for this point, or null; points are asked for in ascending order, from `next` on.
    const Attachment* kept_of(const CandidatePair& pair, int point, std::size_t& next) const;

    /// Those kept for points from begin to before end.
    std::span<const Attachment> kept_of(const CandidatePair& pair, int begin, int end) const;

    /// Index in `kept` of the first for this point or those after it.
    std::size_t first_kept(const CandidatePair& pair, int point) const;

private:
    double roundness_before(const CandidatePair& pair, int patch) const; // [m] of balls and circles before it
    Vec3 velocity(int body, const Vec3& P) const;
    Bounds way_of(int body) const;
    double spring_depth(const Attachment& a) const; // [m] at most
    double sag(const Attachment& a, int body, double depth) const; // [m] of a node that its spring lets go
    std::vector<double> compressed_springs() const;

    ContactBodies bodies_;
    std::vector<Frame> frames_, next_frames_; // by rigid body, then obstacle
    std::vector<Bounds> ways_; // by body
    std::vector<double> pressed_; // [m] by pair of kept_pairs: depth of its deepest spring
    std::vector<double> indentation_; // [m] by body: how far it is in others, and these in others still
};

} // namespace stickslip
