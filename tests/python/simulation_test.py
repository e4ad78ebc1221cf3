#!/usr/bin/env python3
"""Steps, callbacks, steering, snapshots, copies; what is refused."""
import copy
import os
import pathlib
import pickle
import signal
import tempfile
import threading
import unittest
import warnings

import support
from support import np, stickslip


def settled(**options):
    simulation = stickslip.Simulation(support.block_on_floor(), **options)
    simulation.run(until=0.2)
    return simulation


class Constructors(unittest.TestCase):
    def test_what_a_simulation_makes_cannot_be_made_by_hand(self):
        simulation = settled()
        state = simulation.state
        for made, maker in ((state, "state"), (state.nodes, "state.nodes"), (state.rigids, "state.rigids"),
                            (state.particles, "state.particles"), (state.spheres, "state.spheres"),
                            (simulation.contacts, "contacts"), (simulation.report, "report"),
                            (simulation.report.energies, "report.energies"), (simulation.snapshot(), r"snapshot\(\)")):
            name = type(made).__name__
            said = f"^{name} cannot be made by hand; expected simulation.{maker} of a stickslip.Simulation$"
            with self.assertRaisesRegex(TypeError, said):
                type(made)()
            with self.assertRaisesRegex(TypeError, said):
                getattr(stickslip, name)(simulation, of=1)


class Steps(unittest.TestCase):
    def test_step_and_run_are_the_same(self):
        one, other = stickslip.Simulation(support.soft()), stickslip.Simulation(support.soft(), threads=2)
        for _ in range(10):
            one.step()
        other.run(until=0.1)
        self.assertAlmostEqual(one.time, 0.1)
        self.assertEqual(one.state_hash, other.state_hash)

    def test_a_time_that_the_last_step_went_beyond(self):
        for scene in (support.spheres(), support.block_on_floor()):
            simulation = stickslip.Simulation(scene)
            until = 3.5 * simulation.time_step
            simulation.run(until)
            before = simulation.state_hash
            self.assertGreater(simulation.time, until)
            simulation.run(until)
            self.assertEqual(simulation.state_hash, before)
            with self.assertRaisesRegex(stickslip.InputError, "until: expected a time from"):
                simulation.run(until - simulation.time_step)

    def test_report(self):
        simulation = settled()
        report = simulation.report
        self.assertEqual((report.status, report.dt), ("done", 0.01))
        self.assertEqual(report.contacts, len(simulation.contacts))
        self.assertLess(report.residual, 1e-6)
        self.assertAlmostEqual(report.energies.potential, 10 * 9.81 * 0.1, places=2)
        self.assertEqual(report.energies.total, sum(getattr(report.energies, k) for k in ("kinetic", "potential", "elastic", "contact")))

    def test_callbacks(self):
        simulation, times = settled(), []
        simulation.run(0.25, lambda now: times.append(now.time))
        np.testing.assert_allclose(times, [0.21, 0.22, 0.23, 0.24, 0.25])
        times.clear()
        simulation.run(0.45, callback=lambda now: times.append(now.time), every=0.1)
        np.testing.assert_allclose(times, [0.35, 0.45])
        grains, times = stickslip.Simulation(support.spheres()), []
        grains.run(0.05, lambda now: times.append(now.time), every=0.01)
        np.testing.assert_allclose(times, [0.01, 0.02, 0.03, 0.04, 0.05], atol=2 * grains.time_step)

    def test_an_exception_of_a_callback_comes_out_after_a_whole_step(self):
        simulation = settled()

        def fail(now):
            if now.time > 0.225:
                raise KeyError("enough")

        with self.assertRaisesRegex(KeyError, "enough"):
            simulation.run(1, fail)
        self.assertAlmostEqual(simulation.time, 0.23)
        simulation.run(0.3)

    def test_a_callback_may_step_and_restore(self):
        simulation = settled()
        start = simulation.snapshot()
        simulation.run(0.3, lambda now: now.step())
        self.assertAlmostEqual(simulation.time, 0.3)
        seen = []

        def back_once(now):
            seen.append(now.time)
            if len(seen) == 3:
                now.restore(start)

        simulation.restore(start)
        simulation.run(0.25, back_once)
        self.assertEqual(len(seen), 8)

    def test_steering(self):
        simulation = settled()
        simulation.set_load("block", [100, 0, 0])
        simulation.run(0.4)  # 100 N less mu m g = 49.05 N on 10 kg
        self.assertAlmostEqual(simulation.pose("block").velocity[0], 0.2 * (100 - 49.05) / 10, places=3)
        simulation.set_friction("floor", "block", 0)
        before = simulation.pose("block").velocity[0]
        simulation.run(0.5)
        self.assertAlmostEqual(simulation.pose("block").velocity[0] - before, 0.1 * 10, places=3)
        simulation.set_load("block", (0, 0, 0))
        simulation.set_velocity("block", np.zeros(3))
        simulation.set_friction(0.5)
        simulation.set_friction("floor", "block", float("inf"))
        simulation.set_motion("floor", [0.25, 0, 0])
        simulation.run(0.7)
        self.assertAlmostEqual(simulation.pose("block").velocity[0], 0.25, places=4)

    def test_a_failed_step_says_why(self):
        scene = support.soft()
        scene.update({"solver.max_newton": 1, "time.min_step": 0.005})
        simulation = stickslip.Simulation(scene)
        with self.assertRaisesRegex(stickslip.StepError, "gave up"), self.assertWarnsRegex(stickslip.StickslipWarning, "half the step"):
            while True:
                before = simulation.state_hash
                simulation.step()
        self.assertEqual(simulation.state_hash, before)
        self.assertEqual(simulation.report.status, "failed")
        self.assertIn("gave up", simulation.messages[-1])

    def test_warnings(self):
        scene = support.block_on_floor(bodies__block__position=[0, 0.02, 0])
        with self.assertWarnsRegex(stickslip.StickslipWarning, "inside"):
            stickslip.Simulation(scene)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(stickslip.StickslipWarning):
                stickslip.Simulation(scene)


class Moments(unittest.TestCase):
    def test_back_bit_by_bit(self):
        for scene in (support.soft(), support.spheres()):
            simulation = stickslip.Simulation(scene)
            simulation.run(0.04)
            moment = simulation.snapshot()
            self.assertEqual((moment.time, moment.state_hash), (simulation.time, simulation.state_hash))
            simulation.run(0.08)
            end = simulation.state_hash
            copies = [copy.copy(simulation), copy.deepcopy(simulation), simulation.copy()]
            simulation.restore(moment)
            simulation.run(0.08)
            self.assertEqual(simulation.state_hash, end)
            for other in copies:
                self.assertEqual(other.state_hash, end)
                self.assertEqual(type(other), stickslip.Simulation)
            copies[0].run(0.09)
            self.assertNotEqual(copies[0].state_hash, copies[1].state_hash)

    def test_steering_of_every_kind_of_body(self):
        scene = support.block_on_floor(
            {"name": "points", "kind": "mpm", "shape": {"box": [0.1, 0.1, 0.1]}, "resolution": 0.05, "material": "gum", "position": [-0.4, 0.051, 0]},
            {"name": "cube", "kind": "deformable", "shape": {"box": [0.1, 0.1, 0.1]}, "resolution": 0.05, "material": "gum", "position": [0.4, 0.051, 0]},
            {"name": "sweeper", "kind": "rigid", "shape": {"box": [0.1, 0.1, 0.1]}, "material": "oak", "position": [0, 0.05, 0.5], "motion": {"velocity": [0.1, 0, 0]}},
        )
        steerings = (
            lambda simulation, body: simulation.set_load(body, [3, 0, 1]),
            lambda simulation, body: simulation.set_velocity(body, [0.5, 0, 0]),
            lambda simulation, body: simulation.set_motion(body, [0.3, 0, 0]),
            lambda simulation, body: simulation.set_friction(body, "block" if body == "floor" else "floor", 0.1),
        )
        start = stickslip.Simulation(scene, steered=True)
        start.run(0.03)
        steered = 0
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "moment"
            for body in ("floor", "block", "points", "cube", "sweeper"):
                for number, steering in enumerate(steerings):
                    with self.subTest(body=body, steering=number):
                        simulation = start.copy()
                        try:
                            steering(simulation, body)
                        except stickslip.InputError:
                            continue
                        steered += 1
                        simulation.save(path)
                        others = [simulation.copy(), stickslip.Simulation(scene, steered=True)]
                        others[1].restore(path)
                        for one in (simulation, *others):
                            one.run(0.06)
                        self.assertEqual({one.state_hash for one in others}, {simulation.state_hash})
                        simulation.restore(path)
                        simulation.run(0.06)
                        self.assertEqual(simulation.state_hash, others[0].state_hash)
        self.assertEqual(steered, 11)

    def test_files_and_pickles(self):
        simulation = settled(steered=True)
        simulation.set_load("block", [80, 0, 0])
        simulation.run(0.25)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "moment"
            simulation.save(path)
            other = stickslip.Simulation(support.block_on_floor(), steered=True)
            other.restore(path)
            pickled = pickle.loads(pickle.dumps(simulation))
            moment = pickle.loads(pickle.dumps(simulation.snapshot()))
            self.assertEqual(moment.state_hash, simulation.state_hash)
            for one in (simulation, other, pickled):
                one.run(0.4)
            self.assertEqual({one.state_hash for one in (other, pickled)}, {simulation.state_hash})
            path.write_bytes(path.read_bytes()[:-10])
            with self.assertRaisesRegex(stickslip.InputError, "moment: snapshot"):
                other.restore(path)
            with self.assertRaisesRegex(stickslip.FileError, "none: No such file"):
                other.restore(path.with_name("none"))
            with self.assertRaisesRegex(stickslip.FileError, "no/moment"):
                other.save(pathlib.Path(folder) / "no" / "moment")
        with self.assertRaisesRegex(stickslip.InputError, "of another"):
            other.restore(stickslip.Simulation(support.soft()).snapshot())

    def test_a_copy_of_a_steered_simulation_is_steered(self):
        simulation = stickslip.Simulation(support.block_on_floor(), steered=True)
        other = simulation.copy()
        for one in (simulation, other):
            one.set_load("block", [80, 0, 0])
            one.run(0.2)
        self.assertEqual(simulation.state_hash, other.state_hash)


class Interrupts(unittest.TestCase):
    """A step of a fine mesh takes long: it is left between two Newton iterations."""

    @classmethod
    def setUpClass(cls):
        scene = support.soft()
        scene.update({"bodies.cube.resolution": 0.008, "bodies.cube.velocity": [1, -2, 0], "time.step": 0.02})
        cls.made = stickslip.Simulation(scene)

    def setUp(self):
        self.simulation = self.made.copy()

    def raised_while_stepping(self, error, act):
        timer = threading.Timer(0.05, act)
        timer.start()
        with self.assertRaises(error):
            self.simulation.run(until=100)
        timer.join()

    def test_ctrl_c(self):
        self.raised_while_stepping(KeyboardInterrupt, lambda: os.kill(os.getpid(), signal.SIGINT))
        self.assertLess(self.simulation.time, 100)
        self.simulation.step()

    def test_ctrl_c_leaves_the_state(self):
        timer = threading.Timer(0.03, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            while True:
                before = self.simulation.snapshot()
                self.simulation.step()
        timer.join()
        self.assertEqual(self.simulation.state_hash, before.state_hash)

    def test_another_thread(self):
        self.raised_while_stepping(stickslip.Interrupted, self.simulation.interrupt)
        self.simulation.interrupt()
        with self.assertRaises(stickslip.Interrupted):
            self.simulation.step()
        self.simulation.step()

    def test_explicit_steps(self):
        self.simulation = stickslip.Simulation(support.spheres())
        self.raised_while_stepping(KeyboardInterrupt, lambda: os.kill(os.getpid(), signal.SIGINT))
        self.simulation.step()


class Misuse(unittest.TestCase):
    def test_wrong_values(self):
        simulation = settled()
        before = simulation.state_hash
        for call, said in [
            (lambda: simulation.set_load("block", [1, 2]), r"force: expected real numbers of shape \(3,\), found shape \(2,\)"),
            (lambda: simulation.set_load("block", np.zeros((3, 1))), r"shape \(3, 1\)"),
            (lambda: simulation.set_load("block", 5), "force"),
            (lambda: simulation.set_load("block", ["a", "b", "c"]), "dtype"),
            (lambda: simulation.set_load("block", [1j, 0, 0]), "dtype complex128"),
            (lambda: simulation.set_load("block", None), "force"),
            (lambda: simulation.set_load("block", [1, [2], 3]), "force"),
            (lambda: simulation.set_load("block", [float("nan"), 0, 0]), "finite"),
            (lambda: simulation.set_velocity("block", [float("inf"), 0, 0]), "finite"),
            (lambda: simulation.set_velocity("block", [1, 0, 0], [0, 0]), "angular_velocity"),
            (lambda: simulation.set_velocity("block", [1e31, 0, 0]), "from -1e30 to 1e30"),
            (lambda: simulation.set_load("block", [0, 1e300, 0]), "from -1e30 to 1e30"),
            (lambda: simulation.restore(__file__), "simulation_test.py: snapshot: expected the bytes of one, found others"),
            (lambda: simulation.set_load("brick", [1, 0, 0]), 'found "brick"'),
            (lambda: simulation.set_load("floor", [1, 0, 0]), "rigid body"),
            (lambda: simulation.set_motion("block", [1, 0, 0]), "obstacle"),
            (lambda: simulation.set_friction(-1), "friction|coefficient|expected"),
            (lambda: simulation.set_friction("block", "floor", float("nan")), "expected"),
            (lambda: simulation.pose("brick"), "brick"),
            (lambda: simulation.body("brick"), "brick"),
            (lambda: simulation.mesh("brick"), "brick"),
            (lambda: simulation.contact_force("brick"), "brick"),
            (lambda: simulation.run(float("nan")), "until"),
            (lambda: simulation.run(float("inf")), "until"),
            (lambda: simulation.run(0.1), "until: expected a time from 0.2"),
            (lambda: simulation.run(1, every=-1), "every"),
            (lambda: simulation.run(1, callback=5), "callback"),
            (lambda: simulation.finish_recording(), "not recorded"),
            (lambda: stickslip.Simulation(support.soft(), threads=-1), "threads"),
            (lambda: stickslip.Simulation(support.spheres()).mesh("grains"), "spheres"),
            (lambda: stickslip.Simulation(support.spheres()).set_friction(0.1), "materials"),
        ]:
            with self.assertRaisesRegex(stickslip.InputError, said):
                call()
        for call in (
            lambda: simulation.set_load(5, [0, 0, 0]),
            lambda: simulation.run("1"),
            lambda: simulation.restore(5),
            lambda: setattr(simulation, "time", 1),
        ):
            with self.assertRaises((TypeError, AttributeError)):
                call()
        self.assertEqual(simulation.state_hash, before)

    def test_wrong_types(self):
        simulation = settled()
        before = simulation.state_hash
        for call, said in [
            (lambda: simulation.set_friction("a"), "^mu: expected a number, found 'a'$"),
            (lambda: simulation.set_friction("block", "floor", [1]), "^mu: expected a number"),
            (lambda: simulation.set_friction("block", 3, 0.1), "^second: expected a text, found 3$"),
            (lambda: simulation.set_load(5, [0, 0, 0]), "^body: expected a text, found 5$"),
            (lambda: simulation.set_velocity(None, [0, 0, 0]), "^body: expected a text, found None$"),
            (lambda: simulation.set_motion(b"floor", [0, 0, 0]), "^body: expected a text"),
            (lambda: simulation.pose(np.zeros(100)), "^body: expected a text, found <class 'numpy.ndarray'>$"),
            (lambda: simulation.body("\udc80"), "^name: expected a text"),
            (lambda: simulation.mesh(3), "^body: expected a text"),
            (lambda: simulation.contact_force(3), "^body: expected a text"),
            (lambda: simulation.run("1"), "^until: expected a number, found '1'$"),
            (lambda: simulation.run(1j), "^until: expected a number"),
            (lambda: simulation.run(1, every="x"), "^every: expected a number"),
            (lambda: simulation.equations("x"), "^dt: expected a number"),
            (lambda: simulation.restore(None), "^moment: expected a Snapshot or the path of a file of save.., found None$"),
            (lambda: stickslip.Simulation(support.soft(), threads="a"), "^threads: expected a whole number, found 'a'$"),
            (lambda: stickslip.Simulation(support.soft(), threads=1.5), "^threads: expected a whole number"),
            (lambda: stickslip.Simulation(support.soft(), threads=10**30), "^threads: expected a whole number"),
            (lambda: stickslip.Snapshot.from_bytes("x"), "^bytes: expected those of to_bytes"),
        ]:
            with self.assertRaisesRegex(TypeError, said):
                call()
        simulation.run(np.float64(0.21))  # numbers of numpy are numbers
        self.assertNotEqual(simulation.state_hash, before)

    def test_calls_that_fit_no_signature(self):
        simulation = settled()
        before = simulation.state_hash
        for call, said in [
            (lambda: simulation.step(3), r"^expected step\(\), found step\(3\)$"),
            (lambda: simulation.run(), r"^expected run\(until, callback=None, every=0.0\), found run\(\)$"),
            (lambda: simulation.run(1, evry=2), r"found run\(1, evry=2\)$"),
            (lambda: simulation.set_friction(), r"^expected set_friction\(first, second, mu\) or set_friction\(mu\), found"),
            (lambda: simulation.snapshot().to_bytes(2), r"^expected to_bytes\(\), found to_bytes\(2\)$"),
            (lambda: stickslip.Snapshot.from_bytes(), r"^expected from_bytes\(bytes\), found from_bytes\(\)$"),
            (lambda: stickslip.Simulation.step(5), r"^step: expected an object to call it of, found step\(5\)$"),
            (lambda: stickslip.Simulation(support.soft(), steered="x"), "^steered: expected True or False, found 'x'$"),
            (lambda: simulation.record(force="x"), "^force: expected True or False, found 'x'$"),
        ]:
            with self.assertRaisesRegex(TypeError, said):
                call()
        self.assertEqual(simulation.state_hash, before)

    def test_no_text_speaks_of_the_compiled_part(self):
        """Every public method, called with things it cannot use, in words that a user knows."""
        simulation = settled()
        junk = [(), (5,), ("x",), (None,), (object(),), ([],), ({},), (1, 2, 3, 4, 5, 6, 7, 8)]
        things = [simulation, simulation.equations(), simulation.snapshot(), simulation.scene, simulation.state, simulation.contacts]
        for thing in things:
            for name in dir(thing):
                if name.startswith("_") or not callable(getattr(thing, name)) or name in ("show", "render", "record", "save"):
                    continue
                for arguments in junk:
                    try:
                        getattr(thing, name)(*arguments)
                    except Exception as error:
                        for word in ("incompatible", "Invoked with", "pybind11", "std::", "_stickslip"):
                            self.assertNotIn(word, str(error), f"{type(thing).__name__}.{name}{arguments}")

    def test_mistyped_attributes(self):
        simulation = settled()
        with self.assertRaisesRegex(AttributeError, "Simulation has no attribute 'tim'; did you mean 'time'"):
            simulation.tim = 3
        with self.assertRaisesRegex(AttributeError, "'sise'; did you mean 'size'"):
            simulation.equations().sise = 3
        with self.assertRaisesRegex(AttributeError, r"'bodes'; values are changed by their path: scene\["):
            support.soft().bodes = []

        class Arm(stickslip.Simulation):
            pass

        arm = Arm(support.soft())
        arm.target = 3  # those who derive a class know its attributes
        self.assertEqual(arm.target, 3)

    def test_it_is_shown_while_another_thread_steps(self):
        scene = support.soft()
        scene.update({"bodies.cube.resolution": 0.0125, "time.end": 10})
        simulation = stickslip.Simulation(scene)
        driver = threading.Thread(target=lambda: self.assertRaises(stickslip.Interrupted, simulation.run, 10))
        driver.start()
        shown = {repr(simulation) for _ in range(2000)}
        simulation.interrupt()
        driver.join()
        self.assertIn("<stickslip.Simulation in a step of another thread>", shown)
        self.assertRegex(repr(simulation), r"<stickslip.Simulation at [0-9.]+ s, 3 bodies>")

    def test_objects_that_nobody_made(self):
        classes = (stickslip.Simulation, stickslip.StepSystem, stickslip.Snapshot, stickslip.State, stickslip.Nodes,
                   stickslip.Contacts, stickslip.Report, stickslip.Energies)
        for cls in classes:
            made_not = cls.__new__(cls)
            for name in [name for name in dir(cls) if isinstance(getattr(cls, name), property)]:
                if name == "state":
                    continue  # is made of the object as it is
                with self.assertRaises((TypeError, AttributeError), msg=f"{cls.__name__}.{name}"):
                    getattr(made_not, name)
        with self.assertRaisesRegex(TypeError, "an object that its constructor made"):
            stickslip.Simulation.__new__(stickslip.Simulation).state.time

    def test_bodies_are_not_steered_to_each_other_unasked(self):
        simulation = stickslip.Simulation(support.two_that_fly())
        with self.assertRaisesRegex(stickslip.InputError, "steered"):
            simulation.set_velocity("left", [1, 0, 0])
        stickslip.Simulation(support.two_that_fly(), steered=True).set_velocity("left", [1, 0, 0])


if __name__ == "__main__":
    unittest.main()
