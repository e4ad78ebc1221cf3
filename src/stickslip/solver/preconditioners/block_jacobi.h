#pragma once

#include "stickslip/solver/preconditioner.h"

namespace stickslip {

/// Inverse diagonal blocks. Nothing to set up; for soft bodies and small steps.
class BlockJacobi : public Preconditioner {
public:
    void update(const BlockMatrix& A) override;
    void apply(const BlockVector& r, BlockVector& z) const override;

private:
    std::vector<Mat3> inverse_; // a singular block's: the identity
};

} // namespace stickslip
