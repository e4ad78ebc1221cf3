#pragma once

#include "stickslip/bodies/deformable.h"
#include "stickslip/solver/residual_system.h"

#include <vector>

namespace stickslip {

/// Equations of a step as the solve strategies need them, of the whole or of a part of the bodies. Blocks of a
/// body stand together.
class StepEquations : public ResidualSystem {
public:
    /// Multiplies the stiffness of every contact until the next step [-].
    virtual void scale_contact_stiffness(double factor) = 0;

    /// A body that touches something and is not round turned by more than 1 rad: backward Euler has false roots
    /// there.
    virtual bool turned_too_far() const = 0;

    /// A material point crossed more than a cell of its grid.
    virtual bool moved_too_far() const { return false; }

    virtual std::size_t body_count() const = 0;
    virtual Range blocks_of_body(std::size_t body) const = 0;

    /// sqrt(sum g_i^2/m_i / m_body) of each body [m/s]: a velocity error that does not depend on resolution.
    virtual std::vector<double> body_measures(const BlockVector& g) const = 0;

    /// The largest of them, so that a light body cannot hide behind a heavy one.
    double measure(const BlockVector& g) const override;
};

/// Not a number where any of them is not.
double largest(const std::vector<double>& values);

} // namespace stickslip
