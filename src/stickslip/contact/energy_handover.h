#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/contact.h"

#include <span>
#include <vector>

namespace stickslip {

/// Contacts of the same two bodies take over from each other: a vertex from the edge beside it, an edge from the one
/// that goes on around a joint. What the springs of two bodies lose in a step, because their share falls, they end, or
/// backward Euler damps an impact, those take up that are deeper than the energy that they hold: as much as there is,
/// or as they lack, each in proportion to what it lacks. So the energy of all contacts of two bodies grows by no more
/// than the work that is done against them. `contacts`: at the end of the step; `before`, `after`: the attachments at
/// its start and for the next one, sorted. (docs/derivations.md#shares-that-grow)
void hand_over_energy(
    std::span<const Contact> contacts, std::span<const Attachment> before, std::vector<Attachment>& after);

} // namespace stickslip
