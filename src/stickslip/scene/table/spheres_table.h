#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/table/scene_objects.h"

#include <functional>
#include <string>
#include <vector>

namespace stickslip {

/// The keys of a body that only spheres have.
std::vector<Field<BodySettings>> sphere_keys(std::function<bool(const BodySettings&)> is_spheres);

/// The keys of a material that only spheres read.
std::vector<Field<MaterialSettings>> grain_keys();

/// A clump as YAML.
std::string write_clump(const ClumpSettings& clump);

KindPtr<Bounds> periodic_kind();
KindPtr<OutletSettings> outlet_kind();
KindPtr<RegionSettings> region_kind();
KindPtr<EdgeChoice> edges_kind();
KindPtr<ForceLaw> force_law_kind();

/// A time step > 0, or auto (0).
KindPtr<double> step_kind();

} // namespace stickslip
