#include "stickslip/scene/table/scene_table.h"

namespace stickslip {

namespace {

/// Lets an expression stand wherever the schema has a number.
void allow_expressions(Json& schema)
{
    for (Json& below : schema)
        if (below.is_structured())
            allow_expressions(below);
    if (!schema.is_object() || !schema.contains("type") || (schema["type"] != "number" && schema["type"] != "integer"))
        return;
    Json number = std::move(schema);
    schema = Json::object();
    if (number.contains("description")) {
        schema["description"] = number["description"];
        number.erase("description");
    }
    schema["anyOf"] = Json::array({std::move(number), Json{{"$ref", "#/$defs/expression"}}});
}

} // namespace

std::string scene_schema()
{
    Json definitions = Json::object();
    const Json root = scene_kind().schema(definitions);
    allow_expressions(definitions);
    definitions["expression"] = {{"type", "object"}, {"additionalProperties", false},
        {"required", Json::array({"expr"})},
        {"properties", {{"expr", {{"anyOf", Json::array({Json{{"type", "string"}}, Json{{"type", "number"}}})}}}}}};
    Json schema = {
        {"$schema", "https://json-schema.org/draft/2020-12/schema"},
        {"title", "stickslip scene, format 1"},
        {"$ref", root["$ref"]},
        {"$defs", std::move(definitions)},
    };
    return schema.dump(2) + "\n";
}

namespace {

const char* const introduction =
    R"(<!-- Written from the table in src/stickslip/scene/table/scene_table.cpp; see the end of the file. Do not edit. -->
# Scene format, version 1

A scene is one YAML 1.2 document in UTF-8 (JSON is valid YAML). All values are in SI units. Angles are in degrees only where the key says so.
File names are relative to the scene file. `stickslip check SCENE` reports all errors of a scene. `stickslip check --full SCENE` prints it with all defaults. `stickslip schema` prints the JSON Schema for editors.

- **Numbers** are decimal (`1`, `0.5`, `1e6`), finite and at most 1e30 in magnitude. `.inf` is allowed only where the table says so; `Infinity` and `"inf"` are synonyms. A number in quotes is a text.
- **Booleans** are `true` and `false` only. A text that looks like a number or a boolean must be in quotes.
- **Words** (`auto`, `.inf`, one of several choices) may be in quotes, as JSON requires.
- **Expressions** `{expr: "2*pi/n"}` may replace any number: `+ - * / ^`, parentheses, `pi`, `sin cos tan` (radians), `sqrt abs min max`, and the names in `variables`.
- **Overrides** `--set path.to.key=value` replace one value before the scene is checked. The value is YAML. List items are addressed by name (`bodies.block.velocity=[1, 0, 0]`) or by index (`contact.pairs[0].friction=0.5`, `gravity[1]=-1.62`).
  `bodies.brick[3]` is one copy, `bodies.brick` all copies.
- **Includes**: `include` merges other files into the scene. Mappings are merged; values of the including file take precedence, then those of the file named last. Lists of mappings (bodies, pairs, expectations) are
  concatenated, included ones first. Paths in an included file are relative to that file.
- Unknown and repeated keys are errors. Anchors and aliases are allowed, tags and merge keys are not.
- Limits: 16 MiB, 500000 values, 32 levels of nesting.

In the tables, `required` keys have no default, and exactly one of the `alternative` keys is needed. A default of `-` is described in the last column.
Each example below is a complete scene if `include: base.yaml` stands before it, with this `base.yaml`:

```yaml
)";

const char* const base_scene = R"(stickslip: 1
time: {step: 0.01, end: 1}
materials:
  rubber: {density: 1000, young: 1e6, poisson: 0.45, friction: 0.8}
  glass: {density: 2500, young: 1e7, poisson: 0.25}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
)";

const char* const after_tables = R"(
## Material points

A body of kind `mpm` is a set of material points: soft solids that deform without limit, sand, clay, snow, liquids. Their velocities are solved on a grid with spacing `resolution`, implicitly and together with all other bodies (quadratic B-splines, affine particle-in-cell transfers).

```yaml
materials:
  sand: {density: 1500, model: drucker_prager, young: 2e5, poisson: 0.3, friction_angle: 35}
bodies:
  - {name: heap, kind: mpm, material: sand, shape: {cylinder: {radius: 0.09, height: 0.12}}, resolution: 0.03, position: [0, 0.06, 0]}
```

- The shape is filled with `particles_per_cell` particles in each cell of the grid, in equal boxes along its own axes. They share its exact volume, so the mass is exact. With fewer than 27 the nodes have motions that hardly strain any particle: an elastic body at rest then creeps at up to 3e-6 m/s, with 27 below 1e-9 m/s; a liquid at rest with 8 sinks by 2 to 10 % a second, with 27 by less than 0.1 %; a column of sand that collapses has lost 24 to 68 % of its volume with 8, 2 % with 27 ([measured](validation.md#material-points)). Between solids an elastic body is too stiff by about half a cell over its height: 13 % with 4 cells, 6 % with 8.
- All mpm bodies of a scene share one grid, and so need the same `resolution`. **They stick to each other** where they come within a cell or two; friction between two of them cannot be chosen, nor can `pairs` or `collides_with` part them: `check` warns.
- Contact with obstacles and rigid bodies begins when the centre of a particle is half the distance between particles away; contact with deformable bodies begins at the centre. No particle starts nearer than that to the surface of its shape (the equal boxes are stretched a little where they do not fit), so a filled shape touches with its surface, for any size and with sharp edges. If the shape is thinner than a particle everywhere, the particles are as wide as it is thick; if only a part is, the particles of that part are placed in the nearest free space. `check` and the log warn of both. Contact acts on both sides, with the same friction as between other bodies. `stiffness: auto` is a stiffness per area.
- If the velocities predict that a particle crosses more than one cell, the step is subdivided (halves, quarters, ...) before it is solved; `divided_steps` in the summary counts these steps, the log names the first. If a particle has crossed more than one cell in the solution, the step is repeated with half its length.
- No particle leaves: what falls out of the scene falls on (`outlets` are of spheres). The grid ends 2^20 spacings from the origin along each axis: `check` refuses a body beyond, a run in which a particle gets there gives up with exit status 3, in the last state.
- Materials: all need `density`. The angle of repose of a heap is not an input: it follows from `friction_angle`, and from the resolution. Between parallel walls a slope stands up to the angle whose sine is tan(`friction_angle`): 15.5, 21.3, 27.8 and 35.3 degrees for 15, 20, 25 and 30 ([measured](validation.md#material-points)).

| `model` | keys | law |
|---|---|---|
| `fixed_corotated`, `neo_hookean` | `young`, `poisson`, `damping` | elastic, as of deformable bodies (Stomakhin et al. 2012; Smith, de Goes and Kim 2018) |
| `drucker_prager` | `young`, `poisson`, `friction_angle`, `cohesion` | sand: Hencky elasticity, the cone that is Coulomb's law in simple shear: `friction_angle` 30 degrees acts as 25 in triaxial compression, as 35 in plane strain; flow keeps the volume, volume gained in free flight is given back first (Klar et al. 2016, Tampubolon et al. 2017) |
| `von_mises` | `young`, `poisson`, `yield_stress`, `hardening_modulus` | clay, metal: Hencky elasticity, radial return (Simo and Hughes 1998) |
| `snow` | `young`, `poisson`, `critical_compression`, `critical_stretch`, `hardening` | Hencky elasticity, stretches stay within limits by associated flow, stiffness grows exponentially with compaction (limits and hardening: Stomakhin et al. 2013) |
| `fluid` | `bulk_modulus`, `viscosity` | a weakly compressible liquid: pressure by its volume, tension included (energy of Simo and Hughes 1998, section 9.2); Newtonian shear stress. On high friction (`contact.friction: .inf`) it needs more iterations where it spreads |

Not available with mpm bodies: contact with open meshes, explicit integration, `start`, `fix`, `pressure`.

## Rigid bodies

- Mass, centre of mass and inertia are computed exactly from shape and density.
- A mesh must be a closed surface without self-intersections, with triangles counter-clockwise seen from outside. Parts may touch, but no part may enclose volume that another part encloses (a duplicate shell, overlapping parts). Coincident triangles of opposite orientation, where two parts share a face, are removed with a warning; the volume does not change.
  A surface inside another with reversed winding is a cavity. Errors name the edge or triangle.
- `position` places the origin of the shape. `velocity`, `force` and `fixed_dofs` refer to the centre of mass, in world axes. An initial velocity along a fixed degree of freedom is an error.
- A rigid body with a `motion` follows it whatever it touches. It needs no material, and loads and initial velocities on it are errors.
- A convex mesh of at most 200 flat faces has an exact signed distance, unless `spacing` asks for a grid. The distance of other meshes is sampled.

**How they touch.** Every body is touched through its signed distance. What differs is the geometry that detects the contact:

- Spheres, capsules and tori are exactly round. So are the edges and corners of a rounded box, and the sides and rims of a cylinder or cone, which touch at the point of each circle that is deepest. In implicit runs they also touch where an edge of a box, of a convex mesh or of a rounded box, or the side of another cylinder or capsule, lies across them, and capsules where a corner, a rim or a cap meets their side. They roll without faceting. Obstacles of these shapes are
  treated the same way in contact with rigid bodies.
- Boxes and convex meshes of at most 200 flat faces touch each other exactly: vertices on faces, and edges across edges. `sample` has no effect between two of them.
- All other pairs of rigid bodies and bounded obstacles, and the flat ends of the above, touch at sample points of their surfaces. An obstacle from a `level_set` file has no sample points.
- With `sample: auto`, boxes and meshes are sampled at their vertices and at points at most max(longest edge of the bounding box / 8, half of the smallest middle edge of a body that it may touch; of a `level_set`, four spacings of its grid count) apart; on sharp edges half of that middle
  edge, and an eighth of that of cylinders and cones, whose sides go in between, but at least 1/64 of the longest edge. Bounding boxes are in the bodies' own axes. Bodies may touch unless pairs, groups, `fixed_dofs` or a scripted motion keep them apart.
- A cylinder, cone, sphere or capsule is triangulated with edges of about a quarter of its radius, a torus with about half of its tube's radius.

**Warnings.**

- Initial overlap: names both bodies and the depth. If no face separates them (one body inside another, equal bodies at one place), it gives the diameter of the largest ball that fits into both, from 10 % of the smaller body's smallest size. Pairs
  without contact are not tested.
  A deformable body that is deeper in another than a quarter of an element, or of a thin body's thickness, is named with the depth, by the [same measure](derivations.md#overlap-of-bodies) as the audit takes: contact does not push it out.
- A load far beyond a body's own weight can press it deep into its support with `stiffness: auto`. At the end of a run without `contact.penetration` the log names the deepest pair of bodies relative to its size, if the depth
  exceeds a tenth of the smallest size of either (of what deforms, the smallest extent of its nodes or particles then). It suggests a `penetration` of 1 % of that size.

## Placing bodies by contact

`place_on` computes the place at which a body touches another one:

```yaml
bodies:
  - {name: slope, kind: obstacle, shape: {plane: {normal: [0.342, 0.940, 0]}}}
  - {name: block, kind: rigid, material: glass, shape: {box: [0.2, 0.1, 0.2]}, position: [-0.3, 0, 0], rotation: {axis: [0, 0, 1], degrees: -20}, place_on: slope}
  - {name: ball, kind: rigid, material: glass, shape: {sphere: 0.05}, position: [-0.27, 0, 0.02], place_on: block}
```

- The body comes from infinitely far away along gravity, or along `place_along`, and stops at its first contact with the named body. Only the components of `position` across that direction count. `rotation` is kept.
- `place_along: [-1, 0, 0]` pushes it against a wall from the right. Minus the normal of a plane sets it down where the normal through `position` meets the plane.
- Shapes are exact, deformable bodies are taken with their nodes, meshes with their triangles, a `level_set` with the triangles of its zero surface. The hole of a torus is up to 5e-6 of `major` too narrow.
- Bodies may be placed on placed bodies, in any order of the file. Other bodies in the way are not considered: overlaps are warned of as usual.
- Errors: no such body, a family of copies, a body of spheres, a circle of bodies placed on each other, a direction that misses the body, no gravity and no `place_along`. Planes and families of `copies` cannot be placed this way.

## What contact does not detect

- **The audit.** `solver.audit` measures how deep bodies are in each other from their shapes alone, at the end of the run or in each frame, and names those that overlap by more than contact feels ([how](derivations.md#overlap-of-bodies)). What passed through and is outside again in all frames that are looked at is found by the other watches of this list, or not at all.
- **Deformable bodies** touch each other at three points (`contact.quadrature`) of each triangle of the finer one, and at sharp edges that cross; `contact.self: true` lets them touch themselves. A corner sinks in by up to a sixth of its own elements before one of these points touches (a tenth with 6 points, a sixteenth with 12). A body that starts deeper
  than a quarter of an element, or of a thin body's thickness, in another is not pushed out; `check` and the run warn.
- **Meshes.** A corner or a node that starts within a rigid body or an obstacle which is met by its triangles, deeper than a quarter of an edge or of the thickness, is not pushed out.
- **Fast bodies.** Contact is detected at the end of each step. `check` warns about two bodies whose initial or scripted approach in one step exceeds the thickness of one of them. The run warns about such a step unless the bodies are in contact at
  its end, neither beyond the middle of the other. Planes cannot be passed. If a body is found to have passed through another, the run stops with exit status 3 in the state before that step.
- **Far steps.** `check` warns about a body that travels farther than its own length in one step, whatever it meets: by its initial velocity, gravity and loads in the first step, or by its script. The run warns when this first happens. Contact
  of such a step is found late and deep. Copies and spheres of one body share a warning. Bodies too fast for what they will meet (above) are not named again.
- **Material points** meet deformable bodies with their centres. A step in which a particle went through a rigid body or an obstacle without touching it at the end is taken again with half its length, down to a 32nd. A particle that still did, or that is a quarter of an element deep in a deformable body or went through it in a step, and does not touch it, ends the run with exit status 3 in the state before that step.
- **Thin bodies.** Deformable bodies touch planes and belts at their nodes, spheres by their triangles, and other solids both at their nodes and at points of the solid's vertices and edges. The run warns about a body that is deeper inside than its deepest contact: with its centre, or with a surface point by more than half an element.
- **Crossing edges** are detected in implicit runs: those of boxes and convex meshes, rims and folds of open meshes (fading in from 1 to 3 degrees), the rims of cylinders and cones (as polygons of 48 sides), and sharp edges of deformable bodies (40 degrees and more) and of other closed meshes (against sharp edges 15 and more, against much longer ones from 1 to 3 degrees on), unless they say `contact_geometry: level_set`. If two boxes or convex meshes overlap after a step, or did so on their way, by more than twice their deepest contact and a tenth
  of the smallest size of either, the step is taken again with half its length, down to a 32nd; also if other rigid bodies or obstacles that came towards each other by more than a tenth of their size in the step overlap that much unfelt, have gone through one another, or have passed their middles, so that contact would push them out on the far side. The run warns about what is left.
- **Unsuitable stiffness.** `check` warns about a `stiffness` with which a body sinks by a tenth of its smallest size, about one that is 1000 times the automatic value, and about one with which the rounding error of positions exceeds `solver.tolerance`.
- A run warns about each pair or body once, and again at its end if the value has doubled. `summary.json` lists the worst value of each under `warnings`.

## Spheres

`kind: spheres` is a set of spheres: those of `positions`, or a region filled by `fill`, or those that enter by `inlet`. `position` and `rotation` move the whole set. `velocity` and `angular_velocity` are those of each sphere.

**Explicit runs** (`solver.integration: explicit`, velocity Verlet). [Which integrator to choose](integrators.md) tells more.

- Spheres touch each other, rigid bodies and obstacles. Deformable bodies need `implicit`.
- `time.step: auto` takes `time.safety` of the stability limit, the shortest period of any contact; the log states both. About 20,000 steps per simulated second are usual. Soften the material rather than lengthen the step: overlaps of 1 % of a radius are
  harmless.
- The contact force follows `contact.law`, with the coefficients of [two bodies that touch](#two-bodies-that-touch). A rule in `contact.pairs` may name a body of spheres twice: it holds for any two of its spheres.
- With `clump`, each sphere is replaced by a rigid body of spheres. Clumps use `inlet` and `outlets` as spheres do. Frames show their spheres; `clump` tells which belong together.
- A centre inside a solid at the start is an error. Overlaps with walls or between spheres of more than 1 % of a radius, and walls that obstruct an inlet, are warnings. A mesh touched by its triangles has no inside, so a sphere that starts within
  a closed mesh is not reported.
- A wall counts as flat, whatever its curvature: the effective radius of a contact is that of the sphere. Its side of a linear contact is as stiff as a sphere of the same size and of the wall's material.
- `outlets` remove spheres and `periodic` makes the domain periodic. `gates` in the summary lists the mass that passed, and for inlets the mass that `rate` `asked` for. The run warns if an inlet lags by more than 3 % because there was no room.
- `speed` and `position` in `expect` refer to the centre of mass of all spheres of a body, `contact_force` to an obstacle or a rigid body, `energy_rise` and `max_contact_depth` to the whole scene. They are checked at the rows of the history.

**Rigid bodies in explicit runs** use the contact parameters of their material (`kn`, or `young` and `poisson`).

- A rigid sphere is treated as one of the spheres. Other shapes touch spheres as walls of finite mass. They touch each other and obstacles at sample points, by default at most an eighth of the longest edge apart, on sharp edges of boxes and meshes also at most half the middle edge of what may lie across (a 64th of the longest edge at least).
- Circles are sampled at the vertices of their triangulation: a cylinder rolls over bumps, which slow it much. In an implicit run it rolls exactly. Edges that cross between two sample points are not detected: `check` warns where bodies are thinner than the distance of each other's points.
- Rigid bodies other than spheres and clumps pass through open meshes; `check` names them. Close the mesh (a sheet needs two sides), or make a clump of the body (a capsule is a row of overlapping spheres).
- Adhesion acts on spheres only. Outlets do not remove rigid bodies.
- `restitution` is that of a head-on blow, at one point or of a whole face. A clump that lands on several of its spheres at once rebounds less.

**Implicit runs** treat each sphere as a rigid body, `sand[0]`, `sand[1]`, ... Only density and friction of its material count; its contacts follow `contact`. At most 50,000 bodies. `clump`, `inlet`, `outlets` and `periodic` need `explicit`.

- Spheres, also rigid ones, touch deformable bodies at the triangles of their surface, from outside. So do capsules, rings, spheres that are obstacles, cones and cylinders longer than wide where their radius is less than 4 elements, beside their nodes. All other round bodies, cylinders no longer than wide among them, meet nodes alone: without friction what slides over them lies in valleys between its nodes, as steep as half an element over the radius.

**Spheres and meshes**, in both kinds of runs:

- Spheres touch the triangles of an obstacle or rigid body from both sides. So do capsules and the round edges of rounded boxes in implicit runs, but for convex meshes. The mesh of an obstacle may be open, and its winding does not matter. Of all other bodies nodes, vertices and sample points touch the triangles of a closed mesh in implicit runs, from outside, unless it has more than 20,000 and no walls or slots that need them, gives the `spacing` of a grid or says `contact_geometry: level_set`: then they touch its signed distance, sampled on a grid, as in explicit runs. Rings, cylinders and cones touch the same triangles by their circles; the rims of cylinders and cones are rounded there by a fiftieth of the radius, at most a tenth of the height. Material points always touch the distance: the sampled one, from 3 cells of its grid outside on the exact one.
  A distance has kinks in hollows, where two walls are equally near. Where the middle of the tube of a ring, a capsule or a sphere comes to one with `contact_geometry: level_set`, the solver may give up.
  In implicit runs sharp edges of a closed mesh meet sharp edges of deformable bodies, boxes and other closed meshes, unless it says `contact_geometry: level_set`. If bodies other than spheres exist, an open mesh must say `contact_geometry: mesh`. In implicit runs deformable bodies then touch it at their nodes and at points along its rims and its folds of 20 degrees and more, boxes and meshes at their vertices, edges and faces, from the side where they are; in explicit runs these bodies pass through it.
  Rings, cylinders and cones touch it by their circles, and by its folds and its own vertices. Of other rigid bodies than spheres and clumps all pass through it in explicit runs; `check` names what does, and what starts across an open mesh. With `contact_geometry: level_set` these touch the sampled distance as well (implicit runs).
- Vertices closer than `weld` are joined. Nearly closed seams and facets folded onto their neighbour give warnings.
- A sphere that touches several facets of a concave region gets the force of a smooth surface; in a groove, both sides push. `edges` chooses the treatment of edges (implicit: `smooth` or `raw`), also for deformable bodies.
- A sphere that passes a mesh in one step is pushed back to the side from which it came. Implicit runs do so at any depth; explicit runs until the centre is more than a radius behind the mesh, where the run stops with exit status 3.
- A centre inside any other solid, or beyond a thin one after a step, stops an explicit run at once: only meshes keep track of the side. `check` warns about obstacles thinner than a radius, and about meshes with more than 80 facets per sphere, which
  take most of the time. Edges of half a radius are fine enough.
- Other shapes are touched at their exact distance, in explicit runs at the nearest point only. Where a sphere may touch several points at once, triangles replace the shape and the log says so: those of the zero surface of a `level_set`, at its spacing (both kinds of runs);
  in explicit runs those of a torus whose hole is narrower than a sphere that may touch it, within a thousandth of the smallest radius. Above a million triangles `check` warns, and a sphere in the hole does not come to rest.

`motion` moves obstacles in both kinds of runs. `surface_velocity` makes a conveyor, which may itself move; it carries whatever touches it, also what it touches with its own edges and corners. `check` warns about `angular_velocity` with fewer than ten steps per turn, about `oscillations` with fewer than ten steps per period and about keyframes that may lie between two steps. Implicit runs divide a step in which what touches others, or may come to, [turns by more than 1 rad](derivations.md#turns-ahead).

## Two bodies that touch

Implicit and explicit runs look up the parameters of two bodies in the same order: a rule in `contact.pairs` for the two bodies, then a rule for their materials, then the two materials:

- `friction`: the smaller of the two; if only one material has a value, that value; if none has, or a body has no material, `contact.friction`.
- `restitution`, `rolling_friction`, `twisting_friction` (explicit runs): the smaller of the two.
- Stiffness (explicit runs): the springs of both sides in series, with the mean `kt`/`kn`; or the effective moduli of Hertz and Mindlin. Implicit runs: `contact.stiffness`.
- `surface_energy` (explicit runs): the geometric mean.

In explicit runs an obstacle without a material takes all values but `friction` from the material of the first spheres, else of the first rigid body. Rules for materials hold for bodies with a `material`.
Two bodies with `enabled: false`, or kept apart by `collides_with`, pass through each other (not two mpm bodies, which [share a grid](#material-points)). They may overlap at the start, and an inlet ignores what its spheres do not touch.

## Many bodies

`copies` makes bodies `brick[0]`, `brick[1]`, ... from one. In `pairs`, `brick` stands for each of them and `[brick, brick]` for any two; rules that name single bodies take precedence. An expectation for `brick` applies to each copy.
`collides_with` disables contact of many bodies at once: two bodies touch only if each includes the other's group. The group of a body is its `group`, or its name without an index.

The run folder's `scene.yaml` is the expanded scene: includes merged, expressions evaluated, each copy a body of its own.

Checks across keys: names are unique (of regions of `fix`: within the body) and refer to something that exists; `end` >= `step`; `min_step` <= `step` <= `max_step`; at most 1e9 steps; `max` >= `min`; keyframes in the order of time; the tube of a torus thinner than its ring;
a material for rigid bodies; `young`, `poisson` and (except for meshes) a `resolution` that gives at most 1e8 tetrahedra for deformable bodies.

To regenerate this file after a change of the table: `STICKSLIP_REGENERATE=1 bin/scene_tests --gtest_filter=SceneTable.*IsInTheDocs`.
)";

std::string escape_cell(std::string text)
{
    for (std::size_t i = text.find('|'); i != std::string::npos; i = text.find('|', i + 2))
        text.insert(i, "\\");
    return text;
}

} // namespace

std::string example_base()
{
    return base_scene;
}

std::vector<ReferenceSection> reference_sections()
{
    std::vector<ReferenceSection> sections;
    scene_kind().describe(sections);
    return sections;
}

std::string scene_reference()
{
    std::string text = std::string(introduction) + base_scene + "```\n\n";
    for (const ReferenceSection& section : reference_sections()) {
        text += "## " + section.text.title + "\n\n" + section.text.about;
        for (const std::string& rule : section.rules)
            text += " " + rule;
        text += "\n\n```yaml\n" + section.text.example + "```\n\n";
        text += "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
        for (const ReferenceRow& row : section.rows)
            text += "| `" + row.key + "` | " + escape_cell(row.value) + " | " + (row.unit.empty() ? "-" : row.unit)
                + " | " + row.fallback + " | " + escape_cell(row.meaning) + " |\n";
        text += "\n";
    }
    text.pop_back();
    return text + after_tables;
}

} // namespace stickslip
