"""Pairs of boxes for judges: how deep two overlap, and a box as a mesh that is met by its triangles."""
import itertools
import math

DENT = 0.01  # of the length: at the middle of both ends, else the mesh were convex and had exact faces


def random_quaternion(rng):
    q = [rng.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(a * a for a in q))
    return [a / length for a in q]


def axes(q):
    w, x, y, z = q
    columns = ((1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
               (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
               (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))
    return columns


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def overlap(half, row_a, row_b):
    """The least way that parts two boxes [m], by rows of bodies.csv; negative: they are apart."""
    number = lambda row, keys: [float(row[key]) for key in keys]
    way = [q - p for p, q in zip(number(row_a, "xyz"), number(row_b, "xyz"))]
    a, b = axes(number(row_a, ("qw", "qx", "qy", "qz"))), axes(number(row_b, ("qw", "qx", "qy", "qz")))
    least = math.inf
    for n in (*a, *b, *(cross(p, q) for p in a for q in b)):
        length = math.sqrt(dot(n, n))
        if length < 1e-6:
            continue
        reach = sum(h * (abs(dot(n, p)) + abs(dot(n, q))) for h, p, q in zip(half, a, b))
        least = min(least, (reach - abs(dot(n, way))) / length)
    return least


def write_mesh(path, size):
    """A box whose ends along z are dented; its centre of mass is the origin."""
    corners = [[0.5 * s * sign for s, sign in zip(size, signs)] for signs in itertools.product((-1, 1), repeat=3)]
    lowest, highest = [0, 0, (DENT - 0.5) * size[2]], [0, 0, (0.5 - DENT) * size[2]]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6)]  # outward, by corners 4 x + 2 y + z
    facets = [f for a, b, c, d in sides for f in ((a, b, c), (a, c, d))]
    for (a, b, c, d), middle in (((0, 2, 6, 4), 8), ((1, 5, 7, 3), 9)):
        facets += [(a, b, middle), (b, c, middle), (c, d, middle), (d, a, middle)]
    path.write_text("".join(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in (*corners, lowest, highest))
                    + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in facets))
