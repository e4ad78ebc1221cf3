#include "arguments.h"
#include "bindings.h"
#include "errors.h"
#include "read_scene.h"
#include "scene_values.h"

#include "stickslip/scene/table/scene_table.h"
#include "stickslip/scene/text/scene_file.h"
#include "stickslip/simulation/scene_text.h"

#include <pybind11/stl.h>

namespace stickslip::python {

const Scene& ReadScene::scene() const
{
    if (!result.good())
        throw SceneError(result.faults);
    return result.scene;
}

BuildResult ReadScene::build(bool steered) const
{
    BuildResult built = build_world(scene(), folder, {}, steered);
    if (!built.good())
        throw SceneError(built.faults);
    return built;
}

namespace {

ReadScene read(const std::string& text, const std::string& file, const std::vector<std::string>& overrides)
{
    return {read_scene_text(text, file, overrides), file, std::filesystem::path(file).parent_path()};
}

/// Faults and warnings of text and files.
std::pair<py::list, py::list> check(const ReadScene& read)
{
    std::vector<Fault> faults = read.result.faults, warnings = read.result.warnings;
    if (read.result.good()) {
        BuildResult built;
        {
            const py::gil_scoped_release release;
            built = build_world(read.result.scene, read.folder);
        }
        faults = built.faults;
        warnings.insert(warnings.end(), built.warnings.begin(), built.warnings.end());
    }
    return {to_python(faults), to_python(warnings)};
}

py::object value(const ReadScene& read, const py::object& path)
{
    const SceneNode scene = scene_kind().write(read.scene()).value_or(SceneNode::map());
    return value_of(node_at(scene, to_text(path, "path")));
}

/// Faults of one of its overrides, counted from 0.
py::list faults_of_override(const ReadScene& read, const std::string& path)
{
    py::list faults;
    for (const Fault& fault : read.result.faults)
        if (fault.file == "--set " + path)
            faults.append(to_python(fault));
    return faults;
}

} // namespace

void bind_scene(py::module_& module)
{
    py::class_<ReadScene>(module, "ReadScene")
        .def("check", &check)
        .def("value", &value)
        .def("faults_of_override", &faults_of_override)
        .def("text", [](const ReadScene& scene) { return write_scene(scene.scene()); });
    module.def("read_scene", &read, py::arg("text"), py::arg("file"), py::arg("overrides"));
    module.def("read_scene_file", &read_scene_file);
    module.def("emit_yaml", [](py::handle value) { return emit_yaml(node_of(value)); });
    module.def("emit_flow", [](py::handle value) { return emit_flow(node_of(value)); });
}

} // namespace stickslip::python
