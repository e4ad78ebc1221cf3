#!/usr/bin/env python3
"""Sweeps: rows in processes, by folders and by functions."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import support
from support import np, stickslip


def stopping_distance(simulation):
    simulation.run(until=1)
    return simulation.pose("block").position[0]


def fail(simulation):
    raise KeyError("no such thing")


class Sweeps(unittest.TestCase):
    def test_each_row_as_by_itself(self):
        scene = support.block_on_floor(bodies__block__velocity=[1, 0, 0])
        frictions = [0.2, 0.4, 0.8]
        ways = stickslip.sweep(scene, {"contact.friction": frictions}, processes=2, measure=stopping_distance)
        np.testing.assert_allclose(ways, [1 / (2 * 9.81 * mu) for mu in frictions], rtol=0.12)  # off by v dt / 2
        results = stickslip.sweep(scene, {"contact.friction": np.array(frictions)}, processes=2)
        for mu, way, result in zip(frictions, ways, results):
            simulation = stickslip.Simulation(scene)
            simulation.set_friction(mu)
            simulation.run(1)
            self.assertEqual(result["bodies"]["block"].position[0], way)
            self.assertEqual(simulation.pose("block").position[0], way)
        self.assertEqual(scene["contact.friction"], 0.5)

    def test_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            table = {"contact.friction": [0.1, 0.3], "time.end": [0.05, 0.1]}
            runs = stickslip.sweep(support.block_on_floor(), table, processes=2, folder=folder)
            self.assertEqual([run.folder.name for run in runs], ["001", "002"])
            self.assertEqual([run.scene["contact.friction"] for run in runs], [0.1, 0.3])
            stamps = [(run.folder / "scene.yaml").stat().st_mtime_ns for run in runs]
            hashes = [run.summary["state_hash"] for run in runs]
            again = stickslip.sweep(support.block_on_floor(), table, processes=1, folder=folder)
            self.assertEqual([run.summary["state_hash"] for run in again], hashes)
            self.assertEqual(len(stamps), len(list(pathlib.Path(folder).iterdir())))

    def test_a_row_that_gives_up(self):
        table = {"solver.max_newton": [1, 50], "time.min_step": [0.005, 0.005]}
        results = stickslip.sweep(support.soft(), table, until=0.05)
        self.assertIsInstance(results[0], stickslip.StepError)
        self.assertIn("bodies", results[1])

    def test_what_measure_raises_names_the_row(self):
        with self.assertRaises(KeyError) as raised:
            stickslip.sweep(support.block_on_floor(), {"contact.friction": [0.1, 0.2]}, processes=1, measure=fail)
        self.assertEqual(raised.exception.__notes__, ["sweep: in row 1 of the table: {'contact.friction': 0.1}"])

    def test_an_interrupt_of_the_parent_alone_ends_it(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "long.py")
            script.write_text(
                "import support, stickslip\n"
                "if __name__ == '__main__':\n"
                "    stickslip.sweep(support.block_on_floor(), {'contact.friction': 4 * [0.1]}, 2, until=1e5, folder='rows')\n"
            )
            paths = [str(pathlib.Path(support.__file__).parent), *sys.path]
            child = subprocess.Popen(
                [sys.executable, script.name], cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )
            while child.poll() is None and len(list(pathlib.Path(folder).glob("rows/*/history.csv"))) < 2:
                time.sleep(0.05)
            going_on = "rows: expected a folder that no run writes into, found a run or sweep that goes on in it; stop that first"
            with self.assertRaisesRegex(stickslip.InputError, going_on):
                stickslip.sweep(support.block_on_floor(), {"contact.friction": [0.1]}, folder=pathlib.Path(folder, "rows"))
            child.send_signal(signal.SIGINT)
            said = child.communicate(timeout=60)[1]
            self.assertIn("KeyboardInterrupt", said)
            self.assertEqual(sorted(path.name for path in pathlib.Path(folder, "rows").iterdir()), ["001", "002"])

    def test_misuse(self):
        scene = support.block_on_floor()
        for table, options, error, said in [
            ({"contact.friction": [0.1], "time.end": [1, 2]}, {}, stickslip.InputError, "one length"),
            ({"contact.fricton": [0.1]}, {}, stickslip.SceneError, "friction"),
            ({"time.end": [1, 1e-9]}, {}, stickslip.SceneError, "time.end"),
            ({"time.end": [1]}, {"processes": 0}, stickslip.InputError, "processes"),
            ({"time.end": [1]}, {"folder": "x", "measure": fail}, stickslip.InputError, "both"),
            ({"time.end": [1]}, {"measure": fail}, KeyError, "no such thing"),
            ({}, {}, stickslip.InputError, "table: expected at least one column, found none"),
            ([0.1], {}, TypeError, "table: expected columns by path, a dict, found list"),
            ({"time.end": 1}, {}, TypeError, "table: expected a list of values of 'time.end', found 1"),
            ({"time.end": "12"}, {}, TypeError, "expected a list of values"),
            ({"time.end": [1]}, {"processes": "a"}, TypeError, "processes: expected a whole number, found 'a'"),
            ({"time.end": [1]}, {"measure": 5}, TypeError, "measure: expected a function"),
        ]:
            with self.assertRaisesRegex(error, said):
                stickslip.sweep(scene, table, **options)
        self.assertEqual(stickslip.sweep(scene, {"time.end": []}), [])


if __name__ == "__main__":
    unittest.main()
