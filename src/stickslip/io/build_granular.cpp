#include "stickslip/io/build_granular.h"

#include "stickslip/dem/sphere_packing.h"
#include "stickslip/io/body_names.h"
#include "stickslip/io/body_pairs.h"
#include "stickslip/io/build_motion.h"
#include "stickslip/io/build_world.h"
#include "stickslip/io/place_file.h"
#include "stickslip/io/sphere_sizes.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>

namespace stickslip {

namespace {

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

Frame placed(const BodySettings& body)
{
    return {body.position, body.rotation ? rotation_matrix(*body.rotation) : Mat3::Identity()};
}

EdgeRule edge_rule(const BodySettings& body)
{
    switch (body.edges.value_or(EdgeChoice::smooth)) {
    case EdgeChoice::zones:
        return EdgeRule::zones;
    case EdgeChoice::raw:
        return EdgeRule::raw;
    case EdgeChoice::smooth:
        break;
    }
    return EdgeRule::smooth;
}

/// What the centres of a set are made of, in the body's own frame.
struct Placing {
    std::vector<Vec3> places;
    std::vector<double> radii;
};

class GranularBuilder {
public:
    GranularBuilder(
        const Scene& scene, const std::filesystem::path& folder, BodySurfaces& surfaces, BuildResult& result)
        : scene_(scene)
        , folder_(folder)
        , surfaces_(surfaces)
        , result_(result)
        , granular_(result.built.granular.emplace())
        , world_(granular_.world)
    {
    }

    void run()
    {
        world_.gravity = scene_.gravity;
        world_.local_damping = scene_.solver.local_damping;
        world_.safety = scene_.time.safety;
        world_.ledger = scene_.output.energy;
        world_.law = force_law();
        for (int axis = 0; scene_.periodic && axis < 3; ++axis) {
            if (!std::isfinite(scene_.periodic->min[axis]))
                continue;
            world_.box.corner[axis] = scene_.periodic->min[axis];
            world_.box.size[axis] = scene_.periodic->max[axis] - scene_.periodic->min[axis];
        }
        for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
            add_body(static_cast<int>(i));
        if (!result_.good())
            return;
        set_pair_friction();
        std::vector<Grain> all = granular_.grains;
        all.insert(all.end(), later_.begin(), later_.end());
        world_.dt = scene_.time.step > 0 ? scene_.time.step : stable_time_step(world_, all);
        if (granular_.grains.empty())
            world_.skin = 0.1 * world_.largest_radius;
        note_time_step(all);
        try {
            warn_of_overlap();
        } catch (const InputError& error) {
            result_.faults.push_back(make_fault(source(), {}, "periodic", error.what()));
        }
    }

private:
    void fault(
        const SourcePosition& where, const BodySettings& body, const std::string& key, const std::string& message)
    {
        result_.faults.push_back(make_fault(source(), where, "bodies." + body.name + "." + key, message));
    }

    void warning(const SourcePosition& where, const std::string& path, const std::string& message)
    {
        Fault w = make_fault(source(), where, path, message);
        w.warning = true;
        result_.warnings.push_back(w);
    }

    const SceneSource& source() const
    {
        static const SceneSource none;
        return scene_.source ? *scene_.source : none;
    }

    void add_body(int index)
    {
        const BodySettings& body = scene_.bodies[index];
        const bool set = body.kind == BodyKind::spheres;
        const bool meshed = std::holds_alternative<MeshShape>(body.shape);
        const SourcePosition at = set ? (body.fill         ? body.fill_at
                                          : body.positions ? body.positions_at
                                                           : body.inlet_at)
            : meshed                  ? std::get<MeshShape>(body.shape).file_at
                                      : body.shape_at;
        const std::string key = set ? (body.fill         ? "fill"
                                        : body.positions ? "positions"
                                                         : "inlet")
            : meshed                ? "shape.mesh.file"
                                    : "shape";
        try {
            set ? add_set(index) : add_wall(index);
        } catch (const FileError& error) {
            result_.unreadable = true;
            fault(at, body, key, error.what());
        } catch (const InputError& error) {
            fault(at, body, key, error.what());
        }
    }

    const MaterialSettings& settings_of(const std::string& material) const
    {
        return *std::find_if(scene_.materials.begin(), scene_.materials.end(),
            [&](const MaterialSettings& m) { return m.name == material; });
    }

    /// The material of a body; of an obstacle without one, that of the first spheres.
    const std::string& material_name(const BodySettings& body) const
    {
        if (!body.material.empty())
            return body.material;
        return std::find_if(scene_.bodies.begin(), scene_.bodies.end(), [](const BodySettings& b) {
            return b.kind == BodyKind::spheres;
        })->material;
    }

    NormalLaw force_law() const
    {
        bool springs = false, adhesive = false;
        for (const BodySettings& body : scene_.bodies) {
            const MaterialSettings& m = settings_of(material_name(body));
            springs = springs || m.kn;
            adhesive = adhesive || m.surface_energy > 0;
        }
        switch (scene_.contact.law) {
        case ForceLaw::linear:
            return NormalLaw::linear;
        case ForceLaw::hertz:
            return NormalLaw::hertz;
        case ForceLaw::dmt:
            return NormalLaw::dmt;
        case ForceLaw::jkr:
            return NormalLaw::jkr;
        case ForceLaw::automatic:
            break;
        }
        return springs ? NormalLaw::linear : adhesive ? NormalLaw::dmt : NormalLaw::hertz;
    }

    bool is_in_a_pair(const BodySettings& body) const
    {
        return std::any_of(scene_.contact.pairs.begin(), scene_.contact.pairs.end(), [&](const PairSettings& pair) {
            return names_body(pair.bodies[0], body.name) || names_body(pair.bodies[1], body.name);
        });
    }

    /// Bodies of one material share an entry, unless something is said of the single body.
    int add_material(int index)
    {
        const BodySettings& body = scene_.bodies[index];
        const std::string& name = material_name(body);
        const std::string key = is_in_a_pair(body) ? body.name + "\n" + name : name;
        const auto [found, fresh] = materials_.emplace(key, static_cast<int>(world_.materials.size()));
        if (fresh) {
            const MaterialSettings& m = settings_of(name);
            GranularMaterial grain{.density = m.density,
                .stiffness = m.kn.value_or(0),
                .friction = scene_.contact.friction,
                .restitution = m.restitution,
                .rolling_friction = m.rolling_friction,
                .twisting_friction = m.twisting_friction,
                .surface_energy = m.surface_energy};
            grain.young = m.young.value_or(grain.young);
            grain.poisson = m.poisson.value_or(grain.poisson);
            if (m.kn && m.kt)
                grain.shear_ratio = *m.kt / *m.kn;
            world_.materials.push_back(grain);
        }
        material_of_body_.resize(scene_.bodies.size(), -1);
        material_of_body_[index] = found->second;
        return found->second;
    }

    void set_pair_friction()
    {
        if (scene_.contact.pairs.empty())
            return;
        for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                const PairSettings* said =
                    settings_of_pair(scene_.contact, scene_.bodies[i].name, scene_.bodies[j].name);
                if (said && said->friction)
                    world_.pair_friction.push_back({material_of_body_[i], material_of_body_[j], *said->friction});
            }
        }
    }

    void add_set(int index)
    {
        const BodySettings& body = scene_.bodies[index];
        const Placing placing = body.fill ? filled(body) : body.positions ? listed(body) : Placing{};
        const Frame frame = placed(body);
        const int material = add_material(index);
        const int group = static_cast<int>(granular_.sets.size());
        granular_.sets.push_back({.name = body.name, .body = index, .material = material});
        result_.built.bodies.push_back({BodyKind::spheres, group});
        result_.built.surfaces.push_back(nullptr);
        if (body.inlet)
            expect_later(body);
        if (placing.places.empty())
            return;
        double volume = 0;
        for (std::size_t i = 0; i < placing.places.size(); ++i) {
            granular_.grains.push_back({.x = frame.to_world(placing.places[i]),
                .radius = placing.radii[i],
                .material = material,
                .v = body.velocity,
                .w = body.angular_velocity,
                .group = group});
            volume += 4 * std::numbers::pi / 3 * std::pow(placing.radii[i], 3);
        }
        const auto [least, most] = std::minmax_element(placing.radii.begin(), placing.radii.end());
        result_.built.notes.push_back(body.name + ": " + std::to_string(placing.places.size()) + " spheres, radius "
            + number(*least) + " to " + number(*most) + " m, mass "
            + number(volume * world_.materials[material].density) + " kg");
    }

    /// What spheres that come in later need from the start.
    void expect_later(const BodySettings& body)
    {
        const double largest = body.inlet->sizes ? largest_radius(*body.inlet->sizes) : *body.radius;
        const double smallest = body.inlet->sizes ? smallest_radius(*body.inlet->sizes) : *body.radius;
        if (2 * largest > body.inlet->box.minCoeff())
            throw InputError("the inlet's box holds no sphere of radius " + number(largest) + " m");
        world_.largest_radius = std::max(world_.largest_radius, largest);
        later_.push_back(
            {.x = Vec3::Zero(), .radius = smallest, .material = material_of_body_[granular_.sets.back().body]});
    }

    Placing listed(const BodySettings& body) const
    {
        Placing placing{.places = body.positions->places, .radii = body.radii};
        if (!body.positions->file.empty()) {
            PlaceTable table = read_places((folder_ / body.positions->file).string());
            placing.places = std::move(table.places);
            if (!table.radii.empty() && (body.radius || !body.radii.empty()))
                throw InputError("the file has radii already; leave out `radius` and `radii`");
            if (!table.radii.empty())
                placing.radii = std::move(table.radii);
        }
        if (body.radius)
            placing.radii.assign(placing.places.size(), *body.radius);
        if (placing.radii.size() != placing.places.size())
            throw InputError(placing.radii.empty() ? "expected `radius`, `radii` or a fourth column of the file"
                                                   : "expected as many radii as positions, got "
                        + std::to_string(placing.radii.size()) + " and " + std::to_string(placing.places.size()));
        return placing;
    }

    Placing filled(const BodySettings& body)
    {
        const FillSettings& fill = *body.fill;
        LevelSet region = Plane{};
        double volume = 0;
        const double pi = std::numbers::pi;
        if (fill.box) {
            region = Box{*fill.box};
            volume = fill.box->prod();
        } else if (fill.cylinder) {
            region = *fill.cylinder;
            volume = pi * std::pow(fill.cylinder->radius, 2) * fill.cylinder->height;
        } else if (fill.sphere) {
            region = Sphere{*fill.sphere};
            volume = 4 * pi / 3 * std::pow(*fill.sphere, 3);
        } else {
            const std::vector<std::string>& defects = surfaces_.defects(*fill.mesh);
            if (!defects.empty())
                throw InputError(defects.front());
            region = surfaces_.solid(*fill.mesh);
            volume = enclosed_volume(*surfaces_.mesh(*fill.mesh));
        }
        const Sizes sizes = fill.sizes ? *fill.sizes : Sizes(UniformSizes{*body.radius, *body.radius});
        Placing placing;
        placing.radii = draw_radii(sizes, fill.sizes_by, fill.count, fill.fraction.value_or(0) * volume, fill.seed);
        if (placing.radii.empty())
            throw InputError("no sphere fits into this fraction of the region");
        placing.places = pack_spheres(region, placing.radii, fill.seed);
        return placing;
    }

    void add_wall(int index)
    {
        const BodySettings& body = scene_.bodies[index];
        GranularWall wall{.name = body.name, .shape = {}, .material = add_material(index), .start = placed(body)};
        std::shared_ptr<const TriMesh> mesh;
        if (const auto* shape = std::get_if<MeshShape>(&body.shape)) {
            mesh = surfaces_.mesh(*shape);
            const auto facets = make_wall_mesh(*mesh, edge_rule(body));
            for (const MeshDefect& defect : facets->topology.defects)
                warning(shape->file_at, "bodies." + body.name + ".shape.mesh.file", defect.text);
            result_.built.notes.push_back(body.name + ": " + std::to_string(mesh->triangles.size()) + " facets, "
                + std::to_string(facets->topology.welded) + " vertices welded, "
                + std::to_string(facets->topology.patches) + " smooth patches");
            wall.shape = facets;
        } else {
            wall.shape = surfaces_.solid(body.shape);
        }
        if (body.motion) {
            if (const auto* belt = std::get_if<SurfaceMotion>(&*body.motion))
                wall.surface_velocity = belt->surface_velocity;
            else
                wall.motion = obstacle_motion(*body.motion, wall.start);
        }
        world_.walls.push_back(std::move(wall));
        granular_.wall_body.push_back(index);
        result_.built.bodies.push_back({BodyKind::obstacle, static_cast<int>(world_.walls.size()) - 1});
        result_.built.surfaces.push_back(std::move(mesh));
    }

    void note_time_step(const std::vector<Grain>& all)
    {
        GranularWorld limit = world_;
        limit.safety = 0.999999;
        const double largest = stable_time_step(limit, all) / limit.safety;
        constexpr const char* laws[] = {"linear", "hertz", "dmt", "jkr"};
        result_.built.notes.push_back(std::string("force law ") + laws[static_cast<int>(world_.law)] + ", time step "
            + number(world_.dt) + " s, stability limit about " + number(largest) + " s");
        if (world_.dt > largest)
            warning({}, "time.step",
                "above the stability limit of the spheres, about " + number(largest)
                    + " s: expect energy from nowhere");
    }

    /// Spheres that overlap at the start fly apart: legal, and rarely meant.
    void warn_of_overlap()
    {
        constexpr double share = 0.01; // [-] of the smaller radius
        std::vector<SpherePlace> places;
        for (const Grain& g : granular_.grains)
            places.push_back({g.x, g.radius});
        const NeighbourList list = find_neighbours(places, world_.box, 0);
        std::vector<int> overlapping(granular_.sets.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            for (int k = list.first[i]; k < list.first[i + 1]; ++k) {
                const SpherePlace &a = places[i], &b = places[list.other[k]];
                const double overlap = a.radius + b.radius - world_.box.shortest(b.x - a.x).norm();
                overlapping[granular_.grains[i].group] += overlap > share * std::min(a.radius, b.radius);
            }
        }
        for (std::size_t group = 0; group < granular_.sets.size(); ++group) {
            const int count = overlapping[group];
            const BodySettings& body = scene_.bodies[granular_.sets[group].body];
            if (count > 0)
                warning(body.fill ? body.fill_at : body.positions_at, "bodies." + body.name,
                    std::to_string(count) + " pairs of spheres overlap at the start by more than 1 % of a radius");
        }
    }

    const Scene& scene_;
    std::filesystem::path folder_;
    BodySurfaces& surfaces_;
    BuildResult& result_;
    BuiltGranular& granular_;
    GranularWorld& world_;
    std::vector<Grain> later_; // the smallest of each inlet
    std::map<std::string, int> materials_;
    std::vector<int> material_of_body_;
};

} // namespace

void build_granular(
    const Scene& scene, const std::filesystem::path& folder, BodySurfaces& surfaces, BuildResult& result)
{
    GranularBuilder(scene, folder, surfaces, result).run();
}

} // namespace stickslip
