#pragma once

#include "stickslip/contact/contact_blocks.h"

#include <span>

namespace stickslip {

/// Adds how far the surface has slid in this step at each node of a deformable body [m]: the mean over the contacts
/// that load the node, by what each of them loads it with,
///     sum_c |f_c| |slip_c| / sum_c |f_c|      f_c: force of contact c on the node
/// so that a node that two faces of the same ground share slides once.
void add_node_slip(const ContactBlocks& contacts, std::span<double> slip);

} // namespace stickslip
