#include "arguments.h"
#include "bindings.h"

#include "stickslip/math/error.h"
#include "stickslip/replay/replay_page.h"
#ifdef STICKSLIP_RENDER
#include "arrays.h"

#include "stickslip/render/studio.h"
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

ColourBy colour_by(const std::string& word)
{
    if (word == "body")
        return ColourBy::body;
    if (word == "speed")
        return ColourBy::speed;
    if (word == "stress")
        return ColourBy::stress;
    throw InputError("color: expected \"body\", \"speed\" or \"stress\", found \"" + word + "\"");
}

StudioSettings settings(
    int width, int height, const py::object& camera, const py::object& target, const std::string& by)
{
    if (std::min(width, height) < smallest_picture || std::max(width, height) > largest_picture)
        throw InputError("size: expected a width and a height from " + std::to_string(smallest_picture) + " to "
            + std::to_string(largest_picture) + " pixels, found " + std::to_string(width) + " and "
            + std::to_string(height));
    StudioSettings made{.width = width, .height = height, .by = colour_by(by)};
    if (!camera.is_none())
        made.camera = CameraPlace{to_vec3(camera, "camera"), {}};
    if (!target.is_none() && !made.camera)
        throw InputError("target: expected a camera too");
    if (!target.is_none())
        made.camera->target = to_vec3(target, "target");
    return made;
}

/// (height, width, 3) bytes.
py::array_t<std::uint8_t> render(const std::string& folder, const std::vector<std::size_t>& frames,
    const py::object& width, const py::object& height, const py::object& camera, const py::object& target,
    const py::object& by)
{
    const StudioSettings chosen =
        settings(to_integer(width, "size"), to_integer(height, "size"), camera, target, to_text(by, "color"));
    const RunReading run = read_run(folder);
    for (const std::size_t frame : frames)
        if (frame >= run.frames.size())
            throw InputError(folder + ": expected one of its " + std::to_string(run.frames.size()) + " frames, found "
                + std::to_string(frame));
    Picture picture;
    {
        const py::gil_scoped_release release;
        picture = Studio(run, chosen).picture(frames);
    }
    return py::array_t<std::uint8_t>({picture.height, picture.width, 3}, picture.rgb.data());
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
