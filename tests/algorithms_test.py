#!/usr/bin/env python3
"""Checks that each procedure of the source documents that is implemented has one tag 'Paper: Alg N NAME' in a header (or beside a private
function), each rule of the edge page one tag 'Page: NAME', and that docs/algorithms.md is the map these tags give. With --write, writes the map."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
# What this version implements; a later one adds its procedures here first and sees the test fail.
expected = [
    "Alg 1 TIME_STEP", "Alg 1 BACKWARD_EULER_EQUATIONS", "Alg 1 BACKWARD_EULER_EQUATIONS_DIFF",
    "Alg 1 BACKWARD_EULER_EQUATIONS_DIFF_TRANSPOSE", "Alg 2 NEWTON_SOLVE", "Alg 3 RELAX_PLANE",
    "Alg 5 PROJECT_ATTACHMENT_TO_SURFACE", "Alg 5 PRECOMPUTE_DI", "Alg 5 FORCE_DI", "Alg 5 FORCE_DIFF_DI",
    "Alg 5 FORCE_DIFF_TRANSPOSE_DI", "Alg 5 UPDATE_DI", "Alg 6 MOVE_RIGID_BODY", "Alg 6 PRECOMPUTE_RD", "Alg 6 FORCE_RD",
    "Alg 6 FORCE_DIFF_RD", "Alg 6 FORCE_DIFF_TRANSPOSE_RD", "Alg 6 UPDATE_RD", "Alg 7 PRECOMPUTE_RR", "Alg 8 FORCE_RR",
    "Alg 8 FORCE_DIFF_RR", "Alg 8 FORCE_DIFF_TRANSPOSE_RR", "Alg 8 UPDATE_RR",
    "Page INTERNAL_EDGES", "Page EDGE_ZONES", "Page EDGE_CONTACT_POINT", "Page VERTEX_SMOOTHING",
]
tags = {}
for path in sorted((root / "src").rglob("*.h")):
    lines = path.read_text().splitlines()
    for i, line in enumerate(lines):
        start = re.search(r"Paper: Alg|Page: [A-Z]", line)
        if not start:
            continue
        # a tag may run over several lines and name several algorithms
        words, end = line[start.start():], i + 1
        while end < len(lines) and lines[end].strip().startswith("///"):
            words += " " + lines[end].strip()[3:].strip()
            end += 1
        declaration = next((l.strip() for l in lines[i + 1:] if l.strip() and not l.strip().startswith("//")), "")
        if declaration.startswith("template"):
            declaration = next(l.strip() for l in lines[i + 2:] if "class" in l or "(" in l)
        for algorithm, names in re.findall(r"(Alg \d+) ((?:[A-Z_]{3,},? ?)+)", words):
            for name in re.findall(r"[A-Z][A-Z_]{3,}", names):
                tags.setdefault(f"{algorithm} {name}", []).append((path.relative_to(root), declaration.rstrip(" {")))
        for name in re.findall(r"Page: ([A-Z][A-Z_]{3,})", words):
            tags.setdefault(f"Page {name}", []).append((path.relative_to(root), declaration.rstrip(" {")))

faults = [f"{name}: expected one tag, found {len(tags.get(name, []))}" for name in expected if len(tags.get(name, [])) != 1]
faults += [f"{name}: tagged at {places[0][0]} but not listed in this test" for name, places in tags.items() if name not in expected]

rows = "".join(f"| {name} | `{tags[name][0][1]}` | `{tags[name][0][0]}` |\n" for name in expected if name in tags)
page = ("# Where each algorithm of the source documents is\n\n"
        "Written by `tests/algorithms_test.py --write` from the tags `Paper: Alg N NAME` in the headers; a test compares.\n"
        "`Page: NAME` tags the rules of the page on smooth contact with triangulated edges (see errata.md).\n\n"
        "| procedure | declaration | file |\n|---|---|---|\n" + rows)
target = root / "docs" / "algorithms.md"
if "--write" in sys.argv:
    target.write_text(page)
elif not target.exists() or target.read_text() != page:
    faults.append("docs/algorithms.md differs from the tags: run tests/algorithms_test.py --write")
if faults:
    print("\n".join(faults))
    sys.exit(1)
print(f"{len(expected)} procedures, one tag each")
