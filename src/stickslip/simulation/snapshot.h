#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace stickslip {

struct SnapshotContent;

/// The state of one simulation between two steps, and the controls it was steered by: another simulation of the same
/// scene that takes it goes on with the same bits. Copies share it; it never changes.
class Snapshot {
public:
    double time() const; // [s]
    std::string state_hash() const;

    /// For a file or another process; from_bytes(bytes()) is the same snapshot. Errors of from_bytes: InputError for
    /// bytes that are cut off, altered or of another version; any content is safe.
    std::string bytes() const;
    static Snapshot from_bytes(std::string_view bytes);

private:
    friend class Simulation;
    explicit Snapshot(std::shared_ptr<const SnapshotContent> content)
        : content_(std::move(content))
    {
    }

    std::shared_ptr<const SnapshotContent> content_;
};

} // namespace stickslip
