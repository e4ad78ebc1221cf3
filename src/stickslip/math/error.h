#pragma once

#include <stdexcept>
#include <string>

namespace stickslip {

/// The user's input is wrong (scene, mesh, command line): exit status 2. The text is whole: place, what was expected,
/// what was found.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A file cannot be read or written: exit status 4. The text names the file and the system's reason.
struct FileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace stickslip
