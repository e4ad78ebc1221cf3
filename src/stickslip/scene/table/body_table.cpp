#include "stickslip/scene/table/body_table.h"

#include "stickslip/scene/table/list_kinds.h"
#include "stickslip/scene/table/scene_variant.h"
#include "stickslip/scene/table/spheres_table.h"
#include "stickslip/scene/table/table_words.h"

namespace stickslip {

namespace {

using namespace table;

bool is_deformable(const BodySettings& body)
{
    return body.kind == BodyKind::deformable;
}
bool is_mpm(const BodySettings& body)
{
    return body.kind == BodyKind::mpm;
}
bool is_deformable_or_mpm(const BodySettings& body)
{
    return is_deformable(body) || is_mpm(body);
}
bool is_rigid(const BodySettings& body)
{
    return body.kind == BodyKind::rigid;
}
bool is_rigid_or_obstacle(const BodySettings& body)
{
    return is_rigid(body) || body.kind == BodyKind::obstacle;
}
bool is_not_obstacle(const BodySettings& body)
{
    return body.kind != BodyKind::obstacle;
}
bool is_solid(const BodySettings& body)
{
    return is_deformable_or_mpm(body) || is_rigid(body);
}
bool is_not_spheres(const BodySettings& body)
{
    return body.kind != BodyKind::spheres;
}
bool has_triangles(const BodySettings& body)
{
    return is_not_spheres(body) && !is_mpm(body);
}
bool is_spheres(const BodySettings& body)
{
    return !is_not_spheres(body);
}

std::string shape_example(const std::string& shape)
{
    return rigid_example("position: [0, 1, 0], shape: {" + shape + "}");
}

ObjectKind<Torus> torus_shape()
{
    return ObjectKind<Torus>({},
        {whole("torus",
            object<Torus>({"torus", "A ring in the plane y = 0.", shape_example("torus: {major: 0.1, minor: 0.02}")},
                {
                    required("major", &Torus::major, number(above(0)), "Radius of the centre circle.").unit("m"),
                    required("minor", &Torus::minor, number(above(0)), "Radius of the tube, less than `major`.")
                        .unit("m"),
                }),
            "Torus about y.")});
}

ObjectKind<MeshShape> mesh_shape()
{
    return ObjectKind<MeshShape>({},
        {whole("mesh",
            object<MeshShape>(
                {.title = "mesh",
                    .about = "A closed triangle mesh for rigid bodies and obstacles, or a tetrahedral mesh for "
                             "deformable bodies. Formats: OBJ, OFF, STL, PLY, Gmsh `.msh` 2 and 4, VTK, VTU, chosen by "
                             "the file extension.",
                    .example = obstacle_example("shape: {mesh: {file: bunny.obj, unit: mm}}"),
                    .one_of = {{"file", "files"}}},
                {
                    optional("file", &MeshShape::file, text(TextRule::file), "Path, relative to the scene file.")
                        .at(&MeshShape::file_at),
                    optional("files", &MeshShape::files, mesh_parts_kind(),
                        "Triangle meshes only. Several files that form one surface. `weld` joins their vertices, so "
                        "that contacts do not feel the seams."),
                    optional("unit", &MeshShape::unit, length_unit_kind(), "Unit of the file's coordinates."),
                    optional("scale", &MeshShape::scale, scale_kind(),
                        "Factor of the coordinates, one for all axes or one for each."),
                    optional("spacing", &MeshShape::spacing, automatic(above(0)),
                        "Rigid bodies and obstacles. Spacing of the grid on which the signed distance is sampled. A "
                        "mesh that gives it is met by this distance, unless its `contact_geometry` says otherwise. "
                        "`auto`: no grid for a convex mesh of at most 200 flat faces, whose distance is exact; else "
                        "1/64 of the longest edge of the bounding box or 1/4 of the shortest; where that does not show "
                        "[walls and slots](level_sets.md#walls-and-slots), and something meets the distance, half of "
                        "the thinnest. Beside mpm bodies no wider than half the distance of their particles, as far as "
                        "2^20 "
                        "nodes allow.")
                        .unit("m"),
                    optional("weld", &MeshShape::weld, automatic(at_least(0)),
                        "Triangle meshes only. Vertices at most this far apart along each axis are joined. `auto`: "
                        "1e-6 of the size of the mesh.")
                        .unit("m"),
                    optional("patch_angle", &MeshShape::patch_angle,
                        number({.low = 0, .high = 90, .high_excluded = true}),
                        "Triangle meshes only. Edges that fold by at most this angle belong to one smooth patch. A "
                        "sphere that rolls on a patch keeps its friction history. Forces do not depend on it.")
                        .unit("deg"),
                }),
            "A file of triangles or tetrahedra.")});
}

ObjectKind<LevelSetShape> level_set_shape()
{
    return ObjectKind<LevelSetShape>({},
        {whole("level_set",
            object<LevelSetShape>({"level_set",
                                      "A signed distance sampled on a grid, for obstacles only. [How to write the "
                                      "file](level_sets.md#distances-from-other-programs).",
                                      obstacle_example("shape: {level_set: {file: terrain.vti}}")},
                {required("file", &LevelSetShape::file, text(TextRule::file),
                    "Path, relative to the scene file. VTK image data (`.vti`): distances [m] at the points of a grid, "
                    "negative "
                    "inside, the same spacing along all axes. The solid ends where the grid does.")
                        .at(&LevelSetShape::file_at)}),
            "A file with a sampled signed distance.")});
}

template <typename T>
KindPtr<T> round_kind(const char* title, const char* about, const char* height)
{
    return object<T>({title, about, shape_example(std::string(title) + ": {radius: 0.05, height: 0.12}")},
        {
            required("radius", &T::radius, number(above(0)), "Radius.").unit("m"),
            required("height", &T::height, number(above(0)), height).unit("m"),
        });
}

KindPtr<Shape> shape_kind()
{
    const KindPtr<Plane> plane = object<Plane>({"plane",
                                                   "The half space below a plane through the origin. Obstacles "
                                                   "only.",
                                                   obstacle_example("shape: {plane: {normal: [1, 0, 0]}}")},
        {required("normal", &Plane::normal, vector(any_number(), true),
            "Outward normal, of any length: it points out of the solid.")});
    const KindPtr<RoundedBox> rounded_box = object<RoundedBox>(
        {"rounded_box",
            "A box with rounded edges and corners. They roll as cylinders and spheres do. Not for deformable "
            "bodies.",
            shape_example("rounded_box: {size: [0.2, 0.1, 0.1], radius: 0.01}")},
        {
            required("size", &RoundedBox::size, vector(above(0)), "Full edge lengths, from face to face.").unit("m"),
            required("radius", &RoundedBox::radius, number(above(0)),
                "Radius of edges and corners. Less than half of the smallest edge length.")
                .unit("m"),
        });
    using Choice =
        VariantKind<Plane, Box, RoundedBox, Sphere, Cylinder, Cone, Capsule, Torus, MeshShape, LevelSetShape>;
    auto kind = std::make_shared<Choice>(
        SectionText{"shape", "Geometry in the body's own axes. Analytic shapes are centred on the origin.",
            shape_example("box: [0.2, 0.1, 0.1]")},
        ObjectKind<Plane>({}, {whole("plane", plane, "Half space.")}),
        ObjectKind<Box>({}, {required("box", &Box::size, vector(above(0)), "Full edge lengths.").unit("m")}),
        ObjectKind<RoundedBox>({}, {whole("rounded_box", rounded_box, "Box with rounded edges.")}),
        ObjectKind<Sphere>({}, {required("sphere", &Sphere::radius, number(above(0)), "Radius.").unit("m")}),
        ObjectKind<Cylinder>({},
            {whole("cylinder", round_kind<Cylinder>("cylinder", "Axis y, flat ends.", "Distance between the ends."),
                "Cylinder about y.")}),
        ObjectKind<Cone>({},
            {whole("cone",
                round_kind<Cone>("cone",
                    "Axis y. The base is half the height below the origin and the apex half the height above it. Not "
                    "for deformable bodies.",
                    "From base to apex."),
                "Cone about y, apex up.")}),
        ObjectKind<Capsule>({},
            {whole("capsule",
                round_kind<Capsule>(
                    "capsule", "Axis y, hemispherical ends.", "Height of the cylindrical part, without the caps."),
                "Capsule about y.")}),
        torus_shape(), mesh_shape(), level_set_shape());
    Json unused;
    kind->add_elsewhere({.key = "resolution",
                            .unit = "m",
                            .doc = "The same as the body's `resolution`. Give it in one of the two places.",
                            .words = number(above(0))->words()},
        number(above(0))->schema(unused));
    return kind;
}

std::string fix_example(const std::string& more)
{
    return body_example(
        "name: beam, kind: deformable, material: rubber, resolution: 0.025, position: [0, 1, 0], shape: "
        "{box: [0.5, 0.1, 0.1]}, fix: [{box: {min: [-.inf, -.inf, -.inf], max: [-0.2, .inf, .inf]}"
        + more + "}]");
}

KindPtr<Bounds> held_box_kind()
{
    NumberRange coordinate = any_number();
    coordinate.infinite = true;
    return object<Bounds>({"region", "A box with edges along the world axes.", fix_example("")},
        {
            required("min", &Bounds::min, vector(coordinate), "Lowest corner.").unit("m"),
            required("max", &Bounds::max, vector(coordinate), "Highest corner, nowhere below `min`.").unit("m"),
        });
}

KindPtr<FixSettings> fix_kind()
{
    return object<FixSettings>({"fix", "Fixes or prescribes the nodes of a deformable body in a region.",
                                   fix_example(", name: grip, motion: {velocity: [0.1, 0, 0]}")},
        {
            optional("name", &FixSettings::name, text(TextRule::name),
                "Name of the region, unique within the body. `reactions.csv` then tells what holds the region, beside "
                "the sum of all regions. Default: none.")
                .at(&FixSettings::name_at),
            required("box", &FixSettings::box, held_box_kind(),
                "Selects the nodes inside, in world coordinates, at the initial position of the body."),
            optional("motion", &FixSettings::motion, motion_kind(), "Default: the nodes are fixed."),
        },
        &FixSettings::where);
}

KindPtr<BodyKind> kind_of_body()
{
    return choice<BodyKind>({{"deformable", BodyKind::deformable}, {"rigid", BodyKind::rigid},
        {"spheres", BodyKind::spheres}, {"mpm", BodyKind::mpm}, {"obstacle", BodyKind::obstacle}});
}

} // namespace

std::string write_shape(const Shape& shape)
{
    static const KindPtr<Shape> kind = shape_kind();
    return emit_yaml(kind->write(shape).value_or(SceneNode::map()));
}

KindPtr<BodySettings> body_kind()
{
    using B = BodySettings;
    std::vector<Field<B>> fields = {
        required("name", &B::name, text(TextRule::body),
            "Unique name. Without . / \\ [ ] and control characters, except for the index of a copy: `brick[3]`.")
            .at(&B::name_at),
        required("kind", &B::kind, kind_of_body(),
            "`deformable`: elastic finite elements. `rigid`: rigid body. `spheres`: a set of spheres, see "
            "[spheres](#spheres). `mpm`: material points, see [material points](#material-points). `obstacle`: fixed "
            "or moved by `motion`, of infinite mass."),
        optional("copies", &B::copies, copies_kind(), "Makes several bodies from this one. Default: one body.")
            .at(&B::copies_at),
        required("shape", &B::shape, shape_kind(), "Geometry.")
            .at(&B::shape_at)
            .only("deformable, mpm and rigid bodies and obstacles", "kind", is_not_spheres)
            .required_there(),
        optional("resolution", &B::resolution, number(above(0)),
            "Target edge length of the tetrahedra. Required unless the shape is a mesh. A body that bends needs four "
            "or more across its thinnest extent: [with fewer it is too stiff](validation.md#bending), and `check` "
            "says so below three. Of mpm bodies: spacing of their grid, required, the same for all.")
            .unit("m")
            .only("deformable and mpm bodies", "kind", is_deformable_or_mpm),
        optional("particles_per_cell", &B::particles_per_cell, integer(1, 1000),
            "About how many particles fill a cell of the grid. Fewer than 8 leave gaps when the body is stretched; "
            "with fewer than 27 an elastic body at rest creeps, a liquid sinks, sand and snow that flow lose volume.")
            .only("mpm bodies", "kind", is_mpm),
        optional("jitter", &B::jitter, integer(0, 1000000000),
            "Seed: places each particle at random within its share of the cell. Default: in its middle.")
            .only("mpm bodies", "kind", is_mpm),
        optional("material", &B::material, text(TextRule::name),
            "One of `materials`. Required for spheres, deformable and mpm bodies, and rigid bodies without `motion`. "
            "Implicit runs use only `density` and `friction` of a rigid body's material. Obstacles without a material: "
            "see [two "
            "bodies that touch](#two-bodies-that-touch).")
            .at(&B::material_at),
        optional("position", &B::position, vector(),
            "Position of the origin of the shape, which need not be the centre of mass.")
            .unit("m")
            .at(&B::position_at),
        optional("place_on", &B::place_on, text(TextRule::body),
            "Name of another body. This body moves along `place_along` until the two touch ([placing bodies by "
            "contact](#placing-bodies-by-contact)). "
            "The component of `position` along that direction has no effect. Other bodies are not considered.")
            .at(&B::place_on_at)
            .only("deformable, rigid and mpm bodies and obstacles", "kind", is_not_spheres),
        optional("place_along", &B::place_along, vector(any_number(), true),
            "Direction of `place_on`, of any length. Default: gravity.")
            .only("deformable, rigid and mpm bodies and obstacles", "kind", is_not_spheres),
        optional("rotation", &B::rotation, rotation_kind(), "Rotation about the origin of the shape. Default: none."),
        optional("velocity", &B::velocity, vector(), "Initial velocity of the centre of mass, or of each sphere.")
            .unit("m/s")
            .only("deformable, mpm and rigid bodies and spheres", "kind", is_not_obstacle),
        optional("angular_velocity", &B::angular_velocity, vector(),
            "Initial angular velocity in world axes, about the centre of mass, or of each sphere about its own.")
            .unit("rad/s")
            .only("deformable, mpm and rigid bodies and spheres", "kind", is_not_obstacle),
        optional("motion", &B::motion, motion_kind(),
            "Scripted motion. Default: an obstacle is fixed. A rigid body with a motion is an obstacle: contacts do "
            "not affect it.")
            .only("obstacles and rigid bodies", "kind", is_rigid_or_obstacle),
        optional("force", &B::force, vector(), "Constant force at the centre of mass, in world axes.")
            .unit("N")
            .only("rigid bodies", "kind", is_rigid),
        optional("torque", &B::torque, vector(), "Constant torque, in world axes.")
            .unit("N m")
            .only("rigid bodies", "kind", is_rigid),
        optional("fixed_dofs", &B::fixed_dofs, fixed_dofs_kind(),
            "Fixed degrees of freedom: translations of the centre of mass along the world axes, rotations about them.")
            .only("rigid bodies", "kind", is_rigid),
        optional("sample", &B::sample, automatic(above(0)),
            "Distance between sample points, which detect contact with other bodies: the vertices, and points on "
            "longer edges and on faces. Of no effect between boxes and convex meshes; in implicit runs points on faces "
            "of these have none on rounded boxes and on meshes that are not convex, which meet the faces by points of "
            "their own. Curved shapes: edge length of their triangulation. `auto`: see [rigid bodies](#rigid-bodies).")
            .unit("m")
            .at(&B::sample_at)
            .only("rigid bodies and obstacles", "kind", is_rigid_or_obstacle),
        optional("group", &B::group, text(TextRule::name),
            "Group for `collides_with`. Default: the name, without an index."),
        optional("collides_with", &B::collides_with, names_kind(),
            "Groups that the body touches. Default: all. Two bodies touch if each includes the other's group."),
        optional("fix", &B::fix, list(fix_kind()), "Regions whose nodes are fixed or prescribed.")
            .only("deformable bodies", "kind", is_deformable),
        optional("acceleration", &B::acceleration, vector(), "Added to gravity.")
            .unit("m/s^2")
            .only("deformable, mpm and rigid bodies", "kind", is_solid),
        optional("pressure", &B::pressure, number(any_number()), "Pressure on the whole surface, positive inward.")
            .unit("Pa")
            .only("deformable bodies", "kind", is_deformable),
    };
    fields.push_back(optional("edges", &B::edges, edges_kind(),
        "Contact of spheres with the edges of a mesh or of a deformable body's surface. `smooth`: contacts only where "
        "the distance has a local minimum, so that edges of a flat or gently curved surface are not felt. `zones`: the "
        "three-zone rule. `raw`: each facet by itself, for comparison. Default: `smooth`.")
                         .only("deformable and rigid bodies and obstacles", "kind", has_triangles));
    fields.push_back(optional("contact_geometry", &B::contact_geometry,
        choice<ContactGeometry>({{"mesh", ContactGeometry::mesh}, {"level_set", ContactGeometry::level_set}}),
        "Geometry that others touch. `mesh`: the triangles, spheres from either side; in implicit runs also capsules, "
        "nodes of deformable bodies, and vertices and sample points of rigid ones, the last two from outside. "
        "`level_set`: the sampled signed distance alone. Unset: `mesh` in implicit runs, for a closed mesh without "
        "`spacing` that has at most 20,000 triangles, or walls or slots that the "
        "[usual grid](level_sets.md#walls-and-slots) does not show; else spheres (in implicit runs also capsules) "
        "touch the triangles, all "
        "others the distance, and in implicit runs sharp edges of others its sharp edges. The log says which. Convex "
        "meshes have their exact faces.")
                         .only("obstacles and rigid bodies", "kind", is_rigid_or_obstacle));
    for (Field<B>& key : sphere_keys(is_spheres))
        fields.push_back(std::move(key));
    return object<B>({"body", "One body, or a family of copies.",
                         "bodies:\n  - {name: cube, kind: deformable, material: rubber, shape: {box: [0.2, 0.2, 0.2]}, "
                         "resolution: 0.05, position: [0, 0.1, 0]}\n"
                         "  - {name: ball, kind: rigid, material: glass, shape: {sphere: 0.05}, position: [0, 0.5, 0], "
                         "velocity: [1, 0, 0]}\n"},
        std::move(fields), &B::where);
}

} // namespace stickslip
