#!/usr/bin/env python3
"""A silo with a flat bottom runs out as Beverloo says: rate ~ (D - k d)^2.5.

    discharge_test.py PROGRAM SOURCE_DIR
"""
import math
import sys

from granular_runs import DIAMETER as d, Runs, cylinder_fill, head, line_through, ring, sweep, table, write_rings

K = 1.4  # Beverloo's, for spheres
RADIUS, HEIGHT = 11 * d, 15 * d
OPENINGS = ((6, 1.2), (7.5, 0.9), (9, 0.7), (10.5, 0.6))  # [d], [s] until when: the wider ones are soon empty
START = 0.3  # [s] it takes to flow steadily


def scene():
    return (
        head("A silo runs out", 1, 0.5, "{bodies: [grains, silo], friction: 0.3}")
        + f"""output: {{history: 0.005, frames: false, energy: false, checkpoint: .inf}}
outlets: [{{name: below, box: {{min: [-.inf, -.inf, -.inf], max: [.inf, {-2 * d}, .inf]}}}}]
bodies:
  - {{name: silo, kind: obstacle, shape: {{mesh: {{file: silo.obj}}}}}}
"""
        + cylinder_fill(RADIUS, HEIGHT)
    )


def rate(folder, end):
    """[kg/s] once it flows, and the largest deviation from it of a third of that time."""
    rows = [(float(row["time"]), float(row["mass"])) for row in table(folder / "outlets.csv")]
    third = (end - START) / 3
    parts = [sum(m for t, m in rows if START + i * third < t <= START + (i + 1) * third) / third for i in range(3)]
    mean = sum(parts) / 3
    return mean, max(abs(part / mean - 1) for part in parts)


def main():
    runs = Runs(sys.argv[1])
    for opening, _ in OPENINGS:
        write_rings(runs.folder / f"silo{opening}.obj", [ring(opening * d / 2, 0), ring(RADIUS, 0), ring(RADIUS, 2 * HEIGHT)])
    columns = ("time.end", "time.frame", "bodies.silo.shape.mesh.file")
    folders = sweep(runs, scene(), columns, [(end, end, f"silo{opening}.obj") for opening, end in OPENINGS])
    points = []
    for folder, (opening, end) in zip(folders, OPENINGS):
        found, swing = rate(folder, end)
        points.append((opening, found))
        runs.check(f"opening of {opening} d flows steadily", swing < 0.25, f"{found:.3f} kg/s, thirds within {100 * swing:.0f} %")
    exponent, _ = line_through([(math.log(opening - K), math.log(found)) for opening, found in points])
    runs.check("exponent of (D - 1.4 d)", 2.3 < exponent < 2.7, f"{exponent:.3f}")
    for k in (1.2, 1.6):
        other, _ = line_through([(math.log(opening - k), math.log(found)) for opening, found in points])
        print(f"        with {k} d it would be {other:.3f}")
    runs.finish()


main()
