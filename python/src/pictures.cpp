#include "arguments.h"
#include "bindings.h"

#include "stickslip/math/error.h"
#include "stickslip/replay/replay_page.h"
#ifdef STICKSLIP_RENDER
#include "arrays.h"

#include "stickslip/render/picture_options.h"
#endif

#include <pybind11/stl.h>

namespace stickslip::python {

namespace py = pybind11;

namespace {

std::vector<double> frame_times(const std::string& folder)
{
    std::vector<double> times;
    for (const FrameOfSeries& frame : read_run(folder).frames)
        times.push_back(frame.time);
    return times;
}

std::string replay_page(const std::string& folder, const py::object& size)
{
    const double megabytes = to_number(size, "megabytes");
    if (!(megabytes >= 1 && megabytes <= 400))
        throw InputError("megabytes: expected a size from 1 to 400, found " + std::to_string(megabytes));
    const py::gil_scoped_release release;
    return make_replay_page(read_run(folder), {.most_bytes = megabytes * 1e6}).html;
}

#ifdef STICKSLIP_RENDER

std::optional<double> optional_number(const py::object& value, const char* what)
{
    return value.is_none() ? std::nullopt : std::optional(to_number(value, what));
}

std::optional<CameraPlace> camera_place(const py::object& camera, const py::object& target)
{
    if (camera.is_none() && !target.is_none())
        throw InputError("target: expected a camera too");
    if (camera.is_none())
        return {};
    CameraPlace place{to_vec3(camera, "camera"), {}};
    if (!target.is_none())
        place.target = to_vec3(target, "target");
    return place;
}

/// Of the arguments of Run.render(), by name.
PictureOptions picture_options(const py::dict& given)
{
    const auto flag = [&](const char* name) { return to_flag(given[name], name); };
    PictureOptions options{.width = to_integer(given["width"], "size"),
        .height = to_integer(given["height"], "size"),
        .camera = camera_place(given["camera"], given["target"]),
        .color = to_text(given["color"], "color"),
        .min = optional_number(given["min"], "min"),
        .max = optional_number(given["max"], "max"),
        .quantile = optional_number(given["quantile"], "quantile"),
        .draft = flag("draft"),
        .forces = flag("forces"),
        .chains = flag("chains"),
        .labels = flag("labels"),
        .transparent = flag("transparent")};
    for (const py::handle name : py::list(given["hide"]))
        options.hide.push_back(to_text(name, "hide"));
    for (const auto& [name, value] : py::dict(given["opacity"]))
        options.opacity.emplace_back(to_text(name, "opacity"), to_number(value, "opacity"));
    return options;
}

/// (height, width, 3) bytes, with a fourth for opacity where the background is transparent.
py::array_t<std::uint8_t> pixels(const Picture& picture)
{
    const int colours = picture.alpha.empty() ? 3 : 4;
    py::array_t<std::uint8_t> bytes({picture.height, picture.width, colours});
    std::uint8_t* to = bytes.mutable_data();
    for (std::size_t i = 0; i < picture.rgb.size() / 3; ++i) {
        to = std::copy_n(picture.rgb.data() + 3 * i, 3, to);
        if (colours == 4)
            *to++ = picture.alpha[i];
    }
    return bytes;
}

py::array_t<std::uint8_t> render(
    const std::string& folder, const std::vector<std::size_t>& frames, const py::dict& given)
{
    const PictureOptions options = picture_options(given);
    const RunReading run = read_run(folder);
    for (const std::size_t frame : frames)
        if (frame >= run.frames.size())
            throw InputError(folder + ": expected one of its " + std::to_string(run.frames.size()) + " frames, found "
                + std::to_string(frame));
    StudioSettings settings = studio_settings(run, options, "");
    std::vector<std::string> notes;
    settings.notes = [&](const std::vector<std::string>& more) { notes.insert(notes.end(), more.begin(), more.end()); };
    Picture picture;
    {
        const py::gil_scoped_release release;
        picture = Studio(run, settings).picture(frames);
    }
    const py::object category = py::module_::import("stickslip.errors").attr("StickslipWarning");
    for (const std::string& note : notes)
        if (PyErr_WarnEx(category.ptr(), note.c_str(), 1) != 0)
            throw py::error_already_set();
    return pixels(picture);
}

#endif

} // namespace

void bind_pictures(py::module_& module)
{
    module.def("frame_times", &frame_times);
    module.def("replay_page", &replay_page);
#ifdef STICKSLIP_RENDER
    module.def("render", &render);
#endif
}

} // namespace stickslip::python
