#!/usr/bin/env python3
"""Installs the library into a new folder, looks at what is there, and builds and runs a program against it:
    package_test.py SOURCE BUILD CMAKE COMPILER"""
import pathlib
import re
import subprocess
import sys
import tempfile

source, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
cmake, compiler = sys.argv[3:5]


def run(*command):
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def closure(header, found):
    """The header and all headers of the library that it includes."""
    if header not in found:
        found.add(header)
        for other in re.findall(r'#include [<"](stickslip/.*?)[>"]', (source / "src" / header).read_text()):
            closure(other, found)
    return found


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    prefix = folder / "prefix"
    run(cmake, "--install", build, "--prefix", prefix)
    installed = {str(path.relative_to(prefix / "include")) for path in (prefix / "include").rglob("*.h")}
    needed = closure("stickslip/stickslip.h", set())
    print(f"{len(installed)} headers are installed")
    if installed != needed:
        sys.exit(f"not needed: {sorted(installed - needed)}; missing: {sorted(needed - installed)}")
    if f"{len(installed)} headers:" not in (source / "docs" / "api.md").read_text():
        sys.exit(f"docs/api.md says another number of headers than {len(installed)}")
    program = prefix / "bin" / "stickslip"
    for name, words in {"share/bash-completion/completions/stickslip": ("completion", "bash"), "share/man/man1/stickslip.1": ("manual",)}.items():
        if (prefix / name).read_text() != run(program, *words):
            sys.exit(f"{name} is not what the program prints")
    run("bash", "-n", prefix / "share/bash-completion/completions/stickslip")
    run(cmake, "-S", source / "examples", "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Release", "-DSTICKSLIP_EXAMPLE_NAMES=contact_forces")
    run(cmake, "--build", folder / "build")
    cache = (folder / "build" / "CMakeCache.txt").read_text()
    if f"stickslip_DIR:PATH={prefix}" not in cache:
        sys.exit("the package was found elsewhere")
    print(run(folder / "build" / "example_contact_forces"), end="")
