#!/usr/bin/env python3
"""Why solves fail: what the residual of each failed one does along its last direction.

    PYTHONPATH=build/release/python /usr/bin/python3 bench/failed_solves.py drops COUNT KIND,KIND... KIND,KIND...
    PYTHONPATH=build/release/python /usr/bin/python3 bench/failed_solves.py throws COUNT KIND,KIND... KIND,KIND...

`drops`: a body of each of the second kinds is laid on or dropped beside the middle of a fixed one of each of the first, at up to 0.5 m/s, steps of 1/60 to
1/240 s, for a second. `throws`: the first COUNT of random_throws.py. Kinds are those of random_heaps.py and mesh_heaps.py.

Each failed solve is repeated by a plain Newton method with dense matrices. Where that stops the residual is sampled along the last direction and bisected:
`jump` if it changes by more than a twentieth of itself within rounding, so that there may be no root; `kink` if not; `root` if the plain method found one.
Prints each jump with its scene, the step, the residual and the jump, and for each pair of kinds the steps and the failed solves by their causes; solves whose
step was thrown away because bodies turn too far or overlap undetected are counted by that."""
import argparse
import collections
import math
import pathlib
import random
import re
import tempfile
import warnings

import mesh_heaps
import numpy
import random_heaps
import random_throws
import stickslip

SMALL = 1e-8  # of the residual, mass-scaled: a root
KINDS = dict(random_heaps.KINDS)
for kind in mesh_heaps.KINDS:
    KINDS[kind] = lambda rng, size, kind=kind: (f"mesh: {{file: {kind}.obj, scale: {5 * size:.4g}}}", 0.87 * size)


def drop(number, kinds):
    rng = random.Random(f"drop {number} {kinds}")
    shapes, radii = zip(*(KINDS[kind](rng, rng.uniform(*sizes)) for kind, sizes in zip(kinds, ((0.15, 0.3), (0.08, 0.25)))))

    def turned():
        if rng.random() < 0.5:
            return rng.choice(([1, 0, 0, 0], [math.sqrt(0.5), math.sqrt(0.5), 0, 0]))
        q = [rng.gauss(0, 1) for _ in range(4)]
        return [c / math.hypot(*q) for c in q]

    off = [rng.uniform(-0.3, 0.3) * radii[0] if rng.random() < 0.6 else 0 for _ in range(2)]
    speed = [rng.uniform(-0.5, 0.5) if rng.random() < 0.5 else 0 for _ in range(3)]
    return f"""stickslip: 1
time: {{step: {rng.choice((60, 120, 240)) ** -1}, end: 1}}
contact: {{friction: {rng.choice((0, 0.2, 0.5, 1))}}}
materials: {{oak: {{density: 700}}}}
bodies:
  - {{name: fixed, kind: obstacle, shape: {{{shapes[0]}}}, rotation: {{quaternion: {turned()}}}}}
  - {{name: laid, kind: rigid, material: oak, shape: {{{shapes[1]}}}, position: [{off[0]}, 1, {off[1]}], rotation: {{quaternion: {turned()}}}, place_on: fixed, velocity: {speed}}}
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}, position: [0, {-radii[0] - 0.02}, 0]}}
"""


def newton(system):
    """A root or the end of a plain Newton method: its residual, place and last direction."""
    z = numpy.zeros(system.size)
    for iteration in range(81):
        g = numpy.array(system.residual(z))
        size = numpy.linalg.norm(g)
        direction = -numpy.linalg.lstsq(system.matrix().toarray(), g, rcond=None)[0]
        t = 1.0
        while t > 1e-9 and not numpy.linalg.norm(system.residual(z + t * direction)) < (1 - 1e-3 * t) * size:
            t /= 2
        if size < SMALL or t <= 1e-9 or iteration == 80:
            return size, z, direction
        z = z + t * direction


def largest_jump(system, z, direction, size):
    """Of the residual along the first third of the direction, between neighbouring floating-point numbers."""
    at = lambda t: numpy.array(system.residual(z + t * direction))
    change = lambda a, b: numpy.linalg.norm(b - a)
    places = [0, *numpy.logspace(-14, math.log10(0.3), 200)]
    values, largest = [at(t) for t in places], 0
    for low, high, below, above in zip(places, places[1:], values, values[1:]):
        if change(below, above) < 0.1 * size:
            continue
        while high - low > 1e-15 * max(high, 1e-12) and low < (middle := 0.5 * (low + high)) < high:
            there = at(middle)
            if change(below, there) > change(there, above):
                high, above = middle, there
            else:
                low, below = middle, there
        largest = max(largest, change(below, above))
    return largest


def cause(simulation, before, dt, where):
    now = simulation.snapshot()
    simulation.restore(before)
    system = simulation.equations(dt)
    size, z, direction = newton(system)
    jump = largest_jump(system, z, direction, size) if size >= SMALL else 0
    simulation.restore(now)
    if jump > 0.05 * size:
        print(f"  {where}, dt {dt:.3g} s: the residual of {size:.2e} jumps by {jump:.2e}", flush=True)
        return "jump"
    return "root" if size < SMALL else "kink"


def follow(path, end, counts):
    try:
        simulation = stickslip.Simulation(stickslip.load(path))
    except stickslip.InputError: # a body that misses the one it is laid on
        return
    while simulation.time < end - 1e-9:
        before, seen, time = simulation.snapshot(), len(simulation.messages), simulation.time
        gave_up = False
        try:
            simulation.step()
        except stickslip.StepError:
            gave_up = True
        counts["steps"] += 1
        for message in simulation.messages[seen:]:
            if "did not converge" in message:
                dt = float(re.search(r"dt = ([\d.e-]+)", message)[1])
                counts[cause(simulation, before, dt, f"{path.name} at {time:.4g} s")] += 1
            elif "would turn" in message or "undetected" in message:
                counts["turns too far" if "turn" in message else "overlap"] += 1
        if gave_up:
            counts["gave up"] += 1
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", choices=("drops", "throws"))
    parser.add_argument("count", type=int)
    parser.add_argument("first", help="kinds, by commas")
    parser.add_argument("second", help="kinds, by commas")
    parser.add_argument("--keep", help="folder for the scenes")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(exist_ok=True)
        for kind, make in mesh_heaps.KINDS.items():
            mesh_heaps.write_obj(folder / f"{kind}.obj", *make())
        for kinds in ((a, b) for a in options.first.split(",") for b in options.second.split(",")):
            counts = collections.Counter()
            for number in range(options.count):
                text = drop(number, kinds) if options.scenes == "drops" else random_throws.scene(number, kinds, "1", 1 / 60)[0]
                path = folder / f"{'_'.join(kinds)}_{number}.yaml"
                path.write_text(text)
                follow(path, float(re.search(r"end: ([\d.]+)", text)[1]), counts)
            print(f"{kinds[1]} on {kinds[0]}: " + ", ".join(f"{key} {count}" for key, count in counts.items()), flush=True)


main()
