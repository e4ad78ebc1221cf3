#!/usr/bin/env python3
"""The verbs that show runs: plot, render.

    pictures_test.py PROGRAM SOURCE_DIR
"""

import os
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
import cli_support as support
import synthetic_run
from cli_support import shown
from png_reader import Picture

SIZE = "160x96"
STACK = """stickslip: 1
title: Two balls on a floor
time: {step: 0.01, end: 0.1, frame: 0.1}
materials: {wood: {density: 700}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: low, kind: rigid, shape: {sphere: 0.1}, material: wood, place_on: floor}
  - {name: high, kind: rigid, shape: {sphere: 0.1}, material: wood, place_on: low}
output: {contacts: true}
"""
GRAINS = """stickslip: 1
time: {step: 0.0001, end: 0.0002, frame: 0.0002}
solver: {integration: explicit}
materials: {glass: {density: 2500, kn: 1.0e4}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: grains, kind: spheres, material: glass, radius: 0.1, positions: [[0, 0.1, 0], [0, 0.31, 0]]}
"""
SVG = "{http://www.w3.org/2000/svg}"


def prepare(t):
    t.write("slide.yaml", support.SLIDE)
    for name, friction in (("slide", 0.2), ("rough", 0.5)):
        result = t.run("run", "slide.yaml", "-o", f"{name}.out", "--quiet", "--set", f"contact.friction={friction}")
        t.check(f"the run {name}", result.returncode == 0, shown(result))
    synthetic_run.write(t.folder / "kinds.out")


def curves(svg):
    """Class to path data of all curves."""
    found = [(e.attrib["class"], e.attrib["d"]) for e in svg.iter(SVG + "path") if e.attrib["class"].startswith("curve")]
    return [(kind, d) for kind, d in found if "h24" not in d]


def texts(svg):
    return ["".join(e.itertext()) for e in svg.iter(SVG + "text")]


def points(d):
    return [tuple(map(float, p)) for p in re.findall(r"[ML](\S+) ([^ML]+)", d)]


def plot_svg(t):
    t.write("exact.csv", "time,cube.x\n0,0\n0.3,0.2\n0.6,0.3\n")
    result = t.run("plot", "slide.out", "rough.out", "exact.csv", "cube.x", "cube.speed", "-o", "two.svg")
    t.check("plot writes two runs and a table into one SVG", result.returncode == 0 and result.stdout == "plot: two.svg\n", shown(result))
    svg = ElementTree.parse(t.folder / "two.svg").getroot()
    t.equal("... curves of both runs in both panels, the table in its own", [k for k, _ in curves(svg)],
            ["curve reference", "curve c0", "curve c1", "curve c0", "curve c1"])
    words = texts(svg)
    t.check("... names and units are there", {"slide", "rough", "exact", "cube.x [m]", "cube.speed [m/s]", "time [s]"} <= set(words), words)
    ends = [points(d)[-1] for kind, d in curves(svg)[1:3]]
    t.check("... the rough run ends lower (y counts downward)", ends[1][1] > ends[0][1] + 10, ends)
    inside = [p for _, d in curves(svg) for p in points(d) if not (80 <= p[0] <= 790 and 0 <= p[1] <= float(svg.attrib["height"]))]
    t.check("... all points are inside the picture", not inside, inside[:5])
    before = (t.folder / "two.svg").read_bytes()
    t.run("plot", "slide.out", "rough.out", "exact.csv", "cube.x", "cube.speed", "-o", "two.svg")
    t.check("... the same bytes again", (t.folder / "two.svg").read_bytes() == before)
    t.check("... light and dark", b"prefers-color-scheme:dark" in before)
    scene = t.folder / "slide.out/scene.yaml"
    kept = scene.read_text()
    long = "A small cube slides on a floor, " * 4 + "and on"
    scene.write_text(re.sub("^title: .*$", f'title: "{long}"', kept, flags=re.M))
    t.run("plot", "slide.out", "cube.x", "-o", "long.svg")
    scene.write_text(kept)
    lines = ["".join(e.itertext()) for e in ElementTree.parse(t.folder / "long.svg").getroot().iter(SVG + "text") if e.attrib["class"] == "title"]
    t.check("... a long title is broken into lines", " ".join(lines) == long and len(lines) > 1 and max(map(len, lines)) <= 81, lines)


def plot_values(t):
    result = t.run("plot", "kinds.out", "momentum", "box one.spin", "total_energy", "-o", "values.svg")
    t.check("plot of what is computed from columns", result.returncode == 0, shown(result))
    svg = ElementTree.parse(t.folder / "values.svg").getroot()
    momentum, spin, energy = (points(d) for _, d in curves(svg))
    slope = [round((b[1] - a[1]) / (b[0] - a[0]), 3) for a, b in zip(momentum, momentum[1:])]
    t.check("... |(3t, 4t, 0)| is a straight rising line", len(set(slope)) == 1 and slope[0] < 0, momentum)
    t.check("... a constant stays level", len({y for _, y in spin}) == 1 and len({y for _, y in energy}) == 1, (spin, energy))
    t.run("plot", "kinds.out", "box one.speed", "-o", "speed.svg")
    heights = [y for _, y in points(curves(ElementTree.parse(t.folder / "speed.svg").getroot())[0][1])]
    t.check("... a falling body gets faster", heights == sorted(heights, reverse=True) and heights[0] > heights[-1] + 50, heights)
    result = t.run("plot", "kinds.out", "box one.y", "--x", "box one.x", "-o", "way.svg")
    t.check("plot against another name", result.returncode == 0 and "box one.x [m]" in (t.folder / "way.svg").read_text(), shown(result))
    t.check("markup in titles stays text", "All &lt;kinds&gt; &amp; &quot;more&quot;" in (t.folder / "way.svg").read_text())


def plot_terminal(t):
    result = t.run("plot", "slide.out", "rough.out", "cube.x")
    lines = result.stdout.splitlines()
    t.check("plot in the terminal", result.returncode == 0 and any(0x2800 < ord(c) < 0x2900 for c in result.stdout), shown(result))
    t.check("... no line is wider than 80 letters, none has colours", max(map(len, lines)) <= 80 and "\033" not in result.stdout, result.stdout)
    t.check("... a letter at the end of each curve", sum(line.endswith((" a", " b")) for line in lines) == 2, result.stdout)


def plot_errors(t):
    result = t.run("plot", "slide.out", "cube.sped")
    t.check(
        "an unknown name: status 2, what may be meant, what is like it, and how to list all",
        result.returncode == 2 and 'did you mean "cube.speed"?' in result.stderr and "cube.speed, cube.spin" in result.stderr
        and result.stderr.endswith("all of them: stickslip plot slide.out --list\n") and len(result.stderr) < 500,
        shown(result),
    )
    for asked, said in [("speed", "floor.speed, cube.speed"), ("energy", "kinetic_energy, potential_energy, elastic_energy, contact_energy, total_energy"), ("cube", "cube.x, cube.y, cube.z")]:
        result = t.run("plot", "slide.out", asked)
        t.check(f"a part of names, {asked}: those names", result.returncode == 2 and said in result.stderr, shown(result))
    listed = t.run("plot", "slide.out", "--list").stdout.splitlines()
    t.check("--list: every name in a line", {"kinetic_energy", "cube.speed", "newton"} <= set(listed) and len(set(listed)) == len(listed) > 30, listed)
    t.write("two_grains.yaml", GRAINS)
    t.run("run", "two_grains.yaml", "-o", "two_grains.out", "--quiet")
    listed = t.run("plot", "two_grains.out", "--list").stdout.splitlines()
    t.check("... of explicit steps none of equations", "contacts" in listed and not {"newton", "krylov", "residual"} & set(listed), listed)
    result = t.run("plot", "two_grains.out", "newton")
    t.check("... which is said to who asks", result.returncode == 2 and "explicit steps solve no equations" in result.stderr, shown(result))
    result = t.run("plot", "nowhere.out", "cube.x")
    t.check("a folder that is not there: status 4", result.returncode == 4 and "nowhere.out" in result.stderr, shown(result))
    result = t.run("plot", "slide.out", "cube.x", "-o", "x.jpg")
    t.check("another ending than .svg: status 2", result.returncode == 2 and ".svg" in result.stderr, shown(result))
    result = t.run("plot", "slide.out")
    t.check("without names: the list", result.returncode == 0 and "friction_loss" in result.stdout and "cube" in result.stdout, shown(result))
    t.write("bad.csv", "time,other\n0,1\n")
    result = t.run("plot", "slide.out", "bad.csv", "cube.x")
    t.check("a table without the name: status 2", result.returncode == 2 and 'expected a column "cube.x"' in result.stderr, shown(result))
    t.write("broken.csv", "time,cube.x\n0,0\n2,abc\nfoo,2\n")
    t.write("semicolons.csv", "time,cube.x\n0;0\n")
    result = t.run("plot", "slide.out", "broken.csv", "semicolons.csv", "cube.x", "-o", "broken.svg")
    places = [line.split(": error: ")[0] for line in result.stderr.splitlines() if ": error: " in line]
    t.equal("tables with faults: all of them, with their places", (result.returncode, places), (2, ["broken.csv:3:3", "broken.csv:4:1", "semicolons.csv:2:1"]))
    t.check("... and no picture", not (t.folder / "broken.svg").exists())
    t.write("spreadsheet.csv", b"\xef\xbb\xbftime, cube.x \r\n0, 0\r\n0.6, 0.3\r\n")
    result = t.run("plot", "slide.out", "spreadsheet.csv", "cube.x", "-o", "spreadsheet.svg")
    kinds = [kind for kind, _ in curves(ElementTree.parse(t.folder / "spreadsheet.svg").getroot())]
    t.equal("a table as spreadsheets write it", (result.returncode, kinds), (0, ["curve reference", "curve c0"]))


def render(t, *arguments, name="a.png", size=SIZE):
    result = t.run("render", *arguments, "-o", name, "--size", size)
    t.check(f"render {' '.join(arguments)}", result.returncode == 0, shown(result))
    return Picture(t.folder / name) if name.endswith(".png") else None


def pictures_possible(t):
    result = t.run("render", "kinds.out", "-o", "probe.png", "--size", "16x16")
    if "built without" in result.stderr or "install an OpenGL driver" in result.stderr:
        print("skipped: pictures: " + result.stderr.strip())
        return False
    return True


def same_twice(t):
    first = render(t, "kinds.out", name="one.png")
    render(t, "kinds.out", name="two.png")
    t.check("the same picture twice, bit for bit", (t.folder / "one.png").read_bytes() == (t.folder / "two.png").read_bytes())
    t.equal("... of the size that was asked for", (first.width, first.height), (160, 96))
    colours = set(first.pixels())
    t.check("... not blank", len(colours) > 500, len(colours))
    t.equal("... background of the replay page in the corner", first.pixel(0, 0), (0xF4, 0xF5, 0xF7))


def in_view(t):
    for time in ("0", "0.6"):
        blue = render(t, "slide.out", "--time", time, name=f"t{time}.png").coloured(2)
        edge = [p for p in blue if p[0] in (0, 159) or p[1] in (0, 95)]
        t.check(f"the cube is in view at {time} s, not cut off", len(blue) > 40 and not edge, (len(blue), edge[:3]))
    places = []
    for time in ("0", "0.6"):
        blue = Picture(t.folder / f"t{time}.png").coloured(2)
        places.append(sum(x for x, _ in blue) / len(blue))
    t.check("it has moved to the right", places[1] > places[0] + 20, places)


def colours_and_shadow(t):
    picture = render(t, "kinds.out", "--color", "speed", "--time", "0.2", size="240x135")
    yellow = [p for p in picture.pixels() if p[0] > 180 and p[1] > 160 and p[2] < 90]
    t.check("balls are the fastest: yellow", len(yellow) > 100, len(yellow))
    camera = ("--camera", "0,1.5,2:0,0,0")
    picture = render(t, "kinds.out", "--time", "0", *camera, size="240x135")
    dark = [p for p in picture.pixels() if max(p) < 190 and max(p) - min(p) < 25]
    bright = [p for p in picture.pixels() if min(p) > 220]
    t.check("shadows on the ground, and light around", len(dark) > 100 and len(bright) > 10000, (len(dark), len(bright)))
    t.check("another camera, another picture", picture.rows != render(t, "kinds.out", "--time", "0", size="240x135").rows)


def render_folder(t):
    render(t, "kinds.out", name="frames", size="32x32")
    t.equal("a folder gets a picture of each frame", sorted(os.listdir(t.folder / "frames")), [f"frame_{i:06d}.png" for i in range(4)])


def arrows(picture):
    """Pixels as blue as arrows of contacts that stick, as orange as those of contacts that slide."""
    blue = sum(p[2] > 110 and p[0] < 60 and p[1] < 120 for p in picture.pixels())
    orange = sum(p[0] > 120 and p[2] < 40 and p[1] < 0.75 * p[0] for p in picture.pixels())
    return blue, orange


def render_choices(t):
    """What is left out, what is drawn over it, how well and when."""
    whole = render(t, "slide.out", "--time", "0.2", name="whole.png")
    hidden = render(t, "slide.out", "--time", "0.2", "--hide", "cube", name="hidden.png")
    t.check("--hide leaves a body out", len(whole.coloured(2)) > 40 and not hidden.coloured(2), len(hidden.coloured(2)))
    result = t.run("render", "slide.out", "--hide", "cub", "-o", "no.png")
    t.check("... and knows its name", result.returncode == 2 and 'did you mean "cube"?' in result.stderr, shown(result))
    for option in ["--hide", "--opacity"]:
        result = t.run("render", "slide.out", option, "NOBODY" + ("=0.5" if option == "--opacity" else ""), "-o", "no.png")
        t.check(f"... {option}: or says what names there are", result.returncode == 2 and f'{option}: no body "NOBODY" in this run; the run has: floor, cube' in result.stderr, shown(result))
    forces = render(t, "slide.out", "--time", "0.2", "--forces", "--hide", "cube", name="forces.png", size="320x192")
    t.check("--forces: the contacts of a cube that slides are orange arrows", arrows(forces)[1] > 15 and arrows(hidden)[1] == 0, (arrows(forces), arrows(hidden)))
    dark = lambda picture: [(x, y) for x in range(320) for y in range(165, 192) if max(picture.pixel(x, y)) < 70]
    cubeless = render(t, "slide.out", "--time", "0.2", "--hide", "cube", name="cubeless.png", size="320x192")
    t.check("... with the scale of forces", len(dark(forces)) > 60 and not dark(cubeless), (len(dark(forces)), len(dark(cubeless))))
    result = t.run("render", "kinds.out", "--forces", "-o", "no.png")
    t.check("... where they are recorded", result.returncode == 2 and "output.contacts" in result.stderr, shown(result))
    draft = render(t, "slide.out", "--time", "0.2", "--draft", name="draft.png")
    far = sum(abs(a - b) for p, q in zip(draft.pixels(), whole.pixels()) for a, b in zip(p, q)) / (3 * 160 * 96)
    t.check("--draft is nearly the same picture", 0 < far < 8, far)
    words = [render(t, "slide.out", "--labels", *options, name="words.png") for options in ([], ["--draft"])]
    drawn = [render(t, "slide.out", *options, name="plain.png") for options in ([], ["--draft"])]
    changed = [[i for i, (p, q) in enumerate(zip(a.pixels(), b.pixels())) if p != q] for a, b in zip(words, drawn)]
    t.check("... its labels are those of the whole picture", len(set(changed[0]) ^ set(changed[1])) < 0.1 * len(changed[0]) > 10, [len(c) for c in changed])
    result = t.run("render", "kinds.out", "-o", "part", "--time", "0.1..0.2", "--size", "32x32")
    t.equal("a range of times in a folder", sorted(os.listdir(t.folder / "part")), ["frame_000001.png", "frame_000002.png"])
    for rate, expected in [("5", [0, 2]), ("20", [0, 0, 1, 1, 2, 2, 3])]:  # of frames at 0, 0.1, 0.2, 0.3 s
        shutil.rmtree(t.folder / "paced", ignore_errors=True)
        paced = t.run("render", "kinds.out", "-o", "paced", "--fps", rate, "--size", "32x32")
        t.run("render", "kinds.out", "-o", "all", "--size", "32x32")
        pictures = sorted(os.listdir(t.folder / "paced"))
        same = [next(n for n in range(4) if (t.folder / f"all/frame_{n:06}.png").read_bytes() == (t.folder / "paced" / name).read_bytes()) for name in pictures]
        t.check(f"--fps {rate} of a folder: a picture each 1/{rate} s of the run, counted", paced.returncode == 0 and pictures == [f"frame_{n:06}.png" for n in range(len(expected))]
                and all(abs(a - b) <= (rate == "20") for a, b in zip(same, expected)), (same, shown(paced)))
    once = t.run("render", "kinds.out", "-o", "one.png", "--fps", "5")
    t.check("... but not of one picture", once.returncode == 2 and "--fps needs a video or a folder" in once.stderr, shown(once))
    t.check("... with its progress", re.search(r"^1 of 2 pictures, \d+ s left\n2 of 2 pictures", result.stderr, re.M), shown(result))
    slow = t.run("render", "kinds.out", "--color", "speed", "--max", "100", "-o", "slow.png", "--size", SIZE)
    t.check("--max sets the end of the scale", "from 0 (dark) to 100 m/s" in slow.stdout and not [p for p in Picture(t.folder / "slow.png").pixels() if p[0] > 180 and p[2] < 90], shown(slow))


def render_opacity(t):
    whole = Picture(t.folder / "whole.png")
    hidden = Picture(t.folder / "hidden.png")
    glass = render(t, "slide.out", "--time", "0.2", "--opacity", "cube=0.4", name="glass.png")
    x, y = whole.coloured(2)[len(whole.coloured(2)) // 2]
    body, ground, mixed = (picture.pixel(x, y) for picture in (whole, hidden, glass))
    t.check("--opacity shows what is behind", body[0] + 20 < mixed[0] < ground[0] + 5, (body, mixed, ground))
    clear = render(t, "slide.out", "--time", "0.2", "--opacity", "cube=0", name="clear.png")
    t.check("... 0 hides", clear.rows == hidden.rows)
    for words, said in [("cube", "NAME=VALUE"), ("cube=2", "from 0 to 1"), ("cub=0.5", 'did you mean "cube"?'), ("floor=0.5", "is a plane")]:
        result = t.run("render", "slide.out", "--opacity", words, "-o", "no.png")
        t.check(f"--opacity {words}: status 2", result.returncode == 2 and said in result.stderr, shown(result))
    t.write("balls.yaml", GRAINS)
    t.run("run", "balls.yaml", "-o", "balls.out", "--quiet")
    solid, none, half = (render(t, "balls.out", "--opacity", f"grains={value}", name=f"balls{value}.png") for value in (1, 0, 0.5))
    of_balls = solid.coloured(2)
    between = [p for p in of_balls if solid.pixel(*p)[0] + 10 < half.pixel(*p)[0] < none.pixel(*p)[0] - 10]
    t.check("... of spheres too", len(of_balls) > 100 and len(between) > 0.9 * len(of_balls), (len(of_balls), len(between)))
    grey = lambda p: max(p) - min(p) < 15
    shadow = [(x, y) for y in range(0, solid.height, 3) for x in range(0, solid.width, 3)
              if grey(solid.pixel(x, y)) and grey(half.pixel(x, y)) and solid.pixel(x, y)[0] < none.pixel(x, y)[0] - 40]
    lit = [p for p in shadow if half.pixel(*p)[0] > none.pixel(*p)[0] - 10]
    t.check("... which throw no shadow then", len(shadow) > 10 and len(lit) > 0.9 * len(shadow), (len(shadow), len(lit)))


def render_chains(t):
    t.write("stack.yaml", STACK)
    t.run("run", "stack.yaml", "-o", "stack.out", "--quiet")
    plain = render(t, "stack.out", name="plain.png", size="240x240")
    chains = render(t, "stack.out", "--chains", name="chains.png", size="240x240")
    is_bar = lambda p: p[0] > 90 and p[1] < 80 and p[2] < 85 and p[0] > 1.5 * p[1]
    bars = {(i % 240, i // 240) for i, p in enumerate(chains.pixels()) if is_bar(p)}
    t.check("--chains: forces between balls on each other are an upright bar",
            len(bars) > 40 and not any(is_bar(p) for p in plain.pixels())
            and max(y for _, y in bars) - min(y for _, y in bars) > 4 * (max(x for x, _ in bars) - min(x for x, _ in bars)), len(bars))
    result = t.run("render", "kinds.out", "--chains", "-o", "no.png")
    t.check("... where contacts are recorded", result.returncode == 2 and "output.contacts" in result.stderr, shown(result))


def render_labels(t):
    size = "320x192"
    plain = render(t, "slide.out", "--color", "speed", name="no_labels.png", size=size)
    words = render(t, "slide.out", "--color", "speed", "--labels", name="labels.png", size=size)
    changed = [(i % 320, i // 320) for i, (p, q) in enumerate(zip(plain.pixels(), words.pixels())) if p != q]
    in_box = lambda x0, x1, y0, y1: sum(x0 <= x < x1 and y0 <= y < y1 for x, y in changed)
    t.check("--labels: the title is above, the time below, the colour bar to the right",
            in_box(0, 320, 0, 20) > 100 and in_box(0, 120, 176, 192) > 30 and in_box(240, 320, 40, 150) > 400 and in_box(0, 200, 25, 170) == 0, len(changed))
    bar = [words.pixel(x, y) for x, y in changed if x >= 240]
    t.check("... from dark blue to yellow", any(p[0] > 240 and p[2] < 60 for p in bar) and any(p[2] > 70 and p[1] < 20 for p in bar))
    body = render(t, "slide.out", "--labels", name="body_labels.png", size=size)
    other = render(t, "slide.out", name="body.png", size=size)
    t.check("... no bar without a quantity", all(p == q for i, (p, q) in enumerate(zip(body.pixels(), other.pixels())) if i // 320 > 25 and i // 320 < 170))


def render_of_rigid_bodies(t):
    t.write("rigid.yaml", STACK)
    t.run("run", "rigid.yaml", "-o", "rigid.out", "--quiet")
    result = t.run("render", "rigid.out", "--color", "stress", "--labels", "-o", "stress.png", "--size", SIZE)
    t.check("rigid bodies have no stress: a warning, no scale", "no body of this run has a stress" in result.stderr and result.stdout == "picture: stress.png\n", shown(result))
    own = render(t, "rigid.out", "--labels", name="own.png")
    t.check("... no bar, and their own colours", Picture(t.folder / "stress.png").pixels() == own.pixels())
    path = t.folder / "rigid.out/bodies.csv"
    header, *rows = path.read_text().splitlines()
    path.write_text("\n".join([header] + [",".join(row.split(",")[:9] + ["3e-17", "0", "0", "0", "0", "0"]) for row in rows]) + "\n")
    result = t.run("render", "rigid.out", "--color", "speed", "-o", "rest.png", "--size", SIZE)
    t.check("speeds of round-off are none", "colour: speed from 0 (dark) to 1 m/s" in result.stdout, shown(result))


def render_scale(t):
    ends = {}
    for name, options in {"usual": [], "half": ["--quantile", "0.5"], "all": ["--quantile", "1"], "given": ["--min", "0.1", "--max", "0.3"]}.items():
        result = t.run("render", "slide.out", "--color", "speed", *options, "-o", "scale.png", "--size", SIZE)
        ends[name] = tuple(map(float, re.search(r"from (\S+) \(dark\) to (\S+) m/s", result.stdout).groups()))
    t.check("--quantile covers that share of the values", ends["half"][1] < ends["usual"][1] <= ends["all"][1] and ends["half"][0] == 0, ends)
    t.equal("--min and --max", ends["given"], (0.1, 0.3))
    for options, said in [(["--quantile", "0.5"], "needs --color"), (["--color", "speed", "--min", "2", "--max", "1"], "--min"),
                          (["--color", "speed", "--quantile", "0.5", "--max", "1"], "cannot be given together"), (["--color", "speed", "--quantile", "7"], "from 0.01 to 1")]:
        result = t.run("render", "slide.out", *options, "-o", "no.png")
        t.check(f"render {' '.join(options)}: status 2", result.returncode == 2 and said in result.stderr, shown(result))


# A ball that lies on the ground and one that is buried beside it.
BELOW = """stickslip: 1
time: {step: 0.01, end: 0.02, frame: 0.01}
materials: {oak: {density: 700}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: ball, kind: rigid, material: oak, shape: {sphere: 0.1}, position: [0, 0.1, 0]}
  - {name: below, kind: obstacle, shape: {sphere: 0.12}, position: [0, -0.4, 0.1]}
"""


def render_transparent(t):
    whole = render(t, "slide.out", "--time", "0.2", name="whole.png")
    cut = render(t, "slide.out", "--time", "0.2", "--transparent", name="cut.png")
    places = [(x, y) for x in range(160) for y in range(96)]
    corners = [cut.alpha(x, y) for x, y in [(0, 0), (159, 0), (0, 95), (159, 95)]]
    t.check("--transparent: nothing in the upper corners, next to no shadow in the lower ones", corners[:2] == [0, 0] and max(corners) < 16, corners)
    solid = {p for p in places if cut.alpha(*p) == 255}
    blue = set(whole.coloured(2))
    t.check("... the body is opaque and as it was", len(solid & blue) > 0.8 * len(blue)
            and all(abs(a - b) <= 2 for p in solid & blue for a, b in zip(cut.pixel(*p), whole.pixel(*p))), (len(solid), len(blue)))
    shadow = [p for p in places if 20 < cut.alpha(*p) < 250 and max(cut.pixel(*p)) == 0]
    t.check("... and throws its shadow", len(shadow) > 30, len(shadow))
    t.write("grains.yaml", GRAINS)
    t.run("run", "grains.yaml", "-o", "grains.out", "--quiet")
    balls = render(t, "grains.out", "--transparent", "--camera", "0.8,0.9,0:0,0.2,0", name="balls.png", size="240x240")
    between = lambda x, y: balls.alpha(x, y) < 255 and balls.alpha(x, y - 3) == 255 and balls.alpha(x, y + 3) == 255
    rims = [(x, y) for x in range(110, 130) for y in range(3, 237) if between(x, y)]
    t.check("... nothing shines through the outline of a ball before another", sum(balls.alpha(x, y) == 255 for x in range(240) for y in range(240)) > 1000 and not rims, rims[:5])
    t.write("below.yaml", BELOW)
    t.run("run", "below.yaml", "-o", "below.out", "--quiet")
    solid_of = lambda picture: {p for p in places if picture.alpha(*p) == 255}
    above = solid_of(render(t, "below.out", "--transparent", "--camera", "2,1,0:0,0,0", "--hide", "below", name="above.png"))
    both = solid_of(render(t, "below.out", "--transparent", "--camera", "2,1,0:0,0,0", name="both.png"))
    t.check("... what is below the ground is hidden by it", above == both and len(above) > 20, (len(above), len(both)))
    under = solid_of(render(t, "below.out", "--transparent", "--camera", "2,-1,0:0,0,0", name="under.png"))
    t.check("... a plane that is seen from behind hides nothing", len(under) > 1.5 * len(above), (len(under), len(above)))
    drawn = [render(t, "below.out", "--camera", "2,-1,0:0,0,0", *hide, name=f"drawn{len(hide)}.png") for hide in ([], ["--hide", "ball"])]
    t.check("a plane that is seen from behind hides nothing without it either", sum(p != q for p, q in zip(*(d.pixels() for d in drawn))) > 100)
    result = t.run("render", "slide.out", "--transparent", "-o", "no.mp4")
    t.check("... but not in a video", result.returncode == 2 and ".png" in result.stderr, shown(result))


def render_video(t):
    """A program named ffmpeg that counts what it gets stands for the real one."""
    script = "#!/bin/sh\nfor last; do :; done\necho \"$@\" > arguments.txt\nwc -c > \"${last#file:}\"\n"
    fake = t.write("bin/ffmpeg", script)
    fake.chmod(0o755)
    path = t.environment["PATH"]
    t.environment["PATH"] = f"{fake.parent}:/usr/bin:/bin"
    render(t, "kinds.out", name="a.mp4", size="32x16")
    t.equal("a video gets all pictures", (t.folder / "a.mp4").read_text().strip(), str(4 * 32 * 16 * 3))
    words = (t.folder / "arguments.txt").read_text()
    t.check("... into a file, whatever its name looks like", words.split()[-1].startswith("file:a.mp4"), words)
    t.check("... at the speed of the run", "-s 32x16 -r 10.0" in words, words)
    render(t, "kinds.out", "--fps", "25", "--time", "0..0.1", name="fast.mp4", size="32x16")
    words = (t.folder / "arguments.txt").read_text()
    t.check("... or as asked for, of a part", "-r 25" in words and (t.folder / "fast.mp4").read_text().strip() == str(2 * 32 * 16 * 3), words)
    fake.write_text("#!/bin/sh\nfor last; do :; done\ncat > /dev/null\necho half > \"${last#file:}\"\nexit 1\n")
    result = t.run("render", "kinds.out", "-o", "b.mp4", "--size", SIZE)
    left = [name for name in os.listdir(t.folder) if name.startswith("b.mp4")]
    t.check("ffmpeg that fails: status 4, nothing left", result.returncode == 4 and "ffmpeg" in result.stderr and not left, shown(result))
    t.environment["PATH"] = str(t.folder)
    result = t.run("render", "kinds.out", "-o", "c.mp4")
    t.check("no ffmpeg: status 2, says what to install", result.returncode == 2 and "apt-get install ffmpeg" in result.stderr, shown(result))
    t.environment["PATH"] = path
    for name in ("a:b.mp4", "-x.mp4", "50%03d.mp4") if shutil.which("ffmpeg", path=path) else ():
        render(t, "kinds.out", name=name, size="32x16")
        t.check(f"the real ffmpeg writes {name}", (t.folder / name).read_bytes()[4:8] == b"ftyp")


def render_errors(t):
    (t.folder / "empty.out").mkdir()
    (t.folder / "no_frames.out").mkdir()
    (t.folder / "no_frames.out/history.csv").write_text("time\n")
    for what, arguments, status, words in [
        ("no folder", ["nowhere.out"], 4, "nowhere.out"),
        ("an empty folder", ["empty.out"], 4, "no run in it"),
        ("a run without frames", ["no_frames.out"], 2, "no frames"),
        ("a time that is not in the run", ["kinds.out", "--time", "7"], 2, "from 0 to 0.3 s"),
        ("a range of times in one picture", ["kinds.out", "-o", "a.png", "--time", "0..0.2"], 2, '"0..0.2" is a range, for a video (-o x.mp4) or a folder'),
        ("an impossible size", ["kinds.out", "--size", "0x5"], 2, "--size"),
        ("a camera that is none", ["kinds.out", "--camera", "1,2"], 2, "--camera"),
        ("an unknown colour", ["kinds.out", "--color", "taste"], 2, "body, speed or stress"),
        ("an unknown ending", ["kinds.out", "-o", "a.gif"], 2, ".png or .mp4"),
    ]:
        result = t.run("render", *arguments)
        t.check(f"render of {what}: status {status}", result.returncode == status and words in result.stderr, shown(result))
    synthetic_run.write_damaged(t.folder / "damaged.out")
    result = t.run("render", "damaged.out")
    t.check("render of damaged frames: status 2", result.returncode == 2 and "could be read" in result.stderr, shown(result))


def main():
    t = support.Tester()
    t.group(prepare)
    groups = [plot_svg, plot_values, plot_terminal, plot_errors]
    if pictures_possible(t):
        groups += [same_twice, in_view, colours_and_shadow, render_folder, render_choices, render_opacity, render_chains, render_labels, render_of_rigid_bodies, render_scale,
                   render_transparent, render_video, render_errors]
    t.finish(groups)


main()
