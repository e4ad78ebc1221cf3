#!/usr/bin/env python3
"""The big meshes: a rabbit and an armadillo, 0.3 m, fall on a staircase of boxes and on a sphere at dt = 1/60 for 2 s.

    python3 tests/long/animals_test.py PROGRAM DATA_FOLDER [NAME...]

Every solve converges (or is tried again, which is said), no element is inverted at the end, the energy ledger closes to the solver's
tolerance, no step gains more than that, linear and angular momentum balance (support/balance.py). After the sphere the rabbit rocks on the
floor, and a step may gain, but only what backward Euler gives to compressed matter that turns. Without the meshes it is skipped (exit status 77)."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from balance import judge

from animals import ANIMALS, SPHERE, STAIRS, scene


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
                faults = [f"exit status {run.returncode}"] if run.returncode else judge(folder / "out", 0.3, turns=name == "bunny_sphere")
            for fault in faults:
                print(f"  {fault}")
            failed = failed or bool(faults)
    return 1 if failed else 0


sys.exit(main())
