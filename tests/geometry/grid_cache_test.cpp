#include "stickslip/geometry/solids/grid_level_set.h"

#include "geometry/closed_meshes.h"
#include "stickslip/math/error.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace stickslip::grid_cache_test {
namespace {

namespace fs = std::filesystem;

const GridOptions coarse{.spacing = 0.2};

std::string bytes_of(const GridLevelSet& grid)
{
    std::ostringstream out;
    grid.save(out);
    return out.str();
}

std::shared_ptr<const GridLevelSet> loaded(const std::string& bytes)
{
    std::istringstream in(bytes);
    return GridLevelSet::load(in);
}

std::string read_file(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const fs::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

/// A folder of this test's own, removed with it.
class GridCache : public testing::Test {
protected:
    GridCache()
        : folder(fs::path(testing::TempDir())
            / (std::string("stickslip_") + testing::UnitTest::GetInstance()->current_test_info()->name()))
    {
        fs::remove_all(folder);
    }
    ~GridCache() override { fs::remove_all(folder); }

    fs::path file() const { return folder / (content_key(mesh, coarse) + ".grid"); }

    TriMesh mesh = sphere_mesh(0.8, 2);
    fs::path folder;
};

TEST_F(GridCache, SavedGridIsLoadedBitForBit)
{
    const auto grid = build_grid_level_set(mesh, coarse);
    const std::string bytes = bytes_of(*grid);
    const auto copy = loaded(bytes);
    ASSERT_TRUE(copy);
    EXPECT_EQ(bytes_of(*copy), bytes);
    EXPECT_EQ(copy->key(), content_key(mesh, coarse));
    EXPECT_EQ(copy->distance({0.1, 0.2, 0.3}), grid->distance({0.1, 0.2, 0.3}));
    EXPECT_EQ(copy->solid_bounds().max, grid->solid_bounds().max);
}

TEST_F(GridCache, TruncationAndAnyFlippedBitAreNoticed)
{
    const std::string bytes = bytes_of(*build_grid_level_set(mesh, coarse));
    for (const std::size_t size :
        {std::size_t(0), std::size_t(7), std::size_t(100), bytes.size() / 2, bytes.size() - 1})
        EXPECT_FALSE(loaded(bytes.substr(0, size))) << size;
    for (std::size_t at = 0; at < bytes.size(); at += at < 300 ? 1 : 997) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string altered = bytes;
            altered[at] = static_cast<char>(altered[at] ^ (1 << bit));
            EXPECT_FALSE(loaded(altered)) << "byte " << at << " bit " << bit;
        }
    }
}

TEST_F(GridCache, KeyChangesWithEveryPartOfTheContent)
{
    const std::string key = content_key(mesh, coarse);
    EXPECT_EQ(key.size(), 32u);
    EXPECT_EQ(content_key(mesh, coarse), key);
    TriMesh moved = mesh;
    moved.vertices[5].y() = std::nextafter(moved.vertices[5].y(), 2.0);
    EXPECT_NE(content_key(moved, coarse), key);
    TriMesh turned = mesh;
    std::swap(turned.triangles[0], turned.triangles[1]);
    EXPECT_NE(content_key(turned, coarse), key);
    EXPECT_NE(content_key(mesh, {.spacing = 0.21}), key);
    EXPECT_NE(content_key(mesh, {.spacing = 0.2, .band = 5}), key);
}

TEST_F(GridCache, SecondCallReadsTheFileOfTheFirst)
{
    const std::string bytes = bytes_of(*cached_grid_level_set(mesh, coarse, folder));
    EXPECT_EQ(read_file(file()), bytes);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1); // nothing temporary left
    const auto written = fs::last_write_time(file());
    EXPECT_EQ(bytes_of(*cached_grid_level_set(mesh, coarse, folder)), bytes);
    EXPECT_EQ(fs::last_write_time(file()), written);
}

TEST_F(GridCache, DamagedOrForeignFileIsRebuilt)
{
    const std::string good = bytes_of(*cached_grid_level_set(mesh, coarse, folder));
    std::string flipped = good;
    flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 4);
    const std::string other = bytes_of(*build_grid_level_set(cube_mesh(1), coarse)); // sound, but of another mesh
    for (const std::string& bad : {std::string(), good.substr(0, good.size() / 2), flipped, other}) {
        write_file(file(), bad);
        EXPECT_EQ(bytes_of(*cached_grid_level_set(mesh, coarse, folder)), good);
        EXPECT_EQ(read_file(file()), good);
    }
}

TEST_F(GridCache, WorksWithoutAFolder)
{
    const std::string good = bytes_of(*build_grid_level_set(mesh, coarse));
    EXPECT_EQ(bytes_of(*cached_grid_level_set(mesh, coarse, {})), good);
    write_file(folder, "a file where the folder should be");
    EXPECT_EQ(bytes_of(*cached_grid_level_set(mesh, coarse, folder)), good);
    EXPECT_EQ(read_file(folder), "a file where the folder should be");
}

TEST_F(GridCache, BadMeshIsRefusedNotCached)
{
    mesh.triangles.pop_back();
    EXPECT_THROW(cached_grid_level_set(mesh, coarse, folder), InputError);
    EXPECT_FALSE(fs::exists(file()));
}

} // namespace
} // namespace stickslip::grid_cache_test
