#!/usr/bin/env python3
"""Draws the picture of a scene as docs/gallery.md says, from its run, small and as a draft: bodies are in it.

    gallery_test.py PROGRAM SOURCE_DIR RUN_FOLDER NAME
"""

import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent / "cli"))
from png_reader import Picture

program, source, run, name = sys.argv[1:]
commands = re.findall(rf"^    stickslip render {name}\.out -o {name}\.png(.*)$", (pathlib.Path(source) / "docs/gallery.md").read_text(), re.M)
assert len(commands) == 1, f"docs/gallery.md has {len(commands)} commands for {name}"
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / f"{name}.png"
    command = [program, "render", run, "-o", path, "--size", "360x203", "--draft", *shlex.split(commands[0])]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)
    if "built without" in done.stderr or "OpenGL driver" in done.stderr:
        print(f"skipped: {done.stderr}")
        sys.exit(77)
    assert done.returncode == 0 and not done.stderr, f"{command}\n{done.stderr}"
    pixels = Picture(path).pixels()
seen = len({tuple(c >> 4 for c in pixel) for pixel in pixels})
coloured = sum(max(pixel) - min(pixel) > 30 for pixel in pixels) / len(pixels)
print(f"{done.stdout}{seen} colours, {100 * coloured:.2f} % of the picture in the colours of bodies that move")
assert seen > 20 and coloured > 0.0005, "hardly anything is drawn"
