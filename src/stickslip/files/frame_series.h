#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

/// A file of a frame: which body it shows, and where it is.
struct FramePart {
    std::string name; // of the body
    std::string file; // relative to the folder of the series

    bool operator==(const FramePart&) const = default;
};

/// All that is shown at one time.
struct FrameOfSeries {
    double time; // [s]
    std::vector<FramePart> parts; // at least one

    bool operator==(const FrameOfSeries&) const = default;
};

/// The list of frames that ParaView opens (`frames.pvd`). Frames count from 0; times rise and are written with 17
/// digits.
class FrameSeries {
public:
    /// An empty series; nothing is written yet.
    explicit FrameSeries(const std::filesystem::path& path)
        : path_(path)
    {
    }

    /// One that write() wrote. Errors: FileError when it cannot be read, InputError when it is something else.
    static FrameSeries read(const std::filesystem::path& path);

    /// Pre: time [s] is finite and after the last frame's; at least one part.
    void add(double time, std::vector<FramePart> parts);

    /// Drops all frames from number `count` on.
    void cut(std::size_t count);

    /// Replaces the file at once by the present list. Errors: FileError as AtomicFile.
    void write() const;

    const std::vector<FrameOfSeries>& frames() const { return frames_; }

private:
    std::filesystem::path path_;
    std::vector<FrameOfSeries> frames_;
};

} // namespace stickslip
