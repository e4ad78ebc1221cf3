#include "arguments.h"
#include "bindings.h"

#include <cstdlib>
#include <cstring>
#include <regex>
#include <string>

namespace stickslip::python {

namespace {

/// "run(until, callback=None, every=0.0)" of pybind11's "run(self: X, until: object, callback: object = None, ...) ->
/// Y"; of an overloaded function all of them.
std::string calls_of(const std::string& doc, const std::string& name)
{
    std::string calls;
    const std::regex signature("(?:^|\n)(?:\\d+\\. )?(" + name + "\\(self[^\n]*|" + name + "\\([^*\n]*) -> ");
    for (std::sregex_iterator at(doc.begin(), doc.end(), signature), end; at != end; ++at) {
        std::string call = (*at)[1];
        call = std::regex_replace(call, std::regex("self: [\\w.]+(, )?"), "");
        call = std::regex_replace(call, std::regex(": object"), "");
        calls += (calls.empty() ? "" : " or ") + std::regex_replace(call, std::regex(" = "), "=");
    }
    return calls;
}

std::string shown_call(const std::string& name, const py::args& args, const py::kwargs& named, std::size_t first)
{
    std::string list;
    for (std::size_t i = first; i < args.size(); ++i)
        list += (list.empty() ? "" : ", ") + shown(args[i]);
    for (const auto& [key, value] : named)
        list += (list.empty() ? "" : ", ") + std::string(py::str(key)) + "=" + shown(value);
    return name + "(" + list + ")";
}

/// Adds what is called when the arguments fit none of the ways to call a function, and keeps its docstring, to which
/// pybind11 would add a signature.
void explain(const py::object& cls, const std::string& name, const py::object& function)
{
    const bool is_static = !PyInstanceMethod_Check(function.ptr());
    const std::string doc = py::str(function.attr("__doc__")), calls = calls_of(doc, name);
    const auto refuse = [name, calls, cls = cls.ptr(), is_static](const py::args& args, const py::kwargs& named) {
        if (!is_static && (args.empty() || !py::isinstance(args[0], cls)))
            throw py::type_error(
                name + ": expected an object to call it of, found " + shown_call(name, args, named, 0));
        throw py::type_error("expected " + calls + ", found " + shown_call(name, args, named, is_static ? 0 : 1));
    };
    if (is_static)
        py::cpp_function(refuse, py::name(name.c_str()), py::scope(cls), py::sibling(function));
    else
        py::cpp_function(refuse, py::name(name.c_str()), py::is_method(cls), py::sibling(function));
    PyObject* plain = is_static ? function.ptr() : PyInstanceMethod_GET_FUNCTION(function.ptr());
    const char*& text = reinterpret_cast<PyCFunctionObject*>(plain)->m_ml->ml_doc;
    std::free(const_cast<char*>(text));
    text = strdup(doc.c_str());
}

} // namespace

void explain_wrong_calls(const py::module_& module)
{
    for (const auto& [class_name, cls] : py::dict(module.attr("__dict__"))) {
        if (!PyType_Check(cls.ptr()))
            continue;
        for (const auto& [key, value] : py::dict(cls.attr("__dict__"))) {
            const std::string name = py::str(key);
            const auto function = py::reinterpret_steal<py::object>(PyObject_GetAttr(cls.ptr(), key.ptr()));
            if (name.front() != '_' && (PyInstanceMethod_Check(function.ptr()) || PyCFunction_Check(function.ptr())))
                explain(py::reinterpret_borrow<py::object>(cls), name, function);
        }
    }
}

} // namespace stickslip::python
