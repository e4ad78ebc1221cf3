#!/usr/bin/env python3
"""Checks the documents: links between them lead somewhere, all are in the site, the gallery shows every scene.

    docs_test.py SOURCE_DIR
"""
import pathlib
import re
import sys

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

gallery = (root / "docs/gallery.md").read_text()
for scene in sorted((root / "scenes").glob("*.yaml")):
    picture = root / f"docs/pictures/{scene.stem}.png"
    title = re.search(r"^title: (.*)$", scene.read_text(), re.M).group(1).strip('"')
    if f"### {scene.stem}\n" not in gallery or title not in gallery:
        faults.append(f"docs/gallery.md does not show {scene.stem}, \"{title}\"; run scripts/gallery")
    if not picture.exists() or picture.stat().st_size > 150_000:
        faults.append(f"{picture.name} is missing or larger than 150 kB")

print(f"{links} links in {len(docs) + 1} documents")
if faults or links < 20:
    print("\n".join(faults) or "too few links found")
    sys.exit(1)
