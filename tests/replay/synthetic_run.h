#pragma once

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/csv.h"
#include "stickslip/files/frame_series.h"
#include "stickslip/files/vtk_files.h"
#include "stickslip/math/types.h"

#include <cmath>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

/// Writes run folders without a simulation: bodies on given paths, in the files that a run writes.
class SyntheticRun {
public:
    explicit SyntheticRun(std::filesystem::path folder, int frames = 21, double end = 1)
        : folder_(std::move(folder))
        , frames_(frames)
        , end_(end)
    {
        std::filesystem::create_directories(folder_ / "frames");
    }

    /// A plane obstacle at y = 0.
    void add_floor()
    {
        bodies_.push_back({.name = "floor", .kind = "obstacle", .extra = "shape: {plane: {normal: [0, 1, 0]}}"});
        bodies_.back().write = [this](Body&, const std::filesystem::path& path, double) {
            const std::vector<Vec3> x = {{-4, 0, -4}, {-4, 0, 4}, {4, 0, 4}, {4, 0, -4}};
            write_vtp(path, TriangleFrame{.points = x, .triangles = square_, .point_fields = {}, .cell_fields = {}});
        };
    }

    /// A cube of edge `size` that starts at `x`, moves at `v` and turns at `w`. kind: rigid or obstacle.
    void add_cube(const std::string& name, const std::string& kind, double size, Vec3 x, Vec3 v, Vec3 w)
    {
        Body body{.name = name, .kind = kind, .x = x, .v = v, .w = w};
        body.write = [this, size](Body& b, const std::filesystem::path& path, double t) {
            const Frame frame = b.pose(t);
            std::vector<Vec3> points;
            for (const Vec3& X : corners_)
                points.push_back(frame.to_world(0.5 * size * X));
            write_vtp(path, TriangleFrame{.points = points, .triangles = cube_, .point_fields = {}, .cell_fields = {}});
        };
        bodies_.push_back(std::move(body));
    }

    /// One tetrahedron that is sheared as it moves: a deformable.
    void add_tetrahedron(const std::string& name, Vec3 x, Vec3 v)
    {
        Body body{.name = name, .kind = "deformable", .x = x, .v = v};
        body.write = [](Body& b, const std::filesystem::path& path, double t) {
            std::vector<Vec3> points = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}};
            std::vector<Vec3> velocity(4, b.v);
            for (Vec3& p : points)
                p = b.x + t * b.v + p + Vec3(0.5 * t * p.y(), 0, 0);
            const std::vector<Tetrahedron> tets = {{0, 1, 2, 3}};
            const std::vector<double> stress = {1000 * t};
            write_vtu(path,
                {.points = points,
                    .tets = tets,
                    .point_fields = {{"velocity", std::span<const Vec3>(velocity)}},
                    .cell_fields = {{"von_mises_stress", std::span<const double>(stress)}}});
        };
        bodies_.push_back(std::move(body));
    }

    /// Points that fall and come to rest in a heap. kind: spheres (with radii) or mpm.
    void add_cloud(const std::string& name, const std::string& kind, int count)
    {
        Body body{.name = name, .kind = kind};
        body.write = [count](Body& b, const std::filesystem::path& path, double t) {
            std::mt19937 random(3);
            std::uniform_real_distribution<double> unit(0, 1);
            const double spacing = std::cbrt(1.0 / count);
            std::vector<Vec3> points, velocity;
            std::vector<double> radius;
            for (int i = 0; i < count; ++i) {
                const Vec3 start(unit(random) - 0.5, 0.3 + unit(random), unit(random) - 0.5);
                const double rest = 0.5 * (start.y() - 0.3) + 0.5 * spacing;
                const double fall = start.y() - 4.905 * t * t;
                const double spread = 1 + 0.3 * std::min(1.0, t) * unit(random);
                points.emplace_back(start.x() * spread, std::max(rest, fall), start.z() * spread);
                velocity.emplace_back(0, fall > rest ? -9.81 * t : 0, 0);
                radius.push_back(spacing * (0.3 + 0.2 * unit(random)));
            }
            PointFrame frame{.points = points, .point_fields = {{"velocity", std::span<const Vec3>(velocity)}}};
            if (b.kind == "spheres")
                frame.point_fields.push_back({"radius", std::span<const double>(radius)});
            write_vtp(path, frame);
        };
        bodies_.push_back(std::move(body));
    }

    /// Contacts at the first corners of every body but the first with the first, in every frame.
    void add_contacts() { contacts_ = true; }

    /// Frames without the file of contacts, as explicit runs write them.
    void leave_contacts_out() { records_contacts_ = false; }

    void write(const std::string& title = "A synthetic run", const std::string& status = "done")
    {
        FrameSeries series(folder_ / "frames.pvd");
        std::string history = csv_header({"time", "dt", "newton", "krylov", "residual", "contacts", "sticking",
            "sliding", "kinetic_energy", "potential_energy", "elastic_energy", "contact_energy", "friction_loss", "px",
            "py", "pz", "lx", "ly", "lz", "max_penetration", "wall"});
        std::string table =
            csv_header({"time", "body", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"});
        CsvRow row;
        for (int f = 0; f < frames_; ++f) {
            const double t = frames_ > 1 ? end_ * f / (frames_ - 1) : 0;
            series.add(t, write_frame(f, t));
            row.add(t).add(0.01).add(2 + f % 3).add(20).add(1e-9).add(4).add(3).add(1);
            row.add(1 - t).add(2 * t).add(0.1).add(0.0).add(t * t);
            table += history_of_bodies(t);
            history += row.add(Vec3(1, 2, 3)).add(Vec3(0, 0, 0)).add(1e-5).add(0.1 * t).take();
        }
        series.write();
        write_file_atomically(folder_ / "history.csv", history);
        write_file_atomically(folder_ / "bodies.csv", table);
        write_scene(title);
        if (!status.empty())
            write_file_atomically(folder_ / "summary.json", "{\"status\": \"" + status + "\"}\n");
    }

private:
    struct Body {
        std::string name, kind, extra;
        Vec3 x = Vec3::Zero(), v = Vec3::Zero(), w = Vec3::Zero();
        std::function<void(Body&, const std::filesystem::path&, double)> write;

        Frame pose(double t) const
        {
            const double angle = w.norm() * t;
            Frame frame{.x = x + t * v};
            if (angle > 0)
                frame.R = Eigen::AngleAxisd(angle, w.normalized()).toRotationMatrix();
            return frame;
        }
    };

    std::vector<FramePart> write_frame(int number, double t)
    {
        std::vector<FramePart> parts;
        for (std::size_t b = 0; b < bodies_.size(); ++b) {
            const std::string stem = "frames/body" + std::to_string(b) + "_" + std::to_string(number);
            const std::string ending = bodies_[b].kind == "deformable" ? ".vtu" : ".vtp";
            bodies_[b].write(bodies_[b], folder_ / (stem + ending), t);
            parts.push_back({bodies_[b].name, stem + ending});
        }
        if (!records_contacts_)
            return parts;
        parts.push_back({"contacts", "frames/contacts_" + std::to_string(number) + ".vtp"});
        write_contacts(folder_ / parts.back().file, t);
        return parts;
    }

    void write_contacts(const std::filesystem::path& path, double t) const
    {
        std::vector<Vec3> x, force, normal;
        std::vector<double> depth;
        std::vector<int> sticks, node, point_body, surface_body;
        for (std::size_t b = 1; contacts_ && b < bodies_.size(); ++b)
            for (int i = 0; i < 2; ++i) {
                x.push_back(bodies_[b].x + t * bodies_[b].v);
                force.emplace_back(0.1 * i, 1.0 + static_cast<double>(b), 0);
                normal.emplace_back(0, 1, 0);
                depth.push_back(1e-4 * (i + 1));
                sticks.push_back(i);
                node.push_back(i);
                point_body.push_back(static_cast<int>(b));
                surface_body.push_back(0);
            }
        write_vtp(path,
            PointFrame{.points = x,
                .point_fields = {{"force", std::span<const Vec3>(force)}, {"normal", std::span<const Vec3>(normal)},
                    {"depth", std::span<const double>(depth)}, {"sticks", std::span<const int>(sticks)},
                    {"node", std::span<const int>(node)}, {"point_body", std::span<const int>(point_body)},
                    {"surface_body", std::span<const int>(surface_body)}}});
    }

    std::string history_of_bodies(double t) const
    {
        std::string rows;
        CsvRow row;
        for (const Body& body : bodies_) {
            const Frame pose = body.pose(t);
            row.add(t).add(body.name).add(pose.x).add(Quat(pose.R)).add(body.v).add(body.w);
            rows += row.take();
        }
        return rows;
    }

    void write_scene(const std::string& title) const
    {
        const auto quoted = [](const std::string& text) { // JSON text is YAML text
            std::string result = "\"";
            for (const char c : text)
                result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
            return result + "\"";
        };
        std::string scene = "stickslip: 1\ntitle: " + quoted(title)
            + "\ngravity: [0, -9.81, 0]\ntime: {step: 0.01, end: " + csv_number(end_)
            + "}\ncontact: {friction: 0.3}\nbodies:\n";
        for (const Body& body : bodies_)
            scene += "  - {name: " + quoted(body.name) + ", kind: " + body.kind
                + (body.extra.empty() ? "" : ", " + body.extra) + "}\n";
        write_file_atomically(folder_ / "scene.yaml", scene);
    }

    std::filesystem::path folder_;
    int frames_;
    double end_;
    bool contacts_ = false, records_contacts_ = true;
    std::vector<Body> bodies_;
    const std::vector<Vec3> corners_ = {
        {-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
    const std::vector<Triangle> cube_ = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
        {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    const std::vector<Triangle> square_ = {{0, 1, 2}, {0, 2, 3}};
};

} // namespace stickslip
