#!/usr/bin/env python3
"""The big meshes: a rabbit and an armadillo, 0.3 m, fall on a staircase of boxes and on a sphere at dt = 1/60 for 2 s.

    python3 tests/long/animals_test.py PROGRAM DATA_FOLDER [NAME...]

Every solve converges (or is tried again, which is said), no element is inverted at the end, the energy ledger closes to the solver's
tolerance, no step gains more than that, linear and angular momentum balance (support/balance.py). After the sphere the rabbit rocks on the
floor, and a step may gain, but only what backward Euler gives to compressed matter that turns. bunnies_in_a_box and mat_on_bunny: soft bodies on
each other and on themselves, without a failed solve, and none passes through another. Without the meshes it is skipped (exit status 77)."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from balance import judge

from animals import ANIMALS, SPHERE, STAIRS, bunnies_in_a_box, mat_on_bunny, scene


def kept_its_word(folder):
    """Of a run that has judged itself."""
    print("as expected")
    return []


def main():
    program, data = sys.argv[1], pathlib.Path(sys.argv[2])
    wanted = sys.argv[3:]
    if not data.is_dir():
        print(f"skipped: no meshes at {data}")
        return 77
    runs = {}
    for animal, (file, scale) in ANIMALS.items():
        mesh = (data / file).resolve()
        for place, obstacles in (("stairs", STAIRS), ("sphere", SPHERE)):
            name = f"{animal}_{place}"
            runs[name] = (scene(mesh, scale, obstacles), lambda out, name=name: judge(out, 0.3, turns=name == "bunny_sphere"))
    file, scale = ANIMALS["bunny"]
    for make in (bunnies_in_a_box, mat_on_bunny):
        runs[make.__name__] = (make((data / file).resolve(), scale), kept_its_word)
    failed = False
    for name, (text, judged) in runs.items():
        if wanted and name not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "scene.yaml").write_text(text)
            run = subprocess.run([program, "run", str(folder / "scene.yaml"), "-o", str(folder / "out"), "--quiet"])
            print(f"{name}:", end=" ", flush=True)
            faults = [f"exit status {run.returncode}"] if run.returncode else judged(folder / "out")
        for fault in faults:
            print(f"  {fault}")
        failed = failed or bool(faults)
    return 1 if failed else 0


sys.exit(main())
