#!/usr/bin/env python3
"""How deep the boxes of a run lie in one another at its end, felt or not.

    python3 bench/box_overlaps.py RUN [NAME] [SIZE]

Takes the last poses of bodies.csv, of bodies whose names begin with NAME (box) and which are cubes of SIZE (0.2) m. The
corners of each and the middles of its edges and faces, which are its samples among its like, are looked for in all others: how
far such a point is inside, from the nearest face, whether there is a contact or not. Beside it the overlap by separating axes (the shortest way that parts two boxes), which
also sees edges that cross."""
import csv
import itertools
import math
import pathlib
import sys


def last_poses(run, name):
    with open(run / "bodies.csv", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["body"].startswith(name)]
    last = [row for row in rows if row["time"] == rows[-1]["time"]]
    return [([float(row[k]) for k in ("x", "y", "z")], axes(*(float(row[k]) for k in ("qw", "qx", "qy", "qz")))) for row in last]


def axes(w, x, y, z):
    """Of a body, in the world."""
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
        (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
        (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)),
    )


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def point_overlap(one, other, points, half):
    """Of the points of one box in another."""
    (x, R), (y, Q) = one, other
    offset = [dot(minus(x, y), axis) for axis in Q]
    turn = [[dot(mine, axis) for mine in R] for axis in Q]
    return max(half - max(abs(o + dot(t, p)) for o, t in zip(offset, turn)) for p in points)


def axis_overlap(one, other, half):
    (x, R), (y, Q) = one, other
    candidates = list(R) + list(Q)
    for a, b in itertools.product(R, Q):
        n = cross(a, b)
        length = math.sqrt(dot(n, n))
        if length > 1e-6:
            candidates.append(tuple(c / length for c in n))
    apart = minus(x, y)
    return min(half * sum(abs(dot(n, axis)) for axis in R + Q) - abs(dot(n, apart)) for n in candidates)


def main():
    run, name, size = pathlib.Path(sys.argv[1]), (sys.argv[2:] + ["box"])[0], float((sys.argv[3:] + ["0.2"])[0])
    half = size / 2
    points = [p for p in itertools.product([-half, 0.0, half], repeat=3) if max(map(abs, p)) == half]
    boxes = last_poses(run, name)
    near = [(a, b) for a, b in itertools.combinations(boxes, 2) if math.dist(a[0], b[0]) < 2 * math.sqrt(3) * half]
    by_point = [max(point_overlap(a, b, points, half), point_overlap(b, a, points, half)) for a, b in near]
    by_axis = [axis_overlap(a, b, half) for a, b in near]
    for what, found in ("points", by_point), ("separating axes", by_axis):
        found = sorted(1e3 * d for d in found if d > 0)
        if found:
            print(
                f"{what}: {len(found)} pairs overlap, the deepest by {found[-1]:.3f} mm, 99 % by less than "
                f"{found[int(0.99 * len(found))]:.3f} mm, {sum(found) / len(found):.3f} mm in the mean"
            )


main()
