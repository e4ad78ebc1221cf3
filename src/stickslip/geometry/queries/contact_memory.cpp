#include "stickslip/geometry/queries/contact_memory.h"

#include "stickslip/math/check.h"

#include <tuple>

namespace stickslip {

namespace {

enum MatchLevel { none, surface, same_patch, same_facet };

MatchLevel match_level(const ContactName& old, const ContactName& now, double cosine, double angle_cosine)
{
    if (old.facet == now.facet && cosine > 0)
        return same_facet;
    if (!(cosine > angle_cosine))
        return none;
    return old.patch == now.patch ? same_patch : surface;
}

} // namespace

void match_contacts(
    std::span<const ContactName> old, std::span<const ContactName> now, double angle_cosine, std::span<int> successors)
{
    STICKSLIP_ASSERT(successors.size() == old.size());
    for (std::size_t i = 0; i < old.size(); ++i) {
        successors[i] = -1;
        MatchLevel nearest = none;
        double least_turned = -1;
        for (std::size_t j = 0; j < now.size(); ++j) {
            const double cosine = old[i].n.dot(now[j].n);
            const MatchLevel kin = match_level(old[i], now[j], cosine, angle_cosine);
            if (kin != none && std::tie(kin, cosine) > std::tie(nearest, least_turned)) {
                std::tie(nearest, least_turned) = std::tie(kin, cosine);
                successors[i] = static_cast<int>(j);
            }
        }
    }
}

Vec3 cap(const Vec3& F, double limit)
{
    const double length = F.norm();
    return length > limit ? Vec3(limit / length * F) : F;
}

} // namespace stickslip
