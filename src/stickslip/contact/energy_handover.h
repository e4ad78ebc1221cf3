#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/contact.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace stickslip {

/// Adds numbers of all that a contact touches: it may take over from another that touches one of them, and from whom
/// that may. None: it takes no part.
using TouchedBy = std::function<void(const Attachment& contact, std::vector<std::int64_t>& touched)>;

/// Contacts at one place take over from each other: a vertex from the edge beside it, an edge from the one that goes on
/// around a joint, a point on one body from where it was on the body beside. Energy that springs release in a step,
/// because their share falls, the contact ends, or backward Euler damps an impact, is passed to contacts at the same
/// place that store less than their depth implies, in proportion to the deficit. So the energy of all of them grows by
/// no more than the work that is done against them:
///     handed over = min(lacking, max(0, sum E_before + sum work - sum E_after))
/// `contacts`: at the end of the step; `before`, `after`: the attachments at its start and for the next one, sorted.
/// (docs/derivations.md#shares-that-grow)
void hand_over_energy(std::span<const Contact> contacts, std::span<const Attachment> before,
    const TouchedBy& touched_by, std::vector<Attachment>& after);

} // namespace stickslip
