#!/usr/bin/env python3
"""Random heaps: rigid bodies of mixed sizes tossed into a bin. What the solver makes of them.

    python3 bench/random_heaps.py PROGRAM COUNT [--kinds box card ring ...] [--first N] [--seed TEXT] [--jobs N] [--keep FOLDER]

A heap has six to ten bodies of one kind or, every other heap, of all kinds asked for. Sizes are drawn from 0.03 to 0.3 m, evenly by their
logarithm; friction from 0 to 2; steps from 1/24 to 1/240 s. Prints for each heap that is not plain: failed solves and why, steps halved without a
solve, Newton iterations a step, pairs that overlap by more than twice what their contacts feel (an audit every 0.05 s), the largest gain of energy in
a step over the energy at the start, seconds; then the sums."""
import argparse
import collections
import concurrent.futures
import csv
import json
import math
import pathlib
import random
import subprocess
import tempfile

SMALLEST, LARGEST, WALL, SECONDS = 0.03, 0.3, 0.25, 1.5  # [m] of bodies, [m] from the middle to a wall of the bin, [s] simulated
HEAD = """stickslip: 1
time: {{step: {step:.6g}, end: {end:.6g}, frame: 0.05}}
contact: {{friction: {friction:.3g}}}
solver: {{audit: every}}
materials: {{oak: {{density: 700}}}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - {{name: left, kind: obstacle, shape: {{plane: {{normal: [1, 0, 0]}}}}, position: [-{wall}, 0, 0]}}
  - {{name: right, kind: obstacle, shape: {{plane: {{normal: [-1, 0, 0]}}}}, position: [{wall}, 0, 0]}}
  - {{name: back, kind: obstacle, shape: {{plane: {{normal: [0, 0, 1]}}}}, position: [0, 0, -{wall}]}}
  - {{name: front, kind: obstacle, shape: {{plane: {{normal: [0, 0, -1]}}}}, position: [0, 0, {wall}]}}
"""
BODY = ("  - {{name: {kind}{number}, kind: rigid, shape: {{{shape}}}, material: oak, position: [{x:.4g}, {y:.4g}, {z:.4g}], "
        "rotation: {{quaternion: [{q[0]:.6g}, {q[1]:.6g}, {q[2]:.6g}, {q[3]:.6g}]}}, "
        "velocity: [{v[0]:.3g}, {v[1]:.3g}, {v[2]:.3g}], angular_velocity: [{w[0]:.3g}, {w[1]:.3g}, {w[2]:.3g}]}}\n")
EMPTY = "output: {frames: false}\n"


def round_solid(word, radius, height):
    return f"{word}: {{radius: {radius:.4g}, height: {height:.4g}}}", math.hypot(radius, height)


def box(size):
    return f"box: [{', '.join(f'{s:.4g}' for s in size)}]", 0.5 * math.hypot(*size)


def ring(size, thickness):
    minor = 0.5 * size * thickness / (1 + thickness)
    return f"torus: {{major: {0.5 * size - minor:.4g}, minor: {minor:.4g}}}", 0.5 * size


# By kind, from a size [m]: the shape, and the radius of a sphere around it.
KINDS = {
    "box": lambda rng, s: box([s, s * rng.uniform(0.4, 1), s * rng.uniform(0.4, 1)]),
    "card": lambda rng, s: box([s, s * rng.uniform(0.5, 1), s * rng.uniform(0.02, 0.1)]),
    "ring": lambda rng, s: ring(s, rng.uniform(0.1, 0.5)),
    "cylinder": lambda rng, s: round_solid("cylinder", 0.5 * s * rng.uniform(0.2, 1), s * rng.uniform(0.2, 1)),
    "cone": lambda rng, s: round_solid("cone", 0.5 * s * rng.uniform(0.4, 1), s * rng.uniform(0.4, 1)),
    "capsule": lambda rng, s: round_solid("capsule", 0.5 * s * rng.uniform(0.2, 1), 0.5 * s),
}


def scene(number, kinds, seed):
    rng = random.Random(f"{seed} {number}")
    drawn = lambda low, high: math.exp(rng.uniform(math.log(low), math.log(high)))
    kinds = kinds if number % 2 else [rng.choice(kinds)]
    step, friction = drawn(1 / 240, 1 / 24), rng.uniform(0, 2)
    text = HEAD.format(step=step, end=step * math.ceil(SECONDS / step), friction=friction, wall=WALL)
    top = 0.05
    for body in range(rng.randint(6, 10)):
        kind = rng.choice(kinds)
        shape, radius = KINDS[kind](rng, drawn(SMALLEST, LARGEST))
        turn, off = [rng.gauss(0, 1) for _ in range(4)], WALL - radius
        length = math.hypot(*turn)
        text += BODY.format(
            kind=kind, number=body, shape=shape, x=rng.uniform(-off, off), y=top + radius, z=rng.uniform(-off, off),
            q=[a / length for a in turn], v=[rng.uniform(-1, 1), -rng.uniform(0, 2), rng.uniform(-1, 1)], w=[rng.gauss(0, 4) for _ in range(3)])
        top += 2 * radius
    return text + EMPTY, f"{'+'.join(kinds) if len(kinds) < 3 else 'mixed'}, 1/{1 / step:.0f} s, mu {friction:.2f}"


def measure(program, number, kinds, seed, limit, keep):
    text, about = scene(number, kinds, seed)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(keep or folder) / f"heap{number}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        out = path.with_suffix(".out")
        heap = {"number": number, "about": about, "ended": False, "failed": 0, "halved": 0, "why": [], "steps": 0, "iterations": 0, "unfelt": [], "gain": 0, "seconds": limit}
        try:
            subprocess.run([program, "run", path, "-o", out, "--threads", "1", "--quiet", "--force"], capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return heap
        summary = json.loads((out / "summary.json").read_text())
        solves = collections.Counter(row["status"] for row in csv.DictReader(open(out / "solves.csv")))
        rows = list(csv.DictReader(open(out / "history.csv")))
        first = float(rows[0]["kinetic_energy"]) + float(rows[0]["potential_energy"])
    not_begun = {status: count for status, count in solves.items() if status.startswith("not solved")}
    return heap | {
        "halved": sum(not_begun.values()), "why": [f"{count} {status}" for status, count in solves.items() if status != "converged" and status not in not_begun],
        "ended": summary["status"] == "done", "failed": summary["failed_solves"], "steps": summary["steps"], "iterations": summary["newton_iterations"],
        "unfelt": [p for p in summary["passing"] if p["overlap"] > 2 * p["contact_depth"]], "gain": summary["largest_energy_rise"] / first, "seconds": summary["wall_time"]}


def report(heap):
    unfelt = ", ".join(f"{p['bodies'][0]} {p['bodies'][1]} {1000 * p['overlap']:.1f} mm" for p in heap["unfelt"])
    why = f" ({'; '.join(heap['why'])})" if heap["why"] else ""
    print(f"  heap {heap['number']} ({heap['about']}): failed {heap['failed']}{why} of {heap['steps']} steps, {heap['halved']} halved, "
          f"{heap['iterations'] / max(heap['steps'], 1):.1f} iterations a step, gain {heap['gain']:.1e}, {heap['seconds']:.1f} s"
          f"{'' if heap['ended'] else ', NOT ENDED'}{', unfelt ' + unfelt if unfelt else ''}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("count", type=int)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=["box", "card", "ring"])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120, help="seconds for a heap")
    parser.add_argument("--keep", help="folder for scenes and runs")
    options = parser.parse_args()
    one = lambda number: measure(options.program, number, options.kinds, options.seed, options.limit, options.keep)
    heaps = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for heap in pool.map(one, range(options.first, options.first + options.count)):
            heaps.append(heap)
            if heap["failed"] or heap["unfelt"] or heap["gain"] > 1e-3 or not heap["ended"]:
                report(heap)
    total = lambda key: sum(heap[key] for heap in heaps)
    print(f"{len(heaps)} heaps, {total('steps')} steps: failed solves {total('failed')} in {sum(h['failed'] > 0 for h in heaps)} heaps, {total('halved')} steps halved without a solve, "
          f"{total('iterations') / max(total('steps'), 1):.2f} iterations a step, unfelt overlaps {sum(len(h['unfelt']) for h in heaps)} in {sum(bool(h['unfelt']) for h in heaps)} heaps, "
          f"gains above 1e-3 in {sum(h['gain'] > 1e-3 for h in heaps)}, not ended {sum(not h['ended'] for h in heaps)}, {total('seconds'):.0f} s")


if __name__ == "__main__":
    main()
