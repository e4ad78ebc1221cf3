#pragma once

#include "stickslip/build/built_world.h"

#include <set>

namespace stickslip {

/// Sets of spheres and walls, by number, that go on from an earlier run, so that they are pressed already.
struct TakenOver {
    std::set<int> sets, walls;
};

/// Says of an explicit scene, whose world is built, what begins pressed into what: spheres, balls of clumps and rigid
/// bodies, and inlets that walls are in the way of. That two spheres have one centre, that one's is inside a solid and
/// that an inlet has no room at all are faults: no run gets on from there.
void report_granular_overlap(const Scene& scene, const TakenOver& taken, BuildResult& result);

} // namespace stickslip
