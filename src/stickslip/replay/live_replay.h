#pragma once

#include "stickslip/replay/packer.h"

#include <filesystem>
#include <memory>
#include <string>

namespace stickslip {

/// A run that may still be written, packed as far as it has come. Each question looks at the folder again.
class LiveReplay {
public:
    /// The folder need not hold a run yet.
    explicit LiveReplay(std::filesystem::path folder)
        : folder_(std::move(folder))
    {
    }

    /// The page's table of contents, JSON. Errors as read_run.
    std::string head();
    /// "meshes", "tables" or "group-3" of what head() last told about; empty when there is no such chunk.
    std::string chunk(const std::string& name) const;

private:
    void refresh();

    std::filesystem::path folder_;
    std::string seen_; // state of the files that change with every frame, and at the end
    std::unique_ptr<RunReading> run_;
    std::unique_ptr<ReplayPacker> packer_;
};

} // namespace stickslip
