#pragma once

#include "stickslip/render/drawn_frame.h"
#include "stickslip/render/picture.h"
#include "stickslip/replay/run_reading.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

constexpr int smallest_picture = 16, largest_picture = 8192; // [pixels] of a side

/// Position of a camera [m]; without a target it looks at the middle of the run.
struct CameraPlace {
    Vec3 eye = Vec3::Zero();
    std::optional<Vec3> target = {};
};

struct StudioSettings {
    int width = 1280, height = 720; // [pixels]
    std::optional<CameraPlace> camera = {}; // unset: the whole run from the right, front and above
    ColourBy by = ColourBy::body;
    double smallest = 0; // [m/s] or [Pa] at the begin of the colour scale
    std::optional<double> largest = {}; // at its end; unset: what `quantile` of the values of the run are at most
    double quantile = 0.995; // [-] in (0, 1]
    bool draft = false; // a quarter of the pixels and few lights, in two fifths of the time
    bool forces = false; // of contacts, as arrows
    bool chains = false; // normal forces of contacts, as bars
    bool labels = false; // title and time of the run, and what the colours stand for
    bool transparent = false; // no background; of the ground only the shadows
    std::vector<float> opacity = {}; // by body of the scene, 0: left out; empty: all are opaque
    std::function<void(const std::vector<std::string>&)> notes = {}; // takes what could not be read or coloured
};

/// Makes pictures of the frames of a run: camera, stage and colours are the same for all of them.
class Studio {
public:
    /// Keeps a reference. Pre: the run has frames, sides within the bounds above. Errors: FileError when the system
    /// cannot draw; InputError for a camera in its own target.
    Studio(const RunReading& run, const StudioSettings& settings);
    ~Studio();

    /// What moves is shown at all these frames, the earlier the paler; what stands there at the last. Errors:
    /// InputError where no body of a frame could be read.
    Picture picture(const std::vector<std::size_t>& frames);

    const ColourScale* scale() const; // in use; null where bodies have their own colours

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace stickslip
