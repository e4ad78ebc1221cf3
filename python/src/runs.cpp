#include "arguments.h"
#include "bindings.h"
#include "errors.h"
#include "read_scene.h"
#include "signals.h"

#include "stickslip/files/csv_table.h"
#include "stickslip/files/folder_lock.h"
#include "stickslip/run/run.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <filesystem>
#include <optional>

namespace stickslip::python {

namespace {

std::optional<double> to_until(const py::object& value)
{
    if (value.is_none())
        return std::nullopt;
    const double until = to_number(value, "until");
    if (!(until >= 0) || !std::isfinite(until))
        throw InputError("until: expected a finite time >= 0 s, found " + std::to_string(until));
    return until;
}

/// As `stickslip run`; returns what it has to say.
std::vector<std::string> run(const ReadScene& read, const std::string& folder, const py::object& end,
    const py::object& resume, const py::object& force, const py::object& threads)
{
    const std::optional<double> until = to_until(end);
    if (to_flag(resume, "resume") && to_flag(force, "force"))
        throw InputError("run: expected resume or force, found both");
    const int wanted = to_threads(threads), used = wanted > 0 ? wanted : tbb::info::default_concurrency();
    BuildResult built = read.build(false);
    std::vector<Fault> warnings = read.result.warnings;
    warnings.insert(warnings.end(), built.warnings.begin(), built.warnings.end());
    std::vector<std::string> said;
    for (const Fault& warning : warnings)
        said.push_back(format(warning));
    SignalWatch signals;
    const RunOptions options{.scene_folder = read.folder,
        .scene_file = read.file,
        .folder = folder,
        .until = until,
        .resume = to_flag(resume, "resume"),
        .force = to_flag(force, "force"),
        .threads = used,
        .warnings = said,
        .interrupted = signals.stop()};
    const RunListener listener{.progress = [&](const RunProgress&) { signals.poll(); },
        .message = [&](const std::string& line) { said.push_back(line); },
        .note = {}};
    RunResult result;
    {
        const py::gil_scoped_release release;
        tbb::task_arena arena(used);
        in_words_of_python([&] {
            arena.execute([&] { result = run_scene(read.scene(), std::move(built.built), options, listener); });
        });
    }
    if (result.status == RunStatus::interrupted)
        signals.rethrow();
    if (result.status == RunStatus::failed)
        throw StepFailed(result.warnings.empty() ? "the run gave up" : result.warnings.back());
    return said;
}

/// Columns by name: arrays of numbers, lists of words.
py::dict table(const std::string& path)
{
    std::size_t broken_rows = 0;
    const CsvTable csv = read_csv(path, broken_rows);
    py::dict columns;
    for (const CsvColumn& column : csv.columns) {
        if (csv_holds_words(column.name))
            columns[py::str(column.name)] = py::cast(column.words);
        else
            columns[py::str(column.name)] =
                py::array_t<double>(static_cast<py::ssize_t>(column.numbers.size()), column.numbers.data());
    }
    return columns;
}

/// A folder, made where it is missing, into which nobody else writes until it is released.
class HeldFolder {
public:
    explicit HeldFolder(const std::string& folder)
    {
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        if (error)
            throw FileError("cannot write " + folder + ": " + error.message());
        lock_.emplace(folder);
    }
    void release() { lock_.reset(); }

private:
    std::optional<FolderLock> lock_;
};

} // namespace

void bind_runs(py::module_& module)
{
    module.def("run_scene", &run);
    module.def("read_table", &table);
    py::class_<HeldFolder>(module, "HeldFolder")
        .def(py::init<const std::string&>())
        .def("release", &HeldFolder::release);
}

} // namespace stickslip::python
