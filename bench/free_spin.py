#!/usr/bin/env python3
"""How backward Euler damps what turns freely, by the angle of a step.

    python3 bench/free_spin.py PROGRAM

A soft block, one of material points and a rigid disc that wobbles turn in empty space by 0.02 to 0.3 rad a step, for a turn each. Prints the angular velocity left
of the blocks, beside 1/sqrt(1 + 2 (w dt)^2 n) after n steps; of the disc its angular momentum and its kinetic energy, and the angle of its wobble beside
exp(-(p dt)^2 n/4), p = L/I the rate of the wobble; and, of all bodies, the sums of two columns of balance.csv, as shares of the kinetic energy and of the
angular momentum at the start."""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

STEP = 0.01  # [s]
TILT = 0.1  # [rad] of the disc's axis against its angular momentum

BODIES = {
    "soft block": "kind: deformable, shape: {box: [0.2, 0.1, 0.1]}, resolution: 0.05",
    "material points": "kind: mpm, shape: {box: [0.2, 0.1, 0.1]}, resolution: 0.05",
    "rigid disc": "kind: rigid, shape: {cylinder: {radius: 0.1, height: 0.01}}",
}


def scene(body, w, steps):
    return f"""stickslip: 1
time: {{step: {STEP}, end: {steps * STEP:.17g}}}
gravity: [0, 0, 0]
materials: {{stuff: {{density: 1000, young: 1.0e7, poisson: 0.3}}}}
output: {{frames: false}}
bodies:
  - {{name: body, material: stuff, {BODIES[body]}, angular_velocity: [{', '.join(f'{x:.17g}' for x in w)}]}}
"""


def rows_of(path):
    with open(path, newline="") as file:
        return [{key: float(value) if key != "body" else value for key, value in row.items()} for row in csv.DictReader(file)]


def run(program, folder, body, w, steps):
    (folder / "scene.yaml").write_text(scene(body, w, steps))
    subprocess.run([program, "run", folder / "scene.yaml", "-o", folder / "out", "--force", "--threads", "1"], check=True, capture_output=True)
    assert json.loads((folder / "out" / "summary.json").read_text())["status"] == "done"
    return [rows_of(folder / "out" / name) for name in ("bodies.csv", "history.csv", "balance.csv")]


def turned(q, v):
    w, u = q[0], q[1:]
    cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    t = [2 * x for x in cross(u, v)]
    return [x + w * y + z for x, y, z in zip(v, t, cross(u, t))]


def momentum(row):
    return [row["lx"], row["ly"], row["lz"]]


def norm(v):
    return math.hypot(*v)


def wobble(body, history):
    axis = turned([body[key] for key in ("qw", "qx", "qy", "qz")], [0, 1, 0])
    L = momentum(history)
    return math.acos(min(1, sum(a * l for a, l in zip(axis, L)) / norm(L)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    program = parser.parse_args().program
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for angle in (0.02, 0.1, 0.3):
            steps = round(2 * math.pi / angle)
            for body in BODIES:
                w = [0, angle / STEP, 0]
                if body == "rigid disc":  # half as much inertia across its axis: L leans by half of that
                    w[0] = 2 * math.tan(TILT) * w[1]
                bodies, history, balance = run(program, folder, body, w, steps)
                columns = [sum(row[key] for row in balance) for key in ("inertia_loss", "angular_backward_euler_y")]
                first, last = history[0], history[-1]
                energy = last["kinetic_energy"] + columns[0]
                text = f"{angle:4.2f} rad a step, {steps:3d} steps, {body:15s}: "
                if body == "rigid disc":
                    tilt = wobble(bodies[-1], last)
                    rate = 2 * w[1] / math.cos(TILT)
                    text += f"wobble {tilt / TILT:.3f} of {TILT} rad ({math.exp(-((rate * STEP) ** 2) * steps / 4):.3f}), L {norm(momentum(last)) / norm(momentum(first)) - 1:+.0e}, "
                else:
                    text += f"angular velocity {bodies[-1]['wy'] / w[1]:.3f} ({1 / math.sqrt(1 + 2 * angle**2 * steps):.3f}), L {last['ly'] / (last['ly'] - columns[1]):.3f}, "
                print(text + f"inertia_loss {columns[0] / energy:.4f} of the energy")


if __name__ == "__main__":
    main()
