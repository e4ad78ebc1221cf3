#include "stickslip/files/meshes/mesh_files.h"

#include "stickslip/files/meshes/mesh_formats.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/mesh/tet_shapes.h"
#include "stickslip/math/error.h"

#include "files/mesh_writers.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <clocale>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace stickslip::mesh_files_test {
namespace {

using writers::VtuStyle;

/// A file of its own for each process and test, gone afterwards.
class MeshFiles : public testing::Test {
protected:
    MeshFiles()
        : folder_(std::filesystem::temp_directory_path()
            / ("stickslip_mesh_files_" + std::to_string(::getpid()) + "_"
                + testing::UnitTest::GetInstance()->current_test_info()->name()))
    {
        std::filesystem::create_directories(folder_);
    }
    ~MeshFiles() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& content) const
    {
        const std::string path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

    TetMeshFile tets(const std::string& name, const std::string& content) const
    {
        return read_tet_mesh(write(name, content));
    }
    TriMesh triangles(const std::string& name, const std::string& content) const
    {
        return read_tri_mesh(write(name, content));
    }

    /// The message of the refusal without the folder.
    std::string refusal(const std::string& name, const std::string& content) const
    {
        const std::string path = write(name, content);
        try {
            read_tri_mesh(path);
        } catch (const InputError& error) {
            const std::string text = error.what();
            const std::string prefix = folder_.string() + "/";
            return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
        }
        return "accepted";
    }

    std::filesystem::path folder_;
};

/// Some 100 tetrahedra with coordinates that need all digits.
TetMesh sample_mesh()
{
    TetMesh mesh = tetrahedralize(Cylinder{0.37, 1.1}, 0.2);
    for (Vec3& x : mesh.nodes)
        x += Vec3(0.1, -1.0 / 3, 1e-3);
    return mesh;
}

struct NamedFile {
    std::string name, content;
    double tolerance; // of the coordinates
};

/// The mesh in every volume format and flavour; one other cell in each.
std::vector<NamedFile> volume_files(const TetMesh& m)
{
    std::vector<NamedFile> files;
    for (bool binary : {false, true}) {
        for (bool big : {false, true}) {
            files.push_back({"v2.msh", writers::gmsh_2(m, binary, big, 3), 0});
            files.push_back({"v40.msh", writers::gmsh_4(m, 0, binary, big), 0});
            files.push_back({"v41.msh", writers::gmsh_4(m, 1, binary, big), 0});
        }
        files.push_back({"v3.vtk", writers::legacy_vtk(m, binary, false), 0});
        files.push_back({"v5.vtk", writers::legacy_vtk(m, binary, true), 0});
    }
    for (auto format : {VtuStyle::ascii, VtuStyle::inline_base64, VtuStyle::appended_raw, VtuStyle::appended_base64}) {
        for (bool zlib : {false, true}) {
            for (bool wide : {false, true}) {
                const VtuStyle style = {.format = format, .zlib = zlib, .wide = wide, .big_endian = wide && zlib};
                files.push_back({"f.vtu", writers::VtuWriter(style).write(m), wide ? 0 : 1e-7});
            }
        }
    }
    return files;
}

std::vector<NamedFile> surface_files(const TriMesh& m)
{
    std::string obj = "# made for a test\no thing\n";
    for (const Vec3& x : m.vertices)
        obj += "v " + writers::words(x) + "\nvn 0 0 1\n";
    for (const Triangle& t : m.triangles) {
        obj += "f";
        for (int v : t)
            obj += " " + std::to_string(v + 1) + "//" + std::to_string(v + 1);
        obj += "\n";
    }
    return {{"a.obj", obj, 0}, {"a.stl", writers::stl(m, false), 0}, {"b.stl", writers::stl(m, true), 1e-7},
        {"a.ply", writers::ply(m, writers::Ply::ascii), 0}, {"l.ply", writers::ply(m, writers::Ply::little), 0},
        {"b.ply", writers::ply(m, writers::Ply::big), 0}};
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    double d = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        d = std::max(d, (a[i] - b[i]).cwiseAbs().maxCoeff());
    return d;
}

TEST_F(MeshFiles, EveryVolumeFormatGivesTheSameMesh)
{
    const TetMesh m = sample_mesh();
    int number = 0;
    for (const NamedFile& f : volume_files(m)) {
        const std::string name = std::to_string(number++) + f.name;
        TetMeshFile read;
        ASSERT_NO_THROW(read = tets(name, f.content)) << name << "\n" << refusal(name, f.content);
        EXPECT_EQ(read.mesh.tets, m.tets) << name;
        ASSERT_EQ(read.mesh.nodes.size(), m.nodes.size()) << name;
        EXPECT_LE(largest_difference(read.mesh.nodes, m.nodes), f.tolerance) << name;
        EXPECT_EQ(read.unused_nodes, 0) << name;
        EXPECT_EQ(read.ignored_cells, 1) << name;
    }
}

TEST_F(MeshFiles, EverySurfaceFormatGivesTheSameSurface)
{
    const TriMesh m = triangulate(Capsule{0.31, 0.7}, 0.15);
    for (const NamedFile& f : surface_files(m)) {
        const TriMesh read = triangles(f.name, f.content);
        EXPECT_EQ(read.vertices.size(), m.vertices.size()) << f.name;
        EXPECT_EQ(read.triangles.size(), m.triangles.size()) << f.name;
        EXPECT_TRUE(is_closed(read.triangles)) << f.name;
        EXPECT_NEAR(enclosed_volume(read), enclosed_volume(m), 1e-6) << f.name;
        if (f.name.find(".stl") == std::string::npos) {
            EXPECT_EQ(read.triangles, m.triangles) << f.name;
            EXPECT_EQ(largest_difference(read.vertices, m.vertices), 0) << f.name;
        }
    }
}

TEST_F(MeshFiles, TheSurfaceOfAVolumeFileIsItsBoundary)
{
    const TetMesh m = sample_mesh();
    const TriMesh read = triangles("m.msh", writers::gmsh_4(m, 1, true));
    EXPECT_EQ(read.triangles.size(), boundary_triangles(m.tets).size());
    EXPECT_EQ(read.vertices.size(), surface_nodes(m.tets).size());
    EXPECT_NEAR(enclosed_volume(read), total_volume(m), 1e-14);
}

TEST_F(MeshFiles, UnusedNodesAreDroppedAndCounted)
{
    TetMesh m = sample_mesh();
    const TetMesh clean = m;
    m.nodes.insert(m.nodes.begin() + 5, Vec3(9, 9, 9));
    m.nodes.push_back(Vec3(8, 8, 8));
    for (Tetrahedron& t : m.tets) {
        for (int& n : t)
            n += n >= 5;
    }
    const TetMeshFile read = tets("m.msh", writers::gmsh_4(m, 1, false));
    EXPECT_EQ(read.unused_nodes, 2);
    EXPECT_EQ(read.mesh.tets, clean.tets);
    EXPECT_EQ(read.mesh.nodes, clean.nodes);
}

TEST_F(MeshFiles, InvertedTetrahedraAreNotRepaired)
{
    TetMesh m = sample_mesh();
    for (Tetrahedron& t : m.tets)
        std::swap(t[0], t[1]);
    const TetMesh read = tets("m.msh", writers::gmsh_2(m, false)).mesh;
    EXPECT_EQ(read.tets, m.tets);
    ASSERT_EQ(find_defects(read).size(), 1u);
    EXPECT_EQ(find_defects(read)[0].kind, MeshDefectKind::inverted);
}

TEST_F(MeshFiles, ObjPolygonsBecomeFansAndNegativeNumbersCountBack)
{
    const TriMesh m = triangles("a.OBJ",
        "v 0 0 0 1.0\r\nv +1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1 4/1 # square\nv 0 0 1\nf -1 -5 -2\n");
    EXPECT_EQ(m.vertices.size(), 5u);
    EXPECT_EQ(m.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {4, 0, 3}}));
}

TEST_F(MeshFiles, LinesOfObjGoOnAfterABackslash)
{
    const TriMesh broken = triangles(
        "b.obj", "# C:\\models\\\nv 0.5 \\\r\n0 0\nv 1 0 0\nv 0 1.5e-1 0\nmtllib \\\nf\\\n 1 \\\n 2 \\\n 3\nf 1 2 3\\");
    ASSERT_EQ(broken.vertices.size(), 3u);
    EXPECT_EQ(broken.vertices[0], Vec3(0.5, 0, 0));
    EXPECT_EQ(broken.triangles.size(), 2u);
}

TEST_F(MeshFiles, NumbersDoNotHangOnTheLocale)
{
    const std::string before = std::setlocale(LC_ALL, nullptr);
    const char* comma = std::setlocale(LC_ALL, "de_DE.UTF-8");
    const TriMesh m = triangles("a.OBJ", "v 0.5 0 0\nv 1 0 0\nv 0 1.5e-1 0\nf 1 2 3\n");
    std::setlocale(LC_ALL, before.c_str());
    EXPECT_EQ(m.vertices[0][0], 0.5);
    EXPECT_EQ(m.vertices[2][1], 0.15);
    if (!comma)
        GTEST_SKIP() << "read in the C locale only: no locale with a decimal comma is installed";
}

TEST_F(MeshFiles, AFileThatCannotBeReadGivesTheReason)
{
    try {
        read_tet_mesh((folder_ / "absent.msh").string());
        FAIL();
    } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find("absent.msh: cannot be opened: No such file"), std::string::npos);
    }
    std::filesystem::create_directories(folder_ / "folder.obj");
    EXPECT_THROW(read_tri_mesh((folder_ / "folder.obj").string()), FileError);
}

TEST_F(MeshFiles, ErrorsNameTheLineAndWhatWasExpectedAndFound)
{
    const std::pair<std::pair<std::string, std::string>, std::string> cases[] = {
        {{"a.obj", "v 0 0 0\nv 1 x 0\n"}, "a.obj:2: error: expected three finite coordinates after v, found 'v 1 x 0'"},
        {{"a.obj", "v 0 0 nan\n"}, "a.obj:1: error: expected three finite coordinates after v, found 'v 0 0 nan'"},
        {{"a.obj", "v 0 0 0\nf 1 2 3\n"},
            "a.obj:2: error: expected vertex numbers between 1 and 1 (or as far below 0), found 2"},
        {{"a.obj", "v 0 0 0\nv 0 0 0\nf 1 2\n"},
            "a.obj:3: error: expected at least 3 vertices in a face, found 'f 1 2'"},
        {{"a.obj", ""}, "a.obj: error: expected triangles, found none"},
        {{"a.msh", "$MeshFormat\n3.0 0 8\n"}, "a.msh:2: error: expected Gmsh format version 2 or 4, found '3.0'"},
        {{"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 inf\n"},
            "a.msh:6: error: expected a finite coordinate, found infinity"},
        {{"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4000000000\n1 0 0 0\n"},
            "a.msh:5: error: expected a number of nodes between 0 and 2 (the rest of the file), found 4000000000"},
        {{"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n7 0 0 0\n7 0 0 0\n$EndNodes\n"},
            "a.msh:7: error: expected a number of its own for each node, found 7 twice"},
        {{"a.msh",
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 1 1 2\n"
             "$EndElements\n"},
            "a.msh:10: error: expected the number of a node, found 2"},
        {{"a.msh",
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 11 0 1 1 1 1 1 1 1 "
             "1 1 1\n$EndElements\n"},
            "a.msh:10: error: expected 4-node tetrahedra (export with Mesh.ElementOrder = 1), found 10-node "
            "tetrahedra"},
        {{"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n"},
            "a.msh: error: expected 4-node tetrahedra, found none (0 other cells)"},
        {{"a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n"},
            "a.vtk:4: error: expected 'UNSTRUCTURED_GRID', found 'POLYDATA'"},
        {{"a.vtk",
             "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0 0\nCELLS 1 5\n4 0 0 "
             "0 1\nCELL_TYPES 1\n10\n"},
            "expected node numbers from 0 to 0, found 1 in cell 0"},
        {{"a.vtu", "<VTKFile type=\"PolyData\">"}, "expected type=\"UnstructuredGrid\", found 'PolyData'"},
        {{"a.vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">"},
            "expected no compressor or vtkZLibDataCompressor, found 'vtkLZ4DataCompressor'"},
        {{"a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertx 1 0 0\n"},
            "a.stl:5: error: expected 'vertex', found 'vertx'"},
        {{"a.ply", "ply\nformat ascii 2.0\n"}, "a.ply:2: error: expected '1.0', found '2.0'"},
        {{"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n"},
            "expected finite coordinates x, y and z of vertex 0"},
        {{"a.step", ""},
            "a.step: error: expected a file that ends in .obj, .off, .stl, .ply, .msh, .vtk or .vtu, found '.step'"},
        {{"a.obj", "v 0 0 0\nv 1 0 0\n"}, "a.obj: error: expected triangles, found points alone (2)"},
        {{"a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\n"}, "a.obj: error: expected triangles, found edges alone (2)"},
        {{"a.ply",
             "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
             "element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n0 0 0\n1 0 0\n0 1\n"},
            "a.ply: error: expected triangles, found edges alone (1)"},
        {{"a.off", "OFF\n1 0 0\n0 0 0\n"}, "a.off: error: expected triangles, found points alone (1)"},
        {{"a.off", "OFF 2 1 0\n0 0 0\n1 0 0\n2 0 1\n"}, "a.off: error: expected triangles, found edges alone (1)"},
        {{"a.off", "solid\n"}, "a.off:1: error: expected OFF, the keyword of the format"},
        {{"a.off", "OFF BINARY\n"}, "a.off:1: error: expected a number of vertices, found 'OFF BINARY'"},
        {{"a.off", "OFF\n4000000000 0 0\n"}, "a.off:2: error: expected a number of vertices between 0 and "},
        {{"a.off", "OFF\n1 0 0\n0 0 inf\n"}, "a.off:3: error: expected three finite coordinates of a vertex"},
        {{"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"},
            "a.off:6: error: expected as many vertex numbers from 0 to 2 as the face has corners, found '3 0 1 3'"},
        {{"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n"}, "a.off:4: error: expected another line, found the end of the file"},
    };
    for (const auto& [file, message] : cases)
        EXPECT_NE(refusal(file.first, file.second).find(message), std::string::npos)
            << refusal(file.first, file.second) << "\nwanted: " << message;
}

TEST_F(MeshFiles, OffIsReadWithItsCommentsAndColours)
{
    const char* text =
        "# made by hand\nCOFF # with colours\n4 3 0\n\n0 0 0 255 0 0 255\n2.5 0 0 0 0 0 1\n2 3 0\n0 1e0 0\n"
        "4 0 1 2 3 0.1 0.2 0.3 # a polygon\n2 0 2\n3 0 2 1\n";
    write("a.OFF", text);
    const TriMeshFile file = read_surface((folder_ / "a.OFF").string());
    EXPECT_EQ(file.mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {2.5, 0, 0}, {2, 3, 0}, {0, 1, 0}}));
    EXPECT_EQ(file.mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 2, 1}}));
    EXPECT_EQ(file.loose_edges, 1);
}

TEST_F(MeshFiles, ObjTextComesBackWithTheSameBits)
{
    const TriMesh mesh{
        .vertices = {{0.1, -1.0 / 3, 1e-300}, {1e17, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}, {2, 1, 0}}};
    write("a.obj", obj_text(mesh));
    const TriMesh back = read_tri_mesh((folder_ / "a.obj").string());
    EXPECT_EQ(back.vertices, mesh.vertices);
    EXPECT_EQ(back.triangles, mesh.triangles);
}

TEST_F(MeshFiles, BinaryErrorsNameTheByte)
{
    const std::string whole = writers::gmsh_4(sample_mesh(), 1, true);
    EXPECT_NE(refusal("a.msh", whole.substr(0, 600)).find("a.msh: byte "), std::string::npos)
        << refusal("a.msh", whole.substr(0, 600));
}

TEST_F(MeshFiles, ABinarySurfaceCutShortIsToldAsSuchWhateverItsHeaderSays)
{
    std::string stl = writers::stl(triangulate(Box{{1, 1, 1}}, 1), true);
    stl.replace(0, 5, "solid");
    const std::string message = refusal("a.stl", stl.substr(0, stl.size() - 30));
    EXPECT_NE(message.find("byte 80: error: expected a number of triangles between 0 and 11"), std::string::npos)
        << message;
}

TEST_F(MeshFiles, ATextSurfaceMayBeInCapitals)
{
    std::string stl = writers::stl(triangulate(Box{{1, 1, 1}}, 1), false);
    const std::size_t count = triangles("a.stl", stl).triangles.size();
    std::transform(stl.begin(), stl.end(), stl.begin(), [](unsigned char c) { return std::toupper(c); });
    EXPECT_EQ(triangles("b.stl", stl).triangles.size(), count);
    EXPECT_EQ(count, 12u);
}

TEST_F(MeshFiles, AbsurdCountsAreRefusedBeforeAllocating)
{
    std::string stl = writers::stl(triangulate(Box{{1, 1, 1}}, 1), true);
    stl.replace(80, 4, "\xff\xff\xff\xff");
    stl[0] = 'b';
    EXPECT_NE(refusal("a.stl", stl).find("expected a number of triangles between 0 and 12 (the rest of the file)"),
        std::string::npos);
    const std::string vtu =
        "<VTKFile type=\"UnstructuredGrid\"><Piece NumberOfPoints=\"900000000000\" NumberOfCells=\"1\">"
        "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">AAAA";
    EXPECT_NE(refusal("a.vtu", vtu).find("expected"), std::string::npos);
    const std::string ply =
        "ply\nformat ascii 1.0\nelement ghost 9000000000000000000\nelement vertex 900000000000\nproperty "
        "float x\nend_header\n1 2 3\n";
    EXPECT_NE(refusal("a.ply", ply).find("expected a number of elements between 0 and"), std::string::npos);
}

/// A damaged file is refused in words, or happens to be a mesh still; nothing else may happen. From memory: thousands
/// of files on disk would take longer than everything else.
void expect_safe(const std::string& name, const std::string& content)
{
    MeshInput in(name, content);
    const std::string ending = name.substr(name.find('.'));
    try {
        std::vector<Vec3> points;
        std::vector<int> corners;
        if (ending == ".msh" || ending == ".vtk" || ending == ".vtu") {
            const RawTets raw = ending == ".msh" ? read_gmsh(in)
                : ending == ".vtk"               ? read_legacy_vtk(in)
                                                 : read_vtu(in);
            points = raw.nodes;
            for (const Tetrahedron& t : raw.tets)
                corners.insert(corners.end(), t.begin(), t.end());
        } else {
            const TriMesh mesh = (ending == ".obj" ? read_obj(in)
                    : ending == ".ply"             ? read_ply(in)
                                                   : read_stl(in))
                                     .mesh;
            points = mesh.vertices;
            for (const Triangle& t : mesh.triangles)
                corners.insert(corners.end(), t.begin(), t.end());
        }
        for (int c : corners)
            ASSERT_TRUE(c >= 0 && c < static_cast<int>(points.size())) << name;
        for (const Vec3& x : points)
            ASSERT_TRUE(x.allFinite()) << name;
    } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("error: expected"), std::string::npos) << text;
        EXPECT_NE(text.find(", found "), std::string::npos) << text;
    }
}

std::vector<NamedFile> small_files()
{
    std::vector<NamedFile> files = volume_files(tetrahedralize(Sphere{0.3}, 0.3));
    for (NamedFile& f : surface_files(triangulate(Sphere{0.3}, 0.3)))
        files.push_back(std::move(f));
    return files;
}

TEST(DamagedMeshFiles, CutShortAreSafe)
{
    for (const NamedFile& f : small_files()) {
        const std::size_t step = f.content.size() / 400 + 1;
        for (std::size_t length = 0; length < f.content.size(); length += step)
            expect_safe(f.name, f.content.substr(0, length));
    }
}

TEST(DamagedMeshFiles, WithWrongBytesAreSafe)
{
    std::mt19937 generator(3);
    for (const NamedFile& f : small_files()) {
        for (int trial = 0; trial < 400; ++trial) {
            std::string damaged = f.content;
            for (int i = 0; i < 1 + trial % 4; ++i)
                damaged[generator() % damaged.size()] =
                    static_cast<char>(trial % 2 ? generator() : '0' + generator() % 10);
            expect_safe(f.name, damaged);
        }
    }
}

TEST(DamagedMeshFiles, OfGarbageAreSafe)
{
    std::mt19937 generator(5);
    for (const char* name : {"a.msh", "a.vtk", "a.vtu", "a.obj", "a.stl", "a.ply"}) {
        for (int trial = 0; trial < 400; ++trial) {
            std::string garbage(generator() % 300, ' ');
            for (char& c : garbage)
                c = static_cast<char>(generator());
            expect_safe(name, garbage);
        }
    }
}

TEST(MeshFilesOfOthers, AreReadWithTheirCountsAndPositiveVolume)
{
    const std::filesystem::path folder = std::filesystem::path(STICKSLIP_SOURCE_DIR) / "../shared/data/tets";
    if (!std::filesystem::exists(folder / "bunny.msh"))
        GTEST_SKIP() << "no ../shared/data/tets beside the project";
    const std::tuple<const char*, std::size_t, std::size_t> files[] = {
        {"bunny.msh", 4670, 19379}, {"Armadillo13K.msh", 13230, 54985}};
    for (const auto& [name, nodes, tets] : files) {
        const TetMeshFile read = read_tet_mesh((folder / name).string());
        EXPECT_EQ(read.mesh.nodes.size(), nodes);
        EXPECT_EQ(read.mesh.tets.size(), tets);
        EXPECT_EQ(read.unused_nodes, 0);
        EXPECT_GT(total_volume(read.mesh), 0);
        EXPECT_TRUE(find_defects(read.mesh).empty());
    }
}

} // namespace
} // namespace stickslip::mesh_files_test
