#pragma once

#include "stickslip/bodies/motion.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/mesh_parts.h"
#include "stickslip/scene/scene.h"
#include "stickslip/scene/text/fault.h"
#include "stickslip/scene/text/wording.h"

#include <memory>
#include <string>
#include <vector>

namespace stickslip {

/// Faults and warnings of building a scene, each at its position in the scene.
struct BuildReport {
    std::shared_ptr<const SceneSource> source; // null for a scene that was not read from text
    std::vector<Fault> faults, warnings;
    bool unreadable = false; // a file that the scene names cannot be read: exit status 4

    bool good() const { return faults.empty(); }

    /// `key`: within the body, "shape.mesh.file".
    void fault(
        const SourcePosition& where, const BodySettings& body, const std::string& key, const std::string& message);
    /// `path`: from the root of the scene, may be empty.
    void fault(const SourcePosition& where, const std::string& path, const std::string& message);
    void warn(const SourcePosition& where, const std::string& path, const std::string& message);

    /// Runs build(), which may throw a FileError or an InputError: a fault of `key`, or of the one of several mesh
    /// files that it tells of.
    template <class Build>
    void attempt(const SourcePosition& where, const BodySettings& body, const std::string& key, Build build);

private:
    Fault at(const SourcePosition& where, const std::string& path, const std::string& message) const;
    void fault(const BodySettings& body, const MeshPartError& error);
};

/// Position of a body's mesh file, or of its shape; and the key of that.
SourcePosition shape_position(const BodySettings& body);
std::string shape_key(const BodySettings& body);

/// The place of a body's own frame.
Frame placed(const BodySettings& body);

template <class Build>
void BuildReport::attempt(const SourcePosition& where, const BodySettings& body, const std::string& key, Build build)
{
    try {
        build();
    } catch (const MeshPartError& error) {
        fault(body, error);
    } catch (const FileError& error) {
        unreadable = true;
        fault(where, body, key, error.what());
    } catch (const InputError& error) {
        fault(where, body, key, error.what());
    }
}

} // namespace stickslip
