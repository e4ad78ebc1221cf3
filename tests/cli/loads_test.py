#!/usr/bin/env python3
"""Contact forces and torques of bodies and pairs, reactions of what is held, in implicit and explicit runs, and their plots.

    loads_test.py PROGRAM SOURCE_DIR
"""

import csv
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

G = 9.81

# A brick on a brick on a floor, and a shelf that is held in the air and pulled along x.
BRICKS = """stickslip: 1
title: Two bricks and a shelf
time: {step: 0.01, end: 1.0, frame: 0.1}
contact: {friction: 0.5}
materials: {oak: {density: 700}}
bodies:
  - {name: brick, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [0.3, 0.1, 0], fixed_dofs: [rx, ry, rz], copies: {stack: {count: 2}}}
  - {name: shelf, kind: rigid, shape: {box: [0.2, 0.1, 0.2]}, material: oak, position: [2, 1, 0], fixed_dofs: [x, y, z, rx, ry, rz], force: [3, 0, 0], torque: [0, 0, 2]}
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
output: {contacts: true, probes: [{name: ground, body: brick, by: floor}]}
"""
BRICK = 700 * 0.008 * G
SHELF = 700 * 0.004 * G

# A soft block that hangs from its upper face.
HANGING = """stickslip: 1
title: A hanging block
time: {step: 0.02, end: 3.0, frame: 0.5}
materials: {rubber: {density: 1000, young: 2.0e5, poisson: 0.3, damping: 0.05}}
bodies:
  - {name: block, kind: deformable, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, material: rubber, position: [0, 1, 0], fix: [{box: {min: [-1, 1.09, -1], max: [1, 2, 1]}}]}
"""

# Three spheres at rest on a floor that records its contacts.
SPHERES = """stickslip: 1
title: Three spheres
time: {step: auto, end: 0.5, frame: 0.1}
solver: {integration: explicit}
materials: {glass: {density: 2500, kn: 1.0e4, restitution: 0.2}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: beads, kind: spheres, material: glass, radius: 0.01, positions: [[0, 0.01, 0], [0.05, 0.01, 0], [0.1, 0.01, 0]]}
output: {contacts: true}
"""
BEADS = 3 * 2500 * 4 / 3 * 3.141592653589793 * 1e-6 * G


def last(path, key, name):
    """The last row of a name as numbers."""
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row[key] == name]
    return {column: float(value) for column, value in rows[-1].items() if column != key}


def near(row, within, **expected):
    return all(abs(row[column] - value) <= within for column, value in expected.items())


def run(t, name, text):
    (t.folder / f"{name}.yaml").write_text(text)
    result = t.run("run", f"{name}.yaml", "-o", name, "--quiet")
    t.check(f"{name}: it runs", result.returncode == 0, shown(result))
    return t.folder / name


def implicit_loads(t):
    folder = run(t, "bricks", BRICKS)
    of = lambda name: last(folder / "walls.csv", "body", name)
    t.check("contacts carry each brick", near(of("brick[0]"), 0.01, fx=0, fy=BRICK, fz=0) and near(of("brick[1]"), 0.01, fx=0, fy=BRICK, fz=0))
    # The floor's torque is about the origin: the bricks stand at x = 0.3.
    t.check("the floor carries both, at their place", near(of("floor"), 0.02, fy=-2 * BRICK, tz=-0.3 * 2 * BRICK, tx=0), of("floor"))
    pair = lambda name: last(folder / "pairs.csv", "pair", name)
    t.check("a pair tells the force on the first", near(pair("brick[0]+brick[1]"), 0.01, fy=-BRICK) and near(pair("brick[0]+floor"), 0.02, fy=2 * BRICK))
    reaction = last(folder / "reactions.csv", "body", "shelf")
    t.check("what holds the shelf bears weight, force and torque", near(reaction, 1e-9, fx=-3, fy=SHELF, fz=0, tx=0, ty=0, tz=-2), reaction)
    for names in (("walls.floor.fy",), ("pairs.brick[0]+floor.force",), ("reactions.shelf.torque",), ("probes.ground.pressed", "probes.ground.normal", "probes.ground.torque")):
        result = t.run("plot", "bricks", *names)
        t.check(f"plot {' '.join(names)}", result.returncode == 0 and names[0] in result.stdout, shown(result))


def hanging_block(t):
    folder = run(t, "hanging", HANGING)
    reaction = last(folder / "reactions.csv", "body", "block")
    weight = 1000 * 0.008 * G
    t.check("pinned nodes bear the weight, without a torque", near(reaction, 1e-3 * weight, fx=0, fy=weight, fz=0, tx=0, ty=0, tz=0), reaction)


def explicit_loads(t):
    folder = run(t, "spheres", SPHERES)
    pair = last(folder / "pairs.csv", "pair", "floor+beads")
    t.check("pairs of explicit runs", pair["contacts"] == 3 and near(pair, 1e-3 * BEADS, fy=-BEADS, tz=-0.05 * BEADS), pair)


if __name__ == "__main__":
    support.Tester().finish([implicit_loads, hanging_block, explicit_loads])
