#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace stickslip {

/// Makes writing beyond a file size limit an error that is reported (File too large) instead of a signal that ends the
/// program. Call once at the start of the program.
void ignore_file_size_signal();

/// A file that appears whole or not at all: written beside its place as `<path>.tmp-<process>`, renamed by commit().
/// Whatever was at `path` stays until then. A symbolic link there is replaced, not followed; anything that is neither
/// missing nor a regular file (a folder, a device) is refused.
/// That holds for other processes and when this one is killed. After a power cut it holds only with commit_to_disk();
/// a file committed otherwise may then be missing, old or empty.
///
/// Errors: FileError "cannot write <path>: <system reason>"; the temporary is gone by then.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& path);
    ~AtomicFile(); // without commit(): removes the temporary
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void append(std::string_view bytes);

    /// To its name. Nothing may be appended afterwards.
    void commit();

    /// The same, and waits until content and name are on disk: some milliseconds, so for few files.
    void commit_to_disk();

private:
    void discard() noexcept;
    [[noreturn]] void fail(int reason);

    std::filesystem::path path_, temporary_;
    int descriptor_ = -1;
};

/// Errors as AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Waits until a file that is there is on disk. Errors: FileError as AtomicFile.
void sync_file(const std::filesystem::path& path);

/// Waits until the names in a folder are on disk. Where it cannot, files keep their content: a failure is no error.
void sync_folder(const std::filesystem::path& folder);

/// What is at `path`, links followed; `not_found` where nothing is. Errors: FileError "cannot read <path>: <system
/// reason>" where the system does not tell: a name that is too long, links in a ring, no permission.
std::filesystem::file_status status_of(const std::filesystem::path& path);

/// Whole content. Errors: FileError "cannot read <path>: <system reason>".
std::string read_file(const std::filesystem::path& path);

/// Removes what AtomicFile of killed processes left in `folder` (not below it); returns how many. No other process may
/// be writing there.
int remove_leftover_temporaries(const std::filesystem::path& folder);

/// A file that grows line by line: tables and the log. What is appended waits in memory until flush().
///
/// Errors: FileError "cannot write <path>: <system reason>". A flush that fails takes back the part it wrote, if the
/// system lets it, so that the file does not end within a line.
class AppendFile {
public:
    /// Opens an empty file, whatever was there before.
    explicit AppendFile(const std::filesystem::path& path);

    /// Goes on with an existing file after its first `length` bytes and cuts off the rest. FileError also when it is
    /// shorter.
    AppendFile(const std::filesystem::path& path, std::uint64_t length);

    ~AppendFile(); // flushes; a failure goes unseen, so call flush() before
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;

    void append(std::string_view text) { waiting_ += text; }

    /// Hands all to the system. After a failure what was waiting is dropped.
    void flush();

    /// flush(), then waits until it is on disk: before a checkpoint that records size().
    void sync();

    /// Length of the file [bytes], with what is still waiting.
    std::uint64_t size() const { return written_ + waiting_.size(); }

    const std::filesystem::path& path() const { return path_; }

private:
    [[noreturn]] void fail(int reason);

    std::filesystem::path path_;
    std::string waiting_;
    std::uint64_t written_ = 0;
    int descriptor_ = -1;
};

} // namespace stickslip
