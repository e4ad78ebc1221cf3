#!/usr/bin/env python3
"""The load on the wall of a silo saturates with depth as Janssen found.

    silo_test.py PROGRAM SOURCE_DIR

Grains settle in a tube, which is then lifted slowly, so that friction carries them all along its wall. Janssen: with the wall's
friction mu, the bulk's density rho, the tube's diameter D and a constant share K of the vertical stress s on the wall,
s' = rho g - 4 mu K s/D, so that

    s = rho g l (1 - exp(-z/l)),  l = D/(4 mu K),      pressure on the wall  K s -> rho g D/(4 mu)

mu is measured, as the sum of the shear forces over that of the normal forces; K alone is fitted.
"""
import json
import math
import sys

from granular_runs import DENSITY, DIAMETER as d, GRAVITY, Runs, cylinder_fill, head, ring, sweep, table, write_rings

RADIUS, HEIGHT = 5 * d, 50 * d
START = 2.0  # [s] friction is mobilised by then
END = 4.0
BINS = 10


def scene():
    return (
        head("A silo", END, 0.5, "{bodies: [grains, tube], friction: 0.4}", frame=0.05)
        + f"""output: {{history: 0.05, contacts: true, energy: false, checkpoint: .inf}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
  - name: tube
    kind: obstacle
    shape: {{mesh: {{file: tube.obj}}}}
    motion: {{keyframes: [{{time: 1.0, position: [0, 0, 0]}}, {{time: {END}, position: [0, {6 * d}, 0]}}]}}
"""
        + cylinder_fill(RADIUS, HEIGHT)
    )


def measure(folder):
    """Height of the grains, their density, and by bins from the top: normal and shear force of the wall [N]."""
    low, high = 0.0047, 0.0053  # of SIZES: mean cube of the radius
    count = json.loads((folder / "summary.json").read_text())["spheres"]
    mass = count * DENSITY * 4 / 3 * math.pi * (high**4 - low**4) / 4 / (high - low)
    places = [float(row["y"]) for row in table(folder / "bodies.csv") if row["body"] == "grains" and float(row["time"]) > START]
    height = 2 * sum(places) / len(places)
    normal, shear, times = [0.0] * BINS, [0.0] * BINS, set()
    for row in table(folder / "contacts.csv"):
        y = float(row["y"])
        if float(row["time"]) <= START or row["surface_body"] != "tube" or not 0 < y < height:
            continue
        times.add(row["time"])
        x, z = float(row["x"]), float(row["z"])
        k = int((height - y) / height * BINS)
        normal[k] -= (float(row["fx"]) * x + float(row["fz"]) * z) / math.hypot(x, z)
        shear[k] += float(row["fy"])
    n = len(times)
    return height, mass / (math.pi * RADIUS**2 * height), [f / n for f in normal], [f / n for f in shear]


def judge(runs, folder):
    height, density, normal, shear = measure(folder)
    mu, slab, area = sum(shear) / sum(normal), height / BINS, math.pi * RADIUS**2
    saturated = density * GRAVITY * 2 * RADIUS / (4 * mu)
    pressure = [f / (2 * math.pi * RADIUS * slab) for f in normal]
    deep = pressure[3:-1]  # from one and a half diameters down, without the slab on the floor
    found = sum(deep) / len(deep)
    runs.check("measured friction of the wall, of 0.4", 0.3 < mu <= 0.4, f"{mu:.3f}")
    runs.check("pressure deep down against rho g D/(4 mu)", abs(found / saturated - 1) < 0.1, f"{found:.0f} Pa, {100 * (found / saturated - 1):+.1f} %")

    depths = [(k + 0.5) * slab for k in range(BINS - 1)]
    carried, stress = 0.0, []  # what the wall carries above
    for k in range(BINS - 1):
        stress.append((density * area * GRAVITY * depths[k] - carried - shear[k] / 2) / area)
        carried += shear[k]

    def misfit(length, values, scale):
        """Root mean square of values less scale (1 - exp(-z/length)), over scale."""
        return math.sqrt(sum((v / scale - 1 + math.exp(-z / length)) ** 2 for z, v in zip(depths, values)) / len(depths))

    lengths = [0.01 * i * RADIUS for i in range(20, 1000)]
    length = min(lengths, key=lambda l: misfit(l, stress, density * GRAVITY * l))
    off = misfit(length, stress, density * GRAVITY * length)
    runs.check("vertical stress against Janssen's exponential", off < 0.1, f"{100 * off:.1f} %, K = {RADIUS / (2 * mu * length):.2f}")
    off = misfit(length, pressure[: BINS - 1], saturated)
    runs.check("wall pressure against the same exponential", off < 0.1, f"{100 * off:.1f} % of the saturated one")
    for z, s, p in zip(depths, stress, pressure):
        print(f"        {z / 2 / RADIUS:.2f} D: {s:.0f} Pa, wall {p:.0f} Pa, Janssen {saturated * (1 - math.exp(-z / length)):.0f} Pa")


def main():
    runs = Runs(sys.argv[1])
    write_rings(runs.folder / "tube.obj", [ring(RADIUS, y) for y in (-8 * d, 0.5 * HEIGHT, 1.2 * HEIGHT)])
    judge(runs, sweep(runs, scene(), ["name"], [["silo"]])[0])
    runs.finish()


if __name__ == "__main__":
    main()
