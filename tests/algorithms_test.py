#!/usr/bin/env python3
"""Checks that each procedure of the source documents has either one tag 'Paper: Alg N NAME' in a header (or beside a private function) or a
reason here why it has none, that each rule of the edge page has one tag 'Page: NAME', and that docs/algorithms.md is the map these give. With
--write, writes the map. Where the technical document lies beside the project, its procedures are compared with those listed here."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
# All procedures of the technical document, by algorithm, and all rules of the edge page.
SOURCE = {
    "Alg 1": "TIME_STEP BACKWARD_EULER_EQUATIONS BACKWARD_EULER_EQUATIONS_DIFF BACKWARD_EULER_EQUATIONS_DIFF_TRANSPOSE",
    "Alg 2": "NEWTON_SOLVE",
    "Alg 3": "RELAX_PLANE PROJECT_ATTACHMENT_TO_MOVING_SURFACE",
    "Alg 4": "MOVE_RIGID_BODY FRAME_TIMES FRAME_INVERSE_TIMES ROTATE",
    "Alg 5": "PROJECT_ATTACHMENT_TO_SURFACE PRECOMPUTE_DI FORCE_DI FORCE_DIFF_DI FORCE_DIFF_TRANSPOSE_DI UPDATE_DI",
    "Alg 6": "PRECOMPUTE_RD FORCE_RD FORCE_DIFF_RD FORCE_DIFF_TRANSPOSE_RD UPDATE_RD",
    "Alg 7": "PRECOMPUTE_RR",
    "Alg 8": "FORCE_RR FORCE_DIFF_RR FORCE_DIFF_TRANSPOSE_RR UPDATE_RR",
    "Alg 9": "PRECOMPUTE_DD FORCE_DD FORCE_DIFF_DD FORCE_DIFF_TRANSPOSE_DD UPDATE_DD",
    "Alg 10": "RELAX_MESH CASE_TRIANGLE",
    "Alg 11": "CASE_EDGE CASE_VERTEX",
    "Alg 12": "INSIDE_EDGE INSIDE_VERTEX",
    "Page": "INTERNAL_EDGES EDGE_ZONES EDGE_CONTACT_POINT VERTEX_SMOOTHING",
}
procedures = [f"{part} {name}" for part, names in SOURCE.items() for name in names.split()]

# Why a procedure has no tag; one that is implemented leaves this list.
IN_THE_FRAME = "relaxation takes place in the solid's own frame (errata.md, alg5)"
NOT_IMPLEMENTED = {
    "Alg 3 PROJECT_ATTACHMENT_TO_MOVING_SURFACE": IN_THE_FRAME,
    **{f"Alg 4 {name}": IN_THE_FRAME for name in ("FRAME_INVERSE_TIMES", "ROTATE")},
}
# What of a tagged procedure is not there.
WITHOUT = {name: "level sets; its branch for meshes is not implemented" for name in ("Alg 6 PRECOMPUTE_RD", "Alg 7 PRECOMPUTE_RR")}
WITHOUT |= {name: "complete and tested; no run calls it, see derivations.md, walk-over-a-mesh"
            for name in ("Alg 10 RELAX_MESH", "Alg 10 CASE_TRIANGLE", "Alg 11 CASE_EDGE", "Alg 11 CASE_VERTEX",
                         "Alg 12 INSIDE_EDGE", "Alg 12 INSIDE_VERTEX")}


def printed_procedures(text):
    """Names behind "procedure" in the scanned document, which cuts some of them off."""
    names = re.findall(r"[Pp]rocedure(?:</b>|\*\*)? ([A-Za-z]\w*)", text.replace("\\_", "_").replace("_Transpose", "_TRANSPOSE"))
    return [name.upper().replace("UPDATE_ATTACHMENT", "UPDATE") for name in names if "_" in name]


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

faults = []
for name in procedures:
    found = len(tags.get(name, []))
    if name in NOT_IMPLEMENTED and found:
        faults.append(f"{name}: tagged at {tags[name][0][0]}, but listed as not implemented")
    elif name not in NOT_IMPLEMENTED and found != 1:
        faults.append(f"{name}: expected one tag, or a reason in NOT_IMPLEMENTED, found {found} tags")
for name, places in tags.items():
    if name not in procedures:
        faults.append(f"{name}: tagged at {places[0][0]}, but no procedure of the source")
faults += [f"{name}: in NOT_IMPLEMENTED or WITHOUT, but no procedure of the source" for name in {**NOT_IMPLEMENTED, **WITHOUT} if name not in procedures]
documents = sorted((root.parent / "shared" / "seeds").glob("002*.txt"))
for name in printed_procedures(documents[0].read_text()) if documents else []:
    if not any(procedure.split()[-1].startswith(name) for procedure in procedures):
        faults.append(f"{name}: a procedure of the technical document that SOURCE lacks")
if not documents:
    print("the technical document is not beside the project: SOURCE was not compared with it")


def row(name):
    if name in NOT_IMPLEMENTED:
        return f"| {name} | not implemented: {NOT_IMPLEMENTED[name]} | |\n"
    path, declaration = tags[name][0]
    note = f" ({WITHOUT[name]})" if name in WITHOUT else ""
    return f"| {name} | `{declaration}`{note} | `{path}` |\n"


rows = "".join(row(name) for name in procedures if name in NOT_IMPLEMENTED or name in tags)
page = ("# Where each algorithm of the source documents is\n\n"
        "All procedures of the technical document and all rules of the page on smooth contact with triangulated edges (see errata.md),\n"
        "written by `tests/algorithms_test.py --write` from the tags `Paper: Alg N NAME` and `Page: NAME` in the headers; a test compares.\n\n"
        "| procedure | declaration | file |\n|---|---|---|\n" + rows)
target = root / "docs" / "algorithms.md"
if "--write" in sys.argv:
    target.write_text(page)
elif not target.exists() or target.read_text() != page:
    faults.append("docs/algorithms.md differs from the tags: run tests/algorithms_test.py --write")
if faults:
    print("\n".join(faults))
    sys.exit(1)
print(f"{len(procedures)} procedures, {len(NOT_IMPLEMENTED)} of them not implemented")
