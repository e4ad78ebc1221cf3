#!/usr/bin/env python3
"""A step that takes long: what is said meanwhile, and how it is ended.

    long_step_test.py PROGRAM SOURCE_DIR
"""

import json
import re
import signal
import sys
import time

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

# Many seconds a step on any machine: small iterations of a stiff block by a preconditioner that does not suit it.
SCENE = """stickslip: 1
title: A fine stiff block lands
time: {step: 0.01, end: 0.1}
solver: {preconditioner: block_jacobi, tolerance: 1.0e-9}
materials: {steel: {density: 1000, young: 1.0e9, poisson: 0.45}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: block, kind: deformable, material: steel, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.0125, position: [0, 0.101, 0], velocity: [1, -2, 0]}
"""
WITHIN = r"t 0 of 0\.1 s  step 1 for \d+ s  try \d+  iteration \d+(?: and \d+ of descents)?  residual \d\.\de[+-]\d\d m/s"


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text())


def interrupted(t):
    t.write("block.yaml", SCENE)
    process = t.start("run", "block.yaml", "--threads", 1)
    line = process.stderr.readline().rstrip("\n")
    t.check("a step that takes longer than a second says where it is", re.fullmatch(WITHIN, line), line)
    began = time.time()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    print(f"        stopped after {time.time() - began:.2f} s")
    t.equal("Ctrl-C ends it: exit status", process.returncode, 130)
    t.check("... stdout says how to go on", "continue with: stickslip run block.yaml" in out, out)
    t.check("... no line an iteration", len(err.splitlines()) <= 3, err)
    found = summary_of(t.folder / "block.out")
    t.equal("... status, steps", (found["status"], found["steps"]), ("interrupted", 0))
    t.check("... what was spent is counted", found["evaluations"] > 0 and found["seconds"]["linear_solve"] > 0, found)
    t.check("... a checkpoint is there", list((t.folder / "block.out/checkpoints").glob("*.ckpt")))


def limited(t):
    t.write("limited.yaml", SCENE.replace("tolerance:", "max_seconds: 0.2, tolerance:"))
    result = t.run("run", "limited.yaml", "--threads", 1)
    t.equal("solver.max_seconds ends a step: exit status", result.returncode, 3)
    message = r"^limited\.yaml: t = 0 s: gave up: step 1 took longer than solver\.max_seconds = 0\.2 s; residual \S+ m/s, tolerance 1e-09 m/s$"
    t.check("... which scene, time, step, how far it came", re.search(message, result.stderr, re.M), shown(result))
    found = summary_of(t.folder / "limited.out")
    t.equal("... status, steps", (found["status"], found["steps"]), ("failed", 0))
    t.equal("... the state is as it was", found["state_hash"], summary_of(t.folder / "block.out")["state_hash"])
    result = t.run("run", "limited.yaml", "--resume", "--threads", 1, "--set", "solver.max_seconds=0.1")
    t.check("... going on with another limit is allowed", result.returncode == 3 and "max_seconds = 0.1 s" in result.stderr, shown(result))


if __name__ == "__main__":
    support.Tester().finish([interrupted, limited])
