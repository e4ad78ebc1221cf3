#!/usr/bin/env python3
"""What work costs: stickslip bench. Figures are there and add up; no time is asserted.

    bench_test.py PROGRAM SOURCE_DIR
"""

import json
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

BOX = """stickslip: 1
title: A box slides on a floor
time: {step: 0.01, end: 0.2, frame: 0.1}
contact: {friction: 0.2}
materials: {wood: {density: 700}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: cube, kind: rigid, shape: {box: [0.1, 0.1, 0.1]}, material: wood, position: [0, 0.05, 0], velocity: [1, 0, 0]}
"""
COLUMNS = {"name", "status", "simulated_time", "steps", "newton_iterations", "krylov_iterations", "evaluations", "failed_solves", "seconds", "state_hash"}


def names(t):
    """The list, and that every scene of bench/ is a case."""
    result = t.run("bench")
    listed = [line.split()[0] for line in result.stdout.splitlines()]
    t.check("without a name: the list of cases", result.returncode == 0 and "five_cubes" in listed and len(set(listed)) == len(listed), shown(result))
    for scene in (t.source / "bench").glob("*.yaml"):
        t.check(f"{scene.stem} is a case", scene.stem in listed, listed)
    readme = (t.source / "bench" / "README.md").read_text()
    for name in listed:
        t.check(f"{name} is in bench/README.md", f"`{name}`" in readme)
    result = t.run("bench", "five_cube")
    t.check("an unknown name gets a suggestion", result.returncode == 2 and 'got "five_cube"; did you mean "five_cubes"?' in result.stderr, shown(result))
    result = t.run("bench", "xyzzy")
    t.check("or is told where the names are", result.returncode == 2 and "`stickslip bench` lists the cases" in result.stderr, shown(result))
    result = t.run("bench", "nothing.yaml")
    t.check("a scene that is not there", result.returncode in (2, 4) and "nothing.yaml" in result.stderr, shown(result))


def figures(t):
    t.write("box.yaml", BOX)
    result = t.run("bench", "box.yaml", "-o", "box.json", "--repeats", "3")
    t.check("a scene file is measured", result.returncode == 0 and result.stdout.splitlines()[1].startswith("box "), shown(result))
    one = json.loads((t.folder / "box.json").read_text())["cases"][0]
    t.check("all figures are there", COLUMNS <= set(one) and {"processor", "wall", "evaluation", "assembly", "linear_solve"} <= set(one["seconds"]), one)
    t.check("no product is measured without deformable bodies", "product_share" not in one, one)
    t.run("run", "box.yaml", "-o", "box.out", "--quiet")
    summary = json.loads((t.folder / "box.out" / "summary.json").read_text())
    for key in ("steps", "newton_iterations", "krylov_iterations", "evaluations", "failed_solves", "state_hash"):
        t.equal(f"{key} is that of a run", one[key], summary[key])
    stages = sum(one["seconds"][stage] for stage in ("evaluation", "assembly", "linear_solve"))
    t.check("stages take no longer than the whole", 0 < stages <= one["seconds"]["wall"], one)
    result = t.run("bench", "five_cubes", "--until", "0.02", "-o", "soft.json", "--threads", "2")
    one = json.loads((t.folder / "soft.json").read_text())["cases"][0]
    t.check("a case by its name, stopped earlier", result.returncode == 0 and one["steps"] == 2, shown(result))
    t.check("the product with its matrix against a copy", 0 < one["product_share"] < 100, one)
    result = t.run("bench", "arch", "--until", "0.01", "--set", "contact.friction=0.6")
    t.check("a case with meshes", result.returncode == 0 and result.stdout.splitlines()[1].split()[1] == "1", shown(result))


def comparison(t):
    t.write("box.yaml", BOX)
    t.run("bench", "box.yaml", "-o", "before.json")
    result = t.run("bench", "box.yaml", "--against", "before.json", "-o", "after.json")
    before, after = (json.loads((t.folder / name).read_text())["cases"][0] for name in ("before.json", "after.json"))
    t.check("the same bits are recognized", result.returncode == 0 and after["same_state"] is True and result.stdout.splitlines()[1].endswith(" same"), shown(result))
    for what in ("processor", "wall"):
        expected = after["seconds"][what] / before["seconds"][what]
        t.check(f"ratio of {what} time", abs(after["ratio"][what] - expected) <= 1e-9 * expected, after)
    result = t.run("bench", "box.yaml", "--set", "contact.friction=0.3", "--against", "before.json")
    t.check("and other ones", result.returncode == 0 and result.stdout.splitlines()[1].endswith(" other"), shown(result))
    result = t.run("bench", "box.yaml", "--until", "0.1", "--against", "before.json", "-o", "shorter.json")
    shorter = json.loads((t.folder / "shorter.json").read_text())["cases"][0]
    t.check("other work is not compared", "ratio" not in shorter, shorter)
    t.write("odd.json", "[]")
    result = t.run("bench", "box.yaml", "--against", "odd.json")
    t.check("a file of something else", result.returncode == 2 and "odd.json: expected figures that `stickslip bench -o` wrote" in result.stderr, shown(result))
    t.write("odd.json", '{"cases": [{"name": "box.yaml", "simulated_time": "long"}]}')
    result = t.run("bench", "box.yaml", "--against", "odd.json")
    t.check("and figures that are none", result.returncode == 2 and "odd.json: expected figures" in result.stderr, shown(result))


def failure(t):
    result = t.run("bench", "soft_incline", "--set", "bodies.cube.resolution=0.1", "--set", "solver.max_newton=1", "--set", "time.min_step=0.009", "-o", "given_up.json")
    one = json.loads((t.folder / "given_up.json").read_text())["cases"][0]
    t.check("a run that gives up says so and why, and what it cost", result.returncode == 3 and one["status"] == "failed" and result.stdout.splitlines()[1].endswith("  failed") and "gave up" in result.stderr, shown(result))


if __name__ == "__main__":
    support.Tester().finish([names, figures, comparison, failure])
