#!/usr/bin/env python3
"""A bed of grains behind a gate that is lifted: what stays behind lies at the angle of repose.

    repose_test.py PROGRAM SOURCE_DIR [--long]

--long: a wider bed, four coefficients of friction and two seeds of each. The width counts: one of 6 d shows the last slide
rather than the grains, and there two seeds differed by 2.7 degrees.
"""
import math
import sys

from granular_runs import DIAMETER as d, SIZES, Runs, centres, head, line_through, sweep, write_obj

COLUMN = 1.5  # [d] within which the highest grain is the surface


def scene(length, height, width):
    """In d; the slope falls towards x, z closes upon itself. The floor is rough, the gate and the wall at x = 0 are smooth."""
    count = int(0.5 * length * height * width / (math.pi / 6))
    pairs = "{bodies: [grains, floor], friction: 2}, {bodies: [grains, gate], friction: 0}, {bodies: [grains, wall], friction: 0}"
    periodic = f"periodic: {{min: [-.inf, -.inf, 0], max: [.inf, .inf, {width * d}]}}"
    return (
        head("Angle of repose", 2.2, 0.5, pairs, periodic=periodic)
        + f"""output: {{history: 0.01, energy: false, checkpoint: .inf}}
outlets: [{{name: below, box: {{min: [-.inf, -.inf, -.inf], max: [.inf, {-2 * d}, .inf]}}}}]
bodies:
  - {{name: floor, kind: obstacle, shape: {{mesh: {{file: floor.obj}}}}}}
  - name: gate
    kind: obstacle
    shape: {{mesh: {{file: gate.obj}}}}
    motion: {{keyframes: [{{time: 0.2, position: [0, 0, 0]}}, {{time: 1.2, position: [0, {height * d}, 0]}}]}}
  - {{name: wall, kind: obstacle, shape: {{plane: {{normal: [1, 0, 0]}}}}}}
  - name: grains
    kind: spheres
    material: glass
    position: [{length * d / 2}, {height * d / 2}, {width * d / 2}]
    fill: {{box: [{length * d}, {height * d}, {width * d}], count: {count}, seed: 1, sizes: {SIZES}}}
"""
    )


def angle(places, length):
    """[degrees] of a line through the mean heights of the columns, without those at the wall and at the edge."""
    highest = {}
    for x, y, z in places:
        if 3 * d < x < (length - 2) * d:
            key = (int(x / d / COLUMN), int(z / d / COLUMN))
            highest[key] = max(highest.get(key, 0), y)
    profile = {}
    for (column, _), y in highest.items():
        profile.setdefault(column, []).append(y)
    slope, _ = line_through([((column + 0.5) * COLUMN * d, sum(ys) / len(ys)) for column, ys in profile.items()])
    return -math.degrees(math.atan(slope))


def main():
    runs = Runs(sys.argv[1])
    is_long = "--long" in sys.argv
    length, height, width = (24, 14, 24) if is_long else (14, 9, 4)
    frictions, seeds = ((0.1, 0.2, 0.4, 0.8), (1, 2)) if is_long else ((0.1, 0.6), (1,))
    sides = [(-d, (width + 1) * d), (0, length * d)]
    (z0, z1), (x0, x1) = sides
    write_obj(runs.folder / "floor.obj", [(x0 - d, 0, z0), (x1, 0, z0), (x1, 0, z1), (x0 - d, 0, z1)], [(0, 1, 2), (0, 2, 3)])
    y1 = 2 * height * d
    write_obj(runs.folder / "gate.obj", [(x1, 0, z0), (x1, y1, z0), (x1, y1, z1), (x1, 0, z1)], [(0, 1, 2), (0, 2, 3)])
    rows = [(friction, seed) for friction in frictions for seed in seeds]
    folders = sweep(runs, scene(length, height, width), ("contact.friction", "bodies.grains.fill.seed"), rows)
    angles = {row: angle(centres(folder, "grains"), length) for folder, row in zip(folders, rows)}
    means = []
    for friction in frictions:
        found = [angles[friction, seed] for seed in seeds]
        means.append(sum(found) / len(found))
        if len(seeds) > 1:
            shown = ", ".join(f"{a:.1f}" for a in found)
            runs.check(f"friction {friction}: seeds differ by less than 2 degrees", max(found) - min(found) < 2, shown)
    runs.check("the angle grows with friction", all(a < b for a, b in zip(means, means[1:])), ", ".join(f"{a:.1f}" for a in means))
    runs.check("all of them are angles that heaps have", 10 < means[0] and means[-1] < 40, f"{means[0]:.1f} to {means[-1]:.1f}")
    runs.finish()


main()
