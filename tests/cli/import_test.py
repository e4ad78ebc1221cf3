#!/usr/bin/env python3
"""Scenes of rigid-ipc as a user imports and runs them: where bodies come to rest, what is refused, what is written.

    import_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import re
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

SHEET = "v -5 0 5\nv 5 0 5\nv -5 0 -5\nv 5 0 -5\nf 2 3 1\nf 2 4 3\n"
CORNERS = [(x, y, z) for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)]
FACES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


def off(offsets):
    """Unit cubes at these heights in one file."""
    points = "".join(f"{x} {y + h} {z}\n" for h in offsets for x, y, z in CORNERS)
    faces = "".join("4 " + " ".join(str(v + 8 * k) for v in face) + "\n" for k in range(len(offsets)) for face in FACES)
    return f"OFF\n{8 * len(offsets)} {6 * len(offsets)} 0\n{points}{faces}"


def scene(bodies, gravity=(0, 0, 0), end=1.0, **more):
    problem = {"coefficient_friction": 0.5, "gravity": gravity, "rigid_bodies": bodies}
    return json.dumps({"timestep": 0.01, **({"max_time": end} if end else {}), "rigid_body_problem": problem, **more})


def write_meshes(t):
    t.write("sheet.obj", SHEET)
    t.write("cube.off", off([0]))
    t.write("two.off", off([0.5, 2]))


def positions(t, folder):
    """Last place of each body."""
    with open(t.folder / folder / "bodies.csv") as file:
        return {row["body"]: [float(row[axis]) for axis in "xyz"] for row in csv.DictReader(file)}


def run(t, name, text):
    """Imports and runs; the places at the end."""
    t.write(f"{name}.json", text)
    for words in (["import", "rigid-ipc", f"{name}.json", "-o", f"{name}.yaml"], ["check", f"{name}.yaml"], ["run", f"{name}.yaml", "--quiet"]):
        result = t.run(*words)
        t.check(f"{name}: {words[0]} is exit status 0", result.returncode == 0, shown(result))
        t.check(f"{name}: {words[0]} warns of nothing", "warning" not in result.stderr, shown(result))
    return positions(t, f"{name}.out")


def sheets(t):
    write_meshes(t)
    wall = {"mesh": "sheet.obj", "is_dof_fixed": True, "rotation": [0, 0, 90]}
    for way in (-1, 1):
        thrown = {"mesh": "cube.off", "position": [2.5 * way, 0, 0], "linear_velocity": [-4 * way, 0, 0], "is_dof_fixed": [False] + 5 * [True]}
        x = run(t, f"wall{way}", scene([wall, thrown]))["cube"][0]
        # its four corners return a hundredth of its speed, for half a second
        t.check(f"a cube thrown at a sheet from side {way} stops at its face", -0.002 < way * x - 0.5 < 0.03, f"x = {x}")
    falls = {"mesh": "cube.off", "position": [0, 0.501, 0]}
    below = {"mesh": "cube.off", "position": [0, -1.2, 0], "is_dof_fixed": [True] * 5 + [False]}
    y = run(t, "shelf", scene([{"mesh": "sheet.obj", "is_dof_fixed": True}, falls, below], gravity=(0, -9.8, 0)))["cube"][1]
    t.check("a cube rests on a sheet with a body below it", abs(y - 0.5) < 1e-3, f"y = {y}")


def parts_and_motions(t):
    write_meshes(t)
    floor = {"mesh": "sheet.obj", "type": "static"}
    y = run(t, "split", scene([floor, {"mesh": "two.off", "split_components": True}], gravity=(0, -9.8, 0)))
    t.check("the parts of a mesh fall onto each other", abs(y["two-part000"][1] - 0.5) < 1e-3 and abs(y["two-part001"][1] - 1.5) < 2e-3, str(y))
    poses = [{"position": [0, 3 - 0.01 * k, 0]} for k in range(1, 51)]
    pusher = {"mesh": "cube.off", "position": [0, 3, 0], "type": "kinematic", "kinematic_poses": poses}
    push = {"mesh": "cube.off", "position": [0, 1.9, 0], "is_dof_fixed": [True, False, True, True, True, True]}
    y = run(t, "pushed", scene([pusher, push]))["cube 2"][1]
    t.check("a body is pushed by one that follows poses", y < 1.502, f"y = {y}")
    belt = {"mesh": "cube.off", "position": [0, 0, 0], "dimensions": [9, 1, 9], "type": "kinematic", "linear_velocity": [0.2, 0, 0], "kinematic_max_time": 0.5}
    x = run(t, "ridden", scene([belt, {"mesh": "cube.off", "position": [0, 1, 0]}], gravity=(0, -9.8, 0)))["cube 2"][0]
    t.check("a body rides on one that moves until kinematic_max_time", abs(x - 0.1) < 3e-3, f"x = {x}")


def refusals(t):
    write_meshes(t)
    t.write("points.obj", "v 0 0 0\nv 1 0 0\n")
    t.write("open.off", off([0]).replace(" 6 0\n", " 5 0\n").removesuffix("4 1 3 7 5\n"))
    cube = {"mesh": "cube.off"}
    for name, body, why in [
        ("points", {"mesh": "points.obj"}, "points.obj: error: expected triangles, found points alone (2)"),
        ("open", {"mesh": "open.off", "type": "static"}, "open.off: "),
        ("inline", {"vertices": [[0, 0, 0]]}, "rigid_bodies[1].mesh: the body has no mesh file"),
    ]:
        t.write(f"{name}.json", scene([cube, body]))
        words = ["import", "rigid-ipc", f"{name}.json", "-o", f"{name}.yaml"]
        result = t.run(*words)
        told = re.search(rf"^{name}\.json:1:\d+: error: rigid_body_problem\.rigid_bodies\[1\]", result.stderr, re.M) and why in result.stderr
        t.check(f"{name}: a dropped collider is exit status 2", result.returncode == 2 and told, shown(result))
        t.check(f"{name}: how to accept it is said, nothing is written", "--lenient" in result.stderr and not (t.folder / f"{name}.yaml").exists(), shown(result))
        result = t.run(*words, "--lenient")
        t.check(f"{name}: --lenient accepts it with a warning", result.returncode == 0 and re.search(rf"^{name}\.json:1:\d+: warning: rigid", result.stderr, re.M), shown(result))
        t.check(f"{name}: the scene without it is sound", t.run("check", f"{name}.yaml").returncode == 0)
    t.write("parts.json", scene([{"mesh": "two.off", "split_components": True, "rotation": [0, 0, 0], "scale": [1, 1, 1]}]))
    t.equal("parts that are boxes need no files", t.run("import", "rigid-ipc", "parts.json").returncode, 0)
    wedge = "OFF\n6 5 0\n0 0 0\n2 0 0\n0 1 0\n0 0 1\n2 0 1\n0 1 1\n3 0 2 1\n3 3 4 5\n4 0 1 4 3\n4 0 3 5 2\n4 1 2 5 4\n"
    t.write("wedge.off", wedge)
    t.write("turned.json", scene([{"mesh": "wedge.off", "type": "kinematic", "angular_velocity": [0, 0, 90]}, {"mesh": "cube.off", "position": [0, 9, 0]}], end=0.02))
    result = t.run("import", "rigid-ipc", "turned.json")
    t.check("a mesh that must be written needs -o", result.returncode == 2 and "expected -o FILE" in result.stderr, shown(result))
    (t.folder / "deep").mkdir()
    result = t.run("import", "rigid-ipc", "turned.json", "-o", "deep/turned.yaml")
    t.check("it is written beside the scene", result.returncode == 0 and (t.folder / "deep/turned_meshes/1-wedge.obj").exists(), shown(result))
    t.equal("and found there", t.run("run", "deep/turned.yaml", "--quiet").returncode, 0)


def faults(t):
    """All at once, each with its place."""
    t.write("cube.off", off([0]))
    t.write("wrong.json", """{
  "timestep": -0.1, "max_time": "long",
  "rigid_body_problem": {
    "gravity": [0, -9.8],
    "rigid_bodies": [
      {"mesh": 3},
      {"mesh": "cube.off", "group_id": "a", "type": "soft", "density": 0},
      {"mesh": "cube.off", "type": "kinematic", "kinematic_poses": [{"position": [0, 0, 0]}, {"position": 1}]}
    ]
  }
}
""")
    result = t.run("import", "rigid-ipc", "wrong.json", "-o", "wrong.yaml")
    told = [line for line in result.stderr.splitlines() if line.startswith("wrong.json")]
    body = "rigid_body_problem.rigid_bodies"
    t.equal("a file of many faults: each is told, with its line and column", (result.returncode, told), (2, [
        "wrong.json:2:15: error: timestep: expected a number > 0, found -0.1",
        'wrong.json:2:33: error: max_time: expected a number, found "long"',
        "wrong.json:4:16: error: rigid_body_problem.gravity: expected three numbers (two-dimensional scenes are not supported), found [0,-9.8]",
        f"wrong.json:6:16: error: {body}[0].mesh: expected the name of a mesh file, found 3",
        f'wrong.json:7:40: error: {body}[1].group_id: expected a whole number, found "a"',
        f'wrong.json:7:53: error: {body}[1].type: expected static, kinematic or dynamic, found "soft"',
        f"wrong.json:7:72: error: {body}[1].density: expected a number > 0, found 0",
        f"wrong.json:8:107: error: {body}[2].kinematic_poses[1].position: expected three numbers (two-dimensional scenes are not supported), found 1",
    ]))
    t.check("... and nothing is written", not (t.folder / "wrong.yaml").exists())
    t.write("gone.json", """{"timestep": 0.1, "max_time": 1, "rigid_body_problem": {"rigid_bodies": [
  {"mesh": "cube.off"},
  {"mesh": "gone.off"}, {"vertices": []}]}}
""")
    result = t.run("import", "rigid-ipc", "gone.json", "-o", "gone.yaml")
    told = [line for line in result.stderr.splitlines() if line.startswith("gone.json:")]
    t.check("what is not supported, or not there, has its place, too", result.returncode == 2 and told[0].startswith(f"gone.json:3:25: error: {body}[2].mesh: the body has no mesh file")
            and told[1].startswith(f'gone.json:3:12: error: {body}[1].mesh: "gone.off" is not in the folders'), shown(result))
    t.write("damaged.json", '{"timestep": 0.1,\n "max_time": }')
    t.equal("damaged JSON: where", t.run("import", "rigid-ipc", "damaged.json").stderr.splitlines()[:1], ["damaged.json:2:14: error: expected a JSON object, found damaged JSON"])


def info_of_off(t):
    t.write("cube.off", off([0]))
    result = t.run("info", "cube.off")
    t.check("info reads OFF", result.returncode == 0 and "closed     volume 1\n" in result.stdout, shown(result))


if __name__ == "__main__":
    support.Tester().finish([sheets, parts_and_motions, refusals, faults, info_of_off])
