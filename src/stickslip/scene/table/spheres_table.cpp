#include "stickslip/scene/table/spheres_table.h"

#include "stickslip/scene/table/list_kinds.h"
#include "stickslip/scene/table/scene_variant.h"
#include "stickslip/scene/table/table_words.h"

namespace stickslip {

namespace {

using namespace table;

constexpr int most_of_one_body = 100000000; // spheres of one body

class StepKind : public Kind<double> {
public:
    bool read(const SceneNode& node, Reading& reading, double& value) const override
    {
        std::optional<double> step;
        if (!kind_.read(node, reading, step))
            return false;
        value = step.value_or(0);
        return true;
    }
    std::optional<SceneNode> write(const double& value) const override
    {
        return kind_.write(value > 0 ? std::optional(value) : std::nullopt);
    }
    Json schema(Json& definitions) const override { return kind_.schema(definitions); }
    std::string words() const override { return kind_.words(); }

private:
    AutoNumberKind kind_{above(0)};
};

/// A list of points, or {file: x.csv}.
class PlacesKind : public Kind<PlaceList> {
public:
    bool read(const SceneNode& node, Reading& reading, PlaceList& value) const override
    {
        return node.is_map() ? file_->read(node, reading, value) : list_.read(node, reading, value.places);
    }
    std::optional<SceneNode> write(const PlaceList& value) const override
    {
        return value.file.empty() ? list_.write(value.places) : file_->write(value);
    }
    Json schema(Json& definitions) const override
    {
        return {{"anyOf", Json::array({list_.schema(definitions), file_->schema(definitions)})}};
    }
    std::string words() const override { return "list of [x, y, z], or " + file_->words(); }
    void describe(std::vector<ReferenceSection>& sections) const override { file_->describe(sections); }

private:
    ListKind<Vec3> list_{vector(), 1};
    KindPtr<PlaceList> file_ = object<PlaceList>(
        {"places",
            "A CSV table with one sphere per line, in the axes of the body: `x,y,z`, or `x,y,z,radius` [m], optionally "
            "followed by `vx,vy,vz` [m/s], optionally followed by `wx,wy,wz` [rad/s]. The first line may be a header. "
            "Empty lines and lines that start with # are ignored. `stickslip export DIR --to spheres` writes such "
            "tables.",
            spheres_example("radius: 0.01, positions: {file: grains.csv}")},
        {required("file", &PlaceList::file, text(TextRule::file), "Path, relative to the scene file.")});
};

KindPtr<Sizes> sizes_kind()
{
    using Choice = VariantKind<UniformSizes, NormalSizes, TableSizes>;
    return std::make_shared<Choice>(
        SectionText{"sizes",
            "Distribution of radii. `min` and `max`: uniform. `mean` and `deviation`: normal, truncated at two "
            "standard "
            "deviations. `radii` and `shares`: discrete.",
            spheres_example("fill: {box: [0.2, 0.2, 0.2], count: 100, sizes: {min: 0.008, max: 0.012}}")},
        ObjectKind<UniformSizes>({},
            {
                required("min", &UniformSizes::min, number(above(0)), "Smallest radius.").unit("m"),
                required("max", &UniformSizes::max, number(above(0)), "Largest radius.").unit("m"),
            }),
        ObjectKind<NormalSizes>({},
            {
                required("mean", &NormalSizes::mean, number(above(0)), "Mean radius.").unit("m"),
                required("deviation", &NormalSizes::deviation, number(above(0)),
                    "Standard deviation, less than half of the mean.")
                    .unit("m"),
            }),
        ObjectKind<TableSizes>({},
            {
                required("radii", &TableSizes::radii, list(number(above(0)), 1), "Radii.").unit("m"),
                required("shares", &TableSizes::shares, list(number(at_least(0)), 1),
                    "Weight of each radius; the sum is arbitrary."),
            }));
}

KindPtr<ShareOf> share_kind()
{
    return choice<ShareOf>({{"count", ShareOf::count}, {"mass", ShareOf::mass}});
}

constexpr const char* by_what = "What the weights of `sizes` refer to: the number of spheres or their mass.";
constexpr const char* seed_doc = "Seed of the random generator.";

KindPtr<FillSettings> fill_kind()
{
    using F = FillSettings;
    const KindPtr<Cylinder> cylinder = object<Cylinder>(
        {"fill_cylinder", "Axis y, flat ends.",
            spheres_example("radius: 0.01, fill: {cylinder: {radius: 0.1, height: 0.3}, fraction: 0.5}")},
        {
            required("radius", &Cylinder::radius, number(above(0)), "Radius.").unit("m"),
            required("height", &Cylinder::height, number(above(0)), "Distance between the ends.").unit("m"),
        });
    const KindPtr<MeshShape> mesh = object<MeshShape>(
        {"fill_mesh", "The inside of a closed triangle mesh.",
            spheres_example("radius: 0.01, fill: {mesh: {file: bunny.obj, unit: mm}, fraction: 0.5}")},
        {
            required("file", &MeshShape::file, text(TextRule::file), "Path, relative to the scene file."),
            optional("unit", &MeshShape::unit, length_unit_kind(), "Unit of the file's coordinates."),
            optional("scale", &MeshShape::scale, scale_kind(), "Factor of the coordinates."),
            optional("weld", &MeshShape::weld, automatic(at_least(0)),
                "Vertices at most this far apart are joined. `auto`: 1e-6 of the size of the mesh.")
                .unit("m"),
        });
    return object<F>(
        {.title = "fill",
            .about = "Spheres at random positions in a region, given in the body's own axes. They overlap neither one "
                     "another nor the boundary. The same seed gives the same spheres. Fractions above about 0.58 are "
                     "not reached.",
            .example = spheres_example("radius: 0.01, fill: {box: [0.2, 0.4, 0.2], fraction: 0.5}"),
            .one_of = {{"box", "cylinder", "sphere", "mesh"}, {"count", "fraction"}}},
        {
            optional("box", &F::box, vector(above(0)), "Full edge lengths, centred on the origin.").unit("m"),
            optional("cylinder", &F::cylinder, cylinder, "Centred on the origin."),
            optional("sphere", &F::sphere, number(above(0)), "Radius of a ball, centred on the origin.").unit("m"),
            optional("mesh", &F::mesh, mesh, "A closed surface."),
            optional("count", &F::count, integer(1, most_of_one_body), "Number of spheres."),
            optional("fraction", &F::fraction, number({.low = 0, .high = 0.6, .low_excluded = true}),
                "Solid volume over the volume of the region."),
            optional("sizes", &F::sizes, sizes_kind(), "Default: all have the body's `radius`."),
            optional("sizes_by", &F::sizes_by, share_kind(), by_what),
            optional("seed", &F::seed, integer(0, 1000000000), seed_doc),
        });
}

KindPtr<InletSettings> inlet_kind()
{
    using I = InletSettings;
    NumberRange until = above(0);
    until.infinite = true;
    return object<I>(
        {"inlet",
            "Spheres, or clumps with `clump`, that enter at random positions of a box with the body's `velocity`. They "
            "enter only where there is room between spheres and walls; what finds no room waits. The inlet acts once "
            "every `output.history` seconds.",
            spheres_example("radius: 0.01, velocity: [0, -1, 0], inlet: {box: [0.2, 0.1, 0.2], "
                            "rate: 0.5, end: 0.8}")},
        {
            required("box", &I::box, vector(above(0)),
                "Full edge lengths. Centred on the body's origin and turned with the body. Contains the spheres "
                "entirely.")
                .unit("m"),
            required("rate", &I::rate, number(above(0)), "Mass flow rate.").unit("kg/s"),
            optional("sizes", &I::sizes, sizes_kind(), "Default: all have the body's `radius`. Not for clumps."),
            optional("sizes_by", &I::sizes_by, share_kind(), by_what),
            optional("seed", &I::seed, integer(0, 1000000000), seed_doc),
            optional("start", &I::start, number(at_least(0)), "Time when the inlet opens.").unit("s"),
            optional("end", &I::end, number(until), "Time when the inlet closes.").unit("s"),
            optional("mass", &I::mass, number(until), "The inlet closes after this mass has entered.").unit("kg"),
        });
}

KindPtr<ClumpSettings> clump_kind()
{
    using C = ClumpSettings;
    return object<C>(
        {.title = "clump",
            .about = "A rigid body made of spheres, which may overlap and do not touch each other. Mass and inertia "
                     "are those of the union of the spheres, at the density of the material. The origin is the centre "
                     "of mass. `fill` reserves the bounding sphere of a clump; `fraction` counts the volume of the "
                     "union.",
            .example = spheres_example("positions: [[0, 0, 0]], clump: {positions: [[0, 0, 0], [0.01, 0, 0]], "
                                       "radius: 0.01}"),
            .one_of = {{"radius", "radii"}}},
        {
            required("positions", &C::positions, list(vector(), 1),
                "Centres of the spheres in the clump's own axes; the origin is arbitrary.")
                .unit("m"),
            optional("radius", &C::radius, number(above(0)), "Radius of all spheres.").unit("m"),
            optional("radii", &C::radii, list(number(above(0))), "Radius of each sphere.").unit("m"),
            optional("orientation", &C::orientation,
                choice<ClumpOrientation>(
                    {{"random", ClumpOrientation::random}, {"aligned", ClumpOrientation::aligned}}),
                "`random`: uniformly distributed. `aligned`: as the body's `rotation` says."),
            optional("seed", &C::seed, integer(0, 1000000000), "Seed of the random orientations."),
        });
}

std::string explicit_example(const std::string& section)
{
    return section + spheres_example("radius: 0.01, fill: {box: [0.2, 0.2, 0.2], count: 50}");
}

} // namespace

KindPtr<Bounds> periodic_kind()
{
    NumberRange coordinate = any_number();
    coordinate.infinite = true;
    return object<Bounds>(
        {"periodic",
            "Periodic domain, for explicit runs. Spheres, clumps and rigid bodies that leave through a face enter "
            "through the opposite one, and touch the images of bodies beyond it. An axis from `-.inf` to `.inf` is not "
            "periodic. Tables and frames show centres of mass inside the box. Obstacles have no images: let a floor "
            "extend beyond the faces. A side must be at least twice the diameter of the largest sphere, and twice the "
            "reach of each rigid body (from its centre of mass to the corner of its bounding box, plus the radius of a "
            "sphere), each plus the margin of the neighbour search.",
            explicit_example("periodic: {min: [-0.1, -.inf, -0.1], max: [0.1, .inf, 0.1]}\n")},
        {
            required("min", &Bounds::min, vector(coordinate), "Lowest corner.").unit("m"),
            required("max", &Bounds::max, vector(coordinate), "Highest corner.").unit("m"),
        });
}

constexpr const char* outlet_lines = "outlets:\n  - {name: drain, box: {min: [-1, -.inf, -1], max: [1, -0.5, 1]}}\n";

KindPtr<OutletSettings> outlet_kind()
{
    using O = OutletSettings;
    NumberRange coordinate = any_number();
    coordinate.infinite = true;
    const KindPtr<Bounds> box =
        object<Bounds>({"outlet_box", "A box with edges along the world axes.", explicit_example(outlet_lines)},
            {
                required("min", &Bounds::min, vector(coordinate), "Lowest corner.").unit("m"),
                required("max", &Bounds::max, vector(coordinate), "Highest corner.").unit("m"),
            });
    return object<O>(
        {"outlet",
            "Removes spheres whose centre is in the box or came through it, and clumps whose centre of mass did. "
            "`outlets.csv` records each. Rigid bodies are not removed. Who came through is removed once every "
            "`output.history` seconds, wherever it is by then; none is missed, however fast it is and thin the box.",
            explicit_example(outlet_lines)},
        {
            required("name", &O::name, text(TextRule::name), "Unique name.").at(&O::name_at),
            required("box", &O::box, box, "Region."),
        },
        &O::where);
}

KindPtr<RegionSettings> region_kind()
{
    using R = RegionSettings;
    const std::string example = explicit_example(
        "output:\n  regions:\n    - {name: core, box: {min: [-0.05, 0, -0.05], max: [0.05, 0.1, 0.05]}, "
        "spacing: 0.01}\n");
    const KindPtr<Bounds> box = object<Bounds>({"region_box", "A box with edges along the world axes.", example},
        {
            required("min", &Bounds::min, vector(), "Lowest corner.").unit("m"),
            required("max", &Bounds::max, vector(), "Highest corner.").unit("m"),
        });
    return object<R>(
        {"packing_region",
            "A box in which the packing of spheres is measured. `packing.csv` has one row per `output.history`. With "
            "`spacing`, [frames](run_folder.md#frames) also have density, velocity and stress on a grid of points in "
            "the box, by coarse graining.",
            example},
        {
            required("name", &R::name, text(TextRule::body), "Unique name, other than `all`."),
            required("box", &R::box, box, "Spheres cut by its faces count with the volume that is inside."),
            optional("spacing", &R::spacing, number(above(0)),
                "Distance of the grid's points. Choose it so that twice `smoothing` times it is at least a diameter "
                "of the spheres. Default: no grid.")
                .unit("m"),
            optional("smoothing", &R::smoothing, integer(1, 100),
                "How many points wide the kernel is, a cubic B-spline along each axis: a sphere counts up to twice as "
                "many points away."),
        },
        &R::where);
}

std::string write_clump(const ClumpSettings& clump)
{
    static const KindPtr<ClumpSettings> kind = clump_kind();
    return emit_yaml(kind->write(clump).value_or(SceneNode::map()));
}

KindPtr<double> step_kind()
{
    return std::make_shared<StepKind>();
}

KindPtr<EdgeChoice> edges_kind()
{
    return choice<EdgeChoice>({{"smooth", EdgeChoice::smooth}, {"zones", EdgeChoice::zones}, {"raw", EdgeChoice::raw}});
}

KindPtr<ForceLaw> force_law_kind()
{
    return choice<ForceLaw>({{"auto", ForceLaw::automatic}, {"linear", ForceLaw::linear}, {"hertz", ForceLaw::hertz},
        {"dmt", ForceLaw::dmt}, {"jkr", ForceLaw::jkr}});
}

std::vector<Field<BodySettings>> sphere_keys(std::function<bool(const BodySettings&)> is_spheres)
{
    using B = BodySettings;
    const auto for_spheres = [&](Field<B> field) { return std::move(field).only("spheres", "kind", is_spheres); };
    std::vector<Field<B>> keys;
    keys.push_back(for_spheres(optional("radius", &B::radius, number(above(0)), "Radius of all spheres.").unit("m")));
    keys.push_back(for_spheres(
        optional("radii", &B::radii, list(number(above(0))), "Radius of each of `positions`, instead of `radius`.")
            .unit("m")));
    keys.push_back(for_spheres(optional("positions", &B::positions, KindPtr<PlaceList>(std::make_shared<PlacesKind>()),
        "Centres in the body's own axes: a list, or a file, which may include the radii. Spheres need one of "
        "`positions` and `fill`, or an `inlet`.")
                                   .unit("m")
                                   .at(&B::positions_at)));
    keys.push_back(
        for_spheres(optional("fill", &B::fill, fill_kind(), "Region filled with spheres, instead of `positions`.")
                        .at(&B::fill_at)));
    keys.push_back(
        for_spheres(optional("inlet", &B::inlet, inlet_kind(), "Spheres that enter during the run.").at(&B::inlet_at)));
    keys.push_back(for_spheres(
        optional("clump", &B::clump, clump_kind(), "Replaces each sphere of `positions`, `fill` or `inlet`.")));
    return keys;
}

std::vector<Field<MaterialSettings>> grain_keys()
{
    using M = MaterialSettings;
    std::vector<Field<M>> keys;
    keys.push_back(optional("kn", &M::kn, number(above(0)),
        "Spheres, linear law. Normal stiffness of a contact between two spheres of this material, independent of their "
        "size. Default: `young` x radius.")
                       .unit("N/m"));
    keys.push_back(
        optional("kt", &M::kt, number(above(0)), "Spheres. Tangential stiffness; needs `kn`. Default: 2/7 of `kn`.")
            .unit("N/m"));
    keys.push_back(optional("restitution", &M::restitution, number({.low = 0, .high = 1, .low_excluded = true}),
        "Explicit runs. Coefficient of restitution of a head-on collision. Of two materials the smaller value "
        "counts."));
    keys.push_back(optional("rolling_friction", &M::rolling_friction, number(at_least(0)),
        "Explicit runs. Largest rolling moment over normal force x effective radius."));
    keys.push_back(optional("twisting_friction", &M::twisting_friction, number(at_least(0)),
        "Explicit runs. Largest twisting moment (about the normal) over normal force x effective radius."));
    keys.push_back(optional("surface_energy", &M::surface_energy, number(at_least(0)),
        "Explicit runs, laws `dmt` and `jkr`. Energy per area of one surface. Separating two equal surfaces takes "
        "twice as much.")
                       .unit("J/m^2"));
    return keys;
}

} // namespace stickslip
