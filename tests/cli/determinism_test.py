#!/usr/bin/env python3
"""A run gives the same bytes with any number of threads, and when it was killed, stopped and resumed on the way.

    determinism_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

# Long enough to be hit by signals. The last frame is not on the grid of frames; a checkpoint falls on the end.
SCENE = (
    support.SLIDE.replace("end: 0.6, frame: 0.035", "end: 1.2, frame: 0.045")
    .replace("resolution: 0.05", "resolution: 0.02")
    .replace("velocity: [1, 0, 0.2]", "velocity: [1, 0, 0.2]\n    angular_velocity: [0, 3, 2]")
    .replace("checkpoint: 0.05", "checkpoint: 0.1")
)
TABLES = ["bodies.csv", "balance.csv", "contacts.csv", "frames.pvd", "scene.yaml"]


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text())


def content(folder):
    """What must not depend on how a run came about: names to bytes."""
    files = {name: (folder / name).read_bytes() for name in TABLES}
    files.update({"frames/" + path.name: path.read_bytes() for path in (folder / "frames").iterdir()})
    with open(folder / "history.csv", newline="") as table:
        rows = [row[:-1] for row in csv.reader(table)]
    files["history.csv without wall"] = "\n".join(map(",".join, rows)).encode()
    return files


def same(t, what, folder, reference):
    found, expected = summary_of(folder), summary_of(reference)
    t.equal(f"{what}: state_hash", found["state_hash"], expected["state_hash"])
    keys = "status steps simulated_time newton_iterations krylov_iterations failed_solves max_penetration friction_loss expect".split()
    t.equal(f"{what}: counts of the summary", {k: found[k] for k in keys}, {k: expected[k] for k in keys})
    a, b = content(folder), content(reference)
    different = sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))
    t.check(f"{what}: {len(b)} files byte by byte", not different, f"different, missing or too many: {different[:10]}")


def rigid_bodies(t):
    """Boxes and balls that fall into a bin: contacts between bodies come and go, solves are halved."""
    scene = t.source / "scenes/pile.yaml"
    extra = ["--set", "time.end=1", "--set", "output.contacts=true", "--quiet"]
    for count in (1, 2):
        result = t.run("run", scene, "-o", f"pile-{count}", "--threads", count, *extra)
        t.check(f"rigid bodies, --threads {count}", result.returncode == 0, shown(result))
    same(t, "rigid bodies, two threads", t.folder / "pile-2", t.folder / "pile-1")
    t.run("run", scene, "-o", "pile-resumed", "--until", 0.6, *extra)
    result = t.run("run", scene, "-o", "pile-resumed", "--resume", *extra)
    t.check("rigid bodies, resumed", result.returncode == 0, shown(result))
    same(t, "rigid bodies, stopped and resumed", t.folder / "pile-resumed", t.folder / "pile-1")


def material_points(t):
    """Snow between a wedge and a box that it pushes; a liquid that meets a box and three walls."""
    for name, end, half in (("snowball", 0.08, 0.04), ("dam_break", 0.18, 0.15)):
        scene = t.source / f"scenes/{name}.yaml"
        extra = ["--set", f"time.end={end}", "--set", "output.contacts=true", "--set", "expect=[]", "--quiet"]
        for count in (1, 2):
            result = t.run("run", scene, "-o", f"{name}-{count}", "--threads", count, *extra)
            t.check(f"{name}, --threads {count}", result.returncode == 0, shown(result))
        same(t, f"{name}, two threads", t.folder / f"{name}-2", t.folder / f"{name}-1")
        t.run("run", scene, "-o", f"{name}-resumed", "--until", half, *extra)
        result = t.run("run", scene, "-o", f"{name}-resumed", "--resume", *extra)
        t.check(f"{name}, resumed", result.returncode == 0, shown(result))
        same(t, f"{name}, stopped and resumed", t.folder / f"{name}-resumed", t.folder / f"{name}-1")


def balls_on_triangles(t):
    """Marbles that meet an open mesh, a solid and each other, balls that meet a sheet."""
    for name, end, half in (("marbles", 0.6, 0.35), ("balls_on_sheet", 0.7, 0.45)):
        scene = t.source / f"scenes/{name}.yaml"
        extra = ["--set", f"time.end={end}", "--set", "output.contacts=true", "--quiet"]
        for count in (1, 2):
            result = t.run("run", scene, "-o", f"{name}-{count}", "--threads", count, *extra)
            t.check(f"{name}, --threads {count}", result.returncode in (0, 5), shown(result))
        same(t, f"{name}, two threads", t.folder / f"{name}-2", t.folder / f"{name}-1")
        t.run("run", scene, "-o", f"{name}-resumed", "--until", half, *extra)
        t.run("run", scene, "-o", f"{name}-resumed", "--resume", *extra)
        same(t, f"{name}, stopped and resumed", t.folder / f"{name}-resumed", t.folder / f"{name}-1")


def threads(t):
    t.write("scene.yaml", SCENE)
    for count in (1, 2):
        result = t.run("run", "scene.yaml", "-o", f"threads-{count}", "--threads", count, "--quiet")
        t.check(f"--threads {count} runs", result.returncode == 0, shown(result))
    t.check("the scene has contacts", len((t.folder / "threads-1/contacts.csv").read_text().splitlines()) > 20)
    same(t, "2 threads as 1", t.folder / "threads-2", t.folder / "threads-1")
    t.equal("the summary says how many", [summary_of(t.folder / f"threads-{n}")["threads"] for n in (1, 2)], [1, 2])


def start_and_stop(t, folder, resume, signal_number, steps):
    """Starts or resumes a run, sends a signal after about so many more steps; returns exit status, stdout, stderr."""
    process = t.start("run", "scene.yaml", "-o", folder, "--threads", 1, *(["--resume"] if resume else []))
    delay = t.seconds_a_step * steps
    try:
        out, err = process.communicate(timeout=delay)
    except subprocess.TimeoutExpired:
        process.send_signal(signal_number)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def random_moments(t):
    reference = t.folder / "threads-1"
    total = summary_of(reference)
    t.seconds_a_step = total["wall_time"] / total["steps"]
    random.seed(7)
    for name, number, status in [("SIGKILL", signal.SIGKILL, -9), ("SIGINT", signal.SIGINT, 130), ("SIGTERM", signal.SIGTERM, 130)]:
        folder, stops, others = t.folder / name, 0, []
        for attempt in range(40):
            code, out, err = start_and_stop(t, folder.name, attempt > 0, number, random.uniform(5, 0.4 * total["steps"]) + 3)
            if code == 0:
                break
            stops += 1
            if code != status:
                others.append((code, out, err))
            elif status == 130 and (not re.search(r"^continue with: stickslip run scene\.yaml .*--resume$", out, re.M)):
                others.append((code, out, err))
            elif status == 130 and (summary_of(folder)["status"] != "interrupted" or not out.startswith("interrupted: ")):
                others.append((code, out, summary_of(folder)))
        early = [o for o in others if o[0] in (-2, -15)]  # before the run had begun: ends as any program
        others = [o for o in others if o not in early]
        t.check(f"{name}: the run was stopped on the way", stops > len(early), f"{stops} times, {len(early)} before it began")
        t.check(f"{name}: exit status {status} and how to go on", not others, others[:2])
        t.check(f"{name}: resumed, it comes to its end", code == 0, (code, out, err))
        same(t, f"{name}, {stops} times", folder, reference)
        left = [str(p.relative_to(folder)) for p in folder.rglob("*.tmp-*")]
        t.check(f"{name}: no temporary file is left", not left, left)


def until(t):
    reference = t.folder / "threads-1"
    for number in (0, 0.003, 0.37, 0.8):
        result = t.run("run", "scene.yaml", "-o", "until", "--until", number, "--quiet", *(["--resume"] if number else []))
        t.check(f"--until {number}", result.returncode == 0, shown(result))
    found = summary_of(t.folder / "until")
    t.check("--until stops at the first step at or after its time", abs(found["simulated_time"] - 0.8) < 1e-9, found["simulated_time"])
    with open(t.folder / "until/bodies.csv", newline="") as table:
        last = list(csv.DictReader(table))[-1]
    t.equal("... and writes the last state", float(last["time"]), found["simulated_time"])
    again = t.run("run", "scene.yaml", "-o", "until", "--until", 0.8, "--quiet", "--resume")
    with open(t.folder / "until/bodies.csv", newline="") as table:
        rows = list(csv.DictReader(table))
    t.check("... once, also when that is said again", again.returncode == 0 and [r for r in rows[-2:]] == [rows[-2], last], rows[-3:])
    result = t.run("run", "scene.yaml", "-o", "until", "--resume", "--quiet")
    t.check("--resume after --until", result.returncode == 0, shown(result))
    same(t, "--until and --resume", t.folder / "until", reference)
    result = t.run("run", "scene.yaml", "-o", "until-end", "--until", 1.2, "--quiet")
    t.check("--until the scene's own end", result.returncode == 0, shown(result))
    same(t, "--until the end", t.folder / "until-end", reference)
    result = t.run("run", "scene.yaml", "-o", "until-end", "--resume", "--quiet")
    t.check("... and --resume", result.returncode == 0, shown(result))
    same(t, "--until the end and --resume", t.folder / "until-end", reference)


def finished(t):
    reference = t.folder / "threads-1"
    shutil.copytree(reference, t.folder / "finished")
    result = t.run("run", "scene.yaml", "-o", "finished", "--resume")
    t.check("--resume of a finished run", result.returncode == 0 and result.stdout.startswith("done: 120 steps"), shown(result))
    same(t, "a finished run resumed", t.folder / "finished", reference)
    t.equal("... costs no time", summary_of(t.folder / "finished")["steps"], summary_of(reference)["steps"])


def damaged(t):
    reference = t.folder / "threads-1"
    folder = t.folder / "damaged"
    t.run("run", "scene.yaml", "-o", "damaged", "--until", 0.85, "--quiet")
    first, last = sorted((folder / "checkpoints").iterdir())
    for name, harm, reason in [
        ("cut off", lambda b: b[: len(b) // 2], "the file is cut off: expected "),
        ("empty", lambda b: b"", "the file is cut off"),
        ("altered", lambda b: b[:200] + bytes([b[200] ^ 1]) + b[201:], "the file is damaged: its checksum is wrong"),
        ("replaced", lambda b: b"hello world, this is text", "not a checkpoint"),
    ]:
        copy = t.folder / f"damaged {name}"
        shutil.copytree(folder, copy)
        path = copy / "checkpoints" / last.name
        path.write_bytes(harm(path.read_bytes()))
        result = t.run("run", "scene.yaml", "-o", copy.name, "--resume", "--quiet")
        t.check(f"last checkpoint {name}: goes on from the one before", result.returncode == 0, shown(result))
        line = f"warning: checkpoint left out: {copy.name}/checkpoints/{last.name}: {reason}"
        t.check("... and says so, quiet or not", line in result.stderr, result.stderr)
        log = (copy / "log.txt").read_text()
        t.check("... also in log.txt", line in log and f"step {int(first.stem[5:])}\n" in log, log[-400:])
        same(t, f"last checkpoint {name}", copy, reference)
    copy = t.folder / "damaged both"
    shutil.copytree(folder, copy)
    for path in (copy / "checkpoints").iterdir():
        path.write_bytes(b"")
    result = t.run("run", "scene.yaml", "-o", copy.name, "--resume", "--quiet")
    t.check(
        "both checkpoints damaged: starts again and says so",
        result.returncode == 0 and "warning: no usable checkpoint: the run starts from the beginning" in result.stderr,
        shown(result),
    )
    same(t, "both checkpoints damaged", copy, reference)
    copy = t.folder / "checkpoints gone"
    shutil.copytree(folder, copy)
    for path in (copy / "checkpoints").iterdir():
        path.unlink()
    result = t.run("run", "scene.yaml", "-o", copy.name, "--resume", "--quiet")
    said = f"warning: no checkpoint in {copy.name}/checkpoints: the run starts from the beginning"
    t.check("no checkpoints any more: starts again and says so", result.returncode == 0 and said in result.stderr, shown(result))
    result = t.run("run", "scene.yaml", "-o", "never begun", "--resume", "--quiet")
    t.check("... but not where no run was", result.returncode == 0 and result.stderr == "", shown(result))


def lost_files(t):
    folder = t.folder / "damaged"
    for name in ("history.csv", "frames.pvd"):
        copy = t.folder / f"without {name}"
        shutil.copytree(folder, copy)
        (copy / name).unlink()
        result = t.run("run", "scene.yaml", "-o", copy.name, "--resume")
        t.check(
            f"--resume without {name}: exit status 4 and its name", result.returncode == 4 and name in result.stderr, shown(result)
        )


def other_scene(t):
    t.write("changed.yaml", SCENE.replace("friction: 0.2", "friction: 0.3"))
    def message(friction):
        return (
            f"stickslip: error: damaged: cannot resume: the scene changed (`contact.friction`: was 0.2, is {friction}). "
            "Only time.end, time.frame, output and expect may change; use --force to start over\n"
        )

    before = content(t.folder / "damaged")
    for what, arguments, friction in [
        ("a changed scene", ["changed.yaml"], 0.3),
        ("--set", ["scene.yaml", "--set", "contact.friction=0.21"], 0.21),
    ]:
        result = t.run("run", *arguments, "-o", "damaged", "--resume")
        t.equal(f"--resume with {what}: refused", (result.returncode, result.stdout, result.stderr), (2, "", message(friction)))
    t.equal("... and nothing is touched", content(t.folder / "damaged") == before, True)
    t.write("comment.yaml", "# the same\n" + SCENE)
    result = t.run("run", "comment.yaml", "-o", "damaged", "--resume", "--until", 0.9)
    t.check("--resume with another comment goes on", result.returncode == 0, shown(result))
    shutil.rmtree(t.folder / "damaged/checkpoints")
    before = (t.folder / "damaged/history.csv").read_bytes()
    result = t.run("run", "changed.yaml", "-o", "damaged", "--resume", "--until", 0.01)
    t.equal("--resume with a changed scene and no checkpoint: refused", (result.returncode, result.stderr), (2, message(0.3)))
    t.check("... and nothing is touched", (t.folder / "damaged/history.csv").read_bytes() == before)


def mesh_changed(t):
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    t.write("part.msh", support.msh(corners, [(1, 2, 3, 4)]))
    text = SCENE.replace("shape: {box: [0.1, 0.1, 0.1]}", "shape: {mesh: {file: part.msh, scale: 0.1}}")
    t.write("mesh.yaml", text.replace("    resolution: 0.02\n", ""))
    result = t.run("run", "mesh.yaml", "-o", "mesh", "--until", 0.1, "--quiet")
    t.check("a scene with a mesh runs", result.returncode == 0, shown(result))
    result = t.run("run", "mesh/scene.yaml", "-o", "mesh", "--resume", "--until", 0.2, "--quiet")
    t.check("--resume with the run folder's own scene.yaml goes on", result.returncode == 0, shown(result))
    t.write("part.msh", support.msh(corners[:3] + [(0, 0, 1.1)], [(1, 2, 3, 4)]))
    result = t.run("run", "mesh.yaml", "-o", "mesh", "--resume")
    t.check("--resume with another mesh: refused", result.returncode == 2 and "the file inputs/part.msh changed" in result.stderr, shown(result))


def resume_of_nothing(t):
    result = t.run("run", "scene.yaml", "-o", "fresh", "--resume", "--quiet")
    t.check("--resume where there is nothing starts", result.returncode == 0, shown(result))
    same(t, "--resume of nothing", t.folder / "fresh", t.folder / "threads-1")


if __name__ == "__main__":
    support.Tester().finish(
        [threads, rigid_bodies, material_points, balls_on_triangles, random_moments, until, finished, damaged, lost_files, other_scene, mesh_changed, resume_of_nothing]
    )
