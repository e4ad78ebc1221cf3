#!/usr/bin/env python3
"""Several simulations in several threads; one simulation in two."""
import concurrent.futures
import threading
import unittest

import support
from support import np, stickslip


class Threads(unittest.TestCase):
    def test_a_hundred_rollouts_have_the_bits_of_one_by_one(self):
        root = stickslip.Simulation(support.block_on_floor(), steered=True)
        root.run(0.1)
        present = root.snapshot()
        forces = np.random.default_rng(1).uniform(-150, 150, (100, 3))

        def rollout(simulation, force):
            simulation.restore(present)
            simulation.set_load("block", force)
            simulation.run(0.2)
            return simulation.state_hash

        one_by_one = [rollout(root, force) for force in forces]
        self.assertEqual(len(set(one_by_one)), 100)
        own = threading.local()

        def task(force):
            if not hasattr(own, "simulation"):
                own.simulation = root.copy()
            return rollout(own.simulation, force)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.assertEqual(list(pool.map(task, forces)), one_by_one)

    def test_one_simulation_in_two_threads(self):
        scene = support.soft()
        scene["bodies.cube.resolution"] = 0.0125
        simulation = stickslip.Simulation(scene)
        begun = threading.Event()

        def drive():
            begun.set()
            try:
                simulation.run(10)
            except stickslip.Interrupted:
                return "interrupted"

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            driven = pool.submit(drive)
            begun.wait()
            refused = 0
            for _ in range(2000):
                for use in (simulation.step, lambda: simulation.set_load("block", [1, 0, 0]), lambda: simulation.state.nodes.positions,
                            simulation.snapshot, lambda: simulation.contacts, simulation.equations, simulation.copy):
                    try:
                        use()
                    except stickslip.BusyError as error:
                        refused += 1
                        self.assertIn("one thread at a time", str(error))
                if refused > 100:
                    break
            simulation.interrupt()
            self.assertEqual(driven.result(), "interrupted")
        self.assertGreater(refused, 100)
        simulation.step()

    def ticks_during(self, act):
        """How often another thread came to its turn, every 2 ms, while this one acts."""
        ticks, done = [], threading.Event()

        def tick():
            while not done.wait(0.002):
                ticks.append(1)

        thread = threading.Thread(target=tick)
        thread.start()
        act()
        done.set()
        thread.join()
        return len(ticks)

    def test_other_threads_go_on_meanwhile(self):
        scene = support.soft()
        scene["bodies.cube.resolution"] = 0.006  # a mesh and a step of a tenth of a second each
        self.assertGreater(self.ticks_during(stickslip.Simulation(scene).step), 2)
        self.assertGreater(self.ticks_during(lambda: stickslip.Simulation(scene)), 5)


if __name__ == "__main__":
    unittest.main()
