#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/contact_blocks.h"
#include "stickslip/contact/detect/candidates.h"
#include "stickslip/contact/detect/contact_bodies.h"
#include "stickslip/contact/detect/near_pairs.h"
#include "stickslip/contact/edges/edge_contact.h"
#include "stickslip/contact/edges/mesh_tubes.h"
#include "stickslip/contact/meshes/patch_entry.h"
#include "stickslip/contact/polyhedra/pair_features.h"
#include "stickslip/contact/step_start.h"
#include "stickslip/contact/surfaces/ball_on_triangles.h"
#include "stickslip/contact/surfaces/level_set_surface.h"
#include "stickslip/contact/surfaces/rim_on_triangles.h"
#include "stickslip/contact/surfaces/soft_surface.h"

#include <span>
#include <vector>

namespace stickslip {

/// Some bodies whose contacts are asked for alone.
struct ContactPart {
    std::vector<int> bodies; // ascending
    std::vector<int> tasks; // theirs
    int listing = -1; // number of the list of tasks that they are of
};

/// Two polyhedra that overlap by much more than any contact between them is deep.
struct UnfeltOverlap {
    int body, other; // contact bodies, the lower number first
    double depth; // [m] the shortest way that parts them
    double felt; // [m] depth of the deepest contact, 0: none
};

/// All contacts of a step: which ones there are at a candidate, their forces and derivatives, and what they leave
/// behind. Cells of the table: node (DI, RD), material point (the same), sample, ball, rim (extreme points) and axis of
/// a rigid body (RR), each with fixed, scripted and rigid level sets; the same of an obstacle with rigid ones; spheres
/// with fixed, scripted, rigid and deformable triangles; quadrature points of deformable bodies (DD) and samples with
/// deformable patches; nodes and samples with open surfaces, fixed or scripted, and with the triangles of solids; sharp
/// edges of all these with one another; round sides across edges and across one another (edges/axis_crossing.h).
class ContactSet {
public:
    explicit ContactSet(const ContactBodies& bodies);

    /// Start of a step from time t [s] to t + dt with node positions x_old and velocities v_old, rigid bodies
    /// rigid_old, and the sorted attachments of the last one. `outward`: GridStep::outward; empty: not known. A copy
    /// must begin a step before it evaluates.
    void begin_step(double t, double dt, std::span<const Vec3> x_old, std::span<const Vec3> v_old,
        std::span<const RigidState> rigid_old, const std::vector<Attachment>& kept, std::span<const Vec3> outward = {});

    /// Multiplies the stiffness of every contact in the evaluations to come [-]; begin_step sets it to 1. For first
    /// guesses only: the roots of softer contacts lead to those of hard ones.
    void scale_stiffness(double factor) { stiffness_factor_ = factor; }

    /// Finds and relaxes the contacts at candidate positions. Depends on these alone, not on what was evaluated before.
    void evaluate(std::span<const Vec3> x, std::span<const RigidCandidate> rigid);

    /// Adds features of polyhedra that have crossed at the last evaluation although they were not expected to meet,
    /// tubes that have come to lie across a round side, and points that have gone through triangles that keep their
    /// shape; whether there were any. Evaluations to come count them.
    bool grow();

    /// Those at the last evaluation, or on the way there.
    std::vector<UnfeltOverlap> unfelt_overlaps() const;

    /// The contacts of a part, all other bodies standing where they were evaluated last: what for_each_contact visits
    /// then are theirs alone.
    void evaluate(ContactPart& part, std::span<const Vec3> x, std::span<const RigidCandidate> rigid);

    /// Those of the last evaluation, with their sums over blocks of unknowns; in an order that does not depend on
    /// threads.
    const ContactBlocks& blocks() const { return contacts_; }
    std::size_t count() const { return contacts_.contacts().size(); }
    template <typename Visit>
    void for_each_contact(const Visit& visit) const
    {
        for (const Contact& c : contacts_.contacts())
            visit(c);
    }
    void add_force(std::span<Vec3> f) const { contacts_.add_force(f); }
    void add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const
    {
        contacts_.add_force_differential(du, df, transposed);
    }

    /// The attachments that the contacts of the last evaluation leave for the next step, sorted.
    /// Paper: Alg 5 UPDATE_DI, Alg 6 UPDATE_RD, Alg 8 UPDATE_RR, Alg 9 UPDATE_DD
    std::vector<Attachment> update_attachments() const;

    /// [m] World axes: how scripts and conveyors move the surface past the point of a contact in this step; -j does
    /// work along it.
    Vec3 scripted_way(const Contact& c) const;

    /// Stored energy of the contact springs [J] of the last evaluation, and what update_attachments adds to it by
    /// letting them grow stiffer.
    double energy() const;
    double stiffening_work() const;

private:
    // Two polyhedra within reach of one another in this step, a < b.
    struct MetPolyhedra {
        int a, b;
        PairFeatures features;
    };
    // A point and a patch that it can meet in this step.
    struct PatchMeeting {
        int point;
        PatchEntry entry;
        int kept; // its attachment; -1: none
        int slot; // Attachment::slot
        SpringStart spring;
    };
    struct MetPatches {
        CandidatePair pair;
        std::vector<PatchMeeting> meetings; // ascending
    };
    // The sharp edges of a body.
    struct EdgedBody {
        int body;
        SurfaceEdges edges;
    };
    // Edges of two bodies that can meet in this step.
    struct MetEdges {
        CandidatePair pair;
        std::vector<EdgeEntry> entries; // sorted; kept: index in StepStart::kept
    };
    // A tube that lies across a round side in this step.
    struct CrossedTube {
        AxisCrossing at;
        const Attachment* kept; // null: none
    };
    // One that was not predicted, or new and with a much smaller share.
    struct GrownCrossing {
        CandidatePair pair;
        AxisCrossing at;
    };
    // What the start of a step says of points against a solid, filled in as it is asked for.
    struct StepPoints {
        Bounds way_in; // [solid's frame] what the way of a new point must not pass by
        bool skips_between; // points within faces and edges, which the solid touches by its own circles, balls or axis
        std::vector<Vec3> seen; // [m] where the solid saw each
        std::vector<const Attachment*> kept; // null: none
        struct Start {
            LevelSetSurface::PointStart of_surface;
            double k; // [N/m] without what scales it
        };
        std::vector<std::optional<Start>> start;
        std::optional<std::vector<LevelPatch>> before; // StepStart::stands_before
    };
    // Some points of one body against the surface of another, and what was found.
    struct Task {
        CandidatePair pair;
        ContactKind kind;
        int begin, end; // points
        const PairFeatures* features; // of two polyhedra, which have no points
        const MetPatches* met; // of which begin and end count the meetings
        const MetEdges* met_edges; // of which they count the entries
        bool is_certain; // also where the boxes of the two do not meet
        bool has_begun; // knows what the start of the step says
        double mu; // [-]
        double left; // [-] of the forces of its circles and balls: left_by_crossings
        StepPoints points;
        std::vector<CrossedTube> crossings; // of an axis
        std::vector<RimContact> extremes; // of the rim at hand
        BallOnTriangles search; // of the ball at hand
        RimOnTriangles rim_search; // of the rim at hand
        std::vector<PoseContact> touches;
        SoftSurface::Search soft_search;
        std::vector<SoftBallContact> soft_touches;
        ContactBlocks contacts; // found at the candidate
    };
    // The surface of a deformable body as patches.
    struct PatchedBody {
        PatchSurface surface;
        std::vector<int> nodes; // of its vertices
        bool is_finite; // at the candidate
    };
    // Triangles that keep their shape, in their own frame: of an open surface both sides, of a solid the outer one.
    struct RigidMesh {
        int body;
        std::shared_ptr<const PatchSurface> surface; // the same for all bodies of one mesh
        std::shared_ptr<const SheetSides> sheet; // null of a solid

        bool is_closed() const { return sheet == nullptr; }
    };
    // The surface of a deformable body that spheres meet.
    struct SoftBody {
        int body;
        SoftSurface surface;
        bool has_begun; // knows where its nodes are at the start of this step
        bool is_finite; // they are somewhere at the candidate, and it is there
    };

    SurfaceMotionInStep motion(int body, std::span<const RigidCandidate> rigid) const;
    // As points of the first of the pair meet the second, which keeps its shape.
    SurfaceMotionInStep motion(const CandidatePair& pair) const;
    // [m] world axes: how far conveyors move the material of the second past that of the first in the step.
    Vec3 belt(const CandidatePair& pair) const;
    void place_surfaces(std::span<const RigidCandidate> rigid);
    void place_surface(int body, std::span<const RigidCandidate> rigid);
    const LevelSetSurface& surface(const CandidatePair& pair) const; // that points of the first meet
    LevelSetSurface surface_in_step(const CandidatePair& pair) const; // the same, moved with conveyors of both
    Bounds body_box(int body, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const;
    void update_tasks(std::span<const int> moved);
    void list_tasks();
    /// Whether these vertices of a sheet that stands still are far from all places of the other body until tasks are
    /// listed again, and hold nothing.
    bool is_out_of_reach(const CandidatePair& pair, int begin, int end) const;
    void list_points(const CandidatePair& pair, bool holds);
    Task& new_task(const CandidatePair& pair, ContactKind kind);
    void add_polyhedra(const MetPolyhedra& met);
    bool is_needed(const Task& task) const;
    void place_soft_surfaces(std::span<const Vec3> x);
    const SoftBody* soft_body(int body) const; // null: spheres do not meet it
    void run_tasks(std::span<const int> tasks, std::span<const Vec3> x, std::span<const RigidCandidate> rigid);
    void run(Task& task, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const;
    void run_points(Task& task, const LevelSetSurface& surface, std::span<const Vec3> x,
        std::span<const RigidCandidate> rigid) const;
    void begin_points(Task& task, const LevelSetSurface& surface) const;
    const StepPoints::Start& start_of_point(Task& task, int i, const LevelSetSurface& surface) const;
    void run_balls_on_triangles(Task& task, std::span<const RigidCandidate> rigid) const;
    void run_balls_on_soft_body(Task& task, const SoftBody& soft, std::span<const RigidCandidate> rigid) const;
    void run_rounds(Task& task, const LevelSetSurface& surface, std::span<const RigidCandidate> rigid) const;
    void run_rims(Task& task, const LevelSetSurface& surface, std::span<const RigidCandidate> rigid) const;
    void run_rims_on_triangles(Task& task, std::span<const RigidCandidate> rigid) const;
    std::vector<CrossedTube> crossings(const CandidatePair& pair) const;
    const Tube& tube(int body, int number) const { return tubes_[body].tubes[number]; }
    std::vector<int> tubes_near(const CandidatePair& pair, const Frame& old, const Frame& pose) const;
    DistanceToSolid distance_to(int body) const;
    double left_by_crossings(const CandidatePair& pair) const;
    void run_axis(Task& task, std::span<const RigidCandidate> rigid) const;
    struct PoseChange {
        Frame old, now; // at the start of the step and at the candidate
    };
    PoseChange pose_change(
        int body, std::span<const RigidCandidate> rigid) const; // of its points; none of a deformable body
    // [N/m] of what was found for a point of the pair, softened
    double stiffness(const CandidatePair& pair, int point, const SurfaceContact& at) const;
    Vec3 turn(int body, std::span<const RigidCandidate> rigid) const; // [rad] in the step
    Side side(int body, int point, std::span<const RigidCandidate> rigid) const;
    // A contact of one of its points with a surface that keeps its shape.
    void add(Task& task, int point, double k, const PoseContact& at, std::span<const RigidCandidate> rigid) const;
    void decide_features();
    PairMotion pair_motion(int a, int b) const;
    // [world] of the body's solid, where it goes at the speed it has: what rests does not fall
    Frame next_frame(int body) const;
    double way_by_itself(int body) const; // [m] bound on what its points do in the step
    const Frame& frame(int body) const { return surfaces_[body - bodies_.first_rigid()].motion().frame; }
    void run_polyhedra(Task& task, std::span<const RigidCandidate> rigid) const;
    void make_patches();
    void begin_patches();
    void decide_meetings();
    std::vector<CandidatePair> pairs_with_patches() const;
    void add_touched(const Attachment& a, std::vector<std::int64_t>& touched) const; // TouchedBy
    const PatchSurface& patch_surface(int body) const;
    int first_met_point(const CandidatePair& pair) const;
    int met_point_count(const CandidatePair& pair) const;
    void make_rigid_meshes();
    const RigidMesh& rigid_mesh(int body) const;
    void add_pairs_with_meshes(std::vector<CandidatePair>& pairs) const;
    double rim_width_of(int body) const; // [m] at most, of what its points meet
    PointWay way_to_mesh(const CandidatePair& pair, int point) const;
    static bool is_met_anew(
        const PatchSurface& surface, std::span<const PatchMeeting> known, const PatchEntry& entry, const Vec3& Z);
    static void leave_far_faces(
        const PatchSurface& surface, const PointWay& way, std::vector<PatchMeeting>& meetings, std::size_t first);
    static int free_slot(const PatchSurface& surface, std::span<const PatchMeeting> known, const PatchEntry& entry);
    PatchView view_at_start(const CandidatePair& pair) const;
    SpringStart spring_at_start(const CandidatePair& pair, const Vec3& Z, const PatchMeeting& met) const;
    SpringStart spring_of_new(const CandidatePair& pair, const PatchEntry& entry) const;
    void hold_side(const CandidatePair& pair, PointWay& way, std::span<PatchMeeting> kept) const;
    bool grow_features();
    bool grow_crossings();
    bool grow_meetings();
    bool grow_meetings(const CandidatePair& pair);
    Vec3 place_now(int body, int point) const;
    void remember(std::span<const Vec3> x, std::span<const RigidCandidate> rigid);
    Bounds way_box(int body) const; // of its points in the step, as predicted
    PointWay point_way(const CandidatePair& pair, int point) const;
    void find_meetings(const CandidatePair& pair, int point, std::vector<PatchEntry>& entries,
        std::vector<PatchMeeting>& meetings) const;
    void place_patches(std::span<const Vec3> x);
    void add_meetings(const MetPatches& met);
    void run_on_patches(Task& task, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const;
    void make_edges();
    void begin_edges();
    const SurfaceEdges* edges_of(int body) const; // null: none that meet others
    std::vector<CandidatePair> pairs_with_edges(double reach) const;
    void decide_edges();
    bool grow_edges();
    void add_edges(const MetEdges& met);
    PlacedEdge placed_edge(
        int body, const SurfaceEdge& edge, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const;
    void run_on_edges(Task& task, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const;
    void run_on_mesh(Task& task, std::span<const Vec3> x, std::span<const RigidCandidate> rigid) const;

    ContactBodies bodies_;
    StepStart start_;
    double stiffness_factor_ = 1;
    std::vector<SoftBody> soft_bodies_;
    std::vector<Vec3> vertices_; // of the one at hand
    std::vector<PatchedBody> patched_; // by deformable body
    std::vector<RigidMesh> rigid_meshes_; // ascending by body
    std::vector<MetPatches> met_patches_; // sorted
    std::vector<EdgedBody> edged_; // ascending by body
    std::vector<MetEdges> met_edges_; // sorted
    std::vector<Vec3> x_; // nodes at the last evaluation, kept for rigid meshes and edges
    std::vector<RigidCandidate> rigid_;
    std::vector<LevelSetSurface> surfaces_; // by rigid body, then obstacle, at the candidate
    std::vector<std::vector<LevelSetSurface>> grown_surfaces_; // the same by width: what material points meet
    std::vector<Bounds> boxes_; // [world] by body, at the candidate
    std::vector<std::vector<Bounds>> vertices_of_sheets_; // by body, of each task in the frame of the sheet
    BroadPhase step_phase_; // of the ways of a step
    NearPairs near_; // at candidates
    std::vector<std::shared_ptr<const ConvexFeatures>> polyhedra_; // by body; null: has round or free form
    std::vector<MeshTubes> tubes_; // by body: those of what keeps its shape; of_edge of triangles alone
    std::vector<GrownCrossing> grown_crossings_; // of this step
    std::vector<MetPolyhedra> met_polyhedra_; // sorted; within reach of one another in this step
    std::vector<Task> tasks_; // of all that may touch in this step; ContactPart::tasks counts them
    std::size_t task_count_ = 0; // tasks_ keeps its memory
    int listing_ = 0; // how often they were listed
    bool is_listed_ = false;
    std::vector<int> all_bodies_, all_tasks_, needed_; // the last: those of the last evaluation
    ContactBlocks contacts_;
};

} // namespace stickslip
