#!/usr/bin/env python3
"""Steps per second, Newton and GMRES counts, time by stage and peak memory of whole runs.

    python3 bench/scenes.py PROGRAM [DATA_FOLDER] [--threads N]

Runs the cube on the incline with 1, 4 and 8 cells an edge and, where the folder with bunny.msh and Armadillo13K.msh is given, the first half second
of both falling on a staircase. Rows are for one run each. Seconds are of the processor, all threads together, and stages are shares of the time that passed: other users of the
machine disturb both little. Memory is the largest part of the program that was ever resident."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "tests" / "long"))


STAGES = ("evaluation", "assembly", "linear_solve", "output")


def run(program, name, scene, threads, *overrides):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        command = [program, "run", str(scene), "-o", str(out), "--quiet", "--threads", str(threads)]
        for override in overrides:
            command += ["--set", override]
        process = subprocess.Popen(command)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status) # waited for already
        if process.returncode not in (0, 5):
            print(f"{name}: exit status {process.returncode}")
            return
        s = json.loads((out / "summary.json").read_text())
        nodes = (out / "log.txt").read_text().split(" nodes")[0].split()[-1]
    n, seconds = s["steps"], usage.ru_utime + usage.ru_stime
    stages = "".join(f"{100 * s['seconds'][stage] / s['wall_time']:>8.0f} %" for stage in STAGES)
    print(f"{name:24} {nodes:>6} {n / seconds:>8.1f} {s['newton_iterations'] / n:>7.2f} {s['krylov_iterations'] / n:>7.1f}{stages}"
          f" {seconds:>7.2f} {s['peak_memory_bytes'] / 1e6:>5.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("data", nargs="?")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    print(f"{'':24} {'nodes':>6} {'steps/s':>8} {'newton':>7} {'gmres':>7}{'evaluation':>10}{'assembly':>10}{'linear':>10}{'output':>10} {'s':>7} {'MB':>5}")
    for cells in (1, 4, 8):
        run(arguments.program, f"cube, {cells} cells an edge", root / "scenes" / "incline.yaml", arguments.threads,
            f"bodies.cube.resolution={0.2 / cells}", "time.end=4.5", "output.frames=false")
    if not arguments.data:
        return
    from animals import ANIMALS, STAIRS, scene
    for animal, (file, scale) in ANIMALS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "scene.yaml"
            path.write_text(scene((pathlib.Path(arguments.data) / file).resolve(), scale, STAIRS))
            run(arguments.program, f"{animal} on stairs", path, arguments.threads, "time.end=0.5", "output.frames=false")


main()
