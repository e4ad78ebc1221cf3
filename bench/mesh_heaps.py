#!/usr/bin/env python3
"""Heaps of bodies that are not convex and meet by their triangles: twelve of a kind, 0.2 m wide, tossed into a bin of 0.6 m at 2 m/s.

    python3 bench/mesh_heaps.py PROGRAM [--kinds angle star ...] [--heaps N] [--first N] [--step S] [--end T] [--jobs N] [--keep FOLDER] [--geometry level_set]

Prints for each kind, over all heaps: Newton iterations a step, failed solves, runs that ended early, pairs passing in the audit of every 0.25 s, the
sum and the largest of how deep pairs overlap beyond what they feel [mm], the largest rise of energy in a step [J], seconds."""
import argparse
import concurrent.futures
import itertools
import json
import math
import pathlib
import random
import subprocess
import tempfile

from box_pairs import random_quaternion

HEAD = """stickslip: 1
time: {{step: {step:.9g}, end: {end}, frame: 0.25}}
contact: {{friction: 0.4}}
solver: {{audit: every}}
materials: {{oak: {{density: 700}}}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - {{name: left, kind: obstacle, shape: {{plane: {{normal: [1, 0, 0]}}}}, position: [-0.3, 0, 0]}}
  - {{name: right, kind: obstacle, shape: {{plane: {{normal: [-1, 0, 0]}}}}, position: [0.3, 0, 0]}}
  - {{name: back, kind: obstacle, shape: {{plane: {{normal: [0, 0, 1]}}}}, position: [0, 0, -0.3]}}
  - {{name: front, kind: obstacle, shape: {{plane: {{normal: [0, 0, -1]}}}}, position: [0, 0, 0.3]}}
"""
BODY = "  - {{name: b{number}, kind: rigid, shape: {{mesh: {{file: {kind}.obj}}}}, material: oak, {geometry}position: {x}, rotation: {{quaternion: {q}}}, velocity: {v}, angular_velocity: {w}}}\n"


def of_cells(x, y, z, full):
    """The surface of the cells (i, j, k) that are full, between the planes x, y, z [m]."""
    vertices, facets = {}, []
    number = lambda *at: vertices.setdefault((x[at[0]], y[at[1]], z[at[2]]), len(vertices))
    for cell in full:
        for axis, side in itertools.product(range(3), (0, 1)):
            beyond = list(cell)
            beyond[axis] += 2 * side - 1
            if tuple(beyond) in full:
                continue
            b, c = (axis + 1) % 3, (axis + 2) % 3
            corners = []
            for on_b, on_c in ((0, 0), (1, 0), (1, 1), (0, 1)) if side else ((0, 0), (0, 1), (1, 1), (1, 0)):
                at = list(cell)
                at[axis] += side
                at[b] += on_b
                at[c] += on_c
                corners.append(number(*at))
            facets += [(corners[0], corners[1], corners[2]), (corners[0], corners[2], corners[3])]
    return list(vertices), facets


def star():
    """Five points in outline, 0.05 m thick."""
    outline = [((0.1 if i % 2 == 0 else 0.045) * math.cos(math.pi * i / 5), (0.1 if i % 2 == 0 else 0.045) * math.sin(math.pi * i / 5)) for i in range(10)]
    vertices = [(x, y, z) for z in (-0.025, 0.025) for x, y in outline]
    inner = [1, 3, 5, 7, 9]
    ends = [((i - 1) % 10, i, (i + 1) % 10) for i in range(0, 10, 2)] + [(inner[0], inner[k], inner[k + 1]) for k in (1, 2, 3)]
    facets = [(c, b, a) for a, b, c in ends] + [(a + 10, b + 10, c + 10) for a, b, c in ends]
    for i in range(10):
        j = (i + 1) % 10
        facets += [(i, j, j + 10), (i, j + 10, i + 10)]
    return vertices, facets


def cup(sides=16):
    ring = lambda radius, y: [(radius * math.cos(2 * math.pi * i / sides), y, radius * math.sin(2 * math.pi * i / sides)) for i in range(sides)]
    vertices = ring(0.1, -0.1) + ring(0.1, 0.1) + ring(0.085, 0.1) + ring(0.085, -0.085) + [(0, -0.1, 0), (0, -0.085, 0)]
    facets = []
    for i in range(sides):
        j = (i + 1) % sides
        for k in range(3):
            a, b, c, d = k * sides + i, k * sides + j, (k + 1) * sides + j, (k + 1) * sides + i
            facets += [(a, c, b), (a, d, c)]
        facets += [(4 * sides, i, j), (4 * sides + 1, 3 * sides + j, 3 * sides + i)]
    return vertices, facets


def lump(halvings=4):
    """A ball of 2,048 triangles with six knobs: nothing on it is flat, no edge is sharp."""
    corners = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    facets = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    unit = lambda p: tuple(c / math.hypot(*p) for c in p)
    for _ in range(halvings):
        known, finer = {}, []
        def middle(a, b):
            at = known.setdefault((min(a, b), max(a, b)), len(corners))
            if at == len(corners):
                corners.append(unit([p + q for p, q in zip(corners[a], corners[b])]))
            return at
        for a, b, c in facets:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        facets = finer
    rng = random.Random(1)
    knobs = [unit([rng.gauss(0, 1) for _ in range(3)]) for _ in range(6)]
    size = lambda p: 0.075 * (1 + 0.25 * sum(math.exp(8 * (sum(x * y for x, y in zip(p, k)) - 1)) for k in knobs))
    return [tuple(size(p) * c for c in p) for p in corners], facets


FLAT = [(i, j, 0) for i in range(3) for j in range(3)]
KINDS = {
    "angle": lambda: of_cells((-0.1, -0.06, 0.1), (-0.1, -0.06, 0.1), (-0.1, 0.1), {(0, 0, 0), (1, 0, 0), (0, 1, 0)}),
    "star": star,
    "cross": lambda: of_cells((-0.1, -0.03, 0.03, 0.1), (-0.1, -0.03, 0.03, 0.1), (-0.03, 0.03), {c for c in FLAT if 1 in c[:2]}),
    "bars": lambda: of_cells(*[(-0.1, -0.025, 0.025, 0.1)] * 3, {c for c in itertools.product(range(3), repeat=3) if sum(i != 1 for i in c) <= 1}),
    "table": lambda: of_cells((-0.1, -0.07, 0.07, 0.1), (-0.1, -0.07, 0.07, 0.1), (-0.07, 0.05, 0.08), {(i, j, 1) for i, j, _ in FLAT} | {(i, j, 0) for i, j, _ in FLAT if 1 not in (i, j)}),
    "tub": lambda: of_cells((-0.1, -0.08, 0.08, 0.1), (-0.1, -0.08, 0.08, 0.1), (-0.05, -0.03, 0.05), {(i, j, 0) for i, j, _ in FLAT} | {(i, j, 1) for i, j, _ in FLAT if (i, j) != (1, 1)}),
    "cup": cup,
    "lump": lump,
}


def scene(kind, number, step, end, geometry):
    rng = random.Random(f"{kind} {number}")
    text = HEAD.format(step=step, end=end)
    for body in range(12): # two a layer, as far apart as they are wide any way round
        x, z = 0.125 * (-1) ** body, 0.125 * (-1) ** (body + body // 2)
        text += BODY.format(
            number=body, kind=kind, geometry=f"contact_geometry: {geometry}, " if geometry else "", x=[x, round(0.2 + 0.36 * (body // 2), 4), z], q=[round(c, 6) for c in random_quaternion(rng)],
            v=[round(rng.uniform(-0.5, 0.5), 3), -2, round(rng.uniform(-0.5, 0.5), 3)], w=[round(rng.gauss(0, 2), 3) for _ in range(3)])
    return text + "output: {frames: false}\n"


def write_obj(path, vertices, facets):
    path.write_text("".join(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in vertices) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in facets))


def measure(options, kind, number):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(options.keep or folder) / f"{kind}{number}.yaml"
        path.parent.mkdir(exist_ok=True)
        write_obj(path.with_name(f"{kind}.obj"), *KINDS[kind]())
        path.write_text(scene(kind, number, options.step, options.end, options.geometry))
        out = path.with_suffix(".out")
        run = subprocess.run([options.program, "run", path, "-o", out, "--threads", "1", "--quiet", "--force"], capture_output=True, text=True)
        if run.returncode == 2:
            raise SystemExit(run.stderr)
        return json.loads((out / "summary.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--heaps", type=int, default=4)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--step", type=float, default=1 / 60)
    parser.add_argument("--end", type=float, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--geometry", choices=("mesh", "level_set"), help="other than the scene's default")
    options = parser.parse_args()
    print(f"{'':8}{'steps':>7}{'iterations':>12}{'failed':>8}{'ended':>7}{'pairs':>7}{'sum':>9}{'largest':>9}{'rise':>8}{'time':>7}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for kind in options.kinds:
            runs = list(pool.map(lambda number: measure(options, kind, number), range(options.first, options.first + options.heaps)))
            unfelt = [1000 * (p["overlap"] - p["contact_depth"]) for run in runs for p in run["passing"]]
            total = lambda key: sum(run[key] for run in runs)
            print(f"{kind:8}{total('steps'):7}{total('newton_iterations') / total('steps'):12.1f}{total('failed_solves'):8}{sum(r['status'] != 'done' for r in runs):7}{len(unfelt):7}"
                  f"{sum(unfelt):9.1f}{max(unfelt, default=0):9.1f}{max(r['largest_energy_rise'] for r in runs):8.2g}{total('wall_time'):7.0f}", flush=True)


if __name__ == "__main__":
    main()
