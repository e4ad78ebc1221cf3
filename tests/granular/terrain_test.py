#!/usr/bin/env python3
"""A sphere without friction slides over a bumpy terrain of triangles and keeps its energy within the integrator's error.

    terrain_test.py PROGRAM SOURCE_DIR

Needs ../shared/data/surfaces/height-field.obj beside the repository; skipped where it is not.
"""
import pathlib
import sys

from granular_runs import Runs, table

RADIUS, END = 0.5, 1.5
KN = 4e5  # [N/m] a hundredth of the radius under its own weight


def scene(mesh, at):
    x, y, z = at
    return f"""stickslip: 1
title: A sphere slides over a terrain
time: {{step: 1e-3, end: {END}, frame: 0.1}}
solver: {{integration: explicit}}
contact: {{friction: 0}}
materials: {{ice: {{density: 1000, kn: {KN}, restitution: 1}}}}
bodies:
  - {{name: terrain, kind: obstacle, shape: {{mesh: {{file: {mesh}}}}}}}
  - {{name: ball, kind: spheres, material: ice, radius: {RADIUS}, positions: [[{x}, {y}, {z}]], velocity: [1, 0, 0.6]}}
output: {{frames: false, history: 0.001}}
"""


def imbalance(runs, mesh, at, step):
    """Largest error of the energy over the largest kinetic energy; and how long it touched."""
    runs.run(scene(mesh, at), f"time.step={step}")
    rows = table(runs.folder / "out/balance.csv")
    touching = sum(int(row["contacts"]) > 0 for row in table(runs.folder / "out/history.csv"))
    kinetic = max(float(row["kinetic_translation"]) for row in rows)
    return max(abs(float(row["imbalance"])) for row in rows) / kinetic, touching / len(rows)


def main():
    runs = Runs(sys.argv[1])
    mesh = pathlib.Path(sys.argv[2]).resolve().parent / "shared/data/surfaces/height-field.obj"
    if not mesh.exists():
        print(f"skipped: there is no {mesh}")
        sys.exit(77)
    vertices = [tuple(map(float, line.split()[1:4])) for line in mesh.read_text().splitlines() if line.startswith("v ")]
    for place in ((0, 0), (-3, 2), (3, -3)):
        x, y, z = min(vertices, key=lambda v: (v[0] - place[0]) ** 2 + (v[2] - place[1]) ** 2)
        errors = []
        for step in (4e-4, 1e-4):
            error, touched = imbalance(runs, mesh, (x, y + 1.3 * RADIUS, z), step)
            errors.append(error)
        runs.check(f"from ({x:.1f}, {z:.1f}) it stays near the ground, from which it bounces without loss", touched > 0.15, f"touches for {100 * touched:.0f} % of the time")
        shown = ", ".join(f"{e:.2g}" for e in errors)
        runs.check("energy kept, better with a shorter step", errors[1] < 1e-3 and errors[1] < 0.5 * errors[0], shown)
    runs.finish()


main()
