#!/usr/bin/env python3
"""Two deformable bodies thrown at each other, both spinning, without gravity: contact must give no energy.

    python3 bench/soft_throws.py PROGRAM COUNT [--first N] [--step S] [--jobs N] [--keep FOLDER]

Boxes, bars, slabs, rings and balls of 0.12 to 0.3 m, angles, crosses, tables and tubs of 0.2 m; Young's modulus 1e5 to 1e6 Pa, 2 to 8 m/s, 10 rad/s.
A spring gives back what was done against it, less what backward Euler damps: a step in which contacts give more (contact_loss below 0) made energy. Prints
each throw with a step that makes more than 1e-3 J: the most in a step, as a share of the energy at the start, the largest rise of all energy, and how deep
bodies overlap unfelt in audits of every tenth step; then the sums."""
import argparse
import concurrent.futures
import csv
import itertools
import json
import math
import pathlib
import random
import subprocess
import tempfile

MADE = 1e-3  # [J]
HEAD = """stickslip: 1
time: {{step: {step:.6g}, end: {end:.6g}, frame: {frame:.6g}}}
solver: {{audit: every}}
gravity: [0, 0, 0]
contact: {{friction: {friction:.3g}}}
materials:
  rubber: {{density: 1000, model: neo_hookean, young: {young:.3g}, poisson: 0.3}}
bodies:
"""
BODY = ("  - {{name: {name}, kind: deformable, shape: {{{shape}}}, {resolution}material: rubber, position: [{x:.4g}, {y:.4g}, {z:.4g}], "
        "rotation: {{quaternion: [{q[0]:.6g}, {q[1]:.6g}, {q[2]:.6g}, {q[3]:.6g}]}}, velocity: [{v:.4g}, 0, 0], angular_velocity: [{w[0]:.3g}, {w[1]:.3g}, {w[2]:.3g}]}}\n")


def box(a, b, c):
    return f"box: [{a:.4g}, {b:.4g}, {c:.4g}]", math.hypot(a, b, c) / 2, min(a, b, c) / 3


KINDS = {
    "box": lambda s: box(0.7 * s, 0.6 * s, 0.8 * s),
    "bar": lambda s: box(s, 0.3 * s, 0.3 * s),
    "slab": lambda s: box(0.8 * s, 0.2 * s, 0.9 * s),
    "ring": lambda s: (f"torus: {{major: {0.37 * s:.4g}, minor: {0.13 * s:.4g}}}", s / 2, 0.09 * s),
    "ball": lambda s: (f"sphere: {0.4 * s:.4g}", 0.4 * s, 0.2 * s),
}
# The planes between cells along x, y and z, and which cells are full.
MESHES = {
    "angle": ([-0.1, -0.06, 0, 0.1], [-0.1, -0.06, 0, 0.1], [-0.1, -0.03, 0.03, 0.1], lambda i, j, k: i == 0 or j == 0),
    "cross": ([-0.1, -0.03, 0.03, 0.1], [-0.1, -0.03, 0.03, 0.1], [-0.03, 0.03], lambda i, j, k: i == 1 or j == 1),
    "table": ([-0.1, -0.06, 0, 0.06, 0.1], [-0.1, -0.06, 0, 0.06, 0.1], [-0.08, -0.01, 0.05, 0.08], lambda i, j, k: k == 2 or (i % 3 == 0 and j % 3 == 0)),
    "tub": ([-0.1, -0.07, 0, 0.07, 0.1], [-0.1, -0.07, 0, 0.07, 0.1], [-0.05, -0.02, 0.05], lambda i, j, k: k == 0 or i % 3 == 0 or j % 3 == 0),
}


def write_mesh(path, kind):
    """Each cell as six tetrahedra around its diagonal."""
    *planes, is_full = MESHES[kind]
    vertices, tets = {}, []
    for cell in itertools.product(*(range(len(p) - 1) for p in planes)):
        if not is_full(*cell):
            continue
        for order in itertools.permutations(range(3)):
            at, tet = list(cell), []
            for axis in (*order, None):
                tet.append(vertices.setdefault(tuple(p[i] for p, i in zip(planes, at)), len(vertices) + 1))
                if axis is not None:
                    at[axis] += 1
            if order in ((0, 2, 1), (1, 0, 2), (2, 1, 0)):
                tet[2:] = tet[:1:-1]
            tets.append(tet)
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", len(vertices), *(f"{n} {x} {y} {z}" for (x, y, z), n in vertices.items()), "$EndNodes",
             "$Elements", len(tets), *(f"{i + 1} 4 2 1 1 {' '.join(map(str, tet))}" for i, tet in enumerate(tets)), "$EndElements"]
    path.write_text("".join(f"{line}\n" for line in lines))


def scene(number, step):
    rng = random.Random(f"soft {number}")
    kinds = [rng.choice([*KINDS, *MESHES]) for _ in range(2)]
    of_mesh = lambda kind: (f"mesh: {{file: {kind}.msh}}", 0.17, None)
    shapes = [of_mesh(kind) if kind in MESHES else KINDS[kind](rng.uniform(0.12, 0.3)) for kind in kinds]
    reach, speed = sum(radius for _, radius, _ in shapes), rng.uniform(2, 8)
    end = step * math.ceil((2 * reach + 0.3) / speed / step)
    text = HEAD.format(step=step, end=end, frame=10 * step, friction=rng.uniform(0, 1), young=10 ** rng.uniform(5, 6))
    for i, (x, off, v) in enumerate(((0, 0, 0), (reach + 0.02, 0.3 * reach, -speed))):
        turn, spin = ([rng.gauss(0, 1) for _ in range(n)] for n in (4, 3))
        text += BODY.format(name=("still", "thrown")[i], shape=shapes[i][0], resolution=f"resolution: {shapes[i][2]:.4g}, " if shapes[i][2] else "", x=x, y=rng.uniform(-off, off), z=rng.uniform(-off, off), v=v,
                            q=[a / math.hypot(*turn) for a in turn], w=[10 * a / math.hypot(*spin) for a in spin])
    return text, kinds


def measure(options, number):
    text, kinds = scene(number, options.step)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(options.keep or folder) / f"throw{number}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        for kind in set(kinds) & MESHES.keys():
            write_mesh(path.with_name(f"{kind}.msh"), kind)
        out = path.with_suffix(".out")
        run = subprocess.run([options.program, "run", path, "-o", out, "--threads", "1", "--quiet", "--force"], capture_output=True, text=True)
        if run.returncode == 2:
            raise SystemExit(run.stderr)
        summary = json.loads((out / "summary.json").read_text())
        rows = list(csv.DictReader(open(out / "balance.csv")))
        first = next(csv.DictReader(open(out / "history.csv")))
    energy = sum(float(first[kind]) for kind in ("kinetic_energy", "elastic_energy"))
    made = [-float(row["contact_loss"]) for row in rows]
    rise = max(float(row["change"]) for row in rows)
    unfelt = max((p["overlap"] - p["contact_depth"] for p in summary["passing"]), default=0)
    return {"number": number, "kinds": " and ".join(kinds), "made": [m for m in made if m > MADE], "rise": rise, "energy": energy, "unfelt": unfelt, "summary": summary}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--step", type=float, default=1 / 100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="folder for scenes and runs")
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = list(pool.map(lambda number: measure(options, number), range(options.first, options.first + options.count)))
    for run in runs:
        if run["made"] or run["unfelt"] > 0:
            most = max(run["made"], default=0)
            print(f"  throw {run['number']} ({run['kinds']}): makes {most:.2g} J, {most / run['energy']:.2g} of what it had, and rises by {run['rise']:.2g} J; {1000 * run['unfelt']:.1f} mm unfelt")
    made = [m for run in runs for m in run["made"]]
    total = lambda key: sum(run["summary"][key] for run in runs)
    print(f"{options.count} throws, {total('steps')} steps: {len(made)} steps in {sum(bool(r['made']) for r in runs)} throws make {sum(made):.3g} J, {max(made, default=0):.2g} at most, energy rises by {max(r['rise'] for r in runs):.2g} J; "
          f"{total('newton_iterations')} iterations, {total('failed_solves')} failed solves, {sum(r['summary']['status'] != 'done' for r in runs)} ended early, {sum(r['unfelt'] > 0 for r in runs)} with unfelt overlap")


main()
