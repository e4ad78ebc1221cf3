"""What the tests of granular flow share: scenes as text, meshes of silos, frames as numbers, straight lines through points."""
import csv
import math
import pathlib
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "friction"), str(HERE.parent / "files")]
from read_vtk_check import unpack
from runs import Runs

DIAMETER = 0.01  # [m] of the grains, on the mean
DENSITY = 2500
GRAVITY = 9.81
SIZES = "{min: 0.0047, max: 0.0053}"


def head(title, end, friction, pairs="", rolling=0.1, frame=None, periodic=""):
    """A scene of glass up to its bodies; they must follow."""
    return f"""stickslip: 1
title: {title}
time: {{step: auto, end: {end}, frame: {frame or end}}}
solver: {{integration: explicit}}
contact: {{friction: {friction}, pairs: [{pairs}]}}
{periodic}
materials: {{glass: {{density: {DENSITY}, kn: 2000, restitution: 0.5, rolling_friction: {rolling}}}}}
"""


def write_obj(path, vertices, faces):
    """Polygons, counted from 0."""
    text = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in vertices)
    path.write_text(text + "".join("f " + " ".join(str(i + 1) for i in face) + "\n" for face in faces))


def ring(radius, y, sides=60):
    return [(radius * math.cos(2 * math.pi * i / sides), y, radius * math.sin(2 * math.pi * i / sides)) for i in range(sides)]


def write_rings(path, rings):
    """The surface between rings of as many points, one after the other."""
    sides = len(rings[0])
    faces = []
    for r in range(len(rings) - 1):
        for i in range(sides):
            a, b = r * sides + i, r * sides + (i + 1) % sides
            faces += [(a, b, b + sides), (a, b + sides, a + sides)]
    write_obj(path, sum(rings, []), faces)


def sweep(runs, scene, columns, rows):
    """Runs a scene for every row of values, two at once; their folders."""
    (runs.folder / "scene.yaml").write_text(scene)
    with open(runs.folder / "table.csv", "w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    command = [runs.program, "sweep", "table.csv", "scene.yaml", "-o", "out", "--force", "--quiet", "--jobs", "2", "--threads", "2"]
    result = subprocess.run(command, cwd=runs.folder, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(result.stderr)
    return [runs.folder / "out" / row["name"] for row in table(runs.folder / "out/sweep.csv")]


def cylinder_fill(radius, height, base=0):
    """A loose filling of a cylinder that stands on y = base; the body of spheres that holds it."""
    count = int(0.54 * math.pi * radius**2 * height / (math.pi / 6 * DIAMETER**3))
    return f"""  - name: grains
    kind: spheres
    material: glass
    position: [0, {base + height / 2}, 0]
    fill: {{cylinder: {{radius: {radius}, height: {height}}}, count: {count}, sizes: {SIZES}}}
"""


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def centres(folder, body):
    """The centres of a body's spheres in the last frame."""
    frames = ElementTree.parse(folder / "frames.pvd").iter("DataSet")
    path = [frame.attrib["file"] for frame in frames if frame.attrib.get("name", "").startswith(body)][-1]
    content = (folder / path).read_bytes()
    mark = b'<AppendedData encoding="raw">\n_'
    begin, end = content.index(mark) + len(mark), content.rindex(b"\n</AppendedData>")
    root = ElementTree.fromstring(content[:begin] + content[end:])
    places = next(root.iter("Points")).find("DataArray")
    raw, _ = unpack(content[begin:end], int(places.attrib["offset"]))
    return list(struct.iter_unpack("<3d", raw))


def line_through(points):
    """(slope, value at 0) of least squares."""
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    slope = sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)
    return slope, my - slope * mx
