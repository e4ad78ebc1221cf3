#pragma once

#include "stickslip/solver/preconditioner.h"

#include <memory>

namespace stickslip {

/// Preconditioner. `automatic` takes LU up to 400 blocks, and up to 4000 where the system is mostly contact; else SSOR,
/// with a way to LU up to 4000 blocks and to multigrid above, where it is not mostly contact. Measured in
/// docs/validation.md, preconditioners.
enum class PreconditionerKind { automatic, block_jacobi, block_ssor, lu, multigrid };

/// `mostly_contact`: most blocks belong to rigid bodies.
std::unique_ptr<Preconditioner> make_preconditioner(
    PreconditionerKind kind, std::size_t blocks, bool mostly_contact = false);

} // namespace stickslip
