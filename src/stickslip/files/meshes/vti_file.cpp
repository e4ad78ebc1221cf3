#include "stickslip/files/meshes/vti_file.h"

#include "stickslip/files/meshes/vtk_xml.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace stickslip {

namespace {

template <std::size_t count>
std::array<double, count> numbers(const MeshInput& in, const std::string& key, const std::string& text)
{
    std::array<double, count> values{};
    std::istringstream words(text);
    std::string word, rest;
    for (double& value : values)
        if (!(words >> word) || !parse_real(word, value) || !std::isfinite(value))
            in.fail(key + "=\"" + std::to_string(count) + " numbers\"", "'" + text + "'");
    if (words >> rest)
        in.fail(key + "=\"" + std::to_string(count) + " numbers\"", "'" + text + "'");
    return values;
}

std::string attribute(const std::map<std::string, std::string>& of, const std::string& name, const std::string& usual)
{
    const auto found = of.find(name);
    return found == of.end() ? usual : found->second;
}

/// Name of the array that holds the distance, with its section.
std::string array_of_distance(const MeshInput& in, const VtkXmlPiece& piece)
{
    std::vector<std::string> scalars;
    std::string found;
    for (const auto& [name, array] : piece.arrays)
        if (name.starts_with("PointData/") && array.components == 1) {
            if (name == "PointData/" + piece.scalars)
                return name;
            scalars.push_back(name);
            found += (found.empty() ? "" : ", ") + name.substr(name.find('/') + 1);
        }
    if (scalars.size() == 1 && piece.scalars.empty())
        return scalars[0];
    in.fail("one array of point data with one component, or <PointData Scalars=\"the one to take\">",
        scalars.empty() ? "none" : found);
}

} // namespace

GridSamples read_vti(const std::string& path)
{
    MeshInput in = MeshInput::open(path);
    const VtkXmlFile file(in, "ImageData");
    in.move_to(in.data().find("<ImageData")); // where complaints about it belong
    const auto& image = file.attributes();
    const auto origin = numbers<3>(in, "Origin", attribute(image, "Origin", "0 0 0"));
    const auto spacing = numbers<3>(in, "Spacing", attribute(image, "Spacing", "1 1 1"));
    const std::string whole = attribute(image, "WholeExtent", "");
    const auto extent = numbers<6>(in, "WholeExtent", whole);
    constexpr std::array<double, 9> along_axes = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (numbers<9>(in, "Direction", attribute(image, "Direction", "1 0 0 0 1 0 0 0 1")) != along_axes)
        in.fail("axes along those of the coordinates", "another Direction");
    constexpr double alike = 1e-6;
    const double h = spacing[0];
    if (!(h > 0 && std::abs(spacing[1] - h) <= alike * h && std::abs(spacing[2] - h) <= alike * h))
        in.fail("the same Spacing > 0 along all axes", "'" + attribute(image, "Spacing", "1 1 1") + "'");
    if (file.pieces().size() != 1 || numbers<6>(in, "Extent", file.pieces()[0].extent) != extent)
        in.fail("one <Piece> with the whole extent",
            std::to_string(file.pieces().size()) + " of the extent '" + file.pieces()[0].extent + "'");

    GridSamples samples{Vec3(origin[0], origin[1], origin[2]) + h * Vec3(extent[0], extent[2], extent[4]), h, {}, {}};
    std::int64_t nodes = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double first = extent[2 * axis], last = extent[2 * axis + 1] - first;
        if (!(first == std::floor(first) && last == std::floor(last) && last >= 0 && last < 1e6))
            in.fail("WholeExtent of whole numbers, first and last", "'" + whole + "'");
        samples.count[axis] = static_cast<int>(last) + 1;
        nodes *= samples.count[axis];
        if (nodes > static_cast<std::int64_t>(max_grid_nodes)) // before any are read
            in.fail("at most " + std::to_string(max_grid_nodes) + " points", "more");
    }
    const VtkXmlPiece& piece = file.pieces()[0];
    const std::vector<double> values = file.reals(piece, array_of_distance(in, piece), nodes);
    const auto [nx, ny, nz] = samples.count;
    samples.values.resize(values.size());
    std::size_t next = 0; // x runs fastest
    for (std::size_t k = 0; k < static_cast<std::size_t>(nz); ++k)
        for (std::size_t j = 0; j < static_cast<std::size_t>(ny); ++j)
            for (std::size_t i = 0; i < static_cast<std::size_t>(nx); ++i)
                samples.values[(i * ny + j) * nz + k] = values[next++];
    return samples;
}

std::shared_ptr<const GridLevelSet> grid_of_vti(const GridSamples& samples, const std::string& path)
{
    try {
        return grid_through(samples);
    } catch (const InputError& error) {
        throw InputError(path + ": error: " + error.what());
    }
}

} // namespace stickslip
