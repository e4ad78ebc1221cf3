#pragma once

#include "stickslip/bodies/friction.h"
#include "stickslip/geometry/solids/primitives.h"
#include "stickslip/math/types.h"
#include "stickslip/scene/sphere_settings.h"
#include "stickslip/scene/text/fault.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// A scene as the file says it: names not yet resolved, files not yet opened, numbers in SI, angles in degrees where
/// the name says so. Every default of the format stands here. Each member is bound to its key, unit, range and
/// documentation in scene_table.cpp.
namespace stickslip {

struct TimeSettings {
    double step = 0.01; // [s] required in the file; 0: auto, a share of the stability limit of the spheres
    double end = 1.0; // [s] required in the file; >= step
    double frame = 0.04; // [s] interval of written frames
    bool adaptive = false; // the step may shrink and grow between min_step and max_step
    std::optional<double> min_step; // [s] auto: step / 1024
    std::optional<double> max_step; // [s] auto: step
    double safety = 0.2; // [-] the share of the stability limit that step 0 takes, in (0, 1)

    double smallest_step() const { return min_step.value_or(step / 1024); }
    double largest_step() const { return max_step.value_or(step); }
};

enum class PreconditionerChoice { automatic, block_jacobi, block_ssor, lu, multigrid };
enum class Integration { implicit, velocity_verlet };
enum class AuditedFrames { last, every, none };

struct GmresSettings {
    int restart = 60; // vectors kept
    int max_iterations = 1000; // all restarts together
};

struct SolverSettings {
    std::optional<double> tolerance; // [m/s] auto: 1e-6 |gravity| step, 1e-9 without gravity; not below rounding
    int max_newton = 50;
    AuditedFrames audit = AuditedFrames::last; // of which the overlap of bodies is measured
    double max_seconds = infinity; // [s] of wall time, for one step
    PreconditionerChoice preconditioner = PreconditionerChoice::automatic;
    GmresSettings gmres;
    Integration integration = Integration::implicit;
    double local_damping = 0; // [-] in [0, 1)

    bool is_explicit() const { return integration == Integration::velocity_verlet; }
};

/// Rule for one pair of bodies, or of materials; body_pairs.h says what counts where values are unset.
struct PairSettings {
    std::array<std::string, 2> bodies; // names of bodies; twice the same: any two of a family or of a body's spheres
    std::optional<double> friction; // [-] infinity allowed
    std::optional<double> restitution; // [-] in (0, 1], explicit runs
    std::optional<double> stiffness; // [N/m] per contact point, implicit runs
    bool enabled = true; // false: the two pass through each other
    SourcePosition where;
    std::array<std::string, 2> materials; // instead of bodies; the others are empty
    std::optional<double> rolling_friction, twisting_friction; // [-] explicit runs
    std::optional<double> kn, kt; // [N/m] explicit runs, linear law; kt: with kn only
    std::optional<double> surface_energy; // [J/m2] explicit runs
};

enum class Relaxation { planar, exact_cone };

struct ContactSettings {
    double friction = default_friction; // [-] infinity: never slips
    std::optional<double> stiffness; // [N/m] per contact point; auto: see docs
    SourcePosition stiffness_at;
    std::optional<double> penetration; // [m] allowed at rest; unset: whatever the stiffness gives
    double damping = 0; // [s] of the normal force
    Relaxation relaxation = Relaxation::planar;
    std::optional<bool> self; // deformable bodies meet themselves
    int quadrature = 3; // [-] points of a triangle by which deformable bodies meet each other: 3, 6, 12
    ForceLaw law = ForceLaw::automatic; // of spheres
    std::vector<PairSettings> pairs;
};

enum class MaterialModel {
    linear,
    fixed_corotated,
    neo_hookean,
    st_venant_kirchhoff,
    drucker_prager, // this and those below: of mpm bodies only
    von_mises,
    snow,
    fluid
};

constexpr bool is_mpm_only(MaterialModel model)
{
    return model >= MaterialModel::drucker_prager;
}

struct MaterialSettings {
    std::string name;
    double density = 1000; // [kg/m3] required in the file
    MaterialModel model = MaterialModel::neo_hookean;
    std::optional<double> young; // [Pa] set for every material that a deformable uses
    std::optional<double> poisson; // [-] in (-1, 0.5); set likewise
    double damping = 0; // [s] stiffness-proportional
    std::optional<double> friction_angle; // [degrees] in (0, 90); set for drucker_prager
    double cohesion = 0; // [Pa] of drucker_prager
    std::optional<double> yield_stress; // [Pa] set for von_mises
    double hardening_modulus = 0; // [Pa] of von_mises
    double critical_compression = 0.025, critical_stretch = 0.0075; // [-] of snow
    double hardening = 10; // [-] of snow
    std::optional<double> bulk_modulus; // [Pa] set for fluid
    double viscosity = 0; // [Pa s] of fluid
    std::optional<double> friction; // [-] infinity allowed; unset: that of the other material, or of ContactSettings
    std::optional<double> kn, kt; // [N/m] of two spheres of this material, whatever their size; kt: with kn only
    double restitution = 0.5; // [-] in (0, 1], of spheres
    double rolling_friction = 0, twisting_friction = 0; // [-] of spheres
    double surface_energy = 0; // [J/m2] of spheres
    SourcePosition where;
};

struct AxisRotation {
    Vec3 axis = Vec3::UnitX(); // any length but 0
    double degrees = 0;
};
struct QuaternionRotation {
    std::array<double, 4> wxyz = {1, 0, 0, 0}; // any length but 0
};
struct EulerRotation {
    Vec3 degrees = Vec3::Zero(); // about the fixed axes, first x, then y, then z
};
using Rotation = std::variant<AxisRotation, QuaternionRotation, EulerRotation>;

/// Own frame to parent; orthonormal to round-off.
Mat3 rotation_matrix(const Rotation& rotation);

/// Goes to and fro as sin(2 pi f t + phase) - sin(phase), so that it begins where the body is placed.
struct OscillationSettings {
    Vec3 amplitude = Vec3::Zero(); // [m] world axes
    std::optional<AxisRotation> turn; // amplitude of a turn about the body's origin (pinned nodes: `about`)
    double frequency = 0; // [Hz] > 0
    double phase_degrees = 0;
    SourcePosition where;
};

/// The same velocity for ever, turning about the body's origin (pinned nodes: `about`, which the velocity carries).
struct SteadyMotion {
    Vec3 velocity = Vec3::Zero(); // [m/s] world axes
    Vec3 angular_velocity = Vec3::Zero(); // [rad/s] world axes
    std::vector<OscillationSettings> oscillations = {}; // added to it
    Vec3 surface_velocity = Vec3::Zero(); // [m/s] of a conveyor, in the axes of the body. Obstacles only
    std::optional<Vec3> about; // [m] world, at the start: centre of the turns of pinned nodes. Unset: their mean place
};

struct Keyframe {
    double time = 0; // [s]
    std::optional<Vec3>
        position; // [m] unset: where the body is placed. Pinned nodes: displacement from the start, unset: none
    std::optional<Rotation>
        rotation; // unset: as the body is placed. Pinned nodes: relative to the start, about `about`
};
enum class Interpolation { linear, smooth };
/// Between keyframes position is linear and rotation turns at a steady rate the short way round, or both are smooth;
/// before the first and after the last it rests.
struct KeyframeMotion {
    std::vector<Keyframe> keyframes; // at least one, times increasing
    Interpolation interpolation = Interpolation::linear;
    std::vector<OscillationSettings> oscillations = {}; // as of SteadyMotion
    Vec3 surface_velocity = Vec3::Zero();
    std::optional<Vec3> about;
};
using Motion = std::variant<SteadyMotion, KeyframeMotion>;

inline const Vec3& surface_velocity(const Motion& motion)
{
    return std::visit([](const auto& any) -> const Vec3& { return any.surface_velocity; }, motion);
}
/// Of pinned nodes; unset: their mean place.
inline const std::optional<Vec3>& centre_of_turns(const Motion& motion)
{
    return std::visit([](const auto& any) -> const std::optional<Vec3>& { return any.about; }, motion);
}
inline const std::vector<OscillationSettings>& oscillations(const Motion& motion)
{
    return std::visit(
        [](const auto& any) -> const auto& { return any.oscillations; }, motion);
}

/// The motion turns its body at some time.
bool turns(const Motion& motion);

struct LevelSetShape {
    std::string file; // relative to the scene file
    SourcePosition file_at;
};
/// A plane's normal is as given, of any length but 0.
using Shape = std::variant<Plane, Box, RoundedBox, Sphere, Cylinder, Cone, Capsule, Torus, MeshShape, LevelSetShape>;

/// Nodes held where they are, or led by `motion` (without a surface velocity).
struct FixSettings {
    std::string name; // of the region, unique within the body; empty: none
    Bounds box; // [m] world, of the body as placed at the start; infinity allowed
    std::optional<Motion> motion;
    SourcePosition where, name_at;
};

/// Copies side by side along the world's axes; the first where the body is placed. Counted along x first, then y, then
/// z.
struct GridCopies {
    std::array<int, 3> count = {1, 1, 1};
    Vec3 spacing = Vec3::Zero(); // [m] from one to the next
};
/// One on the other: each by its own extent along `axis` and `gap` beyond the one before; the first where placed.
struct StackCopies {
    int count = 1;
    double gap = 0; // [m] 0: just touching
    Vec3 axis = Vec3::UnitY(); // any length but 0
};
/// Around the place of the body, each turned with its place on the ring.
struct RingCopies {
    int count = 1;
    double radius = 0; // [m]
    Vec3 axis = Vec3::UnitY(); // any length but 0
};
/// At random in a box, relative to the place of the body, without overlapping each other.
struct ScatteredCopies {
    int count = 1;
    Bounds box; // [m] holds the bodies wholly
    int seed = 1;
    bool turned = true; // each at random too
};
using Copies = std::variant<GridCopies, StackCopies, RingCopies, ScatteredCopies>;

enum class BodyKind { deformable, rigid, obstacle, spheres, mpm };

/// Motions of a rigid body that are held at rest: along x, y, z of its centre of mass, about x, y, z of the world.
using FixedDofs = std::array<bool, 6>;

struct BodySettings {
    std::string name;
    BodyKind kind = BodyKind::obstacle;
    std::optional<Copies> copies; // none in a scene that is complete: each copy is a body then
    Shape shape; // not of spheres
    std::optional<double> resolution; // [m] target edge length; set for a deformable made of a primitive. Of mpm bodies
                                      // the spacing of their grid
    int particles_per_cell = 27; // of mpm bodies
    std::optional<int> jitter; // of mpm bodies: seed of places at random; unset: places in equal distances
    std::string material; // empty: none; a deformable or rigid body has one, unless `motion` moves it
    Vec3 position = Vec3::Zero(); // [m] world = R local + position
    std::string place_on; // body that it touches at the start; empty: `position` says where it is
    std::optional<Vec3> place_along; // direction in which it moves until it does, of any length but 0; unset: gravity
    std::optional<Rotation> rotation; // unset: none
    Vec3 velocity = Vec3::Zero(); // [m/s] of the centre of mass; not for obstacles
    Vec3 angular_velocity = Vec3::Zero(); // [rad/s] about the centre of mass, world axes; not for obstacles
    std::optional<Motion> motion; // obstacles; a rigid body with a motion is one
    std::vector<FixSettings> fix; // deformables
    std::string group; // empty: its name, or that of its family (body_pairs.h)
    std::optional<std::vector<std::string>> collides_with; // groups; unset: all
    Vec3 acceleration = Vec3::Zero(); // [m/s2] added to gravity; not for obstacles
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero(); // [N] at the centre of mass, [N m]; rigid bodies, world axes
    FixedDofs fixed_dofs{}; // rigid bodies
    std::optional<double> sample; // [m] between points of the surface; auto: see docs. Rigid bodies and obstacles
    double pressure = 0; // [Pa] deformables, on the whole surface, positive pushes inward
    std::optional<EdgeChoice> edges; // obstacles and rigid bodies that spheres meet facet by facet; unset: smooth
    std::optional<ContactGeometry> contact_geometry; // the same; unset: mesh
    std::optional<double> radius; // [m] of every sphere
    std::vector<double> radii; // [m] or of each
    std::optional<PlaceList> positions; // of spheres: these
    std::optional<FillSettings> fill; // or those
    std::optional<InletSettings> inlet; // beside them, or alone
    std::optional<ClumpSettings> clump; // at each place instead of a sphere
    SourcePosition where, name_at, shape_at, material_at, position_at, place_on_at, sample_at, copies_at, positions_at,
        fill_at, inlet_at;

    /// Position of the key `position`, or of the body if it is not given.
    SourcePosition placed_at() const
    {
        return position_at.line > 0 || position_at.override_index >= 0 ? position_at : where;
    }

    /// Moves by its own mass: neither an obstacle nor a rigid body whose motion is given.
    bool is_free_rigid() const { return kind == BodyKind::rigid && !motion; }
};

/// The contact forces on a body, or on it by another, added up step by step in probes.csv.
struct ProbeSettings {
    std::string name; // differs from all others
    std::string body; // or family
    std::string by; // or family; empty: all others
    std::optional<Vec3> about; // [m] of the torque; unset: the world's origin
    SourcePosition where;
};

struct OutputSettings {
    bool contacts = false; // contacts.csv
    bool frames = true; // frames.pvd and frames/
    std::optional<double> history; // [s] between rows of spheres; auto: a twentieth of time.frame
    bool energy = true; // the account of the energy of spheres
    double checkpoint = 1.0; // [s] of simulated time between checkpoints; infinity: none but at the end
    double checkpoint_seconds = 300; // [s] on the clock after the last one, for one more; infinity: never
    std::vector<ProbeSettings> probes; // probes.csv
    std::vector<RegionSettings> regions; // packing.csv
};

enum class Metric {
    slip, // [m]
    speed, // [m/s]
    position, // [m]
    energy_rise, // [J]
    max_penetration, // [m] overlap of bodies, as far as contacts and the audit tell
    max_contact_depth, // [m]
    newton_per_step, // [-]
    failed_solves, // [-]
    status, // [-] 0 done, 3 the solver gave up
    contact_force, // [N]
    passing // [-] pairs of bodies that pass through each other
};

inline bool is_contact_depth(Metric metric)
{
    return metric == Metric::max_contact_depth || metric == Metric::max_penetration;
}

enum class Axis { x, y, z };

struct Expectation {
    std::string body; // empty: all bodies
    Metric metric = Metric::status;
    std::optional<Axis> axis; // speed, position, contact_force: this component; unset: the length
    std::optional<double> min, max; // in the metric's unit
    std::optional<std::variant<double, Vec3>> near; // a point: position without axis only
    std::optional<double> within; // largest distance from `near`
    std::optional<double> at; // [s] judged at this time; unset: at the end
    std::optional<double>
        from; // [s] what accumulates over the run (slip, rises, largest values, averages) counts from here; unset: 0
    SourcePosition where;
};

/// Begin where an earlier run ended.
struct StartSettings {
    std::string from; // run folder or checkpoint, relative to the scene file
    bool keep_time = false; // the clock goes on too; false: it begins at 0
    SourcePosition from_at;
};

struct Scene {
    int version = 1;
    std::string title;
    Vec3 gravity = Vec3(0, -9.81, 0); // [m/s2]
    TimeSettings time;
    std::optional<StartSettings> start; // unset: bodies begin as they say
    SolverSettings solver;
    ContactSettings contact;
    std::vector<MaterialSettings> materials; // names differ
    std::vector<BodySettings> bodies; // names differ; at least one
    std::optional<Bounds> periodic; // [m] of spheres; infinite where the axis is open
    SourcePosition periodic_at;
    std::vector<OutletSettings> outlets; // names differ
    OutputSettings output;
    std::vector<Expectation> expect; // of single bodies: what the file expects of a family stands here once for each
    std::shared_ptr<const SceneSource> source; // null for a scene that was not read from text
};

/// [s] between rows of the tables of an explicit run.
inline double row_interval(const Scene& scene)
{
    return scene.output.history.value_or(scene.time.frame / 20);
}

} // namespace stickslip
