#!/usr/bin/env python3
"""What a step costs more from Python than in one run() of C++:  PYTHONPATH=build/ci/python python_step.py
Two blocks that never touch anything: the step itself takes some microseconds. Prints medians of several rounds [us]."""
import statistics
import time

import numpy as np
import stickslip

scene = stickslip.Scene("""
stickslip: 1
gravity: [0, 0, 0]
time: {step: 0.001, end: 1000}
materials: {oak: {density: 700}}
bodies:
  - {name: a, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak}
  - {name: b, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [2, 0, 0]}
""")
steps, rounds = 2000, 9


def microseconds(act):
    """The median over rounds, for one step."""
    took = []
    for _ in range(rounds):
        simulation = stickslip.Simulation(scene, steered=True)
        simulation.step()
        began = time.perf_counter()
        act(simulation)
        took.append((time.perf_counter() - began) / steps * 1e6)
    return statistics.median(took)


def by_steps(simulation):
    for _ in range(steps):
        simulation.step()


def control(simulation):
    velocities, force = simulation.state.rigids.velocities, np.zeros(3)
    for _ in range(steps):
        force[0] = -velocities[0, 0]
        simulation.set_load("a", force)
        simulation.step()


alone = microseconds(lambda simulation: simulation.run(until=simulation.time + steps * simulation.time_step))
for name, act in [("step()", by_steps), ("run(callback)", lambda s: s.run(s.time + steps * s.time_step, lambda now: None)),
                  ("set_load(), step()", control)]:
    whole = microseconds(act)
    print(f"{name:20} {whole:7.1f} us a step, {whole - alone:6.1f} us more than within run(): {alone:.1f} us")
