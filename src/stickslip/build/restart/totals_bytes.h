#pragma once

#include "stickslip/build/restart/run_totals.h"
#include "stickslip/files/checkpoint_bytes.h"

namespace stickslip {

/// All but RunTotals::last.
void put_totals(ByteWriter& to, const RunTotals& totals);

/// Errors: InputError when the bytes are none of put_totals.
RunTotals get_totals(ByteReader& from);

} // namespace stickslip
