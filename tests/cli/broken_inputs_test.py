#!/usr/bin/env python3
"""Meshes, scenes and folders that do not work: the words and the exit status, and what is left on the disk.

    broken_inputs_test.py PROGRAM SOURCE_DIR
"""

import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

HEAD = """stickslip: 1
time: {step: 0.01, end: 0.05, frame: 0.05}
materials: {m: {density: 1000, young: 1.0e5, poisson: 0.3}}
bodies:
"""
PART = "  - {name: part, kind: deformable, shape: {mesh: {file: %s}}, material: m}\n"
ROCK = "  - {name: rock, kind: obstacle, shape: {mesh: {file: %s}}}\n"
FLOOR = "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, position: [0, -1, 0]}\n"
CUBE = "  - {name: cube, kind: deformable, shape: {box: [1, 1, 1]}, resolution: 1, material: m, position: [0, 5, 0]}\n"

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
TET = [(1, 2, 3, 4)]
GOOD = support.msh(CORNERS, TET)
FACES = [(1, 3, 2), (1, 2, 4), (1, 4, 3), (2, 3, 4)]


def judge(t, what, result, status, message):
    """Exit status, and stderr word for word; no stdout of a run that did not happen."""
    t.check(
        f"{what}: exit status {status} and its message",
        (result.returncode, result.stderr) == (status, message) and (status == 0 or not result.stdout),
        f"expected {status}: {message}\n{shown(result)}",
    )


def mesh_case(t, what, body, file, expected, status=2, severity="error"):
    """A scene whose first body names a mesh: the message points to the file's name in it."""
    line = body % file
    t.write("mesh.yaml", HEAD + line + (CUBE if body is ROCK else FLOOR))
    column = line.index("file: ") + 7
    name = "part" if body is PART else "rock"
    message = f"mesh.yaml:5:{column}: {severity}: bodies.{name}.shape.mesh.file: {expected}\n{line}{' ' * (column - 1)}^\n"
    result = t.run("run", "mesh.yaml", "-o", "mesh.out", "--force", "--quiet")
    judge(t, what, result, status, message)
    result = t.run("check", "mesh.yaml")
    t.check("... check says the same", (result.returncode, result.stderr) == (status, message), shown(result))


def tetrahedral_meshes(t):
    (t.folder / "folder.msh").mkdir()
    truncated = GOOD[: GOOD.index("$EndNodes") - 5]
    for what, name, content, expected, status in [
        ("missing mesh", "missing.msh", None, "missing.msh: cannot be opened: No such file or directory", 4),
        ("a mesh that is a folder", "folder.msh", None, "folder.msh: cannot be read: Is a directory", 4),
        ("empty mesh", "empty.msh", "", "empty.msh:1: error: expected '$MeshFormat', found the end of the file", 2),
        ("mesh cut off in its nodes", "cut.msh", truncated, "cut.msh:9: error: expected a coordinate, found the end of the file", 2),
        (
            "mesh cut off in its elements",
            "cut2.msh",
            GOOD[: GOOD.index("$EndElements") - 3],
            "cut2.msh:13: error: expected a node number, found the end of the file",
            2,
        ),
        (
            "garbage",
            "garbage.msh",
            b"\x00\xff\x13garbage\x80" * 20,
            "garbage.msh:1: error: expected '$MeshFormat', found '???garbage????garbage????garbage????garb...'",
            2,
        ),
        ("text", "text.msh", "hello world\n", "text.msh:1: error: expected '$MeshFormat', found 'hello'", 2),
        (
            "quadratic tetrahedra",
            "quadratic.msh",
            support.msh(CORNERS + [(0.5, 0, 0)] * 6, [tuple(range(1, 11))], element=11),
            "quadratic.msh:19: error: expected 4-node tetrahedra (export with Mesh.ElementOrder = 1), found 10-node tetrahedra",
            2,
        ),
        ("inverted tetrahedron", "inverted.msh", support.msh(CORNERS, [(1, 3, 2, 4)]), "inverted tetrahedra (1): tetrahedron 0", 2),
        ("flat tetrahedron", "flat.msh", support.msh(CORNERS[:3] + [(1, 1, 0)], TET), "tetrahedra without volume (1): tetrahedron 0", 2),
        (
            "the same tetrahedron twice",
            "twice.msh",
            support.msh(CORNERS, TET * 2),
            "tetrahedra that occur more than once (1): tetrahedron 1 (same as 0)",
            2,
        ),
        (
            "a tetrahedron that hangs by a node",
            "hangs.msh",
            support.msh(CORNERS + [(-1, 0, 0), (0, -1, 0), (0, 0, -1)], TET + [(1, 6, 5, 7)]),
            "tetrahedra that share no face with the largest piece of the mesh (1): tetrahedron 1",
            2,
        ),
        ("a node twice in a tetrahedron", "repeated.msh", support.msh(CORNERS, [(1, 2, 3, 3)] + TET), None, 2),
        ("no tetrahedra", "none.msh", support.msh(CORNERS, []), "none.msh: error: expected 4-node tetrahedra, found none (0 other cells)", 2),
        (
            "a node that is not there",
            "far.msh",
            support.msh(CORNERS, [(1, 2, 3, 9)]),
            "far.msh:13: error: expected the number of a node, found 9",
            2,
        ),
        (
            "a coordinate that is not a number",
            "nan.msh",
            support.msh(CORNERS[:3] + [("nan", 0, 1)], TET),
            "nan.msh:9: error: expected a finite coordinate, found nan",
            2,
        ),
        (
            "a count of nodes beyond the file",
            "count.msh",
            GOOD.replace("$Nodes\n4\n", "$Nodes\n4000000000\n"),
            None,
            2,
        ),
        (
            "an unknown format",
            "part.xyz",
            "1",
            "part.xyz: error: expected a file that ends in .msh, .vtk or .vtu (tetrahedra), found '.xyz'",
            2,
        ),
    ]:
        if content is not None:
            t.write(name, content)
        if expected is not None:
            mesh_case(t, what, PART, name, expected, status)
            continue
        t.write("mesh.yaml", HEAD + PART % name + FLOOR)
        result = t.run("check", "mesh.yaml")
        lines = result.stderr.splitlines()
        words = {"repeated.msh": "tetrahedra with a repeated node (1): tetrahedron 0", "count.msh": "found 4000000000"}[name]
        good = result.returncode == 2 and lines and lines[0].startswith("mesh.yaml:5:57: error: bodies.part.shape.mesh.file: ")
        t.check(f"{what}: exit status 2 and {words!r}", good and words in lines[0], shown(result))
    t.write("dangling.msh", support.msh(CORNERS + [(5, 5, 5), (6, 6, 6)], TET))
    expected = "2 nodes belong to no tetrahedron and were left out"
    mesh_case(t, "nodes of no tetrahedron: a warning only", PART, "dangling.msh", expected, 0, "warning")


def surface_meshes(t):
    closed = support.obj(CORNERS, FACES)
    for what, name, content, expected, status in [
        ("missing surface", "missing.obj", None, "missing.obj: cannot be opened: No such file or directory", 4),
        (
            "open surface",
            "open.obj",
            support.obj(CORNERS, FACES[:3]),
            "mesh does not enclose a solid: open edges (3): edge 1-2 of triangle 0, edge 1-3 of triangle 1, edge 2-3 of triangle 2"
            "; an open surface, which nodes, vertices and spheres touch from either side, says `contact_geometry: mesh`",
            2,
        ),
        (
            "inside-out surface",
            "inside.obj",
            support.obj(CORNERS, [face[::-1] for face in FACES]),
            "mesh is inside out or empty: its enclosed volume is -0.166667 m^3; triangles must be counter-clockwise seen from outside",
            2,
        ),
        (
            "surface with one triangle the wrong way round",
            "flipped.obj",
            support.obj(CORNERS, FACES[:3] + [FACES[3][::-1]]),
            "mesh does not enclose a solid: edges whose two triangles face opposite sides (3): edge 1-2 of triangle 0 3, "
            "edge 1-3 of triangle 1 3, edge 2-3 of triangle 2 3",
            2,
        ),
        ("text as a surface", "text.obj", "hello\n", "text.obj: error: expected triangles, found none", 2),
        ("empty surface", "empty.obj", "", "empty.obj: error: expected triangles, found none", 2),
        (
            "tiny spacing",
            "closed.obj, spacing: 1.0e-4",
            None,
            "grid spacing 0.0001 m needs 1.00391e+12 nodes, more than 3.35544e+07; a spacing of 0.00325447 m would fit",
            2,
        ),
        (
            "absurd spacing",
            "closed.obj, spacing: 1.0e-30",
            None,
            "grid spacing 1e-30 m needs 1e+90 nodes, more than 3.35544e+07; a spacing of 0.00326728 m would fit",
            2,
        ),
    ]:
        t.write("closed.obj", closed)
        if content is not None:
            t.write(name, content)
        mesh_case(t, what, ROCK, name, expected, status)
    t.write("damaged.grid", b"\x00" * 100)
    t.write("grid.yaml", HEAD + "  - {name: rock, kind: obstacle, shape: {level_set: {file: damaged.grid}}}\n" + CUBE)
    result = t.run("check", "grid.yaml")
    expected = "expected VTK image data (.vti) or a grid of this program, found a damaged or other file\n"
    t.check("damaged level set: exit status 2", result.returncode == 2 and expected in result.stderr, shown(result))


def vti(extent="0 3 0 3 0 3", values=64 * "-1 ", spacing="1 1 1"):
    return (
        f'<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian">\n<ImageData WholeExtent="{extent}" Spacing="{spacing}">\n'
        f'<Piece Extent="{extent}">\n<PointData Scalars="d">\n<DataArray type="Float64" Name="d" format="ascii">\n{values}\n</DataArray>\n'
        "</PointData>\n</Piece>\n</ImageData>\n</VTKFile>\n"
    )


VTK = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n"


def places_of_faults(t):
    """Files and lines where messages might send one to the end of the file, or nowhere."""
    triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
    for name, content, expected in [
        ("short.vti", vti(values="1 2 3"), "short.vti:5: error: expected 64 numbers in the array d, found 3"),
        ("flat.vti", vti(spacing="1 0 1"), "flat.vti:2: error: expected the same Spacing > 0 along all axes, found '1 0 1'"),
        ("nan.vti", vti(values=64 * "nan "), "nan.vti: error: expected distances of at most 12000 m, found nan"),
        ("small.vti", vti("0 1 0 1 0 1", 8 * "1 "), "small.vti: error: expected at least 4 nodes along each axis, found 2 x 2 x 2"),
        ("far.vtk", VTK.replace("4 0 1 2 3", "4 0 1 2 8"), "far.vtk:10: error: expected node numbers from 0 to 3, found 8 in cell 0"),
        ("three.vtk", VTK.replace("CELLS 1 5\n4 0 1 2 3", "CELLS 1 4\n3 0 1 2"), "three.vtk:10: error: expected 4 nodes in a tetrahedron, found cell 0 with 3"),
        ("corner.obj", triangle + "f 1/x 2 3\n", "corner.obj:4: error: expected vertex numbers after f, found 'f 1/x 2 3'"),
    ]:
        t.write(name, content)
        result = t.run("info", name)
        t.equal(f"info of {name}", (result.returncode, result.stderr), (2, f"stickslip: error: {expected}\n"))
    t.write("grid.yaml", HEAD + "  - {name: rock, kind: obstacle, shape: {level_set: {file: nan.vti}}}\n" + CUBE)
    result = t.run("check", "grid.yaml")
    t.check("a scene names the file, too", "bodies.rock.shape.level_set.file: nan.vti: error: expected distances" in result.stderr, shown(result))


SPHERES = """stickslip: 1
time: {step: auto, end: 0.01}
solver: {integration: explicit}
materials: {glass: {density: 2500, kn: 5000}}
bodies:
  - {name: sand, kind: spheres, material: glass, positions: {file: s.csv}}
"""


def tables_of_spheres(t):
    t.write("spheres.yaml", SPHERES)
    form = "expected x,y,z or x,y,z,radius or these with vx,vy,vz or with wx,wy,wz too"
    for what, table, expected in [
        ("no number", "0,1,0,0.01\n0,2,q,0.01\n", f's.csv:2: error: {form}, found "0,2,q,0.01"'),
        ("all wrong lines", "0,1,q,0.01\n0,2,0,0.01\n0,3,0\n\n0,4,0,-1\n", f's.csv:1: error: {form}, found "0,1,q,0.01"; also wrong: line 3, 5'),
        ("a radius below 0", "0,1,0,-0.01\n", 's.csv:1: error: expected a radius > 0, found "0,1,0,-0.01"'),
        ("beyond what a scene may hold", "0,1e40,0,0.01\n", 's.csv:1: error: expected numbers up to 1e30, found "0,1e40,0,0.01"'),
        ("columns in another order", "x,z,y,radius\n0,1,0,0.01\n", 's.csv:1: error: expected a header that begins with x,y,z, found "x,z,y,radius"'),
        ("no text", b"\xff\xfe0,1\x00\n", f's.csv:1: error: {form}, found "??0,1?"'),
    ]:
        t.write("s.csv", table)
        result = t.run("check", "spheres.yaml")
        t.check(f"a table of spheres: {what}", result.returncode == 2 and f"bodies.sand.positions: {expected}\n" in result.stderr, f"expected {expected}\n{shown(result)}")
    for header in ("x,y,z,radius", '"x [m]", "y [m]", "z [m]", r'):
        t.write("s.csv", f"{header}\n0,1,0,0.01\n")
        t.check(f"... the header {header} is none of them", t.run("check", "spheres.yaml").returncode == 0)


def globe(rings, sectors):
    """A ball of radius 0.5 m as flat quadrilaterals."""
    points = [(0, 0.5, 0)]
    for i in range(1, rings):
        polar = math.pi * i / rings
        points += [(0.5 * math.sin(polar) * math.cos(2 * math.pi * k / sectors), 0.5 * math.cos(polar), 0.5 * math.sin(polar) * math.sin(2 * math.pi * k / sectors)) for k in range(sectors)]
    points.append((0, -0.5, 0))
    at = lambda i, k: 2 + (i - 1) * sectors + k % sectors
    faces = [(1, at(1, k + 1), at(1, k)) for k in range(sectors)] + [(len(points), at(rings - 1, k), at(rings - 1, k + 1)) for k in range(sectors)]
    faces += [(at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)) for i in range(1, rings - 1) for k in range(sectors)]
    return "".join("v %r %r %r\n" % p for p in points) + "".join("f " + " ".join(map(str, f)) + "\n" for f in faces)


RING = """stickslip: 1
time: {step: 0.01, end: 0.02}
materials: {m: {density: 1000}}
bodies:
  - {name: globe, kind: obstacle, shape: {mesh: {file: globe.obj}}, contact_geometry: level_set}
  - {name: ring, kind: rigid, material: m, shape: {torus: {major: 0.3, minor: 0.2}}, position: [0, 1, 0]}
"""


def edges_left_out(t):
    """Of a mesh with more edges than a sampled surface keeps, where something feels them."""
    told = 'bodies.globe.shape.mesh.file: has more than 1000 edges between its faces: "ring", which is round, meets its sampled distance without them'
    t.write("ring.yaml", RING)
    for rings, more, expected in [(20, [], True), (8, [], False), (20, ["--set", "bodies.ring.shape={box: [0.1, 0.1, 0.1]}"], False), (20, ["--set", "bodies.globe.contact_geometry=mesh"], False)]:
        t.write("globe.obj", globe(rings, 24))
        result = t.run("check", "ring.yaml", *more)
        t.check(f"{rings} rings {' '.join(more[1:])}: {'told' if expected else 'nothing to tell'}", result.returncode == 0 and (told in result.stderr) == expected, shown(result))
    t.write("globe.obj", globe(20, 24))
    t.run("run", "ring.yaml", "-o", "globe.out", "--quiet")
    t.check("... in the summary, too", told in (t.folder / "globe.out/summary.json").read_text().replace('\\"', '"'))


def every_fault_at_once(t):
    t.write("all.yaml", HEAD + PART % "missing.msh" + ROCK % "open.obj" + CUBE.replace("cube", "lump") + FLOOR)
    result = t.run("check", "all.yaml")
    found = [line.split(": ")[2] for line in result.stderr.splitlines() if ": error: bodies." in line]
    t.equal("faults of two meshes come at once", found, ["bodies.part.shape.mesh.file", "bodies.rock.shape.mesh.file"])
    t.equal("... exit status 4: one of them cannot be read", result.returncode, 4)


def scene_faults(t):
    t.write("slide.yaml", support.SLIDE)
    fix = "bodies.cube.fix=[{box: {min: [5, 5, 5], max: [6, 6, 6]}}]"
    for what, setting, place, message in [
        ("step nan", "time.step=nan", "nan", '--set time.step: error: expected auto or a number > 0, got "nan"'),
        ("velocity .nan", "bodies.cube.velocity=[.nan,0,0]", ".nan", '--set bodies.cube.velocity: error: bodies.cube.velocity[0]: expected a number, got ".nan"'),
        ("misspelt key", "time.stp=1", "stp", '--set time.stp: error: unknown key; did you mean "step"?'),
        ("misspelt body", "bodies.cub.velocity=1", None, '--set bodies.cub.velocity: error: no body "cub"; did you mean "cube"?'),
        ("no value", "foo", None, "--set foo: error: expected path.to.key=value"),
        ("no bodies", "bodies=[]", "[]", "--set bodies: error: expected a list of at least one, got an empty one"),
        ("fix without nodes", fix, "{box", "--set bodies.cube.fix: error: bodies.cube.fix[0].box: expected a box that contains nodes of the body, found none"),
        (
            "absurd resolution",
            "bodies.cube.resolution=1e-9",
            "1e-9",
            "--set bodies.cube.resolution: error: would create about 6e+24 tetrahedra (limit 1e+08)",
        ),
    ]:
        result = t.run("run", "slide.yaml", "-o", "never", "--set", setting)
        caret = f"{setting}\n{' ' * setting.index(place)}^\n" if place else ""
        judge(t, f"--set, {what}", result, 2, f"{message}\n{caret}")
    result = t.run("run", "slide.yaml", "-o", "never", "--set", "bodies.cube.resolution=0.0005")
    t.check("huge mesh: exit status 2 before it is made", result.returncode == 2 and "tetrahedra" in result.stderr, shown(result))
    t.check("faults make no run folder", not (t.folder / "never").exists())


def numbers_of_options(t):
    t.write("slide.yaml", support.SLIDE)
    t.run("run", "slide.yaml", "--until", 0.02, "--quiet")
    for arguments in [
        ["export", "slide.out", "--to", "spheres", "--time"],
        ["render", "slide.out", "--time"],
        ["run", "slide.yaml", "-o", "never", "--until"],
        ["run", "slide.yaml", "-o", "never", "--threads"],
        ["sweep", "none.csv", "slide.yaml", "--threads"],
        ["sweep", "none.csv", "slide.yaml", "--jobs"],
        ["view", "slide.out", "--megabytes"],
        ["view", "slide.out", "--serve"],
    ]:
        for value in ("nan", "-nan", "inf", "-inf", "1e400", "ten"):
            result = t.run(*arguments[:-1], f"{arguments[-1]}={value}")
            t.check(
                f"{arguments[0]} {arguments[-1]}={value}: refused by name",
                result.returncode == 2 and f"{arguments[-1]}: " in result.stderr and value in result.stderr and "the frames of" not in result.stderr,
                shown(result),
            )
    for option in ("--size=4294967396x100", "--size=nanx100", "--size=100", "--size=0x100", "--camera=nan,0,0", "--camera=1e300,0,0", "--camera=0,0,0:0,inf,0"):
        result = t.run("render", "slide.out", option)
        t.check(f"render {option}: refused", result.returncode == 2 and option.split("=")[0] + ": expected" in result.stderr, shown(result))


def starts_inside(t):
    text = support.SLIDE.replace("position: [0, 0.055, 0]", "position: [0, 0.03, 0]")
    t.write("inside.yaml", text)
    line = text[: text.index("position: [0, 0.03")].count("\n") + 1
    result = t.run("run", "inside.yaml", "--until", 0.05, "--quiet")
    message = (
        f"inside.yaml:{line}:15: warning: bodies.cube.position: starts inside \"floor\": 9 surface nodes, the deepest 0.02 m; "
        "contact will push it out\n    position: [0, 0.03, 0]\n              ^\n"
        "t = 0.01 s: contacts released 3.61 J (energy before the step: 0.689 J): bodies overlapped at the start or penetrated within one step\n"
    )
    judge(t, "a body that starts inside an obstacle, quiet or not", result, 0, message)
    t.check("... also in log.txt", "the deepest 0.02 m" in (t.folder / "inside.out/log.txt").read_text())


RIGID_OVERLAP = """stickslip: 1
time: {step: 0.01, end: 0.02}
materials: {oak: {density: 700}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: lower, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, sample: 1, position: [0, 0.1, 0]}
  - {name: upper, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, sample: 1, position: [0.05, 0.29, 0.05]}
  - {name: ball, kind: rigid, shape: {sphere: 0.1}, material: oak, position: [1, 0.05, 0]}
"""


def rigid_bodies_start_inside_one_another(t):
    t.write("overlap.yaml", RIGID_OVERLAP)
    result = t.run("check", "overlap.yaml")
    lines = RIGID_OVERLAP.splitlines()

    def warning(line, name, inside, points, depth, end):
        text = lines[line - 1]
        column = text.index("position: ") + len("position: ") + 1
        return (
            f"overlap.yaml:{line}:{column}: warning: bodies.{name}.position: starts inside \"{inside}\": {points} of contact, the deepest "
            f"{depth} m; contact will push {end}\n{text}\n{' ' * (column - 1)}^\n"
        )

    expected = warning(7, "upper", "lower", "4 points", "0.01", "them apart") + warning(8, "ball", "floor", "1 point", "0.05", "it out")
    t.check("rigid bodies that start inside one another", result.returncode == 0 and expected in result.stdout + result.stderr, shown(result))
    touching = RIGID_OVERLAP.replace("0.29, 0.05", "0.3, 0.05").replace("[1, 0.05, 0]", "[1, 0.1, 0]")
    t.write("touching.yaml", touching)
    result = t.run("check", "touching.yaml")
    t.check("... not those that just touch", result.returncode == 0 and "inside" not in result.stdout + result.stderr, shown(result))


def scenes_that_cannot_be_read(t):
    (t.folder / "folder.yaml").mkdir()
    for what, name, reason in [
        ("missing scene", "missing.yaml", "No such file or directory"),
        ("a scene that is a folder", "folder.yaml", "it is a folder"),
        ("a scene below a file", "slide.yaml/scene.yaml", "Not a directory"),
        ("a dash for a scene", "-", "No such file or directory"),
    ]:
        for verb in ("run", "check"):
            result = t.run(verb, name)
            judge(t, f"{verb}, {what}", result, 4, f"stickslip: error: cannot read {name}: {reason}\n")
    for verb in ("run", "check"):
        judge(t, f"{verb}, no name", t.run(verb, ""), 2, "stickslip: error: SCENE: expected FILE, found an empty word\nRun with --help for more information.\n")
    result = t.run("check", "/dev/stdin", stdin=None, input=support.SLIDE)
    t.check("check reads a scene from a pipe by name", result.returncode == 0, shown(result))


def folders_that_cannot_be_written(t):
    t.write("plain", "a file")
    for what, folder, path, reason in [
        ("a run folder below a file", "plain/run", "plain/run", "Not a directory"),
        ("a run folder that is a file", "plain", "plain", "Not a directory"),
        ("a run folder that cannot be made", "/proc/stickslip", "/proc/stickslip", "No such file or directory"),
    ]:
        result = t.run("run", "slide.yaml", "-o", folder)
        judge(t, what, result, 4, f"stickslip: error: cannot write {path}: {reason}\n")
    result = t.run("example", "belt", "-o", "/proc/belt.yaml")
    judge(t, "an example that cannot be written", result, 4, "stickslip: error: cannot write /proc/belt.yaml: No such file or directory\n")
    t.equal("the file in the way is as it was", (t.folder / "plain").read_text(), "a file")
    if os.geteuid() == 0:
        print("skipped a folder without permission: root may write everywhere")
        return
    locked = t.folder / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    result = t.run("run", "slide.yaml", "-o", "locked")
    t.check("a folder without permission", result.returncode == 4 and "Permission denied" in result.stderr, shown(result))


def names_that_lead_nowhere(t):
    """The system refuses to look where they lead: an ordinary error of the file, whatever is asked of it."""
    (t.folder / "ring").symlink_to("ring")
    for name, reason in [("l" * 300, "File name too long"), ("ring", "Too many levels of symbolic links")]:
        shown_as = name if len(name) < 20 else "a long name"
        for words in (["run", "slide.yaml", "-o", name], ["run", "slide.yaml", "-o", f"{name}/below"], ["run", "slide.yaml", "--force", "-o", name]):
            judge(t, f"{' '.join(words[:-1])} {shown_as}", t.run(*words), 4, f"stickslip: error: cannot write {words[-1]}: {reason}\n")
        for words in (["run", name], ["check", name], ["view", name], ["info", name], ["plot", name, "cube.x"], ["export", name, "--to", "csv"]):
            judge(t, f"{words[0]} {shown_as}", t.run(*words), 4, f"stickslip: error: cannot read {name}: {reason}\n")
        t.write("from.yaml", support.SLIDE + f"start: {{from: {name}}}\n")
        result = t.run("check", "from.yaml")
        t.check(f"start from {shown_as}", result.returncode in (2, 4) and f"start.from: cannot read {name}: {reason}" in result.stderr, shown(result))
    result = t.run("example", "belt", "-o", "l" * 300)
    judge(t, "example belt -o a long name", result, 4, f"stickslip: error: cannot write {'l' * 300}: File name too long\n")
    t.write("odd.out/history.csv", "time,dt\n0,1\n")
    result = t.run("plot", "odd.out", "l" * 300)
    t.check("plot of a long word: no quantity", result.returncode == 2 and 'odd.out: there is no "lll' in result.stderr, shown(result))
    t.write("long.json", '{"timestep": 0.01, "rigid_body_problem": {"rigid_bodies": [{"mesh": "%s.obj"}]}}' % ("l" * 300))
    result = t.run("import", "rigid-ipc", "long.json")
    t.check("import of a long name of a mesh: it is not there", "rigid_bodies[0].mesh: " in result.stderr and "internal" not in result.stderr, shown(result))
    (t.folder / "odd.out/frames.pvd").symlink_to("frames.pvd")
    judge(t, "view of a run with such a file", t.run("view", "odd.out"), 4, "stickslip: error: cannot use odd.out/frames.pvd: Too many levels of symbolic links\n")
    t.write("one.csv", "name\na\n")
    result = t.run("sweep", "one.csv", "slide.yaml", "-o", "l" * 300)
    judge(t, "sweep -o a long name", result, 4, f"stickslip: error: cannot write {'l' * 300}: File name too long\n")


def limit_files(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def writing_fails(t):
    scene = support.SLIDE.replace("resolution: 0.05", "resolution: 0.025")
    t.write("write.yaml", scene)
    result = t.run("run", "write.yaml", "-o", "whole", "--quiet")
    t.check("the scene runs without a limit", result.returncode == 0, shown(result))
    whole = t.folder / "whole"
    reference = json.loads((whole / "summary.json").read_text())["state_hash"]
    expected = {path.name: path.read_bytes() for path in (whole / "frames").iterdir()}
    rows = (whole / "history.csv").read_text().count("\n")
    sizes = sorted(path.stat().st_size for path in whole.rglob("*") if path.is_file())
    reader = t.source / "tests" / "files" / "read_vtk_check.py"
    for size in (0, 300, 2000, 5000, sizes[-1] // 2, sizes[-1] - 1):
        name = f"limit {size}"
        result = t.run("run", "write.yaml", "-o", name, preexec_fn=lambda: limit_files(size))
        message = result.stderr.splitlines()[-1:]
        t.check(
            f"writing fails beyond {size} bytes: exit status 4 and which file",
            result.returncode == 4
            and message
            and message[0].startswith(f"stickslip: error: cannot write {name}")
            and message[0].endswith(": File too large")
            and not result.stdout,
            shown(result),
        )
        folder = t.folder / name
        left = [str(path.relative_to(folder)) for path in folder.rglob("*.tmp-*")]
        t.check("... no temporary file is left", not left, left)
        for table in folder.glob("*.csv"):
            text = table.read_text()
            t.check(f"... {table.name} ends with a whole row", text == "" or text.endswith("\n"), text[-200:])
        frames = sorted(folder.glob("frames/*"))
        if frames:
            check = subprocess.run([sys.executable, reader, *frames], capture_output=True, encoding="utf-8")
            t.check("... the frames that are there are valid", check.returncode == 0, check.stderr)
        if (folder / "frames.pvd").exists():
            named = ElementTree.parse(folder / "frames.pvd").getroot().iter("DataSet")
            missing = [item.attrib["file"] for item in named if not (folder / item.attrib["file"]).is_file()]
            t.check("... frames.pvd names no missing frame", not missing, missing)
        result = t.run("run", "write.yaml", "-o", name, "--resume", "--quiet")
        t.check("... --resume without the limit completes", result.returncode == 0, shown(result))
        if result.returncode == 0:
            found = json.loads((folder / "summary.json").read_text())
            t.equal("... to the same state_hash", (found["status"], found["state_hash"]), ("done", reference))
            frames = {path.name: path.read_bytes() for path in (folder / "frames").iterdir()}
            t.check("... the same frames", frames == expected, sorted(frames.keys() ^ expected.keys()))
            t.equal("... and as many steps", (folder / "history.csv").read_text().count("\n"), rows)


def grid_cache(t):
    """The store of sampled level sets is a help, not a need: whatever is wrong with it, the scene runs."""
    t.write("closed.obj", support.obj(CORNERS, FACES))
    t.write("grid.yaml", HEAD + ROCK % "closed.obj, spacing: 0.05" + CUBE)
    result = t.run("check", "grid.yaml", preexec_fn=lambda: limit_files(4000))
    t.check("a level set that cannot be stored is no fault", result.returncode == 0, shown(result))
    result = t.run("check", "grid.yaml")
    stored = [path for path in (t.folder / "cache").rglob("*") if path.is_file()]
    t.check("level sets are stored under XDG_CACHE_HOME", result.returncode == 0 and stored, shown(result))
    for path in stored:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    result = t.run("run", "grid.yaml", "--quiet")
    t.check("a stored level set that is cut off is made anew", (result.returncode, result.stderr) == (0, ""), shown(result))
    for broken in ("/proc/none", str(pathlib.Path(t.folder, "closed.obj"))):
        t.environment["XDG_CACHE_HOME"] = broken
        result = t.run("run", "grid.yaml", "--quiet", "--force")
        t.check("a store that cannot be written is no fault", (result.returncode, result.stderr) == (0, ""), shown(result))
    t.environment["XDG_CACHE_HOME"] = str(t.folder / "cache")


if __name__ == "__main__":
    support.Tester().finish(
        [tetrahedral_meshes, surface_meshes, places_of_faults, tables_of_spheres, edges_left_out, every_fault_at_once, scene_faults, numbers_of_options, starts_inside, rigid_bodies_start_inside_one_another, scenes_that_cannot_be_read]
        + [folders_that_cannot_be_written, names_that_lead_nowhere, writing_fails, grid_cache]
    )
