#pragma once

#include <stickslip/stickslip.h>

#include <string>

namespace stickslip {

/// A rigid block of 10 kg that rests on a floor, mu = 0.5.
inline std::string block_on_floor(const std::string& more = "")
{
    return R"(
stickslip: 1
time: {step: 0.01, end: 1}
contact: {friction: 0.5}
materials:
  oak: {density: 1250}
  gum: {density: 1000, young: 1e5, poisson: 0.3}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: block, kind: rigid, shape: {box: [0.2, 0.2, 0.2]}, material: oak, position: [0, 0.1, 0]}
)" + more;
}

/// One line for its list of bodies.
inline const std::string soft_cube =
    "  - {name: cube, kind: deformable, shape: {box: [0.1, 0.1, 0.1]}, resolution: 0.05, material: gum, "
    "position: [0.4, 0.051, 0]}\n";

/// Spheres that fall on a floor, with an inlet and an outlet, and a rigid box above them.
inline const std::string spheres_with_gates = R"(
stickslip: 1
time: {step: auto, end: 0.2, frame: 0.02}
solver: {integration: explicit}
contact: {friction: 0.4}
materials:
  glass: {density: 2500, kn: 1000, restitution: 0.5}
  steel: {density: 3000, kn: 2000, restitution: 0.5}
outlets:
  - {name: hole, box: {min: [0.045, -1, -1], max: [1, 1, 1]}}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: grains, kind: spheres, material: glass, radius: 0.01, position: [0, 0.1, 0], fill: {box: [0.1, 0.15, 0.1], count: 60},
     inlet: {box: [0.06, 0.04, 0.06], rate: 0.5}}
  - {name: brick, kind: rigid, shape: {box: [0.04, 0.04, 0.04]}, material: steel, position: [0, 0.25, 0]}
)";

} // namespace stickslip
