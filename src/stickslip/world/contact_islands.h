#pragma once

#include "stickslip/contact/contact_set.h"

#include <vector>

namespace stickslip {

/// Rigid bodies to be solved together: those that are unsolved and those that touch them at the last evaluation of
/// `contacts`, in islands of at most `most`. Bodies join in the order of the forces between them, the strongest first.
/// What touches a deformable body or material points is left out, and so are islands without an unsolved body.
/// first_rigid, first_mpm: numbers of bodies in contacts. `unsolved`: by rigid body, of which there are as many. Each
/// island ascending, the islands by their first bodies.
std::vector<std::vector<int>> contact_islands(
    const ContactSet& contacts, int first_rigid, int first_mpm, const std::vector<bool>& unsolved, int most);

} // namespace stickslip
