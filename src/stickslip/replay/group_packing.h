#pragma once

#include "stickslip/replay/shown_body.h"

#include <span>
#include <string>
#include <vector>

namespace stickslip {

/// Points of a cloud (spheres, particles) get fewer than 16 bits where they would take more than this in the page
/// [bytes a point and frame, base64 included].
constexpr double most_cloud_bytes = 7;

/// Speeds of larger clouds are not kept: the page takes them from how far the points move between frames.
constexpr std::size_t largest_cloud_with_speed = 20000;

/// In a frame with more contacts those with the largest forces are kept.
constexpr std::size_t most_contacts = 4000;

/// One time, ready to be packed.
struct SampledFrame {
    double time = 0; // [s]
    std::vector<BodySample> bodies; // all bodies of the scene
    std::vector<RecordedContact> contacts; // node: place among the points shown, -1 none
};

/// A group of frames, ready for the page.
struct PackedGroup {
    std::size_t frames = 0;
    std::string bytes; // a compressed chunk (docs/view.md)
    double error = 0; // [m] largest of a coordinate
};

/// Pre: all frames have as many bodies as `codings`.
PackedGroup pack_group(std::span<const SampledFrame> frames, const std::vector<ShapeCoding>& codings);

} // namespace stickslip
