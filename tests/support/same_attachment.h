#pragma once

#include "stickslip/contact/attachment.h"

#include "support/numeric.h"

namespace stickslip {

/// Whether both are of one contact and attached at the same place, to the bit.
inline bool same_bits(const Attachment& p, const Attachment& q)
{
    const AttachmentNumbers a = numbers(p.to), b = numbers(q.to);
    return p.key() == q.key() && p.to.index() == q.to.index() && a.piece == b.piece && a.angle == b.angle
        && same_bits({a.place, a.n}, {b.place, b.n});
}

} // namespace stickslip
