#include "stickslip/build/file_checks.h"

#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/granular/place_spheres.h"
#include "stickslip/build/restart/earlier_run.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/files/place_file.h"

namespace stickslip {

void check_files(const Scene& scene, const SceneTree& tree, const Reading& reading, const std::filesystem::path& folder,
    BuildReport& report)
{
    BodySurfaces surfaces(folder, {});
    const ScenePlaces places(scene, tree);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodySettings& body = scene.bodies[i];
        const std::string path = places.body_path(i);
        if (!reading.sound(path + ".kind") || !reading.sound(path + ".name"))
            continue;
        if (body.kind != BodyKind::spheres && reading.sound(path + ".shape")) {
            report.attempt(shape_position(body), body, shape_key(body), [&] {
                if (const auto* mesh = std::get_if<MeshShape>(&body.shape); mesh && body.kind == BodyKind::deformable)
                    read_tet_mesh((folder / mesh->file).string());
                else if (mesh)
                    surfaces.mesh(*mesh);
                else if (std::holds_alternative<LevelSetShape>(body.shape))
                    surfaces.solid(body.shape);
            });
        }
        if (body.kind == BodyKind::spheres && reading.sound(path + "." + placing_key(body))) {
            report.attempt(placing_position(body), body, placing_key(body), [&] {
                if (body.fill && body.fill->mesh)
                    surfaces.mesh(*body.fill->mesh);
                else if (body.positions && !body.positions->file.empty())
                    read_places((folder / body.positions->file).string());
            });
        }
    }
    if (scene.start && reading.sound("start.from"))
        check_start(scene, folder, reading.sound("solver.integration"), report);
}

} // namespace stickslip
