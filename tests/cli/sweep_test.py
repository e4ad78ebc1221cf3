#!/usr/bin/env python3
"""Many runs of one scene: stickslip sweep.

    sweep_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import os
import signal
import sys
import time

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

SCENE = """stickslip: 1
title: A box slides on a floor
time: {step: 0.01, end: 0.3, frame: 0.1}
contact: {friction: 0.2}
materials: {wood: {density: 700}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: cube, kind: rigid, shape: {box: [0.1, 0.1, 0.1]}, material: wood, position: [0, 0.05, 0], velocity: [1, 0, 0]}
expect: [{body: cube, metric: speed, axis: x, max: 0.8}]
"""
TABLE = """# how fast it is after 0.3 s
contact.friction , bodies.cube.velocity
0.05,
0.12,"[2, 0, 0]"

,
0.5 ,"[0.5, 0, 0]"
"""


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def runs_every_row(t):
    t.write("box.yaml", SCENE)
    t.write("a/table.csv", TABLE)
    result = t.run("sweep", "a/table.csv", "box.yaml", "--result", "friction_loss", "--result", "expect[0].value", "--result", "gone")
    t.equal("exit status: that of the first row that failed", result.returncode, 5)
    t.equal("stdout: how many, and where", result.stdout, "2 of 4 runs done, 2 failed\ntable: a/table.out/sweep.csv\n")
    t.check("stderr: a line for every run that ends", result.stderr.count("runs ended") == 4, result.stderr)
    t.check("stderr: what a run says, with its name", "001: box.yaml: expect: cube speed x: expected max 0.8" in result.stderr, result.stderr)
    t.check("stderr: a result that is nowhere", 'error: --result: no summary has "gone"' in result.stderr, result.stderr)
    rows = rows_of(t.folder / "a/table.out/sweep.csv")
    t.equal("sweep.csv: names", [r["name"] for r in rows], ["001", "002", "003", "004"])
    t.equal("sweep.csv: values as in the table", [r["bodies.cube.velocity"] for r in rows], ["", "[2, 0, 0]", "", "[0.5, 0, 0]"])
    t.equal("sweep.csv: exit statuses", [r["exit"] for r in rows], ["5", "5", "0", "0"])
    t.equal("sweep.csv: expectations", [r["expectations_held"] for r in rows], ["0 of 1", "0 of 1", "1 of 1", "1 of 1"])
    for row, friction, start in zip(rows, (0.05, 0.12, 0.2, 0.5), (1, 2, 1, 0.5)):
        speed = max(0, start - friction * 9.81 * 0.3)
        t.check(f"sweep.csv: the speed of {row['name']} is that of the closed form", abs(float(row["expect[0].value"]) - speed) < 1e-3, row)
        summary = json.loads((t.folder / "a/table.out" / row["name"] / "summary.json").read_text())
        for key in ("state_hash", "friction_loss", "steps"):
            t.equal(f"sweep.csv: {key} of {row['name']} is that of its summary", row[key], str(summary[key]) if key != "friction_loss" else f"{summary[key]:.17g}")
    t.equal("nothing else is left", sorted(os.listdir(t.folder / "a/table.out")), ["001", "002", "003", "004", "sweep.csv"])
    alone = t.run("run", "box.yaml", "-o", "alone", "--set", "contact.friction=0.12", "--set", "bodies.cube.velocity=[2, 0, 0]")
    summary = json.loads((t.folder / "alone/summary.json").read_text())
    t.equal("a row is the run with these overrides", (alone.returncode, summary["state_hash"]), (5, rows[1]["state_hash"]))


def names_results_once(t):
    t.write("one.csv", "name,time.end\nonly,0.1\n")
    columns = []
    for results in (["steps", "friction_loss", "time.end", "name", "title", "exit", "friction_loss"], ["friction_loss", "title"]):
        result = t.run("sweep", "one.csv", "box.yaml", "--force", "--quiet", *[word for r in results for word in ("--result", r)])
        with open(t.folder / "one.out/sweep.csv", newline="") as file:
            columns.append(next(csv.reader(file)))
    t.equal("a result named twice, or there anyway, is one column", columns[0], columns[1])
    t.equal("... and no column is there twice", sorted(set(columns[0])), sorted(columns[0]))
    t.write("held.csv", "contact.friction\n0.5\n")
    t.equal("a result that no summary has is a fault", t.run("sweep", "held.csv", "box.yaml", "--quiet", "--result", "gone").returncode, 2)


def goes_on(t):
    table = t.folder / "a/table.csv"
    ages = [os.stat(t.folder / f"a/table.out/{n}/summary.json").st_mtime_ns for n in ("001", "004")]
    before = (t.folder / "a/table.out/sweep.csv").read_text().splitlines()
    table.write_text(TABLE + "1.5,\n")
    result = t.run("sweep", "a/table.csv", "box.yaml", "--jobs", 1)
    t.equal("a row more: stdout", result.stdout, "3 of 5 runs done, 2 failed, 4 of them earlier\ntable: a/table.out/sweep.csv\n")
    after = [os.stat(t.folder / f"a/table.out/{n}/summary.json").st_mtime_ns for n in ("001", "004")]
    t.equal("rows that have ended are not run again", after, ages)
    found = [line.split(",")[: line.count(",")] for line in (t.folder / "a/table.out/sweep.csv").read_text().splitlines()]
    t.equal("... and their lines stay", [line[0] for line in found], ["name", "001", "002", "003", "004", "005"])
    t.check("... with their figures", before[1].split(",")[5] in (t.folder / "a/table.out/sweep.csv").read_text(), before)
    table.write_text(TABLE.replace("0.12", "0.13"))
    result = t.run("sweep", "a/table.csv", "box.yaml")
    expected = 'a/table.csv:4:1: error: a/table.out/002 holds a run of another scene (its scene.yaml differs); --force replaces it\n0.12,"[2'
    t.equal("a row that has changed is refused", (result.returncode, result.stderr[: len(expected)]), (2, expected.replace("0.12", "0.13")))
    result = t.run("sweep", "a/table.csv", "box.yaml", "--force", "--quiet")
    t.check("... and replaced with --force; --quiet tells failures alone", result.returncode == 5 and result.stdout == "" and "ended" not in result.stderr, shown(result))
    t.equal("... which runs it", rows_of(t.folder / "a/table.out/sweep.csv")[1]["contact.friction"], "0.13")


def names_its_faults(t):
    broken = 'name,contact.fricton,time.end,time.end\na,1,2,3\na,"2,1,1\n../b,1,-1,2\nx,1,1\nx,1,1,1\n'
    t.write("broken.csv", broken)
    result = t.run("sweep", "broken.csv", "box.yaml")
    places = [line.split(": error: ")[0] for line in result.stderr.splitlines() if ": error: " in line]
    expected = ["broken.csv:1:31", "broken.csv:3:3", "broken.csv:3:3", "broken.csv:4:1", "broken.csv:5:5"]
    t.equal("faults of the table, all at once, with their places", (result.returncode, places), (2, expected))
    t.write("wrong.csv", 'name,contact.fricton,time.end\na,1,-2\nb,,x\nc,,0.004\n')
    result = t.run("sweep", "wrong.csv", "box.yaml")
    faults = [line for line in result.stderr.splitlines() if ": error: " in line]
    t.check(
        "faults of the values, at their fields",
        result.returncode == 2
        and faults[:2]
        == [
            "wrong.csv:2:5: error: time.end: expected a number > 0, got -2",
            'wrong.csv:2:3: error: contact.fricton: unknown key; did you mean "friction"?',
        ]
        and faults[2].startswith("wrong.csv:3:4: error: time.end: ")
        and faults[3].startswith("wrong.csv:4:4: error: time.end: "),
        result.stderr,
    )
    t.check("... and nothing is run", not (t.folder / "wrong.out").exists())
    t.write("variable.yaml", SCENE.replace("friction: 0.2", 'friction: {expr: "2*mu"}').replace("contact:", "variables: {mu: 0.1, spare: 1}\ncontact:"))
    t.write("variable.csv", "variables.Mu\n0\n")
    result = t.run("sweep", "variable.csv", "variable.yaml")
    expected = 'variable.csv:2:1: error: variables.Mu: no variable "Mu"; did you mean "mu"?'
    t.check("a variable that the scene does not have", result.returncode == 2 and expected in result.stderr, shown(result))
    t.check("... and one that nothing uses is a warning of check", "variable.yaml:4:29: warning: variables.spare: not used by any expression" in t.run("check", "variable.yaml").stderr)
    t.write("taken.csv", "contact.friction\n0.1\n0.3\n")
    result = t.run("sweep", "taken.csv", "variable.yaml", "--quiet")
    t.check("a column that takes the only use of a variable away is not told of", result.returncode == 0 and "variables.mu" not in result.stderr and "variables.spare" in result.stderr, shown(result))
    result = t.run("check", "variable.yaml", "--set", "contact.friction=0.1")
    t.check("... nor an override", result.returncode == 0 and "variables.mu" not in result.stderr and "variables.spare" in result.stderr, shown(result))
    result = t.run("check", "variable.yaml", "--set", "contact.friction=0.1", "--set", "variables.mu=0.3")
    t.check("... but one of the variable, which has no effect then, is", "warning: variables.mu: not used" in result.stderr or "--set variables.mu: warning: not used" in result.stderr, shown(result))
    t.write("empty.csv", "# nothing\n")
    result = t.run("sweep", "empty.csv", "box.yaml")
    t.equal("an empty table", (result.returncode, result.stderr), (2, "empty.csv: error: expected a header and a row for each run, found none\n"))
    result = t.run("sweep", "gone.csv", "box.yaml")
    t.equal("a table that is not there", (result.returncode, result.stderr), (4, "stickslip: error: cannot read gone.csv: No such file or directory\n"))


def begun(t, table):
    """A sweep of still.yaml whose row `long` goes on."""
    sweep = t.start("sweep", f"{table}.csv", "still.yaml", "--jobs", 1, "--threads", 1)
    history = t.folder / f"{table}.out/long/history.csv"
    for _ in range(3000):
        if history.exists() and history.stat().st_size > 0:
            break
        time.sleep(0.01)
    return sweep


def stops_and_goes_on(t):
    t.write("long.csv", "name,contact.friction,time.end\nshort,0.3,0.1\nlong,0.3,60\nlater,0.3,0.1\n")
    t.write("still.yaml", SCENE.split("expect")[0])
    sweep = begun(t, "long")
    sweep.send_signal(signal.SIGTERM)
    sweep.communicate(timeout=60)
    t.equal("a signal stops the sweep with 130", sweep.returncode, 130)
    rows = rows_of(t.folder / "long.out/sweep.csv")
    t.equal("... what has ended is in the table, what has not begun is not", [(r["exit"], r["status"]) for r in rows], [("0", "done"), ("130", "interrupted"), ("", "")])
    result = t.run("sweep", "long.csv", "still.yaml", "--threads", 1, "--set-nothing")
    t.equal("unknown options are refused", result.returncode, 2)
    result = t.run("sweep", "long.csv", "still.yaml", "--threads", 1)
    rows = rows_of(t.folder / "long.out/sweep.csv")
    t.equal("it goes on", (result.returncode, [r["exit"] for r in rows]), (0, ["0", "0", "0"]))
    t.check("... from the checkpoint", "resumed at" in (t.folder / "long.out/long/log.txt").read_text())
    alone = t.run("run", "still.yaml", "-o", "undisturbed", "--set", "contact.friction=0.3", "--set", "time.end=60", "--quiet")
    summary = json.loads((t.folder / "undisturbed/summary.json").read_text())
    t.equal("... to the state of an undisturbed run", (alone.returncode, rows[1]["state_hash"]), (0, summary["state_hash"]))


def is_alone_in_its_folder(t):
    t.write("two.csv", "name,time.end\nlong,60\nshort,0.1\n")
    first = begun(t, "two")
    second = t.run("sweep", "two.csv", "still.yaml")
    expected = "stickslip: error: two.out: expected a folder that no run writes into, found a run or sweep that goes on in it; stop that first\n"
    t.equal("a second sweep into a folder is refused", (second.returncode, second.stderr), (2, expected))
    t.check("... and leaves the first alone", first.poll() is None and (t.folder / "two.out/long.stderr").exists())
    first.kill()
    first.communicate(timeout=60)
    again = t.run("sweep", "two.csv", "still.yaml", "--threads", 1)
    rows = rows_of(t.folder / "two.out/sweep.csv")
    t.equal("the runs of a sweep that was killed do not go on: it can be begun anew at once", (again.returncode, [r["exit"] for r in rows]), (0, ["0", "0"]))


support.Tester().finish([runs_every_row, names_results_once, goes_on, names_its_faults, stops_and_goes_on, is_alone_in_its_folder])
