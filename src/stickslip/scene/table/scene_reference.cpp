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

A scene is one YAML 1.2 document (JSON is YAML too), UTF-8. All numbers are SI; angles are degrees only where the key says so.
File names are relative to the scene file.

- Numbers are decimal (`1`, `0.5`, `1e6`), finite and not beyond 1e30; `.inf` only where the table says so.
- Words of the table (`auto`, `.inf`, one out of several) may stand in quotes, as JSON needs them; infinity may be written as programs do, `Infinity` or `"inf"`. Numbers and
  booleans in quotes are texts.
- `true` and `false` are the only booleans; a text that looks like a number or a boolean stands in quotes.
- Unknown and repeated keys are errors. Anchors and aliases may be used; tags and merge keys may not.
- Limits: 16 MiB, 500000 values, 32 levels.
- An override `--set path.to.key=value` replaces one value before anything is checked. Items of a list are addressed by name
  (`bodies.block.velocity=[1, 0, 0]`) or by number (`contact.pairs[0].friction=0.5`); the value is YAML. One of several copies is `bodies.brick[3]`, all of them `bodies.brick`.
- `{expr: "2*pi/n"}` may stand wherever a number does: `+ - * / ^`, parentheses, `pi`, `sin cos tan` (radians) `sqrt abs min max`, and the names in `variables`.
- `include` joins other files to the scene. Mappings are merged, values of the including file going before; lists of mappings (bodies, pairs, expectations) are
  strung together, included ones first; of several files that give the same value, the one named later counts. Mesh files that an included file names are relative
  to that file.
- `stickslip check --full SCENE` prints a scene with all its defaults, `stickslip schema` the JSON Schema for editors.

Known to the format, but not yet to this version (an error says so): the body kind `mpm` with its material
models.

)";

const char* const after_tables = R"(
## Rigid bodies

- Mass, centre of mass and inertia follow from shape and density, exactly. A mesh must be a closed surface that does not cut through itself, its triangles
  counter-clockwise seen from outside, and no part of it may enclose what another encloses already (a shell given twice, or parts that overlap); what is wrong is named by
  edge or triangle. Parts may touch. A surface inside another, turned inside out, is a hollow.
- `position` places the origin of the shape; `velocity`, `force` and `fixed_dofs` are of the centre of mass, in the world's axes. A start velocity in a
  fixed motion is an error.
- A rigid body with a `motion` follows it whatever it meets: an obstacle that needs no material, and whose loads and start velocity would be without effect.
- A sphere, capsule or torus meets other bodies by its roundness, a rounded box by balls at its corners and along its edges; the sides and rims of a cylinder or cone by circles, each where it reaches farthest, so that they roll
  without bumps. Obstacles of these shapes meet rigid bodies likewise, unless they convey by `surface_velocity`. All other rigid bodies and bounded obstacles, and the flat
  ends of these, do so by points of their surface, and all by their signed distance. With `sample: auto` the points of boxes and meshes, besides the vertices, are at most
  max(longest edge of the body's bounding box / 8, half the smallest middle edge of a body that it may meet) apart, bounding boxes along the bodies' own axes; on sharp edges
  half that middle edge, but at least 1/64 of the longest. May meet: by pairs and groups, and not where a flight or `fixed_dofs` keep the two apart. A cylinder,
  cone, sphere or capsule is triangulated with edges near a quarter of its radius, a torus near half that of its tube. An obstacle from a `level_set` file has no points.
- The signed distance of a convex mesh of at most 200 flat faces is exact, unless `spacing` asks for a grid; that of other meshes is sampled.
- Bodies that start inside one another are warned of with both names: how deep points of contact are, or, where no face of either keeps the other out (equal bodies in one place, a body within another), how wide a ball
  fits into both, from a tenth of the smaller one's smallest size on. Pairs that do not meet are passed over.
- With `stiffness: auto` a load far beyond a body's own weight presses it far into what carries it. At the end of a run without `contact.penetration` the log names the pair of rigid bodies or obstacles that is
  deepest for its size, if that is more than a tenth of the smallest size of either, and a `penetration` of a hundredth of it, which keeps them higher.

## What contact does not detect

- Deformable bodies do not touch each other: two of them are an error unless `contact.pairs` (`enabled: false`) or `collides_with` parts them. Nor does a deformable body touch itself.
- Contact is detected where bodies are at the end of a step. `check` warns of two bodies that, as they start or are scripted, move farther towards each other in a step than one of them is thick that way; the run warns
  of such a step unless the two touch at its end, neither past the middle of the other. A plane cannot be passed. A run in which a body is seen to pass through another gives up with exit status 3, in the state before that step.
- A deformable body touches rigid bodies and obstacles, other than spheres, at its nodes. `check` warns of a body that is narrower (the middle edge of its bounding box) than these nodes are apart, the run of one that is deeper
  inside than its deepest contact: with its middle, or with a point of its surface by more than half an element.
- Edges that cross between the points of two surfaces are not felt. The run warns of two boxes or convex meshes that overlap by more than their deepest contact: by half the smallest size of either, measured along the shortest way that parts them. Points that are half that size
  apart (`sample`) feel such edges.
- `check` warns of a `stiffness` with which a body sinks in by a tenth of its smallest size, of one that is a thousand times what `auto` gives, and of one with which the rounding of positions exceeds `solver.tolerance`.
- A run warns of each pair once, and again at its end if it became twice as bad. `summary.json` has the worst of each pair among its `warnings`.

## Spheres

- `kind: spheres` is any number of spheres that move by their own mass: those of `positions`, or a region full of them by `fill`. `position` and `rotation` of the body
  move them all, `velocity` and `angular_velocity` are those of each.
- With `solver.integration: explicit` (velocity Verlet) they meet each other, rigid bodies and obstacles; deformable bodies need `implicit`.
- With `implicit` each is a rigid body, `sand[0]` and on, and meets deformable bodies and all else as rigid spheres do: of its material only density and friction count, its contacts follow
  `contact`. They meet a deformable body by the triangles of its surface, from outside, as those of a mesh; so do `rigid` spheres. All other shapes meet its nodes. At most 50,000 bodies; no `clump`, `inlet`, `outlets` and `periodic`.
- With `clump` each of them is a rigid body made of balls. Clumps come in by an `inlet` and leave by `outlets` as spheres do. Frames show their balls, `clump` says which belong together.
- `kind: rigid` moves in explicit steps as in implicit ones, by its material's contact data (`kn`, or `young` and `poisson`). A sphere rolls as one of the spheres; other shapes meet spheres
  like walls of finite mass, and each other and obstacles by points of their surface, at most an eighth of the longest edge apart unless `sample` says otherwise; circles
  count by the vertices of their triangulation, so that a cylinder rolls with small bumps, and edges that cross between two points are not seen. An open mesh is no obstacle to rigid
  bodies but to those that are spheres or clumps, and `check` warns by name: close the mesh, as a shell of two sides, or make a clump of the body (a capsule is a row of overlapping balls). Adhesion acts on spheres alone. Outlets take no rigid bodies.
- `time.step: auto` takes `time.safety` of the stability limit, the shortest period of any contact; the log says both. Some 20,000 steps a second of
  simulated time are usual: soften the material (overlaps of a hundredth of a radius do no harm) rather than lengthen the step.
- The force of a contact follows `contact.law`, its coefficients what is said under [two bodies that touch](#two-bodies-that-touch). A rule in `contact.pairs` may name a body of spheres twice: any two of it.
- Spheres meet an obstacle or a rigid body whose shape is a mesh by its triangles, from both sides, in explicit and in implicit runs: the mesh of an obstacle may be open, and its winding does not matter. Vertices nearer than a
  millionth of its size are joined, or than `weld`; a sphere that touches several facets of a dent is pushed by them together as by a smooth one, or by both sides of a groove, whatever the fold. Seams that are nearly closed and facets that lie folded on their neighbour are warned of. `edges` says how edges are met (implicit: `smooth` or `raw`), also those of a deformable body's surface. All other bodies meet the signed distance of a closed mesh; where there are such bodies, an open one has to say
  `contact_geometry: mesh`, and they pass through it, capsules too, which `check` names. With `contact_geometry: level_set` spheres meet the sampled distance as well (implicit runs).
- A sphere that comes from one side of a mesh is pushed back to that side, also where its centre has gone through in a step: in implicit runs however deep, in explicit ones until the centre is
  more than a radius behind, where the run gives up with status 3. A centre inside any other solid ends an explicit run at once, and so does one that has gone across a thin one in a step: no solid but a mesh knows
  the side that a sphere came from, and `check` warns of obstacles thinner than a radius. It also warns of meshes with more than 80 facets to a sphere, which take most of a run: edges of half a radius are fine enough.
- Other shapes are met by their exact distance, in explicit runs at the nearest place alone. Where a sphere may touch in several places at once it meets triangles in their stead, and the log says so: in implicit and explicit runs those of the zero surface of a `level_set`, at its spacing;
  in explicit runs those of a torus whose hole is narrower than one of the spheres that it may touch, no farther from it than a thousandth of the smallest one's radius. Where that takes more than a million triangles `check` warns, and a sphere that lies in the hole does not come to rest. A wall answers to each sphere as one of its own size, of the wall's material.
- `inlet` lets spheres come in during the run, `outlets` let them out; `periodic` closes space upon itself. The summary's `gates` says how much came and went, and how much `rate` `asked` for by then; a run warns where an
  inlet lags by more than 3 % because there was no room.
- In explicit runs a centre inside a solid at the start is an error, an overlap with a wall, or of two spheres, of more than a hundredth of a radius a warning, and so is an inlet that walls are in the way of. A mesh that spheres meet by
  its triangles has no inside: what begins within a closed one is not told.
- `motion` moves obstacles as usual; `surface_velocity` makes a conveyor, which may move too. A build warns of `oscillations` whose period has fewer than ten steps.
- The expectations `speed` and `position` are of the centre of mass of all spheres of a body, `contact_force` of an obstacle or a rigid body, `energy_rise` and `max_contact_depth`
  of the whole scene, judged at the rows of the history.

## Two bodies that touch

Implicit and explicit runs take the coefficients of two bodies from the same places. Each value is that of the rule in `contact.pairs` for the two bodies, else that of the rule for their materials, else what
follows from the two materials:

- `friction`: the lesser of the two; that of the one where the other material has none, or its body (an obstacle) no material; `contact.friction` where neither has one.
- `restitution`, `rolling_friction`, `twisting_friction` (explicit runs): the lesser of the two.
- Stiffness (explicit runs): the springs of the two sides in series with the mean of their `kt`/`kn`, or the effective moduli of Hertz and Mindlin. Implicit runs: `contact.stiffness`.
- `surface_energy` (explicit runs): the geometric mean.

In explicit runs an obstacle without a material takes from that of the first spheres, else of the first rigid body, all but `friction`. Rules for materials hold for bodies that say `material`.
With `enabled: false`, or where `collides_with` leaves one out, two bodies pass through each other; they may start inside one another, and an inlet lets in what it does not touch.

## Many bodies

`copies` makes bodies `brick[0]`, `brick[1]`, ... from one. In `pairs`, `brick` stands for each of them (`[brick, brick]`: any two), rules that name single bodies going
before those that name families; an expectation of `brick` is one of each. `collides_with` is for what should pass through each other by the hundred: two bodies meet
when neither leaves the other's group out. A body's group is its `group`, or else its name without an index.

The run folder's `scene.yaml` is the scene with all this done: included files merged, expressions replaced by their values, each copy a body of its own.

Beyond single values the reader checks: names are unique and refer to something; `end` >= `step`, `min_step` <= `step` <= `max_step`;
at most 1e9 steps; `max` >= `min`; keyframes in the order of time; the tube of a torus thinner than its ring; a rigid body has a
material, a deformable one a material with `young` and `poisson` and, unless it is a mesh, a `resolution` that gives at most 1e8 tetrahedra.

To write this file anew after a change of the table: `STICKSLIP_REGENERATE=1 bin/scene_tests --gtest_filter=SceneTable.*IsInTheDocs`.
)";

std::string escape_cell(std::string text)
{
    for (std::size_t i = text.find('|'); i != std::string::npos; i = text.find('|', i + 2))
        text.insert(i, "\\");
    return text;
}

} // namespace

std::string scene_reference()
{
    std::vector<ReferenceSection> sections;
    scene_kind().describe(sections);
    std::string text = introduction;
    for (const ReferenceSection& section : sections) {
        text += "## " + section.title + "\n\n" + section.about + "\n\n";
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
