#include "stickslip/geometry/solids/grid_level_set.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <istream>
#include <ostream>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace stickslip {

namespace {

// Raise when the file layout or any number in a grid built from the same mesh and options changes.
constexpr std::uint64_t format_version = 2;
constexpr std::uint64_t magic = 0x7374736c67726964; // reads differently in the other byte order

/// 128-bit digest against damage and accidental equality, not against an attacker. Every step is a bijection of the
/// state for a given word, and of the word for a given state: a single altered word always shows.
class Digest {
public:
    void add(const void* data, std::size_t size)
    {
        const auto* bytes = static_cast<const unsigned char*>(data);
        word(size);
        for (std::size_t i = 0; i < size; i += 8) {
            std::uint64_t w = 0;
            std::memcpy(&w, bytes + i, std::min<std::size_t>(8, size - i));
            word(w);
        }
    }
    template <typename Value>
    void add(const std::vector<Value>& values)
    {
        add(values.data(), values.size() * sizeof(Value));
    }
    std::array<std::uint64_t, 2> value() const { return state_; }

private:
    static std::uint64_t mix(std::uint64_t x)
    {
        x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
        x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
        return x ^ (x >> 32);
    }
    void word(std::uint64_t w)
    {
        state_[0] = mix(state_[0] ^ w);
        state_[1] = mix(std::rotl(state_[1], 23) + w * 0x9e3779b97f4a7c15);
    }

    std::array<std::uint64_t, 2> state_{1, 2};
};

std::string hexadecimal(const std::array<std::uint64_t, 2>& words)
{
    std::string text;
    for (const std::uint64_t w : words) {
        for (int shift = 60; shift >= 0; shift -= 4)
            text += "0123456789abcdef"[(w >> shift) & 15];
    }
    return text;
}

/// Plain numbers without padding, written as they lie in memory.
struct Header {
    std::uint64_t magic, version;
    char key[32];
    double origin[3], spacing, solid_min[3], solid_max[3];
    std::uint64_t count[3];
    std::uint64_t checksum[2]; // of all above
};
constexpr std::size_t header_checked = offsetof(Header, checksum);

std::array<std::uint64_t, 2> header_checksum(const Header& header)
{
    Digest digest;
    digest.add(&header, header_checked);
    return digest.value();
}

std::array<std::uint64_t, 2> values_checksum(const std::vector<double>& values)
{
    Digest digest;
    digest.add(values);
    return digest.value();
}

template <typename Data>
bool read(std::istream& in, Data* data, std::size_t size)
{
    return static_cast<bool>(in.read(reinterpret_cast<char*>(data), static_cast<std::streamsize>(size)));
}

void write(std::ostream& out, const void* data, std::size_t size)
{
    out.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
}

/// Written beside its place and moved there: a reader sees the whole file or none. Failure leaves no file.
void store(const GridLevelSet& grid, const std::filesystem::path& file)
{
    static std::atomic<int> serial = 0;
    std::filesystem::path temporary = file;
    temporary += "." + std::to_string(getpid()) + "." + std::to_string(serial++);
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    std::ofstream out(temporary, std::ios::binary);
    grid.save(out);
    out.close();
    if (out)
        std::filesystem::rename(temporary, file, error);
    if (!out || error)
        std::filesystem::remove(temporary, error);
}

} // namespace

std::string content_key(const TriMesh& mesh, const GridOptions& options)
{
    Digest digest;
    digest.add(&format_version, sizeof format_version);
    digest.add(mesh.vertices);
    digest.add(mesh.triangles);
    const double numbers[] = {options.spacing, options.band};
    digest.add(numbers, sizeof numbers);
    return hexadecimal(digest.value());
}

void GridLevelSet::save(std::ostream& out) const
{
    Header header{};
    header.magic = magic;
    header.version = format_version;
    grid_.key.copy(header.key, sizeof header.key);
    header.spacing = grid_.spacing;
    for (int axis = 0; axis < 3; ++axis) {
        header.origin[axis] = grid_.origin[axis];
        header.solid_min[axis] = grid_.solid.min[axis];
        header.solid_max[axis] = grid_.solid.max[axis];
        header.count[axis] = static_cast<std::uint64_t>(grid_.count[axis]);
    }
    const auto checksum = header_checksum(header);
    std::memcpy(header.checksum, checksum.data(), sizeof header.checksum);
    write(out, &header, sizeof header);
    write(out, grid_.values.data(), grid_.values.size() * sizeof(double));
    const auto values_sum = values_checksum(grid_.values);
    write(out, values_sum.data(), sizeof values_sum);
}

std::shared_ptr<const GridLevelSet> GridLevelSet::load(std::istream& in)
{
    Header header;
    if (!read(in, &header, sizeof header) || header.magic != magic || header.version != format_version)
        return nullptr;
    const auto checksum = header_checksum(header);
    if (std::memcmp(header.checksum, checksum.data(), sizeof header.checksum) != 0)
        return nullptr;
    GridCoefficients grid;
    grid.key.assign(header.key, sizeof header.key);
    grid.spacing = header.spacing;
    std::size_t nodes = 1;
    for (int axis = 0; axis < 3; ++axis) {
        grid.origin[axis] = header.origin[axis];
        grid.solid.min[axis] = header.solid_min[axis];
        grid.solid.max[axis] = header.solid_max[axis];
        grid.count[axis] = static_cast<int>(header.count[axis]);
        nodes *= header.count[axis];
    }
    grid.values.resize(nodes);
    std::array<std::uint64_t, 2> expected;
    if (!read(in, grid.values.data(), nodes * sizeof(double)) || !read(in, &expected, sizeof expected)
        || expected != values_checksum(grid.values))
        return nullptr;
    return std::make_shared<const GridLevelSet>(std::move(grid));
}

std::shared_ptr<const GridLevelSet> cached_grid_level_set(
    const TriMesh& closed_mesh, const GridOptions& options, const std::filesystem::path& cache_folder)
{
    if (cache_folder.empty())
        return build_grid_level_set(closed_mesh, options);
    const std::string key = content_key(closed_mesh, options);
    const std::filesystem::path file = cache_folder / (key + ".grid");
    std::ifstream in(file, std::ios::binary);
    if (const auto grid = in ? GridLevelSet::load(in) : nullptr; grid && grid->key() == key)
        return std::make_shared<const GridLevelSet>(grid->with_triangles(closed_mesh));
    auto grid = build_grid_level_set(closed_mesh, options);
    store(*grid, file);
    return grid;
}

} // namespace stickslip
