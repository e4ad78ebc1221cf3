#pragma once

#include "stickslip/scene/text/scene_tree.h"

#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

/// The path being read and the faults found so far.
class Reading {
public:
    explicit Reading(const SceneSource& source)
        : source_(source)
    {
    }

    const std::string& path() const { return path_; }
    /// The end of the path.
    std::string key() const { return path_.substr(path_.find_last_of(".]") + 1); }
    std::string line(const SourcePosition& where) const { return line_at(source_, where); }

    /// Makes `step` (`key`, `.name` or `[2]`) part of the path while it lives.
    class Step {
    public:
        Step(Reading& reading, std::string_view step);
        ~Step();
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

    private:
        Reading& reading_;
        std::size_t length_;
    };

    void fault(const SourcePosition& at, const std::string& message);
    void fault(const SourcePosition& at, const std::string& path, const std::string& message);
    void warn(const SourcePosition& at, const std::string& path, const std::string& message);

    /// "expected a number > 0, got "70o"".
    void expected(const SceneNode& node, const std::string& what);

    /// The value at this path is probably there under a misspelt key: say nothing more about it.
    void doubt(const std::string& path) { doubtful_.push_back(path); }

    /// Nothing at, above or below this path is at fault, so that a conclusion from its value is worth telling.
    bool sound(std::string_view path) const;

    /// Neither this path nor one above it is at fault; what lies below may be.
    bool reached(std::string_view path) const;

    const std::vector<Fault>& faults() const { return faults_; }
    const std::vector<Fault>& warnings() const { return warnings_; }

private:
    const SceneSource& source_;
    std::string path_;
    std::vector<Fault> faults_, warnings_;
    std::vector<std::string> doubtful_;
};

/// A key as a step of a path: without what separates steps, whatever the file says.
std::string safe_step(const std::string& key);

/// The candidate a misspelt word most likely stands for, or "".
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

/// The candidates that are most like a word, the nearest first, at most so many; none that has little in common.
std::vector<std::string> nearest_words(
    std::string_view word, const std::vector<std::string>& candidates, std::size_t most);

/// `; did you mean "position"?` or "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// For a name that nothing has: `; did you mean "cube"?`, or else what there is of it: `; the run has: floor, brick`.
/// Copies go by their family.
std::string meant_name(const std::string& given, const std::vector<std::string>& names, const std::string& of);

} // namespace stickslip
