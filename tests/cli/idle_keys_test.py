#!/usr/bin/env python3
"""`stickslip check` warns of keys that other keys leave without an effect, and of nothing where they have one.

    idle_keys_test.py PROGRAM SOURCE_DIR
"""

import re
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

IMPLICIT = """stickslip: 1
time: {step: 0.01, end: 1}
materials: {oak: {density: 700}, rubber: {density: 1000, young: 1.0e6, poisson: 0.4}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: wall, kind: obstacle, shape: {box: [0.1, 1, 1]}, position: [3, 0.6, 0]}
  - {name: box, kind: rigid, material: oak, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0.1, 0]}
  - {name: cube, kind: deformable, material: rubber, shape: {box: [0.2, 0.2, 0.2]}, resolution: 0.1, position: [1, 0.1, 0]}
"""

EXPLICIT = """stickslip: 1
time: {step: auto, end: 1}
solver: {integration: explicit}
materials: {glass: {density: 2500, kn: 5000}, oak: {density: 700, kn: 5000}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: box, kind: rigid, material: oak, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0.2, 0]}
  - {name: sand, kind: spheres, material: glass, radius: 0.02, positions: [[1, 0.1, 0]]}
"""
BOX_ALONE = re.sub(r"  - \{name: sand.*\n", "", EXPLICIT).replace("glass: {density: 2500, kn: 5000}, ", "")
INLET = EXPLICIT + "  - {name: more, kind: spheres, material: glass, radius: 0.01, position: [5, 3, 0], inlet: {box: [0.2, 0.2, 0.2], rate: 1}}\n"
CLUMPS = EXPLICIT + "  - {name: more, kind: spheres, material: glass, position: [5, 3, 0], positions: [[0, 0, 0]], clump: {positions: [[0, 0, 0], [0.01, 0, 0]], radius: 0.01, seed: 4}}\n"
PATH = "motion: {keyframes: [{time: 0, position: [3, 0.6, 0]}, {time: 4, position: [4, 0.6, 0]}]}"
APART = "bodies.box.collides_with=[floor, wall]"
TOUCH = '"box" and "cube" never touch, by '

# The scene, the key with a value that leaves it idle, what else is changed, the place and words of the warning, and a
# change more that gives it an effect.
IDLE = [
    (IMPLICIT, "time.max_step=0.05", [], "time.max_step: has no effect without `adaptive: true`", "time.adaptive=true"),
    (EXPLICIT, "time.safety=0.1", ["time.step=1.0e-4"], "time.safety: has no effect: `step` says how long steps are", "time.step=auto"),
    (IMPLICIT, "contact.quadrature=6", [], "contact.quadrature: has no effect: no deformable bodies meet each other or themselves", "contact.self=true"),
    (IMPLICIT, "contact.pairs=[{bodies: [box, cube], friction: 0.1}]", [APART], f"contact.pairs[0]: has no effect: {TOUCH}their `collides_with`", "bodies.box.collides_with=[cube]"),
    (IMPLICIT, "contact.pairs=[{bodies: [floor, box], friction: 0.1}]", ["bodies.box.motion={velocity: [1, 0, 0]}"],
        'contact.pairs[0]: has no effect: "floor" and "box" are both obstacles, between which no contact is computed', "contact.pairs[0].bodies=[cube, box]"),
    (IMPLICIT, "contact.pairs=[{materials: [oak, oak], friction: 0.1}]", [], "contact.pairs[0]: has no effect: no two bodies of these materials touch", "bodies.wall.material=oak"),
    (IMPLICIT, "output.probes=[{name: a, body: floor, by: wall}]", [], 'output.probes[0]: has no force to record: "floor" and "wall" are both obstacles, between which no contact is computed', "output.probes[0].by=box"),
    (IMPLICIT, "output.probes=[{name: a, body: box, by: cube}]", [APART], f"output.probes[0]: has no force to record: {TOUCH}their `collides_with`", "bodies.box.collides_with=[cube]"),
    (IMPLICIT, "output.probes=[{name: a, body: box, by: cube}]", ["contact.pairs=[{bodies: [box, cube], enabled: false}]"], f"output.probes[0]: has no force to record: {TOUCH}`contact.pairs`", "contact.pairs=[]"),
    (IMPLICIT, "output.energy=false", [], "output.energy: has no effect with `solver.integration: implicit`", None),
    (IMPLICIT, "bodies.cube.edges=raw", [], "bodies.cube.edges: has no effect without spheres", "bodies.box.shape={sphere: 0.1}"),
    (IMPLICIT, "bodies.box.group=a", [], "bodies.box.group: has no effect: no body has `collides_with`", "bodies.cube.collides_with=[a, floor]"),
    (IMPLICIT, "bodies.box.collides_with=[cube, floor]", ["bodies.cube.collides_with=[floor]"], 'bodies.box.collides_with[0]: has no effect: the `collides_with` of "cube" leaves "box" out', "bodies.cube.collides_with=[floor, box]"),
    (IMPLICIT, "bodies.wall." + PATH.replace(": {", "={", 1).replace("time: 0", "time: 3"), [], "bodies.wall.motion.keyframes[0].time: not before the end of the run: the body rests until then", "time.end=5"),
    (IMPLICIT, "materials.oak.kn=1.0e5", [], "materials.oak.kn: has no effect with `solver.integration: implicit`", None),
    (IMPLICIT, "materials.oak.damping=0.1", [], "materials.oak.damping: has no effect: no deformable or mpm body has this material", None),
    (BOX_ALONE, "output.regions=[{name: a, box: {min: [0, 0, 0], max: [1, 1, 1]}}]", [], "output.regions[0]: has nothing to measure: the scene has no spheres", "bodies.box.shape={sphere: 0.1}"),
    (EXPLICIT, "output.regions=[{name: a, box: {min: [0, 0, 0], max: [1, 1, 1]}, smoothing: 3}]", [], "output.regions[0].smoothing: has no effect without `spacing`", "output.regions[0].spacing=0.1"),
    (INLET, "bodies.more.inlet.start=3", [], "bodies.more.inlet.start: not before the end of the run: nothing enters", "time.end=4"),
    (INLET, "bodies.more.inlet.sizes_by=mass", [], "bodies.more.inlet.sizes_by: has no effect without `sizes`", None),
    (CLUMPS, "bodies.more.clump.orientation=aligned", [], "bodies.more.clump.seed: has no effect with `orientation: aligned`", "bodies.more.clump.orientation=random"),
    (IMPLICIT.replace("rubber: {", "rubber: {friction: 0.2, ").replace("kind: deformable", "kind: mpm"), "contact.self=true", [], "contact.self: has no effect: the scene has no deformable bodies", None),
]


def warnings(t, scene, changes):
    t.write("scene.yaml", scene)
    result = t.run("check", "scene.yaml", *(word for change in changes for word in ("--set", change)))
    lines = [line for line in result.stderr.splitlines() if "warning: " in line or "error: " in line]
    return result, [re.sub(r"^(--set (\S+): )?(scene\.yaml:\d+:\d+: )?warning: ", lambda m: m[2] + ": " if m[2] else "", line) for line in lines]


def idle_keys(t):
    for scene in (IMPLICIT, EXPLICIT, BOX_ALONE, INLET, CLUMPS):
        result, told = warnings(t, scene, [])
        t.equal("the scene itself is quiet", (result.returncode, told), (0, []))
    for scene, key, more, expected, cure in IDLE:
        result, told = warnings(t, scene, [key, *more])
        t.check(f"{' '.join([key, *more])}: told", result.returncode == 0 and len(told) == 1 and told[0].endswith(expected), shown(result))
        if cure:
            result, told = warnings(t, scene, [key, *more, cure])
            t.check(f"... {cure}: quiet", result.returncode == 0 and told == [], shown(result))


def expectations(t):
    for metric in ("newton_per_step", "failed_solves"):
        result, told = warnings(t, EXPLICIT, [f"expect=[{{metric: {metric}, max: 3}}]"])
        t.check(f"{metric} of an explicit run, which solves nothing, is an error", result.returncode == 2 and "metric: needs `solver.integration: implicit`" in result.stderr, shown(result))


if __name__ == "__main__":
    support.Tester().finish([idle_keys, expectations])
