#!/usr/bin/env python3
"""Two boxes thrown at each other edge on edge: how deep they overlap, as solids and as meshes that meet by their triangles.

    python3 bench/edge_crossings.py PROGRAM [--size S] [--speed V] [--jobs N]

In empty space, 1 m/s, step 1/60 s, friction 0.3. The edges cross at a share of the length of one of them, or of both, from its end; a facet of the one
is turned by 0 to 20 degrees from the plane between both, at 0 degrees flush with it. Each case is eight throws: edges at 30 to 90 degrees, half a step apart.
Prints the largest true overlap by separating axes [mm] of solids, of meshes, of a mesh and a solid, and of an ideal vertex impact (random_boxes.py)."""
import argparse
import concurrent.futures
import csv
import math
import pathlib
import subprocess
import tempfile

from box_pairs import overlap, write_mesh

DT, STIFFNESS = 1 / 60, 20
SHARES, ANGLES, CROSSINGS = (0, 1e-6, 1e-3, 1e-2, 0.1, 0.3), (0, 2, 5, 10, 20), (30, 50, 70, 90)  # [-], [degrees], [degrees]
SCENE = """stickslip: 1
gravity: [0, 0, 0]
time: {{step: {dt}, end: {end}, frame: {dt}}}
contact: {{friction: 0.3}}
materials: {{oak: {{density: 700}}}}
bodies:
  - {{name: a, kind: rigid, shape: {{{shape_a}}}, material: oak, position: {a}, rotation: {{quaternion: {qa}}}, velocity: [0, {half}, 0]}}
  - {{name: b, kind: rigid, shape: {{{shape_b}}}, material: oak, position: {b}, rotation: {{quaternion: {qb}}}, velocity: [0, -{half}, 0]}}
output: {{frames: false}}
"""


def about(axis, degrees):
    angle = math.radians(degrees) / 2
    return [math.cos(angle), *(math.sin(angle) * (k == axis) for k in range(3))]


def product(p, q):
    a, b, c, d = p
    e, f, g, h = q
    return [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e]


def turned(q, v):
    return product(product(q, [0, *v]), [q[0], -q[1], -q[2], -q[3]])[1:]


def throw(program, shapes, size, speed, shares, angle, crossing, phase):
    """The edge of each box is that between its faces +x and +y; a's looks up, b's, which crosses it at `crossing` degrees, down."""
    half = size / 2
    turns = [about(2, angle), product(about(1, crossing), about(2, 225))]
    places = [[-c for c in turned(q, (half, half, (share - 0.5) * size))] for q, share in zip(turns, shares)]
    for place, side in zip(places, (-0.5, 0.5)):
        place[1] += side * (2 + phase) * speed * DT
    with tempfile.TemporaryDirectory() as folder:
        scene, out = pathlib.Path(folder) / "pair.yaml", pathlib.Path(folder) / "out"
        write_mesh(scene.parent / "box.obj", [size] * 3)
        shape_a, shape_b = ("mesh: {file: box.obj}" if shape == "mesh" else f"box: {[size] * 3}" for shape in shapes)
        scene.write_text(SCENE.format(dt=DT, end=20 * DT, shape_a=shape_a, shape_b=shape_b, a=places[0], qa=turns[0], b=places[1], qb=turns[1], half=speed / 2))
        run = subprocess.run([program, "run", scene, "-o", out, "--threads", "1", "--quiet"], capture_output=True, text=True)
        if run.returncode:
            raise SystemExit(run.stderr)
        rows = list(csv.DictReader(open(out / "bodies.csv")))
    return max(overlap([half] * 3, a, b) for a, b in zip(rows[::2], rows[1::2]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--size", type=float, default=0.2)
    parser.add_argument("--speed", type=float, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    kinds = [("box", "box"), ("mesh", "mesh"), ("mesh", "box")]
    cases = [(f"{share:g} of one", (share, 0.4), 45) for share in SHARES] + [(f"{share:g} of both", (share, share), 45) for share in SHARES[:-1]]
    cases += [(f"flush but for {angle} degrees", (0.3, 0.4), angle) for angle in ANGLES] + [(f"{angle} degrees, 0.01 of one", (0.01, 0.4), angle) for angle in ANGLES]
    ideal = options.speed * DT / (1 + 2 * STIFFNESS)
    print(f"{'':28}{'solids':>10}{'meshes':>10}{'both':>10}   [mm]; ideal {1000 * ideal:.2f}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, shares, angle in cases:
            deepest = []
            for shapes in kinds:
                one = lambda way: throw(options.program, shapes, options.size, options.speed, shares, angle, *way)
                deepest.append(max(pool.map(one, [(crossing, phase) for crossing in CROSSINGS for phase in (0.25, 0.75)])))
            print(f"{name:28}" + "".join(f"{1000 * d:10.2f}" for d in deepest), flush=True)


main()
