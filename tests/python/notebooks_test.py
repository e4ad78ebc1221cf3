#!/usr/bin/env python3
"""The notebooks and examples of examples/python run: notebooks_test.py SOURCE_DIR"""
import pathlib
import subprocess
import sys
import tempfile
import importlib.util

import support  # skips where there is no module

source = pathlib.Path(sys.argv[1]) / "examples/python"
missing = [name for name in ("nbconvert", "ipykernel", "matplotlib", "scipy") if importlib.util.find_spec(name) is None]
if missing:
    print(f"skipped: {', '.join(missing)} not installed; scripts/install-packages python installs them")
    sys.exit(77)
failed = []
with tempfile.TemporaryDirectory() as folder:
    jobs = {path.name: [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.timeout=500",
                        "--output-dir", folder, path] for path in sorted(source.glob("*.ipynb"))}
    jobs.update({path.name: [sys.executable, path] for path in sorted(source.glob("*.py"))})
    for name, command in jobs.items():
        ended = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        print(name, "ok" if ended.returncode == 0 else "FAILED\n" + ended.stdout + ended.stderr, flush=True)
        if ended.returncode != 0:
            failed.append(name)
if failed or len(jobs) < 4:
    sys.exit(f"of {len(jobs)} examples failed: {failed}")
