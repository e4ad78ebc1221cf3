"""Scenes of the two big meshes, for the long test and the benchmark."""
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
