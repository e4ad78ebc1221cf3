#include "stickslip/scene/table/spheres_table.h"

#include "stickslip/scene/table/list_kinds.h"
#include "stickslip/scene/table/scene_variant.h"
#include "stickslip/scene/table/table_words.h"

namespace stickslip {

namespace {

using namespace table;

constexpr int most = 100000000; // spheres of one body

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
    KindPtr<PlaceList> file_ = object<PlaceList>("places",
        "A table of numbers with commas, a sphere a line: `x,y,z`, or `x,y,z,radius` [m], or these and `vx,vy,vz` "
        "[m/s], "
        "or all and `wx,wy,wz` [rad/s], in the axes of the body. The first line may be a header; empty lines and such "
        "that begin with # are passed over. `stickslip export DIR --to spheres` writes such tables.",
        {required("file", &PlaceList::file, text(TextRule::file), "path relative to the scene file")});
};

KindPtr<Sizes> sizes_kind()
{
    using Choice = VariantKind<UniformSizes, NormalSizes, TableSizes>;
    return std::make_shared<Choice>("sizes",
        "Radii of a filling. One of: `min` and `max`, every radius between them alike; `mean` and `deviation`, a bell "
        "curve cut off two deviations from its mean; `radii` and `shares`, a few radii.",
        ObjectKind<UniformSizes>("uniform_sizes", "",
            {
                required("min", &UniformSizes::min, number(above(0)), "smallest radius").unit("m"),
                required("max", &UniformSizes::max, number(above(0)), "largest radius").unit("m"),
            }),
        ObjectKind<NormalSizes>("normal_sizes", "",
            {
                required("mean", &NormalSizes::mean, number(above(0)), "of the radii").unit("m"),
                required("deviation", &NormalSizes::deviation, number(above(0)), "less than half of the mean")
                    .unit("m"),
            }),
        ObjectKind<TableSizes>("table_sizes", "",
            {
                required("radii", &TableSizes::radii, list(number(above(0)), 1), "the sizes there are").unit("m"),
                required("shares", &TableSizes::shares, list(number(at_least(0)), 1), "one for each; any sum"),
            }));
}

KindPtr<ShareOf> share_kind()
{
    return choice<ShareOf>({{"count", ShareOf::count}, {"mass", ShareOf::mass}});
}

constexpr const char* by_what = "what the shares of `sizes` are of: the number of spheres, or their mass";

KindPtr<FillSettings> fill_kind()
{
    using F = FillSettings;
    const KindPtr<Cylinder> cylinder = object<Cylinder>("fill_cylinder", "Axis y, flat ends.",
        {
            required("radius", &Cylinder::radius, number(above(0)), "radius").unit("m"),
            required("height", &Cylinder::height, number(above(0)), "from end to end").unit("m"),
        });
    const KindPtr<MeshShape> mesh = object<MeshShape>("fill_mesh", "The inside of a closed triangle mesh.",
        {
            required("file", &MeshShape::file, text(TextRule::file), "path relative to the scene file"),
            optional("unit", &MeshShape::unit, length_unit_kind(), "of the file's coordinates"),
            optional("scale", &MeshShape::scale, scale_kind(), "multiplies the coordinates of the file"),
            optional("weld", &MeshShape::weld, automatic(at_least(0)),
                "vertices at most this apart are one; auto: a millionth of the mesh's size")
                .unit("m"),
        });
    return object<F>("fill",
        "A region full of spheres at random places, none overlapping another or reaching out of the region. One of "
        "`box`, `cylinder`, `sphere`, `mesh`, in the body's own axes, and one of `count`, `fraction`. The same seed "
        "gives the same spheres. Loose fillings are quick; beyond a fraction of 0.58 or so none is found.",
        {
            optional("box", &F::box, vector(above(0)), "full edge lengths, centred on the origin").unit("m"),
            optional("cylinder", &F::cylinder, cylinder, "centred on the origin"),
            optional("sphere", &F::sphere, number(above(0)), "radius of a ball, centred on the origin").unit("m"),
            optional("mesh", &F::mesh, mesh, "a closed surface"),
            optional("count", &F::count, integer(1, most), "how many spheres"),
            optional("fraction", &F::fraction, number({.low = 0, .high = 0.6, .low_excluded = true}),
                "share of the region's volume that is solid"),
            optional("sizes", &F::sizes, sizes_kind(), "left out: all have the body's `radius`"),
            optional("sizes_by", &F::sizes_by, share_kind(), by_what),
            optional("seed", &F::seed, integer(0, 1000000000), "another seed, another arrangement"),
        });
}

KindPtr<InletSettings> inlet_kind()
{
    using I = InletSettings;
    NumberRange until = above(0);
    until.infinite = true;
    return object<I>("inlet",
        "Spheres, or with `clump` clumps, that come in at random places of a box where neither spheres nor walls "
        "are in the way, with the body's `velocity`. Looked at once every `output.history` seconds; what finds no room "
        "waits for the next time.",
        {
            required("box", &I::box, vector(above(0)),
                "full edge lengths, centred on the body's origin, turned with it; holds the spheres wholly")
                .unit("m"),
            required("rate", &I::rate, number(above(0)), "mass that comes in").unit("kg/s"),
            optional("sizes", &I::sizes, sizes_kind(), "left out: all have the body's `radius`; not of clumps"),
            optional("sizes_by", &I::sizes_by, share_kind(), by_what),
            optional("seed", &I::seed, integer(0, 1000000000), "another seed, other places and sizes"),
            optional("start", &I::start, number(at_least(0)), "when it opens").unit("s"),
            optional("end", &I::end, number(until), "when it closes").unit("s"),
            optional("mass", &I::mass, number(until), "when so much has come in, it closes").unit("kg"),
        });
}

KindPtr<ClumpSettings> clump_kind()
{
    using C = ClumpSettings;
    return object<C>("clump",
        "A rigid body made of balls, which may overlap and never touch each other. Its mass and inertia are those of "
        "the space they fill together, at the density of the material. It is placed by its centre of mass; `fill` "
        "makes room for a ball around it, and `fraction` counts its own volume.",
        {
            required("positions", &C::positions, list(vector(), 1),
                "centres of the balls in the clump's own axes, from any origin")
                .unit("m"),
            optional("radius", &C::radius, number(above(0)), "of all balls").unit("m"),
            optional("radii", &C::radii, list(number(above(0))), "instead of `radius`: one for each").unit("m"),
            optional("orientation", &C::orientation,
                choice<ClumpOrientation>(
                    {{"random", ClumpOrientation::random}, {"aligned", ClumpOrientation::aligned}}),
                "`random`: any, alike; `aligned`: all as the body's `rotation` says"),
            optional("seed", &C::seed, integer(0, 1000000000), "another seed, other orientations"),
        });
}

} // namespace

KindPtr<Bounds> periodic_kind()
{
    NumberRange coordinate = any_number();
    coordinate.infinite = true;
    return object<Bounds>("periodic",
        "A box for explicit runs: spheres, clumps and rigid bodies that leave it on one side come in on the other, and "
        "what lies beyond a face is met as its image. Along an axis from `-.inf` to `.inf` it is open. Tables and "
        "frames show centres of mass inside. Obstacles are not repeated: the one in the box is met by what is in the "
        "box, so let a floor reach over its faces. A side is at least twice the range of the spheres, and of each "
        "rigid body: from its centre of mass to the corner of its bounding box, and a sphere's radius.",
        {
            required("min", &Bounds::min, vector(coordinate), "lowest corner").unit("m"),
            required("max", &Bounds::max, vector(coordinate), "highest corner").unit("m"),
        });
}

KindPtr<OutletSettings> outlet_kind()
{
    using O = OutletSettings;
    NumberRange coordinate = any_number();
    coordinate.infinite = true;
    const KindPtr<Bounds> box = object<Bounds>("outlet_box", "A box with edges along the world's axes.",
        {
            required("min", &Bounds::min, vector(coordinate), "lowest corner").unit("m"),
            required("max", &Bounds::max, vector(coordinate), "highest corner").unit("m"),
        });
    return object<O>("outlet",
        "Spheres whose centre is in the box leave the run, and clumps whose centre of mass is; `outlets.csv` records "
        "each. Rigid bodies stay. Looked at once every `output.history` seconds.",
        {
            required("name", &O::name, text(TextRule::name), "differs from all others").at(&O::name_at),
            required("box", &O::box, box, "where they leave"),
        },
        &O::where);
}

KindPtr<RegionSettings> region_kind()
{
    using R = RegionSettings;
    const KindPtr<Bounds> box = object<Bounds>("region_box", "A box of space with edges along the world's axes.",
        {
            required("min", &Bounds::min, vector(), "lowest corner").unit("m"),
            required("max", &Bounds::max, vector(), "highest corner").unit("m"),
        });
    return object<R>("packing_region",
        "A box in which the packing of spheres is measured: a row every `output.history` seconds in `packing.csv`.",
        {
            required("name", &R::name, text(TextRule::body), "differs from all others, and from `all`"),
            required("box", &R::box, box, "spheres cut by its sides count with the volume that is inside"),
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
    keys.push_back(for_spheres(optional("radius", &B::radius, number(above(0)), "of every sphere").unit("m")));
    keys.push_back(for_spheres(
        optional("radii", &B::radii, list(number(above(0))), "instead of `radius`: one for each of `positions`")
            .unit("m")));
    keys.push_back(for_spheres(optional("positions", &B::positions, KindPtr<PlaceList>(std::make_shared<PlacesKind>()),
        "centres of the spheres in the body's own axes: a list, or a file, which may hold the radii too")
                                   .unit("m")
                                   .at(&B::positions_at)));
    keys.push_back(for_spheres(
        optional("fill", &B::fill, fill_kind(), "instead of `positions`: a region full of spheres").at(&B::fill_at)));
    keys.push_back(
        for_spheres(optional("inlet", &B::inlet, inlet_kind(), "spheres that come in later, beside those or alone")
                        .at(&B::inlet_at)));
    keys.push_back(for_spheres(optional("clump", &B::clump, clump_kind(),
        "what stands at each place of `positions` or `fill`, or comes by `inlet`, instead of a sphere")));
    return keys;
}

std::vector<Field<MaterialSettings>> grain_keys()
{
    using M = MaterialSettings;
    std::vector<Field<M>> keys;
    keys.push_back(optional("kn", &M::kn, number(above(0)),
        "spheres, linear law: stiffness of a contact of two spheres of this material, whatever their size. Left out: "
        "`young` x radius")
                       .unit("N/m"));
    keys.push_back(
        optional("kt", &M::kt, number(above(0)), "spheres, with `kn`: tangential stiffness; left out: 2/7 of `kn`")
            .unit("N/m"));
    keys.push_back(optional("restitution", &M::restitution, number({.low = 0, .high = 1, .low_excluded = true}),
        "spheres: speed after a head-on collision over that before; of two materials the lesser counts"));
    keys.push_back(optional("rolling_friction", &M::rolling_friction, number(at_least(0)),
        "spheres: largest rolling moment over normal force x effective radius"));
    keys.push_back(optional("twisting_friction", &M::twisting_friction, number(at_least(0)),
        "spheres: the same of the moment about the normal"));
    keys.push_back(optional("surface_energy", &M::surface_energy, number(at_least(0)),
        "spheres, laws `dmt` and `jkr`: energy of one surface; two alike take twice as much to part")
                       .unit("J/m^2"));
    return keys;
}

} // namespace stickslip
