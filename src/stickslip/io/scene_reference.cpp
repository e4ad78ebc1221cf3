#include "stickslip/io/scene_table.h"

namespace stickslip {

std::string scene_schema()
{
    Json definitions = Json::object();
    const Json root = scene_kind().schema(definitions);
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
    R"(<!-- Written from the table in src/stickslip/io/scene_table.cpp; see the end of the file. Do not edit. -->
# Scene format, version 1

A scene is one YAML 1.2 document (JSON is YAML too), UTF-8. All numbers are SI; angles are degrees only where the key says so.
File names are relative to the scene file.

- Numbers are decimal (`1`, `0.5`, `1e6`), finite and not beyond 1e30; `.inf` only where the table says so.
- `true` and `false` are the only booleans; a text that looks like a number or a boolean stands in quotes.
- Unknown and repeated keys are errors. Anchors and aliases may be used; tags and merge keys may not.
- Limits: 16 MiB, 500000 values, 32 levels.
- An override `--set path.to.key=value` replaces one value before anything is checked. Items of a list are addressed by name
  (`bodies.block.velocity=[1, 0, 0]`) or by number (`contact.pairs[0].friction=0.5`); the value is YAML.
- `stickslip check --full SCENE` prints a scene with all its defaults, `stickslip schema` the JSON Schema for editors.

Known to the format, but not yet to this version (an error says so): the body kinds `rigid`, `mpm` and `spheres` with their
keys and material models, and `integration: explicit`.

)";

const char* const end = R"(
Beyond single values the reader checks: names are unique and refer to something; `end` >= `step`, `min_step` <= `step` <= `max_step`;
at most 1e9 steps; `max` >= `min`; keyframes in the order of time; the tube of a torus thinner than its ring; a deformable body has a
material with `young` and `poisson` and, unless it is a mesh, a `resolution` that gives at most 1e8 tetrahedra.

To write this file anew after a change of the table: `STICKSLIP_REGENERATE=1 bin/io_tests --gtest_filter=SceneTable.*IsInTheDocs`.
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
    return text + end;
}

} // namespace stickslip
