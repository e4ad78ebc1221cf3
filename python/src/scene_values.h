#pragma once

#include "stickslip/scene/text/scene_tree.h"

#include <pybind11/pybind11.h>

namespace stickslip::python {

/// A scene, or a value in it, as Python has it: dicts, lists, tuples, numpy arrays, numbers, bools, strings, None.
/// InputError: anything else, with its path; dicts in dicts deeper than a scene ever is.
SceneNode node_of(pybind11::handle value);

/// The other way round; a list of numbers becomes an array.
pybind11::object value_of(const SceneNode& node);

/// The value at "bodies.block.velocity". InputError: there is none.
const SceneNode& node_at(const SceneNode& root, const std::string& path);

} // namespace stickslip::python
