#!/usr/bin/env python3
"""A run by Python has the program's bits, for every shipped scene: hashes_test.py PROGRAM SOURCE_DIR [--whole]
With --whole to the end of each scene, else for a twentieth of a second."""
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

from support import stickslip

program, source = sys.argv[1], pathlib.Path(sys.argv[2])
whole = "--whole" in sys.argv
warnings.simplefilter("ignore", stickslip.StickslipWarning)
different = []
scenes = sorted((source / "scenes").glob("*.yaml"))
with tempfile.TemporaryDirectory() as folder:
    for path in scenes:
        scene = stickslip.load(path)
        until = scene["time.end"] if whole else 0.05
        changes = {"bodies.grains.fill.count": 1000} if path.stem == "hopper" else {}
        run = pathlib.Path(folder) / path.stem
        sets = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
        subprocess.run([program, "run", path, "-o", run, "--quiet", "--until", str(until), *sets], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        summary = json.loads((run / "summary.json").read_text())
        scene.update(changes)
        simulation = stickslip.Simulation(scene, threads=2)
        simulation.run(until=until)
        same = simulation.state_hash == summary["state_hash"]
        print(f"{path.stem:20} {simulation.time:.6g} s {simulation.state_hash} {'' if same else summary['state_hash']}", flush=True)
        if not same:
            different.append(path.stem)
if different or len(scenes) < 22:
    sys.exit(f"other bits than the program's: {different}")
