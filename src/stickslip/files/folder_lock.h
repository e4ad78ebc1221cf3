#pragma once

#include <filesystem>

namespace stickslip {

/// Keeps others from writing into a folder as long as it lives; the system ends it with the process, however that ends.
/// File systems without locks (some network ones) give none, and nobody is kept out there.
class FolderLock {
public:
    /// Errors: InputError when somebody holds it.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_;
};

} // namespace stickslip
