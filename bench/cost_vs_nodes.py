#!/usr/bin/env python3
"""Processor time and memory of a step against the number of nodes: a rubber cube of 1 m (E = 1 MPa) comes down on the ground and slides, four steps of 5 ms.

    python3 bench/cost_vs_nodes.py PROGRAM [--threads N] [CELLS_ALONG_A_SIDE ...]

59 cells along a side are a million tetrahedra. Prints a row a size, the seconds by wall time and by processor time of all threads (less what a run without
steps takes), and the exponents of fits of processor time: of a step, and of an iteration of GMRES."""
import argparse
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from cost_vs_particles import exponent

CELLS = (10, 20, 40)
STEPS = 4
SCENE = """stickslip: 1
title: A rubber cube on the ground
time: {{step: 0.005, end: 0.02}}
contact: {{friction: 0.3}}
materials:
  rubber: {{density: 1000, young: 1.0e6, poisson: 0.4}}
bodies:
  - {{name: ground, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - {{name: cube, kind: deformable, material: rubber, shape: {{box: [1, 1, 1]}}, resolution: {spacing}, position: [0, 0.5, 0], velocity: [0.5, -0.1, 0]}}
output: {{frames: false}}
"""


def run(program, folder, scene, threads, end):
    """Seconds of wall time and processor time, greatest memory [MB], of a run to the time `end` [s]."""
    begun = time.monotonic()
    made = subprocess.Popen([program, "run", scene, "-o", f"{folder}/out", "--force", "--quiet", "--threads", str(threads), "--until", str(end)])
    _, status, usage = os.wait4(made.pid, 0)
    if status != 0:
        sys.exit(f"a run ended with status {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(program, cells, threads):
    """Newton and GMRES iterations, wall time and processor time [s] of the steps, greatest memory [MB]."""
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "cube.yaml"
        scene.write_text(SCENE.format(spacing=1 / cells))
        first = run(program, folder, scene, threads, 0)
        whole = run(program, folder, scene, threads, 0.02)
        rows = list(csv.DictReader(open(f"{folder}/out/history.csv")))
    newton, krylov = (sum(int(row[name]) for row in rows) for name in ("newton", "krylov"))
    return newton, krylov, whole[0] - first[0], whole[1] - first[1], whole[2]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("cells", type=int, nargs="*", default=CELLS)
    options.add_argument("--threads", type=int, default=1)
    given = options.parse_intermixed_args()
    rows = []
    print("| nodes | tetrahedra | Newton | GMRES | a step, wall | a step, processor | memory |\n|---|---|---|---|---|---|---|")
    for cells in given.cells:
        newton, krylov, wall, seconds, memory = measure(given.program, cells, given.threads)
        nodes = (cells + 1) ** 3
        rows.append((nodes, seconds, seconds / krylov))
        print(f"| {nodes:,} | {5 * cells**3:,} | {newton} | {krylov} | {wall / STEPS:.2f} s | {seconds / STEPS:.2f} s | {memory:.0f} MB |", flush=True)
    if len(rows) > 1:
        print(f"exponents: {exponent([(n, s) for n, s, _ in rows]):.2f} a step, {exponent([(n, i) for n, _, i in rows]):.2f} an iteration of GMRES")


if __name__ == "__main__":
    main()
