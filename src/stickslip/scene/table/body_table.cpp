#include "stickslip/scene/table/body_table.h"

#include "stickslip/scene/table/copies_table.h"
#include "stickslip/scene/table/list_kinds.h"
#include "stickslip/scene/table/motion_table.h"
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
    return is_deformable(body) || is_rigid(body);
}
bool is_not_spheres(const BodySettings& body)
{
    return body.kind != BodyKind::spheres;
}
bool is_spheres(const BodySettings& body)
{
    return !is_not_spheres(body);
}

ObjectKind<Torus> torus_shape()
{
    return ObjectKind<Torus>("torus_shape", "",
        {whole("torus",
            object<Torus>("torus", "A ring in the plane y = 0.",
                {
                    required("major", &Torus::major, number(above(0)), "radius of the centre circle").unit("m"),
                    required("minor", &Torus::minor, number(above(0)), "radius of the tube, less than `major`")
                        .unit("m"),
                }),
            "ring about y")});
}

ObjectKind<MeshShape> mesh_shape()
{
    return ObjectKind<MeshShape>("mesh_shape", "",
        {whole("mesh",
            object<MeshShape>("mesh",
                "A closed triangle mesh for rigid bodies and obstacles, a tetrahedral mesh for deformable bodies: OBJ, "
                "OFF, STL, PLY, Gmsh "
                "`.msh` 2 and 4, "
                "VTK, VTU. The format is told by the ending of the name.",
                {
                    optional("file", &MeshShape::file, text(TextRule::file),
                        "path relative to the scene file; required without `files`")
                        .at(&MeshShape::file_at)
                        .only(
                            "meshes without `files`", "files", [](const MeshShape& mesh) { return mesh.files.empty(); })
                        .required_there(),
                    optional("files", &MeshShape::files, mesh_parts_kind(),
                        "triangles: several files that are one surface, with vertices joined across them by `weld`, so "
                        "that the seam between two parts is not felt"),
                    optional("unit", &MeshShape::unit, length_unit_kind(), "of the file's coordinates"),
                    optional("scale", &MeshShape::scale, scale_kind(),
                        "multiplies the coordinates of the file, all alike or each its own"),
                    optional("spacing", &MeshShape::spacing, automatic(above(0)),
                        "rigid bodies and obstacles: spacing of the grid on which the signed distance is sampled; "
                        "auto: none for a convex mesh of at most 200 flat faces, whose distance is exact, else 1/64 of "
                        "the longest edge of the bounding box")
                        .unit("m"),
                    optional("weld", &MeshShape::weld, automatic(at_least(0)),
                        "triangles: vertices at most this apart, along each axis, are one; auto: a millionth of the "
                        "mesh's size")
                        .unit("m"),
                    optional("patch_angle", &MeshShape::patch_angle,
                        number({.low = 0, .high = 90, .high_excluded = true}),
                        "triangles: across edges that fold by at most this a surface is one smooth patch, where a "
                        "sphere's contact that ends looks first for one to hand its friction on to; forces do not "
                        "depend on it")
                        .unit("deg"),
                }),
            "a file of triangles or tetrahedra")});
}

ObjectKind<LevelSetShape> level_set_shape()
{
    return ObjectKind<LevelSetShape>("level_set_shape", "",
        {whole("level_set",
            object<LevelSetShape>("level_set", "A signed distance sampled on a grid. Obstacles only.",
                {required("file", &LevelSetShape::file, text(TextRule::file), "path relative to the scene file")
                        .at(&LevelSetShape::file_at)}),
            "a file with a sampled signed distance")});
}

template <typename T>
KindPtr<T> round_kind(const char* title, const char* about, const char* height)
{
    return object<T>(title, about,
        {
            required("radius", &T::radius, number(above(0)), "radius").unit("m"),
            required("height", &T::height, number(above(0)), height).unit("m"),
        });
}

KindPtr<Shape> shape_kind()
{
    const KindPtr<Plane> plane =
        object<Plane>("plane", "The half space below a plane through the origin. Obstacles only.",
            {required("normal", &Plane::normal, vector(any_number(), true), "points out of the solid, of any length")});
    using Choice =
        VariantKind<Plane, Box, RoundedBox, Sphere, Cylinder, Cone, Capsule, Torus, MeshShape, LevelSetShape>;
    auto kind = std::make_shared<Choice>("shape",
        "Exactly one of the shapes, in the body's own axes. The analytic ones are centred on the origin.",
        ObjectKind<Plane>("plane_shape", "", {whole("plane", plane, "half space")}),
        ObjectKind<Box>(
            "box_shape", "", {required("box", &Box::size, vector(above(0)), "full edge lengths").unit("m")}),
        ObjectKind<RoundedBox>("rounded_box_shape", "",
            {whole("rounded_box",
                object<RoundedBox>("rounded_box",
                    "A box with rounded edges and corners, which roll as cylinders and balls do; rigid bodies and "
                    "obstacles only.",
                    {
                        required("size", &RoundedBox::size, vector(above(0)), "full edge lengths, from face to face")
                            .unit("m"),
                        required("radius", &RoundedBox::radius, number(above(0)),
                            "of edges and corners; less than half of the smallest edge length")
                            .unit("m"),
                    }),
                "box with rounded edges")}),
        ObjectKind<Sphere>(
            "sphere_shape", "", {required("sphere", &Sphere::radius, number(above(0)), "radius").unit("m")}),
        ObjectKind<Cylinder>("cylinder_shape", "",
            {whole("cylinder", round_kind<Cylinder>("cylinder", "Axis y, flat ends.", "from end to end"),
                "cylinder about y")}),
        ObjectKind<Cone>("cone_shape", "",
            {whole("cone",
                round_kind<Cone>("cone",
                    "Axis y, its base below, its apex above, each half the height from the origin; rigid bodies and "
                    "obstacles only.",
                    "from base to apex"),
                "cone about y, apex up")}),
        ObjectKind<Capsule>("capsule_shape", "",
            {whole("capsule",
                round_kind<Capsule>("capsule", "Axis y, round ends.", "of the cylindrical part, without the caps"),
                "capsule about y")}),
        torus_shape(), mesh_shape(), level_set_shape());
    Json unused;
    kind->add_elsewhere({.key = "resolution",
                            .unit = "m",
                            .doc = "the same as the body's `resolution`; give it in one of the two places",
                            .words = number(above(0))->words()},
        number(above(0))->schema(unused));
    return kind;
}

KindPtr<Bounds> region_kind()
{
    NumberRange coordinate = any_number();
    coordinate.infinite = true;
    return object<Bounds>("region", "A box with edges along the world's axes.",
        {
            required("min", &Bounds::min, vector(coordinate), "lowest corner").unit("m"),
            required("max", &Bounds::max, vector(coordinate), "highest corner, nowhere below `min`").unit("m"),
        });
}

KindPtr<FixSettings> fix_kind()
{
    return object<FixSettings>("fix", "Holds the nodes of a deformable body in a region, or leads them.",
        {
            required("box", &FixSettings::box, region_kind(),
                "nodes inside are held; in world coordinates, of the body as it is placed at the start"),
            optional("motion", &FixSettings::motion, motion_kind(), "left out: the nodes stay where they are"),
        },
        &FixSettings::where);
}

KindPtr<BodyKind> kind_of_body()
{
    const std::string reason = "bodies are part of the format, but this version of stickslip cannot run them yet "
                               "(it runs deformable, rigid, spheres and obstacle)";
    return choice<BodyKind>({{"deformable", BodyKind::deformable}, {"rigid", BodyKind::rigid},
                                {"spheres", BodyKind::spheres}, {"obstacle", BodyKind::obstacle}},
        {{"mpm", reason}});
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
            "differs from all others; without . / \\ [ ] and control characters, but for the index of a copy: "
            "`brick[3]`")
            .at(&B::name_at),
        required("kind", &B::kind, kind_of_body(),
            "`deformable`: elastic, moves by its own mass; `rigid`: keeps its shape, moves by its own mass; "
            "`spheres`: any number of them, see [spheres](#spheres); `obstacle`: at rest or moved by `motion`, of "
            "infinite mass"),
        optional("copies", &B::copies, copies_kind(), "many of these; left out: one").at(&B::copies_at),
        required("shape", &B::shape, shape_kind(), "its geometry")
            .at(&B::shape_at)
            .only("deformable and rigid bodies and obstacles", "kind", is_not_spheres)
            .required_there(),
        optional("resolution", &B::resolution, number(above(0)),
            "target edge length of the tetrahedra; required for a deformable body whose shape is not a mesh")
            .unit("m")
            .only("deformable bodies", "kind", is_deformable),
        optional("material", &B::material, text(TextRule::name),
            "one of `materials`; required for spheres, deformable bodies and rigid ones without `motion` (of which "
            "in implicit runs only `density` and `friction` count). What obstacles without one have: "
            "[two bodies that touch](#two-bodies-that-touch)")
            .at(&B::material_at),
        optional("position", &B::position, vector(),
            "of the body's origin: that of its shape, which need not be its centre of mass")
            .unit("m")
            .at(&B::position_at),
        optional("rotation", &B::rotation, rotation_kind(), "about the body's origin; left out: none"),
        optional("velocity", &B::velocity, vector(), "at the start, of the centre of mass; of each sphere")
            .unit("m/s")
            .only("deformable and rigid bodies and spheres", "kind", is_not_obstacle),
        optional("angular_velocity", &B::angular_velocity, vector(),
            "at the start, about the centre of mass, in world axes; "
            "of each sphere about its own")
            .unit("rad/s")
            .only("deformable and rigid bodies and spheres", "kind", is_not_obstacle),
        optional("motion", &B::motion, motion_kind(),
            "left out: an obstacle rests. A rigid body with a motion follows it whatever it meets, and counts as an "
            "obstacle from then on")
            .only("obstacles and rigid bodies", "kind", is_rigid_or_obstacle),
        optional("force", &B::force, vector(), "constant, at the centre of mass, in world axes")
            .unit("N")
            .only("rigid bodies", "kind", is_rigid),
        optional("torque", &B::torque, vector(), "constant, in world axes")
            .unit("N m")
            .only("rigid bodies", "kind", is_rigid),
        optional("fixed_dofs", &B::fixed_dofs, fixed_dofs_kind(),
            "motions held at rest: of the centre of mass along the world's axes, turns about them")
            .only("rigid bodies", "kind", is_rigid),
        optional("sample", &B::sample, automatic(above(0)),
            "distance between the points by which the surface enters other bodies: its vertices, and points between "
            "them on edges and faces that are longer. Curved shapes: edge length of their triangulation. auto: see "
            "below")
            .unit("m")
            .at(&B::sample_at)
            .only("rigid bodies and obstacles", "kind", is_rigid_or_obstacle),
        optional("group", &B::group, text(TextRule::name), "for `collides_with`; left out: its name, without an index"),
        optional("collides_with", &B::collides_with, names_kind(),
            "groups whose bodies it meets; left out: all. Two bodies meet when neither leaves the other out"),
        optional("fix", &B::fix, list(fix_kind()), "regions whose nodes are held or led")
            .only("deformable bodies", "kind", is_deformable),
        optional("acceleration", &B::acceleration, vector(), "added to gravity")
            .unit("m/s^2")
            .only("deformable and rigid bodies", "kind", is_solid),
        optional("pressure", &B::pressure, number(any_number()), "on the whole surface, positive pushes inward")
            .unit("Pa")
            .only("deformable bodies", "kind", is_deformable),
    };
    fields.push_back(optional("edges", &B::edges, edges_kind(),
        "how spheres meet the edges of a mesh, or of the surface of a deformable body: `smooth`, only where the "
        "surface is nearest to the sphere, so that the "
        "edges of a flat or gently curved surface are not felt; `zones`, the rule of three zones; `raw`, every facet "
        "by itself, for comparison. Left out: smooth")
                         .only("deformable and rigid bodies and obstacles", "kind", is_not_spheres));
    fields.push_back(optional("contact_geometry", &B::contact_geometry,
        choice<ContactGeometry>({{"mesh", ContactGeometry::mesh}, {"level_set", ContactGeometry::level_set}}),
        "what of a mesh spheres meet: its triangles, from either side, or the signed distance that all else meets. "
        "Left out: mesh")
                         .only("obstacles and rigid bodies", "kind", is_rigid_or_obstacle));
    for (Field<B>& key : sphere_keys(is_spheres))
        fields.push_back(std::move(key));
    return object<B>("body", "One thing in the scene.", std::move(fields), &B::where);
}

} // namespace stickslip
