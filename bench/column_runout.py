#!/usr/bin/env python3
"""Run-out and final height of columns of sand that collapse on a rough floor, against measured power laws: round columns (Lube et al. 2004, J. Fluid Mech.
508; Lajeunesse et al. 2004, Phys. Fluids 16), and with --channel half of a long one between smooth walls (Lube et al. 2005, Phys. Rev. E 72).

    python3 bench/column_runout.py PROGRAM [--channel] [--cells N ...] [--ratios A ...] [--per-cell N]

One thread. A column of radius (half width) r = 0.1 m on N cells, as high as A radii; floor 0.5; friction angle 30 degrees, in a channel 28, which act as 32 in
plane strain. Run-out is that of all but the last fiftieth of the particles, and of the farthest, in radii; height is that of the highest particle. Volume is
that below the highest particles of half a cell each (channel), by that at the start: with fewer than 27 particles a cell it shrinks. Exponents are those of both
run-outs, and of what was measured at the same ratios, which bends between low and high columns."""
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
time: {{step: 0.0025, end: {end}, frame: {end}}}
contact: {{friction: 0.5, pairs: [{smooth}]}}
materials:
  sand: {{density: 1500, model: drucker_prager, young: 1.0e6, poisson: 0.3, friction_angle: {angle}}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
{walls}  - {{name: sand, kind: mpm, material: sand, shape: {shape}, resolution: {spacing}, particles_per_cell: {per_cell}, position: {place}}}
"""


def scene_of(ratio, cells, per_cell, channel):
    """The scene of a column."""
    height, width = ratio * RADIUS, RADIUS / cells
    end = round(4 * math.sqrt(height / 9.81) + 0.2, 2)
    shape, place = f"{{cylinder: {{radius: {RADIUS}, height: {height}}}}}", [0, height / 2, 0]
    walls = {}
    if channel:
        shape, place = f"{{box: [{RADIUS}, {height}, {width}]}}", [RADIUS / 2, height / 2, width / 2]
        walls = {"middle": ([1, 0, 0], 0), "back": ([0, 0, 1], 0), "front": ([0, 0, -1], width)}
    return SCENE.format(end=end, shape=shape, place=place, spacing=width, per_cell=per_cell, angle=28 if channel else 30,
        smooth=", ".join(f"{{bodies: [sand, {name}], friction: 0}}" for name in walls),
        walls="".join(f"  - {{name: {name}, kind: obstacle, shape: {{plane: {{normal: {normal}}}}}, position: [0, 0, {z}]}}\n" for name, (normal, z) in walls.items()))


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


def volume(places, cells, per_cell):
    """Of the heap in a channel [its square of radii]."""
    bin, half = RADIUS / cells / 2, RADIUS / cells / round(per_cell ** (1 / 3)) / 2
    top = {}
    for x, y, _ in places:
        top[int(x / bin)] = max(top.get(int(x / bin), 0), y + half)
    return sum(top.values()) * bin / RADIUS**2


def collapse(program, ratio, cells, given):
    """Run-out of all but a fiftieth, of the farthest, height [radii], volume by that at the start, processor time [s]."""
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "column.yaml"
        scene.write_text(scene_of(ratio, cells, given.per_cell, given.channel))
        run = subprocess.Popen([program, "run", scene, "-o", f"{folder}/out", "--force", "--quiet", "--threads", "1"], stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(run.pid, 0)
        if status != 0:
            sys.exit(f"the run of ratio {ratio} ended with status {os.waitstatus_to_exitcode(status)}")
        places = points(sorted((pathlib.Path(folder) / "out/frames").glob("sand_*.vtp"))[-1])
    away = sorted(x if given.channel else math.hypot(x, z) for x, _, z in places)
    left = f"{volume(places, cells, given.per_cell) / ratio:.2f}" if given.channel else ""
    return away[len(away) * 49 // 50] / RADIUS - 1, away[-1] / RADIUS - 1, max(y for _, y, _ in places) / RADIUS, left, usage.ru_utime


def lube_run_out(a, channel):
    if channel:
        return 1.2 * a if a < 2.3 else 1.9 * a ** (2 / 3)
    return 1.24 * a if a < 1.7 else 1.6 * math.sqrt(a)


def lube_height(a, channel):
    if channel:
        return a if a < 1.15 else a**0.4
    return a if a < 1 else 0.88 * a ** (1 / 6)


def fit(points):
    """Exponent of a power law through (x, y), and the root mean square of what it misses of log y."""
    x, y = [[math.log(p[i]) for p in points] for i in (0, 1)]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
    return slope, math.sqrt(sum((b - my - slope * (a - mx)) ** 2 for a, b in zip(x, y)) / len(x))


def run(cells, given):
    """Prints a row a ratio, then the power laws of low and of high columns."""
    rows = []
    for a in given.ratios:
        most, farthest, height, left, seconds = collapse(given.program, a, cells, given)
        rows.append((a, most, farthest))
        print(f"| {a:g} | {cells} | {most:.2f} | {farthest:.2f} | {lube_run_out(a, given.channel):.2f} | {height:.2f} | {lube_height(a, given.channel):.2f} | {left} | {seconds:.0f} s |", flush=True)
    bend = 2.3 if given.channel else 1.7
    laws = []
    for name, some in (("low", [r for r in rows if r[0] <= bend]), ("high", [r for r in rows if r[0] >= 2])):
        if len(some) > 1:
            found = [fit([(r[0], r[i]) for r in some]) for i in (1, 2)]
            measured, _ = fit([(r[0], lube_run_out(r[0], given.channel)) for r in some])
            laws.append(f"{name} columns on {cells} cells: exponents " + ", ".join(f"{e:.2f} (scatter {100 * miss:.0f} %)" for e, miss in found) + f", measured {measured:.2f}")
    return laws


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("--cells", type=int, nargs="+", default=[4, 8], help="of the grid, a radius")
    options.add_argument("--ratios", type=float, nargs="+", default=[0.5, 1, 2, 3])
    options.add_argument("--per-cell", type=int, default=27)
    options.add_argument("--channel", action="store_true", help="half of a long column, one cell thick")
    given = options.parse_args()
    print("| height / radius | cells | run-out (49/50) | run-out (farthest) | measured | height | measured | volume | processor time |\n|---|---|---|---|---|---|---|---|---|")
    for law in [law for cells in given.cells for law in run(cells, given)]:
        print(law)


if __name__ == "__main__":
    main()
