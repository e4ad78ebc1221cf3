#include "stickslip/export/gltf_file.h"

#include "stickslip/export/ball_mesh.h"
#include "stickslip/geometry/mesh/shaded_surface.h"
#include "stickslip/replay/chunk.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace stickslip {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_ball_nodes = 5000;

// Words of the format.
constexpr int float_type = 5126, index_type = 5125, point_mode = 0, triangle_mode = 4;

/// Arrays of the binary part, each with its view and accessor.
class Arrays {
public:
    explicit Arrays(Json& root)
        : root_(root)
    {
    }

    /// Returns the accessor's number. components: 1, 3 or 4 floats a value.
    int add(const std::vector<float>& values, int components, bool with_bounds)
    {
        static constexpr const char* names[] = {"", "SCALAR", "", "VEC3", "VEC4"};
        Json accessor = {{"bufferView", view(values.data(), values.size() * sizeof(float))},
            {"componentType", float_type}, {"count", values.size() / static_cast<std::size_t>(components)},
            {"type", names[components]}};
        if (with_bounds) {
            std::vector<float> low(values.begin(), values.begin() + components), high = low;
            for (std::size_t i = 0; i < values.size(); ++i) {
                const std::size_t c = i % static_cast<std::size_t>(components);
                low[c] = std::min(low[c], values[i]);
                high[c] = std::max(high[c], values[i]);
            }
            accessor["min"] = low;
            accessor["max"] = high;
        }
        return append(std::move(accessor));
    }

    int add(const std::vector<Triangle>& triangles)
    {
        std::vector<std::uint32_t> indices;
        for (const Triangle& t : triangles)
            for (const int node : t)
                indices.push_back(static_cast<std::uint32_t>(node));
        return append({{"bufferView", view(indices.data(), indices.size() * sizeof(std::uint32_t))},
            {"componentType", index_type}, {"count", indices.size()}, {"type", "SCALAR"}});
    }

    const std::string& bytes() const { return bytes_; }

private:
    std::size_t view(const void* data, std::size_t size)
    {
        root_["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}});
        bytes_.append(static_cast<const char*>(data), size);
        return root_["bufferViews"].size() - 1;
    }
    int append(Json accessor)
    {
        root_["accessors"].push_back(std::move(accessor));
        return static_cast<int>(root_["accessors"].size()) - 1;
    }

    Json& root_;
    std::string bytes_;
};

std::vector<float> floats(const std::vector<Vec3>& points)
{
    std::vector<float> values;
    for (const Vec3& x : points)
        for (int axis = 0; axis < 3; ++axis)
            values.push_back(static_cast<float>(x[axis]));
    return values;
}

std::vector<float> differences(const std::vector<float>& to, const std::vector<float>& from)
{
    std::vector<float> values(to.size());
    for (std::size_t i = 0; i < to.size(); ++i)
        values[i] = to[i] - from[i];
    return values;
}

/// The surface of a body as glTF has it: vertices with one normal each. Where all faces are flat there are no normals
/// and the vertices are the points: readers draw it as it is.
class Surface {
public:
    Surface(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles)
        : shaded_(points, triangles)
        , flat_(shaded_.is_flat(points))
    {
    }

    bool has_normals() const { return !flat_; }
    const std::vector<Triangle>& triangles() const { return flat_ ? shaded_.faces() : shaded_.triangles(); }
    std::vector<float> positions(const std::vector<Vec3>& points) const
    {
        if (flat_)
            return floats(points);
        std::vector<Vec3> split;
        for (const int point : shaded_.point_of())
            split.push_back(points[point]);
        return floats(split);
    }
    std::vector<float> normals(const std::vector<Vec3>& points) const
    {
        std::vector<Vec3> normals = shaded_.normals(points);
        for (Vec3& n : normals)
            if (n.isZero(0)) // none of them may be
                n = Vec3::UnitY();
        return floats(normals);
    }

private:
    ShadedSurface shaded_;
    bool flat_;
};

/// Builds the document body by body.
class Document {
public:
    explicit Document(const ExportedRun& run);
    std::string file() const;
    std::string text() const;

private:
    void add(const ExportedBody& body);
    Json whole() const;
    int add_node(Json node, int parent);
    void animate(int node, const char* path, const std::vector<float>& values, int components,
        const char* interpolation = "LINEAR");
    int add_material(const ExportedBody& body);
    int add_mesh(const std::string& name, Json primitive);
    Json surface(const Surface& surface, const std::vector<Vec3>& points, int material);
    void add_with_poses(const ExportedBody& body, int material);
    void add_deforming(const ExportedBody& body, int material);
    void add_balls(const ExportedBody& body, int material);

    Json root_;
    Arrays arrays_{root_};
    Json samplers_ = Json::array(), channels_ = Json::array();
    std::size_t frames_;
    int times_ = -1, top_ = -1;
};

Document::Document(const ExportedRun& run)
    : frames_(run.times.size())
{
    root_ = {{"asset", {{"version", "2.0"}, {"generator", "stickslip"}}}, {"scene", 0},
        {"scenes", {{{"name", run.title}, {"nodes", {0}}}}}, {"nodes", Json::array()}, {"meshes", Json::array()},
        {"materials", Json::array()}, {"accessors", Json::array()}, {"bufferViews", Json::array()}};
    const Quat upright = Quat::FromTwoVectors(run.up, Vec3::UnitY()); // glTF has y upward
    top_ = add_node({{"name", "run"}, {"rotation", {upright.x(), upright.y(), upright.z(), upright.w()}},
                        {"children", Json::array()}},
        -1);
    times_ = arrays_.add(std::vector<float>(run.times.begin(), run.times.end()), 1, true);
    for (const ExportedBody& body : run.bodies)
        add(body);
}

int Document::add_node(Json node, int parent)
{
    root_["nodes"].push_back(std::move(node));
    const int number = static_cast<int>(root_["nodes"].size()) - 1;
    if (parent >= 0)
        root_["nodes"][static_cast<std::size_t>(parent)]["children"].push_back(number);
    return number;
}

void Document::animate(
    int node, const char* path, const std::vector<float>& values, int components, const char* interpolation)
{
    samplers_.push_back(
        {{"input", times_}, {"interpolation", interpolation}, {"output", arrays_.add(values, components, false)}});
    channels_.push_back({{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
}

int Document::add_material(const ExportedBody& body)
{
    root_["materials"].push_back({{"name", body.name},
        {"pbrMetallicRoughness",
            {{"baseColorFactor", {body.colour.x(), body.colour.y(), body.colour.z(), 1.0}}, {"metallicFactor", 0.0},
                {"roughnessFactor", 0.6}}},
        {"doubleSided", true}});
    return static_cast<int>(root_["materials"].size()) - 1;
}

int Document::add_mesh(const std::string& name, Json primitive)
{
    root_["meshes"].push_back({{"name", name}, {"primitives", {std::move(primitive)}}});
    return static_cast<int>(root_["meshes"].size()) - 1;
}

Json Document::surface(const Surface& surface, const std::vector<Vec3>& points, int material)
{
    Json attributes = {{"POSITION", arrays_.add(surface.positions(points), 3, true)}};
    if (surface.has_normals())
        attributes["NORMAL"] = arrays_.add(surface.normals(points), 3, false);
    return {{"attributes", attributes}, {"indices", arrays_.add(surface.triangles())}, {"mode", triangle_mode},
        {"material", material}};
}

void Document::add_with_poses(const ExportedBody& body, int material)
{
    const int mesh = add_mesh(body.name, surface(Surface(body.shape, body.triangles), body.shape, material));
    std::vector<float> x, q;
    Quat last = Quat::Identity();
    for (const Frame& pose : body.poses) {
        Quat turn(pose.R);
        if (turn.dot(last) < 0) // the short way between two frames
            turn.coeffs() *= -1;
        last = turn;
        for (int axis = 0; axis < 3; ++axis)
            x.push_back(static_cast<float>(pose.x[axis]));
        for (const double c : {turn.x(), turn.y(), turn.z(), turn.w()})
            q.push_back(static_cast<float>(c));
    }
    const int node = add_node({{"name", body.name}, {"mesh", mesh}, {"translation", {x[0], x[1], x[2]}},
                                  {"rotation", {q[0], q[1], q[2], q[3]}}},
        top_);
    if (!body.moves())
        return;
    animate(node, "translation", x, 3);
    animate(node, "rotation", q, 4);
}

void Document::add_deforming(const ExportedBody& body, int material)
{
    const std::vector<Vec3>& first = body.points.front();
    const bool is_cloud = body.triangles.empty();
    const Surface shape(first, body.triangles);
    Json primitive = is_cloud ? Json{{"attributes", {{"POSITION", arrays_.add(floats(first), 3, true)}}},
                         {"material", material}, {"mode", point_mode}}
                              : surface(shape, first, material);
    for (std::size_t f = 1; f < body.points.size(); ++f) {
        const auto change = [&](const auto& floats_at) {
            return differences(floats_at(body.points[f]), floats_at(first));
        };
        const auto positions = [&](const std::vector<Vec3>& points) { return shape.positions(points); };
        Json target = {{"POSITION", arrays_.add(change(positions), 3, true)}};
        if (shape.has_normals())
            target["NORMAL"] =
                arrays_.add(change([&](const std::vector<Vec3>& points) { return shape.normals(points); }), 3, false);
        primitive["targets"].push_back(std::move(target));
    }
    const int node = add_node({{"name", body.name}, {"mesh", add_mesh(body.name, std::move(primitive))}}, top_);
    if (!body.moves())
        return;
    std::vector<float> weights(frames_ * (frames_ - 1), 0); // at frame f target f - 1 alone counts
    for (std::size_t f = 1; f < frames_; ++f)
        weights[f * (frames_ - 1) + f - 1] = 1;
    root_["meshes"].back()["weights"] = std::vector<float>(frames_ - 1, 0);
    animate(node, "weights", weights, 1);
}

/// A ball's radius along each axis by frame, or once. The format has no visibility: what has no size is not drawn.
std::vector<float> scales(const ExportedBody& body, std::size_t ball)
{
    const auto radius = static_cast<float>(body.radii[ball]);
    std::vector<float> values;
    for (std::size_t f = 0; f < std::max<std::size_t>(body.there.size(), 1); ++f)
        values.insert(values.end(), 3, body.is_there(f, ball) ? radius : 0);
    return values;
}

void Document::add_balls(const ExportedBody& body, int material)
{
    const BallMesh ball = ball_mesh();
    const int mesh = add_mesh(body.name,
        {{"attributes",
             {{"POSITION", arrays_.add(floats(ball.points), 3, true)},
                 {"NORMAL", arrays_.add(floats(ball.points), 3, false)}}},
            {"indices", arrays_.add(ball.triangles)}, {"mode", triangle_mode}, {"material", material}});
    const int group = add_node({{"name", body.name}, {"children", Json::array()}}, top_);
    for (std::size_t i = 0; i < body.radii.size(); ++i) {
        std::vector<Vec3> way;
        for (const auto& points : body.points)
            way.push_back(points[i]);
        const std::vector<float> x = floats(way);
        const std::vector<float> scale = scales(body, i);
        const double r = body.is_there(0, i) ? body.radii[i] : 0;
        const int node = add_node({{"name", body.name + " " + std::to_string(body.number(i))}, {"mesh", mesh},
                                      {"translation", {x[0], x[1], x[2]}}, {"scale", {r, r, r}}},
            group);
        if (body.moves() && way != std::vector<Vec3>(way.size(), way.front()))
            animate(node, "translation", x, 3);
        if (scale != std::vector<float>(scale.size(), scale.front()))
            animate(node, "scale", scale, 3, "STEP");
    }
}

void Document::add(const ExportedBody& body)
{
    const int material = add_material(body);
    if (body.keeps_shape() && !body.triangles.empty())
        add_with_poses(body, material);
    else if (!body.radii.empty() && (body.radii.size() <= most_ball_nodes || body.comes_or_goes()))
        add_balls(body, material);
    else
        add_deforming(body, material);
}

/// A part of the file: its length, its kind, its content filled up to whole words.
std::string chunk(const char* kind, std::string content, char filling)
{
    content.resize((content.size() + 3) / 4 * 4, filling);
    const auto length = static_cast<std::uint32_t>(content.size());
    std::string bytes(reinterpret_cast<const char*>(&length), 4);
    return bytes.append(kind, 4) + content;
}

std::string words(const Json& root)
{
    return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json Document::whole() const
{
    Json root = root_;
    root["buffers"] = {{{"byteLength", arrays_.bytes().size()}}};
    if (!channels_.empty())
        root["animations"] = {{{"name", "run"}, {"samplers", samplers_}, {"channels", channels_}}};
    return root;
}

std::string Document::file() const
{
    const std::string content = chunk("JSON", words(whole()), ' ') + chunk("BIN\0", arrays_.bytes(), '\0');
    const std::uint32_t head[] = {0x46546C67, 2, static_cast<std::uint32_t>(content.size() + 12)}; // "glTF"
    return std::string(reinterpret_cast<const char*>(head), sizeof head) + content;
}

std::string Document::text() const
{
    Json root = whole();
    root["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(arrays_.bytes());
    return words(root) + "\n";
}

} // namespace

std::string gltf_file(const ExportedRun& run)
{
    return Document(run).file();
}

std::string gltf_text(const ExportedRun& run)
{
    return Document(run).text();
}

} // namespace stickslip
