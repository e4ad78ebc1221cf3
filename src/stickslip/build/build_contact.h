#pragma once

#include "stickslip/math/types.h"
#include "stickslip/scene/scene.h"
#include "stickslip/world/reach.h"

#include <vector>

namespace stickslip {

struct BuildResult;

/// The body of this name. Pre: there is one.
const BodySettings& settings_of(const Scene& scene, const std::string& name);

/// Sets the contact law of the world of `result`, by body and pair, from the scene.
void set_contact_law(const Scene& scene, BuildResult& result);

/// The stiffness of each body where the scene says none. `x`, `particles`: nodes and material points as placed.
void set_automatic_stiffness(const Scene& scene, const std::vector<Vec3>& x, const std::vector<Vec3>& particles,
    const Reach& reach, BuildResult& result);

/// Bodies that start inside obstacles or rigid bodies: they are pushed out from the nearest face, which is legal and
/// rarely meant. Needs the state and the contact law.
void warn_of_overlap(const Scene& scene, BuildResult& result);

/// Pairs that the scene names and between which no contact is computed.
void warn_of_missing_contacts(const Scene& scene, BuildResult& result);

} // namespace stickslip
