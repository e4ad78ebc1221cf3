#include "stickslip/replay/packer.h"

#include "stickslip/replay/chunk.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace stickslip {

namespace {

using Json = nlohmann::ordered_json;

// A folder with thousands of damaged files is told about in a few lines.
constexpr std::size_t most_notes = 12;

// Of a cloud's points in a frame, for the box that they usually are in.
constexpr std::size_t places_of_frame = 200;

void keep_largest_forces(std::vector<RecordedContact>& contacts)
{
    const auto stronger = [](const RecordedContact& a, const RecordedContact& b) {
        return a.force.squaredNorm() > b.force.squaredNorm();
    };
    std::nth_element(contacts.begin(), contacts.begin() + most_contacts, contacts.end(), stronger);
    contacts.resize(most_contacts);
}

/// The points of a frame by their numbers, of those bodies whose points have some.
class NumberedPoints {
public:
    explicit NumberedPoints(const std::vector<BodySample>& bodies)
        : bodies_(&bodies)
        , rows_(bodies.size())
    {
    }

    /// The row of the point, -1: it is not there.
    int row(int body, int number)
    {
        std::unordered_map<std::uint32_t, int>& rows = rows_[body];
        if (rows.empty())
            for (const std::uint32_t n : (*bodies_)[body].number)
                rows.emplace(n, static_cast<int>(rows.size()));
        const auto found = number >= 0 ? rows.find(static_cast<std::uint32_t>(number)) : rows.end();
        return found == rows.end() ? -1 : found->second;
    }

private:
    const std::vector<BodySample>* bodies_;
    std::vector<std::unordered_map<std::uint32_t, int>> rows_; // filled where it is asked for
};

void raise(double& largest, double value)
{
    if (std::isfinite(value))
        largest = std::max(largest, value);
}

} // namespace

ReplayPacker::ReplayPacker(const RunReading& run)
    : bodies_(run.scene.bodies.size())
    , codings_(bodies_.size(), ShapeCoding::none)
    , bounds_(bodies_.size())
    , places_(bodies_.size())
    , read_each_frame_(bodies_.size(), false)
{
    if (run.frames.empty())
        return;
    const RecordedFrame first = read_frame(run, 0), last = read_frame(run, run.frames.size() - 1);
    for (const RecordedShape& shape : first.shapes) {
        const auto b = static_cast<std::size_t>(shape.body);
        const auto later = std::find_if(
            last.shapes.begin(), last.shapes.end(), [&](const RecordedShape& s) { return s.body == shape.body; });
        bodies_[b] = ShownBody(run.tracks[b], shape.content, first.time,
            later == last.shapes.end() ? nullptr : &later->content, last.time, run.scene.bodies[b].kind);
        codings_[b] = bodies_[b].coding();
        read_each_frame_[b] = codings_[b] == ShapeCoding::points || codings_[b] == ShapeCoding::cloud;
    }
}

void ReplayPacker::add(const RunReading& run, std::size_t number)
{
    RecordedFrame recorded = read_frame(run, number, &read_each_frame_);
    for (const std::string& text : recorded.notes)
        note(text);
    open_.push_back(sample(run, recorded));
    times_.push_back(recorded.time);
    add_bounds(open_.back());
    largest_.push_back(largest_of(open_.back()));
    for (const BodySample& sample : open_.back().bodies)
        has_stress_ = has_stress_ || !sample.stress.empty();
    if (open_.size() == frames_of_group) {
        closed_.push_back(pack_group(open_, codings_));
        open_.clear();
    }
}

SampledFrame ReplayPacker::sample(const RunReading& run, RecordedFrame& recorded)
{
    SampledFrame frame{.time = recorded.time, .bodies = std::vector<BodySample>(bodies_.size()), .contacts = {}};
    for (std::size_t b = 0; b < bodies_.size(); ++b)
        if (codings_[b] == ShapeCoding::posed)
            frame.bodies[b] = bodies_[b].sample(run.tracks[b], recorded.time);
    for (const RecordedShape& shape : recorded.shapes) {
        const ShownBody& body = bodies_[shape.body];
        if (body.coding() != ShapeCoding::points && body.coding() != ShapeCoding::cloud)
            continue;
        frame.bodies[shape.body] = body.sample(shape.content);
        if (!frame.bodies[shape.body].shown && !shape.content.points.empty())
            note(run.scene.bodies[shape.body].name
                + ": its mesh changes during the run; it is left out where it differs.");
    }
    if (recorded.contacts.size() > most_contacts) {
        note("More than " + std::to_string(most_contacts) + " contacts in a frame: the largest forces are shown.");
        keep_largest_forces(recorded.contacts);
    }
    NumberedPoints numbered(frame.bodies);
    for (RecordedContact c : recorded.contacts) {
        if (c.point_body >= 0 && !frame.bodies[c.point_body].number.empty())
            c.node = numbered.row(c.point_body, c.node);
        else
            c.node = c.point_body >= 0 ? bodies_[c.point_body].place_of(c.node) : -1;
        if (c.x.allFinite())
            frame.contacts.push_back(c);
    }
    return frame;
}

void ReplayPacker::add_bounds(const SampledFrame& frame)
{
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const BodySample& sample = frame.bodies[b];
        for (const Vec3& x : sample.points)
            bounds_[b].add(x);
        if (codings_[b] == ShapeCoding::cloud)
            for (std::size_t i = 0; i < sample.points.size(); i += 1 + sample.points.size() / places_of_frame)
                places_[b].push_back(sample.points[i]);
        if (sample.shown && codings_[b] == ShapeCoding::posed)
            for (const Vec3& X : bodies_[b].own_vertices())
                bounds_[b].add(sample.pose.to_world(X));
    }
}

Bounds ReplayPacker::usual_bounds(std::size_t body) const
{
    const std::vector<Vec3>& places = places_[body];
    Bounds fence;
    for (int axis = 0; axis < 3 && !places.empty(); ++axis) {
        std::vector<double> values;
        for (const Vec3& x : places)
            values.push_back(x[axis]);
        std::sort(values.begin(), values.end());
        const double low = values[values.size() / 20], high = values[values.size() - 1 - values.size() / 20];
        fence.min[axis] = low - (high - low);
        fence.max[axis] = high + (high - low);
    }
    Bounds usual;
    for (const Vec3& x : places)
        if ((x.array() >= fence.min.array()).all() && (x.array() <= fence.max.array()).all())
            usual.add(x);
    return usual;
}

ReplayRanges ReplayPacker::largest_of(const SampledFrame& frame) const
{
    ReplayRanges largest;
    for (const BodySample& sample : frame.bodies) {
        for (const double v : sample.speed)
            raise(largest.speed, v);
        for (const double v : sample.stress)
            raise(largest.stress, v);
        raise(largest.speed, sample.pose_speed);
    }
    for (const RecordedContact& c : frame.contacts) {
        raise(largest.depth, c.depth);
        raise(largest.force, c.force.norm());
    }
    return largest;
}

ReplayRanges ReplayPacker::ranges() const
{
    const auto typical = [&](double ReplayRanges::*value) {
        std::vector<double> values;
        for (const ReplayRanges& r : largest_)
            if (r.*value > 0)
                values.push_back(r.*value);
        std::sort(values.begin(), values.end());
        return values.empty() ? 0 : values[(values.size() - 1) * 9 / 10];
    };
    return {.speed = typical(&ReplayRanges::speed),
        .stress = typical(&ReplayRanges::stress),
        .depth = typical(&ReplayRanges::depth),
        .force = typical(&ReplayRanges::force)};
}

void ReplayPacker::note(const std::string& text)
{
    if (notes_.size() < most_notes && std::find(notes_.begin(), notes_.end(), text) == notes_.end())
        notes_.push_back(text);
}

PackedGroup ReplayPacker::group(std::size_t k) const
{
    return k < closed_.size() ? closed_[k] : pack_group(open_, codings_);
}

std::size_t ReplayPacker::closed_bytes() const
{
    std::size_t bytes = 0;
    for (const PackedGroup& group : closed_)
        bytes += group.bytes.size();
    return bytes;
}

std::string ReplayPacker::meshes() const
{
    Chunk chunk;
    chunk.contents["meshes"] = Json::array();
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        if (codings_[b] != ShapeCoding::posed && codings_[b] != ShapeCoding::points)
            continue;
        const ShownBody& body = bodies_[b];
        chunk.contents["meshes"].push_back({{"body", b}, {"offset", chunk.arrays.size()},
            {"triangles", body.triangles().size()}, {"vertices", body.own_vertices().size()}});
        for (const Triangle& triangle : body.triangles())
            for (const int corner : triangle)
                append_u32(static_cast<std::uint32_t>(corner), chunk.arrays);
        for (const Vec3& X : body.own_vertices())
            for (int axis = 0; axis < 3; ++axis)
                append_f32(X[axis], chunk.arrays);
    }
    return compress_chunk(chunk);
}

} // namespace stickslip
