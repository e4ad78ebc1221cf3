#pragma once

#include "stickslip/solver/preconditioner.h"

#include <memory>

namespace stickslip {

/// What to use. `automatic` takes LU when the system is mostly contact, up to 4000 blocks, and SSOR above; else
/// Cholesky up to 400 blocks, SSOR with a way to Cholesky up to 4000, both with a way to LU, and SSOR with a way to
/// multigrid above. Measured in docs/validation.md, preconditioners.
enum class PreconditionerKind { automatic, block_jacobi, block_ssor, cholesky, lu, multigrid };

/// `mostly_contact`: most blocks belong to rigid bodies.
std::unique_ptr<Preconditioner> make_preconditioner(
    PreconditionerKind kind, std::size_t blocks, bool mostly_contact = false);

} // namespace stickslip
