#include "stickslip/contact/attachment.h"

#include "stickslip/math/error.h"

#include <algorithm>
#include <string>

namespace stickslip {

std::vector<BodyPair> touching_pairs(const std::vector<Attachment>& attachments)
{
    std::vector<BodyPair> pairs;
    for (const Attachment& a : attachments)
        pairs.push_back(std::minmax(a.point_body, a.surface_body));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

AttachmentNumbers numbers(const AttachedTo& to)
{
    struct Numbers {
        AttachmentNumbers operator()(const OnSolid& at) const { return {.piece = at.patch, .place = at.X}; }
        AttachmentNumbers operator()(const OnFacet& at) const { return {.piece = at.facet, .place = at.w}; }
        AttachmentNumbers operator()(const RollingOnSolid& at) const
        {
            return {.piece = at.patch, .place = at.xi, .angle = at.angle};
        }
        AttachmentNumbers operator()(const RollingOnFacet& at) const
        {
            return {.piece = at.facet, .place = at.xi, .angle = at.angle, .n = at.n};
        }
        AttachmentNumbers operator()(const OnEdges& at) const { return {.piece = -1, .place = {at.s, at.t, at.sigma}}; }
    };
    return std::visit(Numbers{}, to);
}

AttachedTo attached_to(std::size_t which, const AttachmentNumbers& from)
{
    static_assert(std::variant_size_v<AttachedTo> == 5, "each has a case below");
    switch (which) { // in the order of AttachedTo
    case 0:
        return OnSolid{from.piece, from.place};
    case 1:
        return OnFacet{from.piece, from.place};
    case 2:
        return RollingOnSolid{from.piece, from.place, from.angle};
    case 3:
        return RollingOnFacet{from.piece, from.place, from.n, from.angle};
    case 4:
        return OnEdges{from.place.x(), from.place.y(), from.place.z()};
    default:
        throw InputError("expected a kind of attachment from 0 to 4, found " + std::to_string(which));
    }
}

} // namespace stickslip
