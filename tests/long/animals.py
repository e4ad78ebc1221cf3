"""Scenes of the two big meshes, for the long tests and the benchmark."""
import json

STAIRS = """
  - {name: step 1, kind: obstacle, shape: {box: [0.3, 0.4, 0.6]}, position: [-0.30, -0.20, 0]}
  - {name: step 2, kind: obstacle, shape: {box: [0.3, 0.4, 0.6]}, position: [0.00, -0.30, 0]}
  - {name: step 3, kind: obstacle, shape: {box: [0.3, 0.4, 0.6]}, position: [0.30, -0.40, 0]}
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, position: [0, -0.4, 0]}"""
SPHERE = """
  - {name: ball, kind: obstacle, shape: {sphere: 0.2}, position: [-0.15, -0.2, 0]}
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}, position: [0, -0.4, 0]}"""
ANIMALS = {"bunny": ("bunny.msh", 0.3 / 3.10997), "armadillo": ("Armadillo13K.msh", 0.3 / 151.362)}


def scene(mesh, scale, obstacles):
    return f"""stickslip: 1
title: big mesh
time: {{step: 0.016666666666666666, end: 2.0, frame: 0.0333}}
contact: {{friction: 0.4}}
materials:
  gel: {{density: 1000, model: neo_hookean, young: 1.0e5, poisson: 0.4}}
bodies:{obstacles}
  - name: animal
    kind: deformable
    shape: {{mesh: {{file: {json.dumps(str(mesh))}, scale: {scale!r}}}}}
    material: gel
    position: [-0.15, 0.13, 0]
expect:
  - {{metric: status, max: 0}}
"""


# Bunnies that touch each other, a mat and themselves; the run judges itself by what it expects.
SOFT_HEAD = """stickslip: 1
title: {title}
time: {{step: {step}, end: {end}, frame: 0.05}}
contact: {{friction: 0.4, self: true}}
solver: {{audit: every}}
materials:
  gel: {{density: 1000, model: neo_hookean, young: 1.0e5, poisson: 0.4, damping: 0.02}}
expect:
  - {{metric: failed_solves, max: 0}}
  - {{metric: passing, max: 0}}
  - {{metric: max_contact_depth, max: {deepest}}}
bodies:
  - {{name: floor, kind: obstacle, shape: {{plane: {{normal: [0, 1, 0]}}}}}}
"""
WALLS = """
  - {name: left, kind: obstacle, shape: {plane: {normal: [1, 0, 0]}}, position: [-0.3, 0, 0]}
  - {name: right, kind: obstacle, shape: {plane: {normal: [-1, 0, 0]}}, position: [0.3, 0, 0]}
  - {name: back, kind: obstacle, shape: {plane: {normal: [0, 0, 1]}}, position: [0, 0, -0.3]}
  - {name: front, kind: obstacle, shape: {plane: {normal: [0, 0, -1]}}, position: [0, 0, 0.3]}
"""
MAT = "  - {name: mat, kind: deformable, shape: {box: [0.6, 0.012, 0.6]}, resolution: 0.024, material: gel, position: [-0.05, 0.45, 0]}\n"


def soft_body(name, mesh, scale, position, rotation="degrees: 0, axis: [0, 1, 0]"):
    return (f"  - {{name: {name}, kind: deformable, shape: {{mesh: {{file: {json.dumps(str(mesh))}, scale: {scale!r}}}}}, material: gel, "
            f"position: {position}, rotation: {{{rotation}}}}}\n")


def bunnies_in_a_box(mesh, scale):
    """Two fall into a box, one onto the other: 3 to 4 cm a step, thrice the thickness of an ear."""
    return (SOFT_HEAD.format(title="bunnies in a box", step=1 / 60, end=1.2, deepest=0.01) + WALLS
            + soft_body("below", mesh, scale, [0.016, 0.25, -0.03], "quaternion: [0.5, 0.1, -0.7, 0.5]")
            + soft_body("above", mesh, scale, [-0.03, 0.61, 0.02], "quaternion: [-0.2, 0.8, 0.5, 0.3]"))


def mat_on_bunny(mesh, scale):
    """A mat falls on one, bends over its back and hangs to the floor."""
    return SOFT_HEAD.format(title="a mat on a bunny", step=0.01, end=1.5, deepest=0.002) + soft_body("bunny", mesh, scale, [0, 0.155, 0]) + MAT
