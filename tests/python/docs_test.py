#!/usr/bin/env python3
"""docs/python.md is what the docstrings say, and its examples run: docs_test.py SOURCE_DIR"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import support  # skips where there is no module


def test(source):
    text = (source / "docs/python.md").read_text()
    made = subprocess.run([sys.executable, source / "scripts/python_reference", "-"], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(made.stderr)
    if made.stdout != text:
        sys.exit("docs/python.md is not what the docstrings say: PYTHONPATH=build/ci/python scripts/python_reference writes it")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    if len(blocks) < 7:
        sys.exit("too few examples were found")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        names = {"__name__": "example"}
        for block in blocks:
            print(block)
            exec(compile(block, "docs/python.md", "exec"), names)
        names["scene"]["time.end"] = 0.1
        exec(compile(re.search(r"^```py\n(.*?)^```", text, re.M | re.S)[1], "docs/python.md", "exec"), names)
        os.chdir(source)


if __name__ == "__main__":  # processes of the sweep read this file too
    test(pathlib.Path(sys.argv[1]).resolve())
