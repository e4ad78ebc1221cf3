#pragma once

#include "stickslip/render/picture.h"

#include <filesystem>
#include <string>

namespace stickslip {

/// A video that `ffmpeg` (found on PATH) encodes from the pictures it is given. Appears whole or not at all.
class VideoFile {
public:
    /// Errors: InputError when there is no ffmpeg; FileError when it cannot be started.
    VideoFile(const std::filesystem::path& path, int width, int height, double pictures_per_second);
    ~VideoFile(); // without finish(): removes what was written
    VideoFile(const VideoFile&) = delete;
    VideoFile& operator=(const VideoFile&) = delete;

    /// Pre: the size given at the start. Errors: FileError when ffmpeg has given up.
    void add(const Picture& picture);

    void finish();

private:
    int wait();

    std::filesystem::path path_, temporary_;
    int input_ = -1, process_ = -1;
};

} // namespace stickslip
