"""What the tests of the Python module share: the module, or why they are skipped; scenes."""
import sys

sys.dont_write_bytecode = True
try:
    import numpy as np

    import stickslip
except ImportError as error:
    print(f"skipped: {error}; scripts/install-packages python installs what the module needs")
    sys.exit(77)


def block_on_floor(*more, **changes):
    """A rigid block of 10 kg that rests on a floor, mu = 0.5, and more bodies. Keys with __ for dots:
    contact__friction=0.1."""
    scene = stickslip.Scene({
        "stickslip": 1,
        "time": {"step": 0.01, "end": 1},
        "contact": {"friction": 0.5},
        "materials": {"oak": {"density": 1250}, "gum": {"density": 1000, "young": 1e5, "poisson": 0.3}},
        "bodies": [
            {"name": "floor", "kind": "obstacle", "shape": {"plane": {"normal": np.array([0.0, 1.0, 0.0])}}},
            {"name": "block", "kind": "rigid", "shape": {"box": [0.2, 0.2, 0.2]}, "material": "oak", "position": (0, 0.1, 0)},
            *more,
        ],
    })
    scene.update({path.replace("__", "."): value for path, value in changes.items()})
    return scene


SOFT = """
stickslip: 1
time: {step: 0.01, end: 1}
contact: {friction: 0.5}
materials:
  oak: {density: 1250}
  gum: {density: 1000, young: 1e5, poisson: 0.3}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: block, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [0, 0.1, 0]}
  - {name: cube, kind: deformable, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.05, material: gum, position: [0.4, 0.051, 0]}
"""

POINTS = """
stickslip: 1
time: {step: 0.01, end: 0.1}
contact: {friction: 0.5}
materials: {gum: {density: 1000, young: 1e5, poisson: 0.3}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: left, kind: mpm, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, material: gum, position: [0, 0.1, 0]}
  - {name: right, kind: mpm, shape: {box: [0.1, 0.2, 0.2]}, resolution: 0.1, material: gum, position: [1, 2, 0], velocity: [1, 0, 0]}
"""

SPHERES = """
stickslip: 1
time: {step: auto, end: 0.1, frame: 0.02}
solver: {integration: explicit}
contact: {friction: 0.4}
materials: {glass: {density: 2500, kn: 1000, restitution: 0.5}, steel: {density: 3000, kn: 2000, restitution: 0.5}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: grains, kind: spheres, material: glass, radius: 0.01, position: [0, 0.1, 0], fill: {box: [0.1, 0.15, 0.1], count: 60},
     inlet: {box: [0.06, 0.04, 0.06], rate: 0.5}}
  - {name: brick, kind: rigid, shape: {box: [0.04, 0.04, 0.04]}, material: steel, position: [0, 0.25, 0]}
"""


FLIGHT = """
stickslip: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 1}
contact: {friction: 0.5}
materials: {oak: {density: 1250}}
bodies:
  - {name: left, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak}
  - {name: right, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [1, 0, 0]}
"""


def two_that_fly():
    return stickslip.Scene(FLIGHT)


def soft():
    return stickslip.Scene(SOFT)


def points():
    return stickslip.Scene(POINTS)


def spheres():
    return stickslip.Scene(SPHERES)
