#include "stickslip/scene/mesh_parts.h"

#include "stickslip/files/meshes/mesh_files.h"

namespace stickslip {

TriMesh read_triangles(const MeshShape& shape, const std::filesystem::path& folder)
{
    TriMesh all;
    for (std::size_t k = 0; k < shape.parts().size(); ++k) {
        TriMesh part;
        const std::string file = (folder / shape.parts()[k].file).string();
        try {
            part = read_tri_mesh(file);
        } catch (const InputError& error) {
            if (shape.files.empty())
                throw;
            throw MeshPartError(k, false, error.what());
        } catch (const FileError& error) {
            if (shape.files.empty())
                throw;
            throw MeshPartError(k, true, error.what());
        }
        const int first = static_cast<int>(all.vertices.size());
        for (const Vec3& X : part.vertices)
            all.vertices.push_back(X.cwiseProduct(shape.metres_per_unit()));
        for (const Triangle& t : part.triangles)
            all.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    return all;
}

} // namespace stickslip
