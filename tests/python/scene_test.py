#!/usr/bin/env python3
"""Scenes from dicts, texts and files; their values by path; their faults."""
import pickle
import tempfile
import pathlib
import unittest

import support
from support import np, stickslip


class Scenes(unittest.TestCase):
    def test_a_dict_is_the_text(self):
        scene = stickslip.Scene(support.SOFT)
        described = stickslip.Scene({key: scene[key] for key in ("stickslip", "time", "contact", "materials", "bodies")})
        self.assertEqual(described.to_yaml(), scene.to_yaml())
        self.assertEqual(stickslip.Simulation(described).state_hash, stickslip.Simulation(scene).state_hash)

    def test_numbers_keep_their_bits(self):
        scene = support.block_on_floor()
        numbers = np.random.default_rng(1).standard_normal(3)
        scene["bodies.block.velocity"] = numbers
        np.testing.assert_array_equal(scene["bodies.block.velocity"], numbers)
        scene["contact.friction"] = np.float64(1) / 3
        self.assertEqual(scene["contact.friction"], 1 / 3)
        scene["contact.friction"] = float("inf")
        self.assertEqual(scene["contact.friction"], float("inf"))

    def test_values_have_their_types_and_defaults(self):
        scene = support.block_on_floor()
        self.assertEqual(scene["time.frame"], 0.04)
        self.assertIs(scene["output.contacts"], False)
        self.assertEqual(scene["bodies.block.material"], "oak")
        self.assertEqual(scene["bodies[1].name"], "block")
        self.assertIsInstance(scene["bodies"], list)
        with self.assertRaisesRegex(stickslip.InputError, "bodies.brick.velocity: the scene says nothing there"):
            scene["bodies.brick.velocity"]

    def test_the_last_change_counts(self):
        scene = support.block_on_floor()
        scene["bodies.block.velocity"] = [1, 0, 0]
        scene["bodies.block"] = {"name": "block", "kind": "rigid", "shape": {"box": [1, 1, 1]}, "material": "oak"}
        np.testing.assert_array_equal(scene["bodies.block.velocity"], [0, 0, 0])
        scene["bodies.block.velocity"] = [2, 0, 0]
        np.testing.assert_array_equal(scene["bodies.block.velocity"], [2, 0, 0])

    def test_faults_tell_where_and_what_to_do(self):
        scene = stickslip.Scene(support.SOFT.replace("material: oak", "material: oka"))
        fault, = scene.check()
        self.assertEqual((fault.path, fault.line, fault.warning), ("bodies.block.material", 10, False))
        self.assertGreater(fault.column, 0)
        self.assertIn("oak", fault.hint)
        self.assertIn("^", str(fault))
        with self.assertRaises(stickslip.SceneError) as caught:
            stickslip.Simulation(scene)
        self.assertEqual(caught.exception.faults, [fault])
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.faults), (str(caught.exception), [fault]))
        self.assertEqual(support.soft().check(), [])

    def test_hints_in_parentheses(self):
        faults = stickslip.Scene("stickslip: 1\ntime: {step: 10 ms, end: '2'}\nbodies: []\n").check()
        self.assertEqual([(fault.path, fault.hint) for fault in faults],
                         [("time.step", "SI units: write 0.01"), ("time.end", "a text: remove the quotes"), ("bodies", "")])

    def test_files_are_checked(self):
        scene = stickslip.Scene(support.SOFT.replace("shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.05", "shape: {mesh: {file: no.msh}}"))
        self.assertEqual([fault.path for fault in scene.check()], ["bodies.cube.shape.mesh.file"])

    def test_one_item_of_a_default_is_changed(self):
        scene = support.block_on_floor()
        scene["gravity[1]"] = -1
        self.assertEqual(list(scene["gravity"]), [0, -1, 0])

    def test_a_wrong_change_is_refused_and_nothing_changes(self):
        scene = support.block_on_floor()
        for path, value, said in [
            ("bodies.block.velocty", [1, 0, 0], "did you mean \"velocity\""),
            ("bodies.brick.velocity", [1, 0, 0], "no body"),
            ("bodies.block.velocity", [1, 0], "^bodies.block.velocity: expected three numbers"),
            ("contact.friction", float("nan"), "contact.friction"),
            ("variables.mu", 0.3, "no variable \"mu\""),
            ("contact.friction", "slippery", "slippery"),
        ]:
            with self.assertRaisesRegex(stickslip.SceneError, said):
                scene[path] = value
        with self.assertRaises(stickslip.SceneError):
            scene.update({"contact.friction": 0.1, "contact.fricton": 0.1})
        self.assertEqual(scene["contact.friction"], 0.5)

    def test_what_no_scene_holds(self):
        loop = {}
        loop["loop"] = loop
        for description, said in [
            ({"time": {"step": {1, 2}}}, "time.step: expected dicts.*set"),
            ({1: 2}, "strings as keys"),
            ({"time": {"step": 1j}}, "complex"),
            (loop, "at most 32"),
            ({"title": "\udc80"}, "title: expected text that UTF-8 can hold"),
            ({"\udc80": 1}, "UTF-8"),
            ({"time": np.zeros((2, 2), dtype=object)}, "time"),
        ]:
            with self.assertRaisesRegex(stickslip.InputError, said):
                stickslip.Scene(description).to_yaml()
        with self.assertRaisesRegex(TypeError, "expected a dict or a text, found list"):
            stickslip.Scene([1])
        with self.assertRaisesRegex(TypeError, "expected a stickslip.Scene, found dict"):
            stickslip.Simulation({})

    def test_paths(self):
        scene = support.block_on_floor()
        self.assertIn("bodies.block.material", scene)
        self.assertIn("time.frame", scene)  # a default
        self.assertNotIn("bodies.brick", scene)
        self.assertNotIn("x", scene)
        for call, said in [
            (lambda: scene[3], "path: expected a text, found 3"),
            (lambda: 3 in scene, "path: expected a text, found 3"),
            (lambda: list(scene), "not iterable"),
            (lambda: scene.update({3: 1}), 'path: expected a text such as "time.end", found 3'),
            (lambda: scene.update(3), "changes: expected a dict of values by path, found int"),
        ]:
            with self.assertRaisesRegex(TypeError, said):
                call()
        with self.assertRaises(stickslip.SceneError):
            "time.end" in stickslip.Scene({"stickslip": 1})

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "slide.yaml"
            path.write_text(support.SOFT)
            scene = stickslip.load(path, {"contact.friction": 0.25})
            self.assertEqual(scene["contact.friction"], 0.25)
            path.write_text("time: [")
            self.assertIn("slide.yaml:1", str(stickslip.load(path).check()[0]))
            with self.assertRaisesRegex(stickslip.FileError, "none.yaml"):
                stickslip.load(path.with_name("none.yaml"))

    def test_copies_and_pickles_say_the_same(self):
        scene = support.block_on_floor(contact__friction=0.125)
        copy, pickled = scene.copy(), pickle.loads(pickle.dumps(scene))
        scene["contact.friction"] = 0.5
        for other in (copy, pickled):
            self.assertEqual(other["contact.friction"], 0.125)


if __name__ == "__main__":
    unittest.main()
