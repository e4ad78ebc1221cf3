#!/usr/bin/env python3
"""Processor time and memory of a step against the number of material points: a cube of sand on a floor that begins to bear its weight, three steps.

    python3 bench/cost_vs_particles.py PROGRAM [--finer [--shorter]] [PARTICLES_ALONG_A_SIDE ...]

A larger cube on a grid of 0.02 m, or with --finer a cube of 0.5 m on a finer grid, with --shorter in steps as much shorter, in which waves cross as many cells.
One thread. Prints a row a size, and the exponents of fits: of a step, and of a Newton iteration."""
import argparse
import csv
import math
import os
import pathlib
import subprocess
import sys
import tempfile

SIDES = (20, 40, 60)
SPACING = 0.01  # [m] of particles
SCENE = """stickslip: 1
title: A cube of sand
time: {{step: {step}, end: {end}}}
contact: {{friction: 0.5}}
materials:
  sand: {{density: 1500, model: drucker_prager, young: 1.0e6, poisson: 0.3, friction_angle: 30}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - {{name: sand, kind: mpm, material: sand, shape: {{box: [{width}, {width}, {width}]}}, resolution: {spacing}, particles_per_cell: 8, position: [0, {middle}, 0]}}
output: {{frames: false}}
"""


def measure(program, side, width, step):
    """Newton iterations, processor time [s] and greatest memory [MB] of the whole run."""
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "sand.yaml"
        scene.write_text(SCENE.format(step=step, end=3 * step, spacing=2 * width / side, width=width, middle=width / 2))
        run = subprocess.Popen([program, "run", scene, "-o", f"{folder}/out", "--force", "--quiet", "--threads", "1"])
        _, status, usage = os.wait4(run.pid, 0)
        if status != 0:
            sys.exit(f"the run of {side}^3 particles ended with status {os.waitstatus_to_exitcode(status)}")
        newton = sum(int(row["newton"]) for row in csv.DictReader(open(f"{folder}/out/history.csv")))
    return newton, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def exponent(points):
    x, y = [[math.log(p[i]) for p in points] for i in (0, 1)]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("sides", type=int, nargs="*", default=SIDES)
    options.add_argument("--finer", action="store_true", help="the same sand on finer grids")
    options.add_argument("--shorter", action="store_true", help="steps of 1 ms on cells of 0.05 m, shorter on finer ones")
    given = options.parse_intermixed_args()
    rows = []
    print("| particles | Newton iterations | a step | an iteration and particle | memory |\n|---|---|---|---|---|")
    for side in given.sides:
        step = 0.001 * 20 / side if given.shorter else 0.001
        newton, seconds, memory = measure(given.program, side, 0.5 if given.finer else side * SPACING, step)
        rows.append((side**3, newton, seconds))
        print(f"| {side**3:,} | {newton} | {seconds / 3:.2f} s | {1e6 * seconds / newton / side**3:.1f} us | {memory:.0f} MB |", flush=True)
    if len(rows) > 1:
        print(f"exponents: {exponent([(n, s) for n, _, s in rows]):.2f} a step, {exponent([(n, s / i) for n, i, s in rows]):.2f} an iteration")


if __name__ == "__main__":
    main()
