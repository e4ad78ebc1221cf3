#!/usr/bin/env python3
"""Meshes whose parts touch: a face, an edge or a corner of two cubes in one place, or a part of a face.

    touching_parts_test.py PROGRAM SOURCE_DIR
"""

import json
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

SCENE = """
stickslip: 1
time: {step: 0.01, end: 0.1, frame: 0.05}
materials: {m: {density: 1000}}
solver: {audit: every}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: ball, kind: rigid, material: m, shape: {sphere: 0.02}, position: [0, 0.5, 0]}
  - {name: b, kind: rigid, material: m, shape: {mesh: {file: parts.obj}}, position: [0, 0.1, 0]}
"""


def two_cubes(shift, edge=0.2):
    """Each with vertices of its own."""
    lines = []
    for offset in ((0, 0, 0), shift):
        for v in range(8):
            lines.append("v " + " ".join(str(edge * ((v >> (2 - axis) & 1) - 0.5 + offset[axis])) for axis in range(3)))
    for first in (1, 9):
        for a, b, c, d in ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)):
            lines += [f"f {first + a} {first + b} {first + c}", f"f {first + a} {first + c} {first + d}"]
    return "\n".join(lines) + "\n"


def runs_end(t):
    for name, shift in (("face", (1, 0, 0)), ("edge", (1, 1, 0)), ("corner", (1, 1, 1)), ("half a face", (1, 0.5, 0))):
        t.write("parts.obj", two_cubes(shift))
        t.write("scene.yaml", SCENE)
        result = t.run("run", "scene.yaml", "--force", "--quiet")
        t.check(f"{name}: a run ends", result.returncode == 0, shown(result))
        summary = json.loads((t.folder / "scene.out/summary.json").read_text())
        t.equal("... and every audit was done", (summary["status"], summary["audited_states"]), ("done", 2))
        t.check("... without a body left out", not any("audit" in warning for warning in summary["warnings"]), summary["warnings"])
        mass = (t.folder / "scene.out/log.txt").read_text()
        t.check("... of the volume of both", "b: rigid, mass 16 kg" in mass, mass)
        pairs = "pairs of triangles on one another that look to opposite sides, so that they bound nothing, left out (2)"
        t.equal("... and what bounds nothing is said", pairs in result.stderr, name == "face")


if __name__ == "__main__":
    support.Tester().finish([runs_end])
