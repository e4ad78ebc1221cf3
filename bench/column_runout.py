#!/usr/bin/env python3
"""Run-out and final height of round columns of sand that collapse on a rough floor, against the power laws measured by Lube et al. (2004, J. Fluid Mech. 508)
and Lajeunesse et al. (2004, Phys. Fluids 16).

    python3 bench/column_runout.py PROGRAM [--cells N] [--ratios A ...] [--per-cell N]

One thread. A column of radius r = 0.1 m on N cells, as high as A radii; friction angle 30 degrees, floor 0.5. Run-out is that of all but the last fiftieth of
the particles, and of the farthest, in radii; height is that of the highest particle."""
import argparse
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

RADIUS = 0.1
SCENE = """stickslip: 1
title: A column of sand
time: {{step: 0.005, end: {end}, frame: {end}}}
contact: {{friction: 0.5}}
materials:
  sand: {{density: 1500, model: drucker_prager, young: 1.0e6, poisson: 0.3, friction_angle: 30}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - {{name: sand, kind: mpm, material: sand, shape: {{cylinder: {{radius: {radius}, height: {height}}}}}, resolution: {spacing}, particles_per_cell: {per_cell}, position: [0, {middle}, 0]}}
"""


def points(path):
    """Places of the points of a frame [m]."""
    text = path.read_bytes()
    head = text[: text.index(b"<AppendedData")].decode()
    array = re.search(r"<Points>\s*<DataArray[^>]*offset=\"(\d+)\"", head)
    at = text.index(b"_", text.index(b"<AppendedData")) + 1 + int(array.group(1))
    blocks, _, _ = struct.unpack_from("<3Q", text, at)
    sizes = struct.unpack_from(f"<{blocks}Q", text, at + 24)
    at += 24 + 8 * blocks
    data = b""
    for size in sizes:
        data += zlib.decompress(text[at : at + size])
        at += size
    numbers = struct.unpack(f"<{len(data) // 8}d", data)
    return [numbers[i : i + 3] for i in range(0, len(numbers), 3)]


def collapse(program, ratio, cells, per_cell):
    """Run-out of all but a fiftieth, of the farthest, height [radii], processor time [s]."""
    height = ratio * RADIUS
    end = round(4 * math.sqrt(height / 9.81) + 0.2, 2)
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "column.yaml"
        scene.write_text(SCENE.format(end=end, radius=RADIUS, height=height, spacing=RADIUS / cells, per_cell=per_cell, middle=height / 2))
        run = subprocess.Popen([program, "run", scene, "-o", f"{folder}/out", "--force", "--quiet", "--threads", "1"], stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(run.pid, 0)
        if status != 0:
            sys.exit(f"the run of ratio {ratio} ended with status {os.waitstatus_to_exitcode(status)}")
        places = points(sorted((pathlib.Path(folder) / "out/frames").glob("sand_*.vtp"))[-1])
    away = sorted(math.hypot(x, z) for x, _, z in places)
    return away[len(away) * 49 // 50] / RADIUS - 1, away[-1] / RADIUS - 1, max(y for _, y, _ in places) / RADIUS, usage.ru_utime


def lube_run_out(a):
    return 1.24 * a if a < 1.7 else 1.6 * math.sqrt(a)


def lube_height(a):
    return a if a < 1 else 0.88 * a ** (1 / 6)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("--cells", type=int, default=4, help="of the grid, a radius")
    options.add_argument("--ratios", type=float, nargs="+", default=[0.5, 1, 2, 3])
    options.add_argument("--per-cell", type=int, default=8)
    given = options.parse_args()
    print("| height / radius | run-out (49/50) | run-out (farthest) | Lube et al. | height | Lube et al. | processor time |\n|---|---|---|---|---|---|---|")
    rows = []
    for a in given.ratios:
        most, farthest, height, seconds = collapse(given.program, a, given.cells, given.per_cell)
        rows.append((a, farthest))
        print(f"| {a:g} | {most:.2f} | {farthest:.2f} | {lube_run_out(a):.2f} | {height:.2f} | {lube_height(a):.2f} | {seconds:.0f} s |", flush=True)
    for name, low, high, law in (("flat", 0, 1.7, "Lube 1, Lajeunesse 1 below 3"), ("tall", 1.7, math.inf, "Lube 1/2, Lajeunesse 1/2 above 3")):
        some = [(a, r) for a, r in rows if low <= a < high]
        if len(some) > 1:
            print(f"{name} columns: exponent {math.log(some[-1][1] / some[0][1]) / math.log(some[-1][0] / some[0][0]):.2f} ({law})")


if __name__ == "__main__":
    main()
