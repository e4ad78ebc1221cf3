#!/usr/bin/env python3
"""The committed page web/dist/view.html is what its source builds to and no larger than a limit, and the source passes
the type checker.

    bundle_test.py SOURCE_DIR
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import web_support

MOST_BYTES = 620_000

web = pathlib.Path(sys.argv[1]).resolve() / "web"
node = web_support.node(web.parent)
with tempfile.TemporaryDirectory(prefix="stickslip-web-") as folder:
    environment = dict(os.environ, VIEW_OUT_DIR=folder)
    subprocess.run([node, "node_modules/typescript/bin/tsc", "--noEmit"], cwd=web, check=True)
    subprocess.run([node, "node_modules/vite/bin/vite.js", "build"], cwd=web, env=environment, check=True)
    built = (pathlib.Path(folder) / "view.html").read_bytes()
committed = (web / "dist/view.html").read_bytes()
if built != committed:
    print(f"web/dist/view.html ({len(committed)} bytes) is not what web/src builds to ({len(built)} bytes): npm run build")
    sys.exit(1)
if len(built) > MOST_BYTES:
    print(f"web/dist/view.html has {len(built)} bytes, more than {MOST_BYTES}: every page of a run has them")
    sys.exit(1)
print(f"web/dist/view.html is what its source builds to, {len(built)} bytes")
