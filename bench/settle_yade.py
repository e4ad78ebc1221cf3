"""YADE's side of settle_race.py: what settle_bench.cpp computes, in YADE.

    yade -j1 -x -n bench/settle_yade.py SPHERES WARM_UP_STEPS STEPS_A_PART

For every line on the standard input runs a part and prints "part", its CPU seconds, its seconds on the clock and contacts a sphere."""
import random
import sys
import time

from yade import geom

COUNT, WARM, STEPS = (int(word) for word in sys.argv[1:4])
RADIUS = 5e-3

material = O.materials.append(FrictMat(young=1e6, poisson=0.3, frictionAngle=0.5, density=2600))
side = max(2, round(COUNT ** (1 / 3)))
spacing = 2.01 * RADIUS
length = (side + 0.5) * spacing + 2 * RADIUS
height = (COUNT - 1) // side**2 * spacing * 0.7072 + 6 * RADIUS
box = geom.facetBox((length / 2, length / 2, height / 2), (length / 2, length / 2, height / 2), wallMask=31, material=material)
O.bodies.append(box)
random.seed(1)
for i in range(COUNT):
    layer, k = divmod(i, side**2)
    shift = 0.5 * spacing * (layer % 2) + 2 * RADIUS
    x, y = (k % side * spacing + shift + random.uniform(-0.01, 0.01) * RADIUS, k // side * spacing + shift + random.uniform(-0.01, 0.01) * RADIUS)
    O.bodies.append(sphere((x, y, layer * spacing * 0.7072 + 2 * RADIUS), RADIUS, material=material))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()]),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_FrictPhys()],
        [Law2_ScGeom_FrictPhys_CundallStrack()]),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=0.2),
]
O.dt = 0.3 * PWaveTimeStep()
O.run(WARM, True)
print("ready", flush=True)
while sys.stdin.readline().strip():
    clock, cpu = time.perf_counter(), time.process_time()
    O.run(STEPS, True)
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    contacts = sum(1 for contact in O.interactions if contact.isReal) / COUNT
    print("part %.6f %.6f %.4f" % (cpu, clock, contacts), flush=True)
