"""Runs scenes with the program and reads their tables."""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


class Runs:
    """One check a line; a failed one does not stop the others."""

    def __init__(self, program):
        self.program = str(pathlib.Path(program).resolve())
        if not os.access(self.program, os.X_OK):
            print(f"skipped: there is no program {self.program}")
            sys.exit(77)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stickslip-friction-"))
        self.failed = 0

    def run(self, scene, *overrides):
        """A scene as text, or the path of one, run to its end: its summary and its rows of bodies.csv by body."""
        if not isinstance(scene, pathlib.Path):
            path = self.folder / "scene.yaml"
            path.write_text(scene)
            scene = path
        out = self.folder / "out"
        command = [self.program, "run", str(scene), "-o", str(out), "--force", "--quiet", "--threads", "1"]
        for override in overrides:
            command += ["--set", override]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode not in (0, 3, 5):
            raise RuntimeError(result.stderr)
        bodies = {}
        with open(out / "bodies.csv", newline="") as file:
            for row in csv.DictReader(file):
                bodies.setdefault(row["body"], []).append({key: value if key == "body" else float(value) for key, value in row.items()})
        return json.loads((out / "summary.json").read_text()), bodies

    def check(self, what, holds, measured):
        print(f"{'ok     ' if holds else 'FAILED '} {what}: {measured}", flush=True)
        self.failed += not holds

    def below(self, what, value, bound):
        self.check(what, abs(value) <= bound, f"{value:.4g}, bound {bound:g}")

    def finish(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        print(f"{self.failed} failed" if self.failed else "all hold")
        sys.exit(1 if self.failed else 0)


def at(rows, time):
    return min(rows, key=lambda row: abs(row["time"] - time))


def distance(a, b):
    return sum((a[c] - b[c]) ** 2 for c in "xyz") ** 0.5


def speed(row):
    return sum(row["v" + c] ** 2 for c in "xyz") ** 0.5
