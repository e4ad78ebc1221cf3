#include "stickslip/scene/table/scene_table.h"

#include "stickslip/scene/table/body_table.h"
#include "stickslip/scene/table/spheres_table.h"
#include "stickslip/scene/table/table_words.h"

namespace stickslip {

namespace {

using namespace table;

NumberRange with_infinity(NumberRange range)
{
    range.infinite = true;
    return range;
}

constexpr NumberRange share{.low = 0, .high = 1, .low_excluded = true, .high_excluded = true};

KindPtr<TimeSettings> time_kind()
{
    using T = TimeSettings;
    return object<T>("time", "How time is cut into steps.",
        {
            required("step", &T::step, step_kind(),
                "time step; auto, with `solver.integration: explicit`: `safety` x the stability limit of spheres and "
                "bodies")
                .unit("s"),
            required("end", &T::end, number(above(0)), "end of the run, at least one step").unit("s"),
            optional("frame", &T::frame, number(above(0)),
                "interval of written frames: each is written at the first step at or after its time, the first and the "
                "last state always")
                .unit("s"),
            optional("adaptive", &T::adaptive, boolean(),
                "the step shrinks where the solver has difficulties and grows back"),
            optional("min_step", &T::min_step, automatic(above(0)),
                "a step below it counts as failure, also where a failed step is halved; auto: `step` / 1024")
                .unit("s"),
            optional(
                "max_step", &T::max_step, automatic(above(0)), "with `adaptive`, the step grows up to it; auto: `step`")
                .unit("s"),
            optional("safety", &T::safety, number(share), "share of the stability limit that `step: auto` takes"),
        });
}

KindPtr<SolverSettings> solver_kind()
{
    using S = SolverSettings;
    const KindPtr<GmresSettings> gmres = object<GmresSettings>("gmres", "The linear solver.",
        {
            optional("restart", &GmresSettings::restart, integer(1, 10000), "vectors kept before it starts anew"),
            optional("max_iterations", &GmresSettings::max_iterations, integer(1, 1000000), "in one linear solve"),
        });
    const KindPtr<PreconditionerChoice> preconditioner = choice<PreconditionerChoice>({
        {"auto", PreconditionerChoice::automatic},
        {"block_jacobi", PreconditionerChoice::block_jacobi},
        {"block_ssor", PreconditionerChoice::block_ssor},
        {"cholesky", PreconditionerChoice::cholesky},
        {"lu", PreconditionerChoice::lu},
    });
    return object<S>("solver", "How each step is solved.",
        {
            optional("tolerance", &S::tolerance, automatic(above(0)),
                "largest velocity error of a body, mass-weighted; auto: 1e-6 |`gravity`| `step`, 1e-9 without gravity")
                .unit("m/s"),
            optional("max_newton", &S::max_newton, integer(1, 10000), "Newton iterations before the step is halved"),
            optional("max_seconds", &S::max_seconds, number(with_infinity(above(0))),
                "wall time that one step may take, with all that is tried in it; after that the run gives up before "
                "that step. A clock decides, so the same run may end at another step another time; without a limit it "
                "does not")
                .unit("s"),
            optional("preconditioner", &S::preconditioner, preconditioner, "of the linear solver"),
            optional("gmres", &S::gmres, gmres, "limits of the linear solver"),
            optional("integration", &S::integration,
                choice<Integration>({{"implicit", Integration::implicit}, {"explicit", Integration::velocity_verlet}}),
                "`implicit`: backward Euler; `explicit`: velocity Verlet, for spheres and rigid bodies with obstacles"),
            optional("local_damping", &S::local_damping, number({.low = 0, .high = 1, .high_excluded = true}),
                "spheres: share of the force on each that is taken off where it speeds it up (Cundall): lets a heap "
                "settle sooner, but is no law of nature"),
        });
}

KindPtr<std::array<std::string, 2>> pair_of_names(TextRule rule);

KindPtr<ContactSettings> contact_kind()
{
    using C = ContactSettings;
    using P = PairSettings;
    const KindPtr<PairSettings> pair = object<P>("pair",
        "What differs for two bodies that touch each other, or for any two bodies of two materials. What is left out "
        "follows from the [materials](#two-bodies-that-touch).",
        {
            optional("bodies", &P::bodies, pair_of_names(TextRule::body),
                "the two, in any order; the name of a family of copies, or of `spheres`, stands for each of them, "
                "twice for any two. "
                "What names single bodies goes before what names families"),
            optional("materials", &P::materials, pair_of_names(TextRule::name),
                "instead of `bodies`: two of `materials`, in any order, twice for two bodies of one. What names bodies "
                "goes before"),
            optional("friction", &P::friction, number(with_infinity(at_least(0))), "Coulomb's coefficient"),
            optional("restitution", &P::restitution, number({.low = 0, .high = 1, .low_excluded = true}),
                "explicit runs: of a head-on collision"),
            optional(
                "rolling_friction", &P::rolling_friction, number(at_least(0)), "explicit runs: as that of `materials`"),
            optional("twisting_friction", &P::twisting_friction, number(at_least(0)),
                "explicit runs: as that of `materials`"),
            optional("kn", &P::kn, number(above(0)),
                "explicit runs, linear law: stiffness of a contact of the two, whatever their size")
                .unit("N/m"),
            optional("kt", &P::kt, number(above(0)),
                "explicit runs, with `kn`: tangential stiffness; left out: `kn` times the mean ratio of the materials")
                .unit("N/m"),
            optional("surface_energy", &P::surface_energy, number(at_least(0)),
                "explicit runs, laws `dmt` and `jkr`: half of the energy that parts the two")
                .unit("J/m^2"),
            optional("stiffness", &P::stiffness, number(above(0)),
                "implicit runs: per contact point; left out: that of `contact`")
                .unit("N/m"),
            optional("enabled", &P::enabled, boolean(),
                "false: the two pass through each other, also where a rule of bodies goes before"),
        },
        &P::where);
    return object<C>("contact", "What happens where bodies touch.",
        {
            optional("friction", &C::friction, number(with_infinity(at_least(0))),
                "Coulomb's coefficient where neither `pairs` nor materials give one; `.inf`: never slips"),
            optional("stiffness", &C::stiffness, automatic(above(0)),
                "per contact point; auto: from each body's material, weight and resolution, of a rigid one from its "
                "mass and "
                "`time.step`; the summary states the value")
                .unit("N/m")
                .at(&C::stiffness_at),
            optional("penetration", &C::penetration, number(above(0)),
                "that contacts keep at rest: one that is deeper grows stiffer, by up to 5 % a step and 1000 times in "
                "all, until it is not; left out: whatever the stiffness gives")
                .unit("m"),
            optional("damping", &C::damping, number(at_least(0)),
                "of the normal force: this time x stiffness x speed of approach. The sum never pulls, and friction is "
                "that of the sum")
                .unit("s"),
            optional("relaxation", &C::relaxation,
                choice<Relaxation>({{"planar", Relaxation::planar}, {"exact_cone", Relaxation::exact_cone}}),
                "friction on curved surfaces: `planar` slides in the tangent plane and projects back, `exact_cone` "
                "obeys the cone at "
                "the projected point"),
            optional("self", &C::self, boolean(),
                "contact of a deformable body with itself, which is not computed: its folds pass through each other, "
                "and `true` gives a warning"),
            optional("law", &C::law, force_law_kind(),
                "force of spheres by their overlap: `linear` springs, `hertz` with Mindlin's tangential stiffness, "
                "`dmt` or `jkr` with adhesion; auto: `linear` when a material of spheres or a pair has `kn`, else "
                "`dmt` when one has `surface_energy`, else `hertz`"),
            optional("pairs", &C::pairs, list(pair), "exceptions for pairs of bodies or of materials"),
        });
}

KindPtr<MaterialSettings> material_kind()
{
    using M = MaterialSettings;
    const std::string mpm = not_yet("mpm bodies");
    std::vector<Field<M>> fields = {
        required("density", &M::density, number(above(0)), "mass per volume at rest").unit("kg/m^3"),
        optional("model", &M::model,
            choice<MaterialModel>(
                {
                    {"linear", MaterialModel::linear},
                    {"fixed_corotated", MaterialModel::fixed_corotated},
                    {"neo_hookean", MaterialModel::neo_hookean},
                    {"st_venant_kirchhoff", MaterialModel::st_venant_kirchhoff},
                    {"corotated", MaterialModel::fixed_corotated},
                },
                {{"drucker_prager", mpm}, {"von_mises", mpm}, {"snow", mpm}}),
            "elastic law; `linear` holds for small rotations only; `corotated` is another word for `fixed_corotated`"),
        optional("young", &M::young, number(above(0)),
            "Young's modulus; required for deformable bodies, and for spheres without `kn`")
            .unit("Pa"),
        optional("poisson", &M::poisson, number({.low = -1, .high = 0.5, .low_excluded = true, .high_excluded = true}),
            "Poisson's ratio; required for deformable bodies, and for spheres without `kn`"),
        optional("damping", &M::damping, number(at_least(0)), "viscous stress: this time x stiffness x strain rate")
            .unit("s"),
        optional("friction", &M::friction, number(with_infinity(at_least(0))),
            "Coulomb's coefficient; of two materials that have one the lesser counts; left out: that of the other, "
            "else that of `contact`"),
    };
    for (Field<M>& key : grain_keys())
        fields.push_back(std::move(key));
    return object<M>("material", "What a body is made of.", std::move(fields), &M::where);
}

KindPtr<StartSettings> start_kind()
{
    using S = StartSettings;
    return object<S>("start",
        "Begin where an earlier run ended, of the same integration: every body that has the name, kind and shape of "
        "one "
        "there takes over its place, motion and contacts; of spheres all that are there, with their radii, whatever "
        "`positions` or `fill` say here (which may be left out). Materials, friction, gravity and all else are as this "
        "scene says, and bodies that are not there begin as it says. The log lists what was taken over and what not.",
        {
            required("from", &S::from, text(TextRule::file),
                "run folder (its last checkpoint counts) or a single checkpoint, relative to the scene file")
                .at(&S::from_at),
            optional("keep_time", &S::keep_time, boolean(),
                "the clock goes on from there, and scripted motions with it; false: it begins at 0"),
        });
}

KindPtr<OutputSettings> output_kind()
{
    using O = OutputSettings;
    using P = ProbeSettings;
    const KindPtr<P> probe = object<P>("probe",
        "The contact forces on a body, or on it by one other, added up: a row a step in `probes.csv` (explicit runs: a "
        "row each `output.history`). A family of "
        "copies "
        "counts as one; what its members do to each other is left out.",
        {
            required("name", &P::name, text(TextRule::body), "differs from all others"),
            required("body", &P::body, text(TextRule::body), "the body that the forces act on, or a family of copies"),
            optional("by", &P::by, text(TextRule::body), "the body, or family, that exerts them; left out: all others"),
            optional("about", &P::about, vector(), "point that the torque is about; left out: the world's origin")
                .unit("m"),
        },
        &P::where);
    return object<O>("output", "What the run folder will hold.",
        {
            optional("contacts", &O::contacts, boolean(), "write `contacts.csv`"),
            optional("frames", &O::frames, boolean(), "write `frames.pvd` and `frames/`"),
            optional("history", &O::history, automatic(above(0)),
                "with `solver.integration: explicit`, simulated time between rows of the tables; auto: a twentieth of "
                "`time.frame`. An implicit run has a row for every step")
                .unit("s"),
            optional("energy", &O::energy, boolean(),
                "with `solver.integration: explicit`, keep account of the energy; false: somewhat faster, and what is "
                "lost stays unknown (`nan`)"),
            optional("checkpoint", &O::checkpoint, number(with_infinity(above(0))),
                "simulated time between checkpoints; `.inf`: none before the end")
                .unit("s"),
            optional("checkpoint_seconds", &O::checkpoint_seconds, number(with_infinity(above(0))),
                "time on the clock after which there is one more checkpoint, so that a slow run that is killed loses "
                "no more than that; `.inf`: never")
                .unit("s"),
            optional("probes", &O::probes, list(probe), "sums of contact forces, in `probes.csv`"),
            optional(
                "regions", &O::regions, list(region_kind()), "spheres: where `packing.csv` looks, besides everywhere"),
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
    });
}

KindPtr<Expectation> expectation_kind()
{
    using E = Expectation;
    const KindPtr<std::variant<double, Vec3>> target = std::make_shared<NumberOrPointKind>();
    return object<E>("expectation",
        "A bound that is judged when the run is over. Metrics: `slip` [m] largest total motion of a contact's "
        "attachment; "
        "`speed` [m/s] and `position` [m] of a body's centre of mass; `energy_rise` [J]; `max_contact_depth` [m] of "
        "the deepest contact: bodies may overlap more where no contact is detected (`max_penetration`: its older "
        "name); "
        "`newton_per_step`; `failed_solves`; `status` (0: done, 3: the solver gave up); `contact_force` [N] on a body.",
        {
            optional("body", &E::body, text(TextRule::body),
                "required for speed, position and contact_force; left out: the whole scene. The name of a family of "
                "copies: the same is expected of each"),
            required("metric", &E::metric, metric_kind(), "what is measured"),
            optional("axis", &E::axis, choice<Axis>({{"x", Axis::x}, {"y", Axis::y}, {"z", Axis::z}}),
                "this component of speed, position or contact_force; left out: the length"),
            optional("min", &E::min, number(any_number()), "holds when the value is at least this"),
            optional("max", &E::max, number(any_number()), "holds when the value is at most this"),
            optional("near", &E::near, target,
                "holds when the value is not farther from this than `within`; a point for position without axis"),
            optional("within", &E::within, number(at_least(0)), "distance allowed from `near`"),
            optional("at", &E::at, number(at_least(0)), "when it is judged; left out: at the end").unit("s"),
            optional("from", &E::from, number(at_least(0)),
                "what adds up over the run (slip, rises, largest values, averages) counts from here; left out: from "
                "the start")
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
            reading.fault(node.at, "expected " + words() + ", got " + found);
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

/// A key that has been dealt with when the table is read: it has no member.
Field<Scene> read_before(std::string key, std::string words, std::string doc, Json schema)
{
    Field<Scene> field;
    field.info = {.key = std::move(key), .doc = std::move(doc), .words = std::move(words)};
    field.read = [](const SceneNode&, Reading&, Scene&) { return true; };
    field.write = [](const Scene&) { return std::optional<SceneNode>(); };
    field.schema = [schema](Json&) { return schema; };
    return field;
}

KindPtr<Scene> make_scene_kind()
{
    using S = Scene;
    const Json file = {{"type", "string"}, {"minLength", 1}};
    const KindPtr<std::vector<MaterialSettings>> materials =
        std::make_shared<NamedMapKind<MaterialSettings>>(material_kind());
    return object<S>("scene", "The whole file.",
        {
            required("stickslip", &S::version, integer(1, 1), "version of the format"),
            read_before("include", "a file name, or a list of them",
                "scene files whose content counts as if it stood here: mappings and the lists of bodies, pairs and "
                "expectations are joined, and what this file says goes before",
                {{"anyOf", Json::array({file, Json{{"type", "array"}, {"items", file}}})}}),
            read_before("variables", "mapping from names to numbers",
                "for expressions `{expr: \"2*pi/n\"}`, which may stand wherever a number does, also here",
                {{"type", "object"}, {"additionalProperties", {{"type", "number"}}}}),
            optional("title", &S::title, text(TextRule::any), "one line about the scene"),
            optional("gravity", &S::gravity, vector(), "acceleration of gravity").unit("m/s^2"),
            required("time", &S::time, time_kind(), "steps and frames"),
            optional("start", &S::start, start_kind(), "left out: bodies begin as they say themselves"),
            optional("solver", &S::solver, solver_kind(), "tolerance and limits of the solver"),
            optional("contact", &S::contact, contact_kind(), "friction and contact stiffness"),
            optional("materials", &S::materials, materials, "what bodies are made of"),
            required("bodies", &S::bodies, list(body_kind(), 1), "deformable and rigid bodies, spheres and obstacles"),
            optional("periodic", &S::periodic, periodic_kind(), "left out: space has no end").at(&S::periodic_at),
            optional("outlets", &S::outlets, list(outlet_kind()), "where spheres leave the run"),
            optional("output", &S::output, output_kind(), "what is written besides the history"),
            optional("expect", &S::expect, list(expectation_kind()),
                "bounds that the run must keep; exit status 5 when one does not hold"),
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
