#pragma once

#include "stickslip/render/picture.h"

#include <optional>
#include <string>

namespace stickslip {

/// Values that the colours stand for, from the first to the last of the scale.
struct ColourBar {
    std::string title; // with its unit
    double from = 0, to = 1;
};

/// An arrow as long as those of the picture that stand for this force.
struct ForceKey {
    std::string force; // with its unit
    double pixels = 0; // long
};

/// Written into a picture; empty texts are left out.
struct Labels {
    std::string title; // above, shortened where it is too long
    std::string time; // below
    std::optional<ColourBar> bar = {}; // to the right, its ends labelled, and round numbers between them
    std::optional<ForceKey> arrow = {}; // below, to the right
};

void draw_labels(Picture& picture, const Labels& labels);

} // namespace stickslip
