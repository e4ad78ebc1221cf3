#include "stickslip/build/build_report.h"

namespace stickslip {

Fault BuildReport::at(const SourcePosition& where, const std::string& path, const std::string& message) const
{
    return make_fault(source ? *source : SceneSource(), where, path, message);
}

void BuildReport::fault(
    const SourcePosition& where, const BodySettings& body, const std::string& key, const std::string& message)
{
    fault(where, "bodies." + body.name + "." + key, message);
}

void BuildReport::fault(const SourcePosition& where, const std::string& path, const std::string& message)
{
    faults.push_back(at(where, path, message));
}

void BuildReport::fault(const BodySettings& body, const MeshPartError& error)
{
    unreadable = unreadable || error.unreadable;
    fault(std::get<MeshShape>(body.shape).files[error.part].at, body,
        "shape.mesh.files[" + std::to_string(error.part) + "]", error.what());
}

void BuildReport::warn(const SourcePosition& where, const std::string& path, const std::string& message)
{
    warnings.push_back(at(where, path, message));
    warnings.back().warning = true;
}

SourcePosition shape_position(const BodySettings& body)
{
    if (const auto* mesh = std::get_if<MeshShape>(&body.shape))
        return mesh->parts().front().at;
    if (const auto* grid = std::get_if<LevelSetShape>(&body.shape))
        return grid->file_at;
    return body.shape_at;
}

std::string shape_key(const BodySettings& body)
{
    if (const auto* mesh = std::get_if<MeshShape>(&body.shape))
        return mesh->files.empty() ? "shape.mesh.file" : "shape.mesh.files";
    return std::holds_alternative<LevelSetShape>(body.shape) ? "shape.level_set.file" : "shape";
}

Frame placed(const BodySettings& body)
{
    return {body.position, body.rotation ? rotation_matrix(*body.rotation) : Mat3::Identity()};
}

} // namespace stickslip
