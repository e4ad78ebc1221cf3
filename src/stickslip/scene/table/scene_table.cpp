#include "stickslip/scene/table/scene_table.h"

#include "stickslip/scene/table/body_table.h"
#include "stickslip/scene/table/spheres_table.h"
#include "stickslip/scene/table/table_words.h"

namespace stickslip {

namespace {

using namespace table;

constexpr NumberRange share{.low = 0, .high = 1, .low_excluded = true, .high_excluded = true};

KindPtr<TimeSettings> time_kind()
{
    using T = TimeSettings;
    return object<T>({"time", "Time steps and frames.", "time: {step: 0.005, end: 2, frame: 0.02, adaptive: true}\n"},
        {
            required("step", &T::step, step_kind(),
                "Time step. `auto` is for explicit integration: `safety` x the stability limit.")
                .unit("s"),
            required("end", &T::end, number(above(0)),
                "End time. At least one step. The run ends with the first step at or after it.")
                .unit("s"),
            optional("frame", &T::frame, number(above(0)),
                "Interval between frames. Each is written at the first step at or after its time. The first and the "
                "last state are always written.")
                .unit("s"),
            optional("adaptive", &T::adaptive, boolean(),
                "The step shrinks when the solver has difficulties and grows afterwards. Implicit runs only."),
            optional("min_step", &T::min_step, automatic(above(0)),
                "Smallest step. The run stops when the solver would need a smaller one. `auto`: `step` / 1024.")
                .unit("s"),
            optional("max_step", &T::max_step, automatic(above(0)), "Largest step with `adaptive`. `auto`: `step`.")
                .unit("s"),
            optional("safety", &T::safety, number(share), "Fraction of the stability limit that `step: auto` takes."),
        });
}

KindPtr<SolverSettings> solver_kind()
{
    using S = SolverSettings;
    const KindPtr<GmresSettings> gmres = object<GmresSettings>(
        {"gmres", "Limits of the linear solver.", "solver: {gmres: {restart: 100, max_iterations: 2000}}\n"},
        {
            optional(
                "restart", &GmresSettings::restart, integer(1, 10000), "Krylov vectors kept before GMRES restarts."),
            optional("max_iterations", &GmresSettings::max_iterations, integer(1, 1000000),
                "Iterations of one linear solve."),
        });
    const KindPtr<PreconditionerChoice> preconditioner = choice<PreconditionerChoice>({
        {"auto", PreconditionerChoice::automatic},
        {"block_jacobi", PreconditionerChoice::block_jacobi},
        {"block_ssor", PreconditionerChoice::block_ssor},
        {"lu", PreconditionerChoice::lu},
        {"multigrid", PreconditionerChoice::multigrid},
    });
    return object<S>({"solver",
                         "Time integration and the solution of its equations. [Which integrator to "
                         "choose](integrators.md) compares the two.",
                         "solver: {tolerance: 1e-9, max_newton: 80}\n"},
        {
            optional("tolerance", &S::tolerance, automatic(above(0)),
                "Largest mass-weighted velocity error of a body. `auto`: 1e-6 |`gravity`| `step`, or 1e-9 without "
                "gravity, and not below what [rounding](derivations.md#one-step) admits.")
                .unit("m/s"),
            optional(
                "max_newton", &S::max_newton, integer(1, 10000), "Newton iterations after which the step is halved."),
            optional("max_seconds", &S::max_seconds, number(with_infinity(above(0))),
                "Limit of the wall time of one step, all its solves together. The run stops in the state before a "
                "step that takes longer. With a limit, the end of the run depends on the speed of the machine.")
                .unit("s"),
            optional("preconditioner", &S::preconditioner, preconditioner,
                "Preconditioner of GMRES. `auto` chooses by size and switches to a stronger one if GMRES converges "
                "too slowly."),
            optional("gmres", &S::gmres, gmres, "Limits of GMRES."),
            optional("integration", &S::integration,
                choice<Integration>({{"implicit", Integration::implicit}, {"explicit", Integration::velocity_verlet}}),
                "`implicit`: backward Euler, all bodies in one solve. `explicit`: velocity Verlet, for spheres, rigid "
                "bodies and obstacles."),
            optional("audit", &S::audit,
                choice<AuditedFrames>(
                    {{"final", AuditedFrames::last}, {"every", AuditedFrames::every}, {"off", AuditedFrames::none}}),
                "Implicit runs. Frames in which the overlap of bodies is measured from their shapes, "
                "independently of the detected contacts. `final`: the last one. `every`: each. `off`: none. Bodies "
                "that pass through each other "
                "are named in the log, the summary and the page, and counted by the metric `passing` of "
                "[expect](#expectation)."),
            optional("local_damping", &S::local_damping, number({.low = 0, .high = 1, .high_excluded = true}),
                "Explicit runs. Cundall's local damping: while a sphere or a body touches something, the force on it "
                "is "
                "reduced by this fraction where it accelerates it, and increased where it slows it down. What flies is "
                "not damped. A heap settles sooner, but the damping is not physical."),
        });
}

KindPtr<std::array<std::string, 2>> pair_of_names(TextRule rule);

KindPtr<ContactSettings> contact_kind()
{
    using C = ContactSettings;
    using P = PairSettings;
    const KindPtr<PairSettings> pair = object<P>(
        {.title = "pair",
            .about = "Contact parameters of two bodies, or of any two bodies of two materials. A key that is not given "
                     "follows from the [materials](#two-bodies-that-touch).",
            .example = "contact:\n  pairs:\n    - {bodies: [floor, stone], friction: 0.1}\n"
                       "    - {materials: [glass, rubber], friction: 0.8}\n"
                       "bodies:\n  - {name: stone, kind: rigid, material: glass, shape: {sphere: 0.05}, position: [0, "
                       "0.05, 0]}\n",
            .one_of = {{"bodies", "materials"}}},
        {
            optional("bodies", &P::bodies, pair_of_names(TextRule::body),
                "Two body names, in any order. The name of a family of copies, or of a body of `spheres`, matches all "
                "its members; given twice, it matches pairs within the family. Rules that name single bodies take "
                "precedence."),
            optional("materials", &P::materials, pair_of_names(TextRule::name),
                "Two names of `materials`, in any order. The same name twice matches two bodies of one material. Rules "
                "that name bodies take precedence."),
            optional("friction", &P::friction, number(with_infinity(at_least(0))), "Coefficient of friction."),
            optional("restitution", &P::restitution, number({.low = 0, .high = 1, .low_excluded = true}),
                "Explicit runs. Coefficient of restitution of a head-on collision."),
            optional("rolling_friction", &P::rolling_friction, number(at_least(0)),
                "Explicit runs. See [material](#material)."),
            optional("twisting_friction", &P::twisting_friction, number(at_least(0)),
                "Explicit runs. See [material](#material)."),
            optional("kn", &P::kn, number(above(0)),
                "Explicit runs, linear law. Normal stiffness of a contact, independent of the size of the spheres.")
                .unit("N/m"),
            optional("kt", &P::kt, number(above(0)),
                "Explicit runs. Tangential stiffness; needs `kn`. Default: `kn` x mean `kt`/`kn` of the materials.")
                .unit("N/m"),
            optional("surface_energy", &P::surface_energy, number(at_least(0)),
                "Explicit runs, laws `dmt` and `jkr`. Half of the energy per area that separates the two.")
                .unit("J/m^2"),
            optional("stiffness", &P::stiffness, number(above(0)),
                "Implicit runs. Stiffness of one contact point. Default: that of `contact`.")
                .unit("N/m"),
            optional("enabled", &P::enabled, boolean(),
                "`false`: no contact, the two pass through each other. A rule for materials that says `false` holds "
                "even where a rule for bodies takes precedence."),
        },
        &P::where);
    return object<C>({"contact", "Friction, contact stiffness and contact laws.",
                         "contact:\n  friction: 0.5\n  penetration: 1e-4\n"},
        {
            optional("friction", &C::friction, number(with_infinity(at_least(0))),
                "Coefficient of friction where neither `pairs` nor materials give one. `.inf`: contacts do not "
                "slide while they are pressed; it counts as 1e4."),
            optional("stiffness", &C::stiffness, automatic(above(0)),
                "Stiffness of one contact point. `auto`: from the material, weight and resolution of a deformable "
                "body, or from the mass of a rigid body and `time.step`. The summary states the values.")
                .unit("N/m")
                .at(&C::stiffness_at),
            optional("penetration", &C::penetration, number(above(0)),
                "Target penetration at rest. Deeper contacts are stiffened by up to 5 % a step, at most 1000 times in "
                "all. Default: no target.")
                .unit("m"),
            optional("damping", &C::damping, number(at_least(0)),
                "Damping time of normal contact. The damping force is this time x stiffness x approach speed. The "
                "total normal force is never negative, and friction follows the total.")
                .unit("s"),
            optional("relaxation", &C::relaxation,
                choice<Relaxation>({{"planar", Relaxation::planar}, {"exact_cone", Relaxation::exact_cone}}),
                "Friction on curved surfaces. `planar`: the attachment slides in the tangent plane and is projected "
                "back. `exact_cone`: the friction cone holds exactly at the projected point."),
            optional("self", &C::self, boolean(), "Deformable bodies meet themselves. Default: false."),
            optional("quadrature", &C::quadrature, choice<int>({{"3", 3}, {"6", 6}, {"12", 12}}),
                "Contact points of a triangle where deformable bodies meet each other or themselves. More "
                "points make the pressure between meshes that do not match more even, and cost more."),
            optional("law", &C::law, force_law_kind(),
                "Explicit runs. Force law of spheres. `linear`: linear springs. `hertz`: Hertz with Mindlin's "
                "tangential stiffness. `dmt`, `jkr`: Hertz with adhesion. `auto`: `linear` if a material of spheres or "
                "a pair has `kn`, else `dmt` if one has `surface_energy`, else `hertz`."),
            optional("pairs", &C::pairs, list(pair), "Exceptions for pairs of bodies or materials."),
        });
}

KindPtr<StartSettings> start_kind()
{
    using S = StartSettings;
    return object<S>(
        {"start",
            "Initial state from an earlier run with the same integration. A body is restored if that run has a body of "
            "the same name, kind and shape: position, velocity and contacts. A body of `spheres` restores all spheres "
            "with their radii; its `positions` or `fill` are ignored and may be omitted. All other bodies start as the "
            "scene says. Nodes of `fix` are held where they are restored; their `motion` is added from there. "
            "Materials, "
            "friction and gravity are those of this scene. The log lists which bodies are restored and which are not.",
            "start: {from: settled.out}\n"},
        {
            required("from", &S::from, text(TextRule::file),
                "Run folder (its last checkpoint) or one checkpoint, relative to the scene file.")
                .at(&S::from_at),
            optional("keep_time", &S::keep_time, boolean(),
                "`true`: time continues from there, also for scripted motions. `false`: time starts at 0."),
        });
}

KindPtr<OutputSettings> output_kind()
{
    using O = OutputSettings;
    using P = ProbeSettings;
    const KindPtr<P> probe = object<P>(
        {"probe",
            "Sum of the contact forces on a body, exerted by all others or by one other. `probes.csv` has one row per "
            "step (explicit runs: per `output.history`). A family of copies counts as one body; forces between its "
            "members are left out.",
            "output:\n  probes:\n    - {name: ground, body: floor}\n"},
        {
            required("name", &P::name, text(TextRule::body), "Unique name."),
            required("body", &P::body, text(TextRule::body), "Body, or family of copies, that the forces act on."),
            optional(
                "by", &P::by, text(TextRule::body), "Another body, or family, that exerts them. Default: all others."),
            optional("about", &P::about, vector(), "Reference point of the torque. Default: the world origin.")
                .unit("m"),
        },
        &P::where);
    return object<O>(
        {"output", "Contents of the [run folder](run_folder.md).", "output: {contacts: true, checkpoint: 0.5}\n"},
        {
            optional("contacts", &O::contacts, boolean(), "Write `contacts.csv`."),
            optional("frames", &O::frames, boolean(), "Write `frames.pvd` and `frames/`."),
            optional("history", &O::history, automatic(above(0)),
                "Explicit runs. Simulated time between rows of the tables. `auto`: `time.frame` / 20. Implicit runs "
                "write one row per step.")
                .unit("s"),
            optional("energy", &O::energy, boolean(),
                "Explicit runs. Track the energy balance. `false`: somewhat faster; losses are written as `nan`."),
            optional("checkpoint", &O::checkpoint, number(with_infinity(above(0))),
                "Simulated time between checkpoints. `.inf`: none before the end.")
                .unit("s"),
            optional("checkpoint_seconds", &O::checkpoint_seconds, number(with_infinity(above(0))),
                "Wall time between checkpoints, in addition to `checkpoint`. A killed run loses at most this much "
                "computation. `.inf`: never.")
                .unit("s"),
            optional("probes", &O::probes, list(probe), "Sums of contact forces, written to `probes.csv`."),
            optional("regions", &O::regions, list(region_kind()),
                "Explicit runs. Regions in which `packing.csv` measures spheres, besides the whole domain."),
        });
}

KindPtr<Metric> metric_kind()
{
    return choice<Metric>({
        {"slip", Metric::slip},
        {"speed", Metric::speed},
        {"position", Metric::position},
        {"energy_rise", Metric::energy_rise},
        {"max_contact_depth", Metric::max_contact_depth},
        {"max_penetration", Metric::max_penetration},
        {"newton_per_step", Metric::newton_per_step},
        {"failed_solves", Metric::failed_solves},
        {"status", Metric::status},
        {"contact_force", Metric::contact_force},
        {"passing", Metric::passing},
    });
}

KindPtr<Expectation> expectation_kind()
{
    using E = Expectation;
    const KindPtr<std::variant<double, Vec3>> target = std::make_shared<NumberOrPointKind>();
    return object<E>(
        {"expectation",
            "A bound that is checked after the run. Metrics: `slip` [m], largest total displacement of a contact's "
            "attachment; `speed` [m/s] and `position` [m] of a body's centre of mass; `energy_rise` [J]; "
            "`max_contact_depth` [m] of the deepest contact; `max_penetration` [m], that or the overlap of two bodies "
            "where the audit found a greater one; `passing`, how many pairs of bodies pass through each other "
            "([solver.audit](#solver)); `newton_per_step`; `failed_solves`; `status` (0: done, 3: the solver "
            "gave up); `contact_force` [N] on a body. At least one of `min`, `max`, `near` is needed.",
            "expect:\n  - {body: stone, metric: speed, max: 1e-6, at: 0.8}\n"
            "bodies:\n  - {name: stone, kind: rigid, material: glass, shape: {sphere: 0.05}, position: [0, 0.05, "
            "0]}\n"},
        {
            optional("body", &E::body, text(TextRule::body),
                "Required for `speed`, `position` and `contact_force`. Default: the whole scene. The name of a family "
                "of copies applies the bound to each member."),
            required("metric", &E::metric, metric_kind(), "Quantity that is checked."),
            optional("axis", &E::axis, choice<Axis>({{"x", Axis::x}, {"y", Axis::y}, {"z", Axis::z}}),
                "Component of `speed`, `position` or `contact_force`. Default: the magnitude."),
            optional("min", &E::min, number(any_number()), "Lower bound."),
            optional("max", &E::max, number(any_number()), "Upper bound."),
            optional("near", &E::near, target,
                "Reference value; the result may differ from it by at most `within`. A point for `position` without "
                "`axis`."),
            optional("within", &E::within, number(at_least(0)), "Allowed distance from `near`."),
            optional("at", &E::at, number(at_least(0)),
                "Time of the check; the first state that is not before it counts. Default: the end.")
                .unit("s"),
            optional("from", &E::from, number(at_least(0)),
                "Start of the interval over which slip, rises, maxima and averages are collected. Default: the start.")
                .unit("s"),
        },
        &E::where);
}

/// [a, b]: two names.
class PairOfNamesKind : public Kind<std::array<std::string, 2>> {
public:
    explicit PairOfNamesKind(TextRule rule)
        : name_(rule)
    {
    }
    bool read(const SceneNode& node, Reading& reading, std::array<std::string, 2>& value) const override
    {
        if (!node.is_list() || node.items.size() != 2) {
            const std::string found = node.is_list() ? std::to_string(node.items.size()) : found_text(node);
            reading.fault(node.at, "expected " + words() + ", got " + found + comma_hint(node, ListEntries::names));
            return false;
        }
        bool good = true;
        for (std::size_t i = 0; i < 2; ++i) {
            const Reading::Step step(reading, "[" + std::to_string(i) + "]");
            good = name_.read(node.items[i], reading, value[i]) && good;
        }
        return good;
    }
    std::optional<SceneNode> write(const std::array<std::string, 2>& value) const override
    {
        if (value[0].empty())
            return std::nullopt;
        SceneNode node = SceneNode::list();
        node.items = {SceneNode::quote(value[0]), SceneNode::quote(value[1])};
        return node;
    }
    Json schema(Json& definitions) const override
    {
        return {{"type", "array"}, {"items", name_.schema(definitions)}, {"minItems", 2}, {"maxItems", 2}};
    }
    std::string words() const override { return "a list of two names"; }

private:
    TextKind name_;
};

KindPtr<std::array<std::string, 2>> pair_of_names(TextRule rule)
{
    return std::make_shared<PairOfNamesKind>(rule);
}

/// What has been dealt with when the table is read: it has no member.
class ReadBeforeKind : public Kind<Scene> {
public:
    ReadBeforeKind(std::string words, Json schema)
        : words_(std::move(words))
        , schema_(std::move(schema))
    {
    }
    bool read(const SceneNode&, Reading&, Scene&) const override { return true; }
    std::optional<SceneNode> write(const Scene&) const override { return std::nullopt; }
    Json schema(Json&) const override { return schema_; }
    std::string words() const override { return words_; }

private:
    std::string words_;
    Json schema_;
};

Field<Scene> read_before(std::string key, std::string words, std::string doc, Json schema)
{
    Field<Scene> field;
    field.value = std::make_shared<ReadBeforeKind>(std::move(words), std::move(schema));
    field.info = {.key = std::move(key), .doc = std::move(doc), .words = field.value->words()};
    return field;
}

KindPtr<Scene> make_scene_kind()
{
    using S = Scene;
    const Json file = {{"type", "string"}, {"minLength", 1}};
    const KindPtr<std::vector<MaterialSettings>> materials =
        std::make_shared<NamedMapKind<MaterialSettings>>(material_kind());
    return object<S>(
        {"scene", "Top level of the file.",
            "title: an empty scene on the moon\nvariables: {g: 9.81}\ngravity: [0, {expr: \"-g/6\"}, 0]\n"},
        {
            required("stickslip", &S::version, integer(1, 1), "Version of the format."),
            read_before("include", "a file name, or a list of them",
                "Scene files that are merged into this one. Values of this file take precedence. Lists of bodies, "
                "pairs and expectations are concatenated.",
                {{"anyOf", Json::array({file, Json{{"type", "array"}, {"items", file}}})}}),
            read_before("variables", "mapping from names to numbers",
                "Names for expressions `{expr: \"2*pi/n\"}`, which may replace any number, also here.",
                {{"type", "object"}, {"additionalProperties", {{"type", "number"}}}}),
            optional("title", &S::title, text(TextRule::any), "One-line description of the scene."),
            optional("gravity", &S::gravity, vector(), "Acceleration of gravity.").unit("m/s^2"),
            required("time", &S::time, time_kind(), "Time steps and frames."),
            optional("start", &S::start, start_kind(), "Initial state from an earlier run. Default: none."),
            optional("solver", &S::solver, solver_kind(), "Integration, tolerance and limits."),
            optional("contact", &S::contact, contact_kind(), "Friction and contact stiffness."),
            optional("materials", &S::materials, materials, "Materials of the bodies."),
            required("bodies", &S::bodies, list(body_kind(), 1), "Deformable and rigid bodies, spheres and obstacles."),
            optional("periodic", &S::periodic, periodic_kind(), "Periodic domain. Default: unbounded space.")
                .at(&S::periodic_at),
            optional("outlets", &S::outlets, list(outlet_kind()), "Boxes in which spheres leave the run."),
            optional("output", &S::output, output_kind(), "Contents of the run folder."),
            optional("expect", &S::expect, list(expectation_kind()),
                "Bounds that the run must satisfy. The exit status is 5 if one fails."),
        });
}

} // namespace

const Kind<Scene>& scene_kind()
{
    static const KindPtr<Scene> kind = make_scene_kind();
    return *kind;
}

std::string write_scene(const Scene& scene)
{
    return emit_yaml(scene_kind().write(scene).value_or(SceneNode::map()));
}

} // namespace stickslip
