#include "stickslip/replay/group_packing.h"

#include "stickslip/replay/chunk.h"
#include "stickslip/replay/quantise.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stickslip {

namespace {

using Json = nlohmann::ordered_json;

// One box for a body in all frames of a group makes differences smaller, as long as it is not much larger than the
// body.
constexpr double largest_common_box = 4;
constexpr int fewest_bits = 10;

Json json_of(const Vec3& v)
{
    return {v.x(), v.y(), v.z()};
}

double extent(const Bounds& box)
{
    return (box.max - box.min).maxCoeff();
}

std::vector<Bounds> boxes_of(std::span<const SampledFrame> frames, std::size_t body)
{
    std::vector<Bounds> boxes(frames.size());
    Bounds all;
    double largest = 0;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        for (const Vec3& x : frames[f].bodies[body].points) {
            boxes[f].add(x);
            all.add(x);
        }
        if (!frames[f].bodies[body].points.empty())
            largest = std::max(largest, extent(boxes[f]));
    }
    if (extent(all) <= largest_common_box * largest)
        std::fill(boxes.begin(), boxes.end(), all);
    return boxes;
}

class GroupWriter {
public:
    GroupWriter(std::span<const SampledFrame> frames, int cloud_bits)
        : frames_(frames)
        , cloud_bits_(cloud_bits)
    {
        chunk_.contents["times"] = Json::array();
        for (const SampledFrame& frame : frames)
            chunk_.contents["times"].push_back(frame.time);
        chunk_.contents["streams"] = Json::array();
    }

    void add_poses(std::size_t body);
    void add_points(std::size_t body, bool cloud);
    void add_bytes(std::size_t body, const char* what, std::vector<double> BodySample::*values);
    void add_numbers(std::size_t body);
    void add_radii(std::size_t body);
    void add_contacts();

    PackedGroup finish() const { return {.frames = frames_.size(), .bytes = compress_chunk(chunk_), .error = error_}; }

private:
    Json& stream(int body, const char* what)
    {
        chunk_.contents["streams"].push_back(
            {{"body", body}, {"what", what}, {"offset", chunk_.arrays.size()}, {"frames", Json::array()}});
        return chunk_.contents["streams"].back();
    }

    std::span<const SampledFrame> frames_;
    int cloud_bits_;
    Chunk chunk_;
    double error_ = 0;
};

void GroupWriter::add_poses(std::size_t body)
{
    Json& poses = stream(static_cast<int>(body), "pose");
    for (const SampledFrame& frame : frames_) {
        const BodySample& sample = frame.bodies[body];
        poses["frames"].push_back(sample.shown ? 1 : 0);
        if (!sample.shown)
            continue;
        const Quat q(sample.pose.R);
        for (const double value : {sample.pose.x.x(), sample.pose.x.y(), sample.pose.x.z(), q.w(), q.x(), q.y(), q.z()})
            append_f32(value, chunk_.arrays);
    }
}

void GroupWriter::add_points(std::size_t body, bool cloud)
{
    const std::vector<Bounds> boxes = boxes_of(frames_, body);
    Json& points = stream(static_cast<int>(body), "points");
    QuantisedPoints one, two;
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        const std::vector<Vec3>& x = frames_[f].bodies[body].points;
        if (x.empty()) {
            points["frames"].push_back({{"count", 0}});
            two = std::move(one);
            one.clear();
            continue;
        }
        const QuantisedBox box = quantised_box(boxes[f], cloud ? cloud_bits_ : 16);
        error_ = std::max(error_, box.error());
        QuantisedPoints q = quantise(x, box);
        const Prediction prediction = best_prediction(q, one, two);
        points["frames"].push_back({{"count", q.size()}, {"min", json_of(box.min)}, {"step", json_of(box.step)},
            {"predict", static_cast<int>(prediction)}});
        append_differences(q, one, two, prediction, chunk_.arrays);
        two = std::move(one);
        one = std::move(q);
    }
}

/// 255 sqrt(value / max), the difference to the same point one frame earlier.
void GroupWriter::add_bytes(std::size_t body, const char* what, std::vector<double> BodySample::*values)
{
    double max = 0;
    for (const SampledFrame& frame : frames_)
        for (const double v : frame.bodies[body].*values)
            max = std::isfinite(v) ? std::max(max, v) : max;
    Json& bytes = stream(static_cast<int>(body), what);
    bytes["max"] = max;
    std::vector<unsigned char> before;
    for (const SampledFrame& frame : frames_) {
        std::vector<unsigned char> now;
        for (const double v : frame.bodies[body].*values)
            now.push_back(max > 0 && v > 0
                    ? static_cast<unsigned char>(std::lround(255 * std::sqrt(std::min(1.0, v / max))))
                    : 0);
        bytes["frames"].push_back(now.size());
        for (std::size_t i = 0; i < now.size(); ++i)
            chunk_.arrays += static_cast<char>(now[i] - (before.size() == now.size() ? before[i] : 0));
        before = std::move(now);
    }
}

bool is_numbered(std::span<const SampledFrame> frames, std::size_t body)
{
    return std::all_of(frames.begin(), frames.end(),
        [&](const SampledFrame& f) { return f.bodies[body].number.size() == f.bodies[body].points.size(); });
}

/// Differences to the row before; -1: those of the frame before.
void GroupWriter::add_numbers(std::size_t body)
{
    if (!is_numbered(frames_, body))
        return;
    Json& numbers = stream(static_cast<int>(body), "number");
    const std::vector<std::uint32_t>* before = nullptr;
    for (const SampledFrame& frame : frames_) {
        const std::vector<std::uint32_t>& now = frame.bodies[body].number;
        if (before && now == *before) {
            numbers["frames"].push_back(-1);
            continue;
        }
        numbers["frames"].push_back(now.size());
        for (std::size_t i = 0; i < now.size(); ++i)
            append_u32(now[i] - (i > 0 ? now[i - 1] : 0), chunk_.arrays);
        before = &now;
    }
}

/// One of each number, ascending.
std::vector<double> radii_by_number(std::span<const SampledFrame> frames, std::size_t body)
{
    std::map<std::uint32_t, double> radii;
    for (const SampledFrame& frame : frames)
        for (std::size_t i = 0; i < frame.bodies[body].number.size(); ++i)
            radii.try_emplace(
                frame.bodies[body].number[i], i < frame.bodies[body].radius.size() ? frame.bodies[body].radius[i] : 0);
    std::vector<double> all;
    for (const auto& [number, radius] : radii)
        all.push_back(radius);
    return all;
}

/// Of each number, or of the frame with the most points where points have none, in 65535ths of the largest.
void GroupWriter::add_radii(std::size_t body)
{
    const std::vector<double> by_number =
        is_numbered(frames_, body) ? radii_by_number(frames_, body) : std::vector<double>();
    const std::vector<double>* radii = &frames_[0].bodies[body].radius;
    for (const SampledFrame& frame : frames_)
        if (frame.bodies[body].radius.size() > radii->size())
            radii = &frame.bodies[body].radius;
    if (!by_number.empty())
        radii = &by_number;
    double max = 0;
    for (const double r : *radii)
        max = std::isfinite(r) ? std::max(max, r) : max;
    if (max <= 0)
        return;
    Json& stream_of_radii = stream(static_cast<int>(body), "radius");
    stream_of_radii["max"] = max;
    stream_of_radii["frames"].push_back(radii->size());
    for (const double r : *radii)
        append_u16(r > 0 ? static_cast<std::uint16_t>(std::lround(65535 * std::min(1.0, r / max))) : 0, chunk_.arrays);
}

/// Column by column over all frames, which zlib likes better than row by row.
void GroupWriter::add_contacts()
{
    Json& contacts = stream(-1, "contacts");
    Bounds box;
    std::vector<RecordedContact> all;
    for (const SampledFrame& frame : frames_) {
        contacts["frames"].push_back(frame.contacts.size());
        all.insert(all.end(), frame.contacts.begin(), frame.contacts.end());
    }
    if (all.empty())
        return;
    for (const RecordedContact& c : all)
        box.add(c.x);
    const QuantisedBox grid = quantised_box(box, 16);
    contacts["min"] = json_of(grid.min);
    contacts["step"] = json_of(grid.step);
    error_ = std::max(error_, grid.error());
    std::string& out = chunk_.arrays;
    for (int axis = 0; axis < 3; ++axis)
        for (const RecordedContact& c : all)
            append_u16(quantise(std::span(&c.x, 1), grid)[0][axis], out);
    for (int axis = 0; axis < 3; ++axis)
        for (const RecordedContact& c : all)
            append_u16(half_word(c.force[axis]), out);
    for (const RecordedContact& c : all)
        append_u16(half_word(c.depth), out);
    for (const RecordedContact& c : all)
        append_u16(static_cast<std::uint16_t>(c.point_body + 1), out);
    for (const RecordedContact& c : all)
        append_u16(static_cast<std::uint16_t>(c.surface_body + 1), out);
    for (const RecordedContact& c : all)
        append_u32(static_cast<std::uint32_t>(c.node + 1), out);
    for (int axis = 0; axis < 3; ++axis)
        for (const RecordedContact& c : all)
            out += static_cast<char>(std::lround(127 * std::clamp(c.normal[axis], -1.0, 1.0)));
    for (const RecordedContact& c : all)
        out += static_cast<char>(c.sticks ? 1 : 0);
}

/// Points of large clouds in all frames.
std::size_t cloud_points(std::span<const SampledFrame> frames, const std::vector<ShapeCoding>& codings)
{
    std::size_t count = 0;
    for (const SampledFrame& frame : frames)
        for (std::size_t b = 0; b < codings.size(); ++b)
            if (codings[b] == ShapeCoding::cloud && frame.bodies[b].points.size() > largest_cloud_with_speed)
                count += frame.bodies[b].points.size();
    return count;
}

bool has_values(std::span<const SampledFrame> frames, std::size_t body, std::vector<double> BodySample::*values)
{
    return std::any_of(
        frames.begin(), frames.end(), [&](const SampledFrame& f) { return !(f.bodies[body].*values).empty(); });
}

PackedGroup pack_with(std::span<const SampledFrame> frames, const std::vector<ShapeCoding>& codings, int cloud_bits)
{
    GroupWriter writer(frames, cloud_bits);
    for (std::size_t b = 0; b < codings.size(); ++b) {
        if (codings[b] == ShapeCoding::none)
            continue;
        if (codings[b] == ShapeCoding::posed) {
            writer.add_poses(b);
            continue;
        }
        const bool cloud = codings[b] == ShapeCoding::cloud;
        writer.add_points(b, cloud);
        if (cloud)
            writer.add_numbers(b);
        writer.add_radii(b);
        if (has_values(frames, b, &BodySample::speed)
            && !(cloud && frames.front().bodies[b].points.size() > largest_cloud_with_speed))
            writer.add_bytes(b, "speed", &BodySample::speed);
        if (has_values(frames, b, &BodySample::stress))
            writer.add_bytes(b, "stress", &BodySample::stress);
    }
    writer.add_contacts();
    return writer.finish();
}

} // namespace

PackedGroup pack_group(std::span<const SampledFrame> frames, const std::vector<ShapeCoding>& codings)
{
    const double allowed = 0.75 * most_cloud_bytes * static_cast<double>(cloud_points(frames, codings)); // base64: 4/3
    for (int bits = 16;; --bits) {
        PackedGroup group = pack_with(frames, codings, bits);
        if (bits == fewest_bits || allowed == 0 || static_cast<double>(group.bytes.size()) <= allowed)
            return group;
    }
}

} // namespace stickslip
