#!/usr/bin/env python3
"""Bodies dropped on rough open terrains: whether they are felt, and what the solver makes of it.

    python3 bench/bodies_on_terrain.py PROGRAM COUNT [--kinds KIND ...] [--rough R] [--keep FOLDER]

Each scene: a terrain of 1,152 triangles over 2 m, two waves of up to 6 cm and bumps of up to 5 mm (times R), and one body of each kind dropped on it turning,
steps of 1/60 to 1/240 s, for a second and a half. Prints each scene with a failed solve, with bodies that pass through each other or a run that stops; then the
sums. Unless said, the kinds are the round ones: `--kinds box card bar angle star tub` for those with edges."""
import argparse
import json
import math
import pathlib
import random
import subprocess
import tempfile

import mesh_heaps

ROUND = {
    "log": lambda rng, s: f"cylinder: {{radius: {s / 5:.4g}, height: {s:.4g}}}",
    "can": lambda rng, s: f"cylinder: {{radius: {s / 3:.4g}, height: {s:.4g}}}",
    "wheel": lambda rng, s: f"cylinder: {{radius: {s / 2:.4g}, height: {s * rng.uniform(0.05, 0.4):.4g}}}",
    "cone": lambda rng, s: f"cone: {{radius: {s / 2:.4g}, height: {s:.4g}}}",
    "ring": lambda rng, s: f"torus: {{major: {s / 2:.4g}, minor: {s / 2 * rng.uniform(0.1, 0.4):.4g}}}",
    "capsule": lambda rng, s: f"capsule: {{radius: {s / 5:.4g}, height: {s:.4g}}}",
}
EDGED = {
    "box": lambda rng, s: f"box: [{s:.4g}, {s * rng.uniform(0.3, 1):.4g}, {s * rng.uniform(0.3, 1):.4g}]",
    "card": lambda rng, s: f"box: [{s:.4g}, {s * rng.uniform(0.03, 0.1):.4g}, {s * rng.uniform(0.5, 1):.4g}]",
    "bar": lambda rng, s: f"box: [{2 * s:.4g}, {s * rng.uniform(0.1, 0.2):.4g}, {s * rng.uniform(0.1, 0.2):.4g}]",
} | {kind: lambda rng, s, kind=kind: f"mesh: {{file: {kind}.obj, scale: {5 * s:.4g}}}" for kind in mesh_heaps.KINDS}
SHAPES = ROUND | EDGED
CELLS, SIZE = 24, 2.0  # [m]


def write_terrain(path, rng, rough):
    waves = [(rng.uniform(1, 5), rng.uniform(1, 5), rng.uniform(0, 6), rng.uniform(0, 0.03)) for _ in range(2)]
    bumps = rng.uniform(0, 0.005)
    lines = []
    for i in range(CELLS + 1):
        for k in range(CELLS + 1):
            x, z = SIZE * (i / CELLS - 0.5), SIZE * (k / CELLS - 0.5)
            y = rough * sum(a * math.sin(p * x + q * z + c) for p, q, c, a in waves) + rough * bumps * rng.uniform(-1, 1)
            lines.append(f"v {x:.6g} {y:.6g} {z:.6g}")
    for i in range(CELLS):
        for k in range(CELLS):
            a = i * (CELLS + 1) + k + 1
            lines += [f"f {a} {a + 1} {a + CELLS + 1}", f"f {a + CELLS + 1} {a + 1} {a + CELLS + 2}"]
    path.write_text("\n".join(lines) + "\n")


def scene(number, kinds, height):
    rng = random.Random(f"terrain {number}")
    text = f"""stickslip: 1
time: {{step: {1 / rng.choice((60, 120, 240)):.6g}, end: 1.5, frame: 0.1}}
contact: {{friction: {rng.choice((0, 0.3, 0.6, 1))}}}
solver: {{audit: every, max_seconds: 60}}
materials: {{oak: {{density: 700}}}}
bodies:
  - {{name: ground, kind: obstacle, shape: {{mesh: {{file: terrain.obj}}}}, contact_geometry: mesh}}
"""
    for i, kind in enumerate(kinds):
        q = [rng.gauss(0, 1) for _ in range(4)]
        q = [c / math.hypot(*q) for c in q]
        v, w = ([round(rng.uniform(-a, a), 3) for _ in range(3)] for a in (0.7, 5))
        x, z = 0.55 * (i % 3 - 1) + rng.uniform(-0.05, 0.05), 0.6 * (i // 3 - 0.5) + rng.uniform(-0.05, 0.05)
        text += (f"  - {{name: {kind}, kind: rigid, material: oak, shape: {{{SHAPES[kind](rng, rng.uniform(0.1, 0.3))}}}, position: [{x:.4g}, {height:.4g}, {z:.4g}], "
                 f"rotation: {{quaternion: {q}}}, velocity: {v}, angular_velocity: {w}}}\n")
    return rng, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("count", type=int)
    parser.add_argument("--kinds", nargs="+", choices=SHAPES, default=list(ROUND))
    parser.add_argument("--rough", type=float, default=1)
    parser.add_argument("--keep", help="folder for the scenes and runs")
    options = parser.parse_args()
    program = pathlib.Path(options.program).resolve()
    steps = iterations = failed = passing = stopped = 0
    with tempfile.TemporaryDirectory() as temporary:
        for number in range(options.count):
            folder = pathlib.Path(options.keep or temporary) / str(number)
            folder.mkdir(parents=True, exist_ok=True)
            rng, text = scene(number, options.kinds, 0.35 + 0.065 * (options.rough - 1))
            write_terrain(folder / "terrain.obj", rng, options.rough)
            for kind in set(options.kinds) & set(mesh_heaps.KINDS):
                mesh_heaps.write_obj(folder / f"{kind}.obj", *mesh_heaps.KINDS[kind]())
            (folder / "scene.yaml").write_text(text)
            run = subprocess.run([program, "run", "scene.yaml", "-o", "run", "--force"], cwd=folder, capture_output=True, text=True)
            if run.returncode not in (0, 3):
                print(f"scene {number}: {run.stderr.strip()[-400:]}")
                stopped += 1
                continue
            summary = json.loads((folder / "run/summary.json").read_text())
            steps += summary["steps"]
            iterations += summary["newton_iterations"]
            failed += summary["failed_solves"]
            passing += len(summary["passing"])
            stopped += summary["status"] != "done"
            if summary["failed_solves"] or summary["passing"] or summary["status"] != "done":
                print(f"scene {number}: {summary['status']}, {summary['failed_solves']} failed solves, {len(summary['passing'])} pairs pass through each other", flush=True)
    print(f"{options.count} scenes, {steps} steps, {iterations / max(steps, 1):.2f} Newton iterations a step, {failed} failed solves, "
          f"{passing} pairs pass through each other, {stopped} runs stopped")


main()
