#!/usr/bin/env python3
"""Which coefficient of friction explains a measured slide? A puck was pushed off on a table and filmed: 15 positions with
an error of a millimetre. scipy finds friction and first speed so that the simulated slide fits."""
import numpy as np
import stickslip
from scipy.optimize import least_squares

scene = stickslip.Scene("""
stickslip: 1
time: {step: 0.005, end: 1}
materials: {brass: {density: 8000}}
bodies:
  - {name: table, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: puck, kind: rigid, material: brass, shape: {box: [0.1, 0.02, 0.1]}, position: [0, 0.01, 0]}
""")
simulation = stickslip.Simulation(scene)
simulation.run(until=0.1)  # the puck comes to rest
start = simulation.snapshot()


def slide(parameters, times):
    """Positions [m] of a puck pushed off with parameters mu, speed."""
    mu, speed = parameters
    simulation.restore(start)
    simulation.set_friction("table", "puck", mu)
    simulation.set_velocity("puck", [speed, 0, 0])
    positions = []
    for time in times:
        simulation.run(until=start.time + time)
        positions.append(simulation.pose("puck").position[0])
    return np.array(positions)


# What a camera would give: Coulomb's law with mu = 0.23 and 1.2 m/s, and its error.
times = np.linspace(0.05, 0.75, 15)
moving = np.minimum(times, 1.2 / (0.23 * 9.81))
measured = 1.2 * moving - 0.5 * 0.23 * 9.81 * moving**2 + np.random.default_rng(1).normal(0, 1e-3, len(times))

fit = least_squares(lambda p: slide(p, times) - measured, x0=[0.4, 1.0], bounds=([0, 0], [1, 5]), diff_step=1e-3)
print(f"mu = {fit.x[0]:.4f} (made with 0.2300), speed = {fit.x[1]:.4f} m/s (1.2000), "
      f"left: {1e3 * np.sqrt(np.mean(fit.fun**2)):.2f} mm, {fit.nfev} evaluations")
assert abs(fit.x[0] - 0.23) < 0.01 and abs(fit.x[1] - 1.2) < 0.02
