"""An arch that opens at four joints is a linkage: two rigid halves on hinges at the ground and the keystone between them. Its motion is known by one
angle; upright it stands as a pendulum does on its head, and what is left of symmetry grows at a rate that follows from the weights alone."""
import cmath
import math
import re


def masses(log, names):
    """Of bodies by name, from a run's log.txt: mass [kg] and largest moment of inertia [kg m2], which is about the axis across the arch."""
    number = r"([\d.e+]+)"
    found = [re.search(rf"^{name}: rigid, mass {number} kg, principal moments of inertia {number}, {number}, {number}", log, re.M) for name in names]
    return [(float(m[1]), float(m[4])) for m in found]


def growth_rate(rows, weights, keystone, gravity):
    """Rate [1/s] from the places and velocities of the stones in order, at one time: hinges are where neighbours move alike."""
    place = [complex(row["x"], row["y"]) for row in rows]
    velocity = [complex(row["vx"], row["vy"]) for row in rows]
    spin = [row["wz"] for row in rows]
    halves = range(keystone), range(keystone + 1, len(rows))
    foot = [sum(place[i] + 1j * velocity[i] / spin[i] for i in half) / len(half) for half in halves]
    turn = [sum(spin[i] for i in half) / len(half) for half in halves]
    crown = [(velocity[keystone] - 1j * spin[keystone] * place[keystone] + 1j * w * f) / (1j * (w - spin[keystone])) for f, w in zip(foot, turn)]
    width, right = abs(crown[1] - crown[0]), abs(crown[1] - foot[1])

    def turned(angle):
        """Places and angles of all stones with the left half turned by an angle."""
        first = foot[0] + cmath.rect(1, angle) * (crown[0] - foot[0])
        across = foot[1] - first
        along = (width**2 - right**2 + abs(across)**2) / (2 * abs(across))
        beside = 1j * math.sqrt(width**2 - along**2)
        second = min((first + (along + s * beside) * across / abs(across) for s in (1, -1)), key=lambda p: abs(p - crown[1]))
        key = cmath.phase((second - first) / (crown[1] - crown[0]))
        other = cmath.phase((second - foot[1]) / (crown[1] - foot[1]))
        parts = [(foot[0], foot[0], angle)] * keystone + [(crown[0], first, key)] + [(foot[1], foot[1], other)] * len(halves[1])
        return [(to + cmath.rect(1, a) * (p - about), a) for p, (about, to, a) in zip(place, parts)]

    step = 1e-4
    before, here, after = turned(-step), turned(0), turned(step)
    stiffness = sum(m * gravity * (b[0] - 2 * h[0] + a[0]).imag for (m, _), b, h, a in zip(weights, before, here, after)) / step**2
    inertia = sum(m * abs(a[0] - b[0])**2 + turning * (a[1] - b[1])**2 for (m, turning), b, a in zip(weights, before, after)) / (2 * step)**2
    return math.sqrt(max(0, -stiffness / inertia))
