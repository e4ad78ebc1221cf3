#!/usr/bin/env python3
"""Processor time and memory of a step against the number of material points: a cube of sand of 0.5 m on a floor, three steps of 1 ms.

    python3 bench/cost_vs_particles.py PROGRAM [PARTICLES_ALONG_A_SIDE ...]

One thread. Prints a row a size, and the exponents of fits: of a step, and of a Newton iteration."""
import csv
import math
import os
import pathlib
import subprocess
import sys
import tempfile

SIDES = (20, 40, 60)
SCENE = """stickslip: 1
title: A cube of sand
time: {{step: 0.001, end: 0.003}}
contact: {{friction: 0.5}}
materials:
  sand: {{density: 1500, model: drucker_prager, young: 1.0e6, poisson: 0.3, friction_angle: 30}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - {{name: sand, kind: mpm, material: sand, shape: {{box: [0.5, 0.5, 0.5]}}, resolution: {spacing}, particles_per_cell: 8, position: [0, 0.25, 0]}}
output: {{frames: false}}
"""


def measure(program, side):
    """Newton iterations, processor time [s] and greatest memory [MB] of the whole run."""
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "sand.yaml"
        scene.write_text(SCENE.format(spacing=1 / side))
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
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sides = [int(side) for side in sys.argv[2:]] or SIDES
    rows = []
    print("| particles | Newton iterations | a step | an iteration and particle | memory |\n|---|---|---|---|---|")
    for side in sides:
        newton, seconds, memory = measure(sys.argv[1], side)
        rows.append((side**3, newton, seconds))
        print(f"| {side**3:,} | {newton} | {seconds / 3:.2f} s | {1e6 * seconds / newton / side**3:.1f} us | {memory:.0f} MB |", flush=True)
    if len(rows) > 1:
        print(f"exponents: {exponent([(n, s) for n, _, s in rows]):.2f} a step, {exponent([(n, s / i) for n, i, s in rows]):.2f} an iteration")


if __name__ == "__main__":
    main()
