#include "stickslip/files/atomic_file.h"

#include "stickslip/math/check.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stickslip {

namespace {

constexpr std::string_view temporary_mark = ".tmp-";

FileError write_error(const std::filesystem::path& path, int reason)
{
    return FileError("cannot write " + path.string() + ": " + std::generic_category().message(reason));
}

/// Writes all of it; returns 0 or the reason why not. What went out is added to `written`.
int write_all(int descriptor, std::string_view bytes, std::uint64_t& written)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) // 0: should not be, but must not loop for ever
            return count < 0 ? errno : EIO;
        written += static_cast<std::uint64_t>(count);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

/// Waits for the disk; returns 0 or the reason why not. Pipes and some file systems cannot, which is no failure.
int sync_to_disk(int descriptor)
{
    while (::fsync(descriptor) != 0) {
        if (errno == EINVAL || errno == ENOTSUP)
            return 0;
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

/// Some file systems (NFS) tell only now that the data did not fit.
int close_file(int& descriptor)
{
    const int result = ::close(std::exchange(descriptor, -1));
    return result != 0 && errno != EINTR ? errno : 0;
}

/// The reason why `path` must not be replaced; 0 if it may.
int refusal(const std::filesystem::path& path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
        return errno == ENOENT ? 0 : errno;
    if (S_ISDIR(status.st_mode))
        return EISDIR;
    return S_ISREG(status.st_mode) ? 0 : EINVAL;
}

bool is_temporary(const std::string& name)
{
    const std::size_t mark = name.rfind(temporary_mark);
    if (mark == std::string::npos || mark == 0)
        return false;
    const std::string_view process = std::string_view(name).substr(mark + temporary_mark.size());
    return !process.empty() && process.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace

void ignore_file_size_signal()
{
    std::signal(SIGXFSZ, SIG_IGN);
}

AtomicFile::AtomicFile(const std::filesystem::path& path)
    : path_(path)
    , temporary_(path.string() + std::string(temporary_mark) + std::to_string(::getpid()))
{
    if (const int reason = refusal(path_))
        throw write_error(path_, reason);
    // A process killed earlier may have had our number; O_EXCL then keeps us from writing through a link.
    ::unlink(temporary_.c_str());
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        throw write_error(path_, errno);
}

AtomicFile::~AtomicFile()
{
    discard();
}

void AtomicFile::append(std::string_view bytes)
{
    STICKSLIP_ASSERT(descriptor_ >= 0);
    std::uint64_t written = 0;
    if (const int reason = write_all(descriptor_, bytes, written))
        fail(reason);
}

void AtomicFile::commit()
{
    STICKSLIP_ASSERT(descriptor_ >= 0);
    if (const int reason = close_file(descriptor_))
        fail(reason);
    if (::rename(temporary_.c_str(), path_.c_str()) != 0)
        fail(errno);
    temporary_.clear();
}

void AtomicFile::commit_to_disk()
{
    STICKSLIP_ASSERT(descriptor_ >= 0);
    if (const int reason = sync_to_disk(descriptor_))
        fail(reason);
    commit();
    sync_folder(path_.parent_path());
}

void AtomicFile::discard() noexcept
{
    if (descriptor_ >= 0)
        close_file(descriptor_);
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
    temporary_.clear();
}

void AtomicFile::fail(int reason)
{
    discard();
    throw write_error(path_, reason);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes)
{
    AtomicFile file(path);
    file.append(bytes);
    file.commit();
}

void sync_file(const std::filesystem::path& path)
{
    int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        throw write_error(path, errno);
    const int reason = sync_to_disk(descriptor);
    close_file(descriptor);
    if (reason != 0)
        throw write_error(path, reason);
}

void sync_folder(const std::filesystem::path& folder)
{
    const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    sync_to_disk(descriptor);
    ::close(descriptor);
}

std::filesystem::file_status status_of(const std::filesystem::path& path)
{
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::status_known(status))
        throw FileError("cannot read " + path.string() + ": " + error.message());
    return status;
}

std::string read_file(const std::filesystem::path& path)
{
    int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    int reason = descriptor < 0 ? errno : 0;
    std::string content;
    std::size_t length = 0;
    while (reason == 0) {
        content.resize(std::max<std::size_t>(std::size_t{1} << 16, 2 * length));
        const ssize_t count = ::read(descriptor, content.data() + length, content.size() - length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            reason = errno;
        if (count <= 0)
            break;
        length += static_cast<std::size_t>(count);
    }
    if (descriptor >= 0)
        close_file(descriptor);
    if (reason != 0)
        throw FileError("cannot read " + path.string() + ": " + std::generic_category().message(reason));
    content.resize(length);
    return content;
}

int remove_leftover_temporaries(const std::filesystem::path& folder)
{
    std::error_code error;
    std::vector<std::filesystem::path> found;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (is_temporary(it->path().filename().string())
            && it->symlink_status(error).type() == std::filesystem::file_type::regular)
            found.push_back(it->path());
    if (error)
        throw FileError("cannot read " + folder.string() + ": " + error.message());
    for (const std::filesystem::path& path : found)
        if (::unlink(path.c_str()) != 0)
            throw FileError("cannot remove " + path.string() + ": " + std::generic_category().message(errno));
    return static_cast<int>(found.size());
}

AppendFile::AppendFile(const std::filesystem::path& path)
    : path_(path)
{
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        throw write_error(path_, errno);
}

AppendFile::AppendFile(const std::filesystem::path& path, std::uint64_t length)
    : path_(path)
    , written_(length)
{
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor_ < 0)
        throw write_error(path_, errno);
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0)
        fail(errno);
    const auto present = static_cast<std::uint64_t>(status.st_size);
    if (present < length) {
        close_file(descriptor_);
        throw FileError("cannot write " + path_.string() + ": expected at least " + std::to_string(length)
            + " bytes there, found " + std::to_string(present));
    }
    if (::ftruncate(descriptor_, static_cast<off_t>(length)) != 0)
        fail(errno);
}

AppendFile::~AppendFile()
{
    if (descriptor_ < 0)
        return;
    std::uint64_t written = 0;
    if (write_all(descriptor_, waiting_, written) != 0)
        (void)!::ftruncate(descriptor_, static_cast<off_t>(written_));
    close_file(descriptor_);
}

void AppendFile::flush()
{
    std::uint64_t written = 0;
    const int reason = write_all(descriptor_, waiting_, written);
    waiting_.clear();
    if (reason == 0) {
        written_ += written;
        return;
    }
    if (::ftruncate(descriptor_, static_cast<off_t>(written_)) != 0)
        written_ += written; // what could not be taken back is there
    throw write_error(path_, reason);
}

void AppendFile::sync()
{
    flush();
    if (const int reason = sync_to_disk(descriptor_))
        throw write_error(path_, reason);
}

/// Only while opening: the destructor of a half-built object does not run.
void AppendFile::fail(int reason)
{
    close_file(descriptor_);
    throw write_error(path_, reason);
}

} // namespace stickslip
