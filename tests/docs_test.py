#!/usr/bin/env python3
"""Checks the documents: links between them lead somewhere, all are in the site, the gallery shows every scene and is what
its script writes.

    docs_test.py SOURCE_DIR
"""
import importlib.machinery
import importlib.util
import pathlib
import re
import sys

sys.dont_write_bytecode = True
root = pathlib.Path(sys.argv[1]).resolve()
docs = sorted((root / "docs").glob("*.md"))
faults = []


def anchors(path):
    """Headings as links name them."""
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.S)
    heads = [re.sub(r"[`*]", "", h) for h in re.findall(r"^#+ (.*)$", text, re.M)]
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in heads}


links = 0
for path in [root / "README.md", *docs]:
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        links += 1
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        if not found.exists():
            faults.append(f"{path.name}: there is no {target}")
        elif anchor and found.suffix == ".md" and anchor not in anchors(found):
            faults.append(f"{path.name}: {file} has no heading #{anchor}")

index = (root / "docs/index.md").read_text().split()
faults += [f"docs/index.md does not list {path.stem}" for path in docs if path.stem not in index and path.stem != "index"]

loader = importlib.machinery.SourceFileLoader("gallery", str(root / "scripts/gallery"))
gallery = importlib.util.module_from_spec(importlib.util.spec_from_loader("gallery", loader))
loader.exec_module(gallery)
if (root / "docs/gallery.md").read_text() != gallery.text():
    faults.append("docs/gallery.md is not what scripts/gallery writes")
shown = [scene for _, scene, _, _ in gallery.SCENES]
for scene in sorted(path.stem for path in (root / "scenes").glob("*.yaml")):
    picture = root / f"docs/pictures/{scene}.png"
    if shown.count(scene) != 1:
        faults.append(f"scripts/gallery shows {scene} {shown.count(scene)} times")
    if not picture.exists() or picture.stat().st_size > 150_000:
        faults.append(f"{picture.name} is missing or larger than 150 kB")

print(f"{links} links in {len(docs) + 1} documents")
if faults or links < 20:
    print("\n".join(faults) or "too few links found")
    sys.exit(1)
