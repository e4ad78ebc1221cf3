#!/usr/bin/env python3
"""Scenes of many bodies and of other programs, as a user meets them: include, copies, overrides of one copy, import.

    many_bodies_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import re
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

SCENE = """stickslip: 1
include: parts/ground.yaml
variables: {n: 3}
time: {step: 0.01, end: 0.03}
bodies:
  - name: brick
    kind: rigid
    material: oak
    shape: {box: [0.2, 0.1, 0.1]}
    position: [0, 5, 0]
    copies: {grid: {count: [{expr: n}, 1, 1], spacing: [0.3, 0, 0]}}
"""
GROUND = """materials: {oak: {density: 700}}
bodies:
  - {name: ground, kind: obstacle, shape: {mesh: {file: ground.obj}}}
"""
CORNERS = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
CUBE = support.obj(
    CORNERS,
    [(1, 3, 2), (2, 3, 4), (5, 6, 7), (6, 8, 7), (1, 2, 6), (1, 6, 5), (3, 7, 8), (3, 8, 4), (1, 5, 7), (1, 7, 3), (2, 4, 8), (2, 8, 6)],
)


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def copies(t):
    t.write("pile.yaml", SCENE)
    t.write("parts/ground.yaml", GROUND)
    t.write("parts/ground.obj", CUBE)
    result = t.run("run", "pile.yaml", "-o", "pile", "--set", "bodies.brick[1].velocity=[0.5, 0, 0]")
    t.check("a scene with include, expressions and copies runs", result.returncode == 0, shown(result))
    rows = rows_of(t.folder / "pile/bodies.csv")[:4]
    t.equal("bodies.csv: each copy by its name", [row["body"] for row in rows], ["ground", "brick[0]", "brick[1]", "brick[2]"])
    t.equal("--set reaches one copy", [row["vx"] for row in rows], ["0", "0", "0.5", "0"])
    t.check("the run folder keeps the included file's mesh", (t.folder / "pile/inputs/ground.obj").is_file())
    log = (t.folder / "pile/log.txt").read_text()
    t.check("log.txt: equal copies share a line", "brick[0] to brick[2]: rigid, mass 1.4 kg" in log, log)
    again = t.run("run", "pile/scene.yaml", "-o", "again")
    t.check("the resolved scene runs", again.returncode == 0, shown(again))
    hashes = [json.loads((t.folder / name / "summary.json").read_text())["state_hash"] for name in ("pile", "again")]
    t.equal("... to the same state", hashes[0], hashes[1])


def include_faults(t):
    t.write("parts/ground.yaml", GROUND.replace("700", "-700"))
    result = t.run("check", "pile.yaml")
    t.check(
        "a fault in an included file names that file and shows its line",
        result.returncode == 2 and result.stderr.startswith("parts/ground.yaml:1:28: error: materials.oak.density: expected a number > 0, got -700\nmaterials:"),
        shown(result),
    )
    (t.folder / "parts/ground.yaml").unlink()
    result = t.run("check", "pile.yaml")
    t.check(
        "an included file that cannot be read is exit status 4",
        result.returncode == 4 and "pile.yaml:2:10: error: include: cannot read parts/ground.yaml" in result.stderr,
        shown(result),
    )


def imports(t):
    bodies = [{"mesh": "cube.obj", "is_dof_fixed": True}, {"mesh": "cube.obj", "position": [0, 1, 0], "colour": "red"}]
    problem = {"coefficient_friction": 0.5, "gravity": [0, -9.8, 0], "rigid_bodies": bodies}
    t.write("theirs.json", json.dumps({"timestep": 0.01, "max_time": 0.02, "rigid_body_problem": problem}))
    t.write("shapes/cube.obj", CUBE)
    result = t.run("import", "rigid-ipc", "theirs.json", "--meshes", "shapes", "-o", "ours.yaml")
    t.equal("import: exit status 0, nothing on stdout", (result.returncode, result.stdout), (0, ""))
    note = 'theirs.json: note: rigid_body_problem.rigid_bodies[1].colour: not carried over, "red"\n'
    t.equal("import: stderr lists what has no equal", result.stderr, note)
    t.equal("the imported scene runs", t.run("run", "ours.yaml", "--quiet").returncode, 0)
    shown_scene = t.run("import", "rigid-ipc", "theirs.json", "--meshes", "shapes").stdout
    t.equal("import: to standard output without -o", shown_scene, (t.folder / "ours.yaml").read_text())
    result = t.run("import", "rigid-ipc", "theirs.json", "--meshes", "nowhere", "-o", "without.yaml")
    t.check(
        "import: a mesh that is not found is exit status 4, the scene is written",
        result.returncode == 4 and re.search(r"theirs\.json:\d+:\d+: error: rigid_body_problem\.rigid_bodies\[0\]\.mesh: ", result.stderr) and (t.folder / "without.yaml").exists(),
        shown(result),
    )
    for what, arguments, status in [
        ("a format that is not known", ["import", "other", "theirs.json"], 2),
        ("a file that is not there", ["import", "rigid-ipc", "none.json"], 4),
        ("a file of something else", ["import", "rigid-ipc", "shapes/cube.obj"], 2),
    ]:
        result = t.run(*arguments)
        t.check(f"import: {what} is exit status {status}", result.returncode == status and "error: " in result.stderr, shown(result))


if __name__ == "__main__":
    support.Tester().finish([copies, include_faults, imports])
