#!/usr/bin/env python3
"""scripts/state_hashes makes a table of hashes and says what differs from one.

    state_hashes_test.py PROGRAM SOURCE_DIR
"""

import json
import subprocess
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown


def hashes(t, *arguments):
    scenes = [word for name in ("smallest", "anchors") for word in ("--scene", t.source / f"tests/build/good_scenes/{name}.yaml")]
    return subprocess.run([t.source / "scripts/state_hashes", t.program, *arguments, "--until", "0.02", *scenes], cwd=t.folder, capture_output=True, text=True)


def table(t):
    result = hashes(t, "--write", "table.json")
    t.check("a table is written", result.returncode == 0, shown(result))
    written = json.loads((t.folder / "table.json").read_text())
    t.check("with hash and time of each scene", set(written) == {"smallest", "anchors"} and all(len(h) == 32 and time > 0 for h, time in written.values()), written)
    t.check("which differ", written["smallest"][0] != written["anchors"][0], written)
    result = hashes(t, "--against", "table.json")
    t.check("the same program has the same hashes", result.returncode == 0 and "2 equal, 0 differ" in result.stdout, shown(result))


def differences(t):
    hashes(t, "--write", "table.json")
    written = json.loads((t.folder / "table.json").read_text())
    for what, changed in (("hash", ["0" * 32, written["anchors"][1]]), ("end", [written["anchors"][0], 7.0])):
        (t.folder / "other.json").write_text(json.dumps({**written, "anchors": changed}))
        result = hashes(t, "--against", "other.json")
        t.check(f"another {what} is a difference", result.returncode == 1 and "1 equal, 1 differ" in result.stdout, shown(result))
        t.check("of that scene", [line.split()[0] for line in result.stdout.splitlines() if line.endswith("DIFFER")] == ["anchors"], result.stdout)
    (t.folder / "other.json").write_text(json.dumps({"smallest": written["smallest"]}))
    result = hashes(t, "--against", "other.json")
    t.check("and so is a scene without an entry", result.returncode == 1 and "not in the table" in result.stdout, shown(result))


if __name__ == "__main__":
    support.Tester().finish([table, differences])
