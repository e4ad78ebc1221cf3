#include "scene_values.h"

#include "stickslip/math/error.h"
#include "stickslip/math/types.h"

#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace stickslip::python {

namespace py = pybind11;

namespace {

SceneNode number_node(double value)
{
    return SceneNode::scalar(std::isnan(value) ? ".nan" : number_text(value));
}

SceneNode node_of(py::handle value, const std::string& path, int depth)
{
    const auto refuse = [&](const std::string& expected) {
        throw InputError((path.empty() ? "scene" : path) + ": expected " + expected + ", found "
            + std::string(py::repr(py::type::handle_of(value))));
    };
    if (depth > deepest_scene_node)
        refuse("at most " + std::to_string(deepest_scene_node) + " dicts or lists within each other");
    if (value.is_none())
        return {};
    if (py::isinstance<py::str>(value) || py::hasattr(value, "__fspath__")) {
        const py::object text = py::module_::import("os").attr("fspath")(value);
        if (py::detail::make_caster<std::string> bytes; bytes.load(text, false))
            return SceneNode::quote(py::detail::cast_op<std::string>(bytes));
        refuse("text that UTF-8 can hold");
    }
    if (py::hasattr(value, "tolist")) // arrays and numbers of numpy
        return node_of(value.attr("tolist")(), path, depth + 1);
    if (py::isinstance<py::bool_>(value))
        return SceneNode::scalar(value.cast<bool>() ? "true" : "false");
    if (py::isinstance<py::int_>(value))
        return SceneNode::scalar(py::str(value));
    if (py::isinstance<py::float_>(value))
        return number_node(value.cast<double>());
    if (py::isinstance<py::dict>(value)) {
        SceneNode map = SceneNode::map();
        for (const auto& [key, item] : value.cast<py::dict>()) {
            if (!py::isinstance<py::str>(key))
                refuse("strings as keys of a dict");
            const std::string name = node_of(key, path, depth + 1).text;
            map.add(name, node_of(item, path.empty() ? name : path + "." + name, depth + 1));
        }
        return map;
    }
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
        SceneNode list = SceneNode::list();
        for (const py::handle item : value)
            list.items.push_back(node_of(item, path + "[" + std::to_string(list.items.size()) + "]", depth + 1));
        return list;
    }
    refuse("dicts, lists, arrays, numbers, bools, strings or None");
    return {};
}

std::optional<double> number(const std::string& text)
{
    if (text == ".inf" || text == "-.inf")
        return text.front() == '-' ? -infinity : infinity;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return text.empty() || *end != 0 ? std::nullopt : std::optional(value);
}

py::object scalar_value(const SceneNode& node)
{
    if (node.quoted)
        return py::str(node.text);
    if (node.text == "true" || node.text == "false")
        return py::bool_(node.text == "true");
    if (node.text.find_first_not_of("-0123456789") == std::string::npos)
        return py::int_(py::str(node.text));
    if (const std::optional<double> value = number(node.text))
        return py::float_(*value);
    return py::str(node.text);
}

bool holds_numbers(const SceneNode& list)
{
    return !list.items.empty() && std::all_of(list.items.begin(), list.items.end(), [](const SceneNode& item) {
        return (item.is_scalar() && !item.quoted && number(item.text)) || (item.is_list() && holds_numbers(item));
    });
}

} // namespace

SceneNode node_of(py::handle value)
{
    return node_of(value, "", 0);
}

py::object value_of(const SceneNode& node)
{
    switch (node.type) {
    case SceneNode::Type::null:
        return py::none();
    case SceneNode::Type::scalar:
        return scalar_value(node);
    case SceneNode::Type::list: {
        py::list list;
        for (const SceneNode& item : node.items)
            list.append(value_of(item));
        if (!holds_numbers(node))
            return list;
        return py::module_::import("numpy").attr("array")(list, py::arg("dtype") = "float64");
    }
    case SceneNode::Type::map:
        break;
    }
    py::dict map;
    for (const SceneEntry& entry : node.entries)
        map[py::str(entry.key)] = value_of(entry.value);
    return map;
}

const SceneNode& node_at(const SceneNode& root, const std::string& path)
{
    const SceneNode* node = &root;
    const std::vector<std::string> steps = split_path(path);
    for (std::size_t i = 0; node && i < steps.size(); ++i) {
        if (node->is_list()) {
            const int item = find_item(*node, steps, i);
            node = item >= 0 ? &node->items[static_cast<std::size_t>(item)] : nullptr;
        } else {
            node = node->find(steps[i]);
        }
    }
    if (!node)
        throw InputError(path + ": the scene says nothing there");
    return *node;
}

} // namespace stickslip::python
