#!/usr/bin/env python3
"""The run folder, the exit statuses and the words of the command line, as docs/run_folder.md promises them.

    run_folder_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

SUMMARY_KEYS = (
    "status version title steps simulated_time end wall_time newton_iterations krylov_iterations descent_steps evaluations divided_steps failed_solves max_contact_depth "
    "max_penetration audited_states passing friction_loss peak_memory_bytes threads state_hash tolerance seconds largest_energy_error largest_energy_rise "
    "largest_momentum_error inverted_elements contact expect warnings"
).split()
STAGES = {"evaluation", "assembly", "linear_solve", "balance", "output"}
VERBS = ["run", "sweep", "view", "check", "example", "info", "import", "schema", "check-derivatives", "completion", "manual"]
FLOAT = r"-?(nan|inf|\d+(\.\d+)?(e[+-]\d+)?)"


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text())


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def good_run(t):
    scene = t.source / "scenes" / "twist.yaml"
    result = t.run("run", scene, "-o", "twist", "--set", "time.end=0.3", "--set", "output.contacts=true", "--threads", 1)
    t.check("a shipped scene runs with exit status 0", result.returncode == 0, shown(result))
    lines = result.stdout.splitlines()
    t.check(
        "stdout: the result, where the frames are, where the summary is, how to see it",
        len(lines) == 4
        and re.fullmatch(
            r"done: 30 steps, 0\.3 s simulated in \S+ s, \d+\.\d\d Newton iterations per step, 0 failed solves, 1 of 1 expectations hold",
            lines[0],
        )
        and lines[1:] == ["frames: twist/frames.pvd", "summary: twist/summary.json", "see it: stickslip view twist"],
        result.stdout,
    )
    progress = r"t \S+ of 0\.3 s  step \d+  newton \d+  gmres \d+  contacts \d+ \(\d+ stick\)  \S+ steps/s  .+ left"
    lines = result.stderr.splitlines()
    t.check(
        "stderr: progress in a few plain lines",
        1 <= len(lines) <= 12 and all(re.fullmatch(progress, line) for line in lines),
        result.stderr,
    )


def files(t):
    folder = t.folder / "twist"
    expected = "balance.csv bodies.csv checkpoints contacts.csv frames frames.pvd history.csv inputs log.txt pairs.csv reactions.csv scene.yaml solves.csv summary.json walls.csv"
    t.equal("the run folder holds what the documentation lists, and nothing else", sorted(os.listdir(folder)), expected.split())
    for name, header in [
        ("history.csv", support.HISTORY),
        ("bodies.csv", support.BODIES),
        ("balance.csv", support.BALANCE),
        ("contacts.csv", support.CONTACTS),
        ("solves.csv", support.SOLVES),
        ("walls.csv", support.LOADS),
        ("reactions.csv", support.LOADS),
        ("pairs.csv", support.PAIRS),
    ]:
        lines = (folder / name).read_text().split("\n")
        t.equal(f"{name}: header", lines[0], header)
        columns = header.count(",")
        t.check(
            f"{name}: every row is whole and every number a number",
            len(lines) > 2 and lines[-1] == "" and all(line.count(",") == columns for line in lines[1:-1]),
            lines[-2:],
        )
        words = {"status", "body", "point_body", "surface_body", "state", "pair"}
        wrong = [
            f"{key}={value}"
            for row in rows_of(folder / name)
            for key, value in row.items()
            if key not in words and not re.fullmatch(FLOAT, value)
        ]
        t.check(f"{name}: numbers as written by a program, none missing", not wrong, wrong[:5])
    values = [row["kinetic_energy"] for row in rows_of(folder / "history.csv")]
    t.check("history.csv: doubles come back bit by bit (17 digits)", all(f"{float(v):.17g}" == v for v in values), values[:3])
    digits = [len(re.sub(r"e.*|\D", "", v).lstrip("0")) for v in values]
    t.check("history.csv: most numbers have 16 or 17 digits", sorted(digits)[len(digits) // 2] >= 16, digits)
    t.check("frames and checkpoints are not empty", all(os.listdir(folder / name) for name in ("frames", "checkpoints")))
    t.check("checkpoints: two at most", len(os.listdir(folder / "checkpoints")) <= 2, os.listdir(folder / "checkpoints"))
    log = (folder / "log.txt").read_text()
    t.check("log.txt: mesh and stiffness", "bar: " in log and "tetrahedra" in log and "contact stiffness" in log, log)
    left = [str(path) for path in folder.rglob("*.tmp-*")]
    t.check("no temporary file is left", not left, left)


def tables_agree(t):
    folder = t.folder / "twist"
    summary = summary_of(folder)
    history, bodies = rows_of(folder / "history.csv"), rows_of(folder / "bodies.csv")
    t.equal("history.csv has one row a step", len(history), summary["steps"])
    t.check(
        "history.csv: contacts = sticking + sliding",
        all(int(r["contacts"]) == int(r["sticking"]) + int(r["sliding"]) for r in history),
    )
    t.equal("summary counts the Newton iterations of history.csv", sum(int(r["newton"]) for r in history), summary["newton_iterations"])
    t.equal("summary counts the GMRES iterations of history.csv", sum(int(r["krylov"]) for r in history), summary["krylov_iterations"])
    solves = rows_of(folder / "solves.csv")
    t.equal("solves.csv has one row a step where none fails", len(solves), summary["steps"])
    for column, key in [("newton", "newton_iterations"), ("krylov", "krylov_iterations"), ("evaluations", "evaluations"), ("descent_steps", "descent_steps")]:
        t.equal(f"summary counts the {column} of solves.csv", sum(int(r[column]) for r in solves), summary[key])
    t.equal("the last row of history.csv is at the time of the summary", float(history[-1]["time"]), summary["simulated_time"])
    times = sorted({float(row["time"]) for row in bodies})
    t.equal("bodies.csv: one row a body a frame", [row["body"] for row in bodies], ["roller", "bar"] * len(times))
    t.check("bodies.csv: first and last state are there", (times[0], times[-1]) == (0, summary["simulated_time"]), times)
    grid = [0.04 * i for i in range(8)] + [0.3]
    t.check(
        "bodies.csv: frames at the first step at or after their time",
        len(times) == len(grid) and all(abs(a - b) < 1e-6 for a, b in zip(times, grid)),
        times,
    )
    t.check(
        "bodies.csv: rotations are unit quaternions",
        all(abs(sum(float(r[k]) ** 2 for k in ("qw", "qx", "qy", "qz")) - 1) < 1e-12 for r in bodies),
    )


def summary(t):
    found = summary_of(t.folder / "twist")
    t.equal("summary.json: keys", list(found), SUMMARY_KEYS)
    t.equal("summary.json: seconds by stage", set(found["seconds"]), STAGES)
    t.equal("summary.json: status", found["status"], "done")
    t.equal("summary.json: threads", found["threads"], 1)
    t.check("summary.json: state_hash is 32 hexadecimal digits", re.fullmatch("[0-9a-f]{32}", found["state_hash"]), found["state_hash"])
    t.equal("summary.json: an entry for the expectation", found["expect"], [{"metric": "status", "bound": "max 0", "value": 0.0, "holds": True}])
    version = t.run("--version")
    t.equal("summary.json: version is that of --version", version.stdout, f"stickslip {found['version']}\n")


def frames(t):
    folder = t.folder / "twist"
    root = ElementTree.parse(folder / "frames.pvd").getroot()
    sets = root.find("Collection").findall("DataSet")
    named = {item.attrib["file"] for item in sets}
    on_disk = {"frames/" + name for name in os.listdir(folder / "frames")}
    t.equal("frames.pvd names the files that are there", sorted(named), sorted(on_disk))
    times = sorted({float(item.attrib["timestep"]) for item in sets})
    t.equal("frames.pvd has the times of bodies.csv", times, sorted({float(r["time"]) for r in rows_of(folder / "bodies.csv")}))
    reader = t.source / "tests" / "files" / "read_vtk_check.py"
    result = subprocess.run([sys.executable, reader, *(folder / n for n in sorted(named))], capture_output=True, encoding="utf-8")
    t.check("every frame is a valid VTK file", result.returncode == 0, result.stderr)
    arrays = {line.split()[1] for line in result.stdout.splitlines()}
    expected = {"displacement", "velocity", "volume_ratio", "von_mises_stress", "force", "normal", "sticks"}
    t.check("frames hold the documented arrays", expected <= arrays, sorted(expected - arrays))


def rerun(t):
    folder = t.folder / "twist"
    result = t.run("run", "scene.yaml", "-o", "../again", "--quiet", cwd=folder)
    t.check("scene.yaml of the run folder runs", result.returncode == 0, shown(result))
    t.equal("... to the same state_hash", summary_of(t.folder / "again")["state_hash"], summary_of(folder)["state_hash"])
    t.equal("... and to the same scene.yaml", (t.folder / "again/scene.yaml").read_text(), (folder / "scene.yaml").read_text())


def own_inputs(t):
    vertices = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    t.write("source/part.msh", support.msh(vertices, [(1, 2, 3, 4)]))
    t.write(
        "source/mesh.yaml",
        support.SLIDE.replace("shape: {box: [0.1, 0.1, 0.1]}", "shape: {mesh: {file: part.msh, scale: 0.1}}")
        .replace("    resolution: 0.05\n", "")
        .replace("end: 0.6", "end: 0.1"),
    )
    result = t.run("run", "source/mesh.yaml", "-o", "moved", "--quiet")
    t.check("a scene with a mesh runs", result.returncode == 0, shown(result))
    shutil.rmtree(t.folder / "source")
    before = summary_of(t.folder / "moved")["state_hash"]
    (t.folder / "moved").rename(t.folder / "elsewhere")
    result = t.run("run", "elsewhere/scene.yaml", "-o", "third", "--quiet")
    t.check("its run folder runs again, moved and without the source", result.returncode == 0, shown(result))
    t.equal("... to the same state_hash", summary_of(t.folder / "third")["state_hash"], before)
    result = t.run("run", "elsewhere/scene.yaml", "-o", "elsewhere", "--force", "--quiet")
    t.check("--force in the scene's own run folder", result.returncode == 0, shown(result))
    t.check("... keeps the inputs it runs from", (t.folder / "elsewhere/inputs/part.msh").is_file())


def refusal(t):
    scene = t.write("slide.yaml", support.SLIDE)
    result = t.run("run", scene.name)
    t.check("without -o the run folder is SCENE.out", result.returncode == 0 and (t.folder / "slide.out").is_dir(), shown(result))
    before = (t.folder / "slide.out/summary.json").read_bytes()
    result = t.run("run", scene.name)
    t.equal("a folder that holds a run is refused: exit status", result.returncode, 2)
    t.equal(
        "... message",
        result.stderr,
        "stickslip: error: slide.out: expected a new or empty folder, found a run; use --resume to continue it or --force to replace it\n",
    )
    warned = t.run("check", scene.name, "--set", "contact.stiffness=1e-6").stderr
    again = t.run("run", scene.name, "--set", "contact.stiffness=1e-6").stderr
    t.check("... before the scene's warnings", "warning" in warned and again == result.stderr, warned + again)
    t.equal("... nothing is touched", (t.folder / "slide.out/summary.json").read_bytes(), before)
    t.write("slide.out/notes.txt", "mine")
    result = t.run("run", scene.name, "--force", "--until", 0.1, "--quiet")
    t.check("--force replaces the run", result.returncode == 0 and summary_of(t.folder / "slide.out")["end"] == 0.1, shown(result))
    t.check("... and leaves other files alone", (t.folder / "slide.out/notes.txt").read_text() == "mine")
    t.write("taken/notes.txt", "mine")
    result = t.run("run", scene.name, "-o", "taken", "--until", 0.02)
    t.check("a folder with other files only is accepted", result.returncode == 0, shown(result))


def contents(folder):
    return {str(file.relative_to(folder)): hash(file.read_bytes()) for file in sorted(folder.rglob("*")) if file.is_file()}


def what_is_not_of_a_run(t):
    """A run writes over what runs wrote, and over nothing else: not over the scene that is run, however it is named."""
    commented = "# mine\n" + support.SLIDE.replace("end: 0.6", "end: 0.02")
    foreign = "expected a new or empty folder, or one of a run, found {}, which no run wrote; choose another folder"

    def refused(what, arguments, folder, words):
        before = contents(t.folder / folder)
        result = t.run("run", *arguments, "--quiet")
        t.check(f"refused: {what}", result.returncode == 2 and words in result.stderr, shown(result))
        t.equal("... nothing is touched", contents(t.folder / folder), before)

    t.write("own/scene.yaml", commented)
    (t.folder / "link").symlink_to("own")
    (t.folder / "link.yaml").symlink_to("own/scene.yaml")
    for more in ([], ["--force"], ["--resume"]):
        for scene, folder in (("own/scene.yaml", "own"), ("own/../own/scene.yaml", "link"), ("link.yaml", "./own/.")):
            words = f"{folder}/scene.yaml: expected a scene outside of the run folder" if more else f"{folder}: " + foreign.format("scene.yaml")
            refused(f"{scene} -o {folder} {more}", [scene, "-o", folder, *more], "own", words)
    t.write("thesis/bodies.csv", "mine")
    t.write("thesis/frames/thesis.txt", "mine")
    t.write("mine.yaml", commented)
    for more in ([], ["--force"], ["--resume"]):
        refused(f"a folder of others {more}", ["mine.yaml", "-o", "thesis", *more], "thesis", "thesis: " + foreign.format("bodies.csv"))
    t.write("table/history.csv", "time,height\n")
    refused("a table of another name", ["mine.yaml", "-o", "table", "--force"], "table", "table: " + foreign.format("history.csv"))
    t.write("only/mine.yaml", commented)
    result = t.run("run", "only/mine.yaml", "-o", "only", "--quiet")
    t.check("a folder with the scene under another name is accepted", result.returncode == 0, shown(result))
    result = t.run("run", "only/mine.yaml", "-o", "only", "--force", "--quiet")
    t.check("... and replaced", result.returncode == 0, shown(result))
    t.equal("... but for the scene", (t.folder / "only/mine.yaml").read_text(), commented)
    t.write("only/frames/thesis.txt", "mine")
    refused("others beside frames", ["only/mine.yaml", "-o", "only", "--force"], "only", "only: expected nothing but what runs write, found frames/thesis.txt, which no run wrote; ")
    (t.folder / "only/frames/thesis.txt").unlink()
    t.write("only/inputs/part.obj", "mine")
    refused("others beside inputs", ["only/mine.yaml", "-o", "only", "--force"], "only", "found inputs/part.obj, which no run wrote")
    (t.folder / "only/inputs/part.obj").unlink()
    recorded = t.folder / "only/scene.yaml"
    recorded.write_text("# mine now\n" + recorded.read_text())
    for more in (["--force"], ["--resume"]):
        refused(f"the scene of a run that was edited {more}", ["only/scene.yaml", "-o", "only", *more], "only", "only/scene.yaml: expected a scene outside of the run folder, found the one that is run")
    t.write("swept/sweep.csv", "contact.friction\n0.1\n")
    result = t.run("sweep", "swept/sweep.csv", "mine.yaml", "-o", "swept", "--quiet")
    t.check("refused: a sweep over its own table", result.returncode == 2 and "swept/sweep.csv: expected a table outside of the folder" in result.stderr, shown(result))
    t.equal("... nothing is touched", contents(t.folder / "swept"), {"sweep.csv": hash(b"contact.friction\n0.1\n")})


def quiet(t):
    result = t.run("run", "slide.yaml", "-o", "quiet", "--quiet", "--until", 0.1)
    t.equal("--quiet: a good run prints nothing", (result.returncode, result.stdout, result.stderr), (0, "", ""))
    result = t.run("run", "slide.yaml", "-o", "quiet", "--quiet", "--resume")
    t.equal("--quiet: a good run that is resumed prints nothing", (result.returncode, result.stdout, result.stderr), (0, "", ""))


def gave_up(t):
    result = t.run(
        "run", t.source / "scenes/incline.yaml", "-o", "gave-up", "--set", "solver.max_newton=1", "--set", "time.min_step=0.009"
    )
    t.equal("exit status 3 when the solver gives up", result.returncode, 3)
    t.check("... stdout says failed", result.stdout.startswith("failed: "), result.stdout)
    t.check(
        "... stderr says when, why, and the smallest step",
        re.search(r"^t = \S+ s: solve with dt = 0\.01 s did not converge \(.+ after \d+ iterations in \d tries, residual .+ m/s\); half the step$", result.stderr, re.M)
        and re.search(r"^t = \S+ s: gave up: the solver needs a step below 0\.009 s$", result.stderr, re.M),
        result.stderr,
    )
    folder = t.folder / "gave-up"
    t.equal("... status in the summary", summary_of(folder)["status"], "failed")
    t.check("... the complaints are in log.txt", "gave up" in (folder / "log.txt").read_text())
    ElementTree.parse(folder / "frames.pvd")
    t.check("... what is there stays valid", (folder / "history.csv").read_text().endswith("\n"))
    failed = summary_of(folder)["failed_solves"]
    again = t.run("run", t.source / "scenes/incline.yaml", "-o", "gave-up", "--resume", "--set", "solver.max_newton=1", "--set", "time.min_step=0.009")
    t.equal("... giving up at the same step again", (again.returncode, failed > 0), (3, True))
    t.equal("... does not count its failed solves twice", summary_of(folder)["failed_solves"], failed)


def expectation(t):
    t.write("hope.yaml", support.SLIDE + "expect:\n  - {body: cube, metric: speed, min: 1000}\n  - {metric: status, max: 0}\n")
    result = t.run("run", "hope.yaml", "--until", 0.6)
    t.equal("exit status 5 when an expectation does not hold", result.returncode, 5)
    t.check("... stdout counts them", "1 of 2 expectations hold" in result.stdout, result.stdout)
    t.check(
        "... stderr says which and what was found",
        re.search(r"^hope\.yaml: expect: cube speed: expected min 1000, got \S+$", result.stderr, re.M),
        result.stderr,
    )
    expect = summary_of(t.folder / "hope.out")["expect"]
    t.equal("... holds in the summary", [e["holds"] for e in expect], [False, True])
    t.check(
        "... metric, bound, value in the summary",
        (expect[0]["body"], expect[0]["metric"], expect[0]["bound"]) == ("cube", "speed", "min 1000") and expect[0]["value"] < 10,
        expect[0],
    )


def expectation_of_a_stop(t):
    t.write("stop.yaml", support.SLIDE + "expect:\n  - {body: cube, metric: speed, min: 1000}\n  - {body: cube, metric: speed, at: 0.2, max: 1000}\n")
    result = t.run("run", "stop.yaml", "--until", 0.1)
    t.equal("stopped before its end, nothing is judged yet", (result.returncode, summary_of(t.folder / "stop.out")["expect"]), (0, []))
    result = t.run("run", "stop.yaml", "--resume", "--until", 0.3)
    expect = summary_of(t.folder / "stop.out")["expect"]
    t.equal("... but what was due", (result.returncode, [e["holds"] for e in expect]), (0, [True]))
    result = t.run("run", "stop.yaml", "--resume")
    t.equal("... and at the end the rest", result.returncode, 5)


def interrupted(t):
    t.write("long.yaml", support.SLIDE.replace("end: 0.6", "end: 1000"))
    process = t.start("run", "long.yaml", "--set", "title=Long way", "-o", "long run")
    history = t.folder / "long run/history.csv"
    limit = time.time() + 20
    while time.time() < limit and not (history.exists() and list((t.folder / "long run/checkpoints").glob("*.ckpt"))):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    t.equal("exit status 130 when interrupted", process.returncode, 130)
    t.equal("... status in the summary", summary_of(t.folder / "long run")["status"], "interrupted")
    line = [text for text in out.splitlines() if text.startswith("continue with: ")]
    t.equal("... stdout says how to go on", line, ["continue with: stickslip run long.yaml -o 'long run' --set 'title=Long way' --resume"])
    if line:
        command = line[0].replace("continue with: stickslip", '"$0"') + " --quiet --until 0.01"
        result = subprocess.run(["sh", "-c", command, t.program], cwd=t.folder, env=t.environment, capture_output=True, encoding="utf-8")
        t.check("... and that command goes on", result.returncode == 0, shown(result))


def version_and_help(t):
    result = t.run("--version")
    t.check("--version", result.returncode == 0 and re.fullmatch(r"stickslip \d+\.\d+\.\d+\n", result.stdout) and not result.stderr, shown(result))
    result = t.run("--help")
    t.check("--help lists every verb", result.returncode == 0 and all(re.search(rf"^  {v} ", result.stdout, re.M) for v in VERBS), result.stdout)
    statuses = ["0 done", "1 internal error", "2 invalid", "3 the", "4 a file cannot be read or written", "5 an expectation", "130 interrupted"]
    t.check("--help says what the exit statuses mean", all(s in " ".join(result.stdout.split()) for s in statuses), result.stdout)
    for verb in VERBS:
        result = t.run(verb, "--help")
        t.check(
            f"{verb} --help with an example",
            result.returncode == 0 and f"Example: stickslip {verb}" in result.stdout and not result.stderr,
            shown(result),
        )


def bad_flags(t):
    run = ["run", "slide.yaml", "-o", "never"]
    for what, arguments, message in [
        ("no verb", [], "expected a command"),
        ("an unknown verb", ["simulate", "slide.yaml"], None),
        ("no scene", ["run"], "expected SCENE: scene file (YAML or JSON)"),
        ("an unknown flag", [*run, "--fast"], "unknown option --fast"),
        ("two scenes", ["run", "slide.yaml", "slide.yaml"], None),
        ("--threads 0", [*run, "--threads", "0"], '--threads: expected a whole number from 1 to 1024, got "0"'),
        ("--threads many", [*run, "--threads", "many"], None),
        ("--until -1", [*run, "--until", "-1"], '--until: expected a time of 0 s or more, got "-1"'),
        ("--until soon", [*run, "--until", "soon"], '--until: expected a time of 0 s or more, got "soon"'),
        ("--until nan", [*run, "--until", "nan", "--set", "time.end=0.1"], '--until: expected a time of 0 s or more, got "nan"'),
        ("--until inf", [*run, "--until", "inf"], '--until: expected a time of 0 s or more, got "inf"'),
        ("--resume with --force", [*run, "--resume", "--force"], None),
        ("--set without a value", [*run, "--set"], None),
    ]:
        try:
            result = t.run(*arguments, timeout=5)
        except subprocess.TimeoutExpired:
            t.check(f"{what}: ends at once", False)
            continue
        lines = result.stderr.splitlines()
        good = result.returncode == 2 and not result.stdout and lines and lines[0].startswith("stickslip: error: ")
        if good and message:
            good = lines[0] == "stickslip: error: " + message
        t.check(f"{what}: exit status 2 and one line that says why", good, shown(result))
    t.check("bad flags make no run folder", not (t.folder / "never").exists())


def example(t):
    result = t.run("example")
    names = [line.split()[0] for line in result.stdout.splitlines()]
    shipped = sorted(path.stem for path in (t.source / "scenes").glob("*.yaml"))
    t.check("example lists scenes that are shipped", result.returncode == 0 and names and set(names) <= set(shipped), shown(result))
    for name in names:
        result = t.run("example", name)
        t.equal(f"example {name} prints the shipped scene", result.stdout, (t.source / "scenes" / f"{name}.yaml").read_text())
    result = t.run("example", names[0], "-o", "example.yaml")
    text = (t.folder / "example.yaml").read_text()
    t.check("example -o writes it", (result.returncode, result.stdout) == (0, "") and text == t.run("example", names[0]).stdout)
    (t.folder / "example.yaml").write_text(text + "# mine\n")
    result = t.run("example", names[0], "-o", "example.yaml")
    t.check("example -o keeps an edited file", result.returncode != 0 and "other contents" in result.stderr
            and (t.folder / "example.yaml").read_text().endswith("# mine\n"), result.stderr)
    result = t.run("check", "example.yaml")
    t.check("... and check finds it good", result.returncode == 0 and result.stdout.endswith("example.yaml: ok\n"), shown(result))
    result = t.run("example", "nothing")
    t.check("an unknown example: exit status 2", result.returncode == 2 and '"nothing"' in result.stderr and not result.stdout, shown(result))


def schema_and_check(t):
    result = t.run("schema")
    schema = json.loads(result.stdout)
    t.check("schema is a JSON Schema", result.returncode == 0 and "json-schema.org" in schema["$schema"] and '"bodies"' in result.stdout)
    for scene in sorted((t.source / "scenes").glob("*.yaml")):
        full = t.run("check", scene, "--full", cwd=scene.parent)
        t.check(f"check --full {scene.name}", full.returncode == 0 and full.stdout.startswith("stickslip: 1\n"), shown(full))
        copy = t.write("full.yaml", full.stdout)
        text = t.run("check", copy, "--full", cwd=scene.parent)
        if "file:" in full.stdout:  # its files are named relative to it
            shutil.copytree(scene.parent / "meshes", t.folder / "meshes", dirs_exist_ok=True)
            text = t.run("check", copy, "--full")
        t.equal("... reads back as it is", text.stdout, full.stdout)
    result = t.run("check", "slide.yaml")
    t.check("check: notes and ok on stdout", result.returncode == 0 and result.stdout.splitlines()[-1] == "slide.yaml: ok", shown(result))
    result = t.run("check", "slide.yaml", "--set", "time.step=-1")
    t.check("check of a faulty scene: exit status 2, nothing on stdout", result.returncode == 2 and result.stdout == "", shown(result))
    result = t.run("check-derivatives", "slide.yaml", "--set", "time.end=0.2")
    t.check("check-derivatives: ok", result.returncode == 0 and result.stdout.endswith("slide.yaml: ok\n"), shown(result))


def info(t):
    result = t.run("info", "slide.yaml")
    expected = ["A small cube slides on a floor", "0.6 s in steps of 0.01 s", "floor (obstacle)", "cube (deformable)", "tetrahedra"]
    t.check("info of a scene", result.returncode == 0 and all(e in result.stdout for e in expected), shown(result))
    side = range(9)
    phi = " ".join(f"{max(abs(0.1 * i - 0.4), abs(0.1 * j - 0.4), abs(0.1 * k - 0.4)) - 0.25:.4f}" for k in side for j in side for i in side)
    t.write("cube.vti", '<VTKFile type="ImageData"><ImageData WholeExtent="0 8 0 8 0 8" Origin="1 0 0" Spacing="0.1 0.1 0.1">'
            '<Piece Extent="0 8 0 8 0 8"><PointData><DataArray type="Float32" Name="phi" format="ascii">' + phi
            + "</DataArray></PointData></Piece></ImageData></VTKFile>")
    result = t.run("info", "cube.vti")
    expected = ["distances  9 x 9 x 9 points, spacing 0.1, -0.25 to 0.15", "box        [1, 0, 0] to [1.8, 0.8, 0.8]", "closed     volume 0.1"]
    t.check("info of a sampled distance", result.returncode == 0 and all(e in result.stdout for e in expected), shown(result))
    result = t.run("info", "twist")
    found = summary_of(t.folder / "twist")
    t.check(
        "info of a run folder",
        result.returncode == 0 and found["state_hash"] in result.stdout and ": 30 steps in " in result.stdout,
        shown(result),
    )
    lines = dict(line.split(None, 1) for line in result.stdout.splitlines() if not line.startswith((" ", "body")))
    t.equal("... in words", (lines["run"], lines["status"]), (found["title"], "done"))
    t.check("... its frames and tables", re.match(r"\d+ from 0 to ", lines["frames"]) and "history" in lines["tables"].split(", "), result.stdout)
    t.write("two.yaml", support.SLIDE.replace("output:", "expect: [{metric: status, max: 0}, {body: cube, metric: speed, min: 0.3}]\noutput:"))
    t.run("run", "two.yaml", "--set", "time.end=0.1", "--quiet")
    result = t.run("info", "two.out")
    t.check("... its expectations", re.search(r"^expect     2 of 2 hold\n           holds status: 0, expected max 0\n           holds speed of cube: 0\.\d+, expected min 0.3$", result.stdout, re.M), shown(result))
    summary = summary_of(t.folder / "two.out")
    summary["expect"][1]["value"] = summary["friction_loss"] = 3e-17
    (t.folder / "two.out/summary.json").write_text(json.dumps(summary))
    result = t.run("info", "two.out")
    t.check("... round-off as 0", "speed of cube: 0, expected" in result.stdout and " m, 0 J lost by friction" in result.stdout, shown(result))
    (t.folder / "two.out/summary.json").unlink()
    result = t.run("info", "two.out")
    t.check("info of a run that was killed", result.returncode == 0 and "status     unfinished\ntime       0.1 s so far\n" in result.stdout, shown(result))
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    t.write("one.msh", support.msh(corners, [(1, 2, 3, 4)]))
    result = t.run("info", "one.msh")
    expected = ["4 nodes, 1 tetrahedra", "size 1 x 1 x 1", "defects    none", "volume     0.166667"]
    t.check("info of a tetrahedral mesh", result.returncode == 0 and all(e in result.stdout for e in expected), shown(result))
    t.write("one.obj", support.obj(corners, [(1, 3, 2), (1, 2, 4), (1, 4, 3), (2, 3, 4)]))
    result = t.run("info", "one.obj")
    t.check("info of a closed surface", result.returncode == 0 and "closed     volume 0.166667" in result.stdout, shown(result))
    faces = [(1, 3, 2), (1, 2, 4), (1, 4, 3), (2, 3, 4)]
    t.write("twice.obj", support.obj(corners + corners, faces + [tuple(v + 4 for v in face) for face in faces]))
    result = t.run("info", "twice.obj")
    t.check("info of a shell given twice: exit status 2 and the triangles", result.returncode == 2 and "volume is enclosed twice (8): triangle 0" in result.stdout, shown(result))
    t.write("open.obj", support.obj(corners, [(1, 3, 2), (1, 2, 4), (1, 4, 3)]))
    result = t.run("info", "open.obj")
    t.check("info of an open surface: exit status 2 and the edges", result.returncode == 2 and "open edges (3)" in result.stdout, shown(result))
    for what, path in [("a missing file", "missing.obj"), ("a folder without a run", "cache-of-none"), ("a missing scene", "no.yaml"), ("a missing run folder", "no.out")]:
        (t.folder / "cache-of-none").mkdir(exist_ok=True)
        result = t.run("info", path)
        t.check(f"info of {what}: exit status 4", result.returncode == 4 and len(result.stderr.splitlines()) == 1, shown(result))


def without_frames(t):
    t.write("bare.yaml", support.SLIDE)
    run = ["run", "bare.yaml", "--quiet", "--set", "output.frames=false"]
    t.run(*run, "-o", "bare-whole", "--until", 0.1)
    t.run(*run, "-o", "bare", "--until", 0.05)
    result = t.run(*[word for word in run if word != "--quiet"], "-o", "bare-told", "--until", 0.01)
    t.check("a run without frames does not say how to see them", "see it" not in result.stdout and "frames:" not in result.stdout and "summary:" in result.stdout, shown(result))
    result = t.run("view", "bare-told")
    t.check("... and its page says that it has none", result.returncode == 0 and "no frames: the page shows tables alone" in result.stderr, shown(result))
    result = t.run(*run, "-o", "bare", "--until", 0.1, "--resume")
    t.equal("a run without frames is resumed", (result.returncode, result.stderr), (0, ""))
    hashes = [json.loads((t.folder / name / "summary.json").read_text())["state_hash"] for name in ("bare-whole", "bare")]
    t.equal("... to the same state", hashes[1], hashes[0])


def full_output(t):
    if not pathlib.Path("/dev/full").exists():
        print("skipped results that cannot be written: no /dev/full")
        return
    t.run("run", "slide.yaml", "-o", "shown", "--until", 0.02, "--quiet")
    for arguments in (["schema"], ["example"], ["check", "slide.yaml", "--full"], ["info", "slide.yaml"], ["info", "shown"], ["--help"]):
        with open("/dev/full", "w") as full:
            result = t.run(*arguments, stdout=full)
        t.check(f"{' '.join(arguments)}: exit status 4 when stdout is full", result.returncode == 4, shown(result))


def unusual_names(t):
    t.write("a folder/a scene é.yaml", support.SLIDE)
    result = t.run("run", "a folder/a scene é.yaml", "--until", 0.02, "--quiet")
    t.check("spaces and accents in names", result.returncode == 0 and (t.folder / "a folder/a scene é.out/frames.pvd").is_file(), shown(result))
    full = t.run("check", "slide.yaml", "--full", "--set", "bodies.cube.name=5 < 6 & \"q\", x")
    t.write("odd.yaml", full.stdout or "")
    if full.returncode == 0:
        result = t.run("run", "odd.yaml", "--until", 0.02, "--quiet")
        t.check("a body's name with XML, CSV and YAML signs runs", result.returncode == 0, shown(result))
        ElementTree.parse(t.folder / "odd.out/frames.pvd")
        names = {row["body"] for row in rows_of(t.folder / "odd.out/bodies.csv")}
        t.equal("... and comes back from bodies.csv", names, {"floor", '5 < 6 & "q", x'})
    else:
        t.check("a body's name with XML, CSV and YAML signs is refused in words", full.returncode == 2 and full.stderr, shown(full))


if __name__ == "__main__":
    support.Tester().finish(
        [good_run, files, tables_agree, summary, frames, rerun, own_inputs, refusal, what_is_not_of_a_run, quiet, gave_up, expectation, expectation_of_a_stop, interrupted]
        + [version_and_help, bad_flags, example, schema_and_check, info, without_frames, full_output, unusual_names]
    )
