#pragma once

#include "stickslip/render/picture.h"
#include "stickslip/replay/colours.h"

#include <memory>
#include <string>

namespace stickslip {

/// Mixes `colour` into a pixel; cover 1 replaces it. Nothing outside of the picture.
void paint(Picture& picture, int x, int y, const Colour& colour, double cover);

/// Writes text (UTF-8) into pictures. Characters that the font does not have are drawn as boxes.
class Lettering {
public:
    explicit Lettering(int height); // [pixels] of a line
    ~Lettering();

    int width(const std::string& text) const; // [pixels]
    /// The text begins at x, on a base line at y.
    void write(Picture& picture, int x, int y, const std::string& text, const Colour& colour) const;

private:
    struct Face;
    std::unique_ptr<Face> face_;
};

} // namespace stickslip
