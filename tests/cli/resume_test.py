#!/usr/bin/env python3
"""What may change when a run goes on, what may not and what is said then; checkpoints by the clock.

    resume_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import math
import os
import signal
import sys
import time
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

SLIDE = support.SLIDE.replace("frame: 0.035", "frame: 0.05").replace("checkpoint: 0.05", "checkpoint: .inf")
RAIN = """stickslip: 1
time: {step: auto, end: 0.2, frame: 0.02}
solver: {integration: explicit}
materials: {glass: {density: 2500, kn: 1.0e4, restitution: 0.6}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: grains, kind: spheres, material: glass, position: [0, 0.3, 0], fill: {box: [0.3, 0.2, 0.3], count: 100, sizes: {min: 0.01, max: 0.015}}}
output: {contacts: true, checkpoint: .inf, regions: [{name: air, box: {min: [-0.2, 0, -0.2], max: [0.2, 0.4, 0.2]}, spacing: 0.05}]}
"""
EXPECT = """expect:
  - {metric: energy_rise, max: 1}
  - {metric: energy_rise, from: 0.1, max: 1}
  - {metric: max_penetration, max: 1}
  - {metric: max_penetration, from: 0.05, at: 0.2, max: 1}
  - {metric: newton_per_step, max: 100}
  - {metric: failed_solves, max: 0}
  - {metric: status, max: 0}
  - {body: cube, metric: speed, at: 0.2, max: 100}
  - {body: cube, metric: position, at: 0.1, near: [0, 0, 0], within: 100}
  - {body: cube, metric: position, axis: x, at: 0.1, min: -100}
  - {body: cube, metric: contact_force, axis: y, min: -100}
  - {body: cube, metric: slip, from: 0.4, max: 100}
  - {body: cube, metric: max_penetration, from: 0.4, max: 1}
"""
UNKNOWN = """expect:
  - {body: cube, metric: slip, max: 100}
  - {body: cube, metric: contact_force, at: 0.1, max: 100}
  - {body: cube, metric: speed, at: 0.123, max: 100}
"""


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text())


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def times_of(folder):
    return [round(x, 6) for x in sorted({float(row["time"]) for row in rows_of(folder / "bodies.csv")})]


def content(folder):
    """All that a run writes but for clocks: names to bytes."""
    files = {path.name: path.read_bytes() for path in folder.glob("frames/*")}
    for name in ("bodies.csv", "balance.csv", "contacts.csv", "frames.pvd"):
        files[name] = (folder / name).read_bytes()
    files["history.csv"] = "\n".join(line.rpartition(",")[0] for line in (folder / "history.csv").read_text().splitlines())
    return files


def frames_are_whole(t, what, folder):
    root = ElementTree.parse(folder / "frames.pvd").getroot()
    sets = root.find("Collection").findall("DataSet")
    named = {item.attrib["file"] for item in sets}
    t.equal(f"{what}: the frames are those that frames.pvd names", {"frames/" + n for n in os.listdir(folder / "frames")}, named)
    return [round(float(x), 6) for x in sorted({item.attrib["timestep"] for item in sets}, key=float)]


def reference(t):
    t.write("slide.yaml", SLIDE)
    t.write("rain.yaml", RAIN)
    for name in ("slide", "rain"):
        result = t.run("run", f"{name}.yaml", "-o", name, "--threads", 1)
        t.check(f"{name} runs", result.returncode == 0, shown(result))


def resting_obstacle(t):
    for name in ("slide", "rain"):
        files = sorted(n for n in os.listdir(t.folder / name / "frames") if n.startswith("floor"))
        t.equal(f"{name}: a floor at rest is one file", files, ["floor_at_rest.vtp"])
        root = ElementTree.parse(t.folder / name / "frames.pvd").getroot()
        sets = [s.attrib for s in root.find("Collection").findall("DataSet")]
        times = {s["timestep"] for s in sets}
        t.equal("... that every frame names", {s["timestep"] for s in sets if s["file"] == "frames/floor_at_rest.vtp"}, times)
    moved = SLIDE.replace("{normal: [0, 1, 0]}}}", "{normal: [0, 1, 0]}}, motion: {velocity: [0.1, 0, 0]}}")
    t.write("moved.yaml", moved)
    t.run("run", "moved.yaml", "-o", "moved", "--until", 0.1)
    files = sorted(n for n in os.listdir(t.folder / "moved/frames") if n.startswith("floor"))
    t.equal("a floor that moves has a file a frame", files, [f"floor_{i:06d}.vtp" for i in range(3)])
    os.truncate(t.folder / "moved/frames/floor_000001.vtp", 0)
    result = t.run("view", "moved")
    t.check("a frame that a power cut has emptied is left out", result.returncode == 0, shown(result))


def exports(t):
    result = t.run("export", "slide", "--to", "usda", "-o", "slide.usda")
    text = (t.folder / "slide.usda").read_text()
    floor = text[text.index('"floor"') : text.index('"cube"')]
    t.check("usda: a floor at rest has one pose and no samples", result.returncode == 0 and "timeSamples" not in floor and floor.count("xformOp:transform = (") == 1, floor)
    t.check("... the cube has samples", "timeSamples" in text[text.index('"cube"') :])
    result = t.run("export", "slide", "--to", "gltf", "-o", "slide.glb")
    data = (t.folder / "slide.glb").read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    animated = {document["nodes"][c["target"]["node"]]["name"] for c in document["animations"][0]["channels"]}
    t.equal("gltf: what is animated", (result.returncode, animated), (0, {"cube"}))
    result = t.run("export", "slide", "--to", "obj", "-o", "objects")
    last = (t.folder / "objects" / sorted(os.listdir(t.folder / "objects"))[-1]).read_text()
    t.check("obj: the floor is in the last frame", result.returncode == 0 and "o floor\nv " in last, last[:200])
    result = t.run("view", "slide")
    t.check("the replay page takes the folder", result.returncode == 0 and not result.stderr, shown(result))


def killed(t, name):
    """With a checkpoint after every step, by the clock alone."""
    folder = f"{name} killed"
    process = t.start("run", f"{name}.yaml", "-o", folder, "--threads", 1, "--set", "output.checkpoint_seconds=1e-9")
    limit = time.time() + 20
    while time.time() < limit and process.poll() is None and not list((t.folder / folder).glob("checkpoints/*.ckpt")):
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    found = sorted(p.name for p in (t.folder / folder).glob("checkpoints/*.ckpt"))
    t.check(f"{name}: a run killed before its first checkpoint by simulated time has one by the clock", found, found)
    result = t.run("run", f"{name}.yaml", "-o", folder, "--threads", 1, "--resume", "--set", "output.checkpoint_seconds=.inf")
    t.check("... and goes on from it", result.returncode == 0 and "resumed at" in result.stderr, shown(result))
    same(t, "...", t.folder / folder, t.folder / name)
    result = t.run("run", f"{name}.yaml", "-o", f"{name} often", "--threads", 1, "--set", "output.checkpoint_seconds=1e-9")
    same(t, f"{name}: checkpoints after every step change nothing:", t.folder / f"{name} often", t.folder / name)


def same(t, what, folder, expected):
    t.equal(f"{what} the same state", summary_of(folder)["state_hash"], summary_of(expected)["state_hash"])
    a, b = content(folder), content(expected)
    different = sorted(n for n in a.keys() | b.keys() if a.get(n) != b.get(n))
    t.check(f"{what} the same {len(b)} files", not different, different[:8])


def by_the_clock(t):
    killed(t, "slide")
    killed(t, "rain")


def changed_expect(t):
    t.write("expect.yaml", SLIDE + EXPECT)
    whole = t.run("run", "expect.yaml", "-o", "expect whole", "--threads", 1)
    t.check("a scene with all kinds of expectations", whole.returncode == 0, shown(whole))
    t.run("run", "slide.yaml", "-o", "expect", "--threads", 1, "--until", 0.3)
    result = t.run("run", "expect.yaml", "-o", "expect", "--threads", 1, "--resume")
    t.check("--resume takes other expectations", result.returncode == 0 and "warning" not in result.stderr, shown(result))
    found, expected = summary_of(t.folder / "expect")["expect"], summary_of(t.folder / "expect whole")["expect"]
    for a, b in zip(found, expected):
        t.equal(f"... {b['metric']}, {b['bound']}, as of an undisturbed run", a, b)
    t.equal("... all of them", len(found), len(expected))
    t.check("... which are numbers", all(e["value"] is not None for e in found), found)

    t.write("bounds.yaml", SLIDE + EXPECT.replace("failed_solves, max: 0", "failed_solves, max: -1").replace("slip, from: 0.4, max: 100", "slip, from: 0.4, max: 0"))
    steps = summary_of(t.folder / "expect")["steps"]
    result = t.run("run", "bounds.yaml", "-o", "expect", "--resume")
    judged = summary_of(t.folder / "expect")["expect"]
    t.equal("a finished run is judged anew by other bounds", (result.returncode, [i for i, e in enumerate(judged) if not e["holds"]]), (5, [5, 11]))
    t.equal("... by the same values", [e["value"] for e in judged], [e["value"] for e in expected])
    t.equal("... without a step", summary_of(t.folder / "expect")["steps"], steps)


def unknown_before(t):
    t.write("unknown.yaml", SLIDE + UNKNOWN)
    t.run("run", "slide.yaml", "-o", "unknown", "--threads", 1, "--until", 0.3)
    result = t.run("run", "unknown.yaml", "-o", "unknown", "--threads", 1, "--resume")
    for line in [
        "warning: expect: slip of cube: values before 0.3 s are not in the tables; it counts from there",
        "warning: expect: contact_force of cube at 0.1: that time has passed and is not in the tables: the expectation fails",
        "warning: expect: speed of cube at 0.123: that time has passed and is not in the tables: the expectation fails",
    ]:
        t.check(f"said: {line[:60]}", line + "\n" in result.stderr, result.stderr)
    judged = summary_of(t.folder / "unknown")["expect"]
    t.equal("... what is not known does not hold", (result.returncode, [e["holds"] for e in judged]), (5, [True, False, False]))
    t.equal("... and has no value", [e["value"] is None for e in judged], [False, True, True])
    t.check("... what is counted late says from when", abs(judged[0]["counted_from"] - 0.3) < 1e-9, judged[0])
    t.run("run", "slide.yaml", "-o", "gap", "--until", 0.1)
    t.run("run", "unknown.yaml", "-o", "gap", "--resume", "--until", 0.2)
    t.run("run", "slide.yaml", "-o", "gap", "--resume", "--until", 0.4)
    result = t.run("run", "unknown.yaml", "-o", "gap", "--resume", "--until", 0.5)
    t.check("what was watched with a gap is not known", "slip of cube: values before 0.4 s are not" in result.stderr, shown(result))


def changed_expect_of_spheres(t):
    expect = "expect:\n  - {metric: energy_rise, max: 1}\n  - {metric: max_penetration, max: 1}\n  - {body: grains, metric: speed, at: 0.06, max: 100}\n"
    t.write("rain expect.yaml", RAIN + expect)
    t.run("run", "rain expect.yaml", "-o", "rain whole", "--threads", 1)
    t.run("run", "rain.yaml", "-o", "rain expect", "--threads", 1, "--until", 0.1)
    result = t.run("run", "rain expect.yaml", "-o", "rain expect", "--threads", 1, "--resume")
    found, expected = (summary_of(t.folder / n)["expect"] for n in ("rain expect", "rain whole"))
    close = len(found) == 3 and all(math.isclose(a["value"], b["value"], rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(found, expected))
    t.check("spheres: other expectations, as of an undisturbed run", result.returncode == 0 and close, f"{shown(result)}\n{found}\n{expected}")


def changed_output(t):
    hash_of = lambda name: summary_of(t.folder / name)["state_hash"]
    t.run("run", "slide.yaml", "-o", "frames", "--threads", 1, "--until", 0.22)
    result = t.run("run", "slide.yaml", "-o", "frames", "--threads", 1, "--resume", "--set", "time.frame=0.1")
    t.check("--resume takes another interval of frames", result.returncode == 0, shown(result))
    t.equal("... the state is the same", hash_of("frames"), hash_of("slide"))
    times = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6]
    t.equal("... rows of bodies.csv", times_of(t.folder / "frames"), times)
    t.equal("... frames", frames_are_whole(t, "another interval", t.folder / "frames"), times)
    t.equal("... a row a step", len(rows_of(t.folder / "frames/history.csv")), 60)
    t.check("... scene.yaml says what is written now", "frame: 0.1" in (t.folder / "frames/scene.yaml").read_text())

    def go(name, until, *settings):
        words = [w for s in settings for w in ("--set", s)]
        return t.run("run", "slide.yaml", "-o", name, "--threads", 1, "--resume", "--until", until, *words)

    go("switch", 0.2, "output.frames=false", "output.contacts=false")
    for until, settings in ((0.4, []), (0.45, ["output.frames=false", "output.contacts=false"]), (0.6, [])):
        result = go("switch", until, *settings)
        t.check(f"frames and contacts switched, to {until} s", result.returncode == 0, shown(result))
    t.equal("... the state is the same", hash_of("switch"), hash_of("slide"))
    t.equal("... frames where they were on", frames_are_whole(t, "switched", t.folder / "switch"), [0.25, 0.3, 0.35, 0.4, 0.5, 0.55, 0.6])
    contacts = sorted({round(float(r["time"]), 6) for r in rows_of(t.folder / "switch/contacts.csv")})
    t.equal("... contacts likewise", contacts, [0.25, 0.3, 0.35, 0.4, 0.5, 0.55, 0.6])

    go("leftover", 0.2)
    process = t.run("run", "slide.yaml", "-o", "leftover", "--threads", 1, "--resume", "--set", "time.frame=0.01", "--until", 0.6)
    last = sorted((t.folder / "leftover/checkpoints").iterdir())[-1]
    last.unlink() # as if killed after the frames and before the checkpoint
    result = go("leftover", 0.6)
    t.check("frames after the last checkpoint are taken back", result.returncode == 0, shown(result))
    t.equal("... with their files", frames_are_whole(t, "taken back", t.folder / "leftover"), times_of(t.folder / "slide"))

    go("power cut", 0.3)
    os.truncate(t.folder / "power cut/frames.pvd", 0)
    result = go("power cut", 0.6)
    t.check("an empty frames.pvd begins anew and that is said", result.returncode == 0 and "frames.pvd is empty (power cut?): a new one is written" in result.stderr, shown(result))
    t.equal("... the state is the same", hash_of("power cut"), hash_of("slide"))
    root = ElementTree.parse(t.folder / "power cut/frames.pvd").getroot()
    listed = sorted({round(float(s.attrib["timestep"]), 6) for s in root.find("Collection").findall("DataSet")})
    t.equal("... frames from there on", listed, [0.35, 0.4, 0.45, 0.5, 0.55, 0.6])

    t.run("run", "rain.yaml", "-o", "rows", "--threads", 1, "--until", 0.1)
    result = t.run("run", "rain.yaml", "-o", "rows", "--threads", 1, "--resume", "--set", "output.history=0.01")
    t.check("spheres: --resume takes another interval of rows", result.returncode == 0, shown(result))
    t.equal("... the state is the same", hash_of("rows"), hash_of("rain"))
    late = [float(r["time"]) for r in rows_of(t.folder / "rows/history.csv") if float(r["time"]) > 0.1005]
    t.check("... which the rows follow", len(late) == 10 and all(abs(x - 0.11 - 0.01 * i) < 1e-3 for i, x in enumerate(late)), late)


def refused(t):
    def message(folder, changes, exception=""):
        return (
            f"stickslip: error: {folder}: cannot resume: the scene changed ({changes}). "
            f"Only time.end, time.frame, output and expect may change{exception}; use --force to start over\n"
        )

    for name, setting, changes, exception in [
        ("slide", "bodies.cube.velocity=[2, 0, 0.2]", "`bodies.cube.velocity`: was [1.0, 0.0, 0.2], is [2.0, 0.0, 0.2]", ""),
        ("slide", "contact.friction=0.3", "`contact.friction`: was 0.2, is 0.3", ""),
        ("slide", "bodies.floor.motion={velocity: [1, 0, 0]}", "`bodies.floor.motion` was added", ""),
        ("rain", "output.energy=false", "`output.energy`: was true, is false", "; not output.energy, since the balance starts with the run"),
    ]:
        before = content(t.folder / name)
        result = t.run("run", f"{name}.yaml", "-o", name, "--resume", "--set", setting)
        t.equal(f"{setting}: refused in words", (result.returncode, result.stderr), (2, message(name, changes, exception)))
        t.check("... and nothing is touched", content(t.folder / name) == before)
    gate = RAIN + "outlets:\n  - {name: hole, box: {min: [-1, -1, -1], max: [0, 0.02, 1]}}\n"
    t.write("gate.yaml", gate)
    t.run("run", "gate.yaml", "-o", "gate", "--until", 0.05)
    result = t.run("run", "gate.yaml", "-o", "gate", "--resume", "--set", "output.history=0.005")
    t.equal(
        "rows at which spheres leave may not change",
        (result.returncode, result.stderr),
        (2, message("gate", "`output.history`: was 0.001, is 0.005", "; not output.history with inlets or outlets, which act once per row")),
    )
    result = t.run("run", "gate.yaml", "-o", "gate", "--resume", "--set", "output.contacts=false")
    t.check("... other output may", result.returncode == 0, shown(result))


if __name__ == "__main__":
    support.Tester().finish(
        [reference, resting_obstacle, exports, by_the_clock, changed_expect, unknown_before, changed_expect_of_spheres, changed_output, refused]
    )
