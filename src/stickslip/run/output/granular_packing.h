#pragma once

#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/dem/contact_list.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/scene/scene.h"

#include <string>
#include <vector>

namespace stickslip {

/// First row of packing.csv.
std::string packing_header();

/// The rows of packing.csv at this moment: all spheres, then each region of `output.regions`.
std::string packing_rows(const Scene& scene, const SphereSystem& system, const std::vector<GranularContact>& contacts);

/// Of this moment: all spheres, then each region of `output.regions`.
PackingReport packing_report(const Scene& scene, const SphereSystem& system);

} // namespace stickslip
