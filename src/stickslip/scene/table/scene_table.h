#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/table/kind.h"

#include <string>
#include <vector>

namespace stickslip {

/// The table of the whole format: every key with what may stand there, unit, default, meaning and the member it is
/// bound to. Reader, schema, manual and writer are all this one object.
const Kind<Scene>& scene_kind();

/// JSON Schema (draft 2020-12) of the scene format. What depends on two values at once (a material that exists, end >=
/// step) is not in it; the reader checks that.
std::string scene_schema();

/// The manual of the format in Markdown: the text of docs/scene_format.md.
std::string scene_reference();

/// The sections of the manual, each with an example: a scene together with example_base(), which it includes.
std::vector<ReferenceSection> reference_sections();
std::string example_base();

/// The scene as YAML with all defaults filled in; numbers read back to the same bits. Files are named as in the scene.
std::string write_scene(const Scene& scene);

} // namespace stickslip
