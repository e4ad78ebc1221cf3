#!/usr/bin/env python3
"""Two rigid bodies thrown at each other, without gravity: whether contact is felt, and gives no energy.

    python3 bench/random_throws.py PROGRAM COUNT KIND KIND [--laid] [--step S] [--seed TEXT] [--keep FOLDER]

Sizes from 0.08 to 0.25 m, speeds from 0.5 to 5 m/s, steps of 1/60 s: in one step a body comes up to 0.08 m, farther than most are thick. `--laid`: the
first is fixed, and the second is laid on it beside its middle, with gravity, and falls off or comes to rest in a second. Prints each throw in
which bodies pass through each other unfelt (an overlap of more than twice what their contacts feel, looked for every fourth step), energy is gained
(kinetic energy above 1.001 of that at the start; with weight, of which the run warns), or the run stops; then the sums."""
import argparse
import collections
import csv
import json
import math
import pathlib
import random
import subprocess
import tempfile

from random_heaps import EMPTY, KINDS

SMALLEST, LARGEST = 0.08, 0.25  # [m]
HEAD = """stickslip: 1
time: {{step: {step:.6g}, end: {end:.6g}, frame: {frame:.6g}}}
gravity: [0, {gravity}, 0]
contact: {{friction: {friction:.3g}}}
solver: {{audit: every}}
materials: {{oak: {{density: 700}}}}
bodies:
"""
BODY = ("  - {{name: {name}, {kind}, shape: {{{shape}}}, position: [{x:.4g}, {y:.4g}, {z:.4g}], "
        "rotation: {{quaternion: [{q[0]:.6g}, {q[1]:.6g}, {q[2]:.6g}, {q[3]:.6g}]}}, velocity: [{v:.4g}, 0, 0], angular_velocity: [{w[0]:.3g}, {w[1]:.3g}, {w[2]:.3g}]}}\n")
LAID = ("  - {{name: {name}, {kind}, shape: {{{shape}}}, position: [{x:.4g}, {y:.4g}, {z:.4g}], "
        "rotation: {{quaternion: [{q[0]:.6g}, {q[1]:.6g}, {q[2]:.6g}, {q[3]:.6g}]}}}}\n")


def rounded(rng, size):
    sides = [size, size * rng.uniform(0.1, 1), size * rng.uniform(0.4, 1)]
    return f"rounded_box: {{size: [{', '.join(f'{a:.4g}' for a in sides)}], radius: {rng.uniform(0.05, 0.4) * min(sides):.4g}}}", 0.5 * math.hypot(*sides)


KINDS = KINDS | {"rounded": rounded}


def turned(rng):
    turn = [rng.gauss(0, 1) for _ in range(4)]
    return [a / math.hypot(*turn) for a in turn]


def scene(number, kinds, seed, step):
    rng = random.Random(f"{seed} {number}")
    shapes, radii = zip(*(KINDS[kind](rng, rng.uniform(SMALLEST, LARGEST)) for kind in kinds))
    reach, speed = sum(radii), rng.uniform(0.5, 5)
    end = step * math.ceil((2 * reach + 0.3) / speed / step)
    text = HEAD.format(step=step, end=end, frame=4 * step, friction=rng.uniform(0, 1), gravity=0)
    for name, shape, x, off, v in (("still", shapes[0], 0, 0, 0), ("thrown", shapes[1], reach + 0.02, 0.4 * reach, -speed)):
        q = turned(rng)
        text += BODY.format(name=name, kind="kind: rigid, material: oak", shape=shape, x=x, y=rng.uniform(-off, off), z=rng.uniform(-off, off), v=v,
                            q=q, w=[rng.gauss(0, 2) for _ in range(3)])
    return text + EMPTY, speed


def laid(number, kinds, seed, step):
    rng = random.Random(f"{seed} {number}")
    shapes, radii = zip(*(KINDS[kind](rng, rng.uniform(SMALLEST, LARGEST)) for kind in kinds))
    text = HEAD.format(step=step, end=1, frame=4 * step, friction=rng.uniform(0, 1), gravity=-9.81)
    for name, kind, shape, y, off in (("still", "kind: obstacle", shapes[0], 0, 0),
                                      ("laid", "kind: rigid, material: oak, place_on: still", shapes[1], 1, 0.3 * min(radii))):
        text += LAID.format(name=name, kind=kind, shape=shape, x=rng.uniform(-off, off), y=y, z=rng.uniform(-off, off), q=turned(rng))
    return text + EMPTY, 0


def gain(options, summary, out):
    """Of a throw more than there was; of a body with weight what its run warns of."""
    if options.laid:
        return next((w for w in summary["warnings"] if "gained more" in w), "")
    energies = [float(row["kinetic_energy"]) for row in csv.DictReader(open(out / "history.csv"))]
    return f"{max(energies) / energies[0]:.3f} of the energy" if max(energies) > 1.001 * energies[0] else ""


def measure(options, number):
    """What is wrong with a throw, and its costs."""
    text, speed = (laid if options.laid else scene)(number, options.kinds, options.seed, options.step)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(options.keep or folder) / f"throw{number}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        out = path.with_suffix(".out")
        ran = subprocess.run([options.program, "run", path, "-o", out, "--threads", "1", "--quiet", "--force"], capture_output=True, text=True)
        if "place_on: misses" in ran.stderr:  # laid over a hole
            return {"misses": 1}
        summary = json.loads((out / "summary.json").read_text())
        gained = gain(options, summary, out)
    unfelt = [p for p in summary["passing"] if p["overlap"] > 2 * p["contact_depth"]]
    faults = {"unfelt": f"overlap {1000 * unfelt[0]['overlap']:.1f} mm, felt {1000 * unfelt[0]['contact_depth']:.1f} mm" if unfelt else "",
              "gained": gained,
              "stopped": f"at {summary['simulated_time']:.3g} s" if summary["status"] != "done" else ""}
    for fault, how in faults.items():
        if how:
            print(f"  throw {number} ({speed:.1f} m/s): {fault}, {how}", flush=True)
    return {fault: bool(how) for fault, how in faults.items()} | {
        "failed solves": summary["failed_solves"], "steps": summary["steps"], "iterations": summary["newton_iterations"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("count", type=int)
    parser.add_argument("kinds", nargs=2, metavar="KIND", choices=KINDS)
    parser.add_argument("--laid", action="store_true")
    parser.add_argument("--step", type=float, default=1 / 60)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", help="folder for scenes and runs")
    options = parser.parse_args()
    sums = collections.Counter()
    for number in range(options.count):
        sums.update(measure(options, number))
    print(f"{options.count} throws of {' and '.join(options.kinds)}: " + ", ".join(f"{key} {sum}" for key, sum in sums.items()))


if __name__ == "__main__":
    main()
