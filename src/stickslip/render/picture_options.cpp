#include "stickslip/render/picture_options.h"

#include "stickslip/math/error.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/scene_reading.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr double farthest = 1e30; // [m] of a camera: pictures are made of single precision

/// Speaks of the options as their user knows them.
class OptionCheck {
public:
    OptionCheck(const PictureOptions& options, const std::string& mark)
        : options_(options)
        , mark_(mark)
    {
    }

    ColourBy color() const
    {
        for (const auto& [word, by] :
            {std::pair("body", ColourBy::body), {"speed", ColourBy::speed}, {"stress", ColourBy::stress}})
            if (options_.color == word)
                return by;
        refuse("color", "expected body, speed or stress, found " + in_quotes(options_.color));
    }

    void size() const
    {
        if (std::min(options_.width, options_.height) < smallest_picture
            || std::max(options_.width, options_.height) > largest_picture)
            refuse("size",
                "expected a width and a height from " + std::to_string(smallest_picture) + " to "
                    + std::to_string(largest_picture) + " pixels, found " + std::to_string(options_.width) + " and "
                    + std::to_string(options_.height));
    }

    void camera() const
    {
        if (!options_.camera)
            return;
        const Vec3 eye = options_.camera->eye, target = options_.camera->target.value_or(Vec3::Zero());
        if (!(eye.cwiseAbs().maxCoeff() <= farthest && target.cwiseAbs().maxCoeff() <= farthest))
            refuse("camera", "expected places within 1e30 m");
        if (options_.camera->target == eye)
            refuse("camera", "expected a target elsewhere than the camera");
    }

    /// Of the colours.
    void scale() const
    {
        const auto expect = [&](const char* name, const std::optional<double>& value, bool good, const char* range) {
            if (value && options_.color == "body")
                throw InputError(mark_ + name + " needs " + mark_ + "color speed or stress");
            if (value && !(good && std::isfinite(*value)))
                refuse(name, std::string("expected ") + range + ", found " + short_number(*value));
        };
        expect("min", options_.min, options_.min >= 0.0, "a number >= 0");
        expect("max", options_.max, options_.max > 0.0, "a number > 0");
        expect("quantile", options_.quantile, options_.quantile >= 0.01 && options_.quantile <= 1.0, "from 0.01 to 1");
        if (options_.max && options_.quantile)
            throw InputError(mark_ + "quantile has no effect with " + mark_ + "max");
        if (options_.max && !(options_.min.value_or(0) < *options_.max))
            refuse("max", "expected a number > that of " + mark_ + "min");
    }

    void contacts(const RunReading& run) const
    {
        if ((options_.forces || options_.chains) && !run.has_contacts())
            refuse(options_.forces ? "forces" : "chains", "this run did not record contacts (output.contacts: true)");
    }

    /// By body of the scene.
    std::vector<float> opacities(const RunReading& run) const
    {
        std::vector<float> opacity(run.scene.bodies.size(), 1);
        for (const auto& [name, value] : options_.opacity) {
            if (!(value >= 0 && value <= 1))
                refuse(
                    "opacity", "expected values from 0 to 1, found " + short_number(value) + " of " + in_quotes(name));
            set_opacity(run, "opacity", name, static_cast<float>(value), opacity);
        }
        for (const std::string& name : options_.hide)
            set_opacity(run, "hide", name, 0, opacity);
        return opacity;
    }

private:
    [[noreturn]] void refuse(const char* name, const std::string& what) const
    {
        throw InputError(mark_ + name + ": " + what);
    }

    /// Of a body, or of all of a family.
    void set_opacity(const RunReading& run, const char* option, const std::string& name, float value,
        std::vector<float>& opacity) const
    {
        std::vector<std::string> known;
        bool found = false;
        for (std::size_t b = 0; b < opacity.size(); ++b) {
            const RecordedBody& body = run.scene.bodies[b];
            known.push_back(body.name);
            if (!names_body(name, body.name))
                continue;
            found = true;
            opacity[b] = value;
            if (value > 0 && value < 1 && body.is_plane)
                refuse(option, in_quotes(body.name) + " is a plane, which can only be hidden (0)");
        }
        if (!found)
            refuse(option, "no body " + in_quotes(name) + " in this run" + meant_name(name, known, "the run"));
    }

    const PictureOptions& options_;
    const std::string& mark_;
};

} // namespace

StudioSettings studio_settings(const RunReading& run, const PictureOptions& options, const std::string& mark)
{
    const OptionCheck check(options, mark);
    StudioSettings settings{.width = options.width,
        .height = options.height,
        .camera = options.camera,
        .by = check.color(),
        .smallest = options.min.value_or(0),
        .largest = options.max,
        .draft = options.draft,
        .forces = options.forces,
        .chains = options.chains,
        .labels = options.labels,
        .transparent = options.transparent,
        .opacity = check.opacities(run)};
    settings.quantile = options.quantile.value_or(settings.quantile);
    check.size();
    check.camera();
    check.scale();
    check.contacts(run);
    return settings;
}

} // namespace stickslip
