#!/usr/bin/env python3
"""Which preconditioner pays: processor time of the same run with each of several, over the number of nodes.

    python3 bench/preconditioners.py PROGRAM [--cells 4 6 8 ...] [--kinds block_ssor multigrid ...] [--repeats N]

A soft ball is dropped on a floor and rolls, half a second at dt = 1/60 s: the worst shape for a factor, of which a slender body has less fill.
One thread; they are run in turns, and of several repeats the fastest of each counts. Seconds are of the processor for the whole run; the stages are
shares of the time that passed, and linear holds the factor."""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

SCENE = """stickslip: 1
title: A soft ball falls on a floor and rolls
time: {step: 0.016666666666666666, end: 0.5}
contact: {friction: 0.4}
output: {frames: false}
materials:
  gel: {density: 1000, model: neo_hookean, young: YOUNG, poisson: 0.4}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: ball, kind: deformable, shape: {sphere: 0.15}, resolution: RESOLUTION, material: gel, position: [0, 0.2, 0], velocity: [1, 0, 0]}
expect:
  - {metric: status, max: 0}
"""


def run(program, young, cells, kind):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "scene.yaml").write_text(SCENE.replace("YOUNG", f"{young:g}").replace("RESOLUTION", repr(0.15 / cells)))
        process = subprocess.Popen([program, "run", str(folder / "scene.yaml"), "-o", str(folder / "out"), "--quiet", "--threads", "1",
                                    "--set", f"solver.preconditioner={kind}"])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)  # waited for already
        if process.returncode:
            raise RuntimeError(f"exit status {process.returncode}")
        summary = json.loads((folder / "out" / "summary.json").read_text())
        nodes = int((folder / "out" / "log.txt").read_text().split(" nodes")[0].split()[-1])
    return nodes, usage.ru_utime + usage.ru_stime, summary


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--cells", type=int, nargs="+", default=[4, 6, 8, 10, 12, 14])
    parser.add_argument("--young", type=float, nargs="+", default=[1e5, 1e6])
    parser.add_argument("--kinds", nargs="+", default=["lu", "block_ssor", "multigrid", "auto"])
    parser.add_argument("--repeats", type=int, default=2)
    arguments = parser.parse_args()
    print(f"{'E [Pa]':>8} {'nodes':>6} {'kind':>10} {'newton':>7} {'gmres':>7} {'assembly':>9} {'linear':>9} {'s':>7} {'MB':>6}")
    for young in arguments.young:
        for cells in arguments.cells:
            best = {}
            for _ in range(arguments.repeats):
                for kind in arguments.kinds:
                    result = run(arguments.program, young, cells, kind)
                    if kind not in best or result[1] < best[kind][1]:
                        best[kind] = result
            for kind, (nodes, seconds, s) in best.items():
                share = [f"{100 * s['seconds'][stage] / s['wall_time']:>7.0f} %" for stage in ("assembly", "linear_solve")]
                print(f"{young:>8.0e} {nodes:>6} {kind:>10} {s['newton_iterations'] / s['steps']:>7.2f} {s['krylov_iterations'] / s['steps']:>7.1f} "
                      f"{share[0]} {share[1]} {seconds:>7.2f} {s['peak_memory_bytes'] / 1e6:>6.0f}", flush=True)
            first = arguments.kinds[0]
            print(f"{'':>8} {'':>6} over {first}: " + ", ".join(f"{kind} {best[kind][1] / best[first][1]:.2f}" for kind in arguments.kinds[1:]))


if __name__ == "__main__":
    main()
