#!/usr/bin/env python3
"""A box and a capsule pinched between rigid and soft pads: slide out below the static margin, do not creep above it, come back after a shake.

    grasp_test.py PROGRAM [--long]        long: all margins, for a minute each"""
import sys

sys.dont_write_bytecode = True
import grasp
from runs import Runs, at, distance

FRICTION_FORCE = 2 * grasp.FRICTION / (grasp.MASS * grasp.G)  # margin per normal force [1/N]


def margin_of(summary):
    return -FRICTION_FORCE * summary["expect"][1]["value"]


def squeeze_for(t, name, pads, margin):
    """How far the pads must come to press with `margin`, within 1 % above (below, where it is to slide)."""
    target = margin * (1.005 if margin > 1 else 0.995)
    points = [(0.0, -target)]  # squeeze, margin too little
    squeeze = 2e-3 if pads == "soft" else 1e-5
    for _ in range(30):
        excess = margin_of(t.run(grasp.squeezed(name, pads, squeeze, 0.3))[0]) - target
        if abs(excess) < 0.004 * target:
            return squeeze
        points.append((squeeze, excess))
        low = max((p for p in points if p[1] < 0), key=lambda p: p[0])
        high = min((p for p in points if p[1] > 0), key=lambda p: p[0], default=None)
        if high:  # between the two, not too close to either
            share = min(max(-low[1] / (high[1] - low[1]), 0.05), 0.95)
            squeeze = low[0] + share * (high[0] - low[0])
        else:
            squeeze *= 2 if pads == "soft" else min(10, 1.01 * target / max(excess + target, 1e-9))
    raise RuntimeError(f"no squeeze gives {name}, {pads}, {margin}")


# A capsule also meets soft pads by its balls, whose contacts go from facet to facet of a pad as it slides, 3.9e-4 g, and shears, 1.5e-9 m.
SLACK_SLIDING, SLACK_SHAKEN = 5, 2


def slack(name, pads, of_capsule):
    return of_capsule if (name, pads) == ("capsule", "soft") else 1


def slides(t, name, pads):
    """Out at g (1 - margin)."""
    scene = grasp.pressed(name, 0.95, 0.5) if pads == "rigid" else grasp.squeezed(name, pads, squeeze_for(t, name, pads, 0.95), 0.5)
    summary, bodies = t.run(scene)
    a, b = at(bodies["held"], 0.3), bodies["held"][-1]
    acceleration = (a["vy"] - b["vy"]) / (b["time"] - a["time"])
    exact = grasp.G * (1 - (0.95 if pads == "rigid" else margin_of(summary)))
    t.below(f"{name}, {pads} pads, 0.95: acceleration {exact:.4f} m/s^2, off by", acceleration - exact, slack(name, pads, SLACK_SLIDING) * 1e-4 * grasp.G)


def holds(t, name, pads, margin, end):
    scene = grasp.pressed(name, margin, end) if pads == "rigid" else grasp.squeezed(name, pads, squeeze_for(t, name, pads, margin), end)
    summary, bodies = t.run(scene)
    held = bodies["held"]
    start = 0.2 * end
    creep = distance(at(held, start), held[-1]) / (end - start)
    t.below(f"{name}, {pads} pads, {margin}: creep [m/s]", creep, 1e-9)
    t.check(f"{name}, {pads} pads, {margin}: runs", summary["status"] == "done", f"{summary['failed_solves']} failed solves")


def comes_back(t, name, pads, margin, *shares):
    """To its place after the last of the shakes, which are given as shares of the margin. Soft pads slip at their rims when they are shaken first
    (partial slip: what is elastic has no share of its own below which nothing slips); a shake half as strong afterwards moves nothing."""
    squeeze = squeeze_for(t, name, pads, margin)
    shakes = [share * (margin - 1) * grasp.G for share in shares]
    summary, bodies = t.run(grasp.squeezed(name, pads, squeeze, 1 + 3 * len(shakes), shakes))
    held = bodies["held"]
    before, after = at(held, 3 * len(shakes) - 2.05), held[-1]
    way = max(row["y"] for row in held if row["time"] > before["time"])
    t.below(f"{name}, {pads} pads, {margin}: shaken by {way:.3g} m, {shares[-1]:g} of the margin, comes back [m]", distance(before, after), slack(name, pads, SLACK_SHAKEN) * 1e-9)
    print(f"        way of a contact {summary['expect'][2]['value']:.2g} m, {summary['failed_solves']} failed solves")


def main():
    t = Runs(sys.argv[1])
    long = "--long" in sys.argv
    for name in grasp.OBJECTS:
        for pads in ("rigid", "soft"):
            slides(t, name, pads)
            for margin in (1.05, 2, 20, 95) if long else (1.05, 2):
                holds(t, name, pads, margin, 60 if long else 5)
            for margin in (2, 20, 95) if long else (2,):
                if pads == "rigid":
                    comes_back(t, name, pads, margin, 0.8)
                else:  # with 0.4 of 95 times, 37 g, the capsule moves on by 0.3 mm
                    comes_back(t, name, pads, margin, 0.8, 0.08 if name == "capsule" and margin == 95 else 0.4)
    t.finish()


main()
