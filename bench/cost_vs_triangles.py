#!/usr/bin/env python3
"""Cost of a step against the size of an open terrain: the same bodies on the same ground, which goes on farther and farther.

    python3 bench/cost_vs_triangles.py PROGRAM [--kinds KIND ...] [--bodies N] [--keep FOLDER]

Twenty bodies of one kind fall on waves of triangles of 7 cm, a hundred steps of 0.01 s on one thread. Prints by kind and number of triangles the
seconds of processor time to the end of the first step (reading and sorting the mesh), the milliseconds of a step, and failed solves."""
import argparse
import json
import math
import pathlib
import random
import resource
import subprocess
import tempfile

import mesh_heaps

CELL, CELLS = 0.0714, (32, 71, 224)  # [m], on a side: 2,000 to 100,000 triangles
KINDS = {"box": "box: [0.4, 0.2, 0.3]", "cylinder": "cylinder: {radius: 0.15, height: 0.3}", "capsule": "capsule: {radius: 0.1, height: 0.3}"} | {
    kind: f"mesh: {{file: {kind}.obj}}" for kind in ("angle", "cup")
}


def write_terrain(path, cells):
    lines = []
    for i in range(cells + 1):
        for k in range(cells + 1):
            x, z = CELL * (i - cells / 2), CELL * (k - cells / 2)
            lines.append(f"v {x:.6g} {0.1 * math.sin(2 * x) * math.cos(1.5 * z):.6g} {z:.6g}")
    for i in range(cells):
        for k in range(cells):
            a = i * (cells + 1) + k + 1
            lines += [f"f {a} {a + 1} {a + cells + 1}", f"f {a + cells + 1} {a + 1} {a + cells + 2}"]
    path.write_text("\n".join(lines) + "\n")


def write_scene(path, shape, bodies):
    rng = random.Random("terrain")
    text = """stickslip: 1
time: {step: 0.01, end: 1}
contact: {friction: 0.5}
solver: {audit: off}
output: {frames: false}
materials: {oak: {density: 700}}
bodies:
  - {name: ground, kind: obstacle, shape: {mesh: {file: terrain.obj}}, contact_geometry: mesh}
"""
    for i in range(bodies):
        x, z = rng.uniform(-1, 1), rng.uniform(-1, 1)
        text += f"  - {{name: b{i}, kind: rigid, material: oak, shape: {{{shape}}}, position: [{x:.3f}, {0.4 + 0.45 * i:.3f}, {z:.3f}]}}\n"
    path.write_text(text)


def seconds_of(program, folder, *options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "run", "scene.yaml", "-o", "run", "--force", "--quiet", "--threads", "1", *options], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--bodies", type=int, default=20)
    parser.add_argument("--keep", help="folder for the scenes and runs")
    options = parser.parse_args()
    program = pathlib.Path(options.program).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print("kind       triangles  start [s]  step [ms]  failed solves")
        for kind in options.kinds:
            if kind in mesh_heaps.KINDS:
                mesh_heaps.write_obj(folder / f"{kind}.obj", *mesh_heaps.KINDS[kind]())
            write_scene(folder / "scene.yaml", KINDS[kind], options.bodies)
            for cells in CELLS:
                write_terrain(folder / "terrain.obj", cells)
                start = seconds_of(program, folder, "--until", "0.01")
                whole = seconds_of(program, folder)
                failed = json.loads((folder / "run/summary.json").read_text())["failed_solves"]
                print(f"{kind:10} {2 * cells * cells:9}  {start:9.2f}  {1e3 * (whole - start) / 99:9.2f}  {failed:13}", flush=True)


main()
