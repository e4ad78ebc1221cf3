#pragma once

#include "stickslip/render/camera.h"
#include "stickslip/render/drawn_frame.h"
#include "stickslip/render/picture.h"

#include <memory>

namespace stickslip {

/// Extent of the scene, for shadows and ground.
struct StageSettings {
    Vec3 up = Vec3(0, 1, 0); // [-]
    Vec3 centre = Vec3::Zero(); // [m]
    double radius = 1; // [m] of a ball around what moves and what is near it
    bool own_ground = false; // no obstacle is flat: a bare ground below everything catches the shadows
    double ground_height = 0; // [m] along `up`, of that ground
    bool transparent = false; // no background; planes and ground hide what is behind them, and show their shadows only
    int lamp_lights = 32, sky_lights = 24; // that make soft shadows: the time for a picture grows with them; <= 40
};

/// Draws frames: soft studio light, shadows, ground. The same frame gives the same picture, bit for bit, on one
/// machine and driver.
class Renderer {
public:
    /// Pre: 1 <= width, height <= 8192.  Errors: FileError when the system cannot draw.
    Renderer(int width, int height, const StageSettings& stage);
    ~Renderer();

    Picture render(const DrawnFrame& frame, const Camera& camera);

private:
    struct Graphics;
    std::unique_ptr<Graphics> graphics_;
};

} // namespace stickslip
