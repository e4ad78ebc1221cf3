"""What the tests of the replay page share: finding node, its packages and a browser, or skipping."""

import os
import pathlib
import shutil
import sys

SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason} (scripts/install-packages web)")
    sys.exit(SKIPPED)


def node(source):
    """The node program; skips without it, or without the packages of web/."""
    found = shutil.which("node") or skip("there is no node")
    if not (pathlib.Path(source) / "web/node_modules/vite").is_dir():
        skip("the packages of web/ are not installed")
    return found


def browser():
    """The Chromium to drive; skips without one."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None) or skip("there is no Chromium")
