#!/usr/bin/env python3
"""Checks that every #include "stickslip/..." goes down the layer graph that CMakeLists.txt declares, and that the graph has no cycle;
that no more than two units (a header with its source) include each other in a ring; that no folder holds more than 40 files;
and that each test file has a namespace of its own."""
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
units = {}  # what each unit includes
for path in sorted((root / "src" / "stickslip").rglob("*")):
    if path.suffix not in (".h", ".cpp"):
        continue
    layer = path.relative_to(root / "src" / "stickslip").parts[0]
    unit = str(path.relative_to(root / "src").with_suffix(""))
    units.setdefault(unit, set()).update(
        other for other in re.findall(r'#include "(stickslip/.*)\.h"', path.read_text()) if other != unit)
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'#include "stickslip/(\w+)/', line)
        if not match:
            continue
        includes += 1
        other = match.group(1)
        if other != layer and other not in allowed.get(layer, set()):
            faults.append(f"{path.relative_to(root)}:{number}: {layer} may not include {other}")


def knots():
    """Rings of units that include each other (strongly connected components, Tarjan)."""
    order, low, stack, found = {}, {}, [], []

    def visit(unit):
        order[unit] = low[unit] = len(order)
        stack.append(unit)
        for other in units.get(unit, ()):
            if other not in order:
                visit(other)
            if other in stack:
                low[unit] = min(low[unit], low[other])
        if low[unit] == order[unit]:
            ring = stack[stack.index(unit):]
            del stack[stack.index(unit):]
            found.append(ring)

    sys.setrecursionlimit(10 * len(units) + 1000)
    for unit in sorted(units):
        if unit not in order:
            visit(unit)
    return found


faults += ["units include each other: " + ", ".join(sorted(ring)) for ring in knots() if len(ring) > 2]

for folder in sorted((root / "src" / "stickslip").rglob("*")):
    if folder.is_dir() and (count := sum(path.is_file() for path in folder.iterdir())) > 40:
        faults.append(f"{folder.relative_to(root)}: {count} files, more than 40")

for path in sorted((root / "tests").rglob("*_test.cpp")):  # compiled together: the names of one do not meet those of another
    if not re.search(rf"^namespace stickslip::(\w+::)?{path.stem} {{$", path.read_text(), re.MULTILINE):
        faults.append(f"{path.relative_to(root)}: expected namespace stickslip::{path.stem}")

print(f"{includes} includes in {len(declared)} layers")
if not includes or faults:
    print("\n".join(faults) or "no includes found")
    sys.exit(1)
