#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/contact.h"
#include "stickslip/contact/detect/contact_bodies.h"

#include <span>
#include <vector>

namespace stickslip {

/// How a contact goes on after a step.
struct NextContact {
    const Contact* contact; // of the step
    Attachment attachment; // for the next one
    double energy; // [J] that its spring then holds
};

/// Two boxes or convex polyhedra are interlocked when contacts of theirs, deeper than `allowed` [m] although they have
/// grown much firmer, press against each other, as after edges have crossed unfelt between their points: then springs
/// hold them in each other, and firmer ones hold them better. All contacts that do not press the shortest way that
/// parts the two let go: their points are attached anew, with hardly any force, to the face that pushes them out that
/// way, and the pair's other springs keep what force the pair has as a whole; all grow from there
/// (docs/derivations.md#interlocked-pairs).
///
/// `solids`: their frames after the step, from the first rigid body on.
void release_interlocked_pairs(
    const ContactBodies& bodies, std::span<const Frame> solids, double allowed, std::vector<NextContact>& contacts);

} // namespace stickslip
