# A sphere rolls 30 radii over a flat surface in YADE: its plane, and triangles with edges of a half and of one radius.
#     yade -x -n bench/rolling_peer.py OUT
# writes OUT, a table x/R, speed/first speed a surface, for scripts/rolling_plot. The set-up is that of the scene there.
import csv
import math
import sys

R, gravity, density, overlap, damping = 0.1, 10.0, 1000.0, 0.01, 0.1
mass = 4.0 / 3 * math.pi * R**3 * density
speed = math.sqrt(gravity * R)  # Froude number 1
stiffness = mass * gravity / (overlap * R)
spin = speed / (R * (1 - overlap / 2))  # rolls without slip by YADE's measure on a plane


def triangles(edge, material):
    columns, rows = math.ceil(46 * R / edge), 2 * math.ceil(3 * R / edge)
    found = []
    for i in range(columns):
        for j in range(rows):
            x, y = -3 * R + i * edge, (j - rows / 2) * edge
            a, b, c, d = (x, y, 0), (x + edge, y, 0), (x + edge, y + edge, 0), (x, y + edge, 0)
            found += [facet((a, b, c), material=material), facet((a, c, d), material=material)]
    return found


def roll(edge):
    """Rows (x/R, speed/first speed); edge 0: the analytic plane."""
    O.reset()
    # kn = young x R against a plane; a facet answers 4/3 times as stiffly, which is taken out here
    young = stiffness / R * (0.75 if edge else 1)
    material = O.materials.append(FrictMat(young=young, poisson=0.3, frictionAngle=math.atan(0.5), density=density))
    O.bodies.append(triangles(edge, material) if edge else wall(0, axis=2, material=material))
    ball = O.bodies[O.bodies.append(sphere((0.0, 0.0371 * R, R * (1 - overlap)), R, material=material))]
    ball.state.vel, ball.state.angVel = (speed, 0, 0), (0, spin, 0)
    ball.state.blockedDOFs = "y"
    O.engines = [
        ForceResetter(),
        InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb(), Bo1_Wall_Aabb()]),
        InteractionLoop(
            [Ig2_Facet_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
            [Ip2_FrictMat_FrictMat_FrictPhys()],
            [Law2_ScGeom_FrictPhys_CundallStrack()],
        ),
        NewtonIntegrator(gravity=(0, 0, -gravity), damping=damping),
    ]
    O.dt = 2 * math.pi * math.sqrt(mass / stiffness) / 60
    rows = []
    while ball.state.pos[0] < 30 * R and O.time < 100 * R / speed:
        rows.append((ball.state.pos[0] / R, ball.state.vel[0] / speed))
        O.run(max(1, int(0.2 * R / speed / O.dt)), True)
    return rows


with open(sys.argv[1], "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["surface", "way", "speed"])
    for name, edge in (("plane", 0), ("edge 0.5 R", 0.5 * R), ("edge 1 R", R)):
        table.writerows([(name, f"{x:.4f}", f"{v:.5f}") for x, v in roll(edge)])
