#!/usr/bin/env python3
"""Tables of the spheres of a run, and runs that begin with them: stickslip export --to spheres, positions: {file: ...}.

    spheres_table_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import math
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

COLUMNS = ["x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz"]
END = 0.2  # [s]
HEAD = """stickslip: 1
time: {step: auto, end: %s, frame: 0.1}
gravity: [0, -10, 0]
contact: {friction: 0.4}
materials: {glass: {density: 2500, kn: 2.0e4, restitution: 0.5}}
solver: {integration: %s}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
"""
# Grains that fall, meet each other and the floor, roll apart; two balls that fly far above and meet nothing.
RAIN = (
    HEAD % (END, "explicit")
    + """  - {name: grains, kind: spheres, material: glass, position: [0, 0.1, 0], velocity: [0.2, 0, 0], fill: {box: [0.1, 0.2, 0.1], count: 60, sizes: {min: 0.006, max: 0.01}}}
  - name: high
    kind: spheres
    material: glass
    radii: [0.01, 0.02]
    positions: [[0, 9, 0], [1, 9, 0]]
    velocity: [1, 2, 3]
    angular_velocity: [4, -5, 6]
"""
)
TABLED = "  - {name: %s, kind: spheres, material: glass, positions: {file: %s.csv}%s}\n"


def table_of(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(field) for field in row] for row in rows[1:]]


def from_tables(end=1e-4, integration="explicit", more=""):
    return HEAD % (end, integration) + TABLED % ("grains", "grains", "") + TABLED % ("high", "high", more)


def writes(t):
    t.write("rain.yaml", RAIN)
    result = t.run("run", "rain.yaml", "--quiet")
    t.equal("a run of 62 spheres", (result.returncode, result.stderr), (0, ""))
    for name in ("grains", "high"):
        result = t.run("export", "rain.out", "--to", "spheres", "--body", name, "-o", f"{name}.csv")
        t.equal(f"export of {name}", (result.returncode, result.stdout, result.stderr), (0, f"export: {name}.csv\n", ""))
    header, grains = table_of(t.folder / "grains.csv")
    t.equal("columns", header, COLUMNS)
    t.equal("a row for each sphere, a number in each column", (len(grains), {len(row) for row in grains}), (60, {10}))
    t.check("... sizes as filled", all(0.006 <= row[3] <= 0.01 for row in grains) and len({row[3] for row in grains}) > 50)
    t.check("... above the floor", all(row[1] > 0.9 * row[3] for row in grains), min(grains, key=lambda row: row[1] - row[3]))
    t.check("... thrown about and spinning by contacts", sum(math.hypot(*row[7:]) > 1 for row in grains) > 20)
    ended = json.loads((t.folder / "rain.out/summary.json").read_text())["simulated_time"]
    _, high = table_of(t.folder / "high.csv")
    for row, x, radius in zip(high, (0, 1), (0.01, 0.02)):
        t.equal("free flight: radius and spin as given", (row[3], row[7:]), (radius, [4, -5, 6]))
        flown = [x + ended, 9 + 2 * ended - 5 * ended**2, 3 * ended, 1, 2 - 10 * ended, 3]
        # sums of some thousand steps, each exact on a parabola: round-off
        t.check("... place and velocity at the end of the run", max(abs(a - b) for a, b in zip(row[:3] + row[4:7], flown)) < 1e-8, (row, flown))



def copies_of_a_set(t):
    """In implicit runs a copy of a set is a family of balls; the name of the set means all of them."""
    t.write("copies.yaml", """stickslip: 1
time: {step: 0.005, end: 0.01}
materials: {glass: {density: 2500}}
bodies:
  - {name: rain, kind: spheres, material: glass, radius: 0.1, positions: [[0, 0, 0]], copies: {grid: {count: [2, 1, 1], spacing: [0.5, 1, 1]}}}
""")
    t.run("run", "copies.yaml", "-o", "copies.out", "--quiet")
    for name, count in (("rain", 2), ("rain[1]", 1)):
        result = t.run("export", "copies.out", "--to", "spheres", "--body", name, "-o", f"{count}.csv")
        t.check(f"{name} has {count}", result.returncode == 0 and len((t.folder / f"{count}.csv").read_text().splitlines()) == 1 + count, shown(result))


def chooses(t):
    result = t.run("export", "rain.out", "--to", "spheres", "--body", "high", "--time", 0, "-o", "first.csv")
    found = table_of(t.folder / "first.csv")[1] if result.returncode == 0 else shown(result)
    t.equal("--time 0: as the scene says", found, [[0, 9, 0, 0.01, 1, 2, 3, 4, -5, 6], [1, 9, 0, 0.02, 1, 2, 3, 4, -5, 6]])
    result = t.run("export", "rain.out", "--to", "spheres", "--body", "high", "--time", 0.1, "-o", "middle.csv")
    spun = table_of(t.folder / "middle.csv")[1][0] if result.returncode == 0 else shown(result)
    t.check("--time 0.1: the frame of that time, although written at the first step after it", abs(spun[5] - (2 - 10 * 0.1)) < 0.01, spun)
    result = t.run("export", "rain.out", "--to", "spheres", "--body", "high", "--time", 7, "-o", "never.csv")
    t.check("--time 7: there is none", result.returncode == 2 and "the frames of this run are from 0 to 0.2" in result.stderr, shown(result))
    t.write("alone.yaml", HEAD % (1e-4, "explicit") + TABLED % ("high", "high", ""))
    t.run("run", "alone.yaml", "--quiet")
    result = t.run("export", "alone.out", "--to", "spheres", "--time", 0)
    t.equal("the only set needs no name, the table goes to the run", result.stdout, "export: alone.out/spheres.csv\n")
    t.equal("... the same one", (t.folder / "alone.out/spheres.csv").read_text(), (t.folder / "high.csv").read_text())
    t.write("clumps.yaml", HEAD % (1e-4, "explicit") + "  - {name: chips, kind: spheres, material: glass, positions: [[0, 1, 0]], clump: {positions: [[0, 0, 0], [0.01, 0, 0]], radius: 0.007}}\n")
    t.run("run", "clumps.yaml", "--quiet")
    t.write("box.yaml", support.SLIDE)
    t.run("run", "box.yaml", "--until", 0.02, "--quiet")
    for what, arguments, message in [
        ("one of several sets, not named", ["rain.out"], "the run has several sets of spheres, name one of them: grains, high"),
        ("an unknown set", ["rain.out", "--body", "hihg"], '--body: no body "hihg" in this run; did you mean "high"?'),
        ("a body that is no set", ["rain.out", "--body", "floor"], '"floor" is no set of spheres; the run has: grains, high'),
        ("a run without spheres", ["box.out"], "the run has no set of spheres"),
        ("clumps", ["clumps.out"], '"chips" is made of clumps, which a table of spheres cannot hold; `start: {from: ...}` can'),
    ]:
        result = t.run("export", *arguments, "--to", "spheres", "-o", "never.csv")
        t.equal(f"{what}: refused", (result.returncode, result.stderr, result.stdout), (2, f"stickslip: error: {message}\n", ""))
    result = t.run("export", "rain.out", "--to", "csv", "--body", "high", "-o", "never.csv")
    t.equal("--body of another format: refused", (result.returncode, result.stderr), (2, "stickslip: error: --time and --body need --to spheres or particles\n"))
    t.check("nothing is written then", not (t.folder / "never.csv").exists())


def begins_there(t):
    t.write("again.yaml", from_tables())
    result = t.run("run", "again.yaml", "--quiet")
    t.equal("a scene of the tables", (result.returncode, result.stderr), (0, ""))
    for name in ("grains", "high"):
        t.run("export", "again.out", "--to", "spheres", "--body", name, "--time", 0, "-o", "again.csv")
        t.equal(f"{name} begin with the same numbers, to the last digit", (t.folder / "again.csv").read_text(), (t.folder / f"{name}.csv").read_text())
    t.write("turned.yaml", from_tables(more=", position: [0, 1, 0], rotation: {axis: [0, 0, 1], degrees: 90}"))
    t.run("run", "turned.yaml", "--quiet")
    t.run("export", "turned.out", "--to", "spheres", "--body", "high", "--time", 0, "-o", "turned.csv")
    for row, turned in zip(table_of(t.folder / "high.csv")[1], table_of(t.folder / "turned.csv")[1]):
        x, y, z, radius, vx, vy, vz, wx, wy, wz = row
        expected = [-y, 1 + x, z, radius, -vy, vx, vz, -wy, wx, wz]
        # the round-off of a rotation, of at most 10 m
        t.check("places, velocities and spins are in the axes of the set", max(abs(a - b) for a, b in zip(turned, expected)) < 1e-14, (turned, expected))


def begins_implicitly(t):
    """There each sphere is a rigid body, with a row of its own in bodies.csv."""
    t.write("implicit.yaml", from_tables(end=0.001, integration="implicit").replace("step: auto", "step: 0.001").replace("kn: 2.0e4, ", ""))
    result = t.run("run", "implicit.yaml", "--quiet")
    said = [line for line in result.stderr.splitlines() if "warning: " in line or "error: " in line]
    # spheres of explicit runs are pressed into each other where they touch
    t.check("an implicit run of the tables", result.returncode == 0 and all("starts inside" in line or "overlap at the start" in line for line in said), shown(result))
    with open(t.folder / "implicit.out/bodies.csv", newline="") as file:
        rows = {row["body"]: [float(row[c]) for c in ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz")] for row in csv.DictReader(file) if float(row["time"]) == 0}
    for name in ("grains", "high"):
        table = table_of(t.folder / f"{name}.csv")[1]
        t.equal(f"{name} begin there with the same numbers", [rows.get(f"{name}[{i}]") for i in range(len(table))], [row[:3] + row[4:] for row in table])


def comes_of_implicit_runs(t):
    """There each sphere is a rigid body, sand[0] and on."""
    balls = (
        "  - {name: sand, kind: spheres, material: glass, radii: [0.01, 0.02, 0.03], positions: [[0, 2, 0], [1, 2, 0], [2, 2, 0]], velocity: [1, 2, 3], angular_velocity: [4, -5, 6]}\n"
        "  - {name: lone, kind: rigid, material: glass, shape: {sphere: 0.05}, position: [0, 0.051, 0]}\n"
        "  - {name: brick, kind: rigid, material: glass, shape: {box: [0.1, 0.1, 0.1]}, position: [3, 0.05, 0], copies: {stack: {count: 2}}}\n"
    )
    head = HEAD.replace("step: auto", "step: 0.005").replace("kn: 2.0e4, ", "") % (END, "implicit")
    t.write("fly.yaml", head + balls)
    result = t.run("run", "fly.yaml", "--quiet")
    t.equal("an implicit run of balls", (result.returncode, result.stderr), (0, ""))
    result = t.run("export", "fly.out", "--to", "spheres", "-o", "sand.csv")
    t.equal("the only family needs no name", (result.returncode, result.stdout, result.stderr), (0, "export: sand.csv\n", ""))
    header, rows = table_of(t.folder / "sand.csv")
    t.equal("columns, and a row for each sphere", (header, len(rows)), (COLUMNS, 3))
    n = round(END / 0.005)
    for row, x, radius in zip(rows, (0, 1, 2), (0.01, 0.02, 0.03)):
        # backward Euler: v_n = v_0 + n g dt, x_n = x_0 + n v_0 dt + n (n + 1)/2 g dt^2; solved to 1e-6 |g| dt
        expected = [x + END, 2 + 2 * END - 10 * 0.005**2 * n * (n + 1) / 2, 3 * END, radius, 1, 2 - 10 * END, 3, 4, -5, 6]
        t.check("... where free flight leaves it", max(abs(a - b) for a, b in zip(row, expected)) < 1e-6, (row, expected))
    with open(t.folder / "fly.out/bodies.csv", newline="") as file:
        bodies = {row["body"]: [float(row[c]) for c in ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz")] for row in csv.DictReader(file)}
    t.equal("... to the last digit of bodies.csv", [row[:3] + row[4:] for row in rows], [bodies[f"sand[{i}]"] for i in range(3)])
    t.run("export", "fly.out", "--to", "spheres", "--body", "sand", "--time", 0, "-o", "first.csv")
    t.equal("--time 0: as the scene says", table_of(t.folder / "first.csv")[1], [[x, 2, 0, r, 1, 2, 3, 4, -5, 6] for x, r in ((0, 0.01), (1, 0.02), (2, 0.03))])
    for name, expected in (("sand[1]", [rows[1]]), ("lone", [bodies["lone"][:3] + [0.05] + bodies["lone"][3:]])):
        t.run("export", "fly.out", "--to", "spheres", "--body", name, "-o", "one.csv")
        t.equal(f"one ball by its name: {name}", table_of(t.folder / "one.csv")[1], expected)
    t.write("on.yaml", head + TABLED % ("sand", "sand", ""))
    t.run("run", "on.yaml", "--quiet", "--until", 0.01)
    t.run("export", "on.out", "--to", "spheres", "--time", 0, "-o", "again.csv")
    t.equal("a scene begins there with the same numbers", (t.folder / "again.csv").read_text(), (t.folder / "sand.csv").read_text())
    for body, message in [
        ("brick", '"brick" is no set of spheres; the run has: sand'),
        ("brick[0]", '"brick[0]" is no set of spheres; the run has: sand'),
        ("snad", '--body: no body "snad" in this run; did you mean "sand"?'),
    ]:
        result = t.run("export", "fly.out", "--to", "spheres", "--body", body, "-o", "never.csv")
        t.equal(f"{body}: refused", (result.returncode, result.stderr), (2, f"stickslip: error: {message}\n"))


def refuses(t):
    lines = (t.folder / "high.csv").read_text().splitlines()
    for what, more, table, expected in [
        ("velocities twice", ", velocity: [1, 0, 0]", lines, "the file contains velocities; remove `velocity`"),
        ("spins twice", ", angular_velocity: [1, 0, 0]", lines, "the file contains angular velocities; remove `angular_velocity`"),
        ("radii twice", ", radius: 0.01", lines, "the file contains radii; remove `radius` and `radii`"),
        ("a number too few", "", [lines[0], lines[1].rsplit(",", 1)[0]], "high.csv:2: error: expected x,y,z or x,y,z,radius or these with vx,vy,vz or with wx,wy,wz too, found"),
        ("rows of unlike lengths", "", [lines[1], "0,0,0,1"], "high.csv:2: error: expected 10 numbers as in the lines before, found 4"),
        ("no radius", "", ["0,0,0,0,1,1,1"], "high.csv:1: error: expected a radius > 0"),
    ]:
        t.write("high.csv", "\n".join(table) + "\n")
        t.write("refused.yaml", from_tables(more=more))
        result = t.run("check", "refused.yaml")
        t.check(f"{what}: refused", result.returncode == 2 and not result.stdout and "refused.yaml:10:" in result.stderr and expected in result.stderr, shown(result))


if __name__ == "__main__":
    support.Tester().finish([writes, chooses, begins_there, begins_implicitly, comes_of_implicit_runs, copies_of_a_set, refuses])
