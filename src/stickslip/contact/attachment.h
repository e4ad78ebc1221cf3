#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// What a contact remembers from step to step: where on the surface its point is attached.
struct Attachment {
    int pair; // which (body, obstacle) pair of the world
    int node; // the point
    int patch; // the smooth piece of the surface it entered by
    Vec3 X; // [m] in the surface's own frame
};

/// Order in which a state keeps its attachments.
inline bool operator<(const Attachment& a, const Attachment& b)
{
    return a.pair != b.pair ? a.pair < b.pair : a.node < b.node;
}

} // namespace stickslip
