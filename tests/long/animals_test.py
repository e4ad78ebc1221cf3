#!/usr/bin/env python3
"""The big meshes: a rabbit and an armadillo, 0.3 m, fall on a staircase of boxes and on a sphere at dt = 1/60 for 2 s.

    python3 tests/long/animals_test.py PROGRAM DATA_FOLDER [NAME...]

Every solve converges (or is tried again, which is said), no element is inverted at the end, the energy ledger closes to the solver's
tolerance, no step gains more than that, linear momentum balances. Without the meshes it is skipped (exit status 77)."""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from animals import ANIMALS, SPHERE, STAIRS, scene


def judge(folder):
    summary = json.loads((folder / "summary.json").read_text())
    log = (folder / "log.txt").read_text()
    mass = float(log.split("mass ")[1].split()[0])
    faults, gain, error = [], 0.0, 0.0
    history = list(csv.DictReader((folder / "history.csv").open()))
    for row, balance in zip(history, csv.DictReader((folder / "balance.csv").open())):
        # what a residual within the tolerance may add in one step: |sum g.v| <= tolerance sqrt(mass) sqrt(2 kinetic energy)
        bound = summary["tolerance"] * math.sqrt(2 * float(row["kinetic_energy"]) * mass) + 1e-10
        error = max(error, abs(float(balance["energy_error"])) / bound)
        gain = max(gain, (float(balance["change"]) - float(balance["external_work"])) / bound)
        momentum = math.hypot(*(float(balance[f"momentum_error_{c}"]) for c in "xyz"))
        if momentum > 1.01 * summary["tolerance"] * mass:
            faults.append(f"t = {row['time']}: momentum error {momentum:.3g} kg m/s")
    if error > 1:
        faults.append(f"energy ledger is open by {error:.3g} times the tolerance")
    if gain > 1:
        faults.append(f"a step gains {gain:.3g} times the tolerance")
    if summary["inverted_elements"]:
        faults.append(f"{summary['inverted_elements']} inverted elements")
    if log.count("did not converge") != summary["failed_solves"]:
        faults.append("failed solves are not all in the log")
    steps = summary["steps"]
    print(f"{steps} steps, {summary['wall_time']:.0f} s, {summary['newton_iterations'] / steps:.2f} Newton and "
          f"{summary['krylov_iterations'] / steps:.0f} GMRES iterations a step, {summary['failed_solves']} failed solves, ledger "
          f"{error:.2g} and largest gain {gain:.2g} of the tolerance, penetration {1000 * summary['max_penetration']:.2g} mm, "
          f"peak {summary['peak_memory_bytes'] / 1e6:.0f} MB")
    return faults


def main():
    program, data = sys.argv[1], pathlib.Path(sys.argv[2])
    wanted = sys.argv[3:]
    if not data.is_dir():
        print(f"skipped: no meshes at {data}")
        return 77
    failed = False
    for animal, (file, scale) in ANIMALS.items():
        for place, obstacles in (("stairs", STAIRS), ("sphere", SPHERE)):
            name = f"{animal}_{place}"
            if wanted and name not in wanted:
                continue
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                (folder / "scene.yaml").write_text(scene((data / file).resolve(), scale, obstacles))
                run = subprocess.run([program, "run", str(folder / "scene.yaml"), "-o", str(folder / "out"), "--quiet"])
                print(f"{name}: ", end="")
                faults = [f"exit status {run.returncode}"] if run.returncode else judge(folder / "out")
            for fault in faults:
                print(f"  {fault}")
            failed = failed or bool(faults)
    return 1 if failed else 0


sys.exit(main())
