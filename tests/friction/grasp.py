"""Scenes of a box or a capsule of 1 kg, upright and longer than the pads are high, pinched between two pads.

`margin` is how much friction there is over what the weight needs: 2 mu N = margin m g."""
import math

G, MASS, FRICTION, STEP = 9.81, 1.0, 0.5, 0.01
PAD = "[0.04, 0.06, 0.08]"  # m
START, LENGTH, PAUSE, OMEGA = 1.0, 2.0, 1.0, 4 * math.pi  # of shakes: s, s, s, rad/s

# half the width across the pads [m], shape, density [kg/m^3] for 1 kg. The pads lie wholly on the box's faces: points of those would only meet the pads' rims.
OBJECTS = {
    "box": (0.05, "{box: [0.1, 0.3, 0.1]}, sample: 1", MASS / (0.1 * 0.3 * 0.1)),
    "capsule": (0.03, "{capsule: {radius: 0.03, height: 0.3}}", MASS / (math.pi * 0.03**2 * (0.3 + 4 / 3 * 0.03))),
}
HEAD = """stickslip: 1
title: A {name} between two pads
gravity: [0, {gravity}, 0]
time: {{step: {step}, end: {end}, frame: 0.05}}
contact: {{friction: {friction}}}
materials:
  wood: {{density: {density!r}}}
  steel: {{density: 7800}}
  rubber: {{density: 1000, model: neo_hookean, young: 1.0e6, poisson: 0.4, damping: 0.002}}
bodies:
  - {{name: held, kind: rigid, shape: {shape}, material: wood}}
"""
TAIL = """output: {{frames: false}}
expect:
  - {{metric: status, max: 0}}
  - {{body: pad left, metric: contact_force, axis: x, max: 0}}
  - {{metric: slip, from: {settled}, max: 1.0e-9}}
"""


def head(name, end):
    half, shape, density = OBJECTS[name]
    return half, HEAD.format(name=name, gravity=-G, step=STEP, end=end, friction=FRICTION, density=density, shape=shape)


def pressed(name, margin, end):
    """Rigid pads that a constant force N = margin m g/(2 mu) each presses on. They are so heavy that they do not get through what is held in
    their first step."""
    half, text = head(name, end)
    normal = margin * MASS * G / (2 * FRICTION)
    for side, sign in (("left", -1), ("right", 1)):
        text += (f"  - {{name: pad {side}, kind: rigid, shape: {{box: [0.5, 0.06, 0.08]}}, material: steel, position: [{sign * (half + 0.25)!r}, 0, 0], "
                 f"force: [{-sign * normal!r}, 0, 0], fixed_dofs: [y, z, rx, ry, rz]}}\n")
    return text + TAIL.format(settled=min(1.01, 0.5 * end))


def height(t, shakes):
    number, since = divmod(max(t - START, 0), LENGTH + PAUSE)
    since = min(since, LENGTH)
    return (*shakes, 0)[int(number)] / (1.1 * OMEGA**2) * math.sin(math.pi * since / LENGTH) ** 2 * math.sin(OMEGA * since)


def squeezed(name, pads, squeeze, end, shakes=()):
    """Pads that are led, rigid ones wholly, soft ones at their backs: by `squeeze` [m] each towards each other in the first two steps, then up and
    down at 2 Hz: from 1 s on, for each of `shakes`, its largest acceleration [m/s^2], for 2 s that fade in and out and end in their places,
    and 1 s of rest. Keyframes at every step: between them motion is linear."""
    half, text = head(name, end)
    times = [0, 2 * STEP, START] + [START + i * STEP for i in range(1, round(len(shakes) * (LENGTH + PAUSE) / STEP) + 1)]
    for side, sign in (("left", -1), ("right", 1)):
        x = sign * (half + 0.02)
        rest = 0.0 if pads == "soft" else x
        keys = ", ".join(f"{{time: {t:.4f}, position: [{rest - sign * (squeeze if t > 0 else 0.0):.12g}, {height(t, shakes):.12g}, 0]}}" for t in times)
        text += f"  - {{name: pad {side}, shape: {{box: {PAD}}}, position: [{x!r}, 0, 0], "
        if pads == "soft":
            back = sorted((x + sign * 0.019, x + sign * 0.021))
            text += (f"kind: deformable, resolution: 0.02, material: rubber, collides_with: [held], "
                     f"fix: [{{box: {{min: [{back[0]!r}, -1, -1], max: [{back[1]!r}, 1, 1]}}, motion: {{keyframes: [{keys}]}}}}]}}\n")
        else:
            text += f"kind: obstacle, motion: {{keyframes: [{keys}]}}}}\n"
    return text + TAIL.format(settled=min(1.01, 0.5 * end))
