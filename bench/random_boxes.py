#!/usr/bin/env python3
"""Random boxes thrown at each other in empty space: how deep they overlap by separating axes, beside what the run reports.

    python3 bench/random_boxes.py PROGRAM COUNT SX,SY,SZ [--mesh] [--speeds LOW HIGH] [--seed N] [--jobs N] [--keep FOLDER]

Each box flies at a speed drawn between LOW and HIGH [m/s] (evenly by its logarithm), turned at random, past the other's centre by up to a
third of the smallest size; step 1/60 s, friction 0.3. Prints the true overlap (its median, its 95th percentile, the largest), the same over that of an ideal vertex impact,
v dt/(1 + k dt^2/m_eff) with m_eff half of a box's mass and k = 20 m/dt^2 that of one contact, and over what is reported (max_penetration); what
got through (overlap on the way above 0.49 of the thickness, and apart on the other side), gains of energy, failed solves.
--mesh: the boxes are meshes with hardly dented ends, which meet by their triangles."""
import argparse
import concurrent.futures
import csv
import json
import math
import pathlib
import random
import subprocess
import tempfile

from box_pairs import overlap, random_quaternion, write_mesh

DT, FRICTION, DENSITY, STIFFNESS = 1 / 60, 0.3, 700, 20
SCENE = """stickslip: 1
gravity: [0, 0, 0]
time: {{step: {dt}, end: {end}, frame: {dt}}}
contact: {{friction: {mu}}}
{audit}
materials: {{oak: {{density: {density}}}}}
bodies:
  - {{name: a, kind: rigid, shape: {{{shape}}}, material: oak, position: [{minus}, 0, 0], rotation: {{quaternion: {qa}}}, velocity: [{half}, 0, 0]}}
  - {{name: b, kind: rigid, shape: {{{shape}}}, material: oak, position: [{plus}, {y}, {z}], rotation: {{quaternion: {qb}}}, velocity: [-{half}, 0, 0]}}
output: {{frames: false}}
"""


def measure(program, number, size, speeds, seed, audit, keep, is_mesh):
    rng = random.Random(f"{seed} {number}")
    speed = math.exp(rng.uniform(*map(math.log, speeds)))
    reach, off = max(size) + 0.02, min(size) / 3
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(keep or folder) / f"pair{number}.yaml"
        if is_mesh:
            write_mesh(scene.parent / "box.obj", size)
        scene.write_text(SCENE.format(
            dt=DT, end=DT * math.ceil(4 * reach / speed / DT), mu=FRICTION, density=DENSITY, audit=f"solver: {{audit: {audit}}}" if audit else "", shape="mesh: {file: box.obj}" if is_mesh else f"box: {list(size)}", minus=-reach, plus=reach, half=speed / 2,
            y=rng.uniform(-off, off), z=rng.uniform(-off, off), qa=random_quaternion(rng), qb=random_quaternion(rng)))
        out = pathlib.Path(folder) / "out"
        ended = subprocess.run([program, "run", scene, "-o", out, "--threads", "1", "--quiet"], capture_output=True, text=True)
        rows = list(csv.DictReader(open(out / "bodies.csv")))
        history = list(csv.DictReader(open(out / "history.csv")))
        summary = json.loads((out / "summary.json").read_text())
    half = [0.5 * s for s in size]
    depths = [overlap(half, a, b) for a, b in zip(rows[::2], rows[1::2])]
    mass = DENSITY * math.prod(size)
    start = mass * speed ** 2 / 4
    return {
        "number": number, "speed": speed, "exit": ended.returncode, "overlap": max(0, *depths), "reported": summary["max_penetration"],
        "ideal": speed * DT / (1 + 2 * STIFFNESS), "met": summary["max_contact_depth"] > 0 or max(depths) > 0,
        "through": max(depths) > 0.49 * min(size), "energy": max(float(r["kinetic_energy"]) + float(r["contact_energy"]) for r in history) / start,
        "failed": summary["failed_solves"], "passing": len(summary.get("passing", [])), "said": ended.stderr.strip().replace("\n", " | ")}


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("count", type=int)
    parser.add_argument("size", type=lambda text: tuple(float(s) for s in text.split(",")))
    parser.add_argument("--speeds", type=float, nargs=2, default=(0.5, 5))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--audit", default="final")
    parser.add_argument("--mesh", action="store_true")
    parser.add_argument("--keep")
    options = parser.parse_args()
    one = lambda number: measure(options.program, number, options.size, options.speeds, options.seed, options.audit, options.keep, options.mesh)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pairs = list(pool.map(one, range(options.first, options.first + options.count)))
    met = [p for p in pairs if p["met"]]
    mm = lambda values: " / ".join(f"{1000 * v:.3f}" for v in (quantile(values, 0.5), quantile(values, 0.95), max(values)))
    plain = lambda values: " / ".join(f"{v:.3f}" for v in (quantile(values, 0.5), quantile(values, 0.95), max(values)))
    print(f"{len(pairs)} pairs, {len(met)} met; median / 95 % / largest:")
    print(f"  true overlap [mm] {mm([p['overlap'] for p in met])}, reported {mm([p['reported'] for p in met])}")
    print(f"  over an ideal vertex impact {plain([p['overlap'] / p['ideal'] for p in met])}")
    print(f"  over what is reported {plain([p['overlap'] / max(p['reported'], 1e-9) for p in met if p['overlap'] > 1e-6])}")
    print(f"  energy over the start {plain([p['energy'] for p in met])}; above 1.001: {sum(p['energy'] > 1.001 for p in met)}")
    print(f"  through {sum(p['through'] for p in pairs)}, failed solves {sum(p['failed'] for p in pairs)} in {sum(p['failed'] > 0 for p in pairs)} pairs, exit not 0: {sum(p['exit'] != 0 for p in pairs)}, passing {sum(p['passing'] > 0 for p in pairs)}")
    odd = lambda p: p["through"] or p["failed"] or p["exit"] or p["energy"] > 1.001 or p["overlap"] > max(1.5 * p["reported"], 1e-6)
    for p in sorted((p for p in pairs if odd(p)), key=lambda p: -p["overlap"])[:40]:
        print(f"  pair {p['number']}: {p['speed']:.2f} m/s, overlap {1000 * p['overlap']:.3f} mm, reported {1000 * p['reported']:.3f}, energy {p['energy']:.4f}, failed {p['failed']}, passing {p['passing']}, exit {p['exit']} {p['said'][:300]}")


main()
