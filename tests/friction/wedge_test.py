#!/usr/bin/env python3
"""Two bodies wedged between walls 1 m apart hold above and fall below the friction that their weight W and the normal force F on a wall ask for:
mu* = W/(2 F). Two rigid boxes; a rigid and a soft box; a rigid box and a soft ball, which rolls.

    wedge_test.py PROGRAM"""
import math
import sys

sys.dont_write_bytecode = True
from runs import Runs, at

G = 1.8  # m/s^2
SQUEEZE = 0.02  # m, of each wall. The bodies start touching; the walls come in in two steps
SCENE = """stickslip: 1
title: Wedged between walls
gravity: [0, {g}, 0]
time: {{step: 0.01, end: 1, frame: 0.05}}
contact: {{friction: {friction}{stiffness}}}
materials:
  light: {{density: 1}}
  soft: {{density: 1, model: fixed_corotated, young: {young}, poisson: {poisson}, damping: 0.02}}
bodies:
  - {{name: wall left, kind: obstacle, shape: {{plane: {{normal: [1, 0, 0]}}}}, position: [{left}, 0, 0], motion: {{keyframes: [{{time: 0}}, {{time: 0.02, position: [0, 0, 0]}}]}}}}
  - {{name: wall right, kind: obstacle, shape: {{plane: {{normal: [-1, 0, 0]}}}}, position: [{right}, 0, 0], motion: {{keyframes: [{{time: 0}}, {{time: 0.02, position: [1, 0, 0]}}]}}}}
  - {{name: left, kind: rigid, shape: {{box: [0.52, 0.5, 0.5]}}, sample: 0.1, material: light, position: [0.24, 0, 0]}}
  - {{name: right, {right_body}, position: [0.76, 0, 0]}}
output: {{frames: false}}
expect:
  - {{body: wall left, metric: contact_force, axis: x, max: 0}}
  - {{body: wall right, metric: contact_force, axis: x, min: 0}}
"""
RIGID = "kind: rigid, shape: {box: [0.52, 0.5, 0.5]}, sample: 0.1, material: light"
SOFT = "kind: deformable, shape: {box: [0.52, 0.5, 0.5]}, resolution: 0.1, material: soft"
BALL = "kind: deformable, shape: {sphere: 0.26}, resolution: 0.09, material: soft"


def run(t, right_body, friction, stiffness, young, poisson=0.3):
    """Acceleration downwards of the left box over the last 0.4 s [m/s^2], forces on both walls [N], contact stiffness by body."""
    text = SCENE.format(g=-G, friction=friction, stiffness=stiffness, young=young, poisson=poisson, left=-SQUEEZE, right=1 + SQUEEZE, right_body=right_body)
    summary, bodies = t.run(text)
    if summary["status"] != "done":
        raise RuntimeError("the solver gave up")
    a, b = at(bodies["left"], 0.6), bodies["left"][-1]
    return (a["vy"] - b["vy"]) / (b["time"] - a["time"]), [-summary["expect"][0]["value"], summary["expect"][1]["value"]], {c["body"]: c for c in summary["contact"]}


def limit(t, right_body, weight, **options):
    """Least friction that holds, by bisection to 0.5 %, and the force on the walls [N]."""
    force = run(t, right_body, 0.2, **options)[1]
    low, high = 0.9 * weight / (2 * force[0]), 1.1 * weight / (2 * force[0])
    while high - low > 0.005 * high:
        mu = 0.5 * (low + high)
        falls = run(t, right_body, mu, **options)[0] > 1e-4 * G  # what slides on slows down above the limit, speeds up below
        low, high = (mu, high) if falls else (low, mu)
    return high, run(t, right_body, high, **options)[1]  # a soft body presses less where it may slip


def main():
    t = Runs(sys.argv[1])
    weight = 2 * 0.52 * 0.5 * 0.5 * G  # N

    # against the walls every face has 45 points (its corners, edges and inside at 0.1 m) of k = 10 N/m each; the boxes meet by their 8 corners
    face = 45 * 10.0
    predicted = 2 * SQUEEZE / (1 / face + 1 / (8 * 10.0) + 1 / face)
    mu, force = limit(t, RIGID, weight, stiffness=", stiffness: 10", young=1e3)
    t.below(f"two rigid boxes: force on the wall {force[0]:.4f} N, springs in series {predicted:.4f} N, off by a share of", force[0] / predicted - 1, 0.001)
    t.below(f"two rigid boxes: limit {mu:.5f}, W/(2 F) = {0.5 * weight / force[0]:.5f}, off by a share of", 2 * mu * force[0] / weight - 1, 0.01)

    # Without Poisson's effect the soft box is a spring E A/L. Its two faces give way by kappa times the area of their nodes, those on edges having half
    # a cell of the sides besides; the rigid box by its four corners of weight 1 and the other points' share of 8 (docs/derivations.md, contact stiffness).
    young, area, side, cell = 1e3, 0.5 * 0.5, 0.52 * 0.5, 0.104
    _, force, contact = run(t, SOFT, 0.5, stiffness="", young=young, poisson=0)
    face = contact["right"]["stiffness_per_area"] * (area + 4 * 0.5 * cell / 2)
    wall = contact["left"]["stiffness"] * (4 + 8 * area / (2 * area + 4 * side))
    predicted = 2 * SQUEEZE / (0.52 / (young * area) + 2 / face + 1 / wall)
    t.below(f"a rigid and a soft box: force on the wall {force[0]:.4f} N, springs in series {predicted:.4f} N, off by a share of", force[0] / predicted - 1, 0.01)

    mu, force = limit(t, SOFT, weight, stiffness="", young=1e3)
    t.below(f"a rigid and a soft box: forces on the walls {force[0]:.4f} and {force[1]:.4f} N differ by a share of", force[0] / force[1] - 1, 0.001)
    t.below(f"a rigid and a soft box: limit {mu:.5f}, W/(2 F) = {0.5 * weight / force[0]:.5f}, off by a share of", 2 * mu * force[0] / weight - 1, 0.01)

    # A ball between wall and box rolls down the wall while the box falls twice as fast: the box's wall alone holds, mu* F = W_box + W_ball/2. It is
    # made of flat pieces, so it rolls in small jerks: between 0.7 and 1.25 of it.
    ball = 4 / 3 * math.pi * 0.26**3 * G
    for mu, holds in ((0.172, True), (0.12, False)):
        falls, force, _ = run(t, BALL, mu, stiffness="", young=1e3)
        share = mu * force[0] / (0.5 * weight + 0.5 * ball)
        t.check(f"a rigid box and a soft ball, friction {share:.3f} of what holds: {'stands' if holds else 'falls'}",
                (abs(falls) < 1e-6 and share < 1.25) if holds else (falls > 0.01 * G and share > 0.7), f"{falls:.3g} m/s^2")
    t.finish()


main()
