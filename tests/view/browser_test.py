#!/usr/bin/env python3
"""The replay page in a browser without a display: makes run folders, their pages and a server, then runs browser.mjs.

    browser_test.py PROGRAM MAKE_RUNS SOURCE_DIR [display]

display: the parts in display.mjs, quantities.mjs and steering.mjs, else those in browser.mjs.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import synthetic_run
import web_support

program, make_runs, source = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
node, chromium = web_support.node(source), web_support.browser()

# The smallest real run: its frames come from the simulator, not from make_runs. It goes sideways by far more than
# round-off and far less than it slides.
SCENE = """stickslip: 1
title: A small cube slides on a floor
time: {step: 0.01, end: 0.4, frame: 0.02}
contact: {friction: 0.2}
materials: {rubber: {density: 1000, young: 2.0e5, poisson: 0.4}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: cube, kind: deformable, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.05, material: rubber, position: [0, 0.052, 0], velocity: [1, 0, 1.0e-8]}
output: {contacts: true, probes: [{name: below, body: cube, by: floor}]}
"""

# What holds a body: nodes that are fixed, a bearing.
HELD = """stickslip: 1
title: A bar that is held
time: {step: 0.01, end: 0.1, frame: 0.05}
materials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.4}, oak: {density: 700}}
bodies:
  - {name: bar, kind: deformable, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.05, material: rubber, fix: [{name: crown, box: {min: [-.inf, 0.04, -.inf], max: [.inf, .inf, .inf]}}]}
  - {name: shelf, kind: rigid, shape: {box: [0.1, 0.02, 0.1]}, material: oak, position: [1, 0, 0], fixed_dofs: [x, y, z, rx, ry, rz]}
"""

# So many contacts that their arrows would hide the grains.
GRAINS = """stickslip: 1
title: Grains fall on a floor
time: {step: auto, end: 0.2, frame: 0.02}
solver: {integration: explicit}
contact: {friction: 0.4}
materials: {gravel: {density: 2600, kn: 2.0e4, restitution: 0.3}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: gravel, kind: spheres, material: gravel, position: [0, 0.04, 0], fill: {box: [0.14, 0.08, 0.14], count: 150, sizes: {min: 0.008, max: 0.011}}}
output: {contacts: true, regions: [{name: core, box: {min: [-0.05, 0, -0.05], max: [0.05, 0.03, 0.05]}}]}
"""

# Free rigid bodies share a file a frame; names hold what a page must not take for markup, and those of files.
RIGID = """stickslip: 1
title: "</script><img src=x onerror=window.injected=1>"
time: {step: 0.01, end: 0.3, frame: 0.02}
contact: {friction: 0.5}
materials: {oak: {density: 700}, rubber: {density: 1000, young: 1.0e5, poisson: 0.4}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: "<img src=x onerror=alert(1)>", kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [0, 0.1, 0]}
  - {name: contacts, kind: deformable, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, material: rubber, position: [0.5, 0.1, 0]}
  - {name: rigid_bodies, kind: rigid, shape: {sphere: 0.1}, material: oak, position: [-0.5, 0.1, 0], velocity: [-0.5, 0, 0]}
"""


def run(*arguments, **options):
    return subprocess.run([str(a) for a in arguments], check=True, timeout=300, **options)


def page(folder):
    """Writes the page of a run and checks that it is said how large it is."""
    said = run(program, "view", folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8").stdout
    assert re.match(r".*view\.html: \d+ frames, [\d.]+ MB, positions to \S+ m\n", said), said
    return folder / "view.html"


folder = pathlib.Path(tempfile.mkdtemp(prefix="stickslip-view-"))
servers = []
steered_run = None


def serve(run_folder):
    """Starts a server of a run; returns its address."""
    servers.append(subprocess.Popen([program, "view", run_folder, "--serve", "0"], stdout=subprocess.PIPE, encoding="utf-8"))
    return servers[-1].stdout.readline().split()[0]


try:
    run(make_runs, folder)
    run(make_runs, folder / "spheres", "spheres")
    (folder / "slide.yaml").write_text(SCENE)
    run(program, "run", folder / "slide.yaml", "-o", folder / "slide", "--quiet", stdout=subprocess.DEVNULL)
    (folder / "rigid.yaml").write_text(RIGID)
    run(program, "run", folder / "rigid.yaml", "-o", folder / "rigid", "--quiet", stdout=subprocess.DEVNULL)
    run(program, "run", folder / "slide.yaml", "-o", folder / "slower", "--set", "bodies.cube.velocity=[0.5, 0, 0]", "--quiet",
        stdout=subprocess.DEVNULL)
    (folder / "grains.yaml").write_text(GRAINS)
    run(program, "run", folder / "grains.yaml", "-o", folder / "grains", "--quiet", stdout=subprocess.DEVNULL)
    (folder / "held.yaml").write_text(HELD)
    run(program, "run", folder / "held.yaml", "-o", folder / "held", "--quiet", stdout=subprocess.DEVNULL)
    synthetic_run.write_passing(folder / "passing")
    names = ["passing", "held", "grains", "slide", "slower", "bin", "two", "four", "unrecorded", "rigid", "twenty", "clouds", "injection", "broken", "empty", "spheres"]
    pages = {name: page(folder / name).as_uri() for name in names}
    run(program, "view", folder / "slide", "--compare", folder / "slower", "-o", folder / "both.html", stdout=subprocess.DEVNULL)
    pages["both"] = (folder / "both.html").as_uri()
    sizes = {name: (folder / name / "view.html").stat().st_size for name in names}
    template = (source / "web/dist/view.html").stat().st_size
    per_sphere = (sizes["spheres"] - template) / (100000 * 100)
    print(f"20 bodies: {sizes['twenty'] / 1e6:.2f} MB; 100,000 spheres x 100 frames: {sizes['spheres'] / 1e6:.1f} MB, "
          f"{per_sphere:.2f} bytes a sphere and frame")
    assert sizes["twenty"] < 8e6 and per_sphere <= 7

    live = folder / "live"
    shutil.copytree(folder / "twenty", live)
    series = (live / "frames.pvd").read_text()
    lines = series.splitlines(keepends=True)
    part_count = sum('timestep="0"' in line for line in lines)
    (live / "summary.json").unlink()
    (live / "frames.pvd").write_text("".join(lines[: 3 + 10 * part_count] + lines[-2:]))
    address = serve(live)
    steered = folder / "steered"
    if "display" in sys.argv:  # so slow, with frames so far apart, that it stops between them
        scene = SCENE.replace("step: 0.01, end: 0.4, frame: 0.02", "step: 0.0004, end: 1000, frame: 0.3").replace("resolution: 0.05", "resolution: 0.02")
        (folder / "steered.yaml").write_text(scene)
        steered_run = subprocess.Popen([program, "run", folder / "steered.yaml", "-o", steered, "--quiet"], stdout=subprocess.DEVNULL)
        while not (steered / "steer").exists():
            assert steered_run.poll() is None
            time.sleep(0.05)
    config = {"display": "display" in sys.argv, "chromium": chromium, "pages": pages, "live": address, "series": str(live / "frames.pvd"), "steer": str(live / "steer"), "summary": str(live / "summary.json"), "whole": series,
              "steered": steered_run and {"folder": str(steered), "address": serve(steered)}, "packages": str(source / "web/package.json")}
    try:
        status = subprocess.run([node, str(pathlib.Path(__file__).with_name("browser.mjs")), json.dumps(config)], timeout=800).returncode
        if steered_run and steered_run.wait(30) != 130:
            sys.exit(f"the run that was stopped ended with status {steered_run.returncode}")
        sys.exit(status)
    except subprocess.TimeoutExpired:
        sys.exit("the browser was not done after 800 s")
finally:
    if steered_run:
        steered_run.kill()
    for server in servers:
        server.terminate()
        assert server.wait(10) == 0
    shutil.rmtree(folder, ignore_errors=True)
