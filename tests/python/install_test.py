#!/usr/bin/env python3
"""`pip install .` from a checkout, without network, into a new environment: install_test.py SOURCE_DIR"""
import os
import pathlib
import subprocess
import sys
import tempfile

import support  # skips where there is no module

source = pathlib.Path(sys.argv[1]).resolve()
with tempfile.TemporaryDirectory() as folder:
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment.pop("PYTHONPATH", None)
    try:
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder], check=True)
    except subprocess.CalledProcessError:
        print("skipped: python3-venv is not installed")
        sys.exit(77)
    python = pathlib.Path(folder) / "bin/python"
    subprocess.run([python, "-m", "pip", "install", source], check=True, env=environment)
    said = subprocess.run([python, "-c", "import stickslip; print(stickslip.__version__, stickslip.__file__)"], check=True, env=environment,
                          capture_output=True, text=True, cwd=folder).stdout
    print(said)
    if folder not in said or support.stickslip.__version__ not in said:
        sys.exit("another module was imported")
    subprocess.run([python, source / "examples/python/fit_friction.py"], check=True, env=environment, cwd=folder)
