#include "errors.h"

#include "bindings.h"

#include "stickslip/simulation/scene_text.h"

namespace stickslip::python {

namespace {

constexpr std::string_view changed = "--set "; // what the library says of a value that was changed

/// A class of stickslip/errors.py. Exceptions are made there, so that they have Python's own bases and can be pickled.
py::object error_class(const char* name)
{
    return py::module_::import("stickslip.errors").attr(name);
}

void raise(const char* name, const char* text)
{
    PyErr_SetString(error_class(name).ptr(), text);
}

void translate(std::exception_ptr thrown)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const SceneError& error) {
        const py::object type = error_class("SceneError");
        PyErr_SetObject(type.ptr(), type(to_python(error.faults)).ptr());
    } catch (const InputError& error) {
        raise("InputError", error.what());
    } catch (const FileError& error) {
        raise("FileError", error.what());
    } catch (const StepFailed& error) {
        raise("StepError", error.what());
    } catch (const StepInterrupted& error) {
        raise("Interrupted", error.what());
    } catch (const SimulationBusy& error) {
        raise("BusyError", error.what());
    }
}

/// What follows a semicolon, or stands in parentheses at the end.
std::string hint_of(const std::string& message)
{
    if (const std::size_t at = message.find("; "); at != std::string::npos)
        return message.substr(at + 2);
    const std::size_t open = message.rfind(" (");
    const bool closes = open != std::string::npos && message.back() == ')';
    return closes ? message.substr(open + 2, message.size() - open - 3) : "";
}

} // namespace

std::string with_arguments_for_options(std::string text)
{
    for (const auto& [option, argument] : {std::pair("--resume", "run(..., resume=True)"), {"--force", "force=True"}})
        for (std::size_t at = text.find(option); at != std::string::npos; at = text.find(option, at))
            text.replace(at, std::string_view(option).size(), argument);
    return text;
}

py::object to_python(const Fault& given)
{
    Fault fault = given;
    std::string text = format(fault);
    if (fault.file.starts_with(changed)) { // by Scene.update()
        fault.file.clear();
        text.erase(0, changed.size());
        constexpr std::string_view word = ": error: "; // exceptions say it themselves
        if (const std::size_t at = text.find(word); at != std::string::npos)
            text.replace(at, word.size(), ": ");
    }
    return error_class("Fault")(py::arg("file") = fault.file, py::arg("line") = fault.line,
        py::arg("column") = fault.column, py::arg("path") = fault.path, py::arg("message") = fault.message,
        py::arg("hint") = hint_of(fault.message), py::arg("warning") = fault.warning, py::arg("text") = text);
}

py::list to_python(const std::vector<Fault>& faults)
{
    py::list all;
    for (const Fault& fault : faults)
        all.append(to_python(fault));
    return all;
}

void bind_errors(py::module_&)
{
    py::register_exception_translator(&translate);
}

} // namespace stickslip::python
