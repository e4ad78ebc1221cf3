// Writes the run folders that the browser test opens: make_runs FOLDER [spheres]

#include "replay/synthetic_run.h"

#include <cstdio>
#include <string>

namespace fs = std::filesystem;
using stickslip::SyntheticRun;
using stickslip::Vec3;

namespace {

void write_twenty_bodies(const fs::path& folder)
{
    SyntheticRun run(folder, 41);
    run.add_floor();
    for (int i = 0; i < 17; ++i)
        run.add_cube("cube " + std::to_string(i), "rigid", 0.18,
            Vec3(0.4 * (i % 5) - 0.8, 0.2 + 0.1 * i, 0.4 * (i / 5) - 0.6), Vec3(0.3, 0.05, 0), Vec3(0, 1, 0.2 * i));
    run.add_cube("moving wall", "obstacle", 0.3, Vec3(-1.5, 0.2, 0), Vec3(0.5, 0, 0), Vec3::Zero());
    run.add_tetrahedron("soft one", Vec3(1.2, 0.3, 0), Vec3(0, 0.2, 0));
    run.add_contacts();
    run.write("Twenty bodies of three kinds");
}

void write_clouds(const fs::path& folder)
{
    SyntheticRun run(folder, 21);
    run.add_floor();
    run.add_cloud("grains", "spheres", 400);
    run.add_cloud("snow", "mpm", 600);
    run.add_contacts();
    run.write("Spheres and particles");
}

// Ten bricks behind a wall, of which one runs away.
void write_bin(const fs::path& folder)
{
    SyntheticRun run(folder, 11);
    run.add_floor();
    run.add_cube("front", "obstacle", 1.2, Vec3(0.7, 0.6, 1.5), Vec3::Zero(), Vec3::Zero());
    for (int i = 0; i < 10; ++i)
        run.add_cube("brick[" + std::to_string(i) + "]", "rigid", 0.18,
            Vec3(0.2 * (i % 5) - 0.4, 0.1 + 0.2 * (i / 5), 0), i == 9 ? Vec3(60, 0, 0) : Vec3(0.1, 0, 0), Vec3::Zero());
    run.add_contacts();
    run.write("Bricks behind a wall");
}

// Cubes side by side: the last one runs away, the first one moves by round-off.
void write_few(const fs::path& folder, int cubes)
{
    SyntheticRun run(folder, 11);
    run.add_floor();
    for (int i = 0; i < cubes; ++i)
        run.add_cube("cube " + std::to_string(i), "rigid", 0.2, Vec3(0.3 * i, 0.1, 0),
            i + 1 == cubes ? Vec3(60, 0, 0) : Vec3(i == 0 ? 4e-15 : 0.1, 0, 0), Vec3::Zero());
    run.add_contacts();
    run.write("One of a few cubes runs away");
}

void write_unrecorded(const fs::path& folder)
{
    SyntheticRun run(folder, 5);
    run.add_floor();
    run.add_cloud("grains", "spheres", 100);
    run.leave_contacts_out();
    run.write("Nothing is known of contacts");
}

void write_injection(const fs::path& folder)
{
    const std::string attack = "</script><img src=x onerror=window.injected=1><script>window.injected=2</script>";
    SyntheticRun run(folder, 3);
    run.add_floor();
    run.add_cube(attack, "rigid", 0.4, Vec3(0, 0.2, 0), Vec3(1, 0, 0), Vec3::Zero());
    run.add_contacts();
    run.write(attack + "<!--<script>&lt;b&gt;");
}

void write_broken(const fs::path& folder)
{
    SyntheticRun run(folder, 11);
    run.add_floor();
    run.add_cube("whole", "rigid", 0.2, Vec3(0, 0.1, 0), Vec3(1, 0, 0), Vec3::Zero());
    run.add_tetrahedron("damaged", Vec3(0, 0.5, 0), Vec3(0, 0.1, 0));
    run.write("Some files are damaged", "interrupted");
    fs::resize_file(folder / "frames/body2_4.vtu", 200);
    fs::remove(folder / "frames/body2_7.vtu");
    fs::resize_file(folder / "history.csv", fs::file_size(folder / "history.csv") - 30);
    stickslip::write_file_atomically(folder / "summary.json", "{\"status\": ");
}

void write_empty(const fs::path& folder)
{
    SyntheticRun run(folder, 0);
    run.add_floor();
    run.write("Nothing yet", "");
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2 && argc != 3) {
        std::fprintf(stderr, "usage: make_runs FOLDER [spheres]\n");
        return 2;
    }
    const fs::path folder = argv[1];
    if (argc == 3) {
        SyntheticRun run(folder, 100, 1.0);
        run.add_floor();
        run.add_cloud("spheres", "spheres", 100000);
        run.write("A hundred thousand spheres");
        return 0;
    }
    write_twenty_bodies(folder / "twenty");
    write_clouds(folder / "clouds");
    write_bin(folder / "bin");
    write_few(folder / "two", 2);
    write_few(folder / "four", 4);
    write_unrecorded(folder / "unrecorded");
    write_injection(folder / "injection");
    write_broken(folder / "broken");
    write_empty(folder / "empty");
    return 0;
}
