#!/usr/bin/env python3
"""The stubs name what the compiled part has, and the package exports and explains what it says: stubs_test.py SOURCE_DIR"""
import ast
import inspect
import pathlib
import sys
import unittest

from support import stickslip
from stickslip import _stickslip

stub = ast.parse((pathlib.Path(sys.argv.pop(1)) / "python/stickslip/_stickslip.pyi").read_text())


def names(nodes):
    return {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def own(cls):
    return {name for name in vars(cls) if not name.startswith("__") and name != "_pybind11_conduit_v1_"}


class Stubs(unittest.TestCase):
    def test_names(self):
        there = {name for name in dir(_stickslip) if not name.startswith("__")} - {"version"}
        optional = {"render"} - there  # built without OpenGL
        self.assertEqual(names(stub.body) - optional, there)

    def test_members(self):
        for node in stub.body:
            if isinstance(node, ast.ClassDef):
                members = {name for name in names(node.body) if not name.startswith("__")}
                self.assertEqual(members, own(getattr(_stickslip, node.name)), node.name)

    def test_arguments(self):
        for node in stub.body:
            if not isinstance(node, ast.ClassDef) or node.name == "ReadScene":
                continue  # of the package alone
            for function in node.body:
                if not isinstance(function, ast.FunctionDef) or function.decorator_list or function.name.startswith("_"):
                    continue  # properties, overloads
                said = getattr(getattr(_stickslip, node.name), function.name).__doc__.splitlines()[0]
                for argument in function.args.args[1:]:
                    self.assertIn(f"{argument.arg}: ", said, f"{node.name}.{function.name}")


class Words(unittest.TestCase):
    def test_everything_public_is_explained(self):
        for name in stickslip.__all__:
            thing = getattr(stickslip, name)
            self.assertTrue(inspect.getdoc(thing), name)
            if inspect.isclass(thing) and not issubclass(thing, (Exception, tuple)):
                for member, value in inspect.getmembers(thing):
                    if not member.startswith("_"):
                        self.assertTrue(inspect.getdoc(value), f"{name}.{member}")

    def test_there_is_a_marker_for_type_checkers(self):
        self.assertTrue((pathlib.Path(stickslip.__file__).parent / "py.typed").exists())


if __name__ == "__main__":
    unittest.main()
