#!/usr/bin/env python3
"""Run folders are those of the program; they are read back, shown and drawn: runs_test.py PROGRAM"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock
import warnings

import support
from support import np, stickslip

program = sys.argv.pop(1)


def content(folder):
    """What must not depend on how a run came about."""
    files = {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*")
             if path.is_file() and "checkpoints" not in path.parts}
    for name in ("summary.json", "log.txt", "solves.csv"):
        files.pop(name, None)
    history = [line.rsplit(b",", 1)[0] for line in files["history.csv"].splitlines()]  # but for the wall time
    return {**files, "history.csv": history}


class Folders(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def of_the_program(self, text, *more):
        (self.folder / "scene.yaml").write_text(text)
        subprocess.run([program, "run", "scene.yaml", "-o", "program.out", "--quiet", *more], cwd=self.folder, check=True)
        return content(self.folder / "program.out")

    def test_run_writes_what_the_program_writes(self):
        for text in (support.SOFT, support.SPHERES):
            expected = self.of_the_program(text, "--force")
            run = stickslip.run(stickslip.load(self.folder / "scene.yaml"), self.folder / "python.out", force=True)
            self.assertEqual(content(run.folder), expected)

    def test_a_recorded_simulation_writes_the_same(self):
        for text in (support.SOFT, support.SPHERES):
            expected = self.of_the_program(text, "--force")
            simulation = stickslip.Simulation(stickslip.load(self.folder / "scene.yaml"))
            simulation.record(self.folder / "python.out", force=True)
            end = simulation.scene["time.end"]
            simulation.run(end / 3)
            simulation.run(end, lambda now: now.report, every=0.03)
            run = simulation.finish_recording()
            self.assertEqual(content(run.folder), expected)
            self.assertEqual((run.summary["status"], run.summary["state_hash"]), ("done", simulation.state_hash))
            self.assertEqual(sorted(p.name for p in (run.folder / "checkpoints").iterdir()),
                             sorted(p.name for p in (self.folder / "program.out/checkpoints").iterdir()))

    def test_a_recorded_simulation_tells_what_the_program_warns_of(self):
        self.of_the_program(support.SOFT.replace("materials:", "materials:\n  spare: {density: 1}").replace("end: 1}", "end: 0.05}"), "--force")
        simulation = stickslip.Simulation(stickslip.load(self.folder / "scene.yaml"))
        copy = simulation.copy()
        simulation.record(self.folder / "python.out", force=True)
        simulation.run(0.05)
        copy.record(self.folder / "copy.out", force=True)
        copy.run(0.05)
        expected = stickslip.open(self.folder / "program.out").summary["warnings"]
        self.assertIn("scene.yaml:6:3: warning: materials.spare: not used by any body", expected)
        for run in (simulation.finish_recording(), copy.finish_recording()):
            self.assertEqual([line.replace(f"{self.folder}/", "") for line in run.summary["warnings"]], expected)

    def test_recording(self):
        simulation = stickslip.Simulation(support.block_on_floor())
        start = simulation.snapshot()
        simulation.record(self.folder / "run.out")
        simulation.run(0.1)
        simulation.set_load("block", [60, 0, 0])
        simulation.run(0.2)
        for call, said in [(lambda: simulation.record(self.folder / "b.out"), "recorded already"),
                           (lambda: simulation.restore(start), "cannot go back")]:
            with self.assertRaisesRegex(stickslip.InputError, said):
                call()
        run = simulation.finish_recording()
        self.assertIn("steered: the scene alone does not give this run", (run.folder / "log.txt").read_text())
        self.assertAlmostEqual(run.frame_times[-1], 0.2)
        simulation.restore(start)
        with self.assertRaisesRegex(stickslip.InputError, "force"):
            simulation.record(run.folder)
        simulation.record(run.folder, force=True)

    def test_interrupted_runs_are_resumed(self):
        scene = support.soft()
        scene["bodies.cube.resolution"] = 0.02
        whole = stickslip.run(scene, self.folder / "whole.out")
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            stickslip.run(scene, self.folder / "run.out")
        self.assertEqual(stickslip.open(self.folder / "run.out").summary["status"], "interrupted")
        run = stickslip.run(scene, self.folder / "run.out", resume=True)
        self.assertEqual(content(run.folder), content(whole.folder))

    def test_a_run_that_gives_up(self):
        scene = support.soft()
        scene.update({"solver.max_newton": 1, "time.min_step": 0.005})
        with self.assertRaisesRegex(stickslip.StepError, "gave up"):
            stickslip.run(scene, self.folder / "run.out")
        self.assertEqual(stickslip.open(self.folder / "run.out").summary["status"], "failed")
        (self.folder / "run.out/summary.json").write_text("{\"status\": ")
        with self.assertRaisesRegex(stickslip.FileError, "summary.json: expected JSON"):
            stickslip.open(self.folder / "run.out").summary

    def test_misuse(self):
        scene = support.block_on_floor()
        stickslip.run(scene, self.folder / "run.out", until=0.05)
        run = stickslip.open(self.folder / "run.out")
        for call, error, said in [
            (lambda: stickslip.run(scene, run.folder), stickslip.InputError, "holds a run|--force|force"),
            (lambda: stickslip.run(scene, run.folder, until=-1, force=True), stickslip.InputError, "until"),
            (lambda: stickslip.run(scene, run.folder, resume=True, force=True), stickslip.InputError, "resume or force, found both"),
            (lambda: stickslip.run({}, run.folder), TypeError, "Scene"),
            (lambda: stickslip.run(scene, "\udc80"), stickslip.InputError, "path: expected text that UTF-8 can hold"),
            (lambda: stickslip.load("\udc80"), stickslip.InputError, "path: expected text that UTF-8 can hold"),
            (lambda: stickslip.load(5), TypeError, "expected str, bytes or os.PathLike object, not int"),
            (lambda: stickslip.open(self.folder), stickslip.FileError, "scene.yaml"),
            (lambda: run.table("histroy"), stickslip.InputError, "history"),
            (lambda: run.body("brick"), stickslip.InputError, "block"),
            (lambda: run.render(time=5), stickslip.InputError, "time"),
            (lambda: run.render(time=[]), stickslip.InputError, "time: expected at least one"),
            (lambda: run.render(size=(5, 5)), (stickslip.InputError, NotImplementedError), "size|built"),
            (lambda: run.render(color="red"), (stickslip.InputError, NotImplementedError), "color|built"),
            (lambda: run.render(camera=[1, 2]), (stickslip.InputError, NotImplementedError), "camera|built"),
            (lambda: run.show(megabytes=0), stickslip.InputError, "megabytes"),
            (lambda: run.show(megabytes="x"), TypeError, "megabytes: expected a number, found 'x'"),
            (lambda: run.show(height=-1), stickslip.InputError, "height: expected 1 to 10000 pixels, found -1"),
            (lambda: run.show(height=1.5), TypeError, "height: expected a whole number"),
            (lambda: run.body(3), stickslip.InputError, "block.*found 3"),
            (lambda: run.render(time="x"), (TypeError, NotImplementedError), "time: expected a number|built"),
            (lambda: run.render(size=5), (TypeError, NotImplementedError), "size: expected a width and a height|built"),
            (lambda: run.render(size=("a", 5)), (TypeError, NotImplementedError), "size: expected a whole number|built"),
            (lambda: stickslip.run(scene, run.folder, until="x"), TypeError, "until: expected a number, found 'x'"),
            (lambda: stickslip.run(scene, run.folder, threads=-1), stickslip.InputError, "threads"),
            (lambda: stickslip.run(scene, run.folder, threads="a"), TypeError, "threads: expected a whole number"),
        ]:
            with self.assertRaisesRegex(error, said):
                call()


    def test_hints_name_arguments(self):
        scene, other = support.block_on_floor(), support.block_on_floor(contact__friction=0.1)
        folder = stickslip.run(scene, self.folder / "run.out", until=0.05).folder
        for call in (
            lambda: stickslip.run(scene, folder),
            lambda: stickslip.run(other, folder, resume=True),
            lambda: stickslip.Simulation(scene).record(folder),
        ):
            with self.assertRaisesRegex(stickslip.InputError, "use .*force=True") as raised:
                call()
            self.assertNotIn("--", str(raised.exception))


class Reading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.run_folder = stickslip.run(support.soft(), pathlib.Path(cls.temporary.name) / "run.out", until=0.3)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_tables(self):
        run = self.run_folder
        self.assertTrue({"history", "bodies", "balance", "solves"} <= set(run.tables))
        history = run.table("history")
        np.testing.assert_allclose(history["time"], np.arange(1, 31) * 0.01)
        self.assertEqual(set(run.table("solves")["status"]), {"converged"})
        block = run.body("block")
        np.testing.assert_allclose(block["y"], 0.1, atol=1e-3)
        self.assertEqual(len(block["time"]), len(run.frame_times))
        self.assertEqual(run.scene["bodies.block.material"], "oak")
        self.assertEqual(run.summary["status"], "done")

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            with self.assertRaises(ImportError):
                self.run_folder.dataframe("history")
            return
        self.assertEqual(len(self.run_folder.dataframe("history")), 30)
        bodies = self.run_folder.dataframe("bodies")
        self.assertIsInstance(bodies, pandas.DataFrame)
        np.testing.assert_array_equal(bodies[bodies.body == "block"].y, self.run_folder.body("block")["y"])
        self.assertEqual(bodies.groupby("body").time.max().to_dict(), {"floor": 0.3, "block": 0.3, "cube": 0.3})

    def test_a_frame_of_data_has_the_columns(self):  # also where pandas is not installed
        made = []
        stand_in = types.SimpleNamespace(DataFrame=lambda table: made.append(table) or len(made))
        with unittest.mock.patch.dict(sys.modules, {"pandas": stand_in}):
            self.assertEqual(self.run_folder.dataframe("history"), 1)
        self.assertEqual(list(made[0]), list(self.run_folder.table("history")))

    def test_the_page_is_the_programs(self):
        subprocess.run([program, "view", self.run_folder.folder], check=True, stdout=subprocess.DEVNULL)
        replay = self.run_folder.show(height=300)
        self.assertEqual(replay.page, (self.run_folder.folder / "view.html").read_text())
        self.assertRegex(replay._repr_html_()[:40], "<iframe srcdoc=\"&lt;!")
        self.assertIn('height="300"', replay._repr_html_())
        path = self.run_folder.folder / "page.html"
        replay.save(path)
        self.assertEqual(path.read_text(), replay.page)

    def test_the_picture_is_the_programs(self):
        command = [program, "render", self.run_folder.folder, "--size", "160x96", "--time", "0.1", "-o", self.run_folder.folder / "p.png"]
        drawn = subprocess.run(command, capture_output=True, text=True)
        if drawn.returncode != 0:
            self.skipTest(drawn.stderr)
        picture = self.run_folder.render(time=0.1, size=(160, 96))
        self.assertEqual((picture.shape, picture.dtype), ((96, 160, 3), np.uint8))
        try:
            from matplotlib.image import imread
        except ImportError:
            self.skipTest("matplotlib is not installed")
        np.testing.assert_array_equal(picture, np.round(255 * imread(self.run_folder.folder / "p.png")[..., :3]))

    def test_a_picture_warns_of_colours_that_no_body_has(self):
        run = stickslip.run(support.block_on_floor(), self.run_folder.folder.with_name("rigid.out"), until=0.02)
        try:
            with self.assertWarnsRegex(stickslip.StickslipWarning, "no body of this run has a stress"):
                run.render(size=(96, 64), color="stress")
        except (NotImplementedError, stickslip.FileError) as error:
            self.skipTest(str(error))

    def test_pictures_have_the_programs_options(self):
        run = stickslip.run(support.soft(), self.run_folder.folder.with_name("contacts.out"), until=0.1)
        small, draft = ["--size", "96x64", "--draft"], dict(size=(96, 64), draft=True)
        whole = None
        for words, options in [
            ([], {}),
            (["--hide", "cube"], dict(hide="cube")),
            (["--opacity", "cube=0.5", "--hide", "block"], dict(opacity={"cube": 0.5}, hide=["block"])),
            (["--forces"], dict(forces=True)),
            (["--labels", "--chains"], dict(labels=np.bool_(True), chains=True)),
            (["--color", "speed", "--min", "0.01", "--max", "0.5"], dict(color="speed", min=0.01, max=0.5)),
            (["--color", "stress", "--quantile", "0.5"], dict(color="stress", quantile=0.5)),
            (["--camera", "1,1,1:0,0.1,0"], dict(camera=[1, 1, 1], target=[0, 0.1, 0])),
            (["--transparent"], dict(transparent=True)),
        ]:
            path = run.folder / "p.png"
            drawn = subprocess.run([program, "render", run.folder, "-o", path, *small, *words], capture_output=True, text=True)
            if drawn.returncode == 1:
                self.skipTest(drawn.stderr)
            self.assertEqual(drawn.returncode, 0, drawn.stderr)
            picture = run.render(**draft, **options)
            self.assertEqual(picture.shape, (64, 96, 4 if "transparent" in options else 3))
            try:
                from matplotlib.image import imread
            except ImportError:
                self.skipTest("matplotlib is not installed")
            np.testing.assert_array_equal(picture, np.round(255 * imread(path)[..., :picture.shape[2]]), str(words))
            whole = picture if whole is None else whole
            self.assertTrue(not options or picture.shape != whole.shape or (picture != whole).any(), options)
        for options, said in [
            (dict(max=1), "max needs color speed or stress"), (dict(color="speed", min=2, max=1), "max: expected a number > that of min"),
            (dict(color="speed", quantile=7), "quantile: expected from 0.01 to 1"), (dict(hide="cub"), 'hide: no body "cub".*"cube"'),
            (dict(opacity={"floor": 0.5}), "opacity: .*is a plane"), (dict(opacity={"cube": 2}), "opacity: expected values from 0 to 1"),
            (dict(camera=[1, 1, 1], target=[1, 1, 1]), "camera: expected a target elsewhere"), (dict(target=[0, 0, 0]), "target: expected a camera"),
            (dict(size=(5, 5)), "size: expected a width and a height"), (dict(color="red"), "color: expected body, speed or stress"),
        ]:
            with self.assertRaisesRegex(stickslip.InputError, said):
                run.render(**options)
        for options, said in [(dict(forces="x"), "forces: expected True or False"), (dict(hide=3), "hide: expected names"),
                              (dict(opacity=[1]), "opacity: expected a dict"), (dict(opacity={"cube": "x"}), "opacity: expected a number"),
                              (dict(hid=3), "hid")]:
            with self.assertRaisesRegex(TypeError, said):
                run.render(**options)
        silent = stickslip.run(support.spheres(), run.folder.with_name("silent.out"), until=0.02)
        with self.assertRaisesRegex(stickslip.InputError, "forces: this run did not record contacts"):
            silent.render(forces=True)

    def test_a_simulation_shows_its_recording_and_its_present(self):
        simulation = stickslip.Simulation(support.block_on_floor())
        one = simulation.show()
        self.assertIn('"times":[0.0]', one.page.replace(" ", ""))
        simulation.record()
        simulation.set_load("block", [200, 0, 0])
        simulation.run(0.4)
        self.assertGreater(len(simulation.show().page), len(one.page))
        try:
            early = simulation.render(time=0, size=(64, 48), camera=[0, 0.1, 2], target=[0, 0.1, 0])
            now = simulation.render(size=(64, 48), camera=[0, 0.1, 2], target=[0, 0.1, 0])
        except (stickslip.FileError, NotImplementedError) as error:
            self.skipTest(str(error))
        self.assertTrue((early != now).any())


if __name__ == "__main__":
    warnings.simplefilter("ignore", stickslip.StickslipWarning)
    unittest.main()
