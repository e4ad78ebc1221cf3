#include "stickslip/build/restart/earlier_run.h"

#include "stickslip/build/build_motion.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"

#include <iterator>
#include <map>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

const char* word_for(BodyKind kind)
{
    constexpr const char* words[] = {
        "a deformable body", "a rigid body", "an obstacle", "a set of spheres", "a body of material points"};
    static_assert(std::size(words) == static_cast<int>(BodyKind::mpm) + 1);
    return words[static_cast<int>(kind)];
}

/// "a rigid body, shape box: [1, 1, 1]".
std::string described(const CheckpointBody& body)
{
    std::string text = word_for(body.kind);
    std::string shape = body.shape.substr(0, body.shape.find_last_not_of('\n') + 1);
    for (std::size_t at = 0; (at = shape.find('\n', at)) != std::string::npos; at += 2)
        shape.replace(at, 1, ", ");
    constexpr std::size_t longest = 120;
    if (shape.size() > longest)
        shape = shape.substr(0, longest) + "...";
    return shape.empty() ? text : text + " (" + shape + ")";
}

/// By its settings alone: nothing is built yet.
CheckpointBody wanted(const BodySettings& body)
{
    const bool led = body.kind == BodyKind::rigid && !body.is_free_rigid();
    return {.name = body.name, .shape = shape_text(body), .kind = led ? BodyKind::obstacle : body.kind};
}

/// Within what one sees; a millionth of a metre or of a radian.
bool stands_there(const BodySettings& body, double time, const CheckpointBody& earlier)
{
    Frame frame = placed(body);
    if (body.motion)
        frame = frame_at(obstacle_motion(*body.motion, frame), frame, time);
    return (frame.x - earlier.x).norm() < 1e-6 && Quat(frame.R).angularDistance(earlier.R) < 1e-6;
}

class Matching {
public:
    Matching(const Scene& scene, EarlierRun& run, BuildReport& report, std::vector<std::string>& notes)
        : scene_(scene)
        , run_(run)
        , report_(report)
        , notes_(notes)
    {
    }

    void find_bodies()
    {
        std::map<std::string, const CheckpointBody*> there;
        for (const CheckpointBody& body : run_.checkpoint.bodies)
            there.emplace(body.name, &body);
        std::string anew;
        for (const BodySettings& body : scene_.bodies) {
            const auto found = there.find(body.name);
            run_.bodies.push_back(found == there.end() ? nullptr : same(body, *found->second));
            if (found != there.end())
                there.erase(found);
            else
                anew += (anew.empty() ? "" : ", ") + body.name;
        }
        std::string left;
        for (const CheckpointBody& body : run_.checkpoint.bodies)
            if (there.contains(body.name))
                left += (left.empty() ? "" : ", ") + body.name;
        if (!anew.empty())
            notes_.push_back("start: not in that run, uses its initial state: " + anew);
        if (!left.empty())
            notes_.push_back("start: in that run, but not in this scene: " + left);
    }

private:
    const CheckpointBody* same(const BodySettings& body, const CheckpointBody& earlier)
    {
        const CheckpointBody here = wanted(body);
        const SourcePosition& where = scene_.start->from_at;
        if (!here.is_same(earlier)) {
            report_.warn(where, "start.from",
                "body \"" + body.name + "\" was " + described(earlier) + " in that run and is " + described(here)
                    + " here; it starts as the scene says");
            return nullptr;
        }
        if (here.kind == BodyKind::obstacle && !stands_there(body, run_.start_time, earlier))
            report_.warn(where, "start.from",
                "obstacle \"" + body.name + "\" does not start where it was at the end of that run");
        return &earlier;
    }

    const Scene& scene_;
    EarlierRun& run_;
    BuildReport& report_;
    std::vector<std::string>& notes_;
};

std::optional<Checkpoint> read_start(const Scene& scene, const fs::path& folder, BuildReport& report)
{
    try {
        return load_checkpoint(checkpoint_of(folder / scene.start->from));
    } catch (const FileError& error) {
        report.unreadable = true;
        report.fault(scene.start->from_at, "start.from", error.what());
    } catch (const InputError& error) {
        report.fault(scene.start->from_at, "start.from", error.what());
    }
    return std::nullopt;
}

bool is_of_same_integration(const Checkpoint& checkpoint, const Scene& scene, BuildReport& report)
{
    const bool was_explicit = checkpoint.granular.has_value();
    if (was_explicit == scene.solver.is_explicit())
        return true;
    report.fault(scene.start->from_at, "start.from",
        std::string("expected a run of the same `solver.integration`, found one in ")
            + (was_explicit ? "explicit" : "implicit") + " steps");
    return false;
}

} // namespace

fs::path checkpoint_of(const fs::path& from)
{
    if (!fs::is_directory(status_of(from)))
        return from;
    const LatestCheckpoint latest = latest_valid_checkpoint(from / "checkpoints");
    if (!latest.path)
        throw InputError(from.string() + ": expected a run folder with a checkpoint, found none"
            + (latest.damaged.empty() ? "" : " that can be used: " + latest.damaged.front().reason));
    return *latest.path;
}

void check_start(const Scene& scene, const fs::path& folder, bool integration_known, BuildReport& report)
{
    const std::optional<Checkpoint> checkpoint = read_start(scene, folder, report);
    if (checkpoint && integration_known)
        is_of_same_integration(*checkpoint, scene, report);
}

std::optional<EarlierRun> read_earlier_run(
    const Scene& scene, const fs::path& folder, BuildReport& report, std::vector<std::string>& notes)
{
    if (!scene.start)
        return std::nullopt;
    std::optional<Checkpoint> checkpoint = read_start(scene, folder, report);
    if (!checkpoint || !is_of_same_integration(*checkpoint, scene, report))
        return std::nullopt;
    EarlierRun run;
    run.checkpoint = std::move(*checkpoint);
    const double end = run.checkpoint.granular ? run.checkpoint.granular->time : run.checkpoint.state.time;
    if (scene.start->keep_time) {
        run.start_time = end;
        if (scene.time.end <= end) {
            report.fault({}, "time.end",
                "expected a time after " + short_number(end) + " s, at which the run to start from ended");
            return std::nullopt;
        }
    }
    notes.push_back("start: from " + scene.start->from + " at " + short_number(end) + " s");
    Matching(scene, run, report, notes).find_bodies();
    return run;
}

} // namespace stickslip
