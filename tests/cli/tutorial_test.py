#!/usr/bin/env python3
"""Does what docs/tutorial.md says, command by command.

    tutorial_test.py PROGRAM SOURCE_DIR
"""

import re
import shlex
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

# Blocks of the tutorial by language, in their order.
BLOCK = r"^```(\w+)\n(.*?)^```"


def follow(t):
    text = (t.source / "docs/tutorial.md").read_text()
    scene, count, last = "", 0, None
    for language, content in re.findall(BLOCK, text, re.M | re.S):
        if language == "yaml":
            scene += content  # the second block is to be added to the first
            t.write("slope.yaml", scene)
            continue
        for line in content.splitlines():
            words = shlex.split(line)
            t.equal(f"{line}: begins with the program", words[0], "stickslip")
            last = t.run(*words[1:], timeout=120)
            needs_graphics = "built without" in last.stderr or "OpenGL driver" in last.stderr
            t.check(line, last.returncode == 0 or needs_graphics, shown(last))
            count += 1
            if "slides" in line and words[1] == "run" and "--force" in words:
                t.check("... prints what the tutorial says", "2 of 2 expectations hold" in last.stdout, shown(last))
    t.check("the tutorial has its commands", count >= 10, count)


def claims(t):
    """Numbers of the text."""
    stays = t.run("export", "slope.out", "--to", "csv", "-o", "slope.csv")
    rows = (t.folder / "slope.csv").read_text().splitlines()
    speed = rows[0].split(",").index("block.vx")
    t.check("the block of slope.out stays", stays.returncode == 0 and abs(float(rows[-1].split(",")[speed])) < 1e-3, rows[-1])
    for name in ("slides.svg", "slides.glb", "slides.csv"):
        t.check(f"{name} is there", (t.folder / name).stat().st_size > 1000)


t = support.Tester()
t.finish([follow, claims])
