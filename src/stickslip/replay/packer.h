#pragma once

#include "stickslip/replay/group_packing.h"

#include <string>
#include <vector>

namespace stickslip {

/// Frames are packed together by so many: enough for differences between them to pay, few enough to unpack quickly.
constexpr std::size_t frames_of_group = 16;

/// For the scales of the page: what the largest value of a frame stays below in nine frames of ten. One hard impact
/// would otherwise make everything else look like nothing.
struct ReplayRanges {
    double speed = 0; // [m/s] of a point
    double stress = 0; // [Pa]
    double depth = 0; // [m] of a contact
    double force = 0; // [N] of a contact
};

/// Turns frames into chunks (docs/view.md), one after the other, so that a run can be followed while it grows.
class ReplayPacker {
public:
    /// Looks at the first and the last frame to find out how each body is best kept.
    explicit ReplayPacker(const RunReading& run);

    /// The next frame of the page is frame `number` of the run. Pre: a later reading of the constructor's run.
    void add(const RunReading& run, std::size_t number);

    /// The chunk of surfaces.
    std::string meshes() const;

    std::size_t groups() const { return closed_.size() + (open_.empty() ? 0 : 1); }
    /// Pre: k < groups(). The last one may still grow.
    PackedGroup group(std::size_t k) const;

    const std::vector<double>& times() const { return times_; }
    ReplayRanges ranges() const;
    /// Some body had stresses so far.
    bool has_stress() const { return has_stress_; }
    ShapeCoding coding(std::size_t body) const { return codings_[body]; }
    /// [m] box of a body in all its frames; empty (min > max) when it was never shown.
    const Bounds& bounds(std::size_t body) const { return bounds_[body]; }
    /// [m] box of a cloud without points that have run away: those farther from nine tenths of all places over time
    /// than these are apart. Of other bodies empty.
    Bounds usual_bounds(std::size_t body) const;
    /// Messages about what is missing, a sentence each, no sentence twice.
    const std::vector<std::string>& notes() const { return notes_; }
    /// Bytes of the closed groups.
    std::size_t closed_bytes() const;

private:
    SampledFrame sample(const RunReading& run, RecordedFrame& recorded);
    void add_bounds(const SampledFrame& frame);
    ReplayRanges largest_of(const SampledFrame& frame) const;
    void note(const std::string& text);

    std::vector<ShownBody> bodies_; // one a body of the scene, as the next three
    std::vector<ShapeCoding> codings_;
    std::vector<Bounds> bounds_;
    std::vector<std::vector<Vec3>> places_; // of clouds: some points of each frame
    std::vector<bool> read_each_frame_;
    std::vector<double> times_; // [s] of all frames so far
    std::vector<PackedGroup> closed_;
    std::vector<SampledFrame> open_;
    std::vector<ReplayRanges> largest_; // of each frame
    bool has_stress_ = false;
    std::vector<std::string> notes_;
};

} // namespace stickslip
