#include "stickslip/simulation/snapshot.h"

#include "stickslip/files/checkpoint_bytes.h"
#include "stickslip/math/error.h"
#include "stickslip/math/state_hasher.h"
#include "stickslip/scene/table/scene_table.h"
#include "stickslip/simulation/simulation_parts.h"
#include "stickslip/simulation/snapshot_content.h"
#include "stickslip/world/diagnostics.h"

#include <algorithm>

namespace stickslip {

namespace {

// Magic, checkpoint, controls, sum over both.
constexpr std::string_view magic("\x89SSSNAP\n", 8);

std::string hash_text(std::string_view text)
{
    StateHasher hasher;
    for (const char c : text)
        hasher.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    return hasher.text();
}

void add_mass(const RigidBody& body, StateHasher& hasher)
{
    hasher.add(body.mass);
    for (int column = 0; column < 3; ++column)
        hasher.add(Vec3(body.inertia.col(column)));
}

void add_mesh(const EdgeTopology& mesh, StateHasher& hasher)
{
    for (const Vec3& x : mesh.positions)
        hasher.add(x);
    for (const Triangle& facet : mesh.facets)
        for (const int vertex : facet)
            hasher.add(static_cast<std::uint64_t>(vertex));
}

/// Of shapes as they were built: a file of the same name may hold another.
std::string shapes_hash(const BuiltWorld& built)
{
    StateHasher hasher;
    for (const RigidBody& body : built.world.rigids)
        add_mass(body, hasher);
    for (const Vec3& x : built.world.deformables.rest)
        hasher.add(x);
    if (built.granular) {
        for (const GranularBody& body : built.granular->world.bodies)
            add_mass(body.rigid, hasher);
        for (const GranularWall& wall : built.granular->world.walls) {
            if (const auto* triangles = std::get_if<WallTriangles>(&wall.shape))
                add_mesh((*triangles)->topology, hasher);
            if (const LevelSet* solid = wall.solid()) {
                hasher.add(bounds(*solid).min);
                hasher.add(bounds(*solid).max);
            }
        }
    }
    return hasher.text();
}

/// Of all that a scene says, but where its text stood, and of the shapes that its files hold, as far as bodies number
/// and weigh them: of sampled distances their boxes.
const std::string& fingerprint(const SimulationParts& parts)
{
    if (parts.fingerprint.empty()) {
        std::string text = write_scene(parts.scene) + shapes_hash(parts.built);
        for (const CheckpointBody& body : checkpoint_bodies(parts.scene, parts.built, 0))
            text += body.surface + body.touching + body.on_soft;
        parts.fingerprint = hash_text(text);
    }
    return parts.fingerprint;
}

void put(ByteWriter& to, int value)
{
    to.integer(static_cast<std::uint32_t>(value));
}
int get(ByteReader& from)
{
    return static_cast<int>(from.integer<std::uint32_t>());
}

std::string controls_bytes(const Controls& controls)
{
    ByteWriter to;
    to.integer<std::uint64_t>(controls.loads.size());
    for (const auto& [body, load] : controls.loads) {
        put(to, body);
        to.vector(load.force);
        to.vector(load.torque);
    }
    to.integer<std::uint64_t>(controls.scripts.size());
    for (const auto& [body, script] : controls.scripts) {
        put(to, body);
        to.vector(script.start.x);
        for (int column = 0; column < 3; ++column)
            to.vector(script.start.R.col(column));
        to.vector(script.velocity);
        to.vector(script.angular_velocity);
    }
    to.integer<std::uint32_t>(controls.friction.has_value());
    to.number(controls.friction.value_or(0));
    to.integer<std::uint64_t>(controls.pair_friction.size());
    for (const auto& [pair, mu] : controls.pair_friction) {
        put(to, pair.first);
        put(to, pair.second);
        to.number(mu);
    }
    return to.result();
}

Controls controls_from(std::string_view bytes)
{
    ByteReader from(bytes);
    Controls controls;
    for (std::size_t left = from.count(52); left > 0; --left) {
        BodyLoad& load = controls.loads[get(from)];
        load.force = from.vector();
        load.torque = from.vector();
    }
    for (std::size_t left = from.count(148); left > 0; --left) {
        SteadyScript& script = controls.scripts[get(from)];
        script.start.x = from.vector();
        for (int column = 0; column < 3; ++column)
            script.start.R.col(column) = from.vector();
        script.velocity = from.vector();
        script.angular_velocity = from.vector();
    }
    const bool has_friction = from.integer<std::uint32_t>() != 0;
    const double friction = from.number();
    if (has_friction)
        controls.friction = friction;
    for (std::size_t left = from.count(16); left > 0; --left) {
        const int first = get(from), second = get(from);
        controls.pair_friction[{first, second}] = from.number();
    }
    from.expect_end();
    return controls;
}

void demand_bodies(const Controls& controls, const SimulationParts& parts)
{
    const auto demand = [&](int body, std::initializer_list<BodyKind> kinds) {
        if (body < 0 || body >= static_cast<int>(parts.bodies.size())
            || std::find(kinds.begin(), kinds.end(), parts.bodies[body].kind) == kinds.end())
            throw InputError("snapshot: it steers a body that is not in the scene");
    };
    for (const auto& [body, load] : controls.loads)
        demand(body, {BodyKind::rigid, BodyKind::deformable});
    for (const auto& [body, script] : controls.scripts)
        demand(body, {BodyKind::obstacle});
    for (const auto& [pair, mu] : controls.pair_friction)
        for (const int body : {pair.first, pair.second})
            demand(body, {BodyKind::deformable, BodyKind::rigid, BodyKind::obstacle, BodyKind::spheres, BodyKind::mpm});
}

} // namespace

std::shared_ptr<const SnapshotContent> content_of(const SimulationParts& parts)
{
    auto content = std::make_shared<SnapshotContent>();
    parts.save(content->checkpoint);
    content->checkpoint.totals = parts.totals;
    content->checkpoint.scene_hash = fingerprint(parts);
    content->controls = parts.controls;
    return content;
}

void take(const SnapshotContent& content, SimulationParts& parts)
{
    if (content.checkpoint.scene_hash != fingerprint(parts))
        throw InputError("expected a snapshot of this scene, found one of another, or of other meshes in its files");
    parts.check(content.checkpoint);
    demand_bodies(content.controls, parts);
    steer(parts, content.controls);
    parts.totals = content.checkpoint.totals;
    parts.restore(content.checkpoint);
}

double Snapshot::time() const
{
    const Checkpoint& checkpoint = content_->checkpoint;
    return checkpoint.granular ? checkpoint.granular->time : checkpoint.state.time;
}

std::string Snapshot::state_hash() const
{
    const Checkpoint& checkpoint = content_->checkpoint;
    return checkpoint.granular ? stickslip::state_hash(*checkpoint.granular) : stickslip::state_hash(checkpoint.state);
}

std::string Snapshot::bytes() const
{
    ByteWriter to;
    to.bytes(magic);
    to.text(checkpoint_bytes(content_->checkpoint));
    to.text(controls_bytes(content_->controls));
    to.text(hash_text(to.result()));
    return to.result();
}

Snapshot Snapshot::from_bytes(std::string_view bytes)
{
    if (!bytes.starts_with(magic))
        throw InputError("snapshot: expected the bytes of one, found others");
    try {
        ByteReader from(bytes.substr(magic.size()));
        const std::string checkpoint = from.text(), controls = from.text(), sum = from.text();
        from.expect_end();
        if (sum != hash_text(bytes.substr(0, magic.size() + checkpoint.size() + controls.size() + 16)))
            throw InputError("the bytes were altered: their checksum is wrong");
        auto content = std::make_shared<SnapshotContent>();
        content->checkpoint = checkpoint_from(checkpoint);
        content->controls = controls_from(controls);
        return Snapshot(std::move(content));
    } catch (const InputError& error) {
        throw InputError(std::string("snapshot: ") + error.what());
    }
}

} // namespace stickslip
