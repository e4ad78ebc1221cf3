#!/usr/bin/env python3
"""Checks that every #include "stickslip/..." goes down the layer graph that CMakeLists.txt declares, and that the graph has no cycle."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
declared = {}
for line in (root / "CMakeLists.txt").read_text().splitlines():
    match = re.match(r"stickslip_(?:layer|program)\((\w+)(.*)\)", line)
    if match:
        name, rest = match.groups()
        if line.startswith("stickslip_program"):
            name = rest.split()[0]
        depends = re.search(r"DEPENDS((?: [a-z]+)*)", rest)
        declared[name] = set(depends.group(1).split()) if depends else set()

faults = []


def reach(layer, seen):
    for below in declared[layer]:
        if below in seen:
            faults.append(f"CMakeLists.txt: cycle through {below}")
            return set()
        reach(below, seen | {below})
    return declared[layer]


for layer in declared:
    reach(layer, {layer})

allowed = {layer: set(below) for layer, below in declared.items()}
for _ in allowed:  # what is reached through another layer may be included too
    for layer, below in allowed.items():
        for other in list(below):
            below |= allowed[other]

includes = 0
for path in sorted((root / "src" / "stickslip").rglob("*")):
    if path.suffix not in (".h", ".cpp"):
        continue
    layer = path.relative_to(root / "src" / "stickslip").parts[0]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'#include "stickslip/(\w+)/', line)
        if not match:
            continue
        includes += 1
        other = match.group(1)
        if other != layer and other not in allowed.get(layer, set()):
            faults.append(f"{path.relative_to(root)}:{number}: {layer} may not include {other}")

print(f"{includes} includes in {len(declared)} layers")
if not includes or faults:
    print("\n".join(faults) or "no includes found")
    sys.exit(1)
