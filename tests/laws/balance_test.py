#!/usr/bin/env python3
"""Energy and momentum of a finished run, step by step (support/balance.py says by what they are judged).

    python3 tests/laws/balance_test.py RUN_FOLDER RADIUS

RADIUS [m]: no node of a body is ever farther from the body's centre."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from balance import judge

faults = judge(pathlib.Path(sys.argv[1]), float(sys.argv[2]))
for fault in faults:
    print(f"  {fault}")
sys.exit(1 if faults else 0)
