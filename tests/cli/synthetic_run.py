"""A run folder of kinds of bodies that frames can hold: a rigid box that tumbles, balls that fall, a cloud of particles,
a deforming tetrahedron, a floor and a moving obstacle. Written here by hand, so that its content is known exactly."""

import math

TIMES = [0.0, 0.1, 0.2, 0.3]
BALLS = [(-0.4 + 0.2 * i, 0.6 + 0.1 * i, 0.3) for i in range(5)]
RADII = [0.05, 0.06, 0.07, 0.05, 0.06]
CORNERS = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
PARTICLES = [(0.5 + 0.02 * i, 0.01 + 0.02 * j, -0.3 + 0.02 * k) for i in range(4) for j in range(4) for k in range(4)]
SCENE = """stickslip: 1
title: "All <kinds> & \\"more\\""
time: {step: 0.1, end: 0.3}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: ram, kind: obstacle, shape: {box: [0.2, 0.2, 0.2]}}
  - {name: box one, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}}
  - {name: grains, kind: spheres, radius: 0.05}
  - {name: sand, kind: mpm, shape: {box: [0.08, 0.08, 0.08]}}
  - {name: tet, kind: deformable, shape: {box: [0.1, 0.1, 0.1]}}
"""


def array(name, values, components=1, kind="Float64"):
    extra = f' NumberOfComponents="{components}"' if components > 1 else ""
    return f'<DataArray type="{kind}" Name="{name}"{extra} format="ascii">\n{" ".join(map(str, values))}\n</DataArray>\n'


def flat(rows):
    return [c for row in rows for c in row]


def vtp(points, triangles=(), radii=(), numbers=()):
    count = 0 if triangles else len(points)
    cells = {"Verts": [(i,) for i in range(count)], "Polys": list(triangles)}
    text = '<?xml version="1.0"?>\n<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian">\n<PolyData>\n'
    text += f'<Piece NumberOfPoints="{len(points)}" NumberOfVerts="{count}" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="{len(triangles)}">\n'
    text += "<PointData>\n" + (array("radius", radii) if radii else "") + (array("number", numbers, kind="Int32") if numbers else "")
    text += "</PointData>\n<CellData>\n</CellData>\n"
    text += "<Points>\n" + array("Points", flat(points), 3) + "</Points>\n"
    for name, rows in cells.items():
        ends = [sum(map(len, rows[: i + 1])) for i in range(len(rows))]
        text += f"<{name}>\n" + array("connectivity", flat(rows), kind="Int64") + array("offsets", ends, kind="Int64") + f"</{name}>\n"
    return text + "</Piece>\n</PolyData>\n</VTKFile>\n"


def vtu(points, stress, velocity):
    text = '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian">\n<UnstructuredGrid>\n'
    text += f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="1">\n'
    text += "<PointData>\n" + array("velocity", flat([velocity] * len(points)), 3) + "</PointData>\n"
    text += "<CellData>\n" + array("von_mises_stress", [stress]) + "</CellData>\n<Points>\n" + array("Points", flat(points), 3) + "</Points>\n"
    text += "<Cells>\n" + array("connectivity", range(4), kind="Int64") + array("offsets", [4], kind="Int64")
    text += array("types", [10], kind="UInt8") + "</Cells>\n"
    return text + "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"


def box_pose(t):
    """Centre and turn about z [rad] of the rigid box."""
    return (0.2 * t - 0.3, 0.4 - 0.5 * t * t, 0.0), 2.0 * t


def placed(points, centre, angle=0.0):
    c, s = math.cos(angle), math.sin(angle)
    return [(c * x - s * y + centre[0], s * x + c * y + centre[1], z + centre[2]) for x, y, z in points]


def tet_points(t):
    """Stretches upward."""
    return [(0.1, 0.3, 0.4), (0.3, 0.3, 0.4), (0.1, 0.3, 0.6), (0.15, 0.5 + 0.5 * t, 0.45)]


def shapes(t):
    """Name to content of the files of one frame."""
    centre, angle = box_pose(t)
    floor = [(-2, 0, -2), (-2, 0, 2), (2, 0, 2), (2, 0, -2)]
    return {
        "floor": ("vtp", vtp(floor, [(0, 1, 2), (0, 2, 3)])),
        "ram": ("vtp", vtp(placed(CORNERS, (0.7, 0.1 + 0.5 * t, 0.5)), FACES)),
        "box one": ("vtp", vtp(placed(CORNERS, centre, angle), FACES)),
        "grains": ("vtp", vtp([(x, y - t, z) for x, y, z in BALLS], radii=RADII)),
        "sand": ("vtp", vtp([(x, y + 0.1 * t, z) for x, y, z in PARTICLES])),
        "tet": ("vtu", vtu(tet_points(t), 1000.0 * t, (0, 0.5, 0))),
    }


def body_rows(t):
    centre, angle = box_pose(t)
    turn = (math.cos(angle / 2), 0, 0, math.sin(angle / 2))
    still = (1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return [
        ("floor", (0, 0, 0), still),
        ("ram", (0.7, 0.1 + 0.5 * t, 0.5), (1, 0, 0, 0, 0, 0.5, 0, 0, 0, 0)),
        ("box one", centre, turn + (0.2, -t, 0, 0, 0, 2.0)),
        ("grains", (0, 0.8 - t, 0.3), (1, 0, 0, 0, 0, -1, 0, 0, 0, 0)),
        ("sand", (0.53, 0.04 + 0.1 * t, -0.27), (1, 0, 0, 0, 0, 0.1, 0, 0, 0, 0)),
        ("tet", (0.16, 0.35 + 0.125 * t, 0.46), (1, 0, 0, 0, 0, 0.125, 0, 0, 0, 0)),
    ]


# Spheres that come and go, by frame: their numbers in the order of the rows.
PRESENT = [[], [7, 9], [10, 9], [10, 12]]


def passer(number, frame):
    """Place and radius of a sphere that comes or goes."""
    return (0.1 * number, 1.0 - 0.25 * frame, 0.0), 0.01 * number


def write_passing(folder):
    """A run of spheres of which one never is where another was, in the same row."""
    (folder / "frames").mkdir(parents=True)
    (folder / "scene.yaml").write_text("stickslip: 1\ntime: {step: 0.1, end: 0.3}\nbodies:\n  - {name: grains, kind: spheres, radius: 0.05}\n")
    series = '<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0">\n<Collection>\n'
    for frame, (t, numbers) in enumerate(zip(TIMES, PRESENT)):
        places = [passer(number, frame) for number in numbers]
        (folder / f"frames/grains_{frame:06d}.vtp").write_text(vtp([x for x, _ in places], radii=[r for _, r in places], numbers=numbers))
        series += f'<DataSet timestep="{t!r}" part="0" name="grains" file="frames/grains_{frame:06d}.vtp"/>\n'
    (folder / "frames.pvd").write_text(series + "</Collection>\n</VTKFile>\n")


def write(folder):
    (folder / "frames").mkdir(parents=True)
    (folder / "scene.yaml").write_text(SCENE)
    series = '<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0">\n<Collection>\n'
    bodies = "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"
    for number, t in enumerate(TIMES):
        for part, (name, (ending, content)) in enumerate(shapes(t).items()):
            file = f"frames/{name.replace(' ', '_')}_{number:06d}.{ending}"
            (folder / file).write_text(content)
            series += f'<DataSet timestep="{t!r}" part="{part}" name="{name}" file="{file}"/>\n'
        for name, x, rest in body_rows(t):
            bodies += ",".join(map(repr, (t,))) + f",{name}," + ",".join(map(repr, (*x, *rest))) + "\n"
    (folder / "frames.pvd").write_text(series + "</Collection>\n</VTKFile>\n")
    (folder / "bodies.csv").write_text(bodies)
    header = "time,dt,newton,krylov,residual,contacts,sticking,sliding,kinetic_energy,potential_energy,elastic_energy,contact_energy,friction_loss,px,py,pz,lx,ly,lz,max_penetration,wall"
    rows = [",".join(map(repr, [t, 0.1, 2, 9, 1e-9, 3, 2, 1, t, 1.0 - t, 0.0, 0.0, 0.0, 3 * t, 4 * t, 0.0, 0.0, 0.0, 0.0, 1e-4, t])) for t in TIMES[1:]]
    (folder / "history.csv").write_text("\n".join([header, *rows]) + "\n")


def write_damaged(folder):
    """A run whose frames cannot be read."""
    write(folder)
    for path in (folder / "frames").iterdir():
        path.write_text("<VTKFile")
