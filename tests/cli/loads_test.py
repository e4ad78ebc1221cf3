#!/usr/bin/env python3
"""Contact forces and torques of bodies and pairs, reactions of what is held, in implicit and explicit runs, and their plots.

    loads_test.py PROGRAM SOURCE_DIR
"""

import csv
import math
import pathlib
import struct
import sys
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "files"))
import cli_support as support
import read_vtk_check as vtk
from cli_support import shown

G = 9.81

# A brick on a brick on a floor, and a shelf that is held in the air and pulled along x.
BRICKS = """stickslip: 1
title: Two bricks and a shelf
time: {step: 0.01, end: 1.0, frame: 0.1}
contact: {friction: 0.5}
materials: {oak: {density: 700}}
bodies:
  - {name: brick, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [0.3, 0.1, 0], fixed_dofs: [rx, ry, rz], copies: {stack: {count: 2}}}
  - {name: shelf, kind: rigid, shape: {box: [0.2, 0.1, 0.2]}, material: oak, position: [2, 1, 0], fixed_dofs: [x, y, z, rx, ry, rz], force: [3, 0, 0], torque: [0, 0, 2]}
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
output: {contacts: true, probes: [{name: ground, body: brick, by: floor}]}
"""
BRICK = 700 * 0.008 * G
SHELF = 700 * 0.004 * G

# A soft block that hangs from its upper face.
HANGING = """stickslip: 1
title: A hanging block
time: {step: 0.02, end: 3.0, frame: 0.5}
materials: {rubber: {density: 1000, young: 2.0e5, poisson: 0.3, damping: 0.05}}
bodies:
  - {name: block, kind: deformable, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, material: rubber, position: [0, 1, 0], fix: [{box: {min: [-1, 1.09, -1], max: [1, 2, 1]}}]}
"""

# Three spheres at rest on a floor that records its contacts.
SPHERES = """stickslip: 1
title: Three spheres
time: {step: auto, end: 0.5, frame: 0.1}
solver: {integration: explicit}
materials: {glass: {density: 2500, kn: 1.0e4, restitution: 0.2}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: beads, kind: spheres, material: glass, radius: 0.01, positions: [[0, 0.01, 0], [0.05, 0.01, 0], [0.1, 0.01, 0]]}
output: {contacts: true}
"""
BEADS = 3 * 2500 * 4 / 3 * 3.141592653589793 * 1e-6 * G


# In an explicit run, with local damping: a shelf that is held, with a bead on it, and a rotor that leans on its shaft.
HELD = """stickslip: 1
title: A shelf and a rotor
time: {step: auto, end: 0.5, frame: 0.1}
solver: {integration: explicit, local_damping: 0.3}
materials: {glass: {density: 2500, kn: 1.0e4, restitution: 0.2}, oak: {density: 700, kn: 1.0e4}}
bodies:
  - {name: shelf, kind: rigid, shape: {box: [0.2, 0.1, 0.2]}, material: oak, position: [0, -0.05, 0], fixed_dofs: [x, y, z, rx, ry, rz], force: [3, 0, 0], torque: [0, 0, 2]}
  - {name: bead, kind: spheres, material: glass, radius: 0.01, positions: [[0.05, 0.01, 0]]}
  - {name: rotor, kind: rigid, shape: {box: [0.2, 0.1, 0.1]}, material: oak, position: [2, 1, 0], rotation: {axis: [0, 0, 1], degrees: 45}, fixed_dofs: [x, y, z, ry, rz], angular_velocity: [10, 0, 0]}
"""


def last(path, key, name):
    """The last row of a name as numbers."""
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row[key] == name]
    return {column: float(value) for column, value in rows[-1].items() if column != key}


def near(row, within, **expected):
    return all(abs(row[column] - value) <= within for column, value in expected.items())


def run(t, name, text):
    (t.folder / f"{name}.yaml").write_text(text)
    result = t.run("run", f"{name}.yaml", "-o", name, "--quiet")
    t.check(f"{name}: it runs", result.returncode == 0, shown(result))
    return t.folder / name


def implicit_loads(t):
    folder = run(t, "bricks", BRICKS)
    of = lambda name: last(folder / "walls.csv", "body", name)
    t.check("contacts carry each brick", near(of("brick[0]"), 0.01, fx=0, fy=BRICK, fz=0) and near(of("brick[1]"), 0.01, fx=0, fy=BRICK, fz=0))
    # The floor's torque is about the origin: the bricks stand at x = 0.3.
    t.check("the floor carries both, at their place", near(of("floor"), 0.02, fy=-2 * BRICK, tz=-0.3 * 2 * BRICK, tx=0), of("floor"))
    pair = lambda name: last(folder / "pairs.csv", "pair", name)
    t.check("a pair tells the force on the first", near(pair("brick[0]+brick[1]"), 0.01, fy=-BRICK) and near(pair("brick[0]+floor"), 0.02, fy=2 * BRICK))
    reaction = last(folder / "reactions.csv", "body", "shelf")
    t.check("what holds the shelf bears weight, force and torque", near(reaction, 1e-9, fx=-3, fy=SHELF, fz=0, tx=0, ty=0, tz=-2), reaction)
    for names in (("walls.floor.fy",), ("pairs.brick[0]+floor.force",), ("reactions.shelf.torque",), ("probes.ground.normal_sum", "probes.ground.normal", "probes.ground.torque")):
        result = t.run("plot", "bricks", *names)
        t.check(f"plot {' '.join(names)}", result.returncode == 0 and names[0] in result.stdout, shown(result))
    probes = folder / "probes.csv"
    probes.write_text(probes.read_text().replace("normal_sum", "pressed", 1))
    result = t.run("plot", "bricks", "probes.ground.normal_sum")
    t.check("plot of a table with the older name of this column", result.returncode == 0, shown(result))


def hanging_block(t):
    folder = run(t, "hanging", HANGING)
    reaction = last(folder / "reactions.csv", "body", "block")
    weight = 1000 * 0.008 * G
    t.check("pinned nodes bear the weight, without a torque", near(reaction, 1e-3 * weight, fx=0, fy=weight, fz=0, tx=0, ty=0, tz=0), reaction)


# A block that its surface presses all around, and one at rest on a floor. Lumped masses press where their nodes are.
PRESSED = """stickslip: 1
title: A block under pressure
gravity: [0, 0, 0]
time: {step: 0.02, end: 2.0, frame: 2}
materials: {rubber: {density: 1000, young: 2.0e5, poisson: 0.3, damping: 0.05, model: neo_hookean}}
bodies:
  - {name: block, kind: deformable, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, material: rubber, pressure: 5000}
"""
STANDING = """stickslip: 1
title: A block at rest
time: {step: 0.02, end: 3.0, frame: 3}
contact: {friction: 0.5}
materials: {rubber: {density: 1000, young: 2.0e5, poisson: 0.3, damping: 0.05}}
bodies:
  - {name: block, kind: deformable, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, material: rubber, position: [0, 0.1, 0]}
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
"""


SLIDING = """stickslip: 1
title: A block that slides on a floor
time: {step: 0.01, end: 0.3, frame: 0.3}
contact: {friction: 0.2}
materials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.3, damping: 0.01}}
bodies:
  - {name: block, kind: deformable, shape: {box: [0.2, 0.1, 0.2]}, resolution: 0.1, material: rubber, position: [0, 0.05, 0], velocity: [0.8, 0, 0.6]}
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
output: {checkpoint: .inf}
"""


def arrays(path):
    """The arrays of numbers of a .vtu or .vtp file by name, each a list of tuples."""
    content = path.read_bytes()
    mark = b'<AppendedData encoding="raw">\n_'
    begin, end = content.index(mark) + len(mark), content.rindex(b"\n</AppendedData>")
    found = {}
    for array in ElementTree.fromstring(content[:begin] + content[end:]).iter("DataArray"):
        if array.attrib["type"] == "Float64":
            width = int(array.attrib.get("NumberOfComponents", 1))
            values = [v for (v,) in struct.iter_unpack("<d", vtk.unpack(content[begin:end], int(array.attrib["offset"]))[0])]
            found[array.attrib["Name"]] = [tuple(values[i : i + width]) for i in range(0, len(values), width)]
    return found


def last_frame(folder, name="block_*.vtu"):
    return arrays(sorted((folder / "frames").glob(name))[-1])


def stresses(t):
    fields = last_frame(run(t, "pressed", PRESSED))
    worst = max(abs(value - 5000) for name, sign in (("pressure", 1), ("largest_principal_stress", -1), ("least_principal_stress", -1)) for value in (sign * v for (v,) in fields[name]))
    t.check("pressure all around is the pressure in every element", worst < 5, worst)
    t.check("... without shear", max(v for (v,) in fields["von_mises_stress"]) < 5, fields["von_mises_stress"][:3])
    off = max(abs(value - expected) for entries in fields["stress"] for value, expected in zip(entries, (-5000, -5000, -5000, 0, 0, 0)))
    t.check("... and its stress tensor is -p 1", len(fields["stress"][0]) == 6 and off < 5, off)
    fields = last_frame(t.folder / "hanging")  # of hanging_block
    mean = sum(s[1] for s in fields["stress"]) / len(fields["stress"])
    t.check("what hangs is pulled along y, the second entry, by half its weight over the area", abs(mean - 0.5 * 1000 * G * 0.2) < 0.25 * mean, mean)
    t.check("the invariants are those of the tensor", all(abs(s[0] + s[1] + s[2] + 3 * p) < 1e-6 for s, (p,) in zip(fields["stress"], fields["pressure"])))
    fields = last_frame(run(t, "standing", STANDING))
    bottom = [i for i, x in enumerate(fields["Points"]) if x[1] < 0.01]
    others = [i for i in range(len(fields["Points"])) if i not in bottom]
    pressure = [p for (p,) in fields["contact_pressure"]]
    t.check("contact presses on the face that stands on the floor, and nowhere else", len(bottom) >= 9 and all(pressure[i] > 0 for i in bottom) and all(pressure[i] == 0 for i in others), pressure)
    inner = [i for i in bottom if max(abs(fields["Points"][i][0]), abs(fields["Points"][i][2])) < 0.09]
    expected = 1000 * G * 0.2
    t.check("in its middle by about the weight over the area", inner and all(0.5 * expected < pressure[i] < 1.5 * expected for i in inner), [pressure[i] for i in inner])
    t.check("traction is upward there", all(fields["contact_traction"][i][1] > 0 for i in bottom))


def accumulated_slip(t):
    folder = run(t, "sliding", SLIDING)
    fields, contacts = last_frame(folder), last_frame(folder, "contacts_*.vtp")
    bottom = [i for i, (place, moved) in enumerate(zip(fields["Points"], fields["displacement"])) if place[1] - moved[1] < 1e-9]
    slip, ways = [s for (s,) in fields["accumulated_slip"]], [math.hypot(d[0], d[2]) for d in fields["displacement"]]
    expected = 0.3 - 0.5 * 0.2 * G * 0.09
    t.check("a block that slides goes as Coulomb says", all(abs(ways[i] - expected) < 0.01 for i in bottom), ways)
    t.check("nodes that slide have gone their way over the floor", len(bottom) >= 9 and all(abs(slip[i] - ways[i]) < 0.01 * expected for i in bottom), [(slip[i], ways[i]) for i in bottom])
    t.check("other nodes have not slid", all(slip[i] == 0 for i in range(len(slip)) if i not in bottom))
    of_contacts = [s for (s,) in contacts["accumulated_slip"]]
    t.check("contacts know how far they have slid", len(of_contacts) == len(bottom) and abs(max(of_contacts) - max(slip)) < 1e-12, of_contacts)
    t.run("run", "sliding.yaml", "-o", "resumed", "--quiet", "--until", 0.15)
    result = t.run("run", "sliding.yaml", "-o", "resumed", "--quiet", "--resume")
    again = last_frame(t.folder / "resumed")
    t.check("a resumed run has the same slip, bit for bit", result.returncode == 0 and again["accumulated_slip"] == fields["accumulated_slip"], shown(result))


def explicit_loads(t):
    folder = run(t, "spheres", SPHERES)
    pair = last(folder / "pairs.csv", "pair", "floor+beads")
    t.check("pairs of explicit runs", pair["contacts"] == 3 and near(pair, 1e-3 * BEADS, fy=-BEADS, tz=-0.05 * BEADS), pair)
    beads = last(folder / "walls.csv", "body", "beads")
    t.check("what carries a body of spheres", near(beads, 1e-3 * BEADS, fx=0, fy=BEADS, fz=0, tx=0, ty=0, tz=0), beads)
    result = t.run("plot", "spheres", "walls.beads.fy", "beads+floor.fy", "beads+floor.torque", "packing.all.fabric_yy", "packing.all.coordination")
    t.check("plot of forces, torques and the packing of spheres", result.returncode == 0 and "beads+floor.torque [N m]" in result.stdout, shown(result))


def explicit_reactions(t):
    folder = run(t, "held", HELD)
    reaction = last(folder / "reactions.csv", "body", "shelf")
    t.check("explicit runs: what holds a shelf bears weight, force and torque", near(reaction, 1e-4, fx=-3, fy=SHELF + BEADS / 3, fz=0, tx=0, ty=0, tz=-2 + 0.05 * BEADS / 3), reaction)
    # A rotor that leans by 45 degrees on its shaft: I_xy = (I_2 - I_1)/2, and bearings turn with it.
    mass, spin = 700 * 0.002, 10
    imbalance = mass * (0.05 - 0.02) / 24 * spin**2
    bearings = last(folder / "reactions.csv", "body", "rotor")
    t.check("bearings of a leaning rotor bear its imbalance", abs(math.hypot(bearings["ty"], bearings["tz"]) - imbalance) < 1e-6 and bearings["tx"] == 0, (bearings, imbalance))
    result = t.run("plot", "held", "reactions.rotor.torque", "reactions.shelf.fy")
    t.check("plot of explicit reactions", result.returncode == 0 and "reactions.rotor.torque" in result.stdout, shown(result))


def coarse_graining(t):
    text = SPHERES.replace("output: {contacts: true}", "output: {regions: [{name: bed, box: {min: [-0.05, -0.05, -0.05], max: [0.15, 0.08, 0.05]}, spacing: 0.01}]}")
    folder = run(t, "fields", text)
    result = t.run("plot", "fields", "packing.bed.stress_yy", "bed.fabric_yy", "bed.solid_fraction")
    t.check("plot of stress and fabric in a region", result.returncode == 0 and "packing.bed.stress_yy [Pa]" in result.stdout, shown(result))
    files = sorted((folder / "frames").glob("fields_of_bed_*.vti"))
    t.check("a region with `spacing` has a grid in every frame", len(files) == 6 and "fields_of_bed_000005.vti" in (folder / "frames.pvd").read_text(), files)
    fields = arrays(files[-1])
    mass = sum(d for (d,) in fields["density"]) * 1e-6
    t.check("its density holds the mass of the spheres", len(fields["density"]) == 21 * 14 * 11 and abs(mass * G - BEADS) < 1e-9 * BEADS, mass * G)
    weight = -sum(s[1] for s in fields["contact_stress"]) * 1e-6
    t.check("its contact stress their weight times the way to the floor", abs(weight - BEADS * 0.01) < 0.01 * BEADS * 0.01, weight)
    t.check("velocity and kinetic stress have their entries", len(fields["velocity"][0]) == 3 and len(fields["kinetic_stress"][0]) == 6)
    result = t.run("view", "fields")
    t.check("the replay page passes the grid by", result.returncode == 0 and not result.stderr, shown(result))
    (t.folder / "fine.yaml").write_text(text.replace("spacing: 0.01", "spacing: 1.0e-5"))
    result = t.run("check", "fine.yaml")
    t.check("a grid without measure is an error", result.returncode == 2 and "points" in result.stderr, shown(result))


if __name__ == "__main__":
    support.Tester().finish([implicit_loads, hanging_block, stresses, accumulated_slip, explicit_loads, explicit_reactions, coarse_graining])
