#!/usr/bin/env python3
"""Scenes of material points as a user writes them: what runs, what is refused or warned of, and what a run folder holds.

    material_points_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import math
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

HEAD = """stickslip: 1
time: {step: 0.005, end: 0.05, frame: 0.05}
materials:
  jelly: {density: 1000, young: 1.0e5, poisson: 0.3}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
"""


def run(t, bodies, *arguments, head=HEAD):
    t.write("scene.yaml", head + bodies)
    return t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet", *arguments)


def last_row(t, body):
    with open(t.folder / "scene.out/bodies.csv", newline="") as table:
        return {k: v if k == "body" else float(v) for k, v in [r for r in csv.DictReader(table) if r["body"] == body][-1].items()}


def cube(more="", shape="box: [0.2, 0.2, 0.2]", resolution=0.1, y=1.0):
    return f"  - {{name: cube, kind: mpm, material: jelly, shape: {{{shape}}}, resolution: {resolution}, position: [0, {y}, 0]{more}}}\n"


def falls(t):
    """A body, one particle, of which a run warns, and a hollow shape fall as they should, far above the floor."""
    for what, body in [
        ("cube", cube(", velocity: [1, 0, 0]")),
        ("one particle", cube(", velocity: [1, 0, 0], particles_per_cell: 1", "box: [0.1, 0.1, 0.1]")),
        ("torus at random", cube(", velocity: [1, 0, 0], jitter: 3", "torus: {major: 0.2, minor: 0.06}", 0.05)),
    ]:
        result = run(t, body)
        told = "fewer cannot deform" in result.stderr if what == "one particle" else not result.stderr
        if t.check(f"{what} runs", result.returncode == 0 and told, shown(result)):
            row = last_row(t, "cube")
            t.check(f"{what} falls freely", abs(row["vy"] + 9.81 * 0.05) < 1e-6 and abs(row["vx"] - 1) < 1e-6, row)


def what_is_written(t):
    result = run(t, cube(", angular_velocity: [0, 2, 0]", y=0.11))
    t.check("runs", result.returncode == 0, shown(result))
    frame = (t.folder / "scene.out/frames/cube_000001.vtp").read_bytes()
    for field in ("velocity", "density_ratio", "plastic_strain", "pressure", "von_mises_stress"):
        t.check(f"frames have {field}", f'Name="{field}"'.encode() in frame)
    result = t.run("export", "scene.out", "--to", "particles", "--body", "cube")
    if t.check("export --to particles", result.returncode == 0, shown(result)):
        with open(t.folder / "scene.out/particles.csv", newline="") as table:
            rows = [[float(x) for x in row] for row in list(csv.reader(table))[1:]]
        mean = [sum(column) / len(rows) for column in zip(*rows)]
        row = last_row(t, "cube")
        t.check("a row each, whose mean is that of the body", len(rows) == 216 and all(abs(a - row[k]) < 1e-12 for a, k in zip(mean, ("x", "y", "z", "vx", "vy", "vz"))) and abs(mean[6] - 1) < 0.02 and len(mean) == 10, (mean, row))
    result = run(t, cube(", copies: {grid: {count: [2, 1, 1], spacing: [0.5, 1, 1]}}", y=0.11))
    result = t.run("export", "scene.out", "--to", "particles", "--body", "cube")
    lines = len((t.folder / "scene.out/particles.csv").read_text().splitlines()) if result.returncode == 0 else 0
    t.check("... of all copies", lines == 1 + 2 * 216, shown(result))
    result = t.run("export", "scene.out", "--to", "particles", "--body", "cube[1]", "-o", "one.csv")
    t.check("... of one", result.returncode == 0 and len((t.folder / "one.csv").read_text().splitlines()) == 1 + 216, shown(result))
    result = run(t, cube(", angular_velocity: [0, 2, 0]", y=0.11))
    result = t.run("export", "scene.out", "--to", "particles", "--body", "cup")
    t.check("... of another body", result.returncode == 2 and 'no body of material points "cup"' in result.stderr, shown(result))
    with open(t.folder / "scene.out/balance.csv", newline="") as table:
        rows = list(csv.DictReader(table))
    t.check("losses are none", all(float(r["plastic_loss"]) == 0 and float(r["transfer_loss"]) >= -1e-12 for r in rows), rows[:2])
    summary = json.loads((t.folder / "scene.out/summary.json").read_text())
    t.check("the mass is exact", "mass 8 kg" in (t.folder / "scene.out/log.txt").read_text(), summary)
    result = t.run("view", "scene.out")
    t.check("view takes it", result.returncode == 0, shown(result))


def liquid_rests(t):
    """Water between five planes sinks by what its weight compresses it, and comes to rest."""
    walls = "".join(
        f"  - {{name: wall{i}, kind: obstacle, shape: {{plane: {{normal: {n}}}}}, position: {x}}}\n"
        for i, (n, x) in enumerate([([1, 0, 0], [-0.1, 0, 0]), ([-1, 0, 0], [0.1, 0, 0]), ([0, 0, 1], [0, 0, -0.1]), ([0, 0, -1], [0, 0, 0.1])])
    )
    t.write("scene.yaml", """stickslip: 1
time: {step: 0.01, end: 0.5, frame: 0.5}
contact: {friction: 0}
materials:
  water: {density: 1000, model: fluid, bulk_modulus: 4.0e5, viscosity: 50}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
""" + walls + "  - {name: pond, kind: mpm, material: water, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, position: [0, 0.1, 0]}\n")
    result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
    if t.check("water runs", result.returncode == 0, shown(result)):
        row = last_row(t, "pond")
        t.check("water rests", abs(row["vy"]) < 0.01 and 0.098 < row["y"] < 0.1, row)


def liquid_stirred(t):
    """Water on a table that turns is taken along. Its balance closes but for the angular momentum that friction leaves
    (docs/derivations.md, "Sides of liquids"): 5 % of what it has."""
    t.write("scene.yaml", """stickslip: 1
time: {step: 0.005, end: 0.15}
contact: {friction: 0.3}
materials:
  water: {density: 1000, model: fluid, bulk_modulus: 1.0e5, viscosity: 20}
bodies:
  - {name: table, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, motion: {angular_velocity: [0, 6, 0]}}
  - {name: paddle, kind: obstacle, shape: {box: [0.14, 0.04, 0.04]}, position: [0, 0.145, 0], motion: {angular_velocity: [0, 6, 0]}}
""" + walls(0.1) + "  - {name: water, kind: mpm, material: water, shape: {box: [0.2, 0.12, 0.2]}, resolution: 0.04, particles_per_cell: 8, position: [0, 0.06, 0]}\n")
    result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
    if t.check("stirred water runs", result.returncode == 0 and not result.stderr, shown(result)):
        balance, end = rows_of(t, "balance.csv"), rows_of(t, "history.csv")[-1]
        left = sum(float(r["angular_error_y"]) for r in balance)
        t.check("it turns with the table", float(end["ly"]) > 1e-3, end)
        t.check("its energy closes", max(abs(float(r["energy_error"])) for r in balance) < 1e-8)
        t.check("its angular momentum nearly does", abs(left) < 0.05 * float(end["ly"]), (left, end["ly"]))


def told(t):
    """Messages, by what they must contain."""
    water = "model: fluid, bulk_modulus: 4.0e5, viscosity: 50"
    sand = "model: drucker_prager, young: 1.0e6, poisson: 0.3, friction_angle: 30"
    for material, per_cell, fault in [(water, 8, "sinks"), (sand, 8, "loses volume"), (water, 27, ""), (sand, 27, "")]:
        t.write("pond.yaml", f"""stickslip: 1
time: {{step: 0.01, end: 0.1}}
materials:
  some: {{density: 1000, {material}}}
bodies:
  - {{name: pond, kind: mpm, material: some, shape: {{box: [0.2, 0.2, 0.2]}}, resolution: 0.1, particles_per_cell: {per_cell}}}
""")
        result = t.run("check", "pond.yaml")
        few = "pond: with fewer than 27 particles a cell it "
        said = (few + fault if fault else few) in result.stdout + result.stderr
        t.check(f"{material}, {per_cell} particles a cell", result.returncode == 0 and said == bool(fault), shown(result))
    t.write("pond.yaml", "stickslip: 1\ntime: {step: 0.01, end: 0.1}\nmaterials: {water: {density: 1000, model: fluid, bulk_modulus: 4.0e5, young: 1.0e6, damping: 0.1}}\nbodies:\n  - {name: pond, kind: mpm, material: water, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1}\n")
    result = t.run("check", "pond.yaml")
    t.check("keys of another model", result.returncode == 0 and all(f"warning: materials.water.{key}: has no effect with this model" in result.stderr for key in ("young", "damping")), shown(result))
    for what, bodies, status, words in [
        ("inside an obstacle", cube(y=0.05), 0, ['warning: bodies.cube.position: starts inside "floor"', "particles, the deepest 0.03333 m"]),
        ("inside another", cube() + cube(y=1.05).replace("cube", "other"), 0, ['warning: bodies.other.position: starts inside "cube"', "particles, the deepest", "stick to each other"]),
        ("beside another", cube() + cube(y=1.2).replace("cube", "other"), 0, []),
        ("inside a deformable body", "  - {name: slab, kind: deformable, material: jelly, shape: {box: [0.6, 0.6, 0.6]}, resolution: 0.2, position: [0, 1, 0]}\n" + cube(), 3, ['warning: bodies.cube.position: starts inside "slab": 216 particles', "from outside only"]),
        ("a pair of mpm bodies", cube() + cube(y=1.3).replace("cube", "other") + "contact: {pairs: [{bodies: [cube, other], friction: 0.5}]}\n", 0, ["warning: contact.pairs[0].bodies: has no effect"]),
        ("a pair of their materials", cube() + cube(y=1.3).replace("cube", "other") + "contact: {pairs: [{materials: [jelly, jelly], enabled: false}]}\n", 0, ["warning: contact.pairs[0].materials: has no effect"]),
        ("kept apart by groups", cube() + cube(", collides_with: [floor]", y=1.3).replace("cube", "other"), 0, ['warning: bodies.other.collides_with: does not part it from "cube"']),
        ("pressed flat", cube(y=0.1) + "  - {name: press, kind: obstacle, shape: {box: [0.4, 0.1, 0.4]}, position: [0, 0.25, 0], motion: {velocity: [0, -4, 0]}}\n", 0, ['"cube" and "press" overlap by', "of the smallest size of either"]),
        ("an absurd resolution", cube(resolution=1e-5), 2, ["expected a coarser resolution"]),
        ("no particle", cube("", "torus: {major: 1, minor: 1.0e-5}"), 2, ["expected a resolution at which the shape holds particles"]),
        ("two resolutions", cube() + cube(resolution=0.05).replace("cube", "other"), 2, ["bodies.other.resolution", "all mpm bodies share one grid"]),
    ]:
        result = run(t, bodies)
        t.check(what, result.returncode == status and all(w in result.stderr for w in words) and bool(words) == bool(result.stderr), shown(result))
    result = run(t, cube(), "--set", "materials.jelly.poisson=0.495")
    t.check("elements lock, material points do not", result.returncode == 0 and not result.stderr, shown(result))


def rows_of(t, name):
    with open(t.folder / "scene.out" / name, newline="") as table:
        return list(csv.DictReader(table))


def slides_on_a_deformable_slab(t):
    """A cube of particles on a slab of tetrahedra, gravity tilted by 0.3 rad: g (sin - mu cos), and stuck above tan 0.3."""
    slope = 0.3
    for mu, acceleration in [(0.1, 9.81 * (math.sin(slope) - 0.1 * math.cos(slope))), (0.5, 0)]:
        t.write("scene.yaml", f"""stickslip: 1
gravity: [{9.81 * math.sin(slope)}, {-9.81 * math.cos(slope)}, 0]
time: {{step: 0.01, end: 0.4}}
contact: {{friction: {mu}}}
materials:
  jelly: {{density: 1000, young: 5.0e5, poisson: 0.3, damping: 0.002}}
bodies:
  - {{name: slab, kind: deformable, material: jelly, shape: {{box: [1.2, 0.1, 0.4]}}, resolution: 0.1, position: [0.3, -0.05, 0], fix: [{{box: {{min: [-1, -0.2, -1], max: [2, -0.09, 1]}}}}]}}
  - {{name: cube, kind: mpm, material: jelly, shape: {{box: [0.2, 0.2, 0.2]}}, resolution: 0.1, position: [0, 0.082, 0]}}
""")
        result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
        if not t.check(f"mu = {mu} runs", result.returncode == 0, shown(result)):
            continue
        speed = {round(float(r["time"]), 6): float(r["vx"]) for r in rows_of(t, "bodies.csv") if r["body"] == "cube"}
        got = (speed[0.4] - speed[0.2]) / 0.2
        t.check(f"mu = {mu} slides as Coulomb says", abs(got - acceleration) < 0.03, (got, acceleration))


def meets_a_deformable_body(t):
    """In free flight, off centre: momenta are kept, and the two part."""
    t.write("scene.yaml", """stickslip: 1
gravity: [0, 0, 0]
time: {step: 0.002, end: 0.2}
contact: {friction: 0.3}
solver: {tolerance: 1.0e-9}
materials:
  jelly: {density: 1000, young: 2.0e5, poisson: 0.3}
bodies:
  - {name: block, kind: deformable, material: jelly, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, position: [0, 0, 0]}
  - {name: ball, kind: mpm, material: jelly, shape: {sphere: 0.1}, resolution: 0.05, position: [-0.25, 0.05, 0.02], velocity: [2, 0, 0]}
""")
    result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
    if not t.check("runs", result.returncode == 0, shown(result)):
        return
    balance = rows_of(t, "balance.csv")
    history = rows_of(t, "history.csv")
    for axis in "xyz":
        gain = {k: float(history[-1][k + axis]) - float(history[0][k + axis]) for k in "pl"}
        by_time_step = sum(float(r[f"angular_backward_euler_{axis}"]) for r in balance[1:])
        t.check(f"momentum {axis} is kept", abs(gain["p"]) < 1e-8, gain)
        t.check(f"angular momentum {axis} changes by backward Euler's own term", abs(gain["l"] - by_time_step) < 1e-8, (gain, by_time_step))
    t.check("energy closes", max(abs(float(r["energy_error"])) for r in balance) < 1e-8)
    last = {r["body"]: float(r["vx"]) for r in rows_of(t, "bodies.csv")}
    t.check("the block is pushed on and leaves the ball behind", last["block"] > 0.5 and last["block"] > last["ball"] + 0.1, last)


def wedged_between_walls(t):
    """A rigid cube and a ball of particles, 0.05 m wider than the gap between two walls: pressed against them they are
    held by friction where 2 mu N > weight, N being about 4 N and the weight 1.2 N."""
    for mu, low, high in [(0.25, -0.02, 0.0), (0.1, -0.6, -0.1)]:
        t.write("scene.yaml", f"""stickslip: 1
gravity: [0, -1.8, 0]
time: {{step: 0.01, end: 0.6}}
contact: {{friction: {mu}}}
materials:
  jelly: {{density: 2, young: 1000, poisson: 0.3, damping: 0.005}}
  stone: {{density: 2}}
bodies:
  - {{name: left, kind: obstacle, shape: {{plane: {{normal: [1, 0, 0]}}}}}}
  - {{name: right, kind: obstacle, shape: {{plane: {{normal: [-1, 0, 0]}}}}, position: [1.15, 0, 0]}}
  - {{name: cube, kind: rigid, material: stone, shape: {{box: [0.4, 0.4, 0.4]}}, position: [0.95, 0, 0]}}
  - {{name: ball, kind: mpm, material: jelly, shape: {{sphere: 0.4}}, resolution: 0.13, particles_per_cell: 8, position: [0.375, 0, 0]}}
""")
        result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
        if t.check(f"mu = {mu} runs", result.returncode == 0, shown(result)):
            y = {body: last_row(t, body)["y"] for body in ("cube", "ball")}
            t.check(f"mu = {mu} holds, or does not", all(low < place < high for place in y.values()), y)


def pyramid(t):
    """A rigid ball on three balls of particles, which its weight parts: it stays up by friction alone."""
    r, R, away = 0.15, 0.5, 0.25
    top = r + math.sqrt((R + r) ** 2 - away**2)
    balls = "".join(
        f"  - {{name: ball_{i}, kind: mpm, material: jelly, shape: {{sphere: {r}}}, resolution: 0.07, particles_per_cell: 8, "
        f"position: [{away * math.cos(i * math.tau / 3)}, {r}, {away * math.sin(i * math.tau / 3)}]}}\n"
        for i in range(3)
    )
    for mu, low, high in [(0.3, top - 0.06, top), (0.05, 0, top - 0.15)]:
        t.write("scene.yaml", f"""stickslip: 1
time: {{step: 0.01, end: 0.6}}
contact: {{friction: {mu}}}
materials:
  jelly: {{density: 500, young: 1.0e5, poisson: 0.3, damping: 0.005}}
  cork: {{density: 40}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
{balls}  - {{name: top, kind: rigid, material: cork, shape: {{sphere: {R}}}, position: [0, {top}, 0]}}
""")
        result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
        if t.check(f"mu = {mu} runs", result.returncode == 0, shown(result)):
            y = last_row(t, "top")["y"]
            t.check(f"mu = {mu} stands, or collapses", low < y < high, (y, top))


def starts_flush(t):
    """A body that stands on its floor and leans on its walls is pressed into none of them, and there is no gap."""
    sand = "{density: 1500, model: drucker_prager, young: 1.0e6, poisson: 0.3, friction_angle: 35}"
    height = 0.2 * math.tan(math.radians(20))
    for what, keys, steps in [
        ("a cone with a sharp rim", f"material: sand, shape: {{cone: {{radius: 0.2, height: {height}}}}}, resolution: 0.04", 1),
        ("a sheet thinner than a particle", "material: jelly, shape: {box: [0.2, 0.005, 0.2]}, resolution: 0.05", 60),
        ("a box that is no multiple of the spacing", "material: sand, shape: {box: [0.21, 0.087, 0.17]}, resolution: 0.05", 1),
    ]:
        t.write("scene.yaml", f"""stickslip: 1
time: {{step: 0.005, end: {0.005 * steps}, frame: {0.005 * steps}}}
contact: {{friction: 0.7}}
materials: {{sand: {sand}, jelly: {{density: 1000, young: 1.0e5, poisson: 0.3}}}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - {{name: body, kind: mpm, {keys}, position: [0, 0.5, 0], place_on: floor}}
""")
        result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
        if not t.check(f"{what} runs", result.returncode == 0, shown(result)):
            continue
        t.check(f"{what}: contacts release nothing", "released" not in result.stderr, shown(result))
        rows = [r for r in rows_of(t, "bodies.csv") if r["body"] == "body"]
        fallen = float(rows[0]["y"]) - float(rows[-1]["y"])
        t.check(f"{what} neither rises nor falls", abs(fallen) < 6e-5, fallen)


def leans_on_its_walls(t):
    """Sand in a box of no multiple of the spacing presses on a smooth wall as confined sand does."""
    wall = lambda name, n, at: f"  - {{name: {name}, kind: obstacle, shape: {{plane: {{normal: [{n[0]}, 0, {n[1]}]}}}}, position: [{at[0]}, 0, {at[1]}]}}\n"
    width, height, depth = 0.21, 0.087, 0.17
    t.write("scene.yaml", """stickslip: 1
time: {step: 0.005, end: 0.2, frame: 0.2}
contact: {friction: 0}
materials: {sand: {density: 1500, model: drucker_prager, young: 1.0e6, poisson: 0.3, friction_angle: 30}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
""" + wall("left", (1, 0), (-width / 2, 0)) + wall("right", (-1, 0), (width / 2, 0)) + wall("back", (0, 1), (0, -depth / 2)) + wall("front", (0, -1), (0, depth / 2)) + f"""
  - {{name: bed, kind: mpm, material: sand, shape: {{box: [{width}, {height}, {depth}]}}, resolution: 0.05, position: [0, {height / 2}, 0]}}
output: {{probes: [{{name: wall, body: left}}]}}
""")
    result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
    if t.check("it runs", result.returncode == 0, shown(result)):
        force = -float(rows_of(t, "probes.csv")[-1]["normal_x"])
        static = 0.3 / 0.7 * 1500 * 9.81 * height**2 / 2 * depth
        t.check("the wall bears nu / (1 - nu) of the weight above", abs(force / static - 1) < 0.12, (force, static))


def placed_on_a_floor(t):
    """A body placed by contact, and one that fills a corner flush, begin without a gap and without being pressed."""
    result = run(t, cube(y=5).replace("position: [0, 5, 0]", "position: [0, 5, 0], place_on: floor"))
    if t.check("place_on runs", result.returncode == 0 and not result.stderr, shown(result)):
        row = last_row(t, "cube")
        t.check("it rests where its surface touches", abs(row["y"] - 0.1) < 2e-3 and abs(row["vy"]) < 0.05, row)


def slides_beside_tetrahedra(t):
    """The elastic cube of 11^3 particles on a slope of 0.1 rad, and the same cube of tetrahedra: one closed form."""
    for mu in (0.125, 0.1):
        t.write("scene.yaml", f"""stickslip: 1
gravity: [{1.8 * math.sin(0.1)}, {-1.8 * math.cos(0.1)}, 0]
time: {{step: 0.01, end: 0.6}}
contact: {{friction: {mu}}}
materials:
  jelly: {{density: 2, young: 100, poisson: 0.3}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - {{name: points, kind: mpm, material: jelly, shape: {{box: [0.2, 0.2, 0.2]}}, resolution: {0.4 / 11}, particles_per_cell: 8, position: [0, 0.1, 0], velocity: [0.1, 0, 0]}}
  - {{name: tetrahedra, kind: deformable, material: jelly, shape: {{box: [0.2, 0.2, 0.2]}}, resolution: 0.05, position: [0, 0.1, 0.5], velocity: [0.1, 0, 0]}}
""")
        result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
        if not t.check(f"mu = {mu} runs", result.returncode == 0, shown(result)):
            continue
        acceleration = 1.8 * (math.sin(0.1) - mu * math.cos(0.1))
        for body in ("points", "tetrahedra"):
            gained = (last_row(t, body)["vx"] - 0.1) / 0.6
            t.check(f"mu = {mu}: {body} as the closed form", abs(gained - acceleration) < 1e-3, (gained, acceleration))


SAND = "{density: 1500, model: drucker_prager, young: 2.0e5, poisson: 0.3, friction_angle: 30}"


def walls(half):
    """Planes about a square of side 2 x half."""
    return "".join(
        f"  - {{name: {n}, kind: obstacle, shape: {{plane: {{normal: [{-x}, 0, {-z}]}}}}, position: [{half * x}, 0, {half * z}]}}\n"
        for n, x, z in [("left", -1, 0), ("right", 1, 0), ("front", 0, -1), ("back", 0, 1)]
    )


def thrown_into_sand(t):
    """A box thrown askew into a bed of sand is stopped by it, and lies on it."""
    t.write("scene.yaml", f"""stickslip: 1
time: {{step: 0.005, end: 0.4}}
contact: {{friction: 0.5}}
materials:
  sand: {SAND}
  wood: {{density: 800}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
{walls(0.15)}  - {{name: bed, kind: mpm, material: sand, shape: {{box: [0.3, 0.15, 0.3]}}, resolution: 0.05, particles_per_cell: 8, position: [0, 0.075, 0]}}
  - {{name: box, kind: rigid, material: wood, shape: {{box: [0.1, 0.1, 0.1]}}, position: [0, 0.205, 0], velocity: [0.5, -2, 0]}}
""")
    result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
    if t.check("runs", result.returncode == 0, shown(result)):
        box = last_row(t, "box")
        t.check("it has stopped", max(abs(box[v]) for v in ("vx", "vy", "vz")) < 1e-4, box)
        t.check("it lies in the bed's upper half", 0.125 < box["y"] < 0.201, box)


def pile_on_floors(t):
    """The same pile on a floor to which it sticks, and on one whose friction is that within the sand, tan(30 degrees)."""
    height = {}
    for mu in (".inf", math.tan(math.radians(30)), 0.1):
        t.write("scene.yaml", f"""stickslip: 1
time: {{step: 0.005, end: 0.3}}
contact: {{friction: {mu}}}
materials:
  sand: {SAND}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - {{name: sand, kind: mpm, material: sand, shape: {{cylinder: {{radius: 0.1, height: 0.1}}}}, resolution: 0.04, particles_per_cell: 8, position: [0, 0.05, 0]}}
""")
        result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
        if not t.check(f"mu = {mu} runs", result.returncode == 0, shown(result)):
            return
        height[mu] = last_row(t, "sand")["y"]
    stuck, frictional, smooth = height.values()
    t.check("on both it comes to about the same height", abs(frictional / stuck - 1) < 0.1, height)
    t.check("on a smoother floor it does not", smooth < 0.75 * stuck, height)


CLOTH = """stickslip: 1
time: {step: 0.005, end: 0.3}
contact: {friction: 0.3}
materials:
  snow: {density: 300, model: snow, young: 1.4e5, poisson: 0.2}
  cloth: {density: 400, young: 3.0e5, poisson: 0.3, damping: 0.002}
bodies:
  - {name: cloth, kind: deformable, material: cloth, shape: {box: [0.5, 0.03, 0.5]}, resolution: 0.05, fix: [{box: {min: [-1, -1, -1], max: [-0.24, 1, 1]}}, {box: {min: [0.24, -1, -1], max: [1, 1, 1]}}]}
"""


def falls_on_a_cloth(t):
    """A snowball on a cloth of tetrahedra that is held along two sides: it is caught."""
    t.write("scene.yaml", CLOTH + "  - {name: ball, kind: mpm, material: snow, shape: {sphere: 0.08}, resolution: 0.04, particles_per_cell: 8, position: [0, 0.1, 0], velocity: [0, -3, 0]}\n")
    result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
    if t.check("runs", result.returncode == 0 and not result.stderr, shown(result)):
        ball, cloth = last_row(t, "ball"), last_row(t, "cloth")
        t.check("the cloth caught it", ball["y"] > cloth["y"] + 0.03 and abs(ball["vy"]) < 0.5, (ball, cloth))


def inside_a_deformable_body(t):
    """Particles that start well inside a deformable body are not held back by its surface: the run says so and gives up."""
    t.write("scene.yaml", CLOTH.replace("0.03, 0.5", "0.2, 0.5") + "  - {name: ball, kind: mpm, material: snow, shape: {sphere: 0.05}, resolution: 0.04, particles_per_cell: 8, position: [0, 0, 0]}\n")
    result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
    t.check("it gives up", result.returncode == 3 and 'a particle of "ball" is' in result.stderr and 'deep in "cloth"' in result.stderr, shown(result))


def beyond_the_grid(t):
    """The grid ends 2^20 spacings from the origin: a body beyond is refused, a run that gets there ends as others that give up."""
    far = cube().replace("cube", "far").replace("position: [0,", "position: [900000,")
    t.write("far.yaml", HEAD + cube() + far)
    result = t.run("check", "far.yaml")
    t.check("a body beyond is refused", result.returncode == 2 and "far.yaml:8:" in result.stderr and "bodies.far.position: expected all particles within 2^20 grid spacings (1.049e+05 m)" in result.stderr, shown(result))
    t.write("scene.yaml", """stickslip: 1
gravity: [0, 0, 0]
time: {step: 1.0e-5, end: 0.01, frame: 0.001}
materials: {jelly: {density: 1000, young: 1.0e5, poisson: 0.3}}
bodies:
  - {name: runaway, kind: mpm, material: jelly, shape: {box: [1.0e-5, 1.0e-5, 1.0e-5]}, resolution: 1.0e-5, particles_per_cell: 1, position: [10.4855, 0.5, 0], velocity: [0.9, 0, 0]}
""")
    result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
    t.check("a run gives up", result.returncode == 3 and 'gave up: a particle of "runaway" is at (10.4857, 0.5, ' in result.stderr, shown(result))
    summary = json.loads((t.folder / "scene.out/summary.json").read_text())
    t.check("and its folder is whole", summary["status"] == "failed" and abs(summary["simulated_time"] - 2.5e-4) < 2e-5 and last_row(t, "runaway")["x"] > 10.4857, summary)


def faster_than_a_cell_a_step(t):
    """Steps are divided before they are solved; the log says so once."""
    t.write("scene.yaml", """stickslip: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 0.05, frame: 0.01}
materials: {snow: {density: 300, model: snow, young: 1.4e5, poisson: 0.2}}
bodies:
  - {name: ball, kind: mpm, material: snow, shape: {sphere: 0.05}, resolution: 0.02, position: [0, 0.5, 0], velocity: [40, 0, 0]}
""")
    result = t.run("run", "scene.yaml", "-o", "scene.out", "--force", "--quiet")
    summary = json.loads((t.folder / "scene.out/summary.json").read_text())
    t.check("no solve is thrown away", summary["status"] == "done" and summary["failed_solves"] == 0 and summary.get("divided_steps", 0) > 0, summary)
    t.check("told once", result.stderr.count("more than a cell") == 1, shown(result))


if __name__ == "__main__":
    support.Tester().finish([falls, what_is_written, liquid_rests, liquid_stirred, told, slides_on_a_deformable_slab, meets_a_deformable_body, wedged_between_walls, pyramid, starts_flush, leans_on_its_walls, placed_on_a_floor, slides_beside_tetrahedra, thrown_into_sand, pile_on_floors, falls_on_a_cloth, inside_a_deformable_body, beyond_the_grid, faster_than_a_cell_a_step])
