#!/usr/bin/env python3
"""The verb that hands runs to other programs: export.

    export_test.py PROGRAM SOURCE_DIR
"""

import base64
import json
import math
import os
import re
import struct
import sys

sys.dont_write_bytecode = True
import cli_support as support
import synthetic_run
from cli_support import shown

ROUND = """stickslip: 1
title: Round and sharp
time: {step: 0.01, end: 0.2, frame: 0.1}
materials: {rubber: {density: 1000, young: 1.0e5, poisson: 0.3}}
bodies:
  - {name: drum, kind: obstacle, shape: {cylinder: {radius: 0.1, height: 0.1}}}
  - {name: ball, kind: deformable, shape: {sphere: 0.1}, resolution: 0.04, material: rubber, position: [0, 1, 0], angular_velocity: [0, 0, 5]}
"""


def prepare(t):
    t.write("slide.yaml", support.SLIDE)
    result = t.run("run", "slide.yaml", "-o", "slide.out", "--quiet", "--set", "contact.friction=0.2")
    t.check("the run slide", result.returncode == 0, shown(result))
    synthetic_run.write(t.folder / "kinds.out")
    synthetic_run.write_passing(t.folder / "passing.out")
    synthetic_run.write_damaged(t.folder / "damaged.out")


class Glb:
    """A .glb file, with the checks that readers make."""

    def __init__(self, path):
        data = path.read_bytes()
        magic, version, length = struct.unpack("<4sII", data[:12])
        assert (magic, version, length) == (b"glTF", 2, len(data)), "header"
        size, kind = struct.unpack("<I4s", data[12:20])
        assert kind == b"JSON" and size % 4 == 0, "first chunk"
        self.json = json.loads(data[20 : 20 + size])
        rest = data[20 + size :]
        size, kind = struct.unpack("<I4s", rest[:8])
        assert kind == b"BIN\0" and size == len(rest) - 8 and size % 4 == 0, "second chunk"
        self.binary = rest[8:]
        assert 0 <= size - self.json["buffers"][0]["byteLength"] < 4, "length of the buffer"
        for number in range(len(self.json["accessors"])):
            self.check(number)

    def values(self, number):
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        letter = {5126: "f", 5125: "I"}[accessor["componentType"]]
        assert view["byteLength"] == accessor["count"] * width * 4 and view["byteOffset"] % 4 == 0, f"view of accessor {number}"
        assert view["byteOffset"] + view["byteLength"] <= len(self.binary), f"accessor {number} ends behind the buffer"
        flat = struct.unpack_from(f"<{accessor['count'] * width}{letter}", self.binary, view["byteOffset"])
        return [flat[i : i + width] for i in range(0, len(flat), width)]

    def check(self, number):
        accessor, values = self.json["accessors"][number], self.values(number)
        for name, pick in (("min", min), ("max", max)):
            if name in accessor:
                assert accessor[name] == [pick(column) for column in zip(*values)], f"{name} of accessor {number}"

    def channel(self, node, path):
        for channel in self.json["animations"][0]["channels"]:
            target = channel["target"]
            if self.json["nodes"][target["node"]]["name"] == node and target["path"] == path:
                sampler = self.json["animations"][0]["samplers"][channel["sampler"]]
                return [v[0] for v in self.values(sampler["input"])], self.values(sampler["output"])
        return None

    def interpolation(self, node, path):
        for channel in self.json["animations"][0]["channels"]:
            if self.json["nodes"][channel["target"]["node"]]["name"] == node and channel["target"]["path"] == path:
                return self.json["animations"][0]["samplers"][channel["sampler"]]["interpolation"]
        return None

    def mesh(self, node):
        number = next(n["mesh"] for n in self.json["nodes"] if n["name"] == node)
        return self.json["meshes"][number]["primitives"][0]


def near(a, b, tolerance=1e-6):
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b))


def export_gltf(t):
    result = t.run("export", "kinds.out", "--to", "gltf", "-o", "kinds.glb")
    t.check("export to gltf", result.returncode == 0, shown(result))
    glb = Glb(t.folder / "kinds.glb")
    times, x = glb.channel("box one", "translation")
    t.check("... times of the frames", near(times, synthetic_run.TIMES), times)
    t.check("... a rigid body moves as a node", all(near(v, synthetic_run.box_pose(s)[0]) for s, v in zip(synthetic_run.TIMES, x)), x)
    _, q = glb.channel("box one", "rotation")
    t.check("... and turns", near(q[3], synthetic_run.body_rows(0.3)[2][2][1:4] + synthetic_run.body_rows(0.3)[2][2][:1]), q)
    local = glb.values(glb.mesh("box one")["attributes"]["POSITION"])
    t.check("... its shape stands in its own frame", sorted(tuple(round(c, 6) for c in p) for p in local) == sorted(synthetic_run.CORNERS), local)
    t.check("... an obstacle with a motion too", glb.channel("ram", "translation") is not None)
    tet = glb.mesh("tet")
    t.equal("... a deforming body has a morph target a frame but the first", len(tet["targets"]), 3)
    rest, last = glb.values(tet["attributes"]["POSITION"]), glb.values(tet["targets"][2]["POSITION"])
    t.check("... that moves its points where they were", all(near([a + b for a, b in zip(p, d)], e) for p, d, e in zip(rest, last, synthetic_run.tet_points(0.3))))
    _, weights = glb.channel("tet", "weights")
    t.equal("... with weights that show one at a time", [w[0] for w in weights], [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
    t.equal("... balls are nodes of their radius", [n["scale"][0] for n in glb.json["nodes"] if n["name"].startswith("grains ")], synthetic_run.RADII)
    t.equal("... particles are points", glb.mesh("sand")["mode"], 0)
    t.check("... flat faces need no normals, balls have them", "NORMAL" not in glb.mesh("box one")["attributes"] and "NORMAL" in glb.mesh("grains 0")["attributes"])
    t.equal("... the title survives", glb.json["scenes"][0]["name"], 'All <kinds> & "more"')
    result = t.run("export", "slide.out", "--to", "gltf", "-o", "slide.glb")
    t.write("round.yaml", ROUND)
    t.run("run", "round.yaml", "-o", "round.out", "--quiet")
    result = t.run("export", "round.out", "--to", "gltf", "-o", "round.glb")
    glb = Glb(t.folder / "round.glb")
    for body in ("ball", "drum"):
        mesh = glb.mesh(body)
        normals, places = (glb.values(mesh["attributes"][what]) for what in ("NORMAL", "POSITION"))
        t.check(f"{body}: a unit normal for every vertex", len(normals) == len(places) and all(abs(math.hypot(*n) - 1) < 1e-6 for n in normals))
    normals, places = (glb.values(glb.mesh("ball")["attributes"][what]) for what in ("NORMAL", "POSITION"))
    middle = [sum(p[a] for p in places) / len(places) for a in range(3)]
    t.check("... those of a soft ball point away from its middle",
            all(sum(n[a] * (p[a] - middle[a]) for a in range(3)) > 0.097 for n, p in zip(normals, places)))
    last = glb.mesh("ball")["targets"][-1]
    turned = [[a + b for a, b in zip(n, d)] for n, d in zip(normals, glb.values(last["NORMAL"]))]
    t.check("... and change with it", all(abs(math.hypot(*n) - 1) < 1e-5 for n in turned) and max(max(map(abs, d)) for d in glb.values(last["NORMAL"])) > 0.1)
    rims = [p for p in glb.values(glb.mesh("drum")["attributes"]["POSITION"]) if abs(abs(p[1]) - 0.05) < 1e-6 and math.hypot(p[0], p[2]) > 0.0999]
    t.check("... rims are sharp: two normals each", len(rims) == 2 * len(set(rims)) and len(rims) > 20, len(rims))
    t.check("a real run is a valid glb", result.returncode == 0 and Glb(t.folder / "slide.glb").mesh("cube")["targets"], shown(result))


def export_usda(t):
    result = t.run("export", "kinds.out", "--to", "usda", "-o", "kinds.usda")
    text = (t.folder / "kinds.usda").read_text()
    t.check("export to usda", result.returncode == 0 and text.startswith("#usda 1.0\n"), shown(result))
    bare = re.sub(r'"(\\.|[^"\\])*"', '""', text)
    t.check("... brackets close", all(bare.count(a) == bare.count(b) for a, b in ("()", "[]", "{}")))
    t.equal("... a prim a body", re.findall(r'def (\w+) "(\w+)"', text),
            [("Xform", "run"), ("Mesh", "floor"), ("Mesh", "ram"), ("Mesh", "box_one"), ("Points", "grains"), ("Points", "sand"), ("Mesh", "tet")])
    t.check("... time codes are frames", "endTimeCode = 3\n" in text and "timeCodesPerSecond = 10\n" in text)
    t.equal("... samples: poses of two, points of three", (text.count("xformOp:transform.timeSamples"), text.count("points.timeSamples")), (2, 3))
    t.equal("... of what never moves one pose", (text.count("xformOp:transform = "), len(re.findall(r"\] points = \[", text))), (1, 3))
    c, s = math.cos(0.6), math.sin(0.6)
    match = re.search(r'"box_one".*?3: \( \((\S+), (\S+), (\S+), 0\), \((\S+), (\S+), (\S+), 0\)', text, re.S)
    t.check("... the last turn, a row an axis", near(list(map(float, match.groups())), [c, s, 0, -s, c, 0]), match.groups())
    match = re.search(r'"box_one".*?3: \( .*?\((\S+), (\S+), (\S+), 1\) \)', text, re.S)
    t.check("... the last pose", near(list(map(float, match.groups())), synthetic_run.box_pose(0.3)[0]), match.groups())


def export_obj(t):
    result = t.run("export", "kinds.out", "--to", "obj", "-o", "objects")
    names = sorted(os.listdir(t.folder / "objects"))
    t.check("export to obj: a file a frame", result.returncode == 0 and names == [f"frame_{i:06d}.obj" for i in range(4)], shown(result))
    text = (t.folder / "objects" / names[3]).read_text()
    vertices = [tuple(map(float, v)) for v in re.findall(r"^v (\S+) (\S+) (\S+)$", text, re.M)]
    faces = [list(map(int, f.split())) for f in re.findall(r"^f (.*)$", text, re.M)]
    t.check("... indices within the vertices", all(1 <= i <= len(vertices) for f in faces for i in f))
    t.equal("... those of the box are its own", sorted({i for f in faces[14:26] for i in f}), list(range(13, 21)))
    t.equal("... objects", re.findall(r"^o (.*)$", text, re.M), ["floor", "ram", "box_one", "grains", "sand", "tet"])
    centre, angle = synthetic_run.box_pose(0.3)
    box = synthetic_run.placed(synthetic_run.CORNERS, centre, angle)
    t.check("... the box stands where the run has it", all(near(a, b, 1e-8) for a, b in zip(vertices[12:20], box)), vertices[12:20])
    t.check("info reads it back", "triangles" in t.run("info", f"objects/{names[3]}").stdout)


def export_passing(t):
    """Spheres that enter and leave are known by their numbers, and seen where they are there."""
    frames = range(len(synthetic_run.TIMES))
    there = {n: [n in present for present in synthetic_run.PRESENT] for n in (7, 9, 10, 12)}
    result = t.run("export", "passing.out", "--to", "gltf", "-o", "passing.glb")
    glb = Glb(t.folder / "passing.glb")
    nodes = {n["name"]: n for n in glb.json["nodes"] if n["name"].startswith("grains ")}
    t.equal("gltf of spheres that come and go: a node of each number", (result.returncode, sorted(nodes)), (0, sorted(f"grains {n}" for n in there)))
    for n, shown_in in there.items():
        name, radius = f"grains {n}", synthetic_run.passer(n, 0)[1]
        _, scale = glb.channel(name, "scale") or (0, [nodes[name]["scale"]] * len(frames))
        t.check(f"... {name} has its radius while it is there and no size otherwise", all(near(s, [radius * now] * 3) for s, now in zip(scale, shown_in)), scale)
        _, x = glb.channel(name, "translation") or (0, [nodes[name]["translation"]] * len(frames))
        seen = [f for f in frames if shown_in[f]]
        held = [min(max(f, seen[0]), seen[-1]) for f in frames]
        t.check(f"... {name} is where it is, waits where it enters and stays where it left", all(near(v, synthetic_run.passer(n, f)[0]) for v, f in zip(x, held)), x)
        t.equal(f"... {name} appears and goes at once", glb.interpolation(name, "scale"), "STEP")
    t.equal("... at first none is seen", [n["scale"] for n in nodes.values()], [[0, 0, 0]] * len(there))

    result = t.run("export", "passing.out", "--to", "usda", "-o", "passing.usda")
    text = (t.folder / "passing.usda").read_text()
    lists = {name: re.findall(r"([\d.]+): \[(.*)\],", samples) for name, samples in re.findall(r"(\w+)\.timeSamples = \{(.*?)\}", text, re.S)}
    values = {name: [value for _, value in samples] for name, samples in lists.items()}
    t.equal("usda: numbers of those that are there", (result.returncode, values["ids"]), (0, ["", "7, 9", "7, 9", "9, 10", "9, 10", "10, 12"]))
    t.equal("... their widths", values["widths"], ["", "0.14, 0.18", "0.14, 0.18", "0.18, 0.2", "0.18, 0.2", "0.2, 0.24"])
    ways = ["", *2 * ["(0.7, 0.75, 0), (0.9, 0.75, 0)"], *2 * ["(0.9, 0.5, 0), (1, 0.5, 0)"], "(1, 0.25, 0), (1.2, 0.25, 0)"]
    t.equal("... and places", values["points"], ways)
    for name in ("ids", "widths", "points"):
        t.equal(f"... {name} of other spheres are not blended, where as many are there", [float(code) for code, _ in lists[name]], [0, 1, 1.999, 2, 2.999, 3])

    result = t.run("export", "passing.out", "--to", "obj", "-o", "passing")
    t.equal("obj: a file a frame", (result.returncode, len(os.listdir(t.folder / "passing"))), (0, len(frames)))
    for f in frames:
        text = (t.folder / f"passing/frame_{f:06d}.obj").read_text()
        vertices = [tuple(map(float, v)) for v in re.findall(r"^v (\S+) (\S+) (\S+)$", text, re.M)]
        balls = [vertices[i : i + 162] for i in range(0, len(vertices), 162)]
        middles = [[sum(c) / len(ball) for c in zip(*ball)] for ball in balls]
        expected = [synthetic_run.passer(n, f)[0] for n in sorted(synthetic_run.PRESENT[f])]
        t.check(f"... frame {f} holds those that are there", len(middles) == len(expected) and all(near(a, b) for a, b in zip(middles, expected)), middles)
    t.check("... and no object without a sphere", "o grains" not in (t.folder / "passing/frame_000000.obj").read_text())


def export_csv(t):
    result = t.run("export", "kinds.out", "--to", "csv", "-o", "tracks.csv")
    t.check("export to csv", result.returncode == 0, shown(result))
    head, *rows = (t.folder / "tracks.csv").read_text().splitlines()
    t.check("... columns of all bodies, a row a frame", head.count(",") == 6 * 13 and len(rows) == 4, head)
    result = t.run("plot", "kinds.out", "tracks.csv", "box one.y")
    t.check("... which plot takes to compare with", result.returncode == 0 and "tracks" in result.stdout, shown(result))


def export_gltf_text(t):
    """The name says which form it is: .gltf is text with the arrays of the .glb in it."""
    result = t.run("export", "passing.out", "--to", "gltf", "-o", "passing.gltf")
    text = json.loads((t.folder / "passing.gltf").read_text())
    head, data = text["buffers"][0].pop("uri").split(",")
    glb = Glb(t.folder / "passing.glb")
    t.equal("export to .gltf: the text of the .glb", (result.returncode, text), (0, glb.json))
    t.equal("... and its arrays", (head, base64.b64decode(data)), ("data:application/octet-stream;base64", glb.binary[: text["buffers"][0]["byteLength"]]))


def export_errors(t):
    for format, name, endings in [("gltf", "x.json", ".glb or .gltf"), ("gltf", "x", ".glb or .gltf"), ("usda", "x.usdc", ".usda or .usd"), ("csv", "x.glb", ".csv"), ("spheres", "x.png", ".csv")]:
        result = t.run("export", "passing.out", "--to", format, "-o", name)
        t.equal(f"{format} into {name}: status 2, what the name ends in", (result.returncode, result.stderr), (2, f"stickslip: error: {name}: expected a name that ends in {endings}\n"))
        t.check("... and no file", not (t.folder / name).exists())
    result = t.run("export", "kinds.out", "--to", "gltff")
    t.check("an unknown format: status 2 and what may be meant", result.returncode == 2 and 'did you mean "gltf"?' in result.stderr, shown(result))
    result = t.run("export", "nowhere.out", "--to", "csv")
    t.check("export of no folder: status 4", result.returncode == 4 and "nowhere.out" in result.stderr, shown(result))
    result = t.run("export", "damaged.out", "--to", "usda")
    t.check("export of damaged frames: status 2, few warnings", result.returncode == 2 and result.stderr.count("\n") <= 13, shown(result))


t = support.Tester()
t.group(prepare)
t.finish([export_gltf, export_usda, export_obj, export_passing, export_gltf_text, export_csv, export_errors])
