#!/usr/bin/env python3
"""Processor time of a step against the number of contacts: boxes of 0.2 m fall 1 mm in stacks of four that stand close together, and come to rest.

    python3 bench/cost_vs_contacts.py PROGRAM [MOST_CONTACTS]

One thread. Prints a row a size, for the first 20 steps, in which they land, and for 40 more at rest, and the exponent of a fit through
the rows from 300 contacts on."""
import csv
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

STEPS, LANDED = 60, 20
SCENE = """stickslip: 1
title: Stacks of four
time: {{step: 0.01, end: {end}, frame: 0.01}}
contact: {{friction: 0.5}}
materials:
  oak: {{density: 700}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - {{name: box, kind: rigid, shape: {{box: [0.2, 0.2, 0.2]}}, material: oak, position: [0, 0.101, 0],
     copies: {{grid: {{count: [{n}, 4, {m}], spacing: [0.21, 0.201, 0.21]}}}}}}
output: {{frames: false}}
"""


def spent():
    """Processor time of finished programs [s]."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(program, n, m):
    """Contacts at rest, Newton iterations a step, seconds a step while landing, at rest."""
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "stacks.yaml"
        scene.write_text(SCENE.format(n=n, m=m, end=0.01 * STEPS))
        seconds = []
        for steps in (LANDED, STEPS):
            before = spent()
            subprocess.run([program, "run", scene, "-o", f"{folder}/out", "--force", "--quiet", "--threads", "1", "--until", f"{0.01 * steps}"], check=True)
            seconds.append(spent() - before)
        rows = list(csv.DictReader(open(f"{folder}/out/history.csv")))
        summary = json.loads(pathlib.Path(f"{folder}/out/summary.json").read_text())
    newton = sum(int(row["newton"]) for row in rows[:LANDED]) / LANDED
    return int(rows[-1]["contacts"]), newton, seconds[0] / LANDED, (seconds[1] - seconds[0]) / (STEPS - LANDED), summary["failed_solves"]


def exponent(points):
    x, y = [[math.log(p[i]) for p in points] for i in (0, 1)]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def main():
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 30000
    print(f"{'boxes':>6} {'contacts':>8} {'newton':>7} {'landing ms':>11} {'at rest ms':>11} {'failed':>6}")
    landing, rest = [], []
    for n, m in ((1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4), (8, 8), (16, 8), (16, 16), (24, 16)):
        if 4 * n * m * 21 > 1.1 * most:
            break
        contacts, newton, t1, t2, failed = measure(sys.argv[1], n, m)
        print(f"{4 * n * m:>6} {contacts:>8} {newton:>7.2f} {1e3 * t1:>11.3f} {1e3 * t2:>11.3f} {failed:>6}", flush=True)
        if contacts >= 300:
            landing.append((contacts, t1))
            rest.append((contacts, t2))
    print(f"exponent while landing {exponent(landing):.2f}, at rest {exponent(rest):.2f}")


main()
