#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"

#include <filesystem>
#include <fstream>

namespace stickslip {

inline void write_obj(const std::filesystem::path& path, const TriMesh& mesh)
{
    std::ofstream out(path);
    for (const Vec3& v : mesh.vertices)
        out << "v " << v.x() << ' ' << v.y() << ' ' << v.z() << '\n';
    for (const auto& [a, b, c] : mesh.triangles)
        out << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
}

} // namespace stickslip
